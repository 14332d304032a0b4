package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file reads what goes round the phases: how turns follow each other, how
// a game is ranked, what is shown of it, and what must always hold.

// turnsThing has the keys of `turns`.
var turnsThing = lexicon.Thing{Name: "`turns`", Path: "turns", Keys: lexicon.With([]lexicon.Key{
	{Name: "begin", Value: "phase", Default: "the first phase", About: "where a turn begins"},
	{Name: "order", Value: "`left`, `right`, or formula", Default: "`left`", About: "which way round turns go"},
	{Name: "skip", Value: "formula", Default: "nobody", About: "a condition on `me`: this seat gets no turn"},
}, lexicon.Named)}

func (c *checker) turns(section *yamltree.Pair) {
	if len(c.p.Phases) > 0 {
		c.p.Turns.Begin = c.p.Phases[0]
	}
	if section == nil {
		return
	}
	defer c.under("turns")()
	f := c.fields(section, &turnsThing)
	f.from()
	if n, ok := f.word("begin"); ok {
		if ph := c.phaseNamed(f.pair("begin").Owner, trim(n), n.Span); ph != nil {
			c.p.Turns.Begin = ph
		}
	}
	if n, ok := f.word("order"); ok {
		c.p.Turns.Right = c.order(f, n)
	}
	c.p.Turns.Skip = f.formula(scope{}, "skip", Bool)
}

// botsThing has the keys of `bots`.
var botsThing = lexicon.Thing{Name: "`bots`", Path: "bots", Keys: lexicon.With([]lexicon.Key{
	{Name: "remember", Value: "formula", Default: lexicon.Must, About: "of how many pieces that it has seen, and sees no longer, a player that is a program remembers where they lie"},
}, []lexicon.Key{lexicon.Rule, lexicon.From})}

// bots reads what players that are programs can do.
func (c *checker) bots(section *yamltree.Pair) {
	if section == nil {
		return
	}
	defer c.under("bots")()
	f := c.fields(section, &botsThing)
	f.from()
	f.rule(&Info{})
	if f.want("remember", "`bots`") {
		c.p.Remember = f.formula(scope{}, "remember", Int)
		c.pure(c.p.Remember, botsRead)
	}
}

// botsRead is what `bots` may read.
var botsRead = purity{"what bots can do", fixed.allowed, fixed.help}

// order reads `left`, `right`, or a formula of an option with these values.
func (c *checker) order(f fields, n *yamltree.Node) *Expr {
	switch trim(n) {
	case "left":
		return boolConst(false, n.Span)
	case "right":
		return boolConst(true, n.Span)
	}
	found := len(*c.ds)
	e := f.formula(scope{}, "order", Any)
	if e.Type.Kind == KAny {
		if more := (*c.ds)[found:]; len(more) == 1 && more[0].Code == "E0213" {
			more[0].WithHelp("the order is `left`, `right`, or a param with these two options")
		}
		return nil
	}
	if e.Type.Kind != KOption || e.Type.Maybe || e.Type.Enum.Index("left") < 0 || e.Type.Enum.Index("right") < 0 || len(e.Type.Enum.Values) != 2 {
		c.errorf("E0221", n.Span, "`order` is `left`, `right`, or an option with these two values, not %s", article(e.Type.String()))
		return nil
	}
	right := &Expr{Op: OpConst, Type: e.Type, Int: int64(e.Type.Enum.Index("right")), Span: n.Span, OpSpan: n.Span}
	return &Expr{Op: OpEq, Type: Bool, Args: []*Expr{e, right}, Span: n.Span, OpSpan: n.Span}
}

func (c *checker) rank(section *yamltree.Pair) {
	defer c.under("rank")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			c.rankKey(p)
		}()
	}
}

// rankThing has the keys of a key of `rank`.
var rankThing = lexicon.Thing{Name: "a key of `rank`", Path: "rank.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "by", Value: "formula", Default: lexicon.Must, About: "a number or a truth of `me`"},
	{Name: "first", Value: "`highest`, `lowest` or `true`", Default: lexicon.Must, About: "who comes first"},
	{Name: "when", Value: "formula", Default: "always", About: "whether this key counts at all"},
}, lexicon.Named)}

func (c *checker) rankKey(p *yamltree.Pair) {
	f := c.fields(p, &rankThing)
	k := &RankKey{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&k.Info)
	if !f.want("by", "a key of `rank`") || !f.want("first", "a key of `rank`") {
		return
	}
	k.By = f.formula(scope{}, "by", Any)
	n, _ := f.word("first")
	kind := KInt
	switch {
	case n == nil:
		return
	case trim(n) == "highest":
		k.Highest = true
	case trim(n) == "lowest":
	case trim(n) == "true":
		k.Highest, kind = true, KBool
	default:
		d := c.errorf("E0203", n.Span, "`first` is highest, lowest or true, not `%s`", trim(n))
		c.didYouMean(d, trim(n), []string{"highest", "lowest", "true"}, nil)
		return
	}
	c.need(k.By, kind)
	k.When = f.formula(scope{}, "when", Bool)
	for _, e := range []*Expr{k.By, k.When} {
		if at := opUse(e, OpWinners, map[any]bool{}); at != nil {
			c.errorf("E0224", at.Span, "`winners` is what `rank` finds out, so it cannot read it")
		}
	}
	c.p.Rank = append(c.p.Rank, k)
}

