package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// covers is a game with points of every kind. Its example `all` reaches all of
// them, and `none` only begins.
const covers = `
houserules: 1
game: covers
title: Covers
players: 2
pieces: {dice: {count: 2, faces: 1..6}}
zones: {tray: {of: dice, starts: all, seen: all}}
state:
  player: {score: 0}
  turn: {points: 0, taken: 0}
tables:
  grade:
    given: {n: int}
    gives: int
    rows:
      high: {when: n >= 5, gives: 2}
      low: {gives: 1}
scorers:
  worth:
    of: dice
    pays: turn.points
    combos:
      one: {match: 1, points: 30}
      pair: {match: x*2, points: 20}
incidents:
  cocked:
    spoils: look
    do: goto choose
events:
  rich: {when: me.score >= 5, say: "{me} is rich."}
phases:
  choose:
    actions:
      roll: {rule: "Throw."}
      take:
        pick: {n: 1..6}
        require:
          not_three: {that: n != 3, else: "no threes"}
        do: |
          turn.taken = grade(n)
          if turn.taken == 2 {
            me.score += 5
          } else {
            me.score += 1
          }
          emit rich
          goto choose if me.score < 6
          finish
  look:
    enter: |
      throw tray
      score tray by worth if worth.all_score(tray)
      next turn
rank: {score: {by: me.score, first: highest}}
examples:
  all:
    play: |
      ! take 3 by not_three
      roll -> cocked
      roll -> 1 1
      Bob: roll -> 4 4
      roll -> 2 3
      take 1
      take 6
  none: {can: [roll, take]}
`

const coversVariant = `
houserules: 1
variant: twice
for: covers
title: Twice
after:
  take: {when: n == 6, do: me.score += 1}
forbid:
  roll: {when: me.score > 0, because: "roll first"}
examples:
  all:
    play: |
      take 1
      ! roll by twice
      take 6
  passes: {play: "roll -> 2 3"}
`

// covered plays examples of the game above and returns what was reached.
func covered(t *testing.T, game, variant string, names ...string) map[string]int64 {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("covers.yaml", game), &ds)
	lib.Add(source.NewFile("twice.yaml", coversVariant), &ds)
	report(t, ds)
	c := interpreter.NewCoverage()
	r := interpreter.NewExampleRunner(lib)
	r.Cover(c)
	results, ds := r.Run("covers", variant, func(name string) bool { return slices.Contains(names, name) })
	report(t, ds)
	if len(results) != len(names) {
		t.Fatalf("%d examples were played of %v", len(results), names)
	}
	for _, res := range results {
		for _, f := range res.Failures {
			t.Errorf("%s: %s: %s %v", res.Example.Name, f.Span, f.Message, f.List.Err())
		}
	}
	file := "covers.yaml"
	if variant != "" {
		file = "./twice.yaml"
	}
	out := map[string]int64{}
	for _, p := range c.Points(file) {
		line, _ := p.Span.File.LineCol(p.Span.Start)
		out[fmt.Sprintf("%s %s:%d", p.Kind, p.Path, line)] = p.Count
	}
	return out
}

// TestCoverage reaches points of every kind, and misses them without the
// example that reaches them.
func TestCoverage(t *testing.T) {
	all, none := covered(t, covers, "", "all"), covered(t, covers, "", "none")
	kinds := map[string]bool{}
	for p, n := range all {
		for _, k := range interpreter.PointKinds() {
			if strings.HasPrefix(p, string(k)+" ") {
				kinds[string(k)] = true
			}
		}
		if n == 0 {
			t.Errorf("%s is not reached", p)
		}
	}
	for p, n := range none {
		if want := strings.HasPrefix(p, "phase phases.choose"); (n > 0) != want {
			t.Errorf("%s is reached %d times where nothing is done", p, n)
		}
	}
	if len(all) != len(none) {
		t.Errorf("there are %d points, and %d without the example", len(all), len(none))
	}
	for p, n := range covered(t, covers, "twice", "all", "passes") {
		kinds[strings.SplitN(p, " ", 2)[0]] = true
		if n == 0 {
			t.Errorf("%s is not reached", p)
		}
	}
	for _, k := range interpreter.PointKinds() {
		if !kinds[string(k)] {
			t.Errorf("there is no %s", k)
		}
	}
	for p, want := range map[string]int64{
		"guard refused phases.choose.actions.take.require.not_three:": 1,
		"guard passed phases.choose.actions.take.require.not_three:":  2,
		"action phases.choose.actions.roll:":                          4,
		"event events.rich:":                                          1,
		"event not events.rich:":                                      1,
		"row tables.grade.rows.high:":                                 1,
		"combination scorers.worth.combos.pair:":                      1,
		"if true phases.look.enter:":                                  2,
		"if false phases.look.enter:":                                 1,
	} {
		got := int64(-1)
		for q, n := range all {
			if strings.HasPrefix(q, p) {
				got = n
			}
		}
		if got != want {
			t.Errorf("%s: %d, not %d", p, got, want)
		}
	}
}

