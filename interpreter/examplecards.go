package interpreter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// This file lays down the pieces without faces that examples give, and tests
// what examples say that seats see.

// layCards puts pieces into a zone in the order in which they are written, out
// of wherever they lay; what lay there before is put away. Marks that are not
// written are as by default; a seat that nobody wrote is the next one, in the
// order of the seats.
func (x *exampleGame) layCards(z *dsl.Zone, seat int, words []dsl.PieceWord) bool {
	m := x.m
	c := m.g.families[z.Family].cards
	zone := c.number[z]
	if z.Each {
		zone += seat
	}
	for _, p := range c.inOrder(m, zone, nil) {
		if !x.laid[c].has(int(p)) {
			c.leave(m, int(p))
		}
	}
	for i, w := range words {
		p := c.unused(w, x.laid[c])
		if p < 0 {
			x.failf(w.Span, "there are not so many pieces of this kind")
			return false
		}
		x.laid[c] = x.laid[c].or(single(p))
		c.goTo(m, p, zone)
		for _, k := range z.Marks {
			if !x.mark(c, k, p, w, i) {
				return false
			}
		}
	}
	m.opts.valid = false
	return true
}

// unused finds a piece that a word means and that is not yet laid; the last of
// those that are alike comes last.
func (c *cards) unused(w dsl.PieceWord, laid set128) int {
	for p := range c.fam.count {
		if !laid.has(p) && (c.lots == nil || c.lots[p] == w.Lot) {
			return p
		}
	}
	return -1
}

// mark writes one mark on the i-th piece that is laid down.
func (x *exampleGame) mark(c *cards, k *dsl.Mark, piece int, w dsl.PieceWord, i int) bool {
	cm := c.marks[k]
	for _, word := range w.Marks {
		if word.Mark != k {
			continue
		}
		var ds source.List
		env, want := x.env, k.Type
		env.Want = &want
		e := x.prog.Formula(word.Text, env, &ds)
		if e == nil {
			return x.diagnosed(word.Span, ds)
		}
		v, err := x.m.Eval(e)
		if err != nil {
			x.failf(word.Span, "%s", err)
			return false
		}
		cm.write(x.m, piece, v)
		return true
	}
	switch {
	case k.Default != nil:
		v, err := x.m.evalMark(k, piece)
		if err != nil {
			x.failf(w.Span, "%s", err)
			return false
		}
		cm.write(x.m, piece, v)
	case k.Type.Kind == dsl.KSeat && i < x.m.g.people:
		cm.write(x.m, piece, int64(i))
	}
	return true
}

// evalMark computes the default of a mark for a piece.
func (m *Machine) evalMark(k *dsl.Mark, piece int) (v int64, err error) {
	on, f, err := m.lowerOn(k.Default)
	if err != nil {
		return 0, err
	}
	err = on.quietly(func() {
		if k.It != nil {
			on.s[on.g.local(k.It)] = int64(piece)
		}
		v = f(on)
	})
	return v, err
}

// sees tests what a seat sees in a zone, or at a place of one: how many pieces,
// or which.
func (x *exampleGame) sees(l dsl.SeesLine) {
	seat := slices.Index(x.env.Seats, l.Seat)
	if seat < 0 {
		x.failf(l.Span, "nobody here is called `%s`", l.Seat)
		return
	}
	var ds source.List
	what := x.prog.SightOf(l.Place, x.env, &ds)
	if what == nil {
		x.diagnosed(l.Place.Whole(), ds)
		return
	}
	z := what.Ref.(*dsl.Zone)
	of := 0
	if z.Each {
		of = x.seatOf(what.Args)
	}
	s := &sight{line: l, want: strings.TrimSpace(l.Value.Value), zone: z, of: of, seat: seat}
	if c := x.m.g.families[z.Family].cards; what.Op == dsl.OpSpot {
		if !x.spot(s, c, what) {
			return
		}
	} else {
		x.wholeZone(s, c)
	}
	x.compare(s)
}

// sight is what a seat sees somewhere, and what an example says of it.
type sight struct {
	line   dsl.SeesLine
	want   string
	zone   *dsl.Zone
	of     int
	seat   int
	count  int     // pieces that lie there
	seen   bool    // it sees which
	known  bool    // it knows which
	pieces string  // as people type them
	cards  []int64 // without faces
	dice   uint64  // with faces
}

