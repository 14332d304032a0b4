package repl

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl/scores"
)

// book is a database of a test.
func book(t *testing.T) *scores.Book {
	t.Helper()
	return &scores.Book{Path: filepath.Join(t.TempDir(), "data", "scores.db"),
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func kept(t *testing.T, b *scores.Book) []scores.Game {
	t.Helper()
	games, warning, err := b.Games(scores.Query{})
	if err != nil || warning != "" {
		t.Fatal(err, warning)
	}
	return games
}

func TestGamesCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	full := book(t)
	if err := os.MkdirAll(full.Path, 0o700); err != nil { // a folder where the file would be
		t.Fatal(err)
	}
	for _, b := range []*scores.Book{{Path: filepath.Join(file, "scores.db")}, full} {
		d := daring(t, "Ann,Bob", func(c *Config) { c.Scores, c.Games, c.Header.Set = b, 2, map[string]string{"goal": "1"} })
		got := d.start() + d.types("roll") + d.types("roll")
		if strings.Count(got, " wins\n") != 2 || strings.Count(got, "this game is not kept among the finished ones: `") != 1 || strings.Contains(got, "keep the sheet") {
			t.Error(got)
		}
	}
}

func TestKeepGames(t *testing.T) {
	b := book(t)
	game := func(players string, change func(*Config), lines ...string) string {
		d := daring(t, players, func(c *Config) {
			c.Scores, c.Header.Set = b, map[string]string{"goal": "4"}
			if change != nil {
				change(c)
			}
		})
		out := d.start()
		for _, l := range lines {
			out += d.types(l)
		}
		return out
	}
	if got := game("Ann", real("3", "5"), "roll"); !strings.Contains(got, "record: The Hall of Dares, A small score: Ann 5, the first\n") || !strings.Contains(got, "the game is over\n") {
		t.Error(got)
	}
	if got := game("Bob", real("3", "5"), "roll"); strings.Contains(got, "record:") {
		t.Error(got)
	}
	if got := game("Cat", real("3", "6"), "roll"); !strings.Contains(got, "record: The Hall of Dares, A small score: Cat 6, better than 5 (Ann)\n") {
		t.Error(got)
	}
	if got := game("Cat", func(c *Config) { real("3", "6")(c); c.Header.With = []string{"double"} }, "roll"); !strings.Contains(got, "A large score: Cat 12, the first") {
		t.Error(got)
	}
	if got := game("bot:random", real("3", "1", "1", "1", "1", "2", "4")); strings.Contains(got, "record:") || strings.Contains(got, "keep the sheet") {
		t.Error(got)
	}
	// What was seen before it was taken back does not count.
	if got := game("Dan", func(c *Config) { real("3", "2", "6", "6")(c); c.Header.With = []string{"halve"} }, "roll", "undo", "roll", "roll"); strings.Contains(got, "record:") || !strings.Contains(got, "taken back past a throw") {
		t.Error(got)
	}
	marks, _, err := b.Marks()
	if err != nil || len(marks) != 2 || !marks[0].RealDice || marks[0].Set["goal"] != "4" || marks[0].Seed != 0 {
		t.Error(err, marks)
	}
	games := kept(t, b)
	if len(games) != 5 {
		t.Fatal(len(games))
	}
	var dan, cat scores.Game
	for _, g := range games {
		switch {
		case g.Seats[0].Name == "Dan":
			dan = g
		case len(g.With) == 1:
			cat = g
		}
	}
	if !dan.Undone || !dan.RealDice || dan.Seats[0].Kind != "" || !strings.Contains(strings.Join(dan.Sheet.Notes, ""), "taken back past a throw") {
		t.Errorf("%+v", dan)
	}
	if cat.With[0] != "double" || cat.Set["goal"] != "4" || *cat.Seats[0].Total != 12 || cat.Undone || cat.Game != "dare" || cat.Number != 1 || cat.Rules == "" {
		t.Errorf("%+v", cat)
	}
}

// TestEndStands: a result in the records is not taken back, a game that is played
// again adds nothing, and one that ends twice after a move back is kept once.
func TestEndStands(t *testing.T) {
	b := book(t)
	d := daring(t, "Eve", func(c *Config) { c.Scores, c.Another = b, true; real("3", "6", "6")(c); c.Header.Set = nil })
	d.start()
	d.types("none")
	d.types("roll")
	if got := d.types("roll") + d.types("undo"); !strings.Contains(got, "Eve 12, the first") || !strings.Contains(got, "stands in the records") {
		t.Error(got)
	}
	empty := book(t)
	again := daring(t, "Eve", func(c *Config) { c.Scores, c.Header, c.Parts = empty, d.Journals()[0].Header, d.Journals() })
	again.start()
	if _, err := os.Stat(empty.Path); !os.IsNotExist(err) {
		t.Error(err)
	}
	twice := daring(t, "Flo", func(c *Config) { c.Scores, c.Another = b, true; real("3", "4", "6", "6")(c); c.Header.Set = nil })
	twice.start()
	for _, l := range []string{"none", "roll", "roll", "undo", "roll"} {
		twice.types(l)
	}
	if games := kept(t, b); len(games) != 2 || games[0].Undone == games[1].Undone {
		t.Errorf("%+v", games)
	}
}

// TestEveningIsKeptTogether: games in a row share an evening, also where it was
// gone on with from its journal.
func TestEveningIsKeptTogether(t *testing.T) {
	b := book(t)
	change := func(c *Config) {
		c.Scores, c.Games, c.Header.Set = b, 3, map[string]string{"goal": "1"}
	}
	d := daring(t, "Ann,Bob", change)
	got := d.start() + d.types("roll") + d.types("roll")
	if strings.Count(got, "totals together: Ann ") != 2 {
		t.Error(got)
	}
	later := daring(t, "Ann,Bob", func(c *Config) { change(c); c.Parts = d.Journals(); c.Header = c.Parts[0].Header })
	later.start()
	if got := later.types("roll"); !strings.Contains(got, "after 3 games, games won: ") {
		t.Error(got)
	}
	games := kept(t, b)
	sums := []int64{0, 0}
	for _, g := range games {
		if g.Evening != games[0].Evening {
			t.Error("an evening is torn apart")
		}
		for i, s := range g.Seats {
			sums[i] += *s.Total
		}
	}
	if len(games) != 3 {
		t.Fatal(len(games))
	}
	contains(t, strings.Join(later.tally(), "\n"), "totals together: "+later.perSeat(sums))
}

// TestNextRules: who sets the rules of the next game is told where a game may
// follow. The opening has the winner set them, and at first whoever throws most.
func TestNextRules(t *testing.T) {
	for _, tt := range []struct{ throws, want string }{{"6 2 5", "Ann"}, {"2 6 5", "Bob"}} {
		d := daring(t, "Ann,Bob", func(c *Config) {
			c.Another, c.Header.Set = true, nil
			real(strings.Fields(tt.throws)...)(c)
		})
		got := d.start() + d.types("none, 5") + d.types("") + d.types("roll")
		contains(t, got, tt.want+" wins\n", "the rules of the next game: set by "+tt.want+"\n")
	}
	d := daring(t, "Ann,Bob", func(c *Config) { c.Header.Set = map[string]string{"goal": "1"} })
	if got := d.start() + d.types("roll"); strings.Contains(got, "next game") {
		t.Error(got)
	}
}

// TestMoments: what was notable comes from the log of any game.
func TestMoments(t *testing.T) {
	d := newDesk(t, load(t, "../rulesets/pig.yaml", dsl.Options{Set: map[string]string{"goal": "20"}}), "Ann,Bob",
		real("6", "1", "1", "6", "6", "1", "2", "6", "6", "6"))
	got := d.start()
	for _, l := range []string{"hold", "roll", "hold", "hold", "roll", "roll", "hold"} {
		got += d.types(l)
	}
	contains(t, got, "\nAnn wins\n", "most in one turn: Ann 18, in line 4\n", "longest run: Ann, lost 2 times in a row\n", "last change of the lead: Ann passed Bob in turn 4 of Ann\n")
	contains(t, got, "\n4        18  24\n") // the running total beside the entry
}

// TestSheetCommand writes the sheet as it stands, and never over a file.
func TestSheetCommand(t *testing.T) {
	files := map[string]*bytes.Buffer{}
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) {
		real("6", "5")(c)
		c.Create = func(name string) (io.WriteCloser, error) {
			if files[name] != nil {
				return nil, errors.New("there is such a file")
			}
			files[name] = &bytes.Buffer{}
			return sheetFile{files[name]}, nil
		}
	})
	d.start()
	d.types("hold")
	for _, name := range []string{"a.svg", "a.html", "a.md"} {
		if got := d.types("sheet " + name); got != "the sheet is in "+name+"\n" {
			t.Error(got)
		}
		contains(t, files[name].String(), "Ann", "Bob", "6", "Pig")
	}
	for line, want := range map[string]string{"sheet a.svg": "there is such a file", "sheet a.png": ".md, .html, .svg", "sheet": "Ann", "sheet a b": "sheet FILE"} {
		if got := d.types(line); !strings.Contains(got, want) {
			t.Errorf("%s: %s", line, got)
		}
	}
}

