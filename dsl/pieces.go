package dsl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// faceless reports whether pieces have no faces, and were not meant to.
func (c *checker) faceless(f *Family) bool { return f != nil && len(f.Faces) == 0 && !c.noFaces[f] }

// maxPieces is the most pieces a family may have: sets of them are bit masks.
const maxPieces = 64

// families declares the pieces of a section. Families with kinds are read in
// kinds.go; of the others, every key that is not one of their own words is an
// attribute.
func (c *checker) families(section *yamltree.Pair, home string) {
	defer c.under("pieces")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if c.checkName(p.Key) {
				c.family(p, home)
			}
		}()
	}
}

// familyThing has the keys of a family of pieces.
var familyThing = lexicon.Thing{Name: "a family of pieces", Path: "pieces.NAME", Open: "attributes: a list with one value a piece, or a formula of `number`", Keys: lexicon.With([]lexicon.Key{
	{Name: "count", Value: "formula", Default: lexicon.Must, About: "how many there are"},
	{Name: "faces", Value: "`1..6`, or a list", Default: "no faces", About: "the sides, each as likely as the others"},
}, lexicon.Named)}

func (c *checker) family(p *yamltree.Pair, home string) {
	f := fields{c: c, owner: p.Owner, span: p.Key.Span}
	if p.Value.Kind != yamltree.Map {
		c.wrongKind(p.Value, "a family of pieces", "a map of names")
	}
	f.pairs = p.Value.Pairs
	fam := &Family{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&fam.Info)
	c.p.Families = append(c.p.Families, fam)
	c.pieceFields[fam] = newTable()
	c.declare(c.names, &symbol{name: fam.Name, owner: home, what: "family of pieces", span: p.Key.Span, ref: fam, used: true})
	if f.pair("kinds") != nil || f.pair("attributes") != nil && f.pair("count") == nil {
		c.kindFamily(f, fam)
		return
	}
	fam.Count = &Expr{Op: OpConst, Type: Any, Span: p.Key.Span, OpSpan: p.Key.Span}
	if f.want("count", "a family of pieces") {
		c.later(func() {
			fam.Count = f.formula(scope{}, "count", Int)
			c.pure(fam.Count, constantCount)
			c.countLimit(fam)
		})
	}
	if f.pair("faces") != nil {
		c.faces(f, fam)
	}
	for _, a := range f.pairs {
		switch {
		case slices.Contains(familyThing.Known(), a.Key.Text):
		case a.Key.Text == "attributes":
			c.errorf("E0103", a.Key.Span, "a family without kinds has no `attributes`").
				WithHelp("its attributes stand beside `count`: `colour: [white, red]`")
		default:
			c.attr(a, fam, home)
		}
	}
}

// constantCount is what the number of pieces may read.
var constantCount = purity{"the number of pieces", map[Op]bool{OpEveryone: true, OpParam: true}, fixed.help}

func (c *checker) countLimit(fam *Family) {
	lo, hi, ok := bounds(fam.Count)
	switch {
	case !ok:
	case hi > maxPieces && lo > maxPieces:
		c.errorf("E0331", fam.Count.Span, "a family has at most %d pieces", maxPieces)
	case hi < 1:
		c.errorf("E0331", fam.Count.Span, "a family has at least one piece")
	}
}

// faces reads `a..b`, a list of numbers, or a list of `name = number`.
func (c *checker) faces(f fields, fam *Family) {
	p := f.pair("faces")
	defer c.under("faces")()
	attr := &Attr{Info: Info{Name: "face", Owner: fam.Owner, Span: p.Key.Span, Path: c.path}, Family: fam, IsFace: true}
	fam.Attrs = append(fam.Attrs, attr)
	c.pieceFields[fam].add(&symbol{name: "face", what: "attribute", span: p.Key.Span, ref: attr, used: true})
	errors := c.ds.Count(source.Error)
	c.readFaces(f, fam)
	if len(fam.Faces) == 0 && c.ds.Count(source.Error) == errors {
		c.errorf("E0114", p.Key.Span, "`faces` lists no face")
	}
	attr.Type = Type{Kind: KInt, Family: fam}
	if len(fam.Faces) == 0 {
		attr.Type = Any
		c.noFaces[fam] = true
	}
}

