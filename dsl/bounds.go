package dsl

import "math"

// A reach works out between which values a formula stays. The zero one takes
// params as they are set. One with a program takes them at all values that a
// table may give them, and knows how many people play.
type reach struct {
	p     *Program
	known map[*Define]limits // what defines have been found to give
}

// limits are the least and the greatest value; ok is false if nothing is known.
type limits struct {
	lo, hi int64
	ok     bool
}

// The ends of what has no end. None is no number.
const (
	lowest  = math.MinInt64 + 1
	highest = math.MaxInt64
)

// bounds returns the least and the greatest value that a formula can have, as
// far as that is cheap to know.
func bounds(e *Expr) (lo, hi int64, ok bool) {
	l := reach{}.of(e)
	return l.lo, l.hi, l.ok
}

// everywhere returns a reach over all that may be chosen for a program.
func everywhere(p *Program) reach { return reach{p, map[*Define]limits{}} }

// of bounds a formula. What may be none is bounded for when it is not.
func (r reach) of(e *Expr) limits {
	switch e.Op {
	case OpConst:
		return limits{e.Int, e.Int, e.Type.Kind != KAny && e.Int != None}
	case OpParam:
		return r.param(e.Ref.(*Param))
	case OpAttr:
		return typeBounds(e.Type)
	case OpLen, OpCount:
		return r.count(e.Args[0], e.Op == OpCount)
	case OpMin, OpMax:
		return r.extreme(e)
	case OpAdd, OpSub, OpMul:
		return r.arith(e)
	case OpMod:
		if n := e.Args[1]; n.Op == OpConst && n.Type.Kind == KInt && n.Int > 0 {
			return limits{0, n.Int - 1, true}
		}
	case OpCond:
		return join2(r.of(e.Args[1]), r.of(e.Args[2]))
	}
	if r.p != nil {
		if l := r.more(e); l.ok {
			return l
		}
	}
	return typeBounds(e.Type)
}

// more bounds what is only worth while to know for certain.
func (r reach) more(e *Expr) limits {
	switch e.Op {
	case OpCall:
		return r.define(e.Ref.(*Define))
	case OpNumber, OpPlace, OpNumberOf, OpMost:
		return limits{0, highest, true}
	case OpAbs:
		l := r.of(e.Args[0])
		if l.ok && l.lo >= 0 {
			return l
		}
		return limits{0, highest, true}
	case OpCoalesce:
		return join2(r.of(e.Args[0]), r.of(e.Args[1]))
	case OpNot:
		l := r.of(e.Args[0])
		return limits{1 - l.hi, 1 - l.lo, l.ok}
	case OpAnd, OpOr:
		return logicBounds(e.Op, r.of(e.Args[0]), r.of(e.Args[1]))
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return r.compare(e)
	case OpIn:
		return r.isIn(e)
	}
	return limits{}
}

// define bounds what a define gives, whatever it is given.
func (r reach) define(d *Define) limits {
	l, seen := r.known[d]
	if !seen && d.Body != nil {
		l = r.of(d.Body)
		r.known[d] = l
	}
	return l
}

// typeBounds knows the small types.
func typeBounds(t Type) limits {
	switch t.Kind {
	case KBool:
		return limits{0, 1, true}
	case KOption:
		return limits{0, int64(len(t.Enum.Values)) - 1, true}
	case KInt:
		if t.Family != nil && len(t.Family.Faces) > 0 {
			l := limits{highest, lowest, true}
			for _, f := range t.Family.Faces {
				l.lo, l.hi = min(l.lo, f.Number), max(l.hi, f.Number)
			}
			return l
		}
	}
	return limits{}
}

func (r reach) param(p *Param) limits {
	if v := p.Value(); r.p == nil && v.Op == OpConst && v.Type.Kind != KAny {
		return limits{v.Int, v.Int, true}
	}
	switch {
	case p.Type.Kind != KInt:
		return typeBounds(p.Type)
	case r.p != nil:
		return limits{max(p.Min, lowest), p.Max, true}
	}
	return limits{p.Min, p.Max, p.Min != math.MinInt64 && p.Max != math.MaxInt64}
}

// count bounds the size of a collection, or how many of it are chosen.
func (r reach) count(list *Expr, chosen bool) limits {
	l := r.size(list)
	if chosen {
		l.lo = min(l.lo, 0)
	}
	if !l.ok && r.p != nil {
		return limits{0, highest, true}
	}
	return l
}

func (r reach) size(list *Expr) limits {
	if !list.Type.IsCollection() {
		return limits{}
	}
	switch elem := list.Type.Elem; {
	case list.Op == OpList:
		n := int64(len(list.Args))
		return limits{n, n, true}
	case list.Type.Kind == KSet && elem.Kind == KPiece:
		l := r.pieces(elem.Family)
		if list.Op != OpFamily {
			l.lo = 0
		}
		return l
	case r.p != nil && list.Op == OpEveryone:
		return limits{int64(r.p.MinPlayers), int64(r.p.MaxPlayers), true}
	}
	return limits{}
}

func (r reach) extreme(e *Expr) (out limits) {
	if len(e.Args) < 2 {
		return limits{}
	}
	for i, a := range e.Args {
		l := r.of(a)
		switch {
		case !l.ok:
			return limits{}
		case i == 0:
			out = l
		case e.Op == OpMin:
			out.lo, out.hi = min(out.lo, l.lo), min(out.hi, l.hi)
		default:
			out.lo, out.hi = max(out.lo, l.lo), max(out.hi, l.hi)
		}
	}
	return out
}

func (r reach) arith(e *Expr) limits {
	a, b := r.of(e.Args[0]), r.of(e.Args[1])
	if !a.ok || !b.ok {
		return limits{}
	}
	out := limits{highest, lowest, true}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			v, fits := arith(e.Op, x, y)
			if !fits {
				return limits{}
			}
			out.lo, out.hi = min(out.lo, v), max(out.hi, v)
		}
	}
	return out
}

func join2(a, b limits) limits {
	return limits{min(a.lo, b.lo), max(a.hi, b.hi), a.ok && b.ok}
}

// pieces bounds the number of pieces of a family.
func (r reach) pieces(fam *Family) limits {
	if fam.Count != nil {
		return r.of(fam.Count)
	}
	out := limits{ok: true}
	for _, k := range fam.Kinds {
		for _, lot := range k.Lots {
			l := r.of(lot.Count)
			if !l.ok {
				return limits{}
			}
			out.lo, out.hi = out.lo+l.lo, out.hi+l.hi
		}
	}
	return out
}
