package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// At a table that plays so, what luck or others have followed can be taken back
// if all those agree whom it touches.

// asking is the question to others whether something may be taken back.
type asking struct {
	point int
	seats []int // who has not agreed yet
	what  string
}

// touched are the people who must agree before it goes back to a point: of
// those who are not taking back a move of their own, whoever has moved since, and
// everybody if luck has been seen.
func (s *Session) touched(k int) []int {
	p := s.points[k]
	luck := s.barrierOfLuck(p) || s.keptFrom(s.points[len(s.points)-1])
	var out []int
	for seat, pl := range s.cfg.Players {
		if pl.Bot != "" || seat == p.seat {
			continue
		}
		moved := false
		for _, e := range s.since(p) {
			moved = moved || e.Seat == s.match.Name(seat)
		}
		if luck || moved {
			out = append(out, seat)
		}
	}
	return out
}

// askAround asks others whether it may go back to a point.
func (s *Session) askAround(k int, seats []int) error {
	p := s.points[k]
	what := s.told(p, s.stages[p.stage].journal.Entries).text
	if n := len(s.points) - k - 1; n > 0 {
		what += fmt.Sprintf(", and %d more", n)
	}
	s.asking = &asking{point: k, seats: seats, what: what}
	s.askNext()
	return nil
}

// askNext asks the next of those who are asked.
func (s *Session) askNext() {
	s.printf("%s: may it be taken back? %s (y or n)", s.match.Name(s.asking.seats[0]), s.asking.what)
}

func (a *asking) prompt(s *Session) string { return s.atSeat(a.seats[0]) + "? [y/N] " }

// agree carries out the answer of somebody who was asked.
func (s *Session) agree(ctx context.Context, line string) error {
	a := s.asking
	switch strings.ToLower(line) {
	case "y", "yes":
		if a.seats = a.seats[1:]; len(a.seats) > 0 {
			s.askNext()
			return nil
		}
		s.asking = nil
		return s.takeBack(ctx, a.point)
	case "", "n", "no":
		s.asking = nil
		s.printf("%s does not agree: nothing is taken back", s.match.Name(a.seats[0]))
		return nil
	}
	if c, args := s.command(line); c != nil && c.name == "quit" {
		return c.run(s, ctx, args)
	}
	return s.fail("%s, may it be taken back? `y` or `n`", s.match.Name(a.seats[0]))
}

// KnownPolicy reports whether there is such a rule for taking back.
func KnownPolicy(name string) bool { return slices.Contains(UndoPolicies, name) }
