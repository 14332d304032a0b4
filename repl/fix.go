package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// Mending a move that was made long ago: it is replaced in the journal, and
// what came after it is played again. What no longer fits refuses the mending.

// AsksTable reports whether a game has questions for the people at a table, as
// a score pad has. No bot can answer them.
func AsksTable(p *dsl.Program) bool {
	return slices.ContainsFunc(p.Phases, func(ph *dsl.Phase) bool { return ph.Who != nil && ph.Who.Mode == dsl.WhoTable })
}

// fixable says why no move can be mended here, "" if it can.
func (s *Session) fixable() string {
	req, err := s.match.Advance()
	switch {
	case err != nil:
		return "the game cannot go on"
	case s.inOpening():
		return "the game has not begun"
	case len(s.edits) > 0:
		return "this game was edited by hand"
	case s.Over() && s.entered:
		return "the game is over and stands in the records"
	case s.secret && !(req.Kind == interpreter.Decision && req.Table):
		return "the game hides something, and whoever mends a move knows more by now than when it was made"
	}
	return ""
}

func (s *Session) cmdFix(ctx context.Context, args []string) error {
	if why := s.fixable(); why != "" {
		return s.fail("nothing can be mended: %s", why)
	}
	entries := s.match.Journal.Entries
	if len(args) < 2 {
		return s.fail("say which move and what it should have been: `fix N MOVE`; `log` shows the numbers")
	}
	n, err := strconv.Atoi(strings.TrimPrefix(args[0], "#"))
	if err != nil || n < 1 || n > len(entries) {
		return s.fail("there is no move %s: `log` shows their numbers", clean(args[0]))
	}
	if entries[n-1].Move == "" {
		return s.fail("number %d is no move", n)
	}
	if s.secret && !s.typedAtTable(n) {
		return s.fail("number %d was not typed for the whole table, and what is hidden cannot be mended", n)
	}
	return s.fix(ctx, n, strings.Join(args[1:], " "))
}

// typedAtTable reports whether the n-th entry answers a question to all.
func (s *Session) typedAtTable(n int) bool {
	return slices.ContainsFunc(s.tale.lines, func(l line) bool {
		return l.stage == len(s.stages)-1 && l.entry == n && !l.undone && l.move != nil && l.move.table
	})
}

// fix puts another move in the place of the n-th entry.
func (s *Session) fix(ctx context.Context, n int, text string) error {
	entries := slices.Clone(s.match.Journal.Entries)
	was := entries[n-1].Move
	entries[n-1].Move = text
	fits, err := interpreter.ReplayUnder(s.match.Game(), &interpreter.Journal{Header: s.match.Journal.Header, Entries: entries})
	if err != nil {
		return s.misfit(n, err)
	}
	entries = fits.Journal.Entries // as it is written, not as it was typed
	if err := s.act(func() error { return s.mend(n, entries, was) }); err != nil {
		return err
	}
	return s.run(ctx)
}

// pointOf is the point before the n-th entry, as far as luck goes.
func (s *Session) pointOf(n int) point {
	for _, p := range s.points {
		if p.stage == len(s.stages)-1 && p.entries == n-1 {
			return p
		}
	}
	return point{stage: len(s.stages) - 1, entries: n - 1, throws: s.tale.luck}
}

// misfit says why a move cannot be mended so.
func (s *Session) misfit(n int, err error) error {
	var wrong *interpreter.ReplayError
	if !errors.As(err, &wrong) {
		return s.fail("it cannot be mended so: %v", err)
	}
	var refused *interpreter.Refusal
	reason := wrong.Err.Error()
	if errors.As(err, &refused) {
		reason = refused.Reason + s.ruleOf(refused)
	}
	e := &LineError{Message: fmt.Sprintf("no: %s; nothing has changed", reason), Refused: refused}
	switch {
	case wrong.Entry == n:
	case s.secret: // it may be about what is hidden
		e.Message = fmt.Sprintf("with that, number %d no longer fits; nothing has changed", wrong.Entry)
	default:
		e.Message = fmt.Sprintf("with that, number %d no longer fits (%s): %s; nothing has changed", wrong.Entry, clean(spoken(wrong.Text)), reason)
	}
	s.printf("%s", e.Message)
	return e
}

// mend plays the game anew with other entries. The log keeps what was, marked as
// undone from the n-th entry on, and goes on with what is now.
func (s *Session) mend(n int, entries []interpreter.Entry, was string) error {
	stage := len(s.stages) - 1
	before, points, bots, mute := s.tale.lines, s.points, s.bots, s.tale.mute
	e := interpreter.Entry{Fix: n, Move: entries[n-1].Move, Past: s.barrierOfLuck(s.pointOf(n))}
	s.happened.follow(s.stands())
	s.begin()
	s.tale.mute = true
	s.points = slices.DeleteFunc(slices.Clone(points), func(p point) bool { return p.stage == stage })
	for _, e := range entries {
		if err := s.feedOne(e); err != nil {
			return s.fault(err)
		}
	}
	if err := s.settle(); err != nil {
		return err
	}
	anew := s.tale.lines
	from := func(lines []line) int {
		i := slices.IndexFunc(lines, func(l line) bool { return l.stage == stage && l.entry >= n })
		if i < 0 {
			return len(lines)
		}
		return i
	}
	lines := slices.Clone(before)
	for i := range lines {
		if lines[i].stage == stage && lines[i].entry >= n {
			lines[i].undone = true
		}
	}
	cut := from(anew)
	shift := len(lines) + 1 - cut
	s.tale.lines, s.tale.mute = lines, mute
	s.tale.say("number %d was %s, and is now %s", n, spoken(was), spoken(entries[n-1].Move))
	for i := range s.points {
		switch p := &s.points[i]; {
		case p.stage != stage:
		case p.entries >= n-1:
			p.lines += shift
		case i < len(points):
			p.lines = points[i].lines
		}
	}
	s.tale.lines = append(s.tale.lines, anew[cut:]...)
	s.undone, s.bots, s.past, s.mended = nil, slices.Clone(bots), s.past || e.Past, true
	s.happened.tell(e, s.stands())
	s.notePast(e.Past)
	if !mute {
		s.tellTotals()
		s.situation()
	}
	return nil
}

// tellTotals says where the totals stand after something was mended.
func (s *Session) tellTotals() {
	var parts []string
	for seat := range s.match.Game().Seats() {
		if v, ok := s.match.Total(seat); ok {
			parts = append(parts, fmt.Sprintf("%s %d", s.match.Name(seat), v))
		}
	}
	if len(parts) > 0 {
		s.printf("totals: %s", strings.Join(parts, ", "))
	}
}
