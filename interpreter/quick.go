package interpreter

import "math/bits"

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
	for range maxSteps {
		if pc = quick[pc](m, s); pc < 0 {
			in := &m.g.code[^pc]
			if in.op == opOver {
				return nil, 0
			}
			return in, m.waiting
		}
	}
	s[slotPC] = int64(pc)
	fault(m.g.code[pc].place(m.g), "this goes on for ever: more than %d steps without a decision", maxSteps)
	return nil, 0
}

// maxChain is how many instructions in a row call each other before control
// goes back to runQuick. A chain is faster than the loop: each call in it
// stands at a place of its own, and so is foreseen by the processor.
const maxChain = 6

// quickener makes the closures of one game.
type quickener struct {
	g    *Game
	made map[[2]int]step // by place and by how far the chain may still go
}

func (g *Game) quicken() {
	q := &quickener{g: g, made: map[[2]int]step{}}
	g.quick = make([]step, len(g.code))
	for i := range g.code {
		g.quick[i] = q.at(q.past(int32(i)), maxChain)
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
func (q *quickener) at(at, left int) step {
	if left == 0 {
		return func(*Machine, []int64) int { return at }
	}
	key := [2]int{at, left}
	if q.made[key] == nil {
		q.made[key] = q.make(at, left)
	}
	return q.made[key]
}

func (q *quickener) make(at, left int) step {
	in := &q.g.code[at]
	then := func() step { return q.at(q.past(in.next), left-1) }
	switch in.op {
	case opSet, opSetAt, opAdd, opAddAt:
		return in.writing(then())
	case opJumpFalse:
		yes, no, test := then(), q.at(q.past(in.a), left-1), in.test
		return func(m *Machine, s []int64) int {
			if test(m) {
				return yes(m, s)
			}
			return no(m, s)
		}
	case opMove:
		return in.moving(then())
	case opThrow:
		return in.x.(*throw).quick(in, at, then())
	case opScore:
		return in.x.(*scoring).quick(in, at, then())
	case opAsk:
		return q.ask(in, at)
	case opNextTurn:
		return func(m *Machine, s []int64) int { return int(m.nextTurn()) }
	case opReturn:
		to := in.a
		return func(_ *Machine, s []int64) int { return int(s[to]) }
	case opOver:
		return func(_ *Machine, s []int64) int {
			s[slotStatus] = statusOver
			return ^at
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

// ask stops at a decision and says how many options there are.
func (q *quickener) ask(in *instr, at int) step {
	a := in.x.(*ask)
	switch {
	case a.mode == askStatic:
		n := len(a.actions)
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.waiting = n
			return ^at
		}
	case a.mode == askTable && a.actions[0].fixed != nil:
		f, cl, from := a.actions[0].fixed, a.actions[0].table, a.actions[0].picks[0].from
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			row := f.rows[cl.id(m, uint64(s[from]))]
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
		return ^at
	}
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
		from, c, known := v.slot, v.c, v.konst
		return func(m *Machine, s []int64) int {
			at, d := a+int(s[b]), c
			switch {
			case from > 0:
				d = s[from]
			case !known:
				d = f(m)
			}
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
	if from := in.v.slot; from > 0 && hi-lo == 2 {
		other := lo
		if other == a {
			other = lo + 1
		}
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
	cl, from, powers, throws := t.fam.small, t.slot, t.fam.powers, t.fam.small.dense.throws
	return func(m *Machine, s []int64) int {
		set := uint64(s[from])
		k := bits.OnesCount64(set)
		m.layDense(cl, set, int(throws[k][m.below(powers[k])]))
		return next(m, s)
	}
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
