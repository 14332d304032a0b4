package dsl

import (
	"sort"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// sameBase reports whether two types are one but for "or none". Faces count
// as ints; what is unknown fits everything.
func sameBase(a, b Type) bool {
	if a.Kind == KAny || b.Kind == KAny {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case KOption:
		return a.Enum == b.Enum
	case KPiece:
		return a.Family == b.Family
	case KSet, KList:
		return sameBase(*a.Elem, *b.Elem)
	case KMap:
		return sameBase(*a.Key, *b.Key) && a.Key.Lo == b.Key.Lo && a.Key.Hi == b.Key.Hi && sameBase(*a.Elem, *b.Elem)
	}
	return true
}

// unify returns the type of a value that comes from one of two places.
func unify(a, b Type) (Type, bool) {
	switch {
	case a.Kind == KAny:
		return b, true
	case b.Kind == KAny:
		return a, true
	case a.Kind == KNone:
		b.Maybe = true
		return b, true
	case b.Kind == KNone:
		a.Maybe = true
		return a, true
	case !sameBase(a, b):
		return Any, false
	}
	if a.Family != b.Family {
		a.Family = nil
	}
	if a.IsCollection() && a.Elem.Kind == KAny {
		a.Elem = b.Elem
	}
	a.Maybe = a.Maybe || b.Maybe
	return a, true
}

// elemOf returns the element type of a collection, or Any.
func elemOf(t Type) Type {
	if t.IsCollection() {
		return *t.Elem
	}
	return Any
}

// expect insists that e fits a place of a type.
func (c *checker) expect(e *Expr, want Type) *Expr {
	e = c.asSet(e, want)
	switch got := e.Type; {
	case got.Kind == KAny || want.Kind == KAny:
	case got.Kind == KNone:
		if !want.Maybe {
			c.errorf("E0222", e.Span, "expected %s, got none", want)
		}
	case !sameBase(got, want):
		c.mismatch(e, want)
	case got.Maybe && !want.Maybe:
		c.mayBeNone(e)
	}
	return e
}

// asSet makes a set out of a list that is written out, where a set is meant:
// of `[me, first(others)]`, say. Its elements fall into their natural order.
func (c *checker) asSet(e *Expr, want Type) *Expr {
	if e.Op != OpList || want.Kind != KSet || !sameBase(*e.Type.Elem, *want.Elem) {
		return e
	}
	all := &Expr{Op: OpEveryone, Type: want, Span: e.Span, OpSpan: e.OpSpan}
	if fam := want.Elem.Family; fam != nil {
		all.Op, all.Ref = OpFamily, fam
	}
	it := c.newLocal("it", *want.Elem, e.Span)
	is := &Expr{Op: OpLocal, Ref: it, Type: it.Type, Span: e.Span, OpSpan: e.OpSpan}
	in := &Expr{Op: OpIn, Type: Bool, Args: []*Expr{is, e}, Span: e.Span, OpSpan: e.OpSpan}
	return &Expr{Op: OpFilter, Type: want, Ref: it, Args: []*Expr{all, in}, Span: e.Span, OpSpan: e.OpSpan}
}

func (c *checker) mismatch(e *Expr, want Type) *source.Diagnostic {
	d := c.errorf("E0221", e.Span, "expected %s, got %s", want, e.Type)
	if want.Kind == KSet && e.Type.Kind == KList && sameBase(*want.Elem, *e.Type.Elem) {
		d.WithHelp("a set keeps its natural order; this is a list with an order of its own")
	}
	return d
}

// mayBeNone reports a value that may be none where one is needed. Where that is
// only found out later it is taken as if it were there.
func (c *checker) mayBeNone(e *Expr) {
	if c.lenient && e.Type.Kind != KNone {
		e.Type.Maybe = false
		return
	}
	c.errorf("E0222", e.Span, "`%s` may be none", e.Span.Text()).
		WithHelp("test it first, as in `x != none and ..`, or give another value with `x ?? ..`")
}

// need insists on a simple kind that is not none.
func (c *checker) need(e *Expr, kind Kind) bool {
	switch {
	case e.Type.Kind == KAny:
		return false
	case e.Type.Kind != kind:
		if e.Type.Kind == KNone {
			c.mayBeNone(e)
		} else {
			c.mismatch(e, Type{Kind: kind, Enum: &Enum{}, Family: nil})
		}
		return false
	case e.Type.Maybe:
		c.mayBeNone(e)
		return !e.Type.Maybe
	}
	return true
}

// needCollection insists on a set or a list.
func (c *checker) needCollection(e *Expr) bool {
	if e.Type.Kind == KAny {
		return false
	}
	if !e.Type.IsCollection() {
		c.errorf("E0221", e.Span, "expected a list, got %s", e.Type)
		return false
	}
	return true
}

// needPieces insists on a set of pieces, of one family if f is not nil.
func (c *checker) needPieces(e *Expr, f *Family) bool {
	if e.Type.Kind == KAny {
		return false
	}
	if e.Type.Kind != KSet || e.Type.Elem.Kind != KPiece || (f != nil && e.Type.Elem.Family != f) {
		what := "pieces"
		if f != nil {
			what = f.Name
		}
		d := c.errorf("E0221", e.Span, "expected %s of a zone, got %s", what, e.Type)
		if e.Type.Kind == KList && e.Type.Elem.Kind == KPiece {
			d.WithHelp("this is a list with an order of its own; use `filter` or `take` of a zone")
		}
		return false
	}
	return true
}

// typeOf reads a type as written in a signature or a state.
func (c *checker) typeOf(owner string, x *syntax.TypeExpr) Type {
	if x == nil {
		return Int
	}
	t := c.baseType(owner, x)
	if x.OrNone && t.Kind != KAny {
		if t.IsCollection() || t.Kind == KBool {
			c.errorf("E0221", x.Place, "%s cannot be none", t)
		}
		t.Maybe = true
	}
	if x.Each != nil {
		return c.mapType(owner, x, t)
	}
	return t
}

func (c *checker) baseType(owner string, x *syntax.TypeExpr) Type {
	switch x.Name {
	case "int":
		return Int
	case "bool":
		return Bool
	case "seat":
		return Seat
	case "seats":
		return SetOf(Seat)
	case "list":
		elem := c.typeOf(owner, x.Elem)
		if elem.Kind == KPiece {
			return SetOf(elem) // pieces lie in sets
		}
		return ListOf(elem)
	}
	family, attr, dotted := cut(x.Name)
	sym := c.names.find(family, owner, c.needs[owner])
	if sym != nil {
		c.settle(sym)
		switch ref := sym.ref.(type) {
		case *Family:
			if !dotted {
				return Type{Kind: KPiece, Family: ref}
			}
			if f := c.pieceFields[ref].find(attr, owner, c.needs[owner]); f != nil {
				if a, ok := f.ref.(*Attr); ok {
					if a.Type.Kind == KAny {
						c.settle(f)
					}
					t := a.Type
					t.Maybe = false // which is said where the type stands
					return t
				}
			}
			c.errorf("E0214", x.Place, "pieces of `%s` have no attribute `%s`", family, attr)
			return Any
		case *Param:
			if ref.Type.Kind == KOption && !dotted {
				return ref.Type
			}
		case *Define:
			if ref.Options != nil && !dotted {
				return ref.Type
			}
		}
	}
	d := c.errorf("E0213", x.Place, "unknown type `%s`", x.Name)
	words := append([]string{"int", "bool", "seat", "seats", "list"}, c.names.visible(owner, nil)...)
	c.didYouMean(d, x.Name, words, nil)
	d.WithHelp("types are int, bool, seat, seats, a family of pieces, an attribute such as `dice.face`, or a param with options")
	return Any
}

func cut(name string) (before, after string, found bool) {
	for i := range name {
		if name[i] == '.' {
			return name[:i], name[i+1:], true
		}
	}
	return name, "", false
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
