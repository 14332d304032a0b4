package interpreter_test

import (
	"math"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// greedyWins plays a greedy player, on each seat in turn, against random ones,
// and returns how many games it won, ties shared, and the half width of a 99%
// interval.
func greedyWins(t *testing.T, game string, seats, games int) (share, half float64) {
	t.Helper()
	g := mustGame(t, game, dsl.Options{}, seats)
	m := g.Start(interpreter.Setup{})
	won, squares := 0.0, 0.0
	for i := range games {
		bots, streams := make([]interpreter.Bot, seats), make([]interpreter.Rand, seats)
		bots[i%seats] = interpreter.BotGreedy
		for s := range streams {
			streams[s] = interpreter.NewRand(5, uint64(i), interpreter.StreamPolicy+uint64(s))
		}
		m.Restart(interpreter.Setup{Seed: 5, Index: uint64(i)})
		if _, err := m.PlayBots(bots, streams, 0); err != nil {
			t.Fatal(err)
		}
		winners := m.Winners()
		for _, w := range winners {
			if w == i%seats {
				won += 1 / float64(len(winners))
				squares += 1 / float64(len(winners)*len(winners))
			}
		}
	}
	n := float64(games)
	share = won / n
	return share, 2.576 * math.Sqrt(max(squares/n-share*share, 0.25/n)/n)
}

// Advice is for something: with it a player beats those who take anything.
func TestGreedyBeatsRandom(t *testing.T) {
	for _, c := range []struct {
		game         string
		seats, games int
		least        float64 // of the wins, which the interval must lie above
	}{
		{"zonk", 2, 400, 0.9},
		{"skunkd", 2, 800, 0.9},
		{"flinke-stinker", 2, 400, 0.8},
		{"flinke-stinker", 4, 400, 0.5},
		{"skull-king", 2, 400, 0.8},
		{"skull-king", 4, 400, 0.5},
		{"pig", 2, 400, 0.75},
		{"farkle", 2, 400, 0.9},
		{"oh-hell", 4, 400, 0.5},
		{"hearts", 4, 200, 0.5},
		{"yacht", 2, 20, 0.5}, // without advice: what is ahead at once
	} {
		share, half := greedyWins(t, c.game, c.seats, c.games)
		t.Logf("%s, %d seats: greedy wins %.3f, at least %.3f", c.game, c.seats, share, share-half)
		if share-half < c.least {
			t.Errorf("%s with %d seats: greedy wins %.3f of %d games, give or take %.3f, wanted %.2f", c.game, c.seats, share, c.games, half, c.least)
		}
	}
}

const choiceGame = `
houserules: 1
game: choosing
title: Choosing
players: 2..4
state: {player: {score: 0, at: 0}}
phases:
  ask:
    actions:
      low: {do: me.score += 1}
      step: {pick: {n: 1..5}, do: me.score += n}
      high: {when: me.at > 3, do: me.score += 9}
  over:
    enter: |
      me.at += 1
      finish if me.at == 5
      next turn
rank: {score: {by: me.score, first: highest}}
sheet: {total: me.score}
`

// What is valued most is taken: here the number next to 3, until the other
// action is worth more; without any advice the most points.
func TestAdvisedTakesTheBest(t *testing.T) {
	for _, c := range []struct{ advice, first, last string }{
		{"advice: {step: -abs(n - 3), low: -9, high: 5 - me.score}\n", "step 3", "step 3"},
		{"advice: {step: -abs(n - 3), low: -9, high: 5 + me.score}\n", "step 3", "high"},
		{"advice: {step: -n, low: -3}\n", "step 1", "high"}, // what has no advice counts as 0
		{"", "step 5", "high"},
	} {
		m := textGame(t, choiceGame+c.advice, 2).Start(interpreter.Setup{Names: []string{"Ann", "Bob"}})
		r := interpreter.NewRand(1, 0, interpreter.StreamPolicy)
		var moves []string
		for {
			req, err := m.Advance()
			if err != nil {
				t.Fatal(err)
			}
			if req.Kind == interpreter.Over {
				break
			}
			i, err := m.Advised(&r)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m.OptionText(i))
			if err := m.Apply(i); err != nil {
				t.Fatal(err)
			}
		}
		if moves[0] != c.first || moves[len(moves)-1] != c.last {
			t.Errorf("%q: first %s and last %s, wanted %s and %s", c.advice, moves[0], moves[len(moves)-1], c.first, c.last)
		}
	}
}

