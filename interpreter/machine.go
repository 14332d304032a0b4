package interpreter

import (
	"math"
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

	rec     Recorder
	leaving departure  // of the pieces that move just now
	know    *knowledge // what seats know of hidden pieces; nil if nobody asks
	cache   *cache
	arena   []int64
	opts    options // of the decision that stands
	names   []string
	req     Request // as last returned by Advance
	faces   int64   // grows whenever a piece may show another face
	memo    []keyMemo

	lays        int // throws whose faces wait to be laid down
	layFam      *family
	waitingLays [maxLays]lay

	waiting  int        // options of the decision at which a quick run stopped
	policy   Rand       // of a random playout that is under way
	typed    *typedMove // see openpick.go
	started  *StartGame // see opening.go
	leftThen int        // left, when the budget was last found used up
	left     int        // decisions that it may still take; 0 if none is under way
	spent    int        // of maxBudget

	carried   int32 // points of the pick just made, if carries is set
	carries   bool
	asking    int64    // number of the count of options under way, or 0
	countings int64    // counts so far
	noted     notedRow // what a note has looked up for the decision behind it
	shared    []shared
	contexts  []shared  // of scorers
	tally     *Tally    // nil if nobody counts
	cover     *Coverage // nil if nothing is counted: games that are not covered, and clones, which only try
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
	// Open is set when a decision has answers that are not listed, since there
	// are too many: values of a param, sets of house rules. People type them (see
	// ParseMove); the listed answer keeps what is in force. It is never forced.
	Open bool
	// Sealed is set when the answer stays hidden from others until all have
	// answered.
	Sealed bool
	// Table is set when anybody may answer, for all: what is typed in from a
	// real table. Seat is then whose turn it is. Bots are never asked.
	Table bool
	at    *instr
}

// maxBudget bounds the work between two requests: instructions, and the
// elements that formulas walk over. It is more than any sane rule needs, and
// little enough that a rule file from a stranger cannot hang.
const maxBudget = 1 << 22

// spend takes one from the budget. It is given anew with every request and
// every question from outside.
func (m *Machine) spend() {
	if m.spent++; m.spent > maxBudget {
		m.spent = 0
		if m.left != m.leftThen { // a playout that has taken decisions meanwhile
			m.leftThen = m.left
			return
		}
		panic(&Fault{Message: tooLong})
	}
}

const tooLong = "this goes on for ever, or as good as: no decision is reached"

// run executes instructions until something is needed: it returns the
// instruction that waits, and for a decision how many options there are; nil
// when the game is over.
//
// Every arm sees the state as the instruction found it, and leaves the place
// to go on in pc. What is suspended, or may fault, has its own place in
// s[slotPC]. Arms that many games never meet are in rare.
func (m *Machine) run() (*instr, int) {
	s := m.s
	if s[slotStatus] == statusOver {
		return nil, 0
	}
	if m.rec == nil && m.know == nil && !m.AskChance && !m.Incidents {
		if m.g.settled.Do(m.g.settle); !m.g.slow.Load() {
			return m.runQuick()
		}
	}
	code := m.g.code
	pc := int(s[slotPC])
	for m.spent = 0; ; m.spent++ {
		in := &code[pc]
		at := pc
		pc = int(in.next)
		if m.spent > maxBudget {
			s[slotPC] = int64(at)
			fault(in.place(m.g), tooLong)
		}
		switch in.op {
		case opSet:
			v := in.f(m)
			if m.rec != nil {
				m.changed(in, int(in.a), v)
			}
			s[in.a] = v
		case opSetSeat:
			m.set(in, int64(in.a)+in.g(m))
		case opSetAt:
			m.set(in, int64(in.a)+s[in.b])
		case opAdd:
			m.addTo(in, int64(in.a))
		case opAddSeat:
			m.addTo(in, int64(in.a)+in.g(m))
		case opAddAt:
			m.addTo(in, int64(in.a)+s[in.b])
		case opJump:
			pc = int(in.a)
		case opJumpFalse:
			if !in.test(m) {
				pc = int(in.a)
			}
		case opMove:
			set := in.f(m)
			if m.rec != nil {
				m.moved(in, set, int(in.a))
			}
			for i := in.b; i < in.c; i++ {
				s[i] &^= set
			}
			s[in.a] |= set
		case opThrow:
			t := in.x.(*throw)
			if m.AskChance || m.Incidents && t.rated {
				s[slotPC] = int64(at)
				if m.askThrow(in, t) {
					return in, 0
				}
				pc = int(s[slotPC])
				continue
			}
			m.throwDice(in, t)
		case opScore:
			m.score(in, in.x.(*scoring))
		case opAsk:
			a := in.x.(*ask)
			n := len(a.actions)
			if a.mode != askStatic {
				n = m.count(a)
			}
			s[slotPC] = int64(at)
			if n == 0 {
				pc = m.noAnswer(in, a)
				continue
			}
			return in, n
		case opReturn:
			pc = int(s[in.a])
		case opTell:
			if m.tally != nil {
				m.tally.happened(in.x.(*telling))
			}
			if m.rec != nil {
				m.tell(in.x.(*telling))
			}
		case opNextTurn:
			pc = int(m.nextTurn())
		case opOver:
			s[slotStatus] = statusOver
			if m.tally != nil {
				m.lead()
			}
			if m.rec != nil && m.started == nil {
				m.rec.Record(m, &Record{Kind: RecOver})
			}
			return nil, 0
		default:
			s[slotPC] = int64(at)
			if m.rare(in) {
				return in, 0
			}
			pc = int(s[slotPC])
		}
	}
}

