package interpreter

import (
	"strings"

	"github.com/houserules/houserules/dsl"
)

// A Log keeps what happened in a game, and the score sheet that the rules have
// people write. It is a Recorder; the zero Log is ready to listen.
type Log struct {
	Records []Record
	columns [][]sheetLine // by seat
}

// sheetLine is one line of a column.
type sheetLine struct {
	entry string
	marks []sheetMark
}

type sheetMark struct {
	text string
	by   *dsl.Event
}

// Record keeps a record.
func (l *Log) Record(m *Machine, r *Record) {
	l.Records = append(l.Records, *r)
	for len(l.columns) < m.g.people {
		l.columns = append(l.columns, nil)
	}
	switch r.Kind {
	case RecTurn:
		if s := m.g.prog.Sheet; s != nil && s.Line != nil && s.Line.Name == "turn" {
			l.newLine(r.Seat)
		}
	case RecScope:
		if s := m.g.prog.Sheet; s != nil && s.Line != nil && s.Line == r.Scope {
			for seat := range l.columns {
				l.newLine(seat)
			}
		}
	case RecWrite:
		l.line(r.Of).entry = r.Text
	case RecMark:
		l.line(r.Of).marks = append(l.line(r.Of).marks, sheetMark{r.Text, r.Event})
		if r.Event != nil && r.Event.Covers != nil {
			l.uncover(r.Of, r.Event.Covers)
		}
	}
}

// newLine begins a line, unless the last one is still empty.
func (l *Log) newLine(seat int) {
	c := l.columns[seat]
	if n := len(c); n > 0 && c[n-1].entry == "" && len(c[n-1].marks) == 0 {
		return
	}
	l.columns[seat] = append(c, sheetLine{})
}

func (l *Log) line(seat int) *sheetLine {
	if seat < 0 || seat >= len(l.columns) {
		return &sheetLine{}
	}
	if len(l.columns[seat]) == 0 {
		l.columns[seat] = append(l.columns[seat], sheetLine{})
	}
	return &l.columns[seat][len(l.columns[seat])-1]
}

// uncover takes back the mark of an event that another one stands for.
func (l *Log) uncover(seat int, e *dsl.Event) {
	line := l.line(seat)
	for i := len(line.marks) - 1; i >= 0; i-- {
		if line.marks[i].by == e {
			line.marks = append(line.marks[:i], line.marks[i+1:]...)
			return
		}
	}
}

// String writes the line as on the sheet: the entry, then its marks.
func (s *sheetLine) String() string {
	parts := []string{}
	if s.entry != "" {
		parts = append(parts, s.entry)
	}
	for _, m := range s.marks {
		parts = append(parts, m.text)
	}
	return strings.Join(parts, " ")
}

// Column returns the lines of a seat's column that something is written on.
func (l *Log) Column(seat int) []string {
	var out []string
	if seat < len(l.columns) {
		for i := range l.columns[seat] {
			if s := l.columns[seat][i].String(); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// Total returns the running total of a seat for the sheet, and whether the
// rules keep one.
func (m *Machine) Total(seat int) (int64, bool) {
	s := m.g.prog.Sheet
	if s == nil || s.Total == nil {
		return 0, false
	}
	v, _, err := m.evalAs(s.Total, seat)
	return v, err == nil
}

// evalAs is Eval with a seat as me.
func (m *Machine) evalAs(e *dsl.Expr, seat int) (int64, *Machine, error) {
	c := m.Clone()
	c.s[slotMe] = int64(seat)
	return c.evalOn(e, nil)
}
