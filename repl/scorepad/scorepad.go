// Package scorepad draws score sheets: columns of entries and marks with running
// totals, as on a printed pad, for a terminal and as files to keep.
//
// A Sheet is plain data, made from what the rules of any game have people write;
// it can be kept as JSON. The same Sheet gives the same bytes.
package scorepad

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// A Sheet is the score sheet of one game.
type Sheet struct {
	Game    string    `json:"game"`  // its id
	Title   string    `json:"title"` // for people
	When    time.Time `json:"when,omitzero"`
	Rules   []Rule    `json:"rules,omitempty"`   // house rules in force
	Options []string  `json:"options,omitempty"` // that the table has set, in words
	Line    string    `json:"line,omitempty"`    // what a line stands for
	Columns []Column  `json:"columns"`           // by seat
	Verdict string    `json:"verdict,omitempty"` // who has won, in words; "" while the game goes on
	Moments []string  `json:"moments,omitempty"`
	Notes   []string  `json:"notes,omitempty"` // what must be known of the result
}

// A Rule is a house rule in force.
type Rule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Icon  string `json:"icon,omitempty"`
}

// A Column is that of one player.
type Column struct {
	Name  string `json:"name"`
	Kind  string `json:"kind,omitempty"` // of bot, "" for a person
	Lines []Line `json:"lines,omitempty"`
	Total *int64 `json:"total,omitempty"` // nil if the rules keep none
	Place int    `json:"place,omitempty"` // from 1, those who tie share it; 0 while the game goes on
	Won   bool   `json:"won,omitempty"`
}

// A Line is one line of a column.
type Line struct {
	Entry string   `json:"entry,omitempty"`
	Marks []string `json:"marks,omitempty"`
	Total *int64   `json:"total,omitempty"` // the running total, nil for none
}

// String writes the line without its total: the entry, then the marks.
func (l Line) String() string {
	parts := l.Marks
	if l.Entry != "" {
		parts = append([]string{l.Entry}, l.Marks...)
	}
	return clean(strings.Join(parts, " "))
}

// sum writes the running total of a line.
func (l Line) sum() string { return number(l.Total) }

func number(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// Height is how many lines the longest column has.
func (s *Sheet) Height() int {
	n := 0
	for _, c := range s.Columns {
		n = max(n, len(c.Lines))
	}
	return n
}

// Empty reports whether nothing is written and no total is kept.
func (s *Sheet) Empty() bool { return s.Height() == 0 && !s.totals() }

func (s *Sheet) totals() bool {
	for _, c := range s.Columns {
		if c.Total != nil {
			return true
		}
	}
	return false
}

// running reports whether any line has a running total.
func (s *Sheet) running() bool {
	for _, c := range s.Columns {
		for _, l := range c.Lines {
			if l.Total != nil {
				return true
			}
		}
	}
	return false
}

// at returns a line of a column, an empty one below its end.
func (c *Column) at(i int) Line {
	if i < len(c.Lines) {
		return c.Lines[i]
	}
	return Line{}
}

// label is the name of a player, with what he is if he is no person.
func (c *Column) label() string {
	if c.Kind != "" {
		return clean(c.Name) + " (bot)"
	}
	return clean(c.Name)
}

// Head is the title of the game with the signs of the house rules in force.
func (s *Sheet) Head() string {
	text := clean(s.Title)
	for _, r := range s.Rules {
		if r.Icon != "" {
			text += " [" + clean(r.Icon) + "]"
		}
	}
	return text
}

// text writes a rule with its sign.
func (r Rule) text() string {
	if r.Icon != "" {
		return "[" + clean(r.Icon) + "] " + clean(r.Title)
	}
	return clean(r.Title)
}

// about lists what stands above the columns: a word and what it is.
func (s *Sheet) about() [][2]string {
	var out [][2]string
	if !s.When.IsZero() {
		out = append(out, [2]string{"date", s.Date()})
	}
	var names, rules []string
	for i := range s.Columns {
		names = append(names, s.Columns[i].label())
	}
	out = append(out, [2]string{"players", strings.Join(names, ", ")})
	for _, r := range s.Rules {
		rules = append(rules, r.text())
	}
	if len(rules) == 0 {
		rules = []string{"none"}
	}
	out = append(out, [2]string{"house rules", strings.Join(rules, "; ")})
	if len(s.Options) > 0 {
		out = append(out, [2]string{"options", cleanAll(s.Options, "; ")})
	}
	return out
}

// Date is the day of the game where it was played, so that the same sheet looks
// the same everywhere.
func (s *Sheet) Date() string { return s.When.Format("2006-01-02") }

func cleanAll(list []string, sep string) string { return clean(strings.Join(list, sep)) }

// clean keeps what could move the cursor of a terminal, or break a line of a
// file, out of a text.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case !unicode.IsPrint(r) && r != '\u200d' && !unicode.Is(unicode.Variation_Selector, r):
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
