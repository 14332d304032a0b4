package dsl

import "github.com/houserules/houserules/dsl/source"

// This file asks who may know what a formula reads: a guard and a pick tell
// the seat that is asked what it may do, a sentence tells everybody.

// A zoneSearch looks for a zone that may not be read. How many pieces lie
// somewhere is open to all.
type zoneSearch struct {
	ok   func(z *Zone, mine bool) bool
	seen map[searched]bool
	at   source.Span
	zone *Zone
}

// searched is a define, a table or an event that has been looked into, with a
// bit for each argument that is the seat that is asked.
type searched struct {
	ref  any
	mine uint64
}

// hiddenZone reports the first zone of a formula for which ok is false.
func hiddenZone(e *Expr, ok func(z *Zone, mine bool) bool) (at source.Span, zone *Zone) {
	s := &zoneSearch{ok: ok, seen: map[searched]bool{}}
	s.look(e, nil)
	return s.at, s.zone
}

// look searches a formula. mine are the locals that stand for the seat that is
// asked.
func (s *zoneSearch) look(e *Expr, mine map[*Local]bool) {
	visit(e, func(e *Expr) bool {
		switch {
		case s.zone != nil:
			return false
		case (e.Op == OpLen || e.Op == OpEmpty) && e.Args[0].Op == OpZone:
			return false
		case (e.Op == OpZone || e.Op == OpSpot) && !s.ok(e.Ref.(*Zone), e.Ref.(*Zone).Each && isMe(e.Args[0], mine)):
			s.at, s.zone = e.Span, e.Ref.(*Zone)
		}
		s.inside(e, mine)
		return s.zone == nil
	})
}

// inside searches what a formula calls.
func (s *zoneSearch) inside(e *Expr, mine map[*Local]bool) {
	ref, params, bodies := called(e)
	if ref == nil || s.zone != nil {
		return
	}
	key, inner := handedMe(ref, params, e.Args, mine)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	for _, b := range bodies {
		if s.look(b, inner); s.zone != nil {
			s.at = e.Span
			return
		}
	}
}

// handedMe finds the params that stand for the seat that is asked in what is
// called with some arguments.
func handedMe(ref any, params []*Local, args []*Expr, mine map[*Local]bool) (searched, map[*Local]bool) {
	key, inner := searched{ref: ref}, map[*Local]bool{}
	for i, p := range params {
		if i < len(args) && isMe(args[i], mine) {
			inner[p] = true
			key.mine |= 1 << uint(i%64)
		}
	}
	return key, inner
}

// isMe reports whether a formula is `me`, or a local that stands for it.
func isMe(e *Expr, mine map[*Local]bool) bool {
	if e == nil {
		return false
	}
	l, local := e.Ref.(*Local)
	return e.Op == OpMe || local && e.Op == OpLocal && mine[l]
}

// mayKnow reports a guard, a pick or a reason that reads what the seat that is
// asked may not see.
func (c *checker) mayKnow(e *Expr) {
	at, zone := hiddenZone(e, func(z *Zone, mine bool) bool {
		switch z.Seen {
		case SeenOwner:
			return mine
		case SeenOthers:
			return z.Each && !mine
		case SeenNobody:
			return false
		}
		return true
	})
	if zone != nil {
		c.errorf("E0225", at, "this reads `%s`, which the seat that is asked may not see", zone.Name).
			WithRelated(zone.Span, "`%s` is declared here", zone.Name).
			WithHelp("what may be done must not tell what is hidden; ask about something that is seen")
	}
}

// open reports a text for everybody that reads what not all may see.
func (c *checker) open(t *Template) {
	if t == nil {
		return
	}
	for _, part := range t.Parts {
		c.openFormula(part.Expr)
	}
}

// openFormula is open for one formula.
func (c *checker) openFormula(e *Expr) {
	at, zone := hiddenZone(e, func(z *Zone, _ bool) bool { return z.Seen == SeenAll })
	if zone != nil {
		c.errorf("E0225", at, "everybody reads this, and not everybody may see `%s`", zone.Name).
			WithRelated(zone.Span, "`%s` is declared here", zone.Name).
			WithHelp("leave it out of the text, or give the zone `seen: all`")
	}
}
