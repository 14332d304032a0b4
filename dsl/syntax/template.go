package syntax

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// ParseTemplate reads a sentence with formulas in braces. It never returns
// nil; formulas that do not parse are reported and left out.
func ParseTemplate(t Text, ds *source.List) *Template {
	out := &Template{Place: t.Whole()}
	if len(t.Value) > MaxTextBytes {
		ds.Errorf("E0201", t.Span(MaxTextBytes, len(t.Value)), "this text is too long").WithHelp("at most %d bytes", MaxTextBytes)
		return out
	}
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			out.Parts = append(out.Parts, TemplatePart{Text: lit.String()})
			lit.Reset()
		}
	}
	s := t.Value
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case (c == '{' || c == '}') && i+1 < len(s) && s[i+1] == c:
			lit.WriteByte(c)
			i++
		case c == '{':
			end := formulaEnd(s, i+1)
			if end < 0 {
				ds.Errorf("E0201", t.Span(i, i+1), "`{` is not closed").WithHelp("a formula ends with `}`; for a brace itself write `{{`")
				flush()
				return out
			}
			flush()
			if e := ParseExpr(t.Slice(i+1, end), ds); e != nil {
				out.Parts = append(out.Parts, TemplatePart{Expr: e})
			}
			i = end
		case c == '}':
			ds.Errorf("E0201", t.Span(i, i+1), "`}` without a `{` that it closes").WithHelp("for a brace itself write `}}`")
		default:
			lit.WriteByte(c)
		}
	}
	flush()
	return out
}

// formulaEnd returns where the `}` stands that ends a formula begun at i, or
// -1. Quoted texts in the formula may hold a `}`.
func formulaEnd(s string, i int) int {
	first := strings.IndexByte(s[i:], '}')
	if first < 0 {
		return -1
	}
	for j := i; j < len(s); j++ {
		switch c := s[j]; c {
		case '}':
			return j
		case '{':
			return -1
		case '"', '\'':
			end := quoteEnd(s, j)
			if end < 0 { // not closed: let ParseExpr say so
				return i + first
			}
			j = end
		}
	}
	return i + first
}

// quoteEnd returns where the quote at i is closed, on the same line, or -1.
func quoteEnd(s string, i int) int {
	for j := i + 1; j < len(s) && s[j] != '\n'; j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j
		}
	}
	return -1
}
