package interpreter

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// An option is one legal answer to a decision: an action with its picks.
// Options are numbered action by action, and within an action in the order of
// its picks.
//
// An action that picks pieces, and whose guards look at nothing but the pick,
// the pieces it is picked from and what scorers know of the moment, has its options tabulated by the classes
// of those pieces and what is known. All others are listed when they are counted.

// action is a dsl.Action made ready.
type action struct {
	*dsl.Action
	index    int
	entry    int
	when     fn // nil: always
	before   []guard
	tests    []test  // when and before
	scores   *scorer // the action begins by scoring its pick by this one, which knows facts of the moment
	after    []guard // those that read picks
	tabled   []guard // of these, the ones that the table has answered
	waive    []fn
	picks    []pick
	table    *classes     // nil if options are listed
	tableAll bool         // every guard that reads picks is in the table
	knows    []*scorer    // whose facts of the moment are a part of the table's key
	noted    *scorer      // whose answers the rows of the table hold too, see sharesRows; nil for none
	contexts uint64       // how many there are of these
	typed    bool         // people type what it picks: the one option that is listed only stands for it
	residues []residue    // guards that may tell what somebody holds
	choice   *choice      // its options can be counted without a list; see choice.go
	fixed    *optionCache // all rows, if there are few: for quick runs, filled by settle
	cover    *covering    // what its answers count that are put aside; or nil
	why      string       // why its options are not looked up in a table, for Plan; "" if they are
	advice   fn           // how good it is with these picks; nil if the rules do not say
}

type guard struct {
	*dsl.Guard
	f fn
}

type pick struct {
	*dsl.Pick
	slot      int
	it        int
	family    *family  // of sets of pieces
	cl        *classes // tells options apart, for sets of pieces and single pieces
	list      fn
	over      func(m *Machine) iter
	n         fn
	where     fn
	cond      fn
	each      fn     // the seats for each of which one is picked
	otherwise fn     // what is picked where nothing is typed
	inForce   int64  // what an open pick is unless people say otherwise
	listAt    int    // where what is picked lies as a list, if it is a collection of its own; else 0
	room      int    // of that list
	blind     bool   // the seat that picks does not see them: it picks places
	hidden    bool   // not everybody sees the pieces that it is picked from
	opened    bool   // what is picked goes to a zone that all see, in any case
	cards     *cards // of pieces without faces
	set       setfn  // these, as far as `where` holds
	from      int    // slot of the zone picked from, or -1
}

func (c *coder) newAction(a *dsl.Action) *action {
	r := &action{Action: a, index: c.g.actions}
	c.g.actions++
	if a.When != nil {
		if v := c.expr(a.When); !v.konst || v.c == 0 {
			r.when = v.f
		}
	}
	for _, w := range a.Waive {
		r.waive = append(r.waive, c.expr(w.When).f)
	}
	for _, p := range a.Picks {
		r.picks = append(r.picks, c.newPick(a, p))
	}
	for _, g := range a.Require {
		v := c.expr(g.That)
		if v.konst && v.c != 0 && c.g.cover == nil {
			continue // it refuses nothing
		}
		rg := guard{g, v.f}
		if g.ReadsPicks {
			r.after = append(r.after, rg)
		} else {
			r.before = append(r.before, rg)
		}
	}
	hidePicks(r)
	c.tabulate(r)
	c.choose(r)
	r.residues = c.residues(r)
	r.tests = c.conditionTests(a)
	if a.Advice != nil {
		r.advice = c.expr(a.Advice).f
	}
	return r
}

func (c *coder) newPick(a *dsl.Action, p *dsl.Pick) pick {
	r := pick{Pick: p, slot: c.g.local(p.Local), from: -1}
	if r.room = c.g.room(p.Local.Type); r.room > 0 {
		r.listAt, r.slot = r.slot, c.g.slots.take(1)
	}
	if p.It != nil {
		r.it = c.g.local(p.It)
	}
	if p.List != nil && isCards(p.List.Type) {
		r.cards, r.over = c.cardsOf(p.List.Type), c.over(p.List)
		r.blind = blindPick(p.List)
		if r.set = c.set(p.List); p.Where != nil {
			r.set = c.kept(p.List, p.It, p.Where)
		}
	} else if p.List != nil {
		r.over = c.over(p.List)
		list := c.expr(p.List)
		r.list, r.from = list.f, list.slot
		if fam := familyOf(p.List); fam != nil && p.List.Type.IsCollection() && p.List.Type.Elem.Kind == dsl.KPiece {
			r.family = c.g.families[fam]
			attrs := a.TellApart
			if attrs == nil {
				attrs = fam.Attrs
			} else {
				attrs = attrsOf(fam, attrs)
			}
			if cl, ok := c.g.classesFor(r.family, attrs); ok {
				r.cl = cl
			}
		}
	}
	if p.N != nil {
		r.n = c.expr(p.N).f
	}
	if p.Each != nil {
		r.each = c.seatSet(p.Each)
	}
	if p.Default != nil {
		r.otherwise = c.expr(p.Default).f
	}
	if p.Where != nil {
		r.where = c.expr(p.Where).f
	}
	if p.If != nil {
		r.cond = c.expr(p.If).f
	}
	if p.Param != nil {
		r.inForce = c.param(p.Param).c
	}
	return r
}