// request describes what run stopped at.
func (m *Machine) request(in *instr, n int) Request {
	switch {
	case in == nil:
		return Request{Kind: Over}
	case in.op == opAsk:
		a := in.x.(*ask)
		open := m.openNow(a)
		return Request{Kind: Decision, Seat: int(m.s[slotMe]), N: n, Forced: n == 1 && !open && !a.table && !m.secretly(a), Open: open, Sealed: a.sealed != nil, Table: a.table, at: in}
	case in.op == opDealNext:
		_, n = in.x.(*cardDeal).drawn(m)
	case in.op == opThrow:
		t := in.x.(*throw)
		if k := bits.OnesCount64(uint64(t.zone(m))); k < len(t.fam.powers) && t.fam.powers[k] < 1<<62 {
			n = int(t.fam.powers[k])
		}
	default:
		n = m.outcomes(in.x.(*drawing))
		m.arena = m.arena[:0]
	}
	return Request{Kind: Chance, Seat: m.thrower(in), N: n, Forced: n == 1, at: in}
}

// rare executes the instructions that a game meets less often. It moves
// s[slotPC] on itself, and reports whether the machine must wait.
func (m *Machine) rare(in *instr) (wait bool) {
	s := m.s
	next := int64(in.next)
	switch in.op {
	case opRoll, opRandom:
		if m.AskChance {
			return true
		}
		m.draw(in)
	case opKeepList:
		m.keep(int(in.a), in.f(m), int(in.b), in.x.(*dsl.Expr))
		m.arena = m.arena[:0]
	case opSetFaces:
		face := in.g(m)
		m.land()
		m.faces++
		for u := uint64(in.f(m)); u != 0; u &= u - 1 {
			s[int(in.a)+bits.TrailingZeros64(u)] = face
		}
	case opSetEach:
		m.setEach(in)
	case opStartGame:
		m.startGame(in)
		next = int64(m.g.ending)
	case opNextCombo:
		next = m.nextCombo(in, in.x.(*scoring), next)
	case opStart:
		r := in.x.(*resets)
		r.run(m)
		if m.tally != nil {
			m.lead()
		}
		if m.rec != nil {
			m.record(in, Record{Kind: RecScope, Of: -1, Scope: r.scope})
		}
	case opForSet:
		s[in.a] = in.f(m)
	case opForList:
		m.keep(int(in.a)+1, in.f(m), int(in.b), in.x.(*dsl.Expr))
		s[in.a] = 0
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
		if s[in.a] >= s[in.a+1] {
			next = int64(in.c)
			break
		}
		s[in.b] = s[int64(in.a)+2+s[in.a]]
		s[in.a]++
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
	case opMoveSeat:
		m.moveTo(in, int(in.a)+int(in.g(m)))
	case opMoveCards:
		in.x.(*cardMove).run(m, in)
	case opDeal:
		in.x.(*cardDeal).begin(m)
	case opDealNext:
		if in.x.(*cardDeal).next(m, in) {
			return true
		}
	case opShow:
		m.showCards(in, in.x.(*cardShow))
	case opJumpGhost:
		if s[slotMe] >= int64(m.g.people) {
			next = int64(in.a)
		}
	case opSealed:
		next = in.x.(*sealing).next(m, in)
	case opSetKey:
		in.x.(*keyWrite).run(m, in)
	case opAppend:
		in.x.(*listGrowth).run(m, in)
	case opCover:
		in.x.(*covering).count(m)
	case opFault:
		f := *in.x.(*Fault)
		panic(&f)
	}
	s[slotPC] = next
	return false
}

