package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// What a seat knows of hidden pieces is more than it sees: what it gave away,
// what it was shown, and what follows from what others did in the open. For
// each piece the zones are kept where it may lie, from the moves alone.
//
//   - A move that a seat sees tells where the piece is. A move that it does not
//     see may have been that of any piece that may lie where the move began.
//   - Where nothing lies any more no piece can be.
//   - A guard that let a move pass only because somebody holds no piece of some
//     sort tells everybody that there is none of that sort.
//
// It is kept only for games that people play, or that somebody thinks about.

// knowledge is what all seats know.
type knowledge struct {
	fams map[*cards]*famKnowledge
}

// famKnowledge is what is known of one family: may[seat][piece] are the zones
// where a piece may lie, as bits by number; the last bit is away.
type famKnowledge struct {
	may [][]uint64
}

const away = 1 << 63

// Know makes the machine keep what seats know of hidden pieces from here on. By
// now they know what they see, and that all else lies in zones that they do
// not see and that are not empty. Games without hidden pieces, and those with
// more zones than can be kept, keep nothing.
func (m *Machine) Know() {
	m.know = nil
	for _, fam := range m.g.families {
		c := fam.cards
		if c == nil || !c.hides(m.g) || len(c.zones) > 62 {
			continue
		}
		if m.know == nil {
			m.know = &knowledge{fams: map[*cards]*famKnowledge{}}
		}
		f := &famKnowledge{may: make([][]uint64, m.g.people)}
		for s := range f.may {
			f.may[s] = make([]uint64, c.fam.count)
			unseen := c.unseen(m, s)
			for p := range f.may[s] {
				zone := int(m.s[c.where+p])
				if f.may[s][p] = zoneBit(zone); unseen&f.may[s][p] != 0 {
					f.may[s][p] = unseen
				}
			}
		}
		m.know.fams[c] = f
	}
}

// unseen are the zones in which pieces lie that a seat does not see, as bits.
func (c *cards) unseen(m *Machine, seat int) (zones uint64) {
	for p := range c.fam.count {
		zone := int(m.s[c.where+p])
		if zone < 0 || c.zones[zone].viewers(m.g)>>uint(seat)&1 == 0 {
			zones |= zoneBit(zone)
		}
	}
	return zones
}

// hides reports whether some zone is not seen by all.
func (c *cards) hides(g *Game) bool {
	for i := range c.zones {
		if c.zones[i].viewers(g) != g.everyone {
			return true
		}
	}
	return false
}

// Hides reports whether some pieces of the game are not seen by everybody.
func (g *Game) Hides() bool {
	for _, f := range g.families {
		if f.cards != nil && f.cards.hides(g) {
			return true
		}
	}
	return false
}

func zoneBit(zone int) uint64 {
	if zone < 0 {
		return away
	}
	return 1 << uint(zone)
}

// moved takes note of a move, which is done: from are the zones where the
// pieces lay.
func (k *knowledge) moved(m *Machine, c *cards, pieces []int64, from []int, to int) {
	f := k.fams[c]
	if f == nil {
		return
	}
	sees := c.zones[to].viewers(m.g)
	for i, p := range pieces {
		seen := sees
		if from[i] >= 0 {
			seen |= c.zones[from[i]].viewers(m.g)
		}
		f.one(m, int(p), from[i], to, seen)
	}
	f.emptied(m, c)
}

// one takes note of the move of one piece, which some seats see.
func (f *famKnowledge) one(m *Machine, piece, from, to int, seen int64) {
	a, b := zoneBit(from), zoneBit(to)
	for s := range f.may {
		if seen>>uint(s)&1 != 0 {
			f.may[s][piece] = b
			continue
		}
		for q := range f.may[s] {
			if f.may[s][q]&a != 0 {
				f.may[s][q] |= b
			}
		}
	}
}

// emptied takes note that nothing can lie in a zone that is empty.
func (f *famKnowledge) emptied(m *Machine, c *cards) {
	empty := uint64(0)
	for z := range c.zones {
		if c.set(m, z).empty() {
			empty |= 1 << uint(z)
		}
	}
	for s := range f.may {
		for q := range f.may[s] {
			f.may[s][q] &^= empty
		}
	}
}

