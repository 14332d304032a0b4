package interpreter_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// Every printed rule, Z1 to Z45, is carried out and shown by an example, or
// left to people.
func TestEveryPrintedRuleIsLookedAfter(t *testing.T) {
	where := map[string]string{}
	people, kept := 0, 0
	for _, s := range singles() {
		if s.prog == nil {
			report(t, s.problems)
		}
		for _, e := range s.prog.Book {
			if e.Owner != "" && !slices.Contains(s.with, e.Owner) {
				continue // brought in by the house rule; its turn comes
			}
			if e.Owner == "" && len(s.with) > 0 {
				continue
			}
			if old, ok := where[e.ID]; ok {
				t.Errorf("%s stands in the book of %q and of %q", e.ID, old, e.Owner)
			}
			where[e.ID] = e.Owner
			if e.People {
				people++
			} else {
				kept++
			}
		}
		for _, g := range s.prog.Uncovered() {
			if g.Owner == "" && len(s.with) > 0 {
				continue // a house rule may put a printed rule out of force
			}
			t.Errorf("with %s: %s is implemented: %v, shown by an example: %v (%s)", s, g.ID, g.Implemented, g.Covered, g.Text)
		}
	}
	for i := 1; i <= 45; i++ {
		if _, ok := where[fmt.Sprintf("Z%d", i)]; !ok {
			t.Errorf("no book holds Z%d", i)
		}
	}
	for id, owner := range where {
		var n int
		if _, err := fmt.Sscanf(id, "Z%d", &n); err != nil || n < 1 || n > 45 {
			t.Errorf("the book of %q has %s, which is not of the print", owner, id)
		}
	}
	t.Logf("%d printed rules are carried out, %d are for people", kept, people)
	if kept < 35 {
		t.Errorf("only %d printed rules are carried out by the rules", kept)
	}
}

// Every answer to an open question that names a param names one that exists,
// and every question is answered once.
func TestAnswersNameTheirParams(t *testing.T) {
	for _, s := range append(singles(), usual(t), togetherAll()) {
		params := map[string]bool{}
		for _, p := range s.prog.Params {
			params[p.Name] = true
		}
		seen := map[string]bool{}
		for _, a := range s.prog.Answers {
			if seen[a.ID] {
				t.Errorf("with %s: %s is answered twice", s, a.ID)
			}
			seen[a.ID] = true
			if a.Param != "" && !params[a.Param] {
				t.Errorf("with %s: the answer %s names the param %q", s, a.ID, a.Param)
			}
			if a.Param == "" && a.Text == "" {
				t.Errorf("with %s: %s is answered by nothing", s, a.ID)
			}
		}
	}
}

// Reading and checking the game with all house rules that go together stays
// quick and small.
func TestLoadingIsQuick(t *testing.T) {
	with := togetherAll().with
	load := func() {
		lib := dsl.NewLibrary()
		var ds source.List
		for _, f := range append(rulesets.Files(), variants.Files()...) {
			lib.Add(f, &ds)
		}
		report(t, ds)
		if p, ds := dsl.Load(lib, "zonk", dsl.Options{With: with}); p == nil {
			report(t, ds)
		}
	}
	load()
	var took []time.Duration
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const runs = 9
	for range runs {
		start := time.Now()
		load()
		took = append(took, time.Since(start))
	}
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	best, each := took[0], (after.TotalAlloc-before.TotalAlloc)/runs
	t.Logf("%d house rules: %v, %d KiB allocated", len(with), best, each>>10)
	if each > 64<<20 {
		t.Errorf("%d MiB are allocated", each>>20)
	}
	// The best of the runs: what else the machine does only adds to it.
	if best > 50*time.Millisecond && !raceEnabled {
		t.Errorf("loading takes %v", best)
	}
}
