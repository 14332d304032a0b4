package dsl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// An Entry is one place of a game as it is played, after all house rules.
type Entry struct {
	Path  []string    // the keys that lead to it, as in `params`, `goal`, `default`
	Value string      // as it is written; a list of plain values in brackets, a script in several lines
	Items []string    // of a list of plain values, nil for others
	Holds bool        // there is no value: it holds the entries behind it
	By    string      // id of the house rule that brought it or changed it, "" for the game
	Span  source.Span // where it is written; zero for what the command line says
}

// Name is the path with dots.
func (e *Entry) Name() string { return strings.Join(e.Path, ".") }

// Effective lists a game with its house rules in force, entry by entry in the
// order of the sections: first what the game is after patching, then what house
// rules have for themselves, under `own` and their id, then the conditions that
// they put on actions, what they do before and after, and the values that are
// set. Examples and the book are left out. Trouble is for Load to report; it is
// nil if there is no such game.
func Effective(lib *Library, game string, opt Options) []Entry {
	var ds source.List
	m := merge.Merge(lib, game, choiceOf(opt), &ds)
	if m == nil {
		return nil
	}
	w := &entries{m: m, by: map[*source.File]string{}}
	for _, f := range m.Variants {
		w.by[f.Src] = f.ID
	}
	w.pairs(m.Root, nil)
	for _, own := range m.Own {
		w.pairs(own.Root, []string{"own", own.Variant.ID})
	}
	for _, g := range sortedBy(m.Guards, func(g merge.GuardPatch) string { return g.Verb }) {
		w.node(g.Node, named(g.Verb, g.Action.Path.String(), g.Name))
	}
	for _, x := range m.Waivers {
		w.node(x.Node, named("waive", x.Action.Path.String(), x.Owner))
	}
	for _, h := range sortedBy(m.Hooks, func(h merge.HookPatch) string { return h.Side + h.Moment.Path.String() }) {
		w.node(h.Node, named(h.Side, h.Moment.Path.String(), h.Owner))
	}
	for _, s := range m.Sets {
		name := s.Param
		if s.Owner != "" {
			name = s.Owner + "." + s.Param
		}
		w.out = append(w.out, Entry{Path: []string{"set", name}, Value: valueText(s.Value), By: s.By, Span: fileSpan(s.Value.Span)})
	}
	return w.out
}

// sortedBy puts those together that have the same text.
func sortedBy[T any](list []T, text func(T) string) []T {
	return slices.SortedStableFunc(slices.Values(list), func(a, b T) int { return cmp.Compare(text(a), text(b)) })
}

// named leaves out of a path what has no name: the owner of what a game has for
// itself.
func named(path ...string) []string {
	return slices.DeleteFunc(path, func(key string) bool { return key == "" })
}

// fileSpan is a place in a file, or none.
func fileSpan(s source.Span) source.Span {
	if s.File != nil && strings.HasPrefix(s.File.Name, "--") {
		return source.Span{}
	}
	return s
}

// entries walks over merged trees.
type entries struct {
	m   *merge.Merged
	by  map[*source.File]string
	out []Entry
}

func (w *entries) pairs(n *yamltree.Node, path []string) {
	if n == nil {
		return
	}
	for _, p := range n.Pairs {
		w.node(p.Value, append(path[:len(path):len(path)], p.Key.Text))
	}
}

func (w *entries) node(n *yamltree.Node, path []string) {
	e := Entry{Path: path, By: w.by[n.Span.File], Span: n.Span}
	switch {
	case n.Kind == yamltree.Map:
		e.Holds = true
		w.out = append(w.out, e)
		w.pairs(n, path)
	case n.Kind == yamltree.List && !plainItems(n):
		e.Holds = true
		w.out = append(w.out, e)
		for i, item := range n.Items {
			w.node(item, append(path[:len(path):len(path)], fmt.Sprint(i+1)))
		}
	default:
		e.Value = valueText(n)
		if n.Kind == yamltree.List {
			e.Items = []string{}
		}
		for _, item := range n.Items {
			e.Items = append(e.Items, item.Text)
		}
		w.out = append(w.out, e)
	}
	for _, a := range w.m.Adjust[n] {
		w.out = append(w.out, Entry{Path: append(path[:len(path):len(path)], "adjust"), Value: a.Formula.Text, By: a.Owner, Span: a.Formula.Span})
	}
}

func plainItems(n *yamltree.Node) bool {
	for _, i := range n.Items {
		if i.Kind != yamltree.Scalar || strings.Contains(i.Text, "\n") {
			return false
		}
	}
	return true
}
