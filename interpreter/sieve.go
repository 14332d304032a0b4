package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// A sieve takes from a set of pieces those for which a condition holds. Many
// keep those that are in some other set, or those that are not.
type sieve struct {
	f   func(m *Machine, s set128) set128
	in  place // the other set, if it is known where it is
	out bool  // those not in it
}

// place says where a set is found: it is a constant, or lies in two slots.
type place struct {
	known bool
	set   set128
	slot  int // 0 for a constant
}

func (p place) of(s []int64) set128 {
	if p.slot > 0 {
		return set128{uint64(s[p.slot]), uint64(s[p.slot+1])}
	}
	return p.set
}

// within keeps what is in a place, or what is not.
func within(p place, out bool) sieve {
	x := sieve{in: p, out: out}
	set, at := p.set, p.slot
	switch {
	case at == 0 && out:
		x.f = func(_ *Machine, s set128) set128 { return s.andNot(set) }
	case at == 0:
		x.f = func(_ *Machine, s set128) set128 { return s.and(set) }
	case out:
		x.f = func(m *Machine, s set128) set128 {
			return set128{s.lo &^ uint64(m.s[at]), s.hi &^ uint64(m.s[at+1])}
		}
	default:
		x.f = func(m *Machine, s set128) set128 {
			return set128{s.lo & uint64(m.s[at]), s.hi & uint64(m.s[at+1])}
		}
	}
	return x
}

// sieveOf lowers a condition on the pieces of a collection.
func (lo *lowerer) sieveOf(list *dsl.Expr, it *dsl.Local, where *dsl.Expr) sieve {
	if it != nil {
		if lo.among == nil {
			lo.among = map[*dsl.Local]argument{}
		}
		lo.among[it] = argument{lo, list}
	}
	return lo.sieve(it, where)
}

// written reports whether a mark is surely written on all pieces of a
// collection: they lie in a zone where that is done as they come.
func (lo *lowerer) written(k *dsl.Mark, list *dsl.Expr) bool {
	switch list.Op {
	case dsl.OpZone:
		z := list.Ref.(*dsl.Zone)
		return z.Starts == nil && slices.Contains(z.Marks, k)
	case dsl.OpFilter, dsl.OpTake, dsl.OpHighest, dsl.OpLowest:
		return lo.written(k, list.Args[0])
	case dsl.OpLocal:
		if a, ok := lo.args[list.Ref.(*dsl.Local)]; ok {
			return a.lo.written(k, a.e)
		}
	}
	return false
}

// readMarks is a sieve by a mark, which faults as reading the mark of each piece
// would.
func (lo *lowerer) readMarks(x sieve, it *dsl.Local, k *cardMark, span source.Span) sieve {
	if a, ok := lo.among[it]; ok && a.lo.written(k.Mark, a.e) {
		return x
	}
	f, never := x.f, place{known: true, slot: k.never}
	return sieve{f: func(m *Machine, s set128) set128 {
		if !s.and(never.of(m.s)).empty() {
			fault(span, neverWritten, k.Name)
		}
		return f(m, s)
	}}
}

const neverWritten = "no `%s` has been written on this piece"

// sieve lowers a condition on pieces, nil for any. What does not depend on the
// piece is worked out once, and comparisons of attributes and marks take whole
// sets; only what is left looks at one piece after the other. As with `and` and
// `or` themselves, a part is looked at only if it matters for some piece.
func (lo *lowerer) sieve(it *dsl.Local, e *dsl.Expr) sieve {
	if e == nil {
		return sieve{f: func(_ *Machine, s set128) set128 { return s }}
	}
	if fixed, ok := lo.fixedSieve(it, e); ok {
		return within(place{known: true, set: fixed}, false)
	}
	if !lo.reads(e, it) {
		test := lo.cond(e)
		return sieve{f: func(m *Machine, s set128) set128 {
			if s.empty() || test(m) {
				return s
			}
			return set128{}
		}}
	}
	switch e.Op {
	case dsl.OpNot:
		not := lo.sieve(it, e.Args[0])
		if not.in.known {
			return within(not.in, !not.out)
		}
		return sieve{f: func(m *Machine, s set128) set128 { return s.andNot(not.f(m, s)) }}
	case dsl.OpAnd:
		if x, ok := lo.someEqual(it, e); ok {
			return x
		}
		a, b := lo.sieve(it, e.Args[0]).f, lo.sieve(it, e.Args[1]).f
		return sieve{f: func(m *Machine, s set128) set128 {
			if s = a(m, s); s.empty() {
				return s
			}
			return b(m, s)
		}}
	case dsl.OpOr:
		a, b := lo.sieve(it, e.Args[0]).f, lo.sieve(it, e.Args[1]).f
		return sieve{f: func(m *Machine, s set128) set128 {
			got := a(m, s)
			left := s.andNot(got)
			if left.empty() {
				return got
			}
			return got.or(b(m, left))
		}}
	case dsl.OpCall:
		if x, ok := lo.sieveCall(it, e); ok {
			return x
		}
	case dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		if x, ok := lo.sieveCompare(it, e.Op, e.Args[0], e.Args[1]); ok {
			return x
		}
		if x, ok := lo.sieveCompare(it, turned(e.Op), e.Args[1], e.Args[0]); ok {
			return x
		}
	case dsl.OpIn:
		if isLocal(e.Args[0], it) && isCards(e.Args[1].Type) && !lo.reads(e.Args[1], it) {
			in := lo.set(e.Args[1])
			return sieve{f: func(m *Machine, s set128) set128 { return s.and(in(m)) }}
		}
	}
	return lo.eachOf(it, e)
}

