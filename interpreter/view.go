package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// A View is what one seat may see of a game: the state that everybody knows,
// and the zones by their visibility. It holds no seed and nothing hidden.
type View struct {
	Seat   int // whose view, -1 for a bystander
	Active int
	Zones  []ZoneView
	Vars   []VarView
	Show   []string
}

// A ZoneView is a zone as one seat sees it.
type ZoneView struct {
	Zone   *dsl.Zone
	Of     int    // the seat that owns it, -1 for a common one
	Count  int    // how many pieces lie there: always public
	Pieces string // what they show, "" if the seat may not see them
	Seen   bool
	Cards  []int       // the numbers of pieces without faces, in the order of the zone; nil if the seat may not see them
	Places []PlaceView // of a zone with places, in their order
}

// A PlaceView is one place of a zone as one seat sees it.
type PlaceView struct {
	Number     int    // from 1
	Free       bool   // nothing lies there
	Piece      string // what lies there, "" if the seat does not see it or the place is free
	Remembered bool   // the seat does not see the piece, but has seen it, and the rules remind
}

// A VarView is one piece of state.
type VarView struct {
	Var  *dsl.Var
	Of   int // seat, -1 for state that is not of a seat
	Text string
}

// View returns what a seat may see; -1 sees what all may see.
func (m *Machine) View(seat int) View {
	v := View{Seat: seat, Active: m.Active(), Show: m.Show()}
	for _, z := range m.g.prog.Zones {
		n := 1
		if z.Each {
			n = m.g.seats
		}
		for i := range n {
			v.Zones = append(v.Zones, m.zoneView(z, i, seat))
		}
	}
	for _, x := range m.g.prog.Vars {
		if x.Out && m.g.outSlot < 0 {
			continue
		}
		n := 1
		if x.Each {
			n = m.g.seats
		}
		for i := range n {
			vv := VarView{Var: x, Of: -1, Text: m.Format(x.Type, m.Value(x, i))}
			if x.Each {
				vv.Of = i
			}
			v.Vars = append(v.Vars, vv)
		}
	}
	return v
}

// zoneView is a zone, of one seat where there is one for each, as a seat sees
// it.
func (m *Machine) zoneView(z *dsl.Zone, i, seat int) ZoneView {
	zv := ZoneView{Zone: z, Of: -1}
	if z.Each {
		zv.Of = i
	}
	zv.Seen = sees(z.Seen, zv.Of, seat)
	if c := m.g.families[z.Family].cards; c != nil {
		zone := c.number[z] + i
		zv.Count = c.set(m, zone).len()
		if z.Places != nil {
			zv.Places = m.placeViews(c, zone, seat, zv.Seen)
		}
		if zv.Seen {
			pieces := c.inOrder(m, zone, nil)
			zv.Pieces = m.cardWords(c, pieces)
			for _, p := range pieces {
				zv.Cards = append(zv.Cards, int(p))
			}
		}
		return zv
	}
	set := uint64(m.s[m.g.zoneSlot[z]+i])
	zv.Count = bits.OnesCount64(set)
	if zv.Seen {
		zv.Pieces = m.inOrder(m.g.families[z.Family], set)
	}
	return zv
}

// CardWords writes pieces without faces, by their numbers, as people type them.
func (m *Machine) CardWords(f *dsl.Family, pieces []int) string {
	list := make([]int64, len(pieces))
	for i, p := range pieces {
		list[i] = int64(p)
	}
	return m.cardWords(m.g.families[f].cards, list)
}

// Written tells what is written on a piece without a face that lies in a zone:
// a text for each mark of the zone, "" where nothing is, or only what a move
// writes that says nothing.
func (m *Machine) Written(z *dsl.Zone, piece int) []string {
	c := m.g.families[z.Family].cards
	var out []string
	for _, k := range z.Marks {
		text := ""
		if v := m.s[c.marks[k].values+piece]; v != dsl.None && !m.g.writtenAnyway(k, piece, v) {
			text = m.Format(k.Type, v)
		}
		out = append(out, text)
	}
	return out
}

// writtenAnyway reports whether a mark is the one that a piece gets by default.
func (g *Game) writtenAnyway(k *dsl.Mark, piece int, v int64) bool {
	if k.Default == nil {
		return false
	}
	usual, err := g.constantWith(k.Default, k.It, int64(piece))
	return err == nil && usual == v
}

// sees reports whether a seat may see the pieces of a zone.
func sees(s dsl.Seen, owner, seat int) bool {
	switch s {
	case dsl.SeenAll:
		return true
	case dsl.SeenOwner:
		return owner == seat && seat >= 0
	case dsl.SeenOthers:
		return owner != seat && seat >= 0
	}
	return false
}

// Set returns the pieces that lie in a zone, as bits by number; seat matters
// for zones of each seat.
func (m *Machine) Set(z *dsl.Zone, seat int) uint64 {
	at := m.g.zoneSlot[z]
	if z.Each {
		at += seat
	}
	return uint64(m.s[at])
}

// Face returns the number of the face that a piece shows.
func (m *Machine) Face(f *dsl.Family, piece int) int64 {
	m.land()
	return m.s[m.g.families[f].faceSlot+piece]
}
