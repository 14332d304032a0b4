package dsl

import (
	"github.com/houserules/houserules/dsl/syntax"
)

// This file types maps: a value for each seat, for each of some options, or for
// each number of a range.

// maxKeys is the most keys of a map whose keys are numbers.
const maxKeys = 1024

// mapType makes the type `T for each KEY`.
func (c *checker) mapType(owner string, x *syntax.TypeExpr, t Type) Type {
	key := Type{Kind: KInt, Lo: x.Each.Lo, Hi: x.Each.Hi}
	if !x.Each.Range {
		key = c.baseType(owner, x.Each)
	}
	switch {
	case x.Each.Range && t.Kind != KAny && !t.IsCollection():
		if key.Hi < key.Lo || key.Hi-key.Lo >= maxKeys {
			c.errorf("E0331", x.Each.Place, "a map has from 1 to %d keys", maxKeys)
			return Any
		}
	case key.Kind == KAny || t.Kind == KAny:
		return Any
	case key.Kind != KSeat && key.Kind != KOption:
		c.errorf("E0221", x.Each.Place, "there can be a value for each seat, for each option, or for each number of a range, not for each %s", key)
		return Any
	case t.IsCollection():
		c.errorf("E0221", x.Place, "a value for each %s is one value, not a %s", key, t)
		return Any
	}
	return MapOf(key, t)
}

// valueType is the type of one value of a state: of a map, that of its values.
func valueType(t Type) Type {
	if t.Kind == KMap {
		return *t.Elem
	}
	return t
}

// ValueType is the type of what is written at the place: of a place with a key,
// that of the value at the key.
func (p *Place) ValueType() Type {
	if p.Key != nil {
		return valueType(p.Var.Type)
	}
	return p.Var.Type
}

// placeOf makes a place of state that has been typed, and of a key in it.
func placeOf(e, key *Expr) *Place {
	p := &Place{Var: e.Ref.(*Var), Key: key, Span: e.Span}
	if len(e.Args) == 1 {
		p.Seat = e.Args[0]
	}
	return p
}

// noKey refuses a value of a map where only whole state can stand.
func (c *checker) noKey(p *Place, what string) {
	if p != nil && p.Key != nil {
		c.errorf("E0302", p.Span, "%s into one of many values is not part of this version of the language", what).
			WithHelp("use a state by itself, and then write the value")
	}
}

// mapIndex types M[k].
func (c *checker) mapIndex(s scope, x *syntax.IndexExpr, on *Expr) *Expr {
	want := *on.Type.Key
	key := c.expect(c.expr(s, x.Index, want), want)
	if lo, hi, ok := bounds(key); ok && want.Kind == KInt && (lo > want.Hi || hi < want.Lo) {
		c.errorf("E0227", key.Span, "there is nothing at %s: the keys are %d to %d", key.Span.Text(), want.Lo, want.Hi)
	}
	return &Expr{Op: OpKey, Type: *on.Type.Elem, Args: []*Expr{on, key}, Span: x.Span(), OpSpan: x.Index.Span()}
}

// placeAt types M[k] as a place that is written.
func (c *checker) placeAt(s scope, x *syntax.IndexExpr) *Place {
	e := c.index(s, x)
	switch {
	case e.Type.Kind == KAny:
		return nil
	case e.Op != OpKey:
		c.notHere(x.Span(), "writing one element of a list")
		return nil
	case e.Args[0].Op != OpState:
		c.errorf("E0221", x.Span(), "only state can be written").
			WithHelp("state is written through its owner: `game.x[..]`, `me.x[..]`")
		return nil
	}
	p := placeOf(e.Args[0], e.Args[1])
	p.Span = e.Span
	return p
}

// eachSeat types `for each SEATS` behind a pick, and makes a map of it.
func (c *checker) eachSeat(s scope, out *Pick, x *syntax.Pick) {
	switch {
	case out.Form != PickRange && out.Form != PickOne:
		c.errorf("E0221", x.Place, "`for each` stands behind a range of numbers or `one of`")
		out.Local.Type = Any
		return
	case x.If != nil || x.IfAny:
		c.notHere(x.Place, "`if` behind `for each`")
	case x.Default != nil:
		c.notHere(x.Place, "another value behind `for each`")
	}
	out.Each = c.expr(s, x.ForEach, SetOf(Seat))
	if t := out.Each.Type; t.Kind != KAny && (!t.IsCollection() || t.Elem.Kind != KSeat && t.Elem.Kind != KAny || t.Elem.Maybe) {
		c.errorf("E0221", out.Each.Span, "expected seats, got %s", t)
	}
	c.mayKnow(out.Each)
	if t := out.Local.Type; t.Kind != KAny {
		t.Family = familyOfPiece(t)
		out.Local.Type = MapOf(Seat, t)
	}
}

// optionList returns all options of what a pick names, such as a param: it is
// picked from what it may be, not from what it is. Other formulas come back as
// they are.
func (c *checker) optionList(e *Expr) *Expr {
	t := e.Type
	named := e.Op == OpParam || e.Op == OpCall && len(e.Args) == 0
	if t.Kind != KOption || t.Maybe || !named {
		return e
	}
	out := &Expr{Op: OpList, Type: ListOf(t), Span: e.Span, OpSpan: e.OpSpan}
	for i := range t.Enum.Values {
		out.Args = append(out.Args, &Expr{Op: OpConst, Type: t, Int: int64(i), Span: e.Span, OpSpan: e.OpSpan})
	}
	return out
}
