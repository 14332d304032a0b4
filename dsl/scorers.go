package dsl

import (
	"sort"
	"strconv"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

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

func (c *checker) scorer(p *yamltree.Pair, home string) {
	f := c.fields(p, "a scorer", "", "of pays knows wild combos title rule from")
	sc := &Scorer{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&sc.Info)
	c.p.Scorers = append(c.p.Scorers, sc)
	c.declare(c.names, &symbol{name: sc.Name, owner: home, what: "scorer", span: p.Key.Span, ref: sc, used: true})
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
				if place.Var.Type.Kind != KInt && place.Var.Type.Kind != KAny {
					c.errorf("E0221", x.Span(), "points are an int, and `%s` is a %s", x.Span().Text(), place.Var.Type)
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

// know reads one fact of the moment, with its bounds.
func (c *checker) know(p *yamltree.Pair) *Know {
	defer c.under(p.Key.Text)()
	f := c.fields(p, "a fact of the moment", "value", "value min max title rule from")
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
	for key, into := range map[string]*int64{"min": &k.Lo, "max": &k.Hi} {
		if f.pair(key) == nil {
			continue
		}
		if e := f.formula(scope{}, key, Int); e.Op == OpConst && e.Type.Kind == KInt {
			*into = e.Int
		} else if e.Type.Kind != KAny {
			if l, h, known := bounds(e); known && key == "min" {
				*into = l
			} else if known {
				*into = h
			} else {
				c.errorf("E0221", e.Span, "`%s` is a number", key)
			}
		}
	}
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

// comboKeys are what a combination may have.
const comboKeys = "match letters where points like title rule from mark shout then"

// combo declares one combination; its body waits for all names.
func (c *checker) combo(p *yamltree.Pair, sc *Scorer) {
	defer c.under(p.Key.Text)()
	f := c.fields(p, "a combination", "", comboKeys)
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

// pattern resolves one pattern. New letters are added to the combination.
func (c *checker) pattern(n *yamltree.Node, fam *Family, combo *Combo, letters map[string]*Letter) *Pattern {
	x := parsed(c, func(ds *source.List) *syntax.Pattern { return syntax.ParsePattern(textOf(n), ds) })
	if x == nil || fam == nil || c.noFaces[fam] {
		return nil
	}
	out := &Pattern{Span: x.Place}
	var words []AttrValue
	least := int64(0)
	for i, item := range x.Items {
		for _, w := range item.Words {
			if v, ok := attrWord(fam, w); ok {
				words = override(words, v)
			}
		}
		if v, ok := attrWord(fam, item.Name); ok && item.Name != "" && i < len(x.Items)-1 && item.Count == 1 {
			if _, face := faceNumber(fam, item.Name); !face {
				words = override(words, v)
				continue
			}
		}
		pi := PatternItem{Attrs: words, Count: item.Count}
		if !c.patternFace(&pi, item, fam, combo, letters) {
			return nil
		}
		if item.CountVar != "" {
			if pi.CountLetter = c.letter(item.CountVar, true, item, fam, combo, letters); pi.CountLetter == nil {
				return nil
			}
			least++
		} else {
			least += item.Count
		}
		out.Items = append(out.Items, pi)
	}
	if _, hi, ok := bounds(fam.Count); ok && least > hi {
		c.errorf("E0330", out.Span, "this takes %d pieces, and there are %d `%s`", least, hi, fam.Name).
			WithRelated(fam.Count.Span, "the number of pieces")
	}
	return out
}

func (c *checker) patternFace(pi *PatternItem, item syntax.PatternItem, fam *Family, combo *Combo, letters map[string]*Letter) bool {
	word := item.Name
	if word == "" {
		word = strconv.FormatInt(item.Number, 10)
	}
	if n, ok := faceOf(fam, word); ok {
		pi.Face = n
		return true
	}
	if item.Name == "" {
		c.errorf("E0226", item.Place, "`%s` have no face %d", fam.Name, item.Number)
		return false
	}
	if len(item.Name) > 2 {
		c.unknownPiece(fam, item.Name, item.Place)
		return false
	}
	pi.Letter = c.letter(item.Name, false, item, fam, combo, letters)
	return pi.Letter != nil
}

// letter finds or makes a letter. One letter is either a face or a count.
func (c *checker) letter(name string, count bool, item syntax.PatternItem, fam *Family, combo *Combo, letters map[string]*Letter) *Letter {
	if l := letters[name]; l != nil {
		if l.Count != count {
			c.errorf("E0223", item.Place, "the letter `%s` stands for a face and for a number", name)
			return nil
		}
		return l
	}
	t := Type{Kind: KInt}
	if !count {
		t.Family = fam
	}
	l := &Letter{Local: c.newLocal(name, t, item.Place), Count: count}
	if count {
		_, hi, ok := bounds(fam.Count)
		if !ok {
			hi = maxPieces
		}
		for n := int64(1); n <= min(hi, maxPieces); n++ {
			l.Domain = append(l.Domain, n)
		}
	} else {
		for _, f := range fam.Faces {
			l.Domain = append(l.Domain, f.Number)
		}
		sort.Slice(l.Domain, func(i, j int) bool { return l.Domain[i] < l.Domain[j] })
	}
	letters[name] = l
	combo.Letters = append(combo.Letters, l)
	return l
}

// lettersOf narrows the domains of letters: `x: [2, 3]`, `n: 3..6`.
func (c *checker) lettersOf(f fields, combo *Combo, letters map[string]*Letter) {
	p := f.pair("letters")
	if p == nil {
		return
	}
	defer c.under("letters")()
	for _, pair := range c.entries(p) {
		if len(letters) == 0 {
			return // the pattern could not be read
		}
		l := letters[pair.Key.Text]
		if l == nil {
			c.errorf("E0213", pair.Key.Span, "the pattern has no letter `%s`", pair.Key.Text)
			continue
		}
		domain := c.domain(pair, l.Local.Type)
		if len(domain) == 0 {
			continue
		}
		l.Domain = intersect(l.Domain, domain)
		if len(l.Domain) == 0 {
			c.errorf("E0310", pair.Value.Span, "`%s` can be none of these", pair.Key.Text)
		}
	}
}

// domain reads the values of a letter: one, a list, or a range.
func (c *checker) domain(p *yamltree.Pair, t Type) []int64 {
	nodes := []*yamltree.Node{p.Value}
	if p.Value.Kind == yamltree.List {
		nodes = p.Value.Items
	}
	var out []int64
	for _, n := range nodes {
		x := c.parse(n)
		if x == nil {
			return nil
		}
		e := c.expr(scope{owner: p.Owner}, x, t)
		switch {
		case e.Type.Kind == KAny:
			return nil
		case e.Op == OpConst && e.Type.Kind == KInt:
			out = append(out, e.Int)
		case e.Op == OpRange && e.Args[0].Op == OpConst && e.Args[1].Op == OpConst && e.Args[1].Int-e.Args[0].Int < 1000:
			for v := e.Args[0].Int; v <= e.Args[1].Int; v++ {
				out = append(out, v)
			}
		default:
			c.errorf("E0221", n.Span, "expected numbers or faces")
			return nil
		}
	}
	return out
}

func intersect(a, b []int64) []int64 {
	in := map[int64]bool{}
	for _, v := range b {
		in[v] = true
	}
	var out []int64
	for _, v := range a {
		if in[v] {
			out = append(out, v)
		}
	}
	return out
}

// likes reads the examples beside a combination.
func (c *checker) likes(f fields, sc *Scorer, combo *Combo) {
	p := f.pair("like")
	if p == nil || sc.Family == nil {
		return
	}
	defer c.under("like")()
	for _, pair := range c.entries(p) {
		l := &Like{Pieces: c.pieceWords(textOf(pair.Key), sc.Family), Span: pair.Key.Span}
		if pair.Value.Kind != yamltree.Scalar {
			c.wrongKind(pair.Value, "what these pieces are worth", "a number or `no`")
			continue
		}
		if word := trim(pair.Value); word == "no" || word == "none" {
			l.Illegal = true
		} else if e := c.formula(scope{owner: pair.Owner}, pair.Value, Int); e.Op == OpConst && e.Type.Kind == KInt {
			l.Points = e.Int
		} else {
			if e.Type.Kind != KAny {
				c.errorf("E0221", e.Span, "expected a number or `no`")
			}
			continue
		}
		if l.Pieces != nil {
			combo.Like = append(combo.Like, l)
		}
	}
}

// summarize finds out which attributes a scorer reads.
func (c *checker) summarize(sc *Scorer) {
	reads := map[*Attr]bool{}
	add := func(e *Expr) {
		if e != nil {
			attrsIn(e, reads, map[*Define]bool{})
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
func attrsIn(e *Expr, into map[*Attr]bool, seen map[*Define]bool) {
	visit(e, func(e *Expr) bool {
		if a, ok := e.Ref.(*Attr); ok && e.Op == OpAttr {
			into[a] = true
			if a.Formula != nil {
				attrsIn(a.Formula, into, seen)
			}
		}
		if d, ok := e.Ref.(*Define); ok && e.Op == OpCall && !seen[d] {
			seen[d] = true
			attrsIn(d.Body, into, seen)
		}
		return true
	})
}
