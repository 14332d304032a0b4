package dsl

import "github.com/houserules/houserules/dsl/syntax"

// This file types how pieces are dealt and shown.

// deal types `deal N from ZONE to HAND of SEATS` and `deal PIECES to HAND of
// SEATS`.
func (c *checker) deal(s scope, x *syntax.DealStmt, st *Stmt) *Stmt {
	if x.SoThat != nil {
		c.notHere(x.Span(), "`so that`")
	}
	st.Op, st.Random = StmtDeal, x.Random
	var fam *Family
	if x.From != nil {
		st.X = c.expr(s, x.What, Int)
		c.need(st.X, KInt)
		st.Y = c.zone(s, x.From)
		fam = familyOf(st.Y)
	} else {
		st.X = c.expr(s, x.What, Any)
		if st.X.Type.Kind == KInt {
			c.errorf("E0221", st.X.Span, "expected pieces, got %s", st.X.Type).
				WithHelp("say where they come from: `deal %s from ZONE to %s of ..`", st.X.Span.Text(), x.Name)
		} else {
			fam = c.needSomePieces(st.X)
		}
	}
	st.Seat = c.seatOrSeats(s, x.Seats)
	if st.Zone = c.handNamed(s, x, fam); st.Zone == nil {
		return nil
	}
	c.writeMarks(s, st, st.Zone, x.Marks)
	return st
}

// handNamed finds the zone of every seat that pieces are dealt to.
func (c *checker) handNamed(s scope, x *syntax.DealStmt, fam *Family) *Zone {
	sym := c.names.find(x.Name, s.owner, c.needs[s.owner])
	z, ok := (*Zone)(nil), false
	if sym != nil {
		z, ok = sym.ref.(*Zone)
	}
	switch {
	case !ok:
		d := c.errorf("E0213", x.NameSpan, "unknown zone `%s`", x.Name)
		var among []string
		for _, z := range c.p.Zones {
			if z.Each {
				among = append(among, z.Name)
			}
		}
		c.didYouMean(d, x.Name, among, nil)
		return nil
	case !z.Each:
		c.errorf("E0221", x.NameSpan, "there is one `%s`, not one for every seat", x.Name).
			WithRelated(z.Span, "it is declared here").WithHelp("`move .. to %s` moves pieces there", x.Name)
		return nil
	case fam != nil && fam != z.Family:
		c.errorf("E0221", x.NameSpan, "`%s` holds `%s`, not `%s`", x.Name, z.Family.Name, fam.Name)
		return nil
	case len(z.Family.Faces) > 0:
		c.errorf("E0221", x.Span(), "`%s` have faces, and are not dealt", z.Family.Name).
			WithHelp("`move PIECES to SEAT.%s` hands them out", x.Name)
		return nil
	}
	return z
}

// seatOrSeats types one seat or a collection of seats.
func (c *checker) seatOrSeats(s scope, x syntax.Expr) *Expr {
	e := c.expr(s, x, Any)
	if t := e.Type; t.IsCollection() {
		if t.Elem.Kind != KSeat && t.Elem.Kind != KAny || t.Elem.Maybe {
			c.errorf("E0221", e.Span, "expected a seat or seats, got %s", t)
		}
		return e
	}
	c.need(e, KSeat)
	return e
}

// showPieces types `show PIECES to SEATS`.
func (c *checker) showPieces(s scope, x *syntax.ShowStmt, st *Stmt) *Stmt {
	st.Op, st.X = StmtShow, c.expr(s, x.What, Any)
	c.needSomePieces(st.X)
	st.Seat = c.seatOrSeats(s, x.Seats)
	return st
}
