package merge

import (
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A ParamValue is the value that a param is given in place of its default.
type ParamValue struct {
	Owner string // variant that has the param for itself, "" for the game's
	Param string
	Value *yamltree.Node
	By    string      // id of the variant or game that sets it, "" for the command line
	Span  source.Span // of the name where it is set
}

// A proposal is a value that somebody wants a param to have.
type proposal struct {
	ParamValue
	label string
	layer int // of games that extend each other, lowest first; then variants; then the command line
}

const (
	layerVariant = 100
	layerCommand = 101
)

// A setter works out which values the params get.
type setter struct {
	choose *chooser
	deps   *deps
	v      *view // before merging
	roots  map[string]*yamltree.Node
	order  Order
	ds     *source.List

	found []*proposal
}

// file collects the `set` of a file.
func (s *setter) file(p *patcher, id string, layer int) {
	for _, body := range p.bodies {
		for _, pair := range entries(body.Get("set"), "set", s.ds) {
			if owner, name, ok := s.param(p, pair.Key, pair.Value); ok {
				s.found = append(s.found, &proposal{ParamValue{owner, name, pair.Value, id, pair.Key.Span}, p.label, layer})
			}
		}
	}
}

// command collects a setting from outside the rules.
func (s *setter) command(set Setting) {
	name, value := scalar(set.Name, set.NameSpan), set.Node
	if set.NameSpan.IsZero() {
		f := source.NewFile("--set", set.Name+"="+set.Value)
		name.Span = source.Span{File: f, Start: 0, End: len(set.Name)}
		if set.ValueSpan.IsZero() {
			set.ValueSpan = source.Span{File: f, Start: len(set.Name) + 1, End: len(f.Text)}
		}
	}
	if value == nil {
		if set.ValueSpan.IsZero() {
			set.ValueSpan = name.Span
		}
		value = scalar(set.Value, set.ValueSpan)
	}
	if owner, param, ok := s.param(nil, name, value); ok {
		s.found = append(s.found, &proposal{ParamValue{owner, param, value, "", name.Span}, "the command line", layerCommand})
	}
}

func (s *setter) has(root, name string) bool {
	return s.v.has(s.roots[root], "params", name)
}

// has reports whether a section of a root has a name.
func (v *view) has(root *yamltree.Node, section, name string) bool {
	sec := root.Get(section)
	return sec != nil && sec.Kind == yamltree.Map && v.pair(sec, name) != nil
}

// param finds the param that a name means to a file, or to the command line
// if p is nil.
func (s *setter) param(p *patcher, key, value *yamltree.Node) (owner, name string, ok bool) {
	if id, bare, dotted := strings.Cut(key.Text, "."); dotted {
		id = strings.ReplaceAll(id, "_", "-")
		if s.roots[id] != nil && id != "" && s.has(id, bare) {
			return id, bare, true
		}
		s.unknown(p, key, id, bare)
		return "", "", false
	}
	name = key.Text
	if p != nil && p.owner != "" && s.has(p.owner, name) {
		return p.owner, name, true
	}
	var owners []string
	for root := range s.roots {
		if (p == nil || root == "" || p.eyes.deps[root]) && s.has(root, name) {
			owners = append(owners, root)
		}
	}
	sort.Strings(owners)
	switch {
	case len(owners) == 1 || len(owners) > 1 && owners[0] == "":
		return owners[0], name, true
	case len(owners) > 1:
		d := s.ds.Errorf("E0325", key.Span, "more than one variant has a param `%s`", name)
		for _, o := range owners[:min(len(owners), 4)] {
			d.WithHelp("write `%s.%s` for that of `%s`", snake(o), name, o)
		}
		return "", "", false
	}
	s.unknown(p, key, "", name)
	return "", "", false
}

// unknown reports a param that is not there, or only notes that its variant
// was switched off or that another variant took it away.
func (s *setter) unknown(p *patcher, key *yamltree.Node, id, name string) {
	if p != nil {
		for _, off := range sorted(keysOf(s.choose.out)) {
			if f := s.choose.peek(off); f != nil && (id == "" || id == off) && s.v.has(f.Root, "params", name) {
				s.ds.Notef("W0513", key.Span, "%s sets `%s`, but `%s` is switched off", p.label, key.Text, off).
					WithRelated(s.choose.out[off], "switched off here")
				return
			}
		}
		if id == "" && s.v.has(s.v.roots[""], "params", name) {
			s.ds.Notef("W0513", key.Span, "%s sets `%s`, which another variant removes", p.label, name)
			return
		}
	}
	d := s.ds.Errorf("E0312", key.Span, "there is no param `%s`", key.Text)
	if s.v.hints++; s.v.hints > maxHints {
		return
	}
	for _, other := range s.choose.ids() {
		if f := s.choose.peek(other); f != nil && (id == "" || id == other) && s.v.has(f.Root, "params", name) {
			if p == nil {
				d.WithHelp("`%s` is a param of the variant `%s`; play with it: `--with %s`", name, other, other)
			} else {
				d.WithHelp("`%s` is a param of the variant `%s`; bring it in: `with: [%s]`", name, other, other)
			}
			return
		}
	}
	suggest(d, key.Span, key.Text, s.known(p))
}

// known lists the params that a file, or the command line, may set.
func (s *setter) known(p *patcher) []string {
	var out []string
	for _, root := range sorted(keysOf(s.roots)) {
		if p != nil && root != "" && root != p.owner && !p.eyes.deps[root] {
			continue
		}
		if sec := s.roots[root].Get("params"); sec != nil {
			for _, pair := range sec.Pairs {
				out = append(out, pair.Key.Text)
			}
		}
	}
	return out
}

func keysOf[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

// decide picks one value for each param: the command line before variants, a
// variant before those it builds on, any of these before the game.
func (s *setter) decide() []ParamValue {
	byParam := map[string][]*proposal{}
	for _, p := range s.found {
		k := p.Owner + "\x00" + p.Param
		byParam[k] = append(byParam[k], p)
	}
	var out []ParamValue
	for _, k := range sorted(keysOf(byParam)) {
		top := s.strongest(byParam[k])
		for _, p := range top[1:] {
			if later, settled := s.order.later(p.By, top[0].By); settled {
				if later {
					top[0] = p
				}
				continue
			}
			if !equal(top[0].Value, p.Value) && !s.choose.apart(top[0].By, p.By) {
				s.ds.Errorf("E0322", p.Span, "%s and %s set `%s` to different values", top[0].label, p.label, p.Param).
					WithRelated(top[0].Span, "%s sets it to %s here", top[0].label, shown(top[0].Value)).
					WithPair(top[0].By, p.By).
					WithHelp("choose one: `--set %s=..`", k[strings.IndexByte(k, 0)+1:])
				break
			}
		}
		out = append(out, top[0].ParamValue)
	}
	return out
}

func shown(n *yamltree.Node) string {
	if n.Kind == yamltree.Scalar {
		return "`" + n.Text + "`"
	}
	return n.Kind.String()
}

// strongest keeps the proposals that no other one overrules.
func (s *setter) strongest(ps []*proposal) []*proposal {
	high := 0
	for _, p := range ps {
		high = max(high, p.layer)
	}
	var out []*proposal
	for _, p := range ps {
		overruled := p.layer < high
		for _, q := range ps {
			if overruled {
				break
			}
			overruled = p.layer == layerVariant && q.layer == layerVariant && s.deps.on(q.By, p.By) && !s.deps.on(p.By, q.By)
		}
		if !overruled {
			out = append(out, p)
		}
	}
	return out
}
