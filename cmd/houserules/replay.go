package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

type replayCommand struct {
	File   string   `arg:"" help:"The journal, or the id of a saved game."`
	Rules  []string `help:"Files of the game and of house rules that do not come with houserules." placeholder:"FILE"`
	Verify bool     `help:"Check that the journal plays again to the same bytes, and say only that."`
	Open   bool     `help:"Show hands and hidden answers of a game that is not over."`
	Quiet  bool     `short:"q" help:"Print only the result."`
}

// Run plays a journal again.
func (c *replayCommand) Run(ctx context.Context, std streams) error {
	if p := savedPlace(c.File); p != nil && !isFile(c.File) {
		c.File, c.Rules = p.path, append(p.info.Rules, c.Rules...)
	}
	parts, text, err := readJournal(c.File, std)
	if err != nil {
		return err
	}
	cfg, err := tableOf(parts, c.Rules, std)
	if err != nil {
		return err
	}
	s, err := c.play(ctx, cfg, true, std)
	if c.Verify {
		if err != nil {
			return err
		}
		return c.verify(s, text, std)
	}
	cfg.Open = c.Open || err == nil && s.Over() // an entry that does not fit is told below, behind those that do
	if !cfg.Open && err == nil && s.Hides() && !c.Quiet {
		std.printf("this game is not over: what is hidden in it is not shown; --open shows it")
	}
	if s, err = c.play(ctx, cfg, false, std); err != nil {
		return err
	}
	if !s.Over() {
		if seat, ok := s.Asked(); ok {
			std.printf("the journal ends here; %s was to go on", s.Match().Name(seat))
		}
	}
	return nil
}

// readJournal reads a journal, with the text of its file.
func readJournal(path string, std streams) ([]*interpreter.Journal, string, error) {
	text, err := readFile(path, std)
	if err != nil {
		return nil, "", err
	}
	parts, err := journalOf(path, text, std)
	return parts, text, err
}

// journalOf reads a journal from the text of its file.
func journalOf(path, text string, std streams) ([]*interpreter.Journal, error) {
	parts, cut, err := repl.ReadJournals(text)
	var bad *interpreter.JournalError
	if errors.As(err, &bad) {
		return nil, failf(exitCannot, "`%s` is damaged at line %d: %s", path, bad.Line, bad.Message)
	} else if err != nil {
		return nil, failf(exitCannot, "%s", fileTrouble(path, err))
	}
	if policy := parts[0].Undo; policy != "" && !repl.KnownPolicy(policy) {
		return nil, failf(exitCannot, "`%s` is damaged at line 1: there is no way to take back called `%s`", path, policy)
	}
	if cut {
		std.printf("the last line of the journal is cut off and left out")
	}
	return parts, nil
}

// tableOf makes the games of a journal ready, under the same rules, with all
// that a session goes on with.
func tableOf(parts []*interpreter.Journal, rules []string, std streams) (repl.Config, error) {
	cfg, ch, err := tablesOf(parts, rules, std)
	if err == nil && ch != nil {
		err = ch.refuse(len(rules) == 0, std)
	}
	return cfg, err
}

// tablesOf is tableOf for rules that may have changed since. Then the parts of
// the result are those of the journal as if they had been made under the rules
// as they are now.
func tablesOf(parts []*interpreter.Journal, rules []string, std streams) (repl.Config, *rulesChanged, error) {
	lib := newShelf()
	head := parts[0].Header
	cfg := repl.Config{Players: repl.Seated(head), Header: head}
	if err := lib.folders(rules, std); err != nil {
		return cfg, nil, err
	}
	for _, part := range parts {
		if err := lib.ownOf(append([]string{part.Game}, part.With...), std); err != nil {
			return cfg, nil, err
		}
	}
	lib.builtIn()
	var first *table
	var diff *rulesChanged
	for i, part := range parts {
		if lib.Game(part.Game) == nil {
			return cfg, nil, failf(exitCannot, "the game `%s` of this journal does not come with houserules: name its file with --rules", part.Game)
		}
		ch := choices{With: part.With, Without: part.Without, Set: part.Set}
		t, err := ch.load(lib, part.Game, std)
		if err != nil {
			return cfg, nil, err
		}
		prog := t.prog
		if part.Opening {
			if prog = prog.Opening; prog == nil {
				return cfg, nil, failf(exitCannot, "the game of this journal has an opening, which the rule files no longer have")
			}
		}
		if first == nil {
			first = t
		}
		if prog.Fingerprint != part.Fingerprint && diff == nil {
			diff = &rulesChanged{table: first, prog: prog, part: part, first: parts[0].Fingerprint}
			if stand, err := interpreter.Standing(parts[:i+1]); err == nil && stand[len(stand)-1].Fingerprint == part.Fingerprint {
				diff.part = stand[len(stand)-1]
			}
		}
		now := &interpreter.Journal{Header: part.Header, Entries: part.Entries}
		now.Fingerprint = prog.Fingerprint
		cfg.Parts = append(cfg.Parts, now)
	}
	var err error
	cfg.LeftOut = first.leftOut
	if head.Opening {
		return cfg, diff, first.open(&cfg, nil)
	}
	cfg.Game, err = ready(first.prog, cfg.Players)
	return cfg, diff, err
}