// eachOf looks at one piece after the other.
func (lo *lowerer) eachOf(it *dsl.Local, e *dsl.Expr) sieve {
	slot, f := lo.g.local(it), lo.expr(e).f
	return sieve{f: func(m *Machine, s set128) set128 {
		var got set128
		for ; !s.empty(); s = s.rest() {
			m.spend()
			p := s.lowest()
			m.s[slot] = int64(p)
			if f(m) != 0 {
				got = got.or(single(p))
			}
		}
		return got
	}}
}

// someEqual lowers `x != none and .a == x`, where x does not depend on the
// piece: the usual way to compare two things that may both be none.
func (lo *lowerer) someEqual(it *dsl.Local, e *dsl.Expr) (sieve, bool) {
	not, eq := e.Args[0], e.Args[1]
	if not.Op != dsl.OpNe || eq.Op != dsl.OpEq {
		return sieve{}, false
	}
	x := not.Args[0]
	if none := not.Args[1]; none.Op != dsl.OpConst || none.Int != dsl.None || x.Op != dsl.OpLocal || isLocal(x, it) {
		return sieve{}, false
	}
	attr, y := eq.Args[0], eq.Args[1]
	if !isLocal(y, x.Ref.(*dsl.Local)) {
		attr, y = y, attr
	}
	if !isLocal(y, x.Ref.(*dsl.Local)) || attr.Op != dsl.OpAttr || !isLocal(attr.Args[0], it) {
		return sieve{}, false
	}
	sets := lo.g.families[attr.Ref.(*dsl.Attr).Family].cards.sorts[attr.Ref.(*dsl.Attr)]
	v := lo.expr(x)
	if sets == nil || v.konst {
		return sieve{}, false
	}
	by, low, f := sets.by, sets.lo, v.f
	if at := v.slot; at >= 0 {
		return sieve{f: func(m *Machine, s set128) set128 {
			if i := uint64(m.s[at] - low); i < uint64(len(by)) {
				return s.and(by[i])
			}
			return set128{}
		}}, true
	}
	return sieve{f: func(m *Machine, s set128) set128 {
		if i := uint64(f(m) - low); i < uint64(len(by)) {
			return s.and(by[i])
		}
		return set128{}
	}}, true
}

// turned is a comparison with its sides exchanged.
func turned(op dsl.Op) dsl.Op {
	switch op {
	case dsl.OpLt:
		return dsl.OpGt
	case dsl.OpLe:
		return dsl.OpGe
	case dsl.OpGt:
		return dsl.OpLt
	case dsl.OpGe:
		return dsl.OpLe
	}
	return op
}

// sieveCompare lowers a comparison of an attribute or a mark of the piece, or
// of the piece itself, with something that does not depend on the piece; false
// for any other.
func (lo *lowerer) sieveCompare(it *dsl.Local, op dsl.Op, x, y *dsl.Expr) (sieve, bool) {
	if lo.reads(y, it) {
		return sieve{}, false
	}
	v := lo.expr(y).f
	if isLocal(x, it) && (op == dsl.OpEq || op == dsl.OpNe) {
		return equalSets(op, func(m *Machine) set128 {
			if p := v(m); p != dsl.None {
				return single(int(p))
			}
			return set128{}
		}), true
	}
	if len(x.Args) != 1 || !isLocal(x.Args[0], it) {
		return sieve{}, false
	}
	switch x.Op {
	case dsl.OpAttr:
		sets := lo.g.families[x.Ref.(*dsl.Attr).Family].cards.sorts[x.Ref.(*dsl.Attr)]
		if sets != nil {
			return compareSets(op, sets, v), true
		}
	case dsl.OpMark:
		k := x.Ref.(*dsl.Mark)
		cm := lo.g.families[k.Family].cards.marks[k]
		if base := cm.sets; base > 0 && !k.Type.Maybe && !y.Type.Maybe && (op == dsl.OpEq || op == dsl.OpNe) {
			by := equalSets(op, func(m *Machine) set128 {
				at := base + 2*int(v(m))
				return set128{uint64(m.s[at]), uint64(m.s[at+1])}
			})
			if c := lo.expr(y); c.konst {
				by = within(place{known: true, slot: base + 2*int(c.c)}, op == dsl.OpNe)
			}
			return lo.readMarks(by, it, cm, x.Span), true
		}
	}
	return sieve{}, false
}

