package interpreter_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

// The ten rule cards of SKUNK'D: any of them go together, with others at the
// table and alone.

// skunkdLimit is far more decisions than a game of random seats takes.
const skunkdLimit = 2_000_000

func skunkdCards(t testing.TB) []string {
	t.Helper()
	cards := shipped().VariantIDs("skunkd")
	if len(cards) != 10 {
		t.Fatalf("there are %d rule cards: %v", len(cards), cards)
	}
	if alone := shipped().VariantIDs("skunkd-solo"); !slices.Equal(cards, alone) {
		t.Fatalf("alone there are %v, at the table %v", alone, cards)
	}
	return cards
}

// cardsOf are the cards of a subset, by its bits.
func cardsOf(cards []string, subset int) (with []string) {
	for i, id := range cards {
		if subset>>i&1 != 0 {
			with = append(with, id)
		}
	}
	return with
}

// playSkunkd plays one game of random seats to its end.
func playSkunkd(s selection, seats int, index uint64) (decisions int, err error) {
	g, err := interpreter.New(s.prog, seats)
	if err != nil {
		return 0, err
	}
	m := g.Start(interpreter.Setup{Seed: 10, Index: index})
	r := interpreter.NewRand(10, index, interpreter.StreamPolicy)
	if decisions, err = m.Playout(&r, skunkdLimit); err != nil {
		return decisions, err
	}
	if !m.Over() {
		return decisions, fmt.Errorf("not over after %d decisions", decisions)
	}
	if n := len(m.Winners()); n != 1 {
		return decisions, fmt.Errorf("%d winners", n)
	}
	return decisions, invariants(m)
}

// inShards calls work for the numbers below n, on several goroutines.
func inShards(n int, work func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		}()
	}
	all.Wait()
}

func TestSkunkdEverySubsetOfCards(t *testing.T) {
	cards := skunkdCards(t)
	subsets := []int{}
	for s := range 1 << len(cards) {
		// The sample has one subset of every sixteen, each card in half of them.
		if raceEnabled && s%64 > 15 {
			continue
		}
		if sometimes(1, 0) == 1 || s&15 == s>>4*7&15 || s == 1<<len(cards)-1 {
			subsets = append(subsets, s)
		}
	}
	var loaded, played, decisions, turned, most atomic.Int64
	inShards(len(subsets), func(i int) {
		with := cardsOf(cards, subsets[i])
		for _, game := range []string{"skunkd", "skunkd-solo"} {
			s := chooseOf(game, with...)
			if s.prog == nil {
				t.Errorf("%s does not load with %s: %v", game, s, s.problems)
				return
			}
			loaded.Add(1)
			if n := len(s.prog.Variants); n != len(with) {
				t.Errorf("%s with %s: %d cards are in force", game, s, n)
			}
			if i%8 == 3 {
				turned.Add(1)
				back := slices.Clone(with)
				slices.Reverse(back)
				if p := chooseOf(game, back...).prog; p == nil || p.Fingerprint != s.prog.Fingerprint {
					t.Errorf("%s with %s: in the other order it is another game", game, s)
				}
			}
			if game == "skunkd" {
				seats := 2 + i%3
				n, err := playSkunkd(s, seats, uint64(subsets[i]))
				if err == nil && i%16 == 5 {
					err = loudAndQuick(s.game(t, seats), 13, 0, 2)
				}
				if err != nil {
					t.Errorf("%s, %d players: %v", s, seats, err)
				}
				played.Add(1)
				decisions.Add(int64(n))
				for old := most.Load(); int64(n) > old && !most.CompareAndSwap(old, int64(n)); old = most.Load() {
				}
			}
		}
	})
	t.Logf("%d of 1024 subsets: %d programs loaded, %d of them in two orders; %d games played to the end, %d decisions, %d in the longest",
		len(subsets), loaded.Load(), turned.Load(), played.Load(), decisions.Load(), most.Load())
	if sometimes(1, 0) == 1 && played.Load() != 1024 {
		t.Error("not every subset was played")
	}
}

func TestSkunkdSoloEveryTwoCards(t *testing.T) {
	cards := skunkdCards(t)
	parties := [][]string{nil}
	for i, a := range cards {
		parties = append(parties, []string{a})
		for _, b := range cards[:i] {
			parties = append(parties, []string{b, a})
		}
	}
	var played, decisions atomic.Int64
	inShards(len(parties), func(i int) {
		if raceEnabled && i%4 != 0 {
			return
		}
		s := chooseOf("skunkd-solo", parties[i]...)
		if s.prog == nil {
			t.Errorf("%s: does not load: %v", s, s.problems)
			return
		}
		n, err := playSkunkd(s, 1, uint64(i))
		if err == nil && i%sometimes(1, 4) == 0 {
			err = loudAndQuick(s.game(t, 1), 13, 0, 2)
		}
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		played.Add(1)
		decisions.Add(int64(n))
	})
	t.Logf("%d games alone, 45 of them with two cards; %d decisions", played.Load(), decisions.Load())
	if !raceEnabled && played.Load() != 56 {
		t.Errorf("only %d games were played", played.Load())
	}
}
