package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/rulesets"
)

// The tutorial is done by a test as a reader does it, in an empty folder. The
// info string of a block says what it is:
//
//	yaml FILE   a whole file
//	diff FILE   a change of a file: lines that stay, go and come
//	console     commands, each with all that it prints, or with nothing. A line
//	            of three dots stands for any lines
//
// A command must succeed unless `# exit N` stands behind it.

var updateTutorial = flag.Bool("update-tutorial", false, "write what the commands of dsl/TUTORIAL.md print into it")

// A lesson is a block of the tutorial.
type lesson struct {
	line  int
	kind  string // yaml, diff or console
	file  string
	lines []string
}

// lessons parts a text into its blocks; texts[i] is what stands before block i,
// and the last of texts what stands after them.
func lessons(text string) (texts []string, blocks []lesson) {
	before := ""
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		before += lines[i]
		info, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		b := lesson{line: i + 1}
		b.kind, b.file, _ = strings.Cut(strings.TrimSpace(info), " ")
		for i++; i < len(lines) && lines[i] != "```\n"; i++ {
			b.lines = append(b.lines, strings.TrimSuffix(lines[i], "\n"))
		}
		texts, blocks = append(texts, before), append(blocks, b)
		before = "```\n"
	}
	return append(texts, before), blocks
}

// change carries out a block of kind diff.
func (b *lesson) change(text string) (string, error) {
	var old, changed string
	for _, l := range b.lines {
		if l == "" {
			l = " "
		}
		switch l[0] {
		case '-':
			old += l[1:] + "\n"
		case '+':
			changed += l[1:] + "\n"
		case ' ':
			old, changed = old+l[1:]+"\n", changed+l[1:]+"\n"
		default:
			return "", fmt.Errorf("a line begins with none of minus, plus and blank: %q", l)
		}
	}
	if n := strings.Count("\n"+text, "\n"+old); n != 1 {
		return "", fmt.Errorf("the lines to be changed stand %d times in %s:\n%s", n, b.file, old)
	}
	return strings.Replace("\n"+text, "\n"+old, "\n"+changed, 1)[1:], nil
}

// console runs the commands of a block and returns the block as it should be.
func (b *lesson) console(t *testing.T) (is []string) {
	t.Helper()
	for i := 0; i < len(b.lines); {
		line := b.lines[i]
		command, ok := strings.CutPrefix(line, "$ houserules ")
		if !ok {
			t.Errorf("line %d: no command: %q", b.line+i+1, line)
			return b.lines
		}
		from := i + 1
		for i = from; i < len(b.lines) && !strings.HasPrefix(b.lines[i], "$ "); i++ {
		}
		shown := b.lines[from:i]
		want := 0
		if args, exit, ok := strings.Cut(command, " # exit "); ok {
			command = args
			if _, err := fmt.Sscan(exit, &want); err != nil {
				t.Errorf("line %d: %v", b.line+from, err)
			}
		}
		var out bytes.Buffer
		if code := run(strings.Fields(command), strings.NewReader(""), &out, &out); code != want {
			t.Errorf("line %d: %s: exit code %d, not %d\n%s", b.line+from, command, code, want, out.String())
		}
		got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		is = append(is, line)
		switch {
		case len(shown) == 0 && want == 0: // it is not shown
		case alike(shown, got):
			is = append(is, shown...)
		case *updateTutorial:
			is = append(is, got...)
		default:
			t.Errorf("line %d: %s prints\n%s\nand the tutorial has\n%s", b.line+from, command, strings.Join(got, "\n"), strings.Join(shown, "\n"))
		}
	}
	return is
}

// alike compares lines with a pattern in which three dots stand for any lines.
func alike(pattern, lines []string) bool {
	if len(pattern) == 0 {
		return len(lines) == 0
	}
	if pattern[0] == "..." {
		for i := range len(lines) + 1 {
			if alike(pattern[1:], lines[i:]) {
				return true
			}
		}
		return false
	}
	return len(lines) > 0 && pattern[0] == lines[0] && alike(pattern[1:], lines[1:])
}

