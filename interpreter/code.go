package interpreter

import (
	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// All scripts of a game are one list of instructions. Structure (blocks,
// loops, calls of events, hooks, the way from phase to phase) has become jumps;
// what is left inside an instruction are formulas. So a game can be suspended
// between any two instructions, and where it stands is one slot.

type opcode uint8

const (
	opSet       opcode = iota // s[a] = f
	opSetSeat                 // s[a + g] = f
	opSetAt                   // s[a + s[b]] = f, s[b] being me or active
	opAdd                     // s[a] += f
	opAddSeat                 // s[a + g] += f
	opAddAt                   // s[a + s[b]] += f
	opKeepList                // the list f is copied to slot a
	opJump                    // to a
	opJumpFalse               // to a if test does not hold
	opThrow                   // x.(*throw)
	opRoll                    // x.(*drawing)
	opRandom                  // x.(*drawing)
	opMove                    // the pieces f go to zone slot a, out of the zones in [b, c)
	opMoveSeat                // the same, to zone slot a + g
	opSetFaces                // the pieces f show face g; a is the family's face slot
	opScore                   // x.(*scoring)
	opNextCombo               // x.(*scoring)
	opStart                   // x.(*resets)
	opReturn                  // to s[a]
	opAsk                     // x.(*ask)
	opForSet                  // s[a] = the set f, to be walked over
	opForList                 // the list f is copied to slot a+1, where there is room for b values; its cursor s[a] = 0
	opForRange                // s[a] = f, s[a+1] = g; b is 1 if these cannot fault
	opNextSet                 // s[b] = the next of s[a], or jump to c
	opNextList
	opNextRange
	opExit         // s[slotExit] = a, s[slotExitArg] = f or b; unless finish is pending
	opFinish       // exit finish; f the seats that come first, or nil
	opClear        // s[slotExit] = exitNone
	opJumpExit     // to a if an exit is pending
	opJumpFinish   // to a if the pending exit is finish
	opJumpAnswered // after an answer: to b for `again`, to a for any other exit
	opFlow         // carry out the pending exit, or jump to a
	opNextTurn     // an exit that nothing can come after
	opRestore      // me = active
	opWho          // s[a..] = the seats to be asked, in turn
	opNextWho      // the next seat to be asked becomes me, or jump to c
	opTell         // x.(*telling): say, write, mark, shout, event: only if somebody listens
	opOver         // the game is over
	opFault        // x.(*Fault)
	opSetEach      // x.(*setEach)
	opStartGame    // x.(*starting): the opening is over
	opMoveCards    // x.(*cardMove)
	opDeal         // x.(*cardDeal): what is to be dealt is noted
	opDealNext     // x.(*cardDeal): it is dealt
	opShow         // x.(*cardShow)
	opJumpGhost    // to a if me is a ghost
	opSealed       // x.(*sealing): the next sealed answer is carried out, or jump to c
	opAppend       // x.(*listGrowth)
	opSetKey       // s[map f + key g] = x.(*keyWrite), added to it if a is 1
	opCover        // x.(*covering): only in covered games
)

// An instr is one instruction. Which fields it uses, opcode's comments say.
type instr struct {
	op      opcode
	next    int32 // where the program goes on
	a, b, c int32
	f, g    fn
	v       val // f, as far as it is known
	x       any
	note    *note
	test    test      // of opJumpFalse
	cond    *dsl.Expr // the same as written
}

// A note says what an instruction comes from, for ledgers and faults.
type note struct {
	span  source.Span
	stmt  *dsl.Stmt
	rule  *dsl.Info // phase, action, event, combo or hook's owner it belongs to
	owner string    // variant
	place *dsl.Place
}

// coder writes the instructions.
type coder struct {
	*lowerer
	code   []instr
	rule   *dsl.Info // what the code being written belongs to
	owner  string
	entry  []int // of phases, by index
	gotos  []fix // instructions whose a is to become a phase's entry
	events map[*dsl.Event]*routine
	phase  *dsl.Phase // whose incidents a throw can meet
	event  *dsl.Event // whose script is being written, if one is
	quiet  bool       // no event can finish the game: jumps need no check
	tail   *tail      // what follows the script being written, if gotos may jump
}

// A fix is an instruction that waits for a phase's entry.
type fix struct{ at, phase int }

// A routine is an event's code.
type routine struct {
	entry int
	ret   int // slot of the return address
	calls []int
}

// A tail says that after the running script nothing comes but the flow: a goto
// may then jump at once.
type tail struct{}

func (c *coder) emit(in instr) int {
	c.code = append(c.code, in)
	return len(c.code) - 1
}

func (c *coder) here() int { return len(c.code) }

// patch makes a jump lead here.
func (c *coder) patch(at int) { c.code[at].a = int32(c.here()) }

func (c *coder) note(s *dsl.Stmt) *note {
	n := &note{stmt: s, rule: c.rule, owner: c.owner, place: s.Place}
	n.span = s.Span
	return n
}

// script writes statements. Exits jump to the end of the script; the fixes of
// those jumps are returned for the caller to patch, so that hooks can follow.
func (c *coder) script(s *dsl.Script) (ends []int) {
	if s == nil {
		return nil
	}
	for _, st := range s.Stmts {
		ends = append(ends, c.stmt(st)...)
	}
	return ends
}

// block writes a script whose exits lead to its own end.
func (c *coder) block(s *dsl.Script) {
	for _, at := range c.script(s) {
		c.patch(at)
	}
}

func (c *coder) stmt(s *dsl.Stmt) (ends []int) {
	switch s.Op {
	case dsl.StmtLet:
		c.let(s)
	case dsl.StmtAssign:
		c.assign(opSet, s, c.expr(s.X))
	case dsl.StmtAdd:
		c.assign(opAdd, s, c.expr(s.X))
	case dsl.StmtSub:
		c.assign(opAdd, s, c.negated(s.X))
	case dsl.StmtRandomLet, dsl.StmtRandom:
		c.random(s)
	case dsl.StmtThrow:
		c.throw(s)
		if s.Seat != nil {
			c.code[len(c.code)-1].g = c.seatIndex(c.expr(s.Seat), s.Seat) // who throws
		}
	case dsl.StmtRoll:
		c.roll(s)
	case dsl.StmtMove:
		if isCards(s.Y.Type) {
			c.moveCards(s)
		} else {
			c.move(s)
		}
	case dsl.StmtDeal:
		c.deal(s)
	case dsl.StmtShow:
		c.show(s)
	case dsl.StmtAppend:
		c.append(s)
	case dsl.StmtSetFaces:
		fam := c.g.families[familyOf(s.X)]
		c.emit(instr{op: opSetFaces, a: int32(fam.faceSlot), f: c.pieces(s.X), g: c.expr(s.Y).f, note: c.note(s)})
	case dsl.StmtSetEach:
		c.setEach(s)
	case dsl.StmtScore:
		c.score(s)
	case dsl.StmtStart:
		c.emit(instr{op: opStart, x: c.g.reset(c.lowerer, s.Scope), note: c.note(s)})
	case dsl.StmtEmit:
		c.call(s.Event, s.Args)
	case dsl.StmtSay, dsl.StmtWrite, dsl.StmtMark:
		c.tell(s)
	case dsl.StmtIf:
		return c.branch(s)
	case dsl.StmtFor:
		return c.loop(s)
	default:
		return c.exit(s)
	}
	return nil
}

func (c *coder) let(s *dsl.Stmt) {
	v := c.expr(s.X)
	slot := c.g.local(s.Local)
	if n := c.g.room(s.Local.Type); n > 0 {
		c.emit(instr{op: opKeepList, a: int32(slot), b: int32(n), f: v.f, x: s.X, note: c.note(s)})
		return
	}
	c.emit(instr{op: opSet, a: int32(slot), f: v.f, v: v, note: c.note(s)})
}

func (c *coder) negated(e *dsl.Expr) val {
	v := c.expr(e)
	if v.konst {
		return konst(-v.c)
	}
	f := v.f
	return calc(func(m *Machine) int64 { return -f(m) })
}

// assign writes into a place: a plain slot, or one of a row of seats.
func (c *coder) assign(op opcode, s *dsl.Stmt, v val) {
	if s.Place.Key != nil {
		c.assignKey(op, s, v)
		return
	}
	f := v.f
	if t := s.Place.Var.Type; t.Kind == dsl.KSet && s.X.Type.Kind == dsl.KList {
		f = setOfList(f)
		v = calc(f)
	}
	v.f = f
	in := instr{op: op, a: int32(c.g.varSlot[s.Place.Var]), f: f, v: v, note: c.note(s)}
	if s.Place.Seat != nil {
		seat := c.expr(s.Place.Seat)
		if seat.slot == slotMe || seat.slot == slotActive {
			in.op += 2 // opSetAt, opAddAt
			in.b = int32(seat.slot)
		} else {
			in.op++ // opSetSeat, opAddSeat
			in.g = c.seatIndex(seat, s.Place.Seat)
		}
	}
	c.emit(in)
}

// keyWrite is a write to the value of a map at a key.
type keyWrite struct {
	at   func(m *Machine) int // slot of the length
	key  fn
	low  int64 // the least key
	v    fn
	adds bool
}

func (c *coder) assignKey(op opcode, s *dsl.Stmt, v val) {
	of := &dsl.Expr{Op: dsl.OpState, Ref: s.Place.Var, Type: s.Place.Var.Type, Span: s.Place.Span}
	if s.Place.Seat != nil {
		of.Args = []*dsl.Expr{s.Place.Seat}
	}
	w := &keyWrite{at: c.mapSlot(s.Place.Var, of), key: c.expr(s.Place.Key).f, low: s.Place.Var.Type.Key.Lo, v: v.f, adds: op == opAdd}
	c.emit(instr{op: opSetKey, x: w, note: c.note(s)})
}

func (w *keyWrite) run(m *Machine, in *instr) {
	at, k := w.at(m), w.key(m)-w.low
	if uint64(k) >= uint64(m.s[at]) {
		fault(in.place(m.g), "there is nothing at this key")
	}
	slot := at + 1 + int(k)
	v := w.v(m)
	if old := m.s[slot]; w.adds {
		sum := old + v
		if (old^sum)&(v^sum) < 0 {
			fault(in.place(m.g), "%d and %d make too large a number", old, v)
		}
		v = sum
	}
	if m.rec != nil {
		m.changed(in, slot, v)
	}
	m.s[slot] = v
}

// listGrowth is an append statement.
type listGrowth struct {
	at   func(m *Machine) int // slot of the length
	v    fn
	room int64
}

func (c *coder) append(s *dsl.Stmt) {
	of := &dsl.Expr{Op: dsl.OpState, Ref: s.Place.Var, Type: s.Place.Var.Type, Span: s.Place.Span}
	if s.Place.Seat != nil {
		of.Args = []*dsl.Expr{s.Place.Seat}
	}
	c.emit(instr{op: opAppend, x: &listGrowth{c.mapSlot(s.Place.Var, of), c.expr(s.X).f, int64(s.Place.Var.Room)}, note: c.note(s)})
}

func (w *listGrowth) run(m *Machine, in *instr) {
	at, v := w.at(m), w.v(m)
	n := m.s[at]
	if n >= w.room {
		fault(in.place(m.g), "the list is full: there is room for %d", w.room)
	}
	if slot := at + 1 + int(n); m.rec != nil {
		m.s[slot] = dsl.None // nothing stood there
		m.changed(in, slot, v)
	}
	m.s[at+1+int(n)] = v
	m.s[at] = n + 1
}

// setOfList turns a list of seats or pieces into a set, for a set's place.
func setOfList(f fn) fn {
	return func(m *Machine) int64 {
		at, set := len(m.arena), int64(0)
		for _, v := range m.list(f(m)) {
			set |= 1 << uint(v)
		}
		m.arena = m.arena[:at]
		return set
	}
}

// seatIndex checks that a formula is a seat of this table.
func (c *lowerer) seatIndex(v val, e *dsl.Expr) fn {
	n, f, span := uint64(c.g.seats), v.f, e.Span
	return func(m *Machine) int64 {
		i := f(m)
		if uint64(i) >= n {
			return fault(span, "there is no seat here")
		}
		return i
	}
}

// pieces lowers a set of pieces, or one piece, to a set.
func (c *lowerer) pieces(e *dsl.Expr) fn {
	v := c.expr(e)
	f := v.f
	switch e.Type.Kind {
	case dsl.KPiece:
		span := e.Span
		return func(m *Machine) int64 {
			i := f(m)
			if uint64(i) >= MaxPieces {
				return fault(span, "there is no piece here")
			}
			return 1 << uint(i)
		}
	case dsl.KList:
		return setOfList(f)
	}
	return f
}

func familyOf(e *dsl.Expr) *dsl.Family {
	t := e.Type
	for t.Elem != nil {
		t = *t.Elem
	}
	return t.Family
}

func (c *coder) move(s *dsl.Stmt) {
	z := s.Y.Ref.(*dsl.Zone)
	fam := c.g.families[z.Family]
	in := instr{op: opMove, a: int32(c.g.zoneSlot[z]), b: int32(fam.zoneLo), c: int32(fam.zoneHi), f: c.pieces(s.X), x: z, note: c.note(s)}
	if s.X.Type.Kind == dsl.KSet {
		in.v = c.expr(s.X)
	}
	if z.Each {
		in.op, in.g = opMoveSeat, c.seatIndex(c.expr(s.Y.Args[0]), s.Y.Args[0])
	}
	c.emit(in)
}

func (c *coder) branch(s *dsl.Stmt) (ends []int) {
	skip := c.jumpFalse(s.X)
	c.cover(PointIfTrue, s.Span)
	ends = c.script(s.Then)
	if s.Else == nil {
		c.coverElse(skip, PointIfFalse, s.Span)
		return ends
	}
	over := c.emit(instr{op: opJump})
	c.patch(skip)
	c.cover(PointIfFalse, s.Span)
	ends = append(ends, c.script(s.Else)...)
	c.patch(over)
	return ends
}

// jumpFalse writes a jump that is taken when a condition does not hold.
func (c *coder) jumpFalse(e *dsl.Expr) int {
	return c.emit(instr{op: opJumpFalse, test: c.cond(e), cond: e})
}

func (c *coder) loop(s *dsl.Stmt) (ends []int) {
	v := c.g.local(s.Local)
	t := s.X.Type
	var next opcode
	var at int
	switch {
	case s.X.Op == dsl.OpRange:
		at = c.g.slots.take(2)
		from, to := c.expr(s.X.Args[0]), c.expr(s.X.Args[1])
		in := instr{op: opForRange, a: int32(at), f: from.f, g: to.f}
		if (from.konst || from.slot >= 0) && (to.konst || to.slot >= 0) {
			in.b = 1 // the bounds cannot fault
		}
		c.emit(in)
		next = opNextRange
	case isWord(t):
		at = c.g.slots.take(1)
		c.emit(instr{op: opForSet, a: int32(at), f: c.expr(s.X).f})
		next = opNextSet
	default:
		room := c.g.room(t)
		at = c.g.slots.take(2 + room)
		c.emit(instr{op: opForList, a: int32(at), b: int32(room), f: c.expr(s.X).f, x: s.X})
		next = opNextList
	}
	top := c.emit(instr{op: next, a: int32(at), b: int32(v)})
	ends = c.script(s.Then)
	c.emit(instr{op: opJump, a: int32(top)})
	c.code[top].c = int32(c.here())
	return ends
}

// exit writes an exit and the jump to the end of its script.
func (c *coder) exit(s *dsl.Stmt) (ends []int) {
	in := instr{op: opExit, note: c.note(s)}
	c.cover(PointExit, s.Span)
	switch s.Op {
	case dsl.StmtStartGame:
		c.startGame(s)
		return nil
	case dsl.StmtGoto:
		if c.tail != nil && c.quiet {
			c.gotoPhase(s.Phase)
			return nil
		}
		in.a, in.b = exitGoto, int32(s.Phase.Index)
	case dsl.StmtAgain:
		in.a = exitAgain
	case dsl.StmtNextTurn:
		if c.tail != nil && c.quiet {
			c.emit(instr{op: opNextTurn})
			return nil
		}
		in.a = exitNextTurn
	case dsl.StmtTurnOf:
		in.a, in.f = exitTurnOf, c.seatIndex(c.expr(s.Seat), s.Seat)
	case dsl.StmtFinish:
		in.op = opFinish
		if s.X != nil {
			in.f = c.seatSet(s.X)
		}
	}
	c.emit(in)
	return []int{c.emit(instr{op: opJump})}
}

// seatSet lowers a seat, or a collection of seats, to a set.
func (c *lowerer) seatSet(e *dsl.Expr) fn {
	if e.Op == dsl.OpOthers {
		return func(m *Machine) int64 { return m.players() &^ (1 << uint(m.s[slotMe])) }
	}
	v := c.expr(e)
	f := v.f
	switch e.Type.Kind {
	case dsl.KSeat:
		return func(m *Machine) int64 {
			if i := f(m); uint64(i) < MaxSeats {
				return 1 << uint(i)
			}
			return 0
		}
	case dsl.KList:
		return setOfList(f)
	}
	return f
}

func (c *coder) gotoPhase(p *dsl.Phase) {
	at := c.emit(instr{op: opJump})
	c.gotos = append(c.gotos, fix{at, p.Index})
}

// maxInline bounds how far code grows by putting events where they are
// emitted; beyond it they are called.
const maxInline = 1 << 14

// call writes what emitting an event does: its parameters are slots, its
// condition is tested here, and its body stands here too unless the code has
// grown too long. (Events do not recurse.)
func (c *coder) call(ev *dsl.Event, args []*dsl.Expr) {
	for i, a := range args {
		slot := int32(c.g.local(ev.Params[i]))
		v := c.expr(a)
		if n := c.g.room(ev.Params[i].Type); n > 0 {
			c.emit(instr{op: opKeepList, a: slot, b: int32(n), f: v.f, x: a})
			continue
		}
		c.emit(instr{op: opSet, a: slot, f: v.f, v: v})
	}
	skip := -1
	if ev.When != nil {
		skip = c.jumpFalse(ev.When)
	}
	if c.here() < maxInline {
		event := c.event
		c.eventBody(ev)
		c.event = event
	} else {
		c.routine(ev)
	}
	if skip >= 0 {
		c.coverElse(skip, PointEventNot, ev.Span)
	}
}

// routine writes a call of an event's code.
func (c *coder) routine(ev *dsl.Event) {
	r := c.events[ev]
	if r == nil {
		r = &routine{entry: -1, ret: c.g.slots.take(1)}
		c.events[ev] = r
		c.g.order = append(c.g.order, ev)
	}
	set := c.emit(instr{op: opSet, a: int32(r.ret)})
	r.calls = append(r.calls, c.emit(instr{op: opJump}))
	back := konst(int64(c.here()))
	c.code[set].f, c.code[set].v = back.f, back
}
