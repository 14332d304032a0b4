package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file lowers operations on sets, lists and ranges.

// iter walks over a set, a list or a range.
type iter struct {
	set    uint64
	wide   set128
	values []int64
	lo, hi int64
	mode   uint8
}

const (
	iterSet = iota
	iterList
	iterRange
	iterWide // of a set128
	iterRing // of a set: what is above lo, then what is below it
)

func (it *iter) next() (v int64, ok bool) {
	switch it.mode {
	case iterSet:
		if it.set == 0 {
			return 0, false
		}
		v = int64(bits.TrailingZeros64(it.set))
		it.set &= it.set - 1
	case iterList:
		if len(it.values) == 0 {
			return 0, false
		}
		v = it.values[0]
		it.values = it.values[1:]
	case iterWide:
		if it.wide.empty() {
			return 0, false
		}
		v = int64(it.wide.lowest())
		it.wide = it.wide.rest()
	case iterRing:
		if v, ok = nextBit(it.set, it.lo); !ok {
			return 0, false
		}
		it.set &^= 1 << uint(v)
	default:
		if it.lo > it.hi {
			return 0, false
		}
		v = it.lo
		it.lo++
	}
	return v, true
}

// isWord reports whether values of a type are sets that fit one word: of seats,
// of pieces with faces, of house rules.
func isWord(t dsl.Type) bool { return t.Kind == dsl.KSet && !isCards(t) }

// over lowers a collection to something that can be walked over.
func (lo *lowerer) over(e *dsl.Expr) func(m *Machine) iter {
	if e.Op == dsl.OpRange {
		f, g := lo.expr(e.Args[0]).f, lo.expr(e.Args[1]).f
		return func(m *Machine) iter { return iter{lo: f(m), hi: g(m), mode: iterRange} }
	}
	if isCards(e.Type) {
		if over := lo.overCards(e); over != nil {
			return over
		}
	}
	if e.Op == dsl.OpOthers {
		return func(m *Machine) iter { return m.fromLeft(m.s[slotMe]) }
	}
	f := lo.expr(e).f
	if isWord(e.Type) {
		return func(m *Machine) iter { return iter{set: uint64(f(m))} }
	}
	return func(m *Machine) iter { return iter{values: m.list(f(m)), mode: iterList} }
}

// body lowers the part of a call that is evaluated for each element, and the
// slot in which the element lies meanwhile.
func (lo *lowerer) body(e *dsl.Expr) (f fn, slot int) {
	if len(e.Args) < 2 || e.Args[1] == nil {
		return nil, 0
	}
	slot = lo.g.local(e.Ref.(*dsl.Local))
	return lo.expr(e.Args[1]).f, slot
}

func (lo *lowerer) collection(e *dsl.Expr) val {
	switch e.Op {
	case dsl.OpIn:
		return lo.in(e)
	case dsl.OpRange:
		return lo.rangeList(e)
	case dsl.OpList:
		return lo.listOf(e)
	case dsl.OpLen, dsl.OpEmpty:
		return lo.length(e)
	case dsl.OpSum, dsl.OpCount, dsl.OpAny, dsl.OpAll, dsl.OpNone, dsl.OpOne:
		return lo.fold(e)
	case dsl.OpFilter, dsl.OpMap, dsl.OpHighest, dsl.OpLowest, dsl.OpTake, dsl.OpConcat:
		return lo.lists(e)
	case dsl.OpFind, dsl.OpFindLast, dsl.OpFirst, dsl.OpLast, dsl.OpNth:
		return lo.element(e)
	case dsl.OpMin, dsl.OpMax:
		return lo.extreme(e)
	case dsl.OpNumberOf:
		return lo.numberOf(e)
	case dsl.OpAfter:
		return lo.after(e)
	case dsl.OpAround:
		return lo.around(e)
	}
	return lo.bug(e)
}

func (lo *lowerer) in(e *dsl.Expr) val {
	x, list := lo.expr(e.Args[0]), e.Args[1]
	f := x.f
	if list.Op == dsl.OpRange {
		a, b := lo.expr(list.Args[0]), lo.expr(list.Args[1])
		if a.konst && b.konst {
			low, width := a.c, uint64(b.c-a.c)
			if b.c < a.c {
				return konst(0)
			}
			return calc(func(m *Machine) int64 {
				v := f(m)
				return bit(v >= low && uint64(v-low) <= width)
			})
		}
		return calc(func(m *Machine) int64 {
			v := f(m)
			return bit(a.f(m) <= v && v <= b.f(m))
		})
	}
	if list.Op == dsl.OpList {
		return lo.inList(f, list)
	}
	if isCards(list.Type) {
		set, n := lo.set(list), lo.cardsOf(list.Type).fam.count
		return calc(func(m *Machine) int64 {
			v := f(m)
			return bit(uint64(v) < uint64(n) && set(m).has(int(v)))
		})
	}
	if list.Type.Kind == dsl.KSet {
		set := lo.expr(list).f
		return calc(func(m *Machine) int64 {
			v := f(m)
			return bit(uint64(v) < 64 && set(m)>>uint(v)&1 != 0)
		})
	}
	over := lo.over(list)
	return calc(func(m *Machine) int64 {
		v, it := f(m), over(m)
		for {
			m.spend()
			w, ok := it.next()
			if !ok {
				return 0
			}
			if v == w {
				return 1
			}
		}
	})
}

