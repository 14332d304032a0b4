package dsl

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// This file is about zones with places, in which each piece keeps the place
// where it was put, and about picking pieces that one cannot see.

// places reads `places` and `remind` of a zone.
func (c *checker) places(f fields, z *Zone) {
	if f.pair("places") == nil {
		if p := f.pair("remind"); p != nil {
			c.errorf("E0103", p.Key.Span, "`remind` is about the places of a zone, and `%s` has none", z.Name).
				WithHelp("add `places: N` to the zone")
		}
		return
	}
	fam := z.Family
	if len(fam.Faces) > 0 || c.noFaces[fam] {
		c.errorf("E0221", f.pair("places").Key.Span, "`%s` have faces, and lie in no order", fam.Name).
			WithHelp("places are for pieces without faces")
		return
	}
	z.Places = &Expr{Op: OpConst, Type: Any, Span: f.pair("places").Value.Span, OpSpan: f.pair("places").Value.Span}
	c.later(func() { c.placesOf(f, z) })
	fields := c.pieceFields[fam]
	if old := fields.own("place", ""); old == nil {
		fields.add(&symbol{name: "place", what: "field", ref: builtin{op: OpPlace, t: Int}, used: true})
	}
}

func (c *checker) placesOf(f fields, z *Zone) {
	if n := f.pair("places").Value; trim(n) == "all" {
		z.Places = &Expr{Op: OpLen, Type: Int, Span: n.Span, OpSpan: n.Span, Args: []*Expr{
			{Op: OpFamily, Ref: z.Family, Type: SetOf(Type{Kind: KPiece, Family: z.Family}), Span: n.Span, OpSpan: n.Span}}}
	} else {
		z.Places = f.formula(scope{}, "places", Int)
		c.pure(z.Places, placeCount)
	}
	if n, ok := f.word("remind"); ok {
		e := c.expect(c.formula(scope{}, n, Bool), Bool)
		if e.Op != OpConst {
			c.errorf("E0221", n.Span, "`remind` is true or false")
			return
		}
		z.Remind = e.Int != 0
	}
}

// placeCount is what the number of places may read.
var placeCount = purity{"the number of places", fixed.allowed, fixed.help}

// spot types ZONE[i] of a zone with places: what lies there, or none.
func (c *checker) spot(on, i *Expr, x *syntax.IndexExpr) *Expr {
	t := *on.Type.Elem
	t.Maybe = true
	return &Expr{Op: OpSpot, Type: t, Ref: on.Ref, Args: append(on.Args[:len(on.Args):len(on.Args)], i), Span: x.Span(), OpSpan: x.Index.Span()}
}

// placed reports whether a formula is a zone with places.
func placed(e *Expr) bool { return e.Op == OpZone && e.Ref.(*Zone).Places != nil }

// moveTo types where in a zone pieces go.
func (c *checker) moveTo(s scope, x *syntax.MoveStmt, st *Stmt) {
	if x.At != nil {
		st.At = c.expr(s, x.At, Int)
		c.need(st.At, KInt)
		switch {
		case st.Y.Op == OpZone && !placed(st.Y):
			c.errorf("E0221", st.At.Span, "`%s` has no places", st.Y.Span.Text()).WithHelp("add `places: N` to the zone")
		case st.X.Type.IsCollection():
			c.errorf("E0221", st.X.Span, "one piece goes to one place, not several")
		}
	}
	if x.OnTop && placed(st.Y) {
		c.errorf("E0221", x.Span(), "`%s` has places, and no top", st.Y.Span.Text())
	}
	if x.SoThat != nil {
		st.SoThat = c.expr(s.forgetState(), x.SoThat, Bool)
		c.need(st.SoThat, KBool)
	}
}

// blindPick notes a pick of pieces that the seat which picks cannot see: it
// picks places. It reports whether the list may be read for that.
func (c *checker) blindPick(s scope, out *Pick) bool {
	l := out.List
	if l == nil || !placed(l) || l.Ref.(*Zone).Seen == SeenAll {
		return false
	}
	if l.Ref.(*Zone).Seen == SeenOwner && len(l.Args) == 1 && l.Args[0].Op == OpMe {
		return false
	}
	s.blind[out.Local] = true
	return true
}

// mayRead reports a guard, a pick or a reason that reads of a picked piece what
// the seat that picks cannot see: all but its place.
func (c *checker) mayRead(e *Expr, blind map[*Local]bool) {
	if e == nil || len(blind) == 0 {
		return
	}
	var at source.Span
	visit(e, func(e *Expr) bool {
		if !at.IsZero() || e.Op == OpPlace {
			return false
		}
		if l, ok := e.Ref.(*Local); ok && e.Op == OpLocal && blind[l] {
			at = e.Span
		}
		return at.IsZero()
	})
	if !at.IsZero() {
		c.errorf("E0225", at, "this reads a piece that the seat which picks cannot see").
			WithHelp("only its `.place` is known before it is picked; look at the piece in the script")
	}
}
