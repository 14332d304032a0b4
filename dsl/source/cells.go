package source

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// tabStop is how far apart tab stops are when a line of a file is shown.
const tabStop = 4

// A cell is one character of a line as it is shown: a whole grapheme, which may
// be two columns wide, or the blanks of a tab.
type cell struct {
	text  string
	width int
	at    int // byte offset in the line
}

// cells splits a line for showing. Characters that could disturb a terminal
// are replaced.
func cells(line string) []cell {
	var out []cell
	col, at := 0, 0
	for g := displaywidth.StringGraphemes(line); g.Next(); {
		text, width := g.Value(), g.Width()
		c := cell{text: text, width: width, at: at}
		at += len(text)
		switch {
		case text == "\t":
			c.width = tabStop - col%tabStop
			c.text = strings.Repeat(" ", c.width)
		case disturbing(text):
			c.text, c.width = "\uFFFD", 1
		}
		col += c.width
		out = append(out, c)
	}
	return out
}

// disturbing reports whether a character cannot be shown as it is: control
// characters, what is not UTF-8, and what turns the direction of writing.
func disturbing(text string) bool {
	for _, r := range text {
		switch {
		case unicode.IsControl(r), r == unicode.ReplacementChar, r == 0x2028, r == 0x2029, r == 0xFEFF:
			return true
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F:
			return true
		}
	}
	return false
}

// clean makes a text safe to show on one line.
func clean(text string) string {
	if !disturbing(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case disturbing(string(r)):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// A shown line is the part of a line that fits the screen, with the columns of
// a marked stretch.
type shownLine struct {
	text       string
	start, end int // columns of the mark in text, end exclusive
}

// show prepares a line of which the bytes [from, to) are marked. If width is
// above 0 the line is clipped to it, so that the mark stays in view.
func show(line string, from, to, width int, more string) shownLine {
	cs := cells(line)
	total, start, end := 0, -1, -1
	for i, c := range cs {
		next := len(line)
		if i+1 < len(cs) {
			next = cs[i+1].at
		}
		if start < 0 && next > from {
			start = total
		}
		total += c.width
		if c.at < to {
			end = total
		}
	}
	if start < 0 {
		start = total // at the end of the line
	}
	end = max(end, start+1)
	if width <= 0 || max(total, end) <= width {
		return shownLine{joinCells(cs), start, end}
	}
	return clip(cs, total, start, end, width, more)
}

// clip cuts a line of total columns to a window around the mark.
func clip(cs []cell, total, start, end, width int, more string) shownLine {
	dots := displaywidth.String(more)
	width = max(width, 2*dots+8)
	room := width - 2*dots
	left := 0
	if end > width-dots {
		left = start - room/3
		if end-start <= room {
			left = max(left, end-room)
		}
		left = max(0, min(left, total-(width-dots))) // at the end of the line no dots follow
	}
	var b strings.Builder
	col, used, limit := 0, 0, left+room
	if left == 0 {
		limit = width - dots
	} else {
		b.WriteString(more)
	}
	if total <= limit+dots {
		limit = total
	}
	for _, c := range cs {
		if col >= left && col+c.width <= limit {
			b.WriteString(c.text)
			used += c.width
		} else if col < limit && col+c.width > left {
			n := min(col+c.width, limit) - max(col, left) // a wide character on the edge
			b.WriteString(strings.Repeat(" ", n))
			used += n
		}
		col += c.width
	}
	shift := left
	if left > 0 {
		shift -= dots
	}
	if total > limit {
		b.WriteString(more)
	}
	s, e := max(start-shift, 0), min(end-shift, limit-shift)
	if end > total {
		e = end - shift
	}
	return shownLine{b.String(), s, max(e, s+1)}
}

func joinCells(cs []cell) string {
	var b strings.Builder
	for _, c := range cs {
		b.WriteString(c.text)
	}
	return b.String()
}

// Fill breaks a text at blanks into lines of at most so many terminal cells,
// where words allow it. There is always a line.
func Fill(text string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		switch {
		case line == "":
			line = w
		case displaywidth.String(line)+1+displaywidth.String(w) > width:
			out = append(out, line)
			line = w
		default:
			line += " " + w
		}
	}
	return append(out, line)
}
