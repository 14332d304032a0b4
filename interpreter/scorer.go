package interpreter

import (
	"math"
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// A scorer splits pieces into combinations, each piece in exactly one. The
// best split has the highest sum, then the fewest combinations, then the ones
// that stand first in the file. Pieces can be scored if a split exists, also
// where it is worth nothing.

// scorer is a dsl.Scorer made ready. It is immutable; what it has worked out
// lies in the machine's cache.
type scorer struct {
	*dsl.Scorer
	index    int
	cl       *classes
	knows    []know
	contexts uint64
	dense    bool    // rows are found under the numbers of multisets
	some     []bool  // by multiset, if dense: whether a part scores. Filled by settle
	worth    []int64 // by multiset: the points; illegal where they cannot be scored
	kept     int     // slot of `kept`
	wildIt   int
	wild     fn
	combos   []combo
	pays     int // slot of `pays`, or -1
	paysSeat fn
}

type know struct {
	*dsl.Know
	f    fn
	slot int
	size uint64 // values it can have
	from int    // f is this slot, or how many pieces lie there if many is set; 0 if only f knows
	many bool
}

type combo struct {
	*dsl.Combo
	where, points fn
	order         []int // slots of the letters in declared order
	entry         int   // code of its hooks and script, or -1
}

func (g *Game) newScorer(lo *lowerer, s *dsl.Scorer) *scorer {
	fam := g.families[s.Family]
	cl, ok := g.classesFor(fam, s.Reads)
	if !ok {
		fault(s.Span, "`%s` tells too many pieces apart", s.Name)
	}
	r := &scorer{Scorer: s, index: len(g.scorers), cl: cl, contexts: 1, pays: -1}
	r.kept = g.local(s.Kept)
	for _, k := range s.Knows {
		size := uint64(k.Hi-k.Lo) + 1
		if k.Value.Type.Maybe {
			size++
		}
		v := lo.expr(k.Value)
		kn := know{Know: k, f: v.f, slot: g.local(k.Local), size: size, from: max(v.slot, 0)}
		if e := k.Value; e.Op == dsl.OpLen && e.Args[0].Type.Kind == dsl.KSet {
			kn.from, kn.many = max(lo.expr(e.Args[0]).slot, 0), true
		}
		r.knows = append(r.knows, kn)
		hi, c := bits.Mul64(r.contexts, size)
		if hi != 0 || c > 1<<40 {
			fault(k.Span, "`%s` knows too much to be tabulated", s.Name)
		}
		r.contexts = c
	}
	if hi, keys := bits.Mul64(r.contexts, cl.keys); hi != 0 || keys > 1<<62 {
		fault(s.Span, "`%s` tells too many cases apart", s.Name)
	}
	if r.dense = cl.dense != nil && len(r.knows) == 0; r.dense {
		r.some, r.worth = make([]bool, cl.dense.n), make([]int64, cl.dense.n)
	}
	if s.Wild != nil {
		r.wildIt, r.wild = g.local(s.It), lo.expr(s.Wild).f
	}
	for _, cb := range s.Combos {
		rc := combo{Combo: cb, entry: -1}
		for _, l := range cb.Letters {
			rc.order = append(rc.order, g.local(l.Local))
		}
		if cb.Where != nil {
			rc.where = lo.expr(cb.Where).f
		}
		rc.points = lo.expr(cb.Points).f
		r.combos = append(r.combos, rc)
	}
	if s.Pays != nil {
		r.pays = g.varSlot[s.Pays.Var]
		if s.Pays.Seat != nil {
			r.paysSeat = (&coder{lowerer: lo}).seatIndex(lo.expr(s.Pays.Seat), s.Pays.Seat)
		}
	}
	return r
}

// illegal marks pieces that cannot be scored, among their worths.
const illegal = math.MinInt64

// use is one combination of a split.
type use struct {
	combo   int
	points  int64
	letters []int64
	counts  []uint8
}

// scoreRow is what is known of one key, in 16 bytes: there are many of them.
type scoreRow struct {
	points int64
	more   int32 // index of the rest, from 1; 0 where nothing is known yet
	part   int8  // whether some part is legal: -1 not yet worked out
	most   int8  // size of the largest legal part: -1 not yet worked out
	legal  bool
	code   bool // some combo of the split has a script or hooks
}

// scoreMore is what is asked for less often.
type scoreMore struct {
	split []use
	is    uint64 // combos that the pieces are, all together, as bits
}

// scoreCache holds the rows of one scorer. Where multisets have numbers, and
// the scorer knows facts of the moment, there is a page of rows for every
// context that was met.
type scoreCache struct {
	table *table
	pages pages
	last  uint64 // the context that was met last, plus 1
	page  int    // where its rows begin
	rows  []scoreRow
	more  []scoreMore
	age   int64 // how often the table has begun anew
}

// pages numbers contexts as they are met: few of those that are thinkable ever
// come up.
type pages struct {
	direct []int32 // page + 1, for few contexts
	found  map[uint64]int32
	n      int
}

// of returns the page of a context, and whether it is a new one.
func (p *pages) of(ctx, contexts uint64) (page int, fresh bool) {
	if p.direct == nil && p.found == nil {
		if contexts <= maxDirect {
			p.direct = make([]int32, contexts)
		} else {
			p.found = map[uint64]int32{}
		}
	}
	if p.direct != nil {
		if at := p.direct[ctx]; at > 0 {
			return int(at) - 1, false
		}
		p.n++
		p.direct[ctx] = int32(p.n)
		return p.n - 1, true
	}
	if at := p.found[ctx]; at > 0 {
		return int(at) - 1, false
	}
	p.n++
	p.found[ctx] = int32(p.n)
	return p.n - 1, true
}

// restart empties a table that has outgrown its bounds. What is known of its
// rows by number no longer holds.
func (sc *scoreCache) restart(r *scorer) {
	age := sc.age + 1
	*sc = newScoreCache(r)
	sc.age = age
}

// at is the number of a row's rest, for as long as the table stands.
func (sc *scoreCache) at(row *scoreRow) int64 { return sc.age<<32 | int64(row.more-1) }

// newScoreCache returns an empty cache.
func newScoreCache(r *scorer) scoreCache {
	switch {
	case r.dense:
		return scoreCache{rows: make([]scoreRow, r.cl.dense.n)}
	case r.cl.dense != nil:
		return scoreCache{}
	}
	return scoreCache{table: newTable(r.cl.keys * r.contexts)}
}

// context computes the facts of the moment, and lays them into their slots.
func (r *scorer) context(m *Machine) uint64 {
	if m.asking != 0 {
		if s := &m.contexts[r.index]; s.asking == m.asking {
			return uint64(s.value)
		}
	}
	ctx := uint64(0)
	for i := range r.knows {
		k := &r.knows[i]
		var v int64
		switch {
		case k.from == 0:
			v = k.f(m)
		case k.many:
			v = int64(bits.OnesCount64(uint64(m.s[k.from])))
		default:
			v = m.s[k.from]
		}
		at := uint64(v - k.Lo)
		if k.Value.Type.Maybe && v == dsl.None {
			at = k.size - 1
		} else if v < k.Lo || v > k.Hi {
			fault(k.Span, "`%s` is %d, outside its bounds %d..%d", k.Name, v, k.Lo, k.Hi)
		}
		m.s[k.slot] = v
		ctx = ctx*k.size + at
	}
	if m.asking != 0 {
		m.contexts[r.index] = shared{m.asking, int64(ctx)}
	}
	return ctx
}

// row returns what is known of a set of pieces, working it out the first time.
func (m *Machine) row(r *scorer, set uint64) *scoreRow {
	sc := &m.cache.scorers[r.index]
	if r.dense {
		id := r.cl.id(m, set)
		if row := &sc.rows[id]; row.more > 0 {
			return row
		}
		return m.fillRow(r, sc, uint64(id), set)
	}
	if d := r.cl.dense; d != nil {
		ctx := r.context(m)
		if ctx+1 != sc.last {
			page, fresh := sc.pages.of(ctx, r.contexts)
			if fresh {
				if len(sc.rows) > maxPaged {
					sc.restart(r)
					return m.row(r, set)
				}
				sc.rows = append(sc.rows, make([]scoreRow, d.n)...)
			}
			sc.last, sc.page = ctx+1, page*d.n
		}
		at := sc.page + r.cl.id(m, set)
		if row := &sc.rows[at]; row.more > 0 {
			return row
		}
		return m.fillRow(r, sc, uint64(at), set)
	}
	key := r.cl.key(m, set)
	if len(r.knows) > 0 {
		key = key*r.contexts + r.context(m)
	}
	if i := sc.table.get(key); i >= 0 {
		return &sc.rows[i]
	}
	return m.fillRow(r, sc, key, set)
}

func (m *Machine) fillRow(r *scorer, sc *scoreCache, key, set uint64) *scoreRow {
	counts := r.cl.counts(m, set, nil)
	if len(sc.more) >= maxRows { // a table that has outgrown its bounds begins anew
		sc.restart(r)
		return m.row(r, set)
	}
	row, more := scoreRow{part: -1, most: -1, more: int32(len(sc.more)) + 1}, scoreMore{}
	if set != 0 {
		sp := &splitter{m: m, r: r, memo: map[uint64]*split{}, wilds: r.wildClasses(m, set)}
		m.s[r.kept] = int64(set)
		if best := sp.best(counts); best != nil {
			row.legal, row.points = true, best.points
			more.split = best.list()
			for _, u := range more.split {
				row.code = row.code || r.combos[u.combo].entry >= 0
			}
		}
		more.is = sp.whole(counts)
	}
	sc.more = append(sc.more, more)
	if r.cl.dense != nil {
		sc.rows[key] = row
		return &sc.rows[key]
	}
	sc.rows = append(sc.rows, row)
	sc.table.put(key, len(sc.rows)-1)
	return &sc.rows[len(sc.rows)-1]
}

// maxRows bounds one table of results: a few hundred MiB at the very worst.
const maxRows = 1 << 20

// maxPaged bounds the rows of all pages of a table, filled or not.
const maxPaged = 16 * maxRows

// wildClasses reports by class whether its pieces are wild.
func (r *scorer) wildClasses(m *Machine, set uint64) []bool {
	if r.wild == nil {
		return nil
	}
	out := make([]bool, len(r.cl.caps))
	for u := set; u != 0; u &= u - 1 {
		p := bits.TrailingZeros64(u)
		m.s[r.wildIt] = int64(p)
		if r.wild(m) != 0 {
			out[r.cl.class(m, p)] = true
		}
	}
	return out
}

// somePart reports whether some non-empty part of the pieces can be scored,
// and mostPart the size of the largest such part. Both walk over the parts
// that differ in their classes.
func (m *Machine) somePart(r *scorer, set uint64) bool {
	row := m.row(r, set)
	if row.part < 0 {
		found := row.legal
		if !found {
			m.parts(r, set, func(part uint64) bool {
				found = m.row(r, part).legal
				return !found
			})
		}
		row = m.row(r, set) // rows may have moved
		row.part = int8(bit(found))
	}
	return row.part == 1
}

func (m *Machine) mostPart(r *scorer, set uint64) int64 {
	row := m.row(r, set)
	if row.most < 0 {
		most := 0
		m.parts(r, set, func(part uint64) bool {
			if n := bits.OnesCount64(part); n > most && m.row(r, part).legal {
				most = n
			}
			return true
		})
		row = m.row(r, set)
		row.most = int8(most)
	}
	return int64(row.most)
}

// maxParts bounds how many parts of one set are looked at.
const maxParts = 1 << 16

// parts calls visit with one set of pieces for every non-empty choice of
// numbers by class, until it returns false.
func (m *Machine) parts(r *scorer, set uint64, visit func(uint64) bool) {
	have := r.cl.counts(m, set, nil)
	n := 1
	for _, h := range have {
		if n *= int(h) + 1; n > maxParts {
			fault(r.Span, "%d pieces can be split in too many ways", bits.OnesCount64(set))
		}
	}
	pick := make([]uint8, len(have))
	for {
		m.spend()
		if !advance(pick, have) || !visit(r.cl.take(m, set, pick)) {
			return
		}
	}
}

// split is a best way to split some numbers of pieces: the first combination,
// and the rest.
type split struct {
	points int64
	uses   int
	first  use
	rest   *split
}

func (s *split) list() []use {
	var out []use
	for ; s != nil && s.uses > 0; s = s.rest {
		out = append(out, s.first)
	}
	slices.SortStableFunc(out, func(a, b use) int { return a.combo - b.combo })
	return out
}

// combosOf lists the combos of a split in ascending order, for comparing.
func (s *split) combosOf() []int {
	var out []int
	for ; s != nil && s.uses > 0; s = s.rest {
		out = append(out, s.first.combo)
	}
	slices.Sort(out)
	return out
}

// splitter searches the splits of one set of pieces.
type splitter struct {
	m     *Machine
	r     *scorer
	memo  map[uint64]*split
	wilds []bool
	tries int
}

// best returns the best split of counts, or nil if there is none.
func (sp *splitter) best(counts []uint8) *split {
	first := slices.IndexFunc(counts, func(n uint8) bool { return n > 0 })
	if first < 0 {
		return &split{}
	}
	key := sp.r.cl.keyOf(counts)
	if s, ok := sp.memo[key]; ok {
		return s
	}
	var best *split
	sp.instances(counts, func(u use) {
		if u.counts[first] == 0 {
			return // the split that takes the first piece now says the same
		}
		left := slices.Clone(counts)
		for c, n := range u.counts {
			left[c] -= n
		}
		rest := sp.best(left)
		if rest == nil {
			return
		}
		s := &split{add(u.points, rest.points, sp.r.combos[u.combo].Points), rest.uses + 1, u, rest}
		if best == nil || s.better(best) {
			best = s
		}
	})
	sp.memo[key] = best
	return best
}

func (s *split) better(t *split) bool {
	switch {
	case s.points != t.points:
		return s.points > t.points
	case s.uses != t.uses:
		return s.uses < t.uses
	}
	return slices.Compare(s.combosOf(), t.combosOf()) < 0
}

// whole returns the combos that take exactly counts, as bits.
func (sp *splitter) whole(counts []uint8) (is uint64) {
	sp.instances(counts, func(u use) {
		if slices.Equal(u.counts, counts) && u.combo < 64 {
			is |= 1 << uint(u.combo)
		}
	})
	return is
}

// instances calls visit with every combination that can be made of counts.
func (sp *splitter) instances(counts []uint8, visit func(use)) {
	for i := range sp.r.combos {
		cb := &sp.r.combos[i]
		for _, p := range cb.Match {
			mt := &matcher{sp: sp, cb: cb, combo: i, items: p.Items, left: slices.Clone(counts),
				taken: make([]uint8, len(counts)), bound: map[*dsl.Letter]int64{}, visit: visit}
			mt.match(0, 0)
		}
	}
}

// scorerCall lowers a question to a scorer.
func (lo *lowerer) scorerCall(e *dsl.Expr) val {
	r := lo.g.scorers[e.Ref.(*dsl.Scorer)]
	f := lo.pieces(e.Args[0])
	switch e.Op {
	case dsl.OpPoints:
		return calc(func(m *Machine) int64 { return m.row(r, uint64(f(m))).points })
	case dsl.OpAllScore:
		return calc(func(m *Machine) int64 { return bit(m.row(r, uint64(f(m))).legal) })
	case dsl.OpAnyScore:
		return calc(func(m *Machine) int64 {
			set := uint64(f(m))
			if row := m.row(r, set); row.part >= 0 {
				return int64(row.part)
			}
			return bit(m.somePart(r, set))
		})
	case dsl.OpMost:
		return calc(func(m *Machine) int64 { return m.mostPart(r, uint64(f(m))) })
	default:
		index := uint(e.Int)
		return calc(func(m *Machine) int64 {
			row := m.row(r, uint64(f(m)))
			return int64(m.cache.scorers[r.index].more[row.more-1].is >> index & 1)
		})
	}
}
