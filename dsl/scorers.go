package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// maxCombos is the most combinations of a scorer: sets of them are bit masks.
const maxCombos = 64

// scorers declares the scorers of a section.
func (c *checker) scorers(section *yamltree.Pair, home string) {
	defer c.under("scorers")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if c.checkName(p.Key) {
				c.scorer(p, home)
			}
		}()
	}
}

// scorerThing has the keys of a scorer.
var scorerThing = lexicon.Thing{Name: "a scorer", Path: "scorers.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "of", Value: "family", Default: lexicon.Must, About: "what is scored; its pieces have faces"},
	{Name: "pays", Value: "state", About: "the number that `score` adds to"},
	{Name: "knows", Value: "map by name", About: "facts of the moment that combinations may read"},
	{Name: "wild", Value: "formula", Default: "none", About: "a condition on `it`: this piece may stand for any face"},
	{Name: "combos", Value: "map by name", Default: lexicon.Must, About: "the combinations"},
}, lexicon.Named)}

func (c *checker) scorer(p *yamltree.Pair, home string) {
	f := c.fields(p, &scorerThing)
	sc := &Scorer{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&sc.Info)
	c.p.Scorers = append(c.p.Scorers, sc)
	c.declare(c.names, &symbol{name: sc.Name, owner: home, what: "scorer", span: p.Key.Span, ref: sc})
	if f.want("of", "a scorer") {
		sc.Family = c.familyNamed(f, "of", home)
	}
	if c.faceless(sc.Family) {
		c.errorf("E0221", f.pair("of").Value.Span, "pieces of `%s` have no faces to score", sc.Family.Name)
	}
	c.pays[sc] = f.has("pays")
	sc.Kept = c.newLocal("kept", SetOf(Type{Kind: KPiece, Family: sc.Family}), p.Key.Span)
	sc.It = c.newLocal("it", Type{Kind: KPiece, Family: sc.Family}, p.Key.Span)
	if sc.Family == nil {
		sc.Kept.Type, sc.It.Type = Any, Any
	}
	if f.want("combos", "a scorer") {
		done := c.under("combos")
		for _, pair := range c.entries(f.pair("combos")) {
			if c.checkName(pair.Key) {
				c.combo(pair, sc)
			}
		}
		done()
	}
	if len(sc.Combos) > maxCombos {
		c.errorf("E0331", p.Key.Span, "a scorer has at most %d combinations", maxCombos)
	}
	c.later(func() { c.scorerBody(f, sc) })
}

// familyNamed reads the name of a family of pieces.
func (c *checker) familyNamed(f fields, key, home string) *Family {
	n, ok := f.word(key)
	if !ok {
		return nil
	}
	word := trim(n)
	if s := c.names.find(word, home, c.needs[home]); s != nil && isFamily(s.ref) {
		c.settle(s)
		return s.ref.(*Family)
	}
	d := c.errorf("E0213", n.Span, "unknown family of pieces `%s`", word)
	var among []string
	for _, fam := range c.p.Families {
		among = append(among, fam.Name)
	}
	c.didYouMean(d, word, among, nil)
	return nil
}

// scorerBody types what the combinations share, then the combinations.
func (c *checker) scorerBody(f fields, sc *Scorer) {
	s := scope{owner: f.owner}
	if f.pair("pays") != nil {
		done := c.under("pays")
		if x := c.parse(f.pair("pays").Value); x != nil {
			ps := s
			ps.owner = f.pair("pays").Owner
			if place := c.place(ps, x); place != nil {
				sc.Pays = place
				c.noKey(place, "`score`")
				if t := place.ValueType(); t.Kind != KInt && t.Kind != KAny {
					c.errorf("E0221", x.Span(), "points are an int, and `%s` is a %s", x.Span().Text(), t)
				}
			}
		}
		done()
	}
	inner := s
	if p := f.pair("knows"); p != nil {
		done := c.under("knows")
		for _, k := range c.entries(p) {
			if c.checkName(k.Key) {
				know := c.know(k)
				sc.Knows = append(sc.Knows, know)
				inner = c.bind(inner, know.Local)
			}
		}
		done()
	}
	if f.pair("wild") != nil {
		sc.Wild = f.formula(inner.withIt(sc.It), "wild", Bool)
		c.pure(sc.Wild, combination)
	}
	for _, combo := range sc.Combos {
		c.comboBodies[combo](inner)
	}
	c.summarize(sc)
}

