package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file finds out which picks name pieces that not everybody sees, and
// which of these are laid open by the action itself.

// hidePicks notes of the picks of an action whether they are of pieces that
// not everybody sees, and whether the action lays them open.
func hidePicks(a *action) {
	o := origins{from: map[*dsl.Local]bool{}, calls: map[called]bool{}}
	f := fates{leave: map[*dsl.Event]bool{}, of: map[called]fate{}}
	for i := range a.picks {
		p := &a.picks[i]
		if p.List == nil {
			continue
		}
		hidden := o.hidden(p.List)
		if p.It != nil {
			o.from[p.It] = hidden
			hidden = hidden || o.inHidden(p.It, p.Where)
		}
		o.from[p.Local] = hidden
		if hidden && (p.cards != nil || p.family != nil) {
			p.hidden, p.opened = true, f.opensPick(a, p.Local)
		}
	}
}

// origins finds out whether the pieces that a formula gives may come out of a
// zone that not all see. A piece of the whole family is only named.
type origins struct {
	from  map[*dsl.Local]bool // what is known of locals
	calls map[called]bool     // what is known of calls
}

// called is a define, a table or an event that is handed pieces that are
// looked for, as bits by argument; those behind the 64th go with it.
type called struct {
	ref  any
	args uint64
}

func (c *called) hand(arg int) { c.args |= 1 << uint(min(arg, 63)) }

func (o *origins) hidden(e *dsl.Expr) bool {
	if e == nil {
		return false
	}
	switch e.Op {
	case dsl.OpZone, dsl.OpSpot:
		return e.Ref.(*dsl.Zone).Seen != dsl.SeenAll
	case dsl.OpLocal:
		l := e.Ref.(*dsl.Local)
		if hidden, ok := o.from[l]; ok {
			return hidden
		}
		return ofCards(l.Type) // which may come from anywhere
	case dsl.OpCall, dsl.OpTable:
		return o.call(e)
	case dsl.OpTake, dsl.OpNth:
		return o.hidden(e.Args[0])
	case dsl.OpCond:
		return o.hidden(e.Args[1]) || o.hidden(e.Args[2])
	case dsl.OpFilter, dsl.OpFind, dsl.OpFindLast, dsl.OpHighest, dsl.OpLowest:
		hidden := o.hidden(e.Args[0])
		l := e.Ref.(*dsl.Local)
		o.from[l] = hidden
		return hidden || o.inHidden(l, e.Args[1])
	case dsl.OpMap:
		o.from[e.Ref.(*dsl.Local)] = o.hidden(e.Args[0])
		return o.hidden(e.Args[1])
	}
	return ofPieces(e.Type) && slices.ContainsFunc(e.Args, o.hidden)
}

// ofPieces reports whether a type is of pieces, or of one.
func ofPieces(t dsl.Type) bool {
	return t.Kind == dsl.KPiece || t.IsCollection() && t.Elem.Kind == dsl.KPiece
}

// ofCards reports whether a type is of pieces without faces, or of one.
func ofCards(t dsl.Type) bool {
	return isCards(t) || t.Kind == dsl.KPiece && len(t.Family.Faces) == 0
}

// inHidden reports whether a test asks if an element is among pieces that not
// all see.
func (o *origins) inHidden(it *dsl.Local, test *dsl.Expr) bool {
	if test == nil {
		return false
	}
	if test.Op == dsl.OpIn && isLocal(test.Args[0], it) && o.hidden(test.Args[1]) {
		return true
	}
	return slices.ContainsFunc(test.Args, func(e *dsl.Expr) bool { return o.inHidden(it, e) })
}

// call is hidden for a call, with what its arguments are.
func (o *origins) call(e *dsl.Expr) bool {
	if !ofPieces(e.Type) {
		return false
	}
	key, args := called{ref: e.Ref}, make([]bool, len(e.Args))
	for i, a := range e.Args {
		if args[i] = o.hidden(a); args[i] {
			key.hand(i)
		}
	}
	if hidden, ok := o.calls[key]; ok {
		return hidden
	}
	hidden := false
	switch ref := e.Ref.(type) {
	case *dsl.Define:
		o.bind(ref.Params, args)
		hidden = o.hidden(ref.Body)
	case *dsl.Table:
		o.bind(ref.Params, args)
		for _, r := range ref.Rows {
			if r.It != nil {
				o.from[r.It] = args[0]
			}
			hidden = hidden || r.Gives == nil && args[0] || o.hidden(r.Gives)
		}
	}
	o.calls[key] = hidden
	return hidden
}

