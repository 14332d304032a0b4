package interpreter

import "math"

// Think chooses an option of the decision that stands, for the seat that is
// asked, by playing on at random: each option is tried in as many games as the
// others, each with pieces, luck and secret answers that are imagined anew, and
// the one after which the seat does best is taken. It uses what the seat knows
// (see Know), as far as bots of this game remember, and nothing else. games is
// how many games are played for each option, limit how many decisions long at
// most; then the standing counts. The error is a *Fault.
func (m *Machine) Think(r *Rand, games, limit int) (option int, err error) {
	seat, best := m.req.Seat, math.Inf(-1)
	var c *Machine
	for i := range m.req.N {
		total := 0.0
		for range games {
			c = m.CloneInto(c)
			c.Imagine(m, seat, r)
			c.Rekey(r.Uint64())
			c.AskChance = false
			if err := c.Apply(i); err != nil {
				return 0, err
			}
			if _, err := c.Playout(r, limit); err != nil {
				return 0, err
			}
			total += c.standing(seat)
		}
		if total > best {
			best, option = total, i
		}
	}
	return option, nil
}

// standing is how well a seat does: 1 for a win alone, less for one that is
// shared or for a place behind, 0 for the last.
func (m *Machine) standing(seat int) float64 {
	ahead, n := 0, m.g.people
	for _, group := range m.Ranking() {
		for _, s := range group {
			if s == seat {
				return 1 - (float64(ahead)+float64(len(group)-1)/2)/float64(max(n-1, 1))
			}
		}
		ahead += len(group)
	}
	return 0
}