func (m *Machine) set(in *instr, at int64) {
	v := in.f(m)
	if m.rec != nil {
		m.changed(in, int(at), v)
	}
	m.s[at] = v
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
	m.typed = nil
	m.req = m.request(m.run())
	return m.req, nil
}

// Apply gives the i-th answer to what Advance asked for, from 0: an option of
// a decision, or an outcome of a draw. It panics if i is out of range, which is
// a mistake of the caller, or if nothing is asked. The error is a *Fault, or the
// *Refusal of an option that only stands for what people type ([Option].Typed).
func (m *Machine) Apply(i int) (err error) {
	req := m.req
	if req.at == nil || i < 0 || !m.inRange(i) {
		panic("interpreter: Apply without a request, or out of its range")
	}
	defer m.recoverFault(&err)
	if r := m.untyped(req, i); r != nil {
		return r
	}
	m.req = Request{}
	m.spent = 0
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
	case opDealNext: // the program stays there, and deals on
		d := in.x.(*cardDeal)
		d.give(m, in, d.piece(m, i))
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
		m.asking, m.carries = 0, false
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
		in, n := m.run()
		if in == nil || in.op != opAsk {
			m.req = m.request(in, n)
			return nil
		}
		m.choose(in, choose(int(m.s[slotMe]), n))
	}
}

// Playout plays the game to its end with every option of every decision
// equally likely, drawn from r, and returns how many decisions there were. If
// limit is positive it stops after so many decisions, before the next one.
func (m *Machine) Playout(r *Rand, limit int) (decisions int, err error) {
	defer m.recoverFault(&err)
	m.req = Request{}
	if limit <= 0 {
		limit = math.MaxInt
	}
	m.policy, m.left = *r, limit
	defer func() { decisions, *r, m.left = limit-m.left, m.policy, 0 }()
	for {
		in, n := m.run()
		if in == nil || in.op != opAsk || !m.drawing() {
			m.req = m.request(in, n)
			return 0, nil // the number is set above
		}
		m.choose(in, m.drawOption(n))
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
	m.land()
	if to == nil {
		to = &Machine{}
	}
	s, arena := to.s, to.arena
	if len(s) != len(m.s) {
		s = make([]int64, len(m.s))
	}
	copy(s, m.s)
	opts, memo, shareds, contexts, countings := to.opts, to.memo, to.shared, to.contexts, to.countings
	*to = *m
	to.know, to.cover, to.tally = nil, nil, nil
	to.s, to.arena, to.rec, to.opts, to.memo, to.left = s, arena[:0], nil, opts, memo, 0
	if len(to.memo) != len(m.memo) {
		to.memo = make([]keyMemo, len(m.memo))
	}
	copy(to.memo, m.memo)
	to.opts.valid = false
	to.asking, to.countings, to.shared, to.contexts = 0, countings, shareds, contexts
	to.noted = notedRow{} // its number is one of the other machine
	if len(to.shared) != len(m.shared) || len(to.contexts) != len(m.contexts) {
		to.shared, to.contexts = make([]shared, len(m.shared)), make([]shared, len(m.contexts))
	}
	return to
}

// Rekey gives the machine other luck from here on.
func (m *Machine) Rekey(seed uint64) {
	m.key, m.inc = streamKey(seed, 0, StreamChance), streamKey(seed, 0, StreamIncidents)
}

// below draws a number in [0, n) from the chance stream, as Rand.Below does.
func (m *Machine) below(n uint64) uint64 {
	if n < 2 {
		return 0
	}
	for {
		hi, lo := bits.Mul64(m.bits(), n)
		if lo >= n || lo >= -n%n {
			return hi
		}
	}
}

// bits returns the next 64 bits of the chance stream.
func (m *Machine) bits() uint64 {
	m.s[slotDraws]++
	return mix64(m.key + uint64(m.s[slotDraws])*gamma)
}
