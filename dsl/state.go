package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// scopeThing has the keys of a scope.
var scopeThing = lexicon.Thing{Name: "a scope", Path: "scopes.NAME", Short: "in", Keys: lexicon.With([]lexicon.Key{
	{Name: "in", Value: "`game`, `turn` or a scope", Default: lexicon.Must, About: "the stretch of play that it lies in"},
}, lexicon.Named)}

// scopes declares the scopes of a section; they may lie in each other in any
// order.
func (c *checker) scopes(section *yamltree.Pair, home string) {
	defer c.under("scopes")()
	type declared struct {
		scope *Scope
		in    *yamltree.Node
	}
	var all []declared
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if !c.checkName(p.Key) {
				return
			}
			f := c.fields(p, &scopeThing)
			sc := &Scope{Info: f.info(p.Key.Text, p.Key.Span), In: c.game}
			f.rule(&sc.Info)
			c.addScope(sc, &symbol{name: sc.Name, owner: home, what: "scope", span: p.Key.Span, used: true})
			if f.want("in", "a scope") {
				if n, ok := f.word("in"); ok {
					all = append(all, declared{sc, n})
				}
			}
		}()
	}
	for _, d := range all {
		if in := c.scopeNamed(d.in, home); in != nil {
			d.scope.In = in
			d.scope.Number.Scope = in
		}
	}
	for _, d := range all {
		for up, n := d.scope.In, 0; up != nil; up, n = up.In, n+1 {
			if up == d.scope || n > 1000 {
				c.errorf("E0224", d.in.Span, "the scope `%s` lies in itself", d.scope.Name)
				d.scope.In = c.game
				break
			}
		}
	}
}

// scopeNamed finds a scope that can be started by its name.
func (c *checker) scopeNamed(n *yamltree.Node, home string) *Scope {
	word := strings.TrimSpace(n.Text)
	if s := c.names.find(word, home, c.needs[home]); s != nil {
		if sc, ok := s.ref.(*Scope); ok {
			c.settle(s)
			return sc
		}
	}
	d := c.errorf("E0213", n.Span, "unknown scope `%s`", word)
	var among []string
	for _, sc := range c.p.Scopes {
		among = append(among, sc.Name)
	}
	c.didYouMean(d, word, among, nil)
	if len(d.Help) == 0 {
		d.WithHelp("scopes are session, game, player, turn, and those under `scopes`: `%s: {in: game}`", word)
	}
	return nil
}

// state declares the state of a section, by scope.
func (c *checker) state(section *yamltree.Pair, home string) {
	defer c.under("state")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			sc := c.blockScope(p.Key, home)
			if sc == nil {
				return
			}
			for _, v := range c.entries(p) {
				func() {
					defer c.under(v.Key.Text)()
					if c.checkName(v.Key) {
						c.variable(v, sc, home)
					}
				}()
			}
		}()
	}
}

// blockThing has the keys of a block of `state`.
var blockThing = lexicon.Thing{Name: "a block of `state`", Path: "state", Open: "scopes of `scopes`, and `player in SCOPE`", Keys: []lexicon.Key{
	{Name: "game", Value: "map by name", About: "what the game remembers, read as `game.NAME`"},
	{Name: "turn", Value: "map by name", About: "what starts afresh with every turn, read as `turn.NAME`"},
	{Name: "player", Value: "map by name", About: "what every seat has for itself, read as `me.NAME`"},
	{Name: "session", Value: "map by name", About: "what lives on from game to game, read as `session.NAME`"},
}}

// blockScope finds the scope that the key of a block of state names: a scope,
// `player`, or `player in SCOPE`.
func (c *checker) blockScope(key *yamltree.Node, home string) *Scope {
	words := strings.Fields(key.Text)
	switch {
	case len(words) == 1 && words[0] == "player":
		return c.player
	case len(words) == 3 && words[0] == "player" && words[1] == "in":
		at := strings.LastIndex(key.Text, words[2])
		in := c.scopeNamed(&yamltree.Node{Text: words[2], Span: key.SpanOf(at, at+len(words[2]))}, home)
		if in == nil {
			return nil
		}
		if in == c.game {
			return c.player
		}
		for _, sc := range c.p.Scopes {
			if sc.Player && sc.In == in {
				return sc
			}
		}
		name := "player in " + in.Name
		return c.addScope(&Scope{Info: Info{Name: name, Owner: in.Owner, Span: key.Span, Path: c.path}, In: in, Player: true}, nil)
	}
	return c.scopeNamed(key, home)
}

