package dsl

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// A function is one that the language brings along. check types its
// arguments and fills in the call.
type function struct {
	min, max int // number of arguments; max -1: any
	op       Op
	check    func(c *checker, s scope, x *syntax.CallExpr, e *Expr)
	forms    []string // how it is written
	about    string   // what it gives
}

// functions is filled by init because its entries reach back to it.
var functions map[string]function

func init() {
	functions = map[string]function{
		"len":       {1, 1, OpLen, ofCollection(Int), []string{"len(LIST)"}, "how many there are"},
		"empty":     {1, 1, OpEmpty, ofCollection(Bool), []string{"empty(LIST)"}, "whether there is none"},
		"sum":       {1, 2, OpSum, sumCall, []string{"sum(LIST)", "sum(LIST, NUMBER)"}, "the numbers, or a number for each element, added up"},
		"count":     {1, 2, OpCount, countCall, []string{"count(LIST)", "count(LIST, TEST)"}, "how many are true, or pass the test"},
		"any":       {2, 2, OpAny, test(Bool), []string{"any(LIST, TEST)"}, "whether some element passes; of nothing, no"},
		"all":       {2, 2, OpAll, test(Bool), []string{"all(LIST, TEST)"}, "whether all elements pass; of nothing, yes"},
		"none":      {2, 2, OpNone, test(Bool), []string{"none(LIST, TEST)"}, "whether no element passes; of nothing, yes"},
		"one":       {2, 2, OpOne, test(Bool), []string{"one(LIST, TEST)"}, "whether exactly one element passes"},
		"filter":    {2, 2, OpFilter, filterCall, []string{"filter(LIST, TEST)"}, "the elements that pass"},
		"map":       {2, 2, OpMap, mapCall, []string{"map(LIST, VALUE)"}, "the list of the value of each element"},
		"find":      {2, 2, OpFind, findCall, []string{"find(LIST, TEST)"}, "the first element that passes, or none"},
		"find_last": {2, 2, OpFindLast, findCall, []string{"find_last(LIST, TEST)"}, "the last element that passes, or none"},
		"highest":   {2, 2, OpHighest, keyCall, []string{"highest(LIST, NUMBER)"}, "all elements for which the number is highest: several if they tie"},
		"lowest":    {2, 2, OpLowest, keyCall, []string{"lowest(LIST, NUMBER)"}, "all elements for which the number is lowest: several if they tie"},
		"first":     {1, 1, OpFirst, elementCall, []string{"first(LIST)"}, "the first element; a fault if there is none"},
		"last":      {1, 1, OpLast, elementCall, []string{"last(LIST)"}, "the last element; a fault if there is none"},
		"nth":       {2, 2, OpNth, elementCall, []string{"nth(LIST, NUMBER)"}, "the element at a place, from 1, also written `list[k]`; a fault outside"},
		"take":      {2, 2, OpTake, takeCall, []string{"take(LIST, NUMBER)"}, "the first so many, or all if there are fewer"},
		"concat":    {1, -1, OpConcat, concatCall, []string{"concat(LIST, LIST, ..)"}, "one list behind the other"},
		"min":       {1, -1, OpMin, extremeCall, []string{"min(LIST)", "min(NUMBER, NUMBER, ..)"}, "the least of a list, or of these numbers; a fault of an empty list"},
		"max":       {1, -1, OpMax, extremeCall, []string{"max(LIST)", "max(NUMBER, NUMBER, ..)"}, "the greatest of a list, or of these numbers; a fault of an empty list"},
		"abs":       {1, 1, OpAbs, absCall, []string{"abs(NUMBER)"}, "the number without its sign"},
		"number_of": {2, 2, OpNumberOf, numberOfCall, []string{"number_of(FACE, PIECES)", "number_of(NUMBER, LIST)"}, "how many pieces show the face; of a list, how many are this number"},
		"after":     {2, 2, OpAfter, roundCall, []string{"after(SEATS, SEAT)"}, "the next of the seats after that one, and round again; a fault of nobody"},
		"around":    {2, 2, OpAround, roundCall, []string{"around(SEATS, SEAT)"}, "the seats in order, beginning with that one, or with the next that is there"},
	}
}