// otherRules says how far a journal fits rules that have changed since, if they
// are those of the journal; alone means that nobody has named files.
func otherRules(p *dsl.Program, j *interpreter.Journal, alone bool) error {
	msg := "this journal was made under other rules: the rule files have changed since"
	if alone {
		msg += ", or it was played with files of your own, which --rules names"
	}
	g, err := interpreter.New(p, len(j.Players))
	if err != nil {
		return failf(exitCannot, "%s", msg)
	}
	m, err := interpreter.ReplayUnder(g, j)
	var wrong *interpreter.ReplayError
	switch {
	case errors.As(err, &wrong) && repl.Secretive(g):
		return failf(exitCannot, "%s; as they are now, entry %d is the first that does not fit", msg, wrong.Entry)
	case errors.As(err, &wrong):
		return failf(exitCannot, "%s; as they are now, entry %d is the first that does not fit (%s): %v", msg, wrong.Entry, wrong.Text, wrong.Err)
	case err != nil:
		return failf(exitCannot, "%s; as they are now, the game stops at a mistake of the rules: %v", msg, err)
	}
	var totals []string
	for seat := range j.Players {
		if v, ok := m.Total(seat); ok {
			totals = append(totals, fmt.Sprintf("%s %d", m.Name(seat), v))
		}
	}
	text := fmt.Sprintf("%s; as they are now, all %s fit", msg, counted(len(j.Entries), "entry"))
	if len(totals) > 0 {
		text += " and lead to " + strings.Join(totals, ", ")
	}
	return failf(exitCannot, "%s", text)
}

// play plays the entries and prints what happens, or nothing.
func (c *replayCommand) play(ctx context.Context, cfg repl.Config, quietly bool, std streams) (*repl.Session, error) {
	out := std.out
	if quietly {
		out = io.Discard
	}
	parts := cfg.Parts
	cfg.Parts, cfg.Watch = nil, true
	cfg.Quiet, cfg.Plain, cfg.Color = c.Quiet || quietly, inPlainMode(), repl.CanColor(std.out)
	s := repl.NewSession(cfg, out)
	if err := s.Start(ctx); err != nil {
		return nil, c.trouble(s, err)
	}
	if err := s.Feed(ctx, parts); err != nil {
		return nil, c.trouble(s, err)
	}
	return s, nil
}

func (c *replayCommand) trouble(s *repl.Session, err error) error {
	var wrong *interpreter.ReplayError
	switch {
	case errors.As(err, &wrong) && s.Hides() && !c.Open:
		return failf(exitNo, "entry %d of the journal does not fit the game; --open tells which it is, and may show what is hidden", wrong.Entry)
	case errors.As(err, &wrong):
		return failf(exitNo, "entry %d of the journal does not fit the game (%s): %v", wrong.Entry, wrong.Text, wrong.Err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return failf(exitCannot, "the journal stops at a mistake of the rules: %v", err)
}

// verify compares the journal that the game made with the file.
func (c *replayCommand) verify(s *repl.Session, text string, std streams) error {
	var b bytes.Buffer
	if err := repl.WriteJournals(&b, s.Journals()); err != nil {
		return err
	}
	if b.String() != text {
		at := 1
		for i := 0; i < min(len(text), b.Len()) && text[i] == b.Bytes()[i]; i++ {
			if text[i] == '\n' {
				at++
			}
		}
		return failf(exitNo, "`%s` plays again, but line %d is not as houserules writes it", c.File, at)
	}
	state := "the game is not over"
	if s.Over() {
		state = "the game ends the same way"
	}
	n := 0
	for _, part := range s.Journals() {
		n += len(part.Entries)
	}
	std.printf("%s: the same, byte for byte: %s; %s", c.File, counted(n, "entry"), state)
	return nil
}
