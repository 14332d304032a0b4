package interpreter

import (
	"errors"
	"fmt"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// This file plays games at random to find what reading the rules does not show.

// A Probe plays a program at random, with every number of players that it can
// be played by.
type Probe struct {
	Games int    // how many in all
	Seed  uint64 // the first game has this seed, the next the next
	// Limit is how many decisions a game may have; 0 means 20,000. A game that
	// has more is stuck.
	Limit int
}

// MishapKind says what went wrong in a game.
type MishapKind uint8

// The kinds of mishaps.
const (
	Stopped MishapKind = iota // a mistake of the rules stopped the game
	Broken                    // an invariant did not hold
	Stuck                     // the game did not end
)

// A Mishap is what went wrong in a game, and how to get there.
type Mishap struct {
	Kind    MishapKind
	Span    source.Span // of what is to blame; of a stuck game, the phase where it was
	Message string
	Players []string
	Seed    uint64
	Moves   []ProbeMove // the last one led to it
	Games   int         // in so many games the same went wrong
}

// A ProbeMove is a move of a game that a probe has played.
type ProbeMove struct{ Who, Text string }

// Found is what a probe has found.
type Found struct {
	Games     int
	Decisions int
	// Unanswered are the games that came to a question that only people can
	// answer, and were left there.
	Unanswered int
	Mishaps    []Mishap      // of each place the shortest game, in the order in which the places came up
	Untaken    []*dsl.Action // those that nobody has ever taken, if nothing was left unanswered
}

// tableName is who moves where the whole table is asked.
const tableName = "table"

// defaultLimit is the limit of a Probe that names none.
const defaultLimit = 20_000

// Play plays the games. The error says that the program cannot be made ready: a
// *Fault or a *PlayersError.
func (p Probe) Play(prog *dsl.Program) (*Found, error) {
	if p.Limit <= 0 {
		p.Limit = defaultLimit
	}
	x := &prober{Probe: p, found: &Found{}, taken: map[*dsl.Action]bool{}, at: map[string]int{}}
	most := min(prog.MaxPlayers, max(prog.MinPlayers, len(peopleNames)))
	tables := make([]*probeTable, most-prog.MinPlayers+1)
	for i := range p.Games {
		k := i % len(tables)
		if tables[k] == nil {
			t, err := newProbeTable(prog, prog.MinPlayers+k)
			var impossible *PlayersError
			if errors.As(err, &impossible) && k > 0 {
				continue // a house rule asks for fewer
			}
			if err != nil {
				return nil, err
			}
			tables[k] = t
		}
		x.play(tables[k], p.Seed+uint64(i))
	}
	if x.found.Unanswered == 0 {
		x.untaken(tables)
	}
	return x.found, nil
}

// untaken gathers the actions that are asked for somewhere and were never taken.
func (x *prober) untaken(tables []*probeTable) {
	for _, t := range tables {
		if t == nil {
			continue
		}
		for i := range t.m.g.code {
			a, ok := t.m.g.code[i].x.(*ask)
			if !ok {
				continue
			}
			for _, act := range a.actions {
				if !x.taken[act.Action] && !act.typed {
					x.taken[act.Action] = true // told once
					x.found.Untaken = append(x.found.Untaken, act.Action)
				}
			}
		}
	}
}

// prober is a probe under way.
type prober struct {
	Probe
	found *Found
	taken map[*dsl.Action]bool
	at    map[string]int // mishaps by what and where
	moves []ProbeMove
}

// probeTable is a game for a number of players, with its invariants ready.
type probeTable struct {
	m          *Machine
	names      []string
	invariants []*dsl.Guard
	holds      *Meter
}

func newProbeTable(prog *dsl.Program, players int) (*probeTable, error) {
	g, err := New(prog, players)
	if err != nil {
		return nil, err
	}
	t := &probeTable{invariants: prog.Invariant}
	t.names = SeatNames(players)
	t.m = g.Start(Setup{Names: t.names})
	var that []*dsl.Expr
	for _, inv := range t.invariants {
		that = append(that, inv.That)
	}
	t.holds, err = t.m.Meter(that...)
	return t, err
}

// broken returns the first invariant that does not hold, or the fault of one.
func (t *probeTable) broken() (*dsl.Guard, error) {
	if len(t.invariants) == 0 {
		return nil, nil
	}
	t.holds.Read(t.m)
	for i, inv := range t.invariants {
		if ok, err := t.holds.Value(i); err != nil || ok == 0 {
			return inv, err
		}
	}
	return nil, nil
}

// play plays one game.
func (x *prober) play(t *probeTable, seed uint64) {
	m := t.m
	m.Restart(Setup{Names: t.names, Seed: seed})
	r := NewRand(seed, 0, StreamPolicy)
	x.moves = x.moves[:0]
	x.found.Games++
	var last source.Span
	for range x.Limit {
		req, err := m.Advance()
		if err != nil {
			x.stopped(t, seed, err)
			return
		}
		if inv, err := t.broken(); err != nil {
			x.stopped(t, seed, err)
			return
		} else if inv != nil {
			text := inv.Label()
			if inv.Else != nil {
				text = m.Sentence(inv.Else)
			}
			x.fail(t, seed, Mishap{Kind: Broken, Span: inv.That.Span, Message: text})
			return
		}
		if req.Kind == Over {
			return
		}
		if phase := m.Phase(); phase != nil {
			last = phase.Span
		}
		i, ok := x.draw(m, req, &r)
		if !ok {
			x.found.Unanswered++
			return
		}
		if err := m.Apply(i); err != nil {
			x.stopped(t, seed, err)
			return
		}
	}
	x.fail(t, seed, Mishap{Kind: Stuck, Span: last, Message: fmt.Sprintf("the game had not ended after %d decisions", x.Limit)})
}

// draw draws an option that can be taken without being typed, and notes it.
func (x *prober) draw(m *Machine, req Request, r *Rand) (option int, ok bool) {
	const tries = 40
	for range tries {
		i := int(r.Below(uint64(req.N)))
		act := m.load(m.asked(), i)
		if act.typed {
			continue
		}
		x.found.Decisions++
		x.taken[act.Action] = true
		who := m.Name(req.Seat)
		if req.Table {
			who = tableName
		}
		if !req.Forced { // else nobody is asked
			x.moves = append(x.moves, ProbeMove{who, m.OptionText(i)})
		}
		return i, true
	}
	return 0, false
}

func (x *prober) stopped(t *probeTable, seed uint64, err error) {
	var f *Fault
	if !errors.As(err, &f) {
		f = &Fault{Message: err.Error()}
	}
	x.fail(t, seed, Mishap{Kind: Stopped, Span: f.Span, Message: f.Message})
}

// fail notes a mishap, and keeps the shortest game of each place.
func (x *prober) fail(t *probeTable, seed uint64, f Mishap) {
	key := fmt.Sprint(f.Kind, f.Span)
	f.Players, f.Seed, f.Games = t.names, seed, 1
	k, known := x.at[key]
	if !known {
		x.at[key] = len(x.found.Mishaps)
		f.Moves = append([]ProbeMove(nil), x.moves...)
		x.found.Mishaps = append(x.found.Mishaps, f)
		return
	}
	old := &x.found.Mishaps[k]
	f.Games += old.Games
	if len(x.moves) >= len(old.Moves) {
		old.Games = f.Games
		return
	}
	f.Moves = append([]ProbeMove(nil), x.moves...)
	*old = f
}
