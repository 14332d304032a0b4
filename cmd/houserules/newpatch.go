package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// This file writes house rules, and games made from others, to begin with: one
// option gets another value, and a comment lists what else can be changed.

// A change is something that is different, with what shows it.
type change struct {
	section string // keys of the file
	about   string
	then    string // a formula that holds
}

// patch writes a house rule, or a game that is made from another: the first of
// all changes for which the file passes `check` and `test`.
func (n *starter) patch(kind string) (string, error) {
	var first error
	for _, c := range n.changes() {
		for _, at := range n.beginnings() {
			text := n.patched(kind, c, at)
			err := n.sound(text)
			if err == nil {
				return text, nil
			}
			if first == nil {
				first = err
			}
			var f *failure
			if errors.As(err, &f) && f.code == exitUsage {
				break // it does not hang on where the example begins
			}
		}
	}
	return "", first
}

// beginnings are the phases in which an example may begin, "" for where a turn
// does.
func (n *starter) beginnings() []string {
	out := []string{""}
	for _, asked := range []bool{true, false} {
		for _, ph := range n.prog.Phases {
			if len(ph.Actions) > 0 == asked {
				out = append(out, ph.Name)
			}
		}
	}
	return out
}

// changes lists what the file may change, what is easiest to read first.
func (n *starter) changes() []change {
	params := slices.Clone(n.prog.Params)
	slices.SortStableFunc(params, func(a, b *dsl.Param) int { return plainness(a) - plainness(b) })
	var out []change
	for _, x := range params {
		for _, v := range otherValues(x) {
			text := comment("", fmt.Sprintf("An option that has another value here. In %s it is %s = %s%s.", n.game(), x.Name, defaultText(x), inBrackets(repl.ParamRange(x))))
			if s := plainText(x.Rule); s != "" {
				text += comment("", oneLine(s))
			}
			then := fmt.Sprintf("%s == %s", x.Name, v)
			if x.Type.Kind == dsl.KList {
				then = fmt.Sprintf("len(%s) == %d", x.Name, strings.Count(v, ",")+1)
			}
			out = append(out, change{text + fmt.Sprintf("set:\n  %s: %s\n", x.Name, v), n.about(x, v), then})
		}
	}
	return append(out, change{
		"# A line that stands above the prompt.\nshow:\n  which_turn: \"turn {turn.number}\"\n",
		"The number of the turn is shown.", "turn.number == 1"})
}

