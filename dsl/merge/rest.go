package merge

import (
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A PlayerRange says how many people can play.
type PlayerRange struct {
	Min, Max int
	Span     source.Span // where the game says so; zero if it does not
}

// inVerbs are the verbs that may stand under `in: GAME`.
var inVerbs = words("add change adjust remove forbid require waive before after set")

// inGame returns the patches that a variant has for the game being played
// only, or nil, and checks those for other games.
func (g *merger) inGame(f *File) *yamltree.Node {
	var out *yamltree.Node
	for _, p := range entries(f.Root.Get("in"), "in", g.ds) {
		if !g.choose.fits(p.Key.Text) && g.lib.Game(p.Key.Text) == nil {
			d := g.ds.Errorf("E0328", p.Key.Span, "there is no game `%s`", p.Key.Text)
			suggest(d, p.Key.Span, p.Key.Text, []string{g.m.Game.ID, f.For})
			continue
		}
		for _, v := range entries(p.Value, p.Key.Text, g.ds) {
			if !has(inVerbs, v.Key.Text) {
				d := g.ds.Errorf("E0103", v.Key.Span, "unknown key `%s` under `in`", v.Key.Text)
				suggest(d, v.Key.Span, v.Key.Text, inVerbs)
			}
		}
		if p.Key.Text == g.m.Game.ID && p.Value.Kind == yamltree.Map {
			out = p.Value
		}
	}
	return out
}

// phases works out in which order the phases run.
func (g *merger) phases() {
	slots := g.slotsOf("")
	for _, f := range g.m.Variants {
		slots = append(slots, g.slotsOf(f.ID)...)
	}
	known := map[string]bool{}
	for _, s := range slots {
		known[s.name] = true
	}
	for _, s := range slots {
		if s.at != nil {
			s.near = neighbour(s.at, g.neighbours(s), known, g.view, g.ds)
		}
	}
	for _, s := range arrange(slots, g.ds) {
		if !s.gone {
			owner, _, _ := strings.Cut(s.name, "\x00")
			g.m.Phases = append(g.m.Phases, PhaseSlot{owner, s.pair})
		}
	}
}

// slotsOf lists the phases of a root; names are qualified by the root.
func (g *merger) slotsOf(root string) []*slot {
	var out []*slot
	if had := g.applier.slots[root+"\x00phases"]; had != nil {
		for _, s := range had {
			out = append(out, &slot{name: root + "\x00" + s.name, pair: s.pair, gone: s.gone, at: g.anchors[root][s.name]})
		}
		return out
	}
	if ps := g.roots[root].Get("phases"); ps != nil {
		for _, p := range ps.Pairs {
			name := keyName(p.Key.Text)
			out = append(out, &slot{name: root + "\x00" + name, pair: p, at: g.anchors[root][name]})
		}
	}
	return out
}

// neighbours lists what the anchor of a variant's own phase may mean.
func (g *merger) neighbours(s *slot) []string {
	owner, _, _ := strings.Cut(s.name, "\x00")
	if id, name, dotted := strings.Cut(s.at.name, "."); dotted {
		if id == "phases" {
			return []string{"\x00" + name}
		}
		return []string{strings.ReplaceAll(id, "_", "-") + "\x00" + name}
	}
	out := []string{"\x00" + s.at.name, owner + "\x00" + s.at.name}
	for _, id := range g.deps.needs[owner] {
		out = append(out, id+"\x00"+s.at.name)
	}
	return out
}

// rest gathers what is not merged, and the number of players.
func (g *merger) rest() {
	g.m.Book = g.parts("book", g.m.Root)
	g.m.Answers = g.parts("answers", g.m.Root)
	g.m.Examples = g.parts("examples", g.m.Game.Root)
	g.players()
}

// parts lists a section of the game and of each variant in force.
func (g *merger) parts(key string, game *yamltree.Node) []Part {
	var out []Part
	if n := game.Get(key); n != nil {
		out = append(out, Part{"", g.m.Game, n})
	}
	for _, f := range g.m.Variants {
		if n := f.Root.Get(key); n != nil {
			out = append(out, Part{f.ID, f, n})
		}
	}
	return out
}

// players intersects what the game and the variants say.
func (g *merger) players() {
	var n *yamltree.Node
	for _, f := range g.m.Chain {
		if v := f.Root.Get("players"); v != nil {
			n = v
		}
	}
	if n == nil {
		g.ds.Errorf("E0114", g.m.Game.IDSpan, "game `%s` does not say how many can play", g.m.Game.ID).
			WithHelp("add a line such as `players: 2..6`")
		g.m.Players = PlayerRange{Min: 1, Max: 1}
		return
	}
	r, ok := readRange(n, g.ds)
	if !ok {
		g.m.Players = PlayerRange{Min: 1, Max: 1, Span: n.Span}
		return
	}
	narrow := [2]source.Span{n.Span, n.Span} // who set the ends
	for _, f := range g.m.Variants {
		v := f.Root.Get("players")
		if v == nil {
			continue
		}
		s, ok := readRange(v, g.ds)
		if !ok {
			continue
		}
		if s.Min > r.Max || s.Max < r.Min {
			other := narrow[0]
			if s.Min > r.Max {
				other = narrow[1]
			}
			g.ds.Errorf("E0324", v.Span, "`%s` is for %s players, but the rest only for %s", f.ID, v.Text, r).
				WithRelated(other, "it says so here")
			continue
		}
		if s.Min > r.Min {
			r.Min, narrow[0] = s.Min, v.Span
		}
		if s.Max < r.Max {
			r.Max, narrow[1] = s.Max, v.Span
		}
	}
	g.m.Players = r
}

// String returns "2..6", or "4".
func (r PlayerRange) String() string {
	if r.Min == r.Max {
		return strconv.Itoa(r.Min)
	}
	return strconv.Itoa(r.Min) + ".." + strconv.Itoa(r.Max)
}

// readRange reads `2..6` or `4`.
func readRange(n *yamltree.Node, ds *source.List) (PlayerRange, bool) {
	lo, hi, both := strings.Cut(strings.TrimSpace(n.Text), "..")
	if !both {
		hi = lo
	}
	a, err1 := strconv.Atoi(strings.TrimSpace(lo))
	b, err2 := strconv.Atoi(strings.TrimSpace(hi))
	if n.Kind != yamltree.Scalar || err1 != nil || err2 != nil || a < 1 || b < a || b > 1000 {
		ds.Errorf("E0324", n.Span, "`players` is a number of people such as `4`, or a range such as `2..6`")
		return PlayerRange{}, false
	}
	return PlayerRange{a, b, n.Span}, true
}
