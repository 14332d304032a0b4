package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// A Machine is one game being played. It stands still between two calls and
// is driven by four verbs: Advance runs to the next moment at which something
// from outside is needed, Apply (or a typed throw) gives it, the listing calls
// tell what could be given, and View tells what a seat may see.
//
// A Machine is not safe for concurrent use. Clones share tables that fill
// while they play, so a clone belongs to the goroutine of its original; take
// a new Machine from the Game for every other goroutine.
type Machine struct {
	g   *Game
	s   []int64
	key uint64 // of the chance stream
	inc uint64 // key of the incident stream

	// AskChance makes Advance return every throw, roll and draw as a request
	// of kind Chance instead of drawing it.
	AskChance bool
	// Incidents makes throws draw incidents at the rates that the rules name.
	Incidents bool

	rec   Recorder
	cache *cache
	arena []int64
	opts  options // of the decision that stands
	names []string
	req   Request // as last returned by Advance
	steps int
}

// RequestKind says what a Machine waits for.
type RequestKind uint8

// The kinds of requests.
const (
	Over     RequestKind = iota // the game has ended: nothing is wanted
	Decision                    // a seat must choose one of N options
	Chance                      // dice must fall, or a draw be made
)

// A Request is what a Machine waits for.
type Request struct {
	Kind RequestKind
	Seat int // of a decision, from 0
	// N is how many answers there are: the options of a decision, or the
	// outcomes of a draw, all equally likely (the ordered faces of a throw). It
	// is 0 for a throw of so many dice that its outcomes cannot be numbered.
	N int
	// Forced is set when a decision has only one option.
	Forced bool
	at     *instr
}

// maxSteps bounds the instructions between two requests: more than any sane
// rule needs, little enough that a rule file from a stranger cannot hang.
const maxSteps = 1 << 21

// run executes instructions until something is needed.
func (m *Machine) run() Request {
	s := m.s
	if s[slotStatus] == statusOver {
		return Request{Kind: Over}
	}
	code := m.g.code
	pc := int(s[slotPC])
	m.steps = 0
	for {
		in := &code[pc]
		pc++
		if m.steps++; m.steps > maxSteps {
			s[slotPC] = int64(pc - 1)
			fault(in.place(m.g), "this goes on for ever: more than %d steps without a decision", maxSteps)
		}
		switch in.op {
		case opSet:
			v := in.f(m)
			if m.rec != nil {
				m.changed(in, int(in.a), v)
			}
			s[in.a] = v
		case opSetSeat:
			at, v := int64(in.a)+in.g(m), in.f(m)
			if m.rec != nil {
				m.changed(in, int(at), v)
			}
			s[at] = v
		case opAdd:
			m.addTo(in, int64(in.a))
		case opAddSeat:
			m.addTo(in, int64(in.a)+in.g(m))
		case opJump:
			pc = int(in.a)
		case opJumpFalse:
			if in.f(m) == 0 {
				pc = int(in.a)
			}
		case opJumpEmpty:
			if s[in.b] != 0 {
				pc = int(in.a)
			}
		case opMove:
			m.moveTo(in, int(in.a))
		case opMoveSeat:
			m.moveTo(in, int(in.a)+int(in.g(m)))
		case opThrow:
			t := in.x.(*throw)
			s[slotPC] = int64(pc - 1)
			if m.AskChance || m.Incidents && t.rated {
				if req, wait := m.askThrow(in, t); wait {
					return req
				}
				pc = int(s[slotPC])
				continue
			}
			m.throwDice(in, t)
		case opAsk:
			a := in.x.(*ask)
			s[slotPC] = int64(pc - 1)
			n := m.count(a)
			if n == 0 {
				pc = m.noAnswer(in, a)
				continue
			}
			return Request{Kind: Decision, Seat: int(s[slotMe]), N: n, Forced: n == 1, at: in}
		default:
			s[slotPC] = int64(pc - 1)
			req, wait := m.rare(in)
			if wait {
				return req
			}
			pc = int(s[slotPC])
		}
	}
}

