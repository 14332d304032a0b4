package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file reads decision tables. A table is typed when it is first used, or
// when all names are known: its rows may use other tables, but no table itself.

// rowThing has the keys of a row.
var rowThing = lexicon.Thing{Name: "a row", Path: "tables.NAME.rows.NAME", Short: "gives", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "otherwise the row does not apply"},
	{Name: "first", Value: "formula", About: "looks for the first piece that passes the test"},
	{Name: "last", Value: "formula", About: "looks for the last piece that passes the test"},
	{Name: "highest", Value: "formula", About: "looks for the piece with the highest number"},
	{Name: "lowest", Value: "formula", About: "looks for the piece with the lowest number"},
	{Name: "where", Value: "formula", About: "beside `highest` or `lowest`: only among these"},
	{Name: "gives", Value: "formula", Default: "the piece that is found", About: "the value"},
}, lexicon.Named)}

// decisionTables declares the tables of a section.
func (c *checker) decisionTables(section *yamltree.Pair, home string) {
	defer c.under("tables")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if c.checkName(p.Key) {
				c.decisionTable(p, home)
			}
		}()
	}
}

// tableThing has the keys of a table.
var tableThing = lexicon.Thing{Name: "a table", Path: "tables.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "of", Value: "`{NAME: ZONE}`", About: "pieces that the rows look through"},
	{Name: "given", Value: "map of types", About: "what else is handed over"},
	{Name: "gives", Value: "type, or a range", Default: "what the rows give", About: "the type of the value"},
	{Name: "take", Value: "`first` or `sum`", Default: "`first`", About: "whether the first row that applies decides, or all that apply are added up"},
	{Name: "rows", Value: "map by name", Default: lexicon.Must, About: "the rows, from the top"},
}, lexicon.Named)}

func (c *checker) decisionTable(p *yamltree.Pair, home string) {
	f := c.fields(p, &tableThing)
	t := &Table{Info: f.info(p.Key.Text, p.Key.Span), Type: Any}
	f.rule(&t.Info)
	if _, taken := functions[t.Name]; taken {
		c.errorf("E0223", p.Key.Span, "the name `%s` is taken", t.Name).
			WithLabel("`%s` is a function of the language", t.Name).
			WithHelp("choose another name; a name never hides another")
		return
	}
	c.p.Tables = append(c.p.Tables, t)
	sym := &symbol{name: t.Name, owner: home, what: "table", span: p.Key.Span, ref: t}
	r := &tableReader{c: c, f: f, home: home, t: t}
	sym.resolve = func() {
		defer c.in(t.Path)()
		r.read()
	}
	c.declare(c.names, sym)
	c.later(func() {
		used := sym.used
		c.settle(sym)
		sym.used = used
	})
}

// A tableReader reads one table.
type tableReader struct {
	c     *checker
	f     fields
	home  string
	t     *Table
	scope scope // what rows see

	want  Type // what rows must give; Any if the table does not say it
	found Type // what they have given so far
	finds bool // every row gives what it finds
}

func (r *tableReader) read() {
	c := r.c
	r.scope = scope{owner: r.f.owner}
	if r.f.pair("of") != nil {
		r.pieces()
	}
	for _, p := range c.entries(r.f.pair("given")) {
		done := c.in(join(join(c.path, "given"), p.Key.Text))
		if c.checkName(p.Key) {
			r.param(p)
		}
		done()
	}
	r.take()
	r.want, r.found, r.finds = r.gives(), Any, true
	if r.want.Kind != KAny {
		r.t.Type = r.want
	}
	if !r.f.want("rows", "a table") {
		return
	}
	rows := c.entries(r.f.pair("rows"))
	if len(rows) == 0 && r.f.pair("rows").Value.Kind == yamltree.Map {
		c.errorf("E0114", r.f.pair("rows").Key.Span, "`rows` lists no row")
	}
	for _, p := range rows {
		done := c.in(join(join(c.path, "rows"), p.Key.Text))
		if c.checkName(p.Key) {
			r.row(p)
		}
		done()
	}
	r.finish()
}

