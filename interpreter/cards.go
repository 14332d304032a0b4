package interpreter

import (
	"fmt"

	"github.com/houserules/houserules/dsl"
)

// Pieces without faces, such as cards, lie in zones that are lists. A zone
// keeps the set of its pieces; only where a rule in force looks at the order
// (order.go) does it keep the list too. A zone that is dealt from, and whose
// order nobody looks at, is never shuffled: which piece comes is drawn when it
// comes. Where each piece lies, and what is written on it, has slots by piece.

// MaxCards is the most pieces of a family without faces: see set128.
const MaxCards = 128

// cards is a family without faces.
type cards struct {
	fam    *family
	all    set128
	where  int // slot where+piece is the number of its zone, or -1
	words  int // slots words+2*zone and the next one are the set of a zone
	zones  []cardZone
	number map[*dsl.Zone]int // of the zone of seat 0, among zones
	marks  map[*dsl.Mark]*cardMark
	lots   []*dsl.Lot // by piece; nil where there are no kinds
	like   []set128   // sets of two pieces or more that are alike
	manies set128     // all pieces in them
	sorts  map[*dsl.Attr]*attrSets
	lists  map[*dsl.Attr][][]int64 // values of attributes that are lists, by piece
	place  int                     // slot place+piece is the number of its place, or 0; 0 if no zone has places
}

// cardZone is one zone, or that of one seat.
type cardZone struct {
	decl *dsl.Zone
	of   int // seat, or -1
	list int // slot of the length of its list, the pieces behind it; 0 if it keeps none
	// places is how many places the zone has, for one piece each; 0 if it has
	// none. spots is the slot of the first: its piece, or -1.
	places int
	spots  int
	spot   int // number of its first spot, for what seats know
	bag    int // slot that is 1 if its pieces lie in random order; 0 if nothing is dealt from it
}

// cardMark is a mark of a family.
type cardMark struct {
	*dsl.Mark
	values int // slot values+piece is what is written on it, or dsl.None
	sets   int // slots sets+2*option and the next one: the pieces marked so; 0 if the mark is no option
	never  int // slots never and the next one: the pieces on which it was never written, if there are sets
}

// attrSets are the sets of pieces by the value of an attribute.
type attrSets struct {
	lo    int64    // the least value
	by    []set128 // by value-lo
	none  set128   // pieces that have none
	below []set128 // below[v-lo] are those with less than v
}

// with returns the pieces that have a value, or none.
func (a *attrSets) with(v int64) set128 {
	if i := uint64(v - a.lo); i < uint64(len(a.by)) {
		return a.by[i]
	}
	if v == dsl.None {
		return a.none
	}
	return set128{}
}

// less returns the pieces that have a value below v.
func (a *attrSets) less(v int64) set128 {
	switch i := v - a.lo; {
	case i <= 0:
		return set128{}
	case i >= int64(len(a.below)):
		return a.below[len(a.below)-1]
	default:
		return a.below[i]
	}
}

// maxSorted bounds the span of values for which sets are kept.
const maxSorted = 4096

func newAttrSets(values []int64) *attrSets {
	a := &attrSets{}
	first := true
	hi := int64(0)
	for p, v := range values {
		if v == dsl.None {
			a.none = a.none.or(single(p))
			continue
		}
		if first || v < a.lo {
			a.lo = v
		}
		if first || v > hi {
			hi = v
		}
		first = false
	}
	if uint64(hi-a.lo) >= maxSorted {
		return nil
	}
	a.by, a.below = make([]set128, hi-a.lo+1), make([]set128, hi-a.lo+2)
	for p, v := range values {
		if v != dsl.None {
			a.by[v-a.lo] = a.by[v-a.lo].or(single(p))
		}
	}
	for i := range a.by {
		a.below[i+1] = a.below[i].or(a.by[i])
	}
	return a
}

