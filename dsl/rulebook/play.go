package rulebook

import (
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// play tells of the phases of a program, of what can happen and of its tables.
func (m *maker) play(p *dsl.Program, level int) {
	for _, ph := range p.Phases {
		if !isNever(ph.When) {
			m.phase(ph, level)
		}
	}
	m.events(p, level)
	for _, t := range p.Tables {
		m.table(t, level)
	}
}

func (m *maker) phase(ph *dsl.Phase, level int) {
	m.heading(level, capital(ph.Label()))
	m.para(join(m.rule(&ph.Info), when(ph.When)))
	m.para(m.asked(ph.Who))
	m.list(m.hooks("Before", ph.Before))
	m.script("", ph.Enter)
	var items []Item
	for _, a := range ph.Actions {
		if !isNever(a.When) {
			items = append(items, m.action(a))
		}
	}
	m.list(items)
	m.script("A seat that is nobody's: ", ph.Nobody)
	m.script("Who can do nothing: ", ph.Otherwise)
	m.script("Then: ", ph.Then)
	m.list(m.hooks("After", ph.After))
}

// asked says who decides, where that is not simply whose turn it is.
func (m *maker) asked(w *dsl.Who) Text {
	switch {
	case w == nil:
		return nil
	case w.Mode == dsl.WhoTable:
		return words("Anybody at the table may answer.")
	case w.List == nil:
		return nil
	}
	list := formula(w.List)
	if w.List.Op == dsl.OpEveryone || w.List.Op == dsl.OpPlayers {
		list = words("everybody")
	}
	switch w.Mode {
	case dsl.WhoTurn:
		return join(words("Asked one after the other: "), list, words("."))
	case dsl.WhoOnce:
		return join(words("Asked all at once: "), list, words("."))
	}
	return join(words("Asked: "), list, words("."))
}

// script is the sentence of a script, where it has one.
func (m *maker) script(what string, s *dsl.Script) {
	if s != nil && s.Rule != nil {
		m.para(join(words(what), sentence(s.Rule), m.cite(s.From)))
	}
}

// action tells of something that can be done.
func (m *maker) action(a *dsl.Action) Item {
	i := a.Info
	if i.Owner == "" {
		i.Owner = a.Variant
	}
	out := Item{Text: join(m.of(&i), when(a.When))}
	add := func(t Text) { out.Items = append(out.Items, Item{Text: t}) }
	for _, p := range a.Picks {
		if p.Param == nil && p.Span.Text() != "" {
			add(join(words("Choose "), strong(strings.ReplaceAll(p.Local.Name, "_", " ")), words(": "), code(p.Span.Text())))
		}
	}
	for _, g := range a.Require {
		if !isAlways(g.That) {
			add(m.guard(g))
		}
	}
	for _, w := range a.Waive {
		if !isNever(w.When) && m.icons[w.Variant] != "" {
			t := words("What house rules ask for here is lifted by " + m.icons[w.Variant])
			if !isAlways(w.When) {
				t = join(t, words(", if "), condition(w.When))
			}
			add(join(t, words(".")))
		}
	}
	if a.Do != nil && a.Do.Rule != nil {
		add(join(sentence(a.Do.Rule), m.cite(a.Do.From)))
	}
	out.Items = append(out.Items, m.hooks("Before", a.Before)...)
	out.Items = append(out.Items, m.hooks("After", a.After)...)
	return out
}

// guard says what must hold, or with which words it is refused.
func (m *maker) guard(g *dsl.Guard) Text {
	i := g.Info
	if i.Owner == "" {
		i.Owner = g.Variant
	}
	var out Text
	switch {
	case g.Rule != nil:
		out = join(words("Needed: "), sentence(g.Rule))
	case g.Else == nil:
		out = join(words("Needed: "), condition(g.That))
	}
	if g.Else != nil {
		if len(out) > 0 {
			out = join(out, words(" "))
		}
		if g.That.Op == dsl.OpNot {
			out = join(out, words("Refused, if "), condition(g.That.Args[0]))
		} else {
			out = join(out, words("Refused, if not "), condition(g.That))
		}
		out = join(out, words(": “"), sentence(g.Else), words("”"))
	}
	return join(out, m.owner(i.Owner), m.cite(i.From))
}

// hooks tells what house rules do before or after something.
func (m *maker) hooks(side string, list []*dsl.Hook) []Item {
	var items []Item
	for _, h := range list {
		if isNever(h.When) {
			continue
		}
		t := words(side + " this, house rule ")
		t = join(t, strong(m.icons[h.Variant]))
		if !isAlways(h.When) {
			t = join(t, words(", if "), condition(h.When))
		}
		t = join(t, words(": "), m.doing(h))
		item := Item{Text: join(t, m.cite(h.From))}
		for _, a := range h.Offer {
			if !isNever(a.When) {
				item.Items = append(item.Items, m.action(a))
			}
		}
		items = append(items, item)
	}
	return items
}

// doing is what a hook does: its sentence, the events that it tells of, or
// what it says in the language of the files.
func (m *maker) doing(h *dsl.Hook) Text {
	switch {
	case h.Do != nil && h.Do.Rule != nil:
		return join(sentence(h.Do.Rule), m.cite(h.Do.From))
	case h.Do == nil && h.Who != nil && !isPerson(h.Who):
		return join(words("a choice for "), formula(h.Who))
	case h.Do == nil:
		return words("a choice")
	}
	var out Text
	for i, st := range h.Do.Stmts {
		if i > 0 {
			out = join(out, words("; "))
		}
		if st.Op == dsl.StmtEmit && len(st.Args) == 0 {
			out = join(out, strong(capital(st.Event.Label())))
			continue
		}
		out = join(out, code(statement(st.Span)))
	}
	return out
}

// statement is a statement as it is written, with lines parted by semicolons.
func statement(s source.Span) string {
	var out []string
	for _, l := range strings.Split(s.Text(), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	text := strings.Join(out, "; ")
	return strings.NewReplacer("{; ", "{ ", "; }", " }").Replace(text)
}

// events tells of what can happen.
func (m *maker) events(p *dsl.Program, level int) {
	var items []Item
	for _, e := range p.Events {
		if isNever(e.When) {
			continue
		}
		item := Item{Text: join(m.of(&e.Info), when(e.When))}
		for _, said := range []struct {
			what string
			t    *dsl.Template
		}{{"Said", e.Say}, {"Called", e.Shout}, {"On the sheet", e.Write}, {"Marked on the sheet", e.Mark}} {
			if said.t != nil {
				item.Items = append(item.Items, Item{Text: join(words(said.what+": “"), sentence(said.t), words("”"))})
			}
		}
		if e.Do != nil && e.Do.Rule != nil {
			item.Items = append(item.Items, Item{Text: join(sentence(e.Do.Rule), m.cite(e.Do.From))})
		}
		item.Items = append(item.Items, m.hooks("Before", e.Before)...)
		item.Items = append(item.Items, m.hooks("After", e.After)...)
		items = append(items, item)
	}
	for _, x := range p.Incidents {
		if isNever(x.When) {
			continue
		}
		i := x.Info
		if i.Owner == "" {
			i.Owner = x.Variant
		}
		items = append(items, Item{Text: join(m.of(&i), when(x.When))})
	}
	if len(items) > 0 {
		m.heading(level, "What can happen")
		m.list(items)
	}
}

// table tells of a decision table, with those rows that can apply.
func (m *maker) table(t *dsl.Table, level int) {
	m.heading(level, capital(t.Label()))
	m.para(m.rule(&t.Info))
	m.add(m.rows(t))
}

func (m *maker) rows(t *dsl.Table) *Table {
	out := &Table{Head: []string{"Line", "Applies if", "Gives"}}
	for _, r := range t.Rows {
		if isNever(r.When) || isNever(r.Where) {
			continue
		}
		what := m.rule(&r.Info)
		if r.Rule == nil {
			what = join(words(capital(r.Label())), what)
		}
		gives := formula(r.Gives)
		if r.Gives == nil {
			gives = words("this piece")
		}
		gives = join(gives, m.changed(r.Gives, r.Owner))
		out.Rows = append(out.Rows, []Text{what, m.applies(r), gives})
		if !t.Sum && r.Find == dsl.FindNothing && isAlways(r.When) {
			break
		}
	}
	return out
}

// applies is when a row of a table does.
func (m *maker) applies(r *dsl.Row) Text {
	var out Text
	if !isAlways(r.When) {
		out = written(r.When)
	}
	if r.Find == dsl.FindNothing {
		if len(out) == 0 {
			return words("always")
		}
		return out
	}
	if len(out) > 0 {
		out = join(out, words(", and "))
	}
	names := map[dsl.FindMode]string{dsl.FindFirst: "the first", dsl.FindLast: "the last", dsl.FindHighest: "the highest", dsl.FindLowest: "the lowest"}
	out = join(out, words(names[r.Find]))
	if r.Key != nil {
		out = join(out, words(" by "), written(r.Key))
	}
	if !isAlways(r.Where) {
		out = join(out, words(" with "), written(r.Where))
	}
	return out
}

// scoring tells of the combinations.
func (m *maker) scoring() {
	for _, s := range m.p.Scorers {
		if len(s.Combos) == 0 {
			continue
		}
		m.heading(2, m.scoringTitle(s))
		m.para(join(words("Pieces are split into combinations so that they are worth most. "), m.rule(&s.Info)))
		if s.Wild != nil && !isNever(s.Wild) {
			m.para(join(words("A piece is wild if "), written(s.Wild), words(".")))
		}
		m.add(m.combos(s))
		m.pointTables(s)
		var items []Item
		for _, c := range s.Combos {
			for _, h := range append(m.hooks("Before", c.Before), m.hooks("After", c.After)...) {
				items = append(items, Item{Text: join(strong(capital(c.Label())), words(": "), h.Text), Items: h.Items})
			}
		}
		m.list(items)
	}
}

// scoringTitle names a scorer, where there are several.
func (m *maker) scoringTitle(s *dsl.Scorer) string {
	if len(m.p.Scorers) == 1 {
		return "What scores"
	}
	return "What scores: " + s.Label()
}

// combos is the table of the combinations that there can be.
func (m *maker) combos(s *dsl.Scorer) *Table {
	t := &Table{Head: []string{"Combination", "Pieces", "Points"}}
	for _, c := range s.Combos {
		if isNever(c.Where) {
			continue
		}
		var pieces Text
		for i, p := range c.Match {
			if i > 0 {
				pieces = join(pieces, words(" or "))
			}
			pieces = join(pieces, code(p.Span.Text()))
		}
		if !isAlways(c.Where) {
			pieces = join(pieces, words(" where "), written(c.Where))
		}
		what := words(capital(c.Label()))
		if c.Rule != nil {
			what = join(what, words(": "), sentence(c.Rule))
		}
		t.Rows = append(t.Rows, []Text{join(what, m.owner(c.Owner), m.cite(c.From)), pieces, join(formula(c.Points), m.changed(c.Points, c.Owner))})
	}
	return t
}

// end tells how the game ends and who has won.
func (m *maker) end() {
	m.heading(2, "The end of the game")
	m.script("", m.p.Ending)
	m.list(m.ranking())
	var items []Item
	for _, r := range m.p.Records {
		if !isNever(r.When) {
			items = append(items, Item{Text: join(m.of(&r.Info), when(r.When))})
		}
	}
	if len(items) > 0 {
		m.para(words("Records are kept of:"))
		m.list(items)
	}
}

func (m *maker) ranking() []Item {
	var items []Item
	for _, k := range m.p.Rank {
		if isNever(k.When) {
			continue
		}
		t := words("First comes the lowest ")
		switch {
		case k.By.Type.Kind == dsl.KBool:
			t = words("First come those for whom this holds: ")
		case k.Highest:
			t = words("First comes the highest ")
		}
		if len(items) > 0 {
			t[0].Text = strings.Replace(t[0].Text, "First", "Among equals first", 1)
		}
		t = join(t, formula(k.By))
		if k.Rule != nil {
			t = join(t, words(": "), sentence(k.Rule))
		} else {
			t = join(t, words("."))
		}
		items = append(items, Item{Text: join(t, when(k.When), m.owner(k.Owner), m.cite(k.From))})
	}
	return items
}
