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
func (m *Machine) Ranking() [][]int {
	var out [][]int
	left := m.g.everyone
	for left != 0 {
		group := m.first(left)
		var seats []int
		for it := (iter{set: uint64(group)}); ; {
			s, ok := it.next()
			if !ok {
				break
			}
			seats = append(seats, int(s))
		}
		out = append(out, seats)
		left &^= group
	}
	return out
}

// Winners returns the seats that come first, in seat order.
func (m *Machine) Winners() []int { return m.Ranking()[0] }
