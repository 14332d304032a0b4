package dsl

import (
	"math/bits"

	"github.com/houserules/houserules/dsl/syntax"
)

func (c *checker) unary(s scope, x *syntax.UnaryExpr) *Expr {
	e := &Expr{Span: x.Span(), OpSpan: x.Span(), Type: Bool, Op: OpNot}
	if x.Op == "-" {
		e.Op, e.Type = OpNeg, Int
		arg := c.expr(s, x.X, Int)
		e.Args = []*Expr{arg}
		c.need(arg, KInt)
		if arg.Op == OpConst && arg.Type.Kind == KInt {
			return &Expr{Op: OpConst, Type: Int, Int: -arg.Int, Span: e.Span, OpSpan: e.Span}
		}
		return e
	}
	if b, ok := x.X.(*syntax.BinaryExpr); ok && !b.Parens && comparisons[b.Op] != 0 {
		c.warnf("W0511", x.Span(), "`not` before a comparison without brackets").
			WithHelp("write `not (..)`, or turn the comparison round")
	}
	arg := c.expr(s, x.X, Bool)
	c.need(arg, KBool)
	e.Args = []*Expr{arg}
	return e
}

var arithmetic = map[string]Op{"+": OpAdd, "-": OpSub, "*": OpMul, "/": OpDiv, "%": OpMod}

var comparisons = map[string]Op{"==": OpEq, "!=": OpNe, "<": OpLt, "<=": OpLe, ">": OpGt, ">=": OpGe}

func (c *checker) binary(s scope, x *syntax.BinaryExpr, want Type) *Expr {
	e := &Expr{Span: x.Span(), OpSpan: x.OpSpan}
	switch {
	case arithmetic[x.Op] != 0:
		e.Op, e.Type = arithmetic[x.Op], Int
		e.Args = []*Expr{c.expr(s, x.X, Int), c.expr(s, x.Y, Int)}
		c.need(e.Args[0], KInt)
		c.need(e.Args[1], KInt)
		return c.fold(e)
	case x.Op == "and" || x.Op == "or":
		return c.logic(s, x, e)
	case comparisons[x.Op] != 0:
		c.lintNot(x)
		e.Op, e.Type = comparisons[x.Op], Bool
		e.Args = c.bothSides(s, x.X, x.Y)
		c.compare(e)
		return e
	case x.Op == "in":
		return c.isIn(s, x, e)
	case x.Op == "..":
		e.Op, e.Type = OpRange, ListOf(Int)
		e.Args = []*Expr{c.expr(s, x.X, Int), c.expr(s, x.Y, Int)}
		c.need(e.Args[0], KInt)
		c.need(e.Args[1], KInt)
		return e
	case x.Op == "??":
		return c.coalesce(s, x, e, want)
	}
	c.errorf("E0216", x.OpSpan, "`%s` is not a part of formulas here", x.Op)
	return bad(x)
}

// logic types `and` and `or`. The right side knows what the left has tested.
func (c *checker) logic(s scope, x *syntax.BinaryExpr, e *Expr) *Expr {
	e.Op, e.Type = OpAnd, Bool
	if x.Op == "or" {
		e.Op = OpOr
	}
	for _, side := range []syntax.Expr{x.X, x.Y} {
		if b, ok := side.(*syntax.BinaryExpr); ok && !b.Parens && (b.Op == "and" || b.Op == "or") && b.Op != x.Op {
			c.warnf("W0510", b.OpSpan, "`and` and `or` mixed without brackets").
				WithHelp("`and` binds tighter than `or`; brackets say what is meant")
		}
	}
	left := c.expr(s, x.X, Bool)
	c.need(left, KBool)
	right := c.expr(s.knowing(narrow(left, e.Op == OpAnd)), x.Y, Bool)
	c.need(right, KBool)
	e.Args = []*Expr{left, right}
	return e
}

// lintNot warns about `not a == b`, which compares `not a`.
func (c *checker) lintNot(x *syntax.BinaryExpr) {
	if u, ok := x.X.(*syntax.UnaryExpr); ok && u.Op == "not" && u.Span().Start == x.Span().Start {
		c.warnf("W0511", u.Span(), "`not` belongs to the left side only").
			WithHelp("write `not (..)` around the comparison, or turn it round")
	}
}

