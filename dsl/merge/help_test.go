package merge

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// shelf is a library in memory.
type shelf struct {
	games    map[string]*File
	variants map[string]*File
}

func (s *shelf) Game(id string) *File          { return s.games[id] }
func (s *shelf) Variant(game, id string) *File { return s.variants[id] }
func (s *shelf) VariantIDs(game string) []string {
	ids := keysOf(s.variants)
	sort.Strings(ids)
	return ids
}

// library reads files; the name of each is its id.
func library(t testing.TB, texts ...string) *shelf {
	t.Helper()
	s := &shelf{map[string]*File{}, map[string]*File{}}
	for _, text := range texts {
		var ds source.List
		f := ReadHead(source.NewFile(nameOf(text), text), &ds)
		if len(ds) > 0 || f == nil {
			t.Fatalf("head: %v\n%s", ds, text)
		}
		if f.Kind == KindGame {
			s.games[f.ID] = f
		} else {
			s.variants[f.ID] = f
		}
	}
	return s
}

func nameOf(text string) string {
	for _, line := range strings.Split(text, "\n") {
		for _, k := range []string{"game: ", "variant: ", "part: "} {
			if strings.HasPrefix(line, k) {
				return strings.TrimPrefix(line, k) + ".yaml"
			}
		}
	}
	return "none.yaml"
}

// house writes the text of a variant of the test game.
func house(id, body string) string {
	return "houserules: 1\nvariant: " + id + "\nfor: dicey\ntitle: T\n" + strings.TrimPrefix(body, "\n")
}

// show prints a tree in one line a leaf, with owners.
func show(n *yamltree.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *yamltree.Node) {
	switch n.Kind {
	case yamltree.Scalar:
		fmt.Fprintf(b, "%s", strings.TrimSpace(n.Text))
	case yamltree.List:
		b.WriteString("[")
		for i, x := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, x)
		}
		b.WriteString("]")
	default:
		b.WriteString("{")
		for i, p := range n.Pairs {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.Key.Text)
			if p.Owner != "" {
				b.WriteString("@" + p.Owner)
			}
			b.WriteString(": ")
			write(b, p.Value)
		}
		b.WriteString("}")
	}
}

// whole prints everything that a merge comes to.
func whole(m *Merged, ds source.List) string {
	var b strings.Builder
	ds.Sort()
	for _, d := range ds {
		fmt.Fprintf(&b, "%s %s\n", d, d.Severity)
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s %s\n", r.Span, r.Message)
		}
	}
	if m == nil {
		return b.String()
	}
	fmt.Fprintln(&b, show(m.Root))
	for _, o := range m.Own {
		fmt.Fprintln(&b, o.Variant.ID, show(o.Root))
	}
	for _, p := range m.Phases {
		fmt.Fprint(&b, p.Owner, "/", p.Pair.Key.Text, " ")
	}
	fmt.Fprintln(&b, m.Players, sortedBools(m.Asked))
	for _, x := range m.Guards {
		fmt.Fprintln(&b, x.Owner, x.Verb, x.Action.Path, x.Name, show(x.Node))
	}
	for _, x := range m.Waivers {
		fmt.Fprintln(&b, x.Owner, "waive", x.Action.Path, show(x.Node))
	}
	for _, x := range m.Hooks {
		fmt.Fprintln(&b, x.Owner, x.Side, x.Moment.Kind, x.Moment.Path, show(x.Node))
	}
	for _, x := range m.Sets {
		fmt.Fprintln(&b, "set", x.Owner, x.Param, show(x.Value), x.By)
	}
	var lines []string
	for n, as := range m.Adjust {
		l := "adjust " + show(n)
		for _, a := range as {
			l += " | " + a.Owner + ": " + a.Formula.Text
		}
		lines = append(lines, l)
	}
	sort.Strings(lines)
	b.WriteString(strings.Join(lines, "\n"))
	return b.String()
}

func sortedBools(m map[string]bool) string {
	keys := keysOf(m)
	sort.Strings(keys)
	var out []string
	for _, k := range keys {
		if m[k] {
			out = append(out, k)
		}
	}
	return strings.Join(out, ",")
}

// game is what the tests patch.
const game = `houserules: 1
game: dicey
title: Dicey
players: 2..6
usual: [chime]
params:
  goal: {default: 100, min: 10, max: 1000, rule: The goal.}
  extra: {default: 5}
pieces:
  dice: {count: 6, faces: 1..6, colour: [red, red, red, blue, blue, blue]}
zones:
  tray: {of: dice, starts: all}
state:
  player: {score: 0, banks: 0}
  turn:
    points: 0
define:
  worth(x): {1: 10, else: x}
  busted: not roll.any_score(tray)
  saved: {is: 0, rule: What is saved.}
  seat.exact: .score == goal
scorers:
  roll:
    of: dice
    pays: turn.points
    combos:
      ones: {match: 1, points: 100}
      kind: {match: x*n, where: n in 3..5, points: worth(x) * 100}
events:
  bust: {do: me.banks = 0, from: [A1]}
  bonus(who seat, n): {say: "{who} has {n}"}
phases:
  choose:
    actions:
      throw: {rule: Throw.}
      keep:
        pick: {kept: some of tray}
        tell_apart: [face]
        require:
          scores: {that: roll.all_score(kept), else: every die must score}
        do: goto choose
      bank:
        require:
          minimum: {that: turn.points > 0, else: roll first}
        do: next turn
  look: throw tray
  over: emit bust; next turn
turns: {begin: choose}
rank:
  score: {by: me.score, first: highest}
  banks: {by: me.banks, first: lowest}
examples:
  one: {play: throw}
`

// chime is the usual variant of the test game.
const chime = `houserules: 1
variant: chime
for: dicey
title: Chime
after:
  bank: say "Ding!"
`

// merged merges variants, in the order given, into the test game.
func merged(t testing.TB, with []string, texts ...string) (*Merged, source.List) {
	t.Helper()
	var ds source.List
	m := Merge(library(t, append([]string{game, chime}, texts...)...), "dicey", Choice{With: with}, &ds)
	if m == nil {
		t.Fatal("no result")
	}
	return m, ds
}

// wantCodes checks the codes of all findings, in order.
func wantCodes(t testing.TB, ds source.List, codes ...string) {
	t.Helper()
	ds.Sort()
	var got []string
	for _, d := range ds {
		got = append(got, d.Code)
	}
	if strings.Join(got, " ") != strings.Join(codes, " ") {
		t.Errorf("got %v, want %v:", got, codes)
		for _, d := range ds {
			t.Logf("  %v", d)
		}
	}
}

func wantText(t testing.TB, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("missing %q in\n%s", p, got)
		}
	}
}

// mergedIn merges a choice in a library.
func mergedIn(lib *shelf, c Choice) (*Merged, source.List) {
	var ds source.List
	return Merge(lib, "dicey", c, &ds), ds
}

func mergedGame(lib *shelf, id string, c Choice) (*Merged, source.List) {
	var ds source.List
	return Merge(lib, id, c, &ds), ds
}
