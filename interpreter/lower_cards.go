package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file lowers formulas over pieces without faces. What only asks which
// pieces there are works on whole sets; what asks for their order walks over a
// list. So one formula may be lowered in two ways, as whoever uses it needs.

// setfn computes a set of pieces. It may panic with a *Fault.
type setfn func(m *Machine) set128

// An argument is what a parameter stands for that is a collection of pieces: a
// formula as another lowerer sees it. It is worked out where it is used.
type argument struct {
	lo *lowerer
	e  *dsl.Expr
}

// cardsOf returns the family of a collection of pieces without faces, or of
// one of them.
func (lo *lowerer) cardsOf(t dsl.Type) *cards {
	for t.Elem != nil {
		t = *t.Elem
	}
	return lo.g.families[t.Family].cards
}

// zoneNumber lowers a zone to its number in the family.
func (lo *lowerer) zoneNumber(e *dsl.Expr) val {
	z := e.Ref.(*dsl.Zone)
	base := lo.g.families[z.Family].cards.number[z]
	if !z.Each {
		return konst(int64(base))
	}
	seat := lo.expr(e.Args[0])
	n, f, span := uint64(lo.g.seats), seat.f, e.Span
	if at := seat.slot; at == slotMe || at == slotActive {
		return calc(func(m *Machine) int64 { return int64(base) + m.s[at] })
	}
	return lo.folded(calc(func(m *Machine) int64 {
		i := f(m)
		if uint64(i) >= n {
			return fault(span, "there is no seat here")
		}
		return int64(base) + i
	}), seat)
}

// listed reports whether the pieces of a formula come in an order of their
// own, rather than in that of the family.
func (lo *lowerer) listed(e *dsl.Expr) bool {
	switch e.Op {
	case dsl.OpZone:
		z := e.Ref.(*dsl.Zone)
		c := lo.g.families[z.Family].cards
		return c.zones[c.number[z]].list > 0 || z.Places != nil
	case dsl.OpFamily:
		return false
	case dsl.OpFilter, dsl.OpTake, dsl.OpHighest, dsl.OpLowest:
		return lo.listed(e.Args[0])
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.listed(a.e)
		}
	}
	return true
}

// cardList lowers pieces to a list, in their order.
func (lo *lowerer) cardList(e *dsl.Expr) val {
	switch e.Op {
	case dsl.OpLocal:
		l := e.Ref.(*dsl.Local)
		if a, ok := lo.args[l]; ok {
			return a.lo.expr(a.e)
		}
		return konst(listAtSlot(lo.g.local(l)))
	case dsl.OpCall:
		return lo.call(e)
	case dsl.OpTable:
		return lo.table(e)
	case dsl.OpCond, dsl.OpCoalesce, dsl.OpLookup:
		return lo.choice(e)
	case dsl.OpZone, dsl.OpFamily:
	default:
		if e.Op != dsl.OpFilter || lo.listed(e) {
			return lo.collection(e)
		}
	}
	over := lo.over(e)
	return calc(func(m *Machine) int64 {
		it := over(m)
		from := m.begin()
		for v, ok := it.next(); ok; v, ok = it.next() {
			m.spend()
			m.push(v)
		}
		return m.end(from)
	})
}

// overCards lowers pieces to something that can be walked over in order; nil
// if they have to be made a list.
func (lo *lowerer) overCards(e *dsl.Expr) func(m *Machine) iter {
	switch e.Op {
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.over(a.e)
		}
	case dsl.OpZone:
		z := e.Ref.(*dsl.Zone)
		c, at := lo.g.families[z.Family].cards, lo.zoneNumber(e).f
		if z.Places != nil {
			return func(m *Machine) iter {
				from := m.begin()
				m.arena = c.inOrder(m, int(at(m)), m.arena)
				return iter{values: m.arena[from:], mode: iterList}
			}
		}
		if c.zones[c.number[z]].list > 0 {
			return func(m *Machine) iter { return iter{values: c.list(m, int(at(m))), mode: iterList} }
		}
		return func(m *Machine) iter { return iter{wide: c.set(m, int(at(m))), mode: iterWide} }
	case dsl.OpFamily, dsl.OpFilter:
		if !lo.listed(e) {
			set := lo.set(e)
			return func(m *Machine) iter { return iter{wide: set(m), mode: iterWide} }
		}
	}
	return nil
}

