package interpreter

import (
	"fmt"

	"github.com/houserules/houserules/dsl"
)

// cardMove is a move statement for pieces without faces.
type cardMove struct {
	c         *cards
	to        val                   // number of the zone they go to
	one       fn                    // the piece, if it is one
	set       setfn                 // the pieces, if their order does not matter
	over      func(m *Machine) iter // the pieces in order, otherwise
	twice     bool                  // over may give a piece more than once: it goes only once
	all       bool                  // the whole family: it falls into its order
	whole     fn                    // number of the zone of which all goes, if that is so; else nil
	writes    []markWrite
	places    bool // the zone has places
	onTop     bool
	shuffle   bool
	at        fn // the place where the one piece goes; nil: behind the others, or to the first free ones
	atExpr    *dsl.Expr
	soThat    test // nil: no condition on the shuffle
	condition *dsl.Expr
	span      dsl.Expr
}

// markWrite writes a mark on a piece that goes to a zone.
type markWrite struct {
	mark *cardMark
	slot int // where the piece lies for f, 0 if f does not ask
	from int // a slot in which the value lies; -1 if only f knows
	f    fn
}

func (c *coder) moveCards(s *dsl.Stmt) {
	z := s.Y.Ref.(*dsl.Zone)
	fam := c.g.families[z.Family]
	mv := &cardMove{c: fam.cards, to: c.zoneNumber(s.Y), onTop: s.OnTop, shuffle: s.Random, span: *s.X}
	mv.writes = c.markWrites(fam.cards, z, s)
	if s.At != nil {
		mv.at, mv.atExpr = c.expr(s.At).f, s.At
	}
	if s.SoThat != nil {
		mv.soThat, mv.condition = c.cond(s.SoThat), s.SoThat
	}
	mv.places = z.Places != nil
	keeps := fam.cards.zones[fam.cards.number[z]].list > 0 || mv.places
	switch {
	case s.X.Op == dsl.OpFamily:
		mv.all = true
	case s.X.Type.Kind == dsl.KPiece:
		mv.one = c.expr(s.X).f
	case keeps && !s.Random:
		mv.over, mv.twice = c.over(s.X), c.repeats(s.X)
	default:
		mv.set = c.set(s.X)
	}
	if s.X.Op == dsl.OpZone {
		mv.whole = c.zoneNumber(s.X).f
	}
	c.emit(instr{op: opMoveCards, x: mv, note: c.note(s)})
}

// markWrites lists what is written on pieces that go to a zone: what the
// statement says, or else what the mark is by default.
func (c *coder) markWrites(of *cards, z *dsl.Zone, s *dsl.Stmt) (out []markWrite) {
	for _, k := range z.Marks {
		w := markWrite{mark: of.marks[k]}
		e, it := k.Default, k.It
		for _, set := range s.Marks {
			if set.Mark == k {
				e, it = set.Value, s.It
			}
		}
		if e == nil {
			continue
		}
		if it != nil && c.reads(e, it) {
			w.slot = c.g.local(it)
		}
		v := c.expr(e)
		w.f, w.from = v.f, v.slot
		out = append(out, w)
	}
	return out
}

// run moves the pieces.
func (mv *cardMove) run(m *Machine, in *instr) {
	c := mv.c
	zone := int(mv.to.f(m))
	if m.rec == nil && m.know == nil {
		if !mv.shuffle {
			mv.quiet(m, zone)
			return
		}
	}
	at := len(m.arena)
	pieces := mv.pieces(m)
	if m.rec == nil && m.know == nil {
		mv.random(m, zone, pieces)
		m.arena = m.arena[:at]
		return
	}
	m.departing(c, pieces)
	if mv.shuffle {
		mv.random(m, zone, pieces)
	} else {
		mv.move(m, zone, pieces)
	}
	m.arrived(in, c, pieces, zone, mv.shuffle)
	m.arena = m.arena[:at]
}

