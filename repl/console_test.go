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
	"github.com/houserules/houserules/rulesets"
)

// atConsole is a console for a game; more changes its configuration.
func atConsole(t *testing.T, game, players string, more func(*Config)) *desk {
	t.Helper()
	return consoleOf(t, load(t, game, dsl.Options{}), players, more)
}

func consoleOf(t *testing.T, p *dsl.Program, players string, more func(*Config)) *desk {
	t.Helper()
	d := newDesk(t, p, players, func(c *Config) {
		c.Header.Seed = 5
		c.Console = &Console{
			Word: func(string) string { return "" }, Try: func(string) string { return "" },
			Edit: func(context.Context) error { return errors.New("no editor") },
		}
		if more != nil {
			more(c)
		}
	})
	d.start()
	return d
}

func TestConsoleFormulas(t *testing.T) {
	d := atConsole(t, "pig", "Ann,Bob", nil)
	for _, tt := range []struct{ line, want string }{
		{"it * 2", "`it` is the last value, and nothing has been worked out yet"},
		{"1 + 2 * 3", "7  (int)\n"},
		{"it + 1", "8  (int)\n"},
		{"it > 7 and not over", "yes  (bool)\n"},
		{"turn.points + turn.poins", "--> <input>:1:20"},
		{"type turn.points > 3", "bool\n"},
		{"1 / Ann.score", "(<input>:1:3)"},
		{"it", "yes  (bool)\n"}, // a mistake is no value
		{"trace Ann.score + 4 >= goal", "Ann.score              = 0"},
		{"set Bob.score 96", "Bob.score is 96, was 0"},
		{"Bob.score + 3", "99  (int)"},
		{"set Bob.scor 96", "did you mean"},
		{"set Bob.score many", "<input>:1:15"},
		{"save x", "this game was edited"},
		{"export x", "this game was edited"},
		{"dice 6 1", "next: 6 1"},
		{"roll", "thrown: 6"},
		{"roll", "A 1! Ann loses"},
		{"undo 2", "points this turn: 6"},
		{"Bob.score", "96  (int)"}, // what was set stands
		{"dice", "what falls next"},
		{"dice 9", "next: 9"},
		{"roll", "`9` cannot fall here"},
		{"5", "thrown: 5"},
		{"doc hold", "Keep the points of the turn"},
		{"test 1", "is no name for an example"},
		{"edit", "no editor"},
	} {
		if got := d.types(tt.line); !strings.Contains(got, tt.want) {
			t.Errorf("%q printed\n%s\nwithout %q", tt.line, got, tt.want)
		}
	}
}

// An example of what was done holds when it is played: it has all throws, what was
// laid down by hand, and what it came to.
func TestConsoleExample(t *testing.T) {
	d := atConsole(t, "pig", "Ann,Bob", nil)
	d.types("set turn.points 40")
	d.types("dice 4, 5")
	d.types("roll")
	d.types("roll")
	contains(t, d.types("test mine"), "  mine:\n", "given: {turn.points: 40", "      roll -> 4\n      roll -> 5\n", "turn.points == 49")
	contains(t, d.types("test"), "nothing was done since the last example")
	d.types("hold")
	contains(t, d.types("test"), "given: {turn.points: 49", "      hold\n", "Ann.score == 49", "active == Bob")
}

func TestConsoleReload(t *testing.T) {
	other := load(t, "pig", dsl.Options{Set: map[string]string{"goal": "10"}})
	var next *Loaded
	d := atConsole(t, "pig", "Ann,Bob", nil)
	d.cfg.Console.Reload = func() *Loaded { return next }
	d.types("dice 4 5 6")
	d.types("roll")
	contains(t, d.types("reload"), "the old ones stay in force")
	contains(t, d.types("goal"), "100  (int)")
	g, err := interpreter.New(other, 2)
	if err != nil {
		t.Fatal(err)
	}
	next = &Loaded{Game: g}
	contains(t, d.types("reload"), "read again; all 2 moves and throws fit")
	contains(t, d.types("goal"), "10  (int)")
	contains(t, d.types("turn.points"), "10  (int)")
	contains(t, d.types("hold"), "Ann wins")
}

func TestGather(t *testing.T) {
	d := atConsole(t, "pig", "Ann,Bob", nil)
	for _, tt := range []struct {
		lines []string
		more  bool
		text  string
	}{
		{[]string{"sum(tray,"}, true, "sum(tray,"},
		{[]string{"sum(tray,", ".face)"}, false, "sum(tray, .face)"},
		{[]string{"1 +", "2 *", "3"}, false, "1 + 2 * 3"},
		{[]string{"1 and"}, true, "1 and"},
		{[]string{"1 +", ""}, false, "1 +"},
		{[]string{"roll"}, false, "roll"},
		{[]string{"help ("}, false, "help ("},
		{[]string{"trace ("}, true, "trace ("},
	} {
		text, more := "", false
		for _, l := range tt.lines {
			text, more = d.gather(text, l)
		}
		if text != tt.text || more != tt.more {
			t.Errorf("%q: %q, %v", tt.lines, text, more)
		}
	}
	player := newDesk(t, load(t, "pig", dsl.Options{}), "Ann,Bob", nil)
	player.start()
	if _, more := player.gather("", "sum("); more {
		t.Error("a line of a player goes on")
	}
}