// set lowers pieces to a set, whatever their order.
func (lo *lowerer) set(e *dsl.Expr) setfn {
	if e.Type.Kind == dsl.KPiece {
		return lo.onePiece(e)
	}
	c := lo.cardsOf(e.Type)
	switch e.Op {
	case dsl.OpFamily:
		all := c.all
		return func(*Machine) set128 { return all }
	case dsl.OpZone:
		n := lo.zoneNumber(e)
		if n.konst {
			a := c.words + 2*int(n.c)
			return func(m *Machine) set128 { return set128{uint64(m.s[a]), uint64(m.s[a+1])} }
		}
		if seat := lo.expr(e.Args[0]); seat.slot == slotMe || seat.slot == slotActive {
			a, at := c.words+2*c.number[e.Ref.(*dsl.Zone)], seat.slot
			return func(m *Machine) set128 {
				i := a + 2*int(m.s[at])
				return set128{uint64(m.s[i]), uint64(m.s[i+1])}
			}
		}
		f := n.f
		return func(m *Machine) set128 { return c.set(m, int(f(m))) }
	case dsl.OpFilter:
		of := lo.set(e.Args[0])
		keep := lo.sieveOf(e.Args[0], e.Ref.(*dsl.Local), e.Args[1]).f
		return func(m *Machine) set128 { return keep(m, of(m)) }
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.set(a.e)
		}
	case dsl.OpCond:
		test := lo.cond(e.Args[0])
		a, b := lo.set(e.Args[1]), lo.set(e.Args[2])
		return func(m *Machine) set128 {
			if test(m) {
				return a(m)
			}
			return b(m)
		}
	case dsl.OpConcat:
		return lo.union(e)
	case dsl.OpCall:
		if inner, body := lo.unfold(e); inner != nil {
			return inner.set(body)
		}
	}
	f := lo.expr(e).f
	return func(m *Machine) set128 {
		at := len(m.arena)
		var s set128
		for _, v := range m.list(f(m)) {
			s = s.or(single(int(v)))
		}
		m.arena = m.arena[:at]
		return s
	}
}

// unfold returns the formula that a call stands for and what lowers it; nil if
// values have to be stored for it first.
func (lo *lowerer) unfold(e *dsl.Expr) (*lowerer, *dsl.Expr) {
	d := e.Ref.(*dsl.Define)
	inner, stores := lo.bind(d.Params, e.Args)
	if len(stores) > 0 {
		return nil, nil
	}
	return inner, d.Body
}

// union lowers lists of pieces one behind the other to a set.
func (lo *lowerer) union(e *dsl.Expr) setfn {
	parts := make([]setfn, len(e.Args))
	for i, a := range e.Args {
		parts[i] = lo.set(a)
	}
	if len(parts) == 2 {
		if a, b := lo.ofSeat(e.Args[0]), lo.ofSeat(e.Args[1]); a > 0 && b > 0 {
			return func(m *Machine) set128 {
				s, i := m.s, 2*int(m.s[slotMe])
				return set128{uint64(s[a+i] | s[b+i]), uint64(s[a+i+1] | s[b+i+1])}
			}
		}
		a, b := parts[0], parts[1]
		return func(m *Machine) set128 { return a(m).or(b(m)) }
	}
	return func(m *Machine) (s set128) {
		for _, f := range parts {
			s = s.or(f(m))
		}
		return s
	}
}

