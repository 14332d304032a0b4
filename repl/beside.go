package repl

import "github.com/houserules/houserules/interpreter"

// Beside people who throw real dice the machine throws for bots. Its throws are
// entries of the journal as those of people are; each has luck of its own, so
// that a move that is taken back and made again meets the same throw.

// besides reports whether the machine makes the throw, or the roll, that is
// wanted: that of a bot, if people are asked for throws at all.
func (s *Session) besides(req interpreter.Request) bool {
	if req.Kind != interpreter.Chance || s.cfg.Luck != nil || s.cfg.Watch {
		return false
	}
	seat := req.Seat
	if _, of, ok := s.match.RollWanted(); ok && of >= 0 {
		seat = of // whose number it is, whoever has the turn
	}
	return s.cfg.Players[seat].Bot != ""
}

// throwBeside makes a throw for a bot. It reports false if it has to be typed
// all the same: pieces that are dealt lie with people.
func (s *Session) throwBeside(req interpreter.Request) (bool, error) {
	if !s.besides(req) {
		return false, nil
	}
	h := s.now().header
	r := interpreter.NewRand(h.Seed, h.Index, interpreter.StreamBeside+uint64(len(s.match.Journal.Entries)))
	text, ok := s.match.DrawLuck(&r)
	if !ok {
		return false, nil
	}
	s.live = true
	if err := s.act(func() error { return s.giveLuck(text) }); err != nil {
		return false, err
	}
	return true, nil
}
