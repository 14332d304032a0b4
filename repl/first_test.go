package repl

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// The first moves are to be seen without scrolling.
func TestFirstScreenIsShort(t *testing.T) {
	zonk := load(t, "zonk", dsl.Options{Usual: true})
	d := newDesk(t, zonk, DefaultPlayers(zonk), func(c *Config) { c.Hint, c.Header.Seed = "a hint", 42 })
	before, _, ok := strings.Cut(d.start(), "\n1 ")
	if n := strings.Count(before, "\n") + 1; !ok || n > 13 {
		t.Errorf("%d lines before the first moves:\n%s", n, before)
	}
}

func TestWhatIsToBeThrown(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{With: []string{"off-the-table"}}), "Ann,Bob",
		func(c *Config) { c.Header.RealDice = true })
	if got := d.start(); !strings.HasSuffix(got, "\nAnn, opening: type a number from 1 to 6\n") {
		t.Error(got)
	}
	d.plays([]pair{
		{"0", "`0` is no number from 1 to 6; Ann, opening: type a number from 1 to 6\n"},
		{"6", "Ann: opening 6\nBob, opening: type a number from 1 to 6\n"},
		{"undo", "taken back: 6\nAnn, opening: type a number from 1 to 6\n"}, // no turn has begun
		{"3", "Ann: opening 3\nBob, opening: type a number from 1 to 6\n"},
		{"actions", "Bob, opening: type a number from 1 to 6\n"},
		{"5", "Bob: opening 5\n\nBob, turn 1\nthrow 6 dice and type the faces, or `off the table`\n"},
		{"1 2 3", "6 are thrown, but 3 were typed; throw 6 dice and type the faces, or `off the table`\n"},
		{"keep 1", "`keep` is no face of the dice: 1 2 3 4 5 6; throw 6 dice and type the faces, or `off the table`\n"},
		{"off the table", "Off the table!\nZonk\nsheet: Bob Z, total 0\n\nAnn, turn 1\nthrow 6 dice and type the faces, or `off the table`\n"},
	})
	if got := strings.Join(d.Completions("of"), "|"); got != "off the table" {
		t.Errorf("%q", got)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct{ in, want string }{
		{"one two three", "one two three"},
		{"one two three four", "one two three|  four"},
		{"a-word-that-is-far-too-long for it", "a-word-that-is-far-too-long|  for it"},
		{"", ""},
		{"  one two three", "  one two|    three"},
		{"one   two three", "one   two|  three"},
	}
	for _, tt := range tests {
		if got := strings.Join(wrap(tt.in, 13), "|"); got != tt.want {
			t.Errorf("%q: %q, not %q", tt.in, got, tt.want)
		}
	}
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Width = 40 })
	d.start()
	d.types("?")
	for _, l := range strings.Split(d.types("help goal")+d.types("nothing"), "\n") {
		if len(l) > 40 {
			t.Errorf("%q is too wide", l)
		}
	}
}

// fullFile is a file on a disk with room for so many bytes, which keeps what
// fitted of a write that did not fit.
type fullFile struct {
	text []byte
	room int
}

func (f *fullFile) Write(b []byte) (int, error) {
	n := min(len(b), f.room-len(f.text))
	f.text = append(f.text, b[:n]...)
	if n < len(b) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

func (f *fullFile) Seek(at int64, _ int) (int64, error) { return at, nil }
func (f *fullFile) Truncate(n int64) error              { f.text = f.text[:n]; return nil }
func (f *fullFile) Sync() error                         { return nil }

// On a full disk nothing is told of a move that is not saved, and nothing else is
// done before it is.
func TestJournalOnFullDisk(t *testing.T) {
	file := &fullFile{}
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Journal = NewJournalFile(file) })
	code := Run(context.Background(), d.Session, Input{In: strings.NewReader("hold\n"), Out: &d.out, Err: io.Discard})
	if out := d.printed(); code != ExitCannot || !strings.Contains(out, "the journal cannot be written: no space left on device") || len(file.text) > 0 {
		t.Errorf("code %d:\n%s", code, out)
	}
	for room := 170; room < 300; room++ {
		file := &fullFile{room: room}
		d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Journal = NewJournalFile(file) })
		d.start()
		held := 0
		for !d.Over() && !d.unkept {
			if out := d.types("hold"); strings.Contains(out, "sheet: ") {
				held++
			} else {
				contains(t, out, "this could not be saved: no space left on device; make room and press Enter")
			}
		}
		parts, _, err := ReadJournals(string(file.text))
		if err != nil || len(parts[0].Entries) != held {
			t.Fatalf("room %d: %d moves were told: %v\n%s", room, held, err, file.text)
		}
		if out := d.types("score"); !strings.Contains(out, "could not be saved") || strings.Contains(out, "total") {
			t.Errorf("in between: %s", out)
		}
		file.room = 1 << 20
		if out := d.types(""); strings.Count(out, "sheet: ") != 1 || d.unkept {
			t.Errorf("with room again: %s", out)
		}
		if parts, _, err := ReadJournals(string(file.text)); err != nil || len(parts[0].Entries) != held+1 {
			t.Errorf("%v\n%s", err, file.text)
		}
	}
}

func TestSeated(t *testing.T) {
	h := interpreter.Header{Players: []string{"Ann", "Bob", "Cat"}, Bots: []string{"", "random", "clever"}}
	got := Seated(h)
	if len(got) != 3 || got[0].Bot != "" || got[1] != (Player{"Bob", "random"}) || got[2].Bot != "" {
		t.Errorf("%v", got)
	}
}
