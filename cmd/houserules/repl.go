package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

type replCommand struct {
	Game    string `arg:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Players   string   `help:"Who plays: names and bots, as for play." placeholder:"NAMES"`
	Seed      string   `help:"Number that decides all luck; the same seed gives the same dice." placeholder:"N"`
	Dice      string   `help:"machine: the program throws; real: type what falls." default:"machine" placeholder:"KIND"`
	Rules     []string `help:"Files, or folders of them, with house rules that do not come with houserules." placeholder:"PATH"`
	Plain     bool     `help:"No line editing, no colour, one thing a line; for screen readers."`
	KeepGoing bool     `help:"On a pipe, go on after a line that was not carried out."`
}

// Run plays a game at the console of people who write rules.
func (c *replCommand) Run(ctx context.Context, std streams) error {
	as := playCommand{Game: c.Game, choices: c.choices, Seed: c.Seed, Dice: c.Dice, Rules: c.Rules, Plain: c.Plain, KeepGoing: c.KeepGoing, Games: 1}
	if err := as.kinds(); err != nil {
		return err
	}
	seed, err := parseSeed(c.Seed)
	if err != nil {
		return err
	}
	if c.Game == "-" {
		return failf(exitUsage, "the lines for the console come from where `-` would read the rules: name their file")
	}
	con := &console{c: c, std: std}
	if con.table, err = c.table(c.Game, as.rulePaths(), std); err != nil {
		return err
	}
	if con.players, err = repl.ParsePlayers(c.who(con.table.prog)); err != nil {
		return failf(exitUsage, "%v", err)
	}
	cfg := repl.Config{
		Players: con.players, LeftOut: con.table.leftOut, Console: con.hooks(), Files: con.table.lib.ownPaths(),
		Header: interpreter.Header{With: con.table.with, Without: c.Without, Set: c.Set, Seed: seed, RealDice: c.Dice == "real"},
		Rules:  rulesFlag(ruleArgs(append(append([]string{c.Game}, c.With...), as.rulePaths()...))),
		Hint:   "moves and commands as in play; any other line is a formula: `?` helps",
	}
	if cfg.Game, err = ready(con.table.prog, con.players); err != nil {
		return err
	}
	if msg := repl.Seatable(cfg.Game, con.players); msg != "" {
		return failf(exitUsage, "%s, as in --players Ann,Bob", msg)
	}
	return as.run(ctx, cfg, std)
}

// who is who plays if nobody is named: as many as in examples.
func (c *replCommand) who(p *dsl.Program) string {
	if strings.TrimSpace(c.Players) != "" {
		return c.Players
	}
	return strings.Join(interpreter.ExamplePlayers(p), ",")
}

// console is what a console does outside the game.
type console struct {
	c       *replCommand
	std     streams
	table   *table
	players []repl.Player
	tried   int // examples
}

func (k *console) hooks() *repl.Console {
	return &repl.Console{Reload: k.reload, Edit: k.edit, Word: k.word, Try: k.try}
}

// reload loads the game anew, or prints what is wrong with it.
func (k *console) reload() *repl.Loaded {
	say := k.std
	say.err = k.std.out // where it stands between the lines of the console
	tell := func(err error) *repl.Loaded {
		var f *failure
		if errors.As(err, &f) && f.message != "" {
			say.printf("%s", f.message)
		}
		return nil
	}
	as := playCommand{Rules: k.c.Rules}
	t, err := k.c.table(k.c.Game, as.rulePaths(), say)
	if err != nil {
		return tell(err)
	}
	g, err := ready(t.prog, k.players)
	if err != nil {
		return tell(err)
	}
	k.table = t
	return &repl.Loaded{Game: g, LeftOut: t.leftOut}
}

// edit opens an editor on the first rule file that was named.
func (k *console) edit(ctx context.Context) error {
	args := ruleArgs(append([]string{k.c.Game}, k.c.With...))
	if len(args) == 0 {
		for _, id := range append([]string{k.c.Game}, k.c.With...) {
			if own := byName(id, k.std); own != "" {
				args = append(args, own)
			}
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("these rules come with houserules: `houserules new game NAME --from %s` makes some of your own", k.c.Game)
	}
	editor := os.Getenv("VISUAL")
	if editor == "" {
		editor = os.Getenv("EDITOR")
	}
	words := strings.Fields(editor)
	if len(words) == 0 {
		return errors.New("no editor is named: set EDITOR, or change the file elsewhere and type `reload`")
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], args[0])...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor `%s` could not do it: %w", editor, cause(err))
	}
	return nil
}

// word explains a word of the language.
func (k *console) word(word string) string {
	found := dsl.Lexicon().Find(word)
	if len(found) == 0 {
		return ""
	}
	var b bytes.Buffer
	explainWord(word, found, streams{out: &b})
	return b.String()
}

// try plays an example as if it stood in a house rule that changes nothing.
func (k *console) try(example string) string {
	k.tried++
	id := fmt.Sprintf("console-example-%d", k.tried)
	text := fmt.Sprintf("houserules: 1\nvariant: %s\nfor: %s\ntitle: Console\nexamples:\n%s", id, k.table.prog.Game, example)
	var ds source.List
	if k.table.lib.Add(source.NewFile(inExample, text), &ds) == nil {
		return firstOf(ds)
	}
	results, ds := interpreter.NewExampleRunner(k.table.lib.Library).Run(k.table.prog.Game, id, nil)
	if len(results) == 0 {
		return firstOf(ds)
	}
	for _, f := range results[0].Failures {
		msg := f.Message
		if len(f.List) > 0 {
			msg = firstOf(f.List)
		}
		if line := strings.TrimSpace(f.Span.Text()); line != "" && !strings.Contains(line, "\n") {
			msg = fmt.Sprintf("at `%s` %s", line, msg)
		}
		return msg
	}
	return ""
}

// inExample is the name of the file that an example is tried in.
const inExample = "<example>"

func firstOf(ds source.List) string {
	for _, d := range ds {
		if d.Severity == source.Error {
			return d.Message
		}
	}
	return "it cannot be played"
}

// ownPaths has the paths of the files that were read, by the ids of what is in
// them.
func (s *shelf) ownPaths() map[string]string {
	out := map[string]string{}
	for _, f := range s.read {
		if f != nil && f.ID != "" && !slices.Contains([]string{"-", "<stdin>"}, f.Src.Name) {
			out[f.ID] = filepath.FromSlash(f.Src.Name)
		}
	}
	return out
}
