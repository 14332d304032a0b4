package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// records reads what of a finished game may be kept.
func (c *checker) records(section *yamltree.Pair) {
	defer c.under("records")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			c.record(p)
		}()
	}
}

// recordThing has the keys of a record.
var recordThing = lexicon.Thing{Name: "a record", Path: "records.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "value", Value: "formula", Default: lexicon.Must, About: "the number of `me` that is kept"},
	{Name: "better", Value: "`highest` or `lowest`", Default: lexicon.Must, About: "which of two numbers is the better one"},
	{Name: "shelf", Value: "formula", Default: "one shelf", About: "the option, number or truth of `me` by which records are kept apart"},
	{Name: "when", Value: "formula", Default: "always", About: "whether `me` has anything to keep"},
}, lexicon.Named)}

func (c *checker) record(p *yamltree.Pair) {
	f := c.fields(p, &recordThing)
	r := &RecordRule{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&r.Info)
	if !f.want("value", "a record") || !f.want("better", "a record") {
		return
	}
	r.Value = f.formula(scope{}, "value", Any)
	c.need(r.Value, KInt)
	if n, ok := f.word("better"); ok {
		switch trim(n) {
		case "highest":
			r.Highest = true
		case "lowest":
		default:
			d := c.errorf("E0203", n.Span, "`better` is highest or lowest, not `%s`", trim(n))
			c.didYouMean(d, trim(n), []string{"highest", "lowest"}, nil)
		}
	}
	r.Shelf = f.formula(scope{}, "shelf", Any)
	if r.Shelf != nil {
		switch t := r.Shelf.Type; {
		case t.Maybe:
			c.mayBeNone(r.Shelf)
		case t.Kind != KInt && t.Kind != KBool && t.Kind != KOption && t.Kind != KAny:
			c.errorf("E0221", r.Shelf.Span, "a shelf is an option, a number, or true or false, not %s", article(t.String()))
		}
	}
	r.When = f.formula(scope{}, "when", Bool)
	for _, e := range []*Expr{r.Value, r.Shelf, r.When} {
		c.openFormula(e)
	}
	c.p.Records = append(c.p.Records, r)
}
