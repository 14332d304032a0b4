package interpreter_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// A print is the printed rules of a shipped game, by their ids.
type print struct {
	base    string   // the game that it extends: what stands there is looked after there
	rules   []string // in its own book and those of its house rules
	answers []string // to questions that the print leaves open
	kept    int      // at least so many are carried out, the others are for people
	// Rules of house rules that the game leaves to people, though base carries
	// them out.
	people []string
}

var prints = map[string]print{
	"zonk": {rules: numbered("Z", 1, 45), answers: numbered("ZQ", 1, 23), kept: 35},
	"skunkd": {
		rules:   append(numbered("S", 1, 57), cardRules...),
		answers: slices.Concat(numbered("SQ", 1, 21), numbered("SQ", 25, 31), cardAnswers),
		kept:    68,
	},
	"skunkd-solo": {
		base:    "skunkd",
		rules:   append(numbered("S", 58, 65), cardRules...),
		answers: slices.Concat(numbered("SQ", 22, 24), numbered("SQ", 31, 34), cardAnswers),
		kept:    21,
	},
	"skull-king": {
		rules:   append(numbered("K", 1, 36), skullRules...),
		answers: slices.Concat(numbered("KQ", 1, 35), skullAnswers),
		kept:    55,
	},
	"flinke-stinker": {
		rules:   numbered("F", 1, 40),
		answers: append(numbered("FQ", 1, 18), ownAnswers...),
		kept:    39,
	},
	"beggar-my-neighbour": {rules: numbered("B", 1, 6), answers: numbered("BQ", 1, 4), kept: 6},
	"bowling":             {rules: numbered("B", 1, 9), answers: numbered("BQ", 1, 2), kept: 8},
	"court-cards":         {rules: numbered("C", 1, 14), answers: numbered("CQ", 1, 4), kept: 14},
	"farkle":              {rules: numbered("F", 1, 22), answers: numbered("FQ", 1, 12), kept: 21},
	"hearts":              {rules: numbered("H", 1, 16), answers: numbered("HQ", 1, 10), kept: 15},
	"lanes":               {rules: numbered("C", 1, 9), answers: numbered("CQ", 1, 3), kept: 9},
	"left-centre-right":   {rules: numbered("L", 1, 6), answers: numbered("LQ", 1, 1), kept: 6},
	"liars-dice":          {rules: numbered("D", 1, 8), answers: numbered("DQ", 1, 3), kept: 8},
	"oh-hell":             {rules: numbered("O", 1, 15), answers: numbered("OQ", 1, 9), kept: 14},
	"pig":                 {rules: numbered("P", 1, 6), answers: numbered("PQ", 1, 3), kept: 6},
	"snakes-and-ladders":  {rules: numbered("N", 1, 6), answers: numbered("NQ", 1, 4), kept: 6},
	"yacht":               {rules: numbered("Y", 1, 11), answers: numbered("YQ", 1, 4), kept: 11},
	"skull-king-score": {
		base:    "skull-king",
		rules:   append([]string{"K31", "K32"}, skullRules...),
		answers: slices.Concat(numbered("SP", 1, 3), numbered("KQ", 1, 35), skullAnswers),
		kept:    22,
		people:  []string{"FE1", "KR1", "PP1", "PP2", "PP3", "PP5", "WW1"},
	},
}

// What the modes of Skull King say, and the questions that they leave open.
var (
	skullRules = append(numbered("PP", 1, 6),
		"LO1", "KR1", "WW1", "RS1", "RS2", "RS3", "FE1", "FE2", "EK1", "SB1", "SS1", "BB1", "WP1", "PB1")
	skullAnswers = []string{"RB2", "RS4", "RS5", "WW2", "WW4", "PP9", "FE3", "FE4", "SU1"}
)

// What we say of our own house rules of Flinke Stinker.
var ownAnswers = []string{"OG1", "MH1", "ND1", "LT1", "PO1", "PO2", "EF1", "EF2", "SO1", "SO2"}

// What the cards of SKUNK'D say, and the questions that they leave open.
var (
	cardRules   = []string{"CD1", "CD2", "EX1", "EX2", "MP1", "MU1", "PU1", "SB1", "SC1", "SS1", "ST1", "ST25", "ST62"}
	cardAnswers = []string{"CD3", "CD4", "CD5", "CD6", "CD8", "CD9", "MU2", "MU3", "MU4", "PU2", "SB2", "SC2", "SS2", "ST2", "ST63", "ST64"}
)

func numbered(letters string, from, to int) (out []string) {
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprint(letters, i))
	}
	return out
}

// singlesOf is a game by itself and with each of its house rules alone.
func singlesOf(t testing.TB, game string) []selection {
	t.Helper()
	out := []selection{chooseOf(game)}
	for _, id := range shipped().VariantIDs(game) {
		out = append(out, chooseOf(game, id))
	}
	for _, s := range out {
		report(t, s.problems)
	}
	return out
}

