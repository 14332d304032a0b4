package interpreter

import (
	"github.com/houserules/houserules/dsl"
)

// A Tally counts what happens in the games of a machine: what simulations want
// to know of each. It goes on counting from game to game; Reset begins anew.
type Tally struct {
	// Events are how often each event or incident happened, in the order of
	// Game.Countable.
	Events []int64
	// Leads is how often somebody else came to lead alone, by the running totals
	// of the sheet, as they stand when a turn or a stretch of play begins and at
	// the end. It stays 0 where the rules keep no totals.
	Leads int64
	// First is the seat whose turn it was at the first decision that bots took
	// (PlayBots), -1 if there was none.
	First int

	leader int // who led last, -1 for nobody yet
}

// Reset sets everything to 0.
func (t *Tally) Reset() {
	clear(t.Events)
	t.Leads, t.First, t.leader = 0, -1, -1
}

// Countable lists the names of the events and incidents that a Tally counts.
// Those that are only declared, and can never happen, are among them.
func (g *Game) Countable() []*dsl.Info {
	var out []*dsl.Info
	for _, e := range g.prog.Events {
		out = append(out, &e.Info)
	}
	for _, i := range g.prog.Incidents {
		out = append(out, &i.Info)
	}
	return out
}

// Count makes the machine count into a tally, which it makes fit, or stop
// counting if t is nil. Counting costs time. It must be called between games.
func (m *Machine) Count(t *Tally) {
	m.tally = t
	if t == nil {
		return
	}
	t.Events = make([]int64, len(m.g.prog.Events)+len(m.g.prog.Incidents))
	t.Reset()
}

// happened counts an event.
func (t *Tally) happened(of *telling) {
	if of.kind == RecEvent {
		t.Events[of.number]++
	}
}

// lead looks who leads.
func (m *Machine) lead() {
	g, t := m.g, m.tally
	if g.total == nil {
		return
	}
	best, first, alone := int64(0), -1, false
	for seat := range g.people {
		v := m.as(int64(seat), g.total)
		if g.lowest {
			v = -v
		}
		switch {
		case first < 0 || v > best:
			best, first, alone = v, seat, true
		case v == best:
			alone = false
		}
	}
	m.arena = m.arena[:0]
	if !alone || first == t.leader {
		return
	}
	if t.leader >= 0 {
		t.Leads++
	}
	t.leader = first
}

// Turns returns how many turns have begun, the present one among them.
func (m *Machine) Turns() int64 {
	for _, s := range m.g.prog.Scopes {
		if s.Name == "turn" && s.Owner == "" {
			return m.s[m.g.numberSlot[s]]
		}
	}
	return 0
}
