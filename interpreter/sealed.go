package interpreter

import "github.com/houserules/houserules/dsl"

// When all answer at once, each answer is put aside as it comes: which action
// it is, and what it picks. When the last is in they are carried out, in the
// order of the list. So nobody's answer can be seen in the state before all
// have answered.

// sealing is where the answers of one phase lie.
type sealing struct {
	a    *ask
	who  int // slot of the list of those asked; its cursor is behind its room
	at   int // slots: one block for each of those asked, an action and what it picks
	size int // of a block
	most int // blocks
	turn int // slot: which answer is carried out
	ask  int // where the program goes on after an answer
	end  int // where the code of the actions ends
}

// seal makes answers be put aside.
func (c *coder) seal(a *ask, list, nextWho int) {
	a.sealed = &sealing{a: a, who: list, most: c.g.seats, turn: c.g.slots.take(1), ask: nextWho}
}

// unseal writes what carries the answers out, and returns the instruction that
// leaves when all are.
func (c *coder) unseal(a *ask) int {
	z := a.sealed
	c.emit(instr{op: opSet, a: int32(z.turn), f: konst(0).f, v: konst(0)})
	at := c.emit(instr{op: opSealed, x: z})
	for _, j := range z.answers(c) {
		c.code[j].a = int32(at)
	}
	for _, act := range a.actions {
		n := 0
		for i := range act.picks {
			n += act.picks[i].size()
		}
		z.size = max(z.size, 1+n)
	}
	z.size = max(z.size, 1)
	z.at = c.g.slots.take(z.size * z.most)
	return at
}

// answers finds the jumps behind the actions, which lead on to the next
// answer. Behind what is done otherwise, or by nobody, the next seat is asked.
func (z *sealing) answers(c *coder) (jumps []int) {
	for at := z.ask + 1; at < z.end; at++ {
		if in := &c.code[at]; in.op == opJump && int(in.a) == z.ask {
			jumps = append(jumps, at)
		}
	}
	return jumps
}

// size is how many slots a pick takes.
func (p *pick) size() int {
	if p.room > 0 {
		return 2 + p.room
	}
	return 1
}

// block returns the slots of the answer of the seat that was asked last.
func (z *sealing) block(m *Machine, in *instr) []int64 {
	i := int(m.s[z.who+1+listRoom]) - 1
	if i >= z.most {
		fault(in.place(m.g), "more are asked at once than sit here")
	}
	return m.s[z.at+i*z.size : z.at+(i+1)*z.size]
}

// put puts an answer aside: the picks of the action lie in their slots.
func (z *sealing) put(m *Machine, in *instr, act *action) {
	z.keep(m, z.block(m, in), act)
	m.s[slotPC] = int64(z.ask)
}

// keep writes an answer into its block; nil is none.
func (z *sealing) keep(m *Machine, b []int64, act *action) {
	b[0] = -1
	if act == nil {
		return
	}
	for i, other := range z.a.actions {
		if other == act {
			b[0] = int64(i)
		}
	}
	at := 1
	for i := range act.picks {
		at += act.picks[i].save(m, b[at:])
	}
}

// save copies what was picked; it returns how many slots it took.
func (p *pick) save(m *Machine, to []int64) int {
	n := p.size()
	to[0] = m.s[p.slot]
	if n > 1 {
		copy(to[1:n], m.s[p.listAt:p.listAt+n-1])
	}
	return n
}

// restore puts back what save has copied.
func (p *pick) restore(m *Machine, from []int64) int {
	n := p.size()
	m.s[p.slot] = from[0]
	if n > 1 {
		copy(m.s[p.listAt:p.listAt+n-1], from[1:n])
	}
	return n
}

// next carries out the next answer, or leaves.
func (z *sealing) next(m *Machine, in *instr) int64 {
	s := m.s
	for {
		i := int(s[z.turn])
		if i >= int(s[z.who]) {
			return int64(in.c)
		}
		s[z.turn]++
		seat := s[z.who+1+i]
		b := s[z.at+i*z.size : z.at+(i+1)*z.size]
		if seat == dsl.None || seat >= int64(m.g.people) || m.isOut(seat) || b[0] < 0 {
			continue
		}
		act := z.a.actions[b[0]]
		s[slotMe] = seat
		at := 1
		for k := range act.picks {
			at += act.picks[k].restore(m, b[at:])
		}
		if m.rec != nil {
			m.rec.Record(m, &Record{Kind: RecAction, Seat: int(seat), Of: -1, Rule: &act.Info, Variant: act.Variant, Text: m.label(act), Public: m.publicLabel(act)})
		}
		return int64(act.entry)
	}
}

// redraw answers anew, at random, for those who have answered already, but for
// one seat.
func (z *sealing) redraw(m *Machine, but int, r *Rand) {
	s := m.s
	me, answered := s[slotMe], int(s[z.who+1+listRoom])-1 // the last one is being asked
	for i := 0; i < min(answered, z.most); i++ {
		seat := s[z.who+1+i]
		b := s[z.at+i*z.size : z.at+(i+1)*z.size]
		if seat == int64(but) || seat < 0 || seat >= int64(m.g.people) || m.isOut(seat) || b[0] < 0 {
			continue
		}
		s[slotMe] = seat
		n := 0
		if err := m.quietly(func() { n = m.count(z.a) }); err != nil || n == 0 {
			continue
		}
		z.keep(m, b, m.load(z.a, int(r.Below(uint64(n)))))
	}
	s[slotMe] = me
	m.opts.valid = false
}
