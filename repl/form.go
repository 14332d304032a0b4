package repl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// Questions to the people at a table, as a score pad has them: what has happened
// there is typed. What can be typed is shown as a form for each action rather
// than as a list of all there is.

// atTable reports whether the people at the table are asked.
func (s *Session) atTable() bool {
	req, err := s.match.Advance()
	return err == nil && req.Kind == interpreter.Decision && req.Table
}

// forms lists the actions, each once, those with something to pick as forms.
func (s *Session) forms() []option {
	var out []option
	for _, c := range s.match.Choices(false) {
		if c.Options == 0 {
			continue
		}
		o := option{index: c.First, action: c.Action, text: spoken(s.match.OptionText(c.First)), bare: len(c.Action.Picks) == 0}
		if !o.bare {
			o.form, o.text = true, s.form(c)
		}
		o.number = len(out) + 1
		out = append(out, o)
	}
	return out
}

// form writes how an action is typed.
func (s *Session) form(c interpreter.Choice) string {
	parts := []string{words(c.Action.Name)}
	var notes []string
	for _, p := range c.Action.Picks {
		word := strings.ToUpper(strings.ReplaceAll(p.Local.Name, "_", "-"))
		switch {
		case p.Each != nil:
			names, err := s.match.EvalText(p.Each)
			if err != nil {
				return s.moveText(c.First)
			}
			n := strings.Count(names, ", ") + 1
			parts = append(parts, strings.TrimSpace(strings.Repeat("N ", n)))
			notes = append(notes, "for "+names+s.span(p))
		case p.Default != nil:
			parts = append(parts, "["+word+"]")
		default:
			parts = append(parts, word)
		}
	}
	text := strings.Join(append([]string{strings.Join(parts, " ")}, notes...), ", ")
	if len(notes) == 0 {
		text += ", as in " + s.moveText(c.First)
	}
	return text
}

// span says which values can be picked, where they are few words.
func (s *Session) span(p *dsl.Pick) string {
	switch {
	case p.Form == dsl.PickRange:
		lo, err1 := s.match.EvalText(p.List.Args[0])
		hi, err2 := s.match.EvalText(p.List.Args[1])
		if err1 == nil && err2 == nil {
			return fmt.Sprintf(" (%s to %s)", lo, hi)
		}
	case p.Form == dsl.PickOne && p.List != nil:
		if values, err := s.match.EvalText(p.List); err == nil {
			return fmt.Sprintf(" (%s)", values)
		}
	}
	return ""
}

// everyMove lists some of the moves that each form stands for.
func (s *Session) everyMove() {
	n := map[*dsl.Action]int{}
	for _, o := range s.match.Options(maxNumbered) {
		if o.Typed || len(o.Action.Picks) == 0 {
			continue
		}
		switch n[o.Action]++; {
		case n[o.Action] <= maxListed:
			s.printf("  %s", spoken(o.Text))
		case n[o.Action] == maxListed+1:
			s.printf("  ...")
		}
	}
}
