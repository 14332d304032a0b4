package merge

import (
	"strings"
	"testing"
)

func TestMoments(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []string
		codes      string
	}{
		{"forbid", "forbid: {bank: {when: true, because: \"no\"}}", "", []string{"a forbid phases.choose.actions.bank a {when@a: true, because@a: no}"}, ""},
		{"forbid several", "forbid: {bank: [{when: x}, {when: y}]}", "", []string{"{when@a: x}", "{when@a: y}"}, ""},
		{"require", "require: {phases.choose.actions.bank: {rich: {that: x}}}", "", []string{"a require phases.choose.actions.bank rich {that@a: x}"}, ""},
		{"waive", "waive: {choose.actions.bank: {when: x}}", "", []string{"a waive phases.choose.actions.bank"}, ""},
		{"hooks", "before: {bank: say \"x\", look: {do: roll}, bonus: roll}\nafter: {roll.combos.kind: roll}", "",
			[]string{"before 15 phases.choose.actions.bank", "before 14 phases.look", "before 13 events.bonus", "after 12 scorers.roll.combos.kind"}, ""},
		{"combo by its scorer's name", "after: {roll.kind: roll}", "", []string{"after 12 scorers.roll.combos.kind"}, ""},
		{"guards of two", "forbid: {bank: {when: x}}", "require: {bank: {rich: {that: y}}}", []string{"a forbid", "b require"}, ""},
		{"hooks of two", "after: {bank: roll}", "after: {bank: throw tray}", []string{"a after", "b after"}, ""},
		{"removed by another", "forbid: {bank: {when: x}}\nbefore: {bank: roll}\nwaive: {bank: {when: x}}", "remove: [phases.choose.actions.bank]", nil, "W0514 W0514 W0514"},
		{"replaced by another without it", "before: {bank: roll}", "change: {choose: roll}", nil, "W0514"},
		{"replaced by another with it", "before: {bank: roll}", "change: {choose: {actions: {bank: roll}}}", []string{"before 15"}, ""},
		{"of a variant not known", "before: {saved: roll}", "events: {saved: roll}", nil, "E0303"},
		{"of a needed variant", "needs: [b]\nbefore: {saved: roll}", "events: {saved: roll}", []string{"before 13 b.events.saved"}, ""},
		{"of a variant brought in", "with: [b]\nbefore: {b.saved: roll}", "events: {saved: roll}", []string{"before 13 b.events.saved"}, ""},
		{"own action", "add: {choose.actions.pass: next turn}\nbefore: {pass: roll}", "", []string{"before 15 phases.choose.actions.pass"}, ""},
		{"unknown", "before: {bnak: roll}", "", nil, "E0303"},
		{"unknown action", "forbid: {bonk: {when: x}}", "", nil, "E0303"},
		{"phase is no action", "forbid: {look: {when: x}}", "", nil, "E0303"},
		{"guard is no moment", "before: {minimum: roll}", "", nil, "E0303"},
		{"full path of no moment", "before: {state.turn.points: roll}", "", nil, "E0303"},
		{"two hooks in a file", "before: {bank: roll, choose.actions.bank: roll}", "", nil, "E0322"},
		{"requirement without a name", "require: {bank: {that: x}}", "", nil, "E0115"},
		{"bad name", "require: {bank: {Rich: {that: x}}}", "", nil, "E0119"},
		{"list of formulas", "forbid: {bank: [x]}", "", nil, "E0115"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ds := merged(t, []string{"b", "a"}, house("a", tt.a+"\n"), house("b", tt.b+"\n"))
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, whole(m, ds), tt.want...)
			}
		})
	}
}

func TestSilentHookNamesTheOther(t *testing.T) {
	m, ds := merged(t, []string{"a", "b"},
		house("a", "before: {bank: roll}\n"), house("b", "remove: [phases.choose]\n"))
	wantCodes(t, ds, "W0514")
	if len(m.Hooks) != 0 || len(ds[0].Related) != 1 || ds[0].Related[0].Span.File.Name != "b.yaml" {
		t.Errorf("%v %v", m.Hooks, ds[0].Related)
	}
	wantText(t, ds[0].Message, "falls silent: `b` removes `phases.choose`")
}