// pieces lists what moves, in order; the list lies in the arena.
func (mv *cardMove) pieces(m *Machine) []int64 {
	at := len(m.arena)
	switch {
	case mv.one != nil:
		m.push(mv.piece(m))
		return m.arena[at:]
	case mv.over != nil:
		it := mv.over(m)
		at = len(m.arena) // what a formula has left is not among them
		var seen set128
		for p, ok := it.next(); ok; p, ok = it.next() {
			if mv.twice {
				if seen.has(int(p)) {
					continue
				}
				seen = seen.or(single(int(p)))
			}
			m.push(p)
		}
		return m.arena[at:]
	}
	s := mv.c.all
	if !mv.all {
		s = mv.set(m)
	}
	at = len(m.arena)
	for ; !s.empty(); s = s.rest() {
		m.push(int64(s.lowest()))
	}
	return m.arena[at:]
}

func (mv *cardMove) piece(m *Machine) int64 {
	p := mv.one(m)
	if uint64(p) >= uint64(mv.c.fam.count) {
		return fault(mv.span.Span, "there is no piece here")
	}
	return p
}

func (mv *cardMove) move(m *Machine, zone int, pieces []int64) {
	if mv.all && len(mv.writes) == 0 {
		mv.c.gather(m, zone)
		mv.c.settled(m, zone)
		return
	}
	for _, p := range pieces {
		mv.give(m, int(p), zone)
	}
}

// random moves pieces at random: to any free places, or anywhere in a list that
// is shuffled as a whole.
func (mv *cardMove) random(m *Machine, zone int, pieces []int64) {
	again := func() { mv.c.shuffle(m, zone) }
	if mv.places {
		for _, p := range pieces {
			for i := range mv.writes {
				mv.writes[i].run(m, int(p))
			}
		}
		again = func() { mv.c.scatter(m, pieces, zone) }
	} else {
		mv.move(m, zone, pieces)
	}
	again()
	if mv.soThat != nil {
		mv.until(m, again)
	}
}

// give moves one piece.
func (mv *cardMove) give(m *Machine, p, zone int) {
	m.spent++
	for i := range mv.writes { // before it goes: they may ask where it lies
		mv.writes[i].run(m, p)
	}
	switch {
	case mv.at != nil:
		mv.c.goToPlace(m, p, zone, mv.at(m), mv.atExpr)
		return
	case mv.onTop:
		mv.c.goOnTop(m, p, zone)
		return
	}
	mv.c.goTo(m, p, zone)
}

// quiet is run without a word to anybody.
func (mv *cardMove) quiet(m *Machine, zone int) {
	switch {
	case mv.one != nil:
		mv.give(m, int(mv.piece(m)), zone)
	case mv.all && len(mv.writes) == 0:
		mv.c.gather(m, zone)
		mv.c.settled(m, zone)
	case mv.whole != nil && len(mv.writes) == 0 && !mv.onTop && !mv.shuffle: // what is shuffled comes in the order of the family
		mv.c.empty(m, int(mv.whole(m)), zone)
	case mv.over != nil:
		at := len(m.arena)
		mv.move(m, zone, mv.pieces(m))
		m.arena = m.arena[:at]
	default:
		s := mv.c.all
		if !mv.all {
			s = mv.set(m)
		}
		for ; !s.empty(); s = s.rest() {
			mv.give(m, s.lowest(), zone)
		}
	}
}

func (w *markWrite) run(m *Machine, piece int) {
	if w.from >= 0 {
		w.mark.write(m, piece, m.s[w.from])
		return
	}
	if w.slot > 0 {
		m.s[w.slot] = int64(piece)
	}
	w.mark.write(m, piece, w.f(m))
}

// settled notes that the pieces of a zone lie in the order of the family.
func (c *cards) settled(m *Machine, zone int) {
	if at := c.zones[zone].bag; at > 0 {
		m.s[at] = 0
	}
}

// shuffle puts the pieces of a zone into random order.
func (c *cards) shuffle(m *Machine, zone int) {
	if at := c.zones[zone].bag; at > 0 {
		m.s[at] = 1
	}
	if c.zones[zone].list == 0 {
		return
	}
	l := c.list(m, zone)
	for i := len(l) - 1; i > 0; i-- {
		k := m.below(uint64(i + 1))
		l[i], l[k] = l[k], l[i]
	}
}

