package dsl

import "strings"

// This file looks for hooks of two variants on one moment whose order matters
// because one writes what the other reads. They go by the ids of the variants,
// which the players may not expect; so there is a note.

// effects are the state and the zones that a script touches. What it only adds
// to is apart: additions go in any order.
type effects struct {
	reads, writes, adds map[any]bool
	seen                map[any]bool // defines and events looked into
}

func effectsOf(h *Hook) *effects {
	f := &effects{map[any]bool{}, map[any]bool{}, map[any]bool{}, map[any]bool{}}
	f.expr(h.When)
	f.script(h.Do)
	for _, a := range h.Offer {
		f.expr(a.When)
		f.script(a.Do)
	}
	return f
}

func (f *effects) expr(e *Expr) {
	visit(e, func(e *Expr) bool {
		switch ref := e.Ref.(type) {
		case *Var:
			f.reads[ref] = true
		case *Zone:
			f.reads[ref.Family] = true
		case *Mark:
			f.reads[ref.Family] = true
		case *Define, *Table:
			if _, _, bodies := called(e); !f.seen[ref] {
				f.seen[ref] = true
				for _, b := range bodies {
					f.expr(b)
				}
			}
		case *Scorer:
			for _, k := range ref.Knows {
				f.expr(k.Value)
			}
		}
		return true
	})
}

func (f *effects) script(s *Script) {
	eachStmt(s, func(st *Stmt) {
		for _, e := range stmtFormulas(st) {
			f.expr(e)
		}
		switch st.Op {
		case StmtAdd, StmtSub:
			f.adds[st.Place.Var] = true
		case StmtAssign, StmtRandom, StmtRoll, StmtAppend:
			f.writes[st.Place.Var] = true
		case StmtThrow, StmtMove, StmtSetFaces, StmtSetEach:
			if fam := familyOf(st.X); fam != nil {
				f.writes[fam] = true
			}
		case StmtDeal:
			f.writes[st.Zone.Family] = true
		case StmtScore:
			if st.Scorer.Pays != nil {
				f.adds[st.Scorer.Pays.Var] = true
			}
		case StmtEmit:
			f.event(st.Event)
		}
	})
}

// stmtFormulas lists the formulas of a statement that decide what it does, but
// for those in its blocks and texts.
func stmtFormulas(st *Stmt) []*Expr {
	out := append([]*Expr{st.X, st.Y, st.Seat, st.At, st.SoThat}, st.Args...)
	if st.Place != nil {
		out = append(out, st.Place.Seat, st.Place.Key)
	}
	for _, m := range st.Marks {
		out = append(out, m.Value)
	}
	for _, set := range st.Sets {
		out = append(out, set.Value)
	}
	return out
}

func (f *effects) event(e *Event) {
	if e == nil || f.seen[e] {
		return
	}
	f.seen[e] = true
	f.expr(e.When)
	f.script(e.Do)
	for _, h := range append(e.Before[:len(e.Before):len(e.Before)], e.After...) {
		f.expr(h.When)
		f.script(h.Do)
	}
}

// disturbs names something that f writes and g reads or writes, or "".
func (f *effects) disturbs(g *effects) string {
	name := ""
	note := func(v any) {
		if t := touched(v); name == "" || t < name {
			name = t
		}
	}
	for v := range f.writes {
		if g.reads[v] || g.writes[v] || g.adds[v] {
			note(v)
		}
	}
	for v := range f.adds {
		if g.reads[v] {
			note(v)
		}
	}
	return name
}

// meetings notes the pairs of hooks whose order matters.
func (c *checker) meetings() {
	for _, path := range sortedKeys(c.moments) {
		m := c.moments[path]
		for _, hooks := range [][]*Hook{*m.before, *m.after} {
			for i, h := range hooks {
				for _, earlier := range hooks[:i] {
					c.meeting(earlier, h, path)
				}
			}
		}
	}
}

func (c *checker) meeting(first, then *Hook, path string) {
	if first.Variant == then.Variant {
		return
	}
	a, b := effectsOf(first), effectsOf(then)
	what := a.disturbs(b)
	if what == "" {
		what = b.disturbs(a)
	}
	if what == "" {
		return
	}
	d := c.ds.Notef("W0512", then.Span, "`%s` and `%s` both touch %s here; `%s` goes first", first.Variant, then.Variant, what, first.Variant)
	d.Path = path
	d.WithPair(first.Variant, then.Variant).WithRelated(first.Span, "the other one is here")
}

func touched(what any) string {
	switch what := what.(type) {
	case *Var:
		return "`" + strings.TrimPrefix(what.Path, "state.") + "`"
	case *Family:
		return "`" + what.Name + "`"
	}
	return "the same thing"
}
