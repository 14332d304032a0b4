package interpreter

import (
	"errors"
	"fmt"
)

// A Match is a game that is played by people: a machine with its log and its
// journal. It is not safe for concurrent use.
type Match struct {
	*Machine
	Log     *Log
	Journal *Journal

	forced int // moves without a choice since the last that had one
}

// maxForced is how many moves in a row may leave no choice: more than in any
// game that comes to an end, and few enough to be kept in a log.
const maxForced = 50_000

// NewMatch begins a match as its header says: names, seed, real dice. The
// fingerprint of the header is filled in.
func NewMatch(g *Game, h Header) *Match {
	h.Fingerprint = g.prog.Fingerprint
	h.Game = g.prog.Game
	x := &Match{Machine: g.Start(Setup{Names: h.Players, Seed: h.Seed, Index: h.Index, First: h.First, Session: h.Session}), Log: &Log{}, Journal: &Journal{Header: h}}
	x.AskChance, x.Incidents = h.RealDice, h.Incidents
	x.Listen(x.Log)
	x.Log.Record(x.Machine, &Record{Kind: RecTurn, Seat: x.Active()})
	return x
}

// Move makes a typed move. The errors are those of ParseMove, after which the
// decision still stands, or a *Fault.
func (x *Match) Move(text string) error {
	i, err := x.ParseMove(text)
	if err != nil {
		return err
	}
	return x.Choose(i)
}

// Choose takes option i of the decision that stands and puts it down in the
// journal, unless it was the only one.
func (x *Match) Choose(i int) error {
	if x.req.Forced {
		if x.forced++; x.forced > maxForced {
			return &Fault{Message: fmt.Sprintf("for %d moves nobody has had a choice: the game goes on for ever, or as good as", maxForced), Span: x.req.at.x.(*ask).moment.Span}
		}
		return x.Apply(i)
	}
	x.forced = 0
	x.Journal.Entries = append(x.Journal.Entries, Entry{Seat: x.Name(x.req.Seat), Move: x.OptionText(i)})
	return x.Apply(i)
}

// OptionText returns option i of the decision that stands as it can be typed.
func (m *Machine) OptionText(i int) string {
	a := m.asked()
	if a == nil || i < 0 || !m.inRange(i) {
		return ""
	}
	return m.label(m.load(a, i))
}

// Luck gives typed luck and puts it down in the journal. The errors are those
// of ApplyLuck.
func (x *Match) Luck(text string) error {
	if err := x.ApplyLuck(text); err != nil {
		return err
	}
	x.Journal.Entries = append(x.Journal.Entries, Entry{Luck: text})
	return nil
}

// A ReplayError says which entry of a journal does not fit the game.
type ReplayError struct {
	Entry int // from 1
	Text  string
	Err   error
}

// Error names the entry and the reason.
func (e *ReplayError) Error() string { return fmt.Sprintf("entry %d (%s): %v", e.Entry, e.Text, e.Err) }

// Unwrap returns the reason.
func (e *ReplayError) Unwrap() error { return e.Err }

// ErrRules says that a journal was made under other rules.
var ErrRules = errors.New("the journal was made under other rules")

// Replay plays a journal on a game of the same rules and returns the match as
// it stands after the last entry, the machine at the next request. It returns
// ErrRules if the fingerprints differ, and a *ReplayError with the match up to
// there if an entry does not fit; entries are those that stand.
func Replay(g *Game, j *Journal) (*Match, error) {
	if j.Fingerprint != g.prog.Fingerprint {
		return nil, ErrRules
	}
	return ReplayUnder(g, j)
}

// ReplayUnder is Replay under rules that may be others: it goes as far as the
// entries fit.
func ReplayUnder(g *Game, j *Journal) (*Match, error) {
	x := NewMatch(g, j.Header)
	parts, err := Standing([]*Journal{j})
	if err != nil {
		return x, err
	}
	for i, e := range parts[0].Entries {
		if err := x.replayEntry(e); err != nil {
			return x, &ReplayError{i + 1, e.What(), err}
		}
	}
	_, err = x.Settle()
	return x, err
}

// Settle advances, plays forced moves, and stops at the first request that
// leaves a choice. Front ends that want to show forced moves call Advance
// themselves.
func (x *Match) Settle() (Request, error) {
	for {
		req, err := x.Advance()
		if err != nil || req.Kind != Decision || !req.Forced {
			return req, err
		}
		if err := x.Choose(0); err != nil {
			return req, err
		}
	}
}

func (x *Match) replayEntry(e Entry) error {
	req, err := x.Settle()
	if err != nil {
		return err
	}
	switch {
	case e.Luck != "" && req.Kind == Chance:
		return x.Luck(e.Luck)
	case e.Move != "" && req.Kind == Decision:
		if name := x.Name(req.Seat); e.Seat != "" && e.Seat != name {
			return fmt.Errorf("it is %s's turn to decide, not %s's", name, e.Seat)
		}
		return x.Move(e.Move)
	}
	return errors.New("the game wants something else here")
}
