package interpreter

import (
	"maps"

	"github.com/houserules/houserules/dsl"
)

// inside returns a lowerer for the body of a define or a table, in which more
// names can be known.
func (lo *lowerer) inside() *lowerer {
	in := &lowerer{g: lo.g, shared: lo.shared, values: maps.Clone(lo.values), args: maps.Clone(lo.args), among: maps.Clone(lo.among)}
	if in.values == nil {
		in.values = map[*dsl.Local]val{}
	}
	if in.args == nil {
		in.args = map[*dsl.Local]argument{}
	}
	return in
}

// A store keeps an argument in a slot before the body is worked out.
type store struct {
	slot int
	f    fn
}

// bind makes the parameters of a body known: arguments that are constants,
// slots or lists are handed in as they are, collections of pieces as formulas,
// others are kept in a slot.
func (lo *lowerer) bind(params []*dsl.Local, args []*dsl.Expr) (inner *lowerer, stores []store) {
	inner = lo.inside()
	for i, p := range params {
		if isCards(p.Type) {
			inner.args[p] = argument{lo, args[i]}
			continue
		}
		a := lo.expr(args[i])
		if a.konst || a.slot >= 0 || lo.g.room(p.Type) > 0 {
			inner.values[p] = a
			continue
		}
		at := lo.g.slots.take(1)
		stores = append(stores, store{at, a.f})
		inner.values[p] = slotVal(at)
	}
	return inner, stores
}

// storing runs stores before a body.
func storing(stores []store, f fn) val {
	switch len(stores) {
	case 0:
		return calc(f)
	case 1:
		s := stores[0]
		return calc(func(m *Machine) int64 {
			m.s[s.slot] = s.f(m)
			return f(m)
		})
	}
	return calc(func(m *Machine) int64 {
		for i := range stores {
			m.s[stores[i].slot] = stores[i].f(m)
		}
		return f(m)
	})
}

// row is a line of a table, made ready.
type row struct {
	when  test // nil: always
	find  fn   // nil: it looks for nothing
	slot  int  // where what was found lies for gives
	gives fn   // nil: what was found
	must  []meeting
	// A row that looks for the first piece of a zone that keeps a list, among
	// those of a set that is known where it is, needs no find: scan is the slot
	// of the list then, else 0. values, if not nil, is what it gives by piece.
	scan   int
	among  meeting
	values []int64
}

// A meeting is of two sets that must have a piece in common, or else a row does
// not apply, or adds nothing: that is seen at once.
type meeting struct {
	zone int // slots of a zone
	in   place
}

func (x *meeting) meets(s []int64) bool {
	in := x.in.of(s)
	return uint64(s[x.zone])&in.lo|uint64(s[x.zone+1])&in.hi != 0
}

// meetingOf returns the meeting that a condition on the pieces of a list asks
// for, if there is one.
func (lo *lowerer) meetingOf(list *dsl.Expr, it *dsl.Local, where *dsl.Expr) (x meeting, ok bool) {
	from := lo.placeOf(list)
	keep := lo.sieve(it, where)
	return meeting{from.slot, keep.in}, from.slot > 0 && keep.in.known && !keep.out
}

// meetings finds what must meet for a row to matter.
func (lo *lowerer) meetings(t *dsl.Table, r *dsl.Row) (out []meeting) {
	add := func(list *dsl.Expr, it *dsl.Local, where *dsl.Expr) {
		if x, ok := lo.meetingOf(list, it, where); ok {
			out = append(out, x)
		}
	}
	if w := r.When; w != nil && w.Op == dsl.OpAny && isCards(w.Args[0].Type) {
		add(w.Args[0], w.Ref.(*dsl.Local), w.Args[1])
	}
	if r.Find != dsl.FindNothing && r.Find != dsl.FindFirst {
		add(pieces(t), r.It, r.Where)
	}
	if g := r.Gives; t.Sum && g != nil && g.Op == dsl.OpMul && lo.expr(g.Args[0]).konst {
		if n := g.Args[1]; n.Op == dsl.OpCount && isCards(n.Args[0].Type) && n.Args[1] != nil {
			add(n.Args[0], n.Ref.(*dsl.Local), n.Args[1])
		}
	}
	return out
}

