package interpreter_test

import (
	"bytes"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// TestExamples plays every example of every shipped file.
func TestExamples(t *testing.T) {
	runAll(t, shipped())
}

// TestFamilyExamples plays the small games that are there for other scoring
// sets.
func TestFamilyExamples(t *testing.T) {
	lib := libraryOf(t, "../testdata/family/*.yaml")
	runAll(t, lib)
}

// runAll plays the examples of all files, those of a variant in the world of the
// game that it is for.
func runAll(t *testing.T, lib *dsl.Library) {
	t.Helper()
	for _, game := range lib.Games() {
		runExamples(t, lib, game.ID, "")
		for i, v := range lib.VariantsOf(game.ID) {
			if v.For == game.ID && (!raceEnabled || i%6 == 0) {
				runExamples(t, lib, game.ID, v.ID)
			}
		}
	}
}

func runExamples(t *testing.T, lib *dsl.Library, game, variant string) {
	t.Helper()
	r := interpreter.NewExampleRunner(lib)
	results, ds := r.Run(game, variant, nil)
	report(t, ds)
	if len(results) == 0 {
		t.Errorf("%s %s: no examples", game, variant)
	}
	for _, res := range results {
		t.Run(game+"/"+variant+"/"+res.Example.Name, func(t *testing.T) {
			for _, f := range res.Failures {
				var b bytes.Buffer
				source.RenderPretty(&b, f.List, source.Style{Width: 120})
				t.Errorf("%s: %s\n%s", f.Span, f.Message, b.String())
				for _, v := range f.Values {
					t.Logf("    %s = %s", v.Text, v.Is)
				}
			}
		})
	}
}

// What seats see in zones and at places of zones, of pieces with faces and
// without, and what an example says that does not hold.
func TestSees(t *testing.T) {
	const rules = `houserules: 1
game: sight
title: Sight
players: 2
pieces:
  dice: {count: 4, faces: [1, 2, 3, star, star], colour: [white, white, red, red]}
  cards:
    attributes: {n: 0}
    kinds:
      number: {each: {n: 1..4}, short: '{n}'}
      word: {short: W}
zones:
  tray: {of: dice, starts: all}
  cup: {of: dice, each: seat, seen: owner}
  under: {of: dice, seen: nobody}
  deck: {of: cards, starts: all, seen: nobody}
  hand: {of: cards, each: seat, seen: owner}
  floor: {of: cards, places: 4, seen: nobody, remind: true}
  cellar: {of: cards, places: 4, seen: nobody}
define:
  reds: count(tray, .colour == red)
phases:
  look:
    actions:
      peek:
        pick: {card: one of floor}
        do: |
          show card to me
          again
      dig:
        pick: {card: one of cellar}
        do: |
          show card to me
          again
      stop: {do: finish}
examples:
  looked:
    given: {tray: none, Ann.cup: white 1 star red 3, Bob.cup: red 2, floor: 2 W, cellar: 4 3, Ann.hand: 1, deck: none}
    play: |
      peek 1
      dig 1
    sees:
`
	for _, c := range []struct{ says, want string }{
		{"Ann: {Ann.cup: red 3 white star 1, Bob.cup: 1, tray: none, under: none}", ""},
		{"Bob: {Ann.cup: 3, Bob.cup: red 2, tray: 0, under: 0}", ""},
		{"Bob: {Bob.cup: '2', Ann.cup: unseen}", ""},
		{"Ann: {Ann.cup: 3}", "Ann sees them: white 1 star red 3; a piece that is a number is written in quotes"},
		{"Ann: {Ann.cup: 1 1 1}", "there lie white 1 star red 3"},
		{"Ann: {Ann.cup: red 1 white star 3}", "there lie white 1 star red 3"},
		{"Ann: {Bob.cup: 2}", "there is 1"},
		{"Ann: {Bob.cup: '2'}", "Ann does not know what lies there"},
		{"Ann: {Bob.cup: star star}", "Ann does not know what lies there"},
		{"Ann: {Bob.cup: known}", "Ann does not know what lies there"},
		{"Bob: {Bob.cup: 2}", "Bob sees them: red 2; a piece that is a number is written in quotes"},
		{"Ann: {tray: unseen}", "nothing lies there: write `none`"},
		{"Ann: {Ann.hand: '1', deck: 0}", ""},
		{"Bob: {Ann.hand: 1, deck: none}", ""},
		{"Ann: {Ann.hand: 1}", "Ann sees them: 1; a piece that is a number is written in quotes"},
		{"Ann: {Ann.hand: '2'}", "there lie 1"},
		{"Ann: {Ann.hand: none}", "there lie 1"},
		{"Bob: {Ann.hand: '1'}", "Bob does not know what lies there"},
		{"Bob: {Bob.hand: '1'}", "there lie no pieces"},
		{"Ann: {floor: 2, 'floor[1]': '2', 'floor[2]': unseen, 'floor[3]': none}", ""},
		{"Bob: {floor: 2, 'floor[1]': unseen, 'floor[2]': 1, 'floor[3]': 0}", ""},
		{"Ann: {'floor[1]': W}", "there lie 2"},
		{"Ann: {'floor[1]': unseen}", "Ann sees them: 2"},
		{"Ann: {'floor[1]': known, 'cellar[1]': known, 'cellar[1] ': unseen}", ""},
		{"Ann: {'cellar[1]': '4'}", "Ann does not know what lies there"},
		{"Ann: {'cellar[2]': known}", "Ann does not know what lies there"},
		{"Bob: {'floor[1]': '2'}", "Bob does not know what lies there"},
		{"Ann: {'floor[3]': unseen}", "nothing lies there: write `none`"},
		{"Ann: {'floor[5]': none}", "there is no place 5: there are 4"},
		{"Ann: {reds: 2}", "this cannot be read: `reds` is no zone"},
		{"Ann: {Ann.hand: 'X'}", "this cannot be read: `cards` have no piece `X`"},
	} {
		lib := dsl.NewLibrary()
		var ds source.List
		lib.Add(source.NewFile("sight.yaml", rules+"      "+c.says+"\n"), &ds)
		results, list := interpreter.NewExampleRunner(lib).Run("sight", "", nil)
		report(t, append(ds, list...))
		got := ""
		for _, f := range results[0].Failures {
			if got += f.Message; len(f.List) > 0 {
				got += ": " + f.List[0].Message
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.says, got, c.want)
		}
	}
}

// A game in which forced moves go round and round lets no example wait for ever:
// neither for a move that never comes up, nor for luck that is never asked for.
func TestRoundAndRound(t *testing.T) {
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("round.yaml", `houserules: 1
game: round
title: Round
players: 2
state: {game: {steps: 0}, player: {score: 0}}
phases:
  walk:
    actions:
      step: {do: game.steps += 1}
      win: {when: game.steps < 0, do: finish}
  on: {enter: goto walk}
rank: {score: {by: me.score, first: highest}}
examples:
  never_won: {play: win}
  never_thrown: {play: step -> 6}
`), &ds)
	report(t, ds)
	results, ds := interpreter.NewExampleRunner(lib).Run("round", "", nil)
	if ds.HasErrors() || len(results) != 2 {
		t.Fatalf("%d results, %v", len(results), ds.Err())
	}
	for _, r := range results {
		if len(r.Failures) == 0 {
			t.Errorf("%s holds", r.Example.Name)
		}
	}
}
