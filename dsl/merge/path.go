package merge

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A segment is one name of a path as written.
type segment struct {
	text     string
	from, to int // bytes of the scalar's text
}

// split cuts a path at its dots, except inside brackets.
func split(s string) []segment {
	var out []segment
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == '.' && depth == 0:
			out = append(out, segment{s[start:i], start, i})
			start = i + 1
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		}
	}
	return out
}

// maxKeys bounds the length of a path. Nothing in a rule file is so deep.
const maxKeys = 24

// A lookup is a path on its way through a view.
type lookup struct {
	v    *view
	e    *eyes
	ds   *source.List
	key  *yamltree.Node // the scalar that holds the path
	segs []segment

	path Path
	node *yamltree.Node // at path; nil for what does not exist yet
	next int            // first segment that was not found
}

func (l *lookup) span(i int) source.Span { return l.key.SpanOf(l.segs[i].from, l.segs[i].to) }

// join is the name that segments i..j spell; derived fields such as
// `seat.exact` have a dot of their own.
func (l *lookup) join(i, j int) string {
	return keyName(strings.TrimSpace(l.key.Text[l.segs[i].from:l.segs[j-1].to]))
}

// follow begins the lookup of a path and goes along as far as names are
// found. It returns false, with a diagnostic, if not even the first one is.
// kinds, if not nil, says what a path of one name may mean.
func (v *view) follow(key *yamltree.Node, e *eyes, kinds func(Kind) bool, miss string, ds *source.List) (*lookup, bool) {
	l := &lookup{v: v, e: e, ds: ds, key: key, segs: split(key.Text)}
	for i, s := range l.segs {
		if strings.TrimSpace(s.text) == "" {
			ds.Errorf(miss, key.Span, "`%s` is not a path", key.Text).
				WithHelp("a path is names joined by dots, such as `phases.choose.actions.keep`")
			return nil, false
		}
		if i >= maxKeys {
			ds.Errorf(miss, key.Span, "the path is longer than %d names", maxKeys)
			return nil, false
		}
	}
	if !l.begin(kinds, miss) {
		return nil, false
	}
	for l.next < len(l.segs) && l.step() {
	}
	return l, true
}

// begin finds where the path starts.
func (l *lookup) begin(kinds func(Kind) bool, miss string) bool {
	if first := l.join(0, 1); has(sections, first) && (kinds == nil || len(l.segs) > 1) {
		l.enter(Path{"", []string{first}}, 1)
		return true
	}
	for j := min(len(l.segs), 3); j > 0; j-- {
		want := kinds
		if j < len(l.segs) {
			want = nil
		}
		found := l.v.starts(l.join(0, j), l.e, want)
		switch len(found) {
		case 0:
			continue
		case 1:
			l.enter(found[0], j)
			return true
		}
		d := l.ds.Errorf("E0325", l.key.SpanOf(0, l.segs[j-1].to), "`%s` is the name of more than one thing", l.join(0, j))
		for _, p := range found {
			d.WithHelp("write `%s` if you mean that one", strings.Join(append([]string{p.String()}, l.rest(j)...), "."))
		}
		return false
	}
	if l.beginPrivate() {
		return true
	}
	l.unknownStart(kinds, miss)
	return false
}

func (l *lookup) rest(from int) []string {
	var out []string
	for _, s := range l.segs[from:] {
		out = append(out, s.text)
	}
	return out
}

// beginPrivate reads a path into what a variant that the file builds on has
// for itself: `extra_turn.events.saved`, or `extra_turn.saved`.
func (l *lookup) beginPrivate() bool {
	if len(l.segs) < 2 {
		return false
	}
	id := strings.ReplaceAll(l.join(0, 1), "_", "-")
	root, ok := l.v.roots[id]
	if !ok || id == "" || !l.e.deps[id] {
		return false
	}
	name := l.join(1, 2)
	if has(ownSections, name) {
		l.path, l.node, l.next = Path{id, []string{name}}, root.Get(name), 2
		return true
	}
	if ns := l.v.names[id][name]; len(ns) == 1 {
		l.enter(ns[0].path, 2)
		return true
	}
	return false
}

// enter goes to a thing that is known to exist.
func (l *lookup) enter(p Path, next int) {
	l.path, l.node, l.next = p, l.v.at(p, l.e), next
}

// step follows the next name. Names with dots in them are tried first.
func (l *lookup) step() bool {
	for j := min(len(l.segs), l.next+3); j > l.next; j-- {
		name := l.join(l.next, j)
		if n, ok := l.v.child(l.path, l.node, name, l.e); ok {
			l.path, l.node, l.next = l.path.child(name), n, j
			return true
		}
	}
	return false
}

// done reports whether the whole path was found.
func (l *lookup) done() bool { return l.next == len(l.segs) }

// unknown reports the first name that was not found.
func (l *lookup) unknown(code string) *source.Diagnostic {
	span := l.span(l.next)
	d := l.ds.Errorf(code, span, "`%s` has no `%s`", l.path, l.segs[l.next].text)
	suggest(d, span, l.segs[l.next].text, l.v.namesIn(l.path, l.node, l.e))
	if filler := l.skipped(); len(d.Help) == 0 && filler != "" {
		at := l.segs[l.next].from
		whole := l.key.Text[:at] + filler + "." + l.key.Text[at:]
		d.WithHelp("write every key on the way: `%s`", whole)
	}
	return d
}

// skipped returns the filler key behind which the name would be found, or "".
func (l *lookup) skipped() string {
	for _, filler := range sorted(keysOf(inside[l.path.Kind()])) {
		n, ok := l.v.child(l.path, l.node, filler, l.e)
		if !ok {
			continue
		}
		if _, ok = l.v.child(l.path.child(filler), n, l.join(l.next, l.next+1), l.e); ok {
			return filler
		}
	}
	return ""
}

// unknownStart reports a path of which not even the first name exists.
func (l *lookup) unknownStart(kinds func(Kind) bool, code string) {
	name := l.join(0, 1)
	span := l.span(0)
	if other := l.v.starts(name, l.e, nil); kinds != nil && len(other) > 0 {
		d := l.ds.Errorf(code, span, "`%s` is not something that this can be put on", name).
			WithHelp("it is `%s`", other[0])
		l.possible(d, kinds)
		return
	}
	d := l.ds.Errorf(code, span, "nothing in the game is called `%s`", name)
	if has(headKeys, name) {
		d.WithHelp("`%s` belongs to each file and cannot be patched", name)
		return
	}
	suggest(d, span, name, l.v.startNames(l.e, kinds))
	if len(d.Help) == 0 && kinds != nil {
		l.possible(d, kinds)
	}
}

// possible lists the names that could stand here, if they are few.
func (l *lookup) possible(d *source.Diagnostic, kinds func(Kind) bool) {
	names := sorted(l.v.startNames(l.e, kinds))
	if len(names) == 0 || len(names) > 12 {
		return
	}
	d.WithHelp("it can be put on `%s`", strings.Join(names, "`, `"))
}
