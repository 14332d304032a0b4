package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// This file asks where phases lead. Two things must never happen: that a game
// runs past the last phase, and that it goes round and round without a
// decision, a throw or a roll.
//
// For each phase the ways out of it are gathered, each with a mark whether
// something stops on the way. Ways round a question count as ways without a
// stop: an exit in `enter`, a `when` that is false, a list that may be of
// nobody, the script for a seat without a legal answer, that of a ghost.

// A way leads from a phase to another one.
type way struct {
	to    *Phase
	stops bool        // a decision, a throw or a roll lies on it
	at    source.Span // what makes it
}

// A flowGraph holds the ways out of each phase.
type flowGraph struct {
	c    *checker
	ways map[*Phase][]way
}

func (c *checker) flow() {
	if c.brokenFlow() {
		return // what is missing or unread would make ways of its own
	}
	g := &flowGraph{c, map[*Phase][]way{}}
	for _, ph := range c.p.Phases {
		g.phase(ph)
	}
	g.rings()
	c.ways = g
}

// brokenFlow reports whether an error found before has left a hole in what
// phases do.
func (c *checker) brokenFlow() bool {
	for _, d := range *c.ds {
		switch d.Code {
		case "E0103", "E0114", "E0115", "E0202", "E0302", "E0303", "E0304", "E0307", "E0320":
			return true
		}
	}
	return false
}

// phase gathers the ways out of one phase.
func (g *flowGraph) phase(ph *Phase) {
	if ph.When != nil {
		g.onward(ph, false)
	}
	stops, falls := g.hooks(ph, ph.Before, false)
	if !falls {
		return
	}
	stops, falls = g.script(ph, ph.Enter, stops)
	if len(ph.Actions) > 0 && falls {
		stops, falls = g.question(ph, stops)
	}
	after, on := g.hooks(ph, ph.After, stops)
	if falls && on {
		g.onward(ph, after)
	}
}

// question gathers the ways through the actions of a phase. It reports how the
// phase goes on to its after-hooks, if it does.
func (g *flowGraph) question(ph *Phase, before bool) (stops, falls bool) {
	stops = true
	for _, a := range ph.Actions {
		_, on := g.hooks(ph, a.Before, true)
		if !on {
			continue
		}
		_, answered := g.script(ph, a.Do, true)
		_, kept := g.hooks(ph, a.After, true)
		falls = falls || answered && kept
	}
	if ph.Otherwise != nil {
		skipped, on := g.script(ph, ph.Otherwise, before)
		falls = falls || on
		stops = stops && (skipped || !on)
	}
	if ph.Nobody != nil {
		passed, on := g.script(ph, ph.Nobody, before)
		falls = falls || on
		stops = stops && (passed || !on || ph.Who != nil && ph.Who.List != nil && asksSomebody(ph.Who.List))
	}
	if who := ph.Who; who != nil && who.List != nil && (who.List.Type.Maybe || who.Mode != WhoSeat && !asksSomebody(who.List)) {
		stops, falls = before, true
	}
	if ph.Then != nil && falls {
		return g.script(ph, ph.Then, stops)
	}
	return stops, falls
}

// asksSomebody reports whether there is always somebody to ask in a list. That
// all people are out would be the game's own mistake.
func asksSomebody(list *Expr) bool {
	switch list.Op {
	case OpPlayers, OpEveryone, OpSeats:
		return true
	case OpAround:
		return asksSomebody(list.Args[0])
	case OpList, OpConcat:
		for _, a := range list.Args {
			if list.Op == OpConcat && asksSomebody(a) || list.Op == OpList && !a.Type.Maybe && a.Op != OpGhost {
				return true
			}
		}
		return false
	case OpCond:
		return asksSomebody(list.Args[1]) && asksSomebody(list.Args[2])
	case OpCall:
		return asksSomebody(list.Ref.(*Define).Body)
	case OpTable:
		for _, r := range list.Ref.(*Table).Rows {
			if r.Gives == nil || !asksSomebody(r.Gives) {
				return false
			}
		}
		return true
	}
	return false
}

// onward adds the way to the next phase; there must be one.
func (g *flowGraph) onward(ph *Phase, stops bool) {
	if ph.Index+1 < len(g.c.p.Phases) {
		g.add(ph, g.c.p.Phases[ph.Index+1], stops, ph.Span)
		return
	}
	g.c.path = ph.Path
	g.c.errorf("E0306", ph.Span, "`%s` is the last phase, and the game runs past it", ph.Name).
		WithHelp("every way through it must end in an exit, such as %s", g.c.usualExits())
	g.c.path = ""
}

func (g *flowGraph) add(from, to *Phase, stops bool, at source.Span) {
	if to != nil {
		g.ways[from] = append(g.ways[from], way{to, stops, at})
	}
}