// ofSeat returns where the sets of a zone begin that is asked for as that of me;
// 0 for anything else.
func (lo *lowerer) ofSeat(e *dsl.Expr) int {
	if e.Op != dsl.OpZone || !e.Ref.(*dsl.Zone).Each || lo.expr(e.Args[0]).slot != slotMe {
		return 0
	}
	c := lo.cardsOf(e.Type)
	return c.words + 2*c.number[e.Ref.(*dsl.Zone)]
}

// repeats reports whether a piece may stand twice among pieces. Zones of two
// names have none in common.
func (lo *lowerer) repeats(e *dsl.Expr) bool {
	switch e.Op {
	case dsl.OpList, dsl.OpMap:
		return len(e.Args) > 1
	case dsl.OpFilter, dsl.OpTake, dsl.OpHighest, dsl.OpLowest:
		return lo.repeats(e.Args[0])
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.repeats(a.e)
		}
		return true // kept by a script
	case dsl.OpCall:
		return lo.repeats(e.Ref.(*dsl.Define).Body)
	case dsl.OpCond:
		return lo.repeats(e.Args[1]) || lo.repeats(e.Args[2])
	case dsl.OpConcat:
		seen := map[*dsl.Zone]bool{}
		for _, a := range e.Args {
			for a.Op == dsl.OpFilter || a.Op == dsl.OpTake {
				a = a.Args[0]
			}
			z, _ := a.Ref.(*dsl.Zone)
			if a.Op != dsl.OpZone || seen[z] {
				return true
			}
			seen[z] = true
		}
	}
	return false
}

// onePiece lowers one piece to a set.
func (lo *lowerer) onePiece(e *dsl.Expr) setfn {
	f, span := lo.expr(e).f, e.Span
	n := uint64(lo.cardsOf(e.Type).fam.count)
	return func(m *Machine) set128 {
		p := f(m)
		if uint64(p) >= n {
			fault(span, "there is no piece here")
		}
		return single(int(p))
	}
}

// placeOf returns where the pieces of a formula are found as a set, if that is
// known.
func (lo *lowerer) placeOf(e *dsl.Expr) place {
	switch e.Op {
	case dsl.OpFamily:
		return place{known: true, set: lo.cardsOf(e.Type).all}
	case dsl.OpZone:
		if n := lo.zoneNumber(e); n.konst {
			return place{known: true, slot: lo.cardsOf(e.Type).words + 2*int(n.c)}
		}
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.placeOf(a.e)
		}
	}
	return place{}
}

// kept lowers those pieces for which a condition holds to a set.
func (lo *lowerer) kept(list *dsl.Expr, it *dsl.Local, where *dsl.Expr) setfn {
	keep := lo.sieveOf(list, it, where)
	if from := lo.placeOf(list); from.slot > 0 && keep.in.known && !keep.out {
		a, b, set := from.slot, keep.in.slot, keep.in.set
		if b > 0 {
			return func(m *Machine) set128 {
				s := m.s
				return set128{uint64(s[a] & s[b]), uint64(s[a+1] & s[b+1])}
			}
		}
		return func(m *Machine) set128 { return set128{uint64(m.s[a]) & set.lo, uint64(m.s[a+1]) & set.hi} }
	}
	of, f := lo.set(list), keep.f
	return func(m *Machine) set128 { return f(m, of(m)) }
}

