package source

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Style says how diagnostics are shown to people.
type Style struct {
	Color bool // use the 16 base colours of a terminal
	Width int  // columns of the screen; longer lines are clipped, 0 for no limit
	ASCII bool // draw with ASCII only; text from files stays as it is
	// More is a command that explains a code, which is named once for each code;
	// "" for none.
	More string
	Bare bool // without the line that counts them
}

// RenderPretty writes the list for people: each diagnostic with the lines it is
// about, a caret under the place, help, and the other places that matter. It
// ends with a line that counts them. Of an empty list it writes nothing. A
// diagnostic may do without a code here.
func RenderPretty(w io.Writer, l List, st Style) error {
	b := bufio.NewWriter(w)
	explained := map[string]bool{}
	for _, d := range l {
		p := &pretty{Writer: b, st: st, d: d, tint: severityColor[d.Severity]}
		if explained[d.Code] {
			p.st.More = ""
		}
		explained[d.Code] = true
		p.diagnostic()
	}
	if len(l) > 0 && !st.Bare {
		fmt.Fprintln(b, l.Summary())
	}
	return b.Flush()
}

// RenderCompact writes one line a diagnostic, for tools that read lines:
// file:line:col: severity[CODE] message.
func RenderCompact(w io.Writer, l List) error {
	b := bufio.NewWriter(w)
	for _, d := range l {
		fmt.Fprintln(b, clean(d.Error()))
	}
	return b.Flush()
}

// Summary counts the list in words: "2 errors, 1 warning".
func (l List) Summary() string {
	var parts []string
	for _, s := range []Severity{Error, Warning, Note} {
		switch n := l.Count(s); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+s.String())
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	if len(parts) == 0 {
		return "no errors"
	}
	return strings.Join(parts, ", ")
}

// A color is a code of the base colours of terminals.
type color string

const (
	bold     color = "1"
	boldBlue color = "1;34"
	boldCyan color = "1;36"
	green    color = "32"
)

var severityColor = [...]color{Error: "1;31", Warning: "1;33", Note: boldCyan}

// pretty writes one diagnostic.
type pretty struct {
	*bufio.Writer
	st     Style
	d      *Diagnostic
	tint   color // of the diagnostic's severity
	gutter int   // columns of the line numbers
}

