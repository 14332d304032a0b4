package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file fuses what often stands together in a quick run into one step.

// nextTurn passes the turn on to the next seat that is in, where nobody is
// skipped and play goes to the left.
func (q *quickener) nextTurn(left int) step {
	g := q.g
	if q.counts || g.right != nil || g.skip != nil || len(g.turnReset.dynamic) > 0 {
		return func(m *Machine, _ []int64) int { return int(m.nextTurn()) }
	}
	next, n, reset := q.at(q.past(int32(g.entry[g.begin])), left-1, 0), int64(g.people), g.turnReset
	fixed, number, inner, out := reset.fixed, reset.number, reset.inner, g.outSlot
	if len(fixed) == 1 && fixed[0].n == 1 && len(inner) == 0 && g.outSlot < 0 {
		slot, value := fixed[0].slot, fixed[0].value
		return func(m *Machine, s []int64) int {
			seat := s[slotActive] + 1
			if seat == n {
				seat = 0
			}
			s[slotActive], s[slotMe] = seat, seat
			s[slot] = value
			s[number]++
			return next(m, s)
		}
	}
	return func(m *Machine, s []int64) int {
		seat := s[slotActive] + 1
		if seat == n {
			seat = 0
		}
		if out >= 0 {
			for tried := int64(1); s[int64(out)+seat] != 0; tried++ {
				if tried == n { // nobody is in
					return int(m.nextTurn())
				}
				if seat++; seat == n {
					seat = 0
				}
			}
		}
		s[slotActive], s[slotMe] = seat, seat
		for i := range fixed {
			f := &fixed[i]
			s[f.slot] = f.value
			for k := 1; k < f.n; k++ {
				s[f.slot+k] = f.value
			}
		}
		for _, at := range inner {
			s[at] = 0
		}
		s[number]++
		return next(m, s)
	}
}

// throwAndAsk is a throw, the question whether any of it scores, and the
// decision what to pick of it, all in one: the heart of many dice games. It is
// nil where these three do not follow each other.
func (q *quickener) throwAndAsk(in *instr, left int) step {
	t := in.x.(*throw)
	test := q.past(in.next)
	fork := &q.g.code[test]
	if t.fam.small == nil || t.fam.small.dense == nil || t.slot <= 0 || fork.op != opJumpFalse || fork.cond.Op != dsl.OpAnyScore {
		return nil
	}
	at := q.past(fork.next)
	asking := &q.g.code[at]
	x := (&lowerer{g: q.g}).expr(fork.cond.Args[0])
	r := q.g.scorers[fork.cond.Ref.(*dsl.Scorer)]
	if asking.op != opAsk || x.slot != t.slot || !r.dense || r.cl != t.fam.small {
		return nil
	}
	a := asking.x.(*ask)
	if !a.allKnown() || a.actions[0].table != r.cl || a.actions[0].picks[0].from != t.slot {
		return nil
	}
	act := a.actions[0]
	no, stop, entry := q.at(q.past(fork.a), left-1, 0), q.at(at, 1, 0), q.at(q.past(int32(act.entry)), left-1, 0)
	cl, from, halves := r.cl, t.slot, r.cl.dense.halves
	some, pick, all, spread, index := r.some, act.picks[0].slot, uint64(t.fam.all), r.cl.dense.spread, cl.index
	options, fixed := act.fixed.rows, act.fixed
	return func(m *Machine, s []int64) int {
		set := uint64(s[from])
		h := &halves[bits.OnesCount64(set)]
		outcome, low := uint64(0), uint64(0)
		if h.power > 1 { // as below
			if outcome, low = bits.Mul64(m.bits(), h.power); low < h.power && low < -h.power%h.power {
				outcome = m.below(h.power)
			}
		}
		id := h.thrown(outcome)
		// What follows is layDense, for a set that is often all pieces.
		if set == all && m.layFam == cl.fam {
			m.lays = 0
		} else if m.lays == maxLays || m.layFam != cl.fam {
			m.land()
			m.layFam = cl.fam
		}
		m.waitingLays[m.lays&(maxLays-1)] = lay{set, int32(id)}
		m.lays++
		m.faces++
		memo := &m.memo[index]
		memo.thrown, memo.sorted, memo.faces = set, m.faces, m.faces
		row := options[id]
		if !some[id] || row.n == 0 || !m.drawing() {
			memo.set, memo.id = set, int32(id)
			if some[id] {
				return stop(m, s)
			}
			return no(m, s)
		}
		m.left--
		pickAt := uint64(0)
		if row.n > 1 { // as drawOption
			var low uint64
			n := uint64(row.n)
			if pickAt, low = bits.Mul64(m.policy.Uint64(), n); low < n {
				pickAt = m.policy.again(n, pickAt, low)
			}
		}
		o := fixed.ranked[int(row.first)+int(pickAt)]
		got := uint64(spread[set<<7&0x3fff|uint64(o.ranks)])
		s[pick] = int64(got)
		memo.set, memo.id = got, int32(o.id)
		return entry(m, s)
	}
}

