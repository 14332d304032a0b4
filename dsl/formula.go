package dsl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// expr types one formula. want is the type that the place expects, or Any; it
// only helps to find options, faces and the element of an empty list. Ask
// [checker.expect] to insist on it.
func (c *checker) expr(s scope, x syntax.Expr, want Type) *Expr {
	switch x := x.(type) {
	case *syntax.NameExpr:
		return c.known(s, c.name(s, x, want))
	case *syntax.IntExpr:
		return &Expr{Op: OpConst, Type: Int, Int: x.Value, Span: x.Span(), OpSpan: x.Span()}
	case *syntax.BoolExpr:
		return boolConst(x.Value, x.Span())
	case *syntax.TextExpr:
		c.errorf("E0221", x.Span(), "a quoted text is no value").
			WithHelp("options and faces are written without quotes; only `.is(\"combo\", pieces)` takes a text")
		return bad(x)
	case *syntax.UnaryExpr:
		return c.unary(s, x)
	case *syntax.BinaryExpr:
		return c.binary(s, x, want)
	case *syntax.CondExpr:
		return c.cond(s, x, want)
	case *syntax.MemberExpr:
		return c.known(s, c.member(s, x))
	case *syntax.IndexExpr:
		return c.known(s, c.index(s, x))
	case *syntax.CallExpr:
		return c.known(s, c.call(s, x, want))
	case *syntax.ListExpr:
		return c.list(s, x, want)
	}
	return &Expr{Op: OpConst, Type: Any} // after a parse error there is no tree
}

// bad stands for a formula that could not be typed.
func bad(x syntax.Expr) *Expr {
	return &Expr{Op: OpConst, Type: Any, Span: x.Span(), OpSpan: x.Span()}
}

func boolConst(v bool, span source.Span) *Expr {
	e := &Expr{Op: OpConst, Type: Bool, Span: span, OpSpan: span}
	if v {
		e.Int = 1
	}
	return e
}

// known takes "or none" off the type of what has been tested before.
func (c *checker) known(s scope, e *Expr) *Expr {
	if e.Type.Maybe && e.Type.Kind != KNone && s.knows(keyOf(e)) {
		e.Type.Maybe = false
	}
	return e
}

func (c *checker) name(s scope, x *syntax.NameExpr, want Type) *Expr {
	e := &Expr{Span: x.Span(), OpSpan: x.Span()}
	local := s.find(x.Name)
	if x.Name == "it" && s.it != nil {
		local = s.it // nearer than the `it` of a derived field
	}
	sym := c.names.find(x.Name, s.owner, c.needs[s.owner])
	if i := optionIndex(want, x.Name); i >= 0 && !c.meansOption(local, sym, want) {
		e.Op, e.Int, e.Type = OpConst, int64(i), want
		e.Type.Maybe = false
		return e
	}
	switch {
	case local != nil:
		e.Op, e.Ref, e.Type = OpLocal, local, local.Type
	case x.Name == "it":
		if s.it == nil {
			c.errorf("E0213", x.Span(), "nothing is looked at here").
				WithHelp("`it` and `.field` stand inside `filter(list, ..)` and its like")
			return bad(x)
		}
		e.Op, e.Ref, e.Type = OpLocal, s.it, s.it.Type
	case sym != nil:
		return c.symbolValue(s, sym, e)
	default:
		if seat, ok := s.seats[x.Name]; ok {
			e.Op, e.Type, e.Int = OpConst, Seat, int64(seat)
			return e
		}
		if n, ok := faceNumber(want.Family, x.Name); ok {
			e.Op, e.Type, e.Int = OpConst, Type{Kind: KInt, Family: want.Family}, n
			return e
		}
		c.unknownName(s, x.Name, x.Span(), want)
		return bad(x)
	}
	return e
}

// meansOption reports whether a name that is also an option is better taken
// as the local or symbol, because that has the very type of the option.
func (c *checker) meansOption(local *Local, sym *symbol, want Type) bool {
	if local != nil {
		return local.Type.Kind == KOption && local.Type.Enum == want.Enum
	}
	if sym == nil {
		return false
	}
	p, ok := sym.ref.(*Param)
	return ok && p.Type.Kind == KOption && p.Type.Enum == want.Enum
}

