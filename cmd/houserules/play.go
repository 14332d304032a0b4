package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/repl/filelock"
)

type playCommand struct {
	Game    string `arg:"" optional:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Players   *string  `help:"Who plays: names, bot:random, bot:greedy and bot:thinker, with commas between them." placeholder:"NAMES"`
	Seed      string   `help:"Number that decides all luck; the same seed gives the same dice." placeholder:"N"`
	Dice      string   `help:"machine: the program throws; real: you throw and type what fell." default:"machine" placeholder:"KIND"`
	Undo      string   `help:"What may be taken back: strict, back to the last luck and to what others did; table, further if the others agree; free, everything. Usually strict for several people, and free for one." placeholder:"HOW"`
	Journal   string   `help:"Write the game to this new file, move by move, instead of one that houserules chooses." placeholder:"FILE"`
	NoJournal bool     `help:"Do not save the game as it is played."`
	Resume    string   `help:"Go on with the game of a journal, and with its file." placeholder:"FILE"`
	Games     int      `help:"How many games are played in a row; what lives from game to game is handed on." default:"1" placeholder:"N"`
	Rules     []string `help:"Files, or folders of them, of the game and of house rules that do not come with houserules: with --resume, or to choose from before the game." placeholder:"PATH"`
	Plain     bool     `help:"No line editing, no colour, one thing a line; for screen readers."`
	Quiet     bool     `short:"q" help:"Print only the result."`
	KeepGoing bool     `help:"On a pipe, go on after a line that was not carried out."`
}

// Run plays a game.
func (c *playCommand) Run(ctx context.Context, std streams) error {
	if err := c.kinds(); err != nil {
		return err
	}
	if c.Games < 1 || c.Games > maxGames {
		return failf(exitUsage, "--games %d: from 1 to %d games can be played in a row", c.Games, maxGames)
	}
	if c.Undo != "" && !repl.KnownPolicy(c.Undo) {
		return failf(exitUsage, "there is no way to take back called `%s`; there are: %s", c.Undo, strings.Join(repl.UndoPolicies, ", "))
	}
	if c.Journal != "" && c.NoJournal {
		return failf(exitUsage, "--journal and --no-journal exclude each other")
	}
	if c.Resume != "" {
		return c.resume(ctx, std)
	}
	if c.Game == "" {
		return failf(exitUsage, "the game is missing; `houserules games` lists what there is")
	}
	cfg, t, err := c.config(std)
	if err != nil {
		return err
	}
	if c.Journal == "" {
		c.autosave(&cfg, t, std)
	} else if err := c.journal(&cfg, t); err != nil {
		return err
	}
	return c.run(ctx, cfg, std)
}

// config readies the game that the options name.
func (c *playCommand) config(std streams) (cfg repl.Config, t *table, err error) {
	seed, err := parseSeed(c.Seed)
	if err != nil {
		return cfg, nil, err
	}
	who, asked := "", c.Players != nil
	if asked {
		who = *c.Players
	}
	var players []repl.Player
	if strings.TrimSpace(who) != "" {
		if players, err = repl.ParsePlayers(who); err != nil {
			return cfg, nil, failf(exitUsage, "%v", err)
		}
	}
	if t, err = c.table(c.Game, c.Rules, std); err != nil {
		return cfg, nil, err
	}
	if !asked {
		if players, err = repl.ParsePlayers(repl.DefaultPlayers(t.prog)); err != nil {
			return cfg, nil, failf(exitUsage, "%v", err)
		}
	}
	cfg = repl.Config{
		Players: players, LeftOut: t.leftOut, Files: t.lib.ownPaths(),
		Header: interpreter.Header{With: t.with, Without: c.Without, Set: c.Set, Seed: seed, RealDice: c.Dice == "real", Undo: c.Undo},
		Replay: c.again(seed, who, c.With, c.Set),
		Rules:  rulesFlag(ruleArgs(append(append([]string{c.Game}, c.With...), c.rulePaths()...))),
	}
	if cfg.Game, err = ready(t.prog, players); err != nil {
		return cfg, nil, err
	}
	if msg := repl.Seatable(cfg.Game, players); msg != "" {
		return cfg, nil, failf(exitUsage, "%s, as in --players Ann,Bob", msg)
	}
	if err := t.open(&cfg, func(h interpreter.Header) string { return c.again(seed, who, h.With, h.Set) }); err != nil {
		return cfg, nil, err
	}
	if !asked {
		cfg.Hint = repl.DefaultHint(len(players))
	}
	return cfg, t, nil
}

// kinds tests that there are the kinds of dice that were asked for.
func (c *playCommand) kinds() error {
	if c.Dice != "machine" && c.Dice != "real" {
		return failf(exitUsage, "there is no kind of dice `%s`; there are: machine, real", c.Dice)
	}
	return nil
}

// journal begins the journal that was asked for.
func (c *playCommand) journal(cfg *repl.Config, t *table) error {
	f, err := create(c.Journal)
	if err != nil {
		return err
	}
	release, err := filelock.Hold(f)
	if err != nil {
		return errors.Join(failf(exitCannot, "%s", fileTrouble(c.Journal, err)), f.Close())
	}
	cfg.Journal, cfg.Close = repl.NewJournalFile(f), closer(f, release, false)
	c.goingOn(cfg, journalPlace{path: c.Journal}, ruleArgs(append(append([]string{c.Game}, c.With...), c.rulePaths()...)))
	t.keep()
	return nil
}

// run plays a game.
func (c *playCommand) run(ctx context.Context, cfg repl.Config, std streams) error {
	cfg.Plain, cfg.Quiet, cfg.Create = c.Plain || inPlainMode(), c.Quiet, createFile
	cfg.Color = !cfg.Plain && repl.CanColor(std.out)
	input := repl.Input{In: std.in, Out: std.out, Err: std.err, Plain: cfg.Plain, KeepGoing: c.KeepGoing}
	cfg.Echo, cfg.Clear = !input.Interactive(), input.Interactive()
	if input.Interactive() {
		cfg.Width = repl.Width()
		cfg.History = &repl.History{Path: filepath.Join(stateFolder(), "history"), Most: 1000}
	}
	cfg.Games = c.Games
	if cfg.Console == nil { // else it is no game, but a trial
		cfg.Scores = scoreBook()
		cfg.OpenJournal = func(name string) (*repl.Config, error) { return c.openFor(cfg, name, std) }
	}
	return ended(repl.Run(ctx, repl.NewSession(cfg, std.out), input))
}

// ended makes an error of an exit code.
func ended(code int) error {
	if code == exitOK {
		return nil
	}
	return &failure{code: code}
}

// ruleArgs are those arguments that mean files.
func ruleArgs(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return !isPath(a) || a == "-" })
}

// rulesFlag names files as an option of the command line.
func rulesFlag(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return " --rules " + quote(strings.Join(files, ","))
}

// table is a game with what the people at it have chosen.
type table struct {
	lib     *shelf
	prog    *dsl.Program
	with    []string // ids
	leftOut []string // usual house rules that are not in force, in words
	cover   *interpreter.Coverage
}

// maxGames is how many games are played in a row.
const maxGames = 1000

// rulePaths are the paths of rules that are named as such, as paths.
func (c *playCommand) rulePaths() []string {
	var out []string
	for _, p := range c.Rules {
		if !isPath(p) {
			p = "./" + p
		}
		out = append(out, p)
	}
	return out
}

// open readies the opening of the game, if it has one.
func (t *table) open(cfg *repl.Config, again func(interpreter.Header) string) error {
	if t.prog.Opening == nil {
		return nil
	}
	var err error
	if cfg.Opening, err = ready(t.prog.Opening, cfg.Players); err != nil {
		return err
	}
	cfg.House, cfg.Load = t.house(), t.loader(cfg.Players, true, again)
	return nil
}

// house lists the house rules that can be chosen.
func (t *table) house() []repl.HouseRule {
	usual := t.lib.Usual(t.prog.Game)
	var out []repl.HouseRule
	for _, f := range t.lib.VariantsOf(t.prog.Game) {
		out = append(out, repl.HouseRule{ID: f.ID, Title: f.Title, About: f.About, Icon: f.Icon, Tags: f.Tags, Usual: slices.Contains(usual, f.ID)})
	}
	return out
}

// loader loads the games that openings come to.
func (t *table) loader(players []repl.Player, usual bool, again func(interpreter.Header) string) func(interpreter.Header) (*repl.Loaded, error) {
	return func(h interpreter.Header) (*repl.Loaded, error) {
		p, ds := dsl.Load(t.lib.Library, t.prog.Game, dsl.Options{With: h.With, Without: h.Without, Set: h.Set, Usual: usual})
		if p == nil {
			return nil, &repl.ChoiceError{Message: t.lib.sentence(ds)}
		}
		g, err := interpreter.NewCovered(p, len(players), t.cover)
		var fault *interpreter.Fault
		var wrong *interpreter.PlayersError
		switch {
		case errors.As(err, &fault):
			return nil, &repl.ChoiceError{Message: fault.Message}
		case errors.As(err, &wrong):
			return nil, &repl.ChoiceError{Message: wrong.Error()}
		case err != nil:
			return nil, err
		}
		if msg := repl.Seatable(g, players); msg != "" {
			return nil, &repl.ChoiceError{Message: msg}
		}
		out := &repl.Loaded{Game: g, LeftOut: t.lib.leftOut(p)}
		if again != nil {
			out.Replay = again(h)
		}
		return out, nil
	}
}

// table loads a game with the choices. More rules are there to be chosen.
func (c *choices) table(arg string, more []string, std streams) (*table, error) {
	lib := newShelf()
	if err := lib.folders(more, std); err != nil {
		return nil, err
	}
	with, err := lib.ids(c.With, std)
	if err != nil {
		return nil, err
	}
	id, err := lib.game(arg, std)
	if err != nil {
		return nil, err
	}
	if lib.diags.HasErrors() {
		return nil, lib.broken(std)
	}
	own := *c
	own.With = with
	return own.load(lib, id, std)
}

// load loads a game with the choices, all of them ids.
func (c *choices) load(lib *shelf, id string, std streams) (*table, error) {
	p, err := lib.load(id, dsl.Options{With: c.With, Without: c.Without, Set: c.Set, Usual: true}, std)
	if err != nil {
		return nil, err
	}
	return &table{lib: lib, prog: p, with: c.With, leftOut: lib.leftOut(p)}, nil
}

// leftOut names the usual house rules that are not in force.
func (s *shelf) leftOut(p *dsl.Program) []string {
	var out []string
	for _, u := range s.Usual(p.Game) {
		if !slices.ContainsFunc(p.Variants, func(v *dsl.VariantInfo) bool { return v.ID == u }) {
			text := u
			if f := s.Variant(p.Game, u); f != nil && f.Title != "" {
				text = f.Title
			}
			out = append(out, text)
		}
	}
	return out
}

// ready makes a program ready for the players.
func ready(p *dsl.Program, players []repl.Player) (*interpreter.Game, error) {
	g, err := interpreter.New(p, len(players))
	if err == nil {
		return g, nil
	}
	var wrong *interpreter.PlayersError
	var fault *interpreter.Fault
	switch {
	case errors.As(err, &wrong):
		return nil, failf(exitUsage, "%v: %s", err, seatHint(wrong))
	case errors.As(err, &fault):
		return nil, failf(exitCannot, "%s (%s)", fault.Message, fault.Span)
	}
	return nil, err
}

func seatHint(e *interpreter.PlayersError) string {
	if e.Got < e.Min {
		return "add a name, or a bot, as in --players Ann,bot:random"
	}
	return "name fewer with --players"
}

// parseSeed reads a seed, or makes one up.
func parseSeed(text string) (uint64, error) {
	if text == "" {
		var b [4]byte
		if _, err := io.ReadFull(rand.Reader, b[:]); err != nil {
			return 0, failf(exitCannot, "there is no source of chance here: give a --seed")
		}
		return uint64(binary.LittleEndian.Uint32(b[:])), nil // short enough to be read out
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, failf(exitUsage, "`%s` is no seed: a seed is a whole number from 0 to %d", text, uint64(1<<64-1))
	}
	return n, nil
}

// again writes the command that plays the same game again.
func (c *playCommand) again(seed uint64, players string, with []string, set map[string]string) string {
	parts := []string{"houserules", "play", quote(c.Game)}
	add := func(flag, value string) { parts = append(parts, flag, quote(value)) }
	with = c.asTyped(with)
	if len(with) > 0 {
		add("--with", strings.Join(with, ","))
	}
	if len(c.Without) > 0 {
		add("--without", strings.Join(c.Without, ","))
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		add("--set", name+"="+set[name])
	}
	if len(c.Rules) > 0 {
		add("--rules", strings.Join(c.Rules, ","))
	}
	if c.Games > 1 {
		add("--games", strconv.Itoa(c.Games))
	}
	if players != "" {
		add("--players", players)
	}
	if c.Undo != "" {
		add("--undo", c.Undo)
	}
	if c.Dice != "machine" {
		add("--dice", c.Dice)
	} else {
		add("--seed", strconv.FormatUint(seed, 10))
	}
	return strings.Join(parts, " ")
}

// asTyped puts the files of house rules back where their ids stand.
func (c *playCommand) asTyped(with []string) []string {
	if len(with) <= len(c.With) {
		return c.With
	}
	return append(slices.Clone(c.With), with[len(c.With):]...)
}

// quote writes a word so that a shell takes it as one.
func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`!*?&|;<>()[]{}~#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// inPlainMode reports whether the environment asks for plain output.
func inPlainMode() bool {
	on := func(name string) bool {
		v := os.Getenv(name)
		return v != "" && v != "0" && v != "false"
	}
	return on("HOUSERULES_PLAIN") || on("ACCESSIBLE")
}

// create makes a new file; it never writes over one.
func create(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, failf(exitCannot, "%s", createTrouble(name, err))
	}
	return f, nil
}

// createFile is create for the game's own commands.
func createFile(name string) (io.WriteCloser, error) {
	f, err := create(name)
	if err != nil {
		return nil, err // not f: a nil file is no nil writer
	}
	return f, nil
}
