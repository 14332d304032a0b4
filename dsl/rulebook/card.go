package rulebook

import (
	"strings"

	"github.com/houserules/houserules/dsl"
)

// card is the short form, for the table.
func (m *maker) card() {
	m.para(m.players())
	if len(m.p.Variants) > 0 {
		var names []string
		for _, v := range m.p.Variants {
			names = append(names, m.icons[v.ID])
		}
		m.para(words("House rules: " + strings.Join(names, ", ")))
	}
	var items []Item
	for _, x := range m.p.Params {
		if differs(x) {
			items = append(items, Item{Text: join(strong(capital(x.Label())), words(": "+valueText(x.Set, x)))})
		}
	}
	if len(items) > 0 {
		m.para(words("Options that are not as usual:"))
		m.list(items)
	}
	m.heading(2, "What you can do")
	items = nil
	for _, ph := range m.p.Phases {
		if isNever(ph.When) {
			continue
		}
		items = append(items, short(ph.Actions)...)
		for _, h := range append(append([]*dsl.Hook(nil), ph.Before...), ph.After...) {
			if !isNever(h.When) {
				items = append(items, short(h.Offer)...)
			}
		}
	}
	m.list(items)
	for _, s := range m.p.Scorers {
		if len(s.Combos) > 0 {
			m.heading(2, m.scoringTitle(s))
			m.add(bare(m.combos(s)))
			m.pointTables(s)
		}
	}
	for _, t := range m.p.Tables {
		if t.Type.Kind == dsl.KInt {
			m.heading(2, capital(t.Label()))
			m.add(bare(m.rows(t)))
		}
	}
	m.heading(2, "The end of the game")
	m.script("", m.p.Ending)
	items = m.ranking()
	for i := range items {
		items[i].Text = without(items[i].Text)
	}
	m.list(items)
}

// short is a line for each action.
func short(list []*dsl.Action) []Item {
	var items []Item
	for _, a := range list {
		if isNever(a.When) {
			continue
		}
		t := strong(capital(a.Label()))
		if a.Rule != nil {
			t = join(t, words(": "), sentence(a.Rule))
		}
		items = append(items, Item{Text: t})
	}
	return items
}

// bare is a table without references to the book.
func bare(t *Table) *Table {
	for _, row := range t.Rows {
		for i := range row {
			row[i] = without(row[i])
		}
	}
	return t
}

func without(t Text) Text {
	var out Text
	for _, s := range t {
		if s.Style != Cite {
			out = append(out, s)
		}
	}
	return out
}