// TestTutorial does what the tutorial says, and compares the game that comes of
// it with the one that is shipped.
func TestTutorial(t *testing.T) {
	path, err := filepath.Abs("../../dsl/TUTORIAL.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CI", "") // where readers sit it is not set
	t.Chdir(t.TempDir())
	texts, blocks := lessons(string(text))
	all := ""
	for i := range blocks {
		b := &blocks[i]
		body := b.lines
		switch b.kind {
		case "yaml":
			write(t, b.file, strings.Join(b.lines, "\n")+"\n")
		case "diff":
			old, err := os.ReadFile(b.file)
			if err != nil {
				t.Fatalf("line %d: %v", b.line, err)
			}
			changed, err := b.change(string(old))
			if err != nil {
				t.Fatalf("line %d: %v", b.line, err)
			}
			write(t, b.file, changed)
		case "console":
			body = b.console(t)
		default:
			t.Errorf("line %d: nothing is done with `%s`", b.line, b.kind)
		}
		all += texts[i]
		for _, l := range body {
			all += l + "\n"
		}
	}
	all += texts[len(blocks)]
	if *updateTutorial {
		if err := os.WriteFile(path, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if all != string(text) && !t.Failed() {
		t.Error("the tutorial was not read as it is")
	}
	sameGame(t, "my-pig.yaml", "pig", "")
	sameGame(t, "my-pig.yaml", "pig", "dear-ones.yaml")
}

// sameGame plays a game of a file and a shipped one side by side: the same luck,
// the same choices by their place, and at every decision the same seat, the same
// number of choices and the same scores. A house rule, if there is one, is put on
// both.
func sameGame(t *testing.T, path, shipped, rule string) {
	t.Helper()
	var ds source.List
	var opt dsl.Options
	mine, theirs := dsl.NewLibrary(), dsl.NewLibrary()
	f := mine.Add(source.NewFile(path, read(t, path)), &ds)
	for _, g := range rulesets.Files() {
		theirs.Add(g, &ds)
	}
	if rule != "" {
		text := read(t, rule)
		opt.With = []string{mine.Add(source.NewFile(rule, text), &ds).ID}
		text, _, _ = strings.Cut(text, "examples:") // those have the moves of the one game
		theirs.Add(source.NewFile(rule, strings.Replace(text, "\nfor: "+f.ID+"\n", "\nfor: "+shipped+"\n", 1)), &ds)
	}
	a, more := dsl.Load(mine, f.ID, opt)
	b, others := dsl.Load(theirs, shipped, opt)
	if ds = append(append(ds, more...), others...); ds.HasErrors() {
		t.Fatal(ds.Err())
	}
	const games = 200
	decisions, wins := 0, 0
	for i := range games {
		players := a.MinPlayers + i%(a.MaxPlayers-a.MinPlayers+1)
		x, y := seated(t, a, players, i), seated(t, b, players, i)
		r := interpreter.NewRand(uint64(i), 0, interpreter.StreamPolicy)
		for {
			p, err := x.Advance()
			if err != nil {
				t.Fatal(err)
			}
			q, err := y.Advance()
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind != q.Kind || p.Seat != q.Seat || p.N != q.N || scoresIn(t, x) != scoresIn(t, y) {
				t.Fatalf("game %d, decision %d: %v %s, but %s has %v %s", i, decisions, p, scoresIn(t, x), shipped, q, scoresIn(t, y))
			}
			if p.Kind == interpreter.Over {
				wins++
				break
			}
			decisions++
			n := int(r.Below(uint64(p.N)))
			if err := x.Apply(n); err != nil {
				t.Fatal(err)
			}
			if err := y.Apply(n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if wins != games || decisions < 20*games {
		t.Errorf("%d games, %d decisions", wins, decisions)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func seated(t *testing.T, p *dsl.Program, players, seed int) *interpreter.Machine {
	t.Helper()
	g, err := interpreter.New(p, players)
	if err != nil {
		t.Fatal(err)
	}
	return g.Start(interpreter.Setup{Seed: uint64(seed)})
}

// scoresIn lists the score of every seat.
func scoresIn(t *testing.T, m *interpreter.Machine) string {
	t.Helper()
	p := m.Game().Program()
	out := ""
	for _, v := range p.Vars {
		if v.Each && v.Name == "score" {
			for seat := range m.Game().Seats() {
				out += fmt.Sprint(" ", m.Value(v, seat))
			}
		}
	}
	if out == "" {
		t.Fatal("there is no score")
	}
	return out
}
