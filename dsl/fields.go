package dsl

import (
	"regexp"
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// fields reads the keys of one map of the tree. Every value knows, by its
// pair, whose file it stands in: that decides which names it sees.
type fields struct {
	c     *checker
	pairs []*yamltree.Pair
	owner string          // of the map itself
	span  source.Span     // of the key that leads to the map
	wrong bool            // it is no map, which has been reported
	empty bool            // nothing stands there at all
	meant map[string]bool // keys that mistyped ones were meant for
}

// fields opens a map and reports the keys it may not have. A node that is no
// map stands for the short key of the thing, if it has one. more are keys that
// it may have besides.
func (c *checker) fields(p *yamltree.Pair, thing *lexicon.Thing, more ...string) fields {
	known := append(thing.Known(), more...)
	f := fields{c: c, owner: p.Owner, span: p.Key.Span, meant: map[string]bool{}}
	n := p.Value
	switch {
	case n == nil || n.Empty && n.Kind == yamltree.Scalar:
		f.empty = true
	case n.Kind == yamltree.Map:
		f.pairs = n.Pairs
	case thing.Short != "":
		f.pairs = []*yamltree.Pair{{Key: &yamltree.Node{Text: thing.Short, Span: p.Key.Span}, Value: n, Owner: p.Owner}}
		return f
	default:
		c.wrongKind(n, thing.Name, "a map of names").WithHelp("it may have %s", strings.Join(known, ", "))
		f.wrong = true
		return f
	}
	f.only(thing.Name, known)
	return f
}

func (c *checker) wrongKind(n *yamltree.Node, what, want string) *source.Diagnostic {
	return c.errorf("E0115", n.Span, "%s must be %s, not %s", what, want, n.Kind)
}

// only reports keys that are not known.
func (f fields) only(what string, known []string) {
	words := map[string]bool{}
	for _, k := range known {
		words[k] = true
	}
	for _, p := range f.pairs {
		if !words[p.Key.Text] {
			f.c.unknownKey(p.Key, what, known)
			for _, k := range source.Nearest(p.Key.Text, known) {
				f.meant[k] = true
			}
		}
	}
}

func (c *checker) unknownKey(key *yamltree.Node, what string, known []string) {
	d := c.errorf("E0103", key.Span, "unknown key `%s` in %s", key.Text, what)
	c.didYouMean(d, key.Text, known, nil)
	if len(d.Help) == 0 && len(known) <= 12 {
		d.WithHelp("it may have %s", strings.Join(known, ", "))
	}
}

func (f fields) pair(key string) *yamltree.Pair {
	for _, p := range f.pairs {
		if p.Key.Text == key {
			return p
		}
	}
	return nil
}

// has reports whether a key is there with something under it.
func (f fields) has(key string) bool {
	p := f.pair(key)
	return p != nil && !(p.Value.Kind == yamltree.Scalar && p.Value.Empty)
}

// want reports a key that must be there and is not.
func (f fields) want(key, what string) bool {
	if f.has(key) || f.wrong || f.meant[key] {
		return f.has(key)
	}
	if f.empty {
		f.c.errorf("E0114", f.span, "`%s` has no value", f.span.Text())
		return false
	}
	span := f.span
	if p := f.pair(key); p != nil {
		span = p.Key.Span
	}
	f.c.errorf("E0114", span, "%s has no `%s`", what, key)
	return false
}

// word reads a plain value: a name, a word, a sentence.
func (f fields) word(key string) (*yamltree.Node, bool) {
	p := f.pair(key)
	if p == nil {
		return nil, false
	}
	if p.Value.Kind != yamltree.Scalar {
		f.c.wrongKind(p.Value, "`"+key+"`", "one value")
		return nil, false
	}
	if p.Value.Empty || p.Value.Text == "" {
		f.c.errorf("E0114", p.Key.Span, "`%s` has no value", key)
		return nil, false
	}
	return p.Value, true
}

// words reads one word or a list of words.
func (f fields) words(key string) []*yamltree.Node {
	p := f.pair(key)
	if p == nil {
		return nil
	}
	switch p.Value.Kind {
	case yamltree.Map:
		f.c.wrongKind(p.Value, "`"+key+"`", "a list of words")
		return nil
	case yamltree.Scalar:
		if p.Value.Empty {
			return nil
		}
		return []*yamltree.Node{p.Value}
	}
	var out []*yamltree.Node
	for _, item := range p.Value.Items {
		if item.Kind != yamltree.Scalar || item.Empty {
			f.c.wrongKind(item, "an entry of `"+key+"`", "a word")
			continue
		}
		out = append(out, item)
	}
	return out
}

// formula reads and types a formula; nil if the key is absent.
func (f fields) formula(s scope, key string, want Type) *Expr {
	p := f.pair(key)
	if p == nil {
		return nil
	}
	defer f.c.under(key)()
	return f.c.formulaOf(s, p, want)
}

// formulaOf reads and types the formula under a pair, with what variants
// adjust it to.
func (c *checker) formulaOf(s scope, p *yamltree.Pair, want Type) *Expr {
	s.owner = p.Owner
	e := c.adjusted(s, c.formula(s, p.Value, want), p.Value, want)
	c.condition(e)
	return e
}

// formula types the formula in a node and insists on the type.
func (c *checker) formula(s scope, n *yamltree.Node, want Type) *Expr {
	x := c.parse(n)
	if x == nil {
		return &Expr{Op: OpConst, Type: Any, Span: n.Span, OpSpan: n.Span}
	}
	return c.expect(c.expr(s, x, want), want)
}

// parse reads a formula out of a node; nil after an error.
func (c *checker) parse(n *yamltree.Node) syntax.Expr {
	switch {
	case n.Kind != yamltree.Scalar:
		c.wrongKind(n, "this", "a formula")
	case n.Empty || strings.TrimSpace(n.Text) == "":
		c.errorf("E0114", n.Span, "a formula is missing")
	case n.Style == yamltree.Double:
		c.errorf("E0115", n.Span, "a formula stands here, and double quotes are for sentences").
			WithHelp("write it without quotes, or in single quotes").
			WithEdit(n.Span, "'"+strings.ReplaceAll(n.Text, "'", "''")+"'")
	case oddNumber.MatchString(strings.TrimSpace(n.Text)):
		yamltree.ReadInt(n, c.ds) // which says what is odd
		(*c.ds)[len(*c.ds)-1].Path = c.path
	default:
		return parsed(c, func(ds *source.List) syntax.Expr { return syntax.ParseExpr(textOf(n), ds) })
	}
	return nil
}

// oddNumber matches what was meant as a number and is spelt as none is.
var oddNumber = regexp.MustCompile(`^[-+]?(?:0[0-9][0-9_,]*|[0-9]+[_,][0-9_,]*[0-9]|[0-9]*\.[0-9]+|0[xXoObB][0-9A-Fa-f]+|\+[0-9]+)$`)

// parsed runs a parser of package syntax and notes the path in what it finds.
func parsed[T any](c *checker, parse func(ds *source.List) T) T {
	var found source.List
	out := parse(&found)
	for _, d := range found {
		if d.Path == "" {
			d.Path = c.path
		}
	}
	*c.ds = append(*c.ds, found...)
	return out
}

// template reads a sentence with formulas in braces; nil if the key is absent.
func (f fields) template(s scope, key string) *Template {
	p := f.pair(key)
	if p == nil {
		return nil
	}
	defer f.c.under(key)()
	if _, ok := f.word(key); !ok {
		return nil
	}
	s.owner = p.Owner
	return f.c.templateOf(s, p.Value)
}

func (c *checker) templateOf(s scope, n *yamltree.Node) *Template {
	t := parsed(c, func(ds *source.List) *syntax.Template { return syntax.ParseTemplate(textOf(n), ds) })
	return c.template(s, t)
}

// template types the formulas of a sentence. Any value can stand in one.
func (c *checker) template(s scope, t *syntax.Template) *Template {
	if t == nil {
		return nil
	}
	out := &Template{Span: t.Place}
	for _, part := range t.Parts {
		p := TemplatePart{Text: part.Text}
		if part.Expr != nil {
			p.Expr = c.expr(s, part.Expr, Any)
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// info reads what every named thing carries. The keys are title, rule, from.
func (f fields) info(name string, key source.Span) Info {
	info := Info{Name: name, Owner: f.owner, Span: key, Path: f.c.path}
	if f.pair("title") != nil {
		if n, ok := f.word("title"); ok {
			info.Title = n.Text
		}
	}
	info.From = f.from()
	return info
}

// rule reads the sentence of a thing once all names are declared. It may read
// only what stands fast before a game.
func (f fields) rule(into *Info) {
	if f.pair("rule") == nil {
		return
	}
	f.c.later(func() {
		f.c.inText = true // to be mentioned there is not to be used
		into.Rule = f.template(scope{}, "rule")
		f.c.inText = false
		if into.Rule == nil {
			return
		}
		for _, part := range into.Rule.Parts {
			f.c.pure(part.Expr, fixed)
		}
	})
}

// from reads the ids of printed rules.
func (f fields) from() []string {
	var out []string
	for _, n := range f.words("from") {
		out = append(out, n.Text)
		f.c.cited[n.Text] = true
		f.c.citations = append(f.c.citations, citation{n.Text, n.Span})
	}
	return out
}

// name checks the spelling of a declared name.
func (c *checker) checkName(key *yamltree.Node) bool {
	return c.checkWord(key.Text, key.Span)
}

func (c *checker) checkWord(name string, span source.Span) bool {
	ok := name != "" && name[0] >= 'a' && name[0] <= 'z'
	for i := 0; ok && i < len(name); i++ {
		ch := name[i]
		ok = ch >= 'a' && ch <= 'z' || ch >= '0' && ch <= '9' || ch == '_'
	}
	if !ok {
		d := c.errorf("E0119", span, "`%s` is not a name", name).
			WithHelp("names are small letters, digits and underscores, such as `all_thrown`")
		if strings.Contains(name, "-") {
			d.WithLabel("a hyphen would be a subtraction")
		}
	}
	return ok
}

// section returns the entries of a section or another map of named things.
func (c *checker) entries(p *yamltree.Pair) []*yamltree.Pair {
	if p == nil || p.Value == nil || p.Value.Empty && p.Value.Kind == yamltree.Scalar {
		return nil
	}
	if p.Value.Kind != yamltree.Map {
		c.wrongKind(p.Value, "`"+p.Key.Text+"`", "a map of names")
		return nil
	}
	return p.Value.Pairs
}
