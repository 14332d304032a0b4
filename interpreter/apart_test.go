package interpreter_test

import (
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// A program does not part from itself, whatever it is made of.
func TestNothingPartsFromItself(t *testing.T) {
	for _, game := range []string{"pig", "zonk", "skull-king", "flinke-stinker", "yacht"} {
		var two [2]*dsl.Program
		for i := range two {
			p, ds := dsl.Load(shipped(), game, dsl.Options{Usual: true})
			report(t, ds)
			two[i] = p
		}
		parting, played, err := interpreter.Probe{Games: 4, Seed: 9, Limit: 300}.Apart(two[0], two[1])
		if err != nil || parting != nil || played != 4 {
			t.Errorf("%s: %+v, %d, %v", game, parting, played, err)
		}
	}
}

// Two games part at the first move that gives one of them another score, and the
// shortest way there is told.
func TestGamesPart(t *testing.T) {
	load := func(points string) *dsl.Program {
		var ds source.List
		lib := dsl.NewLibrary()
		lib.Add(source.NewFile("walk.yaml", `houserules: 1
game: walk
players: 2
state: {player: {score: 0}, game: {steps: 0}}
phases:
  go_on:
    actions:
      step: |
        game.steps += 1
        me.score += game.steps == 2 ? `+points+` : 1
        finish if game.steps == 4
        next turn
      stay: next turn
rank: {score: {by: me.score, first: highest}}
`), &ds)
		p, more := dsl.Load(lib, "walk", dsl.Options{})
		report(t, append(ds, more...))
		return p
	}
	parting, played, err := interpreter.Probe{Games: 60, Seed: 1}.Apart(load("1"), load("5"))
	if err != nil || parting == nil {
		t.Fatal(parting, err)
	}
	// Every game comes to the second step; of 60 one takes it at once.
	if played != 60 || parting.Games != 60 || len(parting.Moves) != 2 || parting.Moves[0].Text != "step" || parting.Moves[1].Text != "step" {
		t.Errorf("%d played, %+v", played, parting)
	}
	if d := parting.Different; len(d) != 1 || d[0] != (interpreter.Difference{What: "Bob.score", First: "1", Second: "5"}) {
		t.Errorf("%+v", d)
	}
}
