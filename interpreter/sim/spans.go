package sim

import (
	"slices"
)

// joinSpans joins two lists of spans into one that ascends and has no two that
// touch.
func joinSpans(a, b []Span) []Span {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Span) int { return int(x.Begin - y.Begin) })
	out := []Span{}
	for _, s := range all {
		if n := len(out); n > 0 && out[n-1].End == s.Begin {
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

// overlap returns a game that two lists of spans both have, -1 if there is none.
func overlap(a, b []Span) int64 {
	for _, x := range a {
		for _, y := range b {
			if from := max(x.Begin, y.Begin); from < min(x.End, y.End) {
				return from
			}
		}
	}
	return -1
}

// joinStrands keeps the first of two lists.
func joinStrands(a, b []Strand) []Strand {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Strand) int {
		if x.Game != y.Game {
			return int(x.Game - y.Game)
		}
		return x.Side - y.Side
	})
	if len(all) > mostStrands {
		all = all[:mostStrands]
	}
	if all == nil {
		return []Strand{}
	}
	return all
}

// Part returns the span of games that part i of n plays, i from 1.
func Part(games int64, i, n int) Span {
	at := func(k int) int64 { return games/int64(n)*int64(k) + min(games%int64(n), int64(k)) }
	return Span{at(i - 1), at(i)}
}
