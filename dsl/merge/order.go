package merge

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// An Order says of two variants which goes first, where that matters: their
// hooks run in this order, the later one's value stands where both give another
// one, and the later one's adjustment is wrapped around the other's. The zero
// Order leaves all that to the rules of the language, which refuse some of it.
type Order [2]string

// later reports whether one of two variants goes after the other; ok is false if
// nothing is said about them.
func (o Order) later(id, than string) (later, ok bool) {
	switch {
	case o[0] == o[1]:
		return false, false
	case id == o[1] && than == o[0]:
		return true, true
	case id == o[0] && than == o[1]:
		return false, true
	}
	return false, false
}

// sort puts the ranks of the two into their order.
func (o Order) sort(rank map[string]int) {
	if rank[o[0]] > rank[o[1]] {
		rank[o[0]], rank[o[1]] = rank[o[1]], rank[o[0]]
	}
}

// An anchor is the `at` of something added to an ordered map.
type anchor struct {
	side string // "top", "before" or "after"
	name string // the neighbour, "" for top
	span source.Span
}

// takeAnchor cuts the `at` out of a thing that is added.
func takeAnchor(n *yamltree.Node, ds *source.List) (*yamltree.Node, *anchor) {
	at := n.Get("at")
	if at == nil {
		return n, nil
	}
	rest := without(n, "at")
	w := strings.Fields(at.Text)
	switch {
	case at.Kind == yamltree.Scalar && len(w) == 1 && w[0] == "top":
		return rest, &anchor{"top", "", at.Span}
	case at.Kind == yamltree.Scalar && len(w) == 2 && (w[0] == "before" || w[0] == "after"):
		return rest, &anchor{w[0], w[1], at.Span}
	}
	ds.Errorf("E0203", at.Span, "`at` says where this goes: `top`, `before NAME` or `after NAME`")
	return rest, nil
}

// A slot is one place in an ordered map that is being put together.
type slot struct {
	name string // unique in the map
	pair *yamltree.Pair
	gone bool // removed by a variant; keeps its place for anchors only
	at   *anchor
	near string // name of the neighbour that at means; "" if there is none
}

// arrange puts slots into their order: those without an anchor as they come,
// the others beside their neighbours. Slots that hang on each other in a ring
// are reported and go last.
func arrange(slots []*slot, ds *source.List) []*slot {
	before, after := map[string][]*slot{}, map[string][]*slot{}
	var top, rest []*slot
	for _, s := range slots {
		switch {
		case s.at == nil:
			rest = append(rest, s)
		case s.at.side == "top":
			top = append(top, s)
		case s.near == "":
			rest = append(rest, s)
		case s.at.side == "before":
			before[s.near] = append(before[s.near], s)
		default:
			after[s.near] = append(after[s.near], s)
		}
	}
	if len(before)+len(after)+len(top) == 0 {
		return slots
	}
	out := make([]*slot, 0, len(slots))
	done := map[*slot]bool{}
	var emit func(s *slot)
	emit = func(s *slot) {
		if done[s] {
			return
		}
		done[s] = true
		for _, b := range before[s.name] {
			emit(b)
		}
		out = append(out, s)
		for _, a := range after[s.name] {
			emit(a)
		}
	}
	for _, s := range append(top, rest...) {
		emit(s)
	}
	for _, s := range slots {
		if !done[s] {
			ds.Errorf("E0320", s.at.span, "`%s` hangs on itself: the `at` of these go in a ring", s.name[strings.LastIndexByte(s.name, 0)+1:]).
				WithHelp("let one of them stand beside something of the game")
			emit(s)
		}
	}
	return out
}

// neighbour finds the slot that an anchor names, among names that are known.
func neighbour(at *anchor, candidates []string, known map[string]bool, v *view, ds *source.List) string {
	if at == nil || at.side == "top" {
		return ""
	}
	for _, c := range candidates {
		if known[c] {
			return c
		}
	}
	d := ds.Errorf("E0320", at.span, "there is no `%s` to stand %s", at.name, at.side)
	if v.hints++; v.hints > maxHints {
		return ""
	}
	var among []string
	for k := range known {
		among = append(among, k[strings.LastIndexByte(k, 0)+1:])
	}
	suggest(d, at.span, at.name, among)
	return ""
}
