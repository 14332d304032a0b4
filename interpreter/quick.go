package interpreter

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
	if m.tally != nil {
		quick = m.g.quickCounting
	}
	pc := int(s[slotPC])
	m.spent = 0
	for round, left := 0, m.left; round < maxRounds; round++ {
		for range stepsARound {
			if pc = quick[pc](m, s); pc < 0 {
				in := &m.g.code[^pc]
				if in.op == opOver {
					return nil, 0
				}
				return in, m.waiting
			}
		}
		if m.left != left { // decisions were taken meanwhile
			round, left = -1, m.left
		}
	}
	s[slotPC] = int64(pc)
	fault(m.g.code[pc].place(m.g), tooLong)
	return nil, 0
}

// The budget of steps is counted in rounds, which is cheaper than one by one:
// so many rounds without a decision are too many.
const (
	stepsARound = 1 << 16
	maxRounds   = maxBudget / stepsARound
)

// maxChain is how many instructions in a row call each other before control
// goes back to runQuick. A chain is faster than the loop: each call in it
// stands at a place of its own, and so is foreseen by the processor.
const maxChain = 8

// quickener makes the closures of one game.
type quickener struct {
	g      *Game
	made   map[site]step
	counts bool // into a tally
}

// A site is a place in the code, as a chain comes to it.
type site struct {
	at   int
	left int // how far the chain may still go
	full int // a slot that is known not to be 0, since it was just tested; or 0
}

func (g *Game) quicken() {
	g.quick = (&quickener{g: g, made: map[site]step{}}).all()
	g.quickCounting = (&quickener{g: g, made: map[site]step{}, counts: true}).all()
}

// all makes the closures of every place.
func (q *quickener) all() []step {
	out := make([]step, len(q.g.code))
	for i := range out {
		out[i] = q.at(q.past(int32(i)), maxChain, 0)
	}
	return out
}

// past skips over instructions that only tell, or only lead on.
func (q *quickener) past(at int32) int {
	for {
		switch in := &q.g.code[at]; in.op {
		case opTell:
			if q.counts && in.x.(*telling).kind == RecEvent {
				return int(at)
			}
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
		if f := q.noteThenAsk(in, left); f != nil {
			return f
		}
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
		if in.x.(*scoring).loud {
			return q.loudScore(in, at, left)
		}
		return in.x.(*scoring).quick(in, at, then())
	case opAsk:
		return q.ask(in, at, left, full)
	case opNextTurn:
		return q.nextTurn(left)
	case opTell: // of what is counted
		next, number := then(), in.x.(*telling).number
		return func(m *Machine, s []int64) int {
			m.tally.Events[number]++
			return next(m, s)
		}
	case opReturn:
		to := in.a
		return func(_ *Machine, s []int64) int { return int(s[to]) }
	case opOver:
		return func(m *Machine, s []int64) int {
			s[slotStatus] = statusOver
			if m.tally != nil {
				m.lead()
			}
			return ^at
		}
	case opForRange:
		if q.onlyTells(int(in.next)) {
			end := q.past(q.g.code[in.next].c)
			if in.b == 1 {
				return q.at(end, left, 0)
			}
			past := q.at(end, left-1, 0)
			return func(m *Machine, s []int64) int {
				in.f(m) // which may fault
				in.g(m)
				return past(m, s)
			}
		}
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
	case opMoveCards:
		return in.x.(*cardMove).quick(in, at, then())
	case opNextWho:
		return q.nextWho(in, left)
	case opRestore:
		next := then()
		return func(m *Machine, s []int64) int {
			s[slotMe] = s[slotActive]
			return next(m, s)
		}
	case opWho:
		next := then()
		return func(m *Machine, s []int64) int {
			m.who(in)
			return next(m, s)
		}
	case opDeal:
		next, d := then(), in.x.(*cardDeal)
		return func(m *Machine, s []int64) int {
			d.begin(m)
			return next(m, s)
		}
	case opShow:
		next := then()
		return func(m *Machine, s []int64) int {
			if m.rec != nil || m.know != nil {
				s[slotPC] = int64(at)
				m.rare(in)
			}
			return next(m, s)
		}
	case opDealNext:
		return in.x.(*cardDeal).quick(in, at, then())
	case opSetSeat, opAddSeat:
		next, a, g, f := then(), int64(in.a), in.g, in.f
		if in.op == opSetSeat {
			return func(m *Machine, s []int64) int {
				at := a + g(m)
				s[at] = f(m)
				return next(m, s)
			}
		}
		return func(m *Machine, s []int64) int {
			at := a + g(m)
			old, d := s[at], f(m)
			sum := old + d
			if (old^sum)&(d^sum) < 0 {
				m.addTo(in, at) // which says what is wrong
			}
			s[at] = sum
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
func (q *quickener) ask(in *instr, at, left, full int) step {
	a := in.x.(*ask)
	switch {
	case a.isChosen():
		return q.chosen(in, a, at, left)
	case a.sealed != nil || a.table: // as any other below
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
	case a.allKnown():
		act := a.actions[0]
		f, rows, cl, from, entry := act.fixed, act.fixed.rows, act.table, act.picks[0].from, q.past(int32(act.entry))
		return func(m *Machine, s []int64) int {
			set := uint64(s[from])
			if row := rows[cl.id(m, set)]; row.n > 0 && m.drawing() {
				m.loadRanked(act, set, f.ranked[int(row.first)+m.drawOption(int(row.n))])
				return entry
			}
			return m.stopAt(in, a, at)
		}
	case a.picking >= 0:
		return q.onePicks(in, a, at, left)
	case a.isPickless():
		return q.pickless(in, a, at, left)
	}
	return func(m *Machine, s []int64) int {
		s[slotPC] = int64(at)
		if m.waiting = m.count(a); m.waiting == 0 {
			return m.noAnswer(in, a)
		}
		if m.drawing() && !a.table {
			act := m.load(a, m.drawOption(m.waiting))
			if a.sealed != nil {
				a.sealed.put(m, in, act)
				return int(s[slotPC])
			}
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
	switch n {
	case 1:
		return 0
	case 2: // the highest bit, as Below has it
		return int(m.policy.Uint64() >> 63)
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
		if c := v.c; v.konst && c >= 0 {
			return func(m *Machine, s []int64) int {
				sum := s[a] + c
				if sum < c && s[a] > 0 {
					m.addTo(in, int64(a)) // which says what is wrong
				}
				s[a] = sum
				return next(m, s)
			}
		}
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
