package scorepad

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Kinds lists the endings of files that a sheet can be kept in.
func Kinds() []string { return []string{".md", ".html", ".svg"} }

// File writes the sheet as its ending says: Markdown, HTML or SVG. ok is false
// for any other ending.
func (s *Sheet) File(name string) (text string, ok bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return s.Markdown(), true
	case ".html", ".htm":
		return s.HTML(), true
	case ".svg":
		return s.SVG(), true
	}
	return "", false
}

// table is the sheet as rows of cells: first the names, at last the totals if
// there are any. With running totals each player has two cells a row.
type table struct {
	names []string
	rows  [][]string
	foot  []string
	each  int // cells of a player
}

func (s *Sheet) table() table {
	t := table{each: 1}
	if s.running() {
		t.each = 2
	}
	for i := range s.Columns {
		t.names = append(t.names, s.Columns[i].label())
	}
	for i := range s.Height() {
		row := []string{fmt.Sprint(i + 1)}
		for k := range s.Columns {
			l := s.Columns[k].at(i)
			if row = append(row, l.String()); t.each == 2 {
				row = append(row, l.sum())
			}
		}
		t.rows = append(t.rows, row)
	}
	if s.totals() {
		t.foot = []string{"total"}
		for _, c := range s.Columns {
			if t.each == 2 {
				t.foot = append(t.foot, "")
			}
			t.foot = append(t.foot, number(c.Total))
		}
	}
	return t
}

// Markdown writes the sheet as Markdown, with a table.
func (s *Sheet) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", mark(s.Head()))
	for _, a := range s.about() {
		fmt.Fprintf(&b, "- %s: %s\n", a[0], mark(a[1]))
	}
	t := s.table()
	row := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(&b, "| %s ", mark(c))
		}
		b.WriteString("|\n")
	}
	if !s.Empty() {
		b.WriteString("\n")
		head, under := []string{s.line()}, "|---"
		for _, name := range t.names {
			if head, under = append(head, name), under+"|---"; t.each == 2 {
				head, under = append(head, ""), under+"|---:"
			}
		}
		row(head)
		b.WriteString(under + "|\n")
		for _, r := range t.rows {
			row(r)
		}
		if t.foot != nil {
			row(t.foot)
		}
	}
	for i, l := range s.below() {
		if i == 0 && s.Verdict != "" {
			fmt.Fprintf(&b, "\n**%s**\n\n", mark(l))
			continue
		}
		fmt.Fprintf(&b, "- %s\n", mark(l))
	}
	return b.String()
}

// line names what a line of the sheet stands for.
func (s *Sheet) line() string { return clean(s.Line) }

