package dsl

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata/broken, and REFERENCE.md")

const brokenDir = "../testdata/broken"

// A chunk is one rule file among those of a broken file; README.md in
// testdata/broken states the format.
type chunk struct {
	file, name  string
	line        int      // of its header, from 1
	head        []string // words of the header behind the name
	lines       []string // without what is expected of them
	text        string   // as the loader sees it, padded so that lines agree
	want        []*expectation
	expectLines map[int]bool // lines that held nothing but expectations
}

// An expectation is one diagnostic that a chunk must give.
type expectation struct {
	raw       string // as it stands in the file
	line      int    // on which the diagnostic is expected
	code      string
	col       int
	message   *regexp.Regexp
	help      []*regexp.Regexp
	see       []string // file:line
	ownLine   bool
	satisfied bool
}

var (
	expectText = regexp.MustCompile(`\s*#! ([EW]\d{4} .*)$`)
	expectHead = regexp.MustCompile(`^([EW]\d{4}) @(\d+): (.*)$`)
	expectPart = regexp.MustCompile(`\s*; (help|see): `)
	repetition = regexp.MustCompile(`@\{(\d+) ([^}]*)\}`)
	character  = regexp.MustCompile(`@\{(\\[^}]*)\}`)
)

// readBroken splits a broken file into chunks.
func readBroken(t testing.TB, path string) []*chunk {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := "broken/" + filepath.Base(path)
	var out []*chunk
	var c *chunk
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		n := i + 1
		raws := ""
		if m := expectText.FindStringSubmatchIndex(line); m != nil {
			line, raws = line[:m[0]], line[m[2]:m[3]]
		}
		if strings.HasPrefix(line, "=== ") {
			words := strings.Fields(line[4:])
			c = &chunk{file: name, name: words[0], head: words[1:], line: n, expectLines: map[int]bool{}}
			out = append(out, c)
			line = ""
		}
		if c == nil {
			continue // the words at the top of the file
		}
		own := raws != "" && line == "" && n != c.line
		c.expectLines[n] = own
		at := n
		for own && c.expectLines[at] {
			at--
		}
		if raws != "" {
			for _, raw := range strings.Split(raws, " #! ") {
				c.want = append(c.want, readExpectation(t, raw, at, own))
			}
		}
		c.lines = append(c.lines, line)
	}
	for _, c := range out {
		c.text = strings.Repeat("\n", c.line-1) + expanded(strings.Join(c.lines, "\n")+"\n")
	}
	return out
}

// expanded writes out repetitions and characters that no file shows well.
func expanded(text string) string {
	text = repetition.ReplaceAllStringFunc(text, func(s string) string {
		m := repetition.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat(m[2], n)
	})
	return character.ReplaceAllStringFunc(text, func(s string) string {
		out, err := strconv.Unquote(`"` + s[2:len(s)-1] + `"`)
		if err != nil {
			panic(err)
		}
		return out
	})
}

func readExpectation(t testing.TB, raw string, line int, own bool) *expectation {
	t.Helper()
	raw = strings.TrimSpace(raw)
	m := expectHead.FindStringSubmatch(raw)
	if m == nil {
		t.Fatalf("line %d: cannot read %q", line, raw)
	}
	e := &expectation{raw: raw, line: line, code: m[1], ownLine: own}
	e.col, _ = strconv.Atoi(m[2])
	rest := m[3]
	keys := expectPart.FindAllStringSubmatch(rest, -1)
	for i, part := range expectPart.Split(rest, -1) {
		switch {
		case i == 0:
			e.message = whole(t, part)
		case keys[i-1][1] == "help":
			e.help = append(e.help, whole(t, part))
		default:
			e.see = append(e.see, seeing(t, strings.TrimSpace(part), line))
		}
	}
	return e
}

// seeing reads the place of a second line: `12`, `-3` from here, or `dice.yaml:12`.
func seeing(t testing.TB, part string, line int) string {
	t.Helper()
	if strings.Contains(part, ":") {
		return "broken/" + part
	}
	n, err := strconv.Atoi(part)
	if err != nil {
		t.Fatalf("line %d: cannot read %q", line, part)
	}
	if part[0] == '-' || part[0] == '+' {
		n += line
	}
	return strconv.Itoa(n)
}

func whole(t testing.TB, pattern string) *regexp.Regexp {
	t.Helper()
	re, err := regexp.Compile("^(?:" + strings.TrimSpace(pattern) + ")$")
	if err != nil {
		t.Fatal(err)
	}
	return re
}

// A loading is what the header of a chunk says about how to load it.
type loading struct {
	lib  *Library
	game string
	opt  Options
	ds   source.List
}

