// Package rulebook makes a text for people of a game as it is played with its
// house rules, from the rule files alone.
//
// [Make] turns a checked program into a [Document], a small model of headings,
// paragraphs, lists, tables, code, a diagram and notes. [Markdown], [HTML] and
// [Plain] write a document down. What comes from rule files is escaped there,
// and nowhere else.
package rulebook

import "strings"

// A Document is a text for people.
type Document struct {
	Title  string
	Blocks []Block
	Notes  []*Note // that the text refers to, in the order of the book
}

// A Note is a printed rule, or an answer, to which sentences refer.
type Note struct {
	ID     string
	Text   string
	People bool // only people can keep it
}

// A Block is a part of a document: a Heading, a Paragraph, a List, a Table, a
// Code or a Diagram.
type Block interface{ block() }

// A Heading begins a section. Level is 2 or more; 1 is the title.
type Heading struct {
	Level int
	Text  Text
}

// A Paragraph is a running text.
type Paragraph struct{ Text Text }

// A List has items without an order.
type List struct{ Items []Item }

// An Item is a text, and maybe a list below it.
type Item struct {
	Text  Text
	Items []Item
}

// A Table has a head and rows that are as long.
type Table struct {
	Head []string
	Rows [][]Text
}

// Code is a text whose lines stay as they are.
type Code struct{ Text string }

// A Diagram shows how states follow each other. Its edges run from the start
// (Begin) or a state to a state or to the end (End).
type Diagram struct {
	States []string
	Edges  []Edge
}

// An Edge leads from one state to another, by what its label says.
type Edge struct {
	From, To int
	Label    string // "" for what simply comes next
}

// The ends of a diagram.
const (
	Begin = -1
	End   = -2
)

func (*Heading) block()   {}
func (*Paragraph) block() {}
func (*List) block()      {}
func (*Table) block()     {}
func (*Code) block()      {}
func (*Diagram) block()   {}

// A Text is a sentence or more.
type Text []Span

// Style says how a span is written.
type Style uint8

// The styles.
const (
	Words  Style = iota
	Strong       // set off
	Value        // stands for a value that only a game knows, by its name
	Source       // a formula, as it is written
	Cite         // the id of a note
)

// A Span is a part of a text in one style.
type Span struct {
	Style Style
	Text  string
	Note  *Note // of Cite
}

// String is the text without styles and without notes.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		if s.Style != Cite {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// words is a text of plain words.
func words(s string) Text { return Text{{Text: s}} }

// strong is a text that is set off.
func strong(s string) Text { return Text{{Style: Strong, Text: s}} }

// join puts texts one behind the other.
func join(list ...Text) Text {
	var out Text
	for _, t := range list {
		out = append(out, t...)
	}
	return out
}
