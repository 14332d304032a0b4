package repl

import (
	"context"
	"fmt"
	"slices"

	"github.com/houserules/houserules/interpreter"
)

// point is where people decided something, or typed a throw.
type point struct {
	stage   int // where it is
	entries int // of the stage's journal before it
	lines   int // of the log before it
	seat    int
	luck    bool // a throw was typed
	throws  int  // how often the machine had thrown
	bots    []interpreter.Rand
}

// undone is what was taken back, for redo.
type undone struct {
	stages []stage
	points []point
	bots   []interpreter.Rand
	told   acts // what it was
}

// told is what somebody did at a point, in the words for each.
func (s *Session) told(p point, entries []interpreter.Entry) acts {
	for _, l := range s.tale.lines[min(p.lines, len(s.tale.lines)):] {
		if l.move != nil && !l.undone && !p.luck {
			return *l.move
		}
	}
	e := entries[p.entries]
	a := acts{text: spoken(e.Move) + e.Luck, seat: -1}
	a.own = a.text
	if s.secret {
		a.text = "what chance gave"
	}
	return a
}

// under is a line of the log with a few words before what was done.
func (a acts) under(head string) line {
	l := line{text: head + a.text, seen: seatBit(a.seat)}
	if a.own != a.text {
		l.own = head + a.own
	}
	return l
}

func (s *Session) here() point {
	seat, _ := s.Asked()
	return point{stage: len(s.stages) - 1, entries: len(s.match.Journal.Entries), lines: len(s.tale.lines), seat: seat,
		throws: s.tale.luck, bots: slices.Clone(s.bots)}
}

// remember notes that a person decides now. What was undone is gone by that.
func (s *Session) remember() {
	s.points, s.undone = append(s.points, s.here()), nil
}

// What may be taken back, as a table chooses it.
const (
	UndoStrict = "strict" // back to the last luck, and to what others did
	UndoTable  = "table"  // further, if those agree whom it touches
	UndoFree   = "free"   // everything
)

// UndoPolicies lists what a table can choose.
var UndoPolicies = []string{UndoStrict, UndoTable, UndoFree}

// policy is what may be taken back here.
func (s *Session) policy() string {
	switch p := s.cfg.Header.Undo; {
	case s.cfg.Console != nil:
		return UndoFree
	case p != "":
		return p
	case people(s.cfg.Players) > 1:
		return UndoStrict
	}
	return UndoFree
}

// undo takes back what people did last, n times.
func (s *Session) undo(ctx context.Context, n int) error {
	if s.Over() && s.entered {
		return s.fail("the game is over and stands in the records")
	}
	if len(s.points) == 0 {
		return s.fail("there is nothing to take back")
	}
	if n > len(s.points) {
		return s.fail("only %d can be taken back", len(s.points))
	}
	k := len(s.points) - n
	switch s.policy() {
	case UndoFree:
	case UndoTable:
		if seats := s.touched(k); len(seats) > 0 {
			return s.askAround(k, seats)
		}
	default:
		if last := s.points[len(s.points)-1]; s.keptFrom(last) {
			return s.fail("only %s can take that back, before anybody else looks", s.match.Name(last.seat))
		}
		for _, p := range slices.Backward(s.points[k:]) {
			if why := s.barrier(p); why != "" {
				return s.fail("that cannot be taken back: %s", why)
			}
		}
	}
	return s.takeBack(ctx, k)
}

// andMore follows the first of several moves that are taken back.
const andMore = ", and what came after it"

// takeBack goes back to a point.
func (s *Session) takeBack(ctx context.Context, k int) error {
	if err := s.act(func() error { return s.backTo(k) }); err != nil {
		return err
	}
	return s.run(ctx)
}

// backTo takes back what was done since a point, and tells it.
func (s *Session) backTo(k int) error {
	p := s.points[k]
	e := interpreter.Entry{Undo: len(s.since(p)), Past: s.barrierOfLuck(p)}
	was := s.stages[p.stage].journal.Entries
	told := s.told(p, was)
	if len(s.points)-k > 1 {
		told.text, told.own = told.text+andMore, told.own+andMore
	}
	u := undone{stages: slices.Clone(s.stages), points: slices.Clone(s.points), bots: slices.Clone(s.bots), told: told}
	lines := s.tale.lines
	s.happened.follow(s.stands())
	if err := s.goTo(s.stages[:p.stage+1], was[:p.entries], s.points[:k], p.bots); err != nil {
		return err
	}
	s.happened.tell(e, s.stands())
	s.undone, s.past = append(s.undone, u), s.past || e.Past
	for i := p.lines; i < len(lines); i++ {
		lines[i].undone = true
	}
	s.tale.tell(told.under("taken back: "))
	s.notePast(e.Past)
	s.situation()
	return nil
}

