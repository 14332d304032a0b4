package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// A test is a lowered condition.
type test func(m *Machine) bool

// cond lowers a condition, the usual shapes without a detour over numbers.
func (lo *lowerer) cond(e *dsl.Expr) test {
	v := lo.expr(e)
	if v.konst {
		is := v.c != 0
		return func(*Machine) bool { return is }
	}
	switch {
	case v.slot >= 0:
		at := v.slot
		return func(m *Machine) bool { return m.s[at] != 0 }
	case v.mine > 0:
		at := v.mine
		return func(m *Machine) bool { return m.s[at+int(m.s[slotMe])] != 0 }
	}
	switch e.Op {
	case dsl.OpNot:
		if x := e.Args[0]; x.Op == dsl.OpEmpty && isWord(x.Args[0].Type) {
			if x := lo.expr(x.Args[0]); x.slot >= 0 {
				at := x.slot
				return func(m *Machine) bool { return m.s[at] != 0 }
			}
		}
		f := lo.cond(e.Args[0])
		return func(m *Machine) bool { return !f(m) }
	case dsl.OpAnd, dsl.OpOr:
		if x := lo.expr(e.Args[0]); x.konst {
			return lo.cond(e.Args[1])
		}
		f, g := lo.cond(e.Args[0]), lo.cond(e.Args[1])
		if e.Op == dsl.OpAnd {
			return func(m *Machine) bool { return f(m) && g(m) }
		}
		return func(m *Machine) bool { return f(m) || g(m) }
	case dsl.OpEmpty:
		if isWord(e.Args[0].Type) {
			if x := lo.expr(e.Args[0]); x.slot >= 0 {
				at := x.slot
				return func(m *Machine) bool { return m.s[at] == 0 }
			}
		}
	case dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		if !e.Args[0].Type.IsCollection() && !e.Args[1].Type.IsCollection() {
			return lo.comparison(e)
		}
	}
	f := v.f
	return func(m *Machine) bool { return f(m) != 0 }
}

// comparison lowers a comparison of numbers and the like.
func (lo *lowerer) comparison(e *dsl.Expr) test {
	x, y := lo.expr(e.Args[0]), lo.expr(e.Args[1])
	if lo.length64(e.Args[0]) && y.konst {
		f, c, op := lo.expr(e.Args[0].Args[0]).f, y.c, e.Op
		return func(m *Machine) bool { return compare(op, int64(bits.OnesCount64(uint64(f(m)))), c) }
	}
	if x.slot >= 0 && y.konst {
		a, c := x.slot, y.c
		switch e.Op {
		case dsl.OpEq:
			return func(m *Machine) bool { return m.s[a] == c }
		case dsl.OpNe:
			return func(m *Machine) bool { return m.s[a] != c }
		case dsl.OpLt:
			return func(m *Machine) bool { return m.s[a] < c }
		case dsl.OpLe:
			return func(m *Machine) bool { return m.s[a] <= c }
		case dsl.OpGt:
			return func(m *Machine) bool { return m.s[a] > c }
		default:
			return func(m *Machine) bool { return m.s[a] >= c }
		}
	}
	if x.slot >= 0 && y.slot >= 0 {
		a, b := x.slot, y.slot
		switch e.Op {
		case dsl.OpEq:
			return func(m *Machine) bool { return m.s[a] == m.s[b] }
		case dsl.OpNe:
			return func(m *Machine) bool { return m.s[a] != m.s[b] }
		}
	}
	f, g := x.f, y.f
	switch e.Op {
	case dsl.OpEq:
		return func(m *Machine) bool { return f(m) == g(m) }
	case dsl.OpNe:
		return func(m *Machine) bool { return f(m) != g(m) }
	case dsl.OpLt:
		return func(m *Machine) bool { return f(m) < g(m) }
	case dsl.OpLe:
		return func(m *Machine) bool { return f(m) <= g(m) }
	case dsl.OpGt:
		return func(m *Machine) bool { return f(m) > g(m) }
	default:
		return func(m *Machine) bool { return f(m) >= g(m) }
	}
}

func (lo *lowerer) length64(e *dsl.Expr) bool {
	return e.Op == dsl.OpLen && isWord(e.Args[0].Type) && !lo.expr(e).konst
}
