package dsl

import (
	"slices"
	"sort"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A moment is something that guards and hooks can be put on. Merging names it
// by its path.
type moment struct {
	ref           any   // *Phase, *Action, *Event or *Combo
	scope         scope // what a hook on it sees
	exits         exitMode
	before, after *[]*Hook
}

// addMoment makes a moment known under the path that the checker is at.
func (c *checker) addMoment(m *moment) { c.moments[c.path] = m }

// sectionPath is the path of a thing that a variant has for itself, or of the
// game's if home is "".
func sectionPath(home string, keys ...string) string {
	return merge.Path{Root: home, Keys: keys}.String()
}

// momentOf finds what merging found a hook to stand on.
func (c *checker) momentOf(m merge.Moment) *moment { return c.moments[m.Path.String()] }

// guards adds what variants require of actions and forbid.
func (c *checker) guards(list []merge.GuardPatch) {
	for _, g := range list {
		m := c.momentOf(g.Action)
		if m == nil {
			continue
		}
		action, ok := m.ref.(*Action)
		if !ok {
			continue
		}
		func() {
			defer c.in(join(sectionPath(g.Owner, g.Verb), pathTail(g.Action.Path)))()
			guard := c.variantGuard(g, m)
			action.Require = append(action.Require, guard)
		}()
	}
	for _, ph := range c.p.Phases {
		for _, a := range ph.Actions {
			sortGuards(a)
		}
	}
}

func pathTail(p merge.Path) string { return p.Keys[len(p.Keys)-1] }

// forbidThing has the keys of `forbid`.
var forbidThing = lexicon.Thing{Name: "`forbid`", Path: "forbid.ACTION", Short: "when", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: lexicon.Must, About: "while it holds the action is refused"},
	{Name: "because", Value: "sentence", About: "what people are told"},
}, lexicon.Named)}

func (c *checker) variantGuard(g merge.GuardPatch, m *moment) *Guard {
	p := &yamltree.Pair{Key: &yamltree.Node{Text: g.Name, Span: g.NameSpan}, Value: g.Node, Owner: g.Owner}
	if g.Verb == "require" {
		guard := c.guard(p, m.scope)
		guard.Variant, guard.Owner = g.Owner, g.Owner
		return guard
	}
	f := c.fields(p, &forbidThing)
	name := g.Owner
	if name == "" { // a game that extends another
		name = c.p.Game
	}
	guard := &Guard{Info: f.info(name, g.NameSpan), Variant: g.Owner}
	s := m.scope
	s.owner = g.Owner
	guard.That = boolConst(true, g.NameSpan)
	if f.want("when", "`forbid`") {
		when := f.formula(s, "when", Bool)
		guard.That = &Expr{Op: OpNot, Type: Bool, Args: []*Expr{when}, Span: when.Span, OpSpan: when.OpSpan}
	}
	guard.Else = f.template(s, "because")
	c.finishGuard(guard, s)
	return guard
}

// waiveThing has the keys of `waive`.
var waiveThing = lexicon.Thing{Name: "`waive`", Path: "waive.ACTION", Short: "when", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "while it holds, guards that house rules put on the action do not count"},
}, []lexicon.Key{lexicon.Rule, lexicon.From})}

// waivers adds what lifts the guards of variants.
func (c *checker) waivers(list []merge.WaiverPatch) {
	for _, w := range list {
		m := c.momentOf(w.Action)
		if m == nil {
			continue
		}
		action, ok := m.ref.(*Action)
		if !ok {
			continue
		}
		func() {
			defer c.in(join(sectionPath(w.Owner, "waive"), pathTail(w.Action.Path)))()
			p := &yamltree.Pair{Key: &yamltree.Node{Text: "waive", Span: w.Action.Span}, Value: w.Node, Owner: w.Owner}
			f := c.fields(p, &waiveThing)
			f.from()
			out := &Waiver{Variant: w.Owner, Span: w.Action.Span}
			s := m.scope
			s.owner = w.Owner
			if out.When = f.formula(s, "when", Bool); out.When == nil {
				out.When = boolConst(true, w.Action.Span)
			}
			c.mayKnow(out.When)
			action.Waive = append(action.Waive, out)
		}()
	}
}