// factThing has the keys of a fact of the moment.
var factThing = lexicon.Thing{Name: "a fact of the moment", Path: "scorers.NAME.knows.NAME", Short: "value", Keys: lexicon.With([]lexicon.Key{
	{Name: "value", Value: "formula", Default: lexicon.Must, About: "what it is: a number, a truth, a face or an option"},
	{Name: "min", Value: "number", About: "the least that it can be"},
	{Name: "max", Value: "number", About: "the most that it can be"},
}, lexicon.Named)}

// know reads one fact of the moment, with its bounds.
func (c *checker) know(p *yamltree.Pair) *Know {
	defer c.under(p.Key.Text)()
	f := c.fields(p, &factThing)
	k := &Know{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&k.Info)
	k.Local = c.newLocal(k.Name, Any, p.Key.Span)
	k.Value = &Expr{Op: OpConst, Type: Any, Span: p.Key.Span, OpSpan: p.Key.Span}
	if !f.want("value", "a fact of the moment") {
		return k
	}
	k.Value = f.formula(scope{}, "value", Any)
	k.Local.Type = c.valueType(k.Value)
	lo, hi, ok := bounds(k.Value)
	k.Lo, k.Hi = lo, hi
	c.knowBound(f, "min", &k.Lo)
	c.knowBound(f, "max", &k.Hi)
	ok = ok || f.pair("min") != nil && f.pair("max") != nil
	switch {
	case k.Value.Type.Kind == KAny:
	case k.Value.Type.Kind == KSeat || k.Value.Type.Kind == KPiece:
		c.errorf("E0221", k.Value.Span, "a fact of the moment is an int, a bool, a face or an option, not a %s", k.Value.Type)
	case !ok:
		c.errorf("E0114", p.Key.Span, "`%s` needs bounds", k.Name).
			WithHelp("write `%s: {value: .., min: .., max: ..}`", k.Name)
	case k.Lo > k.Hi:
		c.errorf("E0310", p.Key.Span, "`min` is more than `max`")
	}
	return k
}

// knowBound reads one bound: a number, or a formula whose own bounds are known.
func (c *checker) knowBound(f fields, key string, into *int64) {
	e := f.formula(scope{}, key, Int)
	if e == nil || e.Type.Kind == KAny {
		return
	}
	lo, hi, ok := bounds(e)
	switch {
	case !ok:
		c.errorf("E0221", e.Span, "`%s` is a number", key)
	case key == "min":
		*into = lo
	default:
		*into = hi
	}
}

// comboKeys are what a combination may have.
// comboThing has the keys of a combination.
var comboThing = lexicon.Thing{Name: "a combination", Path: "scorers.NAME.combos.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "match", Value: "pattern, or a list", Default: lexicon.Must, About: "the pieces that it takes"},
	{Name: "letters", Value: "map by letter", Default: "all faces", About: "the values that letters of the pattern may have"},
	{Name: "where", Value: "formula", Default: "always", About: "a further condition"},
	{Name: "points", Value: "formula", Default: lexicon.Must, About: "what it is worth"},
	{Name: "like", Value: "map by pieces", About: "examples: pieces, and what the whole scorer finds them worth, or `no`"},
	{Name: "mark", Value: "sentence", About: "a mark for the sheet when it is scored"},
	{Name: "shout", Value: "sentence", About: "what people shout when it is scored"},
	{Name: "then", Value: "script", About: "what happens when it is scored; its only exit is `finish`"},
}, lexicon.Named)}

