package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// A throw draws all its dice at once: one number below sides^dice, whose
// digits are the sides in the order of the pieces. So a seed gives the same
// dice whatever the rules read of them.

// throw is a throw statement.
type throw struct {
	fam       *family
	zone      fn  // the set of the pieces thrown
	slot      int // where it lies, -1 for a zone of a seat
	zoneDecl  *dsl.Zone
	incidents []*incident // outcomes that this throw may have instead
	rated     bool        // one of them has a rate
}

// incident is an incident's code.
type incident struct {
	*dsl.Incident
	when, rate fn
	entry      int
	number     int // in the order of the program
}

func (c *coder) throw(s *dsl.Stmt) {
	z := s.X.Ref.(*dsl.Zone)
	zone := c.expr(s.X)
	t := &throw{fam: c.g.families[z.Family], zone: zone.f, slot: zone.slot, zoneDecl: z}
	for _, inc := range c.g.incidents {
		for _, p := range inc.Spoils {
			if p == c.phase {
				t.incidents = append(t.incidents, inc)
				t.rated = t.rated || inc.rate != nil
			}
		}
	}
	c.emit(instr{op: opThrow, x: t, note: c.note(s)})
}

// throwDice draws and lays down the faces. More dice than one draw can hold
// are drawn in several.
func (m *Machine) throwDice(in *instr, t *throw) {
	set := uint64(t.zone(m))
	if cl := t.fam.small; cl != nil {
		if cl.dense != nil {
			m.throwDense(cl, set)
		} else {
			m.throwSmall(cl, set)
		}
	} else {
		m.faces++
		for left := set; left != 0; {
			left = m.throwSome(t.fam, left)
		}
	}
	if m.rec != nil {
		m.thrown(in, t, int64(set))
	}
}

// throwSome draws for as many pieces of a set as one draw can hold, and
// returns the others. The number below sides^k is never made: its digits, the
// highest first, come off the random bits one by one, and what is left at the
// end says whether the draw must be rejected (as in below).
func (m *Machine) throwSome(fam *family, set uint64) uint64 {
	m.land()
	sides := fam.sides
	n := uint64(len(sides))
	faces := m.s[fam.faceSlot : fam.faceSlot+fam.count]
	k := bits.OnesCount64(set)
	if k >= len(fam.powers) {
		k = len(fam.powers) - 1
	}
	for {
		x := m.bits()
		u := set
		var d uint64
		for range k {
			d, x = bits.Mul64(x, n)
			faces[bits.TrailingZeros64(u)] = sides[d]
			u &= u - 1
		}
		if p := fam.powers[k]; x >= p || x >= -p%p {
			return u
		}
	}
}

// throwSmall is throwSome for a small family, and keeps its class word up to
// date on the way.
func (m *Machine) throwSmall(cl *classes, set uint64) {
	fam := cl.fam
	sides := fam.sides
	n := uint64(len(sides))
	faces := m.s[fam.faceSlot : fam.faceSlot+fam.count]
	classOf, span := cl.sideClass, len(sides)
	rest := cl.word(m) &^ (set & 0xff * bytes8)
	for {
		x := m.bits()
		word := rest
		k := 0
		var d uint64
		for u := set; u != 0; u &= u - 1 {
			p := bits.TrailingZeros64(u)
			d, x = bits.Mul64(x, n)
			faces[p] = sides[d]
			word |= 1 << ((classOf[p*span+int(d)] + uint8(p)) & 63)
			k++
		}
		if p := fam.powers[k]; x >= p || x >= -p%p {
			m.faces++
			memo := &m.memo[cl.index]
			memo.word, memo.known = word, m.faces
			return
		}
	}
}

// lay gives the pieces of a set the sides that are the digits of r, the
// highest digit first.
func (m *Machine) lay(fam *family, set, r uint64) {
	k := bits.OnesCount64(set)
	if cl := fam.small; cl != nil && cl.dense != nil {
		m.layDense(cl, set, cl.dense.halves[k].thrown(r))
		return
	}
	m.land()
	m.faces++
	for u := set; u != 0; u &= u - 1 {
		k--
		d := r / fam.powers[k]
		r -= d * fam.powers[k]
		m.s[fam.faceSlot+bits.TrailingZeros64(u)] = fam.sides[d]
	}
}

// askThrow handles a throw whose outcome may come from outside, or that may go
// wrong. It reports whether the machine must wait; if not, the program counter
// has moved on.
func (m *Machine) askThrow(in *instr, t *throw) (wait bool) {
	if m.AskChance {
		return true
	}
	for _, inc := range t.incidents {
		if inc.rate == nil || !m.possible(inc) {
			continue
		}
		rate := inc.rate(m)
		if rate <= 0 {
			continue
		}
		m.s[slotIncidents]++
		z := mix64(m.inc + uint64(m.s[slotIncidents])*gamma)
		if hi, _ := bits.Mul64(z, 1000); int64(hi) < rate {
			m.happen(inc)
			return false
		}
	}
	m.throwDice(in, t)
	m.s[slotPC] = int64(in.next)
	return false
}

