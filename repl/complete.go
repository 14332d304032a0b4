package repl

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/lexicon"
)

// This file tells the line editor what may follow what is typed.

// completer offers moves and commands to the line editor.
type completer struct {
	s       *Session
	nothing func() // is called if nothing can follow
}

// Do returns what can follow what is typed.
func (c completer) Do(line []rune, pos int) (more [][]rune, length int) {
	typed := strings.ToLower(strings.TrimLeft(string(line[:pos]), " "))
	for _, w := range c.s.Completions(typed) {
		more = append(more, []rune(w[len(typed):]))
	}
	if len(more) == 0 && c.nothing != nil {
		c.nothing()
	}
	return fitting(more, len([]rune(typed)), c.s.cfg.Width), len([]rune(typed))
}

// fitting cuts what can follow at its next blank if it is too wide to be listed
// behind what is typed: the line editor has no lists wider than its terminal.
// Nothing is left if that does not help. A width of 0 has room for all.
func fitting(more [][]rune, typed, width int) [][]rune {
	wide := func(r []rune) bool { return typed+len(r)+2 > width }
	if width == 0 || len(more) < 2 || !slices.ContainsFunc(more, wide) {
		return more
	}
	var out [][]rune
	for _, r := range more {
		if i := slices.Index(r[1:], ' '); i >= 0 {
			r = r[:i+2]
		}
		if wide(r) {
			return nil
		}
		if !slices.ContainsFunc(out, func(o []rune) bool { return slices.Equal(o, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// Completions lists the lines that may follow from a beginning: actions and
// commands, and the whole moves of an action once it is typed.
func (s *Session) Completions(typed string) []string {
	var out []string
	add := func(text string) {
		if strings.HasPrefix(strings.ToLower(text), typed) && len(text) > len(typed) && ascii(text) {
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if s.covered {
		return nil
	}
	if typed == "" { // the colon forms are only noise here
		for _, inc := range s.match.IncidentsWanted() {
			add(words(inc.Name))
		}
		for _, o := range s.options {
			add(words(o.action.Name))
		}
		for _, c := range s.known() {
			add(c.name)
		}
		return out
	}
	if s.menu != nil {
		for _, w := range s.menu.completions() {
			add(w)
		}
	}
	for _, o := range s.options {
		if name := words(o.action.Name) + " "; !o.bare && !strings.HasPrefix(typed, name) {
			add(name)
		} else if o.form {
			for _, x := range s.match.Options(maxNumbered) {
				if x.Action == o.action && !x.Typed {
					add(spoken(x.Text))
				}
			}
		} else {
			add(o.text)
		}
	}
	for _, inc := range s.match.IncidentsWanted() {
		add(words(inc.Name))
	}
	for _, c := range s.known() {
		add(c.name)
		add(":" + c.name)
	}
	if len(out) == 0 || s.cfg.Console != nil {
		s.completeArgument(typed, add)
	}
	return out
}

// completeArgument offers what may stand behind a command: seats, moves and
// names, those of formulas where one is typed.
func (s *Session) completeArgument(typed string, add func(string)) {
	first, _, behind := strings.Cut(typed, " ")
	c := (*command)(nil)
	if behind {
		c, _ = s.command(typed)
	}
	var names []string
	switch {
	case c == nil && s.cfg.Console == nil:
		return
	case c == nil:
		names = s.formulaNames()
	case c.name == "help" || c.name == "doc":
		for _, t := range s.topics() {
			names = append(names, words(t.name))
		}
		for _, n := range names {
			add(first + " " + n)
		}
		return
	case c.name == "why":
		for _, a := range s.match.Choices(true) {
			names = append(names, words(a.Action.Name))
		}
		names = append(names, "score")
	case c.name == "state", strings.Contains(c.args, "FORMULA"), c.name == "set":
		names = s.formulaNames()
	default:
		return
	}
	start := strings.LastIndexFunc(typed, func(r rune) bool {
		return r != '.' && r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) + 1
	for _, n := range names {
		if start < len(typed) || c != nil {
			add(typed[:start] + n)
		}
	}
}

// formulaNames lists the names that formulas have, functions with their forms
// cut off behind the bracket.
func (s *Session) formulaNames() (out []string) {
	p := s.match.Game().Program()
	for _, v := range p.Vars {
		n := 1
		if v.Each {
			n = s.match.Game().Seats()
		}
		for seat := range n {
			out = append(out, s.varName(v, seatOf(v, seat)))
		}
	}
	infos := []*dsl.Info{}
	for _, x := range p.Params {
		infos = append(infos, &x.Info)
	}
	for _, x := range p.Defines {
		infos = append(infos, &x.Info)
	}
	for _, i := range infos {
		out = append(out, ownName(i))
	}
	for _, z := range p.Zones {
		if !z.Each {
			out = append(out, ownName(&z.Info))
			continue
		}
		for seat := range s.match.Game().Seats() {
			out = append(out, s.placeName(&z.Info, seat))
		}
	}
	for _, g := range dsl.Lexicon().Groups {
		if g.Name == functionGroup {
			out = append(out, functions(g)...)
		}
	}
	return out
}

// functionGroup is the name of the functions in the lexicon.
const functionGroup = "function"

func functions(g lexicon.Group) (out []string) {
	for _, e := range g.Entries {
		out = append(out, e.Name+"(")
	}
	return out
}

func ascii(text string) bool {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return true
}