// placeCards reserves the slots of a family without faces.
func (g *Game) placeCards(fam *family, order *orderUses) error {
	c := &cards{fam: fam, number: map[*dsl.Zone]int{}, marks: map[*dsl.Mark]*cardMark{},
		sorts: map[*dsl.Attr]*attrSets{}, lists: map[*dsl.Attr][][]int64{}}
	fam.cards = c
	if err := g.countCards(fam); err != nil {
		return err
	}
	c.all = firstOf(fam.count)
	c.where = g.slots.take(fam.count)
	for _, z := range g.prog.Zones {
		if z.Family != fam.Family {
			continue
		}
		c.number[z] = len(c.zones)
		n := 1
		if z.Each {
			n = g.seats
		}
		for i := range n {
			cz := cardZone{decl: z, of: -1}
			if z.Each {
				cz.of = i
			}
			if z.Places != nil {
				if err := g.reservePlaces(c, &cz); err != nil {
					return err
				}
			} else if order.zones[z] {
				cz.list = g.slots.take(1 + fam.count)
			} else if order.dealt[z] {
				cz.bag = g.slots.take(1)
			}
			c.zones = append(c.zones, cz)
		}
	}
	c.words = g.slots.take(2 * len(c.zones))
	for _, m := range fam.Marks {
		cm := &cardMark{Mark: m, values: g.slots.take(fam.count)}
		if m.Type.Kind == dsl.KOption {
			cm.sets = g.slots.take(2 * len(m.Type.Enum.Values))
			cm.never = g.slots.take(2)
		}
		c.marks[m] = cm
	}
	return g.cardAttributes(fam)
}

// countCards finds out which pieces there are.
func (g *Game) countCards(fam *family) error {
	if len(fam.Kinds) == 0 {
		n, err := g.constant(fam.Count)
		if err != nil {
			return err
		}
		if n < 1 || n > MaxCards {
			return &Fault{Message: fmt.Sprintf("`%s` has %d pieces; there may be 1 to %d", fam.Name, n, MaxCards), Span: fam.Family.Count.Span}
		}
		fam.count = int(n)
		return nil
	}
	for _, k := range fam.Kinds {
		for _, lot := range k.Lots {
			n, err := g.constant(lot.Count)
			if err != nil {
				return err
			}
			if n < 0 || n > MaxCards || len(fam.cards.lots)+int(n) > MaxCards {
				return &Fault{Message: fmt.Sprintf("`%s` has more than %d pieces", fam.Name, MaxCards), Span: lot.Count.Span}
			}
			for range n {
				fam.cards.lots = append(fam.cards.lots, lot)
			}
		}
	}
	fam.count = len(fam.cards.lots)
	if fam.count == 0 {
		return &Fault{Message: fmt.Sprintf("`%s` has no pieces", fam.Name), Span: fam.Info.Span}
	}
	return nil
}

// cardAttributes works out the attributes of each piece, in their order.
func (g *Game) cardAttributes(fam *family) error {
	c := fam.cards
	for _, a := range fam.Attrs {
		list := a.Type.Kind == dsl.KList
		values := make([]int64, fam.count)
		lists := make([][]int64, fam.count)
		g.attrValues[a] = values // formulas of later pieces never read those not yet there
		c.lists[a] = lists
		for p := range fam.count {
			e, err := g.cardValue(fam, a, p)
			switch {
			case err != nil:
				return err
			case list:
				lists[p], err = g.constantList(e.e, e.it, p)
			case e.e == nil:
				values[p] = e.value
			default:
				values[p], err = g.constantWith(e.e, e.it, int64(p))
			}
			if err != nil {
				return err
			}
		}
		if list {
			delete(g.attrValues, a)
			continue
		}
		delete(c.lists, a)
		if s := newAttrSets(values); s != nil {
			c.sorts[a] = s
		}
	}
	g.cardsAlike(fam)
	return nil
}

// cardFormula is what an attribute of a piece is: a formula over the piece, or
// a value.
type cardFormula struct {
	e     *dsl.Expr
	it    *dsl.Local
	value int64
}

