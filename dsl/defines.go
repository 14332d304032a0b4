package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A defineSource is what it takes to type a define again with another `me`.
type defineSource struct {
	pair     *yamltree.Pair // of the formula or lookup
	want     Type           // its options, or Any
	forOwner *Define
}

// defines declares the defines of a section.
func (c *checker) defines(section *yamltree.Pair, home string) {
	defer c.under("define")()
	for _, p := range c.entries(section) {
		sig := c.signature(p.Key)
		if sig == nil {
			continue
		}
		name := sig.Name
		if sig.Owner != "" {
			name = sig.Owner + "." + name
		}
		func() {
			defer c.under(name)()
			c.define(p, sig, home)
		}()
	}
}

// signature reads the key of a define or an event.
func (c *checker) signature(key *yamltree.Node) *syntax.Signature {
	sig := parsed(c, func(ds *source.List) *syntax.Signature { return syntax.ParseSignature(textOf(key), ds) })
	if sig == nil || !c.checkWord(sig.Name, sig.NameSpan) {
		return nil
	}
	return sig
}

// defineThing has the keys of a define.
var defineThing = lexicon.Thing{Name: "a define", Path: "define.NAME", Short: "is", Keys: lexicon.With([]lexicon.Key{
	{Name: "is", Value: "formula, or a lookup", Default: lexicon.Must, About: "what the name stands for"},
	{Name: "options", Value: "list, or map of sentences", About: "the values that it may have, as names of its own"},
}, lexicon.Named)}

func (c *checker) define(p *yamltree.Pair, sig *syntax.Signature, home string) {
	f := fields{c: c, owner: p.Owner, span: p.Key.Span}
	lookup := p.Value.Kind == yamltree.Map && p.Value.Pair("is") == nil && (sig.HasArgs || p.Value.Pair("else") != nil)
	if lookup {
		f.pairs = []*yamltree.Pair{{Key: &yamltree.Node{Text: "is", Span: p.Key.Span}, Value: p.Value, Owner: p.Owner}}
	} else {
		f = c.fields(p, &defineThing)
	}
	d := &Define{Info: f.info(sig.Name, sig.NameSpan), Type: Any}
	d.Body = &Expr{Op: OpConst, Type: Any, Span: sig.NameSpan, OpSpan: sig.NameSpan}
	f.rule(&d.Info)
	c.p.Defines = append(c.p.Defines, d)
	want := Any
	if f.pair("options") != nil {
		want, d.Options = c.optionsOf(f, sig.Name)
		for _, o := range d.Options {
			want.Enum.Labels = append(want.Enum.Labels, o.Rule)
		}
		d.Type, d.Body.Type = want, want
	}
	sym := &symbol{name: sig.Name, owner: home, what: "define", span: sig.NameSpan, ref: d}
	body := f.pair("is")
	if !f.want("is", "a define") {
		body = nil
	}
	if !c.declareDefine(sym, sig, d) || body == nil {
		return
	}
	c.sources[d] = &defineSource{pair: body, want: want}
	sym.resolve = func() {
		defer c.in(d.Path)()
		s := scope{owner: body.Owner}
		for _, l := range d.Params {
			s = s.with(l)
		}
		if sig.Owner != "" {
			s.it = d.Params[0]
			if d.Params[0].Type.Kind == KSeat {
				s.me = d.Params[0]
			}
		}
		d.Body = c.body(s, d, body, want)
		d.Type = c.bodyType(d.Body)
	}
	c.later(func() {
		used := sym.used
		c.settle(sym)
		sym.used = used
	})
}

