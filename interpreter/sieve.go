package interpreter

import "github.com/houserules/houserules/dsl"

// A sieve takes from a set of pieces those for which a condition holds.
type sieve func(m *Machine, s set128) set128

// sieve lowers a condition on pieces, nil for any. What does not depend on the
// piece is worked out once, and comparisons of attributes and marks take whole
// sets; only what is left looks at one piece after the other. As with `and` and
// `or` themselves, a part is looked at only if it matters for some piece.
func (lo *lowerer) sieve(it *dsl.Local, e *dsl.Expr) sieve {
	if e == nil {
		return func(_ *Machine, s set128) set128 { return s }
	}
	if fixed, ok := lo.fixedSieve(it, e); ok {
		return func(_ *Machine, s set128) set128 { return s.and(fixed) }
	}
	if !lo.reads(e, it) {
		test := lo.cond(e)
		return func(m *Machine, s set128) set128 {
			if s.empty() || test(m) {
				return s
			}
			return set128{}
		}
	}
	switch e.Op {
	case dsl.OpNot:
		not := lo.sieve(it, e.Args[0])
		return func(m *Machine, s set128) set128 { return s.andNot(not(m, s)) }
	case dsl.OpAnd:
		a, b := lo.sieve(it, e.Args[0]), lo.sieve(it, e.Args[1])
		return func(m *Machine, s set128) set128 {
			if s = a(m, s); s.empty() {
				return s
			}
			return b(m, s)
		}
	case dsl.OpOr:
		a, b := lo.sieve(it, e.Args[0]), lo.sieve(it, e.Args[1])
		return func(m *Machine, s set128) set128 {
			got := a(m, s)
			left := s.andNot(got)
			if left.empty() {
				return got
			}
			return got.or(b(m, left))
		}
	case dsl.OpCall:
		if f := lo.sieveCall(it, e); f != nil {
			return f
		}
	case dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		if f := lo.sieveCompare(it, e.Op, e.Args[0], e.Args[1]); f != nil {
			return f
		}
		if f := lo.sieveCompare(it, turned(e.Op), e.Args[1], e.Args[0]); f != nil {
			return f
		}
	case dsl.OpIn:
		if isLocal(e.Args[0], it) && isCards(e.Args[1].Type) && !lo.reads(e.Args[1], it) {
			in := lo.set(e.Args[1])
			return func(m *Machine, s set128) set128 { return s.and(in(m)) }
		}
	}
	return lo.eachOf(it, e)
}

// eachOf looks at one piece after the other.
func (lo *lowerer) eachOf(it *dsl.Local, e *dsl.Expr) sieve {
	slot, f := lo.g.local(it), lo.expr(e).f
	return func(m *Machine, s set128) set128 {
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
	}
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
// of the piece itself, with something that does not depend on the piece; nil
// for any other.
func (lo *lowerer) sieveCompare(it *dsl.Local, op dsl.Op, x, y *dsl.Expr) sieve {
	if lo.reads(y, it) {
		return nil
	}
	v := lo.expr(y).f
	if isLocal(x, it) && (op == dsl.OpEq || op == dsl.OpNe) {
		return equalSets(op, func(m *Machine) set128 {
			if p := v(m); p != dsl.None {
				return single(int(p))
			}
			return set128{}
		})
	}
	if len(x.Args) != 1 || !isLocal(x.Args[0], it) {
		return nil
	}
	switch x.Op {
	case dsl.OpAttr:
		sets := lo.g.families[x.Ref.(*dsl.Attr).Family].cards.sorts[x.Ref.(*dsl.Attr)]
		if sets != nil {
			return compareSets(op, sets, v)
		}
	case dsl.OpMark:
		k := x.Ref.(*dsl.Mark)
		base := lo.g.families[k.Family].cards.marks[k].sets
		if base > 0 && !k.Type.Maybe && !y.Type.Maybe && (op == dsl.OpEq || op == dsl.OpNe) {
			if c := lo.expr(y); c.konst {
				at := base + 2*int(c.c)
				return equalSets(op, func(m *Machine) set128 { return set128{uint64(m.s[at]), uint64(m.s[at+1])} })
			}
			return equalSets(op, func(m *Machine) set128 {
				at := base + 2*int(v(m))
				return set128{uint64(m.s[at]), uint64(m.s[at+1])}
			})
		}
	}
	return nil
}

// equalSets keeps those of a set, or those not of it.
func equalSets(op dsl.Op, with setfn) sieve {
	if op == dsl.OpEq {
		return func(m *Machine, s set128) set128 {
			if s.empty() {
				return s
			}
			return s.and(with(m))
		}
	}
	return func(m *Machine, s set128) set128 {
		if s.empty() {
			return s
		}
		return s.andNot(with(m))
	}
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

// sieveCall lowers a define that is asked of the piece itself, its other
// arguments being known or lying in slots; nil for any other.
func (lo *lowerer) sieveCall(it *dsl.Local, e *dsl.Expr) sieve {
	d := e.Ref.(*dsl.Define)
	inner := lo.inside()
	at := -1
	for i, p := range d.Params {
		a := e.Args[i]
		switch {
		case isLocal(a, it) && at < 0:
			at = i
		case lo.reads(a, it):
			return nil
		case isCards(p.Type):
			inner.args[p] = argument{lo, a}
		default:
			v := lo.expr(a)
			if !v.konst && v.slot < 0 {
				return nil
			}
			inner.values[p] = v
		}
	}
	if at < 0 || isCards(d.Params[at].Type) {
		return nil
	}
	return inner.sieve(d.Params[at], d.Body)
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
