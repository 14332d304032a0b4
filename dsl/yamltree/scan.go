package yamltree

import (
	"regexp"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// The YAML library names the wrong line for many mistakes and never a column.
// So a scanner of our own walks over the text first. It knows just enough of
// YAML to follow indentation, quotes, brackets and blocks, and notes every
// place that looks like a mistake. Some of these we refuse whatever the library
// thinks (hard); the others only tell where to point once the library has
// refused the file, so a wrong guess does no harm.

// A cause says what kind of mistake a trouble is.
type cause uint8

const (
	tabIndent cause = iota
	tabBlank
	secondDocument
	directive
	nested
	colonInValue
	dashInValue
	badStart
	badEscape
	afterQuote
	afterBracket
	openQuote
	openBracket
	emptyKey
	wrongBracket
	bracketInValue
	questionInValue
	commentInFlow
	misaligned
	tooDeep
	blockDedent
	noColon
	noBlank
	itemAmongKeys
	keyAmongItems
)

// hard reports whether we refuse the file for this even if it is good YAML.
func (c cause) hard() bool {
	return c == tabIndent || c == secondDocument || c == directive || c == nested
}

// weak reports whether the trouble often is none.
func (c cause) weak() bool {
	return c == tabBlank || c == commentInFlow || c == noColon || c == noBlank
}

// A trouble is a place that looks like a mistake.
type trouble struct {
	cause      cause
	start, end int
	value      [2]int // of the whole value around it on its line, if known
	other      int    // offset of a second place, such as the opening bracket
}

// A level is one block map or list that is open at some line.
type level struct {
	col  int
	list bool // it began with a dash
	item bool // its last entry is one with a dash
	full bool // its last entry has a value on its own line
}

type scanner struct {
	text     string
	pos      int // start of the next line
	levels   []level
	content  bool // something of the document was seen
	started  bool // a --- was seen
	ended    bool // a ... was seen
	troubles []trouble
}

// scan walks over the whole text, or up to where it nests too deep.
func scan(f *source.File) []trouble {
	s := &scanner{text: f.Text, pos: startOf(f.Text)}
	for s.pos < len(s.text) && len(s.troubles) < 1000 && !s.tooNested(0) {
		s.line()
	}
	return s.troubles
}

func (s *scanner) note(c cause, start, end int) *trouble {
	s.troubles = append(s.troubles, trouble{cause: c, start: start, end: max(end, start)})
	return &s.troubles[len(s.troubles)-1]
}

// tooNested reports whether this many more levels would nest too deep.
func (s *scanner) tooNested(more int) bool { return len(s.levels)+more > MaxDepth }

// line scans one line that starts in block context, and what hangs on it.
func (s *scanner) line() {
	start := s.pos
	p := start
	if s.marker(p) {
		if p = s.document(p); p < 0 {
			return
		}
	}
	p = s.indentation(p)
	if s.atEnd(p) || s.text[p] == '#' {
		s.pos = s.nextLine(p)
		return
	}
	if s.ended {
		s.note(secondDocument, p, s.lineEnd(p))
		s.ended = false
	}
	s.content = true
	s.entries(start, p)
}

// indentation skips the blanks at the start of a line and notes tabs in them.
func (s *scanner) indentation(p int) int {
	start, tab := p, -1
	for ; p < len(s.text) && blank(s.text[p]); p++ {
		if tab < 0 && s.text[p] == '\t' {
			tab = p
		}
	}
	switch {
	case tab < 0:
	case s.atEnd(p):
		s.note(tabBlank, tab, p)
	default:
		s.note(tabIndent, tab, tab+1).value = [2]int{start, p}
	}
	return p
}

// marker reports whether a document marker or directive stands at p, the start
// of a line.
func (s *scanner) marker(p int) bool {
	rest := s.text[p:]
	return strings.HasPrefix(rest, "%") ||
		(strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...")) && s.blankOrEnd(p+3)
}

// document handles a marker and returns where the line goes on, or -1.
func (s *scanner) document(p int) int {
	switch s.text[p] {
	case '%':
		s.note(directive, p, s.lineEnd(p))
		s.pos = s.nextLine(p)
		return -1
	case '.':
		s.ended = true
	default:
		if s.content || s.started {
			s.note(secondDocument, p, p+3)
		}
		s.started, s.ended, s.levels = true, false, nil
	}
	return p + 3
}

// entries scans the dashes at the start of a line, then the key or value.
func (s *scanner) entries(lineStart, p int) {
	for (s.text[p] == '-' || s.text[p] == '?') && s.blankOrEnd(p+1) {
		s.enter(p-lineStart, p, s.text[p] == '-')
		q := s.skipBlanks(p + 1)
		if s.tooNested(0) || s.atEnd(q) || s.text[q] == '#' {
			s.pos = s.nextLine(q)
			return
		}
		if strings.Contains(s.text[p+1:q], "\t") {
			s.note(tabBlank, p+1, q)
		}
		p = q
	}
	end := s.keyEnd(p)
	if end < 0 {
		if word := s.text[p]; !strings.ContainsRune("\"'[{|>&*!%@`", rune(word)) {
			c, end := noColon, s.plainEnd(p)
			if gluedKey.MatchString(s.text[p:end]) {
				c = noBlank
			}
			s.note(c, p, end)
		}
		s.value(p, false)
		return
	}
	if end == p {
		s.note(emptyKey, p, p+1)
	}
	s.enter(p-lineStart, p, false)
	if !s.tooNested(0) {
		s.afterColon(end + 1)
	} else {
		s.pos = s.nextLine(p)
	}
}

// gluedKey is a key whose value follows without a blank.
var gluedKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*:[^:/]`)

// keyEnd returns where the colon behind the key at p is, or -1 if no key
// stands there.
func (s *scanner) keyEnd(p int) int {
	switch s.text[p] {
	case '"', '\'':
		end, ok := s.quoted(p, false)
		if end = s.skipBlanks(end); ok && s.colon(end) {
			return end
		}
		return -1
	case '[', '{', '|', '>', '%', '@', '`', '&', '*', '!':
		return -1
	}
	end := s.plainEnd(p)
	for i := p; i < end; i++ {
		if s.colon(i) {
			return i
		}
	}
	return -1
}

