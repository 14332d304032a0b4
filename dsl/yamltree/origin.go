package yamltree

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The library gives the value of a scalar and where it starts, but not where
// each byte of the value stands. This file reads scalars again, straight from
// the text of the file, and writes down where every piece came from. The caller
// trusts the result only if it equals the library's value.

// An origin is a scalar being read again.
type origin struct {
	value strings.Builder
	runs  []run
	end   int // offset behind the scalar
}

// add appends a piece of the value that stands at [from, to) of the file.
func (o *origin) add(piece string, from, to int) {
	at := o.value.Len()
	o.value.WriteString(piece)
	if n := len(o.runs); n > 0 && to-from == len(piece) {
		if r := &o.runs[n-1]; r.exact() && r.from+r.width == from {
			r.size += len(piece)
			r.width += len(piece)
			return
		}
	}
	if piece != "" {
		o.runs = append(o.runs, run{at, len(piece), from, to - from})
	}
}

// plainOrigin reads an unquoted scalar, whose value is its text.
func plainOrigin(text string, at int, value string) *origin {
	o := &origin{end: min(at+len(value), len(text))}
	o.add(text[at:o.end], at, o.end)
	return o
}

// singleOrigin reads a scalar in single quotes on one line.
func singleOrigin(text string, at int) *origin {
	o := &origin{}
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] != '\'':
			o.add(text[i:i+1], i, i+1)
		case i+1 < len(text) && text[i+1] == '\'':
			o.add("'", i, i+2)
			i++
		default:
			o.end = i + 1
			return o
		}
	}
	return nil
}

// doubleOrigin reads a scalar in double quotes on one line.
func doubleOrigin(text string, at int) *origin {
	o := &origin{}
	for i := at + 1; i < len(text) && text[i] != '\n'; {
		switch text[i] {
		case '"':
			o.end = i + 1
			return o
		case '\\':
			piece, size := unescape(text[i:])
			if size == 0 {
				return nil
			}
			o.add(piece, i, i+size)
			i += size
		default:
			o.add(text[i:i+1], i, i+1)
			i++
		}
	}
	return nil
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': "\"", '\'': "'", '/': "/", '\\': "\\", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// unescape reads the escape at the start of rest and returns what it stands
// for and its length, which is 0 if it is none.
func unescape(rest string) (string, int) {
	if len(rest) < 2 {
		return "", 0
	}
	if s, ok := escapes[rest[1]]; ok {
		return s, 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[1]]
	if digits == 0 || len(rest) < 2+digits {
		return "", 0
	}
	n, err := strconv.ParseUint(rest[2:2+digits], 16, 32)
	if err != nil || n > utf8.MaxRune || n >= 0xD800 && n <= 0xDFFF {
		return "", 0
	}
	return string(rune(n)), 2 + digits
}

// blockOrigin reads a | scalar whose indicator is at the offset. Parent is the
// column, from 0, of the map or list around it, or -1.
func blockOrigin(text string, at, parent int) *origin {
	indent, chomp, p := 0, byte(0), at+1
	for ; p < len(text) && strings.IndexByte("+-123456789", text[p]) >= 0; p++ {
		if c := text[p]; c == '+' || c == '-' {
			chomp = c
		} else {
			indent = max(parent, 0) + int(c-'0')
		}
	}
	i := strings.IndexByte(text[p:], '\n')
	if i < 0 {
		return &origin{end: p}
	}
	b := &blockReader{origin: origin{end: p}, text: text, pos: p + i + 1, indent: indent, least: max(parent+1, 1)}
	b.lines()
	if chomp != '-' {
		b.flush(b.lastBreak)
	}
	if chomp == '+' {
		b.flush(b.breaks)
	}
	return &b.origin
}

// A blockReader reads the lines of a block scalar.
type blockReader struct {
	origin
	text      string
	pos       int
	indent    int    // 0 until it is known
	least     int    // that the indentation must be
	lastBreak []span // line end behind the last line with content
	breaks    []span // line ends of the empty lines since
}

type span struct{ from, to int }

func (b *blockReader) lines() {
	b.emptyLines()
	for b.pos < len(b.text) {
		p := b.pos
		for p < len(b.text) && p-b.pos < b.indent && b.text[p] == ' ' {
			p++
		}
		if p-b.pos < b.indent || p >= len(b.text) {
			return
		}
		b.flush(b.lastBreak)
		b.flush(b.breaks)
		b.lastBreak, b.breaks = nil, nil
		end := p
		for end < len(b.text) && !lineBreak(b.text[end:]) {
			end++
		}
		b.add(b.text[p:end], p, end)
		b.end, b.pos = end, end
		if end < len(b.text) {
			b.lastBreak = []span{b.takeBreak(end)}
		}
		b.emptyLines()
	}
}

// emptyLines reads lines that hold nothing but indentation, and settles the
// indentation if it is not known yet.
func (b *blockReader) emptyLines() {
	most := 0
	for {
		p := b.pos
		for p < len(b.text) && b.text[p] == ' ' && (b.indent == 0 || p-b.pos < b.indent) {
			p++
		}
		most = max(most, p-b.pos)
		if p >= len(b.text) || !lineBreak(b.text[p:]) {
			break
		}
		b.breaks = append(b.breaks, b.takeBreak(p))
	}
	if b.indent == 0 {
		b.indent = max(most, b.least)
	}
}

func (b *blockReader) takeBreak(p int) span {
	from := p
	if b.text[p] == '\r' {
		p++
	}
	b.pos = p + 1
	return span{from, b.pos}
}

func (b *blockReader) flush(breaks []span) {
	for _, s := range breaks {
		b.add("\n", s.from, s.to)
	}
}

func lineBreak(rest string) bool { return rest[0] == '\n' || strings.HasPrefix(rest, "\r\n") }
