package repl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/houserules/houserules/interpreter"
)

// This file tells chances that were worked out.

// happenings names the events that happened, "" if none did.
func (s *Session) happenings(records []interpreter.Record) string {
	var out []string
	for i := range records {
		r := &records[i]
		name := ""
		switch r.Kind {
		case interpreter.RecEvent, interpreter.RecIncident:
			name = r.Rule.Label()
		case interpreter.RecOver:
			name = "the game ends"
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// printOdds tells the chances of one move.
func (s *Session) printOdds(move string, x *oddsAnswer) {
	if x.total == 0 && !x.exact {
		s.printf("%s: that cannot be worked out", move)
		return
	}
	how := fmt.Sprintf("simulated %d times", int(x.total))
	switch {
	case x.exact && !x.chancy:
		how = "nothing is left to chance"
	case x.exact:
		how = fmt.Sprintf("exact, %.0f cases", x.total)
	}
	head := fmt.Sprintf("%s (%s)", move, how)
	if x.number {
		head += fmt.Sprintf(": %s on average", trimmed(x.sum))
	}
	s.printf("%s", head)
	keys := make([]string, 0, len(x.ways))
	for k := range x.ways {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if x.number && x.least[a] != x.least[b] {
			return int(min(max(x.least[a]-x.least[b], -1), 1))
		}
		if d := x.ways[b] - x.ways[a]; math.Abs(d) > 1e-12 {
			return int(math.Copysign(1, d))
		}
		return strings.Compare(a, b)
	})
	var rows [][]string
	for i, k := range keys {
		if i == maxOddsLines {
			rows = append(rows, []string{fmt.Sprintf("  ... and %d more", len(keys)-i)})
			break
		}
		name := k
		if name == "" {
			name = "nothing of note"
		}
		rows = append(rows, []string{"  " + name, x.percent(x.ways[k])})
	}
	s.rows(rows)
}

// percent writes a chance, with how far off it may be if it is simulated: for
// 95 of 100 such numbers (Wilson's interval, its wider side).
func (x *oddsAnswer) percent(p float64) string {
	text := trimmed(100*p) + " %"
	if x.exact {
		return text
	}
	const z = 1.96
	n := x.total
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	off := max(math.Abs(middle+half-p), math.Abs(p-middle+half))
	return fmt.Sprintf("%s, +- %.1f", text, 100*off)
}

// trimmed writes a number with at most two digits behind the point.
func trimmed(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}