const solo = `houserules: 1
game: solo
extends: dicey
title: Solo
players: 1
state:
  game: {lives: 3}
phases:
  rest: {at: before over, enter: goto choose}
define: {lucky: true}
change: {bust.do: game.lives -= 1}
adjust: {busted: it or lucky}
remove: [rank.banks, phases.choose.actions.keep]
set: {goal: 50}
before: {look: say "x"}
`

func TestExtends(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
		codes      string
	}{
		{"alone", "", []string{"state: {player: {score: 0, banks: 0}, turn: {points: 0}, game: {lives: 3}}", "bust: {do: game.lives -= 1",
			"/choose /look /rest /over 1", "rank: {score: {by: me.score, first: highest}}", " before 14 phases.look", "set  goal 50 solo",
			"adjust not roll.any_score(tray) | : it or lucky"}, ""},
		{"a variant of the base", "change: {kind.where: n == 3}\nset: {goal: 60}", []string{"where@v: n == 3", "set  goal 60 v"}, ""},
		{"adjusts on top", "adjust: {busted: it or x}", []string{"| : it or lucky | v: it or x"}, ""},
		{"uses what is new", "change: {state.game.lives: 4}", []string{"game: {lives@v: 4}"}, ""},
		{"hook on what is gone", "before: {keep: roll}\nforbid: {keep: {when: x}}", nil, "W0514 W0514"},
		{"change of what is gone", "change: {keep.do: roll}", nil, "E0320"},
		{"in this game", "in: {solo: {change: {kind.where: n == 4}, set: {goal: 90}, after: {look: roll}}}", []string{"where@v: n == 4", "goal 90 v", "v after"}, ""},
		{"in the other", "in: {dicey: {change: {kind.where: n == 4}}}", []string{"where: n in 3..5"}, ""},
		{"in no game", "in: {duo: {change: {kind.where: n == 4}}}", nil, "E0328"},
		{"no verb", "in: {dicey: {chang: {kind.where: n == 4}}}", nil, "E0103"},
		{"same thing twice", "change: {kind.where: n == 3}\nin: {solo: {change: {kind.where: n == 4}}}", nil, "E0322"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib := library(t, game, chime, solo, house("v", tt.body+"\n"))
			c := Choice{With: []string{"v"}}
			m, ds := mergedGame(lib, "solo", c)
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, whole(m, ds)+"\n", tt.want...)
			}
		})
	}
}

func TestExtendsWrongly(t *testing.T) {
	for body, code := range map[string]string{
		"define: {busted: true}\n":      "E0223",
		"change: {nothing: 1}\n":        "E0320",
		"turns: {begin: look}\n":        "E0223",
		"state: {player: {score: 1}}\n": "E0223",
		"forbid: {bonk: {when: x}}\n":   "E0303",
		"change: {extra.default: 3}\n":  "E0320",
		"state: {game: 4}\n":            "E0115",
	} {
		lib := library(t, game, "houserules: 1\ngame: duo\nextends: dicey\n"+body)
		_, ds := mergedGame(lib, "duo", Choice{})
		wantCodes(t, ds, code)
	}
	for _, text := range []string{"game: a\nextends: a\n", "game: a\nextends: b\n"} {
		lib := library(t, "houserules: 1\n"+text)
		if m, ds := mergedGame(lib, "a", Choice{}); m != nil || len(ds) != 1 {
			t.Errorf("%q: %v", text, ds)
		}
	}
}

func TestParts(t *testing.T) {
	m, ds := merged(t, []string{"a"}, house("a", "book: {B1: One.}\nexamples: {x: {play: throw}}\nanswers: {Q1: Yes.}\n"))
	wantCodes(t, ds)
	if len(m.Book) != 1 || m.Book[0].Owner != "a" || len(m.Answers) != 1 || len(m.Examples) != 2 || m.Examples[0].File.ID != "dicey" {
		t.Errorf("%v %v %v", m.Book, m.Answers, m.Examples)
	}
}
