package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

type playCommand struct {
	Game    string `arg:"" optional:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Players   *string  `help:"Who plays: names and bot:random, with commas between them." placeholder:"NAMES"`
	Seed      string   `help:"Number that decides all luck; the same seed gives the same dice." placeholder:"N"`
	Dice      string   `help:"machine: the program throws; real: you throw and type what fell." default:"machine" placeholder:"KIND"`
	Journal   string   `help:"Write the game to a new file, move by move." placeholder:"FILE"`
	Resume    string   `help:"Go on with the game of a journal, and with its file." placeholder:"FILE"`
	Rules     []string `help:"With --resume: files of the game and of house rules that do not come with houserules." placeholder:"FILE"`
	Plain     bool     `help:"No line editing, no colour, one thing a line; for screen readers."`
	Quiet     bool     `short:"q" help:"Print only the result."`
	KeepGoing bool     `help:"On a pipe, go on after a line that was not carried out."`
}

// Run plays a game.
func (c *playCommand) Run(ctx context.Context, std streams) error {
	if c.Dice != "machine" && c.Dice != "real" {
		return failf(exitUsage, "there is no kind of dice `%s`; there are: machine, real", c.Dice)
	}
	if c.Resume != "" {
		return c.resume(ctx, std)
	}
	if c.Game == "" {
		return failf(exitUsage, "the game is missing; `houserules games` lists what there is")
	}
	seed, err := parseSeed(c.Seed)
	if err != nil {
		return err
	}
	who, asked := repl.DefaultPlayers, c.Players != nil
	if asked {
		who = *c.Players
	}
	var players []repl.Player
	if strings.TrimSpace(who) != "" {
		if players, err = repl.ParsePlayers(who); err != nil {
			return failf(exitUsage, "%v", err)
		}
	}
	t, err := c.table(c.Game, std)
	if err != nil {
		return err
	}
	game, err := ready(t.prog, players)
	if err != nil {
		return err
	}
	cfg := repl.Config{
		Game: game, Players: players, LeftOut: t.leftOut,
		Header: interpreter.Header{With: t.with, Without: c.Without, Set: c.Set, Seed: seed, RealDice: c.Dice == "real"},
		Replay: c.again(seed, who),
		Rules:  rulesFlag(ruleArgs(append([]string{c.Game}, c.With...))),
	}
	if !asked {
		cfg.Hint = "you play against a bot; --players Ann,Bob seats people"
	}
	if c.Journal != "" {
		f, err := os.OpenFile(c.Journal, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return failf(exitCannot, "%s", fileTrouble(c.Journal, err))
		}
		defer f.Close() //nolint:errcheck // each entry was written as it was made
		cfg.Journal = repl.NewJournalFile(f)
	}
	return c.run(ctx, cfg, c.Journal, std)
}

// run plays a game whose file, if it has one, is kept in a journal.
func (c *playCommand) run(ctx context.Context, cfg repl.Config, journal string, std streams) error {
	cfg.Plain, cfg.Quiet, cfg.Create = c.Plain || inPlainMode(), c.Quiet, createFile
	cfg.Color = !cfg.Plain && repl.CanColor(std.out)
	input := repl.Input{In: std.in, Out: std.out, Err: std.err, Plain: cfg.Plain, KeepGoing: c.KeepGoing}
	cfg.Echo = !input.Interactive()
	if journal != "" {
		cfg.GoOn = fmt.Sprintf("houserules play --resume %s%s", quote(journal), cfg.Rules)
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
	prog    *dsl.Program
	with    []string // ids
	leftOut []string // usual house rules that are not in force, in words
}

// table loads a game with the choices.
func (c *choices) table(arg string, std streams) (*table, error) {
	lib := newShelf()
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
	t := &table{prog: p, with: c.With}
	for _, u := range lib.Usual(id) {
		if !slices.ContainsFunc(p.Variants, func(v *dsl.VariantInfo) bool { return v.ID == u }) {
			text := u
			if f := lib.Variant(id, u); f != nil && f.Title != "" {
				text = f.Title
			}
			t.leftOut = append(t.leftOut, text)
		}
	}
	return t, nil
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
func (c *playCommand) again(seed uint64, players string) string {
	parts := []string{"houserules", "play", quote(c.Game)}
	add := func(flag, value string) { parts = append(parts, flag, quote(value)) }
	if len(c.With) > 0 {
		add("--with", strings.Join(c.With, ","))
	}
	if len(c.Without) > 0 {
		add("--without", strings.Join(c.Without, ","))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		add("--set", name+"="+c.Set[name])
	}
	if players != repl.DefaultPlayers {
		add("--players", players)
	}
	if c.Dice != "machine" {
		add("--dice", c.Dice)
	} else {
		add("--seed", strconv.FormatUint(seed, 10))
	}
	return strings.Join(parts, " ")
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

// createFile makes a new file; it never writes over one.
func createFile(name string) (io.WriteCloser, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s", fileTrouble(name, err))
	}
	return f, nil
}
