package merge

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A verb says what a claim does to the thing at its path.
type verb uint8

const (
	verbAdd verb = iota
	verbAddItem
	verbChange
	verbRemove
)

func (v verb) String() string { return [...]string{"adds", "adds to", "changes", "removes"}[v] }

// A claim is one patch of the tree: what a variant wants to be at a path.
type claim struct {
	verb  verb
	path  Path
	owner string // id of the variant, "" for a game that extends another
	label string // the file, for people
	span  source.Span
	key   *yamltree.Node // of additions: the key as it will stand in the map
	value *yamltree.Node // without its `at`; nil for removals
	at    *anchor
	seq   int
}

// A patcher is one file that patches, with the bodies in which its verbs
// stand: the file and, maybe, its part for the game being played.
type patcher struct {
	owner  string
	label  string
	eyes   *eyes
	bodies []*yamltree.Node
}

// A collector reads the patches of files into claims and adjustments.
type collector struct {
	v       *view
	ds      *source.List
	claims  []*claim
	adjusts []*adjust
}

// patches collects everything that a file does to the tree.
func (c *collector) patches(p *patcher) {
	for _, body := range p.bodies {
		for _, pair := range entries(body.Get("add"), "add", c.ds) {
			c.add(p, pair.Key, pair.Value)
		}
		for _, pair := range entries(body.Get("change"), "change", c.ds) {
			c.change(p, pair)
		}
		for _, pair := range entries(body.Get("adjust"), "adjust", c.ds) {
			c.adjust(p, pair)
		}
		for _, key := range scalars(body.Get("remove"), "remove", c.ds) {
			c.remove(p, key)
		}
	}
}

func (c *collector) claim(p *patcher, v verb, path Path, span source.Span) *claim {
	c.inOpening(p, path, span)
	cl := &claim{verb: v, path: path, owner: p.owner, label: p.label, span: span, seq: len(c.claims)}
	c.claims = append(c.claims, cl)
	return cl
}

// inOpening reports a patch of the opening by a variant.
func (c *collector) inOpening(p *patcher, path Path, span source.Span) bool {
	if p.owner == "" || path.Root != "" || path.Keys[0] != "opening" {
		return false
	}
	c.ds.Errorf("E0320", span, "the opening is played before any house rule is in force, so none can patch it").
		WithHelp("a game that `extends` this one can have another `opening`")
	return true
}

// add hangs a new name under a thing, or puts words into a list.
func (c *collector) add(p *patcher, key, value *yamltree.Node) {
	l, ok := c.v.follow(key, p.eyes, nil, "E0320", c.ds)
	if !ok {
		return
	}
	if l.done() {
		c.addToList(p, l, value)
		return
	}
	for l.next < len(l.segs)-1 && creatable(l.path.child(l.join(l.next, l.next+1)).Keys) {
		l.path, l.node, l.next = l.path.child(l.join(l.next, l.next+1)), nil, l.next+1
	}
	field := len(l.path.Keys) == 1 && l.path.Keys[0] == "define" && l.next == len(l.segs)-2
	if l.next < len(l.segs)-1 && !field {
		l.unknown("E0320")
		return
	}
	if n := opened(l.node, l.path.Kind()); n != nil && n.Kind != yamltree.Map {
		c.ds.Errorf("E0320", key.Span, "`%s` is %s: nothing can be added to it", l.path, n.Kind)
		return
	}
	if len(l.path.Keys) == 1 && !creatable(l.path.Keys) && l.node == nil {
		l.unknown("E0320")
		return
	}
	from := l.segs[l.next].from
	written := strings.TrimSpace(key.Text[from:])
	cl := c.claim(p, verbAdd, l.path.child(keyName(written)), key.Span)
	cl.key = key
	if from > 0 {
		cl.key = &yamltree.Node{Kind: yamltree.Scalar, Style: key.Style, Text: written, Span: key.SpanOf(from, len(key.Text))}
	}
	cl.value = value
	if ordered[l.path.Name()] {
		cl.value, cl.at = takeAnchor(value, c.ds)
	}
	c.v.record(cl)
}

// addToList handles `add` on a path that exists: its value must be a list.
func (c *collector) addToList(p *patcher, l *lookup, value *yamltree.Node) {
	if l.node == nil && len(l.path.Keys) == 1 {
		cl := c.claim(p, verbAdd, l.path, l.key.Span) // a whole section that the game does not have
		cl.key, cl.value = l.key, value
		c.v.record(cl)
		return
	}
	isList := l.node != nil && (l.node.Kind == yamltree.List || l.node.Kind == yamltree.Scalar && listable[l.path.Name()])
	if !isList {
		d := c.ds.Errorf("E0223", l.key.Span, "`%s` is there already", l.path).
			WithHelp("`change` gives it another value; `add` is for new names")
		if l.node != nil {
			d.WithRelated(l.node.Span, "it is here")
		}
		return
	}
	for _, item := range scalars(value, l.key.Text, c.ds) {
		if _, ok := c.v.child(l.path, asList(l.node), item.Text, nil); ok {
			c.ds.Errorf("E0321", item.Span, "`%s` has `%s` already", l.path, item.Text).
				WithRelated(l.node.Span, "it is here")
			continue
		}
		cl := c.claim(p, verbAddItem, l.path.child(item.Text), item.Span)
		cl.value = item
		c.v.record(cl)
	}
}

// asList turns the one word that may stand in place of a list into a list.
func asList(n *yamltree.Node) *yamltree.Node {
	if n == nil || n.Kind != yamltree.Scalar {
		return n
	}
	l := &yamltree.Node{Kind: yamltree.List, Span: n.Span}
	if !n.Empty {
		l.Items = []*yamltree.Node{n}
	}
	return l
}

// existing follows a path that must lead to something.
func (c *collector) existing(p *patcher, key *yamltree.Node) *lookup {
	l, ok := c.v.follow(key, p.eyes, nil, "E0320", c.ds)
	if !ok {
		return nil
	}
	if !l.done() {
		l.unknown("E0320")
		return nil
	}
	if l.node == nil {
		c.ds.Errorf("E0320", key.Span, "the game has no `%s`", l.path)
		return nil
	}
	return l
}

func (c *collector) change(p *patcher, pair *yamltree.Pair) {
	l := c.existing(p, pair.Key)
	if l == nil {
		return
	}
	if equal(l.node, pair.Value) {
		c.ds.Errorf("E0321", pair.Value.Span, "`%s` is so already: the patch changes nothing", l.path).
			WithRelated(l.node.Span, "it is here")
		return
	}
	if l.path.Keys[0] == "params" && setsDefault(l.path, l.node, pair.Value) {
		c.ds.Errorf("E0320", pair.Key.Span, "`change` does not give a param its value").
			WithHelp("write `set: {%s: ..}`, not under `change`", l.path.Keys[1])
		return
	}
	c.claim(p, verbChange, l.path, pair.Key.Span).value = pair.Value
}

// setsDefault reports whether a change under params gives a param a value.
func setsDefault(p Path, old, new *yamltree.Node) bool {
	switch len(p.Keys) {
	case 3:
		return p.Keys[2] == "default"
	case 2:
		return !equal(old.Get("default"), new.Get("default"))
	}
	return false
}

func (c *collector) remove(p *patcher, key *yamltree.Node) {
	if l := c.existing(p, key); l != nil {
		c.claim(p, verbRemove, l.path, key.Span)
	}
}
