package interpreter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Journal is a game: the rules by their fingerprint, the choices of the
// table, the seed, and every answer that was given from outside. Played again
// it gives the same game, step by step. Forced moves are not in it, nor are
// dice that the machine threw.
//
// Its file has one JSON value a line: the header, then the entries. A file only
// grows: what people take back stays, and an entry behind it says that it was
// taken back. Standing leaves out what no longer counts.
type Journal struct {
	Header
	Entries []Entry
}

// A Header says what a journal is a journal of.
type Header struct {
	Format      int               `json:"houserules_journal"`
	Game        string            `json:"game"`
	With        []string          `json:"with,omitempty"`
	Without     []string          `json:"without,omitempty"`
	Set         map[string]string `json:"set,omitempty"`
	Players     []string          `json:"players"`
	Bots        []string          `json:"bots,omitempty"` // kind of bot of each seat, "" for a person
	Seed        uint64            `json:"seed"`
	Index       uint64            `json:"index,omitempty"`
	RealDice    bool              `json:"real_dice,omitempty"`
	Incidents   bool              `json:"incidents,omitempty"`
	Undo        string            `json:"undo,omitempty"`    // what may be taken back, "" for what is usual
	Opening     bool              `json:"opening,omitempty"` // of the opening of the game, which is a program of its own
	First       int               `json:"first,omitempty"`   // the seat that begins, from 0
	Session     Session           `json:"session,omitempty"` // from the games before
	Fingerprint string            `json:"fingerprint"`
}

// JournalFormat is the number of the present format.
const JournalFormat = 1

// An Entry is one answer, a move of a seat or luck that was typed in, or says
// that answers were taken back, done again or mended.
type Entry struct {
	Seat string `json:"seat,omitempty"`
	Move string `json:"move,omitempty"`
	Luck string `json:"luck,omitempty"`
	// Undo takes back so many entries, the last that stand. Redo does again what
	// was taken back last, so many entries.
	Undo int `json:"undo,omitempty"`
	Redo int `json:"redo,omitempty"`
	// Fix puts the move in the place of that of the entry of this number, from
	// 1, of those of the game that stand.
	Fix int `json:"fix,omitempty"`
	// Past marks what was taken back or mended when luck, or what was hidden, had
	// been seen since.
	Past bool `json:"past_luck,omitempty"`
}

// What writes an entry for people.
func (e *Entry) What() string {
	switch {
	case e.Undo != 0:
		return fmt.Sprintf("undo %d", e.Undo)
	case e.Redo != 0:
		return fmt.Sprintf("redo %d", e.Redo)
	case e.Fix != 0:
		return fmt.Sprintf("fix %d %s", e.Fix, e.Move)
	}
	return e.Move + e.Luck
}

// Answer reports whether the entry is an answer, rather than about others.
func (e *Entry) Answer() bool { return e.Undo == 0 && e.Redo == 0 && e.Fix == 0 }

// WriteTo writes the journal.
func (j *Journal) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	j.Format = JournalFormat
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(j.Header); err != nil {
		return 0, err
	}
	for _, e := range j.Entries {
		if err := enc.Encode(e); err != nil {
			return 0, err
		}
	}
	n, err := w.Write(b.Bytes())
	return int64(n), err
}

// A JournalError says what is wrong with the file of a journal.
type JournalError struct {
	Line    int // 1-based
	Message string
}

// Error returns the message with its line.
func (e *JournalError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// ReadJournal reads what WriteTo wrote. A last line that was cut off is
// dropped, and reported by cut. The error is a *JournalError, or that of r.
func ReadJournal(r io.Reader) (j *Journal, cut bool, err error) {
	br := bufio.NewReader(r)
	j = &Journal{}
	for line := 1; ; line++ {
		text, rerr := br.ReadBytes('\n')
		if rerr != nil && rerr != io.EOF {
			return nil, false, rerr
		}
		whole := rerr == nil
		if len(bytes.TrimSpace(text)) > 0 {
			var uerr error
			if line == 1 {
				uerr = strictJSON(text, &j.Header)
				if uerr == nil && j.Format != JournalFormat {
					return nil, false, &JournalError{line, fmt.Sprintf("this is no journal of format %d", JournalFormat)}
				}
			} else {
				var e Entry
				if uerr = strictJSON(text, &e); uerr == nil {
					j.Entries = append(j.Entries, e)
				}
			}
			if uerr != nil {
				if !whole && line > 1 {
					return j, true, nil
				}
				return nil, false, &JournalError{line, "this is no line of a journal"}
			}
		} else if line == 1 {
			return nil, false, &JournalError{line, "the journal is empty"}
		}
		if !whole {
			return j, false, nil
		}
	}
}

func strictJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}