func (c *checker) readFaces(f fields, fam *Family) {
	p := f.pair("faces")
	if p.Value.Kind == yamltree.Scalar {
		lo, hi, ok := c.constRange(p.Value)
		if !ok {
			return
		}
		if hi < lo || hi-lo >= 1000 {
			c.errorf("E0331", p.Value.Span, "a piece has from 1 to 1000 faces")
			return
		}
		for n := lo; n <= hi; n++ {
			fam.Faces = append(fam.Faces, Face{Number: n})
		}
	}
	for i, n := range f.words("faces") {
		if p.Value.Kind == yamltree.List {
			c.face(fam, n, int64(i+1))
		}
	}
}

// String writes a face as a file has it.
func (f Face) String() string {
	if f.Name == "" {
		return strconv.FormatInt(f.Number, 10)
	}
	return f.Name + " = " + strconv.FormatInt(f.Number, 10)
}

// face reads one entry: `4`, `ship = 1`, or a bare name, which counts on. What
// is there already is one more side with that face.
func (c *checker) face(fam *Family, n *yamltree.Node, next int64) {
	name, number, found := strings.Cut(n.Text, "=")
	face := Face{Name: strings.TrimSpace(name), Number: next}
	if !found {
		if v, err := strconv.ParseInt(face.Name, 10, 32); err == nil {
			face = Face{Number: v}
		}
	} else if v, err := strconv.ParseInt(strings.TrimSpace(number), 10, 32); err == nil {
		face.Number = v
	} else {
		c.errorf("E0203", n.Span, "a face is a number, or `name = number`")
		return
	}
	if face.Name != "" && !c.checkWord(face.Name, n.Span) {
		return
	}
	for _, old := range fam.Faces {
		if face.Name != "" && old.Name == face.Name && !found {
			face.Number = old.Number // it is the same face once more
		}
		if old != face && (old.Number == face.Number || face.Name != "" && old.Name == face.Name) {
			c.errorf("E0223", n.Span, "the face `%s` is there already, as `%s`", strings.TrimSpace(n.Text), old).
				WithHelp("a face that is there twice is written alike both times; any other one has a name and a number of its own")
			return
		}
	}
	fam.Faces = append(fam.Faces, face)
}

// constRange reads a..b of constants.
func (c *checker) constRange(n *yamltree.Node) (lo, hi int64, ok bool) {
	e := c.formula(scope{}, n, ListOf(Int))
	if e.Type.Kind == KAny {
		return 0, 0, false
	}
	if e.Op != OpRange || len(e.Args) != 2 || e.Args[0].Op != OpConst || e.Args[1].Op != OpConst {
		c.errorf("E0221", n.Span, "expected a range of numbers such as `1..6`")
		return 0, 0, false
	}
	return e.Args[0].Int, e.Args[1].Int, true
}

// attr reads one attribute of counted pieces: a list of values, one a piece, or a formula.
func (c *checker) attr(p *yamltree.Pair, fam *Family, home string) {
	defer c.under(p.Key.Text)()
	if !c.checkName(p.Key) {
		return
	}
	a := &Attr{Info: Info{Name: p.Key.Text, Owner: p.Owner, Span: p.Key.Span, Path: c.path}, Family: fam, Type: Any}
	sym := &symbol{name: a.Name, what: "attribute", span: p.Key.Span, ref: a, used: true}
	fam.Attrs = append(fam.Attrs, a)
	if p.Value.Kind == yamltree.List {
		c.storedAttr(a, p.Value)
		c.declare(c.pieceFields[fam], sym)
		return
	}
	a.Number = c.newLocal("number", Int, p.Key.Span)
	it := c.newLocal("it", Type{Kind: KPiece, Family: fam}, p.Key.Span)
	sym.resolve = func() {
		defer c.in(a.Path)()
		a.Formula = c.formulaOf(scope{}.with(a.Number).withIt(it), p, Any)
		c.pure(a.Formula, byNumber)
		a.Type = c.valueType(a.Formula)
	}
	c.declare(c.pieceFields[fam], sym)
	c.later(func() { c.settle(sym) })
}

// valueType insists on a type that a slot can hold: no list, not a bare none.
func (c *checker) valueType(e *Expr) Type {
	switch {
	case e.Type.Kind == KAny:
		return Any
	case e.Type.IsCollection(), e.Type.Kind == KNone:
		c.errorf("E0221", e.Span, "a single value is wanted here, not %s", article(e.Type.String()))
		return Any
	}
	return e.Type
}

