package source

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

const sample = `houserules: 1
params:
  opening_minimum: {default: 500, min: 0}
phases:
  choose:
    when: turn.points >= opening_minimun or player.on_board
`

// at returns the span of the first place where a text stands in a file.
func at(f *File, text string) Span {
	i := strings.Index(f.Text, text)
	if i < 0 {
		panic("not in the file: " + text)
	}
	return Span{f, i, i + len(text)}
}

func sampleList() List {
	f := NewFile("games/dice.yaml", sample)
	var l List
	d := l.Errorf("E0213", at(f, "opening_minimun "), "unknown name `opening_minimun`")
	d.Span.End--
	d.WithLabel("no name like this here").WithHelp("did you mean `opening_minimum`?").WithEdit(d.Span, "opening_minimum").
		WithRelated(at(f, "opening_minimum:"), "`opening_minimum` is declared here")
	d.Related[0].Span.End--
	d.Path = "phases.choose.when"
	l.Warnf("W0501", at(f, "params"), "unused param")
	return l
}

func TestRenderPretty(t *testing.T) {
	want := "" +
		"error[E0213]: unknown name `opening_minimun`\n" +
		" --> games/dice.yaml:6:26\n" +
		"  |\n" +
		"5 |   choose:\n" +
		"6 |     when: turn.points >= opening_minimun or player.on_board\n" +
		"  |                          ^^^^^^^^^^^^^^^ no name like this here\n" +
		"  |\n" +
		"help: did you mean `opening_minimum`?\n" +
		"  |\n" +
		"6 |     when: turn.points >= opening_minimum or player.on_board\n" +
		"  |                          ~~~~~~~~~~~~~~~\n" +
		"note: `opening_minimum` is declared here\n" +
		" --> games/dice.yaml:3:3\n" +
		"  |\n" +
		"3 |   opening_minimum: {default: 500, min: 0}\n" +
		"  |   ^^^^^^^^^^^^^^^\n" +
		"  = in: phases.choose.when\n" +
		"\n" +
		"warning[W0501]: unused param\n" +
		" --> games/dice.yaml:2:1\n" +
		"  |\n" +
		"1 | houserules: 1\n" +
		"2 | params:\n" +
		"  | ^^^^^^\n" +
		"\n" +
		"1 error, 1 warning\n"
	wantPretty(t, sampleList(), Style{}, want)
	var none bytes.Buffer
	if RenderPretty(&none, nil, Style{}); none.Len() > 0 {
		t.Errorf("an empty list writes %q", none.String())
	}
}

// A code is explained where it is first met.
func TestRenderMore(t *testing.T) {
	f := NewFile("games/dice.yaml", sample)
	var l List
	l.Warnf("W0501", at(f, "houserules"), "unused")
	l.Warnf("W0501", at(f, "params"), "unused param")
	l.Warnf("W0510", at(f, "phases"), "mixed").Path = "phases"
	var b bytes.Buffer
	if err := RenderPretty(&b, l, Style{More: "explain"}); err != nil {
		t.Fatal(err)
	}
	for text, n := range map[string]int{"  = more: explain W0501\n\n": 1, "W0501\n": 1, "  = in: phases\n  = more: explain W0510\n\n3 warnings\n": 1} {
		if got := strings.Count(b.String(), text); got != n {
			t.Errorf("%q is there %d times:\n%s", text, got, b.String())
		}
	}
}

