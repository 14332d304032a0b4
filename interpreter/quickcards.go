package interpreter

// This file makes the steps of quick runs that have to do with pieces without
// faces, and with seats that are asked one after the other.

// chosen is a decision with one action whose options can be counted without a
// list: nothing is noted of them but what is chosen.
func (q *quickener) chosen(in *instr, a *ask, at, left int) step {
	act := a.actions[0]
	ch, z := act.choice, a.sealed
	entry := q.at(q.past(int32(act.entry)), left-1, 0)
	if z != nil {
		entry = func(m *Machine, s []int64) int {
			z.put(m, in, act)
			return int(s[slotPC])
		}
	}
	return func(m *Machine, s []int64) int {
		if !m.drawing() {
			return m.stopAt(in, a, at)
		}
		var of set128
		m.beginAsking()
		n := ch.count(m, &of)
		m.asking = 0
		if n == 0 {
			s[slotPC] = int64(at)
			return m.noAnswer(in, a)
		}
		ch.load(m, of, m.drawOption(n))
		return entry(m, s)
	}
}

// isChosen reports whether chosen serves a decision.
func (a *ask) isChosen() bool {
	return !a.table && len(a.actions) == 1 && a.actions[0].choice != nil && a.actions[0].when == nil && len(a.actions[0].before) == 0
}

// quick is a move statement.
func (mv *cardMove) quick(in *instr, at int, next step) step {
	if mv.one == nil || mv.onTop || mv.shuffle || mv.at != nil {
		return func(m *Machine, s []int64) int {
			s[slotPC] = int64(at)
			mv.run(m, in)
			return next(m, s)
		}
	}
	c, to, zone, one, n := mv.c, mv.to.f, int(mv.to.c), mv.one, uint64(mv.c.fam.count)
	writes, elsewhere := mv.writes, !mv.to.konst
	return func(m *Machine, s []int64) int {
		s[slotPC] = int64(at)
		zone := zone
		if elsewhere {
			zone = int(to(m))
		}
		p := one(m)
		if uint64(p) >= n {
			mv.piece(m) // which says what is wrong
		}
		for i := range writes {
			writes[i].run(m, int(p))
		}
		c.goTo(m, int(p), zone)
		return next(m, s)
	}
}

// nextWho is the next seat that is asked.
func (q *quickener) nextWho(in *instr, left int) step {
	next, done := q.at(q.past(in.next), left-1, 0), q.at(q.past(in.c), left-1, 0)
	if in.b == 0 {
		return func(m *Machine, s []int64) int {
			if m.nextWho(in, 1) == 1 {
				return next(m, s)
			}
			return done(m, s)
		}
	}
	list, out, cursor := int(in.a), q.g.outSlot, int(in.a)+1+listRoom
	return func(m *Machine, s []int64) int {
		for s[cursor] < s[list] {
			v := s[list+1+int(s[cursor])]
			s[cursor]++
			if v >= 0 && (out < 0 || s[out+int(v)] == 0) {
				s[slotMe] = v
				return next(m, s)
			}
		}
		return done(m, s)
	}
}

// quick deals from a zone in which nobody looks at the order: the usual deal.
func (d *cardDeal) quick(in *instr, at int, next step) step {
	c := d.c
	plain := d.from != nil && len(d.writes) == 0
	for i := range c.zones {
		if z := &c.zones[i]; z.decl == d.decl && z.list > 0 {
			plain = false
		}
	}
	return func(m *Machine, s []int64) int {
		if drawn, _ := d.drawn(m); !plain || !drawn {
			s[slotPC] = int64(at)
			d.next(m, in)
			return next(m, s)
		}
		from := int(s[d.at+dealSource])
		if c.zones[from].list > 0 {
			s[slotPC] = int64(at)
			d.next(m, in)
			return next(m, s)
		}
		left := c.set(m, from)
		n, seats, all := left.len(), s[d.at+dealSeats], s[d.at+dealtInAll]
		k, seat := s[d.at+dealtSoFar], int64(0) // people may have dealt some by hand
		if k > 0 {
			seat = k % seats
		}
		for ; k < all; k++ {
			p := left.nth(int(m.below(uint64(n))))
			n--
			left = left.andNot(single(p))
			to := d.zone + int(s[d.at+dealSeats+1+int(seat)])
			if seat++; seat == seats {
				seat = 0
			}
			s[c.where+p] = int64(to)
			s[c.words+2*to+p>>6] |= 1 << uint(p&63)
		}
		c.putSet(m, from, left)
		m.spent += int(all)
		return next(m, s)
	}
}
