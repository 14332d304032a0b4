package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// phases declares all phases in the order in which they run.
func (c *checker) phases(slots []merge.PhaseSlot) {
	for _, slot := range slots {
		if !c.checkName(slot.Pair.Key) {
			continue
		}
		func() {
			defer c.in(sectionPath(slot.Owner, "phases", slot.Pair.Key.Text))()
			c.phase(slot.Pair, slot.Owner)
		}()
	}
}

// phaseThing has the keys of a phase.
var phaseThing = lexicon.Thing{Name: "a phase", Path: "phases.NAME", Short: "enter", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "otherwise the phase is passed over, with its hooks"},
	{Name: "enter", Value: "script", About: "what happens when the game comes to it"},
	{Name: "who", Value: "formula, with `in turn` or `at once`, or `table`", Default: "`me`", About: "who is asked"},
	{Name: "actions", Value: "map by name", About: "the answers"},
	{Name: "otherwise", Value: "script", About: "for a seat without a legal answer"},
	{Name: "nobody", Value: "script", About: "for a ghost, in place of an answer"},
	{Name: "then", Value: "script", About: "when all have answered"},
}, lexicon.Named)}

func (c *checker) phase(p *yamltree.Pair, home string) {
	f := c.fields(p, &phaseThing)
	ph := &Phase{Info: f.info(p.Key.Text, p.Key.Span), Index: len(c.p.Phases)}
	f.rule(&ph.Info)
	c.p.Phases = append(c.p.Phases, ph)
	c.declare(c.flowNames, &symbol{name: ph.Name, owner: home, what: "phase", span: p.Key.Span, ref: ph})
	c.addMoment(&moment{ref: ph, exits: exitsFlow, before: &ph.Before, after: &ph.After})
	if len(f.pairs) == 0 || !f.has("enter") && !f.has("actions") && !f.has("then") && !f.has("when") && !f.has("rule") && len(f.meant) == 0 && !f.wrong {
		c.errorf("E0114", p.Key.Span, "the phase `%s` does nothing", ph.Name).
			WithHelp("give it an `enter` script or `actions`")
	}
	if f.has("actions") {
		exits := exitsAll
		if asksAtOnce(f) {
			exits = exitsOnce
		}
		done := c.under("actions")
		for _, pair := range c.entries(f.pair("actions")) {
			if c.checkName(pair.Key) {
				c.phaseAction(pair, ph, home, exits)
			}
		}
		done()
	}
	c.later(func() { c.phaseBody(f, ph) })
}

func (c *checker) phaseAction(p *yamltree.Pair, ph *Phase, home string, exits exitMode) {
	defer c.under(p.Key.Text)()
	a, body := c.declareAction(p)
	a.Variant = p.Owner
	ph.Actions = append(ph.Actions, a)
	if old := c.flowNames.find(a.Name, home, nil); old == nil {
		c.flowNames.add(&symbol{name: a.Name, owner: home, what: "action", span: p.Key.Span, ref: a})
	} else if old.what != "action" {
		c.errorf("E0223", p.Key.Span, "the name `%s` is taken", a.Name).
			WithRelated(old.span, "%s `%s` is declared here", old.what, a.Name).
			WithHelp("phases, actions and events share their names, because a hook names one of them")
	}
	for _, other := range ph.Actions[:len(ph.Actions)-1] {
		if other.Name == a.Name {
			c.errorf("E0223", p.Key.Span, "the action `%s` is there already", a.Name).WithRelated(other.Span, "it is here")
		}
	}
	c.addMoment(&moment{ref: a, exits: exits, before: &a.Before, after: &a.After})
	m := c.moments[c.path]
	c.later(func() { m.scope = body(scope{}, exits) })
}