// about says what is different where an option has another value.
func (n *starter) about(x *dsl.Param, v string) string {
	text := capital(x.Label()) + ": " + v
	if was := defaultText(x); len(was) <= 20 {
		text += " in place of " + was
	}
	return strings.ReplaceAll(text, "_", " ") + "."
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// capital begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func defaultText(x *dsl.Param) string { return oneLine(x.Default.Span.Text()) }

// plainness says how easy to read an option is as an example.
func plainness(x *dsl.Param) int {
	_, err := strconv.ParseInt(defaultText(x), 10, 64)
	switch {
	case x.Type.Kind == dsl.KInt && err == nil:
		return 0
	case len(x.Options) > 0:
		return 1
	case x.Type.Kind == dsl.KBool:
		return 2
	case x.Type.Kind == dsl.KList:
		return 3
	}
	return 4
}

// otherValues are values of an option besides its default.
func otherValues(x *dsl.Param) []string {
	was := defaultText(x)
	var out []string
	add := func(v string) {
		if v != was && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	switch {
	case len(x.Options) > 0:
		for _, o := range x.Options {
			add(o.Name)
		}
	case x.Type.Kind == dsl.KBool:
		add("true")
		add("false")
	case x.Type.Kind == dsl.KList:
		if i := strings.LastIndex(was, ","); i > 0 && strings.HasPrefix(was, "[") {
			add(was[:i] + "]")
		}
	case x.Type.Kind == dsl.KInt:
		for _, v := range otherNumbers(x, was) {
			add(strconv.FormatInt(v, 10))
		}
	}
	return out
}

// otherNumbers are numbers in the range of an option: those near its default
// first.
func otherNumbers(x *dsl.Param, was string) []int64 {
	const open = -1 << 63
	base := x.Min
	if base == open {
		base = 0
	}
	try := []int64{x.Max, x.Min}
	if d, err := strconv.ParseInt(was, 10, 64); err == nil && d > -1<<40 && d < 1<<40 {
		half := d / 2
		if d > 10 {
			half -= half % 10
		}
		try = append([]int64{half, d + x.Step, d - x.Step, 2 * d}, try...)
	}
	return slices.DeleteFunc(try, func(v int64) bool {
		return v < x.Min || v > x.Max || v == open || v == 1<<63-1 || (v-base)%x.Step != 0
	})
}

// patched is the text of a file.
func (n *starter) patched(kind string, c change, at string) string {
	p := n.prog
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if kind == "variant" {
		line("# A house rule for %s: it says what is different, and nothing else.", n.game())
	} else {
		line("# A game that has everything from %s, but for what stands here.", n.game())
	}
	line("# `houserules check` looks for mistakes, `houserules test` plays the examples.")
	line("houserules: 1")
	if kind == "variant" {
		line("variant: %s\nfor: %s", n.id, p.Game)
	} else {
		line("game: %s\nextends: %s", n.id, p.Game)
	}
	line("title: %s", n.title())
	if kind == "game" && p.MinPlayers == p.MaxPlayers {
		line("players: %d", p.MinPlayers)
	} else if kind == "game" {
		line("players: %d..%d", p.MinPlayers, p.MaxPlayers)
	}
	line("about: %q\n", c.about)
	b.WriteString(c.section)
	line("\n# Worked cases. `given` lays things down before, `play` has moves and what they lead to.")
	line("examples:\n  it_is_so:")
	if at != "" {
		line("    at: %s", at)
	}
	line("    then: %s\n", c.then)
	n.listing(&b)
	return b.String()
}

// listing lists, in a comment, what else can be changed.
func (n *starter) listing(b *strings.Builder) {
	p := n.prog
	b.WriteString("# What else can be changed; the chapter House rules of dsl/LANGUAGE.md says how.\n")
	list := func(head string, names []string) {
		if len(names) > 0 {
			b.WriteString("#\n# " + head + "\n" + comment("  ", strings.Join(names, ", ")))
		}
	}
	if len(p.Params) > 0 {
		b.WriteString("#\n# set: {OPTION: VALUE}. The options:\n")
	}
	for _, x := range p.Params {
		values := inBrackets(repl.ParamRange(x))
		if len(x.Options) > 0 {
			var of []string
			for _, o := range x.Options {
				of = append(of, o.Name)
			}
			values = " (" + strings.Join(of, ", ") + ")"
		}
		b.WriteString(comment("  ", fmt.Sprintf("%s = %s%s", x.Name, defaultText(x), values)))
	}
	var phases, actions, guards, events, defines, combos, rows []string
	for _, ph := range p.Phases {
		phases = append(phases, ph.Name)
		for _, a := range ph.Actions {
			actions = append(actions, a.Name)
			for _, g := range a.Require {
				guards = append(guards, a.Name+".require."+g.Name)
			}
		}
	}
	for _, e := range p.Events {
		events = append(events, e.Name)
	}
	for _, d := range p.Defines {
		defines = append(defines, strings.TrimPrefix(d.Path, "define."))
	}
	for _, s := range p.Scorers {
		for _, c := range s.Combos {
			combos = append(combos, s.Name+"."+c.Name)
		}
	}
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			rows = append(rows, t.Name+".rows."+r.Name)
		}
	}
	list("before, after: {MOMENT: SCRIPT}. The phases, in their order:", phases)
	list("the actions, also for forbid and require:", actions)
	list("and the events:", events)
	list("change, adjust, remove: {PATH: ..}. Conditions of actions:", guards)
	list("formulas with a name:", defines)
	list("rows of tables:", rows)
	list("combinations:", combos)
	var rules []string
	for _, f := range n.lib.VariantsOf(p.Game) {
		rules = append(rules, f.ID)
	}
	list("with: [ID]. House rules to build on:", rules)
}

// comment writes a text as lines of a comment, indented.
func comment(indent, text string) string {
	var b strings.Builder
	for _, l := range source.Fill(text, 90) {
		b.WriteString("# " + indent + l + "\n")
	}
	return b.String()
}
