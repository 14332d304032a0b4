package yamltree

import (
	"regexp"
	"strings"
)

// A flowScan follows one map or list in brackets to its end.
type flowScan struct {
	*scanner
	pos    int
	indent int   // of the line on which the outermost bracket stands
	open   []int // offsets of the open brackets
	whole  bool  // a value is complete: only , : or a closing bracket may follow
}

// flow scans the brackets at p and returns the offset behind them. If they are
// not closed it notes so, sets s.pos to the line where it gave up and returns
// false.
func (s *scanner) flow(p int) (end int, ok bool) {
	line := p
	for line > startOf(s.text) && s.text[line-1] != '\n' {
		line--
	}
	fs := &flowScan{scanner: s, pos: p, indent: s.skipBlanks(line) - line}
	for fs.pos < len(s.text) {
		if !fs.step() {
			s.pos = fs.pos
			return 0, false
		}
		if len(fs.open) == 0 {
			return fs.pos, true
		}
	}
	s.note(openBracket, fs.open[len(fs.open)-1], fs.open[len(fs.open)-1]+1)
	s.pos = len(s.text)
	return 0, false
}

// step scans one token and reports whether to go on.
func (fs *flowScan) step() bool {
	p := fs.pos
	switch c := fs.text[p]; {
	case c == '\n':
		return fs.newLine()
	case blank(c) || c == '\r':
		fs.pos++
	case c == '#':
		fs.comment()
	case c == '"' || c == '\'':
		fs.quote()
	case c == '[' || c == '{':
		return fs.openAt(p)
	case c == ']' || c == '}':
		fs.closeAt(p)
	case c == ',' || c == ':' && (fs.whole || fs.blankOrEnd(p+1)):
		fs.whole = false
		fs.pos++
	case c == '?':
		fs.note(questionInValue, p, p+1)
		fs.pos++
	case c == '-' && fs.blankOrEnd(p+1):
		fs.note(dashInValue, p, p+1)
		fs.pos++
	case strings.IndexByte("|>&*!%@`", c) >= 0:
		fs.note(badStart, p, p+1)
		fs.pos++
		fs.skipPlain()
	default:
		if fs.whole {
			fs.note(afterBracket, p, fs.wordEnd(p))
		}
		fs.skipPlain()
	}
	return true
}

var keyLine = regexp.MustCompile(`^[A-Za-z_"'][^\s:]*:(?:\s|$)`)

// newLine goes to the next line, unless it looks as if the brackets had been
// left open by mistake.
func (fs *flowScan) newLine() bool {
	p := fs.pos + 1
	q := fs.skipBlanks(p)
	lost := p < len(fs.text) && fs.marker(p) ||
		q-p <= fs.indent && keyLine.MatchString(fs.text[q:min(q+256, len(fs.text))])
	if lost {
		last := fs.open[len(fs.open)-1]
		fs.note(openBracket, last, last+1)
		fs.pos = p
		return false
	}
	fs.pos = fs.indentation(p)
	return true
}

func (fs *flowScan) comment() {
	end := fs.lineEnd(fs.pos)
	if strings.ContainsAny(fs.text[fs.pos:end], ")]}") {
		fs.note(commentInFlow, fs.pos, end)
	}
	fs.pos = end
}

func (fs *flowScan) quote() {
	p := fs.pos
	if fs.whole {
		fs.note(afterBracket, p, p+1)
	}
	end, ok := fs.quoted(p, true)
	fs.pos, fs.whole = end, false
	if !ok {
		fs.note(openQuote, p, fs.trimEnd(p))
		return
	}
	q := fs.skipBlanks(end)
	if !fs.atEnd(q) && strings.IndexByte(",:]}#", fs.text[q]) < 0 {
		fs.note(afterQuote, q, fs.wordEnd(q))
		fs.pos = q
		fs.skipPlain()
		return
	}
	fs.whole = true
}

func (fs *flowScan) openAt(p int) bool {
	if fs.whole {
		fs.note(bracketInValue, p, p+1)
	}
	fs.open = append(fs.open, p)
	fs.pos, fs.whole = p+1, false
	if fs.tooNested(len(fs.open)) {
		fs.note(nested, p, p+1)
		fs.pos = len(fs.text)
		return false
	}
	return true
}

func (fs *flowScan) closeAt(p int) {
	last := fs.open[len(fs.open)-1]
	if (fs.text[last] == '[') != (fs.text[p] == ']') {
		fs.note(wrongBracket, p, p+1).other = last
	}
	fs.open = fs.open[:len(fs.open)-1]
	fs.pos, fs.whole = p+1, true
}

// skipPlain skips unquoted text.
func (fs *flowScan) skipPlain() {
	fs.whole = true
	for ; !fs.atEnd(fs.pos); fs.pos++ {
		c := fs.text[fs.pos]
		if strings.IndexByte(",[]{}?", c) >= 0 || fs.colon(fs.pos) || c == '#' && blank(fs.text[fs.pos-1]) {
			return
		}
	}
}
