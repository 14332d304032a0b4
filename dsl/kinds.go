package dsl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file reads families whose pieces have kinds. Attributes are declared
// first: their type comes from their options or their default, which may look
// at the kind and at other attributes. Then every kind says what its pieces
// have, and is cut into lots: pieces that are alike.

const (
	maxKindPieces = 128 // the most pieces of a family with kinds
	maxKinds      = 64
)

// kindFamilyThing has the keys of a family with kinds.
var kindFamilyThing = lexicon.Thing{Name: "a family with kinds", Path: "pieces.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "kinds", Value: "map by name", Default: lexicon.Must, About: "the kinds of pieces"},
	{Name: "attributes", Value: "map by name", About: "what each piece has"},
}, lexicon.Named)}

// kindThing has the keys of a kind.
var kindThing = lexicon.Thing{Name: "a kind", Path: "pieces.NAME.kinds.NAME", Open: "attributes, with the value that they have for this kind", Keys: lexicon.With([]lexicon.Key{
	{Name: "count", Value: "formula", Default: "1", About: "how many there are of it, or of each combination of `each`"},
	{Name: "each", Value: "map by attribute", About: "attributes that take several values in turn: `all`, a range or a list"},
	{Name: "short", Value: "word", Default: "the name, or the values of `each`", About: "what people type for such a piece; attributes stand in braces"},
}, lexicon.Named)}

// attributeThing has the keys of an attribute.
var attributeThing = lexicon.Thing{Name: "an attribute", Path: "pieces.NAME.attributes.NAME", Short: "default", Keys: lexicon.With([]lexicon.Key{
	{Name: "options", Value: "list, or map of what people type", About: "the values that there are"},
	{Name: "default", Value: "value or formula", About: "the value where a kind says nothing; without it every kind must say"},
	{Name: "colours", Value: "map by option", About: "the colour in which a terminal that has colours shows pieces with this value"},
}, lexicon.Named)}

func (c *checker) kindFamily(f fields, fam *Family) {
	known := kindFamilyThing.Known()
	for _, p := range f.pairs {
		switch key := p.Key.Text; {
		case key == "count" || key == "faces":
			c.errorf("E0103", p.Key.Span, "a family with kinds has no `%s`", key).
				WithHelp("each kind says how many there are of it: `NAME: {count: 5}`")
		case !slices.Contains(known, key):
			c.unknownKey(p.Key, kindFamilyThing.Name, known)
		}
	}
	kind := c.kindAttr(f, fam)
	for _, p := range c.entries(f.pair("attributes")) {
		done := c.under("attributes")
		c.pieceAttr(p, fam)
		done()
	}
	if !f.want("kinds", "a family of pieces") {
		return
	}
	shorts := map[string]*PieceKind{}
	for _, p := range c.entries(f.pair("kinds")) {
		done := c.in(join(join(c.path, "kinds"), p.Key.Text))
		if c.checkName(p.Key) {
			c.pieceKind(p, fam, kind, shorts)
		}
		done()
	}
	c.later(func() { c.kindLimits(f, fam) })
}

// kindAttr declares the attribute that every piece with a kind has.
func (c *checker) kindAttr(f fields, fam *Family) *Attr {
	a := &Attr{Info: Info{Name: "kind", Owner: fam.Owner, Span: f.span, Path: join(c.path, "kinds")}, Family: fam, IsKind: true}
	a.Type = Type{Kind: KOption, Enum: &Enum{Name: fam.Name + ".kind"}}
	fam.Attrs, fam.Kinds = []*Attr{a}, []*PieceKind{}
	c.pieceFields[fam].add(&symbol{name: a.Name, what: "attribute", ref: a, used: true})
	return a
}

