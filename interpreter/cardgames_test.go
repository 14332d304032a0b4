package interpreter_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file plays whole games with cards at random, with every mode, with every
// two and with many at once: no card gets lost, every invariant holds, and a
// recorder changes nothing.

// cardGame is the shipped game with cards.
const cardGame = "skull-king"

// allModes are as many modes as go together, those that add cards and choices
// first.
var allModes = []string{"kraken", "white-whale", "loot", "pirate-powers", "rascals-bet", "rascal-scoring", "suit-2021"}

// tables are the numbers of players at which games are played that a selection
// can be played by.
func tables(s selection) (out []int) {
	for _, n := range []int{2, 3, 5, 8} {
		if n <= s.prog.MaxPlayers {
			out = append(out, n)
		}
	}
	return out
}

// whole checks that every piece without faces lies in exactly one zone, and
// where the game thinks that it lies.
func whole(m *interpreter.Machine) error {
	g := m.Game()
	for _, f := range g.Program().Families {
		if len(f.Faces) > 0 {
			continue
		}
		seen := make([]int, g.CountOf(f))
		for _, z := range g.Program().Zones {
			if z.Family != f {
				continue
			}
			n := 1
			if z.Each {
				n = g.SeatsAndGhosts()
			}
			for s := range n {
				number := g.NumberOfZone(z, s)
				cards := m.CardsIn(z, s)
				if inSet, inList := m.ZoneCount(f, number); inSet != len(cards) || inList != len(cards) {
					return fmt.Errorf("%s of seat %d has %d cards, %d in its set and %d in its list", z.Name, s, len(cards), inSet, inList)
				}
				for _, c := range cards {
					seen[c]++
					if _, at := m.ZoneNumbers(f, c); at != number {
						return fmt.Errorf("%s lies in zone %d and not in %s of seat %d", g.CardWord(f, c), at, z.Name, s)
					}
				}
			}
		}
		for c, n := range seen {
			if n != 1 {
				return fmt.Errorf("%s lies in %d zones", g.CardWord(f, c), n)
			}
		}
	}
	return nil
}

// steps plays a game step by step with random answers, chance's too where it is
// asked. It calls see before each and, if it is not nil, move with each move.
func steps(m *interpreter.Machine, r *interpreter.Rand, see func(req interpreter.Request) error, move func(seat int, text string)) (n int, err error) {
	for ; n < decisionLimit; n++ {
		req, err := m.Advance()
		if err != nil || req.Kind == interpreter.Over {
			return n, err
		}
		if err := see(req); err != nil {
			return n, err
		}
		i := taken(r, req.N)
		if move != nil && req.Kind == interpreter.Decision {
			move(req.Seat, m.OptionText(i))
		}
		if err := m.Apply(i); err != nil {
			return n, err
		}
	}
	return n, errors.New("the game does not end")
}

func TestNoCardGetsLost(t *testing.T) {
	for _, with := range [][]string{nil, allModes} {
		s := chooseOf(cardGame, with...)
		for _, seats := range tables(s) {
			t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
				t.Parallel()
				g := s.game(t, seats)
				m := g.Start(interpreter.Setup{})
				looked, kinds := 0, map[interpreter.RequestKind]int{}
				for i := range sometimes(30, 3) {
					setup := interpreter.Setup{Seed: 70, Index: uint64(i)}
					m.Restart(setup)
					m.Listen(nil)
					if m.AskChance = i%3 == 1; i%3 == 2 {
						m.Listen(&interpreter.Log{})
					}
					r := interpreter.NewRand(70, uint64(i), interpreter.StreamPolicy)
					n, err := steps(m, &r, func(req interpreter.Request) error {
						kinds[req.Kind]++
						if i < 3 && req.Kind == interpreter.Decision { // each way to play, once
							looked++
							if err := invariants(m); err != nil {
								return err
							}
						}
						return whole(m)
					}, nil)
					if err == nil {
						err = whole(m)
					}
					if err != nil {
						t.Fatalf("game %d, step %d: %v", i, n, err)
					}
				}
				t.Logf("%d decisions and %d cards dealt by people; invariants tested at %d", kinds[interpreter.Decision], kinds[interpreter.Chance], looked)
				if kinds[interpreter.Chance] == 0 || looked == 0 {
					t.Error("too little was looked at")
				}
			})
		}
	}
}