func wantPretty(t *testing.T, l List, st Style, want string) {
	t.Helper()
	var b bytes.Buffer
	if err := RenderPretty(&b, l, st); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// one renders a single error on a one-line file without its head and tail.
func one(line string, span [2]int, label string, st Style) string {
	f := NewFile("f", line)
	var l List
	d := l.Errorf("E0000", Span{f, span[0], span[1]}, "m")
	d.Label = label
	var b bytes.Buffer
	RenderPretty(&b, l, st)
	_, body, _ := strings.Cut(b.String(), "  |\n")
	body, _, _ = strings.Cut(body, "\n1 error")
	return body
}

func TestCarets(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	for _, test := range []struct {
		name, line string
		span       [2]int
		label      string
		width      int
		want       string
	}{
		{"wide", "骰子: 骰骰 + x", [2]int{8, 14}, "", 0, "1 | 骰子: 骰骰 + x\n  |       ^^^^\n"},
		{"behind wide", "骰子: x", [2]int{8, 9}, "here", 0, "1 | 骰子: x\n  |       ^ here\n"},
		{"combining", "e\u0301e\u0301: x", [2]int{8, 9}, "", 0, "1 | e\u0301e\u0301: x\n  |     ^\n"},
		{"emoji", "👩‍👩‍👧x", [2]int{18, 19}, "", 0, "1 | 👩‍👩‍👧x\n  |   ^\n"},
		{"tab", "a\tb\tc", [2]int{2, 3}, "", 0, "1 | a   b   c\n  |     ^\n"},
		{"on a tab", "a\tb", [2]int{1, 2}, "tab", 0, "1 | a   b\n  |  ^^^ tab\n"},
		{"control", "a\x1b[31mb", [2]int{1, 2}, "", 0, "1 | a\uFFFD[31mb\n  |  ^\n"},
		{"not UTF-8", "a\xffb", [2]int{1, 2}, "", 0, "1 | a\uFFFDb\n  |  ^\n"},
		{"at the end", "abc", [2]int{3, 3}, "", 0, "1 | abc\n  |    ^\n"},
		{"empty", "", [2]int{0, 0}, "", 0, "1 |\n  | ^\n"},
		{"several lines", "a: (1\n  + 2)", [2]int{3, 11}, "", 0, "1 | a: (1\n  |    ^^\n"},
		{"line end", "a: |\n", [2]int{4, 5}, "", 0, "1 | a: |\n  |     ^\n"},
		{"clipped right", long, [2]int{2, 4}, "", 34, "1 | 01234567890123456789012345678…\n  |   ^^\n"},
		{"clipped left", long, [2]int{97, 99}, "", 34, "1 | …1234567890123456789012345678" + "9\n  |                            ^^\n"},
		{"clipped both", long, [2]int{50, 52}, "", 34, "1 | …1234567890123456789012345678…\n  |           ^^\n"},
		{"label below", "abcdefghijklmnopqrstuvwxyz", [2]int{20, 22}, "a label too long", 34,
			"1 | abcdefghijklmnopqrstuvwxyz\n  |                     ^^\n  |               a label too long\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := one(test.line, test.span, test.label, Style{Width: test.width}); got != test.want {
				t.Errorf("got:\n%swant:\n%s", got, test.want)
			}
		})
	}
}

// Whatever a line holds and wherever the mark is, a clipped line fits, and the
// first marked character stands above the caret.
func TestClipKeepsTheMark(t *testing.T) {
	var line strings.Builder
	for i := range 120 {
		line.WriteString([]string{"a", "骰", "é", "🎲", "\t", "z"}[i*i%6])
	}
	text := line.String()
	for width := 20; width < 60; width++ {
		for _, more := range []string{"…", "..."} {
			for _, c := range cells(text) {
				sh := show(text, c.at, c.at+1, width, more)
				if w := displaywidth.String(sh.text); w > width {
					t.Fatalf("%d columns in %d: %q", w, width, sh.text)
				}
				if sh.end > width || sh.end-sh.start != c.width {
					t.Fatalf("mark [%d,%d) in %d columns for %q", sh.start, sh.end, width, c.text)
				}
				col, under := 0, ""
				for _, s := range cells(sh.text) {
					if col >= sh.start && col < sh.end {
						under += s.text
					}
					col += s.width
				}
				if under != c.text {
					t.Fatalf("%q stands above the caret for %q in %q", under, c.text, sh.text)
				}
			}
		}
	}
}

func TestEditsShown(t *testing.T) {
	f := NewFile("f.yaml", "a: x and y or z\nb: 1\nc: 2\n")
	var l List
	d := l.Errorf("W0510", at(f, "x and y"), "mixed")
	d.WithHelp("put brackets").WithEdit(Span{f, 3, 3}, "(").WithEdit(Span{f, 10, 10}, ")").WithHelp("or not")
	wantPretty(t, l, Style{}, "error[W0510]: mixed\n --> f.yaml:1:4\n  |\n1 | a: x and y or z\n  |    ^^^^^^^\n  |\n"+
		"help: put brackets\n  |\n1 | a: (x and y) or z\n  |    ~~~~~~~~~\nhelp: or not\n\n1 error\n")

	l = nil
	l.Errorf("E0104", at(f, "b"), "twice").WithHelp("remove it").WithEdit(at(f, "b: 1\nc: 2"), "b: 3\nd:\n  c: 2")
	wantPretty(t, l, Style{}, "error[E0104]: twice\n --> f.yaml:2:1\n  |\n1 | a: x and y or z\n2 | b: 1\n  | ^\n  |\n"+
		"help: remove it\n  |\n2 | b: 3\n  | ~~~~\n3 | d:\n  | ~~\n4 |   c: 2\n  | ~~~~~~\n\n1 error\n")
}