// pieceAttr declares one attribute: a default, or a map with options.
func (c *checker) pieceAttr(p *yamltree.Pair, fam *Family) {
	defer c.under(p.Key.Text)()
	if !c.checkName(p.Key) {
		return
	}
	if slices.Contains(kindThing.Known(), p.Key.Text) {
		c.errorf("E0223", p.Key.Span, "the name `%s` is taken", p.Key.Text).
			WithLabel("kinds have a key `%s` of their own", p.Key.Text).WithHelp("choose another name")
		return
	}
	f := c.fields(p, &attributeThing)
	a := &Attr{Info: f.info(p.Key.Text, p.Key.Span), Family: fam, Type: Any}
	f.rule(&a.Info)
	a.It = c.newLocal("it", Type{Kind: KPiece, Family: fam}, p.Key.Span)
	if f.pair("options") != nil {
		c.attrOptions(f, a)
	}
	c.attrColours(f, a)
	sym := &symbol{name: a.Name, what: "attribute", span: p.Key.Span, ref: a, used: true}
	sym.resolve = func() {
		defer c.in(a.Path)()
		c.attrDefault(f, a)
		fam.Attrs = append(fam.Attrs, a) // behind those that its default reads
	}
	c.declare(c.pieceFields[fam], sym)
	c.later(func() { c.settle(sym) })
}

// attrOptions reads the values of an attribute, each maybe with what people
// type for it.
func (c *checker) attrOptions(f fields, a *Attr) {
	t, options := c.optionsOf(f, a.Name)
	for i, o := range options {
		if o.Rule != "" && !shortWord.MatchString(o.Rule) {
			c.badShort(o.Rule, f.pair("options").Value.Pairs[i].Value.Span)
		}
		a.Shorts = append(a.Shorts, o.Rule)
	}
	a.Type = t
}

// attrDefault reads what an attribute is where the kind says nothing.
func (c *checker) attrDefault(f fields, a *Attr) {
	options := a.Type.Kind == KOption
	if f.pair("default") == nil {
		if !options && f.pair("options") == nil {
			f.want("default", "an attribute without options")
		}
		return
	}
	want := a.Type
	if options {
		want.Maybe = true
	}
	done := c.under("default")
	a.Formula = c.listOrFormula(scope{}.withIt(a.It), f.pair("default"), want)
	c.pure(a.Formula, byKind)
	done()
	if options {
		a.Type.Maybe = a.Formula.Type.Maybe
		return
	}
	a.Type = c.attrType(a.Formula)
}

// attrType takes the type of an attribute from its default.
func (c *checker) attrType(e *Expr) Type {
	switch t := e.Type; {
	case t.Kind == KNone:
		c.errorf("E0221", e.Span, "`none` alone does not say what else this may be").
			WithHelp("name the values: `{options: [a, b], default: none}`")
		return Any
	case t.Kind == KInt, t.Kind == KBool, t.Kind == KOption, t.Kind == KAny:
		return t
	case t.Kind == KList && !t.Elem.Maybe && (t.Elem.Kind == KInt || t.Elem.Kind == KOption || t.Elem.Kind == KAny):
		return t
	}
	c.errorf("E0221", e.Span, "an attribute is an int, a bool, an option, or a list of ints or options, not %s", article(e.Type.String()))
	return Any
}

// pieceKind declares one kind; its lots are made once attributes are known.
func (c *checker) pieceKind(p *yamltree.Pair, fam *Family, kind *Attr, shorts map[string]*PieceKind) {
	f := c.fields(p, &kindThing, c.pieceFields[fam].attrNames()...)
	k := &PieceKind{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&k.Info)
	fam.Kinds = append(fam.Kinds, k)
	kind.Type.Enum.Values = append(kind.Type.Enum.Values, k.Name)
	kind.Type.Enum.Labels = append(kind.Type.Enum.Labels, k.Label())
	c.later(func() {
		l := &lotMaker{c: c, f: f, fam: fam, kind: k, shorts: shorts}
		l.cut()
	})
}

// attrNames lists the attributes of a family that kinds may set.
func (t *table) attrNames() []string {
	var out []string
	for _, s := range t.order {
		if a, ok := s.ref.(*Attr); ok && !a.IsKind {
			out = append(out, s.name)
		}
	}
	return out
}