// hooks gathers the exits of hooks. It reports whether what follows is reached.
func (g *flowGraph) hooks(ph *Phase, hooks []*Hook, stops bool) (after, falls bool) {
	falls = true
	for _, h := range hooks {
		s, on := g.script(ph, h.Do, stops)
		if h.When == nil {
			stops = s
			falls = falls && on
		}
		reached := len(h.Offer) == 0
		for _, a := range h.Offer {
			_, on := g.script(ph, a.Do, true)
			reached = reached || on
		}
		falls = falls && (reached || h.When != nil)
	}
	return stops, falls
}

// script gathers the exits of a script. stops says whether something stopped
// before; it reports the same for the end, and whether the end is reached.
func (g *flowGraph) script(ph *Phase, s *Script, stops bool) (after, falls bool) {
	if s == nil {
		return stops, true
	}
	for _, st := range s.Stmts {
		switch st.Op {
		case StmtThrow, StmtRoll, StmtRandom, StmtRandomLet:
			stops = true
		case StmtGoto:
			g.add(ph, st.Phase, stops, st.Span)
		case StmtNextTurn, StmtTurnOf:
			g.add(ph, g.c.p.Turns.Begin, stops, st.Span)
		case StmtEmit:
			stops = stops || alwaysStops(st.Event, map[*Event]bool{})
		case StmtFor: // a list of nobody would be the game's own mistake
			stops, _ = g.script(ph, st.Then, stops)
		case StmtIf:
			a, onA := g.script(ph, st.Then, stops)
			b, onB := g.script(ph, st.Else, stops)
			if !onA && !onB {
				return stops, false
			}
			stops = (a || !onA) && (b || !onB)
			continue
		}
		if isExit(st.Op) {
			return stops, false
		}
	}
	return stops, true
}

// alwaysStops reports whether an event throws or rolls in any case.
func alwaysStops(e *Event, seen map[*Event]bool) bool {
	if e == nil || e.When != nil || e.Do == nil || seen[e] {
		return false
	}
	seen[e] = true
	for _, st := range e.Do.Stmts {
		if st.Op == StmtThrow || st.Op == StmtRoll || st.Op == StmtEmit && alwaysStops(st.Event, seen) {
			return true
		}
	}
	return false
}

// rings reports every ring of ways on which nothing stops, once.
func (g *flowGraph) rings() {
	const (
		fresh = iota
		open
		done
	)
	mark := map[*Phase]int{}
	var trail []*Phase
	var walk func(ph *Phase)
	walk = func(ph *Phase) {
		mark[ph] = open
		trail = append(trail, ph)
		for _, w := range g.ways[ph] {
			switch {
			case w.stops:
			case mark[w.to] == fresh:
				walk(w.to)
			case mark[w.to] == open:
				g.report(trail, w)
			}
		}
		trail = trail[:len(trail)-1]
		mark[ph] = done
	}
	for _, ph := range g.c.p.Phases {
		if mark[ph] == fresh {
			walk(ph)
		}
	}
}

// report describes a ring that the way w closes.
func (g *flowGraph) report(trail []*Phase, w way) {
	var names []string
	for i := len(trail) - 1; i >= 0; i-- {
		names = append([]string{"`" + trail[i].Name + "`"}, names...)
		if trail[i] == w.to {
			break
		}
	}
	names = append(names, "`"+w.to.Name+"`")
	g.c.path = trail[len(trail)-1].Path
	message := "these phases can go round for ever: " + strings.Join(names, ", ")
	if len(names) == 2 {
		message = "the phase " + names[0] + " can go round for ever"
	}
	g.c.errorf("E0305", w.at, "%s", message).
		WithRelated(w.to.Span, "the ring begins here").
		WithHelp("somewhere on the way there must be a decision, a throw or a roll")
	g.c.path = ""
}

// eventRings reports events that lead to themselves.
func (c *checker) eventRings() {
	mark := map[*Event]int{}
	var walk func(e *Event)
	walk = func(e *Event) {
		mark[e] = 1
		visitEmits(e, func(st *Stmt) {
			switch mark[st.Event] {
			case 0:
				walk(st.Event)
			case 1:
				c.path = e.Path
				c.errorf("E0308", st.Span, "the event `%s` leads to itself", st.Event.Name).
					WithRelated(st.Event.Span, "it is declared here")
				c.path = ""
			}
		})
		mark[e] = 2
	}
	for _, e := range c.p.Events {
		if mark[e] == 0 {
			walk(e)
		}
	}
}

// visitEmits calls f for what an event and the hooks on it emit.
func visitEmits(e *Event, f func(*Stmt)) {
	scripts := []*Script{e.Do}
	for _, hooks := range [][]*Hook{e.Before, e.After} {
		for _, h := range hooks {
			scripts = append(scripts, h.Do)
		}
	}
	for _, s := range scripts {
		eachStmt(s, func(st *Stmt) {
			if st.Op == StmtEmit && st.Event != nil {
				f(st)
			}
		})
	}
}
