package dsl

import (
	"slices"
	"strconv"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// pattern resolves one pattern. New letters are added to the combination.
func (c *checker) pattern(n *yamltree.Node, fam *Family, combo *Combo, letters map[string]*Letter) *Pattern {
	x := parsed(c, func(ds *source.List) *syntax.Pattern { return syntax.ParsePattern(textOf(n), ds) })
	if x == nil || fam == nil || c.noFaces[fam] || fam.Kinds != nil {
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
	if n := (reach{}).pieces(fam); n.ok && least > n.hi {
		c.errorf("E0330", out.Span, "this takes %d pieces, and there are %d `%s`", least, n.hi, fam.Name).
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
		most := int64(maxPieces)
		if have := (reach{}).pieces(fam); have.ok {
			most = min(have.hi, maxPieces)
		}
		for n := int64(1); n <= most; n++ {
			l.Domain = append(l.Domain, n)
		}
	} else {
		for _, f := range fam.Faces {
			l.Domain = append(l.Domain, f.Number)
		}
		slices.Sort(l.Domain)
		l.Domain = slices.Compact(l.Domain) // a face may be on several sides
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