func (c *checker) phaseBody(f fields, ph *Phase) {
	s := scope{}
	ph.When = f.formula(s, "when", Bool)
	ph.Enter = f.script(s, "enter", exitsFlow)
	ph.Otherwise = f.script(s, "otherwise", exitsFlow)
	ph.Nobody = f.script(s, "nobody", exitsFlow)
	ph.Then = f.script(s, "then", exitsFlow)
	if f.pair("who") != nil {
		ph.Who = c.who(f, s)
	}
	if len(ph.Actions) == 0 {
		for _, key := range []string{"who", "nobody", "otherwise", "then"} {
			if p := f.pair(key); p != nil {
				c.errorf("E0103", p.Key.Span, "`%s` has a meaning only where `actions` are", key)
			}
		}
	}
}

func (c *checker) who(f fields, s scope) *Who {
	p := f.pair("who")
	defer c.under("who")()
	n, ok := f.word("who")
	if !ok {
		return nil
	}
	x := parsed(c, func(ds *source.List) *syntax.Who { return syntax.ParseWho(textOf(n), ds) })
	if x == nil {
		return nil
	}
	s.owner = p.Owner
	out := &Who{}
	if x.Mode == "table" {
		out.Mode = WhoTable
		return out
	}
	out.List = c.expr(s, x.List, Any)
	switch t := out.List.Type; {
	case t.IsCollection() && (t.Elem.Kind == KSeat || t.Elem.Kind == KAny):
		out.Mode = WhoTurn
		if x.Mode == "at once" {
			out.Mode = WhoOnce
		}
	case t.Kind == KAny:
	case t.Kind == KSeat && x.Mode == "": // a seat that is none is passed over
		out.Mode = WhoSeat
	case x.Mode != "":
		c.errorf("E0221", out.List.Span, "expected seats, got %s", t)
	default:
		c.errorf("E0221", out.List.Span, "expected a seat or seats, got %s", t)
	}
	return out
}

// actionThing has the keys of an action.
var actionThing = lexicon.Thing{Name: "an action", Path: "phases.NAME.actions.NAME", Short: "do", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "otherwise the action does not exist now"},
	{Name: "pick", Value: "map by name", About: "what is asked for; later picks see earlier ones"},
	{Name: "tell_apart", Value: "attribute, or a list", Default: "all attributes", About: "by what picked pieces are told apart"},
	{Name: "require", Value: "map by name", About: "guards: conditions, each with a reason"},
	{Name: "do", Value: "script", About: "what the answer does"},
}, lexicon.Named)}

// declareAction makes an action. The function it returns reads what is inside,
// once all names are declared, and gives the scope that its hooks see.
func (c *checker) declareAction(p *yamltree.Pair) (*Action, func(scope, exitMode) scope) {
	f := c.fields(p, &actionThing)
	a := &Action{Info: f.info(p.Key.Text, p.Key.Span)}
	f.rule(&a.Info)
	path := c.path
	return a, func(s scope, exits exitMode) scope {
		defer c.in(path)()
		s.owner = p.Owner
		s.picks, s.blind = map[*Local]bool{}, map[*Local]bool{}
		a.When = f.formula(s, "when", Bool)
		c.mayKnow(a.When)
		if f.has("pick") {
			done := c.under("pick")
			for _, pair := range c.entries(f.pair("pick")) {
				if c.checkName(pair.Key) {
					s = c.pick(s, a, pair)
				}
			}
			done()
		}
		c.tellApart(f, a)
		if f.has("require") {
			done := c.under("require")
			for _, pair := range c.entries(f.pair("require")) {
				if c.checkName(pair.Key) {
					func() {
						defer c.under(pair.Key.Text)()
						g := c.guard(pair, s)
						a.Require = append(a.Require, g)
					}()
				}
			}
			done()
		}
		a.Do = f.script(s, "do", exits)
		c.actionScopes[a] = s
		return s
	}
}

