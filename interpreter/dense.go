package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// Where no rule in force tells the pieces of a family apart but by their
// faces, what a throw comes to is a multiset, and there are few: 924 for none
// to six dice of six sides. Such a family numbers its multisets. A throw then
// is one draw and one look into a table: it lays down the faces in ascending
// order, which nobody can tell from any other order, and knows the number of
// the multiset at once. All that was worked out for a multiset is found under
// its number, and the pieces of an option are known by their ranks.

// dense numbers the multisets of a family by face.
type dense struct {
	n      int     // how many multisets there are
	halves []half  // how a throw of so many pieces finds its number
	faces  []int64 // faces[id*count:], ascending
	sizes  []int   // pieces, by id
	keys   []uint64
	ids    map[uint64]uint16
	spread []uint8 // spread[set<<7|ranks]: the pieces of a set that have these ranks
}

const (
	maxDense  = 1 << 12
	maxThrows = 1 << 17
)

// newDense returns the numbers for classes by face alone, or nil if the
// family is too large or its pieces can be told apart.
func (g *Game) newDense(cl *classes) *dense {
	fam := cl.fam
	if !cl.small || len(fam.sides) == 0 || len(cl.attrs) != 1 || !cl.attrs[0].IsFace || !g.alikeFamily(fam) {
		return nil
	}
	if len(fam.powers) <= fam.count || fam.powers[fam.count] > maxThrows {
		return nil
	}
	d := &dense{ids: map[uint64]uint16{}}
	shown := ascending(fam.shown())
	var add func(faces []int64, from int)
	add = func(faces []int64, from int) {
		key := uint64(0)
		for _, f := range faces {
			key += cl.weights[f-fam.lo]
		}
		d.ids[key] = uint16(d.n)
		d.keys = append(d.keys, key)
		row := make([]int64, fam.count)
		copy(row, faces)
		d.faces = append(d.faces, row...)
		d.sizes = append(d.sizes, len(faces))
		d.n++
		if len(faces) == fam.count || d.n > maxDense {
			return
		}
		for i := from; i < len(shown); i++ {
			add(append(faces[:len(faces):len(faces)], shown[i]), i)
		}
	}
	add(nil, 0)
	if d.n > maxDense {
		return nil
	}
	for k := range fam.count + 1 {
		d.halves = append(d.halves, d.newHalf(cl, k))
	}
	d.spreadRanks(fam.count)
	return d
}

// A half finds the number of a throw of so many pieces. A table of all throws
// would not fit into the fastest memory; so the outcome is split into its high
// and its low digits, each is looked up, and the two multisets are put
// together by a third look.
type half struct {
	power uint64 // outcomes
	low   uint64 // sides^(low digits)
	by    uint64 // 2^40 / low, rounded up: outcomes are divided by multiplying
	// table holds, one after the other: the local numbers of the multisets of
	// the high digits, times the number of low ones; those of the low digits;
	// and what they are together.
	table  []uint16
	lows   uint64 // where the second part begins
	joined uint64 // and the third
}

func (d *dense) newHalf(cl *classes, k int) half {
	fam := cl.fam
	lows, nl, lowKeys := d.locals(cl, k/2)
	highs, _, highKeys := d.locals(cl, k-k/2)
	h := half{power: fam.powers[k], low: fam.powers[k/2], by: (1<<40 + fam.powers[k/2] - 1) / fam.powers[k/2]}
	for _, x := range highs {
		h.table = append(h.table, uint16(x*nl))
	}
	h.lows = uint64(len(h.table))
	for _, l := range lows {
		h.table = append(h.table, uint16(l))
	}
	h.joined = uint64(len(h.table))
	for _, a := range highKeys {
		for _, b := range lowKeys {
			h.table = append(h.table, d.ids[a+b])
		}
	}
	return h
}

// locals numbers the multisets of throws of k pieces from 0: by outcome, how
// many there are, and the key of each.
func (d *dense) locals(cl *classes, k int) (byOutcome []int, n int, keys []uint64) {
	fam := cl.fam
	index := map[uint64]int{}
	for r := range int(fam.powers[k]) {
		key, rest := uint64(0), r
		for range k {
			key += cl.weights[fam.sides[rest%len(fam.sides)]-fam.lo]
			rest /= len(fam.sides)
		}
		i, ok := index[key]
		if !ok {
			i = len(keys)
			index[key] = i
			keys = append(keys, key)
		}
		byOutcome = append(byOutcome, i)
	}
	return byOutcome, len(keys), keys
}

// thrown returns the number of the multiset that outcome r of a throw shows.
func (h *half) thrown(r uint64) int {
	high := r * h.by >> 40 // exact, outcomes being below maxThrows
	t := h.table
	return int(t[h.joined+uint64(t[high])+uint64(t[h.lows+r-high*h.low])])
}

func ascending(vs []int64) []int64 {
	for i := range vs {
		for j := i; j > 0 && vs[j] < vs[j-1]; j-- {
			vs[j], vs[j-1] = vs[j-1], vs[j]
		}
	}
	return vs
}

func (d *dense) spreadRanks(count int) {
	d.spread = make([]uint8, 1<<14)
	for set := range 1 << count {
		for ranks := range 1 << bits.OnesCount(uint(set)) {
			got, r := 0, ranks
			for u := set; u != 0; u &= u - 1 {
				if r&1 != 0 {
					got |= u & -u
				}
				r >>= 1
			}
			d.spread[set<<7|ranks] = uint8(got)
		}
	}
}

