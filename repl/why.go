package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/interpreter"
)

// refused prints why a move cannot be made, and keeps it for `why`.
func (s *Session) refused(line string, err error) error {
	var r *interpreter.Refusal
	if !errors.As(err, &r) {
		var bad *interpreter.MoveError
		if errors.As(err, &bad) {
			if whole := s.completed(line); whole != "" {
				return s.fail("%s; did you mean `%s`?", bad.Message, whole)
			}
			if _, ok := s.Asked(); ok && s.wordless(line) {
				return s.unknown(firstWord(line))
			}
			return s.fail("%s", bad.Message)
		}
		return s.fault(err)
	}
	s.refusal = r
	e := &LineError{Message: r.Reason, Refused: r}
	s.printf("no: %s%s", r.Reason, s.ruleOf(r))
	if len(r.Values) > 0 && !s.cfg.Brief {
		s.printf("`why` shows what it was made of")
	}
	return e
}

// completed returns the move that a line is but for the name of its action, ""
// if there is none.
func (s *Session) completed(line string) string {
	for _, c := range s.match.Choices(false) {
		whole := words(c.Action.Name) + " " + line
		if len(c.Action.Picks) == 0 || c.Options == 0 {
			continue
		}
		if _, err := s.match.ParseMove(whole); err == nil {
			return clean(whole)
		}
	}
	return ""
}

// wordless reports whether a line begins with nothing that the game knows.
func (s *Session) wordless(line string) bool {
	word := fold(firstWord(line))
	if word == "" || word[0] >= '0' && word[0] <= '9' {
		return false
	}
	for _, c := range s.match.Choices(true) {
		name := fold(c.Action.Name)
		if strings.HasPrefix(name, word) || firstWord(name) == word {
			return false
		}
	}
	return true
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// ruleOf names the rule that refuses, and the house rule that brought it.
func (s *Session) ruleOf(r *interpreter.Refusal) string {
	if r.Guard == nil {
		return ""
	}
	text := fmt.Sprintf(" (rule %s", r.Guard.Name)
	if r.Guard.Variant != "" {
		text += ", house rule " + s.houseTitle(r.Guard.Variant)
	}
	return text + ")"
}

// RefusedBy names what refused a move as transcripts do: the guard, or `when`
// for an action that does not exist now, `pick` for a pick that is not offered,
// `unread` for a line that cannot be read, a command for one that it refused.
// variant is the house rule that
// brought the guard, if one did.
func (e *LineError) RefusedBy() (name, variant string) {
	switch r := e.Refused; {
	case e.By != "":
		return e.By, ""
	case r == nil:
		return "unread", ""
	case r.Guard != nil:
		return r.Guard.Name, r.Guard.Variant
	case !r.Now:
		return "when", ""
	}
	return "pick", ""
}

func (s *Session) cmdWhy(_ context.Context, args []string) error {
	full := false
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		is := a == "--full" || a == "-v"
		full = full || is
		return is
	})
	switch {
	case len(args) == 0 && s.refusal != nil:
		s.steps(s.refusal, full)
		return nil
	case len(args) == 0:
		return s.whyLast(full)
	case len(args) == 1 && isEntry(args[0]):
		return s.whyEntry(args[0], full)
	}
	asked := strings.Join(args, " ")
	key := fold(asked)
	for _, c := range s.match.Choices(true) {
		if fold(c.Action.Name) != key {
			continue
		}
		if c.Why == nil {
			s.printf("%s is possible now", words(c.Action.Name))
			return nil
		}
		s.steps(c.Why, full)
		return nil
	}
	if l := s.ledgerOf(args); l != nil {
		return s.whyLedger(l, full)
	}
	what := fmt.Sprintf("there is no move `%s` here", asked)
	if s.isAction(strings.ReplaceAll(key, " ", "_")) {
		what = fmt.Sprintf("`%s` is not possible now", asked)
	}
	if can := s.possible(); can != "" {
		what += "; possible: " + can
	}
	return s.fail("%s; `why score` tells where points come from", what)
}

// steps prints a refusal with the values that its formula is made of.
func (s *Session) steps(r *interpreter.Refusal, full bool) {
	s.printf("%s: %s", words(r.Action.Name), r.Reason)
	if g := r.Guard; g != nil {
		text := fmt.Sprintf("  rule %s, %s", g.Name, g.Span)
		if g.Variant != "" {
			text += ", house rule " + s.houseTitle(g.Variant)
		}
		s.printf("%s", text)
	}
	s.values(r.Values, full)
}

// maxValues is how many parts of a formula are shown without being asked for.
const maxValues = 10

// values prints formulas with what they came to.
func (s *Session) values(values []interpreter.Value, full bool) {
	var rows [][]string
	for i, v := range values {
		if i == maxValues && !full {
			defer s.printf("  ... and %d more: `why --full`", len(values)-i)
			break
		}
		rows = append(rows, []string{"  " + oneLine(v.Text), "= " + v.Is, v.Span.String()})
	}
	s.rows(rows)
}

// oneLine shortens a formula that runs over lines.
func oneLine(text string) string {
	const most = 40
	r := []rune(clean(text))
	if len(r) > most {
		r = append(r[:most-3], '.', '.', '.')
	}
	return string(r)
}

// fault tells of a mistake in the rules that only showed while playing.
func (s *Session) fault(err error) error {
	var f *interpreter.Fault
	if !errors.As(err, &f) {
		return err
	}
	s.printf("the rules have a mistake, so this game cannot go on: %s", f.Message)
	s.printf("  at %s", f.Span)
	if s.looker == everything { // else they may tell what is hidden
		s.values(f.Values, true)
	}
	return err
}
