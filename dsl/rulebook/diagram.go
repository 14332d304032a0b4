package rulebook

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// diagram shows how the phases follow each other.
func (m *maker) diagram() {
	d := Phases(m.p)
	if len(d.States) > 0 {
		m.heading(2, "How phases follow each other")
		m.add(d)
	}
}

// Phases is the diagram of the phases of a program that are in force.
func Phases(p *dsl.Program) *Diagram {
	w := &walker{p: p, d: &Diagram{}, at: map[*dsl.Phase]int{}}
	for _, ph := range p.Phases {
		if !isNever(ph.When) {
			w.at[ph] = len(w.d.States)
			w.d.States = append(w.d.States, capital(ph.Label()))
		}
	}
	if len(p.Phases) > 0 {
		w.edge(Begin, w.from(0), "")
	}
	for _, ph := range p.Phases {
		if _, ok := w.at[ph]; ok {
			w.phase(ph)
		}
	}
	return w.d
}

type walker struct {
	p  *dsl.Program
	d  *Diagram
	at map[*dsl.Phase]int
}

// from is the first phase in force from a position on, or the end.
func (w *walker) from(i int) int {
	for ; i < len(w.p.Phases); i++ {
		if s, ok := w.at[w.p.Phases[i]]; ok {
			return s
		}
	}
	return End
}

func (w *walker) edge(from, to int, label string) {
	if e := (Edge{from, to, label}); !slices.Contains(w.d.Edges, e) {
		w.d.Edges = append(w.d.Edges, e)
	}
}

func (w *walker) phase(ph *dsl.Phase) {
	s := w.at[ph]
	open := true
	run := func(sc *dsl.Script, label string) bool { return w.script(s, sc, label) }
	hooks := func(list []*dsl.Hook, label string) {
		for _, h := range list {
			if isNever(h.When) {
				continue
			}
			if run(h.Do, label) && isAlways(h.When) {
				open = false
			}
			for _, a := range h.Offer {
				w.action(s, a)
			}
		}
	}
	hooks(ph.Before, "")
	if open && run(ph.Enter, "") {
		open = false
	}
	if open {
		passes := len(ph.Actions) == 0
		for _, a := range ph.Actions {
			if !isNever(a.When) && !w.action(s, a) {
				passes = true
			}
		}
		run(ph.Nobody, "")
		run(ph.Otherwise, "")
		open = passes
		if ph.Who != nil && ph.Who.Mode != dsl.WhoSeat {
			open = true
		}
		if open && run(ph.Then, "") {
			open = false
		}
	}
	hooks(ph.After, "")
	for _, x := range w.p.Incidents {
		if slices.Contains(x.Spoils, ph) && !isNever(x.When) {
			run(x.Do, capital(x.Label()))
		}
	}
	if open {
		w.edge(s, w.from(ph.Index+1), "")
	}
}

// action follows the script of an action; it reports whether that leaves in any
// case.
func (w *walker) action(s int, a *dsl.Action) bool {
	label := capital(a.Label())
	for _, list := range [][]*dsl.Hook{a.Before, a.After} {
		for _, h := range list {
			if !isNever(h.When) {
				w.script(s, h.Do, label)
			}
		}
	}
	return w.script(s, a.Do, label)
}

// script follows the exits of a script; it reports whether it leaves in any
// case.
func (w *walker) script(s int, sc *dsl.Script, label string) bool {
	if sc == nil {
		return false
	}
	for _, st := range sc.Stmts {
		turn := label
		if turn == "" {
			turn = "next turn"
		}
		switch st.Op {
		case dsl.StmtGoto:
			w.edge(s, w.from(st.Phase.Index), label)
			return true
		case dsl.StmtAgain:
			w.edge(s, s, label)
			return true
		case dsl.StmtNextTurn, dsl.StmtTurnOf:
			if b := w.p.Turns.Begin; b != nil {
				w.edge(s, w.from(b.Index), turn)
			}
			return true
		case dsl.StmtFinish, dsl.StmtStartGame:
			w.edge(s, End, label)
			return true
		case dsl.StmtFor:
			w.script(s, st.Then, label)
		case dsl.StmtIf:
			c, known := constantOf(st.X)
			var then, other bool
			if !known || c.n != 0 {
				then = w.script(s, st.Then, label)
			}
			if !known || c.n == 0 {
				other = w.script(s, st.Else, label)
			}
			if (then || known && c.n == 0) && (other || known && c.n != 0) {
				return true
			}
		}
	}
	return false
}
