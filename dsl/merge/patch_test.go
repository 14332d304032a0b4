package merge

import (
	"strings"
	"testing"
)

func TestPatches(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
		codes      string
	}{
		{"leaf by short path", "change: {kind.where: n in 3..4}", []string{"where@v: n in 3..4"}, ""},
		{"leaf by full path", "change: {scorers.roll.combos.kind.points: 7}", []string{"points@v: 7"}, ""},
		{"whole node", "change:\n  bust: {say: \"Oh!\"}", []string{"bust@v: {say@v: Oh!}"}, ""},
		{"event with parameters by name", "change: {bonus.say: \"{n}\"}", []string{"bonus(who seat, n): {say@v: {n}}"}, ""},
		{"inside a shorthand", "change: {busted.is: false}", []string{"busted: {is@v: false}"}, ""},
		{"derived field", "change: {seat.exact: .score > goal}", []string{"seat.exact@v: .score > goal"}, ""},
		{"derived field in its section", "change: {define.seat.exact: true}", []string{"seat.exact@v: true"}, ""},
		{"lookup entry", "change: {worth.1: 11}", []string{"worth(x): {1@v: 11, else: x}"}, ""},
		{"phase shorthand", "change: {look.enter: roll}", []string{"look: {enter@v: roll}"}, ""},
		{"param leaf", "change: {goal.max: 5000}", []string{"max@v: 5000"}, ""},
		{"guard leaf", "change: {bank.require.minimum.that: true}", []string{"minimum: {that@v: true"}, ""},
		{"remove", "remove: [banks.by, dice.colour]", []string{"x"}, "E0325"},
		{"remove several", "remove: [rank.banks, dice.colour]", []string{"rank: {score: {by", "dice: {count: 6, faces: 1..6}"}, ""},
		{"remove one word of a list", "remove: [keep.tell_apart.face]", []string{"tell_apart: []"}, ""},
		{"add action to a bare phase", "add: {look.actions.again: goto look}", []string{"look: {enter: throw tray, actions@v: {again@v: goto look}}"}, ""},
		{"add to list", "add: {keep.tell_apart: colour}", []string{"tell_apart: [face, colour]"}, ""},
		{"add several to list", "add: {bust.from: [A2, A3]}", []string{"from: [A1, A2, A3]"}, ""},
		{"add function", "add: {define.half(x): x / 2}", []string{"half(x)@v: x / 2"}, ""},
		{"add derived field", "add: {define.seat.far: .score < 3}", []string{"seat.far@v: .score < 3"}, ""},
		{"add attribute", "add: {dice.odd: number == 1}", []string{"odd@v: number == 1"}, ""},
		{"add to absent container", "add: {roll.knows.room: len(tray)}", []string{"knows@v: {room@v: len(tray)}"}, ""},
		{"add to absent section", "add: {show.bank: \"B\"}", []string{"show@v: {bank@v: B}"}, ""},
		{"add absent section", "add: {ending: say \"x\"}", []string{`ending@v: say "x"`}, ""},
		{"add state in new scope", "add: {state.game.n: 0}", []string{"game@v: {n@v: 0}"}, ""},
		{"add at top", "add: {rank.first: {by: 1, at: top}}", []string{"rank: {first@v: {by@v: 1}, score"}, ""},
		{"add before", "add: {rank.first: {by: 1, at: before banks}}", []string{"first@v: {by@v: 1}, banks:"}, ""},
		{"add after", "add: {roll.combos.two: {match: 2, at: after ones}}", []string{"two@v: {match@v: 2}, kind:"}, ""},
		{"two in a chain", "add:\n  rank.b: {by: 1, at: after a}\n  rank.a: {by: 2, at: top}", []string{"rank: {a@v: {by@v: 2}, b@v: {by@v: 1}, score"}, ""},
		{"ring of anchors", "add:\n  rank.b: {by: 1, at: after a}\n  rank.a: {by: 2, at: before b}", nil, "E0320"},
		{"unknown anchor", "add: {rank.b: {by: 1, at: after scor}}", nil, "E0320"},
		{"bad anchor", "add: {rank.b: {by: 1, at: here}}", nil, "E0203"},

		{"unknown start", "change: {kinds.where: n}", nil, "E0320"},
		{"unknown leaf", "change: {kind.wher: n}", nil, "E0320"},
		{"filler skipped", "change: {keep.scores.that: n}", nil, "E0320"},
		{"filler skipped in phase", "remove: [choose.keep]", nil, "E0320"},
		{"ambiguous", "change: {score.by: 1}", nil, "E0325"},
		{"same value", "change: {kind.where: 'n in 3..5'}", nil, "E0321"},
		{"same list word", "add: {keep.tell_apart: face}", nil, "E0321"},
		{"added name exists", "add: {roll.combos.ones: {match: 1}}", nil, "E0223"},
		{"parent missing", "add: {roll.combis.two: {match: 1}}", nil, "E0320"},
		{"no place", "add: {two: {match: 1}}", nil, "E0320"},
		{"under a leaf", "add: {goal.min.x: 1}", nil, "E0320"},
		{"value of a param", "change: {goal.default: 7}", nil, "E0320"},
		{"whole param with value", "change: {params.goal: {default: 7}}", nil, "E0320"},
		{"head", "change: {players: 3}", nil, "E0320"},
		{"empty step", "change: {kind..where: 3}", nil, "E0320"},
		{"twice in a file", "change: {kind.where: n, scorers.roll.combos.kind.where: n == 3}", nil, "E0322"},
		{"above and below in a file", "change: {kind.where: n}\nremove: [kind]", nil, "E0322"},
		{"list instead of map", "change: [kind]", nil, "E0115"},
		{"map instead of list", "remove: {kind: x}", nil, "E0115"},
		{"section of the game only", "", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ds := merged(t, []string{"v"}, house("v", tt.body+"\n"))
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, show(m.Root), tt.want...)
			}
		})
	}
}

