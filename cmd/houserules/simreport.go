package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/interpreter/sim"
)

// simNote is what a report says of the run beside its numbers.
type simNote struct {
	stopped bool   // before its end
	enough  bool   // the precision was reached
	vague   bool   // the precision was not reached with all games
	again   string // the command that does the same again
}

// write reports a result, as text or as JSON, and draws it.
func (c *simReport) write(r *sim.Result, note simNote, std streams) error {
	if c.Out == "json" {
		if err := writeSimJSON(r, note, std); err != nil {
			return err
		}
	} else {
		w := &simText{std: std, r: r}
		w.write(note)
	}
	for _, path := range c.Plot {
		if err := plotResult(path, r); err != nil {
			return err
		}
		fmt.Fprintf(std.err, "houserules: %s is drawn\n", path)
	}
	return nil
}

// simText writes the report for people.
type simText struct {
	std streams
	r   *sim.Result
}

func (w *simText) write(note simNote) {
	h := w.r.Plan
	games := counted(int(w.r.Games()), "game")
	if w.r.Pairs != nil {
		games = counted(int(w.r.Games()), "pair") + " of games"
	}
	w.std.printf("%s, %s, seed %d", simTitle(w.r), games, h.Seed)
	if note.stopped {
		w.std.printf("stopped before the end: %d of %d", w.r.Games(), h.Games)
	}
	if note.enough {
		w.std.printf("stopped as soon as it was precise enough")
	}
	if note.vague {
		w.std.printf("not as precise as asked for: that takes more --games")
	}
	if w.r.Sides[0].Finished == 0 {
		w.std.printf("\nno game came to its end")
		return
	}
	w.std.printf("")
	w.measures()
	w.histogram("turns")
	if w.r.Pairs != nil {
		w.compare()
	}
	if note.again != "" {
		w.std.printf("\nrepeat: %s", note.again)
	}
}

// simTitle names what was played.
func simTitle(r *sim.Result) string {
	h := r.Plan
	text := h.Title
	if len(h.With) > 0 {
		text += " with " + strings.Join(h.With, ", ")
	}
	for _, name := range sortedNames(h.Set) {
		text += fmt.Sprintf(", %s = %s", name, h.Set[name])
	}
	return text + ", " + playersOf(h.Bots)
}

// playersOf counts bots in words: 2 x greedy, or greedy, random.
func playersOf(bots []string) string {
	if same := slices.Compact(slices.Clone(bots)); len(same) == 1 {
		return fmt.Sprintf("%d x %s", len(bots), bots[0])
	}
	return strings.Join(bots, ", ")
}

// measures prints every measure in a line.
func (w *simText) measures() {
	var rows [][]string
	for _, m := range w.r.Measures(0) {
		if len(m.Quantiles) > 0 {
			rows = append(rows, []string{simName(w.r, &m.Column), number(&m.Column, m.Value), interval(&m.Column, m.Estimate), quantiles(&m)})
			continue
		}
		rows = append(rows, []string{simName(w.r, &m.Column), number(&m.Column, m.Value), interval(&m.Column, m.Estimate)})
	}
	w.table([]string{"", "", "95 of 100 times", "median, and where most lie"}, rows)
}

// simName is what a measure is called. Where nobody's turn ever ends, what happens
// is counted by the game.
func simName(r *sim.Result, c *sim.Column) string {
	switch {
	case !strings.HasPrefix(c.ID, "events."):
		return c.Title
	case r.OneTurn():
		return c.Title + " in a game"
	}
	return c.Title + " in a turn"
}

// number writes a value with as many digits as say something.
func number(c *sim.Column, v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case c.Share():
		return strconv.FormatFloat(100*v, 'f', 1, 64) + " %"
	}
	digits := 1
	if a := math.Abs(v); a < 10 {
		digits = 3
	} else if a >= 1000 {
		digits = 0
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" { // not -0.000
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

func interval(c *sim.Column, e sim.Estimate) string {
	if math.IsNaN(e.Low) {
		return "-"
	}
	unit := func(v float64) string { return strings.TrimSuffix(number(c, v), " %") }
	return unit(e.Low) + " to " + unit(e.High)
}

func quantiles(m *sim.Measure) string {
	at := func(i int) string { return strconv.FormatFloat(m.Quantiles[i].Value, 'f', -1, 64) }
	return fmt.Sprintf("%s; p5 %s, p25 %s, p75 %s, p95 %s", at(2), at(0), at(1), at(3), at(4))
}

// table prints measures: names, values to the right, and what is said of them.
func (w *simText) table(head []string, rows [][]string) { simTable(w.std, head, rows, 2) }

// simTable prints rows in columns that are as wide as they must be. The cells of
// the columns from the second up to right, which is left out, stand to the right.
func simTable(std streams, head []string, rows [][]string, right int) {
	all := append([][]string{head}, rows...)
	width := make([]int, len(head))
	for _, row := range all {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range all {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(cell)))
			if i > 0 && i < right {
				cell, pad = pad+cell, ""
			}
			line += cell + pad + "   "
		}
		std.printf("%s", strings.TrimRight(line, " "))
	}
}

// A histogram for people has at most so many lines, and bars of at most so many
// signs.
const (
	histLines = 16
	histBar   = 40
)

