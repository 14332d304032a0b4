package interpreter_test

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// memoryGame shows where the star lies; who remembers it takes it.
const memoryGame = `houserules: 1
game: stars
title: Stars
players: 2
pieces:
  cards:
    kinds: {star: {count: 1, short: S}, stone: {count: 4, short: o}}
zones:
  table: {of: cards, places: all, seen: nobody}
  taken: {of: cards, each: seat, seen: all}
state: {player: {stars: 0}}
phases:
  look:
    enter: |
      move cards to table at random
      show first(filter(table, .kind == star)) to everyone
  choose:
    actions:
      take:
        pick: {card: one of table}
        do: |
          me.stars = 1 if card.kind == star
          move card to me.taken
          finish
rank: {most: {by: me.stars, first: highest}}
bots: {remember: 2}
examples:
  a_star:
    at: choose
    given: {table: o S o}
    play: take 2
    then: Ann.stars == 1
`

func starGame(t *testing.T, remember string) *interpreter.Game {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("stars.yaml", strings.Replace(memoryGame, "remember: 2", "remember: "+remember, 1)), &ds)
	report(t, ds)
	return newOf(t, mustLoad(t, lib, "stars", dsl.Options{}), 2)
}

// What a seat has seen it still knows, unless bots of the game forget it.
func TestThinkersRememberAsFarAsTheGameSays(t *testing.T) {
	for _, c := range []struct {
		remember string
		from, to int // of 60 games, so often the star is taken
	}{
		{"2", 60, 60},
		{"1", 60, 60},
		{"0", 4, 24}, // 12 are expected
	} {
		g := starGame(t, c.remember)
		m := g.Start(interpreter.Setup{})
		taken := 0
		for i := range 60 {
			m.Restart(interpreter.Setup{Seed: 5, Index: uint64(i)})
			m.Know()
			if _, err := m.Advance(); err != nil {
				t.Fatal(err)
			}
			thoughts, err := m.Think(uint64(i), func(n int) bool { return n == 4 })
			if err != nil || len(thoughts) != 5 {
				t.Fatalf("%d thoughts; %v", len(thoughts), err)
			}
			if err := m.Apply(thoughts[0].Option); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Advance(); err != nil {
				t.Fatal(err)
			}
			if m.Value(varOf(g.Program(), "stars"), 0) != 0 {
				taken++
			}
		}
		if taken < c.from || taken > c.to {
			t.Errorf("bots that remember %s cards take the star in %d games of 60", c.remember, taken)
		}
	}
}

// Thinking does better than playing anything, whatever the game is: the only
// seat that thinks wins more than its share.
func TestThinkingWins(t *testing.T) {
	for _, c := range []struct {
		game         string
		set          map[string]string
		seats, games int
		least        int // wins
	}{
		{"zonk", map[string]string{"target": "3000"}, 2, 24, 18},
		{"skunkd", nil, 2, 12, 9},
		{cardGame, map[string]string{"hand_sizes": "[2, 3]"}, 3, 12, 7},
		{raceGame, nil, 3, 8, 6},
	} {
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			p := mustLoad(t, shipped(), c.game, dsl.Options{Set: c.set})
			m := newOf(t, p, c.seats).Start(interpreter.Setup{})
			won, games := 0, sometimes(c.games, c.games/2)
			if raceEnabled {
				games, c.least = 1, 0 // whether it runs: too few to tell how often it wins
			}
			for i := range games {
				if thinks(t, m, uint64(i), i%c.seats) {
					won++
				}
			}
			t.Logf("won %d of %d games among %d", won, games, c.seats)
			if least := c.least * games / c.games; won < least {
				t.Errorf("won only %d of %d games, %d were expected", won, games, least)
			}
		})
	}
}

// thinks plays a game in which one seat thinks and the others play anything,
// and reports whether it has won.
func thinks(t *testing.T, m *interpreter.Machine, index uint64, thinker int) bool {
	t.Helper()
	m.Restart(interpreter.Setup{Seed: 8, Index: index})
	m.Know()
	r := interpreter.NewRand(8, index, interpreter.StreamPolicy)
	for n := uint64(0); n < decisionLimit; n++ {
		req, err := m.Advance()
		if err != nil {
			t.Fatal(err)
		}
		if req.Kind == interpreter.Over {
			w := m.Winners()
			return len(w) == 1 && w[0] == thinker
		}
		i := taken(&r, req.N)
		if req.Seat == thinker && !req.Forced {
			thoughts, err := m.Think(n, func(worlds int) bool { return worlds == 6 })
			if err != nil {
				t.Fatal(err)
			}
			i = thoughts[0].Option
		}
		if err := m.Apply(i); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the game does not end")
	return false
}
