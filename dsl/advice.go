package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file reads what the rules say for those who do not play by themselves:
// how good moves are, for players that are programs, and what of a game is
// worth counting, for simulations. Neither changes what is allowed.

// adviceThing has the keys of advice.
var adviceThing = lexicon.Thing{Name: "an entry of `advice`", Path: "advice.ACTION", Short: "value", Keys: lexicon.With([]lexicon.Key{
	{Name: "value", Value: "formula", Default: lexicon.Must, About: "a number, the more the better; it sees what guards of the action see"},
}, []lexicon.Key{lexicon.Rule, lexicon.From})}

// metricThing has the keys of a metric.
var metricThing = lexicon.Thing{Name: "a metric", Path: "metrics.NAME", Short: "of", Keys: lexicon.With([]lexicon.Key{
	{Name: "of", Value: "formula", Default: lexicon.Must, About: "a number or a truth that is taken of every game when it is over"},
	{Name: "per", Value: "formula", Default: "each game", About: "a number: the metric is all of the one by all of the other"},
}, lexicon.Named)}

// advice reads how good the moves of actions are: of the game if home is "",
// else of a variant. alone says that the game is played without variants, so
// that all that it speaks of must be there.
func (c *checker) advice(section *yamltree.Pair, home string, alone bool) {
	if section == nil {
		return
	}
	defer c.under("advice")()
	for _, p := range c.entries(section) {
		a := c.advised(p, home, alone)
		if a == nil {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			f := c.fields(p, &adviceThing)
			f.from()
			f.rule(&Info{})
			if !f.want("value", "an entry of `advice`") {
				return
			}
			s := c.actionScopes[a]
			e := f.formula(s, "value", Int)
			c.mayKnow(e)
			c.mayRead(e, s.blind)
			if old := a.Advice; old != nil {
				d := c.errorf("E0223", p.Key.Span, "there is advice on `%s` already", a.Name).WithRelated(old.Span, "it is here")
				if home != "" {
					d.WithHelp("give the move another value with `change: {advice.%s: ..}`, or add to it with `adjust`", p.Key.Text)
				}
				return
			}
			a.Advice = e
		}()
	}
}

// advised finds the action that an entry of `advice` speaks of: ACTION, or
// PHASE.ACTION.
func (c *checker) advised(p *yamltree.Pair, home string, alone bool) *Action {
	phase, name, dotted := strings.Cut(p.Key.Text, ".")
	if !dotted {
		phase, name = "", phase
	}
	var found []*Action
	var in, names []string
	look := func(where string, list []*Action, owner string) {
		for _, a := range list {
			if a.Variant != "" && a.Variant != home {
				continue
			}
			names = append(names, a.Name)
			if a.Name == name && (phase == "" || phase == where) {
				found, in = append(found, a), append(in, where)
			}
		}
	}
	for _, ph := range c.p.Phases {
		look(ph.Name, ph.Actions, "")
	}
	for _, h := range c.allHooks() {
		look("", h.Offer, h.Variant)
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		c.errorf("E0325", p.Key.Span, "there are %d actions called `%s`", len(found), name).
			WithHelp("say which one: `%s.%s`", in[0], name)
	case alone || home != "":
		d := c.errorf("E0303", p.Key.Span, "there is no action `%s`", p.Key.Text)
		c.didYouMean(d, name, names, nil)
	}
	return nil
}

// allHooks lists the hooks on all moments, in no particular order.
func (c *checker) allHooks() (out []*Hook) {
	for _, path := range sortedKeys(c.moments) {
		m := c.moments[path]
		for _, list := range []*[]*Hook{m.before, m.after} {
			if list != nil {
				out = append(out, *list...)
			}
		}
	}
	return out
}

// metrics reads what simulations count.
func (c *checker) metrics(section *yamltree.Pair) {
	if section == nil {
		return
	}
	defer c.under("metrics")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			f := c.fields(p, &metricThing)
			m := &Metric{Info: f.info(p.Key.Text, p.Key.Span)}
			f.rule(&m.Info)
			if !f.want("of", "a metric") {
				return
			}
			m.Of = f.formula(scope{}, "of", Any)
			if m.Per = f.formula(scope{}, "per", Int); m.Per != nil {
				c.need(m.Of, KInt)
			}
			c.measurable(m.Of)
			c.measurable(m.Per)
			c.p.Metrics = append(c.p.Metrics, m)
		}()
	}
}

// measurable reports a metric that is neither a number nor a truth, or that
// asks who is meant: it is taken once, at the end of a game.
func (c *checker) measurable(e *Expr) {
	if e == nil || e.Type.Kind == KAny {
		return
	}
	if k := e.Type.Kind; k != KInt && k != KBool || e.Type.Maybe {
		c.errorf("E0221", e.Span, "a metric is a number, or true or false, not %s", article(e.Type.String()))
		return
	}
	if reads(e, map[any]bool{}, OpMe, OpOthers) {
		c.errorf("E0225", e.Span, "a metric is taken of a game that is over, in which nobody is `me`").
			WithHelp("ask all seats: `max(map(everyone, .score))`, `sum(everyone, .busts)`")
	}
}
