package repl

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// A command is a line about the game, rather than a move in it.
type command struct {
	name  string
	short []string // other names
	args  string
	help  string
	run   func(s *Session, ctx context.Context, args []string) error
}

// commands lists the commands in the order in which help shows them.
var commands []*command

func init() {
	commands = []*command{
		{"help", []string{"?", "h"}, "[WORD]", "what can be done, or what a word of the rules means", (*Session).cmdHelp},
		{"actions", nil, "[--all]", "the legal moves; with --all also what is barred and why", (*Session).cmdActions},
		{"score", nil, "[all | --by rule]", "the sheet, or the points by the rules that brought them", (*Session).cmdScore},
		{"sheet", nil, "[FILE]", "the sheet, into a file to keep: .md, .html or .svg", (*Session).cmdSheet},
		{"why", []string{"w"}, "[ACTION | N | score] [--full]", "why a move was refused, what changed last or with number N of the log, or where points come from", (*Session).cmdWhy},
		{"odds", nil, "[FORMULA]", "what each move may come to, or how likely a formula is, when the game asks next", (*Session).cmdOdds},
		{"hand", nil, "", "the pieces that you may see", (*Session).cmdHand},
		{"state", nil, "[NAME]", "what lies where, and all that the game remembers", (*Session).cmdState},
		{"hint", nil, "", "moves that end well when the game is played on at random", (*Session).cmdHint},
		{"log", nil, "[N]", "what happened last", (*Session).cmdLog},
		{"house", nil, "", "how this game differs from the printed rules", (*Session).cmdHouse},
		{"seed", nil, "", "the seed, and the command that plays this game again", (*Session).cmdSeed},
		{"undo", []string{"u"}, "[N]", "take back the last move, or the last N", (*Session).cmdUndo},
		{"redo", nil, "", "do again what was taken back", (*Session).cmdRedo},
		{"fix", nil, "N MOVE", "put another move in the place of number N of the log", (*Session).cmdFix},
		{"save", nil, "FILE", "write the journal of this game to a file", (*Session).cmdSave},
		{"export", nil, "FILE", "write this game as a transcript, which `houserules test` plays", (*Session).cmdExport},
		{"load", nil, "FILE", "go on with the game of another journal; this one stays in its own", (*Session).cmdLoad},
		{"quit", []string{"q", "exit"}, "", "leave", (*Session).cmdQuit},
	}
}

// command finds the command that a line names. A word that the game uses for
// an action is the game's; with a colon before it, it is always ours.
func (s *Session) command(line string) (*command, []string) {
	words := strings.Fields(line)
	name, forced := strings.CutPrefix(words[0], ":")
	if name == "" && len(words) > 1 {
		name, words = words[1], words[1:]
	}
	name = strings.ToLower(name)
	if rest, ok := strings.CutPrefix(name, "?"); ok && rest != "" {
		name, words = "?", append([]string{"?", rest}, words[1:]...)
	}
	if !forced && s.isAction(name) {
		return nil, nil
	}
	for _, c := range s.known() {
		if c.called(name) {
			return c, words[1:]
		}
	}
	if forced {
		return &command{run: func(s *Session, _ context.Context, _ []string) error { return s.unknown(name) }}, nil
	}
	return nil, nil
}

func (c *command) called(name string) bool { return c.name == name || slices.Contains(c.short, name) }

// isAction reports whether the game has an action that a word names, or, for
// a single letter, one that begins so and can be taken now.
func (s *Session) isAction(word string) bool {
	for _, c := range s.match.Choices(false) {
		if len(word) == 1 && strings.HasPrefix(c.Action.Name, word) {
			return true
		}
	}
	for _, ph := range s.match.Game().Program().Phases {
		for _, a := range ph.Actions {
			if a.Name == word {
				return true
			}
		}
	}
	return false
}

// unknown says that a word means nothing here, and what it may have meant.
func (s *Session) unknown(word string) error {
	var names []string
	for _, c := range s.known() {
		names = append(names, c.name)
	}
	msg := fmt.Sprintf("there is no `%s` here", word)
	if strings.Trim(word, ":") == "" {
		msg = "a command is missing after the colon"
	}
	var refusal *interpreter.Refusal
	if s.isAction(strings.ToLower(word)) {
		msg = fmt.Sprintf("`%s` is not possible now", word)
		refusal = &interpreter.Refusal{Reason: msg}
	}
	for _, c := range s.match.Choices(false) {
		names = append(names, c.Action.Name)
	}
	if near := source.Nearest(strings.ToLower(word), names); len(near) > 0 {
		msg += fmt.Sprintf("; did you mean `%s`?", near[0])
	}
	if can := s.possible(); can != "" {
		msg += "; possible: " + can
	}
	e := &LineError{Message: msg + "; `?` helps", Refused: refusal}
	s.printf("%s", e.Message)
	return e
}