// alikeFamily reports whether no rule in force can tell two pieces of a family
// apart that show the same face: neither by an attribute nor by their order.
func (g *Game) alikeFamily(fam *family) bool {
	for _, a := range fam.Attrs {
		if !a.IsFace && g.reads(a) {
			return false
		}
	}
	ordered := false
	eachExpr(g.prog, func(e *dsl.Expr) {
		switch e.Op {
		case dsl.OpFirst, dsl.OpLast, dsl.OpNth, dsl.OpTake, dsl.OpFind, dsl.OpFindLast, dsl.OpMap, dsl.OpConcat:
			ordered = ordered || familyOf(e.Args[0]) == fam.Family
		}
	})
	eachScript(g.prog, func(s *dsl.Script) {
		eachStmt(s, func(st *dsl.Stmt) {
			if st.X == nil {
				return
			}
			if st.Op == dsl.StmtFor || st.Op == dsl.StmtRandom || st.Op == dsl.StmtRandomLet {
				ordered = ordered || familyOf(st.X) == fam.Family
			}
		})
	})
	return !ordered
}

// throwDense is throwDice for a family whose multisets have numbers.
func (m *Machine) throwDense(cl *classes, set uint64) {
	fam, d := cl.fam, cl.dense
	k := bits.OnesCount64(set)
	m.layDense(cl, set, d.halves[k].thrown(m.below(fam.powers[k])))
}

// A lay is a throw whose faces have not been laid down yet: most are never
// looked at, since what matters of them is known by their number.
type lay struct {
	set uint64
	id  int32
}

// maxLays is how many throws may wait; a throw of all pieces makes those before
// it unimportant.
const maxLays = 8

// layDense shows a multiset on a set of pieces, ascending. The faces are laid
// down when somebody looks: see land.
func (m *Machine) layDense(cl *classes, set uint64, id int) {
	if set == uint64(cl.fam.all) && m.layFam == cl.fam {
		m.lays = 0
	} else if m.lays == maxLays || m.layFam != cl.fam {
		m.land()
		m.layFam = cl.fam
	}
	m.waitingLays[m.lays] = lay{set, int32(id)}
	m.lays++
	m.faces++
	memo := &m.memo[cl.index]
	memo.set, memo.faces, memo.id = set, m.faces, int32(id)
	memo.thrown, memo.sorted = set, m.faces
}

// land lays down the faces of throws that were not looked at so far. Whoever
// reads or writes faces calls it first.
func (m *Machine) land() {
	if m.lays == 0 {
		return
	}
	fam := m.layFam
	d := fam.small.dense
	faces := m.s[fam.faceSlot : fam.faceSlot+fam.count]
	for _, l := range m.waitingLays[:m.lays] {
		row := d.faces[int(l.id)*fam.count:]
		for u, i := l.set, 0; u != 0; u, i = u&(u-1), i+1 {
			faces[bits.TrailingZeros64(u)] = row[i]
		}
	}
	m.lays = 0
}

// settle fills the tables that quick runs share, before the first of them. If
// some formula faults on a multiset, which need never come up in play, there
// are no quick runs of this game.
func (g *Game) settle() {
	m := &Machine{g: g, cache: g.newCache(), memo: make([]keyMemo, len(g.classes))}
	m.s = append([]int64(nil), g.initial...)
	err := m.quietly(func() {
		for _, r := range g.scorers {
			if r.dense {
				m.settleScorer(r)
			}
		}
		for i := range g.code {
			if a, ok := g.code[i].x.(*ask); ok {
				for _, act := range a.actions {
					if act.fixed != nil {
						m.settleOptions(act)
					}
				}
			}
		}
	})
	g.slow.Store(err != nil)
}

func (m *Machine) settleScorer(r *scorer) {
	m.eachMultiset(r.cl, func(set uint64) {
		m.spent = 0
		id := r.cl.id(m, set)
		r.some[id], r.worth[id] = m.somePart(r, set), illegal
		if row := m.row(r, set); row.legal {
			r.worth[id] = row.points
		}
	})
}

func (m *Machine) settleOptions(a *action) {
	m.eachMultiset(a.table, func(set uint64) {
		m.spent = 0
		for k := a.table.fam.zoneLo; k < a.table.fam.zoneHi; k++ {
			m.s[k] = 0
		}
		m.s[a.picks[0].from] = int64(set)
		m.optionsOf(a, set)
	})
	copy(a.fixed.rows, m.cache.options[a.index].rows)
	a.fixed.ranked = m.cache.options[a.index].ranked
}

// eachMultiset calls visit with a set of pieces that shows each multiset.
func (m *Machine) eachMultiset(cl *classes, visit func(set uint64)) {
	for id := range cl.dense.n {
		set := uint64(1)<<cl.dense.sizes[id] - 1
		m.layDense(cl, set, id)
		visit(set)
	}
}

// id returns the number of the multiset that a set of pieces shows.
func (cl *classes) id(m *Machine, set uint64) int {
	memo := &m.memo[cl.index]
	if memo.set != set || memo.faces != m.faces {
		memo.set, memo.faces = set, m.faces
		memo.id = int32(cl.dense.ids[cl.add(m, set)])
	}
	return int(memo.id)
}

// ranks returns which places, in ascending order of faces, of the multiset id
// the pieces of a key take: of like ones the first.
func (d *dense) ranks(id int, cl *classes, key uint64) uint8 {
	var left [8]uint64
	for c := range left {
		left[c] = key >> (3 * c) & 7
	}
	row := d.faces[id*cl.fam.count:]
	out := uint8(0)
	for i, f := range row[:d.sizes[id]] {
		c := cl.of[int(f-cl.fam.lo)]
		if left[c] > 0 {
			left[c]--
			out |= 1 << i
		}
	}
	return out
}