// oneDie is a throw of the only piece of its family, as throwSome does it.
func (t *throw) oneDie(next step) step {
	from, face, sides := t.slot, t.fam.faceSlot, t.fam.sides
	n := uint64(len(sides))
	return func(m *Machine, s []int64) int {
		m.faces++
		if s[from] != 0 {
			d, low := bits.Mul64(m.bits(), n)
			for low < n && low < -n%n {
				d, low = bits.Mul64(m.bits(), n)
			}
			s[face] = sides[d]
		}
		return next(m, s)
	}
}

// quick is a throw: of a family whose multisets have numbers, one draw and one
// look.
func (t *throw) quick(in *instr, at int, next step) step {
	if t.fam.small == nil && t.fam.count == 1 && t.slot > 0 {
		return t.oneDie(next)
	}
	if t.fam.small == nil || t.fam.small.dense == nil || t.slot <= 0 {
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.throwDice(in, t)
			return next(m, s)
		}
	}
	cl, from, powers, halves := t.fam.small, t.slot, t.fam.powers, t.fam.small.dense.halves
	return func(m *Machine, s []int64) int {
		set := uint64(s[from])
		k := bits.OnesCount64(set)
		m.layDense(cl, set, halves[k].thrown(m.below(powers[k])))
		return next(m, s)
	}
}

// scoreAndMove is a score statement and a move of the same pieces, out of the
// other of two zones, in one.
func (q *quickener) scoreAndMove(in *instr, left int) step {
	sc := in.x.(*scoring)
	r := sc.r
	mv := &q.g.code[q.past(in.next)]
	if sc.loud || !r.dense || sc.slot <= 0 || r.paysSeat != nil || mv.op != opMove || mv.v.slot != sc.slot || mv.c-mv.b != 2 {
		return nil
	}
	next, empty, full := q.at(q.past(mv.next), left-1, 0), step(nil), step(nil)
	from, pays, cl, worth, to, index := sc.slot, r.pays, r.cl, r.worth, int(mv.a), r.cl.index
	other := int(mv.b+mv.c) - 1 - to
	if fork := &q.g.code[q.past(mv.next)]; fork.op == opJumpFalse {
		if slot, yes, no := q.emptyFork(fork, left-1); slot == other {
			empty, full = yes, no
		}
	}
	return func(m *Machine, s []int64) int {
		set := s[from]
		memo := &m.memo[index]
		id := int(memo.id)
		if memo.set != uint64(set) || memo.faces != m.faces {
			id = cl.id(m, uint64(set))
		}
		points := worth[id]
		old := s[pays]
		sum := old + points
		if points == illegal || (old^sum)&(points^sum) < 0 {
			m.score(in, sc) // which says what is wrong
		}
		s[pays] = sum
		s[to] |= set
		left := s[other] &^ set
		s[other] = left
		switch {
		case empty == nil:
			return next(m, s)
		case left == 0:
			return empty(m, s)
		}
		return full(m, s)
	}
}