// possible names the actions that can be taken now.
func (s *Session) possible() string {
	var names []string
	for _, c := range s.match.Choices(false) {
		if c.Options > 0 {
			names = append(names, words(c.Action.Name))
		}
	}
	return strings.Join(names, ", ")
}

func (s *Session) cmdActions(_ context.Context, args []string) error {
	all := len(args) == 1 && (args[0] == "--all" || args[0] == "all")
	if len(args) > 0 && !all {
		return s.fail("`actions` takes nothing, or --all")
	}
	if s.Over() {
		return s.fail("the game is over: there are no moves")
	}
	if s.thrower() {
		s.printf("%s", s.wanted())
		return nil
	}
	if !s.cfg.Brief {
		s.situation()
		s.shown()
	}
	if s.menu != nil {
		s.printMenu()
	} else {
		s.list(0)
		if s.atTable() {
			s.everyMove()
		}
	}
	if all {
		s.barred()
	}
	return nil
}

// barred lists the actions that cannot be taken, each with its reason.
func (s *Session) barred() {
	for _, c := range s.match.Choices(true) {
		if c.Why != nil {
			s.printf("no %s: %s%s", words(c.Action.Name), c.Why.Reason, s.ruleOf(c.Why))
		}
	}
}

func (s *Session) cmdLog(_ context.Context, args []string) error {
	n, ok := count(args, 20)
	if !ok {
		return s.fail("`log` takes the number of lines to show, as in `log 50`")
	}
	lines := s.logLines()
	if len(lines) == 0 {
		s.printf("nothing has happened yet")
	}
	for _, l := range lines[max(0, len(lines)-n):] {
		s.printf("%s", l)
	}
	return nil
}

// logLines writes the log for whoever looks. Where moves can be mended, those
// that stand have their numbers.
func (s *Session) logLines() []string {
	var out []string
	numbers := s.fixable() == ""
	for _, l := range s.tale.lines {
		text := l.as(s.looker)
		if text == "" {
			continue
		}
		switch {
		case l.undone:
			text = "~ " + text
		case numbers && l.move != nil && l.move.entered && (!s.secret || l.move.table) && l.stage == len(s.stages)-1:
			text = fmt.Sprintf("#%d %s", l.entry, text)
		}
		out = append(out, text)
	}
	return out
}

// count reads the one number, from 1 on, that a command may be given; usual
// stands for none.
func count(args []string, usual int) (n int, ok bool) {
	if len(args) == 0 {
		return usual, true
	}
	n, err := strconv.Atoi(args[0])
	return n, err == nil && n >= 1 && len(args) == 1
}

func (s *Session) cmdHouse(context.Context, []string) error {
	s.house()
	return nil
}

func (s *Session) cmdSeed(context.Context, []string) error {
	if s.cfg.Header.RealDice {
		s.printf("the dice of this game are real: only its journal can play it again")
		return nil
	}
	s.printf("seed: %d", s.cfg.Header.Seed)
	s.again()
	return nil
}

// again prints the command that plays the game again.
func (s *Session) again() {
	if s.now().Replay != "" && !s.cfg.Header.RealDice {
		s.shell("play it again", s.now().Replay)
	}
}

func (s *Session) cmdUndo(ctx context.Context, args []string) error {
	n, ok := count(args, 1)
	if !ok {
		return s.fail("`undo` takes the number of moves to take back, as in `undo 2`")
	}
	return s.undo(ctx, n)
}

func (s *Session) cmdRedo(ctx context.Context, _ []string) error { return s.redo(ctx) }

func (s *Session) cmdSave(_ context.Context, args []string) error {
	if len(args) != 1 {
		return s.fail("say where to: `save FILE`")
	}
	if len(s.edits) > 0 {
		return s.fail("this game was edited, so nobody can go on with it from its moves")
	}
	if err := s.write(args[0], func(w io.Writer) error { return WriteJournals(w, s.Journals()) }); err != nil {
		return err
	}
	s.printf("saved; `houserules play --resume %s%s` goes on from here", args[0], s.cfg.Rules)
	return nil
}

func (s *Session) cmdQuit(context.Context, []string) error {
	s.left = true
	s.wipeShared()
	if !s.Over() && !s.cfg.Quiet {
		s.printf("left before the end")
		s.goesOnLater()
	}
	return nil
}
