package scores

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// A Mark is one result that stands in the records: the best, so far, of its
// game, record and shelf under the same house rules and options.
type Mark struct {
	Format     int               `json:"houserules_record"`
	Game       string            `json:"game"`
	GameTitle  string            `json:"game_title,omitempty"`
	Record     string            `json:"record"`
	Title      string            `json:"title,omitempty"`
	Shelf      string            `json:"shelf,omitempty"`
	ShelfTitle string            `json:"shelf_title,omitempty"`
	With       []string          `json:"with,omitempty"` // house rules, sorted
	Set        map[string]string `json:"set,omitempty"`  // options that were changed
	Value      int64             `json:"value"`
	Better     string            `json:"better"` // highest or lowest
	Who        string            `json:"who"`
	Players    []string          `json:"players,omitempty"`
	When       time.Time         `json:"when"`
	RealDice   bool              `json:"real_dice,omitempty"`
	Seed       uint64            `json:"seed,omitempty"`
	Rules      string            `json:"rules"` // their fingerprint
}

// markFormat is the number of the present format.
const markFormat = 1

// place names what a mark is compared with.
func (m *Mark) place() string {
	b, _ := json.Marshal([]any{m.Game, m.Record, m.Shelf, m.With, m.Set}) // nothing in it can fail
	return string(b)
}

// beats reports whether a mark is better than another. An equal one is not.
func (m *Mark) beats(o *Mark) bool {
	if m.Better == "lowest" {
		return m.Value < o.Value
	}
	return m.Value > o.Value
}

func (m *Mark) valid() bool {
	return m.Format == markFormat && m.Game != "" && m.Record != "" && m.Who != "" && (m.Better == "highest" || m.Better == "lowest")
}

// An Entered is a mark that has entered the records, with the one it beats, or
// nil.
type Entered struct {
	Mark   Mark
	Before *Mark
}

// Marks returns the marks that stand, by game, record, shelf and house rules.
// Those that cannot be read are left out and counted in warning. The error is
// a *Trouble.
func (b *Book) Marks() (marks []Mark, warning string, err error) {
	strange := 0
	warning, err = b.read(func(db *sql.DB) error {
		rows, err := db.Query("SELECT mark FROM marks ORDER BY place")
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err tells
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			if m := readMark(text); m != nil {
				marks = append(marks, *m)
			} else {
				strange++
			}
		}
		return rows.Err()
	})
	if strange > 0 {
		warning = fmt.Sprintf("%d records of `%s` are damaged and left out", strange, b.Path)
	}
	return marks, warning, err
}

// readMark reads a mark, nil if it is none.
func readMark(text string) *Mark {
	m := &Mark{}
	if json.Unmarshal([]byte(text), m) != nil || !m.valid() {
		return nil
	}
	return m
}

// enter enters those marks that are the first or better than what stands.
func enter(tx *sql.Tx, marks []Mark) (entered []Entered, err error) {
	for _, m := range best(marks) {
		m.Format = markFormat
		var before *Mark
		var text string
		switch err := tx.QueryRow("SELECT mark FROM marks WHERE place = ?", m.place()).Scan(&text); {
		case err == nil:
			before = readMark(text)
		case !errors.Is(err, sql.ErrNoRows):
			return nil, err
		}
		if before != nil && !m.beats(before) {
			continue
		}
		line, err := json.Marshal(m)
		if err != nil {
			return nil, err
		}
		if _, err := tx.Exec("INSERT OR REPLACE INTO marks (place, mark) VALUES (?, ?)", m.place(), string(line)); err != nil {
			return nil, err
		}
		entered = append(entered, Entered{m, before})
	}
	return entered, nil
}

// best keeps the best mark for each place, the first of equal ones.
func best(marks []Mark) []Mark {
	var out []Mark
	for _, m := range marks {
		i := slices.IndexFunc(out, func(o Mark) bool { return o.place() == m.place() })
		switch {
		case i < 0:
			out = append(out, m)
		case m.beats(&out[i]):
			out[i] = m
		}
	}
	return out
}

// maxOld is how much of the old file is read at all.
const maxOld = 64 << 20

// takeOver enters the marks of the old file, one JSON value a line. Lines that
// are none are left out, and the first of them is told: the file stays.
func (b *Book) takeOver(tx *sql.Tx) (warning string, err error) {
	if b.Old == "" {
		return "", nil
	}
	f, err := os.Open(b.Old)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxOld))
	if err != nil {
		return "", err
	}
	var marks []Mark
	strange, n := 0, 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		switch m := readMark(line); {
		case m != nil:
			marks = append(marks, *m)
		case line != "" && strange == 0:
			strange = n
		}
	}
	if strange > 0 {
		warning = fmt.Sprintf("the records of `%s` are taken over, but for what is damaged, from line %d on; the file is left as it is", b.Old, strange)
	}
	_, err = enter(tx, marks)
	return warning, err
}
