package dsl

import "fmt"

// This file looks at every number of players: whether there are enough pieces
// to deal, and whether params stay in their ranges.

// tables calls f for each number of people that the conditions on tables let
// play, with what is known of such a table.
func (j *judge) tables(f func(people int, r reach) (goOn bool)) {
	for n := j.c.p.MinPlayers; n <= j.c.p.MaxPlayers; n++ {
		at := *j.c.p
		at.MinPlayers, at.MaxPlayers = n, n
		r := everywhere(&at)
		allowed := true
		for _, g := range at.Require {
			if v, ok := r.truth(g.That); ok && !v {
				allowed = false
			}
		}
		if allowed && !f(n, r) {
			return
		}
	}
}

// deals reports deals for which there are too few pieces in any case, with the
// first number of people for which that is so.
func (j *judge) deals() {
	var scripts []*Script
	for _, ph := range j.c.p.Phases {
		scripts = append(scripts, phaseScripts(ph)...)
	}
	for _, e := range j.c.p.Events {
		scripts = append(scripts, e.Do)
		scripts = append(scripts, hookScripts(append(e.Before[:len(e.Before):len(e.Before)], e.After...))...)
	}
	for _, s := range scripts {
		eachStmt(s, func(st *Stmt) {
			if st.Op == StmtDeal && st.Y != nil && j.may(st.Span) && everybody(st.Seat) {
				j.deal(st)
			}
		})
	}
}

// everybody reports whether a formula is all people, none of whom is out when a
// game begins.
func everybody(e *Expr) bool {
	return e != nil && (e.Op == OpPlayers || e.Op == OpEveryone || e.Op == OpSeats)
}

func (j *judge) deal(st *Stmt) {
	fam := familyOf(st.Y)
	if fam == nil {
		return
	}
	j.tables(func(people int, r reach) bool {
		each, have := r.of(st.X), r.pieces(fam)
		if !each.ok || !have.ok || each.lo <= have.hi/int64(people) {
			return true
		}
		d := j.c.warnf("W0516", st.Span, "%d for each of %d players is more than there are `%s`: %d", each.lo, people, fam.Name, have.hi)
		d.WithRelated(fam.Span, "the pieces are declared here").
			WithHelp("deal fewer, have more pieces, or let fewer people play: `players: ..%d`", people-1)
		return false
	})
}

// ranges reports params whose value for some number of people is outside their
// range. Where it is the same for every number it was reported when it was read.
func (j *judge) ranges() {
	for _, p := range j.c.p.Params {
		v := p.Value()
		if p.Type.Kind != KInt || v == nil || v.Op == OpConst {
			continue
		}
		j.tables(func(people int, r reach) bool {
			l := r.of(v)
			switch {
			case !l.ok:
				return false
			case l.lo > p.Max:
				j.c.errorf("E0310", v.Span, "`%s` is at most %d, not %d, which it would be with %s", p.Name, p.Max, l.lo, players(people)).Path = p.Path
				return false
			case l.hi < p.Min:
				j.c.errorf("E0310", v.Span, "`%s` is at least %d, not %d, which it would be with %s", p.Name, p.Min, l.hi, players(people)).Path = p.Path
				return false
			}
			return true
		})
	}
}

func players(n int) string {
	if n == 1 {
		return "1 player"
	}
	return fmt.Sprintf("%d players", n)
}
