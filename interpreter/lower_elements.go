package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file lowers what asks for one element or one number of a collection,
// and comparisons of whole ones.

// element lowers what takes one element of a collection.
func (lo *lowerer) element(e *dsl.Expr) val {
	over := lo.over(e.Args[0])
	span := e.OpSpan
	if e.Op == dsl.OpNth {
		g := lo.expr(e.Args[1]).f
		if at := lo.listSlotOf(e.Args[0]); at > 0 {
			return calc(func(m *Machine) int64 {
				k := g(m)
				if k < 1 || k > m.s[at] {
					return fault(span, "there is no element %d", k)
				}
				return m.s[at+int(k)]
			})
		}
		return lo.tidy(func(m *Machine) int64 {
			k := g(m)
			it := over(m)
			for i := int64(1); ; i++ {
				m.spend()
				v, ok := it.next()
				if !ok || k < 1 {
					return fault(span, "there is no element %d", k)
				}
				if i == k {
					return v
				}
			}
		})
	}
	if (e.Op == dsl.OpFind || e.Op == dsl.OpFindLast) && isCards(e.Args[0].Type) {
		return calc(lo.findCard(e.Args[0], e.Ref.(*dsl.Local), e.Args[1], e.Op == dsl.OpFindLast))
	}
	if e.Op == dsl.OpFirst && (e.Args[0].Op == dsl.OpOthers || isWord(e.Args[0].Type)) {
		return lo.firstSeat(e)
	}
	f, slot := lo.body(e)
	last := e.Op == dsl.OpFindLast || e.Op == dsl.OpLast
	total := e.Op == dsl.OpFind || e.Op == dsl.OpFindLast
	return lo.tidy(func(m *Machine) int64 {
		it, found := over(m), int64(dsl.None)
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			if f != nil {
				m.s[slot] = v
				if f(m) == 0 {
					continue
				}
			}
			found = v
			if !last {
				break
			}
		}
		if found == dsl.None && !total {
			return fault(span, "there is none: the list is empty")
		}
		return found
	})
}

// listSlotOf returns the slot of a list of pieces that is known where it lies; 0
// for anything else.
func (lo *lowerer) listSlotOf(e *dsl.Expr) int {
	if !isCards(e.Type) {
		return 0
	}
	return lo.listSlot(e)
}

func (lo *lowerer) extreme(e *dsl.Expr) val {
	high := e.Op == dsl.OpMax
	if len(e.Args) == 1 {
		over, span := lo.over(e.Args[0]), e.OpSpan
		return lo.tidy(func(m *Machine) int64 {
			it := over(m)
			best, ok := it.next()
			if !ok {
				return fault(span, "an empty list has no such number")
			}
			for {
				m.spend()
				v, ok := it.next()
				if !ok {
					return best
				}
				if v > best == high {
					best = v
				}
			}
		})
	}
	vs := make([]val, len(e.Args))
	fs := make([]fn, len(e.Args))
	for i, a := range e.Args {
		vs[i] = lo.expr(a)
		fs[i] = vs[i].f
	}
	return lo.folded(calc(func(m *Machine) int64 {
		best := fs[0](m)
		for _, f := range fs[1:] {
			if v := f(m); v > best == high {
				best = v
			}
		}
		return best
	}), vs...)
}

func (lo *lowerer) numberOf(e *dsl.Expr) val {
	if e.Args[1].Type.Kind == dsl.KList {
		return lo.numberIn(e)
	}
	f, g := lo.expr(e.Args[0]).f, lo.expr(e.Args[1]).f
	fam := lo.g.families[e.Args[1].Type.Elem.Family]
	base := fam.faceSlot
	return calc(func(m *Machine) int64 {
		face, n := f(m), int64(0)
		m.land()
		for u := uint64(g(m)); u != 0; u &= u - 1 {
			if m.s[base+bits.TrailingZeros64(u)] == face {
				n++
			}
		}
		return n
	})
}