// rare executes the instructions that a game meets less often. It moves
// s[slotPC] on itself, and reports whether the machine must wait.
func (m *Machine) rare(in *instr) (req Request, wait bool) {
	s := m.s
	next := s[slotPC] + 1
	switch in.op {
	case opRoll, opRandom:
		if m.AskChance {
			if req, wait = m.askDraw(in); wait {
				return req, true
			}
			return Request{}, false
		}
		m.draw(in)
	case opKeepList:
		m.keep(int(in.a), in.f(m), in.x.(*dsl.Expr))
		m.arena = m.arena[:0]
	case opSetFaces:
		face := in.g(m)
		for u := uint64(in.f(m)); u != 0; u &= u - 1 {
			s[int(in.a)+bits.TrailingZeros64(u)] = face
		}
	case opScore:
		m.score(in, in.x.(*scoring))
	case opNextCombo:
		next = m.nextCombo(in, in.x.(*scoring), next)
	case opStart:
		r := in.x.(*resets)
		r.run(m)
		if m.rec != nil {
			m.record(in, Record{Kind: RecScope, Of: -1, Scope: r.scope})
		}
	case opReturn:
		next = s[in.a]
	case opForSet:
		s[in.a] = in.f(m)
	case opForList:
		m.keep(int(in.a), in.f(m), in.x.(*dsl.Expr))
		s[int(in.a)+1+listRoom] = 0
		m.arena = m.arena[:0]
	case opForRange:
		s[in.a], s[in.a+1] = in.f(m), in.g(m)
	case opNextSet:
		if s[in.a] == 0 {
			next = int64(in.c)
			break
		}
		s[in.b] = int64(bits.TrailingZeros64(uint64(s[in.a])))
		s[in.a] &= s[in.a] - 1
	case opNextList:
		cursor := int(in.a) + 1 + listRoom
		if s[cursor] >= s[in.a] {
			next = int64(in.c)
			break
		}
		s[in.b] = s[int64(in.a)+1+s[cursor]]
		s[cursor]++
	case opNextRange:
		if s[in.a] > s[in.a+1] {
			next = int64(in.c)
			break
		}
		s[in.b] = s[in.a]
		s[in.a]++
	case opExit:
		if s[slotExit] == exitFinish {
			break
		}
		s[slotExit], s[slotExitArg] = int64(in.a), int64(in.b)
		if in.f != nil {
			s[slotExitArg] = in.f(m)
		}
	case opFinish:
		if s[slotExit] != exitFinish {
			s[slotExit] = exitFinish
			s[slotWinners] = 0
			if in.f != nil {
				s[slotWinners] = in.f(m)
			}
		}
	case opClear:
		s[slotExit] = exitNone
	case opJumpExit:
		if s[slotExit] != exitNone {
			next = int64(in.a)
		}
	case opJumpFinish:
		if s[slotExit] == exitFinish {
			next = int64(in.a)
		}
	case opJumpAnswered:
		switch s[slotExit] {
		case exitNone:
		case exitAgain:
			s[slotExit] = exitNone
			next = int64(in.b)
		default:
			next = int64(in.a)
		}
	case opFlow:
		next = m.flow(in)
	case opRestore:
		s[slotMe] = s[slotActive]
	case opWho:
		m.who(in)
	case opNextWho:
		next = m.nextWho(in, next)
	case opTell:
		if m.rec != nil {
			m.tell(in.x.(*telling))
		}
	case opOver:
		s[slotStatus] = statusOver
		if m.rec != nil {
			m.rec.Record(m, &Record{Kind: RecOver})
		}
		return Request{Kind: Over}, true
	case opFault:
		f := *in.x.(*Fault)
		panic(&f)
	}
	s[slotPC] = next
	return Request{}, false
}

func (m *Machine) addTo(in *instr, at int64) {
	old, d := m.s[at], in.f(m)
	v := old + d
	if (old^v)&(d^v) < 0 {
		fault(in.place(m.g), "%d and %d make too large a number", old, d)
	}
	if m.rec != nil {
		m.changed(in, int(at), v)
	}
	m.s[at] = v
}