// add puts a chunk into the library, and a variant in force.
func (l *loading) add(c *chunk, inForce bool) {
	f := l.lib.Add(source.NewFile(c.file, c.text), &l.ds)
	switch {
	case f == nil:
	case f.Kind == "game":
		l.game = f.ID
	case inForce:
		l.opt.With = append(l.opt.With, f.ID)
	}
}

// word carries out one word of a header, behind the key that it belongs to.
func (l *loading) word(key, word string, chunks map[string]*chunk) bool {
	switch key {
	case "on", "beside":
		if chunks[word] == nil {
			return false
		}
		l.add(chunks[word], key == "on")
	case "with":
		l.opt.With = append(l.opt.With, word)
	case "without":
		l.opt.Without = append(l.opt.Without, word)
	case "set":
		name, value, _ := strings.Cut(word, "=")
		l.opt.Set[name] = value
	case "playing":
		l.game = word
	default:
		return false
	}
	return true
}

// loadChunk loads a chunk with those that its header names.
func loadChunk(t testing.TB, c *chunk, chunks map[string]*chunk) source.List {
	t.Helper()
	l := &loading{lib: NewLibrary(), opt: Options{Set: map[string]string{}}}
	key, playing := "", ""
	for _, w := range c.head {
		switch w {
		case "on", "beside", "with", "without", "set", "playing":
			key = w
		default:
			if !l.word(key, w, chunks) {
				t.Fatalf("cannot read `%s %s` in the header of %s", key, w, c.name)
			}
			if key == "playing" {
				playing = w
			}
		}
	}
	l.add(c, true)
	if playing != "" {
		l.game = playing
	}
	if l.game != "" && !l.ds.HasErrors() {
		_, found := Load(l.lib, l.game, l.opt)
		l.ds = append(l.ds, found...)
	}
	l.ds.Sort()
	return l.ds
}

// lineOf is the line of a broken file to which a place belongs, for a chunk:
// its header if the place is not in the chunk.
func (c *chunk) lineOf(s source.Span) (line, col int) {
	line, col = s.File.LineCol(s.Start)
	if s.File.Name != c.file || line < c.line || line > c.line+len(c.lines) {
		return c.line, col
	}
	return line, col
}

func (e *expectation) fits(c *chunk, d *source.Diagnostic) bool {
	line, col := c.lineOf(d.Span)
	if e.satisfied || e.code != d.Code || e.line != line || e.col != col || !e.message.MatchString(d.Message) {
		return false
	}
	for _, h := range e.help {
		if !h.MatchString(strings.Join(d.Help, " / ")) {
			return false
		}
	}
	for _, n := range e.see {
		found := false
		for _, r := range d.Related {
			line, _ := r.Span.File.LineCol(r.Span.Start)
			at := fmt.Sprint(line)
			found = found || r.Span.File.Name+":"+at == n || r.Span.File.Name == c.file && at == n
		}
		if !found {
			return false
		}
	}
	return true
}

func brokenFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(brokenDir + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no broken files", err)
	}
	return files
}

// TestBroken loads every chunk of every broken file and compares what is found
// with what is expected: nothing may be missing, and nothing may be besides.
func TestBroken(t *testing.T) {
	byName, byFile := map[string]*chunk{}, map[string][]*chunk{}
	for _, path := range brokenFiles(t) {
		byFile[path] = readBroken(t, path)
		for _, c := range byFile[path] {
			if byName[c.name] != nil {
				t.Errorf("%s: two chunks are called %s", path, c.name)
			}
			byName[c.name] = c
		}
	}
	for _, path := range brokenFiles(t) {
		var fresh []surprise
		for _, c := range byFile[path] {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml")+"/"+c.name, func(t *testing.T) {
				fresh = append(fresh, runChunk(t, c, byName)...)
			})
		}
		if *update {
			rewrite(t, path, byFile[path], fresh)
		}
	}
}

// A surprise is a diagnostic that was not expected.
type surprise struct {
	c *chunk
	d *source.Diagnostic
}

func runChunk(t *testing.T, c *chunk, byName map[string]*chunk) (fresh []surprise) {
	t.Helper()
	ds := loadChunk(t, c, byName)
	for _, d := range ds {
		wellPut(t, d)
		mends(t, c, d, byName)
		known := false
		for _, e := range c.want {
			if known = e.fits(c, d); known {
				e.satisfied = true
				break
			}
		}
		if !known {
			fresh = append(fresh, surprise{c, d})
			if !*update {
				var b strings.Builder
				source.RenderPretty(&b, source.List{d}, source.Style{})
				t.Errorf("not expected:\n%s", b.String())
			}
		}
	}
	for _, e := range c.want {
		if !e.satisfied && !*update {
			t.Errorf("%s:%d: missing: %s", c.file, e.line, e.raw)
		}
	}
	return fresh
}

