package interpreter

import (
	"fmt"
	"strconv"

	"github.com/houserules/houserules/dsl"
)

// In a zone with places each piece keeps the place where it was put; places
// that pieces have left stay free until others are put there.

// reservePlaces reserves the slots of a zone with places.
func (g *Game) reservePlaces(c *cards, z *cardZone) error {
	n, err := g.constant(z.decl.Places)
	if err != nil {
		return err
	}
	if n < 1 || n > MaxCards {
		return &Fault{Message: fmt.Sprintf("`%s` has %d places; there may be 1 to %d", z.decl.Name, n, MaxCards), Span: z.decl.Places.Span}
	}
	z.places, z.spots = int(n), g.slots.take(int(n))
	if c.place == 0 {
		c.place = g.slots.take(c.fam.count)
	}
	return nil
}

// free returns the k-th free place of a zone, from 0, as a number from 1. It
// faults if there is none.
func (c *cards) free(m *Machine, zone, k int) int {
	z := &c.zones[zone]
	for i, p := range m.s[z.spots : z.spots+z.places] {
		if p >= 0 {
			continue
		}
		if k == 0 {
			return i + 1
		}
		k--
	}
	panic(&Fault{Message: fmt.Sprintf("no place of `%s` is free", z.decl.Label())})
}

// putAt notes that a piece that has come to a zone lies at one of its places.
func (c *cards) putAt(m *Machine, piece, zone, place int) {
	m.s[c.zones[zone].spots+place-1] = int64(piece)
	m.s[c.place+piece] = int64(place)
}

// goToPlace puts a piece at a place of a zone, which must be free.
func (c *cards) goToPlace(m *Machine, piece, zone int, place int64, e *dsl.Expr) {
	z := &c.zones[zone]
	switch {
	case place < 1 || place > int64(z.places):
		fault(e.Span, "there is no place %d: there are %d", place, z.places)
	case m.s[z.spots+int(place)-1] >= 0 && m.s[z.spots+int(place)-1] != int64(piece):
		fault(e.Span, "place %d is not free", place)
	}
	c.leave(m, piece)
	m.s[c.where+piece] = int64(zone)
	c.putSet(m, zone, c.set(m, zone).or(single(piece)))
	c.putAt(m, piece, zone, int(place))
}

// scatter puts pieces at free places of a zone, each way equally likely.
func (c *cards) scatter(m *Machine, pieces []int64, zone int) {
	for _, p := range pieces { // so that their own places are free too
		c.leave(m, int(p))
	}
	z := &c.zones[zone]
	free := z.places - c.set(m, zone).len()
	for _, p := range pieces {
		if free == 0 {
			c.free(m, zone, 0) // which says what is wrong
		}
		place := c.free(m, zone, int(m.below(uint64(free))))
		free--
		m.s[c.where+int(p)] = int64(zone)
		c.putSet(m, zone, c.set(m, zone).or(single(int(p))))
		c.putAt(m, int(p), zone, place)
	}
}

// spot lowers what lies at a place of a zone.
func (lo *lowerer) spot(e *dsl.Expr) val {
	z := e.Ref.(*dsl.Zone)
	c := lo.g.families[z.Family].cards
	of := &dsl.Expr{Op: dsl.OpZone, Ref: z, Args: e.Args[:len(e.Args)-1], Span: e.Span}
	zone, place, span := lo.zoneNumber(of).f, lo.expr(e.Args[len(e.Args)-1]).f, e.Span
	return calc(func(m *Machine) int64 {
		cz := &c.zones[zone(m)]
		k := place(m)
		if k < 1 || k > int64(cz.places) {
			return fault(span, "there is no place %d: there are %d", k, cz.places)
		}
		if p := m.s[cz.spots+int(k)-1]; p >= 0 {
			return p
		}
		return dsl.None
	})
}

