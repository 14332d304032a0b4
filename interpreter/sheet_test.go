package interpreter_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// beside plays a game to its end, or for so many answers: moves at random, and
// luck as the machine draws it beside people.
func beside(t *testing.T, m *interpreter.Machine, answers int) (drawn int) {
	t.Helper()
	r := interpreter.NewRand(7, 0, interpreter.StreamBeside)
	for range answers {
		req, err := m.Advance()
		if err == nil && req.Kind == interpreter.Decision {
			err = m.Apply(int(r.Below(uint64(req.N))))
		}
		var refused *interpreter.Refusal
		switch {
		case errors.As(err, &refused):
			continue // what only people can fill in well
		case err != nil:
			t.Fatal(err)
		case req.Kind == interpreter.Over:
			return drawn
		case req.Kind == interpreter.Decision:
			continue
		}
		text, ok := m.DrawLuck(&r)
		_, dealt := m.DealWanted()
		if ok == dealt {
			t.Fatalf("dealt %v, drawn %v: %q for %s", dealt, ok, text, m.LuckWanted())
		}
		if dealt {
			falls := m.Falls()
			if err := m.ApplyFall(falls[r.Below(uint64(len(falls)))]); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := m.ApplyLuck(text); err != nil {
			t.Fatal(text, err)
		}
		drawn++
	}
	return drawn
}

// TestMachineLuckFits: in every shipped game, and whatever the pieces look like,
// what the machine draws is what people could type.
func TestMachineLuckFits(t *testing.T) {
	lib, drawn := shipped(), map[string]int{}
	for _, game := range lib.Games() {
		id := game.ID
		p := mustLoad(t, lib, id, dsl.Options{Usual: true})
		g, err := interpreter.New(p, 2)
		var wrong *interpreter.PlayersError
		if errors.As(err, &wrong) {
			g, err = interpreter.New(p, wrong.Min)
		}
		if err != nil {
			t.Fatal(id, err)
		}
		m := g.Start(interpreter.Setup{Seed: 3})
		m.AskChance = true
		drawn[id] = beside(t, m, 300)
	}
	for _, id := range []string{"zonk", "skunkd", "yacht", "left-centre-right"} {
		if drawn[id] == 0 {
			t.Errorf("nothing was thrown in %s", id)
		}
	}
}

// TestMachineLuckIsFair: each face of a die comes about as often.
func TestMachineLuckIsFair(t *testing.T) {
	g := mustGame(t, "pig", dsl.Options{}, 2)
	m := g.Start(interpreter.Setup{Seed: 1})
	m.AskChance = true
	for req, err := m.Advance(); req.Kind != interpreter.Chance; req, err = m.Advance() {
		if err != nil || m.Apply(0) != nil {
			t.Fatal(err)
		}
	}
	r, n := interpreter.NewRand(1, 0, interpreter.StreamBeside), map[string]int{}
	for range 6000 {
		text, ok := m.DrawLuck(&r)
		if !ok {
			t.Fatal(text)
		}
		n[text]++
	}
	for _, face := range []string{"1", "2", "3", "4", "5", "6"} {
		if n[face] < 880 || n[face] > 1120 { // four standard deviations
			t.Errorf("%s: %d of 6000", face, n[face])
		}
	}
}

// TestRunningTotals: each line of a sheet has the total before the next one began,
// the last one that of now, and the standings end with the result.
func TestRunningTotals(t *testing.T) {
	g := mustGame(t, "pig", dsl.Options{}, 3)
	m := g.Start(interpreter.Setup{Seed: 5})
	var log interpreter.Log
	m.Listen(&log)
	if n := beside(t, m, 100000); n != 0 || !m.Over() {
		t.Fatal(n)
	}
	standings := log.Interims()
	last := standings[len(standings)-1].Totals
	for seat, lines := range log.Sheet(m) {
		total, _ := m.Total(seat)
		before := int64(0)
		for i, l := range lines {
			points := l.Total - before
			if lost := l.Entry == "-"; !l.Totals || lost && points != 0 || !lost && l.Entry != strconv.FormatInt(points, 10) {
				t.Errorf("seat %d, line %d: %q, total %d after %d", seat, i+1, l.Entry, l.Total, before)
			}
			before = l.Total
		}
		if before != total || last[seat] != total {
			t.Errorf("seat %d: %d, standing %d, total %d", seat, before, last[seat], total)
		}
	}
	if !slices.IsSortedFunc(standings, func(a, b interpreter.Interim) int { return a.Before - b.Before }) {
		t.Error("the standings are out of order")
	}
}
