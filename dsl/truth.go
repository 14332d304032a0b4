package dsl

// This file decides conditions by the bounds of what they compare. A truth has
// the limits 0 and 1, or one of them twice where it is decided.

var (
	never  = limits{0, 0, true}
	always = limits{1, 1, true}
	either = limits{0, 1, true}
)

// truth says what a condition is in any case; ok is false if it depends.
func (r reach) truth(e *Expr) (value, ok bool) {
	if e.Type.Kind != KBool {
		return false, false
	}
	l := r.of(e)
	return l.lo == 1, l.ok && l.lo == l.hi
}

func logicBounds(op Op, a, b limits) limits {
	if !a.ok {
		a = either
	}
	if !b.ok {
		b = either
	}
	if op == OpAnd {
		return limits{min(a.lo, b.lo), min(a.hi, b.hi), true}
	}
	return limits{max(a.lo, b.lo), max(a.hi, b.hi), true}
}

// compare decides a comparison of numbers, truths or options.
func (r reach) compare(e *Expr) limits {
	x, y := e.Args[0], e.Args[1]
	switch x.Type.Kind {
	case KInt, KBool, KOption:
	default:
		return either
	}
	a, b := r.of(x), r.of(y)
	if !a.ok || !b.ok {
		return either
	}
	same := a.lo == a.hi && b.lo == b.hi && a.lo == b.lo && !x.Type.Maybe && !y.Type.Maybe
	apart := a.hi < b.lo || b.hi < a.lo
	switch e.Op {
	case OpEq:
		return decided(same, apart)
	case OpNe:
		return decided(apart, same)
	case OpLt:
		return decided(a.hi < b.lo, a.lo >= b.hi)
	case OpLe:
		return decided(a.hi <= b.lo, a.lo > b.hi)
	case OpGt:
		return decided(a.lo > b.hi, a.hi <= b.lo)
	}
	return decided(a.lo >= b.hi, a.hi < b.lo)
}

// isIn decides whether a number lies in a range.
func (r reach) isIn(e *Expr) limits {
	x, list := e.Args[0], e.Args[1]
	if list.Op != OpRange {
		return either
	}
	l, from, to := r.of(x), r.of(list.Args[0]), r.of(list.Args[1])
	if !l.ok || !from.ok || !to.ok {
		return either
	}
	inside := l.lo >= from.hi && l.hi <= to.lo && !x.Type.Maybe
	return decided(inside, l.hi < from.lo || l.lo > to.hi || from.lo > to.hi)
}

func decided(yes, no bool) limits {
	switch {
	case yes:
		return always
	case no:
		return never
	}
	return either
}