func (c *checker) call(s scope, x *syntax.CallExpr, want Type) *Expr {
	if x.Recv != nil {
		return c.method(s, x)
	}
	if sym := c.names.find(x.Fn, s.owner, c.needs[s.owner]); sym != nil {
		if d, ok := sym.ref.(*Define); ok {
			return c.defineCall(s, x, sym, d, nil)
		}
		if t, ok := sym.ref.(*Table); ok {
			return c.tableCall(s, x, sym, t)
		}
		if _, ok := functions[x.Fn]; !ok {
			c.errorf("E0215", x.FnSpan, "`%s` is a %s, not a function", x.Fn, sym.what).
				WithRelated(sym.span, "`%s` is declared here", x.Fn)
			return bad(x)
		}
	}
	f, ok := functions[x.Fn]
	if !ok {
		d := c.errorf("E0215", x.FnSpan, "unknown function `%s`", x.Fn)
		among := append(c.defineNames(s), sortedKeys(functions)...)
		c.didYouMean(d, x.Fn, among, func(w string) *symbol { return c.names.find(w, s.owner, nil) })
		return bad(x)
	}
	if n := len(x.Args); n < f.min || f.max >= 0 && n > f.max {
		wants := arguments(f.min)
		if f.max != f.min {
			wants = "at least " + wants
		}
		c.errorf("E0215", x.Span(), "`%s` wants %s, not %d", x.Fn, wants, n)
		return bad(x)
	}
	e := &Expr{Op: f.op, Type: Any, Span: x.Span(), OpSpan: x.FnSpan}
	f.check(c, s, x, e)
	return e
}

// defineNames lists the defines and tables that can be called here.
func (c *checker) defineNames(s scope) []string {
	var out []string
	for _, name := range c.names.visible(s.owner, c.needs[s.owner]) {
		if sym := c.names.find(name, s.owner, c.needs[s.owner]); sym != nil {
			switch sym.ref.(type) {
			case *Define, *Table:
				out = append(out, name)
			}
		}
	}
	return out
}

// defineCall types a call of a define; first holds arguments given already.
func (c *checker) defineCall(s scope, x *syntax.CallExpr, sym *symbol, d *Define, first []*Expr) *Expr {
	e := &Expr{Op: OpCall, Ref: d, Args: first, Span: x.Span(), OpSpan: x.FnSpan}
	if !c.settle(sym) {
		c.errorf("E0224", x.FnSpan, "`%s` needs itself", sym.name).WithRelated(sym.span, "`%s` is declared here", sym.name)
		return bad(x)
	}
	if len(x.Args)+len(first) != len(d.Params) {
		c.errorf("E0215", x.Span(), "`%s` wants %s, not %d", sym.name, arguments(len(d.Params)-len(first)), len(x.Args)).
			WithRelated(sym.span, "`%s` is declared here", sym.name)
		return bad(x)
	}
	for i, arg := range x.Args {
		want := d.Params[len(first)+i].Type
		e.Args = append(e.Args, c.expect(c.expr(s, arg, want), want))
	}
	return c.callDefine(s, d, e)
}

// method types X.f(args): a scorer asked about pieces, a function of a
// variant, or a derived field with arguments.
func (c *checker) method(s scope, x *syntax.CallExpr) *Expr {
	if sym := c.receiver(s, x.Recv); sym != nil {
		if sc, ok := sym.ref.(*Scorer); ok {
			c.settle(sym)
			return c.ask(s, x, sc)
		}
	}
	if name, ok := x.Recv.(*syntax.NameExpr); ok && s.find(name.Name) == nil {
		if id, ok := c.handles[name.Name]; ok {
			if sym := c.names.own(x.Fn, id); sym != nil {
				if d, ok := sym.ref.(*Define); ok {
					return c.defineCall(s, x, sym, d, nil)
				}
				if t, ok := sym.ref.(*Table); ok {
					return c.tableCall(s, x, sym, t)
				}
			}
			d := c.errorf("E0215", x.FnSpan, "the variant `%s` has no function `%s`", id, x.Fn)
			c.didYouMean(d, x.Fn, sortedKeys(c.names.private[id]), nil)
			return bad(x)
		}
	}
	on := c.expr(s, x.Recv, Any)
	if t := c.fieldsOf(on.Type); t != nil && !on.Type.Maybe {
		if sym := t.find(x.Fn, s.owner, c.needs[s.owner]); sym != nil {
			if d, ok := sym.ref.(*Define); ok {
				return c.defineCall(s, x, sym, d, []*Expr{on})
			}
		}
	}
	if on.Type.Kind != KAny {
		d := c.errorf("E0215", x.FnSpan, "%s has no function `%s`", article(on.Type.String()), x.Fn)
		if _, ok := functions[x.Fn]; ok {
			d.WithHelp("write `%s(%s)`", x.Fn, x.Recv.Span().Text())
		}
	}
	return bad(x)
}