// enter opens or continues the map or list in a column.
func (s *scanner) enter(col, at int, item bool) {
	popped := false
	for n := len(s.levels); n > 0 && s.levels[n-1].col > col; n-- {
		s.levels = s.levels[:n-1]
		popped = true
	}
	n := len(s.levels)
	switch {
	case n > 0 && s.levels[n-1].col == col:
		l := &s.levels[n-1]
		switch {
		case item && !l.item && l.full:
			s.note(itemAmongKeys, at, at+1)
		case !item && l.list:
			s.note(keyAmongItems, at, s.wordEnd(at))
		}
		l.item, l.full = item, false
		return
	case popped:
		s.note(misaligned, at, s.wordEnd(at))
	case n > 0 && s.levels[n-1].full:
		s.note(tooDeep, at, s.wordEnd(at))
	}
	if s.levels = append(s.levels, level{col: col, list: item, item: item}); s.tooNested(0) {
		s.note(nested, at, at+1)
	}
}

// afterColon scans the value behind a key on the key's line.
func (s *scanner) afterColon(p int) {
	p = s.skipBlanks(p)
	if s.atEnd(p) || s.text[p] == '#' {
		s.pos = s.nextLine(p)
		return
	}
	s.value(p, true)
}

var blockHeader = regexp.MustCompile(`^[|>](?:[-+]?[1-9]?|[1-9][-+])[ \t]*(?:#.*)?\r?(?:\n|$)`)

// value scans a value in block context that starts at p.
func (s *scanner) value(p int, hasKey bool) {
	if n := len(s.levels); n > 0 {
		s.levels[n-1].full = true
	}
	s.pos = s.nextLine(p)
	switch c := s.text[p]; {
	case c == '"' || c == '\'':
		end, ok := s.quoted(p, true)
		if !ok {
			s.note(openQuote, p, s.trimEnd(p))
			return
		}
		s.after(afterQuote, p, end)
	case c == '[' || c == '{':
		if end, ok := s.flow(p); ok {
			s.pos = s.nextLine(end)
			s.after(afterBracket, p, end)
		}
	case (c == '|' || c == '>') && blockHeader.MatchString(s.text[p:s.pos]):
		s.block(p)
	case strings.IndexByte("|>&*!%@`,]}", c) >= 0, c == '?' && s.blankOrEnd(p+1):
		s.note(badStart, p, p+1).value = [2]int{p, s.trimEnd(p)}
	case c == '-' && s.blankOrEnd(p+1):
		s.note(dashInValue, p, p+1).value = [2]int{p, s.trimEnd(p)}
	case hasKey:
		end := s.plainEnd(p)
		for i := p; i < end; i++ {
			if s.colon(i) {
				s.note(colonInValue, i, i+1).value = [2]int{p, end}
				return
			}
		}
	}
}

