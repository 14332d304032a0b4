package scorepad

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Width is how many terminal cells a line of a sheet may take.
const Width = 80

// shortest is how many cells of a name are left at least where it is cut.
const shortest = 5

// Text draws the columns from a line on, from 0, for a terminal: side by side in
// at most so many cells a line, each entry with the running total beside it.
// Where that is too wide the running totals are left out, then names are cut;
// what does not fit even so goes into further blocks below.
func (s *Sheet) Text(width, from int) []string {
	tries := []drawing{{gap: 2}, {gap: 1, cut: true}}
	last := tries[0]
	if s.running() {
		last = drawing{gap: 3, running: true}
		tries = append([]drawing{{gap: 4, running: true}, last}, tries...)
	}
	for _, d := range tries {
		if out := s.block(0, len(s.Columns), from, d); widest(out) <= width {
			return out
		}
	}
	var out []string
	for _, n := range s.parts(width, from, last) {
		lo := n[0]
		if lo > 0 {
			out = append(out, "")
		}
		out = append(out, s.block(lo, n[1], from, last)...)
	}
	return out
}

// drawing says how a block of columns is drawn.
type drawing struct {
	gap     int  // cells between columns
	running bool // with running totals
	cut     bool // names may be cut
}

// parts divides the columns into as few blocks as fit, of about the same number.
func (s *Sheet) parts(width, from int, d drawing) [][2]int {
	n := len(s.Columns)
	for k := 2; k < n; k++ {
		var out [][2]int
		fit := true
		for i := range k {
			lo, hi := i*n/k, (i+1)*n/k
			out = append(out, [2]int{lo, hi})
			fit = fit && widest(s.block(lo, hi, from, d)) <= width
		}
		if fit {
			return out
		}
	}
	var out [][2]int
	for i := range n {
		out = append(out, [2]int{i, i + 1})
	}
	return out
}

// block draws some of the columns.
func (s *Sheet) block(lo, hi, from int, d drawing) []string {
	height := s.Height()
	rows := make([]string, 0, height-from+2)
	head := []string{""}
	for i := from; i < height; i++ {
		head = append(head, fmt.Sprint(i+1))
	}
	if s.totals() {
		head = append(head, "total")
	}
	rows = append(rows, fill(head, 0, false)...)
	for seat := lo; seat < hi; seat++ {
		cells := s.column(&s.Columns[seat], from, height, d)
		for i := range rows {
			rows[i] += strings.Repeat(" ", d.gap) + cells[i]
		}
	}
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return rows
}

// column draws one column, all cells of the same width.
func (s *Sheet) column(c *Column, from, height int, d drawing) []string {
	var entries, sums []string
	for i := from; i < height; i++ {
		entries = append(entries, c.at(i).String())
		sums = append(sums, c.at(i).sum())
	}
	if s.totals() {
		entries, sums = append(entries, ""), append(sums, number(c.Total))
	}
	var cells []string
	if d.running && len(sums) > 0 {
		left, right := fill(entries, 0, false), fill(sums, 0, true)
		for i := range left {
			if left[i] == "" { // nothing is written in the whole column
				cells = append(cells, right[i])
				continue
			}
			cells = append(cells, left[i]+"  "+right[i])
		}
	} else {
		cells = entries
		if s.totals() {
			cells[len(cells)-1] = sums[len(sums)-1]
		}
		cells = fill(cells, 0, false)
	}
	name := clean(c.Name)
	if d.cut {
		name = displaywidth.TruncateString(name, max(widest(cells), shortest), ".")
	}
	return fill(append([]string{name}, cells...), 0, false)
}

// fill gives all cells the same width, at least so many terminal cells.
func fill(cells []string, width int, right bool) []string {
	width = max(width, widest(cells))
	out := make([]string, len(cells))
	for i, c := range cells {
		blank := strings.Repeat(" ", width-displaywidth.String(c))
		if out[i] = c + blank; right {
			out[i] = blank + c
		}
	}
	return out
}

func widest(lines []string) int {
	n := 0
	for _, l := range lines {
		n = max(n, displaywidth.String(l))
	}
	return n
}

// Lines writes the columns one a line, for those who hear them.
func (s *Sheet) Lines() []string {
	var out []string
	for i := range s.Columns {
		c := &s.Columns[i]
		var parts []string
		for _, l := range c.Lines {
			parts = append(parts, l.String())
		}
		if c.Total != nil {
			parts = append(parts, "total "+number(c.Total))
		}
		out = append(out, clean(c.Name)+": "+strings.Join(parts, "; "))
	}
	return out
}

// Whole writes the whole sheet for a terminal: what was played, the columns, who
// has won.
func (s *Sheet) Whole(width int) []string {
	out := []string{s.Head()}
	for _, a := range s.about() {
		out = append(out, a[0]+": "+a[1])
	}
	if !s.Empty() {
		out = append(append(out, ""), s.Text(width, 0)...)
	}
	if below := s.below(); len(below) > 0 {
		out = append(append(out, ""), below...)
	}
	return out
}

// below lists what stands below the columns.
func (s *Sheet) below() []string {
	var out []string
	if s.Verdict != "" {
		out = append(out, clean(s.Verdict))
	}
	for _, list := range [][]string{s.Moments, s.Notes} {
		for _, l := range list {
			out = append(out, clean(l))
		}
	}
	return out
}
