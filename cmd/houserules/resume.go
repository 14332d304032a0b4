package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

// resume goes on with the game of a journal.
func (c *playCommand) resume(ctx context.Context, std streams) error {
	if c.Game != "" || len(c.With) > 0 || len(c.Without) > 0 || len(c.Set) > 0 || c.Players != nil || c.Seed != "" || c.Undo != "" || c.Journal != "" || c.NoJournal {
		return failf(exitUsage, "--resume goes on with a game as it was begun: leave out the game and what it is played with")
	}
	r := &resumed{play: c, rules: c.Rules}
	return r.run(ctx, journalPlace{path: c.Resume}, std)
}

type resumeCommand struct {
	Game string `arg:"" optional:"" help:"Id of a saved game, or the file of a journal; without it, the game that was played last."`

	List           bool     `help:"List the games that are saved."`
	ReplayUnderNew bool     `help:"If the rules have changed since, play the game again by the rules as they are now, as far as it fits, and go on from there as a new game."`
	Games          int      `help:"How many games are played in a row." placeholder:"N"`
	Rules          []string `help:"Files, or folders of them, of the game and of house rules that do not come with houserules." placeholder:"PATH"`
	Plain          bool     `help:"No line editing, no colour, one thing a line; for screen readers."`
	Quiet          bool     `short:"q" help:"Print only the result."`
	KeepGoing      bool     `help:"On a pipe, go on after a line that was not carried out."`
}

// Run goes on with a game, or lists those that are saved.
func (c *resumeCommand) Run(ctx context.Context, std streams) error {
	switch {
	case c.Games < 0 || c.Games > maxGames:
		return failf(exitUsage, "--games %d: from 1 to %d games can be played in a row", c.Games, maxGames)
	case c.List && c.Game != "":
		return failf(exitUsage, "--list lists all games: leave out `%s`", c.Game)
	case c.List:
		listSaved(std)
		return nil
	}
	place, err := c.place()
	if err != nil {
		return err
	}
	games := max(c.Games, place.info.Games, 1)
	if c.Games > 0 {
		games = c.Games
	}
	r := &resumed{
		play:  &playCommand{Games: games, Plain: c.Plain, Quiet: c.Quiet, KeepGoing: c.KeepGoing, Rules: c.Rules},
		rules: append(append([]string{}, place.info.Rules...), c.Rules...),
		asks:  true, underNew: c.ReplayUnderNew,
	}
	return r.run(ctx, *place, std)
}

// place finds the journal that is meant.
func (c *resumeCommand) place() (*journalPlace, error) {
	if c.Game == "" {
		for _, g := range savedGames() {
			if !g.finished && len(g.parts) > 0 {
				return savedPlace(g.id), nil
			}
		}
		return nil, failf(exitCannot, "no game is saved that is not over; `houserules play GAME` begins one")
	}
	if p := savedPlace(c.Game); p != nil {
		if strings.HasPrefix(p.path, finishedFolder()) {
			return nil, failf(exitCannot, "game %s is over; `houserules replay %s` plays it again", p.id, p.id)
		}
		return p, nil
	}
	if !isPath(c.Game) && !isFile(c.Game) {
		return nil, failf(exitCannot, "there is no saved game `%s`; `houserules resume --list` lists them", c.Game)
	}
	return &journalPlace{path: c.Game}, nil
}

// resumed is how a game is gone on with.
type resumed struct {
	play     *playCommand
	rules    []string
	asks     bool // whether it goes on under other rules can be asked
	underNew bool
}

func (r *resumed) run(ctx context.Context, p journalPlace, std streams) error {
	o, err := p.open(std)
	if err != nil {
		return err
	}
	cfg, err := r.ready(ctx, o, std)
	if err != nil {
		o.close()
		return err
	}
	return r.play.run(ctx, cfg, std)
}

// ready readies a game to be gone on with.
func (r *resumed) ready(ctx context.Context, o *openJournal, std streams) (repl.Config, error) {
	cfg, ch, err := tablesOf(o.parts, r.rules, std)
	switch {
	case err != nil:
		return cfg, err
	case ch != nil && !r.asks:
		return cfg, ch.refuse(len(r.rules) == 0, std)
	case ch != nil:
		return cfg, r.under(ctx, &cfg, ch, o, std)
	}
	r.play.goingOn(&cfg, o.journalPlace, r.play.Rules)
	return cfg, o.goOn(&cfg)
}