// stateThing has the keys of a state.
var stateThing = lexicon.Thing{Name: "a state", Path: "state.SCOPE.NAME", Short: "start", Keys: lexicon.With([]lexicon.Key{
	{Name: "type", Value: "type", Default: "that of `start`", About: "what values it may have"},
	{Name: "start", Value: "formula", Default: "0, false, nobody or none", About: "the value that it starts with"},
	{Name: "list", Value: "type", About: "in place of these: a list that grows, of such values"},
	{Name: "room", Value: "number", Default: "64", About: "how many values the list has room for"},
}, lexicon.Named)}

// variable declares one piece of state. Its type is found when it is first
// read, or when all names are known.
func (c *checker) variable(p *yamltree.Pair, sc *Scope, home string) {
	f := c.fields(p, &stateThing)
	v := &Var{Info: f.info(p.Key.Text, p.Key.Span), Scope: sc, Each: sc.Player, Type: Any}
	f.rule(&v.Info)
	c.p.Vars = append(c.p.Vars, v)
	sym := &symbol{name: v.Name, owner: home, what: "state", span: p.Key.Span, ref: v}
	sym.resolve = func() {
		defer c.in(v.Path)()
		c.varType(f, v)
	}
	t := c.scopeFields[sc]
	if sc.Player {
		t = c.seatFields
	} else if v.Name == "number" {
		c.errorf("E0223", p.Key.Span, "the name `number` is taken").WithLabel("`%s.number` counts how often it has started", sc.Name)
		return
	}
	c.declare(t, sym)
	c.later(func() {
		used := sym.used
		c.settle(sym)
		sym.used = used
	})
}

// varType reads the type and the start of a state. What stands there alone is
// a type if it reads as one, else the formula of the start.
func (c *checker) varType(f fields, v *Var) {
	start := f.pair("start")
	typed := f.pair("type")
	if f.pair("list") != nil || f.pair("room") != nil {
		c.listVar(f, v)
		return
	}
	if typed == nil && start != nil && start.Value.Kind == yamltree.Scalar && c.looksLikeType(start) {
		typed, start = start, nil
	}
	if typed != nil {
		if typed.Value.Kind != yamltree.Scalar {
			c.wrongKind(typed.Value, "`type`", "a type")
			return
		}
		x := c.parseType(typed.Value)
		if x == nil {
			return
		}
		v.Type = c.typeOf(typed.Owner, x)
		if v.Type.Kind == KList {
			v.Room = usualRoom
			if start != nil {
				c.errorf("E0103", start.Key.Span, "a list starts empty, so it has no `start`")
			}
			v.Start = &Expr{Op: OpConst, Type: v.Type, Span: typed.Value.Span, OpSpan: typed.Value.Span}
			return
		}
	}
	span := v.Span
	if start != nil {
		v.Start = c.formulaOf(scope{}, start, valueType(v.Type))
		c.pure(v.Start, starting)
		if typed == nil {
			v.Type = c.startType(v.Start)
		}
	} else if typed != nil {
		v.Start = c.zero(v, typed.Value.Span)
	} else {
		c.errorf("E0114", span, "a state needs a start or a type")
	}
	if v.Start == nil {
		v.Start = &Expr{Op: OpConst, Type: Any, Span: span, OpSpan: span}
	}
}

// usualRoom is how many values a list holds that does not say; maxRoom is the
// most that it can say.
const (
	usualRoom = 64
	maxRoom   = 1024
)