func (o *origins) bind(params []*dsl.Local, args []bool) {
	for i, p := range params {
		o.from[p] = args[i]
	}
}

// opensPick reports whether an action moves what was picked, in any case, to a
// zone that all see.
func (f *fates) opensPick(a *action, l *dsl.Local) bool {
	return !f.hooksLeave(a.Before) && f.opens(a.Do, []*dsl.Local{l}) == laidOpen
}

// fate is what a script does with pieces.
type fate int

const (
	untouched fate = iota
	laidOpen       // it moves them to a zone that all see
	unclear        // it moves them elsewhere, or may leave before it moves them
)

// fates finds out what becomes of pieces that were picked.
type fates struct {
	leave map[*dsl.Event]bool // whether events may go elsewhere
	of    map[called]fate     // what events do
}

// opens finds out what a script does with the pieces of which each of some
// locals holds all.
func (f *fates) opens(s *dsl.Script, held []*dsl.Local) fate {
	if s == nil {
		return untouched
	}
	holds := func(e *dsl.Expr) bool {
		return e != nil && e.Op == dsl.OpLocal && slices.Contains(held, e.Ref.(*dsl.Local))
	}
	for _, st := range s.Stmts {
		to := untouched
		switch {
		case st.Op == dsl.StmtLet && holds(st.X):
			held = append(slices.Clone(held), st.Local)
		case st.Op == dsl.StmtMove && holdsAmong(st.X, holds):
			if to = unclear; st.Y.Ref.(*dsl.Zone).Seen == dsl.SeenAll {
				to = laidOpen
			}
		case st.Op == dsl.StmtIf:
			if to = f.opens(st.Then, held); to != f.opens(st.Else, held) {
				to = unclear
			}
		case st.Op == dsl.StmtFor && holds(st.X):
			to = f.opens(st.Then, []*dsl.Local{st.Local})
		case st.Op == dsl.StmtEmit:
			to = f.emitted(st, holds)
		}
		if to != untouched {
			return to
		}
		if f.leaves(st) {
			return unclear
		}
	}
	return untouched
}

// holdsAmong reports whether pieces that are looked for are all among those of
// a formula.
func holdsAmong(e *dsl.Expr, holds func(*dsl.Expr) bool) bool {
	return holds(e) || (e.Op == dsl.OpList || e.Op == dsl.OpConcat) &&
		slices.ContainsFunc(e.Args, func(a *dsl.Expr) bool { return holdsAmong(a, holds) })
}

// emitted finds out what an event does with pieces that are handed to it.
func (f *fates) emitted(st *dsl.Stmt, holds func(*dsl.Expr) bool) fate {
	key := called{ref: st.Event}
	var held []*dsl.Local
	for i, a := range st.Args {
		if holds(a) {
			held = append(held, st.Event.Params[i])
			key.hand(i)
		}
	}
	if len(held) == 0 {
		return untouched
	}
	to, ok := f.of[key]
	if !ok {
		to = f.opens(st.Event.Do, held)
		if to == laidOpen && (st.Event.When != nil || f.hooksLeave(st.Event.Before)) {
			to = unclear
		}
		f.of[key] = to
	}
	return to
}

// hooksLeave reports whether a hook may go elsewhere.
func (f *fates) hooksLeave(hs []*dsl.Hook) bool {
	return slices.ContainsFunc(hs, func(h *dsl.Hook) bool { return h.CanExit || len(h.Offer) > 0 || f.scriptLeaves(h.Do) })
}

// leaves reports whether a statement may go elsewhere, also by an event that
// ends the game.
func (f *fates) leaves(st *dsl.Stmt) bool {
	switch st.Op {
	case dsl.StmtGoto, dsl.StmtAgain, dsl.StmtNextTurn, dsl.StmtTurnOf, dsl.StmtFinish, dsl.StmtStartGame:
		return true
	case dsl.StmtIf, dsl.StmtFor:
		return f.scriptLeaves(st.Then) || f.scriptLeaves(st.Else)
	case dsl.StmtEmit:
		leave, ok := f.leave[st.Event]
		if !ok {
			leave = f.scriptLeaves(st.Event.Do) || f.hooksLeave(st.Event.Before) || f.hooksLeave(st.Event.After)
			f.leave[st.Event] = leave
		}
		return leave
	}
	return false
}

func (f *fates) scriptLeaves(s *dsl.Script) bool {
	return s != nil && slices.ContainsFunc(s.Stmts, f.leaves)
}