// under goes on with a game whose rules have changed, if that is wanted.
func (r *resumed) under(ctx context.Context, cfg *repl.Config, ch *rulesChanged, o *openJournal, std streams) error {
	std.printf("%s was begun under other rules than there are now", o.called())
	ch.tell(std)
	n, why, err := howFar(ctx, *cfg)
	if err != nil {
		return err
	}
	all := 0
	for _, p := range cfg.Parts {
		all += len(p.Entries)
	}
	if why == "" {
		std.printf("by the rules as they are now all %s fit", counted(all, "entry"))
	} else {
		std.printf("by the rules as they are now %d of %s fit; the next does not%s", n, counted(all, "entry"), why)
	}
	if !r.underNew && !asked("go on from there, as a new game? [y/N] ", std) {
		return failf(exitCannot, "nothing was changed; with --replay-under-new the game goes on from there, as a new one")
	}
	cfg.Parts = firstEntries(cfg.Parts, n)
	if err := beginSaved(cfg, ch.table, r.play.Games); err != nil {
		return failf(exitCannot, "`%s` cannot be used: %v", gamesFolder(), cause(err))
	}
	cfg.Begun = false // what was played before was played by others
	o.close()
	std.printf("it goes on as %s; %s stays as it was", strings.TrimPrefix(cfg.GoOn, "houserules resume "), o.called())
	return nil
}

// firstEntries are the first n entries of journals.
func firstEntries(parts []*interpreter.Journal, n int) []*interpreter.Journal {
	var out []*interpreter.Journal
	for _, p := range parts {
		k := min(n, len(p.Entries))
		out = append(out, &interpreter.Journal{Header: p.Header, Entries: p.Entries[:k:k]})
		if n -= k; n == 0 {
			break
		}
	}
	return out
}

// howFar plays the entries of a game and says how many fit, and of the next why
// it does not, "" if all do.
func howFar(ctx context.Context, cfg repl.Config) (n int, why string, err error) {
	parts := cfg.Parts
	for _, p := range parts {
		n += len(p.Entries)
	}
	s, err := fed(ctx, cfg)
	var wrong *interpreter.ReplayError
	switch {
	case err == nil:
		return n, "", nil
	case !errors.As(err, &wrong):
		return 0, "", failf(exitCannot, "by the rules as they are now, the game stops at a mistake of the rules: %v", err)
	case s.Hides():
		return wrong.Entry - 1, "", nil
	}
	return wrong.Entry - 1, fmt.Sprintf(" (%s): %v", wrong.Text, wrong.Err), nil
}

// fed plays the journals of a game in silence.
func fed(ctx context.Context, cfg repl.Config) (*repl.Session, error) {
	parts := cfg.Parts
	cfg.Parts, cfg.Watch, cfg.Quiet, cfg.Journal = nil, true, true, nil
	s := repl.NewSession(cfg, io.Discard)
	if err := s.Start(ctx); err != nil {
		return s, err
	}
	return s, s.Feed(ctx, parts)
}

// fits says what of a game does not fit its rules.
func fits(cfg repl.Config) error {
	s, err := fed(context.Background(), cfg)
	var wrong *interpreter.ReplayError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && s.Hides():
		return failf(exitCannot, "entry %d of the journal does not fit the game", wrong.Entry)
	case errors.As(err, &wrong):
		return failf(exitCannot, "entry %d of the journal does not fit the game (%s): %v", wrong.Entry, wrong.Text, wrong.Err)
	}
	return failf(exitCannot, "the journal stops at a mistake of the rules: %v", err)
}

// asked asks a question at a terminal, and takes anything but yes for no.
func asked(question string, std streams) bool {
	if !repl.IsTerminal(std.in) || !repl.IsTerminal(std.out) {
		return false
	}
	fmt.Fprint(std.out, question)
	line, _ := bufio.NewReaderSize(oneByte{std.in}, 16).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	}
	return false
}

// oneByte reads byte by byte, so that nothing behind a line is taken away.
type oneByte struct{ r io.Reader }

// Read reads a byte.
func (o oneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(len(b), 1)]) }

// listSaved lists the games that are saved.
func listSaved(std streams) {
	rows := [][]string{}
	for _, g := range savedGames() {
		row := []string{g.id, "damaged", "", g.when.Local().Format("2006-01-02 15:04"), ""}
		if len(g.parts) > 0 {
			row[1], row[2], row[4] = g.parts[0].Game, strings.Join(g.parts[0].Players, ", "), g.state()
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		std.printf("no games are saved")
		return
	}
	for _, l := range repl.Table(append([][]string{{"id", "game", "players", "last played", "how far"}}, rows...)) {
		std.printf("%s", l)
	}
}

// state says how far a game is.
func (g *saved) state() string {
	text := counted(g.moves(), "move")
	games := 0
	for _, p := range g.parts {
		if !p.Opening {
			games++
		}
	}
	if games > 1 {
		text = fmt.Sprintf("game %d, %s", games, text)
	}
	switch {
	case g.finished:
		text += ", over"
	case g.held:
		text += ", being played"
	}
	return text
}
