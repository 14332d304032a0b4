package rulebook

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl/source"
)

// lineWidth is how wide lines of text are, where words allow it.
const lineWidth = 80

// Plain writes a document as text.
func Plain(d *Document) string {
	w := &plain{}
	w.title(clean(d.Title), "=")
	for _, b := range d.Blocks {
		w.line("")
		w.blockOf(b)
	}
	if len(d.Notes) > 0 {
		w.line("")
		w.title("The printed rules", "-")
		w.line("")
	}
	for _, n := range d.Notes {
		w.fill("["+clean(n.ID)+"] "+clean(noteText(n)), "", "    ")
	}
	return w.b.String()
}

type plain struct{ b strings.Builder }

func (w *plain) line(s string) { w.b.WriteString(strings.TrimRight(s, " ") + "\n") }

func (w *plain) title(s, under string) {
	w.line(s)
	w.line(strings.Repeat(under, displaywidth.String(s)))
}

// fill writes a text in lines, the first after one indent and the others after
// another.
func (w *plain) fill(text, first, others string) {
	for i, l := range source.Fill(text, lineWidth-len(others)) {
		if i == 0 {
			w.line(first + l)
			continue
		}
		w.line(others + l)
	}
}

func (w *plain) blockOf(b Block) {
	switch b := b.(type) {
	case *Heading:
		if b.Level == 2 {
			w.title(plainOf(b.Text), "-")
		} else {
			w.line("* " + plainOf(b.Text))
		}
	case *Paragraph:
		w.fill(plainOf(b.Text), "", "")
	case *List:
		w.items(b.Items, "")
	case *Table:
		w.table(b)
	case *Code:
		for _, l := range strings.Split(cleanLines(b.Text), "\n") {
			w.line("    " + l)
		}
	case *Diagram:
		w.diagram(b)
	}
}

func (w *plain) items(items []Item, indent string) {
	for _, it := range items {
		w.fill(plainOf(it.Text), indent+"- ", indent+"  ")
		w.items(it.Items, indent+"  ")
	}
}

// plainOf writes a text in one line, with the ids of notes in brackets.
func plainOf(t Text) string {
	var b strings.Builder
	var ids []string
	flush := func() {
		if len(ids) > 0 {
			b.WriteString(" [" + strings.Join(ids, ", ") + "]")
		}
		ids = nil
	}
	for _, s := range t {
		text := spaced(s.Text)
		if s.Style == Cite {
			ids = append(ids, text)
			continue
		}
		flush()
		switch s.Style {
		case Value:
			text = "<" + text + ">"
		case Source:
			text = "`" + text + "`"
		}
		b.WriteString(text)
	}
	flush()
	return clean(b.String())
}

// table sets a table in columns that are as wide as lines allow.
func (w *plain) table(t *Table) {
	var head []string
	for _, h := range t.Head {
		head = append(head, clean(h))
	}
	cells := [][]string{head}
	for _, row := range t.Rows {
		var line []string
		for _, c := range row {
			line = append(line, plainOf(c))
		}
		cells = append(cells, line)
	}
	widths := columns(cells)
	for i, row := range cells {
		w.row(row, widths)
		if i == 0 {
			var rule []string
			for _, n := range widths {
				rule = append(rule, strings.Repeat("-", n))
			}
			w.line(strings.Join(rule, "  "))
		}
	}
}

func (w *plain) row(row []string, widths []int) {
	var parts [][]string
	high := 0
	for i, c := range row {
		parts = append(parts, source.Fill(c, widths[i]))
		high = max(high, len(parts[i]))
	}
	for l := range high {
		line := ""
		for i, p := range parts {
			text := ""
			if l < len(p) {
				text = p[l]
			}
			line += text + strings.Repeat(" ", max(0, widths[i]-displaywidth.String(text))+2)
		}
		w.line(line)
	}
}

// columns finds the widths of columns: as wide as the text in them, or, if that
// is too much for a line, the widest ones narrower, but no word is broken.
func columns(cells [][]string) []int {
	widths, least := make([]int, len(cells[0])), make([]int, len(cells[0]))
	sum := 2 * (len(widths) - 1)
	for i := range widths {
		for _, row := range cells {
			widths[i] = max(widths[i], displaywidth.String(row[i]))
			for _, word := range strings.Fields(row[i]) {
				least[i] = max(least[i], displaywidth.String(word))
			}
		}
		sum += widths[i]
	}
	for ; sum > lineWidth; sum-- {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// diagram lists what follows each state.
func (w *plain) diagram(d *Diagram) {
	name := func(i int) string {
		switch i {
		case Begin:
			return "(begin)"
		case End:
			return "(end)"
		}
		return clean(d.States[i])
	}
	for i := Begin; i < len(d.States); i++ {
		w.line("- " + name(i))
		for _, e := range d.Edges {
			if e.From != i {
				continue
			}
			label := ""
			if e.Label != "" {
				label = fmt.Sprintf(" (%s)", clean(e.Label))
			}
			w.line("  -> " + name(e.To) + label)
		}
	}
}
