package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file is the console of people who write rules: a game that they play as
// others do, in which every line that is neither a move nor a command is
// a formula. They see everything.

// A Console is what a session needs for people who write rules, beyond what
// those need who play.
type Console struct {
	// Reload reads the files of the rules again and makes the game of them. If
	// they cannot be played it prints why, and returns nil.
	Reload func() *Loaded
	// Edit opens an editor on the file of the rules. The error says why that
	// cannot be done.
	Edit func(ctx context.Context) error
	// Word explains a word of the language, "" if it is none.
	Word func(word string) string
	// Try plays an example, as it stands in a file, and returns what is wrong
	// with it, "" for nothing.
	Try func(example string) string
}

// consoleCommands lists the commands that only a console has.
var consoleCommands []*command

func init() {
	consoleCommands = []*command{
		{"set", nil, "NAME VALUE", "put another value in its place, as in `set turn.points 40`", (*Session).cmdSet},
		{"dice", nil, "LUCK", "what falls next, as in `dice 1 1 5 2 3 6`", (*Session).cmdDice},
		{"type", nil, "FORMULA", "what kind of value a formula gives", (*Session).cmdType},
		{"trace", nil, "FORMULA", "the value of every part of a formula", (*Session).cmdTrace},
		{"time", nil, "FORMULA", "how long it takes to work a formula out", (*Session).cmdTime},
		{"doc", nil, "WORD", "what these rules, or the language, say of a word", (*Session).cmdDoc},
		{"test", nil, "[NAME | FILE]", "what was done since the last time, as an example for the rule file, or the game as a transcript", (*Session).cmdTest},
		{"edit", nil, "", "open the rule file in an editor, then read it again", (*Session).cmdEdit},
		{"reload", nil, "", "read the rule files again and play the game anew by them", (*Session).cmdReload},
	}
}

// known lists the commands of the session.
func (s *Session) known() []*command {
	if s.cfg.Console == nil {
		return commands
	}
	return append(consoleCommands[:len(consoleCommands):len(consoleCommands)], commands...)
}

// isFormula reports whether a line at a console is to be read as a formula:
// no move, nor what was meant as one.
func (s *Session) isFormula(line string) bool {
	if s.thrower() {
		c := s.match.Clone()
		return c.ApplyLuck(line) != nil && !plainWords(line)
	}
	if s.formOf(line) != nil {
		return false
	}
	_, err := s.find(line)
	var bad *interpreter.MoveError
	if !errors.As(err, &bad) {
		return false // a move, or a refused one
	}
	return s.wordless(line) || !plainWords(line)
}

// plainWords reports whether a line has only words and numbers, as moves have.
func plainWords(line string) bool {
	return !strings.ContainsAny(line, "+*/%<>=!?().[]&|")
}

// evaluate prints the value of a formula that begins at a byte of the line.
func (s *Session) evaluate(text string, at int) error {
	e, err := s.consoleFormula(text, at)
	if err != nil {
		return err
	}
	v, err := s.match.Eval(e)
	if err == nil {
		var is string
		if is, err = s.match.EvalText(e); err == nil {
			s.printf("%s  (%s)", is, e.Type)
			s.keepIt(e, v)
			return nil
		}
	}
	return s.cannot(e, err)
}

// cannot says why a formula has no value here.
func (s *Session) cannot(e *dsl.Expr, err error) error {
	var f *interpreter.Fault
	if !errors.As(err, &f) {
		return err
	}
	place := f.Span
	if place.File == nil {
		place = e.Span
	}
	return s.fail("%s (%s)", f.Message, place)
}

// consoleFormula checks a formula in which `it` is the last value.
func (s *Session) consoleFormula(text string, at int) (*dsl.Expr, error) {
	if strings.TrimSpace(text) == "" {
		return nil, s.fail("a formula is missing")
	}
	env := dsl.Env{Lenient: true}
	var it *dsl.Local
	if s.it == nil && strings.Fields(text)[0] == "it" {
		return nil, s.fail("`it` is the last value, and nothing has been worked out yet")
	}
	if s.it != nil {
		it = &dsl.Local{Name: "it", Type: s.it.Type}
		env.Locals = []*dsl.Local{it}
	}
	e, err := s.formula(text, at, env)
	if err == nil && it != nil {
		e = replaced(e, it, s.it)
	}
	return e, err
}

// keepIt makes a value the one that `it` stands for. What is no single word of
// the machine, as lists are, is worked out anew when it is wanted.
func (s *Session) keepIt(e *dsl.Expr, v int64) {
	s.it = e
	switch k := e.Type.Kind; {
	case k == dsl.KList || k == dsl.KMap || k == dsl.KSet && e.Type.Elem.Kind == dsl.KPiece:
	default:
		s.it = &dsl.Expr{Op: dsl.OpConst, Type: e.Type, Int: v, Span: e.Span, OpSpan: e.OpSpan}
	}
}

// replaced puts a formula in the place of a local.
func replaced(e *dsl.Expr, it *dsl.Local, by *dsl.Expr) *dsl.Expr {
	if e == nil || e.Op == dsl.OpLocal && e.Ref == it {
		return by
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		if a != nil {
			a = replaced(a, it, by)
		}
		out.Args = append(out.Args, a)
	}
	return &out
}

