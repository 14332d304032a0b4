package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

var seenWords = map[string]Seen{"all": SeenAll, "owner": SeenOwner, "others": SeenOthers, "nobody": SeenNobody}

// zones declares the zones of a section.
func (c *checker) zones(section *yamltree.Pair, home string) {
	defer c.under("zones")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			c.zoneDecl(p, home)
		}()
	}
}

// zoneThing has the keys of a zone.
var zoneThing = lexicon.Thing{Name: "a zone", Path: "zones.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "of", Value: "family", Default: lexicon.Must, About: "what lies there"},
	{Name: "each", Value: "`seat`", About: "one such zone for every seat, as in `me.hand`"},
	{Name: "starts", Value: "`all`, or formula", Default: "nothing", About: "the pieces that lie there when the game begins"},
	{Name: "seen", Value: "`all`, `owner`, `others` or `nobody`", Default: "`all`", About: "who sees the pieces"},
	{Name: "places", Value: "formula, or `all`", Default: "no places", About: "how many fixed places it has, for one piece each"},
	{Name: "remind", Value: "`true`", About: "screens show which piece lies at a hidden place to who has seen it there"},
	{Name: "marks", Value: "map by name", About: "what is written on pieces that go there"},
}, lexicon.Named)}

func (c *checker) zoneDecl(p *yamltree.Pair, home string) {
	f := c.fields(p, &zoneThing)
	z := &Zone{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&z.Info)
	if !f.want("of", "a zone") {
		return
	}
	if z.Family = c.familyNamed(f, "of", home); z.Family == nil {
		return
	}
	c.p.Zones = append(c.p.Zones, z)
	if n, ok := f.word("each"); ok {
		if z.Each = trim(n) == "seat"; !z.Each {
			c.errorf("E0203", n.Span, "a zone is there once, or `each: seat`")
		}
	}
	if n, ok := f.word("seen"); ok {
		seen, known := seenWords[trim(n)]
		if !known {
			d := c.errorf("E0203", n.Span, "unknown visibility `%s`", trim(n))
			c.didYouMean(d, trim(n), sortedKeys(seenWords), nil)
			d.WithHelp("it may be all, owner, others or nobody")
		}
		z.Seen = seen
	}
	sym := &symbol{name: z.Name, owner: home, what: "zone", span: p.Key.Span, ref: z, used: true}
	c.declare(c.names, sym)
	if z.Each {
		c.declare(c.seatFields, sym)
	}
	if f.pair("marks") != nil {
		c.marks(f, z, home)
	}
	c.places(f, z)
	if p := f.pair("starts"); p != nil && z.Each {
		c.notHere(p.Key.Span, "`starts` for a zone of every seat")
	} else if p != nil {
		c.later(func() { c.starts(f, z) })
	}
}

// starts types the pieces that begin in a zone; `all` is the whole family.
func (c *checker) starts(f fields, z *Zone) {
	p := f.pair("starts")
	pieces := SetOf(Type{Kind: KPiece, Family: z.Family})
	if n := p.Value; n.Kind == yamltree.Scalar && trim(n) == "all" {
		z.Starts = &Expr{Op: OpFamily, Ref: z.Family, Type: pieces, Span: n.Span, OpSpan: n.Span}
		return
	}
	z.Starts = f.formula(scope{}, "starts", pieces)
	c.pure(z.Starts, starting)
}
