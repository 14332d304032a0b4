package dsl

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// member types X.Name. X may be a scope, the name of a variant, or a formula
// that gives a seat or a piece. In between may stand the name of a variant
// whose private field is meant: me.my_rule.chances.
func (c *checker) member(s scope, x *syntax.MemberExpr) *Expr {
	base, owner, private := c.throughVariant(s, x)
	if name, ok := base.(*syntax.NameExpr); ok && s.find(name.Name) == nil {
		if sym := c.names.find(name.Name, s.owner, c.needs[s.owner]); sym != nil {
			if sc, ok := sym.ref.(*Scope); ok {
				c.settle(sym)
				return c.scopeField(s, sc, x, owner, private)
			}
		} else if id, ok := c.handles[name.Name]; ok && !private {
			return c.variantName(s, id, x)
		}
	}
	on := c.expr(s, base, Any)
	if on.Type.Maybe && x.Optional {
		return c.optional(s, x, on, owner, private)
	}
	return c.field(s, x, on, owner, private)
}

// throughVariant splits X.variant.name: it returns X, and the variant if there
// is one.
func (c *checker) throughVariant(s scope, x *syntax.MemberExpr) (base syntax.Expr, owner string, private bool) {
	mid, ok := x.X.(*syntax.MemberExpr)
	if !ok || mid.Optional {
		return x.X, s.owner, false
	}
	id, ok := c.handles[mid.Name]
	if !ok || c.seatFields.find(mid.Name, s.owner, nil) != nil {
		return x.X, s.owner, false
	}
	return mid.X, id, true
}

// lookup finds a field as a file sees it, or among one variant's own if private.
func (c *checker) lookup(t *table, name, owner string, private bool) *symbol {
	if private {
		return t.own(name, owner)
	}
	return t.find(name, owner, c.needs[owner])
}

func (c *checker) scopeField(s scope, sc *Scope, x *syntax.MemberExpr, owner string, private bool) *Expr {
	e := &Expr{Span: x.Span(), OpSpan: x.NameSpan}
	if x.Name == "number" && !private && sc.Number != nil {
		e.Op, e.Type, e.Ref = OpNumber, Int, sc
		return e
	}
	t := c.scopeFields[sc]
	sym := c.lookup(t, x.Name, owner, private)
	if sym == nil {
		d := c.errorf("E0214", x.NameSpan, "`%s` has no `%s`", sc.Name, x.Name)
		c.suggestField(d, x.Name, t, owner)
		return bad(x)
	}
	if !c.settle(sym) {
		c.errorf("E0224", x.Span(), "`%s` needs itself", x.Name)
		return bad(x)
	}
	v := sym.ref.(*Var)
	e.Op, e.Type, e.Ref = OpState, v.Type, v
	return e
}

// suggestField adds what else there is, or where a private name lives.
func (c *checker) suggestField(d *source.Diagnostic, name string, t *table, owner string) {
	for _, id := range sortedKeys(t.private) {
		if t.own(name, id) != nil {
			d.WithHelp("it belongs to the variant %s: write `%s.%s`", id, snake(id), name).
				WithEdit(d.Span, snake(id)+"."+name)
			return
		}
	}
	c.didYouMean(d, name, t.visible(owner, c.needs[owner]), func(w string) *symbol {
		return t.find(w, owner, c.needs[owner])
	})
}

// variantName types a private name by way of its variant.
func (c *checker) variantName(s scope, id string, x *syntax.MemberExpr) *Expr {
	sym := c.names.own(x.Name, id)
	if sym == nil {
		d := c.errorf("E0213", x.NameSpan, "the variant `%s` declares no `%s`", id, x.Name)
		c.didYouMean(d, x.Name, sortedKeys(c.names.private[id]), nil)
		return bad(x)
	}
	return c.symbolValue(s, sym, &Expr{Span: x.Span(), OpSpan: x.NameSpan})
}