// histogram prints how often which value of a measure came.
func (w *simText) histogram(id string) {
	for _, m := range w.r.Measures(0) {
		if m.ID != id || m.Spread == nil || len(m.Spread.Bins) < 2 {
			continue
		}
		bins := binned(m.Spread, histLines)
		most, all := int64(0), m.Spread.Count()
		for _, b := range bins {
			most = max(most, b.count)
		}
		w.std.printf("\n%s", m.Title)
		var rows [][]string
		for _, b := range bins {
			bar := strings.Repeat("#", int((b.count*histBar+most-1)/most))
			rows = append(rows, []string{fmt.Sprintf("  %6s  %-*s", b.label(), histBar, bar), strconv.FormatInt(b.count, 10), fmt.Sprintf("%.1f %%", 100*float64(b.count)/float64(all))})
		}
		for _, r := range rows {
			w.std.printf("%s  %8s  %7s", r[0], r[1], r[2])
		}
	}
}

// A bin is a bar: the values from low to high.
type bin struct{ low, high, count int64 }

func (b bin) label() string {
	if b.low == b.high {
		return strconv.FormatInt(b.low, 10)
	}
	return fmt.Sprintf("%d-%d", b.low, b.high)
}

// binned takes values together so that there are at most so many bars, of round
// width.
func binned(h *sim.Histogram, most int) []bin {
	values := h.Values()
	low, high := values[0], values[len(values)-1]+h.Width-1
	width := int64(1)
	for step := 0; (high-floorTo(low, width))/width >= int64(most) || width < h.Width; step++ {
		width = []int64{1, 2, 5}[(step+1)%3] * int64(math.Pow10((step+1)/3))
	}
	var out []bin
	for v := floorTo(low, width); v <= high; v += width {
		out = append(out, bin{v, v + width - 1, 0})
	}
	for _, v := range values {
		out[(v-out[0].low)/width].count += h.Bins[v]
	}
	return out
}

// floorTo is the greatest multiple of a width that is not above v.
func floorTo(v, width int64) int64 {
	r := v % width
	if r < 0 {
		r += width
	}
	return v - r
}

// compare prints what the rules compared with change, the surest first.
func (w *simText) compare() {
	h := w.r.Plan
	if w.r.Pairs.Both == 0 {
		w.std.printf("\ncompared with %s: no game came to its end by both", strings.Join(h.Versus, ", "))
		return
	}
	all := w.r.Differences()
	slices.SortStableFunc(all, func(a, b sim.Difference) int {
		switch x, y := sureness(&a), sureness(&b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	w.std.printf("\ncompared with %s: %d pairs of games on the same luck", strings.Join(h.Versus, ", "), w.r.Pairs.Both)
	var rows [][]string
	var same []string
	for i := range all {
		d := &all[i]
		if !d.Likely() && d.Here == d.There {
			same = append(same, simName(w.r, &d.Column))
			continue
		}
		rows = append(rows, []string{simName(w.r, &d.Column), signed(&d.Column, d.Value), changeOf(d), sureWords(d)})
	}
	if len(rows) > 0 {
		w.table([]string{"", "change", "95 of 100 times", ""}, rows)
	}
	if len(same) > 0 {
		w.std.printf("just the same: %s", strings.Join(same, ", "))
	}
	for i := range all {
		if d := &all[i]; d.ID == "wins.first" || d.ID == "turns" {
			w.std.printf("%s", w.sentence(d))
		}
	}
}

// sureness is how many half widths of its interval a difference is away from 0.
func sureness(d *sim.Difference) float64 {
	if math.IsNaN(d.Low) {
		return -1
	}
	half := (d.High - d.Low) / 2
	if half == 0 {
		if d.Value == 0 {
			return 0
		}
		return math.MaxFloat64
	}
	return math.Abs(d.Value) / half
}

func signed(c *sim.Column, v float64) string {
	text := number(c, v)
	if v > 0 {
		text = "+" + text
	}
	return text
}

func changeOf(d *sim.Difference) string {
	if math.IsNaN(d.Low) {
		return "-"
	}
	unit := func(v float64) string { return strings.TrimSuffix(signed(&d.Column, v), " %") }
	return unit(d.Low) + " to " + unit(d.High)
}

func sureWords(d *sim.Difference) string {
	if d.Likely() {
		return "likely real"
	}
	return "cannot tell"
}

// sentence says a difference in words.
func (w *simText) sentence(d *sim.Difference) string {
	name := capital(simName(w.r, &d.Column))
	switch {
	case d.Value == 0 && d.High == 0 && d.Low == 0:
		return name + ": the same in every pair of games."
	case !d.Likely():
		return name + ": whether there is a difference cannot be told from so many games."
	}
	how := "more"
	if d.Value < 0 {
		how = "less"
	}
	by := number(&d.Column, math.Abs(d.Value))
	if d.Share() {
		how = map[string]string{"more": "more often", "less": "less often"}[how]
		by = strings.TrimSuffix(by, " %") + " of 100 games"
		return fmt.Sprintf("%s %s: in %s (%s, now %s).", name, how, by, number(&d.Column, d.Here), number(&d.Column, d.There))
	}
	return fmt.Sprintf("%s: %s %s (%s, now %s).", name, by, how, number(&d.Column, d.Here), number(&d.Column, d.There))
}