// combo declares one combination; its body waits for all names.
func (c *checker) combo(p *yamltree.Pair, sc *Scorer) {
	defer c.under(p.Key.Text)()
	f := c.fields(p, &comboThing)
	combo := &Combo{Info: f.info(p.Key.Text, p.Key.Span), Index: len(sc.Combos)}
	f.rule(&combo.Info)
	sc.Combos = append(sc.Combos, combo)
	m := &moment{ref: combo, exits: exitsFinish, before: &combo.Before, after: &combo.After}
	c.addMoment(m)
	path := c.path
	c.comboBodies[combo] = func(s scope) {
		defer c.in(path)()
		m.scope = c.comboBody(f, sc, combo, s)
	}
}

func (c *checker) comboBody(f fields, sc *Scorer, combo *Combo, s scope) scope {
	s.owner = f.owner
	letters := map[string]*Letter{}
	if f.want("match", "a combination") {
		done := c.under("match")
		p := f.pair("match")
		nodes := []*yamltree.Node{p.Value}
		if p.Value.Kind == yamltree.List {
			nodes = p.Value.Items
		}
		for _, n := range nodes {
			if n.Kind != yamltree.Scalar || n.Empty {
				c.wrongKind(n, "a pattern", "faces and letters")
				continue
			}
			if m := c.pattern(n, sc.Family, combo, letters); m != nil {
				combo.Match = append(combo.Match, m)
			}
		}
		done()
		if len(combo.Match) < len(nodes) {
			return s // its letters are not known
		}
	}
	for _, l := range combo.Letters {
		s = c.bind(s, l.Local)
	}
	c.lettersOf(f, combo, letters)
	s = s.with(sc.Kept)
	if f.pair("where") != nil {
		combo.Where = f.formula(s, "where", Bool)
		c.pure(combo.Where, combination)
	}
	if f.want("points", "a combination") {
		combo.Points = f.formula(s, "points", Int)
		c.pure(combo.Points, combination)
	}
	combo.Mark, combo.Shout = f.template(s, "mark"), f.template(s, "shout")
	if f.pair("then") != nil {
		combo.Then = f.script(s, "then", exitsFinish)
	}
	c.likes(f, sc, combo)
	return s
}

// summarize finds out which attributes a scorer reads.
func (c *checker) summarize(sc *Scorer) {
	reads := map[*Attr]bool{}
	add := func(e *Expr) {
		if e != nil {
			attrsIn(e, reads, map[any]bool{})
		}
	}
	kept := map[*Local]bool{sc.Kept: true}
	add(sc.Wild)
	for _, combo := range sc.Combos {
		add(combo.Where)
		add(combo.Points)
		sc.ReadsKept = sc.ReadsKept || readsLocals(combo.Where, kept) || readsLocals(combo.Points, kept)
		for _, m := range combo.Match {
			for _, item := range m.Items {
				for _, v := range item.Attrs {
					reads[v.Attr] = true
				}
			}
		}
	}
	if sc.Family == nil {
		return
	}
	for _, a := range sc.Family.Attrs {
		if a.IsFace || reads[a] {
			sc.Reads = append(sc.Reads, a)
		}
	}
}

// attrsIn gathers the attributes that a formula reads.
func attrsIn(e *Expr, into map[*Attr]bool, seen map[any]bool) {
	visit(e, func(e *Expr) bool {
		if a, ok := e.Ref.(*Attr); ok && e.Op == OpAttr {
			into[a] = true
			if a.Formula != nil {
				attrsIn(a.Formula, into, seen)
			}
		}
		if ref, _, bodies := called(e); ref != nil && !seen[ref] {
			seen[ref] = true
			for _, b := range bodies {
				attrsIn(b, into, seen)
			}
		}
		return true
	})
}