// kindLimits asks that there are not too many kinds and pieces.
func (c *checker) kindLimits(f fields, fam *Family) {
	defer c.under("kinds")()
	key := f.pair("kinds").Key.Span
	if len(fam.Kinds) > maxKinds {
		c.errorf("E0331", key, "a family has at most %d kinds", maxKinds)
	}
	if n := (reach{}).pieces(fam); n.ok && n.lo > maxKindPieces {
		c.errorf("E0331", key, "a family with kinds has at most %d pieces, and these are %d", maxKindPieces, n.lo)
	}
	if len(fam.Kinds) == 0 && f.has("kinds") && f.pair("kinds").Value.Kind == yamltree.Map {
		c.errorf("E0114", key, "`kinds` lists no kind")
	}
}

// A lotMaker cuts one kind into lots.
type lotMaker struct {
	c      *checker
	f      fields
	fam    *Family
	kind   *PieceKind
	shorts map[string]*PieceKind // by what is typed, in small letters
	axes   []axis
	failed bool // a short form of this kind has been reported
}

// An axis is an attribute in `each`, with the values that it takes.
type axis struct {
	attr   *Attr
	values []*Expr
}

func (l *lotMaker) cut() {
	count := l.count()
	fixed := l.values()
	if l.f.has("each") {
		l.each(fixed)
	}
	l.complete(fixed)
	l.lots(count, fixed, 0)
}

// count reads how many there are of each lot.
func (l *lotMaker) count() *Expr {
	c := l.c
	if !l.f.has("count") {
		return &Expr{Op: OpConst, Type: Int, Int: 1, Span: l.kind.Span, OpSpan: l.kind.Span}
	}
	e := l.f.formula(scope{}, "count", Int)
	c.pure(e, constantCount)
	if _, hi, ok := bounds(e); ok && hi < 1 {
		c.errorf("E0331", e.Span, "a kind has at least one piece")
	}
	return e
}

// values reads the attributes that the kind sets.
func (l *lotMaker) values() map[*Attr]*Expr {
	out := map[*Attr]*Expr{}
	for _, sym := range l.c.pieceFields[l.fam].order {
		a, ok := sym.ref.(*Attr)
		if !ok || a.IsKind {
			continue
		}
		l.c.settle(sym)
		if p := l.f.pair(a.Name); p != nil {
			done := l.c.under(a.Name)
			out[a] = l.constant(l.c.listOrFormula(scope{}, p, a.Type))
			done()
		}
	}
	return out
}

// constant insists on a value that is written out.
func (l *lotMaker) constant(e *Expr) *Expr {
	if e.Type.Kind != KAny && !isConstant(e) {
		l.c.errorf("E0221", e.Span, "the attribute of a kind is a value that is written out, not a formula").
			WithHelp("let the `default` of the attribute be the formula; it may read `.kind`")
	}
	return e
}

func isConstant(e *Expr) bool {
	if e.Op == OpList {
		for _, a := range e.Args {
			if !isConstant(a) {
				return false
			}
		}
		return true
	}
	return e.Op == OpConst
}

// each reads for which values there is a lot each.
func (l *lotMaker) each(fixed map[*Attr]*Expr) {
	c := l.c
	defer c.under("each")()
	for _, p := range c.entries(l.f.pair("each")) {
		sym := c.pieceFields[l.fam].find(p.Key.Text, p.Owner, nil)
		a, ok := (*Attr)(nil), false
		if sym != nil {
			a, ok = sym.ref.(*Attr)
		}
		switch {
		case !ok || a.IsKind:
			d := c.errorf("E0214", p.Key.Span, "`%s` have no attribute `%s`", l.fam.Name, p.Key.Text)
			c.didYouMean(d, p.Key.Text, c.pieceFields[l.fam].attrNames(), nil)
		case fixed[a] != nil:
			c.errorf("E0104", p.Key.Span, "`%s` is set twice for this kind", a.Name).WithRelated(l.f.pair(a.Name).Key.Span, "it is here, too")
		default:
			l.axes = append(l.axes, axis{a, l.axisValues(a, p)})
		}
	}
}

