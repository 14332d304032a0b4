package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
	"pgregory.net/rapid"
)

// tokens are what random formulas are made of, with wide, combining and quoted
// characters among them.
var tokens = []string{
	"score", "x", "42", ">=", "+", "(", ")", "'it''s'", `"text"`, "punkte_für", "骰子", "🎲🎲", "e\u0301", `\`, `\n`, "a.b", "%", "@", "#", ":", "-", "?",
}

// A written scalar is a text in some style, and how to read a token off it.
type writtenScalar struct {
	tokens []string
	text   string   // what the scalar means
	at     []int    // offset of each token in text
	source []string // how each token is spelled in the file
	body   string   // the scalar as it stands behind its key
	style  Style
}

func drawScalar(t *rapid.T, indent, eol string) writtenScalar {
	w := writtenScalar{
		tokens: rapid.SliceOfN(rapid.SampledFrom(tokens), 1, 12).Draw(t, "tokens"),
		style:  rapid.SampledFrom([]Style{Plain, Single, Double, Block}).Draw(t, "style"),
	}
	if w.style == Plain {
		w.tokens = append([]string{"v"}, w.tokens...)
		for i, tok := range w.tokens {
			if strings.ContainsAny(tok, "#:?-\"'") || strings.Contains("()", tok) {
				w.tokens[i] = "w" // would cut the text short, or look so
			}
		}
		w.tokens = append(w.tokens, "z")
	}
	var text, body strings.Builder
	for i, tok := range w.tokens {
		if i > 0 {
			sep := " "
			if w.style == Block {
				sep = rapid.SampledFrom([]string{" ", "\n", "\n  ", "\n\n", "\t"}).Draw(t, "sep")
			}
			text.WriteString(sep)
			body.WriteString(strings.ReplaceAll(strings.ReplaceAll(sep, "\n", "\n"+indent), "\n"+indent+"\n", "\n\n"))
		}
		spelled := spell(t, w.style, tok)
		w.at = append(w.at, text.Len())
		w.source = append(w.source, spelled)
		text.WriteString(tok)
		body.WriteString(spelled)
	}
	w.text = text.String()
	switch w.style {
	case Plain:
		w.body = body.String()
	case Single:
		w.body = "'" + body.String() + "'"
	case Double:
		w.body = `"` + body.String() + `"`
	case Block:
		chomp := rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, "chomp")
		digit := rapid.SampledFrom([]string{"", "2"}).Draw(t, "digit")
		head := "|" + chomp + digit
		if rapid.Bool().Draw(t, "order") {
			head = "|" + digit + chomp
		}
		w.body = head + "\n" + indent + body.String()
		if chomp != "-" {
			w.text += "\n"
		}
	}
	w.body = strings.ReplaceAll(w.body, "\n", eol)
	return w
}

// spell writes a token the way a style wants it, in double quotes with escapes
// here and there that are not needed.
func spell(t *rapid.T, style Style, tok string) string {
	switch style {
	case Single:
		return strings.ReplaceAll(tok, "'", "''")
	case Double:
		var b strings.Builder
		for _, r := range tok {
			switch {
			case r == '"' || r == '\\':
				b.WriteString(`\` + string(r))
			case rapid.IntRange(0, 4).Draw(t, "escape") == 0 && r < 0x10000:
				fmt.Fprintf(&b, `\u%04x`, r)
			case r >= 0x10000 && rapid.Bool().Draw(t, "long"):
				fmt.Fprintf(&b, `\U%08X`, r)
			default:
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	return tok
}

// Every token of a random scalar, in every style and in several surroundings,
// is found in the file where it was written.
func TestPlacesOfTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		around := rapid.SampledFrom([]struct{ indent, before, after string }{
			{"  ", "größe: 1\nkey: ", "\nlast: 2\n"},
			{"    ", "map:\n  key: ", ""},
			{"    ", "list:\n- 1\n- - 2\n  - ", "\n"},
			{"    ", "list:\n  - key: 1\n  - ", " # comment\n"},
			{"  ", "\uFEFF\"骰子\": ", "\n# end\n"},
		}).Draw(t, "around")
		w := drawScalar(t, around.indent, eol)
		after := around.after
		if w.style == Block {
			after = strings.Replace(after, " # comment", "", 1)
			if after == "" {
				after = "\n"
			}
		}
		text := strings.ReplaceAll(around.before, "\n", eol) + w.body + strings.ReplaceAll(after, "\n", eol)
		n, ds := Parse(source.NewFile("f.yaml", text))
		if len(ds) > 0 {
			t.Fatalf("%q: %v", text, ds[0])
		}
		checkTokens(t, findScalar(n, w.text), w, text)
	})
}

func checkTokens(t *rapid.T, n *Node, w writtenScalar, text string) {
	if n == nil {
		t.Fatalf("%q does not hold %q", text, w.text)
	}
	if n.Style != w.style {
		t.Fatalf("style %d, want %d", n.Style, w.style)
	}
	if got := n.Span.Text(); got != w.body {
		t.Fatalf("whole span %q, want %q", got, w.body)
	}
	for i, tok := range w.tokens {
		if got := n.SpanOf(w.at[i], w.at[i]+len(tok)).Text(); got != w.source[i] {
			t.Fatalf("%q: token %d is %q in the file, want %q", text, i, got, w.source[i])
		}
	}
}

func findScalar(n *Node, text string) *Node {
	if n.Kind == Scalar && n.Text == text {
		return n
	}
	for _, p := range n.Pairs {
		if found := findScalar(p.Value, text); found != nil {
			return found
		}
	}
	for _, i := range n.Items {
		if found := findScalar(i, text); found != nil {
			return found
		}
	}
	return nil
}

// In brackets only the styles of one line occur.
func TestPlacesInBrackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ws []writtenScalar
		text := "a: {k: ["
		for i := range rapid.IntRange(1, 5).Draw(t, "n") {
			w := drawScalar(t, "", "\n")
			if w.style == Block {
				continue
			}
			w.text = strings.TrimSuffix(w.text, "\n")
			if i > 0 && len(ws) > 0 {
				text += rapid.SampledFrom([]string{", ", ",\n   ", " , "}).Draw(t, "comma")
			}
			text += w.body
			ws = append(ws, w)
		}
		text += "]}\n"
		n, ds := Parse(source.NewFile("f.yaml", text))
		if len(ds) > 0 {
			t.Fatalf("%q: %v", text, ds[0])
		}
		list := n.Get("a").Get("k")
		if got := list.Span.Text(); got != text[len("a: {k: "):len(text)-2] {
			t.Fatalf("list is %q", got)
		}
		for i, w := range ws {
			checkTokens(t, list.Items[i], w, text)
		}
	})
}

func TestSpanOfEdges(t *testing.T) {
	n, _ := Parse(source.NewFile("f.yaml", "a: 'x''y'\nb: |\r\n  p\r\n  qé\r\nc:\nd: \"\"\ne: né\n"))
	for _, test := range []struct {
		key      string
		from, to int
		want     string
	}{
		{"a", 1, 2, "''"},
		{"a", 3, 3, "y"},
		{"a", -5, 99, "x''y"},
		{"b", 0, 3, "p\r\n  q"},
		{"b", 1, 2, "\r\n"},
		{"b", 2, 2, "q"},
		{"b", 3, 3, "é"},
		{"c", 0, 0, "c"},
		{"d", 0, 0, `""`},
		{"e", 3, 3, "é"},
	} {
		if got := n.Get(test.key).SpanOf(test.from, test.to).Text(); got != test.want {
			t.Errorf("%s[%d:%d] = %q, want %q", test.key, test.from, test.to, got, test.want)
		}
	}
}

func TestSpansOfNodes(t *testing.T) {
	n, ds := Parse(source.NewFile("f.yaml", "a:\n  b: 1\n  c: [x, {y: z } ] # end\nd:\n  - p\n  -\ne: {}\nf: [\n  1, # one\n]\ng: |\n  h\n\n"))
	if len(ds) > 0 {
		t.Fatal(ds[0])
	}
	for _, test := range []struct {
		n    *Node
		want string
	}{
		{n.Get("a"), "b: 1\n  c: [x, {y: z } ]"},
		{n.Get("a").Get("c"), "[x, {y: z } ]"},
		{n.Get("a").Get("c").Items[1], "{y: z }"},
		{n.Get("d"), "- p\n  -"},
		{n.Get("d").Items[1], "-"},
		{n.Get("e"), "{}"},
		{n.Get("f"), "[\n  1, # one\n]"},
		{n.Get("g"), "|\n  h"},
	} {
		if got := test.n.Span.Text(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if got := strings.Join(n.Keys(), " "); got != "a d e f g" {
		t.Errorf("keys %q", got)
	}
	if m := n.With(n.Pairs[:1]); len(m.Keys()) != 1 || len(n.Keys()) != 5 || m.Span != n.Span {
		t.Error("With changes the node itself")
	}
}