// foldCards lowers what makes one number of a set of pieces, without a look at
// each of them; false for what needs one.
func (lo *lowerer) foldCards(e *dsl.Expr) (val, bool) {
	if len(e.Args) < 2 || e.Args[1] == nil || lo.repeats(e.Args[0]) {
		return val{}, false
	}
	if e.Op == dsl.OpSum {
		return lo.weigh(e)
	}
	if e.Op == dsl.OpAll {
		of, keep := lo.set(e.Args[0]), lo.sieveOf(e.Args[0], e.Ref.(*dsl.Local), e.Args[1]).f
		return calc(func(m *Machine) int64 {
			s := of(m)
			return bit(keep(m, s) == s)
		}), true
	}
	if e.Args[0].Op == dsl.OpFamily && e.Op == dsl.OpCount {
		if fixed, ok := lo.fixedSieve(e.Ref.(*dsl.Local), e.Args[1]); ok {
			return konst(int64(fixed.len())), true
		}
	}
	kept := lo.kept(e.Args[0], e.Ref.(*dsl.Local), e.Args[1])
	switch e.Op {
	case dsl.OpCount:
		return calc(func(m *Machine) int64 { return int64(kept(m).len()) }), true
	case dsl.OpAny:
		return calc(func(m *Machine) int64 { return bit(!kept(m).empty()) }), true
	case dsl.OpNone:
		return calc(func(m *Machine) int64 { return bit(kept(m).empty()) }), true
	case dsl.OpOne:
		return calc(func(m *Machine) int64 { return bit(kept(m).len() == 1) }), true
	}
	return val{}, false
}

// weigh lowers a sum of what stands fast for each piece, such as an attribute,
// where there are few values: each is counted once.
func (lo *lowerer) weigh(e *dsl.Expr) (val, bool) {
	const few = 8
	it := e.Ref.(*dsl.Local)
	if it == nil || !lo.standsFast(e.Args[1], it) {
		return val{}, false
	}
	inner := lo.inside()
	var values []int64
	var worth []set128
	for p := range lo.cardsOf(it.Type).fam.count {
		inner.values[it] = konst(int64(p))
		v := inner.expr(e.Args[1])
		at := slices.Index(values, v.c)
		switch {
		case !v.konst || at < 0 && len(values) == few:
			return val{}, false
		case v.c == 0:
			continue
		case at < 0:
			at = len(values)
			values, worth = append(values, v.c), append(worth, set128{})
		}
		worth[at] = worth[at].or(single(p))
	}
	of := lo.set(e.Args[0])
	return calc(func(m *Machine) (sum int64) {
		s := of(m)
		if s.empty() {
			return 0
		}
		for i, v := range values {
			sum += v * int64(s.and(worth[i]).len())
		}
		return sum
	}), true
}

// listSlot returns the slot of the list of a zone that is known; 0 for any other
// formula.
func (lo *lowerer) listSlot(e *dsl.Expr) int {
	switch e.Op {
	case dsl.OpZone:
		if n := lo.zoneNumber(e); n.konst {
			return lo.cardsOf(e.Type).zones[n.c].list
		}
	case dsl.OpLocal:
		if a, ok := lo.args[e.Ref.(*dsl.Local)]; ok {
			return a.lo.listSlot(a.e)
		}
	}
	return 0
}

// findCard lowers the first or the last piece for which a condition holds, or
// none.
func (lo *lowerer) findCard(list *dsl.Expr, it *dsl.Local, where *dsl.Expr, last bool) fn {
	kept := lo.kept(list, it, where)
	if !lo.listed(list) {
		return func(m *Machine) int64 {
			s := kept(m)
			switch {
			case s.empty():
				return dsl.None
			case last:
				return int64(s.nth(s.len() - 1))
			}
			return int64(s.lowest())
		}
	}
	if at := lo.listSlot(list); at > 0 && !last {
		return func(m *Machine) int64 {
			s := kept(m)
			if s.empty() {
				return dsl.None
			}
			i := at + 1
			for !s.has(int(m.s[i])) {
				i++
			}
			return m.s[i]
		}
	}
	over := lo.over(list)
	return func(m *Machine) int64 {
		s := kept(m)
		if s.empty() {
			return dsl.None
		}
		at := len(m.arena)
		i, found := over(m), int64(dsl.None)
		for v, ok := i.next(); ok; v, ok = i.next() {
			if s.has(int(v)) {
				if found = v; !last {
					break
				}
			}
		}
		m.arena = m.arena[:at]
		return found
	}
}

