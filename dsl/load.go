package dsl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// Options say with which house rules a game is loaded.
type Options struct {
	With    []string          // variants to put in force
	Without []string          // variants to keep out
	Set     map[string]string // values of params
	Usual   bool              // put the game's usual variants in force
	// Order says of two variants which goes first, whatever the language says, to
	// see what comes of it. With the zero Order the language decides.
	Order merge.Order
	// SetText says where the values of Set stand, if that is a file.
	SetText map[string]source.Span
	// Places says where ids of With and Without stand, if that is a file.
	Places map[string]source.Span
}

// Load merges a game with house rules and checks the whole. Everything found
// is in the list; the program is nil if there is an error among it.
func Load(lib *Library, game string, opt Options) (*Program, source.List) {
	var ds source.List
	choice := choiceOf(opt)
	m := merge.Merge(lib, game, choice, &ds)
	if found := foundLater(m); found.HasErrors() {
		return nil, found
	}
	if m == nil || clash(ds) {
		ds.Sort()
		return nil, ds
	}
	before := len(ds)
	p := check(lib, m, choice, &ds)
	ds = append(ds[:before:before], oneCause(ds[before:])...)
	p.Fingerprint = fingerprint(p, m)
	ds.Sort()
	if ds.HasErrors() {
		return nil, ds
	}
	return p, ds
}

func choiceOf(opt Options) merge.Choice {
	choice := merge.Choice{With: opt.With, Without: opt.Without, Usual: opt.Usual, Order: opt.Order, Places: opt.Places}
	for _, name := range sortedKeys(opt.Set) {
		s := merge.Setting{Name: name, Value: opt.Set[name]}
		if at, ok := opt.SetText[name]; ok {
			s.NameSpan, s.ValueSpan = at, at
		}
		choice.Set = append(choice.Set, s)
	}
	return choice
}

// foundLater is what was wrong with files that were read only when they were
// asked for.
func foundLater(m *merge.Merged) (ds source.List) {
	if m == nil {
		return nil
	}
	for _, f := range append(slices.Clone(m.Chain), m.Variants...) {
		ds = append(ds, f.Found()...)
	}
	return ds
}

// oneCause keeps the first of the errors that were found at the very same
// place: what is found later follows from it.
func oneCause(ds source.List) source.List {
	seen := map[source.Span]bool{}
	var out source.List
	for _, d := range ds {
		if d.Severity == source.Error {
			if seen[d.Span] {
				continue
			}
			seen[d.Span] = true
		}
		out = append(out, d)
	}
	return out
}

// clash reports whether variants exclude each other: what they make of the
// game together is then nobody's concern.
func clash(ds source.List) bool {
	for _, d := range ds {
		if d.Code == "E0323" {
			return true
		}
	}
	return false
}

// maxSeats is the most people that can play: sets of seats are bit masks that
// must not be negative.
const maxSeats = 63

// check makes a program out of a merged game.
func check(lib *Library, m *merge.Merged, choice merge.Choice, ds *source.List) *Program {
	p := &Program{Game: m.Game.ID, Title: m.Game.Title, About: m.Game.About,
		MinPlayers: m.Players.Min, MaxPlayers: m.Players.Max}
	if p.Title == "" {
		p.Title = p.Game
	}
	for _, f := range m.Chain {
		p.Files = append(p.Files, f.Src)
	}
	for _, f := range m.Variants {
		p.Files = append(p.Files, f.Src)
		p.Variants = append(p.Variants, &VariantInfo{ID: f.ID, Title: f.Title, About: f.About,
			Icon: f.Icon, Tags: f.Tags, File: f.Src, Asked: m.Asked[f.ID]})
	}
	c := newChecker(p, ds)
	c.hookOrder = choice.Order
	if p.MaxPlayers > maxSeats {
		c.errorf("E0331", m.Players.Span, "at most %d people can play", maxSeats)
	}
	c.choices(lib)
	c.declareBuiltins()
	c.takeMerged(m)
	c.declarations(m)
	c.runLater()
	c.rest(m)
	c.makeOpening(lib, m, choice)
	p.check = c
	c.finish(m)
	c.frozen = true
	return p
}

// takeMerged notes what merging found out about variants and adjustments.
func (c *checker) takeMerged(m *merge.Merged) {
	for _, f := range m.Variants {
		c.handles[snake(f.ID)] = f.ID
		c.needs[f.ID] = words(f.Root.Get("needs"))
	}
	for n, list := range m.Adjust {
		for _, a := range list {
			c.adjusts[n] = append(c.adjusts[n], adjustment{a.Owner, a.Formula})
		}
	}
}

// words returns the words of a list, or one word by itself.
func words(n *yamltree.Node) []string {
	if n == nil || n.Empty && n.Kind == yamltree.Scalar {
		return nil
	}
	if n.Kind == yamltree.Scalar {
		return []string{n.Text}
	}
	var out []string
	for _, item := range n.Items {
		out = append(out, item.Text)
	}
	return out
}

