package interpreter

import (
	"math"
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// A game that nobody listens to, whose luck the machine draws itself, runs on
// closures: one call an instruction, that does it and returns the next one.
// What tells people something is left out, and so is every test whether
// somebody listens. Instructions that are rarely met are left to rare. Both
// ways of running play the same game; a test compares them.

// A step carries out one instruction and returns the place of the next, or,
// to wait, the complement of its own.
type step func(m *Machine, s []int64) int

func (m *Machine) runQuick() (*instr, int) {
	s, quick := m.s, m.g.quick
	pc := int(s[slotPC])
	for m.spent = 0; m.spent <= maxBudget; m.spent++ {
		if pc = quick[pc](m, s); pc < 0 {
			in := &m.g.code[^pc]
			if in.op == opOver {
				return nil, 0
			}
			return in, m.waiting
		}
	}
	s[slotPC] = int64(pc)
	fault(m.g.code[pc].place(m.g), tooLong)
	return nil, 0
}

// maxChain is how many instructions in a row call each other before control
// goes back to runQuick. A chain is faster than the loop: each call in it
// stands at a place of its own, and so is foreseen by the processor.
const maxChain = 8

// quickener makes the closures of one game.
type quickener struct {
	g    *Game
	made map[site]step
}

// A site is a place in the code, as a chain comes to it.
type site struct {
	at   int
	left int // how far the chain may still go
	full int // a slot that is known not to be 0, since it was just tested; or 0
}

func (g *Game) quicken() {
	q := &quickener{g: g, made: map[site]step{}}
	g.quick = make([]step, len(g.code))
	for i := range g.code {
		g.quick[i] = q.at(q.past(int32(i)), maxChain, 0)
	}
}

// past skips over instructions that only tell, or only lead on.
func (q *quickener) past(at int32) int {
	for {
		switch in := &q.g.code[at]; in.op {
		case opTell:
			at = in.next
		case opJump:
			at = in.a
		default:
			return int(at)
		}
	}
}

// at returns the closure of a place that goes on for at most so many more.
func (q *quickener) at(at, left, full int) step {
	if left <= 0 {
		return func(*Machine, []int64) int { return at }
	}
	key := site{at, left, full}
	if q.made[key] == nil {
		q.made[key] = q.make(at, left, full)
	}
	return q.made[key]
}

func (q *quickener) make(at, left, full int) step {
	in := &q.g.code[at]
	then := func() step { return q.at(q.past(in.next), left-1, 0) }
	switch in.op {
	case opSet, opSetAt, opAdd, opAddAt:
		return in.writing(then())
	case opJumpFalse:
		return q.branch(in, left, full)
	case opMove:
		if in.v.konst && in.v.c != 0 && in.v.slot < 0 { // the zone is not empty after it
			return in.moving(q.at(q.past(in.next), left-1, int(in.a)))
		}
		return in.moving(then())
	case opThrow:
		if f := q.throwAndAsk(in, left); f != nil {
			return f
		}
		return in.x.(*throw).quick(in, at, then())
	case opScore:
		if f := q.scoreAndMove(in, left); f != nil {
			return f
		}
		return in.x.(*scoring).quick(in, at, then())
	case opAsk:
		return q.ask(in, at, left, full)
	case opNextTurn:
		return q.nextTurn(left)
	case opReturn:
		to := in.a
		return func(_ *Machine, s []int64) int { return int(s[to]) }
	case opOver:
		return func(_ *Machine, s []int64) int {
			s[slotStatus] = statusOver
			return ^at
		}
	case opForRange:
		next, a := then(), in.a
		return func(m *Machine, s []int64) int {
			s[a], s[a+1] = in.f(m), in.g(m)
			return next(m, s)
		}
	case opNextRange:
		next, done, a, b := then(), q.at(q.past(in.c), left-1, 0), in.a, in.b
		return func(m *Machine, s []int64) int {
			i := s[a]
			if i > s[a+1] {
				return done(m, s)
			}
			s[a], s[b] = i+1, i
			return next(m, s)
		}
	case opSetSeat, opAddSeat:
		next, write := then(), (*Machine).set
		if in.op == opAddSeat {
			write = (*Machine).addTo
		}
		return func(m *Machine, s []int64) int {
			write(m, in, int64(in.a)+in.g(m))
			return next(m, s)
		}
	}
	return func(m *Machine, s []int64) int {
		s[slotPC] = int64(at)
		if m.rare(in) {
			return ^at
		}
		return int(s[slotPC])
	}
}

// fork goes one of two ways. The usual conditions are tested on the spot.
func (q *quickener) fork(e *dsl.Expr, test test, yes, no step) step {
	lo := &lowerer{g: q.g}
	switch e.Op {
	case dsl.OpNot:
		return q.fork(e.Args[0], not(test), no, yes)
	case dsl.OpAnd:
		rest := q.fork(e.Args[1], lo.cond(e.Args[1]), yes, no)
		return q.fork(e.Args[0], lo.cond(e.Args[0]), rest, no)
	case dsl.OpOr:
		rest := q.fork(e.Args[1], lo.cond(e.Args[1]), yes, no)
		return q.fork(e.Args[0], lo.cond(e.Args[0]), yes, rest)
	case dsl.OpAnyScore:
		r := q.g.scorers[e.Ref.(*dsl.Scorer)]
		if x := lo.expr(e.Args[0]); r.fixed != nil && e.Args[0].Type.Kind == dsl.KSet && x.slot >= 0 {
			at, cl, some := x.slot, r.cl, r.some
			return func(m *Machine, s []int64) int {
				if some[cl.id(m, uint64(s[at]))] {
					return yes(m, s)
				}
				return no(m, s)
			}
		}
	case dsl.OpNe, dsl.OpLt, dsl.OpLe:
		if e.Args[0].Type.IsCollection() {
			break
		}
		opposite := map[dsl.Op]dsl.Op{dsl.OpNe: dsl.OpEq, dsl.OpLt: dsl.OpGe, dsl.OpLe: dsl.OpGt}[e.Op]
		return forkOn(opposite, lo.expr(e.Args[0]), lo.expr(e.Args[1]), no, yes)
	case dsl.OpEq, dsl.OpGe, dsl.OpGt:
		if !e.Args[0].Type.IsCollection() {
			return forkOn(e.Op, lo.expr(e.Args[0]), lo.expr(e.Args[1]), yes, no)
		}
	}
	return func(m *Machine, s []int64) int {
		if test(m) {
			return yes(m, s)
		}
		return no(m, s)
	}
}

// forkOn is fork for x == y, x >= y and x > y.
func forkOn(op dsl.Op, x, y val, yes, no step) step {
	f, g, a, b, c := x.f, y.f, x.slot, y.slot, y.c
	switch {
	case op == dsl.OpEq && a >= 0 && y.konst:
		return func(m *Machine, s []int64) int {
			if s[a] == c {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpEq && a >= 0 && b >= 0:
		return func(m *Machine, s []int64) int {
			if s[a] == s[b] {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpEq:
		return func(m *Machine, s []int64) int {
			if f(m) == g(m) {
				return yes(m, s)
			}
			return no(m, s)
		}
	case x.mine > 0 && y.konst && (op == dsl.OpGe || c < math.MaxInt64):
		base := x.mine
		if op == dsl.OpGt {
			c++
		}
		return func(m *Machine, s []int64) int {
			if s[base+int(s[slotMe])] >= c {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpGt && y.mine > 0:
		base := y.mine
		return func(m *Machine, s []int64) int {
			if f(m) > s[base+int(s[slotMe])] {
				return yes(m, s)
			}
			return no(m, s)
		}
	case op == dsl.OpGt:
		return func(m *Machine, s []int64) int {
			if f(m) > g(m) {
				return yes(m, s)
			}
			return no(m, s)
		}
	}
	return func(m *Machine, s []int64) int {
		if f(m) >= g(m) {
			return yes(m, s)
		}
		return no(m, s)
	}
}

func not(t test) test { return func(m *Machine) bool { return !t(m) } }

// ask stops at a decision and says how many options there are.
func (q *quickener) ask(in *instr, at, left, full int) step {
	a := in.x.(*ask)
	switch {
	case a.mode == askStatic:
		n := len(a.actions)
		entries := make([]step, n)
		for i, act := range a.actions {
			entries[i] = q.at(q.past(int32(act.entry)), left-1, full)
		}
		if n == 2 { // which of two is the highest bit of the draw, as Below has it
			first, second := entries[0], entries[1]
			return func(m *Machine, s []int64) int {
				if m.drawing() {
					m.left--
					m.spent = 0
					if m.policy.Uint64()>>63 == 0 {
						return first(m, s)
					}
					return second(m, s)
				}
				s[slotPC] = int64(at)
				m.waiting = n
				return ^at
			}
		}
		return func(m *Machine, s []int64) int {
			if m.drawing() {
				return entries[m.drawOption(n)](m, s)
			}
			s[slotPC] = int64(at)
			m.waiting = n
			return ^at
		}
	case a.mode == askTable && a.actions[0].fixed != nil:
		f, cl, from := a.actions[0].fixed, a.actions[0].table, a.actions[0].picks[0].from
		entry, act := q.past(int32(a.actions[0].entry)), a.actions[0]
		return func(m *Machine, s []int64) int {
			row := f.rows[cl.id(m, uint64(s[from]))]
			if row.n > 0 && m.drawing() {
				m.loadRow(act, int(row.first)+m.drawOption(int(row.n)))
				return entry
			}
			s[slotPC] = int64(at)
			if row.n == 0 {
				return m.noAnswer(in, a)
			}
			m.waiting, m.opts.row, m.opts.valid = int(row.n), int(row.first), true
			return ^at
		}
	}
	return func(m *Machine, s []int64) int {
		s[slotPC] = int64(at)
		if m.waiting = m.count(a); m.waiting == 0 {
			return m.noAnswer(in, a)
		}
		if m.drawing() {
			act := m.load(a, m.drawOption(m.waiting))
			return act.entry
		}
		return ^at
	}
}

// A random playout takes its decisions where they are met, without leaving the
// program. drawing reports whether the next one is to be taken so; drawOption
// takes it.
func (m *Machine) drawing() bool { return m.left > 0 }

func (m *Machine) drawOption(n int) int {
	m.left--
	m.spent = 0
	if n == 1 {
		return 0
	}
	return int(m.policy.Below(uint64(n)))
}

// writing is a write to a slot, or to the slot of me or active.
func (in *instr) writing(next step) step {
	a, b, f, v := int(in.a), int(in.b), in.f, in.v
	switch in.op {
	case opSet:
		if v.konst {
			c := v.c
			return func(m *Machine, s []int64) int { s[a] = c; return next(m, s) }
		}
		if v.slot > 0 {
			from := v.slot
			return func(m *Machine, s []int64) int { s[a] = s[from]; return next(m, s) }
		}
		return func(m *Machine, s []int64) int { s[a] = f(m); return next(m, s) }
	case opSetAt:
		if v.slot > 0 {
			from := v.slot
			return func(m *Machine, s []int64) int { s[a+int(s[b])] = s[from]; return next(m, s) }
		}
		return func(m *Machine, s []int64) int { s[a+int(s[b])] = f(m); return next(m, s) }
	case opAdd:
		return func(m *Machine, s []int64) int {
			old, d := s[a], f(m)
			sum := old + d
			if (old^sum)&(d^sum) < 0 {
				m.addTo(in, int64(a)) // which says what is wrong
			}
			s[a] = sum
			return next(m, s)
		}
	default:
		if from := v.slot; from > 0 {
			return func(m *Machine, s []int64) int {
				at, d := a+int(s[b]), s[from]
				old := s[at]
				sum := old + d
				if (old^sum)&(d^sum) < 0 {
					m.addTo(in, int64(at))
				}
				s[at] = sum
				return next(m, s)
			}
		}
		if c := v.c; v.konst && c >= 0 {
			return func(m *Machine, s []int64) int {
				at := a + int(s[b])
				sum := s[at] + c
				if sum < c && s[at] > 0 {
					m.addTo(in, int64(at))
				}
				s[at] = sum
				return next(m, s)
			}
		}
		return func(m *Machine, s []int64) int {
			at, d := a+int(s[b]), f(m)
			old := s[at]
			sum := old + d
			if (old^sum)&(d^sum) < 0 {
				m.addTo(in, int64(at))
			}
			s[at] = sum
			return next(m, s)
		}
	}
}

// moving is a move to a zone that is not of a seat.
func (in *instr) moving(next step) step {
	a, lo, hi, f := int(in.a), int(in.b), int(in.c), in.f
	other := hi + lo - 1 - a // of two zones
	if c := in.v.c; in.v.konst && hi-lo == 2 {
		return func(m *Machine, s []int64) int {
			s[other] &^= c
			s[a] |= c
			return next(m, s)
		}
	}
	if from := in.v.slot; from > 0 && hi-lo == 2 {
		return func(m *Machine, s []int64) int {
			set := s[from]
			s[other] &^= set
			s[a] |= set
			return next(m, s)
		}
	}
	return func(m *Machine, s []int64) int {
		set := f(m)
		for i := lo; i < hi; i++ {
			s[i] &^= set
		}
		s[a] |= set
		return next(m, s)
	}
}

// nextTurn passes the turn on: to the next seat, where nobody can be out or
// skipped.
func (q *quickener) nextTurn(left int) step {
	g := q.g
	if g.right != nil || g.skip != nil || g.outSlot >= 0 || len(g.turnReset.dynamic) > 0 {
		return func(m *Machine, _ []int64) int { return int(m.nextTurn()) }
	}
	next, n, reset := q.at(q.past(int32(g.entry[g.begin])), left-1, 0), int64(g.seats), g.turnReset
	fixed, number, inner := reset.fixed, reset.number, reset.inner
	return func(m *Machine, s []int64) int {
		seat := s[slotActive] + 1
		if seat == n {
			seat = 0
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
	if asking.op != opAsk || x.slot != t.slot || r.fixed == nil || r.cl != t.fam.small {
		return nil
	}
	a := asking.x.(*ask)
	if a.mode != askTable || a.actions[0].fixed == nil || a.actions[0].table != r.cl || a.actions[0].picks[0].from != t.slot {
		return nil
	}
	act := a.actions[0]
	no, stop, entry := q.at(q.past(fork.a), left-1, 0), q.at(at, 1, 0), q.at(q.past(int32(act.entry)), left-1, 0)
	cl, from, powers, halves := r.cl, t.slot, t.fam.powers, r.cl.dense.halves
	some, pick, all, spread, index := r.some, act.picks[0].slot, uint64(t.fam.all), r.cl.dense.spread, cl.index
	options, ranked := act.fixed.rows, act.fixed.ranked
	return func(m *Machine, s []int64) int {
		set := uint64(s[from])
		k := bits.OnesCount64(set)
		power := powers[k]
		hi, lo := bits.Mul64(m.bits(), power)
		if lo < power && lo < -power%power {
			hi = m.below(power) // the draw was rejected, as below would have done
		}
		id := halves[k].thrown(hi)
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
		m.spent = 0
		pickAt := uint64(0)
		if row.n > 1 { // as drawOption
			var low uint64
			n := uint64(row.n)
			if pickAt, low = bits.Mul64(m.policy.Uint64(), n); low < n {
				pickAt = m.policy.again(n, pickAt, low)
			}
		}
		o := ranked[int(row.first)+int(pickAt)]
		got := uint64(spread[set<<7&0x3fff|uint64(o.ranks)])
		s[pick] = int64(got)
		memo.set, memo.id = got, int32(o.id)
		return entry(m, s)
	}
}

// quick is a throw: of a family whose multisets have numbers, one draw and one
// look.
func (t *throw) quick(in *instr, at int, next step) step {
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
	if sc.loud || r.fixed == nil || sc.slot <= 0 || r.paysSeat != nil || mv.op != opMove || mv.v.slot != sc.slot || mv.c-mv.b != 2 {
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
	if e.Op != dsl.OpEmpty || e.Args[0].Type.Kind != dsl.KSet {
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
	if sc.loud || r.fixed == nil || sc.slot <= 0 || r.paysSeat != nil {
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.score(in, sc)
			return next(m, s)
		}
	}
	from, pays, cl, rows := sc.slot, r.pays, r.cl, r.fixed
	return func(m *Machine, s []int64) int {
		row := &rows[cl.id(m, uint64(s[from]))]
		old := s[pays]
		sum := old + row.points
		if !row.legal || (old^sum)&(row.points^sum) < 0 {
			m.score(in, sc) // which says what is wrong
		}
		s[pays] = sum
		return next(m, s)
	}
}