func (p *pretty) paint(c color, text string) string {
	if !p.st.Color || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// more is what stands for the part of a line that is not shown.
func (p *pretty) more() string {
	if p.st.ASCII {
		return "..."
	}
	return "…"
}

func (p *pretty) diagnostic() {
	d := p.d
	p.gutter = len(strconv.Itoa(p.lastLine()))
	head := d.Severity.String()
	if d.Code != "" {
		head += "[" + d.Code + "]"
	}
	fmt.Fprintf(p, "%s%s\n", p.paint(p.tint, head), p.paint(bold, ": "+clean(d.Message)))
	p.excerpt(d.Span, d.Label, p.tint, true)
	if len(d.Help) > 0 && !d.Span.IsZero() {
		p.bar("")
	}
	for i, help := range d.Help {
		fmt.Fprintf(p, "%s %s\n", p.paint(boldCyan, "help:"), clean(help))
		if i == 0 && len(d.Edits) > 0 {
			p.edited()
		}
	}
	for _, r := range d.Related {
		fmt.Fprintf(p, "%s %s\n", p.paint(boldCyan, "note:"), clean(r.Message))
		p.excerpt(r.Span, "", boldCyan, false)
	}
	if d.Path != "" {
		p.fact("in: " + clean(d.Path))
	}
	if p.st.More != "" {
		p.fact("more: " + p.st.More + " " + d.Code)
	}
	fmt.Fprintln(p)
}

// lastLine returns the largest line number that will be shown.
func (p *pretty) lastLine() int {
	last := 1
	look := func(s Span, at int) {
		if !s.IsZero() {
			line, _ := s.File.LineCol(at)
			last = max(last, line)
		}
	}
	look(p.d.Span, p.d.Span.Start)
	for _, e := range p.d.Edits {
		look(e.Span, e.Span.End)
	}
	for _, r := range p.d.Related {
		look(r.Span, r.Span.Start)
	}
	return last
}

// fact writes one of the short lines at the end.
func (p *pretty) fact(text string) {
	fmt.Fprintf(p, "%*s %s %s\n", p.gutter, "", p.paint(boldBlue, "="), text)
}

// bar writes a line without a number.
func (p *pretty) bar(text string) {
	line := fmt.Sprintf("%*s %s", p.gutter, "", p.paint(boldBlue, "|"))
	if text != "" {
		line += " " + text
	}
	fmt.Fprintln(p, line)
}

// numbered writes a line of a file with its number.
func (p *pretty) numbered(line int, text string) {
	s := p.paint(boldBlue, fmt.Sprintf("%*d |", p.gutter, line))
	if text = strings.TrimRight(text, " "); text != "" {
		s += " " + text
	}
	fmt.Fprintln(p, s)
}

// room returns the columns left for the text of a line, 0 for no limit.
func (p *pretty) room() int {
	if p.st.Width <= 0 {
		return 0
	}
	return max(p.st.Width-p.gutter-3, 20)
}

// longLine is from how many bytes on only a part of a line is looked at, however
// wide the screen is.
const longLine = 2000

// show makes a line fit, with what lies in [from, to) of it in sight.
func (p *pretty) show(line string, from, to int) shownLine {
	if len(line) > longLine {
		from = min(max(from, 0), len(line))
		a, b := max(0, from-longLine/2), min(len(line), from+longLine/2)
		for a > 0 && !utf8.RuneStart(line[a]) {
			a--
		}
		for b < len(line) && !utf8.RuneStart(line[b]) {
			b++
		}
		cut := line[a:b]
		from, to = from-a, min(to, b)-a
		if b < len(line) {
			cut += p.more()
		}
		if a > 0 {
			cut, from, to = p.more()+cut, from+len(p.more()), to+len(p.more())
		}
		line, to = cut, max(to, from)
	}
	return show(line, from, to, p.room(), p.more())
}

// excerpt shows the line of a span with a caret under it. With context the line
// before comes first, if it says anything.
func (p *pretty) excerpt(s Span, label string, c color, context bool) {
	if s.IsZero() {
		return
	}
	fmt.Fprintf(p, "%*s%s %s\n", p.gutter, "", p.paint(boldBlue, "-->"), clean(s.String()))
	p.bar("")
	line, _ := s.File.LineCol(s.Start)
	if before := s.File.Line(line - 1); context && strings.TrimSpace(before) != "" {
		p.numbered(line-1, p.show(before, 0, 0).text)
	}
	text, start := s.File.Line(line), s.File.LineStart(line)
	sh := p.show(text, s.Start-start, s.End-start)
	p.numbered(line, sh.text)
	p.mark(sh, "^", label, c)
}

// mark writes the line of carets, with the label behind it if there is room,
// otherwise below it.
func (p *pretty) mark(sh shownLine, sign, label string, c color) {
	under := strings.Repeat(" ", sh.start) + p.paint(c, strings.Repeat(sign, sh.end-sh.start))
	if label == "" {
		p.bar(under)
		return
	}
	label = clean(label)
	width := displaywidth.String(label)
	if room := p.room(); room > 0 && sh.end+1+width > room {
		p.bar(under)
		p.bar(strings.Repeat(" ", max(0, min(sh.start, room-width))) + p.paint(c, label))
		return
	}
	p.bar(under + " " + p.paint(c, label))
}

// edited shows the lines as they would be with the edits made.
func (p *pretty) edited() {
	first, lines := applied(p.d.Edits)
	if len(lines) == 0 {
		return
	}
	p.bar("")
	const most = 6
	for i, l := range lines {
		if i == most {
			p.bar(p.more())
			break
		}
		sh := p.show(l.text, l.from, l.to)
		p.numbered(first+i, sh.text)
		if l.to > l.from {
			p.mark(sh, "~", "", green)
		}
	}
}

// An editedLine is a line after edits; [from, to) is what is new in it.
type editedLine struct {
	text     string
	from, to int
}

// applied makes the edits that touch the file of the first one and returns the
// lines they change, with the number of the first.
func applied(edits []Edit) (first int, lines []editedLine) {
	f := edits[0].Span.File
	var own []Edit
	for _, e := range edits {
		if f != nil && e.Span.File == f {
			own = append(own, e)
		}
	}
	if len(own) == 0 {
		return 0, nil
	}
	sort.SliceStable(own, func(i, j int) bool { return own[i].Span.Start < own[j].Span.Start })
	first, _ = f.LineCol(own[0].Span.Start)
	last := first
	for _, e := range own {
		line, _ := f.LineCol(e.Span.End)
		last = max(last, line)
	}
	var text strings.Builder
	var fresh [][2]int
	at := f.LineStart(first)
	for _, e := range own {
		if e.Span.Start < at {
			continue // overlaps the one before
		}
		text.WriteString(f.Text[at:e.Span.Start])
		fresh = append(fresh, [2]int{text.Len(), text.Len() + len(e.Text)})
		text.WriteString(e.Text)
		at = e.Span.End
	}
	text.WriteString(f.Text[at:max(at, f.LineStart(last)+len(f.Line(last)))])
	return first, splitEdited(text.String(), fresh)
}

// splitEdited cuts an edited text into lines and finds what is new in each.
func splitEdited(text string, fresh [][2]int) []editedLine {
	var lines []editedLine
	start := 0
	for _, raw := range strings.Split(text, "\n") {
		l := editedLine{text: strings.TrimSuffix(raw, "\r"), from: -1}
		end := start + len(l.text)
		for _, r := range fresh {
			from, to := max(r[0], start), min(r[1], end)
			if from >= to {
				continue
			}
			if l.from < 0 {
				l.from = from - start
			}
			l.to = max(l.to, to-start)
		}
		if l.from < 0 {
			l.from = l.to
		}
		lines = append(lines, l)
		start += len(raw) + 1
	}
	return lines
}