// mark writes a text so that Markdown shows it as it is.
func mark(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

const htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s</title>
<style>
body { font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { padding: .2em .6em; text-align: left; border-bottom: 1px solid #bbb; }
thead th, tfoot th, tfoot td { border-bottom: 2px solid #333; font-weight: bold; }
.n { text-align: right; }
.first { border-left: 1px solid #bbb; }
</style>
</head>
<body>
<h1>%s</h1>
<dl>
`

// HTML writes the sheet as a page that needs nothing else.
func (s *Sheet) HTML() string {
	var b strings.Builder
	head := html.EscapeString(s.Head())
	fmt.Fprintf(&b, htmlHead, head, head)
	for _, a := range s.about() {
		fmt.Fprintf(&b, "<dt>%s</dt><dd>%s</dd>\n", a[0], html.EscapeString(a[1]))
	}
	b.WriteString("</dl>\n")
	if !s.Empty() {
		s.htmlTable(&b)
	}
	for i, l := range s.below() {
		tag := "p"
		if i == 0 && s.Verdict != "" {
			tag = "h2"
		}
		fmt.Fprintf(&b, "<%s>%s</%s>\n", tag, html.EscapeString(l), tag)
	}
	b.WriteString("</body>\n</html>\n")
	return b.String()
}

func (s *Sheet) htmlTable(b *strings.Builder) {
	t := s.table()
	fmt.Fprintf(b, "<table>\n<thead><tr><th scope=\"col\">%s</th>", html.EscapeString(s.line()))
	for _, name := range t.names {
		fmt.Fprintf(b, `<th scope="col" colspan="%d" class="first">%s</th>`, t.each, html.EscapeString(name))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range t.rows {
		t.htmlRow(b, r)
	}
	b.WriteString("</tbody>\n")
	if t.foot != nil {
		b.WriteString("<tfoot>\n")
		t.htmlRow(b, t.foot)
		b.WriteString("</tfoot>\n")
	}
	b.WriteString("</table>\n")
}

func (t *table) htmlRow(b *strings.Builder, cells []string) {
	fmt.Fprintf(b, `<tr><th scope="row">%s</th>`, html.EscapeString(cells[0]))
	for i, c := range cells[1:] {
		class := ""
		switch {
		case i%t.each == 0:
			class = ` class="first"`
		default:
			class = ` class="n"`
		}
		fmt.Fprintf(b, "<td%s>%s</td>", class, html.EscapeString(c))
	}
	b.WriteString("</tr>\n")
}

// Measures of the drawing, in pixels.
const (
	cell   = 9  // of a character that takes one terminal cell
	row    = 24 // from line to line
	margin = 20
)

// SVG draws the sheet. It has no scripts and names nothing outside.
func (s *Sheet) SVG() string {
	d := &svg{}
	d.text(margin, s.Head(), `font-size="22" font-weight="bold"`)
	for _, a := range s.about() {
		d.text(margin, a[0]+": "+a[1], "")
	}
	if !s.Empty() {
		d.y += row / 2
		d.columns(s)
		d.y += row / 2
	}
	for i, l := range s.below() {
		style := ""
		if i == 0 && s.Verdict != "" {
			style = `font-weight="bold"`
		}
		d.text(margin, l, style)
	}
	width, height := d.width+margin, d.y+margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="15" fill="#111">
<title>%s</title>
<rect width="%d" height="%d" fill="#fff"/>
%s</svg>
`, width, height, width, height, html.EscapeString(s.Head()), width, height, d.b.String())
}

// svg is a drawing in the making.
type svg struct {
	b     strings.Builder
	y     int // of the line written last
	width int // of all that is drawn
}

// text writes a line of text below what there is.
func (d *svg) text(x int, text, style string) {
	d.y += row
	d.at(x, text, style)
}

// at writes a text on the present line.
func (d *svg) at(x int, text, style string) {
	if text == "" {
		return
	}
	size := cell
	if strings.Contains(style, "font-size") {
		size = 14
	}
	d.width = max(d.width, x+size*displaywidth.String(text))
	if style != "" {
		style = " " + style
	}
	fmt.Fprintf(&d.b, `<text x="%d" y="%d"%s>%s</text>`+"\n", x, d.y, style, html.EscapeString(text))
}

// right writes a text that ends at x.
func (d *svg) right(x int, text, style string) {
	d.width = max(d.width, x)
	d.at(x-cell*displaywidth.String(text), text, style)
}

// columns draws the table.
func (d *svg) columns(s *Sheet) {
	t := s.table()
	widths := t.widths(s.line())
	const bold = `font-weight="bold"`
	d.y += row
	d.at(margin, s.line(), bold)
	x := margin + widths[0]
	var rules []int // where a line parts two columns
	top := d.y - row + 6
	for i, name := range t.names {
		rules = append(rules, x-cell)
		d.at(x, name, bold)
		for _, w := range widths[1+i*t.each : 1+(i+1)*t.each] {
			x += w
		}
	}
	end := x - cell
	d.width = max(d.width, end)
	d.across(end)
	for _, r := range t.rows {
		d.row(r, widths, t.each, "")
	}
	if t.foot != nil {
		d.across(end)
		d.row(t.foot, widths, t.each, bold)
	}
	for _, x := range rules {
		fmt.Fprintf(&d.b, `<path d="M%d %dV%d" stroke="#bbb"/>`+"\n", x, top, d.y+6)
	}
}

// across draws a line below the present one.
func (d *svg) across(end int) {
	fmt.Fprintf(&d.b, `<path d="M%d %dH%d" stroke="#333"/>`+"\n", margin, d.y+6, end)
}

func (d *svg) row(cells []string, widths []int, each int, style string) {
	d.y += row
	x := margin
	for i, c := range cells {
		if i > 0 && each == 2 && i%2 == 0 {
			d.right(x+widths[i]-2*cell, c, style)
		} else {
			d.at(x, c, style)
		}
		x += widths[i]
	}
}

// widths works out how wide each cell of a row is, with two cells of room.
func (t *table) widths(line string) []int {
	out := make([]int, 1+len(t.names)*t.each)
	for _, r := range append(append([][]string{{line}}, t.rows...), t.foot) {
		for i, c := range r {
			out[i] = max(out[i], cell*(displaywidth.String(c)+2))
		}
	}
	for i, name := range t.names {
		mine := out[1+i*t.each : 1+(i+1)*t.each]
		sum := 0
		for _, w := range mine {
			sum += w
		}
		if need := cell * (displaywidth.String(name) + 2); need > sum {
			mine[len(mine)-1] += need - sum
		}
	}
	return out
}
