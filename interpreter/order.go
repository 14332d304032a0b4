package interpreter

import "github.com/houserules/houserules/dsl"

// This file finds out of which zones the order of the pieces matters to some
// rule in force. All other zones need not keep it.

// orderUses are the zones and names whose order is looked at, as far as is
// known by now: one is added as the program is walked over, until nothing more
// is found.
type orderUses struct {
	g      *Game
	zones  map[*dsl.Zone]bool
	locals map[*dsl.Local]bool
	dealt  map[*dsl.Zone]bool // zones that are dealt from
	laid   map[*dsl.Zone]bool // zones to which pieces go in an order that is known
	grown  bool
	bodies map[any]bool // defines and tables walked over in this round
}

func (g *Game) orderUses() *orderUses {
	u := &orderUses{g: g, zones: map[*dsl.Zone]bool{}, locals: map[*dsl.Local]bool{}, dealt: map[*dsl.Zone]bool{}, laid: map[*dsl.Zone]bool{}}
	for u.grown = true; u.grown; {
		u.grown = false
		u.bodies = map[any]bool{}
		u.program()
		for z := range u.dealt {
			if u.laid[z] {
				u.zone(z)
			}
		}
	}
	return u
}

func (u *orderUses) zone(z *dsl.Zone) {
	if !u.zones[z] {
		u.zones[z], u.grown = true, true
	}
}

func (u *orderUses) local(l *dsl.Local) {
	if !u.locals[l] {
		u.locals[l], u.grown = true, true
	}
}

func (u *orderUses) program() {
	eachScript(u.g.prog, func(s *dsl.Script) {
		if u.g.ghosts == 0 && u.isNobody(s) {
			return
		}
		eachStmt(s, u.stmt)
	})
	eachRule(u.g.prog, func(e *dsl.Expr) { u.expr(e, false) })
}

// isNobody reports whether a script is what ghosts do.
func (u *orderUses) isNobody(s *dsl.Script) bool {
	for _, p := range u.g.prog.Phases {
		if p.Nobody == s {
			return true
		}
	}
	return false
}

func (u *orderUses) stmt(s *dsl.Stmt) {
	ordered := false
	switch s.Op {
	case dsl.StmtFor:
		ordered = true
	case dsl.StmtLet:
		ordered = u.locals[s.Local]
	case dsl.StmtMove:
		if z := s.Y.Ref.(*dsl.Zone); !s.Random {
			ordered = u.zones[z]
			u.laid[z] = true
		}
	case dsl.StmtDeal:
		if !s.Random {
			u.laid[s.Zone] = true
		}
		if s.Y != nil {
			u.dealt[s.Y.Ref.(*dsl.Zone)] = true
		} else {
			ordered = true
		}
	}
	u.expr(s.X, ordered)
	u.expr(s.Y, false)
	u.expr(s.Seat, false)
	u.expr(s.At, false)
	u.expr(s.SoThat, false)
	for i, a := range s.Args {
		u.expr(a, s.Event != nil && u.locals[s.Event.Params[i]])
	}
	for _, set := range s.Marks {
		u.expr(set.Value, false)
	}
	if s.Place != nil {
		u.expr(s.Place.Seat, false)
		u.expr(s.Place.Key, false)
	}
}

// expr walks over a formula. ordered says whether the order of the collection
// that it gives is looked at.
func (u *orderUses) expr(e *dsl.Expr, ordered bool) {
	if e == nil {
		return
	}
	switch e.Op {
	case dsl.OpZone:
		if ordered {
			u.zone(e.Ref.(*dsl.Zone))
		}
	case dsl.OpLocal:
		if ordered {
			u.local(e.Ref.(*dsl.Local))
		}
	case dsl.OpFirst, dsl.OpLast, dsl.OpNth, dsl.OpTake, dsl.OpFind, dsl.OpFindLast:
		u.args(e, true)
		return
	case dsl.OpFilter, dsl.OpMap, dsl.OpHighest, dsl.OpLowest, dsl.OpConcat:
		u.args(e, ordered)
		return
	case dsl.OpCond, dsl.OpCoalesce, dsl.OpLookup:
		for i, a := range e.Args {
			u.expr(a, ordered && (i > 0 || e.Op == dsl.OpCoalesce))
		}
		return
	case dsl.OpCall:
		d := e.Ref.(*dsl.Define)
		u.call(d, d.Params, e.Args)
		u.body(d, ordered, func() { u.expr(d.Body, ordered) })
		return
	case dsl.OpTable:
		t := e.Ref.(*dsl.Table)
		u.call(t, t.Params, e.Args)
		u.body(t, ordered, func() { u.table(t, ordered) })
		return
	}
	for _, a := range e.Args {
		u.expr(a, false)
	}
}

// args walks over a collection and what is asked of each element.
func (u *orderUses) args(e *dsl.Expr, ordered bool) {
	for i, a := range e.Args {
		u.expr(a, ordered && (i == 0 || e.Op == dsl.OpConcat))
	}
}

func (u *orderUses) call(_ any, params []*dsl.Local, args []*dsl.Expr) {
	for i, a := range args {
		u.expr(a, i < len(params) && u.locals[params[i]])
	}
}

// bodyUse is a body as it is used.
type bodyUse struct {
	of      any
	ordered bool
}

// body walks over what a define or table gives, once a round for each use.
func (u *orderUses) body(of any, ordered bool, walk func()) {
	if k := (bodyUse{of, ordered}); !u.bodies[k] {
		u.bodies[k] = true
		walk()
	}
}

func (u *orderUses) table(t *dsl.Table, ordered bool) {
	for _, r := range t.Rows {
		if r.Find != dsl.FindNothing {
			u.local(t.Params[0])
		}
		u.expr(r.When, false)
		u.expr(r.Where, false)
		u.expr(r.Key, false)
		u.expr(r.Gives, ordered)
	}
}
