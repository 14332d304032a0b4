package merge

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// sectionsOf returns the sections of a file as a map, in file order.
func sectionsOf(f *File, which []string) *yamltree.Node {
	out := *f.Root
	out.Pairs = nil
	for _, p := range f.Root.Pairs {
		if has(which, p.Key.Text) {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}

// base builds the game without variants: the first of the chain, patched by
// each game that extends it. It returns the views of all but the last.
func base(chain []*File, ds *source.List) (root *yamltree.Node, older []*view) {
	root = sectionsOf(chain[0], sections)
	for _, f := range chain[1:] {
		v := newView(root)
		older = append(older, v)
		c := &collector{v: v, ds: ds}
		p := extender(f)
		c.sections(p, f)
		c.patches(p)
		never := func(string, string) bool { return false }
		j := &judge{deps: never, apart: never, ds: ds}
		trees := j.settle(addsFirst(c.claims, nil))
		j.adjusted(trees, c.adjusts)
		a := &applier{v: v, ds: ds}
		root = a.apply(root, trees[""], nil)
	}
	return root, older
}

// extender is a game that extends another, as a patcher.
func extender(f *File) *patcher {
	return &patcher{label: "game `" + f.ID + "`", eyes: &eyes{}, bodies: []*yamltree.Node{f.Root}}
}

// sections turns the sections of a game that extends another into additions.
func (c *collector) sections(p *patcher, f *File) {
	for _, pair := range sectionsOf(f, sections).Pairs {
		path := Path{"", []string{pair.Key.Text}}
		if n := c.v.roots[""].Get(pair.Key.Text); pair.Key.Text == "opening" && n != nil {
			c.claim(p, verbChange, path, pair.Key.Span).value = pair.Value // as a whole
			continue
		}
		if !creatable(path.Keys) {
			c.entry(p, path, pair)
			continue
		}
		for _, e := range entries(pair.Value, pair.Key.Text, c.ds) {
			sub := path.child(keyName(e.Key.Text))
			if pair.Key.Text != "state" {
				c.entry(p, sub, e)
				continue
			}
			for _, v := range entries(e.Value, e.Key.Text, c.ds) {
				c.entry(p, sub.child(keyName(v.Key.Text)), v)
			}
		}
	}
}

// entry adds one thing that a game has beyond the game it extends.
func (c *collector) entry(p *patcher, path Path, pair *yamltree.Pair) {
	n := c.v.roots[""]
	at, found := Path{}, true
	for _, k := range path.Keys {
		if n, found = c.v.child(at, n, k, p.eyes); !found {
			break
		}
		at = at.child(k)
	}
	if found {
		c.ds.Errorf("E0223", pair.Key.Span, "the game that this one extends has `%s` already", path).
			WithRelated(n.Span, "it is here").
			WithHelp("give it another value with `change: {%s: ..}`", path)
		return
	}
	cl := c.claim(p, verbAdd, path, pair.Key.Span)
	cl.key, cl.value = pair.Key, pair.Value
	if ordered[path.Keys[0]] && len(path.Keys) == 2 {
		cl.value, cl.at = takeAnchor(pair.Value, c.ds)
	}
	c.v.record(cl)
}
