package source

import (
	"sort"
	"strings"
)

// Nearest returns the names closest to a mistyped word, best first, at most
// three. A name that differs only in case counts as closest; otherwise the
// distance must not be above a third of the word's length, or one for short
// words. It returns nothing when nothing is close.
func Nearest(word string, among []string) []string {
	type found struct {
		name           string
		distance, gain int // gain is the difference in length
	}
	size := len([]rune(word))
	limit := min(max(1, size/3), size-1)
	var best []found
	seen := map[string]bool{word: true, "": true}
	for _, name := range among {
		if seen[name] {
			continue
		}
		seen[name] = true
		d := 0
		if !strings.EqualFold(name, word) {
			if d = distance(word, name, limit); d > limit {
				continue
			}
		}
		gain := len([]rune(name)) - size
		best = append(best, found{name, d, max(gain, -gain)})
	}
	sort.Slice(best, func(i, j int) bool {
		a, b := best[i], best[j]
		switch {
		case a.distance != b.distance:
			return a.distance < b.distance
		case a.gain != b.gain: // a slip of the fingers rather than a character forgotten
			return a.gain < b.gain
		}
		return a.name < b.name
	})
	var names []string
	for _, f := range best[:min(len(best), 3)] {
		names = append(names, f.name)
	}
	return names
}

// distance is the number of characters to insert, remove, replace or swap with
// their neighbour to turn a into b, no stretch being edited twice (optimal
// string alignment). Beyond the limit it is only some number above it.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); max(d, -d) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