// notePast marks in the log what was taken back or mended when more was known
// than before.
func (s *Session) notePast(past bool) {
	if past {
		s.tale.note("undone past a roll")
	}
}

// pointBefore finds the point that so many entries have come after, -1 if there
// is none.
func (s *Session) pointBefore(entries int) int {
	for k, p := range slices.Backward(s.points) {
		if n := len(s.since(p)); n >= entries {
			if n == entries {
				return k
			}
			break
		}
	}
	return -1
}

// keptFrom reports whether a point is that of an answer that is still hidden
// from whoever looks: nobody takes back what others have answered.
func (s *Session) keptFrom(p point) bool {
	if !s.shared() || s.covered || s.fresh || p.seat == s.looker {
		return false
	}
	for _, l := range s.tale.lines[min(p.lines, len(s.tale.lines)):] {
		if l.move != nil && !l.undone {
			return l.move.sealed && !l.move.open
		}
	}
	return false
}

// redo does again what undo took back.
func (s *Session) redo(ctx context.Context) error {
	if len(s.undone) == 0 {
		return s.fail("nothing was taken back")
	}
	if err := s.act(s.doAgain); err != nil {
		return err
	}
	return s.run(ctx)
}

// doAgain does again what was taken back last, and tells it.
func (s *Session) doAgain() error {
	u := s.undone[len(s.undone)-1]
	rest := s.undone[:len(s.undone)-1]
	s.happened.follow(s.stands())
	before := answers(s.stands())
	if err := s.goTo(u.stages, u.stages[len(u.stages)-1].journal.Entries, u.points, u.bots); err != nil {
		return err
	}
	s.happened.tell(interpreter.Entry{Redo: answers(s.stands()) - before}, s.stands())
	s.undone = rest
	s.tale.tell(u.told.under("done again: "))
	s.situation()
	return nil
}

// answers counts the entries of journals.
func answers(parts []*interpreter.Journal) int { return linesOf(parts) - len(parts) }

// goTo plays the last of some stages anew up to some entries, in silence. The
// log stays as it is.
func (s *Session) goTo(stages []stage, entries []interpreter.Entry, points []point, bots []interpreter.Rand) error {
	entries, points = slices.Clone(entries), slices.Clone(points)
	s.stages = slices.Clone(stages)
	lines, mute := s.tale.lines, s.tale.mute
	s.begin()
	s.tale.mute = true
	for _, e := range entries {
		if err := s.feedOne(e); err != nil {
			return s.fault(err)
		}
	}
	if err := s.settle(); err != nil {
		return err
	}
	s.tale.mute, s.tale.lines = mute, lines
	s.points, s.bots = points, slices.Clone(bots)
	return nil
}

// barrier says what happened since a point that the table cannot take back: a
// throw, or what somebody else did.
func (s *Session) barrier(p point) string {
	if s.barrierOfLuck(p) {
		if s.secret {
			return "something was dealt or shown since"
		}
		return "dice have fallen since"
	}
	for _, e := range s.since(p) {
		if e.Seat != "" && e.Seat != s.match.Name(p.seat) {
			return fmt.Sprintf("%s has moved since", e.Seat)
		}
	}
	return ""
}

// since lists what was done from a point on.
func (s *Session) since(p point) []interpreter.Entry {
	out := slices.Clone(s.stages[p.stage].journal.Entries[p.entries:])
	for _, st := range s.stages[p.stage+1:] {
		out = append(out, st.journal.Entries...)
	}
	return out
}

// barrierOfLuck reports whether dice have fallen since a point. A throw that
// was typed last is no bar to itself: people mistype.
func (s *Session) barrierOfLuck(p point) bool {
	if s.tale.luck > p.throws {
		return true
	}
	entries := s.since(p)
	if p.luck && len(entries) > 0 {
		entries = entries[1:]
	}
	for _, e := range entries {
		if e.Luck != "" {
			return true
		}
	}
	return false
}