// moveTo puts pieces into the zone at a slot, out of wherever they lie.
func (m *Machine) moveTo(in *instr, to int) {
	set := in.f(m)
	if m.rec != nil {
		m.moved(in, set, to)
	}
	s := m.s
	for i := in.b; i < in.c; i++ {
		s[i] &^= set
	}
	s[to] |= set
}

// Advance runs to the next moment at which something is needed and says what.
// Called again without an answer in between it says the same again. The error
// is a *Fault: the rules have a mistake, and this game cannot go on.
func (m *Machine) Advance() (req Request, err error) {
	if m.req.at != nil {
		return m.req, nil
	}
	defer m.recoverFault(&err)
	m.req = m.run()
	return m.req, nil
}

// Apply gives the i-th answer to what Advance asked for, from 0: an option of
// a decision, or an outcome of a draw. It panics if i is out of range, which is
// a mistake of the caller, or if nothing is asked.
func (m *Machine) Apply(i int) (err error) {
	req := m.req
	if req.at == nil || i < 0 || i >= req.N {
		panic("interpreter: Apply without a request, or out of its range")
	}
	defer m.recoverFault(&err)
	m.req = Request{}
	m.answer(req, i)
	return nil
}

func (m *Machine) answer(req Request, i int) {
	in := req.at
	switch in.op {
	case opAsk:
		m.choose(in, i)
	case opThrow:
		m.applyThrow(in, uint64(i))
	default:
		m.applyDraw(in, uint64(i))
	}
}

func (m *Machine) recoverFault(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(*Fault)
		if !ok {
			panic(r)
		}
		if f.Span.IsZero() {
			f.Span = m.g.code[m.s[slotPC]].place(m.g)
		}
		m.arena = m.arena[:0]
		*err = f
	}
}

// Play runs the game to its end, every decision taken by choose, which gets
// the seat and the number of options and returns one of them. It is Advance
// and Apply in a loop, without their bookkeeping.
func (m *Machine) Play(choose func(seat, n int) int) (err error) {
	defer m.recoverFault(&err)
	m.req = Request{}
	for {
		req := m.run()
		if req.Kind != Decision {
			m.req = req
			return nil
		}
		m.choose(req.at, choose(req.Seat, req.N))
	}
}

// Playout plays the game to its end with every option of every decision
// equally likely, drawn from r, and returns how many decisions there were. It
// stops without an end after limit decisions, if limit is positive.
func (m *Machine) Playout(r *Rand, limit int) (decisions int, err error) {
	defer m.recoverFault(&err)
	m.req = Request{}
	for {
		req := m.run()
		if req.Kind != Decision {
			m.req = req
			return decisions, nil
		}
		if decisions++; decisions == limit {
			m.req = req
			return decisions, nil
		}
		i := 0
		if req.N > 1 {
			i = int(r.Below(uint64(req.N)))
		}
		m.choose(req.at, i)
	}
}

// Clone returns a machine that stands where m stands and plays on by itself,
// with the same luck to come. A thinker must call Rekey on it, lest it know
// the future.
func (m *Machine) Clone() *Machine { return m.CloneInto(nil) }

// CloneInto is Clone into a machine that is no longer needed, which it
// returns; nil makes a new one. Nothing is allocated if to has played the same
// game.
func (m *Machine) CloneInto(to *Machine) *Machine {
	if to == nil {
		to = &Machine{}
	}
	s, arena := to.s, to.arena
	if len(s) != len(m.s) {
		s = make([]int64, len(m.s))
	}
	copy(s, m.s)
	opts := to.opts
	*to = *m
	to.s, to.arena, to.rec, to.opts = s, arena[:0], nil, opts
	to.opts.valid = false
	return to
}

// Rekey gives the machine other luck from here on.
func (m *Machine) Rekey(seed uint64) {
	m.key, m.inc = streamKey(seed, 0, StreamChance), streamKey(seed, 0, StreamIncidents)
}

// uint64 of the chance stream.
func (m *Machine) below(n uint64) uint64 {
	if n < 2 {
		return 0
	}
	for {
		m.s[slotDraws]++
		hi, lo := bits.Mul64(mix64(m.key+uint64(m.s[slotDraws])*gamma), n)
		if lo >= n || lo >= -n%n {
			return hi
		}
	}
}
