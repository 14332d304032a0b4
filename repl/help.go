package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

func (s *Session) cmdHelp(_ context.Context, args []string) error {
	if len(args) > 0 {
		return s.helpWord(strings.Join(args, " "))
	}
	switch {
	case s.Over():
		s.printf("the game is over")
	case s.thrower():
		s.printf("%s", s.wanted())
		if _, n, ok := s.match.ThrowWanted(); ok && n > 1 {
			s.printf("faces in any order, with or without blanks; 3x5 is three 5s")
		}
	default:
		s.printf("moves: a number, or as below; the beginning of a word is enough")
		var rows [][]string
		for _, c := range s.match.Choices(false) {
			text := s.match.Sentence(c.Action.Rule)
			if c.Why != nil {
				text = "not now: " + c.Why.Reason
			}
			rows = append(rows, []string{"  " + words(c.Action.Name), text})
		}
		s.rows(rows)
		if s.menu != nil {
			s.wrapped("", s.menu.hint(s.last.Game != ""))
		}
		for _, o := range s.options {
			if !o.bare && s.menu == nil {
				s.printf("for example: %s", s.moveText(o.index))
				break
			}
		}
	}
	s.printf("commands:")
	var rows [][]string
	for _, c := range s.known() {
		rows = append(rows, []string{"  " + strings.TrimSpace(c.name+" "+c.args), c.help})
	}
	s.rows(rows)
	s.printf("a colon before a command keeps it apart from a move: `:score`")
	if s.cfg.Console != nil {
		s.printf("any other line is a formula: its value is printed, and `it` is that value in the next one")
	}
	return nil
}

func (s *Session) rows(rows [][]string) {
	for _, l := range Table(rows) {
		s.printf("%s", l)
	}
}

// topic is a word of the rules that help can explain.
type topic struct {
	name, kind string
	info       *dsl.Info // nil for those with a text of their own
	text       string
}

// helpWord explains a word of the rules or a command.
func (s *Session) helpWord(word string) error {
	word = strings.Trim(word, "`")
	if s.explainWord(word) {
		return nil
	}
	var names []string
	for _, t := range s.topics() {
		names = append(names, words(t.name))
	}
	msg := fmt.Sprintf("nothing in these rules is called `%s`", word)
	if near := source.Nearest(strings.ToLower(words(word)), names); len(near) > 0 {
		return s.fail("%s; did you mean `%s`?", msg, near[0])
	}
	return s.fail("%s; `?` shows what there is", msg)
}

// explainWord explains everything that is called so. It reports whether there is
// any.
func (s *Session) explainWord(word string) (found bool) {
	key := fold(strings.Trim(word, "`"))
	for _, t := range s.topics() {
		if fold(t.name) == key || t.info != nil && fold(t.info.Title) == key {
			found = true
			s.explain(t)
		}
	}
	return found
}

// fold makes the spellings of a name alike.
func fold(name string) string {
	return strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(name))
}

func (s *Session) explain(t topic) {
	name, text := words(t.name), t.text
	if t.info != nil {
		if t.info.Title != "" {
			name += ", " + t.info.Title
		}
		text = s.match.Sentence(t.info.Rule)
		if t.info.Owner != "" {
			t.kind += " of the house rule " + s.houseTitle(t.info.Owner)
		}
	}
	head := fmt.Sprintf("%s (%s)", name, t.kind)
	if text != "" {
		head += ": " + text
	}
	s.printf("%s", head)
	if t.info != nil && len(t.info.From) > 0 {
		for _, id := range t.info.From {
			for _, b := range s.match.Game().Program().Book {
				if b.ID == id {
					s.printf("  %s: %s", id, b.Text)
				}
			}
		}
	}
}

// topics gathers all words that help knows.
func (s *Session) topics() []topic {
	p := s.match.Game().Program()
	var out []topic
	add := func(kind string, i *dsl.Info) { out = append(out, topic{i.Name, kind, i, ""}) }
	seen := map[string]bool{}
	for _, ph := range p.Phases {
		for _, a := range ph.Actions {
			if !seen[a.Path] {
				seen[a.Path] = true
				add("move", &a.Info)
			}
			for _, g := range a.Require {
				text := s.match.Sentence(g.Else)
				out = append(out, topic{g.Name, "condition of " + words(a.Name), nil, text})
			}
		}
	}
	for _, sc := range p.Scorers {
		for _, c := range sc.Combos {
			add("combination", &c.Info)
		}
	}
	for _, f := range p.Families {
		for _, k := range f.Kinds {
			add("one of the "+f.Label(), &k.Info)
			for _, lot := range k.Lots {
				out = append(out, topic{lot.Short, "one of the " + f.Label(), nil, k.Label()})
			}
		}
	}
	for _, e := range p.Events {
		if e.Title != "" || e.Rule != nil {
			add("event", &e.Info)
		}
	}
	for _, i := range p.Incidents {
		add("incident", &i.Info)
	}
	for _, x := range p.Params {
		add("option", &x.Info)
	}
	for _, x := range p.Zones {
		add("place for "+x.Family.Label(), &x.Info)
	}
	for _, x := range p.Vars {
		if !x.Out {
			add("what the game remembers", &x.Info)
		}
	}
	for _, x := range p.Defines {
		add("what is worked out", &x.Info)
	}
	for _, ph := range p.Phases {
		if ph.Title != "" || ph.Rule != nil {
			add("phase", &ph.Info)
		}
	}
	for _, v := range p.Variants {
		out = append(out, topic{v.ID, "house rule", nil, strings.TrimSpace(v.Title + ". " + v.About)})
	}
	for _, b := range p.Book {
		out = append(out, topic{b.ID, "printed rule", nil, b.Text})
	}
	for _, b := range p.Answers {
		out = append(out, topic{b.ID, "open question", nil, b.Text})
	}
	for _, c := range s.known() {
		out = append(out, topic{c.name, "command", nil, strings.TrimSpace(c.name+" "+c.args) + ", " + c.help})
	}
	return out
}