// machinery are words of the libraries and of Go, which no reader knows.
var machinery = regexp.MustCompile(`yaml:|yaml\.v3|participle|\bexpr\.|syntax\.|did not find expected|mapping values|int64|<nil>|%!|runtime error|\bEOF\b|\bnode\b|\btoken\b|\bAST\b` +
	`|\b(?:dsl|source|yamltree|merge|lexer|strconv|reflect)\.[A-Za-z]|unmarshal|goroutine|\bstruct\b|\binterface\b|map\[|float64|\bscalar\b|0x[0-9a-f]{6}`)

// wellPut insists on how diagnostics are worded.
func wellPut(t *testing.T, d *source.Diagnostic) {
	t.Helper()
	texts := append([]string{d.Message, d.Label}, d.Help...)
	for _, r := range d.Related {
		texts = append(texts, r.Message)
	}
	for _, s := range texts {
		if s != "" && (machinery.MatchString(s) || strings.ContainsAny(s, "\n\t") || strings.Contains(s, "``")) {
			t.Errorf("badly put: %q", s)
		}
	}
	if d.Message == "" || strings.HasSuffix(d.Message, ".") || d.Message[0] >= 'A' && d.Message[0] <= 'Z' {
		t.Errorf("message %q", d.Message)
	}
}

// mends insists that the edits of a diagnostic do away with it.
func mends(t *testing.T, c *chunk, d *source.Diagnostic, chunks map[string]*chunk) {
	t.Helper()
	line, _ := c.lineOf(d.Span)
	if len(d.Edits) == 0 || line == c.line {
		return
	}
	fixed := *c
	for _, e := range d.Edits {
		fixed.text = fixed.text[:e.Span.Start] + e.Text + fixed.text[e.Span.End:]
	}
	for _, other := range loadChunk(t, &fixed, chunks) {
		if n, _ := c.lineOf(other.Span); n == line && other.Message == d.Message {
			t.Errorf("%v: with %q it says so still", d, d.Edits[0].Text)
		}
	}
}

// TestEveryCodeIsBroken looks for codes in the sources of this directory that
// no broken file expects.
func TestEveryCodeIsBroken(t *testing.T) {
	shown := map[string]bool{}
	cases := 0
	for _, path := range brokenFiles(t) {
		for _, c := range readBroken(t, path) {
			for _, e := range c.want {
				shown[e.code] = true
				cases++
			}
		}
	}
	code := regexp.MustCompile(`"([EW]\d{4})"`)
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			if !shown[m[1]] {
				shown[m[1]] = true
				t.Errorf("%s: no broken file shows %s", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if cases < 90 {
		t.Errorf("only %d mistakes", cases)
	}
}

// rewrite puts what was found into a broken file: expectations that held stay
// as they are, others go, and surprises stand below their lines.
func rewrite(t *testing.T, path string, chunks []*chunk, fresh []surprise) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	moved := map[int]int{} // lines before and after
	var out []string
	type slot struct {
		at int
		s  surprise
	}
	var slots []slot
	where := map[int]*chunk{}
	for _, c := range chunks {
		for i := range c.lines {
			where[c.line+i] = c
		}
	}
	for i, line := range old {
		n := i + 1
		c := where[n]
		if c != nil && c.expectLines[n] {
			continue
		}
		text := expectText.ReplaceAllString(line, "")
		var below []string
		if c != nil {
			var behind []string
			for _, e := range c.want {
				switch {
				case e.line != n || !e.satisfied:
				case e.ownLine:
					below = append(below, "#! "+e.raw)
				default:
					behind = append(behind, " #! "+e.raw)
				}
			}
			if len(behind) > 0 {
				text += " " + strings.Join(behind, "")
			}
		}
		out = append(out, text)
		moved[n] = len(out)
		out = append(out, below...)
		for _, s := range fresh {
			if at, _ := s.c.lineOf(s.d.Span); s.c == c && at == n {
				slots = append(slots, slot{len(out), s})
				out = append(out, "")
			}
		}
	}
	for _, s := range slots {
		out[s.at] = "#! " + s.s.written(moved)
	}
	if err := os.WriteFile(path, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// written is a diagnostic as an expectation.
func (s surprise) written(moved map[int]int) string {
	line, col := s.c.lineOf(s.d.Span)
	text := fmt.Sprintf("%s @%d: %s", s.d.Code, col, regexp.QuoteMeta(s.d.Message))
	if len(s.d.Help) > 0 {
		text += " ; help: " + regexp.QuoteMeta(strings.Join(s.d.Help, " / "))
	}
	for _, r := range s.d.Related {
		to, _ := r.Span.File.LineCol(r.Span.Start)
		switch file, ours := strings.CutPrefix(r.Span.File.Name, "broken/"); {
		case r.Span.File.Name == s.c.file:
			text += fmt.Sprintf(" ; see: %+d", moved[to]-moved[line])
		case ours:
			text += fmt.Sprintf(" ; see: %s:%d", file, to)
		}
	}
	return text
}