func attrsOf(fam *dsl.Family, attrs []*dsl.Attr) (out []*dsl.Attr) {
	for _, a := range attrs {
		if a.Family == fam {
			out = append(out, a)
		}
	}
	return out
}

// options are the listed options of the decision that stands.
type options struct {
	valid  bool
	counts []int     // options by action
	starts []int     // where each action's options begin in values
	values []int64   // the picks of listed options, one after the other
	tables []int     // row of each tabled action, or -1
	sets   []set128  // by action, what can be chosen of, where choice serves it
	maps   [][]int64 // values for each seat that picks stand for, by their numbers
	picked []set128  // sets of pieces that picks stand for, by their numbers
	held   []int64   // lists that picks are offered from meanwhile, one behind the other
	lots   []set128  // likewise, lots of pieces that are alike
	row    int       // first option of the one action, in mode askTable
}

// maxListed is how many options of one action are listed at most.
const maxListed = 4096

// count counts the options of a decision.
func (m *Machine) count(a *ask) int {
	m.beginAsking()
	n := m.countAll(a)
	m.asking = 0
	return n
}

// beginAsking makes what is worked out from here on be kept until the options
// of the decision are counted, under a number of its own.
func (m *Machine) beginAsking() {
	m.countings++
	m.asking = m.countings
}

func (m *Machine) countAll(a *ask) int {
	o := &m.opts
	if a.mode == askTable {
		row := m.cache.options[a.actions[0].index].rows[m.optionRow(a.actions[0])]
		o.row, o.valid = int(row.first), true
		return int(row.n)
	}
	o.valid = true
	o.counts, o.starts, o.tables, o.values = o.counts[:0], o.starts[:0], o.tables[:0], o.values[:0]
	o.sets, o.picked, o.maps, o.held, o.lots = o.sets[:0], o.picked[:0], o.maps[:0], o.held[:0], o.lots[:0]
	total := 0
	for _, act := range a.actions {
		o.sets = append(o.sets, set128{})
		o.starts = append(o.starts, len(o.values))
		n, row := m.countAction(act)
		o.counts = append(o.counts, n)
		o.tables = append(o.tables, row)
		total += n
	}
	return total
}

func (m *Machine) countAction(a *action) (n, row int) {
	if a.when != nil && a.when(m) == 0 {
		return 0, -1
	}
	for i := range a.before {
		if g := &a.before[i]; g.f(m) == 0 && !m.waived(a, g) {
			return 0, -1
		}
	}
	switch {
	case len(a.picks) == 0:
		return 1, -1
	case a.choice != nil:
		return a.choice.count(m, &m.opts.sets[len(m.opts.sets)-1]), -1
	case a.table == nil:
		from := len(m.opts.values)
		m.list1(a, 0)
		return (len(m.opts.values) - from) / len(a.picks), -1
	}
	row = m.optionRow(a)
	n = int(m.cache.options[a.index].rows[row].n)
	if a.tableAll {
		return n, row
	}
	return m.sift(a, row, n), -1
}

// waived reports whether a variant's guard is lifted just now.
func (m *Machine) waived(a *action, g *guard) bool {
	if g.Variant == "" {
		return false
	}
	for _, w := range a.waive {
		if w(m) != 0 {
			return true
		}
	}
	return false
}

// allowed tests the guards that read picks, the picks being in their slots.
func (m *Machine) allowed(a *action) bool {
	for i := range a.after {
		if g := &a.after[i]; g.f(m) == 0 && !m.waived(a, g) {
			return false
		}
	}
	return true
}

// list1 lists the options of an action from its i-th pick on, appending the
// values of all picks for each option that the guards allow.
func (m *Machine) list1(a *action, i int) {
	m.spend()
	if i == len(a.picks) {
		if a.typed || m.allowed(a) {
			if len(m.opts.values)-m.opts.starts[len(m.opts.starts)-1] >= maxListed*len(a.picks) {
				fault(a.Span, "there are more than %d ways to do this", maxListed)
			}
			for k := range a.picks {
				m.opts.values = append(m.opts.values, m.s[a.picks[k].slot])
			}
		}
		return
	}
	p := &a.picks[i]
	if a.typed && len(m.opts.values) > m.opts.starts[len(m.opts.starts)-1] {
		return // one is enough
	}
	m.candidates(p, func(v int64) {
		m.hold(p, v)
		m.list1(a, i+1)
	})
}

// candidates calls visit with every value a pick can take, the picks before it
// being in their slots.
func (m *Machine) candidates(p *pick, visit func(int64)) {
	if p.cond != nil && p.cond(m) == 0 {
		m.put(p, dsl.None)
		visit(dsl.None)
		return
	}
	any := false
	found := func(v int64) { any = true; visit(v) }
	if p.Each != nil {
		m.placeholder(p, found)
		return
	}
	switch p.Form {
	case dsl.PickValue, dsl.PickVariants:
		found(p.inForce)
	case dsl.PickRepeat:
		m.repeated(p, found)
	case dsl.PickOne, dsl.PickRange:
		m.oneOf(p, found)
	default:
		m.someOf(p, found)
	}
	if !any && p.IfAny {
		m.put(p, dsl.None)
		visit(dsl.None)
	}
}

