package merge

import (
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl/yamltree"
)

// A Path leads to a thing: keys from the top of the game, or of what one
// variant has for itself. Keys are names without their parameters.
type Path struct {
	Root string // "" for the game, else the id of a variant
	Keys []string
}

// String joins the keys by dots: "phases.choose.actions.keep", and for what is
// private "extra_turn.events.saved".
func (p Path) String() string {
	s := strings.Join(p.Keys, ".")
	if p.Root != "" {
		return strings.TrimSuffix(snake(p.Root)+"."+s, ".")
	}
	return s
}

// Kind says what the path leads to.
func (p Path) Kind() Kind { return kindOf(p.Keys) }

// Name is the last key.
func (p Path) Name() string { return p.Keys[len(p.Keys)-1] }

func (p Path) key() string { return p.Root + "\x00" + strings.Join(p.Keys, "\x00") }

func (p Path) child(name string) Path {
	return Path{p.Root, append(p.Keys[:len(p.Keys):len(p.Keys)], name)}
}

// snake is the name by which formulas know a variant.
func snake(id string) string { return strings.ReplaceAll(id, "-", "_") }

// An entry is a named thing of a view, and the variant that adds it.
type entry struct {
	path  Path
	owner string
}

// A view is the game and the variants in force as their files have them, in
// which paths are looked up. Additions are recorded beside the trees.
type view struct {
	roots   map[string]*yamltree.Node     // by id of the variant; "" is the game
	names   map[string]map[string][]entry // by root, then name
	added   map[string][]*claim           // additions by path
	under   map[string][]*claim           // additions by the path of what they are in
	indexes map[*yamltree.Node]map[string]*yamltree.Pair
	hints   int // suggestions made; bounded, since each looks at many names
}

func newView(game *yamltree.Node) *view {
	v := &view{map[string]*yamltree.Node{}, map[string]map[string][]entry{}, map[string][]*claim{},
		map[string][]*claim{}, map[*yamltree.Node]map[string]*yamltree.Pair{}, 0}
	v.addRoot("", game)
	return v
}

// addRoot makes a tree known.
func (v *view) addRoot(id string, root *yamltree.Node) {
	v.roots[id] = root
	v.names[id] = map[string][]entry{}
	eachName(root, func(keys []string, _ *yamltree.Node) { v.name(Path{id, keys}, "") })
}

// name makes one thing known. A scope is in `scopes` and in `state`; its name
// alone means the state. Advice bears the name of its action, which is what the
// name alone means.
func (v *view) name(p Path, owner string) {
	if p.Kind() == AdviceThing {
		return
	}
	names, n := v.names[p.Root], p.Name()
	if k := p.Kind(); k == StateScope || k == Scope {
		for i, e := range names[n] {
			if o := e.path.Kind(); o == Scope || o == StateScope {
				if k == StateScope && o == Scope {
					names[n][i] = entry{p, owner}
				}
				return
			}
		}
	}
	names[n] = append(names[n], entry{p, owner})
}

// record makes an addition known, with the names inside it.
func (v *view) record(c *claim) {
	v.added[c.path.key()] = append(v.added[c.path.key()], c)
	up := Path{c.path.Root, c.path.Keys[:len(c.path.Keys)-1]}
	v.under[up.key()] = append(v.under[up.key()], c)
	if len(v.added[c.path.key()]) == 1 {
		if c.path.Kind() > Section {
			v.name(c.path, c.owner)
		}
		eachNameIn(c.path.Keys, c.value, func(keys []string, _ *yamltree.Node) {
			v.name(Path{c.path.Root, keys}, c.owner)
		})
	}
}

// eyes say who looks a path up, and whose additions and names it may build on.
type eyes struct {
	owner string
	deps  map[string]bool // variants that owner brings in or needs, however far
	needs []string        // variants whose own names owner may use bare
	own   bool            // whether owner's own names count too
}

func (e *eyes) see(owner string) bool { return owner == "" || owner == e.owner || e.deps[owner] }

