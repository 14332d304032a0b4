package repl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/houserules/houserules/interpreter"
)

// A hint plays the game on at random, many times, for each move that can be
// made, and compares how it ends. It knows what the seat knows and no more: each
// time the pieces that the seat cannot know are dealt anew among the places
// where they may lie, hidden answers of others are given anew, and luck is other
// luck. All moves are tried in the same worlds, so that they differ by
// themselves only.

// Limits of a hint: how long it takes, and how many moves it compares.
const (
	thinkTime   = time.Second
	maxThought  = 200
	maxAdvised  = 3
	leastWorlds = 8
)

// thought is a move that is tried.
type thought struct {
	text    string
	n       int
	sum, sq float64 // of what it came to
}

func (t *thought) mean() float64 { return t.sum / float64(max(t.n, 1)) }

// doubt is the standard error of the mean.
func (t *thought) doubt() float64 {
	n := float64(max(t.n, 2))
	return math.Sqrt(max(t.sq/n-t.mean()*t.mean(), 0) / n)
}

func (s *Session) cmdHint(ctx context.Context, args []string) error {
	req, err := s.match.Advance()
	switch {
	case len(args) > 0:
		return s.fail("`hint` takes nothing")
	case err != nil:
		return s.fault(err)
	case req.Kind != interpreter.Decision:
		return s.fail("there is nothing to decide now")
	case req.Table || req.Open:
		return s.fail("no hint can be given here: what is asked is not in the game")
	case req.N > maxThought:
		return s.fail("there are %d moves, too many to try them all", req.N)
	}
	end := time.Now().Add(thinkTime)
	thoughts, err := s.think(ctx, req, func(n int) bool {
		if s.cfg.Worlds > 0 {
			return n == s.cfg.Worlds
		}
		return n >= leastWorlds && time.Now().After(end)
	})
	if err != nil {
		return s.fault(err)
	}
	s.advise(thoughts)
	return nil
}

// think tries every move in one world after the other, until it is enough.
func (s *Session) think(ctx context.Context, req interpreter.Request, enough func(n int) bool) ([]thought, error) {
	var out []thought
	for _, o := range s.match.Options(0) {
		out = append(out, thought{text: o.Text})
	}
	var m *interpreter.Machine
	for n := 0; !enough(n) && ctx.Err() == nil; n++ {
		for i := range out {
			var err error
			if m, err = s.tryIn(m, req.Seat, &out[i], uint64(n)); err != nil {
				return nil, err
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].mean() > out[j].mean() })
	return out, ctx.Err()
}

// tryIn tries a move in the world of a number. The machine is one that can be
// used up, or nil.
func (s *Session) tryIn(m *interpreter.Machine, seat int, t *thought, world uint64) (*interpreter.Machine, error) {
	m = s.match.CloneInto(m)
	r := interpreter.NewRand(world, uint64(len(s.match.Journal.Entries)), interpreter.StreamPolicy+uint64(len(s.cfg.Players)))
	m.Rekey(r.Below(math.MaxUint64))
	m.AskChance, m.Incidents = false, false
	m.Imagine(s.match.Machine, seat, &r)
	i, err := m.ParseMove(t.text)
	if err != nil {
		return m, nil // in this world the rules do not allow it
	}
	if err := m.Apply(i); err != nil {
		return m, err
	}
	if _, err := m.Playout(&r, 0); err != nil {
		return m, err
	}
	v := outcome(m, seat)
	t.n, t.sum, t.sq = t.n+1, t.sum+v, t.sq+v*v
	return m, nil
}

// outcome is what a game came to for a seat: by how much its total is ahead of
// the best other one or, where no totals are kept, whether it has won.
func outcome(m *interpreter.Machine, seat int) float64 {
	own, kept := m.Total(seat)
	if !kept {
		first := m.Ranking()[0]
		if slices.Contains(first, seat) {
			return 1 / float64(len(first))
		}
		return 0
	}
	other, any := int64(0), false
	for i := range m.Game().Seats() {
		if v, ok := m.Total(i); ok && i != seat && (!any || v > other) {
			other, any = v, true
		}
	}
	return float64(own - other)
}

// advise tells which moves came to most.
func (s *Session) advise(thoughts []thought) {
	head := fmt.Sprintf("each move in %d games played on at random", thoughts[0].n)
	if s.secret {
		head += ", what is hidden dealt anew"
	}
	s.printf("%s:", head)
	_, totals := s.match.Total(0)
	var rows [][]string
	for _, t := range thoughts[:min(len(thoughts), maxAdvised)] {
		text := fmt.Sprintf("won %.0f%%", 100*t.mean())
		switch v := math.Round(t.mean()); {
		case totals && v >= 0:
			text = fmt.Sprintf("ahead by %.0f", math.Abs(v))
		case totals:
			text = fmt.Sprintf("behind by %.0f", -v)
		}
		rows = append(rows, []string{"  " + spoken(t.text), text})
	}
	s.rows(rows)
	if len(thoughts) > 1 {
		a, b := &thoughts[0], &thoughts[1]
		if a.mean()-b.mean() < 2*math.Hypot(a.doubt(), b.doubt()) {
			s.printf("the first is not clearly better than the second")
		}
	}
}