func (c *checker) fieldsOf(t Type) *table {
	switch t.Kind {
	case KSeat:
		return c.seatFields
	case KPiece:
		return c.pieceFields[t.Family]
	}
	return nil
}

// receiver finds the symbol that a receiver names, also by way of a variant.
func (c *checker) receiver(s scope, x syntax.Expr) *symbol {
	switch x := x.(type) {
	case *syntax.NameExpr:
		if s.find(x.Name) == nil {
			return c.names.find(x.Name, s.owner, c.needs[s.owner])
		}
	case *syntax.MemberExpr:
		if name, ok := x.X.(*syntax.NameExpr); ok {
			if id, ok := c.handles[name.Name]; ok {
				return c.names.own(x.Name, id)
			}
		}
	}
	return nil
}

var scorerOps = map[string]struct {
	op    Op
	t     Type
	form  string
	about string
}{
	"points":    {OpPoints, Int, "SCORER.points(PIECES)", "the worth of the best split; 0 if there is none"},
	"all_score": {OpAllScore, Bool, "SCORER.all_score(PIECES)", "whether there is a split of all of them; no for no pieces"},
	"any_score": {OpAnyScore, Bool, "SCORER.any_score(PIECES)", "whether some of them can be scored"},
	"most":      {OpMost, Int, "SCORER.most(PIECES)", "how many can be scored at once, at most"},
	"is":        {OpIs, Bool, "SCORER.is(\"COMBO\", PIECES)", "whether they are, all together, this one combination"},
}

// ask types a question to a scorer.
func (c *checker) ask(s scope, x *syntax.CallExpr, sc *Scorer) *Expr {
	q, ok := scorerOps[x.Fn]
	if !ok {
		d := c.errorf("E0215", x.FnSpan, "a scorer has no `%s`", x.Fn)
		c.didYouMean(d, x.Fn, sortedKeys(scorerOps), nil)
		return bad(x)
	}
	e := &Expr{Op: q.op, Type: q.t, Ref: sc, Span: x.Span(), OpSpan: x.FnSpan}
	args := x.Args
	if q.op == OpIs {
		if len(args) != 2 {
			c.errorf("E0215", x.Span(), "`is` wants the name of a combination and pieces, as in `is(\"name\", pieces)`")
			return bad(x)
		}
		e.Int = c.comboIndex(sc, args[0])
		args = args[1:]
	}
	if len(args) != 1 {
		c.errorf("E0215", x.Span(), "`%s` wants the pieces to look at", x.Fn)
		return bad(x)
	}
	pieces := c.expr(s, args[0], SetOf(Type{Kind: KPiece, Family: sc.Family}))
	if sc.Family != nil {
		c.needPieces(pieces, sc.Family)
	}
	e.Args = []*Expr{pieces}
	return e
}

func (c *checker) comboIndex(sc *Scorer, x syntax.Expr) int64 {
	t, ok := x.(*syntax.TextExpr)
	if !ok {
		c.errorf("E0221", x.Span(), "the name of a combination stands in quotes here")
		return 0
	}
	var names []string
	for i, combo := range sc.Combos {
		if combo.Name == t.Value {
			return int64(i)
		}
		names = append(names, combo.Name)
	}
	d := c.errorf("E0213", x.Span(), "`%s` has no combination `%s`", sc.Name, t.Value)
	if near := source.Nearest(t.Value, names); len(near) > 0 {
		d.WithHelp("did you mean `%s`?", near[0])
	}
	return 0
}