// cardDeal is a deal statement. While it goes on, what is still to be dealt
// lies in slots, since each piece may be asked for.
type cardDeal struct {
	c      *cards
	from   fn // number of the zone; nil: the pieces that lie in the list
	n      fn // how many each gets
	pieces func(m *Machine) iter
	random bool
	seats  func(m *Machine) iter
	zone   int // number of the zone of seat 0
	writes []markWrite
	at     int // slots: how many were dealt, how many are to be, the list of the seats
	list   int // slot of the list of the pieces, if no zone is dealt from
	decl   *dsl.Zone
	expr   *dsl.Expr
}

const (
	dealtSoFar = iota
	dealtInAll
	dealSource
	dealSeats
)

func (c *coder) deal(s *dsl.Stmt) {
	of := c.g.families[s.Zone.Family].cards
	d := &cardDeal{c: of, random: s.Random, zone: of.number[s.Zone], at: c.g.slots.take(dealSeats + 1 + listRoom), decl: s.Zone, expr: s.X}
	d.writes = c.markWrites(of, s.Zone, s)
	if s.Y != nil {
		d.from, d.n = c.zoneNumber(s.Y).f, c.expr(s.X).f
	} else {
		d.pieces = c.over(s.X)
		d.list = c.g.slots.take(1 + of.fam.count)
	}
	if s.Seat.Type.Kind == dsl.KSeat {
		seat := c.seatIndex(c.expr(s.Seat), s.Seat)
		d.seats = func(m *Machine) iter { return iter{set: 1 << uint(seat(m))} }
	} else {
		d.seats = c.over(s.Seat)
	}
	c.emit(instr{op: opDeal, x: d, note: c.note(s)})
	c.emit(instr{op: opDealNext, x: d, note: c.note(s)})
}

// begin notes what is to be dealt.
func (d *cardDeal) begin(m *Machine) {
	s := m.s
	at := len(m.arena)
	seats := int64(0)
	it := d.seats(m)
	for v, ok := it.next(); ok; v, ok = it.next() {
		if seats == listRoom || uint64(v) >= uint64(m.g.seats) {
			fault(d.expr.Span, "this cannot be dealt to so many, or not to these")
		}
		s[d.at+dealSeats+1+int(seats)] = v
		seats++
	}
	m.arena = m.arena[:at]
	s[d.at+dealSeats] = seats
	s[d.at+dealtSoFar] = 0
	if d.from == nil {
		n := 0
		it := d.pieces(m)
		for p, ok := it.next(); ok && n < d.c.fam.count; p, ok = it.next() {
			s[d.list+1+n] = p
			n++
		}
		m.arena = m.arena[:at]
		s[d.list], s[d.at+dealtInAll] = int64(n), int64(n)
		if seats == 0 {
			s[d.at+dealtInAll] = 0
		}
		return
	}
	from := int(d.from(m))
	s[d.at+dealSource] = int64(from)
	n := max(d.n(m), 0)
	left := int64(d.c.set(m, from).len())
	if seats > 0 && n > left/seats {
		n = left // more than there are: as many as there are
	} else {
		n *= seats
	}
	s[d.at+dealtInAll] = n
}

// next deals on. It reports whether the machine must wait for a piece.
func (d *cardDeal) next(m *Machine, in *instr) (wait bool) {
	s := m.s
	for s[d.at+dealtSoFar] < s[d.at+dealtInAll] {
		drawn, n := d.drawn(m)
		switch {
		case !drawn:
			d.give(m, in, d.top(m))
		case m.AskChance:
			return true
		default:
			d.give(m, in, d.piece(m, int(m.below(uint64(n)))))
		}
	}
	return false
}