// axisValues reads `all`, a range or a list of values.
func (l *lotMaker) axisValues(a *Attr, p *yamltree.Pair) []*Expr {
	c := l.c
	defer c.under(a.Name)()
	n := p.Value
	t := a.Type
	t.Maybe = false
	var out []*Expr
	switch {
	case n.Kind == yamltree.Map:
		c.wrongKind(n, "what an attribute takes in turn", "`all`, a range or a list")
	case t.Kind == KAny:
	case n.Kind == yamltree.List:
		for _, item := range n.Items {
			out = append(out, l.constant(c.formula(scope{owner: p.Owner}, item, t)))
		}
	case trim(n) == "all" && t.Kind == KOption:
		for i := range t.Enum.Values {
			out = append(out, &Expr{Op: OpConst, Type: t, Int: int64(i), Span: n.Span, OpSpan: n.Span})
		}
	case t.Kind == KInt && trim(n) != "all":
		out = c.rangeValues(n)
	default:
		c.errorf("E0221", n.Span, "`%s` takes a list of values in turn, such as `[a, b]`, a range such as `1..6`, or `all` if it has options", a.Name)
	}
	return out
}

// rangeValues lists the numbers of a range of constants.
func (c *checker) rangeValues(n *yamltree.Node) []*Expr {
	lo, hi, ok := c.constRange(n)
	if !ok {
		return nil
	}
	if hi < lo || hi-lo >= maxKindPieces {
		c.errorf("E0331", n.Span, "a kind takes from 1 to %d numbers in turn", maxKindPieces)
		return nil
	}
	var out []*Expr
	for v := lo; v <= hi; v++ {
		out = append(out, &Expr{Op: OpConst, Type: Int, Int: v, Span: n.Span, OpSpan: n.Span})
	}
	return out
}

// complete reports attributes without a default that the kind does not set.
func (l *lotMaker) complete(fixed map[*Attr]*Expr) {
	for _, a := range l.fam.Attrs[1:] {
		set := fixed[a] != nil || a.Formula != nil || a.Type.Kind == KAny
		for _, x := range l.axes {
			set = set || x.attr == a
		}
		if !set {
			l.c.errorf("E0114", l.kind.Span, "the kind `%s` does not say its `%s`", l.kind.Name, a.Name).
				WithRelated(a.Span, "it has no default").
				WithHelp("give the kind a value, or the attribute a `default`")
		}
	}
}

// lots makes a lot for each combination of the axes from the i-th on.
func (l *lotMaker) lots(count *Expr, values map[*Attr]*Expr, i int) {
	if len(l.kind.Lots) > maxKindPieces {
		return // which is reported
	}
	if i == len(l.axes) {
		own := make(map[*Attr]*Expr, len(values))
		for a, v := range values {
			own[a] = v
		}
		lot := &Lot{Kind: l.kind, Count: count, Values: own}
		lot.Short = l.short(own)
		l.kind.Lots = append(l.kind.Lots, lot)
		return
	}
	x := l.axes[i]
	for _, v := range x.values {
		values[x.attr] = v
		l.lots(count, values, i+1)
	}
	delete(values, x.attr)
}

// shortWord is what can be typed for a piece.
var shortWord = regexp.MustCompile(`^[A-Za-z0-9:_-]+$`)

