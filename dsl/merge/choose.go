package merge

import (
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A Library knows the rule files by name. Its methods return nil for what it
// does not have.
type Library interface {
	Game(id string) *File
	Variant(game, id string) *File
	VariantIDs(game string) []string
}

// A Choice is what somebody wants to play with.
type Choice struct {
	With    []string
	Without []string
	Set     []Setting
	Usual   bool // whether the variants that the game calls usual are in force
	Order   Order
	// Places says where the ids of With and Without stand, if that is a file.
	// An id without a place is taken to come from the command line.
	Places map[string]source.Span
}

// A Setting is a value that somebody wants a param to have.
type Setting struct {
	Name  string // `goal`, or `extra_turn.chances`
	Value string
	// NameSpan and ValueSpan are where these stand, zero if on the command line.
	NameSpan, ValueSpan source.Span
	// Node is the value as it stands in a file, or nil.
	Node *yamltree.Node
}

// place is where an id of the choice stands.
func (c *Choice) place(flag, id string) source.Span {
	if s := c.Places[id]; !s.IsZero() {
		return s
	}
	return synthetic(flag, id)
}

// synthetic is a place in a file that only exists for messages.
func synthetic(name, text string) source.Span {
	return source.Span{File: source.NewFile(name, text), Start: 0, End: len(text)}
}

// A Source says why a variant is in force: asked for, usual, or brought in.
type Source struct {
	Asked bool
	Usual bool
	By    string // the variant that brought it in, "" if none did
	Span  source.Span
}

// A chooser works out which variants are in force.
type chooser struct {
	lib   Library
	chain []*File // the game after all that it extends
	ds    *source.List

	files   map[string]*File // known variants by id; nil for those that do not exist
	out     map[string]source.Span
	outBy   map[string]string // who switched it off, "" for the command line
	inForce map[string]*Source
	order   []string // ids in force, in the order found
	known   []string // see ids
	foes    map[[2]string]bool
}

// chainOf follows `extends` from a game to where it starts.
func chainOf(lib Library, id string, ds *source.List) []*File {
	var chain []*File
	seen := map[string]bool{}
	for f := lib.Game(id); f != nil; {
		if seen[f.ID] || len(chain) > 16 {
			ds.Errorf("E0308", f.ExtendsSpan, "game `%s` extends itself", f.ID)
			return nil
		}
		seen[f.ID] = true
		chain = append([]*File{f}, chain...)
		if f.Extends == "" {
			break
		}
		base := lib.Game(f.Extends)
		if base == nil {
			ds.Errorf("E0320", f.ExtendsSpan, "there is no game `%s` to extend", f.Extends)
			return nil
		}
		f = base
	}
	return chain
}

func (c *chooser) game() *File { return c.chain[len(c.chain)-1] }

// find returns a variant of the game, or reports that there is none.
func (c *chooser) find(id string, span source.Span) *File {
	if f, ok := c.files[id]; ok && f != nil {
		return f
	}
	f := c.peek(id)
	if f == nil {
		d := c.ds.Errorf("E0311", span, "`%s` has no variant `%s`", c.game().ID, id)
		suggest(d, span, id, c.ids())
		return nil
	}
	if !c.fits(f.For) {
		d := c.ds.Errorf("E0328", span, "variant `%s` is for `%s`, not for `%s`", id, f.For, c.game().ID)
		d.WithRelated(f.ForSpan, "it says so here")
		return nil
	}
	c.files[id] = f
	return f
}

// peek returns a variant without a word if there is none.
func (c *chooser) peek(id string) *File {
	for i := len(c.chain) - 1; i >= 0; i-- {
		if f := c.lib.Variant(c.chain[i].ID, id); f != nil {
			return f
		}
	}
	return nil
}

func (c *chooser) fits(game string) bool {
	for _, g := range c.chain {
		if g.ID == game {
			return true
		}
	}
	return false
}

// ids lists the variants that the game can be played with.
func (c *chooser) ids() []string {
	if c.known == nil {
		for _, g := range c.chain {
			c.known = append(c.known, c.lib.VariantIDs(g.ID)...)
		}
		c.known = sorted(c.known)
	}
	return c.known
}

// choose fills inForce with the choice and all that it brings in.
func (c *chooser) choose(ch *Choice) {
	c.files, c.out, c.outBy = map[string]*File{}, map[string]source.Span{}, map[string]string{}
	for _, id := range sorted(ch.Without) {
		span := ch.place("--without", id)
		if c.find(id, span) != nil {
			c.out[id] = span
		}
	}
	for _, id := range sorted(ch.With) {
		if span, off := c.out[id]; off {
			c.ds.Errorf("E0323", ch.place("--with", id), "`%s` is asked for and switched off at once", id).
				WithRelated(span, "switched off here").
				WithHelp("leave out one of the two")
		}
	}
	// Once without the `without` of variants, to see who has one; then again.
	quiet := source.List{}
	c.sweep(ch, &quiet)
	for _, id := range sorted(c.order) {
		for _, n := range scalars(c.files[id].Root.Get("without"), "without", c.ds) {
			if _, done := c.out[n.Text]; !done && c.find(n.Text, n.Span) != nil {
				c.out[n.Text], c.outBy[n.Text] = n.Span, id
			}
		}
	}
	c.sweep(ch, c.ds)
}

// sweep collects the variants in force, given those that are switched off.
func (c *chooser) sweep(ch *Choice, ds *source.List) {
	keep := c.ds
	c.ds = ds
	defer func() { c.ds = keep }()
	c.inForce, c.order = map[string]*Source{}, nil
	for _, id := range sorted(ch.With) {
		span := ch.place("--with", id)
		if by := c.outBy[id]; by != "" {
			c.ds.Errorf("E0323", span, "`%s` plays without `%s`", by, id).WithRelated(c.out[id], "it says so here")
			continue
		}
		c.bring(id, &Source{Asked: true, Span: span})
	}
	if ch.Usual {
		for _, n := range c.usual() {
			c.bring(n.Text, &Source{Usual: true, Span: n.Span})
		}
	}
	for i := 0; i < len(c.order); i++ { // grows on the way
		c.members(c.order[i])
	}
}

// usual lists the variants that the game calls usual.
func (c *chooser) usual() []*yamltree.Node {
	for i := len(c.chain) - 1; i >= 0; i-- {
		if n := c.chain[i].Root.Get("usual"); n != nil {
			return scalars(n, "usual", c.ds)
		}
	}
	return nil
}

// members brings in what a variant comes with or needs.
func (c *chooser) members(id string) {
	f := c.files[id]
	for _, key := range []string{"with", "needs"} {
		for _, n := range scalars(f.Root.Get(key), key, c.ds) {
			if span, off := c.out[n.Text]; off && key == "needs" {
				c.ds.Errorf("E0323", n.Span, "`%s` needs `%s`, which is switched off", id, n.Text).
					WithRelated(span, "switched off here")
				continue
			}
			c.bring(n.Text, &Source{By: id, Span: n.Span})
		}
	}
}

// bring puts a variant in force unless it is switched off.
func (c *chooser) bring(id string, why *Source) {
	if _, off := c.out[id]; off {
		return
	}
	if c.inForce[id] != nil || c.find(id, why.Span) == nil {
		return
	}
	c.inForce[id] = why
	c.order = append(c.order, id)
}

// exclusions reports variants in force of which one excludes the other.
func (c *chooser) exclusions() {
	c.foes = map[[2]string]bool{}
	for _, id := range sorted(c.order) {
		for _, p := range entries(c.files[id].Root.Get("excludes"), "excludes", c.ds) {
			other := p.Key.Text
			if other == id {
				c.ds.Errorf("E0323", p.Key.Span, "`%s` excludes itself", id)
				continue
			}
			if c.inForce[other] == nil {
				c.find(other, p.Key.Span)
				continue
			}
			c.foes[[2]string{id, other}] = true
			d := c.ds.Errorf("E0323", p.Key.Span, "`%s` and `%s` exclude each other", id, other)
			if p.Value.Kind == yamltree.Scalar && p.Value.Text != "" {
				d.WithLabel("%s", p.Value.Text)
				d.Message += ": " + strings.TrimSuffix(strings.TrimSpace(p.Value.Text), ".")
			}
			d.WithRelated(c.files[other].IDSpan, "`%s` is this one", other)
			for _, v := range []string{id, other} {
				switch w := c.inForce[v]; {
				case w.By != "":
					d.WithRelated(w.Span, "`%s` is brought in by `%s` here", v, w.By)
				case w.Usual:
					d.WithRelated(w.Span, "`%s` is usual in this game", v)
				}
			}
		}
	}
}

// apart reports whether one of two variants excludes the other. Then nothing
// more needs to be said about what they do to each other.
func (c *chooser) apart(a, b string) bool {
	return c.foes[[2]string{a, b}] || c.foes[[2]string{b, a}]
}

// result returns the files in force in their order: parts first, then by id.
func (c *chooser) result() []*File {
	var out []*File
	for _, id := range c.order {
		out = append(out, c.files[id])
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := out[i].Kind == KindPart, out[j].Kind == KindPart; a != b {
			return a
		}
		return out[i].ID < out[j].ID
	})
	return out
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	sort.Strings(out)
	n := 0
	for i, w := range out {
		if i == 0 || w != out[n-1] {
			out[n] = w
			n++
		}
	}
	return out[:n]
}