// bothSides types two formulas of which one may only be understood by the
// other's type: an option, a face, an empty list.
func (c *checker) bothSides(s scope, x, y syntax.Expr) []*Expr {
	if c.isLoose(s, x) && !c.isLoose(s, y) {
		right := c.expr(s, y, Any)
		return []*Expr{c.otherSide(s, x, right.Type), right}
	}
	left := c.expr(s, x, Any)
	return []*Expr{left, c.otherSide(s, y, left.Type)}
}

// otherSide types a formula by the type of another one. If that one is wrong,
// a word that means nothing by itself is not reported as well.
func (c *checker) otherSide(s scope, x syntax.Expr, t Type) *Expr {
	if elem := elemOf(t); (t.Kind == KAny || t.IsCollection() && elem.Kind == KAny) && c.ds.HasErrors() && c.isLoose(s, x) {
		return bad(x)
	}
	return c.expr(s, x, t)
}

// compare checks the two sides of a comparison.
func (c *checker) compare(e *Expr) {
	e.Args[0] = c.asSet(e.Args[0], e.Args[1].Type)
	e.Args[1] = c.asSet(e.Args[1], e.Args[0].Type)
	x, y := e.Args[0], e.Args[1]
	if x.Type.Kind == KAny || y.Type.Kind == KAny {
		return
	}
	if x.Type.Kind == KMap && y.Type.Kind == KMap {
		c.errorf("E0221", e.OpSpan, "values for each seat or option are not compared as a whole").
			WithHelp("compare one by one: `all(seats, a[it] == b[it])`")
		return
	}
	if e.Op != OpEq && e.Op != OpNe {
		c.need(x, KInt)
		c.need(y, KInt)
		return
	}
	switch {
	case x.Type.Kind == KNone && y.Type.Kind == KNone:
		c.errorf("E0228", e.Span, "`none` is compared with itself")
	case x.Type.Kind == KNone || y.Type.Kind == KNone:
		if x.Type.Kind == KNone {
			x = y
		}
		if !x.Type.Maybe {
			c.errorf("E0221", x.Span, "`%s` is never none", x.Span.Text()).
				WithLabel("%s", x.Type)
		}
	case !sameBase(x.Type, y.Type):
		c.errorf("E0221", e.OpSpan, "cannot compare %s with %s", x.Type, y.Type).
			WithRelated(x.Span, "%s", x.Type).WithRelated(y.Span, "%s", y.Type)
	case x.Type.Maybe && y.Type.Maybe:
		c.errorf("E0228", e.OpSpan, "both sides may be none").
			WithHelp("test one of them first: `.. != none and ..`")
	}
}

// isIn types `x in list`. Something that is none is in no list.
func (c *checker) isIn(s scope, x *syntax.BinaryExpr, e *Expr) *Expr {
	e.Op, e.Type = OpIn, Bool
	if u, ok := x.X.(*syntax.UnaryExpr); ok && u.Op == "not" && u.Span().Start == x.Span().Start {
		c.errorf("E0221", u.Span(), "`not` belongs to the left side only").
			WithHelp("write `%s not in %s`", u.X.Span().Text(), x.Y.Span().Text())
		return bad(x)
	}
	var left, right *Expr
	if c.isLoose(s, x.X) {
		right = c.expr(s, x.Y, Any)
		left = c.otherSide(s, x.X, elemOf(right.Type))
	} else {
		left = c.expr(s, x.X, Any)
		want := left.Type
		want.Maybe = false
		right = c.otherSide(s, x.Y, ListOf(want))
	}
	e.Args = []*Expr{left, right}
	if !c.needCollection(right) || left.Type.Kind == KAny || elemOf(right.Type).Kind == KAny {
		return e
	}
	if !sameBase(left.Type, elemOf(right.Type)) {
		c.errorf("E0221", e.OpSpan, "cannot look for %s in a %s", left.Type, right.Type)
	}
	return e
}