// hooks adds what variants do before and after moments. Before a moment those
// that can leave go first, after it last; otherwise they go by variant.
func (c *checker) hooks(list []merge.HookPatch) {
	for _, h := range list {
		m := c.momentOf(h.Moment)
		if m == nil {
			continue
		}
		func() {
			defer c.in(join(sectionPath(h.Owner, h.Side), pathTail(h.Moment.Path)))()
			hook := c.hook(h, m)
			if h.Side == "before" {
				*m.before = append(*m.before, hook)
			} else {
				*m.after = append(*m.after, hook)
			}
		}()
	}
}

func (c *checker) sortHooks() {
	for _, m := range c.moments {
		for _, list := range []*[]*Hook{m.before, m.after} {
			if list == nil {
				continue
			}
			last := list == m.after
			hooks := *list
			for _, h := range hooks {
				h.CanExit = hookExits(h)
			}
			sort.SliceStable(hooks, func(i, j int) bool {
				a, b := hooks[i], hooks[j]
				if a.CanExit != b.CanExit {
					return a.CanExit != last
				}
				return a.Variant < b.Variant
			})
			swapHooks(hooks, c.hookOrder)
		}
	}
}

// swapHooks puts the hooks of two variants into an order that was asked for: the
// one that is to go first is moved before the other.
func swapHooks(hooks []*Hook, order merge.Order) {
	first := slices.IndexFunc(hooks, func(h *Hook) bool { return h.Variant == order[0] })
	then := slices.IndexFunc(hooks, func(h *Hook) bool { return h.Variant == order[1] })
	if then < 0 || first < then {
		return
	}
	h := hooks[first]
	copy(hooks[then+1:first+1], hooks[then:first])
	hooks[then] = h
}

func hookExits(h *Hook) bool {
	found := canExit(h.Do, map[*Event]bool{})
	for _, a := range h.Offer {
		found = found || canExit(a.Do, map[*Event]bool{})
	}
	return found
}

// hookThing has the keys of a hook.
var hookThing = lexicon.Thing{Name: "a hook", Path: "before.MOMENT", Short: "do", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "otherwise the hook does nothing"},
	{Name: "do", Value: "script", About: "what happens"},
	{Name: "offer", Value: "map by name", About: "in place of `do`: actions of which one is chosen"},
	{Name: "who", Value: "formula", Default: "`me`", About: "which seat chooses"},
}, lexicon.Named)}

func (c *checker) hook(h merge.HookPatch, m *moment) *Hook {
	p := &yamltree.Pair{Key: &yamltree.Node{Text: h.Side, Span: h.Moment.Span}, Value: h.Node, Owner: h.Owner}
	f := c.fields(p, &hookThing)
	out := &Hook{Variant: h.Owner, From: f.from(), Span: h.Moment.Span}
	s := m.scope
	s.owner = h.Owner
	out.When = f.formula(s, "when", Bool)
	if out.When != nil {
		s = s.knowing(narrow(out.When, true))
	}
	out.Do = f.script(s, "do", m.exits)
	if f.has("offer") {
		c.offer(f, out, s, m)
	}
	if out.Do == nil && out.Offer == nil && len(f.pairs) > 0 && !f.has("do") {
		c.errorf("E0114", h.Moment.Span, "the hook does nothing").WithHelp("give it a `do` or an `offer`")
	}
	return out
}

