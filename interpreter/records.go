package interpreter

import "github.com/houserules/houserules/dsl"

// A RecordEntry is what one seat has to show, at the end of a game, for a
// record of the rules. Where it is kept, and with what it is compared, is the
// front end's affair: records with other house rules or options are usually
// kept apart.
type RecordEntry struct {
	Rule  *dsl.RecordRule
	Name  string // of the rule
	Title string // of the rule, for people
	Shelf string // as files have it, "" if the rule has one shelf
	Label string // the shelf for people, "" if the rule has one shelf
	Value int64
	Seat  int
	// Better is set if higher values are better.
	Better bool
}

// Beats reports whether the entry is better than a value on its shelf. An equal
// one is not.
func (r RecordEntry) Beats(old int64) bool {
	if r.Better {
		return r.Value > old
	}
	return r.Value < old
}

// recordRule is a dsl.RecordRule made ready.
type recordRule struct {
	*dsl.RecordRule
	shelf, value, when fn
}

func (g *Game) records() {
	lo := &lowerer{g: g}
	for _, r := range g.prog.Records {
		x := recordRule{RecordRule: r, value: lo.expr(r.Value).f}
		if r.Shelf != nil {
			x.shelf = lo.expr(r.Shelf).f
		}
		if r.When != nil {
			x.when = lo.expr(r.When).f
		}
		g.recordRules = append(g.recordRules, x)
	}
}

// Records returns the entries of a game that is over, by rule and then by seat;
// nil as long as it goes on. The error is a *Fault in one of the formulas.
func (m *Machine) Records() (out []RecordEntry, err error) {
	if !m.Over() {
		return nil, nil
	}
	defer m.recoverFault(&err)
	for i := range m.g.recordRules {
		r := &m.g.recordRules[i]
		for seat := range m.g.people {
			m.spent = 0
			if r.when != nil && m.as(int64(seat), r.when) == 0 {
				continue
			}
			e := RecordEntry{Rule: r.RecordRule, Name: r.Name, Title: r.Label(), Seat: seat, Better: r.Highest, Value: m.as(int64(seat), r.value)}
			if r.shelf != nil {
				v := m.as(int64(seat), r.shelf)
				e.Shelf, e.Label = m.g.plain(r.Shelf.Type, v), m.Format(r.Shelf.Type, v)
			}
			out = append(out, e)
			m.arena = m.arena[:0]
		}
	}
	return out, nil
}
