package interpreter

import (
	"math"
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file goes one of two ways in a quick run.

// fork goes one of two ways. The usual conditions are tested on the spot.
func (q *quickener) fork(e *dsl.Expr, test test, yes, no step) step {
	lo := &lowerer{g: q.g}
	switch e.Op {
	case dsl.OpNot:
		return q.fork(e.Args[0], not(test), no, yes)
	case dsl.OpAnd:
		rest := q.fork(e.Args[1], lo.cond(e.Args[1]), yes, no)
		return q.fork(e.Args[0], lo.cond(e.Args[0]), rest, no)
	case dsl.OpOr:
		rest := q.fork(e.Args[1], lo.cond(e.Args[1]), yes, no)
		return q.fork(e.Args[0], lo.cond(e.Args[0]), yes, rest)
	case dsl.OpAnyScore:
		r := q.g.scorers[e.Ref.(*dsl.Scorer)]
		if x := lo.expr(e.Args[0]); r.dense && e.Args[0].Type.Kind == dsl.KSet && x.slot >= 0 {
			at, cl, some := x.slot, r.cl, r.some
			return func(m *Machine, s []int64) int {
				if some[cl.id(m, uint64(s[at]))] {
					return yes(m, s)
				}
				return no(m, s)
			}
		}
	case dsl.OpNe, dsl.OpLt, dsl.OpLe:
		if e.Args[0].Type.IsCollection() {
			break
		}
		opposite := map[dsl.Op]dsl.Op{dsl.OpNe: dsl.OpEq, dsl.OpLt: dsl.OpGe, dsl.OpLe: dsl.OpGt}[e.Op]
		return forkOn(opposite, lo.expr(e.Args[0]), lo.expr(e.Args[1]), no, yes)
	case dsl.OpEq, dsl.OpGe, dsl.OpGt:
		if e.Op == dsl.OpEq && lo.length64(e.Args[0]) {
			at, c := lo.expr(e.Args[0].Args[0]).slot, lo.expr(e.Args[1])
			if n := int(c.c); at >= 0 && c.konst {
				return func(m *Machine, s []int64) int {
					if bits.OnesCount64(uint64(s[at])) == n {
						return yes(m, s)
					}
					return no(m, s)
				}
			}
		}
		if !e.Args[0].Type.IsCollection() {
			return forkOn(e.Op, lo.expr(e.Args[0]), lo.expr(e.Args[1]), yes, no)
		}
	}
	return func(m *Machine, s []int64) int {
		if test(m) {
			return yes(m, s)
		}
		return no(m, s)
	}
}

// forkOn is fork for x == y, x >= y and x > y.
func forkOn(op dsl.Op, x, y val, yes, no step) step {
	f, g, a, b, c := x.f, y.f, x.slot, y.slot, y.c
	switch {
	case op == dsl.OpEq && a >= 0 && y.konst:
		return func(m *Machine, s []int64) int {
			if s[a] == c {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpEq && a >= 0 && b >= 0:
		return func(m *Machine, s []int64) int {
			if s[a] == s[b] {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpEq:
		return func(m *Machine, s []int64) int {
			if f(m) == g(m) {
				return yes(m, s)
			}
			return no(m, s)
		}
	case x.mine > 0 && y.konst && (op == dsl.OpGe || c < math.MaxInt64):
		base := x.mine
		if op == dsl.OpGt {
			c++
		}
		return func(m *Machine, s []int64) int {
			if s[base+int(s[slotMe])] >= c {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpGt && y.mine > 0:
		base := y.mine
		return func(m *Machine, s []int64) int {
			if f(m) > s[base+int(s[slotMe])] {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpGt:
		return func(m *Machine, s []int64) int {
			if f(m) > g(m) {
				return yes(m, s)
			}
			return no(m, s)
		}
	}
	return func(m *Machine, s []int64) int {
		if f(m) >= g(m) {
			return yes(m, s)
		}
		return no(m, s)
	}
}

func not(t test) test { return func(m *Machine) bool { return !t(m) } }