// Every printed rule of every shipped game is carried out and shown by an
// example, or left to people.
func TestEveryPrintedRuleIsLookedAfter(t *testing.T) {
	games := shipped().Games()
	if len(games) != len(prints) {
		t.Errorf("there are %d games, and the prints of %d", len(games), len(prints))
	}
	for _, g := range games {
		t.Run(g.ID, func(t *testing.T) { lookAfter(t, g.ID, prints[g.ID]) })
	}
}

func lookAfter(t *testing.T, game string, want print) {
	elsewhere := map[string]bool{}
	if want.base != "" {
		for _, e := range chooseOf(want.base).prog.Book {
			elsewhere[e.ID] = true
		}
	}
	where, left := map[string]string{}, map[string]bool{}
	people, kept := 0, 0
	for _, s := range singlesOf(t, game) {
		for _, e := range s.prog.Book {
			if e.Owner != "" && !slices.Contains(s.with, e.Owner) {
				continue // brought in by the house rule; its turn comes
			}
			if e.Owner == "" && (len(s.with) > 0 || elsewhere[e.ID]) {
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
			if g.Owner == "" && (len(s.with) > 0 || elsewhere[g.ID]) {
				continue // a house rule may put a printed rule out of force
			}
			if !g.Implemented && g.Covered && slices.Contains(want.people, g.ID) {
				left[g.ID] = true
				continue
			}
			t.Errorf("with %s: %s is implemented: %v, shown by an example: %v (%s)", s, g.ID, g.Implemented, g.Covered, g.Text)
		}
	}
	for _, id := range want.people {
		if !left[id] {
			t.Errorf("%s is not left to people", id)
		}
	}
	for _, id := range want.rules {
		if _, ok := where[id]; !ok {
			t.Errorf("no book holds %s", id)
		}
	}
	for id, owner := range where {
		if !slices.Contains(want.rules, id) {
			t.Errorf("the book of %q has %s, which is not of the print", owner, id)
		}
	}
	t.Logf("%d printed rules are carried out, %d are for people", kept, people)
	if kept < want.kept {
		t.Errorf("only %d printed rules are carried out by the rules", kept)
	}
}

// Every question that a print leaves open is answered, once; an answer that
// names a param names one that exists.
func TestAnswersNameTheirParams(t *testing.T) {
	all := []selection{usual(t), togetherAll()}
	for game, want := range prints {
		answered := map[string]bool{}
		for _, s := range singlesOf(t, game) {
			all = append(all, s)
			for _, a := range s.prog.Answers {
				answered[a.ID] = true
			}
		}
		for _, id := range want.answers {
			if !answered[id] {
				t.Errorf("%s: nothing answers %s", game, id)
			}
		}
	}
	for _, s := range all {
		params := map[string]bool{}
		for _, p := range s.prog.Params {
			params[p.Name] = true
		}
		seen := map[string]bool{}
		for _, a := range s.prog.Answers {
			if seen[a.ID] {
				t.Errorf("%s with %s: %s is answered twice", s.prog.Game, s, a.ID)
			}
			seen[a.ID] = true
			if a.Param != "" && !params[a.Param] {
				t.Errorf("%s with %s: the answer %s names the param %q", s.prog.Game, s, a.ID, a.Param)
			}
			if a.Param == "" && a.Text == "" {
				t.Errorf("%s with %s: %s is answered by nothing", s.prog.Game, s, a.ID)
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
			lib.AddLater(f, &ds)
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
	// It is some 40 ms and 8 MiB. What is allocated tells more than the clock,
	// which tells also what else the machine does.
	if each > 16<<20 {
		t.Errorf("%d MiB are allocated", each>>20)
	}
	if best > 150*time.Millisecond && !raceEnabled {
		t.Errorf("loading takes %v", best)
	}
}

// What a file says at its top is what it says as a whole.
func TestTopsOfFiles(t *testing.T) {
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		var ds source.List
		top, whole := merge.ReadTop(f), merge.ReadHead(f, &ds)
		report(t, ds)
		if top == nil {
			t.Errorf("%s: the head does not stand at the top", f.Name)
			continue
		}
		tops := len(top.Root.Pairs)
		if top.Root.Get("params") != nil || len(top.Root.Pairs) > 12 {
			t.Errorf("%s: more than the top was read", f.Name)
		}
		if top.ID != whole.ID || top.Kind != whole.Kind || top.For != whole.For || top.Extends != whole.Extends || top.Title != whole.Title ||
			top.About != whole.About || top.Icon != whole.Icon || !slices.Equal(top.Tags, whole.Tags) || top.IDSpan.Start != whole.IDSpan.Start {
			t.Errorf("%s: the top says %+v, the file %+v", f.Name, top, whole)
		}
		if got := top.Whole(); len(got.Root.Pairs) <= tops || got.IDSpan.File != f || len(got.Found()) > 0 {
			t.Errorf("%s: the rest was not read", f.Name)
		}
	}
}
