package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/houserules/houserules/interpreter"
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

// A RecordBook is a file of marks, one JSON value a line. Lines are only added;
// when many have been beaten the file is written anew. Several programs may use
// it at once.
type RecordBook struct {
	Path string
	Now  func() time.Time // nil for the clock
}

// Limits of the file: what is read at all, and how many beaten marks lie in it
// before it is written anew.
const (
	maxRecords = 64 << 20
	maxBeaten  = 500
)

// shelves is what a file of marks says.
type shelves struct {
	best    map[string]*Mark
	beaten  int
	strange []string // lines that cannot be read
	places  []int    // their numbers, from 1
	open    bool     // the last line has no end
}

// Marks returns the marks that stand, by game, record, house rules and shelf.
// Lines that cannot be read are left out and named in warning.
func (b *RecordBook) Marks() (marks []Mark, warning string, err error) {
	s, err := b.read()
	if err != nil {
		return nil, "", err
	}
	for _, k := range slices.Sorted(maps.Keys(s.best)) {
		marks = append(marks, *s.best[k])
	}
	return marks, s.warning(b.Path), nil
}

func (s *shelves) warning(path string) string {
	if len(s.strange) == 0 {
		return ""
	}
	return fmt.Sprintf("line %d of `%s` is damaged and left out", s.places[0], path) + more(len(s.strange)-1)
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", as are %d more", n)
}

// Enter enters those marks that are the first or better than what stands.
func (b *RecordBook) Enter(marks []Mark) (entered []Entered, warning string, err error) {
	if err := os.MkdirAll(filepath.Dir(b.Path), 0o700); err != nil {
		return nil, "", err
	}
	unlock, err := lock(b.Path + ".lock")
	if err != nil {
		return nil, "", err
	}
	defer unlock()
	s, err := b.read()
	if err != nil {
		return nil, "", err
	}
	var text bytes.Buffer
	if s.open {
		text.WriteByte('\n')
	}
	for _, m := range best(marks) {
		m.Format, m.When = markFormat, b.now()
		before := s.best[m.place()]
		if before != nil && !m.beats(before) {
			continue
		}
		line, err := json.Marshal(m)
		if err != nil {
			return nil, "", err
		}
		text.Write(append(line, '\n'))
		s.put(&m)
		entered = append(entered, Entered{m, before})
	}
	if len(entered) == 0 {
		return nil, s.warning(b.Path), nil
	}
	if s.beaten > maxBeaten {
		err = b.rewrite(s)
	} else {
		err = b.append(text.Bytes())
	}
	if err != nil {
		return nil, "", err
	}
	return entered, s.warning(b.Path), nil
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

func (b *RecordBook) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now().UTC().Truncate(time.Second)
}

// put puts a mark where it belongs, if it is better than what is there.
func (s *shelves) put(m *Mark) {
	k := m.place()
	old := s.best[k]
	if old != nil {
		s.beaten++
	}
	if old == nil || m.beats(old) {
		s.best[k] = m
	}
}

func (b *RecordBook) read() (*shelves, error) {
	s := &shelves{best: map[string]*Mark{}}
	f, err := os.Open(b.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxRecords+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRecords {
		return nil, errors.New("it is too large to be a file of records")
	}
	s.open = len(text) > 0 && text[len(text)-1] != '\n'
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		m := &Mark{}
		if json.Unmarshal([]byte(line), m) != nil || !m.valid() {
			s.strange, s.places = append(s.strange, line), append(s.places, i+1)
			continue
		}
		s.put(m)
	}
	return s, nil
}

func (b *RecordBook) append(text []byte) error {
	f, err := os.OpenFile(b.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// rewrite writes the file anew, without what is beaten. Lines that cannot be
// read stay: another version may have written them.
func (b *RecordBook) rewrite(s *shelves) error {
	var text bytes.Buffer
	for _, k := range slices.Sorted(maps.Keys(s.best)) {
		line, err := json.Marshal(s.best[k])
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	for _, line := range s.strange {
		text.WriteString(line + "\n")
	}
	f, err := os.CreateTemp(filepath.Dir(b.Path), filepath.Base(b.Path)+"-*") // made with 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), b.Path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// enterRecords enters what people have achieved in a game that is over, and
// says so. Bots enter nothing, nor does a game that was only played again, nor
// one in which people looked at a throw before they took their moves back.
func (s *Session) enterRecords() {
	if s.cfg.Records == nil || s.cfg.Watch || s.tale.mute || !s.live || s.past {
		return
	}
	marks, err := s.marks()
	if err == nil && len(marks) == 0 {
		return
	}
	var in []Entered
	warning := ""
	if err == nil {
		in, warning, err = s.cfg.Records.Enter(marks)
	}
	if err != nil {
		s.printf("the records cannot be kept: %v", err)
		return
	}
	if warning != "" {
		s.printf("records: %s", warning)
	}
	for _, e := range in {
		s.entered = true
		s.tale.note("%s", e.text())
		s.printf("%s", e.text())
	}
}

// text says what has entered.
func (e *Entered) text() string {
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

// marks makes marks of what people have to show.
func (s *Session) marks() ([]Mark, error) {
	entries, err := s.match.Records()
	if err != nil {
		return nil, err
	}
	p := s.match.Game().Program()
	var with []string
	for _, v := range p.Variants {
		with = append(with, v.ID)
	}
	sort.Strings(with)
	set := settled(p, s.match.EvalText)
	var out []Mark
	for _, e := range entries {
		if s.cfg.Players[e.Seat].Bot != "" {
			continue
		}
		out = append(out, s.mark(e, p.Game, p.Title, p.Fingerprint, with, set))
	}
	return out, nil
}

func (s *Session) mark(e interpreter.RecordEntry, game, title, rules string, with []string, set map[string]string) Mark {
	m := Mark{Game: game, GameTitle: title, Record: e.Name, Title: e.Title, Shelf: e.Shelf, ShelfTitle: e.Label,
		With: with, Set: set, Value: e.Value, Better: "lowest", Who: s.match.Name(e.Seat), Players: Names(s.cfg.Players),
		RealDice: s.cfg.Header.RealDice, Rules: rules}
	if e.Better {
		m.Better = "highest"
	}
	if !m.RealDice {
		m.Seed = s.cfg.Header.Seed
	}
	return m
}