// drawn reports whether the next piece is one of several, each as likely, and
// of how many.
func (d *cardDeal) drawn(m *Machine) (yes bool, n int) {
	if d.from == nil {
		return d.random, int(m.s[d.list])
	}
	from := int(m.s[d.at+dealSource])
	bag := d.c.zones[from].bag
	return d.random || bag > 0 && m.s[bag] != 0, d.c.set(m, from).len()
}

// top returns the piece that comes next where none is drawn.
func (d *cardDeal) top(m *Machine) int {
	if d.from == nil {
		return d.piece(m, 0)
	}
	from := int(m.s[d.at+dealSource])
	if d.c.zones[from].list > 0 {
		return int(d.c.list(m, from)[0])
	}
	return d.c.set(m, from).lowest()
}

// piece returns the i-th of those that can be drawn.
func (d *cardDeal) piece(m *Machine, i int) int {
	if d.from == nil {
		return int(m.s[d.list+1+i])
	}
	return d.c.set(m, int(m.s[d.at+dealSource])).nth(i)
}

// seat is whose turn it is to get a piece.
func (d *cardDeal) seat(m *Machine) int64 {
	k, n := m.s[d.at+dealtSoFar], m.s[d.at+dealSeats]
	return m.s[d.at+dealSeats+1+int(k%n)]
}

// give gives a piece to the seat whose turn it is to get one.
func (d *cardDeal) give(m *Machine, in *instr, piece int) {
	s := m.s
	m.spent++
	seat := d.seat(m)
	s[d.at+dealtSoFar]++
	if d.from == nil {
		l := s[d.list+1 : d.list+1+int(s[d.list])]
		for i, p := range l {
			if int(p) == piece {
				copy(l[i:], l[i+1:])
				s[d.list]--
				break
			}
		}
	}
	for i := range d.writes {
		d.writes[i].run(m, piece)
	}
	to := d.zone + int(seat)
	if m.rec == nil && m.know == nil {
		d.c.goTo(m, piece, to)
		return
	}
	one := []int64{int64(piece)}
	m.departing(d.c, one)
	d.c.goTo(m, piece, to)
	m.arrived(in, d.c, one, to, false)
}

// deals returns the deal that asks for a piece, or nil.
func (m *Machine) deals() *cardDeal {
	if m.req.Kind != Chance || m.req.at == nil || m.req.at.op != opDealNext {
		return nil
	}
	return m.req.at.x.(*cardDeal)
}

// falls lists the pieces that can come next; those that are alike are one.
func (d *cardDeal) falls(m *Machine) (out []Fall) {
	_, n := d.drawn(m)
	seen := map[int]int{} // the first of those alike, and its fall
	for i := range n {
		p := d.piece(m, i)
		first := d.c.alike(p).lowest()
		if at, ok := seen[first]; ok {
			out[at].Weight++
			continue
		}
		seen[first] = len(out)
		out = append(out, Fall{Weight: 1, Text: d.c.word(m.g, p), index: uint64(i)})
	}
	return out
}

// lucky deals a piece that people name.
func (d *cardDeal) lucky(m *Machine, words []string) (err error) {
	if len(words) != 1 {
		return &MoveError{"one piece is wanted"}
	}
	may := d.c.named(m.g, words[0])
	_, n := d.drawn(m)
	for i := range n {
		if p := d.piece(m, i); may.has(p) {
			defer m.recoverFault(&err)
			in := m.req.at
			m.req = Request{}
			d.give(m, in, p)
			return nil
		}
	}
	return &MoveError{fmt.Sprintf("`%s` is not among what can be dealt", words[0])}
}

// cardShow is a show statement.
type cardShow struct {
	fam   *family
	c     *cards // nil for pieces with faces
	set   setfn
	dice  fn // the set of pieces with faces
	seats fn // a set
}

func (c *coder) show(s *dsl.Stmt) {
	sh := &cardShow{fam: c.g.families[familyOf(s.X)], seats: c.seatSet(s.Seat)}
	if sh.c = sh.fam.cards; sh.c != nil {
		sh.set = c.set(s.X)
	} else {
		sh.dice = c.pieces(s.X)
	}
	c.emit(instr{op: opShow, x: sh, note: c.note(s)})
}
