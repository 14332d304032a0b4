package merge

import (
	"sort"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// Merged is a game with variants in force. Its trees share nodes with the
// files they come from.
type Merged struct {
	Game     *File   // the game played
	Chain    []*File // the games that it extends, then itself
	Variants []*File // in force: parts first, then by id
	Why      map[string]*Source
	Asked    map[string]bool // variants that were named, or are usual, and not only brought in

	// Root is a map of the game's sections (no head, no examples) after
	// patching. Pair.Owner tells what variants brought; `at` is gone.
	Root *yamltree.Node
	// Own has an entry for each variant in force, in the order of Variants.
	Own []OwnSections
	// Phases lists the phases of the game and the variants' own in the order
	// in which they run.
	Phases []PhaseSlot

	// Adjust gives the adjustments of a value node that is in Root or Own, in
	// the order in which they apply. Where there are several, order is no matter.
	Adjust  map[*yamltree.Node][]Adjustment
	Guards  []GuardPatch
	Waivers []WaiverPatch
	Hooks   []HookPatch
	Sets    []ParamValue // by owner, then param

	Players  PlayerRange
	Book     []Part // of the game (from Root), then of variants
	Answers  []Part
	Examples []Part // of the game's own file, then of variants
}

// OwnSections are the sections that a variant has for itself: what they
// declare is private to it.
type OwnSections struct {
	Variant *File
	Root    *yamltree.Node
}

// A PhaseSlot is a phase in its place. Owner is the variant that has it for
// itself, "" for phases of the game, also those that variants add.
type PhaseSlot struct {
	Owner string
	Pair  *yamltree.Pair
}

// A Part is a section of one file that is not merged.
type Part struct {
	Owner string // "" for the game
	File  *File
	Node  *yamltree.Node
}

// A merger is a merge under way.
type merger struct {
	lib    Library
	ds     *source.List
	m      *Merged
	choose *chooser
	deps   *deps

	view     *view // of the game and the variants as their files have them
	older    []*view
	patchers []*patcher // of the variants, in the order of Merged.Variants
	own      map[string]*yamltree.Node
	anchors  map[string]map[string]*anchor // of variants' own phases
	trees    map[string]*claimTree
	adjusts  []*adjust
	order    Order
	applier  *applier
	roots    map[string]*yamltree.Node // after patching
}

// Merge puts the chosen variants into a game. It returns nil, with an error,
// if there is no such game; every other trouble gives a result that is as
// good as it can be, and errors.
func Merge(lib Library, game string, c Choice, ds *source.List) *Merged {
	before := len(*ds)
	chain := chainOf(lib, game, ds)
	if len(chain) == 0 {
		if len(*ds) == before {
			ds.Errorf("E0311", synthetic("game", game), "there is no game `%s`", game)
		}
		return nil
	}
	g := &merger{lib: lib, ds: ds, order: c.Order, m: &Merged{Game: chain[len(chain)-1], Chain: chain}}
	g.choose = &chooser{lib: lib, chain: chain, ds: ds}
	g.choose.choose(&c)
	g.choose.exclusions()
	g.m.Variants, g.m.Why = g.choose.result(), g.choose.inForce
	g.m.Asked = map[string]bool{}
	for id, why := range g.m.Why {
		g.m.Asked[id] = why.Asked || why.Usual
	}
	g.deps = depsOf(g.m.Variants)
	g.prepare()
	g.patch()
	g.wrap()
	g.post()
	g.set(c.Set)
	g.phases()
	g.rest()
	return g.m
}

// prepare builds the base game and the view in which paths are looked up.
func (g *merger) prepare() {
	var root *yamltree.Node
	root, g.older = base(g.m.Chain, g.ds)
	g.view = newView(root)
	g.own, g.anchors = map[string]*yamltree.Node{}, map[string]map[string]*anchor{}
	for _, f := range g.m.Variants {
		g.own[f.ID] = g.ownSections(f)
		g.view.addRoot(f.ID, g.own[f.ID])
		e := &eyes{owner: f.ID, deps: g.deps.all[f.ID], needs: g.deps.needs[f.ID]}
		p := &patcher{owner: f.ID, label: "`" + f.ID + "`", eyes: e, bodies: []*yamltree.Node{f.Root}}
		if in := g.inGame(f); in != nil {
			p.bodies = append(p.bodies, in)
		}
		g.patchers = append(g.patchers, p)
	}
}

// ownSections copies what a variant has for itself and takes the `at` out of
// its phases.
func (g *merger) ownSections(f *File) *yamltree.Node {
	root := owned(sectionsOf(f, ownSections), f.ID)
	anchors := map[string]*anchor{}
	g.anchors[f.ID] = anchors
	if ps := root.Get("phases"); ps != nil && ps.Kind == yamltree.Map {
		for _, p := range ps.Pairs {
			p.Value, anchors[keyName(p.Key.Text)] = takeAnchor(p.Value, g.ds)
		}
	}
	return root
}

// patch collects the claims of all variants and carries them out.
func (g *merger) patch() {
	c := &collector{v: g.view, ds: g.ds}
	byID := map[string]*patcher{}
	rank := map[string]int{}
	for i, p := range g.patchers {
		byID[p.owner], rank[p.owner] = p, i
	}
	for _, f := range g.deps.layered(g.m.Variants) {
		c.patches(byID[f.ID])
	}
	g.order.sort(rank)
	j := &judge{deps: g.deps.on, apart: g.choose.apart, order: g.order, ds: g.ds}
	g.trees = j.settle(addsFirst(c.claims, rank))
	j.adjusted(g.trees, c.adjusts)
	g.adjusts = append(extendedAdjusts(g.m.Chain, g.older), sortAdjusts(c.adjusts, rank)...)

	g.applier = &applier{v: g.view, ds: g.ds, slots: map[string][]*slot{}}
	g.roots = map[string]*yamltree.Node{}
	for _, id := range sorted(keysOf(g.view.roots)) {
		g.applier.root = id
		g.roots[id] = g.applier.apply(g.view.roots[id], g.trees[id], nil)
	}
	g.m.Root = g.roots[""]
	for _, f := range g.m.Variants {
		g.m.Own = append(g.m.Own, OwnSections{f, g.roots[f.ID]})
	}
}

// addsFirst sorts claims: additions before all else, then by the rank of their
// owner, then as they were read.
func addsFirst(claims []*claim, rank map[string]int) []*claim {
	sort.SliceStable(claims, func(i, j int) bool {
		a, b := claims[i], claims[j]
		if x, y := a.verb <= verbAddItem, b.verb <= verbAddItem; x != y {
			return x
		}
		if a.owner != b.owner {
			return rank[a.owner] < rank[b.owner]
		}
		return a.seq < b.seq
	})
	return claims
}

func sortAdjusts(as []*adjust, rank map[string]int) []*adjust {
	sort.SliceStable(as, func(i, j int) bool { return rank[as[i].owner] < rank[as[j].owner] })
	return as
}

// extendedAdjusts collects the adjustments of games that extend others again:
// they apply to the value that stands there in the end.
func extendedAdjusts(chain []*File, older []*view) []*adjust {
	var out []*adjust
	for i, v := range older {
		c := &collector{v: v, ds: &source.List{}}
		for _, pair := range entries(chain[i+1].Root.Get("adjust"), "adjust", c.ds) {
			c.adjust(extender(chain[i+1]), pair)
		}
		out = append(out, c.adjusts...)
	}
	return out
}

// wrap finds the value nodes that adjustments wrap.
func (g *merger) wrap() {
	g.m.Adjust = map[*yamltree.Node][]Adjustment{}
	compose(g.adjusts, g.choose.apart, g.order, g.ds)
	for _, a := range g.adjusts {
		n := g.locate(a.path)
		if n == nil {
			continue // reported as a conflict, or gone with an extended game's part
		}
		t := target(a.path, n)
		if t == nil {
			g.ds.Errorf("E0322", a.span, "%s adjusts `%s`, which another file changes into something that is no formula", a.label, a.path).
				WithRelated(n.Span, "it is here")
			continue
		}
		g.m.Adjust[t] = append(g.m.Adjust[t], Adjustment{a.owner, a.formula, a.path})
	}
}

// locate finds a thing in the trees after patching, or returns nil.
func (g *merger) locate(p Path) *yamltree.Node {
	n, at, ok := g.roots[p.Root], Path{Root: p.Root}, true
	for _, k := range p.Keys {
		if n, ok = g.view.child(at, n, k, nil); !ok {
			return nil
		}
		at = at.child(k)
	}
	return n
}

// post reads guards, waivers and hooks.
func (g *merger) post() {
	o := &poster{v: g.view, older: g.older, ds: g.ds, game: g.m.Game.ID, hooked: map[string]source.Span{}}
	o.survives = func(p Path) bool { return g.locate(p) != nil }
	o.culprit = g.culprit
	for _, f := range g.m.Chain[1:] {
		o.read(extender(f))
	}
	for _, p := range g.patchers {
		o.read(p)
	}
	g.m.Guards, g.m.Waivers, g.m.Hooks = o.guards, o.waivers, o.hooks
}

// culprit finds the claim that took a thing out of the tree.
func (g *merger) culprit(p Path) *claim {
	t := g.trees[p.Root]
	for _, k := range p.Keys {
		if t == nil {
			return nil
		}
		if t = t.names[k]; t == nil {
			return nil
		}
		if c := t.only(verbRemove); c != nil {
			return c
		}
		if c := t.only(verbChange); c != nil {
			return c
		}
	}
	return nil
}

// set works the values of params out.
func (g *merger) set(command []Setting) {
	s := &setter{choose: g.choose, order: g.order, deps: g.deps, v: g.view, roots: g.roots, ds: g.ds}
	for i, f := range g.m.Chain[1:] {
		s.file(extender(f), f.ID, i)
	}
	for _, p := range g.patchers {
		s.file(p, p.owner, layerVariant)
	}
	command = append([]Setting{}, command...)
	sort.SliceStable(command, func(i, j int) bool {
		a, b := command[i], command[j]
		return a.Name < b.Name || a.Name == b.Name && a.Value < b.Value
	})
	for _, c := range command {
		s.command(c)
	}
	g.m.Sets = s.decide()
}