func TestRecorderChangesNothingInGamesWithCards(t *testing.T) {
	all := append(singlesOf(t, cardGame), chooseOf(cardGame, allModes...))
	for i, s := range all {
		for _, seats := range tables(s) {
			if raceEnabled && i%5 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
				t.Parallel()
				games := sometimes(40, 3)
				if i == 0 {
					games = sometimes(200, 11)
				}
				if err := loudAndQuick(s.game(t, seats), 11, 0, games); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// modePairs is the game with cards with every two of its modes.
func modePairs() (out []selection) {
	ids := shipped().VariantIDs(cardGame)
	for i := range ids {
		for j := range i {
			out = append(out, chooseOf(cardGame, ids[j], ids[i]))
		}
	}
	return out
}

func TestEveryTwoModes(t *testing.T) {
	played, stacks, excluded := 0, 0, 0
	for i, s := range modePairs() {
		if raceEnabled && i%6 != 0 {
			continue
		}
		pad := chooseOf("skull-king-score", s.with...)
		if refused(t, s) {
			excluded++
			if !refused(t, pad) {
				t.Errorf("%s goes together on the score pad only", s)
			}
			continue
		}
		report(t, pad.problems)
		back := chooseOf(cardGame, s.with[1], s.with[0])
		if back.prog == nil || back.prog.Fingerprint != s.prog.Fingerprint {
			t.Errorf("%s: in the other order it is another game", s)
		}
		if sometimes(1, 0) == 0 && i%8 != 0 {
			continue
		}
		stacks++
		for _, seats := range tables(s) {
			played += 3
			t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
				t.Parallel()
				g := s.game(t, seats)
				playOut(t, s, g, 3)
				if seats == 2 || i%4 == 0 {
					if err := loudAndQuick(g, 13, 0, 3); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	t.Logf("%d pairs go together, %d games of them; %d exclude each other", stacks, played, excluded)
	if excluded < sometimes(15, 2) || stacks < sometimes(60, 2) {
		t.Error("that are too few")
	}
}

// What excludes each other says so with a sentence, and a house rule that is
// made for fewer players too.
func TestModesThatDoNotGoTogether(t *testing.T) {
	for _, pair := range [][2]string{{"edition-2014", "kraken"}, {"even-keeled", "whirlpool"}, {"rascal-scoring", "edition-2014"}} {
		_, ds := dsl.Load(shipped(), cardGame, dsl.Options{With: pair[:]})
		found := false
		for _, d := range ds {
			said := strings.Join(append(slices.Clone(d.Help), d.Label), " ")
			found = found || d.Code == "E0323" && strings.Contains(said, " ") && strings.HasSuffix(strings.TrimSpace(said), ".")
		}
		if !found {
			t.Errorf("%v: the problems are %v", pair, ds)
		}
	}
	s := chooseOf(cardGame, "edition-2014")
	var too *interpreter.PlayersError
	if _, err := interpreter.New(s.prog, 7); !errors.As(err, &too) || !strings.Contains(err.Error(), " ") {
		t.Errorf("seven players with %s: %v", s, err)
	}
}

func TestSevenModesAtOnce(t *testing.T) {
	lengths := []string{"even-keeled", "skip-to-the-brawl", "swift-n-salty", "broadside-barrage", "whirlpool", "past-your-bedtime"}
	played := 0
	for i := range lengths {
		with := append(slices.Clone(allModes[:6]), lengths[i])
		s := chooseOf(cardGame, with...)
		report(t, s.problems)
		for _, seats := range tables(s) {
			if sometimes(1, 0) == 0 && i > 0 {
				continue
			}
			played += 5
			t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
				t.Parallel()
				g := s.game(t, seats)
				playOut(t, s, g, 5)
				if err := loudAndQuick(g, 17, 0, 3); err != nil {
					t.Error(err)
				}
			})
		}
	}
	t.Logf("%d stacks of seven, %d games", len(lengths), played)
}
