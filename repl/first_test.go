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
	d := newDesk(t, load(t, "zonk", dsl.Options{Usual: true}), DefaultPlayers, func(c *Config) { c.Hint, c.Header.Seed = "a hint", 42 })
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

// fullFile is a file on a disk with little room.
type fullFile struct{ left int }

func (f *fullFile) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(b), nil
}

func (f *fullFile) Seek(int64, int) (int64, error) { return 0, nil }
func (f *fullFile) Truncate(int64) error           { return nil }

func TestJournalOnFullDisk(t *testing.T) {
	for _, room := range []int{0, 200} {
		d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Journal = NewJournalFile(&fullFile{room}) })
		code := Run(context.Background(), d.Session, Input{In: strings.NewReader("hold\nhold\nhold\nhold\nhold\n"), Out: &d.out, Err: io.Discard})
		out := d.printed()
		if code != ExitCannot || strings.Count(out, "can no longer be written, the game goes on without it: no space left on device") != 1 || !strings.Contains(out, "left before the end") {
			t.Errorf("code %d:\n%s", code, out)
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
