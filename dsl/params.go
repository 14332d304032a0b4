package dsl

import (
	"math"
	"unicode"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// params declares the params of a section. home is the variant to which they
// are private, "" for the game's.
func (c *checker) params(section *yamltree.Pair, home string) {
	defer c.under("params")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if c.checkName(p.Key) {
				c.param(p, home)
			}
		}()
	}
}

// paramThing has the keys of a param.
var paramThing = lexicon.Thing{Name: "a param", Path: "params.NAME", Short: "default", Keys: lexicon.With([]lexicon.Key{
	{Name: "default", Value: "value", Default: lexicon.Must, About: "what holds if nobody says otherwise: a number, a truth, an option or a list of numbers"},
	{Name: "options", Value: "list, or map of sentences", About: "the values that there are"},
	{Name: "min", Value: "number", About: "the least number"},
	{Name: "max", Value: "number", About: "the greatest number"},
	{Name: "step", Value: "number", Default: "1", About: "numbers go in steps from `min`, or from 0"},
}, lexicon.Named)}

func (c *checker) param(p *yamltree.Pair, home string) {
	f := c.fields(p, &paramThing)
	param := &Param{Info: f.info(p.Key.Text, p.Key.Span), Min: math.MinInt64, Max: math.MaxInt64, Step: 1, Type: Any}
	f.rule(&param.Info)
	c.p.Params = append(c.p.Params, param)
	c.declare(c.names, &symbol{name: param.Name, owner: home, what: "param", span: p.Key.Span, ref: param})
	if f.pair("options") != nil {
		param.Type, param.Options = c.optionsOf(f, param.Name)
	}
	param.Default = &Expr{Op: OpConst, Type: Any, Span: p.Key.Span, OpSpan: p.Key.Span}
	if !f.want("default", "a param") {
		return
	}
	done := c.under("default")
	param.Default = c.listOrFormula(scope{}, f.pair("default"), param.Type)
	done()
	c.pure(param.Default, constant)
	c.paramType(f, param)
	c.bound(f, "min", param, &param.Min)
	c.bound(f, "max", param, &param.Max)
	c.bound(f, "step", param, &param.Step)
	if param.Step < 1 {
		c.errorf("E0310", f.pair("step").Value.Span, "a step is at least 1")
		param.Step = 1
	}
	if param.Min > param.Max {
		c.errorf("E0310", f.pair("min").Value.Span, "`min` is more than `max`")
		return
	}
	c.inRange(param, param.Default)
}

// paramType takes the type of a param without options from its default.
func (c *checker) paramType(f fields, param *Param) {
	if param.Type.Kind == KOption {
		for _, key := range []string{"min", "max", "step"} {
			if p := f.pair(key); p != nil {
				c.errorf("E0103", p.Key.Span, "a param with options has no `%s`", key)
			}
		}
		return
	}
	switch t := param.Default.Type; t.Kind {
	case KInt:
		param.Type = Int
	case KBool:
		param.Type = Bool
	case KAny:
	case KList:
		c.listParam(param)
	default:
		c.errorf("E0221", param.Default.Span, "a param is an int, a bool, one of its options or a list of ints, not %s", article(t.String()))
		param.Default.Type = Any
	}
}

// listParam takes a list of numbers as the type of a param.
func (c *checker) listParam(param *Param) {
	switch elem := elemOf(param.Default.Type); {
	case elem.Kind == KInt && !elem.Maybe, elem.Kind == KAny && len(param.Default.Args) == 0:
		param.Type = ListOf(Int)
	case elem.Kind != KAny:
		c.errorf("E0221", param.Default.Span, "a list as a param has numbers, not %s", article(elem.String()))
		param.Default.Type = Any
	}
}

// optionsOf reads the values of a param or a define, each maybe with a
// sentence.
func (c *checker) optionsOf(f fields, name string) (Type, []ParamOption) {
	enum := &Enum{Name: name}
	var out []ParamOption
	add := func(n *yamltree.Node, rule string) {
		if !c.checkName(n) {
			return
		}
		if enum.Index(n.Text) >= 0 {
			c.errorf("E0223", n.Span, "the option `%s` is there already", n.Text)
			return
		}
		enum.Values = append(enum.Values, n.Text)
		out = append(out, ParamOption{n.Text, rule})
	}
	switch v := f.pair("options").Value; v.Kind {
	case yamltree.Map:
		for _, o := range v.Pairs {
			if o.Value.Kind != yamltree.Scalar {
				c.wrongKind(o.Value, "what an option means", "a sentence")
				continue
			}
			add(o.Key, o.Value.Text)
		}
	default:
		for _, n := range f.words("options") {
			add(n, "")
		}
	}
	if len(enum.Values) == 0 {
		c.errorf("E0114", f.pair("options").Key.Span, "`options` lists no value")
		return Any, nil
	}
	return Type{Kind: KOption, Enum: enum}, out
}