// pieces reads `of: {NAME: ZONE}`: what the pieces are called, and a zone of
// their family.
func (r *tableReader) pieces() {
	c, p := r.c, r.f.pair("of")
	defer c.under("of")()
	r.t.Pieces = true
	if p.Value.Kind != yamltree.Map || len(p.Value.Pairs) != 1 {
		c.errorf("E0115", p.Value.Span, "`of` gives the pieces a name and says a zone that holds such pieces").
			WithHelp("write `of: {played: ZONE}`")
		r.t.Params = append(r.t.Params, c.newLocal("", Any, p.Key.Span))
		return
	}
	pair := p.Value.Pairs[0]
	l := c.newLocal(pair.Key.Text, Any, pair.Key.Span)
	r.t.Params = append(r.t.Params, l)
	if !c.checkName(pair.Key) || !c.scalarOf(pair, "what a table is of") {
		return
	}
	word := trim(pair.Value)
	sym := c.names.find(word, r.home, c.needs[r.home])
	if sym == nil || !isZone(sym.ref) {
		d := c.errorf("E0213", pair.Value.Span, "unknown zone `%s`", word)
		var among []string
		for _, z := range c.p.Zones {
			among = append(among, z.Name)
		}
		c.didYouMean(d, word, among, nil)
	} else {
		l.Type = SetOf(Type{Kind: KPiece, Family: sym.ref.(*Zone).Family})
	}
	r.scope = c.bind(r.scope, l)
}

func isZone(ref any) bool {
	_, ok := ref.(*Zone)
	return ok
}

// param reads one entry of `given`: a name and its type.
func (r *tableReader) param(p *yamltree.Pair) {
	c := r.c
	l := c.newLocal(p.Key.Text, Any, p.Key.Span)
	r.t.Params = append(r.t.Params, l)
	if c.scalarOf(p, "what a table is given") {
		if x := c.parseType(p.Value); x != nil {
			l.Type = c.typeOf(p.Owner, x)
		}
	}
	r.scope = c.bind(r.scope, l)
}

func (r *tableReader) take() {
	n, ok := r.f.word("take")
	if !ok {
		return
	}
	switch trim(n) {
	case "sum":
		r.t.Sum = true
	case "first":
	default:
		d := r.c.errorf("E0203", n.Span, "`take` is first or sum, not `%s`", trim(n))
		r.c.didYouMean(d, trim(n), []string{"first", "sum"}, nil)
	}
}

// gives reads what the table gives: a type, or a range of numbers.
func (r *tableReader) gives() Type {
	c := r.c
	out := Any
	if r.t.Sum {
		out = Int
	}
	p := r.f.pair("gives")
	if p == nil {
		return out
	}
	defer c.under("gives")()
	if !c.scalarOf(p, "what a table gives") {
		return out
	}
	if strings.Contains(p.Value.Text, "..") {
		c.constRange(p.Value)
		return Int
	}
	x := c.parseType(p.Value)
	if x == nil {
		return out
	}
	t := c.typeOf(p.Owner, x)
	if r.t.Sum && t.Kind != KAny && (t.Kind != KInt || t.Maybe) {
		c.errorf("E0221", p.Value.Span, "`take: sum` adds up numbers, and this is %s", article(t.String()))
		return Int
	}
	return t
}

// finders are the keys of a row that look for a piece.
var finders = []struct {
	key  string
	mode FindMode
}{{"first", FindFirst}, {"last", FindLast}, {"highest", FindHighest}, {"lowest", FindLowest}}

