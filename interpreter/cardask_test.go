package interpreter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

// This file tests questions in small games with cards: to all at once, to whoever
// sits at the table, and for a value of each.

// Answers that are given at once are carried out in the order of the list when
// the last is in; nothing of them is in the state before. Whoever has none to
// give does otherwise, and the others are asked all the same.
func TestAtOnce(t *testing.T) {
	g := chipGame(t, secretly)
	m := started(t, g)
	is(t, m, map[string]string{"map(everyone, .hold[1])": "R1, R2, R3"})
	said := varOf(g.Program(), "said")
	var log interpreter.Log
	m.Listen(&log)
	typed(t, m, "say 1", "say 0")
	if m.Value(said, 0) != 0 {
		t.Error("an answer is in the state before the last is in")
	}
	hidden := len(log.Records)
	c := m.Clone()
	typed(t, m, "say 3")
	is(t, m, map[string]string{"game.log": "214"})
	advance(t, c)
	typed(t, c, "pass B2")
	is(t, c, map[string]string{"game.log": "210"})
	for i, r := range log.Records {
		if (r.Kind == interpreter.RecAction || r.Kind == interpreter.RecChange) && i < hidden {
			t.Errorf("%q is told before the last answer", r.Text)
		}
		if r.Kind == interpreter.RecSealed && (r.Public != "" || i >= hidden && r.Seat < 2) {
			t.Errorf("secret answers are told as %+v", r)
		}
	}
}

// What is given away in secret is not named to those who do not see it, when
// the answers come out either.
func TestAtOnceNamesNothingHidden(t *testing.T) {
	m := started(t, chipGame(t, secretly))
	var log interpreter.Log
	m.Listen(&log)
	typed(t, m, "pass R1", "pass R2", "pass R3")
	told := 0
	for _, r := range log.Records {
		if r.Kind == interpreter.RecAction && r.Rule.Name == "pass" {
			told++
			if r.Public != "pass 1 unseen chip" || !strings.HasPrefix(r.Text, "pass R") {
				t.Errorf("%q is told as %q", r.Text, r.Public)
			}
		}
	}
	if told != 3 {
		t.Errorf("%d gifts are told", told)
	}
}

func TestAtOnceOtherwise(t *testing.T) {
	// Hands with a four have no answer.
	fours := strings.ReplaceAll(secretly, "me.hold[1].n != 4", "none(me.hold, .n == 4)")
	fours = strings.ReplaceAll(fours, "move chips to pile;", "move chips to pile at random;")
	fours = strings.ReplaceAll(fours, "0..me.hold[1].n", "0..3")
	for _, seats := range []int{2, 3, 4} {
		g := chipGameFor(t, seats, fours)
		m := started(t, g)
		none, said := varOf(g.Program(), "none"), varOf(g.Program(), "said")
		asked := 0
		r := interpreter.NewRand(9, uint64(seats), 0)
		_, err := steps(m, &r, func(req interpreter.Request) error {
			if !req.Sealed {
				return nil
			}
			for s := range seats { // at the beginning of a round all is cleared
				if n := m.Value(said, s); n != 0 {
					return fmt.Errorf("seat %d has said %d while seat %d is asked", s, n, req.Seat)
				}
			}
			asked++
			return nil
		}, nil)
		if err != nil {
			t.Fatalf("%d players: %v", seats, err)
		}
		total := int64(0)
		for s := range seats {
			total += m.Value(none, s)
		}
		// Every seat answers, or does otherwise, in each of four rounds.
		if int64(asked)+total != int64(4*seats) || total == 0 {
			t.Errorf("%d players were asked %d times and did otherwise %d times", seats, asked, total)
		}
		if seats == 2 {
			if got := m.Value(none, 2); got != 40 {
				t.Errorf("the ghost has done its part %d times", got/10)
			}
		}
		if err := loudAndQuick(g, 4, 0, 10); err != nil {
			t.Errorf("%d players: %v", seats, err)
		}
	}
}