// declareDefine enters a define among the names, or among the fields of seats
// or pieces, and makes its parameters. It reports whether that could be done.
func (c *checker) declareDefine(sym *symbol, sig *syntax.Signature, d *Define) bool {
	t := c.names
	s := scope{owner: sym.owner}
	if sig.Owner != "" {
		owner := Type{}
		switch family := c.names.find(sig.Owner, sym.owner, c.needs[sym.owner]); {
		case sig.Owner == "seat":
			t, owner = c.seatFields, Seat
		case family != nil && isFamily(family.ref):
			fam := family.ref.(*Family)
			t, owner = c.pieceFields[fam], Type{Kind: KPiece, Family: fam}
		default:
			c.errorf("E0213", sig.NameSpan, "`%s` has no fields of its own", sig.Owner).
				WithHelp("a derived field belongs to `seat` or to a family of pieces")
			return false
		}
		sym.what = "field"
		l := c.newLocal("it", owner, sig.NameSpan)
		d.Params = append(d.Params, l)
	}
	if _, taken := functions[sig.Name]; taken && t == c.names {
		c.errorf("E0223", sig.NameSpan, "the name `%s` is taken", sig.Name).
			WithLabel("`%s` is a function of the language", sig.Name).
			WithHelp("choose another name; a name never hides another")
		return false
	}
	for _, p := range sig.Params {
		l := c.newLocal(p.Name, Any, p.Span)
		d.Params = append(d.Params, l)
		typ := p.Type
		if typ == nil {
			l.Type = Int
		}
		c.later(func() { c.bind(s, l); s = s.with(l) })
		if typ != nil {
			l.Type = c.typeOf(sym.owner, typ)
		}
	}
	c.declare(t, sym)
	return true
}

func isFamily(ref any) bool {
	_, ok := ref.(*Family)
	return ok
}

// body types the formula or the lookup of a define.
func (c *checker) body(s scope, d *Define, p *yamltree.Pair, want Type) *Expr {
	s.owner = p.Owner
	if p.Value.Kind != yamltree.Map {
		return c.adjusted(s, c.formula(s, p.Value, want), p.Value, want)
	}
	return c.adjusted(s, c.lookupBody(s, d, p, want), p.Value, want)
}

func (c *checker) bodyType(e *Expr) Type {
	if e.Type.Kind == KNone {
		c.errorf("E0221", e.Span, "`none` alone does not say what else this may be")
		return Any
	}
	return e.Type
}

// lookupBody types {key: value, .., else: value} over the first parameter.
func (c *checker) lookupBody(s scope, d *Define, p *yamltree.Pair, want Type) *Expr {
	span := p.Key.Span
	e := &Expr{Op: OpLookup, Type: Any, Span: span, OpSpan: span}
	if len(d.Params) == 0 {
		c.errorf("E0215", span, "a lookup needs a parameter to look at").
			WithHelp("write `%s(x): {1: .., else: ..}`", d.Name)
		return &Expr{Op: OpConst, Type: Any, Span: span, OpSpan: span}
	}
	subject := &Expr{Op: OpLocal, Ref: d.Params[0], Type: d.Params[0].Type, Span: d.Params[0].Span, OpSpan: d.Params[0].Span}
	e.Args = []*Expr{subject}
	var last *Expr
	var t Type
	seen := map[int64]bool{}
	complete := true
	for i, pair := range p.Value.Pairs {
		key, isElse := c.lookupKey(s, pair, subject.Type)
		vs := s
		vs.owner = pair.Owner
		value := c.formula(vs, pair.Value, want)
		if i == 0 {
			t = value.Type
		} else {
			t = c.unifyArms(t, value)
		}
		complete = complete && (isElse || key != nil)
		switch {
		case isElse:
			last = value
		case key != nil && seen[key.Int]:
			c.errorf("E0104", pair.Key.Span, "the key `%s` is there already", pair.Key.Text)
		case key != nil:
			seen[key.Int] = true
			e.Args = append(e.Args, key, value)
		}
	}
	e.Type = t
	if last == nil && !complete {
		last = &Expr{Op: OpConst, Type: Any, Span: span, OpSpan: span} // a key is wrong, which is reported
	} else if last == nil {
		last = c.lookupElse(e, seen, subject.Type, span)
	}
	e.Args = append(e.Args, last)
	return e
}

