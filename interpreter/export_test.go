package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file opens to the tests of the package what only they look into: the
// pieces without faces of a machine, and what is known of them.

// CardsIn lists the pieces of a zone, first the one on top.
func (m *Machine) CardsIn(z *dsl.Zone, seat int) []int {
	c := m.g.families[z.Family].cards
	var out []int
	for _, p := range c.inOrder(m, c.number[z]+seat, nil) {
		out = append(out, int(p))
	}
	return out
}

// ZoneNumbers returns how many zones hold pieces of a family, and the number
// of the one in which a piece lies, or -1.
func (m *Machine) ZoneNumbers(f *dsl.Family, piece int) (n, at int) {
	c := m.g.families[f].cards
	return len(c.zones), int(m.s[c.where+piece])
}

// NumberOfZone returns the number of a zone among those of its family.
func (g *Game) NumberOfZone(z *dsl.Zone, seat int) int {
	return g.families[z.Family].cards.number[z] + seat
}

// ZoneCount returns how many pieces lie in a zone by its number, in the set and
// in the list, if it keeps one.
func (m *Machine) ZoneCount(f *dsl.Family, zone int) (inSet, inList int) {
	c := m.g.families[f].cards
	inSet = c.set(m, zone).len()
	if inList = inSet; c.zones[zone].list > 0 {
		inList = len(c.list(m, zone))
	}
	return inSet, inList
}

// CountOf returns how many pieces a family has.
func (g *Game) CountOf(f *dsl.Family) int { return g.families[f].count }

// SeatsAndGhosts returns how many seats there are, those of nobody included.
func (g *Game) SeatsAndGhosts() int { return g.seats }

// KeepsOrder reports whether a zone keeps the order of its pieces.
func (g *Game) KeepsOrder(z *dsl.Zone) bool {
	c := g.families[z.Family].cards
	return c.zones[c.number[z]].list > 0
}

// CardWord writes one piece.
func (g *Game) CardWord(f *dsl.Family, piece int) string { return g.families[f].cards.word(g, piece) }

// PutCard lays one piece into a zone, behind the others.
func (m *Machine) PutCard(z *dsl.Zone, seat, piece int) {
	c := m.g.families[z.Family].cards
	c.goTo(m, piece, c.number[z]+seat)
	m.opts.valid = false
}

// WriteMark writes a mark on a piece.
func (m *Machine) WriteMark(k *dsl.Mark, piece int, v int64) {
	m.g.families[k.Family].cards.marks[k].write(m, piece, v)
}

// MarkOn reads a mark, dsl.None where it was never written.
func (m *Machine) MarkOn(k *dsl.Mark, piece int) int64 {
	return m.s[m.g.families[k.Family].cards.marks[k].values+piece]
}

// PutKey sets a value of a map that is state.
func (m *Machine) PutKey(v *dsl.Var, seat, key int, value int64) {
	m.s[m.valueSlot(v, seat)+1+key] = value
}

// MapAt reads a map that is state, by its keys.
func (m *Machine) MapAt(v *dsl.Var, seat int) []int64 { return slices.Clone(m.list(m.Value(v, seat))) }

// May returns the zones where a seat may think that a piece lies, as bits by
// number; 0 if nothing is kept.
func (m *Machine) May(seat int, f *dsl.Family, piece int) uint64 {
	if m.know == nil || m.know.fams[m.g.families[f].cards] == nil {
		return 0
	}
	return m.know.fams[m.g.families[f].cards].may[seat][piece]
}

// Knows reports whether the machine keeps what seats know.
func (m *Machine) Knows() bool { return m.know != nil }

// Ready lowers formulas once, on a copy of the machine; compute works them out
// where the copy stands.
func (m *Machine) Ready(formulas ...*dsl.Expr) (on *Machine, compute []func() (int64, error), err error) {
	on = m
	for _, e := range formulas {
		var f fn
		if on, f, err = on.lowerOn(e); err != nil {
			return nil, nil, err
		}
		compute = append(compute, func() (v int64, err error) {
			err = on.quietly(func() { v = f(on) })
			on.arena, on.spent = on.arena[:0], 0
			return v, err
		})
	}
	return on, compute, nil
}