func (c *checker) bound(f fields, key string, param *Param, into *int64) {
	if f.pair(key) == nil || param.Type.Kind == KOption {
		return
	}
	if param.Type.Kind == KBool {
		c.errorf("E0103", f.pair(key).Key.Span, "a param that is true or false has no `%s`", key)
		return
	}
	e := f.formula(scope{}, key, Int)
	if e.Type.Kind == KAny {
		return
	}
	if e.Op != OpConst {
		c.errorf("E0221", e.Span, "`%s` is a number", key)
		return
	}
	*into = e.Int
}

// inRange reports a constant value that the param may not have; of a list, each
// of its numbers.
func (c *checker) inRange(param *Param, e *Expr) {
	if param.Type.Kind == KList && e.Type.Kind == KList {
		c.listInRange(param, e)
		return
	}
	if param.Type.Kind == KInt {
		c.numberInRange(param, e)
	}
}

func (c *checker) listInRange(param *Param, e *Expr) {
	if e.Op == OpList && len(e.Args) == 0 || e.Op == OpRange && e.Args[0].Op == OpConst && e.Args[1].Op == OpConst && e.Args[0].Int > e.Args[1].Int {
		c.errorf("E0310", e.Span, "`%s` has at least one number", param.Name)
	}
	if e.Op != OpList && e.Op != OpRange {
		return
	}
	for _, a := range e.Args {
		c.numberInRange(param, a)
	}
}

func (c *checker) numberInRange(param *Param, e *Expr) {
	if e.Op != OpConst || e.Type.Kind != KInt {
		return
	}
	var d *source.Diagnostic
	switch {
	case e.Int < param.Min:
		d = c.errorf("E0310", e.Span, "`%s` is at least %d, not %d", param.Name, param.Min, e.Int)
	case e.Int > param.Max:
		d = c.errorf("E0310", e.Span, "`%s` is at most %d, not %d", param.Name, param.Max, e.Int)
	case param.Step > 1 && (e.Int-stepBase(param))%param.Step != 0:
		d = c.errorf("E0310", e.Span, "`%s` goes in steps of %d, which %d is not", param.Name, param.Step, e.Int)
	default:
		return
	}
	if e.Span.File != param.Span.File || e.Span.Start < param.Span.Start || e.Span.Start > param.Span.Start+200 {
		d.WithRelated(param.Span, "`%s` is declared here", param.Name)
	}
}

// stepBase is the value from which steps are counted.
func stepBase(p *Param) int64 {
	if p.Min != math.MinInt64 {
		return p.Min
	}
	return 0
}

// setParam gives a param the value in a text, or in a list. by is the variant
// that does, "" for the user.
func (c *checker) setParam(param *Param, n *yamltree.Node, by string) {
	var e *Expr
	if n.Kind == yamltree.List {
		e = c.listOrFormula(scope{}, &yamltree.Pair{Key: n, Value: n, Owner: by}, param.Type)
	} else if e = c.setFormula(param, n, by); e == nil {
		return
	}
	c.pure(e, constant)
	c.inRange(param, e)
	param.Set, param.SetBy = e, by
}

func (c *checker) setFormula(param *Param, n *yamltree.Node, by string) *Expr {
	text := textOf(n)
	if !c.plainValue(param, n) {
		return nil
	}
	x := parsed(c, func(ds *source.List) syntax.Expr { return syntax.ParseExpr(text, ds) })
	if x == nil {
		return nil
	}
	if name, ok := x.(*syntax.NameExpr); ok && param.Type.Kind == KOption && param.Type.Enum.Index(name.Name) < 0 {
		d := c.errorf("E0226", x.Span(), "`%s` has no option `%s`", param.Name, name.Name)
		c.didYouMean(d, name.Name, param.Type.Enum.Values, nil)
		d.WithHelp("it may be %s", listWords(param.Type.Enum.Values))
		return nil
	}
	return c.expect(c.expr(scope{owner: by}, x, param.Type), param.Type)
}

// plainValue reports a value of a param that is no formula and does not fit
// the param either.
func (c *checker) plainValue(param *Param, n *yamltree.Node) bool {
	word := trim(n)
	found := len(*c.ds)
	switch {
	case n.Empty || word == "":
		c.errorf("E0114", n.Span, "no value for `%s`", param.Name)
	case param.Type.Kind == KBool && isWord(word) && c.names.find(word, "", nil) == nil:
		yamltree.ReadBool(n, c.ds)
	case param.Type.Kind == KInt && (n.Style == yamltree.Double || oddNumber.MatchString(word) || isWord(word) && c.names.find(word, "", nil) == nil):
		yamltree.ReadInt(n, c.ds)
	}
	for _, d := range (*c.ds)[found:] {
		d.Path = c.path
		d.WithRelated(param.Span, "`%s` is declared here", param.Name)
	}
	return len(*c.ds) == found
}

// isWord reports whether a text is nothing but letters.
func isWord(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return s != ""
}

// listWords joins words for people: `a`, `b` or `c`.
func listWords(words []string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " or "
		default:
			s += ", "
		}
		s += "`" + w + "`"
	}
	return s
}

// ParamsOf returns the params that a variant declares, or the game for "".
func (p *Program) ParamsOf(owner string) []*Param {
	var out []*Param
	for _, param := range p.Params {
		if param.Owner == owner {
			out = append(out, param)
		}
	}
	return out
}
