package dsl

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file makes the opening of a game: a small program of its own, which
// decides who begins and which house rules are played. No house rule is in
// force in it yet, so it is checked on the game as its own files have it, with
// a checker of its own: it sees all that the game declares, and adds state,
// defines, events and phases. What the game makes of its own declarations is
// the business of the other checker; of this one only findings in the opening
// count.

// openingThing has the keys of `opening`.
var openingThing = lexicon.Thing{Name: "`opening`", Path: "opening", Keys: []lexicon.Key{
	{Name: "state", Value: "map of blocks", About: "what the opening remembers"},
	{Name: "define", Value: "map by name", About: "its formulas with names"},
	{Name: "events", Value: "map by name", About: "its events"},
	{Name: "phases", Value: "map by name", Default: lexicon.Must, About: "its phases; every way through them ends in `start game`"},
}}

// openingPath is the path of the section.
const openingPath = "opening"

// inOpening reports whether what is being read belongs to the opening.
func (c *checker) inOpening() bool { return c.opening && below(c.path, openingPath) }

func below(path, top string) bool { return path == top || strings.HasPrefix(path, top+".") }

// choices names the variants that people can choose: the values of a pick of
// variants are the bits of a set, so they have a fixed order.
func (c *checker) choices(lib *Library) {
	if c.variants != nil || lib == nil {
		return
	}
	c.variants = &Enum{Name: "variants"}
	for _, f := range lib.VariantsOf(c.p.Game) {
		c.p.Choices = append(c.p.Choices, f.ID)
		c.variants.Values = append(c.variants.Values, snake(f.ID))
		c.variants.Labels = append(c.variants.Labels, f.Title)
	}
}

// makeOpening checks the opening of the game, if it has one.
func (c *checker) makeOpening(lib *Library, m *merge.Merged, choice merge.Choice) {
	if m.Root.Pair(openingPath) == nil {
		return
	}
	bare := m
	if len(m.Variants) > 0 {
		var quiet source.List // what is wrong with the game has been said
		bare = merge.Merge(lib, m.Game.ID, merge.Choice{Set: c.ofGame(choice.Set)}, &quiet)
	}
	section := bare.Root.Pair(openingPath)
	var ds source.List
	p := &Program{Game: c.p.Game, Title: c.p.Title, About: c.p.About, MinPlayers: bare.Players.Min, MaxPlayers: bare.Players.Max}
	for _, f := range bare.Chain {
		p.Files = append(p.Files, f.Src)
	}
	o := newChecker(p, &ds)
	o.opening = true
	o.choices(lib)
	o.declareBuiltins()
	o.takeMerged(bare)
	o.openingDeclarations(bare, section)
	o.runLater()
	o.turns(nil)
	o.hooks(bare.Hooks)
	o.runLater()
	o.sortHooks()
	o.openingFlow()
	c.useOf(o)
	o.frozen = true
	p.check = o
	p.Fingerprint = fingerprint(p, bare) + "-opening"
	before := len(*c.ds)
	for _, d := range ds {
		if below(d.Path, openingPath) {
			*c.ds = append(*c.ds, d)
		}
	}
	if ds.HasErrors() && !c.ds.HasErrors() { // only without the house rules is the game wrong
		*c.ds = append((*c.ds)[:before], ds...)
	}
	c.p.Opening = p
}

