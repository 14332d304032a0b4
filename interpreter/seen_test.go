package interpreter_test

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file tests what front ends ask of games that hide something.

func cardMatch(t *testing.T, game string, names []string, set map[string]string) *interpreter.Match {
	t.Helper()
	p := mustLoad(t, shipped(), game, dsl.Options{Usual: true, Set: set})
	g, err := interpreter.New(p, len(names))
	if err != nil {
		t.Fatal(err)
	}
	m := interpreter.NewMatch(g, interpreter.Header{Players: names, RealDice: true})
	m.Know()
	return m
}

// deal gives pieces in the order in which they are dealt.
func deal(t *testing.T, m *interpreter.Match, pieces string) (to []int) {
	t.Helper()
	for _, w := range strings.Fields(pieces) {
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
		seat, ok := m.DealWanted()
		if !ok {
			t.Fatal("nothing is dealt")
		}
		to = append(to, seat)
		if err := m.Luck(w); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	return to
}

// A move that was typed is the same on a copy, and Preview takes it.
func TestTypedValuesSurviveCopies(t *testing.T) {
	m := cardMatch(t, "skull-king-score", []string{"Ann", "Bob", "Cat"}, nil)
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	i, err := m.ParseMove("bids 0 1 0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Preview(i); err != nil {
		t.Fatal(err)
	}
	on := m.Clone()
	if got := on.OptionText(i); got != "bids 0 1 0" {
		t.Errorf("the copy has %q", got)
	}
	if err := on.Apply(i); err != nil {
		t.Error(err)
	}
}

// What a pick is by itself is not written.
func TestUsualPicksAreLeftOut(t *testing.T) {
	m := cardMatch(t, "skull-king-score", []string{"Ann", "Bob", "Cat"}, nil)
	for _, text := range []string{"bids 1 0 0", "tricks 1 0 0 0"} {
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
		if err := m.Move(text); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Journal.Entries[1].Move; got != "tricks 1 0 0" {
		t.Errorf("the journal has %q", got)
	}
}

func TestDealWantedViewAndMarks(t *testing.T) {
	m := cardMatch(t, "skull-king", []string{"Ann", "Bob", "Cat"}, map[string]string{"hand_sizes": "[2]"})
	to := deal(t, m, "TI G9 Y2 G1 B3 Y1")
	for i, seat := range to {
		if seat != i%3 {
			t.Fatalf("dealt to %v", to)
		}
	}
	for _, text := range []string{"bid 1", "bid 0", "bid 0", "play G9", "play Y2"} {
		if _, err := m.Settle(); err != nil {
			t.Fatal(err)
		}
		if err := m.Move(text); err != nil {
			t.Fatal(text, err)
		}
	}
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	for _, z := range m.View(0).Zones {
		switch {
		case z.Zone.Name == "trick":
			if got := m.CardWords(z.Zone.Family, z.Cards); got != "G9 Y2" {
				t.Errorf("the trick is %q", got)
			}
			if got := m.Written(z.Zone, z.Cards[0]); len(got) != 2 || got[0] != "Bob" || got[1] != "" {
				t.Errorf("on the first card stands %q", got)
			}
		case z.Zone.Name == "hand" && z.Of != 0:
			if z.Seen || z.Cards != nil || z.Pieces != "" || z.Count != 1 {
				t.Errorf("Ann sees %+v", z)
			}
		}
	}
}

// Answers given in secret are given anew where somebody thinks, but not one's
// own.
func TestImagineRedrawsAnswers(t *testing.T) {
	m := cardMatch(t, "skull-king", []string{"Ann", "Bob", "Cat"}, map[string]string{"hand_sizes": "[2]"})
	deal(t, m, "TI G9 Y2 G1 B3 Y1")
	for _, text := range []string{"bid 2", "bid 1"} {
		if err := m.Move(text); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
	}
	bid := func(on *interpreter.Machine, seat int) int64 {
		for _, v := range on.Game().Program().Vars {
			if v.Name == "bid" {
				return on.Value(v, seat)
			}
		}
		t.Fatal("there are no bids")
		return 0
	}
	seen := map[[2]int64]bool{}
	r := interpreter.NewRand(1, 0, 9)
	for range 60 {
		on := m.Clone()
		on.Imagine(m.Machine, 2, &r)
		i, err := on.ParseMove("bid 0")
		if err != nil {
			t.Fatal(err)
		}
		if err := on.Apply(i); err != nil {
			t.Fatal(err)
		}
		if _, err := on.Advance(); err != nil {
			t.Fatal(err)
		}
		seen[[2]int64{bid(on, 0), bid(on, 1)}] = true
		if own := bid(on, 2); own != 0 {
			t.Fatalf("Cat has bid %d", own)
		}
	}
	if len(seen) != 9 {
		t.Errorf("60 worlds have the bids %v", seen)
	}
}