func optionIndex(want Type, name string) int {
	if want.Kind != KOption || want.Enum == nil {
		return -1
	}
	return want.Enum.Index(name)
}

// faceNumber finds a named face of a family.
func faceNumber(f *Family, name string) (int64, bool) {
	if f == nil || name == "" {
		return 0, false
	}
	for _, face := range f.Faces {
		if face.Name == name {
			return face.Number, true
		}
	}
	return 0, false
}

// symbolValue fills in e as the value of a declared name.
func (c *checker) symbolValue(s scope, sym *symbol, e *Expr) *Expr {
	if !c.settle(sym) {
		c.errorf("E0224", e.Span, "`%s` needs itself", sym.name).WithRelated(sym.span, "`%s` is declared here", sym.name)
		e.Op, e.Type = OpConst, Any
		return e
	}
	e.Ref = sym.ref
	switch ref := sym.ref.(type) {
	case builtin:
		e.Op, e.Type, e.Ref = ref.op, ref.t, nil
		switch {
		case sym.name == "none":
			e.Int = None
		case ref.op == OpMe && s.me != nil:
			e.Op, e.Ref = OpLocal, s.me
		case ref.op == OpOthers && s.me != nil:
			return c.othersOf(s.me, e)
		}
	case *Param:
		e.Op, e.Type = OpParam, ref.Type
		if c.inText && c.mentions[ref].IsZero() {
			c.mentions[ref] = e.Span
		}
	case *Family:
		e.Op, e.Type = OpFamily, SetOf(Type{Kind: KPiece, Family: ref})
	case *Zone:
		e.Op, e.Type = OpZone, SetOf(Type{Kind: KPiece, Family: ref.Family})
		if ref.Each {
			c.errorf("E0221", e.Span, "every seat has a `%s`", sym.name).WithHelp("say whose: `me.%s`", sym.name)
			e.Op, e.Type, e.Ref = OpConst, Any, nil
		}
	case *Define:
		if len(ref.Params) > 0 {
			c.errorf("E0215", e.Span, "`%s` wants %s", sym.name, arguments(len(ref.Params))).
				WithRelated(sym.span, "`%s` is declared here", sym.name)
			e.Op, e.Type, e.Ref = OpConst, ref.Type, nil
			break
		}
		return c.callDefine(s, ref, e)
	case *Ghost:
		e.Op, e.Type = OpGhost, Seat
		e.Type.Maybe = true
	case *Table:
		return c.tableValue(s, sym, ref, e)
	default:
		c.errorf("E0221", e.Span, "`%s` is a %s, not a value", sym.name, sym.what).WithHelp("%s", howToUse(sym))
		e.Op, e.Type, e.Ref = OpConst, Any, nil
	}
	return e
}

// othersOf lists the players but one, from the left of that one.
func (c *checker) othersOf(me *Local, e *Expr) *Expr {
	node := func(op Op, t Type, ref any, args ...*Expr) *Expr {
		return &Expr{Op: op, Type: t, Ref: ref, Args: args, Span: e.Span, OpSpan: e.Span}
	}
	seat := func(l *Local) *Expr { return node(OpLocal, Seat, l) }
	it := c.newLocal("it", Seat, e.Span)
	round := node(OpAround, ListOf(Seat), nil, node(OpPlayers, SetOf(Seat), nil), seat(me))
	return node(OpFilter, ListOf(Seat), it, round, node(OpNe, Bool, nil, seat(it), seat(me)))
}

