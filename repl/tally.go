package repl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/interpreter"
)

// This file tells how a session of several games stands.

// games counts the games of the session that are over.
func (s *Session) games() int {
	n := 0
	for i := range s.stages {
		if s.stages[i].ended {
			n++
		}
	}
	return n
}

// tally says how the session stands, nothing for a session of one game: the
// games won, and the totals of all games together.
func (s *Session) tally() []string {
	n := s.games()
	if s.cfg.Games < 2 && n < 2 {
		return nil
	}
	wins, sums := make([]int64, len(s.cfg.Players)), make([]int64, len(s.cfg.Players))
	kept := true
	for i := range s.stages {
		st := &s.stages[i]
		if !st.ended {
			continue
		}
		for _, w := range st.winners {
			wins[w]++
		}
		kept = kept && st.totals != nil
		for seat, v := range st.totals {
			sums[seat] += v
		}
	}
	head := fmt.Sprintf("after %d games", n)
	switch {
	case n < s.cfg.Games:
		head = fmt.Sprintf("after game %d of %d", n, s.cfg.Games)
	case n == 1:
		head = "after one game"
	}
	if len(wins) == 1 {
		if kept {
			head += fmt.Sprintf(": %d together", sums[0])
		}
		return []string{head}
	}
	out := []string{head + ", games won: " + s.perSeat(wins)}
	if kept {
		out = append(out, "totals together: "+s.perSeat(sums))
	}
	return out
}

// perSeat writes a number for each seat.
func (s *Session) perSeat(numbers []int64) string {
	var parts []string
	for seat, n := range numbers {
		parts = append(parts, fmt.Sprintf("%s %d", s.match.Name(seat), n))
	}
	return strings.Join(parts, ", ")
}

// totals returns the totals of all seats, nil if the rules keep none.
func (s *Session) totals() []int64 {
	var out []int64
	for seat := range s.cfg.Players {
		v, ok := s.match.Total(seat)
		if !ok {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// printTally prints how the session stands, and who sets the rules next.
func (s *Session) printTally() {
	for i, l := range s.tally() {
		if i == 0 || !s.cfg.Brief {
			s.printf("%s", l)
		}
	}
	if text := s.nextRules(); text != "" && !s.cfg.Brief {
		s.printf("%s", text)
	}
}

// nextLooks is how many openings are looked at, each on other luck, to tell who
// sets the rules.
const nextLooks = 24

// nextRules says who sets the rules of the next game, if one follows or may
// follow. The opening of the game decides that: it is played, on luck that is no
// game's, up to where the rules are asked for.
func (s *Session) nextRules() string {
	if s.cfg.Watch || s.cfg.Opening == nil || !s.goesOn() && !s.cfg.Another || len(s.cfg.Header.With)+len(s.cfg.Header.Set) > 0 {
		return ""
	}
	h := s.nextStage().header
	h.RealDice = false
	who := -1
	for i := range uint64(nextLooks) {
		h.Seed = i
		m := interpreter.NewMatch(s.cfg.Opening, h)
		req, err := m.Advance()
		switch {
		case err != nil || req.Kind != interpreter.Decision || !req.Open:
			return "" // something else is asked first
		case who >= 0 && req.Seat != who:
			return "the rules of the next game: chance decides who sets them"
		}
		who = req.Seat
	}
	return "the rules of the next game: set by " + s.match.Name(who)
}