// TestCoverageGuards leaves out what a guard can never do.
func TestCoverageGuards(t *testing.T) {
	never := strings.NewReplacer("that: n != 3", "that: false", "can: [roll, take]", "can: [roll]").Replace(covers)
	for p := range covered(t, never, "", "none") {
		if strings.HasPrefix(p, "guard passed") {
			t.Errorf("%s can never be reached", p)
		}
	}
}

// TestCoverageTogether counts from several goroutines at once, and not what a
// clone only tries.
func TestCoverageTogether(t *testing.T) {
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("covers.yaml", covers), &ds)
	report(t, ds)
	p := mustLoad(t, lib, "covers", dsl.Options{})
	c := interpreter.NewCoverage()
	g, err := interpreter.NewCovered(p, 2, c)
	if err != nil {
		t.Fatal(err)
	}
	taken := func() (n int64) {
		for _, p := range c.Points("covers.yaml") {
			if p.Kind == interpreter.PointAction {
				n += p.Count
			}
		}
		return n
	}
	r := interpreter.NewRand(1, 0, interpreter.StreamPolicy)
	if _, err := g.Start(interpreter.Setup{}).Clone().Playout(&r, 0); err != nil || taken() != 0 {
		t.Errorf("a clone has counted %d actions (%v)", taken(), err)
	}
	var wg sync.WaitGroup
	decisions := make([]int, 4)
	for i := range decisions {
		wg.Go(func() {
			r := interpreter.NewRand(uint64(i), 0, interpreter.StreamPolicy)
			decisions[i], _ = g.Start(interpreter.Setup{Seed: uint64(i)}).Playout(&r, 0)
		})
	}
	wg.Wait()
	sum := int64(0)
	for _, n := range decisions {
		sum += int64(n)
	}
	if got := taken(); got != sum || sum == 0 {
		t.Errorf("%d actions are counted, %d were taken", got, sum)
	}
}

// TestCoveredPlaysTheSame plays shipped games with and without counting: they
// are the same games.
func TestCoveredPlaysTheSame(t *testing.T) {
	lib := shipped()
	for _, f := range lib.Games() {
		p := mustLoad(t, lib, f.ID, dsl.Options{Usual: true})
		plain, err := interpreter.New(p, p.MinPlayers)
		if err != nil {
			t.Fatal(err)
		}
		counting, err := interpreter.NewCovered(p, p.MinPlayers, interpreter.NewCoverage())
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(5) {
			play := func(g *interpreter.Game) (n int, state []int64, err error) {
				m := g.Start(interpreter.Setup{Seed: seed})
				r := interpreter.NewRand(seed, 0, interpreter.StreamPolicy)
				n, err = m.Playout(&r, 300)
				return n, stateOf(m), err
			}
			n1, s1, err1 := play(plain)
			n2, s2, err2 := play(counting)
			if n1 != n2 || err1 != nil || err2 != nil || !slices.Equal(s1, s2) {
				t.Errorf("%s, seed %d: %d decisions (%v), covered %d (%v)\n%v\n%v", f.ID, seed, n1, err1, n2, err2, s1, s2)
			}
		}
	}
}
