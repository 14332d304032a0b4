package interpreter

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file tells people where pieces without faces go, and who sees it.

// viewers is the set of the people who see the pieces of a zone.
func (z *cardZone) viewers(g *Game) int64 {
	switch z.decl.Seen {
	case dsl.SeenAll:
		return g.everyone
	case dsl.SeenOwner:
		if z.of >= 0 && z.of < g.people {
			return 1 << uint(z.of)
		}
	case dsl.SeenOthers:
		if z.of >= 0 && z.of < g.people {
			return g.everyone &^ (1 << uint(z.of))
		}
		if z.of >= 0 {
			return g.everyone
		}
	}
	return 0
}

// departure is where pieces lay before a move.
type departure struct {
	zone  int      // -1 if they lay away, or in several zones
	seen  int64    // who saw all of them
	open  bool     // everybody did
	from  []int    // by piece, the zone or -1
	spots []uint64 // by piece, the spot
}

// departing notes where pieces lie that are about to move.
func (m *Machine) departing(c *cards, pieces []int64) {
	d := &m.leaving
	d.zone, d.seen, d.open, d.from, d.spots = -1, m.g.everyone, true, d.from[:0], d.spots[:0]
	for i, p := range pieces {
		zone := int(m.s[c.where+int(p)])
		d.from, d.spots = append(d.from, zone), append(d.spots, c.spotBit(m, int(p)))
		seen, open := int64(0), false
		if zone >= 0 {
			seen = c.zones[zone].viewers(m.g)
			open = c.zones[zone].decl.Seen == dsl.SeenAll
		}
		d.seen, d.open = d.seen&seen, d.open && open
		switch {
		case i == 0:
			d.zone = zone
		case zone != d.zone:
			d.zone = -1
		}
	}
}

// arrived tells of a move that was noted by departing.
func (m *Machine) arrived(in *instr, c *cards, pieces []int64, zone int, shuffled bool) {
	d := &m.leaving
	to := &c.zones[zone]
	if m.know != nil {
		m.know.moved(m, c, pieces, d, zone, shuffled)
	}
	if m.rec == nil || len(pieces) == 0 {
		return
	}
	r := Record{Kind: RecMove, Of: to.of, Zone: to.decl, Family: c.fam.Family,
		SeenBy: d.seen | to.viewers(m.g), Open: d.open || to.decl.Seen == dsl.SeenAll, FromOf: -1}
	for _, p := range pieces {
		r.Cards = append(r.Cards, int(p))
	}
	if d.zone >= 0 {
		r.From, r.FromOf = c.zones[d.zone].decl, c.zones[d.zone].of
	}
	m.record(in, r)
	if shuffled {
		m.record(in, Record{Kind: RecShuffle, Of: to.of, Zone: to.decl})
	}
}

// showCards shows pieces to some seats.
func (m *Machine) showCards(in *instr, sh *cardShow) {
	if m.rec == nil && m.know == nil {
		return
	}
	if sh.c == nil {
		m.showDice(in, sh)
		return
	}
	set, seats := sh.set(m), sh.seats(m)&m.g.everyone
	if m.know != nil {
		m.know.shown(m, sh, set, seats)
	}
	if m.rec == nil {
		return
	}
	r := Record{Kind: RecShow, Of: -1, Family: sh.c.fam.Family, SeenBy: seats, FromOf: -1}
	set.each(func(p int) { r.Cards = append(r.Cards, p) })
	m.record(in, r)
}

// showDice tells some seats what pieces with faces show.
func (m *Machine) showDice(in *instr, sh *cardShow) {
	if m.rec == nil {
		return
	}
	set := uint64(sh.dice(m))
	r := Record{Kind: RecShow, Of: -1, Family: sh.fam.Family, Pieces: set, SeenBy: sh.seats(m) & m.g.everyone, FromOf: -1}
	m.land()
	for u := set; u != 0; u &= u - 1 {
		r.Faces = append(r.Faces, m.s[sh.fam.faceSlot+bits.TrailingZeros64(u)])
	}
	m.record(in, r)
}

// publicLabel writes an action as those read it who may not see the pieces
// that it picks: pieces that it does not move into the open are only counted.
func (m *Machine) publicLabel(a *action) string {
	hidden := m.hiddenPicks(a)
	if len(hidden) == 0 {
		return m.label(a)
	}
	return m.labelWith(a, func(p *pick) string {
		if !hidden[p] {
			return m.pickText(p)
		}
		n, fam := 1, p.family
		if p.cards != nil {
			fam = p.cards.fam
		}
		switch {
		case p.room > 0:
			n = int(m.s[p.listAt])
		case m.s[p.slot] == dsl.None:
			return "none"
		case isWord(p.Local.Type):
			n = bits.OnesCount64(uint64(m.s[p.slot]))
		}
		return m.unseen(fam, n)
	})
}

// unseen writes so many pieces of which nothing can be seen.
func (m *Machine) unseen(fam *family, n int) string {
	return fmt.Sprintf("%d unseen %s", n, plural(n, singular(fam.Label()), fam.Label()))
}

// singular is the word for one of what a label names.
func singular(label string) string {
	if one, ok := strings.CutSuffix(label, "ies"); ok && len(one) > 2 {
		return one + "y"
	}
	if one, ok := strings.CutSuffix(label, "s"); ok && !strings.HasSuffix(one, "s") {
		return one
	}
	return label
}

// hiddenPicks are the picks of pieces that not everybody sees: they lie in a
// zone that is not open, and the script does not move them to one that is.
func (m *Machine) hiddenPicks(a *action) map[*pick]bool {
	var out map[*pick]bool
	for i := range a.picks {
		p := &a.picks[i]
		if !p.hidden || p.opened || p.blind {
			continue // of pieces picked blindly places are all that is said
		}
		if out == nil {
			out = map[*pick]bool{}
		}
		out[p] = true
	}
	return out
}

// secretly reports whether a decision that leaves one option would tell others,
// were it taken without a word, something about pieces that they do not see:
// there are several to choose of, and only who holds them knows why but one
// can be chosen.
func (m *Machine) secretly(a *ask) bool {
	for _, act := range a.actions {
		for i := range act.picks {
			p := &act.picks[i]
			if !p.hidden || p.blind {
				continue
			}
			n := 0
			err := m.quietly(func() {
				it := p.over(m)
				for _, ok := it.next(); ok; _, ok = it.next() {
					n++
				}
			})
			m.arena = m.arena[:0]
			if err != nil || n > 1 {
				return true
			}
		}
	}
	return false
}
