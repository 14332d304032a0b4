package repl

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/houserules/houserules/interpreter"
)

// This file has what plays on in worlds that a seat may be in: hints, and bots
// that think.

// Limits of a hint: how long it takes, and how many moves it compares.
const (
	thinkTime   = time.Second
	maxThought  = 200
	maxAdvised  = 3
	leastWorlds = 8
)

// botMove chooses an option for a bot. Each draws from its stream, so that what
// it does later hangs on nothing else.
func (s *Session) botMove(req interpreter.Request) (int, error) {
	r := &s.bots[req.Seat]
	kind, _ := interpreter.BotNamed(s.cfg.Players[req.Seat].Bot)
	if kind == interpreter.BotGreedy {
		return s.match.Advised(r)
	}
	i := int(r.Below(uint64(req.N)))
	if kind != interpreter.BotThinker || req.N > maxThought {
		return i, nil
	}
	worlds := interpreter.ThinkerWorlds(req.N)
	if s.cfg.Worlds > 0 {
		worlds = s.cfg.Worlds
	}
	thoughts, err := s.match.Think(s.moment(req.Seat), func(n int) bool { return n == worlds })
	if err != nil {
		return 0, err
	}
	return thoughts[0].Option, nil
}

// botDraws draws what a bot has drawn for a move that is played again, so that it
// goes on as if it had never been left.
func (s *Session) botDraws(req interpreter.Request) error {
	r := &s.bots[req.Seat]
	kind, _ := interpreter.BotNamed(s.cfg.Players[req.Seat].Bot)
	if kind == interpreter.BotGreedy && !s.cfg.Watch {
		_, err := s.match.Advised(r)
		return err
	}
	r.Below(uint64(req.N))
	return nil
}

// moment is the seed of the worlds that a seat thinks of now.
func (s *Session) moment(seat int) uint64 {
	return uint64(len(s.match.Journal.Entries)*len(s.cfg.Players) + seat)
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
	thoughts, err := s.match.Think(s.moment(req.Seat), func(n int) bool {
		if s.cfg.Worlds > 0 {
			return n == s.cfg.Worlds
		}
		return ctx.Err() != nil || n >= leastWorlds && time.Now().After(end)
	})
	switch {
	case err != nil:
		return s.fault(err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.advise(thoughts)
	return nil
}

// advise tells which moves came to most.
func (s *Session) advise(thoughts []interpreter.Thought) {
	head := fmt.Sprintf("each move in %d games played on at random", thoughts[0].Games)
	if s.secret {
		head += ", what is hidden dealt anew"
	}
	s.printf("%s:", head)
	_, totals := s.match.Total(0)
	var rows [][]string
	for _, t := range thoughts[:min(len(thoughts), maxAdvised)] {
		text := fmt.Sprintf("won %.0f%%", 100*t.Mean())
		switch v := math.Round(t.Mean()); {
		case totals && v >= 0:
			text = fmt.Sprintf("ahead by %.0f", math.Abs(v))
		case totals:
			text = fmt.Sprintf("behind by %.0f", -v)
		}
		rows = append(rows, []string{"  " + spoken(t.Text), text})
	}
	s.rows(rows)
	if len(thoughts) > 1 {
		a, b := &thoughts[0], &thoughts[1]
		if a.Mean()-b.Mean() < 2*math.Hypot(a.Doubt(), b.Doubt()) {
			s.printf("the first is not clearly better than the second")
		}
	}
}
