package interpreter_test

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

// What others read of a pick, by where the pieces come from and where they go.
func TestHiddenPicks(t *testing.T) {
	const world = `
zones:
  box: {of: chips, starts: all, seen: nobody}
  hand: {of: chips, each: seat, seen: owner}
  gifts: {of: chips, each: seat, seen: owner}
  front: {of: chips, each: seat, seen: all}
  row: {of: chips, seen: all}
state: {game: {busy: false}}
define:
  mine: 'concat(me.front, me.hand)'
  held_by(who seat): who.hand
  whichever(a list of chips, b list of chips): 'game.busy ? a : b'
  strong(of list of chips): 'filter(of, .n > 0)'
  one_of_us(c chips): c
tables:
  best:
    of: {laid: row}
    rows: {top: {highest: .n}, any: {gives: first(me.hand)}}
events:
  laid(c chips): {do: emit landed(c)}
  landed(c chips): {do: move c to row}
  maybe(c chips): {when: not game.busy, do: move c to row}
  won(c chips):
    do: |
      finish if game.busy
      move c to row
  all_laid(cs list of chips):
    do: |
      for c in cs {
        move c to row
      }
phases:
  begin:
    enter: |
      move filter(chips, .colour == red) to me.hand
      move find(chips, .colour == blue) ?? first(chips) to me.front
      goto ask
  ask:
    actions:
      act:
        PICK
        DO
  end: {enter: finish}
`
	const give = "do: |\n          let who = first(others)\n          move card to who.gifts"
	for _, c := range []struct{ pick, do, typed, told string }{
		{"me.hand", give, "R1", "1 unseen chip"},
		{"me.front", give, "B1", "B1"},
		{"mine", give, "R1", "1 unseen chip"},
		{"held_by(me)", give, "R1", "1 unseen chip"},
		{"filter(mine, .n > 0)", give, "R1", "1 unseen chip"},
		{"take(mine, 3)", give, "R1", "1 unseen chip"},
		{"take(me.front, len(me.hand))", give, "B1", "B1"},
		{"strong(me.hand)", give, "R1", "1 unseen chip"},
		{"strong(me.front)", give, "B1", "B1"},
		{"strong(strong(me.hand))", give, "R1", "1 unseen chip"},
		{"whichever(me.hand, me.front)", give, "B1", "1 unseen chip"},
		{"whichever(me.front, me.front)", give, "B1", "B1"},
		{"game.busy ? me.front : held_by(me)", give, "R1", "1 unseen chip"},
		{"map(mine, one_of_us(it))", give, "R1", "1 unseen chip"},
		{"map(me.front, one_of_us(it))", give, "B1", "B1"},
		{"[find(mine, .n == 1) ?? first(mine)]", give, "B1", "1 unseen chip"},
		{"chips", give, "R1", "R1"},
		{"filter(chips, it in me.hand)", give, "R1", "1 unseen chip"},
		{"mine", "do: emit laid(card)", "R1", "R1"},
		{"mine", "do: emit maybe(card)", "R1", "1 unseen chip"},
		{"mine", "do: emit won(card)", "R1", "1 unseen chip"},
		{"mine", "do: |\n          let c = card\n          move c to row", "R1", "R1"},
		{"mine", "do: |\n          goto end if game.busy\n          move card to row", "R1", "1 unseen chip"},
		{"mine", "do: |\n          if game.busy {\n            move card to row\n          } else {\n            emit laid(card)\n          }", "R1", "R1"},
		{"mine", "do: |\n          move card to me.gifts\n          move card to row", "R1", "1 unseen chip"},
		{"some of me.hand", "do: emit all_laid(card)", "R1 R2", "R1 R2"},
		{"some of me.hand", give, "R1 R2", "2 unseen chips"},
	} {
		from := "one of " + c.pick
		if len(c.pick) > 8 && c.pick[:8] == "some of " {
			from = c.pick
		}
		pick := "pick: {card: '" + from + "'}"
		m := started(t, chipGame(t, strings.NewReplacer("PICK", pick, "DO", c.do).Replace(world)))
		m.Know()
		var log interpreter.Log
		m.Listen(&log)
		typed(t, m, "act "+c.typed)
		for _, r := range log.Records {
			if r.Kind == interpreter.RecAction && r.Public != "act "+c.told {
				t.Errorf("%s; %s: %q is told as %q, want %q", from, c.do, r.Text, r.Public, "act "+c.told)
			}
		}
	}
}

// Dice under a cup are hidden as cards in a hand are.
func TestHiddenPicksOfDice(t *testing.T) {
	for _, c := range []struct{ pick, do, typed, told string }{
		{"some of me.cup", "move taken to me.away", "3 5", "2 unseen dice"},
		{"one of me.cup", "move taken to me.away", "3", "1 unseen dice"},
		{"some of me.cup", "move taken to open", "3 5", "3 5"},
		{"some of filter(me.cup, .face > 2)", "move taken to me.away", "3 5", "2 unseen dice"},
		{"some of open", "move taken to me.away", "2", "2"},
	} {
		m := started(t, chipGame(t, strings.NewReplacer("PICK", c.pick, "DO", c.do).Replace(`
  dice: {count: 4, faces: 1..6}
params: {faces: {default: [3, 5, 2, 2]}}
zones:
  box: {of: dice, starts: all, seen: nobody}
  cup: {of: dice, each: seat, seen: owner}
  away: {of: dice, each: seat, seen: owner}
  open: {of: dice, seen: all}
phases:
  begin:
    enter: |
      move dice to me.cup
      set me.cup to faces
      move filter(me.cup, .face == 2) to open
      goto lay
  lay:
    actions:
      act:
        pick: {taken: 'PICK'}
        do: |
          DO
          goto end
  end: {enter: finish}
`)))
		var log interpreter.Log
		m.Listen(&log)
		typed(t, m, "act "+c.typed)
		acts := 0
		for _, r := range log.Records {
			if r.Kind == interpreter.RecAction {
				acts++
			}
			if r.Kind == interpreter.RecAction && r.Public != "act "+c.told {
				t.Errorf("%s; %s: %q is told as %q, want %q", c.pick, c.do, r.Text, r.Public, "act "+c.told)
			}
		}
		if acts == 0 {
			t.Errorf("%s: nothing is told of what was done", c.pick)
		}
	}
}

// A piece that is drawn out of a zone that not all see is not named; all else
// that is drawn is.
func TestWhatIsDrawn(t *testing.T) {
	g := chipGame(t, `
zones:
  box: {of: chips, starts: all, seen: nobody}
  row: {of: chips, seen: all}
phases:
  draw:
    enter: |
      let a = random of box
      move a to row
      let b = random of row
      let who = random of everyone
      finish
  end: {enter: finish}
`)
	m := g.Start(interpreter.Setup{Names: seatNames[:g.Seats()], Seed: 1})
	var log interpreter.Log
	m.Listen(&log)
	advance(t, m)
	var drawn []string
	for _, r := range log.Records {
		if r.Kind == interpreter.RecRoll {
			drawn = append(drawn, r.Text)
		}
	}
	lies := zoneOf(g.Program(), "row")
	want := g.CardWord(lies.Family, m.CardsIn(lies, 0)[0])
	if len(drawn) != 3 || drawn[0] != "1 unseen chip" || drawn[1] != want || !strings.Contains(strings.Join(seatNames, " "), drawn[2]) {
		t.Errorf("drawn are %q, and %s lies in the row", drawn, want)
	}
}
