package syntax

import "github.com/houserules/houserules/dsl/source"

// TextOf returns the text with the given value, whose bytes stand in the file
// where span says.
func TextOf(value string, span func(from, to int) source.Span) Text { return Text{value, span} }

// FileText returns the whole text of a file. The compiler reads texts out of
// YAML; this one is for tools and tests.
func FileText(f *source.File) Text {
	return Text{f.Text, func(from, to int) source.Span { return source.Span{File: f, Start: from, End: to} }}
}

// trimmed returns the text without white space at its ends.
func (t Text) trimmed() Text {
	from, to := 0, len(t.Value)
	for from < to && isSpace(t.Value[from]) {
		from++
	}
	for to > from && isSpace(t.Value[to-1]) {
		to--
	}
	return t.Slice(from, to)
}

// unquoted returns the inside of a double-quoted text of a script with \" \\
// and \n resolved, every byte still at its true place.
func (t Text) unquoted() Text {
	inner := t.Slice(1, len(t.Value)-1)
	value := make([]byte, 0, len(inner.Value))
	at := make([]int, 0, len(inner.Value)+1) // offset in inner of each byte of value
	for i := 0; i < len(inner.Value); i++ {
		c := inner.Value[i]
		at = append(at, i)
		if c == '\\' && i+1 < len(inner.Value) {
			i++
			if c = inner.Value[i]; c == 'n' {
				c = '\n'
			}
		}
		value = append(value, c)
	}
	at = append(at, len(inner.Value))
	return Text{string(value), func(from, to int) source.Span { return inner.Span(at[from], at[to]) }}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) }

// wordEnd returns where the word that starts at i ends.
func wordEnd(s string, i int) int {
	for i < len(s) && isWordByte(s[i]) {
		i++
	}
	return i
}

// isName reports whether s is a name: letters, digits, underscores, no digit first.
func isName(s string) bool {
	return s != "" && isLetter(s[0]) && wordEnd(s, 0) == len(s)
}