// offer reads the choices of a hook.
func (c *checker) offer(f fields, out *Hook, s scope, m *moment) {
	p := f.pair("offer")
	switch {
	case m.exits == exitsOnce:
		c.errorf("E0307", p.Key.Span, "nobody can be asked more where all answer at once").
			WithHelp("ask before or after the phase, or insert one")
	case m.exits < exitsFlow:
		c.errorf("E0307", p.Key.Span, "nobody can be asked at an event or a combination").
			WithHelp("ask at the phase or action that causes it, or insert a phase")
	case f.has("do"):
		c.errorf("E0103", p.Key.Span, "a hook has either `do` or `offer`")
	}
	if f.pair("who") != nil {
		out.Who = f.formula(s, "who", Seat)
	}
	defer c.under("offer")()
	for _, pair := range c.entries(p) {
		if !c.checkName(pair.Key) {
			continue
		}
		func() {
			defer c.under(pair.Key.Text)()
			as := s.forgetState()
			a, body := c.declareAction(pair)
			a.Variant = out.Variant
			exits := m.exits
			if exits < exitsFlow {
				exits = exitsFlow
			}
			body(as, exits)
			sortGuards(a)
			out.Offer = append(out.Offer, a)
		}()
	}
}

// sortGuards puts the guards that read no pick first: they can speak before
// anything is picked.
func sortGuards(a *Action) {
	sort.SliceStable(a.Require, func(i, j int) bool { return !a.Require[i].ReadsPicks && a.Require[j].ReadsPicks })
}

// guardThing has the keys of a guard.
var guardThing = lexicon.Thing{Name: "a guard", Path: "phases.NAME.actions.NAME.require.NAME", Short: "that", Keys: lexicon.With([]lexicon.Key{
	{Name: "that", Value: "formula", Default: "this or `either` " + lexicon.Must, About: "what must hold, or the move is refused"},
	{Name: "either", Value: "list of formulas", About: "in place of `that`: one of these is enough"},
	{Name: "else", Value: "sentence", About: "what people are told if it does not hold"},
}, lexicon.Named)}

// guard reads {that | either, else, from} under a name.
func (c *checker) guard(p *yamltree.Pair, s scope) *Guard {
	f := c.fields(p, &guardThing)
	g := &Guard{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&g.Info)
	s.owner = p.Owner
	g.Variant = ""
	switch {
	case f.pair("either") != nil:
		if f.pair("that") != nil {
			c.errorf("E0103", f.pair("either").Key.Span, "a guard has either `that` or `either`")
		}
		g.That = c.either(f, s)
	case f.want("that", "a guard"):
		g.That = f.formula(s, "that", Bool)
	}
	if g.That == nil {
		g.That = boolConst(true, p.Key.Span)
	}
	g.Else = f.template(s, "else")
	c.finishGuard(g, s)
	return g
}

// either joins a list of conditions by `or`.
func (c *checker) either(f fields, s scope) *Expr {
	p := f.pair("either")
	defer c.under("either")()
	s.owner = p.Owner
	nodes := []*yamltree.Node{p.Value}
	if p.Value.Kind == yamltree.List {
		nodes = p.Value.Items
	}
	var out *Expr
	for _, n := range nodes {
		e := c.formula(s, n, Bool)
		s = s.knowing(narrow(e, false)) // the next is only asked if this fails
		if out == nil {
			out = e
			continue
		}
		out = &Expr{Op: OpOr, Type: Bool, Args: []*Expr{out, e}, Span: p.Value.Span, OpSpan: p.Key.Span}
	}
	c.condition(out)
	if out == nil {
		c.errorf("E0114", p.Key.Span, "`either` lists no condition")
	}
	return out
}

func (c *checker) finishGuard(g *Guard, s scope) {
	g.ReadsPicks = readsLocals(g.That, s.picks)
	c.mayKnow(g.That)
	c.mayRead(g.That, s.blind)
	if g.Else != nil {
		for _, part := range g.Else.Parts {
			c.mayKnow(part.Expr)
			c.mayRead(part.Expr, s.blind)
		}
	}
}