// inList tests against a written list without making it.
func (lo *lowerer) inList(f fn, list *dsl.Expr) val {
	items := make([]fn, len(list.Args))
	mask, small := uint64(0), true
	for i, a := range list.Args {
		v := lo.expr(a)
		items[i] = v.f
		if v.konst && uint64(v.c) < 64 {
			mask |= 1 << uint(v.c)
		} else {
			small = false
		}
	}
	if small {
		return calc(func(m *Machine) int64 {
			v := uint64(f(m))
			return bit(v < 64 && mask>>v&1 != 0)
		})
	}
	return calc(func(m *Machine) int64 {
		v := f(m)
		for _, g := range items {
			if g(m) == v {
				return 1
			}
		}
		return 0
	})
}

func (lo *lowerer) rangeList(e *dsl.Expr) val {
	over := lo.over(e)
	span := e.Span
	return calc(func(m *Machine) int64 {
		it := over(m)
		if it.hi-it.lo >= maxArena {
			return fault(span, "the range %d..%d is too long", it.lo, it.hi)
		}
		from := m.begin()
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				return m.end(from)
			}
			m.push(v)
		}
	})
}

func (lo *lowerer) listOf(e *dsl.Expr) val {
	items := make([]fn, len(e.Args))
	for i, a := range e.Args {
		items[i] = lo.expr(a).f
	}
	return calc(func(m *Machine) int64 {
		for _, f := range items {
			v := f(m)
			m.push(v)
		}
		return m.gather(len(items))
	})
}

// gather makes a list of the last n values of the arena.
func (m *Machine) gather(n int) int64 {
	return int64(len(m.arena)-n)<<handleShift | int64(n)
}

func (lo *lowerer) length(e *dsl.Expr) val {
	x := e.Args[0]
	empty := e.Op == dsl.OpEmpty
	if isCards(x.Type) && !lo.repeats(x) {
		set := lo.set(x)
		if empty {
			return calc(func(m *Machine) int64 { return bit(set(m).empty()) })
		}
		return calc(func(m *Machine) int64 { return int64(set(m).len()) })
	}
	if isWord(x.Type) {
		v := lo.expr(x)
		f := v.f
		switch {
		case v.konst && empty:
			return konst(bit(v.c == 0))
		case v.konst:
			return konst(int64(bits.OnesCount64(uint64(v.c))))
		case empty && v.slot >= 0:
			return calc(compareSlotConst(dsl.OpEq, v.slot, 0))
		case empty:
			return calc(func(m *Machine) int64 { return bit(f(m) == 0) })
		default:
			return calc(func(m *Machine) int64 { return int64(bits.OnesCount64(uint64(f(m)))) })
		}
	}
	f := lo.expr(x).f
	return lo.tidy(func(m *Machine) int64 {
		n := int64(len(m.list(f(m))))
		if empty {
			return bit(n == 0)
		}
		return n
	})
}

// tidy empties the arena of what a formula with a plain result left there.
func (lo *lowerer) tidy(f fn) val {
	return calc(func(m *Machine) int64 {
		at := len(m.arena)
		v := f(m)
		m.arena = m.arena[:at]
		return v
	})
}

// fold lowers what makes one number of a collection.
func (lo *lowerer) fold(e *dsl.Expr) val {
	if isCards(e.Args[0].Type) {
		if v, ok := lo.foldCards(e); ok {
			return v
		}
	}
	over := lo.over(e.Args[0])
	f, slot := lo.body(e)
	op := e.Op
	if f != nil && isWord(e.Args[0].Type) {
		if op == dsl.OpSum || op == dsl.OpCount || op == dsl.OpOne {
			return lo.foldNumber(e, f, slot)
		}
		return lo.foldWord(e, f, slot)
	}
	value := func(m *Machine, v int64) int64 {
		if f == nil {
			return v
		}
		m.s[slot] = v
		return f(m)
	}
	return lo.tidy(func(m *Machine) int64 {
		it, n := over(m), int64(0)
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			x := value(m, v)
			switch {
			case op == dsl.OpSum:
				n = add(n, x, e)
			case op == dsl.OpAny && x != 0:
				return 1
			case op == dsl.OpAll && x == 0, op == dsl.OpNone && x != 0:
				return 0
			default:
				n += x
			}
		}
		switch op {
		case dsl.OpAny:
			return 0
		case dsl.OpAll, dsl.OpNone:
			return 1
		case dsl.OpOne:
			return bit(n == 1)
		}
		return n
	})
}

