package dsl

import "github.com/houserules/houserules/dsl/syntax"

// The checks below type the arguments of the functions that the language
// brings along. Each fills in Args, Type and, for functions that look at one
// element after the other, Ref.

// collection types the first argument and insists on a set or a list.
func collection(c *checker, s scope, x *syntax.CallExpr, e *Expr) (elem Type, ok bool) {
	list := c.expr(s, x.Args[0], Any)
	e.Args = append(e.Args, list)
	if !c.needCollection(list) {
		// look at the rest all the same, with an element of which nothing is known
		if len(x.Args) > 1 && looksAtIt[e.Op] {
			c.expr(s.withIt(c.newLocal("it", Any, x.Args[0].Span())), x.Args[1], Any)
		}
		return Any, false
	}
	return *list.Type.Elem, true
}

var looksAtIt = map[Op]bool{
	OpSum: true, OpCount: true, OpAny: true, OpAll: true, OpNone: true, OpOne: true, OpFilter: true,
	OpMap: true, OpFind: true, OpFindLast: true, OpHighest: true, OpLowest: true,
}

// each types the second argument, once for every element.
func each(c *checker, s scope, x *syntax.CallExpr, e *Expr, elem, want Type) *Expr {
	it := c.newLocal("it", elem, x.Args[0].Span())
	e.Ref = it
	body := c.expr(s.withIt(it), x.Args[1], want)
	e.Args = append(e.Args, body)
	return body
}

func ofCollection(t Type) func(*checker, scope, *syntax.CallExpr, *Expr) {
	return func(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
		collection(c, s, x, e)
		e.Type = t
	}
}

func test(t Type) func(*checker, scope, *syntax.CallExpr, *Expr) {
	return func(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
		e.Type = t
		if elem, ok := collection(c, s, x, e); ok {
			c.need(each(c, s, x, e, elem, Bool), KBool)
		}
	}
}

func sumCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	e.Type = Int
	elem, ok := collection(c, s, x, e)
	switch {
	case !ok:
	case len(x.Args) == 2:
		c.need(each(c, s, x, e, elem, Int), KInt)
	case elem.Kind != KInt && elem.Kind != KAny:
		c.errorf("E0221", x.Args[0].Span(), "cannot add up a %s", e.Args[0].Type).
			WithHelp("say what to add: `sum(list, .field)`")
	default:
		e.Args = append(e.Args, nil)
	}
}

func countCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	e.Type = Int
	elem, ok := collection(c, s, x, e)
	switch {
	case !ok:
	case len(x.Args) == 2:
		body := each(c, s, x, e, elem, Bool)
		if !c.need(body, KBool) && body.Type.Kind == KInt && elem.Kind == KPiece {
			(*c.ds)[len(*c.ds)-1].WithHelp("to count a face, use `number_of(face, pieces)`")
		}
	case elem.Kind != KBool && elem.Kind != KAny:
		c.errorf("E0221", x.Args[0].Span(), "cannot count a %s without a condition", e.Args[0].Type).
			WithHelp("write `len(list)`, or `count(list, condition)`")
	default:
		e.Args = append(e.Args, nil)
	}
}

func filterCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	if elem, ok := collection(c, s, x, e); ok {
		c.need(each(c, s, x, e, elem, Bool), KBool)
		e.Type = someOf(e.Args[0].Type)
	}
}

func mapCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	elem, ok := collection(c, s, x, e)
	if !ok {
		return
	}
	body := each(c, s, x, e, elem, Any)
	if body.Type.IsCollection() {
		c.errorf("E0221", body.Span, "a list of lists is not a value here")
		return
	}
	e.Type = ListOf(body.Type)
}

func findCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	if elem, ok := collection(c, s, x, e); ok {
		c.need(each(c, s, x, e, elem, Bool), KBool)
		e.Type = elem
		e.Type.Maybe = elem.Kind != KAny
	}
}

// someOf is the type of some of the elements of a collection: those of a map
// are a list.
func someOf(t Type) Type {
	if t.Kind == KMap {
		return ListOf(*t.Elem)
	}
	return t
}

func keyCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	if elem, ok := collection(c, s, x, e); ok {
		c.need(each(c, s, x, e, elem, Int), KInt)
		e.Type = someOf(e.Args[0].Type)
	}
}

func elementCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	elem, ok := collection(c, s, x, e)
	if len(x.Args) == 2 {
		i := c.expr(s, x.Args[1], Int)
		c.need(i, KInt)
		c.fromOne(i)
		e.Args = append(e.Args, i)
	}
	if ok {
		e.Type = elem
	}
}

func takeCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	_, ok := collection(c, s, x, e)
	n := c.expr(s, x.Args[1], Int)
	c.need(n, KInt)
	e.Args = append(e.Args, n)
	if ok {
		e.Type = someOf(e.Args[0].Type)
	}
}

func concatCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	elem := Any
	for _, a := range x.Args {
		list := c.expr(s, a, ListOf(elem))
		e.Args = append(e.Args, list)
		if !c.needCollection(list) {
			continue
		}
		u, ok := unify(elem, *list.Type.Elem)
		if !ok {
			c.errorf("E0221", list.Span, "cannot put a %s behind a %s", list.Type, ListOf(elem))
		}
		elem = u
	}
	e.Type = ListOf(elem)
}

func extremeCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	e.Type = Int
	if len(x.Args) > 1 {
		for _, a := range x.Args {
			arg := c.expr(s, a, Int)
			c.need(arg, KInt)
			e.Args = append(e.Args, arg)
		}
		return
	}
	elem, ok := collection(c, s, x, e)
	if !ok || elem.Kind == KAny {
		return
	}
	if elem.Kind != KInt || elem.Maybe {
		c.errorf("E0221", x.Args[0].Span(), "expected a list of int, got %s", e.Args[0].Type).
			WithHelp("say what to compare: `%s(map(list, .field))`", x.Fn)
	}
}

func absCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	arg := c.expr(s, x.Args[0], Int)
	c.need(arg, KInt)
	e.Type, e.Args = Int, []*Expr{arg}
}

func numberOfCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	e.Type = Int
	pieces := c.expr(s, x.Args[1], Any)
	want := Int
	if elem := elemOf(pieces.Type); pieces.Type.Kind == KList && elem.Kind == KInt && !elem.Maybe {
		want = elem
	} else if c.needPieces(pieces, nil) {
		want.Family = pieces.Type.Elem.Family
		if c.faceless(want.Family) {
			c.errorf("E0221", pieces.Span, "pieces of `%s` have no faces", want.Family.Name)
		}
	}
	face := c.expr(s, x.Args[0], want)
	c.need(face, KInt)
	e.Args = []*Expr{face, pieces}
}

func roundCall(c *checker, s scope, x *syntax.CallExpr, e *Expr) {
	elem, ok := collection(c, s, x, e)
	seat := c.expr(s, x.Args[1], Seat)
	c.need(seat, KSeat)
	e.Args = append(e.Args, seat)
	if ok && elem.Kind != KSeat && elem.Kind != KAny {
		c.errorf("E0221", x.Args[0].Span(), "expected a list of seats, got %s", e.Args[0].Type)
		return
	}
	e.Type = Seat
	if e.Op == OpAround {
		e.Type = ListOf(Seat)
	}
}