// A home is a tree of sections and the variant to which it is private.
type home struct {
	id   string
	root *yamltree.Node
}

// A reader declares the names of one section.
type reader struct {
	section string
	read    func(section *yamltree.Pair, home string)
}

// readers are the sections that declare names, in the order in which they are
// read; phases come after all of them.
func (c *checker) readers() []reader {
	return []reader{
		{"params", c.params}, {"scopes", c.scopes}, {"pieces", c.families}, {"zones", c.zones}, {"seats", c.ghosts}, {"state", c.state},
		{"define", c.defines}, {"tables", c.decisionTables}, {"scorers", c.scorers}, {"events", c.events}, {"incidents", c.incidents},
	}
}

// declarations enters all names, the game's before those of variants.
func (c *checker) declarations(m *merge.Merged) {
	homes := []home{{"", m.Root}}
	for _, own := range m.Own {
		homes = append(homes, home{own.Variant.ID, own.Root})
	}
	for _, r := range c.readers() {
		for _, h := range homes {
			if p := h.root.Pair(r.section); p != nil {
				done := c.in(sectionPath(h.id))
				r.read(p, h.id)
				done()
			}
		}
		if r.section == "params" {
			c.sets(m)
		}
	}
	c.phases(m.Phases)
	if len(c.p.Phases) == 0 {
		c.errorf("E0114", m.Game.IDSpan, "the game `%s` has no phases", m.Game.ID).
			WithHelp("add `phases:` with at least one phase, in which somebody chooses or something happens")
	}
}

// sets gives params the values that were chosen for them.
func (c *checker) sets(m *merge.Merged) {
	for _, set := range m.Sets {
		sym := c.names.own(set.Param, set.Owner)
		if sym == nil {
			continue
		}
		param, ok := sym.ref.(*Param)
		if !ok {
			continue
		}
		list := set.Value.Kind == yamltree.List && param.Type.Kind == KList
		if set.Value.Kind != yamltree.Scalar && !list {
			c.wrongKind(set.Value, "the value of a param", "a number, a word, or true or false")
			continue
		}
		done := c.in(join("set", set.Param))
		c.setParam(param, set.Value, set.By)
		c.setSpans[param] = set.Span
		done()
	}
}

// rest reads what declares no names, once all are known.
func (c *checker) rest(m *merge.Merged) {
	root := m.Root
	c.turns(root.Pair("turns"))
	c.bots(root.Pair("bots"))
	c.rank(root.Pair("rank"))
	c.records(root.Pair("records"))
	c.sheet(root.Pair("sheet"))
	c.ending(root.Pair("ending"))
	c.p.Require = c.conditions(root.Pair("require"), "require")
	c.metrics(root.Pair("metrics"))
	c.show(root.Pair("show"), "")
	c.p.Invariant = c.conditions(root.Pair("invariants"), "invariants")
	for _, own := range m.Own {
		done := c.in(sectionPath(own.Variant.ID))
		c.show(own.Root.Pair("show"), own.Variant.ID)
		c.p.Invariant = append(c.p.Invariant, c.conditions(own.Root.Pair("invariants"), "invariants")...)
		c.metrics(own.Root.Pair("metrics"))
		done()
	}
	c.guards(m.Guards)
	c.waivers(m.Waivers)
	c.hooks(m.Hooks)
	c.runLater()
	c.sortHooks()
	c.advice(root.Pair("advice"), "", len(m.Own) == 0)
	for _, own := range m.Own {
		done := c.in(sectionPath(own.Variant.ID))
		c.advice(own.Root.Pair("advice"), own.Variant.ID, false)
		done()
	}
	c.book(m)
	c.examples(m.Examples)
}

// finish asks what only the whole game can answer.
func (c *checker) finish(m *merge.Merged) {
	c.eventRings()
	c.atOnce()
	c.flow()
	c.meetings()
	c.unused(m)
	c.pointless(m)
	c.checkCitations()
}

// fingerprint hashes the texts and the choices that a program is made of.
func fingerprint(p *Program, m *merge.Merged) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", p.Game)
	for _, f := range p.Files {
		fmt.Fprintf(h, "%d\n%s\n", len(f.Text), f.Text)
	}
	for _, v := range p.Variants {
		fmt.Fprintf(h, "with %s\n", v.ID)
	}
	for _, s := range m.Sets {
		fmt.Fprintf(h, "set %s.%s=%s\n", s.Owner, s.Param, valueText(s.Value))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// valueText is a value of a param as one text, also if it is a list.
func valueText(n *yamltree.Node) string {
	if n.Kind != yamltree.List {
		return n.Text
	}
	var items []string
	for _, i := range n.Items {
		items = append(items, i.Text)
	}
	return "[" + strings.Join(items, ", ") + "]"
}
