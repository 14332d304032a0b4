package interpreter

import (
	"github.com/houserules/houserules/dsl"
)

type rankKey struct {
	*dsl.RankKey
	by   fn
	when fn
}

func (g *Game) ranks() {
	lo := &lowerer{g: g}
	for _, k := range g.prog.Rank {
		r := rankKey{RankKey: k, by: lo.expr(k.By).f}
		if k.When != nil {
			v := lo.expr(k.When)
			if v.konst && v.c == 0 {
				continue
			}
			r.when = v.f
		}
		g.rank = append(g.rank, r)
	}
	if sheet := g.prog.Sheet; sheet != nil && sheet.Total != nil {
		g.total = lo.expr(sheet.Total).f
		g.lowest = len(g.rank) > 0 && !g.rank[0].Highest
	}
}

// winners is the set of seats that come first: those that the game was
// finished with, or else the first by the keys now in force.
func (m *Machine) winners() int64 { return m.first(m.g.everyone) }

// first returns those of a set that come before all others of it.
func (m *Machine) first(set int64) int64 {
	if w := m.s[slotWinners] & set; w != 0 {
		set = w
	}
	for i := range m.g.rank {
		k := &m.g.rank[i]
		if k.when != nil && k.when(m) == 0 {
			continue
		}
		best, tied := int64(0), int64(0)
		for it := (iter{set: uint64(set)}); ; {
			s, ok := it.next()
			if !ok {
				break
			}
			v := m.as(s, k.by)
			if !k.Highest {
				v = -v
			}
			switch {
			case tied == 0 || v > best:
				best, tied = v, 1<<uint(s)
			case v == best:
				tied |= 1 << uint(s)
			}
		}
		set = tied
	}
	return set
}

// Ranking returns the seats in order of the result, those that tie together in
// one group, the winners first. Before the end it is the standing so far.
//
// If a formula of `rank` faults, all tie.
func (m *Machine) Ranking() (out [][]int) {
	m.spent = 0
	defer func(me int64) { m.s[slotMe] = me }(m.s[slotMe])
	if err := m.quietly(func() { out = m.ranking(m.g.everyone) }); err != nil {
		out = [][]int{seatsOf(m.g.everyone)}
	}
	return out
}

func (m *Machine) ranking(left int64) (out [][]int) {
	for left != 0 {
		group := m.first(left)
		out = append(out, seatsOf(group))
		left &^= group
	}
	return out
}

func seatsOf(set int64) (seats []int) {
	it := iter{set: uint64(set)}
	for s, ok := it.next(); ok; s, ok = it.next() {
		seats = append(seats, int(s))
	}
	return seats
}

// Winners returns the seats that come first, in seat order.
func (m *Machine) Winners() []int { return m.Ranking()[0] }
