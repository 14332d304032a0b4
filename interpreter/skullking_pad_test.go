package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

// This file types whole games into the score pad, as people do who hold real
// cards, and keeps the score by hand beside it.

// padPrizes are the cards that earn a bonus: what each is worth and how many
// there are.
var padPrizes = map[string]struct{ worth, count int }{
	"green_14": {10, 1}, "purple_14": {10, 1}, "yellow_14": {10, 1}, "black_14": {20, 1},
	"mermaid": {20, 2}, "pirate": {30, 6}, "skull_king": {40, 1},
}

var firstPrizes = map[string]struct{ worth, count int }{"pirate": {30, 6}, "skull_king": {50, 1}}

// padGame types a game.
type padGame struct {
	h      skullHouse
	loses  bool // a beast may destroy tricks
	allies bool
	m      *interpreter.Machine
	match  *interpreter.Match // nil: the machine is played by itself
	names  []string
	r      interpreter.Rand
	cards  int
	rounds []skullRound
	lost   int
	scores []int
	typed  int
}

func (k *padGame) below(n int) int { return int(k.r.Below(uint64(n))) }

func (k *padGame) typeIn(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if _, err := k.m.Advance(); err != nil {
		return err
	}
	var err error
	if k.match != nil {
		err = k.match.Move(text)
	} else {
		var i int
		if i, err = k.m.ParseMove(text); err == nil {
			err = k.m.Apply(i)
		}
	}
	if err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	k.typed++
	return nil
}

// all types a value for each seat in one line.
func (k *padGame) all(action string, value func(seat int) int) error {
	line := action
	for s := range k.rounds {
		line += fmt.Sprint(" ", value(s))
	}
	return k.typeIn("%s", line)
}

// shown types bids, loads and bets.
func (k *padGame) shown() error {
	for s := range k.rounds {
		k.rounds[s].bid = k.below(k.cards + 1)
	}
	if k.below(2) == 0 {
		if err := k.all("bids", func(s int) int { return k.rounds[s].bid }); err != nil {
			return err
		}
	} else {
		for i := range k.rounds { // one by one, the last seat first
			s := len(k.rounds) - 1 - i
			if err := k.typeIn("bid %s %d", k.names[s], k.rounds[s].bid); err != nil {
				return err
			}
		}
	}
	if k.h.rascal {
		var gunners []string
		for s := range k.rounds {
			if k.rounds[s].cannonball = k.below(3) == 0; k.rounds[s].cannonball {
				gunners = append(gunners, k.names[s])
			}
		}
		if len(gunners) == 0 {
			gunners = []string{"none"}
		}
		if err := k.typeIn("cannonballs %s", strings.Join(gunners, " ")); err != nil {
			return err
		}
	}
	if k.h.bets {
		for s := range k.rounds {
			k.rounds[s].stake = 10 * k.below(3)
		}
		return k.all("bets", func(s int) int { return k.rounds[s].stake })
	}
	return nil
}

// counted types who took how many tricks.
func (k *padGame) counted() error {
	k.lost = 0
	for range k.cards {
		switch s := k.below(len(k.rounds) + 1); {
		case s < len(k.rounds):
			k.rounds[s].won++
		case k.loses:
			k.lost++
		case len(k.rounds) == 2: // the ghost's
		default:
			k.rounds[0].won++
		}
	}
	line := "tricks"
	for _, r := range k.rounds {
		line += fmt.Sprint(" ", r.won)
	}
	if k.lost > 0 {
		line += fmt.Sprint(" ", k.lost)
	}
	return k.typeIn("%s", line)
}