func (c *checker) coalesce(s scope, x *syntax.BinaryExpr, e *Expr, want Type) *Expr {
	left := c.expr(s, x.X, want)
	t := left.Type
	t.Maybe = false
	right := c.expr(s, x.Y, t)
	e.Op, e.Args = OpCoalesce, []*Expr{left, right}
	if !left.Type.Maybe && left.Type.Kind != KAny {
		c.errorf("E0221", left.Span, "`%s` is never none, so `??` has nothing to do", left.Span.Text())
	}
	e.Type = c.unifyArms(t, right)
	return e
}

func (c *checker) cond(s scope, x *syntax.CondExpr, want Type) *Expr {
	e := &Expr{Op: OpCond, Span: x.Span(), OpSpan: x.Span()}
	test := c.expr(s, x.If, Bool)
	c.need(test, KBool)
	yes, no := s.knowing(narrow(test, true)), s.knowing(narrow(test, false))
	var a, b *Expr
	if want.Kind == KAny && c.isLoose(s, x.Then) {
		b = c.expr(no, x.Else, want)
		a = c.expr(yes, x.Then, b.Type)
	} else {
		a = c.expr(yes, x.Then, want)
		if want.Kind == KAny {
			want = a.Type
		}
		b = c.expr(no, x.Else, want)
	}
	e.Args = []*Expr{test, a, b}
	e.Type = c.unifyArms(a.Type, b)
	return e
}

// unifyArms joins the type so far with that of one more arm.
func (c *checker) unifyArms(t Type, arm *Expr) Type {
	u, ok := unify(t, arm.Type)
	if !ok {
		c.errorf("E0221", arm.Span, "expected %s, got %s", t, arm.Type).
			WithHelp("every branch must give the same type")
		return Any
	}
	return u
}

func (c *checker) list(s scope, x *syntax.ListExpr, want Type) *Expr {
	e := &Expr{Op: OpList, Span: x.Span(), OpSpan: x.Span()}
	elem := elemOf(want)
	for i, item := range x.Items {
		arg := c.expr(s, item, elem)
		e.Args = append(e.Args, arg)
		if i == 0 {
			elem = arg.Type
		} else {
			elem = c.unifyArms(elem, arg)
		}
		if arg.Type.IsCollection() {
			c.errorf("E0221", arg.Span, "a list of lists is not a value here")
			return bad(x)
		}
	}
	e.Type = ListOf(elem)
	return e
}

// fold computes arithmetic of constants and finds its faults.
func (c *checker) fold(e *Expr) *Expr {
	x, y := e.Args[0], e.Args[1]
	if (e.Op == OpDiv || e.Op == OpMod) && y.Op == OpConst && y.Type.Kind == KInt && y.Int == 0 {
		c.errorf("E0227", e.Span, "this divides by 0")
		e.Type = Any
		return e
	}
	if x.Op != OpConst || y.Op != OpConst || x.Type.Kind != KInt || y.Type.Kind != KInt {
		return e
	}
	v, ok := arith(e.Op, x.Int, y.Int)
	if !ok {
		c.errorf("E0227", e.Span, "this number is too large").WithHelp("numbers have 64 bits")
		e.Type = Any
		return e
	}
	return &Expr{Op: OpConst, Type: Int, Int: v, Span: e.Span, OpSpan: e.OpSpan}
}

// arith computes one operation; false means overflow or division by 0. The
// smallest number is none's and counts as overflow.
func arith(op Op, x, y int64) (int64, bool) {
	switch op {
	case OpAdd:
		v := x + y
		return v, (v > x) == (y > 0) && v != None
	case OpSub:
		v := x - y
		return v, (v < x) == (y > 0) && v != None
	case OpMul:
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		if hi != 0 || lo >= 1<<63 {
			return 0, false
		}
		return x * y, true
	case OpDiv:
		if y == 0 {
			return 0, false
		}
		q := x / y
		if x%y != 0 && (x < 0) != (y < 0) {
			q--
		}
		return q, true
	case OpMod:
		if y == 0 {
			return 0, false
		}
		r := x % y
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r, true
	}
	return 0, false
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}