// ofGame returns the settings of params that are the game's own.
func (c *checker) ofGame(sets []merge.Setting) []merge.Setting {
	var out []merge.Setting
	for _, s := range sets {
		if sym := c.names.own(s.Name, ""); sym != nil {
			if _, ok := sym.ref.(*Param); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// openingDeclarations enters the names of the game and then the opening's.
func (c *checker) openingDeclarations(m *merge.Merged, section *yamltree.Pair) {
	done := c.in(openingPath)
	own := c.fields(section, &openingThing)
	done()
	for _, r := range c.readers() {
		if r.section == "incidents" {
			continue // they spoil phases of the game
		}
		if p := m.Root.Pair(r.section); p != nil {
			r.read(p, "")
		}
		if r.section == "params" {
			c.sets(m)
		}
		if p := own.pair(r.section); p != nil && slices.Contains(openingThing.Known(), r.section) {
			done := c.in(openingPath)
			c.noSession(r.section, p)
			r.read(p, "")
			done()
		}
	}
	defer c.in(join(openingPath, "phases"))()
	if !own.want("phases", "`opening`") {
		return
	}
	for _, pair := range c.entries(own.pair("phases")) {
		if c.checkName(pair.Key) {
			done := c.under(pair.Key.Text)
			c.phase(pair, "")
			done()
		}
	}
}

// noSession reports state of the session that only the opening declares.
func (c *checker) noSession(section string, p *yamltree.Pair) {
	if section != "state" {
		return
	}
	for _, block := range c.entries(p) {
		if block.Key.Text == "session" {
			c.errorf("E0221", block.Key.Span, "what lives from game to game is declared in the game's own `state`")
		}
	}
}

// openingFlow asks where the phases of the opening lead.
func (c *checker) openingFlow() {
	c.eventRings()
	c.atOnce()
	for _, ph := range c.p.Phases {
		scripts := []*Script{ph.Enter, ph.Otherwise, ph.Nobody, ph.Then}
		for _, a := range ph.Actions {
			scripts = append(scripts, a.Do)
		}
		for _, s := range scripts {
			eachStmt(s, func(st *Stmt) {
				if st.Op == StmtEmit && canExit(st.Event.Do, map[*Event]bool{}) {
					done := c.in(ph.Path)
					c.errorf("E0307", st.Span, "`%s` may finish the game, which has not begun", st.Event.Name).
						WithRelated(st.Event.Span, "it is declared here")
					done()
				}
			})
		}
	}
	c.flow()
	if c.ds.HasErrors() {
		return
	}
	for _, t := range c.tables() {
		for _, s := range t.order {
			if !s.used && below(c.pathOf(s), openingPath) {
				c.warnUnused(s)
			}
		}
	}
}

// useOf marks what the opening uses as used in the game.
func (c *checker) useOf(o *checker) {
	mark := func(ours, theirs *table) {
		if ours == nil || theirs == nil {
			return
		}
		for name, s := range theirs.public {
			if mine := ours.public[name]; mine != nil && s.used {
				mine.used = true
			}
		}
	}
	mark(c.names, o.names)
	mark(c.flowNames, o.flowNames)
	mark(c.seatFields, o.seatFields)
	for sc, t := range o.scopeFields {
		for other, ours := range c.scopeFields {
			if other.Name == sc.Name && other.Owner == sc.Owner {
				mark(ours, t)
			}
		}
	}
	for f, t := range o.pieceFields {
		for other, ours := range c.pieceFields {
			if other.Name == f.Name {
				mark(ours, t)
			}
		}
	}
}

// mayExitOpening reports an exit that has no meaning before the game.
func (c *checker) mayExitOpening(x *syntax.ExitStmt, exits exitMode) {
	switch {
	case exits <= exitsFinish:
		c.errorf("E0307", x.Span(), "`%s` cannot stand in an event or a combination", x.Verb).
			WithHelp("let the phase that causes it go on")
	case x.Verb == "again" && exits != exitsAll:
		c.errorf("E0307", x.Span(), "`again` stands only where a seat is asked").
			WithHelp("`goto PHASE` enters a phase again")
	case x.Verb == "goto", x.Verb == "again", x.Verb == "start game":
	default:
		c.errorf("E0307", x.Span(), "`%s` has no meaning before the game", x.Verb).
			WithHelp("an opening goes on with `goto PHASE` and ends in `start game from SEAT`")
	}
}

// startGame types the exit that ends an opening.
func (c *checker) startGame(s scope, x *syntax.ExitStmt, st *Stmt) {
	st.Op, st.Seat = StmtStartGame, c.seat(s, x.Seat)
	if x.With != nil {
		want := SetOf(c.variantType())
		st.X = c.expect(c.expr(s, x.With, want), want)
	}
	seen := map[*Param]bool{}
	for _, set := range x.Sets {
		p := c.paramNamed(s, set.Name, set.NameSpan)
		if p == nil {
			c.expr(s, set.Value, Any)
			continue
		}
		if seen[p] {
			c.errorf("E0104", set.NameSpan, "`%s` is set twice", set.Name)
		}
		seen[p] = true
		st.Sets = append(st.Sets, ParamSet{p, c.expect(c.expr(s, set.Value, p.Type), p.Type)})
	}
}

// variantType is the type of one variant that can be chosen.
func (c *checker) variantType() Type {
	if c.variants == nil {
		c.variants = &Enum{Name: "variants"}
	}
	return Type{Kind: KOption, Enum: c.variants}
}

// pickVariants types `any of variants`.
func (c *checker) pickVariants(out *Pick, x *syntax.Pick) Type {
	elem := c.variantType()
	switch {
	case !c.inOpening():
		c.errorf("E0221", x.Place, "house rules are chosen before the game, in its `opening`")
	case x.If != nil || x.IfAny:
		c.notHere(x.Place, "`if` behind `any of variants`")
	case len(elem.Enum.Values) > maxSeats:
		c.errorf("E0331", x.Place, "at most %d house rules can be picked from; there are %d", maxSeats, len(elem.Enum.Values))
	}
	out.Local.Type = SetOf(elem)
	return elem
}

// usualExits names exits for a message about a script without one.
func (c *checker) usualExits() string {
	if c.opening {
		return "`goto PHASE` or `start game from SEAT`"
	}
	return "`next turn` or `finish`"
}