func (s *Session) cmdType(context.Context, []string) error {
	text, at := s.rest()
	e, err := s.consoleFormula(text, at)
	if err != nil {
		return err
	}
	s.printf("%s", e.Type)
	return nil
}

func (s *Session) cmdTrace(context.Context, []string) error {
	text, at := s.rest()
	e, err := s.consoleFormula(text, at)
	if err != nil {
		return err
	}
	if _, err := s.match.Eval(e); err != nil {
		bad := s.cannot(e, err)
		s.parts(e)
		return bad
	}
	s.parts(e)
	return nil
}

// parts prints the values of the parts of a formula.
func (s *Session) parts(e *dsl.Expr) {
	var rows [][]string
	for _, v := range s.match.Explain(e) {
		rows = append(rows, []string{"  " + oneLine(v.Text), "= " + v.Is})
	}
	if len(rows) == 0 {
		if is, err := s.match.EvalText(e); err == nil {
			rows = append(rows, []string{"  " + oneLine(e.Span.Text()), "= " + is})
		}
	}
	s.rows(rows)
}

// timed is how long a formula is worked out again and again.
const timed = 100 * time.Millisecond

func (s *Session) cmdTime(context.Context, []string) error {
	text, at := s.rest()
	e, err := s.consoleFormula(text, at)
	if err != nil {
		return err
	}
	m, err := s.match.Meter(e)
	if err != nil {
		return s.cannot(e, err)
	}
	n, begun := 0, time.Now()
	for ; n == 0 || time.Since(begun) < timed; n++ {
		m.Read(s.match.Machine)
		if _, err := m.Value(0); err != nil {
			return s.cannot(e, err)
		}
	}
	s.printf("%v each, worked out %d times", (time.Since(begun) / time.Duration(n)).Round(time.Nanosecond), n)
	return nil
}

func (s *Session) cmdDoc(_ context.Context, args []string) error {
	word := strings.Join(args, " ")
	if word == "" {
		return s.fail("say which word: `doc WORD`")
	}
	own := s.explainWord(word)
	text := s.cfg.Console.Word(word)
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if text != "" {
			s.printf("%s", l)
		}
	}
	if own || text != "" {
		return nil
	}
	return s.helpWord(word)
}

func (s *Session) cmdEdit(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return s.fail("`edit` takes nothing")
	}
	if err := s.cfg.Console.Edit(ctx); err != nil {
		return s.fail("%v", err)
	}
	return s.cmdReload(ctx, nil)
}

// cmdReload plays the game anew by the rules as their files are now, as far as
// its moves fit. Rules that cannot be played leave the old ones in force.
func (s *Session) cmdReload(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return s.fail("`reload` takes nothing")
	}
	l := s.cfg.Console.Reload()
	if l == nil {
		return s.fail("these rules cannot be played, so the old ones stay in force")
	}
	was, old := *s.now(), s.cfg.Game
	entries := was.journal.Entries
	s.cfg.Game, s.now().Loaded = l.Game, *l
	n, wrong, err := s.refit(entries)
	if err != nil {
		s.cfg.Game, *s.now() = old, was
		if _, _, again := s.refit(entries); again != nil {
			return again
		}
		return s.fail("the game cannot be begun by these rules, so the old ones stay in force: %v", plainly(err))
	}
	s.it = nil
	switch {
	case wrong == nil && len(entries) == 0:
		s.printf("read again")
	case wrong == nil:
		s.printf("read again; all %d moves and throws fit", n)
	default:
		s.printf("read again; the first %d of %d moves and throws fit: number %d does not (%s): %s",
			n, len(entries), n+1, clean(spoken(entries[n].Move)+entries[n].Luck), plainly(wrong))
	}
	s.situation()
	return s.run(ctx)
}

// plainly is an error in the words of a refusal, if it is one.
func plainly(err error) string {
	var f *interpreter.Fault
	if errors.As(err, &f) {
		return fmt.Sprintf("%s (%s)", f.Message, f.Span)
	}
	return err.Error()
}

// refit plays as many entries as fit from the beginning of the stage, in
// silence. The error is that of a game that cannot even begin.
func (s *Session) refit(entries []interpreter.Entry) (n int, wrong, err error) {
	entries = append([]interpreter.Entry(nil), entries...)
	for n = len(entries); ; {
		s.points, s.undone = nil, nil
		s.begin()
		s.tale.mute = true
		fits := 0
		for fits < n {
			if bad := s.feedOne(entries[fits]); bad != nil {
				wrong = bad
				break
			}
			fits++
		}
		stuck := s.tryToSettle()
		s.tale.mute = false
		switch {
		case stuck == nil && fits == n:
			return n, wrong, nil
		case stuck != nil && n == 0:
			return 0, nil, stuck
		case stuck != nil && fits == n: // the last move leads to a mistake of the rules
			wrong, n = stuck, n-1
		default:
			n = fits
		}
	}
}

// tryToSettle is settle for rules that may have a mistake.
func (s *Session) tryToSettle() error {
	if _, err := s.forced(); err != nil {
		return err
	}
	return s.settle()
}
