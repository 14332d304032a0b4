package rulebook

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// examples lists the worked examples of the files. One that is played with a
// house rule that is not in force, or chooses it, with another value of an option than the one
// in force, or that shows only printed rules to which nothing refers, is of
// another game.
func (m *maker) examples() {
	var list []*dsl.Example
	for _, ex := range m.p.Examples {
		if ex.About != "" && m.fits(ex) {
			list = append(list, ex)
		}
	}
	if len(list) == 0 {
		return
	}
	m.heading(2, "Examples")
	if len(m.p.Variants) > 0 || slices.ContainsFunc(m.p.Params, differs) {
		m.para(words("Each example shows its rule by itself: no house rules are in force in it but the one whose example it is and those that it names, and options are as usual unless it sets them."))
	}
	for _, ex := range list {
		m.para(join(strong(capital(ex.About)), m.owner(ex.Owner), m.cite(ex.From)))
		m.add(&Code{exampleText(ex)})
	}
}

// fits reports whether an example is of the game with the rules in force.
func (m *maker) fits(ex *dsl.Example) bool {
	for _, id := range ex.With {
		if m.icons[id] == "" {
			return false
		}
	}
	for name, value := range ex.Set {
		if !slices.ContainsFunc(m.p.Params, func(x *dsl.Param) bool { return isNamed(x, name) && isSet(x, value) }) {
			return false
		}
	}
	if ex.Opening != nil {
		for _, word := range strings.Fields(ex.Opening.Value) {
			if id := strings.Trim(word, ","); slices.Contains(m.p.Choices, id) && m.icons[id] == "" {
				return false
			}
		}
	}
	if len(ex.From) == 0 {
		return true
	}
	return slices.ContainsFunc(ex.From, func(id string) bool { return m.cited[id] || m.notes[id] == nil })
}

func isNamed(x *dsl.Param, name string) bool {
	return x.Name == name || strings.HasSuffix(name, "."+x.Name)
}

// isSet reports whether an option has the value that stands in an example.
func isSet(x *dsl.Param, value string) bool {
	value = strings.Join(strings.Fields(value), " ")
	c, ok := constantOf(x.Value())
	if ok && x.Type.Kind == dsl.KOption {
		return x.Type.Enum.Index(value) == int(c.n)
	}
	return value == valueText(x.Value(), x) || value == strings.TrimSpace(x.Value().Span.Text())
}

// exampleText is an example in the words of its file.
func exampleText(ex *dsl.Example) string {
	var out []string
	add := func(what, text string) {
		lines := strings.Split(strings.TrimRight(text, " \n"), "\n")
		if len(lines) == 1 {
			out = append(out, what+" "+strings.TrimSpace(lines[0]))
			return
		}
		out = append(out, what)
		for _, l := range lines {
			out = append(out, "  "+l)
		}
	}
	if len(ex.Players) > 0 {
		add("players:", strings.Join(ex.Players, ", "))
	}
	if len(ex.With) > 0 {
		add("with:", strings.Join(ex.With, ", "))
	}
	for _, name := range sortedNames(ex.Set) {
		add("set:", name+" = "+ex.Set[name])
	}
	if ex.At != nil {
		add("at:", ex.At.Value)
	}
	for _, g := range ex.Given {
		add("given:", g.Place.Value+" = "+g.Value.Value)
	}
	if ex.Opening != nil {
		add("opening:", ex.Opening.Value)
	}
	if ex.Play != nil {
		add("play:", ex.Play.Value)
	}
	if ex.Throw != nil && ex.Chance != nil && ex.Is != nil {
		add("throw:", ex.Throw.Value)
		add("chance:", ex.Chance.Value+" is "+ex.Is.Value)
	}
	for _, t := range ex.Then {
		add("then:", t.Value)
	}
	for _, t := range ex.Can {
		add("can:", t.Value)
	}
	for _, r := range ex.Refused {
		add("refused:", r.Move.Value+" by "+r.By.Value)
	}
	for _, s := range ex.Sees {
		add(s.Seat+" sees:", s.Place.Value+" = "+s.Value.Value)
	}
	return strings.Join(out, "\n")
}

func sortedNames(set map[string]string) []string {
	var out []string
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