// optional types X?.name: none where X is none.
func (c *checker) optional(s scope, x *syntax.MemberExpr, on *Expr, owner string, private bool) *Expr {
	sure := *on
	sure.Type.Maybe = false
	value := c.field(s, x, &sure, owner, private)
	if value.Type.Kind == KAny {
		return value
	}
	none := &Expr{Op: OpConst, Type: Type{Kind: KNone, Maybe: true}, Int: None, Span: x.Span(), OpSpan: x.NameSpan}
	test := &Expr{Op: OpNe, Type: Bool, Args: []*Expr{on, none}, Span: x.Span(), OpSpan: x.NameSpan}
	t := value.Type
	t.Maybe = true
	return &Expr{Op: OpCond, Type: t, Args: []*Expr{test, value, none}, Span: x.Span(), OpSpan: x.NameSpan}
}

// field types a field of a seat or a piece.
func (c *checker) field(s scope, x *syntax.MemberExpr, on *Expr, owner string, private bool) *Expr {
	if on.Type.Maybe {
		c.mayBeNone(on)
	}
	switch {
	case on.Type.Kind == KAny, on.Type.Maybe:
		return bad(x)
	case on.Type.Kind == KSeat:
		return c.fieldIn(s, c.seatFields, "a seat", x, on, owner, private)
	case on.Type.Kind == KPiece:
		return c.fieldIn(s, c.pieceFields[on.Type.Family], "a piece of "+on.Type.Family.Name, x, on, owner, private)
	}
	d := c.errorf("E0214", x.NameSpan, "%s has no fields", article(on.Type.String()))
	if on.Type.IsCollection() {
		d.WithHelp("ask each element: `map(list, .%s)`", x.Name)
	}
	return bad(x)
}

func article(s string) string {
	switch s[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + s
	}
	return "a " + s
}

func (c *checker) fieldIn(s scope, t *table, what string, x *syntax.MemberExpr, on *Expr, owner string, private bool) *Expr {
	sym := c.lookup(t, x.Name, owner, private)
	if sym == nil {
		d := c.errorf("E0214", x.NameSpan, "%s has no `%s`", what, x.Name)
		c.suggestField(d, x.Name, t, owner)
		return bad(x)
	}
	e := &Expr{Span: x.Span(), OpSpan: x.NameSpan, Ref: sym.ref, Args: []*Expr{on}}
	if !c.settle(sym) {
		c.errorf("E0224", x.NameSpan, "`%s` needs itself", x.Name)
		return bad(x)
	}
	switch ref := sym.ref.(type) {
	case *Var:
		e.Op, e.Type = OpState, ref.Type
	case *Attr:
		e.Op, e.Type = OpAttr, ref.Type
	case *Mark:
		e.Op, e.Type = OpMark, ref.Type
	case builtin:
		e.Op, e.Type, e.Ref = ref.op, ref.t, nil
	case *Zone:
		e.Op, e.Type = OpZone, SetOf(Type{Kind: KPiece, Family: ref.Family})
	case *Define:
		e.Op, e.Type = OpCall, ref.Type
		if len(ref.Params) > 1 {
			c.errorf("E0215", x.NameSpan, "`%s` wants %s", x.Name, arguments(len(ref.Params)-1))
			return bad(x)
		}
	}
	return e
}

// fromOne reports the number of a place that no list has.
func (c *checker) fromOne(i *Expr) {
	if i.Op == OpConst && i.Type.Kind == KInt && i.Int < 1 {
		c.errorf("E0227", i.Span, "there is no element %d", i.Int).WithHelp("elements are counted from 1")
	}
}

// index types X[i], the element at a place counted from 1, or X[k] of a map.
func (c *checker) index(s scope, x *syntax.IndexExpr) *Expr {
	on := c.expr(s, x.X, Any)
	if on.Type.Kind == KMap {
		return c.mapIndex(s, x, on)
	}
	if on.Type.Kind == KAny {
		c.expr(s, x.Index, Any)
		return bad(x)
	}
	i := c.expr(s, x.Index, Int)
	c.need(i, KInt)
	if placed(on) {
		return c.spot(on, i, x)
	}
	if !c.needCollection(on) {
		return bad(x)
	}
	c.fromOne(i)
	return &Expr{Op: OpNth, Type: *on.Type.Elem, Args: []*Expr{on, i}, Span: x.Span(), OpSpan: x.Index.Span()}
}