// storedAttr reads the values of an attribute: all numbers, all true or false,
// or names, which make an option.
func (c *checker) storedAttr(a *Attr, list *yamltree.Node) {
	enum := &Enum{Name: a.Name}
	for i, n := range list.Items {
		if n.Kind != yamltree.Scalar || n.Empty {
			c.wrongKind(n, "the value of an attribute", "a number or a name")
			return
		}
		v, t := attrValue(n.Text, enum)
		if t.Kind == KOption && !c.checkName(n) {
			return
		}
		if i > 0 && t.Kind != a.Type.Kind {
			c.errorf("E0221", n.Span, "expected %s, got %s", a.Type, t)
			return
		}
		a.Type = t
		a.Values = append(a.Values, v)
	}
	if len(a.Values) == 0 {
		c.errorf("E0114", list.Span, "`%s` lists no value", a.Name)
		return
	}
	fam := a.Family
	c.later(func() {
		if n := fam.Count; n.Op == OpConst && n.Type.Kind == KInt && n.Int > int64(len(a.Values)) && n.Int <= maxPieces {
			c.errorf("E0331", list.Span, "`%s` has %d values for %d pieces", a.Name, len(a.Values), n.Int).
				WithRelated(n.Span, "the number of pieces")
		}
	})
}

// attrValue reads one stored value; names enter the enum.
func attrValue(text string, enum *Enum) (int64, Type) {
	switch text {
	case "true":
		return 1, Bool
	case "false":
		return 0, Bool
	}
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return v, Int
	}
	i := enum.Index(text)
	if i < 0 {
		i = len(enum.Values)
		enum.Values = append(enum.Values, text)
	}
	return int64(i), Type{Kind: KOption, Enum: enum}
}

// pieceWords reads what people write for pieces: faces by number or name, and
// attribute words that hold until the next word of the same attribute.
func (c *checker) pieceWords(t syntax.Text, fam *Family) []PieceWord {
	if fam != nil && fam.Kinds != nil {
		return c.lotWords(t, fam)
	}
	ps := parsed(c, func(ds *source.List) syntax.Pieces { return syntax.ParsePieces(t, ds) })
	if fam == nil || c.noFaces[fam] {
		return nil
	}
	var out []PieceWord
	var words []AttrValue
	for i, w := range ps.Words {
		if n, ok := faceOf(fam, w); ok {
			out = append(out, PieceWord{Face: n, Attrs: words, Span: ps.Places[i]})
			continue
		}
		v, ok := attrWord(fam, w)
		if !ok {
			c.unknownPiece(fam, w, ps.Places[i])
			return nil
		}
		words = override(words, v)
	}
	return out
}

func (c *checker) unknownPiece(fam *Family, word string, span source.Span) {
	d := c.errorf("E0226", span, "`%s` have no face or word `%s`", fam.Name, word)
	var among []string
	for _, f := range fam.Faces {
		if f.Name != "" && !slices.Contains(among, f.Name) {
			among = append(among, f.Name)
		}
	}
	for _, a := range fam.Attrs {
		if a.Type.Kind == KOption {
			among = append(among, a.Type.Enum.Values...)
		} else if a.Type.Kind == KBool {
			among = append(among, a.Name)
		}
	}
	c.didYouMean(d, word, among, nil)
}

// faceOf finds a face by number or name.
func faceOf(fam *Family, word string) (int64, bool) {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		for _, f := range fam.Faces {
			if f.Number == n {
				return n, true
			}
		}
		return 0, false
	}
	return faceNumber(fam, word)
}

// attrWord finds the attribute that has a word among its values. A bool
// attribute has its own name for true, and `plain` is false for all of them.
func attrWord(fam *Family, word string) (AttrValue, bool) {
	for _, a := range fam.Attrs {
		switch a.Type.Kind {
		case KOption:
			if i := a.Type.Enum.Index(word); i >= 0 {
				return AttrValue{a, int64(i)}, true
			}
		case KBool:
			if a.Name == word {
				return AttrValue{a, 1}, true
			}
			if word == "plain" {
				return AttrValue{a, 0}, true
			}
		}
	}
	return AttrValue{}, false
}

// override sets one attribute in a copy of a list.
func override(list []AttrValue, v AttrValue) []AttrValue {
	var out []AttrValue
	for _, old := range list {
		if old.Attr != v.Attr {
			out = append(out, old)
		}
	}
	return append(out, v)
}