// emptyFork returns the slot whose emptiness a fork tests, and where it goes
// when the slot is empty and when it is not; 0 for any other fork.
func (q *quickener) emptyFork(in *instr, left int) (slot int, empty, full step) {
	e, yes, no := in.cond, in.next, in.a
	for e.Op == dsl.OpNot {
		e, yes, no = e.Args[0], no, yes
	}
	if e.Op != dsl.OpEmpty || !isWord(e.Args[0].Type) {
		return 0, nil, nil
	}
	x := (&lowerer{g: q.g}).expr(e.Args[0])
	if x.slot <= 0 {
		return 0, nil, nil
	}
	return x.slot, q.at(q.past(yes), left-1, 0), q.at(q.past(no), left-1, x.slot)
}

// branch is a fork in the code.
func (q *quickener) branch(in *instr, left, known int) step {
	if slot, empty, full := q.emptyFork(in, left); slot > 0 {
		if slot == known {
			return full
		}
		return func(m *Machine, s []int64) int {
			if s[slot] == 0 {
				return empty(m, s)
			}
			return full(m, s)
		}
	}
	return q.fork(in.cond, in.test, q.at(q.past(in.next), left-1, 0), q.at(q.past(in.a), left-1, 0))
}

// quick is a score statement.
func (sc *scoring) quick(in *instr, at int, next step) step {
	r := sc.r
	if sc.loud || !r.dense || sc.slot <= 0 || r.paysSeat != nil {
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.score(in, sc)
			m.asking = 0 // the facts of the decision before served here too: see onePicks
			return next(m, s)
		}
	}
	from, pays, cl, worth := sc.slot, r.pays, r.cl, r.worth
	return func(m *Machine, s []int64) int {
		points := worth[cl.id(m, uint64(s[from]))]
		old := s[pays]
		sum := old + points
		if points == illegal || (old^sum)&(points^sum) < 0 {
			m.score(in, sc) // which says what is wrong
		}
		s[pays] = sum
		return next(m, s)
	}
}

// loudScore is a score statement some of whose combinations have scripts or
// hooks: most often the pieces at hand have none of these, and there is nothing
// to walk over.
func (q *quickener) loudScore(in *instr, at, left int) step {
	sc := in.x.(*scoring)
	walk := q.g.code[in.next]
	next, past := q.at(int(in.next), left-1, 0), q.at(q.past(walk.next), left-1, 0)
	return func(m *Machine, s []int64) int {
		if m.carries { // what the decision just taken already knew
			m.carries, m.asking = false, 0
			m.pay(in, sc, int64(m.carried))
			return past(m, s)
		}
		s[slotPC] = int64(at)
		row := m.row(sc.r, uint64(sc.pieces(m)))
		if row.legal && !row.code {
			m.pay(in, sc, row.points)
			m.asking = 0
			return past(m, s)
		}
		m.score(in, sc)
		m.asking = 0
		return next(m, s)
	}
}

// onlyTells reports whether a loop does nothing but tell people something: in
// a quick run it need not go round.
func (q *quickener) onlyTells(top int) bool {
	if q.g.code[top].op != opNextRange {
		return false
	}
	at := int(q.g.code[top].next)
	for range 64 {
		if at == top {
			return true
		}
		in := &q.g.code[at]
		local := in.note == nil || in.note.place == nil // a parameter, set anew before each use
		switch {
		case in.op == opTell && !(q.counts && in.x.(*telling).kind == RecEvent):
		case in.op == opSet && local && (in.v.konst || in.v.slot > 0):
		default:
			return false
		}
		at = int(in.next)
	}
	return false
}