func TestBaseIsNotTouched(t *testing.T) {
	lib := library(t, game, chime, house("v", "change: {kind.where: n in 3..4, look: roll}\nremove: [rank.banks]\n"))
	before := show(lib.games["dicey"].Root)
	own := show(lib.variants["v"].Root)
	var m *Merged
	for range 2 {
		m, _ = mergedIn(lib, Choice{With: []string{"v"}})
	}
	if show(lib.games["dicey"].Root) != before || show(lib.variants["v"].Root) != own {
		t.Error("merging changed a file's tree")
	}
	if m.Root.Get("params") != lib.games["dicey"].Root.Get("params") {
		t.Error("an untouched section is not shared")
	}
	if m.Root.Get("examples") != nil || m.Root.Get("title") != nil {
		t.Error("the head is not a section")
	}
}

func TestDidYouMean(t *testing.T) {
	_, ds := merged(t, []string{"v"}, house("v", "change: {kind.wheer: n, kimd.where: n}\n"))
	wantCodes(t, ds, "E0320", "E0320")
	for _, d := range ds {
		if d.Span.File.Name != "v.yaml" || !strings.Contains(strings.Join(d.Help, " "), "did you mean") {
			t.Errorf("%v: %v", d, d.Help)
		}
		if got := d.Span.Text(); got != "wheer" && got != "kimd" {
			t.Errorf("the caret is at %q", got)
		}
	}
}

func TestFillerHelp(t *testing.T) {
	_, ds := merged(t, []string{"v"}, house("v", "remove: [choose.keep]\n"))
	wantCodes(t, ds, "E0320")
	wantText(t, strings.Join(ds[0].Help, " "), "every key on the way")
}

func TestOwnSections(t *testing.T) {
	m, ds := merged(t, []string{"a", "b"},
		house("a", `
state: {player: {chances: 1}}
phases:
  again: {at: before over, enter: throw tray; goto choose}
  last: next turn
`), house("b", `
phases:
  first: {at: top, enter: goto choose}
  also: {at: before over, enter: goto choose}
`))
	wantCodes(t, ds)
	wantText(t, whole(m, ds),
		"a {state@a: {player@a: {chances@a: 1}}, phases@a: {again@a: {enter@a: throw tray; goto choose}, last@a: next turn}}",
		"b/first /choose /look a/again b/also /over a/last")
}

func TestOwnPhaseAnchors(t *testing.T) {
	for _, tt := range []struct{ at, needs, want, code string }{
		{"after phases.look", "", "/look b/x", ""},
		{"after more", "needs: [a]", "a/more b/x", ""},
		{"before a.more", "with: [a]", "b/x a/more", ""},
		{"after luk", "", "", "E0320"},
		{"after x", "", "", "E0320"},
	} {
		m, ds := merged(t, []string{"a", "b"}, house("a", "phases: {more: roll}\n"),
			house("b", tt.needs+"\nphases:\n  x: {at: "+tt.at+", enter: roll}\n"))
		wantCodes(t, ds, strings.Fields(tt.code)...)
		wantText(t, whole(m, ds), tt.want)
	}
}

func TestScopes(t *testing.T) {
	lib := library(t, "houserules: 1\ngame: dicey\nplayers: 2\nscopes: {sequence: {in: turn}, lap: {in: game}}\nstate: {sequence: {n: 0}}\n",
		house("v", "change: {sequence.n: 1, lap.in: turn, scopes.sequence.in: lap}\n"))
	m, ds := mergedIn(lib, Choice{With: []string{"v"}})
	wantCodes(t, ds)
	wantText(t, show(m.Root), "scopes: {sequence: {in@v: lap}, lap: {in@v: turn}}, state: {sequence: {n@v: 1}}")
}

func TestOwnPhaseAtRemovedPhase(t *testing.T) {
	m, ds := merged(t, []string{"a", "b"},
		house("a", "phases:\n  again: {at: after look, enter: goto choose}\n"),
		house("b", "remove: [phases.look]\n"))
	wantCodes(t, ds)
	wantText(t, whole(m, ds), "/choose a/again /over")
}