func (g *Game) cardValue(fam *family, a *dsl.Attr, piece int) (cardFormula, error) {
	lots := fam.cards.lots
	switch {
	case a.IsKind:
		for i, k := range fam.Kinds {
			if lots[piece].Kind == k {
				return cardFormula{value: int64(i)}, nil
			}
		}
	case lots != nil:
		if e := lots[piece].Values[a]; e != nil {
			return cardFormula{e: e}, nil
		}
		return cardFormula{e: a.Formula, it: a.It}, nil
	case a.Formula != nil:
		v, err := g.constantWith(a.Formula, a.Number, int64(piece+1))
		return cardFormula{value: v}, err
	case piece < len(a.Values):
		return cardFormula{value: a.Values[piece]}, nil
	}
	return cardFormula{}, &Fault{Message: fmt.Sprintf("`%s` has %d values for %d pieces", a.Name, len(a.Values), fam.count), Span: a.Span}
}

// cardsAlike gathers the pieces that agree in all attributes.
func (g *Game) cardsAlike(fam *family) {
	c := fam.cards
	index := map[string]int{}
	var sets []set128
	for p := range fam.count {
		var sig []int64
		for _, a := range fam.Attrs {
			if vs := g.attrValues[a]; vs != nil {
				sig = append(sig, vs[p])
			} else {
				sig = append(append(sig, int64(len(c.lists[a][p]))), c.lists[a][p]...)
			}
		}
		k := signature(sig)
		i, ok := index[k]
		if !ok {
			i = len(sets)
			index[k] = i
			sets = append(sets, set128{})
		}
		sets[i] = sets[i].or(single(p))
	}
	for _, s := range sets {
		if s.len() > 1 {
			c.like = append(c.like, s)
			c.manies = c.manies.or(s)
		}
	}
}

// apart returns one piece, the first, of each lot of pieces in a set that are
// alike.
func (c *cards) apart(s set128) set128 {
	many := s.and(c.manies)
	if many.empty() || many.rest().empty() {
		return s
	}
	for i := range c.like {
		of := many.and(c.like[i])
		if of.empty() {
			continue
		}
		s = s.andNot(of.rest())
		if many = many.andNot(of); many.empty() {
			break
		}
	}
	return s
}

// alike returns the pieces that agree with a piece in all attributes, itself
// included.
func (c *cards) alike(piece int) set128 {
	for _, s := range c.like {
		if s.has(piece) {
			return s
		}
	}
	return single(piece)
}

// set returns the pieces of a zone.
func (c *cards) set(m *Machine, zone int) set128 {
	at := c.words + 2*zone
	return set128{uint64(m.s[at]), uint64(m.s[at+1])}
}

func (c *cards) putSet(m *Machine, zone int, s set128) {
	at := c.words + 2*zone
	m.s[at], m.s[at+1] = int64(s.lo), int64(s.hi)
}

// list returns the pieces of a zone that keeps a list, in order. It is a part
// of the state.
func (c *cards) list(m *Machine, zone int) []int64 {
	at := c.zones[zone].list
	n := int(m.s[at])
	return m.s[at+1 : at+1+n]
}

// inOrder appends the pieces of a zone, in its order.
func (c *cards) inOrder(m *Machine, zone int, out []int64) []int64 {
	z := &c.zones[zone]
	if z.list > 0 {
		return append(out, c.list(m, zone)...)
	}
	if z.places > 0 {
		for _, p := range m.s[z.spots : z.spots+z.places] {
			if p >= 0 {
				out = append(out, p)
			}
		}
		return out
	}
	for s := c.set(m, zone); !s.empty(); s = s.rest() {
		out = append(out, int64(s.lowest()))
	}
	return out
}

// goTo puts one piece into a zone, last, out of where it lies.
func (c *cards) goTo(m *Machine, piece, zone int) {
	c.leave(m, piece)
	s := m.s
	s[c.where+piece] = int64(zone)
	at := c.words + 2*zone + piece>>6
	s[at] |= 1 << uint(piece&63)
	if list := c.zones[zone].list; list > 0 {
		n := s[list]
		s[list+1+int(n)] = int64(piece)
		s[list] = n + 1
	} else if c.zones[zone].places > 0 {
		c.putAt(m, piece, zone, c.free(m, zone, 0))
	}
}

