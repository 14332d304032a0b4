package scorepad

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
)

func sum(n int64) *int64 { return &n }

// sheet is one of so many players, each with lines of 100 points and a mark.
func sheet(names []string, lines int) *Sheet {
	s := &Sheet{Game: "g", Title: "A <Game> & more", When: time.Date(2026, 1, 2, 23, 4, 5, 0, time.FixedZone("", 3600)), Line: "turn", Verdict: names[0] + " wins",
		Rules: []Rule{{ID: "a", Title: "Twice *as* much", Icon: "2x"}, {ID: "b", Title: "Plain"}}, Moments: []string{"something | happened"}}
	for i, name := range names {
		c := Column{Name: name, Total: sum(int64(100 * lines)), Place: i + 1, Won: i == 0}
		for n := range lines {
			c.Lines = append(c.Lines, Line{Entry: "100", Marks: []string{"B"}, Total: sum(int64(100 * (n + 1)))})
		}
		s.Columns = append(s.Columns, c)
	}
	return s
}

func players(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("Player%d", i+1))
	}
	return out
}

func TestTextFits(t *testing.T) {
	for n := 1; n <= 12; n++ {
		s := sheet(players(n), 30)
		lines := s.Text(80, 0)
		for _, l := range lines {
			if displaywidth.String(l) > 80 {
				t.Fatalf("%d players: %d cells: %s", n, displaywidth.String(l), l)
			}
		}
		blocks := strings.Count(strings.Join(lines, "\n"), "total")
		if want := (n + 7) / 8; n <= 8 && blocks != want {
			t.Errorf("%d players are in %d blocks:\n%s", n, blocks, strings.Join(lines, "\n"))
		}
		if all := strings.Join(lines, "\n"); strings.Count(all, "3000") < n {
			t.Errorf("%d players: totals are missing:\n%s", n, all)
		}
	}
	if got := strings.Join(sheet([]string{"Ann", "Bob"}, 3).Text(80, 1), "\n"); got !=
		"         Ann           Bob\n2        100 B  200    100 B  200\n3        100 B  300    100 B  300\ntotal           300           300" {
		t.Error(got)
	}
}

// TestWideCharacters: what follows wide characters, or characters of several code
// points, begins in the same terminal cell on every line.
func TestWideCharacters(t *testing.T) {
	s := sheet([]string{"你好", "Zoë", "👩‍👩‍👧 x"}, 2)
	s.Columns[0].Lines[1].Marks = []string{"骰子"}
	lines := s.Text(80, 0)
	at := -1
	for _, l := range lines[1:3] {
		i := strings.LastIndex(l, "100 B")
		if w := displaywidth.String(l[:i]); at >= 0 && w != at {
			t.Errorf("the last column begins at %d and %d:\n%s", at, w, strings.Join(lines, "\n"))
		} else {
			at = w
		}
	}
	if w := displaywidth.String(lines[0][:strings.Index(lines[0], "👩")]); w != at {
		t.Errorf("its name begins at %d, not %d", w, at)
	}
}

func TestHostileText(t *testing.T) {
	bad := "<script>alert(1)</script>\x1b[31m\"'&\n| *x* \xff"
	s := sheet([]string{bad, "Bob"}, 2)
	s.Title, s.Rules[0].Title, s.Rules[0].Icon, s.Columns[1].Lines[0].Marks[0] = bad, bad, bad, bad
	s.Moments, s.Notes, s.Options, s.Line, s.Verdict = []string{bad}, []string{bad}, []string{bad}, bad, bad
	for _, name := range []string{"x.md", "x.html", "x.svg"} {
		text, ok := s.File(name)
		if !ok || strings.Contains(text, "\x1b") || strings.Contains(strings.ReplaceAll(text, `\<`, ""), "<script") || strings.ToValidUTF8(text, "") != text {
			t.Errorf("%s: %q", name, text)
		}
	}
	for _, l := range s.Whole(80) {
		if strings.ContainsAny(l, "\x1b\n") {
			t.Errorf("%q", l)
		}
	}
	wellFormed(t, s.SVG())
	for _, l := range strings.Split(s.Markdown(), "\n") { // no cell breaks the table
		if strings.HasPrefix(l, "| 1 ") && strings.Count(strings.ReplaceAll(l, `\|`, ""), "|") != 6 {
			t.Error(l)
		}
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err, text)
		}
		if e, ok := tok.(xml.StartElement); ok {
			switch e.Name.Local {
			case "svg", "title", "rect", "text", "path":
			default:
				t.Errorf("there is a <%s>", e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") {
					t.Errorf("there is %s", a.Name.Local)
				}
			}
		}
	}
}

// TestFilesSayAll: every file has the title, the date where it was played, the
// players, the house rules with their signs, every line, the totals, the winner.
func TestFilesSayAll(t *testing.T) {
	s := sheet([]string{"Ann", "Bob"}, 3)
	s.Columns[1].Kind = "random"
	for i := range s.Columns {
		for n := range s.Columns[i].Lines {
			s.Columns[i].Lines[n].Entry = fmt.Sprintf("%d5%d", i+1, n)
		}
	}
	for _, name := range []string{"x.md", "x.html", "x.svg", "X.SVG"} {
		text, ok := s.File(name)
		if !ok {
			t.Fatal(name)
		}
		plain := strings.NewReplacer(`\`, "", "&lt;", "<", "&amp;", "&", "&gt;", ">").Replace(text)
		for _, want := range []string{"A <Game> & more [2x]", "2026-01-02", "Ann", "Bob (bot)", "[2x] Twice *as* much; Plain", "150 B", "151 B", "152 B", "250 B", "251 B", "252 B", "100", "200", "300", "total", "Ann wins", "something | happened"} {
			if !strings.Contains(plain, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
	for _, name := range []string{"x", "x.png", "md"} {
		if _, ok := s.File(name); ok {
			t.Errorf("%s is written", name)
		}
	}
}

// TestSameBytes: a sheet that was kept as JSON draws the same.
func TestSameBytes(t *testing.T) {
	s := sheet(players(3), 4)
	text, err := json.Marshal(s)
	var again Sheet
	if err != nil || json.Unmarshal(text, &again) != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.md", "x.html", "x.svg"} {
		a, _ := s.File(name)
		b, _ := again.File(name)
		if a != b {
			t.Errorf("%s:\n%s\n---\n%s", name, a, b)
		}
	}
}

func TestNothingWritten(t *testing.T) {
	s := &Sheet{Title: "G", Columns: []Column{{Name: "Ann"}}}
	if !s.Empty() {
		t.Error("it is not empty")
	}
	wellFormed(t, s.SVG())
	if got := strings.Join(s.Whole(80), "\n"); got != "G\nplayers: Ann\nhouse rules: none" {
		t.Error(got)
	}
}