// after notes text behind a closed quote or bracket.
func (s *scanner) after(c cause, start, end int) {
	p := s.skipBlanks(end)
	if s.atEnd(p) || s.text[p] == '#' {
		return
	}
	s.note(c, p, s.wordEnd(p)).value = [2]int{start, s.trimEnd(start)}
}

// block skips the lines of a block scalar whose indicator is at p.
func (s *scanner) block(p int) {
	parent, indent, most := -1, -1, 0
	if n := len(s.levels); n > 0 {
		parent = s.levels[n-1].col
	}
	for i := p + 1; i < s.pos && strings.IndexByte("+-123456789", s.text[i]) >= 0; i++ {
		if c := s.text[i]; c >= '1' {
			indent = max(parent, 0) + int(c-'0')
		}
	}
	for s.pos < len(s.text) {
		q := s.pos
		for q < len(s.text) && s.text[q] == ' ' && (indent < 0 || q-s.pos < indent) {
			q++
		}
		col := q - s.pos
		switch {
		case q < len(s.text) && s.text[q] == '\t' && (indent < 0 || col < indent):
			s.note(tabIndent, q, q+1).value = [2]int{s.pos, s.skipBlanks(q)}
		case s.atEnd(q):
			most = max(most, col)
		case indent < 0 && col > parent:
			indent = max(col, most)
		case indent < 0 || col < indent:
			if col > parent && s.text[q] != '#' {
				s.note(blockDedent, q, s.wordEnd(q))
			}
			return
		}
		s.pos = s.nextLine(q)
	}
}

// quoted returns where the quoted scalar at p ends, and whether it does so on
// its line.
func (s *scanner) quoted(p int, note bool) (end int, ok bool) {
	quote, limit := s.text[p], s.lineEnd(p)
	for i := p + 1; i < limit; i++ {
		switch c := s.text[i]; {
		case c == '\\' && quote == '"':
			_, size := unescape(s.text[i:limit])
			if size == 0 && note {
				s.note(badEscape, i, min(i+2, limit)).value = [2]int{p, s.trimEnd(p)}
			}
			i += max(size-1, 1)
		case c == quote && quote == '\'' && i+1 < limit && s.text[i+1] == '\'':
			i++
		case c == quote:
			return i + 1, true
		}
	}
	return limit, false
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// atEnd reports whether a line or the text ends at p.
func (s *scanner) atEnd(p int) bool {
	return p >= len(s.text) || s.text[p] == '\n' || s.text[p] == '\r'
}

func (s *scanner) blankOrEnd(p int) bool { return s.atEnd(p) || blank(s.text[p]) }

// colon reports whether a colon that ends a key stands at p.
func (s *scanner) colon(p int) bool {
	return p < len(s.text) && s.text[p] == ':' && s.blankOrEnd(p+1)
}

func (s *scanner) skipBlanks(p int) int {
	for p < len(s.text) && blank(s.text[p]) {
		p++
	}
	return p
}

// lineEnd returns where the text of the line around p ends.
func (s *scanner) lineEnd(p int) int {
	end := len(s.text)
	if i := strings.IndexByte(s.text[p:], '\n'); i >= 0 {
		end = p + i
	}
	if end > p && s.text[end-1] == '\r' {
		end--
	}
	return end
}

// trimEnd returns where the text of the line ends, without blanks.
func (s *scanner) trimEnd(p int) int {
	return p + len(strings.TrimRight(s.text[p:s.lineEnd(p)], " \t"))
}

func (s *scanner) nextLine(p int) int {
	if i := strings.IndexByte(s.text[p:], '\n'); i >= 0 {
		return p + i + 1
	}
	return len(s.text)
}

// plainEnd returns where unquoted text ends: at a comment or the end of line.
func (s *scanner) plainEnd(p int) int {
	end := s.trimEnd(p)
	for i := p + 1; i < end; i++ {
		if s.text[i] == '#' && blank(s.text[i-1]) {
			return p + len(strings.TrimRight(s.text[p:i], " \t"))
		}
	}
	return end
}

// wordEnd returns where the word at p ends, at least one character on.
func (s *scanner) wordEnd(p int) int {
	end := s.trimEnd(p)
	if i := strings.IndexAny(s.text[p:end], " \t:"); i > 0 {
		return p + i
	}
	return max(end, min(p+1, len(s.text)))
}
