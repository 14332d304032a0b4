package interpreter

import (
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file takes the decisions of random playouts whose actions pick nothing,
// or of which one picks pieces by a table: what is open is found out on the
// spot, without a list of options.

// settlePicking finds the one action of a decision that picks, if its options
// are all in a table and every other action picks nothing.
func (a *ask) settlePicking() {
	a.picking = -1
	if len(a.actions) > 32 {
		return
	}
	for i, act := range a.actions {
		switch {
		case len(act.waive) > 0:
			a.picking = -1
			return
		case len(act.picks) == 0:
		case a.picking >= 0 || act.table == nil || !act.tableAll:
			a.picking = -1
			return
		default:
			a.picking = i
		}
	}
}

// allKnown reports whether a decision is one action whose options, in every case,
// are known beforehand.
func (a *ask) allKnown() bool { return a.mode == askTable && a.actions[0].fixed != nil }

// settleScores notes which actions begin by scoring what they pick, with a walk
// over the combinations that can be spared: see loudScore.
func (g *Game) settleScores(a *ask) {
	for _, act := range a.actions {
		sc, ok := g.code[act.entry].x.(*scoring)
		if ok && sc.loud && len(act.picks) == 1 && sc.slot == act.picks[0].slot && len(sc.r.knows) > 0 && act.table != nil && act.table.dense != nil {
			act.scores = sc.r
		}
	}
}

// onePicks is a decision of which one action picks by a table.
func (q *quickener) onePicks(in *instr, a *ask, at, left int) step {
	act := a.actions[a.picking]
	entries, conditions, place := q.entries(a, left), a.opening(), a.picking
	before := uint32(1)<<place - 1 // the actions that come first
	// Where the picking action begins with a score statement, nothing has
	// changed by then: what scorers know holds there too.
	carry := int64(0)
	if sc, ok := q.g.code[q.past(int32(act.entry))].x.(*scoring); ok && len(sc.r.knows) > 0 {
		carry = -1
	}
	from := act.picks[0].from
	worthy := act.scores != nil && from > 0
	return func(m *Machine, s []int64) int {
		if !m.drawing() {
			return m.stopAt(in, a, at)
		}
		if m.asking == 0 {
			m.beginAsking()
		}
		open := conditions.open(m)
		n, first := bits.OnesCount32(open), 0
		if open>>place&1 != 0 {
			open &^= 1 << place
			row := m.noted.row
			if m.noted.asking != m.asking {
				row = m.optionRow(act)
			}
			r := &m.cache.options[act.index].rows[row]
			n, first = n-1+int(r.n), int(r.first)
		}
		asked := m.asking
		m.asking = 0
		if n == 0 {
			s[slotPC] = int64(at)
			return m.noAnswer(in, a)
		}
		i, early := m.drawOption(n), bits.OnesCount32(open&before)
		picks := n - bits.OnesCount32(open)
		if i >= early && i < early+picks {
			if worthy {
				w := &m.cache.options[act.index].worths[first+i-early]
				m.loadRanked(act, uint64(s[from]), w.ranked)
				m.carried, m.carries = w.points, w.points != unworthy
			} else {
				m.loadRow(act, first+i-early)
			}
			m.asking = asked & carry
			return entries[place](m, s)
		}
		if i >= early {
			i -= picks
		}
		return entries[nthBit(open, i)](m, s)
	}
}

// opening is what finds out which actions are open.
type opening struct {
	always uint32 // those without a condition, as bits
	maybe  []condition
}

type condition struct {
	holds test
	bit   uint32
}

func (a *ask) opening() (o opening) {
	for i, act := range a.actions {
		if len(act.tests) == 0 {
			o.always |= 1 << i
		} else {
			o.maybe = append(o.maybe, condition{all(act.tests), 1 << i})
		}
	}
	return o
}

// all puts tests together.
func all(ts []test) test {
	switch len(ts) {
	case 1:
		return ts[0]
	case 2:
		a, b := ts[0], ts[1]
		return func(m *Machine) bool { return a(m) && b(m) }
	case 3:
		a, b, c := ts[0], ts[1], ts[2]
		return func(m *Machine) bool { return a(m) && b(m) && c(m) }
	}
	a, b := ts[0], all(ts[1:])
	return func(m *Machine) bool { return a(m) && b(m) }
}

// open returns the open actions, as bits.
func (o *opening) open(m *Machine) uint32 {
	open := o.always
	for i := range o.maybe {
		if c := &o.maybe[i]; c.holds(m) {
			open |= c.bit
		}
	}
	return open
}

// nthBit returns the place of the i-th bit that is set, from 0.
func nthBit(w uint32, i int) int {
	for ; i > 0; i-- {
		w &= w - 1
	}
	return bits.TrailingZeros32(w)
}

func (q *quickener) entries(a *ask, left int) []step {
	out := make([]step, len(a.actions))
	for i, act := range a.actions {
		out[i] = q.at(q.past(int32(act.entry)), left-1, 0)
	}
	return out
}

// stopAt stops at a decision, its options counted.
func (m *Machine) stopAt(in *instr, a *ask, at int) int {
	m.s[slotPC] = int64(at)
	if m.waiting = m.count(a); m.waiting == 0 {
		return m.noAnswer(in, a)
	}
	return ^at
}

// pickless is a decision whose actions pick nothing: the conditions of each
// are tested on the spot.
func (q *quickener) pickless(in *instr, a *ask, at, left int) step {
	entries, conditions := q.entries(a, left), a.opening()
	return func(m *Machine, s []int64) int {
		if !m.drawing() {
			return m.stopAt(in, a, at)
		}
		open := conditions.open(m)
		n := bits.OnesCount32(open)
		if n == 0 {
			s[slotPC] = int64(at)
			return m.noAnswer(in, a)
		}
		return entries[nthBit(open, m.drawOption(n))](m, s)
	}
}

// isPickless reports whether pickless serves a decision.
func (a *ask) isPickless() bool {
	for _, act := range a.actions {
		if len(act.picks) > 0 || len(act.waive) > 0 {
			return false
		}
	}
	return len(a.actions) <= 32
}

// conditionTests lowers the conditions of an action that read no pick.
func (c *coder) conditionTests(a *dsl.Action) (ts []test) {
	test := func(e *dsl.Expr) {
		if v := c.expr(e); !v.konst || v.c == 0 {
			ts = append(ts, c.cond(e))
		}
	}
	if a.When != nil {
		test(a.When)
	}
	for _, g := range a.Require {
		if !g.ReadsPicks {
			test(g.That)
		}
	}
	return ts
}

// noteThenAsk is a statement that notes what a scorer says and is followed by a
// decision: what was worked out for it is kept for the decision, provided that
// nothing kept depends on the variable that is written. It is nil for any
// other statement.
func (q *quickener) noteThenAsk(in *instr, left int) step {
	if in.op != opSet || in.note == nil || in.note.stmt == nil || in.note.place == nil || !asksScorer(in.note.stmt.X) {
		return nil
	}
	at := q.past(in.next)
	asking := &q.g.code[at]
	if asking.op != opAsk || q.g.keptReads(in.note.place.Var) {
		return nil
	}
	a := asking.x.(*ask)
	if a.picking < 0 || a.allKnown() { // only onePicks puts an end to it
		return nil
	}
	next, to, f := q.at(at, left-1, 0), in.a, in.f
	if r, zone, yes := q.someScores(in.note.stmt.X); r != nil {
		if act := a.actions[a.picking]; act.sharesRows(r, zone) {
			return noteFromOptions(act, next, int(to), yes)
		}
	}
	return func(m *Machine, s []int64) int {
		m.beginAsking()
		s[to] = f(m)
		return next(m, s)
	}
}

// notedRow is the row of options that a note has already looked up for the
// decision behind it, which is told by its number.
type notedRow struct {
	asking int64
	row    int
}

// sharesRows reports whether the rows of an action's options can hold whether
// some pieces of a zone score: the action picks from that zone, and the rows
// tell apart all that the scorer does. They then hold it for this scorer only.
func (a *action) sharesRows(r *scorer, zone int) bool {
	if a.table == nil || a.table.dense == nil || a.table != r.cl || a.picks[0].from != zone || a.noted != nil && a.noted != r {
		return false
	}
	if len(r.knows) > 0 && !slices.Contains(a.knows, r) {
		return false
	}
	a.noted = r
	return true
}

// noteFromOptions is noteThenAsk where one look at the row of the options
// answers both what is noted and what can be picked.
func noteFromOptions(act *action, next step, to int, yes int8) step {
	r, zone := act.noted, act.picks[0].from
	return func(m *Machine, s []int64) int {
		m.beginAsking()
		row := m.optionsOf(act, uint64(s[zone]))
		some := m.cache.options[act.index].rows[row].some
		if some == 0 {
			some = int8(bit(m.somePart(r, uint64(s[zone])))) + 1
			m.cache.options[act.index].rows[row].some = some
		}
		m.noted = notedRow{m.asking, row}
		s[to] = int64((some - 1) ^ yes ^ 1)
		return next(m, s)
	}
}

// keptReads reports whether a value that is kept while options are counted
// depends on a variable.
func (g *Game) keptReads(v *dsl.Var) bool {
	for d := range g.sharedAt {
		if readsVar(d.Body, v) {
			return true
		}
	}
	for _, r := range g.scorers {
		for _, k := range r.knows {
			if readsVar(k.Value, v) {
				return true
			}
		}
	}
	return false
}

func readsVar(e *dsl.Expr, v *dsl.Var) bool {
	if e == nil {
		return false
	}
	if e.Ref == v {
		return true
	}
	if d, ok := e.Ref.(*dsl.Define); ok && readsVar(d.Body, v) {
		return true
	}
	for _, a := range e.Args {
		if readsVar(a, v) {
			return true
		}
	}
	return false
}

// someScores recognises the question whether some of the pieces of a zone
// score, or whether none does, by whatever names it is asked: the scorer, the
// slot of the zone, and 1 for the first, 0 for the second. The scorer is nil
// for any other formula.
func (q *quickener) someScores(e *dsl.Expr) (r *scorer, zone int, yes int8) {
	yes = 1
	for {
		switch d, named := e.Ref.(*dsl.Define); {
		case e.Op == dsl.OpCall && named && len(d.Params) == 0:
			e = d.Body
		case e.Op == dsl.OpNot:
			e, yes = e.Args[0], 1-yes
		case e.Op == dsl.OpAnyScore && e.Args[0].Op == dsl.OpZone && len(e.Args[0].Args) == 0:
			return q.g.scorers[e.Ref.(*dsl.Scorer)], q.g.zoneSlot[e.Args[0].Ref.(*dsl.Zone)], yes
		default:
			return nil, 0, 0
		}
	}
}