// foldWord lowers any, all and none of a set that is one word.
func (lo *lowerer) foldWord(e *dsl.Expr, f fn, slot int) val {
	set := lo.expr(e.Args[0]).f
	stop := int64(1) // what decides the matter, and what it is then
	if e.Op == dsl.OpAll {
		stop = 0
	}
	then := bit(e.Op == dsl.OpAny)
	return calc(func(m *Machine) int64 {
		for u := uint64(set(m)); u != 0; u &= u - 1 {
			m.spent++
			m.s[slot] = int64(bits.TrailingZeros64(u))
			if bit(f(m) != 0) == stop {
				return then
			}
		}
		return 1 - then
	})
}

// lists lowers what makes a collection of collections.
func (lo *lowerer) lists(e *dsl.Expr) val {
	switch e.Op {
	case dsl.OpConcat:
		return lo.concat(e)
	case dsl.OpTake:
		return lo.take(e)
	case dsl.OpHighest, dsl.OpLowest:
		return lo.best(e)
	}
	over := lo.over(e.Args[0])
	f, slot := lo.body(e)
	if isWord(e.Type) { // a filter
		return lo.tidy(func(m *Machine) int64 {
			it, set := over(m), int64(0)
			for {
				m.spend()
				v, ok := it.next()
				if !ok {
					return set
				}
				m.s[slot] = v
				if f(m) != 0 {
					set |= 1 << uint(v)
				}
			}
		})
	}
	keep := e.Op == dsl.OpFilter
	return calc(func(m *Machine) int64 {
		it, n := over(m), 0
		start := len(m.arena)
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			m.s[slot] = v
			x := f(m)
			switch {
			case !keep:
				m.arena = append(m.arena[:start+n], x)
				n++
			case x != 0:
				m.arena = append(m.arena[:start+n], v)
				n++
			}
			if n > maxArena {
				return fault(e.Span, "a list grows too long")
			}
		}
		return m.gather(n)
	})
}

func (lo *lowerer) concat(e *dsl.Expr) val {
	overs := make([]func(*Machine) iter, len(e.Args))
	for i, a := range e.Args {
		overs[i] = lo.over(a)
	}
	return calc(func(m *Machine) int64 {
		n := 0
		for _, over := range overs {
			// A part may itself have grown the arena behind what is gathered
			// so far, so that is copied behind it.
			start := len(m.arena)
			it := over(m)
			m.arena = append(m.arena, m.arena[start-n:start]...)
			for {
				m.spend()
				v, ok := it.next()
				if !ok {
					break
				}
				m.push(v)
				n++
			}
		}
		return m.gather(n)
	})
}

func (lo *lowerer) take(e *dsl.Expr) val {
	f, over := lo.expr(e.Args[1]).f, lo.over(e.Args[0])
	set := isWord(e.Type)
	return calc(func(m *Machine) int64 {
		n := f(m)
		it, bits, k := over(m), int64(0), 0
		for ; n > 0; n-- {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			if set {
				bits |= 1 << uint(v)
			} else {
				m.push(v)
				k++
			}
		}
		if set {
			return bits
		}
		return m.gather(k)
	})
}

// best lowers highest and lowest: all elements that tie for it.
func (lo *lowerer) best(e *dsl.Expr) val {
	over := lo.over(e.Args[0])
	f, slot := lo.body(e)
	set, high := isWord(e.Type), e.Op == dsl.OpHighest
	return calc(func(m *Machine) int64 {
		it, bits, best, n := over(m), int64(0), int64(0), 0
		start := len(m.arena)
		for {
			m.spend()
			v, ok := it.next()
			if !ok {
				break
			}
			x := v
			if f != nil {
				m.s[slot] = v
				x = f(m)
			}
			if n == 0 || x != best && x > best == high {
				best, bits, n = x, 0, 0
			}
			if x == best {
				if set {
					bits |= 1 << uint(v)
				} else {
					m.arena = append(m.arena[:start+n], v)
				}
				n++
			}
		}
		if set {
			m.arena = m.arena[:start]
			return bits
		}
		m.arena = m.arena[:start+n]
		return m.gather(n)
	})
}