// maxStarts bounds how many meanings of one name are looked for.
const maxStarts = 5

// starts returns the things of the wanted kinds that a bare name may mean to
// somebody, at most maxStarts of them. A nil want takes all kinds.
func (v *view) starts(name string, e *eyes, want func(Kind) bool) []Path {
	var out []Path
	for _, r := range e.roots() {
		for _, n := range v.names[r][name] {
			if e.see(n.owner) && (want == nil || want(n.path.Kind())) {
				if out = append(out, n.path); len(out) == maxStarts {
					return out
				}
			}
		}
	}
	return out
}

func (e *eyes) roots() []string {
	out := append([]string{""}, e.needs...)
	if e.own && e.owner != "" && !has(e.needs, e.owner) {
		out = append(out, e.owner)
	}
	return out
}

// child finds a name inside the thing at a path. The node is nil if the name
// belongs to an addition that has no value.
func (v *view) child(p Path, n *yamltree.Node, name string, e *eyes) (*yamltree.Node, bool) {
	n = opened(n, p.Kind())
	if n != nil && n.Kind == yamltree.Map {
		if pair := v.pair(n, name); pair != nil {
			return pair.Value, true
		}
	}
	if n != nil && n.Kind == yamltree.List {
		for _, i := range n.Items {
			if i.Kind == yamltree.Scalar && i.Text == name {
				return i, true
			}
		}
	}
	if e == nil || len(v.added) == 0 {
		return nil, false
	}
	for _, c := range v.added[p.child(name).key()] {
		if e.see(c.owner) {
			return c.value, true
		}
	}
	return nil, false
}

// at returns the node at a path, nil if there is none.
func (v *view) at(p Path, e *eyes) *yamltree.Node {
	n, at := v.roots[p.Root], Path{Root: p.Root}
	for _, k := range p.Keys {
		var ok bool
		if n, ok = v.child(at, n, k, e); !ok {
			return nil
		}
		at = at.child(k)
	}
	return n
}

// pair finds an entry of a map by name, with an index for long maps.
func (v *view) pair(n *yamltree.Node, name string) *yamltree.Pair {
	if len(n.Pairs) <= 8 {
		for _, p := range n.Pairs {
			if keyName(p.Key.Text) == name {
				return p
			}
		}
		return nil
	}
	ix := v.indexes[n]
	if ix == nil {
		ix = make(map[string]*yamltree.Pair, len(n.Pairs))
		for _, p := range n.Pairs {
			if k := keyName(p.Key.Text); ix[k] == nil {
				ix[k] = p
			}
		}
		v.indexes[n] = ix
	}
	return ix[name]
}

// maxHints bounds how many did-you-means one merge works out.
const maxHints = 50

// namesIn lists the names inside the thing at a path, for a did-you-mean.
func (v *view) namesIn(p Path, n *yamltree.Node, e *eyes) []string {
	if v.hints++; v.hints > maxHints {
		return nil
	}
	var out []string
	if n = opened(n, p.Kind()); n != nil {
		for _, pair := range n.Pairs {
			out = append(out, keyName(pair.Key.Text))
		}
		for _, i := range n.Items {
			out = append(out, i.Text)
		}
	}
	for _, c := range v.under[p.key()] {
		if e.see(c.owner) {
			out = append(out, c.path.Name())
		}
	}
	return out
}

// startNames lists the names that a path may begin with and that want accepts.
func (v *view) startNames(e *eyes, want func(Kind) bool) []string {
	if v.hints++; v.hints > maxHints {
		return nil
	}
	var out []string
	for _, r := range e.roots() {
		for name, list := range v.names[r] {
			for _, n := range list {
				if e.see(n.owner) && (want == nil || want(n.path.Kind())) {
					out = append(out, name)
					break
				}
			}
		}
	}
	sort.Strings(out)
	if want == nil {
		out = append(out, sections...)
	}
	return out
}
