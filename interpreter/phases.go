package interpreter

import (
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file writes the way through phases, actions, events, hooks and
// incidents, in the order that dsl/LANGUAGE.md gives under "Moments".

// ask is a decision point: the question of a phase, or the offer of a hook.
type ask struct {
	phase     *dsl.Phase
	actions   []*action
	otherwise int // code for a seat without an answer, or -1
	moment    *dsl.Info
	offer     *dsl.Hook // nil for a phase's own question
	mode      askMode
	sealed    *sealing // where answers are put that are given at once; or nil
	table     bool     // anybody at the table answers
	picking   int      // the one action that picks, by a table, where there is one; or -1
}

// assemble writes the code of the whole program.
func (g *Game) assemble() {
	c := &coder{lowerer: &lowerer{g: g, shared: true}, events: map[*dsl.Event]*routine{}}
	c.quiet = !finishesInside(g.prog)
	c.entry = make([]int, len(g.prog.Phases))
	g.incidentReturn = g.slots.take(1)
	for _, inc := range g.prog.Incidents {
		in := &incident{Incident: inc, number: len(g.incidents)}
		if inc.When != nil {
			in.when = c.expr(inc.When).f
		}
		if inc.Rate != nil {
			in.rate = c.expr(inc.Rate).f
		}
		g.incidents = append(g.incidents, in)
	}
	for _, sc := range g.prog.Scorers {
		g.scorers[sc] = g.newScorer(c.lowerer, sc)
	}
	for _, p := range g.prog.Phases {
		c.phaseCode(p)
	}
	for _, in := range g.incidents {
		c.incidentCode(in)
	}
	for _, sc := range g.prog.Scorers {
		c.comboCode(g.scorers[sc])
	}
	g.ending = c.here()
	c.rule = &dsl.Info{Name: "ending"}
	if g.prog.Ending != nil {
		c.block(g.prog.Ending)
	}
	c.emit(instr{op: opOver})
	for i := 0; i < len(g.order); i++ { // writing an event may meet others
		c.eventCode(g.order[i])
	}
	for _, f := range c.gotos {
		c.code[f.at].a = int32(c.entry[f.phase])
	}
	for _, r := range c.events {
		for _, at := range r.calls {
			c.code[at].a = int32(r.entry)
		}
	}
	for i := range c.code {
		if a, ok := c.code[i].x.(*ask); ok {
			a.settlePicking()
		}
	}
	g.code, g.entry = c.code, c.entry
	g.thread()
}

// finishesInside reports whether an event or a combo can end the game, so that
// a pending end must be looked for before every jump.
func finishesInside(p *dsl.Program) bool {
	for _, e := range p.Events {
		if finishes(e.Do) || hooksFinish(e.Before) || hooksFinish(e.After) {
			return true
		}
	}
	for _, s := range p.Scorers {
		for _, c := range s.Combos {
			if finishes(c.Then) || hooksFinish(c.Before) || hooksFinish(c.After) {
				return true
			}
		}
	}
	return false
}

func hooksFinish(hs []*dsl.Hook) bool {
	for _, h := range hs {
		if finishes(h.Do) {
			return true
		}
	}
	return false
}

func finishes(s *dsl.Script) bool {
	if s == nil {
		return false
	}
	for _, st := range s.Stmts {
		if st.Op == dsl.StmtFinish || finishes(st.Then) || finishes(st.Else) {
			return true
		}
	}
	return false
}

// phaseCode writes one phase.
func (c *coder) phaseCode(p *dsl.Phase) {
	c.phase, c.rule, c.owner = p, &p.Info, p.Owner
	c.entry[p.Index] = c.here()
	skip := -1
	if p.When != nil {
		skip = c.jumpFalse(p.When)
	}
	start := c.here()
	c.cover(PointPhase, p.Span)
	var off, after []int // jumps past the after-hooks, and to them
	off = append(off, c.before(p.Before, &p.Info)...)
	direct := len(p.After) == 0
	if direct {
		c.tail = &tail{}
	}
	after = append(after, c.script(p.Enter)...)
	c.tail = nil
	if len(p.Actions) > 0 {
		after = append(after, c.question(p, direct)...)
	}
	for _, at := range after {
		c.patch(at)
	}
	c.after(p.After, &p.Info)
	for _, at := range off {
		c.patch(at)
	}
	c.rule, c.owner = &p.Info, p.Owner
	if c.exits(start) {
		flow := c.emit(instr{op: opFlow})
		c.next(flow, p)
	} else {
		c.next(c.emit(instr{op: opJump}), p)
	}
	if skip >= 0 {
		c.patch(skip)
		c.next(c.emit(instr{op: opJump}), p)
	}
}

// exits reports whether code written since start can leave an exit pending.
func (c *coder) exits(start int) bool {
	for _, in := range c.code[start:] {
		if in.op == opExit || in.op == opFinish {
			return true
		}
	}
	return !c.quiet
}

// next makes a jump lead to the phase after p. The checker has seen to it that
// there is one.
func (c *coder) next(at int, p *dsl.Phase) {
	if p.Index+1 < len(c.entry) {
		c.gotos = append(c.gotos, fix{at, p.Index + 1})
		return
	}
	to := c.emit(instr{op: opFault, x: &Fault{Message: "the rules run on past the last phase", Span: p.Span}})
	c.code[at].a = int32(to)
}

// question writes who is asked, the decision, and what follows an answer. It
// returns the jumps to the phase's after-hooks.
func (c *coder) question(p *dsl.Phase, direct bool) (after []int) {
	list, single := -1, p.Who == nil || p.Who.Mode == dsl.WhoTable
	pass := -1 // jump taken when nobody is there to be asked
	var nextWho int
	switch {
	case single:
	case p.Who.Mode == dsl.WhoSeat:
		list = c.g.slots.take(2)
		c.emit(instr{op: opWho, a: int32(list), f: c.seatSet(p.Who.List)})
	default:
		list = c.g.slots.take(2 + listRoom)
		in := instr{op: opWho, a: int32(list), f: c.expr(p.Who.List).f, b: 1, x: p.Who.List}
		in.v, in.g = c.roundFrom(p.Who.List)
		c.emit(in)
	}
	if !single {
		nextWho = c.emit(instr{op: opNextWho, a: int32(list), b: bit32(p.Who.Mode != dsl.WhoSeat)})
		pass = nextWho
	}
	a := &ask{phase: p, otherwise: -1, moment: &p.Info, table: p.Who != nil && p.Who.Mode == dsl.WhoTable}
	ghost := -1
	if !single && c.g.ghosts > 0 {
		ghost = c.emit(instr{op: opJumpGhost, a: int32(nextWho)})
	}
	at := c.emit(instr{op: opAsk, x: a})
	answered := func(start int) {
		switch {
		case c.exits(start):
		case !single:
			c.emit(instr{op: opJump, a: int32(nextWho)})
			return
		case p.Then == nil:
			after = append(after, c.emit(instr{op: opJump}))
			return
		}
		after = append(after, c.emit(instr{op: opJumpAnswered, b: int32(at)}))
		if single {
			after = append(after, c.emit(instr{op: opJump}))
		} else {
			c.emit(instr{op: opJump, a: int32(nextWho)})
		}
	}
	if single && p.Then != nil {
		return c.questionThen(p, a, at)
	}
	if !single && p.Who.Mode == dsl.WhoOnce {
		c.seal(a, list, nextWho)
	}
	for _, act := range p.Actions {
		start := c.here()
		a.actions = append(a.actions, c.actionCode(act, a, direct && single && len(act.After) == 0))
		answered(start)
	}
	if a.sealed != nil {
		a.sealed.end = c.here()
	}
	if p.Otherwise != nil {
		a.otherwise = c.here()
		c.rule, c.owner = &p.Info, p.Owner
		c.block(p.Otherwise)
		answered(a.otherwise)
	}
	if ghost >= 0 && p.Nobody != nil {
		start := c.here()
		c.patch(ghost)
		c.rule, c.owner = &p.Info, p.Owner
		c.block(p.Nobody)
		answered(start)
	}
	if a.sealed != nil {
		c.code[pass].c = int32(c.here())
		pass = c.unseal(a)
	}
	if pass >= 0 {
		c.code[pass].c = int32(c.here())
		c.emit(instr{op: opRestore})
		c.rule, c.owner = &p.Info, p.Owner
		after = append(after, c.script(p.Then)...)
	}
	return after
}

// questionThen is question for one seat and a `then`.
func (c *coder) questionThen(p *dsl.Phase, a *ask, at int) (after []int) {
	var then []int
	answered := func() {
		after = append(after, c.emit(instr{op: opJumpAnswered, b: int32(at)}))
		then = append(then, c.emit(instr{op: opJump}))
	}
	for _, act := range p.Actions {
		a.actions = append(a.actions, c.actionCode(act, a, false))
		answered()
	}
	if p.Otherwise != nil {
		a.otherwise = c.here()
		c.rule, c.owner = &p.Info, p.Owner
		c.block(p.Otherwise)
		answered()
	}
	for _, j := range then {
		c.patch(j)
	}
	c.rule, c.owner = &p.Info, p.Owner
	return append(after, c.script(p.Then)...)
}

func bit32(b bool) int32 { return int32(bit(b)) }

// actionCode writes what an answer does, with its hooks.
func (c *coder) actionCode(act *dsl.Action, a *ask, direct bool) *action {
	c.rule, c.owner = &act.Info, act.Variant
	ra := c.newAction(act)
	for i := range act.Picks {
		ra.typed = ra.typed || a.table && act.Picks[i].Each != nil
	}
	ra.entry = c.here()
	c.coverAction(ra, a.sealed != nil)
	off := c.before(act.Before, &act.Info)
	c.rule, c.owner = &act.Info, act.Variant
	if direct {
		c.tail = &tail{}
	}
	c.block(act.Do)
	c.tail = nil
	c.after(act.After, &act.Info)
	for _, at := range off {
		c.patch(at)
	}
	return ra
}

// before writes before-hooks and returns the jumps of those that call the
// moment off.
func (c *coder) before(hooks []*dsl.Hook, moment *dsl.Info) (off []int) {
	for _, h := range hooks {
		c.hook(h, moment)
		if h.CanExit {
			off = append(off, c.emit(instr{op: opJumpExit}))
		}
	}
	return off
}

func (c *coder) after(hooks []*dsl.Hook, moment *dsl.Info) {
	for _, h := range hooks {
		c.hook(h, moment)
	}
}

// hook writes one hook: its script, or the decision that it offers.
func (c *coder) hook(h *dsl.Hook, moment *dsl.Info) {
	c.rule, c.owner = moment, h.Variant
	skip := -1
	if h.When != nil {
		skip = c.jumpFalse(h.When)
	}
	c.cover(PointHook, h.Span)
	if h.Offer != nil {
		c.offer(h, moment)
	} else {
		c.block(h.Do)
	}
	if skip >= 0 {
		c.patch(skip)
	}
}

func (c *coder) offer(h *dsl.Hook, moment *dsl.Info) {
	var done []int
	if h.Who != nil {
		list := c.g.slots.take(2)
		c.emit(instr{op: opWho, a: int32(list), f: c.seatSet(h.Who)})
		done = append(done, c.emit(instr{op: opNextWho, a: int32(list)}))
	}
	a := &ask{phase: c.phase, otherwise: -1, moment: moment, offer: h}
	c.emit(instr{op: opAsk, x: a})
	for _, act := range h.Offer {
		a.actions = append(a.actions, c.actionCode(act, a, false))
		done = append(done, c.emit(instr{op: opJump}))
	}
	for _, at := range done {
		if c.code[at].op == opNextWho {
			c.code[at].c = int32(c.here())
		} else {
			c.patch(at)
		}
	}
	if h.Who != nil {
		c.emit(instr{op: opRestore})
	}
}

// eventCode writes an event as a routine. Its condition is tested by callers.
func (c *coder) eventCode(e *dsl.Event) {
	r := c.events[e]
	r.entry = c.here()
	c.eventBody(e)
	c.emit(instr{op: opReturn, a: int32(r.ret)})
}

// eventBody writes what an event does and tells.
func (c *coder) eventBody(e *dsl.Event) {
	rule, owner, phase, tail := c.rule, c.owner, c.phase, c.tail
	c.rule, c.owner, c.phase, c.tail = &e.Info, e.Owner, nil, nil
	c.cover(PointEvent, e.Span)
	c.emit(instr{op: opTell, x: &telling{kind: RecEvent, event: e, number: slices.Index(c.g.prog.Events, e), rule: &e.Info, owner: e.Owner}})
	off := c.finishing(e.Before, &e.Info)
	c.rule, c.owner = &e.Info, e.Owner
	c.event = e
	c.block(e.Do)
	c.texts(e)
	c.event = nil
	c.after(e.After, &e.Info)
	for _, at := range off {
		c.patch(at)
	}
	c.rule, c.owner, c.phase, c.tail = rule, owner, phase, tail
}

// finishing is before for events and combos, whose hooks have one exit only.
func (c *coder) finishing(hooks []*dsl.Hook, moment *dsl.Info) (off []int) {
	for _, h := range hooks {
		c.hook(h, moment)
		if h.CanExit {
			off = append(off, c.emit(instr{op: opJumpFinish}))
		}
	}
	return off
}

// incidentCode writes what an incident does: its script, and the way on.
func (c *coder) incidentCode(in *incident) {
	in.entry = c.here()
	c.rule, c.owner, c.phase = &in.Info, in.Variant, nil
	c.cover(PointIncident, in.Span)
	c.block(in.Do)
	to := c.emit(instr{op: opFlow, b: 1})
	c.code[to].a = int32(c.emit(instr{op: opFault, x: &Fault{Message: "this incident leads nowhere", Span: in.Span}}))
}

// flow carries out the pending exit and returns where the program goes on.
func (m *Machine) flow(in *instr) int64 {
	s, g := m.s, m.g
	kind, arg := s[slotExit], s[slotExitArg]
	s[slotExit] = exitNone
	s[slotMe] = s[slotActive]
	switch kind {
	case exitGoto:
		return int64(g.entry[arg])
	case exitNextTurn:
		return m.nextTurn()
	case exitTurnOf:
		return m.startTurn(arg)
	case exitFinish:
		return m.finish()
	case exitAgain:
		if in.b == 1 {
			return s[g.incidentReturn]
		}
	}
	return int64(in.a)
}

// nextTurn gives the turn to the next seat that is in and not skipped.
func (m *Machine) nextTurn() int64 {
	s, g := m.s, m.g
	n := int64(g.people)
	at := s[slotActive]
	s[slotMe] = at
	step := int64(1)
	if g.right != nil && g.right(m) != 0 {
		step = n - 1
	}
	for range n {
		at += step
		if at >= n {
			at -= n
		}
		if m.passed(at) {
			continue
		}
		return m.startTurn(at)
	}
	return m.finish()
}

// passed reports whether a seat gets no turn.
func (m *Machine) passed(seat int64) bool {
	if m.isOut(seat) {
		return true
	}
	if m.g.skip == nil {
		return false
	}
	return m.as(seat, m.g.skip) != 0
}

func (m *Machine) isOut(seat int64) bool {
	return m.g.outSlot >= 0 && m.s[m.g.outSlot+int(seat)] != 0
}

// as computes a formula with a seat as me.
func (m *Machine) as(seat int64, f fn) int64 {
	me := m.s[slotMe]
	m.s[slotMe] = seat
	v := f(m)
	m.s[slotMe] = me
	return v
}

func (m *Machine) startTurn(seat int64) int64 {
	m.s[slotActive], m.s[slotMe] = seat, seat
	m.g.turnReset.run(m)
	if m.tally != nil {
		m.lead()
	}
	if m.rec != nil {
		m.rec.Record(m, &Record{Kind: RecTurn, Seat: int(seat)})
	}
	return int64(m.g.entry[m.g.begin])
}

func (m *Machine) finish() int64 {
	if m.rec != nil {
		m.rec.Record(m, &Record{Kind: RecFinish})
	}
	return int64(m.g.ending)
}

// roundFrom recognises a list that is a fixed set of seats, from one seat on, by
// whatever names it is called: the set and the seat. The seat is nil for any
// other list.
func (c *coder) roundFrom(e *dsl.Expr) (set val, from fn) {
	switch e.Op {
	case dsl.OpAround:
		if set = c.expr(e.Args[0]); isWord(e.Args[0].Type) && set.konst {
			return set, c.expr(e.Args[1]).f
		}
	case dsl.OpCall:
		if d := e.Ref.(*dsl.Define); len(d.Params) == 0 {
			return c.roundFrom(d.Body)
		}
	case dsl.OpTable:
		t := e.Ref.(*dsl.Table)
		if len(t.Params) > 0 || c.g.cover != nil { // its rows are counted as they decide
			return val{}, nil
		}
		for _, r := range t.Rows {
			if _, sure, never := c.row(t, r); sure {
				return c.roundFrom(r.Gives)
			} else if !never {
				break
			}
		}
	}
	return val{}, nil
}

// who takes the list of the seats to be asked: once, at the beginning. It lies
// as a length, the seats, and a cursor; a single seat lies as a set.
func (m *Machine) who(in *instr) {
	s := m.s
	if in.g != nil {
		from, n := in.g(m), int64(0)
		s[int(in.a)+1+listRoom] = 0
		for _, part := range [2]uint64{uint64(in.v.c) >> uint(from) << uint(from), uint64(in.v.c) & (1<<uint(from) - 1)} {
			for ; part != 0; part &= part - 1 {
				n++
				s[int64(in.a)+n] = int64(bits.TrailingZeros64(part))
			}
		}
		s[in.a] = n
		return
	}
	if in.b == 0 {
		s[in.a] = in.f(m)
		return
	}
	e := in.x.(*dsl.Expr)
	if e.Type.Kind == dsl.KSet {
		it := iter{set: uint64(in.f(m))}
		n := int64(0)
		for v, ok := it.next(); ok; v, ok = it.next() {
			n++
			s[int64(in.a)+n] = v
		}
		s[in.a] = n
	} else {
		m.keep(int(in.a), in.f(m), listRoom, e)
		m.arena = m.arena[:0]
	}
	s[int(in.a)+1+listRoom] = 0
}

// nextWho makes the next seat of the list me; seats out are passed over.
func (m *Machine) nextWho(in *instr, next int64) int64 {
	s := m.s
	if in.b == 0 {
		it := iter{set: uint64(s[in.a])}
		v, ok := it.next()
		s[in.a] = 0
		if !ok || m.isOut(v) {
			return int64(in.c)
		}
		s[slotMe] = v
		return next
	}
	cursor := int(in.a) + 1 + listRoom
	for s[cursor] < s[in.a] {
		v := s[int64(in.a)+1+s[cursor]]
		s[cursor]++
		if v != dsl.None && !m.isOut(v) {
			s[slotMe] = v
			return next
		}
	}
	return int64(in.c)
}

// noAnswer handles a decision without a legal option.
func (m *Machine) noAnswer(in *instr, a *ask) int {
	if a.sealed != nil && a.otherwise >= 0 {
		a.sealed.put(m, in, nil)
	}
	if a.otherwise >= 0 {
		return a.otherwise
	}
	f := &Fault{Message: "nothing is allowed here: " + m.blocked(a), Span: a.moment.Span}
	panic(f)
}