// placeOfPiece lowers the number of the place at which a piece lies.
func (lo *lowerer) placeOfPiece(e *dsl.Expr) val {
	c := lo.cardsOf(e.Args[0].Type)
	f, base, n, span := lo.expr(e.Args[0]).f, c.place, uint64(c.fam.count), e.Span
	return calc(func(m *Machine) int64 {
		p := f(m)
		if uint64(p) >= n {
			return fault(span, "there is no piece here")
		}
		return m.s[base+int(p)]
	})
}

// maxShuffles is how often pieces are shuffled anew until a condition holds.
const maxShuffles = 10000

// until shuffles anew until a condition holds: all ways for which it does are
// equally likely.
func (mv *cardMove) until(m *Machine, again func()) {
	for range maxShuffles {
		if mv.soThat(m) {
			return
		}
		m.spent = 0 // each try is as much work as the first
		again()
	}
	fault(mv.condition.Span, "in %d tries the pieces never came to lie so that this holds", maxShuffles)
}

// blindPick reports whether pieces are picked that the seat which picks does
// not see: it picks a place.
func blindPick(list *dsl.Expr) bool {
	if list.Op != dsl.OpZone {
		return false
	}
	z := list.Ref.(*dsl.Zone)
	mine := len(list.Args) == 1 && list.Args[0].Op == dsl.OpMe
	return z.Places != nil && z.Seen != dsl.SeenAll && !(z.Seen == dsl.SeenOwner && mine)
}

// places offers the pieces of a zone by their places, told apart or not.
func (m *Machine) places(p *pick, found func(int64)) {
	it := p.over(m)
	at := len(m.opts.held)
	m.opts.held = append(m.opts.held, it.values...)
	values := m.opts.held[at:] // which stays as it is where more is held meanwhile
	m.arena = m.arena[:0]
	may := p.set(m)
	for _, v := range values {
		if may.has(int(v)) {
			found(v)
		}
	}
	m.opts.held = m.opts.held[:at]
}

// placed returns the i-th piece of a zone with places, from 0.
func (c *cards) placed(m *Machine, zone, i int) int64 {
	z := &c.zones[zone]
	for _, p := range m.s[z.spots : z.spots+z.places] {
		if p >= 0 {
			if i == 0 {
				return p
			}
			i--
		}
	}
	panic("interpreter: option out of range")
}

// readPlace reads a place as the piece that lies there.
func (m *Machine) readPlace(a *action, p *pick, words []string) (int64, error) {
	if len(words) != 1 {
		return 0, &MoveError{fmt.Sprintf("one number of a place is wanted for `%s`", a.Name)}
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return 0, &MoveError{fmt.Sprintf("`%s` is no number of a place for `%s`", words[0], a.Name)}
	}
	found := int64(-1)
	m.places(p, func(v int64) {
		if m.s[p.cards.place+int(v)] == n {
			found = v
		}
	})
	if found < 0 {
		return 0, &Refusal{Action: a.Action, Now: true, Reason: fmt.Sprintf("nothing lies at place %d", n)}
	}
	return found, nil
}

// placeViews are the places of a zone as a seat sees them.
func (m *Machine) placeViews(c *cards, zone, seat int, seen bool) (out []PlaceView) {
	z := &c.zones[zone]
	for i, p := range m.s[z.spots : z.spots+z.places] {
		v := PlaceView{Number: i + 1, Free: p < 0}
		if p >= 0 {
			v.Remembered = !seen && z.decl.Remind && m.remembers(c, seat, int(p))
			if seen || v.Remembered {
				v.Piece = c.word(m.g, int(p))
			}
		}
		out = append(out, v)
	}
	return out
}

// remembers reports whether a seat knows where a piece lies.
func (m *Machine) remembers(c *cards, seat, piece int) bool {
	if seat < 0 || m.know == nil || m.know.fams[c] == nil {
		return false
	}
	return m.know.fams[c].may[seat][piece] == c.spotBit(m, piece)
}
