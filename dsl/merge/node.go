package merge

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// keyName is the name that a key declares: `f` for `f(p seat)`.
func keyName(key string) string {
	if i := strings.IndexByte(key, '('); i >= 0 {
		key = key[:i]
	}
	return strings.TrimSpace(key)
}

// equal reports whether two trees say the same, wherever they stand and
// however their scalars are quoted.
func equal(a, b *yamltree.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	if a.Kind == yamltree.Scalar {
		return strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text) && a.Empty == b.Empty
	}
	for i, p := range a.Pairs {
		if p.Key.Text != b.Pairs[i].Key.Text || !equal(p.Value, b.Pairs[i].Value) {
			return false
		}
	}
	for i, n := range a.Items {
		if !equal(n, b.Items[i]) {
			return false
		}
	}
	return true
}

// owned copies a tree that a variant brought, so that every pair in it names
// its owner. Scalars are shared. Without an owner the tree itself is returned.
func owned(n *yamltree.Node, owner string) *yamltree.Node {
	if n == nil || n.Kind == yamltree.Scalar || owner == "" {
		return n
	}
	c := *n
	c.Pairs, c.Items = nil, nil
	for _, p := range n.Pairs {
		c.Pairs = append(c.Pairs, &yamltree.Pair{Key: p.Key, Value: owned(p.Value, owner), Owner: owner})
	}
	for _, i := range n.Items {
		c.Items = append(c.Items, owned(i, owner))
	}
	return &c
}

// without returns a map without one key; n itself if it has none.
func without(n *yamltree.Node, key string) *yamltree.Node {
	if n.Pair(key) == nil {
		return n
	}
	c := *n
	c.Pairs = nil
	for _, p := range n.Pairs {
		if p.Key.Text != key {
			c.Pairs = append(c.Pairs, p)
		}
	}
	return &c
}

// scalar makes a node for a word that stands at a place.
func scalar(word string, span source.Span) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Scalar, Text: word, Span: span}
}

// mapOf makes a map of one pair around a value.
func mapOf(key string, value *yamltree.Node) *yamltree.Node {
	return &yamltree.Node{Kind: yamltree.Map, Span: value.Span,
		Pairs: []*yamltree.Pair{{Key: scalar(key, value.Span), Value: value}}}
}

// entries returns the pairs of a map; anything else is reported and gives none.
func entries(n *yamltree.Node, what string, ds *source.List) []*yamltree.Pair {
	if n == nil || n.Empty {
		return nil
	}
	if n.Kind != yamltree.Map {
		ds.Errorf("E0115", n.Span, "`%s` must be a map of names, not %s", what, n.Kind)
		return nil
	}
	return n.Pairs
}

// scalars returns the items of a list of words, or one word by itself.
func scalars(n *yamltree.Node, what string, ds *source.List) []*yamltree.Node {
	if n == nil || n.Empty {
		return nil
	}
	switch n.Kind {
	case yamltree.Map:
		ds.Errorf("E0115", n.Span, "`%s` must be a list, not %s", what, n.Kind)
		return nil
	case yamltree.Scalar:
		return []*yamltree.Node{n}
	}
	var out []*yamltree.Node
	for _, i := range n.Items {
		if i.Kind != yamltree.Scalar || i.Text == "" {
			ds.Errorf("E0115", i.Span, "`%s` lists names, not %s", what, i.Kind)
			continue
		}
		out = append(out, i)
	}
	return out
}
