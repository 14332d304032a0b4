package repl

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// screen is how wide tables and lists may become.
const screen = 80

// pad fills a text up with blanks to a width in terminal cells.
func pad(text string, width int) string {
	if n := width - displaywidth.String(text); n > 0 {
		return text + strings.Repeat(" ", n)
	}
	return text
}

// Table writes rows as columns that begin in the same terminal cell on every
// line. What ends a line needs no room in its column.
func Table(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(row)-1 {
				widths[i] = max(widths[i], displaywidth.String(c))
			}
		}
	}
	var out []string
	for _, row := range rows {
		var b strings.Builder
		for i, c := range row {
			if i < len(row)-1 {
				c = pad(c, widths[i]+2)
			}
			b.WriteString(c)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// wrap breaks a text at blanks into lines of at most so many terminal cells,
// where words allow it. The lines after the first are indented more.
func wrap(text string, width int) []string {
	body := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(body)]
	var out []string
	line := ""
	for i, w := range strings.Split(body, " ") {
		switch {
		case i == 0:
			line = indent + w
		case displaywidth.String(line)+1+displaywidth.String(w) > width:
			out = append(out, line)
			line = indent + "  " + w
		default:
			line += " " + w
		}
	}
	return append(out, line)
}

// clean makes a typed text safe to be printed: what could move the cursor of a
// terminal becomes a question mark.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// list joins names as in a sentence.
func list(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nobody"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
