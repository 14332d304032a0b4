package rulebook

import (
	"fmt"
	"html"
	"strings"
)

// HTML writes a document as a page of its own, which is XML too. It has no
// scripts and loads nothing.
func HTML(d *Document) string {
	w := &page{anchors: map[*Note]int{}}
	for i, n := range d.Notes {
		w.anchors[n] = i + 1
	}
	title := esc(d.Title)
	w.line("<!DOCTYPE html>")
	w.line(`<html lang="en" xmlns="http://www.w3.org/1999/xhtml">`)
	w.line(`<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>`)
	w.line("<title>" + title + "</title>")
	w.line("<style>" + style + "</style></head>")
	w.line("<body>\n<h1>" + title + "</h1>")
	for _, b := range d.Blocks {
		w.blockOf(b)
	}
	if len(d.Notes) > 0 {
		w.line("<h2>The printed rules</h2>\n<ul class=\"notes\">")
		for i, n := range d.Notes {
			w.line(fmt.Sprintf(`<li id="note-%d"><strong>%s</strong> %s</li>`, i+1, esc(n.ID), esc(noteText(n))))
		}
		w.line("</ul>")
	}
	w.line("</body>\n</html>")
	return w.b.String()
}

const style = `
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 } th, td { border: 1px solid #bbb; padding: .3em .6em; text-align: left; vertical-align: top }
th { background: #f0f0f0 } code, pre { font-family: monospace; background: #f6f6f6 } pre { padding: .6em; overflow-x: auto }
sup { line-height: 0; font-size: .7em } sup a { text-decoration: none; margin-left: .2em } svg { max-width: 100%; height: auto }
`

type page struct {
	b       strings.Builder
	anchors map[*Note]int
}

func (w *page) line(s string) { w.b.WriteString(s + "\n") }

// esc escapes a text for elements and attributes.
func esc(s string) string { return html.EscapeString(spaced(s)) }

func (w *page) blockOf(b Block) {
	switch b := b.(type) {
	case *Heading:
		w.line(fmt.Sprintf("<h%d>%s</h%d>", b.Level, w.text(b.Text), b.Level))
	case *Paragraph:
		w.line("<p>" + w.text(b.Text) + "</p>")
	case *List:
		w.items(b.Items)
	case *Table:
		w.table(b)
	case *Code:
		w.line("<pre>" + html.EscapeString(cleanLines(b.Text)) + "</pre>")
	case *Diagram:
		w.diagram(b)
	}
}

func (w *page) items(items []Item) {
	if len(items) == 0 {
		return
	}
	w.line("<ul>")
	for _, it := range items {
		w.b.WriteString("<li>" + w.text(it.Text))
		if len(it.Items) > 0 {
			w.line("")
		}
		w.items(it.Items)
		w.line("</li>")
	}
	w.line("</ul>")
}

func (w *page) table(t *Table) {
	w.b.WriteString("<table>\n<thead><tr>")
	for _, h := range t.Head {
		w.b.WriteString("<th>" + esc(h) + "</th>")
	}
	w.line("</tr></thead>\n<tbody>")
	for _, row := range t.Rows {
		w.b.WriteString("<tr>")
		for _, c := range row {
			w.b.WriteString("<td>" + w.text(c) + "</td>")
		}
		w.line("</tr>")
	}
	w.line("</tbody>\n</table>")
}

func (w *page) text(t Text) string {
	var b strings.Builder
	for _, s := range t {
		text := esc(s.Text)
		switch s.Style {
		case Strong:
			text = "<strong>" + text + "</strong>"
		case Value:
			text = "<em>" + text + "</em>"
		case Source:
			text = "<code>" + text + "</code>"
		case Cite:
			text = fmt.Sprintf(`<sup><a href="#note-%d">%s</a></sup>`, w.anchors[s.Note], text)
		}
		b.WriteString(text)
	}
	return strings.TrimSpace(b.String())
}

// The sizes of a drawing.
const (
	boxWidth, boxHeight, boxStep = 240, 34, 64
	boxLeft, laneStep            = 230, 13
)

// diagram draws states one below the other. What leads on to the next one is a
// line between them; what leads down is drawn at the right, and up at the left,
// each a lane further out.
func (w *page) diagram(d *Diagram) {
	rows := len(d.States) + 2
	y := func(i int) int { // the middle of a state
		switch i {
		case Begin:
			return boxStep / 2
		case End:
			return boxStep*(rows-1) + boxStep/2
		}
		return boxStep*(i+1) + boxStep/2
	}
	place := func(i int) int { return (y(i) - boxStep/2) / boxStep }
	right, left := 0, 0
	var lines strings.Builder
	for _, e := range d.Edges {
		from, to := place(e.From), place(e.To)
		mid := boxLeft + boxWidth/2
		if to == from+1 {
			fmt.Fprintf(&lines, `<path d="M %d %d V %d" marker-end="url(#tip)"/>`+"\n", mid, y(e.From)+boxHeight/2, y(e.To)-boxHeight/2-2)
			if e.Label != "" {
				fmt.Fprintf(&lines, `<text x="%d" y="%d">%s</text>`+"\n", mid+6, (y(e.From)+y(e.To))/2+4, esc(e.Label))
			}
			continue
		}
		edge, x, anchor := boxLeft+boxWidth, 0, "start"
		if to > from {
			right++
			x = edge + 14 + right*laneStep
		} else {
			left++
			edge, anchor = boxLeft, "end"
			x = edge - 14 - left*laneStep
		}
		y1, y2 := y(e.From)+6, y(e.To)-6
		fmt.Fprintf(&lines, `<path d="M %d %d H %d V %d H %d" marker-end="url(#tip)"/>`+"\n", edge, y1, x, y2, edge)
		if e.Label != "" {
			fmt.Fprintf(&lines, `<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", x, y1+13, anchor, esc(e.Label))
		}
	}
	low := min(0, boxLeft-14-left*laneStep-150)
	high := boxLeft + boxWidth + 14 + right*laneStep + 190
	w.line(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d 0 %d %d" width="%d" role="img" font-family="sans-serif" font-size="12">`,
		low, high-low, rows*boxStep, high-low))
	w.line(`<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="#555"/></marker></defs>`)
	w.line(`<g fill="none" stroke="#555">`)
	for _, i := range []int{Begin, End} {
		w.line(fmt.Sprintf(`<circle cx="%d" cy="%d" r="%d" fill="#555"/>`, boxLeft+boxWidth/2, y(i), boxHeight/4))
	}
	for i := range d.States {
		w.line(fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#f6f6f6"/>`, boxLeft, y(i)-boxHeight/2, boxWidth, boxHeight))
	}
	paths, texts := "", ""
	for _, l := range strings.SplitAfter(lines.String(), "\n") {
		if strings.HasPrefix(l, "<text") {
			texts += l
		} else {
			paths += l
		}
	}
	w.line(paths + `</g>` + "\n" + `<g fill="#222">`)
	for i, s := range d.States {
		w.line(fmt.Sprintf(`<text x="%d" y="%d" text-anchor="middle">%s</text>`, boxLeft+boxWidth/2, y(i)+4, esc(s)))
	}
	w.line(texts + `</g></svg>`)
}