// listVar reads a list that can grow: {list: T, room: N}.
func (c *checker) listVar(f fields, v *Var) {
	v.Start = &Expr{Op: OpConst, Type: Any, Span: v.Span, OpSpan: v.Span}
	for _, key := range []string{"type", "start"} {
		if p := f.pair(key); p != nil {
			c.errorf("E0103", p.Key.Span, "a list has no `%s`: it starts empty, and `list` says what is in it", key)
		}
	}
	if !f.want("list", "a list") {
		return
	}
	p := f.pair("list")
	if p.Value.Kind != yamltree.Scalar {
		c.wrongKind(p.Value, "`list`", "a type")
		return
	}
	x := c.parseType(p.Value)
	if x == nil {
		return
	}
	switch t := c.typeOf(p.Owner, x); {
	case t.Kind == KAny:
		return
	case t.IsCollection():
		c.errorf("E0221", p.Value.Span, "a list of lists is not a value here")
		return
	default:
		v.Type = ListOf(t)
	}
	v.Room = usualRoom
	if f.pair("room") != nil {
		if e := f.formula(scope{}, "room", Int); e.Op != OpConst || e.Type.Kind != KInt || e.Int < 1 || e.Int > maxRoom {
			c.errorf("E0331", f.pair("room").Value.Span, "`room` is a number from 1 to %d", maxRoom)
		} else {
			v.Room = int(e.Int)
		}
	}
	v.Start.Type = v.Type
}

// startType takes the type of a state from its start.
func (c *checker) startType(e *Expr) Type {
	if e.Type.Kind == KNone {
		c.errorf("E0221", e.Span, "`none` alone does not say what else this may be").
			WithHelp("write a type, such as `seat or none`; it starts as none")
		return Any
	}
	if e.Type.Kind == KList || e.Type.Kind == KMap {
		c.errorf("E0221", e.Span, "a state cannot hold a %s", e.Type)
		return Any
	}
	t := e.Type
	t.Family = familyOfPiece(t)
	return t
}

func familyOfPiece(t Type) *Family {
	if t.Kind == KPiece {
		return t.Family
	}
	return nil
}

// looksLikeType reports whether a text is a type rather than a formula: it has
// a word of types in it, or names something that is only a type.
func (c *checker) looksLikeType(p *yamltree.Pair) bool {
	words := strings.Fields(p.Value.Text)
	if len(words) == 0 || p.Value.Style == yamltree.Double {
		return false
	}
	switch words[0] {
	case "int", "bool", "seat":
		return true
	case "seats":
		return len(words) == 1
	case "list":
		return len(words) > 1 && words[1] == "of"
	}
	if n := len(words); n > 3 && words[n-3] == "for" && words[n-2] == "each" {
		return true
	}
	if len(words) == 3 && words[1] == "or" && words[2] == "none" {
		return true
	}
	if len(words) != 1 {
		return false
	}
	name, attr, dotted := cut(words[0])
	s := c.names.find(name, p.Owner, c.needs[p.Owner])
	if s == nil {
		return false
	}
	_, family := s.ref.(*Family)
	return family && dotted && attr != ""
}

// parseType reads a type; nil after an error.
func (c *checker) parseType(n *yamltree.Node) *syntax.TypeExpr {
	var x *syntax.TypeExpr
	ok := parsed(c, func(ds *source.List) (ok bool) {
		x, ok = syntax.ParseType(textOf(n), ds)
		return ok
	})
	if !ok {
		c.errorf("E0203", n.Span, "`%s` is not a type", strings.TrimSpace(n.Text)).
			WithHelp("types are int, bool, seat, seats, a family of pieces, an attribute such as `dice.face`, or a param with options; all but bool and seats may be `or none`, and behind them may stand `for each seat`")
		return nil
	}
	return x
}

// zero is where a state of a bare type starts.
func (c *checker) zero(v *Var, span source.Span) *Expr {
	t := valueType(v.Type)
	e := &Expr{Op: OpConst, Type: t, Span: span, OpSpan: span}
	switch {
	case t.Kind == KAny:
	case t.Maybe:
		e.Int, e.Type = None, Type{Kind: KNone, Maybe: true}
	case t.Kind == KSeat || t.Kind == KPiece:
		d := c.errorf("E0222", span, "a %s has to start as one", t)
		d.WithHelp("write `%s or none`, or give a start", t)
	case t.Kind == KInt && t.Family != nil && len(t.Family.Faces) > 0:
		e.Int = t.Family.Faces[0].Number
	}
	return e
}
