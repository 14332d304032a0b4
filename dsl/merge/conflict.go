package merge

import (
	"github.com/houserules/houserules/dsl/source"
)

// A claimTree holds claims by path.
type claimTree struct {
	claims []*claim // at this very path; the distinct ones, by owner
	agree  map[string]bool
	names  map[string]*claimTree
	order  []string // names in the order of the first claim on or under them
}

// at returns the tree at a path, made if need be.
func (t *claimTree) at(keys []string, grow bool) *claimTree {
	for _, k := range keys {
		sub := t.names[k]
		if sub == nil {
			if !grow {
				return nil
			}
			if t.names == nil {
				t.names = map[string]*claimTree{}
			}
			sub = &claimTree{}
			t.names[k] = sub
			t.order = append(t.order, k)
		}
		t = sub
	}
	return t
}

// join adds a claim that nothing speaks against.
func (t *claimTree) join(c *claim) {
	if t.agree == nil {
		t.agree = map[string]bool{}
	}
	t.agree[c.owner] = true
	t.claims = append(t.claims, c)
}

// only returns the claim of a verb at this path, or nil.
func (t *claimTree) only(v verb) *claim {
	if t != nil {
		for _, c := range t.claims {
			if c.verb == v {
				return c
			}
		}
	}
	return nil
}

// same reports whether two claims on one path ask for the same.
func (c *claim) same(d *claim) bool {
	if c.verb != d.verb {
		return false
	}
	if c.at != nil && d.at != nil {
		if c.at.side != d.at.side || c.at.name != d.at.name {
			return false
		}
	} else if c.at != d.at {
		return false
	}
	if c.key != nil && d.key != nil && c.key.Text != d.key.Text {
		return false
	}
	return equal(c.value, d.value)
}

// A judge compares claims.
type judge struct {
	deps func(owner, on string) bool // whether owner builds on another variant
	// apart reports whether two variants exclude each other, which is said already.
	apart func(a, b string) bool
	order Order
	ds    *source.List
	said  map[*claim]bool // claims already reported, so that one cause gives one error
}

// settle puts claims into trees by root and reports those that conflict.
func (j *judge) settle(claims []*claim) map[string]*claimTree {
	j.said = map[*claim]bool{}
	trees := map[string]*claimTree{}
	for _, c := range claims {
		t := trees[c.path.Root]
		if t == nil {
			t = &claimTree{}
			trees[c.path.Root] = t
		}
		j.place(t.at(c.path.Keys, true), c)
	}
	for _, c := range claims {
		j.above(trees[c.path.Root], c)
	}
	return trees
}

// place adds a claim to those on the same path. Additions come before all else.
func (j *judge) place(t *claimTree, c *claim) {
	for _, d := range t.claims {
		if d.owner != c.owner && d.same(c) {
			t.agree[c.owner] = true
			return
		}
	}
	// A file may patch what another adds, if it builds on that one.
	if n := len(t.claims); n == 0 || n == 1 && t.claims[0].verb == verbAdd && j.dependsOnAny(c.owner, t) {
		t.join(c)
		return
	}
	d := t.claims[len(t.claims)-1]
	either := d.verb == c.verb && (c.verb == verbChange || c.verb == verbAdd) // one could win
	if later, settled := j.order.later(c.owner, d.owner); either && settled {
		if later {
			t.claims[len(t.claims)-1] = c
		}
		return
	}
	if diag := j.report(d, c); diag != nil && either {
		diag.WithPair(d.owner, c.owner)
	}
}

// above compares a claim with those on the things that its path lies in.
func (j *judge) above(t *claimTree, c *claim) {
	for _, k := range c.path.Keys[:len(c.path.Keys)-1] {
		t = t.names[k]
		for _, d := range t.claims {
			if d.verb == verbAdd && d.owner != c.owner && j.dependsOnAny(c.owner, t) {
				continue
			}
			j.report(d, c)
			return
		}
	}
}

func (j *judge) dependsOnAny(owner string, t *claimTree) bool {
	for o := range t.agree {
		if o != owner && j.deps(owner, o) {
			return true
		}
	}
	return false
}

// report says that two claims cannot both hold. d comes first by id. It returns
// nil if that is said already.
func (j *judge) report(d, c *claim) *source.Diagnostic {
	if j.said[c] || j.apart(d.owner, c.owner) {
		return nil
	}
	j.said[c] = true
	if d.owner == c.owner && d.label == c.label {
		return j.ds.Errorf("E0322", c.span, "%s patches the same thing twice: it %s `%s` and %s `%s`", c.label, d.verb, d.path, c.verb, c.path).
			WithRelated(d.span, "the other patch is here")
	}
	diag := j.ds.Errorf("E0322", c.span, "%s and %s do not go together: one %s `%s`, the other %s `%s`",
		d.label, c.label, d.verb, d.path, c.verb, c.path)
	diag.Path = c.path.String()
	diag.WithRelated(d.span, "%s %s `%s` here", d.label, d.verb, d.path)
	return diag.WithHelp("play with one of the two; or let one of them `exclude` the other with a sentence")
}

// adjusted reports adjustments of what somebody removes or replaces as a part
// of something larger. To adjust what another changes is fine.
func (j *judge) adjusted(trees map[string]*claimTree, adjusts []*adjust) {
	for _, a := range adjusts {
		t := trees[a.path.Root]
		for i := 0; i <= len(a.path.Keys) && t != nil; i++ {
			whole := i == len(a.path.Keys)
			if d := t.only(verbRemove); d != nil {
				j.lost(a, d)
				break
			}
			if d := t.only(verbChange); d != nil && !whole {
				j.lost(a, d)
				break
			}
			if !whole {
				t = t.names[a.path.Keys[i]]
			}
		}
	}
}

func (j *judge) lost(a *adjust, d *claim) {
	if j.apart(d.owner, a.owner) {
		return
	}
	if a.owner == d.owner {
		j.ds.Errorf("E0322", a.span, "%s adjusts `%s` and %s `%s`", a.label, a.path, d.verb, d.path).
			WithRelated(d.span, "the other patch is here")
		return
	}
	j.ds.Errorf("E0322", a.span, "%s and %s do not go together: one %s `%s`, the other adjusts `%s`",
		d.label, a.label, d.verb, d.path, a.path).
		WithRelated(d.span, "%s %s `%s` here", d.label, d.verb, d.path).
		WithHelp("play with one of the two; or let one of them `exclude` the other with a sentence")
}
