package yamltree

import (
	"strings"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl/source"
)

// show writes a tree on one line: {key: value} for maps, [item] for lists, and
// scalars as they are, with _ for those that are empty.
func show(n *Node) string {
	switch {
	case n == nil:
		return "nil"
	case n.Kind == Map:
		parts := []string{}
		for _, p := range n.Pairs {
			parts = append(parts, show(p.Key)+": "+show(p.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == List:
		parts := []string{}
		for _, i := range n.Items {
			parts = append(parts, show(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Empty && n.Text == "":
		return "_"
	}
	return n.Text
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"block", "a: 1\nb:\n  c: x + y\n  d: [1, 2]\n", "{a: 1, b: {c: x + y, d: [1, 2]}}"},
		{"raw scalars", "a: 010\nb: yes\nc: 1_000\nd: 2024-01-02\ne: 1.50\nf: 0x1F\ng: True\n",
			"{a: 010, b: yes, c: 1_000, d: 2024-01-02, e: 1.50, f: 0x1F, g: True}"},
		{"null", "a: ~\nb: null\nc:\nd: ''\n", "{a: ~, b: null, c: _, d: }"},
		{"flow", "a: {b: {c, d: 1}, e: [x, 'y z']}\n", "{a: {b: {c: _, d: 1}, e: [x, y z]}}"},
		{"words keep their spelling", "suits: [on, off, yes, no]\nplayers: [No, Y]\n", "{suits: [on, off, yes, no], players: [No, Y]}"},
		{"indentless list", "a:\n- x\n-\n- z\n", "{a: [x, _, z]}"},
		{"lists of maps", "- a: 1\n  b: 2\n- - x\n  - y\n", "[{a: 1, b: 2}, [x, y]]"},
		{"comments", "# top\na: x # why\nb: | # block\n  x # kept\nc: # here\n  d: 1\ne: # nothing\n", "{a: x, b: x # kept\n, c: {d: 1}, e: _}"},
		{"document start", "---\r\nname: x\r\nplayers: 2\r\n", "{name: x, players: 2}"},
		{"document end", "a: 1\n...\n", "{a: 1}"},
		{"byte order mark", "\uFEFFa: 1\n", "{a: 1}"},
		{"chomping", "a: |-\n  x\n  y\nb: |+\n  z\n\nc: |2\n    w\n", "{a: x\ny, b: z\n\n, c:   w\n}"},
		{"tabs in text", "a: |\n  x\ty\n  \tz\nb: \"p\tq\"\n", "{a: x\ty\n\tz\n, b: p\tq}"},
		{"quotes", `a: "x \"y\" \u00e9"` + "\nb: 'it''s'\n", `{a: x "y" é, b: it's}`},
		{"prose before a comment", "rule: Throw the die.     # no exit\ntitle: What now? # x\n", "{rule: Throw the die., title: What now?}"},
		{"over many lines", "a: {\n  b: 1, # one\n  c: [x,\n    y]\n}\n", "{a: {b: 1, c: [x, y]}}"},
		{"dice", "a: 3d6\nb: 1..6\nc: 12:30\n", "{a: 3d6, b: 1..6, c: 12:30}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, ds := Parse(source.NewFile("f.yaml", test.text))
			if len(ds) > 0 {
				t.Fatal(ds[0])
			}
			if got := show(n); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "1:1 E0118 the file is empty"},
		{"only comments", "# x\n", "1:1 E0118 the file is empty"},
		{"only a marker", "---\n", "1:1 E0118 the file is empty"},
		{"not UTF-8", "a: \xff\n", "1:4 E0109 byte ff is not UTF-8"},
		{"NUL", "a: x\x00\n", "1:5 E0109 the control character U+0000 is not allowed"},
		{"lone CR", "a: 1\rb: 2\n", "1:5 E0109 a carriage return stands alone"},
		{"line separator", "a: 1\u2028b", "1:5 E0109 the line separator U+2028 is not allowed"},
		{"BOM inside", "a: \uFEFFx\n", "1:4 E0109 a byte order mark stands in the middle of the file"},
		{"tab", "a: foobar\nb:\n\tc: bad line\n", "3:1 E0110 a tab is used as indentation"},
		{"tab behind spaces", "b:\n  \tc: x\n", "2:3 E0110 a tab is used as indentation"},
		{"tab in a block", "b: |\n\tx\n", "2:1 E0110 a tab is used as indentation"},
		{"tab behind a dash", "-\ta: 1\n", "1:2 E0110 a tab stands where YAML wants spaces"},
		{"deep flow", "a: " + deep, "1:67 E0116 nested deeper than 64 levels"},
		{"deep dashes", strings.Repeat("- ", 100) + "x", "1:129 E0116 nested deeper than 64 levels"},
		{"anchor", "a: &x 1\n", "1:4 E0105 anchors (`&x`) are not allowed"},
		{"anchor on a map", "a: &x\n  b: 1\n", "1:4 E0105 anchors (`&x`) are not allowed"},
		{"alias of itself", "&x [*x]", "1:1 E0105 anchors (`&x`) are not allowed"},
		{"unknown alias", "a: 1\nb: *foo\n", "2:4 E0105 aliases (`*foo`) are not allowed"},
		{"merge key", "a:\n  <<: {b: 1}\n", "2:3 E0105 merge keys are not allowed"},
		{"tag", "a: !x\n", "1:4 E0106 tags (`!x`) are not allowed"},
		{"long tag", "a: !!str 1\n", "1:4 E0106 tags (`!!str`) are not allowed"},
		{"short tag", "a: ! x\n", "1:4 E0106 tags (`!`) are not allowed"},
		{"tag of a map", "! {a: 1}\n", "1:1 E0106 tags (`!`) are not allowed"},
		{"second document", "a: 1\n---\nb: 2\n", "2:1 E0108 a second document begins here"},
		{"text after the end", "a: 1\n...\nb: 2\n", "3:1 E0108 a second document begins here"},
		{"directive", "%YAML 1.2\n---\na: 1\n", "1:1 E0102 a line must not begin with `%`"},
		{"twice", "scoring:\n  one: 100\nplayers: 2\nscoring:\n  five: 50\n", "4:1 E0104 the key `scoring` is here twice"},
		{"twice, quoted", "a: {'x': 1, x: 2}\n", "1:13 E0104 the key `x` is here twice"},
		{"list as key", "[a, b]: 1\n", "1:1 E0115 a key must be a single name or value"},
		{"question mark", "? a\n: 1\n", "1:1 E0102 keys are written without `?` here"},
		{"empty key", "a:\n  '': 1\n", "2:3 E0119 a key must not be empty"},
		{"no key", "a:\n  : 1\n", "2:3 E0119 a key must not be empty"},
		{"folded", "a: >\n  x\n", "1:4 E0117 folded text (`>`) is not allowed"},
		{"plain on two lines", "a: x\n  y\n", "1:4 E0117 this text runs over more than one line"},
		{"quoted on two lines", "a: 'x\n  y'\nb: 1\n", "1:4 E0117 this text runs over more than one line"},
		{"comment in a call", "a: any(d, # > 1)\n", "1:11 E0107 the value is cut short by this comment"},
		{"comment glued on", "a: score #1 best\n", "1:10 E0107 a comment needs a blank after the `#`"},
		{"comment behind an operator", "a: x + # y\n", "1:8 E0107 the value is cut short by this comment"},
		{"comment behind a word", "a: x and # y\n", "1:10 E0107 the value is cut short by this comment"},
		{"comment inside quotes", "a: say \"x # y\"\n", "1:11 E0107 the value is cut short by this comment"},
		{"nothing but a comment", "a: #x\n", "1:4 E0107 a comment needs a blank after the `#`"},
		{"no item but a comment", "- #x\n", "1:3 E0107 a comment needs a blank after the `#`"},
		{"comma in a call in a map", "a: {b: max(c, d)}\n", "1:13 E0102 not valid YAML here: a `,` ends a value that stands in brackets without quotes"},
		{"no blank in a map", "a: {b:1}\n", "1:5 E0102 not valid YAML here: no blank after the `:` in `b:1`"},
	} {
		t.Run(test.name, func(t *testing.T) { wantError(t, test.text, test.want) })
	}
}

// wantError checks the first error of a text, given as "line:col code message",
// and that nothing of the library shows through.
func wantError(t *testing.T, text, want string) source.List {
	t.Helper()
	n, ds := Parse(source.NewFile("f.yaml", text))
	if n != nil || len(ds) == 0 {
		t.Fatalf("accepted as %s, want %s", show(n), want)
	}
	for _, d := range ds {
		if all := d.Message + strings.Join(d.Help, ""); strings.Contains(all, "yaml: ") || strings.Contains(all, "did not find") {
			t.Errorf("a message of the library: %s", all)
		}
	}
	got := strings.TrimPrefix(ds[0].Error(), "f.yaml:")
	got = strings.Replace(strings.Replace(got, ": error[", " ", 1), "]", "", 1)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	return ds
}

func TestBrokenYAML(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"choice", "a: 1\nb:\n  points: three_pairs ? 1500 : 750\n", "3:30 E0102 not valid YAML: `: ` stands inside a value without quotes"},
		{"choice on line 1", "a: x ? 1 : 2\n", "1:10 E0102 not valid YAML: `: ` stands inside a value without quotes"},
		{"text behind braces", "z: 1\na: {x} + 1\nb: 2\n", "2:8 E0102 not valid YAML: text follows a complete value"},
		{"text behind brackets", "z: 1\na: [1,2].sum()\n", "2:9 E0102 not valid YAML: text follows a complete value"},
		{"text behind quotes", "z: 1\na: \"x\" and y\n", "2:8 E0102 not valid YAML: text follows the closing quote"},
		{"apostrophe", "a: 'don't'\n", "1:9 E0102 not valid YAML: text follows the closing quote"},
		{"open quote", "a: 1\nb: \"abc\nc: 2\nd: 3\n", "2:4 E0102 not valid YAML: this quote is not closed on its line"},
		{"open quote on line 1", "a: \"abc\nc: 2\n", "1:4 E0102 not valid YAML: this quote is not closed on its line"},
		{"open quote closed later", "a: \"abc\nc: \"d\"\n", "1:4 E0102 not valid YAML: this quote is not closed on its line"},
		{"greater", "a: > 5\n", "1:4 E0102 not valid YAML: a value without quotes cannot start with `>`"},
		{"bar", "a: |x|\n", "1:4 E0102 not valid YAML: a value without quotes cannot start with `|`"},
		{"at", "a: @y\n", "1:4 E0102 not valid YAML: a value without quotes cannot start with `@`"},
		{"percent", "a: %x\n", "1:4 E0102 not valid YAML: a value without quotes cannot start with `%`"},
		{"backtick", "a: `x`\n", "1:4 E0102 not valid YAML: a value without quotes cannot start with ```"},
		{"dash", "a: - x\n", "1:4 E0102 not valid YAML: a value without quotes starts with `- `"},
		{"star", "a: *\n", "1:4 E0105 aliases (`*`) are not allowed"},
		{"open bracket", "a:\n  b: [1, 2\nc: 3\n", "2:6 E0102 not valid YAML: this `[` is not closed"},
		{"open brace at the end", "a: {b: 1\n", "1:4 E0102 not valid YAML: this `{` is not closed"},
		{"wrong bracket", "a: {b: [1, 2}\n", "1:13 E0102 not valid YAML: `[` is closed by `}`"},
		{"bracket alone", "a: 1\n]\n", "2:1 E0102 not valid YAML: a value without quotes cannot start with `]`"},
		{"index in a map", "a: {b: x[1] > 0}\n", "1:9 E0102 not valid YAML: `[` stands inside a value without quotes"},
		{"default in a map", "a: {b: x ?? 1}\n", "1:10 E0102 not valid YAML: `?` stands inside a value without quotes"},
		{"comment in a map", "a: {b: any(d, # > 1)}\nc: 1\n", "1:15 E0107 brackets are left open by a comment"},
		{"too deep", "a: 1\n  b: 2\n", "2:3 E0102 not valid YAML: this line is indented below a key or item that has a value already"},
		{"fits no line", "a:\n    b: 1\n  c: 2\n", "3:3 E0102 not valid YAML: the indentation fits no line above"},
		{"far below", "a:\n  b: 1\n  c:\n    d: 1\n  e: 2\n f: 3\n", "6:2 E0102 not valid YAML: the indentation fits no line above"},
		{"no colon", "a: 1\nb\nc: 2\n", "2:1 E0102 not valid YAML: no `: ` behind a key"},
		{"item among keys", "a: b\n- c\n", "2:1 E0102 not valid YAML: an item of a list stands among the keys of a map"},
		{"item behind a list", "a:\n- b\n- c\nd: 1\n- e\n", "5:1 E0102 not valid YAML: an item of a list stands among the keys of a map"},
		{"key among items", "- a\nb: c\n", "2:1 E0102 not valid YAML: a key stands among the items of a list"},
		{"no blank", "a:\n  b:1\n  c: 2\n", "2:3 E0102 not valid YAML: no blank after the `:` of a key"},
		{"block", "a: |\n    x\n  y\nb: 1\n", "3:3 E0102 not valid YAML: this line is indented less than the first line of its block"},
		{"escape", "a: \"\\d\"\n", "1:5 E0102 not valid YAML: `\\d` is no escape in double quotes"},
		{"under three comments, CRLF", "# a\r\n# b\r\n# c\r\nd: 'x' y\r\n", "4:8 E0102 not valid YAML: text follows the closing quote"},
		{"byte order mark", "\uFEFFa: 'x' y\n", "1:8 E0102 not valid YAML: text follows the closing quote"},
	} {
		t.Run(test.name, func(t *testing.T) { wantError(t, test.text, test.want) })
	}
}

func TestHelpEdits(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a: x ? 'b' : c # why\n", "a: 'x ? ''b'' : c' # why\n"},
		{"a: \"x\" and y\n", "a: '\"x\" and y'\n"},
		{"a: > 5\n", "a: '> 5'\n"},
		{"b:\n\tc: 1\n", "b:\n  c: 1\n"},
		{"a: any(d, # > 1)\n", "a: 'any(d, # > 1)'\n"},
		{"a: >\n  x\n", "a: |\n  x\n"},
		{"a: {b:1}\n", "a: {b: 1}\n"},
	} {
		_, ds := Parse(source.NewFile("f.yaml", test.text))
		if len(ds) == 0 || len(ds[0].Edits) != 1 {
			t.Errorf("%q: no edit: %v", test.text, ds)
			continue
		}
		e := ds[0].Edits[0]
		got := test.text[:e.Span.Start] + e.Text + test.text[e.Span.End:]
		if got != test.want {
			t.Errorf("%q becomes %q, want %q", test.text, got, test.want)
		}
		if _, again := Parse(source.NewFile("f.yaml", got)); len(again) > 0 {
			t.Errorf("%q: %v", got, again[0])
		}
	}
}

// The rows of the collection of bug reports about YAML in other projects.
func TestReportedElsewhere(t *testing.T) {
	t.Run("B-088 both places of a key are named", func(t *testing.T) {
		ds := wantError(t, "scoring:\n  one: 100\nplayers: 2\nscoring:\n  five: 50\n", "4:1 E0104 the key `scoring` is here twice")
		if line, _ := ds[0].Span.File.LineCol(ds[0].Related[0].Span.Start); line != 1 {
			t.Errorf("first place on line %d", line)
		}
	})
	t.Run("B-090 merge before a key", func(t *testing.T) {
		ds := wantError(t, "base: &b {min: 300, target: 10000}\nhouse:\n  <<: *b\n  min: 500\n", "1:7 E0105 anchors (`&b`) are not allowed")
		if len(ds) < 2 || ds[1].Message != "merge keys are not allowed" {
			t.Errorf("got %v", ds)
		}
	})
	t.Run("B-091 merge behind a key", func(t *testing.T) {
		wantError(t, "base: &b {min: 300}\nhouse:\n  min: 500\n  <<: *b\n", "1:7 E0105 anchors (`&b`) are not allowed")
	})
	t.Run("B-093 an unknown key can be found and placed", func(t *testing.T) {
		n, _ := Parse(source.NewFile("f.yaml", "name: test\nplayrs: 3\n"))
		if k := n.Pairs[1].Key; k.Text != "playrs" || k.Span.String() != "f.yaml:2:1" || n.Get("players") != nil {
			t.Errorf("got %q at %s", k.Text, k.Span)
		}
	})
	t.Run("B-095 CRLF reads like LF", func(t *testing.T) {
		text := "---\nname: x\nplayers: 2\nrule: |\n  a\n  b\n"
		a, _ := Parse(source.NewFile("f.yaml", text))
		b, ds := Parse(source.NewFile("f.yaml", strings.ReplaceAll(text, "\n", "\r\n")))
		if len(ds) > 0 || show(a) != show(b) {
			t.Errorf("got %s, want %s, %v", show(b), show(a), ds)
		}
	})
	t.Run("B-096 lines with CRLF", func(t *testing.T) {
		wantError(t, "# 1\r\n# 2\r\n# 3\r\na: [1\r\n", "4:4 E0102 not valid YAML: this `[` is not closed")
	})
	t.Run("B-098 words stay words", func(t *testing.T) {
		n, ds := Parse(source.NewFile("f.yaml", "suits: [on, off, yes, no]\nplayers: [No, Y]\n"))
		if got := show(n); len(ds) > 0 || got != "{suits: [on, off, yes, no], players: [No, Y]}" {
			t.Errorf("got %s %v", got, ds)
		}
	})
	t.Run("B-100 leading zero", func(t *testing.T) {
		n, _ := Parse(source.NewFile("f.yaml", "target: 010\n"))
		var ds source.List
		if v, ok := ReadInt(n.Get("target"), &ds); ok || ds[0].Code != "E0112" {
			t.Errorf("got %d %v", v, ds)
		}
	})
	t.Run("B-101 alias bomb", func(t *testing.T) {
		bomb := func() { wantError(t, aliasBomb(), "1:4 E0105 anchors (`&a`) are not allowed") }
		if d := fastest(bomb); d > 2*time.Second {
			t.Errorf("took %s", d)
		}
	})
	t.Run("B-103 tab", func(t *testing.T) {
		wantError(t, "a: foobar\nb:\n\tc: bad line\n", "3:1 E0110 a tab is used as indentation")
	})
}

// aliasBomb returns nine levels of lists, each naming the one before nine times.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a: &a [x]\n")
	for c := byte('b'); c < 'k'; c++ {
		before := "*" + string(c-1)
		b.WriteString(string(c) + ": &" + string(c) + " [" + before + strings.Repeat(", "+before, 8) + "]\n")
	}
	return b.String()
}
