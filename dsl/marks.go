package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file reads the marks of zones and types the moves that write them. A
// mark is a field of the pieces: zones of one family that declare it by the
// same name have it together.

// A markSource is what a mark is read from, once all names are declared.
type markSource struct {
	sym  *symbol
	kind *yamltree.Pair // its type
	def  *yamltree.Pair // its default, or nil
	path string         // of def
}

// marks declares the marks of a zone.
func (c *checker) marks(f fields, z *Zone, home string) {
	p := f.pair("marks")
	defer c.under("marks")()
	if fam := z.Family; len(fam.Faces) > 0 || c.noFaces[fam] {
		c.errorf("E0221", p.Key.Span, "nothing is written on `%s`, which have faces", fam.Name).
			WithHelp("marks are for pieces without faces")
		return
	}
	for _, pair := range c.entries(p) {
		if !c.checkName(pair.Key) {
			continue
		}
		done := c.under(pair.Key.Text)
		if m := c.mark(pair, z.Family, home); m != nil {
			z.Marks = append(z.Marks, m)
		}
		done()
	}
}

// markThing has the keys of a mark.
var markThing = lexicon.Thing{Name: "a mark", Path: "zones.NAME.marks.NAME", Short: "type", Keys: lexicon.With([]lexicon.Key{
	{Name: "type", Value: "type", Default: lexicon.Must, About: "what is written on the piece: a number, a truth, a seat or an option"},
	{Name: "default", Value: "formula", About: "what is written if a move does not say"},
}, lexicon.Named)}

// mark finds or makes the mark of a zone.
func (c *checker) mark(p *yamltree.Pair, fam *Family, home string) *Mark {
	f := c.fields(p, &markThing)
	if !f.want("type", "a mark") {
		return nil
	}
	if old := c.pieceFields[fam].find(p.Key.Text, home, nil); old != nil {
		if m, ok := old.ref.(*Mark); ok {
			c.sameMark(f, m)
			return m
		}
	}
	m := &Mark{Info: f.info(p.Key.Text, p.Key.Span), Family: fam, Type: Any}
	f.rule(&m.Info)
	m.It = c.newLocal("it", Type{Kind: KPiece, Family: fam}, p.Key.Span)
	fam.Marks = append(fam.Marks, m)
	sym := &symbol{name: m.Name, owner: home, what: "mark", span: p.Key.Span, ref: m, used: true}
	src := &markSource{sym: sym, kind: f.pair("type"), def: f.pair("default"), path: join(c.path, "default")}
	c.markSources[m] = src
	sym.resolve = func() {
		defer c.in(m.Path)()
		m.Type = c.markType(src.kind)
		if src.def != nil {
			defer c.in(src.path)()
			m.Default = c.formulaOf(scope{}.withIt(m.It), src.def, m.Type)
			c.pure(m.Default, byPiece)
		}
	}
	c.declare(c.pieceFields[fam], sym)
	c.later(func() { c.settle(sym) })
	return m
}

// sameMark compares a mark with that of another zone.
func (c *checker) sameMark(f fields, m *Mark) {
	src := c.markSources[m]
	if def := f.pair("default"); def != nil {
		if src.def != nil && trim(src.def.Value) != trim(def.Value) {
			c.errorf("E0223", def.Value.Span, "the mark `%s` has another default already", m.Name).
				WithRelated(src.def.Value.Span, "it is here")
		}
		src.def, src.path = def, join(c.path, "default")
	}
	c.later(func() {
		c.settle(src.sym)
		t := c.markType(f.pair("type"))
		if t.Kind != KAny && m.Type.Kind != KAny && (!sameBase(t, m.Type) || t.Maybe != m.Type.Maybe) {
			c.errorf("E0223", f.pair("type").Value.Span, "the mark `%s` is %s already, and cannot be %s as well", m.Name, article(m.Type.String()), article(t.String())).
				WithRelated(m.Span, "it is declared here").
				WithHelp("zones of one family share their marks; choose another name")
		}
	})
}

