package repl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/houserules/houserules/interpreter"
)

// goOn plays the entries that the game goes on from, in silence, and says where
// it stands.
func (s *Session) goOn(ctx context.Context) error {
	s.tale.mute = true
	if err := s.feed(ctx, s.cfg.Parts); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		s.tale.mute = false
		return s.chooseAgain(err)
	}
	s.tale.mute = false
	if !s.cfg.Quiet {
		s.printf("")
		s.sheet(false)
		s.printf("")
		s.situation()
	}
	return nil
}

// forced makes the moves that are the only ones, and tells them, up to what asks
// for something.
func (s *Session) forced() (interpreter.Request, error) {
	for {
		req, err := s.match.Advance()
		if err != nil || req.Kind != interpreter.Decision || !req.Forced {
			return req, err
		}
		if err := s.take(0, s.forcedMove(req)); err != nil {
			return req, err
		}
	}
}

// settle goes to the next question in silence.
func (s *Session) settle() error {
	if err := s.editAgain(); err != nil {
		return err
	}
	if s.cfg.Console != nil {
		s.match.AskChance = s.cfg.Header.RealDice || len(s.queue) > 0
	}
	for {
		req, err := s.forced()
		if err != nil {
			return s.fault(err)
		}
		if req.Kind == interpreter.Over && s.match.Started() != nil {
			if err := s.enterGame(); err != nil {
				return err
			}
			continue
		}
		if s.inTurn(req) {
			s.tale.turn()
		}
		s.tale.flush()
		return nil
	}
}

// Feed plays the entries of journals, as if they were typed. The error is
// a *interpreter.ReplayError for an entry that does not fit.
func (s *Session) Feed(ctx context.Context, parts []*interpreter.Journal) error {
	if err := s.feed(ctx, parts); err != nil {
		return err
	}
	return s.run(ctx)
}

func (s *Session) feed(ctx context.Context, parts []*interpreter.Journal) error {
	n := 0
	for i, part := range parts {
		if i > 0 {
			if err := s.turnTo(part); err != nil {
				return &interpreter.ReplayError{Entry: n + 1, Text: "a game begins", Err: err}
			}
		}
		for _, e := range part.Entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			n++
			if err := s.feedAny(e); err != nil {
				return &interpreter.ReplayError{Entry: n, Text: clean(e.What()), Err: err}
			}
		}
	}
	return nil
}

// turnTo goes to a further part of a journal.
func (s *Session) turnTo(part *interpreter.Journal) error {
	i := len(s.stages)
	if err := s.settle(); err != nil {
		return err
	}
	if len(s.stages) == i && s.match.Over() {
		s.finish()
		s.nextGame()
	}
	if len(s.stages) != i+1 {
		return errors.New("the game before is not over")
	}
	want, err1 := json.Marshal(part.Header)
	is := s.now().header
	is.Format = part.Format
	got, err2 := json.Marshal(is)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if string(want) != string(got) {
		return errors.New("it is not what came of the part before")
	}
	return nil
}

// feedAny plays an entry, or what one says about others.
func (s *Session) feedAny(e interpreter.Entry) error {
	if e.Answer() {
		s.undone = nil
		return s.feedOne(e)
	}
	req, err := s.forced() // what luck brought was seen before
	if err != nil {
		return err
	}
	if req.Kind != interpreter.Over && s.inTurn(req) {
		s.tale.turn()
	}
	s.tale.flush()
	switch {
	case e.Undo != 0:
		k := s.pointBefore(e.Undo)
		if k < 0 {
			return errors.New("nobody decided there")
		}
		return s.backTo(k)
	case e.Redo != 0:
		if len(s.undone) == 0 {
			return errors.New("nothing was taken back before")
		}
		before := answers(s.stands())
		if err := s.doAgain(); err != nil {
			return err
		}
		if answers(s.stands())-before != e.Redo {
			return errors.New("what was taken back is not so many entries")
		}
		return nil
	}
	entries := slices.Clone(s.match.Journal.Entries)
	if e.Fix < 1 || e.Fix > len(entries) || entries[e.Fix-1].Move == "" {
		return errors.New("there is no such move to be mended")
	}
	was := entries[e.Fix-1].Move
	entries[e.Fix-1].Move = e.Move
	fits, err := interpreter.ReplayUnder(s.match.Game(), &interpreter.Journal{Header: s.match.Journal.Header, Entries: entries})
	if err != nil {
		return err
	}
	return s.mend(e.Fix, fits.Journal.Entries, was)
}

func (s *Session) feedOne(e interpreter.Entry) error {
	if err := s.editAgain(); err != nil {
		return err
	}
	if s.cfg.Console != nil { // what falls may have been said there
		s.match.AskChance = s.cfg.Header.RealDice || e.Luck != ""
	}
	req, err := s.forced()
	if err == nil && req.Kind == interpreter.Over && s.match.Started() != nil {
		if err = s.settle(); err == nil {
			req, err = s.match.Advance()
		}
	}
	switch {
	case err != nil:
		return err
	case e.Luck != "" && req.Kind == interpreter.Chance:
		if p := s.here(); !s.besides(req) {
			p.luck = true
			s.points = append(s.points, p)
		}
		return s.giveLuck(e.Luck)
	case e.Move == "" || req.Kind != interpreter.Decision:
		return errors.New("the game wants something else here")
	case e.Seat != s.match.Name(req.Seat):
		return fmt.Errorf("it is %s who decides here, not %s", s.match.Name(req.Seat), clean(e.Seat))
	}
	i, err := s.match.ParseMove(e.Move)
	if err != nil {
		return err
	}
	s.tale.turn()
	if s.cfg.Players[req.Seat].Bot != "" {
		if err := s.botDraws(req); err != nil {
			return err
		}
	} else if !req.Open || !s.answered(req) {
		s.points = append(s.points, s.here())
	}
	return s.take(i, moving{table: req.Table, bot: s.cfg.Players[req.Seat].Bot != ""})
}
