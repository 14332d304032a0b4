package interpreter

import (
	"math"
	"slices"
)

// A Thought is an option of a decision, tried by playing on at random.
type Thought struct {
	Option int    // its number
	Text   string // the move as it is typed
	Games  int    // how often it was tried

	sum, squares float64 // of what the games came to
}

// Mean is what the games came to on average; see Think.
func (t *Thought) Mean() float64 { return t.sum / float64(max(t.Games, 1)) }

// Doubt is the standard error of the mean.
func (t *Thought) Doubt() float64 {
	n := float64(max(t.Games, 2))
	return math.Sqrt(max(t.squares/n-t.Mean()*t.Mean(), 0) / n)
}

// thoughtLimit is how many decisions a game that is played on may still have;
// then it counts as it stands.
const thoughtLimit = 5000

// Think tries each option of the decision that stands, for the seat that is
// asked, by playing on at random to the end: in one world after the other until
// there are enough, of which enough is told the number before each. In each
// world the pieces that the seat cannot know, as far as it knows and remembers
// (see Know), lie otherwise, luck is other luck, and secret answers are others.
// All options are tried in the same worlds, so that they differ by themselves
// only. A game comes to the points that the seat's total is ahead of the best of
// the others, less than 0 if it is behind, or, in games without totals, to its
// share of the win; alone, to the total. The options come back with the best
// first. The seed makes the worlds; it has nothing to do with the luck of the
// game. The error is a *Fault.
//
// This is flat Monte Carlo over determinizations of the information set
// (Ginsberg 1999 for Bridge; Cowling, Powley and Whitehouse 2012 for the terms).
func (m *Machine) Think(seed uint64, enough func(worlds int) bool) ([]Thought, error) {
	var out []Thought
	for i, o := range m.Options(0) {
		out = append(out, Thought{Option: i, Text: o.Text})
	}
	var c *Machine
	for world := 0; !enough(world); world++ {
		for i := range out {
			c = m.CloneInto(c)
			if err := m.tryIn(c, &out[i], NewRand(seed, uint64(world), StreamPolicy)); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Thought) int {
		switch d := b.Mean() - a.Mean(); {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	})
	return out, nil
}

// tryIn tries an option on a clone, in the world that r makes.
func (m *Machine) tryIn(c *Machine, t *Thought, r Rand) error {
	seat := m.req.Seat
	c.AskChance, c.Incidents = false, false
	c.Rekey(r.Uint64())
	c.Imagine(m, seat, &r)
	i, err := c.ParseMove(t.Text)
	if err != nil {
		return nil // in this world the rules do not allow it
	}
	if err := c.Apply(i); err != nil {
		return err
	}
	if _, err := c.Playout(&r, thoughtLimit); err != nil {
		return err
	}
	v := c.outcome(seat)
	t.Games, t.sum, t.squares = t.Games+1, t.sum+v, t.squares+v*v
	return nil
}

// outcome is what a game has come to for a seat; see Think. Whether more points
// are better is for the ranking to say.
func (m *Machine) outcome(seat int) float64 {
	ranking := m.Ranking()
	first, order := ranking[0], slices.Concat(ranking...)
	own, kept := m.Total(seat)
	switch {
	case !kept && slices.Contains(first, seat):
		return 1 / float64(len(first))
	case !kept:
		return 0
	case len(order) == 1 && len(m.g.rank) > 0 && !m.g.rank[0].Highest:
		return -float64(own)
	case len(order) == 1:
		return float64(own)
	}
	rival := order[0]
	if rival == seat {
		rival = order[1]
	}
	other, _ := m.Total(rival)
	ahead := math.Abs(float64(own - other))
	if !slices.Contains(first, seat) {
		return -ahead
	}
	return ahead
}