// equalSets keeps those of a set, or those not of it.
func equalSets(op dsl.Op, with setfn) sieve {
	if op == dsl.OpEq {
		return sieve{f: func(m *Machine, s set128) set128 {
			if s.empty() {
				return s
			}
			return s.and(with(m))
		}}
	}
	return sieve{f: func(m *Machine, s set128) set128 {
		if s.empty() {
			return s
		}
		return s.andNot(with(m))
	}}
}

// compareSets keeps those whose attribute compares so with a value.
func compareSets(op dsl.Op, sets *attrSets, v fn) sieve {
	switch op {
	case dsl.OpEq, dsl.OpNe:
		return equalSets(op, func(m *Machine) set128 { return sets.with(v(m)) })
	case dsl.OpLt, dsl.OpGe:
		return equalSets(either(op == dsl.OpLt), func(m *Machine) set128 { return sets.less(v(m)) })
	}
	return equalSets(either(op == dsl.OpLe), func(m *Machine) set128 {
		x := v(m)
		return sets.less(x).or(sets.with(x))
	})
}

func either(with bool) dsl.Op {
	if with {
		return dsl.OpEq
	}
	return dsl.OpNe
}

// sieveCall lowers a define that is asked of the piece itself, while its other
// arguments do not depend on the piece; false for any other.
func (lo *lowerer) sieveCall(it *dsl.Local, e *dsl.Expr) (sieve, bool) {
	d := e.Ref.(*dsl.Define)
	inner := lo.inside()
	var stores []store
	at := -1
	for i, p := range d.Params {
		a := e.Args[i]
		switch {
		case isLocal(a, it) && at < 0:
			at = i
		case lo.reads(a, it):
			return sieve{}, false
		case isCards(p.Type):
			inner.args[p] = argument{lo, a}
		default:
			v := lo.expr(a)
			if !v.konst && v.slot < 0 && lo.g.room(p.Type) == 0 {
				slot := lo.g.slots.take(1)
				stores = append(stores, store{slot, v.f})
				v = slotVal(slot)
			}
			inner.values[p] = v
		}
	}
	if at < 0 || isCards(d.Params[at].Type) {
		return sieve{}, false
	}
	if of, ok := lo.among[it]; ok {
		if inner.among == nil {
			inner.among = map[*dsl.Local]argument{}
		}
		inner.among[d.Params[at]] = of
	}
	body := inner.sieve(d.Params[at], d.Body)
	if len(stores) == 0 {
		return body, true
	}
	return sieve{f: func(m *Machine, s set128) set128 {
		if s.empty() {
			return s
		}
		for i := range stores {
			m.s[stores[i].slot] = stores[i].f(m)
		}
		return body.f(m, s)
	}}, true
}

// fixedSieve works a condition out beforehand, for every piece of the family,
// if it depends on nothing but attributes.
func (lo *lowerer) fixedSieve(it *dsl.Local, e *dsl.Expr) (fixed set128, ok bool) {
	if it == nil || it.Type.Kind != dsl.KPiece || !lo.standsFast(e, it) {
		return set128{}, false
	}
	c := lo.cardsOf(it.Type)
	inner := lo.inside()
	for p := range c.fam.count {
		inner.values[it] = konst(int64(p))
		v := inner.expr(e)
		if !v.konst {
			return set128{}, false
		}
		if v.c != 0 {
			fixed = fixed.or(single(p))
		}
	}
	return fixed, true
}

// standsFast reports whether a condition is surely made of attributes of the
// piece, constants and comparisons of these, none of which can fault.
func (lo *lowerer) standsFast(e *dsl.Expr, it *dsl.Local) bool {
	switch e.Op {
	case dsl.OpConst, dsl.OpParam:
	case dsl.OpLocal:
		l := e.Ref.(*dsl.Local)
		if l == it {
			return true
		}
		return lo.values[l].konst && lo.values[l].f != nil
	case dsl.OpAttr:
		return isLocal(e.Args[0], it) && e.Type.Kind != dsl.KList
	case dsl.OpCall:
		d := e.Ref.(*dsl.Define)
		return len(d.Params) == 1 && isLocal(e.Args[0], it) && lo.standsFast(d.Body, d.Params[0])
	case dsl.OpNot, dsl.OpAnd, dsl.OpOr, dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe, dsl.OpCond, dsl.OpCoalesce:
	default:
		return false
	}
	for _, a := range e.Args {
		if a.Type.IsCollection() || !lo.standsFast(a, it) {
			return false
		}
	}
	return true
}

// reads reports whether a formula depends on a local.
func (lo *lowerer) reads(e *dsl.Expr, l *dsl.Local) bool {
	if e == nil {
		return false
	}
	if e.Op == dsl.OpLocal {
		of := e.Ref.(*dsl.Local)
		if a, ok := lo.args[of]; ok {
			return a.lo.reads(a.e, l)
		}
		return of == l
	}
	for _, a := range e.Args {
		if lo.reads(a, l) {
			return true
		}
	}
	return false
}
