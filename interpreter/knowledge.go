package interpreter

import (
	"cmp"
	"math/bits"
	"slices"

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

// famKnowledge is what is known of one family: may[seat][piece] are the spots
// where a piece may lie, as bits by number; the last bit is away. A spot is a
// zone, or one place of a zone that has places.
type famKnowledge struct {
	may  [][]uint64
	last [][]int64 // last[seat][piece] is when the seat last knew it to go somewhere, or was shown it; 0 for never
	now  int64     // counts what happens
}

const away = 1 << 63

// maxSpots is the most spots of a family of which knowledge is kept.
const maxSpots = 62

// numberSpots gives each zone the number of its first spot, and returns how
// many spots there are.
func (c *cards) numberSpots() (n int) {
	for i := range c.zones {
		c.zones[i].spot = n
		n += max(c.zones[i].places, 1)
	}
	return n
}

// spotBit is the spot where a piece lies.
func (c *cards) spotBit(m *Machine, piece int) uint64 {
	zone := m.s[c.where+piece]
	if zone < 0 {
		return away
	}
	z := &c.zones[zone]
	if z.places > 0 {
		return 1 << uint(z.spot+int(m.s[c.place+piece])-1)
	}
	return 1 << uint(z.spot)
}

// spotsOf are all spots of a zone.
func (z *cardZone) spotsOf() uint64 {
	return (1<<uint(max(z.places, 1)) - 1) << uint(z.spot)
}

// filled are the spots at which pieces lie, of those that have room for one all
// that are not free.
func (c *cards) filled(m *Machine) (spots uint64) {
	for p := range c.fam.count {
		spots |= c.spotBit(m, p)
	}
	return spots
}

// Know makes the machine keep what seats know of hidden pieces from here on. By
// now they know what they see, and that all else lies in zones that they do
// not see and that are not empty. Games without hidden pieces, and those with
// more zones than can be kept, keep nothing.
func (m *Machine) Know() {
	m.know = nil
	for _, fam := range m.g.families {
		c := fam.cards
		if c == nil || !c.hides(m.g) || c.numberSpots() > maxSpots {
			continue
		}
		if m.know == nil {
			m.know = &knowledge{fams: map[*cards]*famKnowledge{}}
		}
		f := &famKnowledge{may: make([][]uint64, m.g.people)}
		for s := range f.may {
			f.may[s] = make([]uint64, c.fam.count)
			f.last = append(f.last, make([]int64, c.fam.count))
			unseen := c.unseen(m, s)
			for p := range f.may[s] {
				if f.may[s][p] = c.spotBit(m, p); unseen&f.may[s][p] != 0 {
					f.may[s][p] = unseen
				}
			}
		}
		m.know.fams[c] = f
	}
}

// unseen are the spots at which pieces lie that a seat does not see.
func (c *cards) unseen(m *Machine, seat int) (spots uint64) {
	for p := range c.fam.count {
		zone := int(m.s[c.where+p])
		if zone < 0 || c.zones[zone].viewers(m.g)>>uint(seat)&1 == 0 {
			spots |= c.spotBit(m, p)
		}
	}
	return spots
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
	for _, z := range g.prog.Zones {
		if z.Seen != dsl.SeenAll {
			return true
		}
	}
	return false
}

// moved takes note of a move, which is done: from are the zones where the
// pieces lay, and spots the spots. Of pieces that were put at random places
// nobody who does not see them knows which went where.
func (k *knowledge) moved(m *Machine, c *cards, pieces []int64, d *departure, to int, random bool) {
	f := k.fams[c]
	if f == nil {
		return
	}
	z := &c.zones[to]
	sees := z.viewers(m.g)
	anywhere := uint64(0)
	if random && z.places > 0 {
		for _, p := range pieces {
			anywhere |= c.spotBit(m, int(p))
		}
	}
	f.now++
	for i, p := range pieces {
		seen, into := sees, c.spotBit(m, int(p))
		if d.from[i] >= 0 {
			seen |= c.zones[d.from[i]].viewers(m.g)
		}
		f.one(int(p), d.spots[i], into, anywhere, seen, sees)
	}
	f.emptied(m, c)
	if z.places > 0 {
		f.taken(z)
	}
}

// one takes note of the move of one piece: seen are the seats that know which
// one it is, sees those that see where it has gone. anywhere are the spots to
// which it may have gone for all others; 0 if that is open to all.
func (f *famKnowledge) one(piece int, from, to, anywhere uint64, seen, sees int64) {
	for s := range f.may {
		into := to
		if anywhere != 0 && sees>>uint(s)&1 == 0 {
			into = anywhere
		}
		if seen>>uint(s)&1 != 0 {
			f.may[s][piece], f.last[s][piece] = into, f.now
			continue
		}
		for q := range f.may[s] {
			if f.may[s][q]&from != 0 {
				f.may[s][q] |= into
			}
		}
	}
}

// emptied takes note that nothing can lie where nothing is.
func (f *famKnowledge) emptied(m *Machine, c *cards) {
	filled := c.filled(m)
	for s := range f.may {
		for q := range f.may[s] {
			f.may[s][q] &= filled
		}
	}
}

// taken takes note that where a piece is known to lie, at a place of a zone, no
// other one can.
func (f *famKnowledge) taken(z *cardZone) {
	spots := z.spotsOf()
	for s := range f.may {
		known := uint64(0)
		for _, may := range f.may[s] {
			if may&(may-1) == 0 {
				known |= may & spots
			}
		}
		if known == 0 {
			continue
		}
		for q, may := range f.may[s] {
			if may&(may-1) != 0 {
				f.may[s][q] &^= known
			}
		}
	}
}

// shown takes note of pieces that were shown to some seats.
func (k *knowledge) shown(m *Machine, sh *cardShow, set set128, seats int64) {
	c := sh.c
	f := k.fams[c]
	if f == nil {
		return
	}
	f.now++
	whole := uint64(0) // zones of which all was shown
	for z := range c.zones {
		if of := c.set(m, z); !of.empty() && of.andNot(set).empty() {
			whole |= c.zones[z].spotsOf()
		}
	}
	for s := range f.may {
		if seats>>uint(s)&1 == 0 {
			continue
		}
		for q := range f.may[s] {
			if set.has(q) {
				f.may[s][q], f.last[s][q] = c.spotBit(m, q), f.now
			} else {
				f.may[s][q] &^= whole
			}
		}
	}
	for z := range c.zones {
		if c.zones[z].places > 0 {
			f.taken(&c.zones[z])
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
		if p.hidden && !p.opened {
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
	if (e.Op == dsl.OpNone || e.Op == dsl.OpAll) && e.Args[0].Op == dsl.OpZone && isCards(e.Args[0].Type) && e.Args[0].Ref.(*dsl.Zone).Seen != dsl.SeenAll {
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
		zone := h.c.zones[h.at(m)].spotsOf()
		for s := range f.may {
			gone.each(func(p int) {
				if f.may[s][p]&^zone != 0 { // one that is played just now was there
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
			fam.cards.deal(m, f.recalled(m, fam.cards, seat), r)
		}
	}
	m.imagineDice(seat, r)
	m.opts.valid = false
	m.faces++
	if in := &m.g.code[m.s[slotPC]]; in.op == opAsk && in.x.(*ask).sealed != nil {
		in.x.(*ask).sealed.redraw(m, seat, r)
	}
}

// memory works out how many pieces bots remember.
func (g *Game) memory() error {
	g.remember = -1
	if g.prog.Remember == nil {
		return nil
	}
	n, err := g.constant(g.prog.Remember)
	if err != nil {
		return err
	}
	g.remember = int(min(max(n, 0), MaxCards))
	return nil
}

// recalled is where pieces may lie for a seat that remembers only so many of
// those that it does not see: the last that it has seen.
func (f *famKnowledge) recalled(m *Machine, c *cards, seat int) []uint64 {
	may := f.may[seat]
	if m.g.remember < 0 {
		return may
	}
	unseen := c.unseen(m, seat)
	var known []int // pieces that it does not see, and knows
	for p := range may {
		if may[p]&(may[p]-1) == 0 && may[p]&unseen != 0 {
			known = append(known, p)
		}
	}
	if len(known) <= m.g.remember {
		return may
	}
	slices.SortStableFunc(known, func(p, q int) int { return cmp.Compare(f.last[seat][q], f.last[seat][p]) })
	taken := uint64(0)
	for _, p := range known[:m.g.remember] {
		if z := c.zones[c.zoneOfSpot(bits.TrailingZeros64(may[p]))]; z.places > 0 {
			taken |= may[p] // no other piece lies there
		}
	}
	out := slices.Clone(may)
	for p := range out {
		if out[p]&unseen != 0 && !slices.Contains(known[:m.g.remember], p) {
			out[p] = unseen &^ taken
		}
	}
	return out
}

// imagineDice throws anew what a seat does not see of pieces with faces.
func (m *Machine) imagineDice(seat int, r *Rand) {
	for _, z := range m.g.prog.Zones {
		fam := m.g.families[z.Family]
		if fam.cards != nil || z.Seen == dsl.SeenAll {
			continue
		}
		n := 1
		if z.Each {
			n = m.g.seats
		}
		for i := range n {
			of := -1
			if z.Each {
				of = i
			}
			if sees(z.Seen, of, seat) {
				continue
			}
			set := uint64(m.s[m.g.zoneSlot[z]+i])
			faces := make([]int64, bits.OnesCount64(set))
			for k := range faces {
				faces[k] = fam.sides[r.Below(uint64(len(fam.sides)))]
			}
			m.setFaces(fam, set, faces)
		}
	}
}

// deal lays pieces that may lie at several spots at random.
func (c *cards) deal(m *Machine, may []uint64, r *Rand) {
	room := make([]int, c.numberSpots()) // for pieces that are not known
	var loose []int
	for p := range c.fam.count {
		if spot := c.spotBit(m, p); bits.OnesCount64(may[p]) > 1 && spot != away {
			loose = append(loose, p)
			room[bits.TrailingZeros64(spot)]++
		}
	}
	to := matchSpots(loose, may, room, r)
	if to == nil {
		return
	}
	c.exchange(m, loose, to, r)
}

// matchSpots finds a spot for each piece, at random: a piece that finds no room
// makes another one go elsewhere. It returns nil if that cannot be done, which
// would be a mistake in what is known.
func matchSpots(loose []int, may []uint64, room []int, r *Rand) []int {
	order := make([]int, len(loose))
	for i := range order {
		order[i] = i
	}
	shuffleInts(order, r)
	x := &matching{loose: loose, may: may, room: room, to: make([]int, len(loose)), r: r}
	for i := range x.to {
		x.to[i] = -1
	}
	for _, i := range order {
		if !x.seat(i, make([]bool, len(room))) {
			return nil
		}
	}
	return x.to
}

// matching is a way to lay pieces that is being looked for.
type matching struct {
	loose []int    // the pieces
	may   []uint64 // by piece, where it can lie
	room  []int    // by spot, for how many there is room yet
	to    []int    // by piece among loose, its spot, or -1
	r     *Rand
}

// seat finds a spot for a piece. tried are spots that need not be tried again.
func (x *matching) seat(i int, tried []bool) bool {
	var spots []int
	for s := range x.room {
		if x.may[x.loose[i]]>>uint(s)&1 != 0 && !tried[s] {
			spots = append(spots, s)
		}
	}
	x.order(spots)
	for _, s := range spots {
		if x.room[s] > 0 {
			x.room[s]--
			x.to[i] = s
			return true
		}
	}
	for _, s := range spots {
		tried[s] = true
		var others []int
		for k := range x.to {
			if x.to[k] == s {
				others = append(others, k)
			}
		}
		shuffleInts(others, x.r)
		for _, k := range others {
			if x.seat(k, tried) {
				x.to[i] = s
				return true
			}
		}
	}
	return false
}

// order puts spots in a random order, those with more room more likely first.
func (x *matching) order(spots []int) {
	for i := range spots {
		total := 0
		for _, s := range spots[i:] {
			total += x.room[s]
		}
		k := i
		if total > 0 {
			for at := int(x.r.Below(uint64(total))); ; k++ {
				if at -= x.room[spots[k]]; at < 0 {
					break
				}
			}
		} else {
			k += int(x.r.Below(uint64(len(spots) - i)))
		}
		spots[i], spots[k] = spots[k], spots[i]
	}
}

func shuffleInts(xs []int, r *Rand) {
	for i := len(xs) - 1; i > 0; i-- {
		k := int(r.Below(uint64(i + 1)))
		xs[i], xs[k] = xs[k], xs[i]
	}
}

// exchange puts pieces at other spots; in lists at the places of those that
// leave them.
func (c *cards) exchange(m *Machine, loose, to []int, r *Rand) {
	isLoose := map[int64]bool{}
	into := make([][]int64, len(c.zones))
	for i, p := range loose {
		isLoose[int64(p)] = true
		z := c.zoneOfSpot(to[i])
		into[z] = append(into[z], int64(p))
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
		if c.zones[z].list > 0 {
			c.relist(m, z, into[z], isLoose, r)
		}
	}
	for i, p := range loose {
		if z := c.zoneOfSpot(to[i]); c.zones[z].places > 0 {
			c.putAt(m, p, z, to[i]-c.zones[z].spot+1)
		} else if c.place > 0 {
			m.s[c.place+p] = 0
		}
	}
}

// relist puts pieces into a list at the places of those that have left it.
func (c *cards) relist(m *Machine, zone int, pieces []int64, isLoose map[int64]bool, r *Rand) {
	for i := len(pieces) - 1; i > 0; i-- {
		k := int(r.Below(uint64(i + 1)))
		pieces[i], pieces[k] = pieces[k], pieces[i]
	}
	l, next := c.list(m, zone), 0
	for i, p := range l {
		if isLoose[p] {
			l[i] = pieces[next]
			next++
		}
	}
}

func (c *cards) zoneOfSpot(spot int) int {
	for z := len(c.zones) - 1; z > 0; z-- {
		if c.zones[z].spot <= spot {
			return z
		}
	}
	return 0
}