// row reads one row. A row that is tested by `when` alone tells the rows below
// it that its test has failed.
func (r *tableReader) row(p *yamltree.Pair) {
	c := r.c
	f := c.fields(p, &rowThing)
	row := &Row{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&row.Info)
	r.t.Rows = append(r.t.Rows, row)
	s := r.scope
	if row.When = f.formula(s, "when", Bool); row.When != nil {
		s = s.knowing(narrow(row.When, true))
	}
	s = r.find(f, row, s)
	r.value(f, row, s)
	if row.Find == FindNothing && row.When != nil && !r.t.Sum {
		r.scope = r.scope.knowing(narrow(row.When, false))
	}
}

// find reads what a row looks for. The rest of the row sees it as `it`.
func (r *tableReader) find(f fields, row *Row, s scope) scope {
	c := r.c
	key := ""
	for _, x := range finders {
		p := f.pair(x.key)
		switch {
		case p == nil:
		case key != "":
			c.errorf("E0103", p.Key.Span, "a row looks for one piece, by `%s` or by `%s`", key, x.key)
		default:
			key, row.Find = x.key, x.mode
		}
	}
	where := f.pair("where")
	if row.Find == FindNothing {
		if where != nil {
			c.errorf("E0103", where.Key.Span, "`where` stands beside `highest` or `lowest`")
		}
		return s
	}
	elem := Any
	if r.t.Pieces {
		elem = elemOf(r.t.Params[0].Type)
	} else {
		c.errorf("E0221", f.pair(key).Key.Span, "`%s` has no pieces to look for one in", r.t.Name).
			WithHelp("say what the table is of: `of: {played: ZONE}`")
	}
	row.It = c.newLocal("it", elem, f.pair(key).Key.Span)
	s = s.withIt(row.It)
	if row.Find == FindFirst || row.Find == FindLast {
		if where != nil {
			c.errorf("E0103", where.Key.Span, "`where` stands beside `highest` or `lowest`").
				WithHelp("the condition stands after `%s`", key)
		}
		row.Where = f.formula(s, key, Bool)
		if row.Where.Op == OpConst && row.Where.Type.Kind == KBool && row.Where.Int == 1 {
			row.Where = nil
			return s
		}
		return s.knowing(narrow(row.Where, true))
	}
	if where != nil {
		row.Where = f.formula(s, "where", Bool)
		s = s.knowing(narrow(row.Where, true))
	}
	row.Key = f.formula(s, key, Int)
	return s
}

// value reads what a row gives.
func (r *tableReader) value(f fields, row *Row, s scope) {
	c := r.c
	switch {
	case f.has("gives"):
		row.Gives = c.underGives(f, s, r.want, r.found)
		r.finds = r.finds && row.Gives.Type.Kind == KNone
		r.join(row.Gives)
	case f.pair("gives") != nil:
		f.want("gives", "a row")
	case row.Find == FindNothing:
		if !f.empty && len(f.meant) == 0 {
			c.errorf("E0114", f.span, "the row `%s` gives nothing", row.Name).
				WithHelp("give it `gives: ..`, or something to look for: `first: ..`, `highest: ..`")
		} else if f.empty {
			f.want("gives", "a row")
		}
	default:
		it := &Expr{Op: OpLocal, Ref: row.It, Type: row.It.Type, Span: row.Span, OpSpan: row.Span}
		r.join(c.expect(it, r.want))
	}
}

// underGives types the value of a row; if the table does not say its type, the
// rows above help to understand options.
func (c *checker) underGives(f fields, s scope, want, found Type) *Expr {
	if want.Kind == KAny && found.Kind != KNone {
		p := f.pair("gives")
		defer c.under("gives")()
		s.owner = p.Owner
		x := c.parse(p.Value)
		if x == nil {
			return &Expr{Op: OpConst, Type: Any, Span: p.Value.Span, OpSpan: p.Value.Span}
		}
		return c.adjusted(s, c.expr(s, x, found), p.Value, found)
	}
	return f.formula(s, "gives", want)
}

// join adds what one more row gives to what the rows above give.
func (r *tableReader) join(e *Expr) {
	if r.want.Kind != KAny {
		return
	}
	t, ok := unify(r.found, e.Type)
	if !ok {
		r.c.errorf("E0221", e.Span, "expected %s, got %s", r.found, e.Type).
			WithHelp("every row must give the same type, or let the table say `gives: TYPE`")
		t = Any
	}
	r.found = t
}