// numberIn counts a number or a face in a list.
func (lo *lowerer) numberIn(e *dsl.Expr) val {
	f, over := lo.expr(e.Args[0]).f, lo.over(e.Args[1])
	return lo.tidy(func(m *Machine) int64 {
		face, it, n := f(m), over(m), int64(0)
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				return n
			}
			n += bit(v == face)
		}
	})
}

// nextBit returns the lowest bit of a set above a number, or else its lowest;
// false if it has none.
func nextBit(set uint64, above int64) (int64, bool) {
	if up := set & -uint64(2<<uint(above)); up != 0 {
		set = up
	}
	return int64(bits.TrailingZeros64(set)), set != 0
}

// firstSeat lowers first where it goes by the order of the seats.
func (lo *lowerer) firstSeat(e *dsl.Expr) val {
	set, span := lo.seatSet(e.Args[0]), e.OpSpan
	round := e.Args[0].Op == dsl.OpOthers
	return calc(func(m *Machine) int64 {
		from := int64(-1)
		if round {
			from = m.s[slotMe]
		}
		v, ok := nextBit(uint64(set(m)), from)
		if !ok {
			return fault(span, "there is none: the list is empty")
		}
		return v
	})
}

// seatAfter lowers after where it goes by the order of the seats.
func (lo *lowerer) seatAfter(e *dsl.Expr) val {
	set, x, span := lo.seatSet(e.Args[0]), lo.expr(e.Args[1]).f, e.OpSpan
	return calc(func(m *Machine) int64 {
		v, ok := nextBit(uint64(set(m)), x(m))
		if !ok {
			return fault(span, "there is nobody here")
		}
		return v
	})
}

// after lowers what comes next in a list, round; in a list that does not hold
// it that is the first one.
func (lo *lowerer) after(e *dsl.Expr) val {
	if e.Args[0].Op == dsl.OpOthers || isWord(e.Args[0].Type) {
		return lo.seatAfter(e)
	}
	over, f, span := lo.over(e.Args[0]), lo.expr(e.Args[1]).f, e.OpSpan
	return lo.tidy(func(m *Machine) int64 {
		x, it := f(m), over(m)
		first, any := it.next()
		if !any {
			return fault(span, "there is nobody here")
		}
		for v, ok := first, true; ok; v, ok = it.next() {
			m.spend()
			if v != x {
				continue
			}
			if next, ok := it.next(); ok {
				return next
			}
		}
		return first
	})
}

// around lowers all of a list, from a seat on, or from the next one that is
// there.
func (lo *lowerer) around(e *dsl.Expr) val {
	over, f := lo.over(e.Args[0]), lo.expr(e.Args[1]).f
	return calc(func(m *Machine) int64 {
		x, it := f(m), over(m)
		start := len(m.arena)
		var turn int
		found := false
		n := 0
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			if !found && (v == x || it.mode == iterSet && v > x) {
				found, turn = true, n
			}
			m.push(v)
			n++
		}
		m.arena = append(m.arena, m.arena[start:start+turn]...)
		return m.gather(n)
	})
}

func (lo *lowerer) compareLists(e *dsl.Expr, x, y val) val {
	want := bit(e.Op == dsl.OpEq)
	a, b := e.Args[0].Type, e.Args[1].Type
	if isCards(a) && isCards(b) && a.Kind == dsl.KSet && b.Kind == dsl.KSet {
		f, g := lo.set(e.Args[0]), lo.set(e.Args[1])
		return calc(func(m *Machine) int64 { return bit(f(m) == g(m)) ^ want ^ 1 })
	}
	f, g := x.f, y.f
	if a.Kind == dsl.KSet && b.Kind == dsl.KSet {
		return calc(func(m *Machine) int64 {
			if f(m) == g(m) {
				return want
			}
			return 1 - want
		})
	}
	p, q := lo.over(e.Args[0]), lo.over(e.Args[1])
	return lo.tidy(func(m *Machine) int64 {
		it, jt := p(m), q(m)
		for {
			m.spend()
			v, ok := it.next()
			w, ok2 := jt.next()
			switch {
			case ok != ok2 || v != w:
				return 1 - want
			case !ok:
				return want
			}
		}
	})
}
