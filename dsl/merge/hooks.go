package merge

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A Moment is what a guard, waiver or hook is put on: a phase, an action, an
// event or a combination.
type Moment struct {
	Kind Kind // Phase, Action, Event or Combo
	Path Path // in the game, or in what the variant Path.Root has for itself
	Span source.Span
}

// Phase is the name of the phase of an action or phase.
func (m Moment) Phase() string {
	if m.Kind == Phase || m.Kind == Action {
		return m.Path.Keys[1]
	}
	return ""
}

// A GuardPatch is a condition that a variant puts on an action.
type GuardPatch struct {
	Owner  string // id of the variant, "" for a game that extends another
	Verb   string // "forbid" or "require"
	Action Moment
	// Name is the guard's own under `require`; under `forbid` it is that of
	// the variant in snake case.
	Name     string
	NameSpan source.Span
	Node     *yamltree.Node // {when, because, from}, or {that|either, else, from}
}

// A WaiverPatch lifts the guards that variants put on an action.
type WaiverPatch struct {
	Owner  string
	Action Moment
	Node   *yamltree.Node // {when}
}

// A HookPatch is what a variant does before or after a moment.
type HookPatch struct {
	Owner  string
	Side   string // "before" or "after"
	Moment Moment
	Node   *yamltree.Node // {when, do | offer, who, from}, or a bare script
}

func isAction(k Kind) bool { return k == Action }

func isMoment(k Kind) bool { return k == Phase || k == Action || k == Event || k == Combo }

// A poster reads guards, waivers and hooks.
type poster struct {
	v        *view
	older    []*view // of the games that this one extends
	ds       *source.List
	survives func(p Path) bool   // whether a thing is there after merging
	culprit  func(p Path) *claim // who took it away
	game     string
	hooked   map[string]source.Span // one hook a moment, side and file

	guards  []GuardPatch
	waivers []WaiverPatch
	hooks   []HookPatch
}

// read collects everything that a file puts on moments. Games that extend
// another use `require` for the section of that name.
func (o *poster) read(p *patcher) {
	for _, body := range p.bodies {
		for _, pair := range entries(body.Get("forbid"), "forbid", o.ds) {
			o.forbid(p, pair)
		}
		if p.owner != "" {
			for _, pair := range entries(body.Get("require"), "require", o.ds) {
				o.require(p, pair)
			}
		}
		for _, pair := range entries(body.Get("waive"), "waive", o.ds) {
			if m, ok := o.moment(p, pair.Key, isAction, "waiver"); ok {
				o.waivers = append(o.waivers, WaiverPatch{p.owner, m, owned(pair.Value, p.owner)})
			}
		}
		for _, side := range []string{"before", "after"} {
			for _, pair := range entries(body.Get(side), side, o.ds) {
				o.hook(p, side, pair)
			}
		}
	}
}

func (o *poster) forbid(p *patcher, pair *yamltree.Pair) {
	m, ok := o.moment(p, pair.Key, isAction, "guard")
	if !ok {
		return
	}
	items := []*yamltree.Node{pair.Value}
	if pair.Value.Kind == yamltree.List {
		items = pair.Value.Items
	}
	for _, n := range items {
		if n.Kind != yamltree.Map {
			o.ds.Errorf("E0115", n.Span, "`forbid` wants `{when: .., because: ..}`, not %s", n.Kind)
			continue
		}
		o.guards = append(o.guards, GuardPatch{p.owner, "forbid", m, snake(p.owner), pair.Key.Span, owned(n, p.owner)})
	}
}

func (o *poster) require(p *patcher, pair *yamltree.Pair) {
	m, ok := o.moment(p, pair.Key, isAction, "guard")
	if !ok {
		return
	}
	if that := pair.Value.Pair("that"); that != nil && that.Value.Kind == yamltree.Scalar {
		o.ds.Errorf("E0115", that.Key.Span, "a requirement needs a name").
			WithHelp("write `%s: {NAME: {that: .., else: ..}}`", pair.Key.Text)
		return
	}
	for _, g := range entries(pair.Value, "require", o.ds) {
		if !namePattern.MatchString(g.Key.Text) {
			o.ds.Errorf("E0119", g.Key.Span, "`%s` is not a name", g.Key.Text).
				WithHelp("names are small letters, digits and underscores")
		}
		o.guards = append(o.guards, GuardPatch{p.owner, "require", m, g.Key.Text, g.Key.Span, owned(g.Value, p.owner)})
	}
}