// opUse finds the first use of an operation, also by way of defines and tables, or nil.
func opUse(e *Expr, op Op, seen map[any]bool) *Expr {
	var found *Expr
	visit(e, func(e *Expr) bool {
		if found != nil {
			return false
		}
		ref, _, bodies := called(e)
		switch {
		case e.Op == op:
			found = e
		case ref != nil && !seen[ref]:
			seen[ref] = true
			for _, b := range bodies {
				if opUse(b, op, seen) != nil {
					found = e
				}
			}
		}
		return found == nil
	})
	return found
}

// sheetThing has the keys of `sheet`.
var sheetThing = lexicon.Thing{Name: "`sheet`", Path: "sheet", Keys: []lexicon.Key{
	{Name: "total", Value: "formula", Default: lexicon.Must, About: "the number of `me` at the head of a column"},
	{Name: "line", Value: "scope", Default: "`turn`", About: "with what a new line begins"},
}}

func (c *checker) sheet(section *yamltree.Pair) {
	if section == nil {
		return
	}
	defer c.under("sheet")()
	f := c.fields(section, &sheetThing)
	sh := &Sheet{Span: section.Key.Span}
	if f.want("total", "`sheet`") {
		sh.Total = f.formula(scope{}, "total", Int)
	}
	if n, ok := f.word("line"); ok {
		sh.Line = c.scopeNamed(n, "")
	}
	c.p.Sheet = sh
}

// showThing has the keys of a line of `show`.
var showThing = lexicon.Thing{Name: "a line of `show`", Path: "show.NAME", Short: "text", Keys: lexicon.With([]lexicon.Key{
	{Name: "text", Value: "sentence", Default: "this or `track` " + lexicon.Must, About: "what stands above the prompt"},
	{Name: "track", Value: "zone", About: "in place of `text`: a row of pieces, with where on it everybody stands"},
	{Name: "at", Value: "formula", About: "of a track: the number of a piece in the row, for each `me`"},
	{Name: "when", Value: "formula", Default: "always", About: "whether the line is there"},
}, []lexicon.Key{lexicon.Title, lexicon.From})}

func (c *checker) show(section *yamltree.Pair, home string) {
	defer c.under("show")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			f := c.fields(p, &showThing)
			l := &ShowLine{Info: f.info(p.Key.Text, p.Key.Span)}
			if f.pair("track") != nil {
				c.track(f, l)
			} else if f.want("text", "a line of `show`") {
				l.Text = f.template(scope{}, "text")
				c.open(l.Text)
			}
			l.When = f.formula(scope{}, "when", Bool)
			if l.Text != nil || l.Track != nil && l.At != nil {
				c.p.Show = append(c.p.Show, l)
			}
		}()
	}
}

// track reads a line that shows where on a row of pieces the players stand.
func (c *checker) track(f fields, l *ShowLine) {
	if p := f.pair("text"); p != nil {
		c.errorf("E0103", p.Key.Span, "a line of `show` has either `text` or `track`")
	}
	if !f.want("at", "a track") {
		return
	}
	l.Track = f.formula(scope{}, "track", Any)
	if l.Track.Type.Kind != KAny && (l.Track.Op != OpZone || len(l.Track.Type.Elem.Family.Faces) > 0) {
		c.errorf("E0221", l.Track.Span, "a track is a zone of pieces without faces")
		l.Track = nil
		return
	}
	c.openFormula(l.Track)
	l.At = f.formula(scope{}, "at", Int)
	c.openFormula(l.At)
}

// conditionThing has the keys of a condition.
var conditionThing = lexicon.Thing{Name: "a condition", Path: "invariants.NAME", Short: "that", Keys: lexicon.With([]lexicon.Key{
	{Name: "that", Value: "formula", Default: "this or `either` " + lexicon.Must, About: "what must hold"},
	{Name: "either", Value: "list of formulas", About: "in place of `that`: one of these is enough"},
	{Name: "else", Value: "sentence", About: "what people are told if it does not hold"},
}, lexicon.Named)}

// conditions reads named guards that stand by themselves: `require` at the top
// and `invariants`.
func (c *checker) conditions(section *yamltree.Pair, key string) []*Guard {
	if section == nil {
		return nil
	}
	defer c.under(key)()
	var out []*Guard
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			f := c.fields(p, &conditionThing)
			g := &Guard{Info: f.info(p.Key.Text, p.Key.Span)}
			f.rule(&g.Info)
			switch {
			case f.pair("either") != nil:
				g.That = c.either(f, scope{})
			case f.want("that", "a condition"):
				g.That = f.formula(scope{}, "that", Bool)
			}
			g.Else = f.template(scope{}, "else")
			if g.That == nil {
				return
			}
			if key == "require" {
				c.pure(g.That, fixedCondition)
			}
			out = append(out, g)
		}()
	}
	return out
}

// endingThing has the keys of `ending`.
var endingThing = lexicon.Thing{Name: "`ending`", Path: "ending", Short: "do", Keys: lexicon.With([]lexicon.Key{
	{Name: "do", Value: "script", About: "runs once after `finish`; it asks nobody and goes nowhere"},
}, []lexicon.Key{lexicon.Rule, lexicon.From})}

func (c *checker) ending(section *yamltree.Pair) {
	if section == nil {
		return
	}
	defer c.under("ending")()
	f := c.fields(section, &endingThing)
	f.from()
	c.p.Ending = f.script(scope{}, "do", exitsNone)
}