type sheetFile struct{ io.Writer }

func (sheetFile) Close() error { return nil }

// TestBotsBesideRealDice: people type their throws, the machine throws for bots,
// and the journal has both.
func TestBotsBesideRealDice(t *testing.T) {
	p := load(t, pig, dsl.Options{Set: map[string]string{"goal": "15"}})
	play := func() (*desk, string) {
		d := newDesk(t, p, "Ann,bot:greedy", func(c *Config) { c.Header.RealDice = true })
		out := d.start()
		for n := 0; !d.Over() && n < 200; n++ {
			if d.thrower() {
				if seat, _ := d.Asked(); seat != 0 {
					t.Fatal("a throw of the bot is asked for")
				}
				out += d.types("3")
				continue
			}
			out += d.types("hold")
		}
		return d, out
	}
	d, out := play()
	if !d.Over() || !strings.Contains(out, "Greedy, turn 2\n") {
		t.Fatal(out)
	}
	if _, again := play(); again != out {
		t.Error("the bot does not throw the same for the same seed")
	}
	g := d.match.Game()
	if _, err := interpreter.Replay(g, d.match.Journal); err != nil {
		t.Error(err)
	}
	faces := map[string]bool{}
	for _, e := range d.match.Journal.Entries {
		if e.Luck != "" {
			faces[e.Luck] = true
		}
	}
	if len(faces) < 2 {
		t.Error("all dice show the same", faces)
	}
}

// TestTypedThrows: a throw may be typed in any short form, and one that cannot
// have fallen is refused with what is wanted.
func TestTypedThrows(t *testing.T) {
	p := load(t, "../rulesets/farkle.yaml", dsl.Options{})
	for _, line := range []string{"1 1 5 3 4 6", "115 346", "1,1,5,3,4,6", "2x1 5 346", "643511"} {
		d := newDesk(t, p, "Ann,Bob", func(c *Config) { c.Header.RealDice = true })
		d.start()
		if got := d.types(line); !strings.Contains(got, "thrown: 1 1 3 4 5 6\n") {
			t.Errorf("%s: %s", line, got)
		}
	}
	d := newDesk(t, p, "Ann,Bob", func(c *Config) { c.Header.RealDice = true })
	d.start()
	for _, line := range []string{"11534", "1153466", "115347", "0x1 115346", "7x1", "-1 1 5 3 4 6", "99999999999999999999", "1x", "six ones", "roll"} {
		if got := d.types(line); !strings.Contains(got, "throw 6 dice and type the faces") || !d.thrower() {
			t.Errorf("%s: %s", line, got)
		}
	}
}