func (o *poster) hook(p *patcher, side string, pair *yamltree.Pair) {
	m, ok := o.moment(p, pair.Key, isMoment, "hook")
	if !ok {
		return
	}
	k := p.label + "\x00" + side + "\x00" + m.Path.key()
	if first, twice := o.hooked[k]; twice {
		o.ds.Errorf("E0322", pair.Key.Span, "%s has two hooks %s `%s`", p.label, side, m.Path).
			WithRelated(first, "the other one is here").
			WithHelp("put both into one script")
		return
	}
	o.hooked[k] = pair.Key.Span
	o.hooks = append(o.hooks, HookPatch{p.owner, side, m, owned(pair.Value, p.owner)})
}

// moment finds what a guard or hook is put on. It is false with an error if
// there never was such a thing, and with a note if something took it away.
func (o *poster) moment(p *patcher, key *yamltree.Node, kinds func(Kind) bool, what string) (Moment, bool) {
	eyes := *p.eyes
	eyes.own = true
	path, ok := o.quietly(o.v, key, &eyes, kinds)
	if !ok {
		for i := len(o.older) - 1; i >= 0; i-- {
			if old, found := o.quietly(o.older[i], key, &eyes, kinds); found {
				o.ds.Notef("W0514", key.Span, "this %s on `%s` falls silent: `%s` has no such thing", what, old, o.game)
				return Moment{}, false
			}
		}
		o.lookup(o.v, key, &eyes, kinds, o.ds)
		return Moment{}, false
	}
	if !o.survives(path) {
		d := o.ds.Notef("W0514", key.Span, "this %s on `%s` falls silent: nothing of that name is left", what, path)
		if c := o.culprit(path); c != nil {
			d.Message = d.Message[:len(d.Message)-len("nothing of that name is left")] + c.label + " " + c.verb.String() + " `" + c.path.String() + "`"
			d.WithRelated(c.span, "%s %s it here", c.label, c.verb)
		}
		return Moment{}, false
	}
	return Moment{path.Kind(), path, key.Span}, true
}

// quietly looks a moment up without a word, and without working hints out.
func (o *poster) quietly(v *view, key *yamltree.Node, e *eyes, kinds func(Kind) bool) (Path, bool) {
	hints := v.hints
	v.hints = maxHints
	defer func() { v.hints = hints }()
	return o.lookup(v, key, e, kinds, &source.List{})
}

func (o *poster) lookup(v *view, key *yamltree.Node, e *eyes, kinds func(Kind) bool, ds *source.List) (Path, bool) {
	if p, ok := combo(v, key.Text, e); ok && kinds(Combo) {
		return p, true
	}
	l, ok := v.follow(key, e, kinds, "E0303", ds)
	if !ok {
		return Path{}, false
	}
	if !l.done() {
		l.unknown("E0303")
		return Path{}, false
	}
	if !kinds(l.path.Kind()) {
		ds.Errorf("E0303", key.Span, "`%s` is not something that this can be put on", l.path).
			WithHelp("guards stand at actions; hooks at phases, actions, events and combinations")
		return Path{}, false
	}
	return l.path, true
}

// combo reads `roll.pair`: a combination is an event of its scorer's name, and
// needs no `combos` between, even where an action is called `roll` too.
func combo(v *view, text string, e *eyes) (Path, bool) {
	scorer, name, dotted := strings.Cut(text, ".")
	if !dotted {
		return Path{}, false
	}
	for _, root := range e.roots() {
		up := Path{root, []string{"scorers", scorer, "combos"}}
		if n := v.at(up, e); n != nil {
			if _, ok := v.child(up, n, name, e); ok {
				return up.child(name), true
			}
		}
	}
	return Path{}, false
}
