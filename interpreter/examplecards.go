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

// sees tests what a seat sees at a place: how many pieces, or which.
func (x *exampleGame) sees(l dsl.SeesLine) {
	seat := slices.Index(x.env.Seats, l.Seat)
	if seat < 0 {
		x.failf(l.Span, "nobody here is called `%s`", l.Seat)
		return
	}
	var ds source.List
	what := x.prog.PlaceOf(l.Place, x.env, &ds)
	switch {
	case what == nil:
		x.diagnosed(l.Place.Whole(), ds)
		return
	case what.Zone == nil:
		x.failf(l.Place.Whole(), "this is no zone")
		return
	}
	z := what.Zone.Ref.(*dsl.Zone)
	c := x.m.g.families[z.Family].cards
	of := x.seatOf(what.Zone.Args)
	if c == nil {
		x.failf(l.Place.Whole(), "everybody sees dice")
		return
	}
	view := x.m.zoneView(z, of, seat)
	want := strings.TrimSpace(l.Value.Value)
	if n, err := strconv.Atoi(want); err == nil {
		switch {
		case view.Seen && view.Count > 0:
			x.failf(l.Value.Whole(), "%s sees them: %s", l.Seat, view.Pieces)
		case view.Count != n:
			x.failf(l.Value.Whole(), "there are %d", view.Count)
		}
		return
	}
	known := view.Seen || x.m.knows(seat, c, z, of)
	if want == "known" && known {
		return
	}
	words := x.prog.Pieces(l.Value, z.Family, &ds)
	if ds.HasErrors() {
		x.diagnosed(l.Value.Whole(), ds)
		return
	}
	if !known {
		x.failf(l.Value.Whole(), "%s does not know what lies there", l.Seat)
		return
	}
	var got, wanted []string
	for _, p := range c.inOrder(x.m, x.m.zoneOf(c, z, of), nil) {
		got = append(got, c.word(x.m.g, int(p)))
	}
	for _, w := range words {
		wanted = append(wanted, w.Lot.Short)
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		x.failf(l.Value.Whole(), "there lie %s", strings.Join(got, " "))
	}
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