func howToUse(sym *symbol) string {
	switch sym.ref.(type) {
	case *Scope:
		return fmt.Sprintf("read what belongs to it: `%s.name`", sym.name)
	case *Scorer:
		return fmt.Sprintf("ask it about pieces: `%s.points(pieces)`", sym.name)
	}
	return fmt.Sprintf("`%s` cannot stand in a formula", sym.name)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// callDefine makes e a call without arguments or with those it has already.
// Inside a derived field, `me` is the owner, also in the defines it uses.
func (c *checker) callDefine(s scope, d *Define, e *Expr) *Expr {
	e.Op, e.Ref, e.Type = OpCall, d, d.Type
	if s.me != nil && c.sources[d] != nil && readsMe(d) {
		e.Ref = c.forOwner(d)
		e.Args = append(e.Args, &Expr{Op: OpLocal, Ref: s.me, Type: Seat, Span: e.Span, OpSpan: e.OpSpan})
	}
	return e
}

func (c *checker) unknownName(s scope, name string, span source.Span, want Type) {
	if meant := truthOf(name); meant != "" && (want.Kind == KBool || want.Kind == KAny) {
		c.errorf("E0111", span, "`%s` is not a truth value here", name).
			WithHelp("write `%s`", meant).WithEdit(span, meant)
		return
	}
	d := c.errorf("E0213", span, "unknown name `%s`", name).WithLabel("nothing of this name can be seen here")
	if name == "player" {
		d.WithHelp("state of the seat that decides is `me.name`, of another seat `s.name`")
		return
	}
	for _, id := range sortedKeys(c.names.private) {
		if c.names.own(name, id) != nil {
			d.WithHelp("it belongs to the variant `%s`: write `%s.%s`", id, snake(id), name).WithEdit(span, snake(id)+"."+name)
			return
		}
	}
	if sym := c.flowNames.find(name, s.owner, c.needs[s.owner]); sym != nil {
		d.WithLabel("it is %s, and that is no value", article(sym.what))
		d.WithRelated(sym.span, "`%s` is declared here", name)
		return
	}
	if whole, joined := hyphenated(span); joined {
		d.Message, d.Span = "unknown name `"+whole.Text()+"`", whole
		d.WithLabel("a hyphen is a subtraction; words of a name are joined by `_`")
		name = strings.ReplaceAll(whole.Text(), "-", "_")
		if c.names.find(name, s.owner, c.needs[s.owner]) != nil {
			d.WithHelp("did you mean `%s`?", name).WithEdit(whole, name)
			return
		}
	}
	if owner := c.ownerOf(s, name); owner != "" {
		d.WithHelp("state is read through its owner: `%s.%s`", owner, name).WithEdit(span, owner+"."+name)
		return
	}
	among := c.names.visible(s.owner, c.needs[s.owner])
	for f := s.locals; f != nil; f = f.up {
		among = append(among, f.local.Name)
	}
	for seat := range s.seats {
		among = append(among, seat)
	}
	if want.Kind == KOption {
		among = append(among, want.Enum.Values...)
	}
	c.didYouMean(d, name, among, func(word string) *symbol {
		return c.names.find(word, s.owner, c.needs[s.owner])
	})
}

// truthOf returns the truth value that other languages spell like this, or "".
func truthOf(name string) string {
	switch strings.ToLower(name) {
	case "yes", "on", "true":
		return "true"
	case "no", "off", "false":
		return "false"
	}
	return ""
}

// hyphenated returns the words joined by hyphens of which a span is one.
func hyphenated(s source.Span) (source.Span, bool) {
	if s.File == nil {
		return s, false
	}
	text, whole := s.File.Text, s
	in := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] == '_' || text[i] == '-')
	}
	for in(whole.Start - 1) {
		whole.Start--
	}
	for in(whole.End) {
		whole.End++
	}
	words := whole.Text()
	return whole, strings.Contains(words, "-") && words[0] != '-' && words[len(words)-1] != '-'
}

// ownerOf finds where state of a name lives: "turn", "me", .. or "".
func (c *checker) ownerOf(s scope, name string) string {
	for _, sc := range c.p.Scopes {
		if c.scopeFields[sc].find(name, s.owner, nil) != nil {
			return sc.Name
		}
	}
	if c.seatFields.find(name, s.owner, nil) != nil {
		return "me"
	}
	return ""
}