// shown takes note of pieces that were shown to some seats.
func (k *knowledge) shown(m *Machine, sh *cardShow, set set128, seats int64) {
	f := k.fams[sh.c]
	if f == nil {
		return
	}
	for s := range f.may {
		if seats>>uint(s)&1 == 0 {
			continue
		}
		whole := uint64(0) // zones of which all was shown
		for z := range sh.c.zones {
			if of := sh.c.set(m, z); !of.empty() && of.andNot(set).empty() {
				whole |= 1 << uint(z)
			}
		}
		for q := range f.may[s] {
			if set.has(q) {
				f.may[s][q] = zoneBit(int(m.s[sh.c.where+q]))
			} else {
				f.may[s][q] &^= whole
			}
		}
	}
}

// holding is a part of a guard that says what somebody holds: none of some
// sort, or nothing else.
type holding struct {
	zone *dsl.Expr
	sort sieve
	all  bool
	c    *cards
	at   fn // number of the zone
}

// residue is a guard of which at least one part must hold, some of them about
// what the seat that is asked holds.
type residue struct {
	open    []fn
	holding []holding
}

// residues finds the guards of an action that may tell what somebody holds.
func (c *coder) residues(a *action) (out []residue) {
	for _, p := range a.picks {
		if p.cards != nil && hiddenSource(p.List) && !opensPick(a.Do, p.Local) {
			return nil // nobody sees what was picked, so nothing follows from it
		}
	}
	for _, g := range a.Require {
		var r residue
		c.parts(g.That, &r)
		if len(r.holding) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// parts takes a guard apart at its `or`.
func (c *coder) parts(e *dsl.Expr, r *residue) {
	if e.Op == dsl.OpOr {
		c.parts(e.Args[0], r)
		c.parts(e.Args[1], r)
		return
	}
	if (e.Op == dsl.OpNone || e.Op == dsl.OpAll) && e.Args[0].Op == dsl.OpZone && isCards(e.Args[0].Type) && hiddenSource(e.Args[0]) {
		r.holding = append(r.holding, holding{zone: e.Args[0], sort: c.sieve(e.Ref.(*dsl.Local), e.Args[1]),
			all: e.Op == dsl.OpAll, c: c.cardsOf(e.Args[0].Type), at: c.zoneNumber(e.Args[0]).f})
		return
	}
	r.open = append(r.open, c.expr(e).f)
}

// answered takes note of what follows from an action that was taken in the
// open; its picks lie in their slots, and nothing has moved yet.
func (k *knowledge) answered(m *Machine, a *action) {
	for i := range a.residues {
		r := &a.residues[i]
		if len(r.holding) != 1 {
			continue // which of several parts held, others cannot tell
		}
		told := true
		err := m.quietly(func() {
			for _, f := range r.open {
				told = told && f(m) == 0
			}
		})
		if !told || err != nil {
			continue
		}
		h := &r.holding[0]
		f := k.fams[h.c]
		if f == nil {
			continue
		}
		gone := h.sort.f(m, h.c.all)
		if h.all {
			gone = h.c.all.andNot(gone)
		}
		zone := zoneBit(int(h.at(m)))
		for s := range f.may {
			gone.each(func(p int) {
				if f.may[s][p] != zone { // one that is played just now was there
					f.may[s][p] &^= zone
				}
			})
		}
	}
	m.arena = m.arena[:0]
}

// Imagine lays the pieces that a seat cannot know otherwise, at random, but so
// that all that the seat knows holds; the machine is then one of the games that
// the seat may be in. Whoever thinks for a seat does it on a clone that was
// imagined anew. Answers that others have given in secret are given anew too.
func (m *Machine) Imagine(of *Machine, seat int, r *Rand) {
	for _, fam := range m.g.families {
		if of.know == nil || fam.cards == nil {
			continue
		}
		if f := of.know.fams[fam.cards]; f != nil {
			fam.cards.deal(m, f.may[seat], r)
		}
	}
	m.opts.valid = false
	m.faces++
	m.imagineAnswers(seat, r)
}

// deal lays pieces that may lie in several zones at random.
func (c *cards) deal(m *Machine, may []uint64, r *Rand) {
	room := make([]int, len(c.zones)) // places for pieces that are not known
	var loose []int
	for p := range c.fam.count {
		if zone := m.s[c.where+p]; bits.OnesCount64(may[p]) > 1 && zone >= 0 {
			loose = append(loose, p)
			room[zone]++
		}
	}
	to := c.match(loose, may, room, r)
	if to == nil {
		return
	}
	c.exchange(m, loose, to, r)
}

// match finds a zone for each piece, at random: a piece that finds no room
// makes another one go elsewhere. It returns nil if that cannot be done, which
// would be a mistake in what is known.
func (c *cards) match(loose []int, may []uint64, room []int, r *Rand) []int {
	order := make([]int, len(loose))
	for i := range order {
		order[i] = i
	}
	shuffleInts(order, r)
	to := make([]int, len(loose))
	for i := range to {
		to[i] = -1
	}
	for _, i := range order {
		if !c.seatPiece(i, loose, may, room, to, r, make([]bool, len(c.zones))) {
			return nil
		}
	}
	return to
}

func (c *cards) seatPiece(i int, loose []int, may []uint64, room []int, to []int, r *Rand, tried []bool) bool {
	var zones []int
	for z := range c.zones {
		if may[loose[i]]>>uint(z)&1 != 0 && !tried[z] {
			zones = append(zones, z)
		}
	}
	weights(zones, room, r)
	for _, z := range zones {
		if room[z] > 0 {
			room[z]--
			to[i] = z
			return true
		}
	}
	for _, z := range zones {
		tried[z] = true
		others := []int{}
		for k := range to {
			if to[k] == z {
				others = append(others, k)
			}
		}
		shuffleInts(others, r)
		for _, k := range others {
			if c.seatPiece(k, loose, may, room, to, r, tried) {
				to[i] = z
				return true
			}
		}
	}
	return false
}

// weights orders zones at random, those with more room more likely first.
func weights(zones []int, room []int, r *Rand) {
	for i := range zones {
		total := 0
		for _, z := range zones[i:] {
			total += room[z]
		}
		k := i
		if total > 0 {
			for at := int(r.Below(uint64(total))); ; k++ {
				if at -= room[zones[k]]; at < 0 {
					break
				}
			}
		} else {
			k += int(r.Below(uint64(len(zones) - i)))
		}
		zones[i], zones[k] = zones[k], zones[i]
	}
}

func shuffleInts(xs []int, r *Rand) {
	for i := len(xs) - 1; i > 0; i-- {
		k := int(r.Below(uint64(i + 1)))
		xs[i], xs[k] = xs[k], xs[i]
	}
}

// exchange puts pieces into other zones, at the places of those that leave
// them.
func (c *cards) exchange(m *Machine, loose, to []int, r *Rand) {
	isLoose := map[int64]bool{}
	into := make([][]int64, len(c.zones))
	for i, p := range loose {
		isLoose[int64(p)] = true
		into[to[i]] = append(into[to[i]], int64(p))
	}
	for z := range c.zones {
		s := c.set(m, z)
		for _, p := range loose {
			s = s.andNot(single(p))
		}
		for _, p := range into[z] {
			s = s.or(single(int(p)))
			m.s[c.where+int(p)] = int64(z)
		}
		c.putSet(m, z, s)
		if c.zones[z].list == 0 {
			continue
		}
		for i := len(into[z]) - 1; i > 0; i-- {
			k := int(r.Below(uint64(i + 1)))
			into[z][i], into[z][k] = into[z][k], into[z][i]
		}
		l, next := c.list(m, z), 0
		for i, p := range l {
			if isLoose[p] {
				l[i] = into[z][next]
				next++
			}
		}
	}
}
