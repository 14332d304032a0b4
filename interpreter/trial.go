package interpreter

import (
	"errors"

	"github.com/houserules/houserules/dsl"
)

// A StartFault is a fault that a game meets before its first decision.
type StartFault struct {
	Players int
	Fault   *Fault
}

// Trial makes a program ready for the fewest and the most people that can play
// it, and begins a game with each, up to the first decision: numbers of pieces
// and lay-outs that cannot be show then, before anybody sits down to play. It
// returns the first fault that it meets, or nil.
func Trial(p *dsl.Program) *StartFault {
	for _, n := range []int{p.MinPlayers, min(p.MaxPlayers, MaxSeats)} {
		var f *Fault
		if err := begin(p, n); errors.As(err, &f) {
			return &StartFault{n, f}
		}
	}
	return nil
}

func begin(p *dsl.Program, players int) error {
	g, err := New(p, players)
	if err != nil {
		return err
	}
	_, err = g.Start(Setup{}).Advance()
	return err
}
