package repl

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

const sessionsDir = "../testdata/sessions/"

// daring is a table at a game with an opening.
func daring(t *testing.T, players string, change func(*Config)) *desk {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	var house []HouseRule
	for _, name := range []string{"dare", "double", "halve"} {
		text, err := os.ReadFile(filepath.Join(sessionsDir, name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		f := lib.Add(source.NewFile(name+".yaml", string(text)), &ds)
		if f == nil {
			t.Fatal(ds.Err())
		}
		if f.For != "" {
			house = append(house, HouseRule{ID: f.ID, Title: f.Title, About: f.About, Icon: f.Icon, Tags: f.Tags})
		}
	}
	who, err := ParsePlayers(players)
	if err != nil {
		t.Fatal(err)
	}
	make := func(h interpreter.Header) (*Loaded, error) {
		p, ds := dsl.Load(lib, "dare", dsl.Options{With: h.With, Without: h.Without, Set: h.Set})
		if p == nil {
			return nil, &ChoiceError{ds[0].Message}
		}
		g, err := interpreter.New(p, len(who))
		return &Loaded{Game: g}, err
	}
	cfg := Config{Players: who, House: house, Load: make, Header: interpreter.Header{Seed: 3}}
	if change != nil {
		change(&cfg)
	}
	l, err := make(cfg.Header)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Opening, err = interpreter.New(l.Game.Program().Opening, len(who)); err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t}
	d.Session = NewSession(cfg, &d.out)
	return d
}

func TestOpeningDecision(t *testing.T) {
	d := daring(t, "Ann,Bob", real("5", "5", "2", "6", "4"))
	got := d.start()
	contains(t, got,
		"Dare: Roll one die after another; the first at the goal wins.\nplayers: Ann, Bob\n",
		"Ann: thrown: 5\nBob: thrown: 5\nAnn: thrown: 2\nBob: thrown: 6\nBob: What is played?\n",
		"   1 double  Double [2x] (fast): Each die counts double.\n   2 halve   Halve [1/2]: Each die counts half, rounded up.\n",
		"goal = 10 (1 to 100): Whoever holds this many points wins.\n",
		"chosen: no house rules; goal 10\ntype numbers or names",
	)
	if d.Prompt() != "Bob> " || strings.Join(d.Completions("do"), "|") != "double" {
		t.Errorf("%q, %q", d.Prompt(), d.Completions("do"))
	}
	d.plays([]pair{
		{"2", "chosen: Halve; goal 10\n"},
		{"double", "no: `double` and `halve` exclude each other: points are doubled or halved, not both\n"},
		{"halve double", "chosen: Double; goal 10\n"},
		{"3", "there is no house rule 3: they are numbered from 1 to 2; for an option write its name too, as in `goal 3`\n"},
		{"duoble", "there is no house rule or option `duoble`; did you mean `double`?; `?` helps\n"},
		{"goal", "`goal` needs a value, as in `goal 10`\n"},
		{"goal 101", "no: `goal` cannot be 101: 1 to 100\n"},
		{"aim = 5", "chosen: Double; goal 5\n"},
		{"agree on double halve, 5", "no: `double` and `halve` exclude each other: points are doubled or halved, not both\n"},
		{"house", "the game has not begun: its house rules are chosen in the opening\n"},
		{"same", "there was no game before this one\n"},
		{"", "Bob: agree on double, 5\n\nBob begins\nhouse rules: Double\noptions: goal 5 instead of 10\n\nBob, turn 1\n1 roll   2 wait\n"},
		{"score", "Dare [2x]\n       Ann  Bob\ntotal  0    0\n"},
	})
	if got := d.types("undo"); !strings.HasPrefix(got, "taken back: agree on double, 5\nBob: What is played?\n") {
		t.Error(got)
	}
	if got := d.types("redo"); !strings.HasPrefix(got, "done again: agree on double, 5\n") || !strings.HasSuffix(got, "1 roll   2 wait\n") {
		t.Error(got)
	}
	if got := d.types("roll"); !strings.Contains(got, "thrown: 4\nsheet: Bob 4, total 8\n") || !strings.Contains(got, "Bob wins\n") {
		t.Error(got)
	}
}

func TestWaysToAnswer(t *testing.T) {
	for typed, want := range map[string]string{
		"none":               "agree on none, 10",
		"":                   "agree on none, 10",
		"2, 7":               "agree on halve, 7",
		"double, 8":          "agree on double, 8",
		"none, 8":            "agree on none, 8",
		"agree_on halve 6":   "agree on halve, 6",
		"a double":           "agree on double, 10",
		"Agree On Double, 9": "agree on double, 9",
	} {
		d := daring(t, "Ann,Bob", nil)
		d.start()
		got := d.types(typed)
		if text := "agree on " + strings.TrimPrefix(want, "agree on "); !strings.Contains(got, text+"\n") && !strings.HasPrefix(got, "\nAnn begins") && !strings.HasPrefix(got, "\nBob begins") {
			t.Errorf("%q: %s", typed, got)
		}
		if e := d.Journals()[0].Entries; len(e) != 1 || spoken(e[0].Move) != want {
			t.Errorf("%q: %v", typed, e)
		}
	}
}

// What is named on the command line answers the opening, which still decides
// who begins; bots take what is in force.
func TestAnsweredBefore(t *testing.T) {
	d := daring(t, "Ann,Bob", func(c *Config) {
		c.Header.With, c.Header.Set = []string{"double"}, map[string]string{"goal": "30"}
		real("1", "2")(c)
	})
	if got := d.start(); !strings.Contains(got, "Bob: agree on double, 30\n\nBob begins\nhouse rules: Double\noptions: goal 30 instead of 10\n\nBob, turn 1\n") {
		t.Error(got)
	}
	d = daring(t, "Ann,Bob", func(c *Config) { c.Header.Set = map[string]string{"goal": "30"} })
	if got := d.start(); !strings.Contains(got, "agree on none, 30\n") {
		t.Error(got)
	}
	d = daring(t, "Ann,bot:random", real("1", "2", "3"))
	if got := d.start(); !strings.Contains(got, "Random: agree on none, 10\n\nRandom begins\nhouse rules: none\n") {
		t.Error(got)
	}
}

func TestRealDiceInOpening(t *testing.T) {
	d := daring(t, "Ann,Bob", func(c *Config) { c.Header.RealDice = true })
	if got := d.start(); !strings.HasSuffix(got, "Ann: throw one of the dice and type its face\n") || d.Prompt() != "dice> " {
		t.Error(got)
	}
	d.plays([]pair{
		{"3", "Ann: thrown: 3\nBob: throw one of the dice and type its face\n"},
		{"undo", "taken back: 3\nAnn: throw one of the dice and type its face\n"},
		{"4", "Ann: thrown: 4\nBob: throw one of the dice and type its face\n"},
	})
	if got := d.types("1"); !strings.Contains(got, "Ann: What is played?\n") {
		t.Error(got)
	}
}

// A session of three games, the winner of one choosing for the next, can be
// saved, gone on with and played again at every entry.
func TestSessionOfThree(t *testing.T) {
	var file memory
	d := daring(t, "Ann,Bob", func(c *Config) {
		c.Games, c.Journal = 3, NewJournalFile(&file)
		real("5", "2", "6", "1", "5", "1", "6", "3", "1", "2", "3", "1", "4", "6", "5", "4", "3", "2", "1", "6", "5", "4", "3", "2", "1")(c)
	})
	d.start()
	d.types("none")
	got := d.types("roll") + d.types("roll") + d.types("roll")
	contains(t, got, "Ann wins\n", "after game 1 of 3, games won: Ann 1, Bob 0\n", "\ngame 2\nAnn: thrown: 1\nBob: thrown: 6\nAnn: What is played?\n")
	if got := d.types("undo"); !strings.Contains(got, "there is nothing to take back") && !strings.Contains(got, "dice have fallen") {
		t.Error(got)
	}
	if got := d.types("same"); !strings.Contains(got, "Ann: agree on none, 10\n\nBob begins\n") {
		t.Error(got)
	}
	d.types("wait")
	got = ""
	for range 20 {
		if d.Done() {
			break
		}
		if d.menu != nil {
			got += d.types("double, 2")
		} else {
			got += d.types("roll")
		}
	}
	if !d.Over() || !strings.Contains(got, "after 3 games, games won:") {
		t.Fatal(got)
	}
	text := file.String()
	parts, cut, err := ReadJournals(text)
	if err != nil || cut || len(parts) != 6 || parts[5].With[0] != "double" || parts[5].Set["goal"] != "2" || parts[4].Session["last_winner"] == "" {
		t.Fatal(err, cut, text)
	}
	// Played again it is the same.
	var quiet strings.Builder
	again := daring(t, "Ann,Bob", func(c *Config) { c.Header, c.Watch = parts[0].Header, true })
	again.out.Reset()
	if err := again.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := again.Feed(context.Background(), parts); err != nil {
		t.Fatal(err)
	}
	if err := WriteJournals(&quiet, again.Journals()); err != nil || quiet.String() != text {
		t.Error(err, quiet.String())
	}
	// Cut off anywhere it can be gone on with.
	lines := strings.SplitAfter(text, "\n")
	for n := 1; n < len(lines); n++ {
		head := strings.Join(lines[:n], "")
		parts, _, err := ReadJournals(head + `{"seat":"An`)
		if err != nil {
			t.Fatal(err)
		}
		var f memory
		f.WriteString(head)
		j, err := ReopenJournalFile(&f, head, parts)
		if err != nil || j == nil {
			t.Fatal(n, err)
		}
		d := daring(t, "Ann,Bob", func(c *Config) {
			c.Header, c.Parts, c.Journal, c.Games = parts[0].Header, parts, j, len(parts)/2+len(parts)%2
		})
		d.start()
		if !strings.HasPrefix(f.String(), head) {
			t.Errorf("line %d: the file became\n%s", n, f.String())
		}
	}
	// Another game than came of the opening is found out.
	parts[1].First = 1 - parts[1].First
	wrong := daring(t, "Ann,Bob", func(c *Config) { c.Header, c.Watch = parts[0].Header, true })
	_ = wrong.Start(context.Background())
	var bad *interpreter.ReplayError
	if err := wrong.Feed(context.Background(), parts); !errors.As(err, &bad) {
		t.Error(err)
	}
}

// memory is a file.
type memory struct{ strings.Builder }

func (m *memory) Sync() error                    { return nil }
func (m *memory) Seek(int64, int) (int64, error) { return 0, nil }
func (m *memory) Truncate(n int64) error {
	text := m.String()[:n]
	m.Reset()
	m.WriteString(text)
	return nil
}

func TestAnotherGame(t *testing.T) {
	play := func(lines string) (string, int) {
		d := daring(t, "Ann,Bob", func(c *Config) { c.Another, c.Header.Set = true, map[string]string{"goal": "1"} })
		code := Run(context.Background(), d.Session, Input{In: strings.NewReader(lines), Out: &d.out, Err: io.Discard})
		return d.printed(), code
	}
	for lines, want := range map[string]int{"roll\nn\n": 1, "roll\n\nroll\n": 1, "roll\ny\nroll\nscore\nno\n": 2, "roll": 1, "roll\nyes\nroll\ny\nroll\nquit\n": 3} {
		out, code := play(lines)
		if n := strings.Count(out, " wins\n"); n != want || code != ExitOK {
			t.Errorf("%q: %d games, code %d:\n%s", lines, n, code, out)
		}
	}
	if out, code := play("roll\nperhaps\n"); code != ExitNo || !strings.Contains(out, "another game? `y` or `n`") {
		t.Error(code, out)
	}
	if out, _ := play("roll\ny\nroll\n"); !strings.Contains(out, "after 2 games, games won: ") {
		t.Error(out)
	}
}
