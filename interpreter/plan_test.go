package interpreter_test

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
)

const plannedGame = `
houserules: 1
game: planned
title: Planned
players: 2..4
params: {goal: {default: 50, min: 10, max: 500}, free: {default: true}}
pieces: {dice: {count: 3, faces: 1..6}}
zones: {tray: {of: dice, starts: all}, aside: {of: dice}}
state: {player: {score: 0}, turn: {points: 0}}
define:
  half: goal / 2
  much: turn.points
  lead: max(map(everyone, .score)) - me.score
scorers:
  combos:
    of: dice
    pays: turn.points
    combos: {one: {match: 1, points: 10}}
phases:
  throw: {enter: "throw tray"}
  choose:
    actions:
      keep:
        pick: {kept: some of tray}
        require:
          scores: {that: combos.all_score(kept), else: "these score nothing"}
      keep_more:
        pick: {kept: some of tray}
        require:
          enough: {that: len(kept) * 10 > me.score, else: "too little"}
      stop: {require: {may: {that: free or turn.points > half, else: "not yet"}}}
      count: {pick: {n: 1..9}}
  over: {enter: finish}
rank: {score: {by: me.score, first: highest}}
`

// What the plan says is so: each line can be told from the rules.
func TestPlan(t *testing.T) {
	g := textGame(t, strings.ReplaceAll(plannedGame, `"throw tray"`, "throw tray"), 2)
	got := map[string]string{}
	for _, l := range g.Plan() {
		got[l.Path] = strings.TrimSuffix(l.How+"; "+l.Why, "; ")
	}
	for path, want := range map[string]string{
		"params.goal":                "stands fast: 50",
		"define.half":                "stands fast: 25",
		"define.much":                "read from where it lies",
		"define.lead":                "worked out each time",
		"scorers.combos":             "looked up: 84 sets of pieces are worked out before the first game", // (3+6 over 3)
		"phases.choose.actions.keep": "options are looked up: all 84 rows are worked out before the first game",
		"phases.choose.actions.keep.require.scores":      "answered by the table of options",
		"phases.choose.actions.keep_more":                "options are looked up, and those that are left tested one by one; `me.score` may change from one time to the next",
		"phases.choose.actions.keep_more.require.enough": "tested for each option; `me.score` may change from one time to the next",
		"phases.choose.actions.stop":                     "one option, as long as its guards hold",
		"phases.choose.actions.stop.require.may":         "left out: it holds whatever happens",
		"phases.choose.actions.count":                    "numbers are counted without a list",
	} {
		if got[path] != want {
			t.Errorf("%s: %q, wanted %q", path, got[path], want)
		}
	}
}

// A house rule that looks at the state is told to keep options from being looked
// up.
func TestPlanOfHouseRules(t *testing.T) {
	for _, c := range []struct{ with, path, how string }{
		{"", "phases.choose.actions.keep", "all 924 rows"},
		{"growing-minimum", "phases.decide.actions.bank", "as long as its guards hold"},
	} {
		var with []string
		if c.with != "" {
			with = []string{c.with}
		}
		found := false
		for _, l := range mustGame(t, "zonk", dsl.Options{With: with}, 2).Plan() {
			found = found || l.Path == c.path && strings.Contains(l.How, c.how)
		}
		if !found {
			t.Errorf("with %q, %s has no plan with %q", c.with, c.path, c.how)
		}
	}
}