// oneOf offers the elements of a collection; pieces that are alike only once.
func (m *Machine) oneOf(p *pick, found func(int64)) {
	if p.blind {
		m.places(p, found)
		return
	}
	if p.cards != nil {
		p.cards.apart(p.set(m)).each(func(piece int) { found(int64(piece)) })
		return
	}
	it := p.over(m)
	at := len(m.opts.held)
	if it.mode == iterList {
		m.opts.held = append(m.opts.held, it.values...)
		it.values = m.opts.held[at:]
		m.arena = m.arena[:0]
	}
	var seen [maxClasses]bool
	for v, ok := it.next(); ok; v, ok = it.next() {
		m.spend()
		if p.where != nil {
			m.s[p.it] = v
			if p.where(m) == 0 {
				continue
			}
		}
		if p.cl != nil {
			c := p.cl.class(m, int(v))
			if seen[c] {
				continue
			}
			seen[c] = true
		}
		found(v)
	}
	m.opts.held = m.opts.held[:at]
}

// someOf offers sets of pieces or seats.
func (m *Machine) someOf(p *pick, found func(int64)) {
	if p.cards != nil {
		m.someCards(p, found)
		return
	}
	set := uint64(p.list(m))
	if p.where != nil {
		for u := set; u != 0; u &= u - 1 {
			m.s[p.it] = int64(bits.TrailingZeros64(u))
			if p.where(m) == 0 {
				set &^= u & -u
			}
		}
	}
	want := -1
	if p.Form == dsl.PickN {
		want = int(p.n(m))
	}
	empty := p.Form == dsl.PickAny || want == 0
	take := func(part uint64) {
		if want < 0 || bits.OnesCount64(part) == want {
			found(int64(part))
		}
	}
	if p.cl != nil {
		m.classSets(p.cl, set, empty, func(_ []uint8, part uint64) { take(part) })
		return
	}
	if bits.OnesCount64(set) > 12 {
		fault(p.Span, "%d things can be picked in too many ways", bits.OnesCount64(set))
	}
	for part := uint64(0); ; {
		m.spend()
		if part != 0 || empty {
			take(part)
		}
		if part = (part - set) & set; part == 0 {
			return
		}
	}
}

// choose carries out option i of a decision: the picks go to their slots, the
// program goes on with the action's code.
func (m *Machine) choose(in *instr, i int) {
	a := in.x.(*ask)
	act := m.load(a, i)
	m.typed = nil
	if a.sealed != nil {
		if act.cover != nil {
			act.cover.count(m)
		}
		if m.rec != nil {
			m.rec.Record(m, &Record{Kind: RecSealed, Seat: int(m.s[slotMe]), Of: -1, Rule: &act.Info, Variant: act.Variant, Text: m.label(act)})
		}
		a.sealed.put(m, in, act)
		return
	}
	if m.rec != nil {
		m.rec.Record(m, &Record{Kind: RecAction, Seat: int(m.s[slotMe]), Of: -1, Rule: &act.Info, Variant: act.Variant, Text: m.label(act), Public: m.publicLabel(act)})
	}
	if m.know != nil {
		m.know.answered(m, act)
	}
	m.s[slotPC] = int64(act.entry)
}

// load puts the picks of option i into their slots and returns its action.
func (m *Machine) load(a *ask, i int) *action {
	if a.mode == askStatic {
		return a.actions[i]
	}
	if !m.opts.valid {
		m.count(a)
	}
	o := &m.opts
	if a.mode == askTable {
		act := a.actions[0]
		m.loadRow(act, o.row+i)
		return act
	}
	for k, act := range a.actions {
		n := o.counts[k]
		if i >= n {
			i -= n
			continue
		}
		switch {
		case len(act.picks) == 0:
		case act.choice != nil:
			act.choice.load(m, o.sets[k], i)
		case o.tables[k] >= 0:
			m.loadRow(act, int(m.cache.options[act.index].rows[o.tables[k]].first)+i)
		default:
			at := o.starts[k] + i*len(act.picks)
			for j := range act.picks {
				m.put(&act.picks[j], o.values[at+j])
			}
		}
		return act
	}
	if t := m.typed; t != nil && i == 0 {
		t.lay(m)
		return t.action
	}
	panic("interpreter: option out of range")
}

// blocked says for a fault why nothing is allowed.
func (m *Machine) blocked(a *ask) string {
	var out []string
	for _, act := range a.actions {
		why := "nothing to pick"
		if act.when != nil && act.when(m) == 0 {
			why = "not now"
		}
		for i := range act.before {
			if g := &act.before[i]; g.f(m) == 0 && !m.waived(act, g) {
				why = g.Name
				break
			}
		}
		out = append(out, fmt.Sprintf("`%s` (%s)", act.Name, why))
	}
	return strings.Join(out, ", ")
}