// short works out what people type for a piece, and that nothing else has it.
func (l *lotMaker) short(values map[*Attr]*Expr) string {
	c := l.c
	text, at := l.kind.Name, l.kind.Span
	if l.f.pair("short") != nil {
		n, ok := l.f.word("short")
		if !ok || l.failed {
			l.failed = true
			return ""
		}
		if text, ok = l.fill(n, values); !ok {
			l.failed = true
			return ""
		}
		at = n.Span
	} else if len(l.axes) > 0 {
		text = ""
		for _, x := range l.axes {
			s, ok := shortOf(x.attr, values[x.attr])
			l.failed = l.failed || !ok && values[x.attr].Type.Kind == KAny
			text += s
		}
	}
	key := strings.ToLower(text)
	switch other := l.shorts[key]; {
	case l.failed:
	case !shortWord.MatchString(text):
		l.failed = true
		c.badShort(text, at)
	case other != nil:
		l.failed = true
		c.errorf("E0223", at, "the short form `%s` is taken", text).
			WithRelated(other.Span, "`%s` has it", other.Name).
			WithHelp("say what people type for `%s`: `short: ..`", l.kind.Name)
	}
	l.shorts[key] = l.kind
	return text
}

func (c *checker) badShort(text string, at source.Span) {
	c.errorf("E0203", at, "`%s` is no short form", text).
		WithHelp("people type letters, digits, `:`, `-` and `_`")
}

// fill puts attributes into the braces of a short form.
func (l *lotMaker) fill(n *yamltree.Node, values map[*Attr]*Expr) (string, bool) {
	c := l.c
	defer c.under("short")()
	var out strings.Builder
	text := n.Text
	for {
		from := strings.IndexByte(text, '{')
		if from < 0 {
			out.WriteString(text)
			return out.String(), true
		}
		to := strings.IndexByte(text, '}')
		if to < from {
			c.errorf("E0203", n.Span, "a brace in the short form is not closed")
			return "", false
		}
		name := strings.TrimSpace(text[from+1 : to])
		s, ok := l.filler(n, name, values)
		if !ok {
			return "", false
		}
		out.WriteString(text[:from] + s)
		text = text[to+1:]
	}
}

// filler is what one name in braces stands for.
func (l *lotMaker) filler(n *yamltree.Node, name string, values map[*Attr]*Expr) (string, bool) {
	c := l.c
	for a, v := range values {
		if a.Name != name {
			continue
		}
		s, ok := shortOf(a, v)
		if !ok && v.Type.Kind != KAny {
			c.errorf("E0221", n.Span, "`{%s}` in a short form is a number or an option", name)
		}
		return s, ok
	}
	d := c.errorf("E0214", n.Span, "this kind does not set `%s`", name)
	var among []string
	for a := range values {
		among = append(among, a.Name)
	}
	if near := source.Nearest(name, among); len(near) > 0 {
		d.WithHelp("did you mean `{%s}`?", near[0])
	}
	return "", false
}

// shortOf returns what people type for a value of an attribute.
func shortOf(a *Attr, v *Expr) (string, bool) {
	switch {
	case v == nil || v.Op != OpConst || v.Int == None:
		return "", false
	case v.Type.Kind == KInt:
		return strconv.FormatInt(v.Int, 10), true
	case v.Type.Kind != KOption:
		return "", false
	}
	if int(v.Int) < len(a.Shorts) && a.Shorts[v.Int] != "" {
		return a.Shorts[v.Int], true
	}
	return v.Type.Enum.Values[v.Int], true
}

// listOrFormula types what stands under a pair: a formula, or a list of them.
func (c *checker) listOrFormula(s scope, p *yamltree.Pair, want Type) *Expr {
	if p.Value.Kind != yamltree.List {
		return c.formulaOf(s, p, want)
	}
	s.owner = p.Owner
	n := p.Value
	e := &Expr{Op: OpList, Span: n.Span, OpSpan: n.Span}
	elem := elemOf(want)
	for _, item := range n.Items {
		arg := c.formula(s, item, elem)
		e.Args = append(e.Args, arg)
		if elem.Kind == KAny {
			elem = arg.Type
		}
	}
	e.Type = ListOf(elem)
	return c.adjusted(s, c.expect(e, want), n, want)
}
