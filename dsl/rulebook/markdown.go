package rulebook

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// diagramLanguage is the language of diagrams that readers of Markdown know.
const diagramLanguage = "mermaid"

// Markdown writes a document as Markdown with tables, footnotes and diagrams.
func Markdown(d *Document) string {
	w := &markdown{labels: map[*Note]string{}}
	for i, n := range d.Notes {
		w.labels[n] = fmt.Sprintf("%d", i+1)
		if plainLabel.MatchString(n.ID) {
			w.labels[n] = n.ID
		}
	}
	w.line("# " + mdText(d.Title, true))
	for _, b := range d.Blocks {
		w.line("")
		w.blockOf(b)
	}
	if len(d.Notes) > 0 {
		w.line("")
		w.line("## The printed rules")
	}
	for _, n := range d.Notes {
		w.line("")
		w.line("[^" + w.labels[n] + "]: **" + mdText(n.ID, false) + "** " + mdText(noteText(n), true))
	}
	return w.b.String()
}

var plainLabel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// noteText is a printed rule with a mark if only people can keep it.
func noteText(n *Note) string {
	if n.People {
		return n.Text + " (left to people)"
	}
	return n.Text
}

type markdown struct {
	b      strings.Builder
	labels map[*Note]string
}

func (w *markdown) line(s string) { w.b.WriteString(s + "\n") }

func (w *markdown) blockOf(b Block) {
	switch b := b.(type) {
	case *Heading:
		w.line(strings.Repeat("#", b.Level) + " " + w.text(b.Text, false))
	case *Paragraph:
		w.line(w.text(b.Text, false))
	case *List:
		w.items(b.Items, "")
	case *Table:
		w.table(b)
	case *Code:
		fence := strings.Repeat("`", max(3, longest(b.Text, '`')+1))
		w.line(fence + "text\n" + cleanLines(b.Text) + "\n" + fence)
	case *Diagram:
		w.diagram(b)
	}
}

func (w *markdown) items(items []Item, indent string) {
	for _, it := range items {
		w.line(indent + "- " + w.text(it.Text, false))
		w.items(it.Items, indent+"  ")
	}
}

func (w *markdown) table(t *Table) {
	head := make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i] = mdText(h, true)
	}
	w.line("| " + strings.Join(head, " | ") + " |")
	w.line("|" + strings.Repeat(" --- |", len(head)))
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = w.text(c, true)
		}
		w.line("| " + strings.Join(cells, " | ") + " |")
	}
}

// text writes a text in one line. In a cell of a table a bar in a formula is
// escaped too.
func (w *markdown) text(t Text, cell bool) string {
	var b strings.Builder
	for _, s := range t {
		text := spaced(s.Text)
		switch {
		case s.Style == Cite:
			b.WriteString("[^" + w.labels[s.Note] + "]")
		case strings.TrimSpace(text) == "":
			b.WriteString(text)
		case s.Style == Strong:
			b.WriteString("**" + mdText(strings.TrimSpace(text), false) + "**")
		case s.Style == Value:
			b.WriteString("*" + mdText(strings.TrimSpace(text), false) + "*")
		case s.Style == Source:
			b.WriteString(mdCode(strings.TrimSpace(text), cell))
		default:
			b.WriteString(mdText(text, b.Len() == 0))
		}
	}
	return strings.TrimSpace(b.String())
}

// mdCode writes a formula between as many backticks as it needs.
func mdCode(s string, cell bool) string {
	fence := strings.Repeat("`", longest(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	if cell {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	return fence + s + fence
}

// longest is the length of the longest row of a character.
func longest(s string, c rune) int {
	most, n := 0, 0
	for _, r := range s {
		if n++; r != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

var mdEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`,
	`|`, `\|`, `~`, `\~`, `$`, `\$`, `&`, `&amp;`)

var mdNumber = regexp.MustCompile(`^([0-9]+)([.)])`)

// mdText escapes a text for Markdown. At its beginning more has a meaning.
func mdText(s string, first bool) string {
	out := mdEscapes.Replace(spaced(s))
	if !first {
		return out
	}
	out = strings.TrimLeft(out, " ")
	if out != "" && strings.ContainsRune("#+-=:", rune(out[0])) {
		return `\` + out
	}
	return mdNumber.ReplaceAllString(out, `$1\$2`)
}

func (w *markdown) diagram(d *Diagram) {
	w.line("```" + diagramLanguage + "\nstateDiagram-v2")
	name := func(i int) string {
		if i < 0 {
			return "[*]"
		}
		return fmt.Sprintf("s%d", i)
	}
	for i, s := range d.States {
		w.line(fmt.Sprintf("    state \"%s\" as s%d", diagramText(s), i))
	}
	for _, e := range d.Edges {
		line := "    " + name(e.From) + " --> " + name(e.To)
		if label := diagramText(e.Label); label != "" {
			line += " : " + label
		}
		w.line(line)
	}
	w.line("```")
}

// diagramText keeps letters, digits and the marks that mean nothing in the
// language of diagrams.
func diagramText(s string) string {
	return clean(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .,?!'-", r) {
			return r
		}
		return ' '
	}, strings.ReplaceAll(s, "--", " ")))
}