// finish settles the type and asks that some row always applies.
func (r *tableReader) finish() {
	c, t := r.c, r.t
	if r.want.Kind == KAny {
		t.Type = r.found
		if t.Type.Kind == KNone {
			c.errorf("E0221", t.Span, "`none` alone does not say what else `%s` may give", t.Name).
				WithHelp("say it: `gives: T or none`")
			t.Type = Any
		}
		t.Type.Maybe = t.Type.Maybe || r.finds && len(t.Rows) > 0 && t.Type.Kind == KPiece
	}
	if t.Sum || len(t.Rows) == 0 || t.Type.Maybe || t.Type.Kind == KAny {
		return
	}
	if last := t.Rows[len(t.Rows)-1]; last.When != nil || last.Find != FindNothing {
		c.errorf("E0309", last.Span, "it can happen that no row of `%s` applies", t.Name).
			WithLabel("the last row does not apply always").
			WithHelp("let the last row have `gives` alone, or let the table give `%s or none`", t.Type)
	}
}

// tableValue makes e the value of a table without params.
func (c *checker) tableValue(s scope, sym *symbol, t *Table, e *Expr) *Expr {
	if len(t.Params) > 0 {
		c.errorf("E0215", e.Span, "`%s` wants %s", sym.name, arguments(len(t.Params))).
			WithRelated(sym.span, "`%s` is declared here", sym.name)
		e.Op, e.Type, e.Ref = OpConst, Any, nil
		return e
	}
	return c.callTable(s, t, e)
}

// tableCall types a call of a table.
func (c *checker) tableCall(s scope, x *syntax.CallExpr, sym *symbol, t *Table) *Expr {
	if !c.settle(sym) {
		c.errorf("E0224", x.FnSpan, "`%s` needs itself", sym.name).WithRelated(sym.span, "`%s` is declared here", sym.name)
		return bad(x)
	}
	if len(x.Args) != len(t.Params) {
		c.errorf("E0215", x.Span(), "`%s` wants %s, not %d", sym.name, arguments(len(t.Params)), len(x.Args)).
			WithRelated(sym.span, "`%s` is declared here", sym.name)
		return bad(x)
	}
	e := &Expr{Span: x.Span(), OpSpan: x.FnSpan}
	for i, arg := range x.Args {
		want := t.Params[i].Type
		e.Args = append(e.Args, c.expect(c.expr(s, arg, want), want))
	}
	return c.callTable(s, t, e)
}

// callTable makes e a call. Inside a field of seats `me` is the owner, which a
// table cannot know.
func (c *checker) callTable(s scope, t *Table, e *Expr) *Expr {
	e.Op, e.Ref, e.Type = OpTable, t, t.Type
	if s.me != nil && reads(e, map[any]bool{}, OpMe, OpOthers) {
		c.errorf("E0225", e.OpSpan, "`%s` reads `me`, which is another seat in a field of seats", t.Name).
			WithRelated(t.Span, "it is declared here").
			WithHelp("hand the seat in: `given: {who: seat}`")
	}
	return e
}

// formulas lists all formulas of a table.
func (t *Table) formulas() []*Expr {
	var out []*Expr
	for _, r := range t.Rows {
		for _, e := range []*Expr{r.When, r.Where, r.Key, r.Gives} {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// called returns what a formula calls, a define or a table, with the formulas
// inside; nil if it calls nothing. Walkers look into them once.
func called(e *Expr) (ref any, params []*Local, inside []*Expr) {
	switch ref := e.Ref.(type) {
	case *Define:
		if e.Op == OpCall {
			return ref, ref.Params, []*Expr{ref.Body}
		}
	case *Table:
		if e.Op == OpTable {
			return ref, ref.Params, ref.formulas()
		}
	}
	return nil, nil, nil
}