// goOnTop is goTo with the piece before all others.
func (c *cards) goOnTop(m *Machine, piece, zone int) {
	c.goTo(m, piece, zone)
	if c.zones[zone].list > 0 {
		l := c.list(m, zone)
		copy(l[1:], l[:len(l)-1])
		l[0] = int64(piece)
	}
}

// leave takes a piece out of where it lies.
func (c *cards) leave(m *Machine, piece int) {
	s := m.s
	from := s[c.where+piece]
	if from < 0 {
		return
	}
	s[c.where+piece] = -1
	at := c.words + 2*int(from) + piece>>6
	s[at] &^= 1 << uint(piece&63)
	if z := &c.zones[from]; z.list > 0 {
		c.unlist(m, int(from), int64(piece))
	} else if z.places > 0 {
		s[z.spots+int(s[c.place+piece])-1] = -1
		s[c.place+piece] = 0
	}
}

func (c *cards) unlist(m *Machine, zone int, piece int64) {
	at := c.zones[zone].list
	l := c.list(m, zone)
	for i, p := range l {
		if p == piece {
			copy(l[i:], l[i+1:])
			break
		}
	}
	m.s[at]--
}

// gather puts a whole family into one zone, in its order.
func (c *cards) gather(m *Machine, zone int) {
	s := m.s
	if c.place > 0 {
		for p := range c.fam.count {
			c.goTo(m, p, zone)
		}
		return
	}
	for z := range c.zones {
		c.putSet(m, z, set128{})
		if at := c.zones[z].list; at > 0 {
			s[at] = 0
		}
	}
	c.putSet(m, zone, c.all)
	where := s[c.where : c.where+c.fam.count]
	for p := range where {
		where[p] = int64(zone)
	}
	if at := c.zones[zone].list; at > 0 {
		s[at] = int64(c.fam.count)
		for p := range c.fam.count {
			s[at+1+p] = int64(p)
		}
	}
}

// empty puts all pieces of a zone into another one, last, in their order.
func (c *cards) empty(m *Machine, from, to int) {
	if from == to {
		return
	}
	if c.place > 0 {
		at := len(m.arena)
		m.arena = c.inOrder(m, from, m.arena)
		for _, p := range m.arena[at:] {
			c.goTo(m, int(p), to)
		}
		m.arena = m.arena[:at]
		return
	}
	s := m.s
	of := c.set(m, from)
	if at := c.zones[to].list; at > 0 {
		n := s[at]
		for _, p := range c.inOrder(m, from, m.arena) {
			n++
			s[at+int(n)] = p
		}
		s[at] = n
	}
	for left := of; !left.empty(); left = left.rest() {
		s[c.where+left.lowest()] = int64(to)
	}
	c.putSet(m, to, c.set(m, to).or(of))
	c.putSet(m, from, set128{})
	if at := c.zones[from].list; at > 0 {
		s[at] = 0
	}
}

// write writes a mark on a piece.
func (cm *cardMark) write(m *Machine, piece int, v int64) {
	s := m.s
	if cm.sets > 0 {
		word, bit := piece>>6, int64(1)<<uint(piece&63)
		if old := s[cm.values+piece]; old != dsl.None {
			s[cm.sets+2*int(old)+word] &^= bit
		} else {
			s[cm.never+word] &^= bit
		}
		if v != dsl.None {
			s[cm.sets+2*int(v)+word] |= bit
		} else {
			s[cm.never+word] |= bit
		}
	}
	s[cm.values+piece] = v
}

// begin puts the family where it is before a game: all away, nothing marked.
func (c *cards) begin(m *Machine) {
	for _, cm := range c.marks {
		if cm.sets > 0 {
			m.s[cm.never], m.s[cm.never+1] = int64(c.all.lo), int64(c.all.hi)
		}
	}
	for p := range c.fam.count {
		m.s[c.where+p] = -1
		for _, cm := range c.marks {
			m.s[cm.values+p] = dsl.None
		}
	}
	for i := range c.zones {
		z := &c.zones[i]
		for k := range z.places {
			m.s[z.spots+k] = -1
		}
	}
}