// bestCard lowers the first of the pieces with the highest or lowest key among
// those for which a condition holds, or none.
func (lo *lowerer) bestCard(list *dsl.Expr, it *dsl.Local, where, key *dsl.Expr, high bool) fn {
	kept, over := lo.kept(list, it, where), lo.over(list)
	slot := lo.g.local(it)
	f := lo.expr(key).f
	worth := func(m *Machine, p int64) int64 {
		m.s[slot] = p
		return f(m)
	}
	if key.Op == dsl.OpAttr && isLocal(key.Args[0], it) {
		if values := lo.g.attrValues[key.Ref.(*dsl.Attr)]; values != nil {
			worth = func(_ *Machine, p int64) int64 { return values[p] }
		}
	}
	return func(m *Machine) int64 {
		s := kept(m)
		if s.rest().empty() {
			if s.empty() {
				return dsl.None
			}
			return int64(s.lowest())
		}
		at := len(m.arena)
		i, found, best := over(m), int64(dsl.None), int64(0)
		for v, ok := i.next(); ok; v, ok = i.next() {
			if !s.has(int(v)) {
				continue
			}
			m.spend()
			if x := worth(m, v); found == dsl.None || x != best && x > best == high {
				found, best = v, x
			}
		}
		m.arena = m.arena[:at]
		return found
	}
}

func isLocal(e *dsl.Expr, l *dsl.Local) bool { return e.Op == dsl.OpLocal && e.Ref == any(l) }

// cardAttr lowers an attribute of a piece without a face.
func (lo *lowerer) cardAttr(e *dsl.Expr) val {
	a := e.Ref.(*dsl.Attr)
	c := lo.g.families[a.Family].cards
	x, n, span := lo.expr(e.Args[0]), uint64(c.fam.count), e.Span
	f := x.f
	values := lo.g.attrValues[a]
	if values == nil {
		handles := lo.g.staticLists(a, c.lists[a])
		values = handles
	}
	return lo.folded(calc(func(m *Machine) int64 {
		i := uint64(f(m))
		if i >= n {
			return fault(span, "there is no piece here")
		}
		return values[i]
	}), x)
}

// mark lowers what is written on a piece.
func (lo *lowerer) mark(e *dsl.Expr) val {
	k := e.Ref.(*dsl.Mark)
	c := lo.g.families[k.Family].cards
	base := c.marks[k].values
	f, n, span, maybe := lo.expr(e.Args[0]).f, uint64(c.fam.count), e.Span, k.Type.Maybe
	return calc(func(m *Machine) int64 {
		i := uint64(f(m))
		if i >= n {
			return fault(span, "there is no piece here")
		}
		v := m.s[base+int(i)]
		if v == dsl.None && !maybe {
			return fault(span, neverWritten, k.Name)
		}
		return v
	})
}

// staticLists makes lists that never change: their handles.
func (g *Game) staticLists(key any, lists [][]int64) []int64 {
	if h, ok := g.statics.handles[key]; ok {
		return h
	}
	var out []int64
	for _, l := range lists {
		out = append(out, g.static(l))
	}
	if g.statics.handles == nil {
		g.statics.handles = map[any][]int64{}
	}
	g.statics.handles[key] = out
	return out
}

// statics are lists that stand fast.
type statics struct {
	lists   [][]int64
	handles map[any][]int64
}

func (g *Game) static(list []int64) int64 {
	for i, l := range g.statics.lists {
		if slices.Equal(l, list) {
			return handleStatic | int64(i)
		}
	}
	g.statics.lists = append(g.statics.lists, list)
	return handleStatic | int64(len(g.statics.lists)-1)
}

// constantList computes a list that does not depend on the state, one local
// being known.
func (g *Game) constantList(e *dsl.Expr, it *dsl.Local, piece int) (out []int64, err error) {
	lo := &lowerer{g: g}
	if it != nil {
		lo.values = map[*dsl.Local]val{it: konst(int64(piece))}
	}
	m := &Machine{g: g}
	defer catchFault(&err)
	f := lo.expr(e).f
	m.s = make([]int64, g.slots.n)
	return slices.Clone(m.list(f(m))), nil
}