// wholeZone looks at a zone.
func (x *exampleGame) wholeZone(s *sight, c *cards) {
	view := x.m.zoneView(s.zone, s.of, s.seat)
	s.count, s.seen, s.known, s.pieces = view.Count, view.Seen, view.Seen, view.Pieces
	if c == nil {
		s.dice = x.m.Set(s.zone, s.of)
		return
	}
	s.known = s.known || x.m.knows(s.seat, c, s.zone, s.of)
	s.cards = c.inOrder(x.m, x.m.zoneOf(c, s.zone, s.of), nil)
}

// spot looks at one place of a zone. What the seat is reminded of it sees.
func (x *exampleGame) spot(s *sight, c *cards, what *dsl.Expr) bool {
	k, err := x.m.Eval(what.Args[len(what.Args)-1])
	if err != nil {
		x.failf(s.line.Place.Whole(), "%s", err)
		return false
	}
	places := x.m.zoneView(s.zone, s.of, s.seat).Places
	if k < 1 || k > int64(len(places)) {
		x.failf(s.line.Place.Whole(), "there is no place %d: there are %d", k, len(places))
		return false
	}
	v := places[k-1]
	if v.Free {
		s.seen, s.known = true, true
		return true
	}
	p := x.m.s[c.zones[x.m.zoneOf(c, s.zone, s.of)].spots+int(k)-1]
	s.count, s.cards, s.seen, s.pieces = 1, []int64{p}, v.Piece != "", v.Piece
	s.known = s.seen
	if s.want == "known" {
		s.known = s.known || x.m.remembers(c, s.seat, int(p))
	}
	return true
}

// compare compares what is seen with what the example says.
func (x *exampleGame) compare(s *sight) {
	l := s.line
	var ds source.List
	words := x.prog.Pieces(l.Value, s.zone.Family, &ds)
	n, err := strconv.Atoi(s.want)
	if s.want == "unseen" {
		n, err = s.count, nil
	}
	switch {
	case l.Quoted:
	case err == nil && s.seen && s.count > 0:
		f := x.failf(l.Value.Whole(), "%s sees them: %s", l.Seat, s.pieces)
		if !ds.HasErrors() {
			f.Message += "; a piece that is a number is written in quotes"
		}
		return
	case s.want == "unseen" && s.count == 0:
		x.failf(l.Value.Whole(), "nothing lies there: write `none`")
		return
	case err == nil && s.count != n:
		x.failf(l.Value.Whole(), "there %s %d", plural(s.count, "is", "are"), s.count)
		return
	case err == nil || s.want == "known" && s.known:
		return
	case s.want == "known":
		ds = nil
	}
	switch {
	case ds.HasErrors():
		x.diagnosed(l.Value.Whole(), ds)
	case !s.known && s.count > 0:
		x.failf(l.Value.Whole(), "%s does not know what lies there", l.Seat)
	case !x.lies(s, words):
		x.failf(l.Value.Whole(), "there lie %s", s.text(x.m))
	}
}

// lies reports whether the pieces that are seen are those of some words.
func (x *exampleGame) lies(s *sight, words []dsl.PieceWord) bool {
	if len(words) != s.count {
		return false
	}
	fam := x.m.g.families[s.zone.Family]
	if fam.cards == nil {
		left := s.dice
		for _, w := range byWords(words) {
			p := x.m.pieceShowing(fam, left, w)
			if p < 0 {
				return false
			}
			left &^= 1 << uint(p)
		}
		return true
	}
	var got, wanted []string
	for _, p := range s.cards {
		got = append(got, fam.cards.word(x.m.g, int(p)))
	}
	for _, w := range words {
		wanted = append(wanted, w.Lot.Short)
	}
	slices.Sort(got)
	slices.Sort(wanted)
	return slices.Equal(got, wanted)
}

// text writes what lies there.
func (s *sight) text(m *Machine) string {
	switch c := m.g.families[s.zone.Family].cards; {
	case s.count == 0:
		return "no pieces"
	case c != nil:
		return m.cardWords(c, s.cards)
	}
	return s.pieces
}

func (m *Machine) zoneOf(c *cards, z *dsl.Zone, of int) int {
	if z.Each {
		return c.number[z] + of
	}
	return c.number[z]
}

// knows reports whether a seat knows all pieces of a zone, without seeing them.
func (m *Machine) knows(seat int, c *cards, z *dsl.Zone, of int) bool {
	if m.know == nil || m.know.fams[c] == nil {
		return false
	}
	known := true
	c.set(m, m.zoneOf(c, z, of)).each(func(p int) {
		known = known && m.remembers(c, seat, p)
	})
	return known
}