// Whatever is typed at a console, it goes on, and says something.
func FuzzConsole(f *testing.F) {
	for _, c := range append(consoleCommands, commands...) {
		f.Add(c.name + " " + c.args)
	}
	for _, s := range []string{"it", "1 +", "set tray 6", "set active Bob", "set turn.points 9223372036854775807", "dice x", "trace [1, 2]", "Ann.score[", "type \x00", "odds 1/0", "why turn.points", "state Ann", "test a.txt"} {
		f.Add(s)
	}
	var p *dsl.Program
	f.Fuzz(func(t *testing.T, line string) {
		if p == nil {
			p = load(t, "pig", dsl.Options{})
		}
		d := consoleOf(t, p, "Ann,Bob", nil)
		d.cfg.Console.Reload = func() *Loaded { return nil }
		err := d.OneShot(context.Background(), line)
		var bad *LineError
		if err != nil && !errors.As(err, &bad) {
			t.Errorf("%q ended it: %v", line, err)
		}
		if said := d.printed(); err != nil && said == "" {
			t.Errorf("%q failed without a word", line)
		}
		if !d.Done() {
			d.types("set turn.points 1")
			d.types("roll")
		}
	})
}

func TestDemo(t *testing.T) {
	var ds source.List
	tr := ReadTranscript(rulesets.Demo(), &ds)
	if tr == nil {
		t.Fatal(ds.Err())
	}
	p := load(t, tr.Game, tr.Options)
	if o := RunTranscript(context.Background(), tr, p, nil); len(o.Failures) > 0 {
		t.Error(o.Failures)
	}
	var b strings.Builder
	if err := Show(context.Background(), tr, p, Config{}, &b); err != nil {
		t.Fatal(err)
	}
	contains(t, b.String(), "What may she do?", "Ann> keep 2\n  no: ", "exact, 36 cases")
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(l, "#") || strings.Contains(l, "refused by") || len(l) > 90 {
			t.Errorf("shown: %q", l)
		}
	}
}

// A game that was exported is one that its transcript plays.
func TestExport(t *testing.T) {
	for _, tt := range []struct {
		game, players string
		lines         []string
		change        func(*Config)
	}{
		{"pig", "Ann,Bob=bot:random", []string{"roll", "roll", "hold", "roll"}, nil},
		{"pig", "Ann,Bob", []string{"4", "roll", "6", "hold", "3"}, func(c *Config) { c.Header.RealDice = true }},
		{"skull-king", "Ann,Bob,Cat", []string{"bid 0", "bid 1", "bid 0"}, nil},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "game.txt")
		p := load(t, tt.game, dsl.Options{})
		d := newDesk(t, p, tt.players, func(c *Config) {
			c.Create = func(name string) (io.WriteCloser, error) { return os.Create(name) }
			if tt.change != nil {
				tt.change(c)
			}
		})
		d.start()
		for _, l := range tt.lines {
			d.types(l)
		}
		contains(t, d.types("export "+path), "houserules test")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var ds source.List
		tr := ReadTranscript(source.NewFile(path, string(text)), &ds)
		if tr == nil {
			t.Fatal(ds.Err())
		}
		if o := RunTranscript(context.Background(), tr, p, nil); len(o.Failures) > 0 {
			t.Errorf("%s: %v\n%s", tt.game, o.Failures, text)
		}
		moves := 0
		for _, e := range d.Match().Journal.Entries {
			if e.Move != "" {
				moves++
			}
		}
		if got := strings.Count(string(text), "\nAnn> ") + strings.Count(string(text), "\nBob> ") + strings.Count(string(text), "\nCat> "); got != moves || moves == 0 {
			t.Errorf("%s: %d lines are typed of %d moves\n%s", tt.game, got, moves, text)
		}
	}
}

func TestHistory(t *testing.T) {
	h := &History{Path: filepath.Join(t.TempDir(), "deep", "history"), Most: 3}
	for _, e := range []string{"one", "two\nlines", "three \"quoted\"", "four", "five"} {
		if err := h.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(h.Load(), "|"); got != "three \"quoted\"|four|five" {
		t.Errorf("kept: %q", got)
	}
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if f, d := mode(h.Path), mode(filepath.Dir(h.Path)); f != 0o600 || d != 0o700 {
		t.Errorf("modes %o, %o", f, d)
	}
	if err := os.Chmod(h.Path, 0o400|0o200); err != nil {
		t.Fatal(err)
	}
	if err := h.Add("six"); err != nil { // the sixth line makes it short
		t.Fatal(err)
	}
	text, err := os.ReadFile(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "\"four\"\n\"five\"\n\"six\"\n" || mode(h.Path) != 0o600 {
		t.Errorf("%q, mode %o", text, mode(h.Path))
	}
	if err := os.WriteFile(h.Path, []byte("junk\n\"good\"\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := h.Load(); len(got) != 1 || got[0] != "good" {
		t.Errorf("of a broken file: %q", got)
	}
}

func TestPasteOfLines(t *testing.T) {
	p := &pasteFilter{r: strings.NewReader("ab\x1b[200~c\td\x1b[201~e\x1b[200~one\r\ntwo\nthree\x03\n\x1b[201~z")}
	typed, err := io.ReadAll(p)
	if err != nil || string(typed) != "abc de\rz" {
		t.Errorf("%q, %v", typed, err)
	}
	if got := strings.Join(p.taken(), "|"); got != "one|two|three" || p.taken() != nil {
		t.Errorf("pasted: %q", got)
	}
}