// lookupElse makes the last value the `else` of a lookup whose keys are all
// there are, and reports any other lookup without one.
func (c *checker) lookupElse(e *Expr, seen map[int64]bool, t Type, span source.Span) *Expr {
	l := typeBounds(t)
	if l.ok && (!t.Maybe && t.Kind != KInt && int64(len(seen)) == l.hi-l.lo+1 || allFaces(t.Family, seen)) {
		last := e.Args[len(e.Args)-1]
		e.Args = e.Args[:len(e.Args)-2]
		return last
	}
	c.errorf("E0309", span, "the lookup has no `else`").WithHelp("say what holds for all other keys: `else: ..`")
	return &Expr{Op: OpConst, Type: Any, Span: span, OpSpan: span}
}

func allFaces(fam *Family, seen map[int64]bool) bool {
	if fam == nil {
		return false
	}
	for _, f := range fam.Faces {
		if !seen[f.Number] {
			return false
		}
	}
	return len(fam.Faces) > 0
}

// lookupKey reads one key: a constant of the subject's type, or `else`.
func (c *checker) lookupKey(s scope, p *yamltree.Pair, t Type) (key *Expr, isElse bool) {
	if p.Key.Text == "else" {
		return nil, true
	}
	x := parsed(c, func(ds *source.List) syntax.Expr { return syntax.ParseExpr(textOf(p.Key), ds) })
	if x == nil {
		return nil, false
	}
	want := t
	want.Maybe = t.Maybe
	if name, ok := x.(*syntax.NameExpr); ok && t.Kind == KOption && t.Enum.Index(name.Name) < 0 {
		d := c.errorf("E0226", x.Span(), "`%s` has no option `%s`", t.Enum.Name, name.Name)
		c.didYouMean(d, name.Name, t.Enum.Values, nil)
		return nil, false
	}
	e := c.expect(c.expr(s, x, want), want)
	if e.Type.Kind == KAny {
		return nil, false
	}
	if e.Op != OpConst {
		c.errorf("E0221", e.Span, "a key of a lookup is a constant")
		return nil, false
	}
	return e, false
}

// forOwner returns a define with one more parameter: who `me` is. Derived
// fields use it, whose `me` is their owner and not who is asking.
func (c *checker) forOwner(d *Define) *Define {
	src := c.sources[d]
	if src.forOwner != nil {
		return src.forOwner
	}
	out := &Define{Info: d.Info, Type: d.Type}
	src.forOwner = out
	var quiet source.List
	old := c.ds
	c.ds = &quiet // d itself has been checked
	defer func() { c.ds = old }()
	s := scope{owner: src.pair.Owner}
	for _, l := range d.Params {
		l = c.newLocal(l.Name, l.Type, l.Span)
		out.Params = append(out.Params, l)
		s = s.with(l)
	}
	s.me = c.newLocal("me", Seat, d.Span)
	out.Params = append(out.Params, s.me)
	out.Body = c.body(s, out, src.pair, src.want)
	c.p.Defines = append(c.p.Defines, out)
	return out
}

// adjusted wraps a formula in what variants adjust it to.
func (c *checker) adjusted(s scope, e *Expr, n *yamltree.Node, want Type) *Expr {
	for _, a := range c.adjusts[n] {
		s := s
		s.owner = a.owner
		it := c.newLocal("it", e.Type, e.Span)
		s.it = it
		expected := want
		if want.Kind == KAny {
			expected = e.Type
		}
		found := len(*c.ds)
		around := c.formula(s, a.formula, expected)
		if (*c.ds)[found:].HasErrors() {
			continue // the type of what is wrong would be wrong all over the game
		}
		e = substitute(around, it, e)
	}
	return e
}

// An adjustment is a formula over `it` that a variant puts around another.
type adjustment struct {
	owner   string
	formula *yamltree.Node
}

// trim returns a scalar's text without space around it.
func trim(n *yamltree.Node) string { return strings.TrimSpace(n.Text) }