// tellApart reads the attributes by which options are told apart.
func (c *checker) tellApart(f fields, a *Action) {
	if f.pair("tell_apart") == nil {
		return
	}
	defer c.under("tell_apart")()
	var fam *Family
	for _, p := range a.Picks {
		if fam == nil && p.List != nil {
			fam = familyOf(p.List)
		}
	}
	if fam == nil {
		for _, p := range a.Picks {
			if p.List == nil || p.List.Type.Kind == KAny {
				return
			}
		}
		c.errorf("E0221", f.pair("tell_apart").Key.Span, "the action picks no pieces to tell apart")
		return
	}
	a.TellApart = []*Attr{}
	for _, n := range f.words("tell_apart") {
		attr := c.attrNamed(fam, n, f.pair("tell_apart").Owner)
		if attr != nil {
			a.TellApart = append(a.TellApart, attr)
		}
	}
}

func (c *checker) attrNamed(fam *Family, n *yamltree.Node, owner string) *Attr {
	if sym := c.pieceFields[fam].find(trim(n), owner, nil); sym != nil {
		if a, ok := sym.ref.(*Attr); ok {
			return a
		}
	}
	d := c.errorf("E0214", n.Span, "`%s` have no attribute `%s`", fam.Name, trim(n))
	c.didYouMean(d, trim(n), c.pieceFields[fam].visible(owner, nil), nil)
	return nil
}

// pick reads one thing that an action asks for. Later picks see it.
func (c *checker) pick(s scope, a *Action, p *yamltree.Pair) scope {
	defer c.under(p.Key.Text)()
	s.owner = p.Owner
	if p.Value.Kind != yamltree.Scalar || p.Value.Empty {
		c.wrongKind(p.Value, "a pick", "a line such as `some of tray`")
		return s
	}
	x := parsed(c, func(ds *source.List) *syntax.Pick { return syntax.ParsePick(textOf(p.Value), ds) })
	out := &Pick{Span: p.Key.Span, Local: c.newLocal(p.Key.Text, Any, p.Key.Span)}
	if x != nil {
		out.Span = x.Place
		c.pickBody(s, out, x)
	}
	a.Picks = append(a.Picks, out)
	s = c.bind(s, out.Local)
	s.picks[out.Local] = true
	return s
}

func (c *checker) pickBody(s scope, out *Pick, x *syntax.Pick) {
	if x.Form == "order" {
		c.notHere(x.Place, "this pick")
		return
	}
	if x.List != nil {
		want := Any
		if x.Form == "n" && c.isLoose(s, x.List) {
			want = ListOf(c.onlyFace()) // `2 of [crown, anchor]`
		}
		out.List = c.optionList(c.expr(s, x.List, want))
		if !c.blindPick(s, out) {
			c.mayKnow(out.List)
			c.mayRead(out.List, s.blind)
		}
	}
	elem := Any
	if x.List != nil && c.needCollection(out.List) {
		elem = *out.List.Type.Elem
	}
	switch x.Form {
	case "one":
		out.Form, out.Local.Type = PickOne, elem
	case "n":
		c.pickN(s, out, x, elem)
	case "some", "any":
		out.Form = map[string]PickForm{"some": PickSome, "any": PickAny}[x.Form]
		if elem.Kind != KAny && out.List.Type.Kind != KSet {
			c.errorf("E0221", out.List.Span, "several can be picked of a zone or of seats, not of a %s", out.List.Type)
			elem = Any
		}
		if elem.Kind != KAny {
			out.Local.Type = SetOf(elem)
		}
	case "variants":
		out.Form, elem = PickVariants, c.pickVariants(out, x)
	case "range":
		out.Form, out.Local.Type = PickRange, Int
		if out.List.Op != OpRange && out.List.Type.Kind != KAny {
			c.errorf("E0221", out.List.Span, "expected a range such as `1..6`").WithHelp("write `one of %s`", out.List.Span.Text())
		}
	case "value":
		out.Form = PickValue
		c.pickValue(s, out, x)
		elem = out.Local.Type
	}
	if x.Default != nil {
		out.Default = c.expr(s, x.Default, Int)
		c.need(out.Default, KInt)
		c.mayKnow(out.Default)
	}
	if x.ForEach != nil {
		c.eachSeat(s, out, x)
	}
	c.pickRest(s, out, x, elem)
}

