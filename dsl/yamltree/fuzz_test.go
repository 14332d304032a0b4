package yamltree

import (
	"strings"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl/source"
)

var hostile = []string{
	strings.Repeat("[", 5000), strings.Repeat("{a: ", 5000), strings.Repeat("- ", 5000), strings.Repeat("a:\n ", 200),
	strings.Repeat("? ", 5000), "&x [*x]", "a: &a {b: *a}", "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
	"\ta: 1\n", "a:\t1\n", "-\t1\n", "a: |\n\tx\n", "a: 1\r\nb: |\r\n  x\r\n\r\n  y", "a: 1\rb", "\uFEFFa: 1", "\uFEFF", "a: \"\\u00e9\\\n  x\"",
	"a: |+2\n    x\n\n\n", "a: >-\n x\n", "a: |\n     \n  x\n", "|", "|2", "- |\n x", "--- |\n x\n", "---\n---\n", "...", "%TAG ! x\n---\n",
	"a: 'x\n\n y'", "{a, b: , c}", "[a: b, ? c]", "? |\n x\n: y", "!!map {a: 1}", "! a: 1", "a: #x", "{a: #x\n}", "- #x", "a: any(d, # > 1)",
	"a: {b: max(1, 2)}", "a: {b:1}", "<<: x", "'<<': x", "\"a\": 'b' c", "a: ~ # x", "a: x # y\n# z\n", "a: - b", "a: ]", "]", ",", "a\nb: c",
}

// FuzzParse checks that any text is read or refused in short time, that places
// lie inside the file, and that no message of the library comes through.
func FuzzParse(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f.yaml", text)
		start := time.Now()
		n, ds := Parse(file)
		if d := time.Since(start); d > 10*time.Second {
			t.Fatalf("%d bytes take %s", len(text), d)
		}
		if (n == nil) != ds.HasErrors() {
			t.Fatalf("node %s with %v", show(n), ds)
		}
		for _, d := range ds {
			checkSpan(t, file, d.Span)
			if strings.Contains(d.Message, "yaml:") && !strings.Contains(text, "yaml:") {
				t.Fatalf("library message: %s", d.Message)
			}
			for _, e := range d.Edits {
				checkSpan(t, file, e.Span)
			}
		}
		if n != nil {
			checkNode(t, file, n)
		}
	})
}

func checkSpan(t *testing.T, f *source.File, s source.Span) {
	if s.File != f || s.Start < 0 || s.End < s.Start || s.End > len(f.Text) {
		t.Fatalf("span %d..%d of %d bytes", s.Start, s.End, len(f.Text))
	}
}

func checkNode(t *testing.T, f *source.File, n *Node) {
	checkSpan(t, f, n.Span)
	for _, p := range n.Pairs {
		checkNode(t, f, p.Key)
		checkNode(t, f, p.Value)
	}
	for _, i := range n.Items {
		checkNode(t, f, i)
	}
	last := n.Span.Start
	for i := range n.Text {
		s := n.SpanOf(i, i+1)
		checkSpan(t, f, s)
		if s.Start < last {
			t.Fatalf("%q: byte %d stands at %d, before %d", n.Text, i, s.Start, last)
		}
		last = s.Start
	}
}

// fastest returns the time f takes. If that is long, it tries again: the
// machine may be busy with something else.
func fastest(f func()) time.Duration {
	best := time.Hour
	for i := 0; i < 3 && best > 5*time.Second; i++ {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// Large files are read or refused quickly, however they look.
func TestLargeFiles(t *testing.T) {
	const size = MaxBytes / 16
	for _, unit := range []string{
		"[", "]", "{", "- ", "- a\n", "a: 1\n", "#\n", "# x\n\n", "- #\n", "a:\n", "'", "\"", "\"\\", "? ", ": ", "x", "[],", "a: |\n x\n", "&a ", "!", "- *a\n", "\n", " ", "\t",
		"a,", "- [\n", "- {a: b}\n", "- 'a\n", "骰", "---\n", "- - a\n", "- a: b # c\n",
	} {
		text := strings.Repeat(unit, size/len(unit))
		for _, text := range []string{text, "a: [" + text, "a: 1\n" + text + "\n]"} {
			if len(text) > size {
				text = text[:size]
			}
			if d := fastest(func() { Parse(source.NewFile("f.yaml", text)) }); d > 10*time.Second {
				t.Errorf("%q... takes %s", text[:min(len(text), 12)], d)
			}
		}
	}
	_, ds := Parse(source.NewFile("f.yaml", strings.Repeat(" ", MaxBytes+1)))
	if len(ds) != 1 || ds[0].Code != "E0101" {
		t.Errorf("got %v", ds)
	}
}

// Files that hold too much are refused before anything goes over all of it.
func TestTooMany(t *testing.T) {
	row := "- [" + strings.Repeat("a, ", MaxEntries-1) + "b]\n"
	for text, want := range map[string]string{
		"[" + strings.Repeat("a, ", MaxEntries-1) + "b]": "",
		"[" + strings.Repeat("a, ", MaxEntries) + "b]":   "2001 entries stand here side by side; at most 2000 may",
		strings.Repeat("- a\n", MaxEntries+1):            "2001 entries stand here side by side; at most 2000 may",
		strings.Repeat(row, MaxNodes/MaxEntries-1):       "",
		strings.Repeat(row, MaxNodes/MaxEntries+1):       "the file has more than 40000 keys and values",
	} {
		_, ds := Parse(source.NewFile("f.yaml", text))
		if want == "" && len(ds) != 0 || want != "" && (len(ds) != 1 || ds[0].Code != "E0331" || ds[0].Message != want) {
			t.Errorf("%.20s... of %d bytes: %v", text, len(text), ds)
		}
	}
}