// Equals are all taken now and then.
func TestAdvisedTakesEqualsByChance(t *testing.T) {
	m := textGame(t, choiceGame+"advice: {step: 'n < 4 ? 7 : 0', low: 7}\n", 2).Start(interpreter.Setup{})
	r := interpreter.NewRand(1, 0, interpreter.StreamPolicy)
	count := map[string]int{}
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	for range 4000 {
		i, err := m.Advised(&r)
		if err != nil {
			t.Fatal(err)
		}
		count[m.OptionText(i)]++
	}
	for _, move := range []string{"low", "step 1", "step 2", "step 3"} {
		if n := count[move]; n < 850 || n > 1150 { // 1000, and five standard deviations
			t.Errorf("%s was taken %d times of 4000", move, n)
		}
	}
	if len(count) != 4 {
		t.Errorf("taken were %v", count)
	}
}

// What advice may not say.
func TestAdviceThatIsWrong(t *testing.T) {
	for _, c := range []struct{ advice, code string }{
		{"advice: {setp: 1}", "E0303"},
		{"advice: {step: me.sccore}", "E0214"},
		{"advice: {step: n > 3}", "E0221"},
		{"advice: {step: {worth: 3}}", "E0114"},
		{"advice: {step: }", "E0114"},
		{"advice: {step: 1, ask.step: 2}", "E0223"},
		{"advice: {over.step: 1}", "E0303"},
		{"metrics: {who: first(everyone)}", "E0221"},
		{"metrics: {mine: me.score}", "E0225"},
		{"metrics: {half: {per: 2}}", "E0114"},
	} {
		ds := findings(choiceGame + c.advice + "\n")
		if len(ds) == 0 || ds[0].Code != c.code {
			t.Errorf("%s: %v, wanted %s", c.advice, ds, c.code)
		}
	}
}

// Advice sees what the seat that is asked sees.
func TestAdviceDoesNotPeek(t *testing.T) {
	ds := findings(strings.Replace(cardsPeek, "ADVICE", "first(others).hand[1].worth", 1))
	if len(ds) != 1 || ds[0].Code != "E0225" {
		t.Errorf("%v, wanted E0225", ds)
	}
	textGame(t, strings.Replace(cardsPeek, "ADVICE", "card.worth + sum(me.hand, .worth)", 1), 2)
}

const cardsPeek = `
houserules: 1
game: peeking
title: Peeking
players: 2
pieces:
  cards: {attributes: {worth: 0}, kinds: {plain: {each: {worth: 1..9}, short: 'P{worth}'}}}
zones:
  pile: {of: cards, starts: all, seen: nobody}
  hand: {of: cards, each: seat, seen: owner}
phases:
  deal: {enter: deal 2 from pile to hand of everyone}
  laying:
    actions:
      lay: {pick: {card: one of me.hand}, do: move card to pile}
  over: {enter: finish}
advice: {lay: 'ADVICE'}
`

// A tally counts what happened, and who led.
func TestTallyCounts(t *testing.T) {
	text := strings.Replace(choiceGame, "me.at += 1", "me.at += 1\n      emit five if me.score % 5 == 0", 1) + "events: {five: {say: five}, never: {say: no}}\nadvice: {step: n}\n"
	g := textGame(t, text, 2)
	m := g.Start(interpreter.Setup{})
	var tally interpreter.Tally
	m.Count(&tally)
	bots, streams := []interpreter.Bot{interpreter.BotGreedy, interpreter.BotRandom}, make([]interpreter.Rand, 2)
	m.Restart(interpreter.Setup{})
	if _, err := m.PlayBots(bots, streams, 0); err != nil {
		t.Fatal(err)
	}
	log := &interpreter.Log{}
	n := g.Start(interpreter.Setup{})
	n.Listen(log)
	streams = make([]interpreter.Rand, 2)
	if _, err := n.PlayBots(bots, streams, 0); err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	for _, r := range log.Records {
		if r.Kind == interpreter.RecEvent {
			want++
		}
	}
	// Every step of five of the greedy one is such an event: four of them, and the
	// fifth turn brings nine.
	if tally.Events[0] != want || want < 4 || tally.Events[1] != 0 {
		t.Errorf("counted %v, and the log has %d", tally.Events, want)
	}
	if m.Turns() != n.Turns() || m.Turns() != 9 {
		t.Errorf("%d turns, and %d", m.Turns(), n.Turns())
	}
	if tally.Leads != 0 { // the greedy one leads from the first turn to the last
		t.Errorf("%d changes of the lead", tally.Leads)
	}
}

func textGame(t *testing.T, text string, seats int) *interpreter.Game {
	t.Helper()
	g, err := loadRules(text, seats)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// findings loads a game and returns what is wrong with it.
func findings(text string) source.List {
	lib := dsl.NewLibrary()
	var ds source.List
	head := lib.Add(source.NewFile("test.yaml", text), &ds)
	_, more := dsl.Load(lib, head.ID, dsl.Options{})
	return append(ds, more...)
}
