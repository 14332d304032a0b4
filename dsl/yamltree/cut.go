package yamltree

import (
	"regexp"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// checkCut reports values that YAML has silently cut short: a comment that was
// meant as part of the value, or a comma inside a call inside brackets.
func (r *reader) checkCut(n *Node, p place) {
	text := r.f.Text
	s := &scanner{text: text}
	missing := n.Empty && n.Text == ""
	if n.Style != Plain || n.Span.End > len(text) {
		return
	}
	q := s.skipBlanks(n.Span.End)
	if missing && s.colon(q) {
		q = s.skipBlanks(q + 1)
	}
	if q >= len(text) {
		return
	}
	switch {
	case text[q] == '#' && q > n.Span.End && !proseComment(text[q:s.lineEnd(q)]):
		r.commentError(n, q, "a comment needs a blank after the `#`", missing)
	case text[q] == '#' && q > n.Span.End && !missing && incomplete(n.Text):
		r.commentError(n, q, "the value is cut short by this comment", false)
	case text[q] == ',' && p.flow && !missing && openBrackets(n.Text) > 0:
		r.errorf("E0102", r.span(q, q+1), "not valid YAML here: a `,` ends a value that stands in brackets without quotes").
			WithLabel("the value ends here").
			WithHelp("put the formula in single quotes")
	}
}

func (r *reader) commentError(n *Node, at int, message string, missing bool) {
	s := &scanner{text: r.f.Text}
	d := r.errorf("E0107", r.span(at, s.trimEnd(at)), "%s", message).
		WithLabel("YAML skips everything from the `#` on")
	from := n.Span.Start
	if missing {
		from = at
	}
	whole := r.span(from, s.trimEnd(at))
	d.WithHelp("if this belongs to the value, put all of it in single quotes").
		WithEdit(whole, singleQuoted(whole.Text()))
	d.WithHelp("if it is a comment, write `# ` with a blank, behind a complete value")
}

func singleQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// proseComment reports whether a comment is written with a blank behind its #.
func proseComment(comment string) bool {
	rest := strings.TrimLeft(comment, "#")
	return rest == "" || blank(rest[0])
}

var endsOpen = regexp.MustCompile(`(?:[-+*/%<>=&|,([{]|\b(?:and|or|not|in))$`)

// incomplete reports whether a text can hardly be the whole of a formula.
func incomplete(text string) bool { return endsOpen.MatchString(text) || openBrackets(text) > 0 }

// openBrackets returns how many brackets and quotes stay open in a text.
func openBrackets(text string) int {
	open := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{':
			open++
		case c == ')' || c == ']' || c == '}':
			open = max(open-1, 0)
		case c == '"' || c == '\'' && (i == 0 || !wordByte(text[i-1])):
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return open + 1
			}
			i += end + 1
		}
	}
	return open
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80 || c == '_'
}

// reportStart reports a value that starts with a character that means an
// anchor, alias or tag, or nothing, to YAML.
func reportStart(ds *source.List, at source.Span) *source.Diagnostic {
	text := at.Text()
	quote := "if it belongs to a formula, put the formula in single quotes"
	switch {
	case strings.HasPrefix(text, "&"):
		return ds.Errorf("E0105", at, "anchors (`%s`) are not allowed", text).
			WithHelp("give the thing a name under `define`, and use the name").WithHelp("%s", quote)
	case strings.HasPrefix(text, "*"):
		return ds.Errorf("E0105", at, "aliases (`%s`) are not allowed", text).
			WithHelp("give the thing a name under `define`, and use the name").WithHelp("%s", quote)
	case strings.HasPrefix(text, "!"):
		return ds.Errorf("E0106", at, "tags (`%s`) are not allowed", text).
			WithHelp("in a formula write `not x`, with the word")
	}
	return nil
}