func (m *Machine) possible(inc *incident) bool { return inc.when == nil || inc.when(m) != 0 }

// happen drops the running phase and enters the incident's script. The
// program counter still stands at the throw, which the script may repeat.
func (m *Machine) happen(inc *incident) {
	if m.rec != nil {
		m.rec.Record(m, &Record{Kind: RecIncident, Rule: &inc.Info, Variant: inc.Variant})
	}
	if m.tally != nil {
		m.tally.Events[len(m.g.prog.Events)+inc.number]++
	}
	m.s[slotExit] = exitNone
	m.s[m.g.incidentReturn] = m.s[slotPC]
	m.s[slotPC] = int64(inc.entry)
}

// applyThrow lays down outcome r of the throw that is asked for.
func (m *Machine) applyThrow(in *instr, r uint64) {
	t := in.x.(*throw)
	set := uint64(t.zone(m))
	m.lay(t.fam, set, r)
	if m.rec != nil {
		m.thrown(in, t, int64(set))
	}
	m.s[slotPC] = int64(in.next)
}

// drawing is a roll statement, a number of a range into a place, or the draw of
// an element.
type drawing struct {
	lo, hi fn                        // roll
	over   func(m *Machine) iter     // random
	maybe  bool                      // an empty collection gives none
	store  func(m *Machine) (at int) // slot that gets the value
	expr   *dsl.Expr
	elem   *dsl.Type // random: of what is drawn
	hidden bool      // it is a piece that not everybody sees
}

func (c *coder) roll(s *dsl.Stmt) {
	d := &drawing{lo: c.expr(s.X.Args[0]).f, hi: c.expr(s.X.Args[1]).f, store: c.target(s.Place), expr: s.X}
	c.emit(instr{op: opRoll, x: d, note: c.note(s)})
}

func (c *coder) random(s *dsl.Stmt) {
	o := origins{from: map[*dsl.Local]bool{}, calls: map[called]bool{}}
	d := &drawing{over: c.over(s.X), expr: s.X, elem: s.X.Type.Elem, hidden: ofPieces(s.X.Type) && o.hidden(s.X)}
	if s.Local != nil {
		at := c.g.local(s.Local)
		d.store, d.maybe = func(*Machine) int { return at }, s.Local.Type.Maybe
	} else {
		d.store, d.maybe = c.target(s.Place), s.Place.Var.Type.Maybe
	}
	c.emit(instr{op: opRandom, x: d, note: c.note(s)})
}

// target lowers a place to the slot that it is.
func (c *coder) target(p *dsl.Place) func(m *Machine) int {
	base := c.g.varSlot[p.Var]
	if p.Seat == nil {
		return func(*Machine) int { return base }
	}
	seat := c.seatIndex(c.expr(p.Seat), p.Seat)
	return func(m *Machine) int { return base + int(seat(m)) }
}

// outcomes returns how many outcomes a draw has; for a random element it leaves
// the elements in the arena.
func (m *Machine) outcomes(d *drawing) int {
	if d.over == nil {
		lo, hi := d.lo(m), d.hi(m)
		if hi < lo || uint64(hi-lo) >= 1<<40 {
			fault(d.expr.Span, "there is no number to roll in %d..%d", lo, hi)
		}
		return int(hi-lo) + 1
	}
	it, n := d.over(m), 0
	m.arena = m.arena[:0]
	for {
		v, ok := it.next()
		if !ok {
			break
		}
		m.push(v)
		n++
	}
	if n == 0 && !d.maybe {
		fault(d.expr.Span, "there is nothing to draw from")
	}
	return max(n, 1)
}

func (m *Machine) draw(in *instr) {
	d := in.x.(*drawing)
	n := m.outcomes(d)
	m.settle(in, d, m.below(uint64(n)))
}

func (m *Machine) applyDraw(in *instr, i uint64) {
	d := in.x.(*drawing)
	m.outcomes(d)
	m.settle(in, d, i)
	m.s[slotPC] = int64(in.next)
}

func (m *Machine) settle(in *instr, d *drawing, i uint64) {
	v := int64(dsl.None)
	switch {
	case d.over == nil:
		v = d.lo(m) + int64(i)
	case int(i) < len(m.arena):
		v = m.arena[i]
	}
	m.arena = m.arena[:0]
	at := d.store(m)
	if m.rec != nil {
		m.rolled(in, at, v)
	}
	m.s[at] = v
}

// setFaces lays faces on pieces, in their order.
func (m *Machine) setFaces(fam *family, set uint64, faces []int64) {
	m.land()
	m.faces++
	i := 0
	for u := set; u != 0; u &= u - 1 {
		m.s[fam.faceSlot+bits.TrailingZeros64(u)] = faces[i]
		i++
	}
}