// Anybody at the table answers for all.
func TestAnybodyAtTheTable(t *testing.T) {
	m := started(t, chipGame(t, `
zones: {pile: {of: chips, starts: all}}
state: {player: {said: 0}, game: {lost: 0}}
phases:
  ask:
    who: table
    actions:
      tell:
        pick: {all: 0..9 for each everyone, lost: 0..3 = 0}
        require: {few: {that: sum(all) <= 9, else: "{sum(all)} are too many"}}
        do: |
          for p in everyone { p.said = all[p] }
          game.lost = lost
      name: {pick: {who: one of everyone, n: 1..5}, do: 'who.said = n; again'}
`+stop))
	req := advance(t, m)
	if !req.Table || req.Forced {
		t.Errorf("the request is %+v", req)
	}
	for _, wrong := range []string{"tell 1 2", "tell 1 2 3 4 5", "tell 1 2 10", "tell 5 5 5", "tell 1 2 3 4"} {
		if i, err := m.ParseMove(wrong); err == nil {
			t.Errorf("%q is option %d", wrong, i)
		}
	}
	typed(t, m, "name Bob 5", "name Cat 1")
	is(t, m, map[string]string{"map(everyone, .said)": "0, 5, 1"})
	c := m.Clone()
	advance(t, c)
	typed(t, m, "tell 1 2 3")
	is(t, m, map[string]string{"map(everyone, .said)": "1, 2, 3", "game.lost": "0"})
	typed(t, c, "tell 4 0 5 3")
	is(t, c, map[string]string{"map(everyone, .said)": "4, 0, 5", "game.lost": "3"})
}

// How many ways there may be to do something is bounded for each action by
// itself.
func TestManyWaysToDoThis(t *testing.T) {
	const ways = `
zones: {pile: {of: chips, starts: all}}
phases:
  ask:
    actions:
      one: {pick: {x: 1..60, y: 1..60}, do: finish}
      two: {pick: {x: 1..60, y: 1..60}, do: finish}
      three: {pick: {x: 1..60, y: 1..%d}, do: finish}
`
	m := chipGame(t, fmt.Sprintf(ways, 68)).Start(interpreter.Setup{})
	if req := advance(t, m); req.N != 3600+3600+4080 {
		t.Errorf("there are %d ways", req.N)
	}
	typed(t, m, "three 60 68")
	var f *interpreter.Fault
	if _, err := chipGame(t, fmt.Sprintf(ways, 69)).Start(interpreter.Setup{}).Advance(); !errors.As(err, &f) || !strings.Contains(f.Message, "4096") {
		t.Errorf("4140 ways to do one thing: %v", err)
	}
}

// What is typed for each of some seats is written so again, where ghosts sit
// beside them too; what is as it is anyway is left out.
func TestValuesForEachAreWrittenAsTyped(t *testing.T) {
	m := started(t, chipGameFor(t, 2, `
zones: {pile: {of: chips, starts: all}}
seats: {wisp: {title: Wisp}}
state: {player: {said: 0}}
phases:
  ask:
    who: table
    actions:
      tell: {pick: {all: 0..9 for each everyone, lost: 0..3 = 0}, do: 'for p in everyone { p.said = all[p] + lost }'}
`+stop))
	for _, text := range []string{"tell 3 4", "tell 3 4 2", "tell 0 0"} {
		i, err := m.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		written := m.OptionText(i)
		k, err := m.ParseMove(written)
		if again := m.OptionText(k); err != nil || again != written || strings.ReplaceAll(written, ",", "") != text {
			t.Errorf("%q is written %q, and that %q; %v", text, written, again, err)
		}
	}
	typed(t, m, "tell 3 4 1")
	is(t, m, map[string]string{"map(everyone, .said)": "4, 5", "wisp.said": "0"})
}