func TestColor(t *testing.T) {
	var b bytes.Buffer
	RenderPretty(&b, sampleList(), Style{Color: true})
	text := b.String()
	if !strings.Contains(text, "\x1b[1;31merror[E0213]\x1b[0m") || !strings.Contains(text, "\x1b[1;31m^^^^^^^^^^^^^^^\x1b[0m") {
		t.Errorf("no red: %q", text)
	}
	var plain bytes.Buffer
	RenderPretty(&plain, sampleList(), Style{})
	for _, c := range []color{bold, boldBlue, boldCyan, green, "1;31", "1;33"} {
		text = strings.ReplaceAll(text, "\x1b["+string(c)+"m", "")
	}
	if text = strings.ReplaceAll(text, "\x1b[0m", ""); text != plain.String() {
		t.Errorf("colour changes the text:\n%s", text)
	}
}

func TestRenderCompact(t *testing.T) {
	var b bytes.Buffer
	RenderCompact(&b, sampleList())
	want := "games/dice.yaml:6:26: error[E0213] unknown name `opening_minimun`\n" +
		"games/dice.yaml:2:1: warning[W0501] unused param\n"
	if b.String() != want {
		t.Errorf("got:\n%s", b.String())
	}
}

func TestRenderJSON(t *testing.T) {
	var b, indented bytes.Buffer
	if err := RenderJSON(&b, sampleList()[:1], "1.2.3"); err != nil {
		t.Fatal(err)
	}
	json.Indent(&indented, b.Bytes(), "", " ")
	want := `{
 "format_version": "1.0",
 "tool": {
  "name": "houserules",
  "version": "1.2.3"
 },
 "counts": {
  "error": 1,
  "warning": 0,
  "note": 0
 },
 "diagnostics": [
  {
   "code": "E0213",
   "severity": "error",
   "summary": "unknown name ` + "`opening_minimun`" + `",
   "label": "no name like this here",
   "range": {
    "file": "games/dice.yaml",
    "start": {
     "line": 6,
     "column": 26,
     "byte": 107
    },
    "end": {
     "line": 6,
     "column": 41,
     "byte": 122
    }
   },
   "path": "phases.choose.when",
   "snippet": {
    "text": "    when: turn.points >= opening_minimun or player.on_board",
    "highlight": {
     "start": 26,
     "end": 41
    }
   },
   "related": [
    {
     "message": "` + "`opening_minimum`" + ` is declared here",
     "range": {
      "file": "games/dice.yaml",
      "start": {
       "line": 3,
       "column": 3,
       "byte": 24
      },
      "end": {
       "line": 3,
       "column": 18,
       "byte": 39
      }
     }
    }
   ],
   "suggestions": [
    {
     "message": "did you mean ` + "`opening_minimum`" + `?",
     "edits": [
      {
       "file": "games/dice.yaml",
       "start": 107,
       "end": 122,
       "text": "opening_minimum"
      }
     ]
    }
   ]
  }
 ]
}
`
	if indented.String() != want {
		t.Errorf("got:\n%s", indented.String())
	}
	b.Reset()
	RenderJSON(&b, nil, "0")
	if !strings.Contains(b.String(), `"diagnostics":[]`) {
		t.Errorf("got %s", b.String())
	}
}

// A line as long as a file is shown in part, and not at all to programs.
func TestLongLines(t *testing.T) {
	f := NewFile("long.yaml", strings.Repeat("é", 300_000)+"wrong"+strings.Repeat("x", 300_000)+"\nnext\n")
	var l List
	l.Errorf("E0213", Span{f, 600_000, 600_005}, "first")
	l.Errorf("E0213", Span{f, 0, len(f.Text)}, "second")
	l.Errorf("E0213", Span{f, 900_006, 900_010}, "third")
	var b strings.Builder
	if err := RenderPretty(&b, l, Style{}); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	if len(out) > 20_000 || !strings.Contains(out, "éwrongx") || !strings.Contains(out, "^^^^^") || !strings.Contains(out, "2 | next") || !strings.Contains(out, "…") || !utf8.ValidString(out) {
		t.Errorf("%d bytes: %.3000s", len(out), out)
	}
	b.Reset()
	if err := RenderJSON(&b, l, ""); err != nil || b.Len() > 3000 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}
