package interpreter

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file looks up the options of actions that pick pieces, where they can
// be tabulated: see options.go.

// tabulate decides whether the options of an action can be looked up.
func (c *coder) tabulate(a *action) {
	switch {
	case len(a.picks) == 0:
		return
	case len(a.picks) > 1:
		a.why = "several things are picked"
		return
	case len(a.waive) > 0:
		a.why = "a house rule may lift its guards"
		return
	}
	p := &a.picks[0]
	switch {
	case p.cond != nil || p.IfAny:
		a.why = "the pick may be left out"
		return
	case p.Form != dsl.PickSome && p.Form != dsl.PickAny || p.List.Type.Kind != dsl.KSet:
		a.why = "only sets of pieces are looked up"
		return
	case p.cl == nil:
		a.why = "there are too many kinds of pieces to number their sets"
		return
	}
	if p.where != nil {
		if at := c.impure(p.Where, a, p.It); at != nil {
			a.why = whatElse(at)
			return
		}
	}
	known := []*dsl.Local{p.Local, p.It}
	a.table = p.cl
	a.tableAll = true
	for _, g := range a.after {
		if at := c.impure(g.That, a, known...); at != nil {
			a.tableAll, a.why = false, whatElse(at)
		} else {
			a.tabled = append(a.tabled, g)
		}
	}
	if a.table.dense == nil && len(a.knows) > 0 {
		if hi, n := bits.Mul64(a.contexts, a.table.keys); hi != 0 || n > 1<<62 {
			a.tabled, a.tableAll, a.knows, a.contexts = nil, len(a.after) == 0, nil, 0
		}
	}
	if a.table.dense != nil && p.from > 0 && len(a.knows) == 0 {
		oc := newOptionCache(a)
		a.fixed = &oc
	}
}

// whatElse says what a formula depends on beside what is picked.
func whatElse(e *dsl.Expr) string {
	return "`" + e.Span.Text() + "` may change from one time to the next"
}

// pure reports whether a formula depends on nothing but params, the pick, and
// what the table's key tells of the pieces picked from.
func (c *coder) pure(e *dsl.Expr, a *action, known ...*dsl.Local) bool {
	return c.impure(e, a, known...) == nil
}

// impure returns the part of a formula that depends on something else, nil if it
// is pure.
func (c *coder) impure(e *dsl.Expr, a *action, known ...*dsl.Local) *dsl.Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case dsl.OpState, dsl.OpNumber, dsl.OpMe, dsl.OpActive, dsl.OpPlayers, dsl.OpOthers, dsl.OpWinners, dsl.OpOver,
		dsl.OpFirst, dsl.OpLast, dsl.OpNth, dsl.OpTake, dsl.OpFind, dsl.OpFindLast:
		return e
	case dsl.OpZone:
		// The zone picked from is told by the key; any other is not.
		list := a.picks[0].Pick.List
		if list.Op != dsl.OpZone || list.Ref != e.Ref || len(e.Args) != 0 {
			return e
		}
	case dsl.OpAttr:
		if !slices.Contains(a.table0().attrs, e.Ref.(*dsl.Attr)) {
			return e
		}
	case dsl.OpCall:
		d := e.Ref.(*dsl.Define)
		if c.impure(d.Body, a, append(slices.Clone(known), d.Params...)...) != nil {
			return e
		}
	case dsl.OpPoints, dsl.OpAllScore, dsl.OpAnyScore, dsl.OpMost, dsl.OpIs:
		s := e.Ref.(*dsl.Scorer)
		for _, at := range s.Reads {
			if !slices.Contains(a.table0().attrs, at) {
				return e
			}
		}
		// What the scorer knows besides is a part of the key.
		if r := c.g.scorers[s]; len(r.knows) > 0 && !slices.Contains(a.knows, r) {
			hi, n := bits.Mul64(max(a.contexts, 1), r.contexts)
			if hi != 0 || n > 1<<40 {
				return e
			}
			a.knows, a.contexts = append(a.knows, r), n
		}
	}
	for _, x := range e.Args {
		if at := c.impure(x, a, known...); at != nil {
			return at
		}
	}
	return nil
}