// pieces is what a table looks in.
func pieces(t *dsl.Table) *dsl.Expr {
	return &dsl.Expr{Op: dsl.OpLocal, Ref: t.Params[0], Type: t.Params[0].Type, Span: t.Span}
}

// table lowers the call of a decision table.
func (lo *lowerer) table(e *dsl.Expr) val {
	t := e.Ref.(*dsl.Table)
	inner, stores := lo.bind(t.Params, e.Args)
	var rows []row
	var points []*point // of covered games
	for _, r := range t.Rows {
		x, sure, never := inner.row(t, r)
		if never {
			continue
		}
		rows = append(rows, x)
		if lo.g.cover != nil {
			points = append(points, lo.g.cover.at(PointRow, r.Span, r.Path))
		}
		if sure && !t.Sum {
			break
		}
	}
	if lo.g.cover != nil {
		return storing(stores, coveredRows(rows, points, e))
	}
	if t.Sum {
		return storing(stores, sumRows(rows, e))
	}
	if len(rows) == 1 && rows[0].when == nil && rows[0].find == nil && len(stores) == 0 {
		return calc(rows[0].gives)
	}
	return storing(stores, firstRow(rows, e))
}

// row makes one line ready. It is sure if it always applies.
func (lo *lowerer) row(t *dsl.Table, r *dsl.Row) (x row, sure, never bool) {
	sure = true
	if r.When != nil {
		if v := lo.expr(r.When); !v.konst {
			x.when, sure = lo.cond(r.When), false
		} else if v.c == 0 {
			return x, false, true
		}
	}
	if r.Find != dsl.FindNothing {
		sure = false
		of := pieces(t)
		switch r.Find {
		case dsl.FindFirst, dsl.FindLast:
			x.find = lo.findCard(of, r.It, r.Where, r.Find == dsl.FindLast)
		default:
			x.find = lo.bestCard(of, r.It, r.Where, r.Key, r.Find == dsl.FindHighest)
		}
		x.slot = lo.g.local(r.It)
	}
	if r.Gives != nil {
		x.gives = lo.expr(r.Gives).f
	}
	x.must = lo.meetings(t, r)
	if r.Find == dsl.FindFirst {
		if of := pieces(t); lo.listSlot(of) > 0 {
			if among, ok := lo.meetingOf(of, r.It, r.Where); ok {
				x.scan, x.among = lo.listSlot(of), among
			}
		}
	}
	if g := r.Gives; g != nil && r.Find != dsl.FindNothing && g.Op == dsl.OpAttr && isLocal(g.Args[0], r.It) {
		x.values = lo.g.attrValues[g.Ref.(*dsl.Attr)]
	}
	return x, sure, false
}

// value is what a row gives; false if it does not apply.
func (r *row) value(m *Machine) (v int64, applies bool) {
	for i := range r.must {
		if !r.must[i].meets(m.s) {
			return 0, false
		}
	}
	if r.when != nil && !r.when(m) {
		return 0, false
	}
	switch {
	case r.scan > 0:
		in := r.among.in.of(m.s)
		in = in.and(set128{uint64(m.s[r.among.zone]), uint64(m.s[r.among.zone+1])})
		if in.empty() {
			return 0, false
		}
		i := r.scan + 1
		for !in.has(int(m.s[i])) {
			i++
		}
		v = m.s[i]
	case r.find != nil:
		if v = r.find(m); v == dsl.None {
			return 0, false
		}
	default:
		return r.gives(m), true
	}
	switch {
	case r.values != nil:
		return r.values[v], true
	case r.gives == nil:
		return v, true
	}
	m.s[r.slot] = v
	return r.gives(m), true
}

func firstRow(rows []row, e *dsl.Expr) fn {
	maybe := e.Type.Maybe
	return func(m *Machine) int64 {
		m.spend()
		for i := range rows {
			if v, ok := rows[i].value(m); ok {
				return v
			}
		}
		if !maybe {
			return fault(e.Span, "no row of `%s` applies", e.Ref.(*dsl.Table).Name)
		}
		return dsl.None
	}
}

func sumRows(rows []row, e *dsl.Expr) fn {
	return func(m *Machine) int64 {
		m.spend()
		sum := int64(0)
		for i := range rows {
			if v, ok := rows[i].value(m); ok {
				sum = add(sum, v, e)
			}
		}
		return sum
	}
}