// markType reads the type of a mark.
func (c *checker) markType(p *yamltree.Pair) Type {
	defer c.under("type")()
	if p.Value.Kind != yamltree.Scalar {
		c.wrongKind(p.Value, "`type`", "a type")
		return Any
	}
	x := c.parseType(p.Value)
	if x == nil {
		return Any
	}
	switch t := c.typeOf(p.Owner, x); t.Kind {
	case KInt, KBool, KSeat, KOption, KAny:
		return t
	default:
		c.errorf("E0221", p.Value.Span, "a mark is an int, a bool, a seat or an option, not %s", article(t.String()))
		return Any
	}
}

// move types `move PIECES to ZONE`, with where they go and what is written.
func (c *checker) move(s scope, x *syntax.MoveStmt, st *Stmt) *Stmt {
	st.Op, st.X, st.Y = StmtMove, c.expr(s, x.What, Any), c.zone(s, x.Zone)
	st.OnTop, st.Random = x.OnTop, x.Random
	fam := c.piecesInAnyOrder(st.X)
	to := familyOf(st.Y)
	if fam != nil && to != nil && fam != to {
		c.errorf("E0221", st.Y.Span, "`%s` holds `%s`, not `%s`", st.Y.Span.Text(), to.Name, fam.Name)
		return st
	}
	if to != nil && len(to.Faces) > 0 && (x.OnTop || x.Random) {
		c.errorf("E0221", x.Span(), "`%s` have faces, and lie in no order", to.Name).
			WithHelp("`on top` and `at random` are for pieces without faces")
	}
	c.moveTo(s, x, st)
	if st.Y.Op == OpZone {
		c.writeMarks(s, st, st.Y.Ref.(*Zone), x.Marks)
	}
	return st
}

// writeMarks types what is written on the pieces that go to a zone.
func (c *checker) writeMarks(s scope, st *Stmt, z *Zone, marks []syntax.MarkValue) {
	if len(marks) > 0 {
		st.It = c.newLocal("it", Type{Kind: KPiece, Family: z.Family}, marks[0].NameSpan)
		s = s.withIt(st.It)
	}
	given := map[*Mark]source.Span{}
	unknown := false // which may have been meant for one that is missing
	for _, v := range marks {
		m := z.mark(v.Name)
		if m == nil {
			unknown = true
			c.unknownMark(z, v)
			c.expr(s, v.Value, Any)
			continue
		}
		if old, twice := given[m]; twice {
			c.errorf("E0104", v.NameSpan, "`%s` is written twice", v.Name).WithRelated(old, "it is here, too")
		}
		given[m] = v.NameSpan
		c.settle(c.markSources[m].sym)
		st.Marks = append(st.Marks, MarkSet{m, c.expect(c.expr(s, v.Value, m.Type), m.Type)})
	}
	for _, m := range z.Marks {
		c.settle(c.markSources[m].sym)
		if _, ok := given[m]; !ok && m.Default == nil && !unknown {
			c.errorf("E0114", st.Span, "what goes to `%s` needs its mark `%s`", z.Name, m.Name).
				WithRelated(m.Span, "it is declared here, without a default").
				WithHelp("write `.. with %s = ..`", m.Name)
		}
	}
}

func (z *Zone) mark(name string) *Mark {
	for _, m := range z.Marks {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func (c *checker) unknownMark(z *Zone, v syntax.MarkValue) {
	d := c.errorf("E0214", v.NameSpan, "the zone `%s` has no mark `%s`", z.Name, v.Name).
		WithRelated(z.Span, "`%s` is declared here", z.Name)
	var among []string
	for _, m := range z.Marks {
		among = append(among, m.Name)
	}
	c.didYouMean(d, v.Name, among, nil)
	if len(d.Help) == 0 && len(among) > 0 {
		d.WithHelp("it has %s", listWords(among))
	}
}
