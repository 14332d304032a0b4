package merge

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// An applier carries claims out. It makes new nodes and shares old ones.
type applier struct {
	v  *view
	ds *source.List
	// slots remembers the order of the game's phases with the removed ones
	// in their places, for the phases that variants have of their own.
	slots map[string][]*slot
	root  string
}

// apply returns the tree at keys with the claims in t carried out.
func (a *applier) apply(n *yamltree.Node, t *claimTree, keys []string) *yamltree.Node {
	if t == nil || len(t.names) == 0 {
		return n
	}
	if len(keys) > 0 && listable[keys[len(keys)-1]] {
		n = asList(n)
	}
	n = opened(n, kindOf(keys))
	switch {
	case n == nil:
		n = &yamltree.Node{Kind: yamltree.Map, Span: t.place()}
	case n.Kind == yamltree.List:
		return a.list(n, t)
	case n.Kind != yamltree.Map:
		return n // already reported where the claim was read
	}
	out := *n
	out.Pairs = nil
	slots := a.slotsOf(n, t, keys)
	if len(keys) == 1 && a.slots != nil {
		a.slots[a.root+"\x00"+keys[0]] = slots
	}
	for _, s := range slots {
		if !s.gone {
			out.Pairs = append(out.Pairs, s.pair)
		}
	}
	return &out
}

// place is where the first claim on or under a path stands.
func (t *claimTree) place() source.Span {
	for len(t.claims) == 0 {
		t = t.names[t.order[0]]
	}
	return t.claims[0].span
}

// owner is who made the first claim on or under a path.
func (t *claimTree) owner() string {
	for len(t.claims) == 0 {
		t = t.names[t.order[0]]
	}
	return t.claims[0].owner
}

// slotsOf works the entries of a map out: the old ones, changed or gone, and
// the new ones at their anchors.
func (a *applier) slotsOf(n *yamltree.Node, t *claimTree, keys []string) []*slot {
	var slots []*slot
	known := map[string]bool{}
	for _, p := range n.Pairs {
		name := keyName(p.Key.Text)
		s := &slot{name: name, pair: p}
		if sub := t.names[name]; sub != nil && !known[name] {
			s.pair, s.gone = a.pair(p, sub, append(keys[:len(keys):len(keys)], name))
		}
		known[name] = true
		slots = append(slots, s)
	}
	old := len(slots)
	for _, name := range t.order {
		if known[name] {
			continue
		}
		sub := t.names[name]
		s := &slot{name: name}
		if add := sub.only(verbAdd); add != nil {
			s.pair = &yamltree.Pair{Key: add.key, Value: owned(add.value, add.owner), Owner: add.owner}
			s.at = add.at
		} else {
			s.pair = &yamltree.Pair{Key: scalar(name, sub.place()), Owner: sub.owner()}
		}
		s.pair, s.gone = a.pair(s.pair, sub, append(keys[:len(keys):len(keys)], name))
		if s.pair.Value == nil {
			continue
		}
		known[name] = true
		slots = append(slots, s)
	}
	for _, s := range slots[old:] {
		if s.at != nil {
			s.near = neighbour(s.at, []string{s.at.name}, known, a.v, a.ds)
		}
	}
	return arrange(slots, a.ds)
}

// pair carries out the claims on one entry of a map.
func (a *applier) pair(p *yamltree.Pair, t *claimTree, keys []string) (pair *yamltree.Pair, gone bool) {
	if t.only(verbRemove) != nil {
		return p, true
	}
	if c := t.only(verbChange); c != nil {
		return &yamltree.Pair{Key: p.Key, Value: owned(c.value, c.owner), Owner: c.owner}, false
	}
	value := a.apply(p.Value, t, keys)
	if value == p.Value {
		return p, false
	}
	return &yamltree.Pair{Key: p.Key, Value: value, Owner: p.Owner}, false
}

// list adds words to a list and takes words out of it.
func (a *applier) list(n *yamltree.Node, t *claimTree) *yamltree.Node {
	out := *n
	out.Items = nil
	for _, i := range n.Items {
		sub := t.names[i.Text]
		if i.Kind == yamltree.Scalar && sub.only(verbRemove) != nil {
			continue
		}
		if c := sub.only(verbChange); i.Kind == yamltree.Scalar && c != nil {
			i = c.value
		}
		out.Items = append(out.Items, i)
	}
	for _, name := range t.order {
		if c := t.names[name].only(verbAddItem); c != nil {
			out.Items = append(out.Items, c.value)
		}
	}
	return &out
}
