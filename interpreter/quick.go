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

// quicken makes the closures. Instructions that only tell are skipped over.
func (g *Game) quicken() {
	g.quick = make([]step, len(g.code))
	past := func(at int32) int {
		for g.code[at].op == opTell || g.code[at].op == opJump {
			if g.code[at].op == opJump {
				at = g.code[at].a
			} else {
				at = g.code[at].next
			}
		}
		return int(at)
	}
	for i := range g.code {
		g.quick[i] = g.step(i, past)
	}
}

func (g *Game) step(at int, past func(int32) int) step {
	in := &g.code[at]
	next, to := past(in.next), int(in.a)
	switch in.op {
	case opSet, opSetAt, opAdd, opAddAt:
		return in.writing(next)
	case opJump, opTell:
		if in.op == opJump {
			next = past(in.a)
		}
		return func(*Machine, []int64) int { return next }
	case opJumpFalse:
		no, test := past(in.a), in.test
		return func(m *Machine, _ []int64) int {
			if test(m) {
				return next
			}
			return no
		}
	case opMove:
		return in.moving(next)
	case opThrow:
		if f := in.x.(*throw).quick(next); f != nil {
			return f
		}
	case opScore:
		if sc := in.x.(*scoring); !sc.loud {
			return sc.quick(in, next)
		}
	case opAsk:
		if a := in.x.(*ask); a.mode == askStatic {
			n := len(a.actions)
			return func(m *Machine, s []int64) int {
				s[slotPC] = int64(at)
				m.waiting = n
				return ^at
			}
		}
		return g.asking(at)
	case opNextTurn:
		return func(m *Machine, s []int64) int {
			s[slotMe] = s[slotActive]
			return int(m.nextTurn())
		}
	case opReturn:
		return func(_ *Machine, s []int64) int { return int(s[to]) }
	case opOver:
		return func(_ *Machine, s []int64) int {
			s[slotStatus] = statusOver
			return ^at
		}
	}
	return g.slow(at, past)
}

// slow leaves an instruction to what all games share.
func (g *Game) slow(at int, past func(int32) int) step {
	in := &g.code[at]
	next := past(in.next)
	switch in.op {
	case opThrow:
		t := in.x.(*throw)
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.throwDice(in, t)
			return next
		}
	case opScore:
		sc := in.x.(*scoring)
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			m.score(in, sc)
			return next
		}
	case opSetSeat:
		return func(m *Machine, _ []int64) int {
			m.set(in, int64(in.a)+in.g(m))
			return next
		}
	case opAddSeat:
		return func(m *Machine, _ []int64) int {
			m.addTo(in, int64(in.a)+in.g(m))
			return next
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

// asking is a decision whose options must be counted.
func (g *Game) asking(at int) step {
	in := &g.code[at]
	a := in.x.(*ask)
	return func(m *Machine, s []int64) int {
		s[slotPC] = int64(at)
		if m.waiting = m.count(a); m.waiting == 0 {
			return m.noAnswer(in, a)
		}
		return ^at
	}
}

// writing is a write to a slot, or to the slot of me or active.
func (in *instr) writing(next int) step {
	a, b, f, v := int(in.a), int(in.b), in.f, in.v
	switch in.op {
	case opSet:
		if v.konst {
			c := v.c
			return func(_ *Machine, s []int64) int { s[a] = c; return next }
		}
		if v.slot > 0 {
			from := v.slot
			return func(_ *Machine, s []int64) int { s[a] = s[from]; return next }
		}
		return func(m *Machine, s []int64) int { s[a] = f(m); return next }
	case opSetAt:
		if v.slot > 0 {
			from := v.slot
			return func(_ *Machine, s []int64) int { s[a+int(s[b])] = s[from]; return next }
		}
		return func(m *Machine, s []int64) int { s[a+int(s[b])] = f(m); return next }
	case opAdd:
		return func(m *Machine, s []int64) int {
			old, d := s[a], f(m)
			sum := old + d
			if (old^sum)&(d^sum) < 0 {
				m.addTo(in, int64(a)) // which says what is wrong
			}
			s[a] = sum
			return next
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
			return next
		}
	}
}

// moving is a move to a zone that is not of a seat.
func (in *instr) moving(next int) step {
	a, lo, hi, f := int(in.a), int(in.b), int(in.c), in.f
	if from := in.v.slot; from > 0 && hi-lo == 2 {
		other := lo
		if other == a {
			other = lo + 1
		}
		return func(_ *Machine, s []int64) int {
			set := s[from]
			s[other] &^= set
			s[a] |= set
			return next
		}
	}
	return func(m *Machine, s []int64) int {
		set := f(m)
		for i := lo; i < hi; i++ {
			s[i] &^= set
		}
		s[a] |= set
		return next
	}
}

// quick is a throw of a family whose multisets have numbers.
func (t *throw) quick(next int) step {
	if t.fam.small == nil || t.fam.small.dense == nil || t.slot <= 0 {
		return nil
	}
	cl, at, fam, d := t.fam.small, t.slot, t.fam, t.fam.small.dense
	return func(m *Machine, s []int64) int {
		set := uint64(s[at])
		k := bits.OnesCount64(set)
		m.layDense(cl, set, int(d.throws[k][m.below(fam.powers[k])]))
		return next
	}
}

// quick is a score statement without anything but points.
func (sc *scoring) quick(in *instr, next int) step {
	r := sc.r
	if !r.dense || sc.slot <= 0 || r.paysSeat != nil {
		return func(m *Machine, _ []int64) int {
			m.score(in, sc)
			return next
		}
	}
	at, pays, index, cl := sc.slot, r.pays, r.index, r.cl
	return func(m *Machine, s []int64) int {
		set := uint64(s[at])
		row := &m.cache.scorers[index].rows[cl.id(m, set)]
		old := s[pays]
		if sum := old + row.points; row.known && row.legal && (old^sum)&(row.points^sum) >= 0 {
			s[pays] = sum
			return next
		}
		m.score(in, sc) // not yet known, or a fault
		return next
	}
}
