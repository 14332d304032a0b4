package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file makes one number of a set that is one word, whose elements come off
// its bits: sums and counts. See foldWord for any, all and none.

// plainFaces is the greatest face, either way, of families whose faces can be
// added up without a look at whether the sum is too large.
const plainFaces = 1 << 40

// foldNumber lowers sum, count and one of a set that is one word.
func (lo *lowerer) foldNumber(e *dsl.Expr, f fn, slot int) val {
	if v, ok := lo.sumOfFaces(e); ok {
		return v
	}
	set := lo.expr(e.Args[0]).f
	switch e.Op {
	case dsl.OpSum:
		return lo.tidy(func(m *Machine) int64 {
			n := int64(0)
			for u := uint64(set(m)); u != 0; u &= u - 1 {
				m.spent++
				m.s[slot] = int64(bits.TrailingZeros64(u))
				n = add(n, f(m), e)
			}
			return n
		})
	case dsl.OpOne:
		return lo.tidy(func(m *Machine) int64 { return bit(m.countOf(uint64(set(m)), f, slot) == 1) })
	}
	return lo.tidy(func(m *Machine) int64 { return m.countOf(uint64(set(m)), f, slot) })
}

func (m *Machine) countOf(set uint64, f fn, slot int) (n int64) {
	for u := set; u != 0; u &= u - 1 {
		m.spent++
		m.s[slot] = int64(bits.TrailingZeros64(u))
		n += f(m)
	}
	return n
}

// sumOfFaces lowers the sum of what pieces show, which asks each piece nothing
// else.
func (lo *lowerer) sumOfFaces(e *dsl.Expr) (val, bool) {
	if e.Op != dsl.OpSum || e.Args[1].Op != dsl.OpAttr {
		return val{}, false
	}
	a, of := e.Args[1].Ref.(*dsl.Attr), e.Args[1].Args[0]
	if !a.IsFace || of.Op != dsl.OpLocal || of.Ref != e.Ref {
		return val{}, false
	}
	fam := lo.g.families[a.Family]
	for _, side := range fam.sides {
		if side > plainFaces || side < -plainFaces {
			return val{}, false
		}
	}
	x, base := lo.expr(e.Args[0]), fam.faceSlot
	set := x.f
	if at := x.slot; fam.count == 1 && at > 0 { // one die: its face, or nothing
		return calc(func(m *Machine) int64 {
			if m.s[at] == 0 {
				return 0
			}
			if m.lays > 0 {
				m.land()
			}
			return m.s[base]
		}), true
	}
	return calc(func(m *Machine) int64 {
		u, n := uint64(set(m)), int64(0)
		m.land()
		for ; u != 0; u &= u - 1 {
			m.spent++
			n += m.s[base+bits.TrailingZeros64(u)]
		}
		return n
	}), true
}
