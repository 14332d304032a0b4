package interpreter

import (
	"fmt"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// peopleNames are who plays where nobody is named: in examples, in games that are
// played to find something out, in simulations.
var peopleNames = []string{"Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"}

// SeatNames returns names for so many seats: Ann, Bob and so on, from the ninth
// on P9, P10. They belong to the caller.
func SeatNames(n int) []string {
	names := slices.Clone(peopleNames[:min(n, len(peopleNames))])
	for len(names) < n {
		names = append(names, fmt.Sprintf("P%d", len(names)+1))
	}
	return names
}

// ExamplePlayers returns who plays a program where nobody is named: two, if it is
// for two, else as few as can play, but never more than eight. They belong to the
// caller.
func ExamplePlayers(p *dsl.Program) []string {
	return SeatNames(min(max(p.MinPlayers, min(2, p.MaxPlayers)), len(peopleNames)))
}
