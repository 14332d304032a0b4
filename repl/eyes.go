package repl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file decides who looks at the screen, and so what may stand there.
//
// In a game that hides nothing everybody may read everything. In one that does,
// somebody looks: the one person who plays, or, where several share a keyboard,
// the one who was asked last. Before another one is asked the screen is covered:
// a terminal is cleared and waits for Enter; elsewhere a line says whose turn
// it is. Every line of the log knows how each seat reads it (see line.as), and
// what somebody has not read yet is told behind the cover.

// Who looks, apart from seats.
const (
	everything = -2 // somebody who may see all there is
	bystanders = -1 // anybody: only what is open may stand there
)

// clearScreen also takes away what was scrolled out of sight.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// maxTold is how many lines are told to somebody who looks again.
const maxTold = 20

// Secretive reports whether a game hides something from somebody: pieces, or
// answers until all are in.
func Secretive(g *interpreter.Game) bool {
	if g.Hides() {
		return true
	}
	for _, ph := range g.Program().Phases {
		if ph.Who != nil && ph.Who.Mode == dsl.WhoOnce {
			return true
		}
	}
	return false
}

// Hides reports whether the game that is played hides something from somebody.
func (s *Session) Hides() bool { return s.secret }

// settleEyes says who looks at the game that begins.
func (s *Session) settleEyes() {
	s.secret = Secretive(s.match.Game())
	switch {
	case !s.secret || s.cfg.Watch && s.cfg.Open || s.cfg.Console != nil:
		s.looker = everything
	case s.cfg.Watch || people(s.cfg.Players) == 0:
		s.looker = bystanders
	case people(s.cfg.Players) == 1:
		for i, p := range s.cfg.Players {
			if p.Bot == "" {
				s.looker = i
			}
		}
	case s.looker == everything:
		s.looker = bystanders
	}
}

// shared reports whether people who may not see the same share the screen.
func (s *Session) shared() bool {
	return s.secret && !s.cfg.Watch && s.cfg.Console == nil && people(s.cfg.Players) > 1
}

// turnScreen makes the screen that of whoever is asked. It reports whether
// nothing is to be shown before somebody presses Enter.
func (s *Session) turnScreen(req interpreter.Request) (wait bool) {
	if !s.shared() || s.cfg.Quiet {
		return false
	}
	if req.Kind == interpreter.Chance || req.Table {
		if s.looker != bystanders {
			s.wipe()
			s.looker = bystanders
		}
		return false
	}
	if s.looker == req.Seat {
		return false
	}
	if s.looker != bystanders || s.typedLuck { // else nothing stands there that is not for all
		s.wipe()
	}
	s.refusal, s.typedLuck = nil, false
	if s.cfg.Clear {
		name := s.atSeat(req.Seat)
		if _, whole := s.coverPrompt(name); !whole || name != s.match.Name(req.Seat) {
			s.printf("%s", s.cover(req.Seat))
		}
		s.looker, s.covered = bystanders, true
		return true
	}
	if !s.cfg.Brief {
		s.printf("--- %s ---", s.cover(req.Seat))
	}
	s.fresh = true
	s.uncover(req.Seat)
	return false
}

// cover says whose turn it is to look.
func (s *Session) cover(seat int) string {
	return fmt.Sprintf("it is %s's turn: nobody else looks now", s.match.Name(seat))
}

// wipe takes away what stands on a terminal.
func (s *Session) wipe() {
	if s.cfg.Clear {
		fmt.Fprint(s.out, clearScreen)
	}
}

// uncover shows the screen to a seat, and tells it what it has not read: on a
// screen that was cleared all that happened since it moved, elsewhere only what
// others have read in other words.
func (s *Session) uncover(seat int) {
	s.looker = seat
	lines := s.tale.lines[min(s.read[seat], len(s.tale.lines)):]
	s.read[seat] = len(s.tale.lines)
	var tell []string
	for _, l := range lines {
		if text := l.as(seat); text != "" && s.news(&l, text) {
			tell = append(tell, text)
		}
	}
	if n := len(tell) - maxTold; n > 0 {
		s.printf("... %d lines before these: `log %d`", n, len(tell))
		tell = tell[n:]
	}
	for _, text := range tell {
		s.printf("%s", text)
	}
}

// news reports whether a line is worth telling to a seat that looks again.
func (s *Session) news(l *line, text string) bool {
	switch {
	case l.undone || l.move != nil && l.move.open:
		return false // it is so no more, or the answers themselves were told
	case s.cfg.Clear:
		return true
	case text == l.text: // the others have read as much, or more
		return l.told == "" || l.move != nil && l.move.sealed
	}
	return !strings.HasPrefix(text, l.told) || l.told == ""
}

// behindCover carries out a line that is typed while the screen is covered.
func (s *Session) behindCover(line string) (done bool, err error) {
	if line == "" {
		req, err := s.match.Advance()
		if err != nil {
			return true, s.fault(err)
		}
		s.covered = false
		if len(s.points) > 0 { // at the beginning, what is played stands there
			s.wipe()
		}
		s.uncover(req.Seat)
		s.present(req)
		return true, nil
	}
	if c, _ := s.command(line); c != nil && (c.name == "undo" || c.name == "quit") {
		return false, nil
	}
	return true, s.fail("press Enter first; only `undo` and `quit` can be typed here")
}

// A line is one line of the log. Not everybody may read the same.
type line struct {
	text   string // for everybody, "" if they are told nothing
	own    string // for the seats of seen, "" if they read what everybody does
	seen   int64  // seats, as a set
	told   string // what was printed of it
	undone bool
	stage  int
	entry  int   // number of the entry of the journal that was carried out, 0 before the first
	move   *acts // of a line that tells what somebody did
}

// acts is what somebody did, without the name.
type acts struct {
	text, own string // as in line
	seat      int
	entered   bool // it stands in the journal
	sealed    bool // others read nothing of it
	open      bool // until all answers were shown
	table     bool // it was typed for the whole table
}

// as returns the line as somebody reads it.
func (l *line) as(looker int) string {
	if l.own != "" && (looker == everything || looker >= 0 && l.seen>>uint(looker)&1 != 0) {
		return l.own
	}
	return l.text
}
