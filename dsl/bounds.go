package dsl

import "math"

// bounds returns the least and the greatest value that a formula can have, as
// far as that is cheap to know.
func bounds(e *Expr) (lo, hi int64, ok bool) {
	switch e.Op {
	case OpConst:
		return e.Int, e.Int, e.Type.Kind != KAny && e.Int != None
	case OpParam:
		return paramBounds(e.Ref.(*Param))
	case OpAttr:
		return typeBounds(e.Type)
	case OpLen, OpCount:
		return countBounds(e.Args[0])
	case OpMin, OpMax:
		return extremeBounds(e)
	case OpAdd, OpSub, OpMul:
		return arithBounds(e)
	case OpMod:
		if n, _, ok := bounds(e.Args[1]); ok && e.Args[1].Op == OpConst && n > 0 {
			return 0, n - 1, true
		}
	case OpCond:
		return joinBounds(e.Args[1], e.Args[2])
	}
	return typeBounds(e.Type)
}

// typeBounds knows the small types.
func typeBounds(t Type) (lo, hi int64, ok bool) {
	switch t.Kind {
	case KBool:
		return 0, 1, true
	case KOption:
		return 0, int64(len(t.Enum.Values)) - 1, true
	case KInt:
		if t.Family != nil && len(t.Family.Faces) > 0 {
			lo, hi = math.MaxInt64, math.MinInt64
			for _, f := range t.Family.Faces {
				lo, hi = min(lo, f.Number), max(hi, f.Number)
			}
			return lo, hi, true
		}
	}
	return 0, 0, false
}

func paramBounds(p *Param) (lo, hi int64, ok bool) {
	if v := p.Value(); v.Op == OpConst && v.Type.Kind != KAny {
		return v.Int, v.Int, true
	}
	if p.Type.Kind != KInt {
		return typeBounds(p.Type)
	}
	return p.Min, p.Max, p.Min != math.MinInt64 && p.Max != math.MaxInt64
}

// countBounds bounds the size of a collection.
func countBounds(list *Expr) (lo, hi int64, ok bool) {
	if !list.Type.IsCollection() {
		return 0, 0, false
	}
	switch elem := list.Type.Elem; {
	case list.Op == OpList:
		n := int64(len(list.Args))
		return n, n, true
	case list.Type.Kind == KSet && elem.Kind == KPiece:
		_, hi, ok = pieceCount(elem.Family)
		if list.Op == OpFamily {
			lo = hi
		}
		return lo, hi, ok
	}
	return 0, 0, false
}

func extremeBounds(e *Expr) (lo, hi int64, ok bool) {
	if len(e.Args) < 2 {
		return 0, 0, false
	}
	for i, a := range e.Args {
		l, h, known := bounds(a)
		switch {
		case !known:
			return 0, 0, false
		case i == 0:
			lo, hi = l, h
		case e.Op == OpMin:
			lo, hi = min(lo, l), min(hi, h)
		default:
			lo, hi = max(lo, l), max(hi, h)
		}
	}
	return lo, hi, true
}

func arithBounds(e *Expr) (lo, hi int64, ok bool) {
	a, b, ok1 := bounds(e.Args[0])
	x, y, ok2 := bounds(e.Args[1])
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	lo, hi = math.MaxInt64, math.MinInt64
	for _, l := range []int64{a, b} {
		for _, r := range []int64{x, y} {
			v, fits := arith(e.Op, l, r)
			if !fits {
				return 0, 0, false
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi, true
}

func joinBounds(a, b *Expr) (lo, hi int64, ok bool) {
	l1, h1, ok1 := bounds(a)
	l2, h2, ok2 := bounds(b)
	return min(l1, l2), max(h1, h2), ok1 && ok2
}

// pieceCount bounds the number of pieces of a family.
func pieceCount(fam *Family) (lo, hi int64, ok bool) {
	if fam.Count != nil {
		return bounds(fam.Count)
	}
	for _, k := range fam.Kinds {
		for _, lot := range k.Lots {
			l, h, known := bounds(lot.Count)
			if !known {
				return 0, 0, false
			}
			lo, hi = lo+l, hi+h
		}
	}
	return lo, hi, true
}
