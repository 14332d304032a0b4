package rulebook

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl"
)

// formula writes a value as a text: what is known beforehand as it is, what has
// a name by its name, and anything else as it stands in the file.
func formula(e *dsl.Expr) Text {
	if e == nil {
		return nil
	}
	if c, ok := constantOf(e); ok {
		return words(c.String())
	}
	if name := nameOf(e); name != "" {
		return Text{{Style: Value, Text: name}}
	}
	return written(e)
}

// written writes a formula as it stands in the file, but for options that are
// numbers: they are written as what they are. What a house rule puts around a
// formula calls that `it`, so it is said what that is.
func written(e *dsl.Expr) Text {
	at := e.Span
	text := at.Text()
	var inner *dsl.Expr
	values := map[int]*dsl.Expr{} // by where they begin
	var look func(x *dsl.Expr)
	look = func(x *dsl.Expr) {
		if x == nil { // as the second part of a sum that has none
			return
		}
		s := x.Span
		switch {
		case s.File == nil:
		case s.File != at.File || s.Start < at.Start || s.End > at.End:
			if inner == nil {
				inner = x
			}
			return
		case x.Op == dsl.OpParam && x.Type.Kind == dsl.KInt:
			values[s.Start] = x
		}
		for _, a := range x.Args {
			look(a)
		}
	}
	look(e)
	starts := slices.Sorted(maps.Keys(values))
	slices.Reverse(starts)
	for _, start := range starts {
		x := values[start]
		if c, ok := constantOf(x); ok {
			text = text[:start-at.Start] + c.String() + text[x.Span.End-at.Start:]
		}
	}
	out := code(text)
	if inner != nil {
		out = join(out, words(", where "), code("it"), words(" is "), written(inner))
	}
	return out
}

func code(s string) Text { return Text{{Style: Source, Text: strings.Join(strings.Fields(s), " ")}} }

// nameOf is what people call a value that only a game knows, or "".
func nameOf(e *dsl.Expr) string {
	own := len(e.Args) == 0 || isPerson(e.Args[0])
	switch ref := e.Ref.(type) {
	case *dsl.Var:
		if e.Op == dsl.OpState && own {
			return ref.Label()
		}
		if e.Op == dsl.OpState && e.Args[0] != nil && e.Args[0].Op == dsl.OpLocal {
			return ref.Label() + " of " + nameOf(e.Args[0])
		}
	case *dsl.Table:
		if e.Op == dsl.OpTable && len(e.Args) == 0 {
			return ref.Label()
		}
	case *dsl.Zone:
		if e.Op == dsl.OpZone && own {
			return ref.Label()
		}
	case *dsl.Define:
		if e.Op == dsl.OpCall && (len(ref.Params) == 0 || len(e.Args) == 1 && isPerson(e.Args[0])) {
			name := ref.Label()
			return name[strings.LastIndexByte(name, '.')+1:]
		}
	case *dsl.Local:
		if e.Op != dsl.OpLocal {
			return ""
		}
		return strings.ReplaceAll(ref.Name, "_", " ")
	case *dsl.Ghost:
		return ref.Label()
	}
	switch e.Op {
	case dsl.OpMe, dsl.OpActive:
		return "player"
	case dsl.OpWinners:
		return "winners"
	}
	return ""
}

// isPerson reports whether a formula is the player who is meant without being
// named.
func isPerson(e *dsl.Expr) bool { return e != nil && (e.Op == dsl.OpMe || e.Op == dsl.OpActive) }

// sentence writes a sentence with what its formulas are.
func sentence(t *dsl.Template) Text {
	if t == nil {
		return nil
	}
	var out Text
	for _, p := range t.Parts {
		switch {
		case p.Expr != nil:
			out = append(out, formula(p.Expr)...)
		case p.Text != "":
			out = append(out, Span{Text: p.Text})
		}
	}
	return out
}

// capital begins a title with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// clean takes out what cannot be printed and what turns the direction of a
// text, and makes one blank of any white space.
func clean(s string) string {
	return strings.Join(strings.Fields(cleanLines(s)), " ")
}

// cleanLines is clean for texts whose lines stay as they are.
func cleanLines(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069,
			r == 0xFFFE, r == 0xFFFF, r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
}

// spaced is a span's text with single blanks, but for those at its ends.
func spaced(s string) string {
	out := clean(s)
	switch {
	case out == "" && s != "":
		return " "
	case out == "":
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) {
		out = " " + out
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsSpace(last) {
		out += " "
	}
	return out
}

// union are the ids of several lists, each once.
func union(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		for _, id := range l {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}
