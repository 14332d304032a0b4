package mutate

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// script changes a script that runs if what stands at a place happens.
func (w *walker) script(at source.Span, s *dsl.Script) {
	if s == nil {
		return
	}
	w.within(at, func() {
		for _, st := range s.Stmts {
			w.stmt(st)
		}
	})
}

// stmt changes a statement. One that does something is left out, too, unless a
// condition that never holds leaves it out already.
func (w *walker) stmt(st *dsl.Stmt) {
	if onlyTells(st) {
		return
	}
	switch st.Op {
	case dsl.StmtIf:
		w.condition(st.X)
		w.branch(st, st.Then)
		w.branch(st, st.Else)
		return
	case dsl.StmtFor:
		w.value(st.X)
		w.script(w.under, st.Then)
		return
	case dsl.StmtLet, dsl.StmtRandomLet: // a name that is missing is no game
	default:
		w.change(st.Span, "")
	}
	w.written(st)
	for _, e := range append([]*dsl.Expr{st.X, st.Y, st.Seat, st.At}, st.Args...) {
		w.value(e)
	}
	w.condition(st.SoThat)
	for _, m := range st.Marks {
		w.value(m.Value)
	}
	for _, s := range st.Sets {
		w.value(s.Value)
	}
}

// branch changes one side of an `if`. A statement that is the whole of it is not
// left out.
func (w *walker) branch(st *dsl.Stmt, s *dsl.Script) {
	if s != nil && len(s.Stmts) == 1 {
		at := s.Stmts[0].Span
		w.seen[edit{at.Start, at.End, ""}] = true
	}
	w.script(st.Span, s)
}

// written changes what is added or taken away, and where.
func (w *walker) written(st *dsl.Stmt) {
	if st.Place == nil {
		return
	}
	w.value(st.Place.Seat)
	w.value(st.Place.Key)
	is, becomes := "+=", "-="
	if st.Op == dsl.StmtSub {
		is, becomes = becomes, is
	}
	if st.Op != dsl.StmtAdd && st.Op != dsl.StmtSub {
		return
	}
	if i := strings.Index(st.Span.Text(), is); i >= 0 {
		at := source.Span{File: st.Span.File, Start: st.Span.Start + i, End: st.Span.Start + i + len(is)}
		w.change(at, becomes)
	}
}

// onlyTells reports whether a statement does nothing but tell people something.
func onlyTells(st *dsl.Stmt) bool {
	switch st.Op {
	case dsl.StmtSay:
		return true
	case dsl.StmtEmit:
		return tells(st.Event)
	case dsl.StmtIf:
		return allTell(st.Then) && allTell(st.Else)
	case dsl.StmtFor:
		return allTell(st.Then)
	}
	return false
}

func allTell(s *dsl.Script) bool {
	return s == nil || !slices.ContainsFunc(s.Stmts, func(st *dsl.Stmt) bool { return !onlyTells(st) })
}

// tells reports whether an event does nothing but tell people that it happens.
func tells(e *dsl.Event) bool {
	return e.Do == nil && e.Mark == nil && e.Write == nil && e.Shout == nil && len(e.Before)+len(e.After) == 0
}