func (a *action) table0() *classes { return a.picks[0].cl }

// optionCache holds the options of one action that were worked out: a row for
// each key, the options of all rows one after the other.
type optionCache struct {
	table  *table
	pages  pages // a page of rows for every context, where multisets have numbers
	rows   []optionRow
	keys   []uint64 // of each option: what it takes
	counts []uint8  // of each option, numbers by class; empty for small families
	ranked []ranked // of each option, where multisets have numbers
	worths []worth  // of each option, where the action begins by scoring its pick and multisets have numbers
	last   uint64   // the context that was met last, plus 1
	page   int      // where its rows begin
}

// ranked is an option as the ranks of its pieces among those picked from, and
// the number of the multiset that they are.
type ranked struct {
	ranks uint8
	id    uint16
}

// worth is an option and what its score statement pays, or unworthy.
type worth struct {
	ranked
	points int32
}

// unworthy marks picks whose score statement has more to do than to pay.
const unworthy = math.MinInt32

// optionRow is the options of one key: those from first on.
// n is -1 where it is not yet known.
type optionRow struct {
	first, n int32
	some     int8 // whether some of the pieces score, by the scorer that noteThenAsk asks: 1 no, 2 yes, 0 not yet asked
}

// sift lists those options of a row that the guards which read the state
// allow.
func (m *Machine) sift(a *action, row, n int) (left int) {
	first := int(m.cache.options[a.index].rows[row].first)
	for i := range n {
		m.loadRow(a, first+i)
		if m.allowed(a) {
			m.opts.values = append(m.opts.values, m.s[a.picks[0].slot])
			left++
		}
	}
	return left
}

// optionRow finds or makes the row of a tabled action for the pieces as they
// lie.
func (m *Machine) optionRow(a *action) int { return m.optionsOf(a, uint64(a.picks[0].list(m))) }

// optionsOf is optionRow for a set of pieces to pick from.
func (m *Machine) optionsOf(a *action, set uint64) int {
	oc := &m.cache.options[a.index]
	var key uint64
	if d := a.table.dense; d != nil {
		if len(a.knows) > 0 {
			ctx := a.context(m)
			if ctx+1 != oc.last {
				page, fresh := oc.pages.of(ctx, a.contexts)
				if fresh {
					if len(oc.rows) > maxPaged {
						*oc = newOptionCache(a)
						return m.optionsOf(a, set)
					}
					oc.rows = append(oc.rows, unknownRows(d.n)...)
				}
				oc.last, oc.page = ctx+1, page*d.n
			}
			key = uint64(oc.page)
		}
		key += uint64(a.table.id(m, set))
		if oc.rows[key].n >= 0 {
			return int(key)
		}
	} else {
		key = a.table.key(m, set)
		if len(a.knows) > 0 {
			key = key*a.contexts + a.context(m)
		}
		if i := oc.table.get(key); i >= 0 {
			return i
		}
	}
	return m.fillOptions(a, oc, key, set)
}

// fillOptions works out the options of a key.
func (m *Machine) fillOptions(a *action, oc *optionCache, key, set uint64) int {
	p := &a.picks[0]
	if len(oc.keys) >= maxRows {
		*oc = newOptionCache(a)
		return m.optionsOf(a, set)
	}
	row := optionRow{first: int32(len(oc.keys))}
	m.classSets(a.table, set, p.Form == dsl.PickAny, func(counts []uint8, part uint64) {
		if !m.fitsWhere(p, part) {
			return
		}
		m.s[p.slot] = int64(part)
		for i := range a.tabled {
			if a.tabled[i].f(m) == 0 {
				return
			}
		}
		row.n++
		k := a.table.keyOf(counts)
		oc.keys = append(oc.keys, k)
		if !a.table.small {
			oc.counts = append(oc.counts, counts...)
		}
		if d := a.table.dense; d != nil {
			o := ranked{d.ranks(int(key)%d.n, a.table, k), d.ids[k]}
			oc.ranked = append(oc.ranked, o)
			if a.scores != nil {
				oc.worths = append(oc.worths, worth{o, m.worthOf(a.scores, part)})
			}
		}
	})
	if a.table.dense != nil {
		oc.rows[key] = row
		return int(key)
	}
	oc.rows = append(oc.rows, row)
	oc.table.put(key, len(oc.rows)-1)
	return len(oc.rows) - 1
}

