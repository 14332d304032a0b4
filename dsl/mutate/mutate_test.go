package mutate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

const game = `houserules: 1
game: steps
title: Steps of 7
about: Of 3 things 2 are told.
players: 2..4
params:
  goal: {default: 20, min: 10, max: 30, step: 5, rule: "{goal} points, not 21."}
  fast: {default: true}
  way: {default: left, options: [left, right]}
pieces: {dice: {count: 2, faces: 1..6}}
zones: {tray: {of: dice, starts: all}}
state: {player: {score: 0}, turn: {points: 0}}
require: {sane: {that: goal > 12, else: "too little"}}
define:
  thrown: sum(tray, .face)
scorers:
  kinds:
    of: dice
    combos:
      pair: {match: x*2, points: x * 100}
      low: {match: 1 2, points: 12}
phases:
  choose:
    actions:
      stop:
        when: way == left and fast
        require: {enough: {that: turn.points >= 3, else: "3 are needed"}}
        do: |
          me.score += turn.points
          say "7 points"
          emit told
          goto choose if not over
          next turn
      go:
        do: |
          throw tray
          if thrown < turn.points {
            turn.points -= thrown
          }
          emit added(2)
          again
events:
  told: {when: turn.points > 5, say: "You have {turn.points + 1}."}
  added(n): {do: turn.points += n}
rank: {score: {by: me.score, first: highest}}
show: {line: {text: "{1 + 1}", when: turn.points > 9}}
invariants: {positive: {that: 'all(everyone, .score >= 0)', else: "never less than 0"}}
examples:
  stopping: {given: {turn.points: 4}, play: stop, then: Ann.score == 4}
`

// What is changed is what rules carry out, and all of it; texts, what is only told,
// what a screen shows, invariants and examples are left alone.
func TestMutantsOfAGame(t *testing.T) {
	f := source.NewFile("steps.yaml", game)
	want := `7 20 -> 25
7 20 -> 15
8 true -> false
9 left -> right
10 2 -> 3
10 2 -> 1
12 0 -> 1
12 0 -> 1
20 2 -> 1
20 * -> /
20 100 -> 101
20 100 -> 99
21 1 -> 2
21 2 -> 1
21 12 -> 13
21 12 -> 11
26 way == left and fast -> true
26 way == left and fast -> false
26 == -> !=
26 left -> right
26 and -> or
27 turn.points >= 3 -> true
27 turn.points >= 3 -> false
27 3 -> 4
27 3 -> 2
29 me.score += turn.points -> 
29 += -> -=
32 not over -> true
32 not over -> false
33 next turn -> 
36 throw tray -> 
37 thrown < turn.points -> true
37 thrown < turn.points -> false
37 < -> <=
38 -= -> +=
40 emit added(2) -> 
40 2 -> 3
40 2 -> 1
41 again -> 
44 turn.points += n -> 
44 += -> -=
`
	var got strings.Builder
	for _, m := range Of(load(t, f), f) {
		line, _ := f.LineCol(m.Span.Start)
		fmt.Fprintf(&got, "%d %s -> %s\n", line, m.Span.Text(), m.Text)
		changed := m.File()
		if changed.Name != f.Name || len(changed.Text)-len(f.Text) != len(m.Text)-len(m.Span.Text()) {
			t.Errorf("%s: the file is not changed there alone", m.Span)
		}
	}
	if got.String() != want {
		t.Errorf("got\n%s\nnot\n%s", got.String(), want)
	}
}

// A mutant knows what must happen for it to matter.
func TestUnder(t *testing.T) {
	f := source.NewFile("steps.yaml", game)
	for _, m := range Of(load(t, f), f) {
		line, _ := f.LineCol(m.Span.Start)
		want := map[int]string{29: "stop", 36: "go", 38: "if", 44: "added"}[line]
		if want == "" {
			continue
		}
		if m.Under.IsZero() || !strings.HasPrefix(m.Under.Text(), want) {
			t.Errorf("line %d is under %q, not %s", line, m.Under.Text(), want)
		}
	}
}

func load(t *testing.T, f *source.File) *dsl.Program {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(f, &ds)
	p, more := dsl.Load(lib, "steps", dsl.Options{})
	if p == nil || ds.HasErrors() {
		t.Fatal(ds.Err(), more.Err())
	}
	return p
}
