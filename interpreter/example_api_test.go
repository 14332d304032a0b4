package interpreter_test

import (
	"errors"
	"fmt"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// dare is a whole game: throw two dice as often as you dare.
const dare = `houserules: 1
game: dare
title: Dare
players: 2..4
pieces: {dice: {count: 2, faces: 1..6}}
zones: {tray: {of: dice, starts: all}}
state:
  player: {score: 0}
  turn: {points: 0}
phases:
  choose:
    actions:
      throw: {rule: "Throw both dice."}
      stop:
        rule: Take the points of the turn.
        require:
          thrown: {that: turn.points > 0, else: "throw at least once"}
        do: |
          me.score += turn.points
          finish if me.score >= 20
          next turn
  look:
    enter: |
      throw tray
      if none(tray, .face == 1) {
        turn.points += sum(tray, .face)
        goto choose
      }
      say "A 1! {me} loses {turn.points} points."
      next turn
rank: {score: {by: me.score, first: highest}}
show: {points: "{turn.points} points this turn"}
`

// loadRules makes a game of a rule file.
func loadRules(text string, players int) (*interpreter.Game, error) {
	lib := dsl.NewLibrary()
	var ds source.List
	head := lib.Add(source.NewFile("dare.yaml", text), &ds)
	if ds.HasErrors() {
		return nil, ds.Err()
	}
	prog, ds := dsl.Load(lib, head.ID, dsl.Options{})
	if prog == nil {
		return nil, ds.Err()
	}
	return interpreter.New(prog, players)
}

// A game is played with four verbs: Advance says what is wanted, the listing
// calls say what may be answered, Apply answers, and View tells what a seat
// may see.
func Example() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.Start(interpreter.Setup{Names: []string{"Ann", "Bob"}, Seed: 1})
	for {
		req, err := m.Advance()
		if err != nil || req.Kind == interpreter.Over {
			break
		}
		// Stop as soon as the rules allow it: the last option.
		if err := m.Apply(req.N - 1); err != nil {
			break
		}
	}
	for place, seats := range m.Ranking() {
		for _, s := range seats {
			fmt.Println(place+1, m.Name(s))
		}
	}
	// Output:
	// 1 Bob
	// 2 Ann
}

// What may be done now, as it can be typed, and what the rules show.
func ExampleMachine_Options() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.Start(interpreter.Setup{Names: []string{"Ann", "Bob"}})
	m.AskChance = true // the dice are thrown by people
	show := func() {
		req, err := m.Advance()
		if err != nil {
			fmt.Println(err)
			return
		}
		switch req.Kind {
		case interpreter.Decision:
			fmt.Println(m.Name(req.Seat)+":", m.Show()[0])
			for _, o := range m.Options(0) {
				fmt.Printf("  %d %s: %s\n", o.Index, o.Text, m.Sentence(o.Action.Rule))
			}
		case interpreter.Chance:
			fmt.Println("wanted:", m.LuckWanted())
		}
	}
	show()
	_ = m.Apply(0)
	show()
	_ = m.ApplyLuck("5 3")
	show()
	// Output:
	// Ann: 0 points this turn
	//   0 throw: Throw both dice.
	// wanted: the faces of 2 dice
	// Ann: 8 points this turn
	//   0 throw: Throw both dice.
	//   1 stop: Take the points of the turn.
}

// A move that a rule forbids is refused with the rule, its sentence, and what
// its formula is made of.
func ExampleMachine_ParseMove() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.Start(interpreter.Setup{Names: []string{"Ann", "Bob"}})
	if _, err := m.Advance(); err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.ParseMove("stop")
	var no *interpreter.Refusal
	if errors.As(err, &no) {
		fmt.Println(no.Reason)
		fmt.Println("rule:", no.Guard.Name, "at", no.Guard.Span)
		for _, v := range no.Values {
			fmt.Println(" ", v.Text, "is", v.Is)
		}
	}
	_, err = m.ParseMove("fly")
	fmt.Println(err)
	// Output:
	// throw at least once
	// rule: thrown at dare.yaml:17:11
	//   turn.points > 0 is no
	//   turn.points is 0
	// there is no `fly` here; possible: throw
}

// A match keeps a log and a journal; the journal plays the same game again.
func ExampleReplay() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	match := interpreter.NewMatch(game, interpreter.Header{Players: []string{"Ann", "Bob"}, RealDice: true})
	do := func(move, luck string) {
		if _, err := match.Settle(); err != nil {
			fmt.Println(err)
		}
		if move != "" {
			err = match.Move(move)
		} else {
			err = match.Luck(luck)
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	do("", "6 6") // Ann must throw: a forced move is made by itself
	do("stop", "")
	do("", "1 4")
	again, err := interpreter.Replay(game, match.Journal)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range again.Log.Records {
		if r.Kind == interpreter.RecSay {
			fmt.Println(r.Text)
		}
	}
	fmt.Println(len(match.Journal.Entries), "answers;", again.Name(again.Active()), "is next")
	// Output:
	// A 1! Bob loses 0 points.
	// 3 answers; Ann is next
}

// Exact odds: every fall of a throw with the number of throws that it stands
// for.
func ExampleMachine_Falls() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.Start(interpreter.Setup{})
	m.AskChance = true
	for range 2 { // to the decision, and to the throw
		if req, err := m.Advance(); err == nil && req.Kind == interpreter.Decision {
			_ = m.Apply(0)
		}
	}
	lost, all := uint64(0), uint64(0)
	for _, f := range m.Falls() {
		c := m.Clone()
		if _, err := c.Advance(); err != nil {
			return
		}
		_ = c.ApplyFall(f)
		if _, err := c.Advance(); err != nil {
			return
		}
		if all += f.Weight; c.Active() != m.Active() {
			lost += f.Weight
		}
	}
	fmt.Println(lost, "of", all, "throws lose the turn")
	// Output:
	// 11 of 36 throws lose the turn
}

// Many games in a row, by random seats: one machine is used again and again.
func ExampleMachine_Playout() {
	game, err := loadRules(dare, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.Start(interpreter.Setup{})
	wins := make([]int, 2)
	for i := range uint64(1000) {
		m.Restart(interpreter.Setup{Seed: 1, Index: i})
		r := interpreter.NewRand(1, i, interpreter.StreamPolicy)
		if _, err := m.Playout(&r, 0); err != nil {
			fmt.Println(err)
			return
		}
		wins[m.Winners()[0]]++
	}
	fmt.Println(wins[0]+wins[1], "games; whoever begins wins more often:", wins[0] > wins[1])
	// Output:
	// 1000 games; whoever begins wins more often: true
}
