package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// House rules meet: every one alone, every two, and some larger parties are
// loaded and played to the end.

// endless says which two house rules make games that random play does not
// end, and why.
var endless = map[string]string{
	"growing-minimum+three-zonks-in-a-row": "random seats reach the growing minimum too seldom to make up for what Zonks cost them",
}

// refused reports whether a selection did not load because house rules in it
// exclude each other; every other problem fails the test.
func refused(t *testing.T, s selection) bool {
	t.Helper()
	if s.prog != nil {
		return false
	}
	for _, d := range s.problems {
		if d.Code == "E0323" {
			if !strings.Contains(strings.Join(d.Help, " ")+d.Label, " ") {
				t.Errorf("%s: nothing is said of why", s)
			}
			return true
		}
	}
	report(t, s.problems)
	t.Errorf("%s: does not load, and says nothing", s)
	return true
}

// playOut plays games of random seats, every invariant tested at every decision
// of the first. It returns how the games ended.
func playOut(t *testing.T, s selection, g *interpreter.Game, games int) (ends []string) {
	t.Helper()
	m := g.Start(interpreter.Setup{})
	m.Incidents = true
	if excused(s.with) {
		games = 1
	}
	for i := range games {
		m.Restart(interpreter.Setup{Seed: 77, Index: uint64(i)})
		r := interpreter.NewRand(77, uint64(i), interpreter.StreamPolicy)
		var see func(interpreter.Request) error
		if i == 0 {
			seen := 0
			see = func(interpreter.Request) error {
				if seen++; seen > 400 { // long games repeat themselves
					return nil
				}
				return invariants(m)
			}
		}
		n, err := drive(m, &r, see)
		if err != nil {
			t.Errorf("%s, %d players, game %d, decision %d: %v", s, g.Seats(), i, n, err)
			return ends
		}
		if err := invariants(m); err != nil {
			t.Errorf("%s, %d players, end of game %d: %v", s, g.Seats(), i, err)
		}
		if !m.Over() && !excused(s.with) {
			t.Errorf("%s, %d players, game %d: not over after %d decisions", s, g.Seats(), i, n)
		}
		ends = append(ends, fmt.Sprint(n, stateOf(m)))
	}
	return ends
}

// excused reports whether two rules of a selection are known not to end.
func excused(with []string) bool {
	for both := range endless {
		a, b, _ := strings.Cut(both, "+")
		if slices.Contains(with, a) && slices.Contains(with, b) {
			return true
		}
	}
	return false
}

func invariants(m *interpreter.Machine) error {
	for _, g := range m.Game().Program().Invariant {
		if v, err := m.Eval(g.That); err != nil || v != 1 {
			return fmt.Errorf("the invariant %s does not hold: %d, %v", g.Name, v, err)
		}
	}
	return nil
}

func TestEveryHouseRuleAlone(t *testing.T) {
	for i, s := range singles() {
		if s.prog == nil {
			report(t, s.problems)
		}
		if raceEnabled && i%8 != 0 {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			for seats := 2; seats <= 3; seats++ {
				playOut(t, s, s.game(t, seats), sometimes(5, 2))
			}
		})
	}
}

// Making a game ready costs far more than playing some, so every third pair
// is played by three, and the others by two.
func TestEveryTwoHouseRules(t *testing.T) {
	excluded := 0
	for i, s := range pairs() {
		if refused(t, s) {
			excluded++
			continue
		}
		if testing.Short() && i%10 != 0 || raceEnabled && i%30 != 0 {
			continue
		}
		seats := 2 + i%3/2
		t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
			t.Parallel()
			g := s.game(t, seats)
			ends := playOut(t, s, g, 3)
			if i%4 == 0 && !excused(s.with) {
				if err := loudAndQuick(g, 13, 0, 3); err != nil {
					t.Error(err)
				}
			}
			if i%10 == 0 {
				r := choose(s.with[1], s.with[0])
				if again := playOut(t, r, r.game(t, seats), 3); !slices.Equal(ends, again) {
					t.Errorf("in the other order the games end otherwise")
				}
			}
		})
	}
	if excluded == 0 {
		t.Error("no two house rules exclude each other: the files say that some do")
	}
}

func TestOrderOfHouseRulesDoesNotMatter(t *testing.T) {
	for i, s := range pairs() {
		if s.prog == nil || sometimes(1, 0) == 0 && i%10 != 0 {
			continue
		}
		r := choose(s.with[1], s.with[0])
		if r.prog == nil {
			t.Errorf("%s: loads in one order only", s)
		} else if r.prog.Fingerprint != s.prog.Fingerprint {
			t.Errorf("%s: the fingerprint is %s, in the other order %s", s, s.prog.Fingerprint, r.prog.Fingerprint)
		}
	}
	// Two programs have one fingerprint only if the same house rules are in force.
	all := map[string]string{}
	for _, s := range append(singles(), pairs()...) {
		if s.prog == nil {
			continue
		}
		var inForce []string
		for _, v := range s.prog.Variants {
			inForce = append(inForce, v.ID)
		}
		is := strings.Join(inForce, "+")
		if other, ok := all[s.prog.Fingerprint]; ok && other != is {
			t.Errorf("%s and %s have one fingerprint", is, other)
		}
		all[s.prog.Fingerprint] = is
	}
}

// The usual house rules are what `with` all of them would be.
func TestUsualIsItsHouseRules(t *testing.T) {
	u := usual(t)
	if w := choose(u.with...); w.prog == nil || w.prog.Fingerprint != u.prog.Fingerprint {
		t.Errorf("the usual house rules %v do not have the fingerprint of these by name", u.with)
	}
	p, ds := dsl.Load(shipped(), "zonk", dsl.Options{Usual: true, Without: u.with})
	report(t, ds)
	if p.Fingerprint != singles()[0].prog.Fingerprint {
		t.Error("without the usual house rules the game is not the plain one")
	}
}

func TestPartiesOfHouseRules(t *testing.T) {
	ids := houseRules()
	r := interpreter.NewRand(2026, 0, 0)
	played := 0
	for played < sometimes(24, 4) {
		pick := slices.Clone(ids)
		for i := range pick {
			k := i + int(r.Below(uint64(len(pick)-i)))
			pick[i], pick[k] = pick[k], pick[i]
		}
		pick = pick[:3+r.Below(10)]
		s := choose()
		for _, id := range pick { // those that go with the ones before
			if next := choose(append(slices.Clone(s.with), id)...); !refused(t, next) {
				s = next
			}
		}
		seats := 2 + played%2
		played++
		back := slices.Clone(s.with)
		slices.Reverse(back)
		if p := choose(back...); p.prog == nil || p.prog.Fingerprint != s.prog.Fingerprint {
			t.Errorf("%s: backwards it has another fingerprint", s)
		}
		t.Run(fmt.Sprintf("%s/%d", s, seats), func(t *testing.T) {
			t.Parallel()
			g := s.game(t, seats)
			playOut(t, s, g, 2)
			if !excused(s.with) {
				if err := loudAndQuick(g, 17, 0, 2); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if s := togetherAll(); len(s.with) < 15 {
		t.Errorf("only %d house rules go together: %s", len(s.with), s)
	}
}