// extras types some bonuses and whatever else there is.
func (k *padGame) extras() error {
	prizes := padPrizes
	if k.h.first {
		prizes = firstPrizes
	}
	var kinds []string
	for kind := range prizes {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	left := map[string]int{}
	for _, kind := range kinds {
		left[kind] = prizes[kind].count
	}
	loots, changed := 0, false
	for range k.below(8) {
		s := k.below(len(k.rounds))
		own, name := &k.rounds[s], k.names[s]
		var err error
		switch k.below(5) {
		case 0, 1:
			kind := kinds[k.below(len(kinds))]
			if own.won > 0 && left[kind] > 0 {
				left[kind]--
				own.bonus += prizes[kind].worth
				err = k.typeIn("took %s %s", name, kind)
			}
		case 2:
			points := k.below(101) - 50
			k.scores[s] += points
			err = k.typeIn("adjust %s %d", name, points)
		case 3:
			q := (s + 1) % len(k.rounds)
			if k.allies && loots < 2 && k.rounds[q].won > 0 {
				loots++
				own.allied[q]++
				err = k.typeIn("allies %s %s", name, k.names[q])
			}
		case 4:
			bid := own.bid + k.below(3) - 1
			if k.h.powers && own.won > 0 && !changed && bid >= 0 && bid <= k.cards {
				changed = true
				own.bid = bid
				own.stake += 20
				if err = k.typeIn("change_bid %s %d", name, bid); err == nil {
					err = k.typeIn("wager %s 20", name)
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return k.typeIn("done")
}

// round types one round and compares the scores.
func (k *padGame) round(n int) error {
	k.cards = min(n, 10)
	if len(k.names) == 8 {
		k.cards = min(k.cards, 8)
	}
	k.rounds = make([]skullRound, len(k.names))
	for _, step := range []func() error{k.shown, k.counted, k.extras} {
		if err := step(); err != nil {
			return err
		}
	}
	for s, points := range k.h.scored(k.cards, k.rounds) {
		k.scores[s] += points
	}
	if _, err := k.m.Advance(); err != nil {
		return err
	}
	total := varOf(k.m.Game().Program(), "score")
	for s := range k.names {
		if got := int(k.m.Value(total, s)); got != k.scores[s] {
			return fmt.Errorf("%s has %d, by hand %d: %+v", k.names[s], got, k.scores[s], k.rounds)
		}
	}
	return nil
}

func TestScorePadAgainstHandWrittenScorer(t *testing.T) {
	for _, h := range []skullHouse{
		{zeroEarns: true},
		{with: []string{"edition-2014"}, first: true},
		{with: []string{"rascal-scoring", "rascals-bet"}, rascal: true, bets: true},
		{with: []string{"loot", "kraken", "pirate-powers"}, powers: true, zeroEarns: true},
		{with: []string{"kraken", "white-whale", "loot", "pirate-powers", "rascals-bet", "rascal-scoring"}, rascal: true, bets: true, powers: true},
	} {
		t.Run(h.String(), func(t *testing.T) {
			t.Parallel()
			s := chooseOf("skull-king-score", h.with...)
			report(t, s.problems)
			typed, rounds := 0, 0
			for people := 2; people <= s.prog.MaxPlayers; people++ {
				g := s.game(t, people)
				m := g.Start(interpreter.Setup{})
				for i := range sometimes(30, 2) {
					names := seatNames[:people]
					var match *interpreter.Match
					if m.Restart(interpreter.Setup{Names: names}); i == 0 {
						match = interpreter.NewMatch(g, interpreter.Header{With: h.with, Players: names})
						m = match.Machine
					}
					k := &padGame{h: h, m: m, match: match, names: names, r: interpreter.NewRand(21, uint64(i), 0), scores: make([]int, people),
						loses: slices.Contains(h.with, "kraken"), allies: slices.Contains(h.with, "loot")}
					for n := 1; !m.Over(); n++ {
						if err := k.round(n); err != nil {
							t.Fatalf("%d players, game %d, round %d: %v", people, i, n, err)
						}
						rounds++
						best := slices.Max(k.scores)
						top := 0
						for _, x := range k.scores {
							if x == best {
								top++
							}
						}
						if over := n >= 10 && top == 1; over != m.Over() {
							t.Fatalf("%d players, game %d, round %d: over is %v, the scores are %v", people, i, n, m.Over(), k.scores)
						}
					}
					typed += k.typed
					if match != nil {
						playedAgain(t, g, match)
					}
				}
			}
			t.Logf("%d rounds, %d lines typed", rounds, typed)
		})
	}
}

// playedAgain checks that a match, played again from its journal, is the same.
func playedAgain(t *testing.T, g *interpreter.Game, x *interpreter.Match) {
	t.Helper()
	text := journalText(t, x.Journal)
	j, cut, err := interpreter.ReadJournal(strings.NewReader(text))
	if err != nil || cut {
		t.Fatalf("cut %v, %v", cut, err)
	}
	y, err := interpreter.Replay(g, j)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := journalText(t, y.Journal); again != text {
		t.Errorf("played\n%splayed again\n%s", text, again)
	}
	if a, b := logText(x.Log, g.Seats()), logText(y.Log, g.Seats()); a != b {
		t.Errorf("the logs differ from %q", firstDifference(a, b))
	}
	if a, b := stateOf(x.Machine), stateOf(y.Machine); !slices.Equal(a, b) {
		t.Errorf("ended as\n%v, replayed as\n%v", a, b)
	}
}
