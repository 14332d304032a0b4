package syntax

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/source"
)

// tokenKind is the kind of a token of a formula.
type tokenKind uint8

const (
	tokName  tokenKind = iota // also words that are operators elsewhere, after a dot
	tokInt                    // whole number
	tokBool                   // true, false
	tokText                   // quoted text
	tokOp                     // operators, also and or not in, and . ?. , ? :
	tokOpen                   // ( [
	tokClose                  // ) ]
)

// A token of a formula. Offsets are into the text of the formula.
type token struct {
	kind     tokenKind
	text     string // as written
	from, to int
	number   int64  // of tokInt
	value    string // of tokText
	implied  bool   // the `it` in front of a bare .name
}

// A lexer cuts a formula into tokens. It refuses everything that expr knows
// and formulas here do not.
type formulaLexer struct {
	text Text
	ds   *source.List
	pos  int
	out  []token
	bad  bool
}

// lexFormula returns the tokens of a formula; ok is false after an error.
func lexFormula(t Text, ds *source.List) (out []token, ok bool) {
	l := formulaLexer{text: t, ds: ds}
	for l.skipSpace(); l.pos < len(t.Value) && !l.bad; l.skipSpace() {
		l.next()
	}
	return l.out, !l.bad
}

func (l *formulaLexer) skipSpace() {
	for l.pos < len(l.text.Value) && isSpace(l.text.Value[l.pos]) {
		l.pos++
	}
}

func (l *formulaLexer) rest() string { return l.text.Value[l.pos:] }

func (l *formulaLexer) emit(kind tokenKind, n int) *token {
	l.out = append(l.out, token{kind: kind, text: l.text.Value[l.pos : l.pos+n], from: l.pos, to: l.pos + n})
	l.pos += n
	return &l.out[len(l.out)-1]
}

// fail reports an error about the next n bytes and stops the lexer.
func (l *formulaLexer) fail(code string, n int, format string, args ...any) *source.Diagnostic {
	l.bad = true
	return l.ds.Errorf(code, l.text.Span(l.pos, l.pos+n), format, args...)
}

func (l *formulaLexer) next() {
	switch c := l.text.Value[l.pos]; {
	case isLetter(c):
		l.word()
	case isDigit(c):
		l.number()
	case c == '"' || c == '\'':
		l.quoted(c)
	case c == '(' || c == '[':
		l.emit(tokOpen, 1)
	case c == ')' || c == ']':
		l.emit(tokClose, 1)
	case c >= utf8.RuneSelf:
		l.foreign()
	default:
		l.operator()
	}
}

// afterDot reports whether the last token is a dot, so that any word is a name.
func (l *formulaLexer) afterDot() bool {
	n := len(l.out)
	return n > 0 && (l.out[n-1].text == "." || l.out[n-1].text == "?.") && l.out[n-1].kind == tokOp
}

func (l *formulaLexer) word() {
	n := wordEnd(l.rest(), 0)
	word := l.rest()[:n]
	if r, _ := utf8.DecodeRuneInString(l.rest()[n:]); r >= utf8.RuneSelf && unicode.IsLetter(r) {
		l.foreign()
		return
	}
	if l.afterDot() {
		l.emit(tokName, n)
		return
	}
	switch word {
	case "and", "or", "not", "in":
		l.emit(tokOp, n)
	case "true", "false":
		l.emit(tokBool, n)
	case "nil", "null":
		l.fail("E0216", n, "`%s` is not a part of formulas", word).WithHelp("write `none`")
	case "if":
		l.fail("E0216", n, "`if` is not a part of formulas").WithHelp("%s", helpChoice)
	case "let":
		l.fail("E0216", n, "`let` is not a part of formulas").WithHelp("give the value a name under `define`")
	default:
		l.emit(tokName, n)
	}
}

const helpChoice = "write `CONDITION ? VALUE : OTHER_VALUE`, or a lookup under `define`"

func (l *formulaLexer) number() {
	s := l.rest()
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	digits := s[:n]
	end := wordEnd(s, n)
	switch {
	case n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]):
		end = wordEnd(s, n+1)
		l.fail("E0216", end, "`%s` is not a whole number", s[:end]).WithHelp("numbers are whole; count in smaller units")
	case end > n && strings.Trim(s[n:end], "0123456789_") == "":
		l.fail("E0216", end, "a number is written without `_`").WithHelp("write `%s`", strings.ReplaceAll(s[:end], "_", ""))
	case end > n && digits == "0" && strings.ContainsRune("xXoObB", rune(s[n])):
		d := l.fail("E0216", end, "`%s` is not a decimal number", s[:end])
		if v, err := strconv.ParseInt(s[:end], 0, 64); err == nil {
			d.WithHelp("write `%d`", v)
		}
	case end > n:
		l.fail("E0201", end, "`%s` is neither a number nor a name", s[:end]).WithHelp("a name begins with a letter; between a number and a name stands an operator such as `*`")
	case n > 1 && s[0] == '0':
		d := l.fail("E0216", n, "a number does not begin with 0")
		if trimmed := strings.TrimLeft(digits, "0"); trimmed != "" {
			d.WithHelp("write `%s`", trimmed)
		} else {
			d.WithHelp("write `0`")
		}
	default:
		v, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			l.fail("E0201", n, "this number is too large").WithHelp("the largest number is 9223372036854775807")
			return
		}
		l.emit(tokInt, n).number = v
	}
}

func (l *formulaLexer) quoted(quote byte) {
	s := l.rest()
	var value strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			l.emit(tokText, i+1).value = value.String()
			return
		case c == '\n' || c == '\r':
			l.fail("E0201", 1, "this text is not closed").WithHelp("it must end with %c on the same line", quote)
			return
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\"'`, s[i+1]) >= 0:
			i++
			value.WriteByte(s[i])
		default:
			value.WriteByte(c)
		}
	}
	l.fail("E0201", 1, "this text is not closed").WithHelp("it must end with %c", quote)
}

// lookalikes are signs that word processors and people put for ours.
var lookalikes = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‘': "'", '’': "'", '‚': "'", '´': "'",
	'≤': "<=", '≥': ">=", '≠': "!=", '×': "*", '·': "*", '÷': "/", '−': "-", '–': "-", '—': "-", '…': "..", '\u00a0': " ",
}

func (l *formulaLexer) foreign() {
	s := l.rest()
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !(r < utf8.RuneSelf && isWordByte(byte(r))) {
			break
		}
		end += size
	}
	if end > 0 {
		l.fail("E0216", end, "`%s` is not a name", s[:end]).WithHelp("names are made of the letters a to z, digits and `_`; other letters may stand in quoted texts")
		return
	}
	r, size := utf8.DecodeRuneInString(s)
	d := l.fail("E0216", size, "`%s` is not a part of formulas", s[:size])
	switch ours, ok := lookalikes[r]; {
	case ok && ours == " ":
		d.Message = "a no-break space is not a part of formulas"
		d.WithHelp("write a plain space")
	case ok:
		d.WithHelp("write `%s`", ours)
	case r == utf8.RuneError && size == 1:
		d.Message = "this byte is not a character"
	}
}