// pickN types `N of LIST`: so many of a set, each once, or of a list of
// numbers or faces, which may repeat.
func (c *checker) pickN(s scope, out *Pick, x *syntax.Pick, elem Type) {
	out.Form = PickN
	out.N = c.expr(s, x.N, Int)
	c.need(out.N, KInt)
	switch {
	case elem.Kind == KAny:
	case out.List.Type.Kind == KSet:
		out.Local.Type = SetOf(elem)
	case elem.Kind != KInt || elem.Maybe:
		c.errorf("E0221", out.List.Span, "so many can be picked of a zone, of seats, or of a list of numbers, not of a %s", out.List.Type)
	default:
		out.Form = PickRepeat
		if face := c.onlyFace(); elem.Family == nil && c.allFaces(out.List, face.Family) {
			elem = face // so that people may type them as faces
		}
		out.Local.Type = ListOf(elem)
	}
}

// onlyFace returns the type of faces, if there is one family with faces.
func (c *checker) onlyFace() Type {
	out := Any
	for _, f := range c.p.Families {
		if len(f.Faces) > 0 {
			if out.Kind != KAny {
				return Any
			}
			out = Type{Kind: KInt, Family: f}
		}
	}
	return out
}

// allFaces reports whether a list is written out and has only faces of a
// family.
func (c *checker) allFaces(list *Expr, fam *Family) bool {
	if fam == nil || list.Op != OpList {
		return false
	}
	for _, a := range list.Args {
		known := false
		for _, f := range fam.Faces {
			known = known || a.Op == OpConst && a.Int == f.Number
		}
		if !known {
			return false
		}
	}
	return true
}

func (c *checker) pickValue(s scope, out *Pick, x *syntax.Pick) {
	p := c.paramNamed(s, x.Param, x.Place)
	switch {
	case p == nil:
	case p.Type.Kind == KList:
		c.errorf("E0221", x.Place, "`%s` is a list, which cannot be picked", x.Param).
			WithRelated(p.Span, "it is declared here")
	default:
		out.Param, out.Local.Type = p, p.Type
	}
}

// paramNamed finds a param by its name, or reports that there is none.
func (c *checker) paramNamed(s scope, name string, span source.Span) *Param {
	if sym := c.names.find(name, s.owner, c.needs[s.owner]); sym != nil {
		if p, ok := sym.ref.(*Param); ok {
			c.settle(sym)
			return p
		}
	}
	c.unknownParam(name, span)
	return nil
}

func (c *checker) unknownParam(name string, span source.Span) {
	d := c.errorf("E0213", span, "unknown param `%s`", name)
	var among []string
	for _, p := range c.p.Params {
		among = append(among, p.Name)
	}
	c.didYouMean(d, name, among, nil)
}

// pickRest types `where`, `if any` and `if E`.
func (c *checker) pickRest(s scope, out *Pick, x *syntax.Pick, elem Type) {
	if out.Form == PickVariants {
		x.If, x.IfAny = nil, false // which has been refused
	}
	if x.Where != nil {
		if out.Form == PickRange {
			elem = Int
		}
		out.It = c.newLocal("it", elem, x.Place)
		if s.blind[out.Local] {
			s.blind[out.It] = true
		}
		out.Where = c.expr(s.withIt(out.It), x.Where, Bool)
		c.need(out.Where, KBool)
		c.mayKnow(out.Where)
		c.mayRead(out.Where, s.blind)
	}
	if x.ForEach != nil {
		return // whose `if` has been refused
	}
	if x.If != nil {
		out.If = c.expr(s, x.If, Bool)
		c.need(out.If, KBool)
		c.mayKnow(out.If)
		c.mayRead(out.If, s.blind)
	}
	out.IfAny = x.IfAny
	if (out.IfAny || out.If != nil) && !out.Local.Type.IsCollection() && out.Local.Type.Kind != KAny {
		out.Local.Type.Maybe = true
	}
}
