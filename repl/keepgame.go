package repl

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"time"

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl/scorepad"
	"github.com/houserules/houserules/repl/scores"
)

// This file keeps games that are over, and what they have for the records.

// keepGame keeps a game that is over, with what people have achieved in it, and
// says what has entered the records. Games of bots alone are not kept, nor one
// that was only played again. Into the records comes nothing of a game in which
// people looked at a throw before they took their moves back.
func (s *Session) keepGame() {
	s.kept = 0
	if s.cfg.Scores == nil || s.cfg.Watch || s.tale.mute || !s.live || people(s.cfg.Players) == 0 {
		return
	}
	var marks []scores.Mark
	var err error
	if !s.past {
		marks, err = s.marks()
	}
	var in []scores.Entered
	warning := ""
	if err == nil {
		g := s.finished()
		in, warning, err = s.cfg.Scores.Keep(g, marks, s.earlier())
		s.evening, s.kept = g.Evening, g.ID
	}
	if err != nil {
		s.kept = 0
		s.warn("this game is not kept among the finished ones: %v", err)
		return
	}
	if warning != "" {
		s.warn("%s", warning)
	}
	for _, e := range in {
		s.entered = true
		s.tale.note("%s", enteredText(&e))
		s.printf("%s", enteredText(&e))
	}
}

// warn prints what hinders the keeping of games, the same thing once a session.
func (s *Session) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != s.warned {
		s.warned = text
		s.printf("%s", text)
	}
}

// finished makes a game to be kept of the one that is over.
func (s *Session) finished() *scores.Game {
	st, p := s.now(), s.match.Game().Program()
	if s.evening == "" {
		s.evening = newEvening()
	}
	g := &scores.Game{Evening: s.evening, Number: st.number, Game: p.Game, Title: p.Title, Ended: st.when,
		With: s.inForceIDs(), Set: settled(p, s.match.EvalText), Rules: p.Fingerprint, RealDice: st.header.RealDice,
		Journal: digest(st.journal), Undone: s.past, Edited: s.mended, Sheet: *s.padSheet()}
	if !g.RealDice {
		g.Seed = st.header.Seed
	}
	g.Lowest = lowestFirst(p)
	for _, c := range g.Sheet.Columns {
		g.Seats = append(g.Seats, scores.Seat{Name: c.Name, Kind: c.Kind, Total: c.Total, Place: c.Place, Won: c.Won})
	}
	return g
}

// newEvening makes up the name that the games of a session share.
func newEvening() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// digest is a short name for what was played, entry by entry.
func digest(j *interpreter.Journal) string {
	var b bytes.Buffer
	if _, err := j.WriteTo(&b); err != nil {
		return ""
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:16])
}

// earlier returns the digests of the last games of a session that goes on from
// a journal, by which their evening is found.
func (s *Session) earlier() []string {
	var out []string
	if len(s.cfg.Parts) == 0 {
		return nil
	}
	for i := range s.stages[:len(s.stages)-1] {
		if s.stages[i].ended {
			out = append(out, digest(s.stages[i].journal))
		}
	}
	return out[max(0, len(out)-3):]
}

// inForceIDs returns the ids of the house rules in force, sorted.
func (s *Session) inForceIDs() []string {
	var with []string
	for _, v := range s.match.Game().Program().Variants {
		with = append(with, v.ID)
	}
	sort.Strings(with)
	return with
}

// enteredText says what has entered the records.
func enteredText(e *scores.Entered) string {
	m := &e.Mark
	text := "record: " + m.Title
	if m.ShelfTitle != "" {
		text += ", " + m.ShelfTitle
	}
	text += fmt.Sprintf(": %s %d", m.Who, m.Value)
	if e.Before == nil {
		return text + ", the first"
	}
	return text + fmt.Sprintf(", better than %d (%s)", e.Before.Value, e.Before.Who)
}

// marks makes marks of what people have to show; bots enter nothing.
func (s *Session) marks() ([]scores.Mark, error) {
	entries, err := s.match.Records()
	if err != nil {
		return nil, err
	}
	p := s.match.Game().Program()
	with, set := s.inForceIDs(), settled(p, s.match.EvalText)
	var out []scores.Mark
	for _, e := range entries {
		if s.cfg.Players[e.Seat].Bot != "" {
			continue
		}
		m := scores.Mark{Game: p.Game, GameTitle: p.Title, Record: e.Name, Title: e.Title, Shelf: e.Shelf, ShelfTitle: e.Label,
			With: with, Set: set, Value: e.Value, Better: "lowest", Who: s.match.Name(e.Seat), Players: Names(s.cfg.Players),
			RealDice: s.cfg.Header.RealDice, Rules: p.Fingerprint}
		if e.Better {
			m.Better = "highest"
		}
		if !m.RealDice {
			m.Seed = s.cfg.Header.Seed
		}
		out = append(out, m)
	}
	return out, nil
}

// clock is the time, in whole seconds.
func (s *Session) clock() time.Time {
	if s.cfg.Scores != nil {
		return s.cfg.Scores.Time()
	}
	return time.Now().Truncate(time.Second)
}

// padSheet makes the score sheet of the game that is played.
func (s *Session) padSheet() *scorepad.Sheet {
	st, p := s.now(), s.match.Game().Program()
	sheet := &scorepad.Sheet{Game: p.Game, Title: p.Title, When: st.when, Line: "line"}
	if !st.ended {
		sheet.When = s.clock()
	}
	if p.Sheet != nil && p.Sheet.Line != nil {
		sheet.Line = words(p.Sheet.Line.Name)
	}
	for _, v := range p.Variants {
		sheet.Rules = append(sheet.Rules, scorepad.Rule{ID: v.ID, Title: s.houseTitle(v.ID), Icon: v.Icon})
	}
	for _, x := range p.Params {
		if x.Set != nil && x.SetBy == "" {
			sheet.Options = append(sheet.Options, s.paramLine(x))
		}
	}
	for seat, lines := range s.match.Log.Sheet(s.match.Machine) {
		sheet.Columns = append(sheet.Columns, s.column(seat, lines))
	}
	if st.ended {
		s.result(sheet)
	}
	return sheet
}

// column makes the column of a seat.
func (s *Session) column(seat int, lines []interpreter.SheetLine) scorepad.Column {
	c := scorepad.Column{Name: s.match.Name(seat), Kind: s.cfg.Players[seat].Bot}
	for _, l := range lines {
		x := scorepad.Line{Entry: l.Entry, Marks: l.Marks}
		if l.Totals {
			x.Total = &l.Total
		}
		c.Lines = append(c.Lines, x)
	}
	if v, ok := s.match.Total(seat); ok {
		c.Total = &v
	}
	return c
}

// result writes onto a sheet how the game has ended.
func (s *Session) result(sheet *scorepad.Sheet) {
	place := 1
	for _, group := range s.match.Ranking() {
		for _, seat := range group {
			sheet.Columns[seat].Place = place
		}
		place += len(group)
	}
	for _, seat := range s.now().winners {
		sheet.Columns[seat].Won = true
	}
	sheet.Verdict, sheet.Moments = s.verdict(), s.moments()
	if s.past {
		sheet.Notes = append(sheet.Notes, tookBack)
	}
	if s.mended {
		sheet.Notes = append(sheet.Notes, mendedMoves)
	}
}

// What must be known of a result.
const (
	tookBack    = "moves were taken back past a throw in this game"
	mendedMoves = "moves were mended in this game"
)