// worthOf is what a score statement pays for pieces, if that is all it does.
func (m *Machine) worthOf(r *scorer, part uint64) int32 {
	row := m.row(r, part)
	if !row.legal || row.code || row.points <= unworthy || row.points > math.MaxInt32 {
		return unworthy
	}
	return int32(row.points)
}

func newOptionCache(a *action) optionCache {
	switch {
	case a.table.dense == nil:
		return optionCache{table: newTable(a.table.keys * max(a.contexts, 1))}
	case len(a.knows) > 0:
		return optionCache{}
	}
	return optionCache{rows: unknownRows(a.table.dense.n)}
}

func unknownRows(n int) []optionRow {
	rows := make([]optionRow, n)
	for i := range rows {
		rows[i].n = -1
	}
	return rows
}

// context is the facts of the moment that the action's guards depend on.
func (a *action) context(m *Machine) uint64 {
	ctx := uint64(0)
	for _, r := range a.knows {
		ctx = ctx*r.contexts + r.context(m)
	}
	return ctx
}

func (m *Machine) fitsWhere(p *pick, part uint64) bool {
	if p.where == nil {
		return true
	}
	for u := part; u != 0; u &= u - 1 {
		m.s[p.it] = int64(bits.TrailingZeros64(u))
		if p.where(m) == 0 {
			return false
		}
	}
	return true
}

// classSets calls visit with every choice of pieces of a set that differs in
// its classes: the empty one only if empty is set.
func (m *Machine) classSets(cl *classes, set uint64, empty bool, visit func(counts []uint8, part uint64)) {
	have := cl.counts(m, set, nil)
	total := 1
	for _, h := range have {
		if total *= int(h) + 1; total > maxParts {
			panic(&Fault{Message: fmt.Sprintf("%d pieces can be picked in too many ways", bits.OnesCount64(set))})
		}
	}
	counts := make([]uint8, len(have))
	for first := true; ; first = false {
		m.spend()
		if !first || empty {
			visit(counts, cl.take(m, set, counts))
		}
		if !advance(counts, have) {
			return
		}
	}
}

// loadRow puts the option that stands at a place of the table into the slot of
// the pick.
func (m *Machine) loadRow(a *action, at int) {
	cl := a.table
	p := &a.picks[0]
	oc := &m.cache.options[a.index]
	set := uint64(p.list(m))
	if cl.dense != nil {
		m.loadRanked(a, set, oc.ranked[at])
		return
	}
	var got uint64
	if cl.small {
		got = cl.takeKey(m, set, oc.keys[at])
	} else {
		k := len(cl.caps)
		got = cl.take(m, set, oc.counts[at*k:(at+1)*k])
	}
	m.s[p.slot] = int64(got)
	memo := &m.memo[cl.index]
	memo.set, memo.key, memo.faces = got, oc.keys[at], m.faces
}

// loadRanked is loadRow for pieces that lie in the order of their faces.
func (m *Machine) loadRanked(a *action, set uint64, o ranked) {
	cl := a.table
	memo := &m.memo[cl.index]
	if memo.thrown != set || memo.sorted != m.faces { // they do not: by number
		got := cl.takeKey(m, set, cl.dense.keys[o.id])
		m.s[a.picks[0].slot] = int64(got)
		return
	}
	got := uint64(cl.dense.spread[set<<7&0x3fff|uint64(o.ranks)])
	m.s[a.picks[0].slot] = int64(got)
	memo.set, memo.faces, memo.id = got, m.faces, int32(o.id)
}
