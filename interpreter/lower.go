package interpreter

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/houserules/houserules/dsl"
)

// This file lowers typed formulas to closures over the state. A formula is
// folded while it is lowered: params, and all that follows from them, become
// constants of the game.

// fn computes one value. It may panic with a *Fault.
type fn func(m *Machine) int64

// val is a lowered formula. Exactly one of three holds: it is a constant, it
// is a plain slot of the state, or only f knows.
type val struct {
	f     fn
	c     int64
	konst bool
	slot  int // -1 if it is no plain slot
	mine  int // of a plain slot of the seat me: the slot of seat 0; else 0
}

func konst(c int64) val {
	return val{f: func(*Machine) int64 { return c }, c: c, konst: true, slot: -1}
}

func slotVal(slot int) val {
	return val{f: func(m *Machine) int64 { return m.s[slot] }, slot: slot}
}

func calc(f fn) val { return val{f: f, slot: -1} }

// lowerer turns the formulas and scripts of one program into those of a game.
type lowerer struct {
	g      *Game
	values map[*dsl.Local]val      // locals that are known, or stand for another slot
	args   map[*dsl.Local]argument // parameters that are collections of pieces without faces
	among  map[*dsl.Local]argument // of which collection a piece is, that a condition is asked of
	shared bool                    // values of defines may be shared while options are counted
}

// constant computes a value that does not depend on the state.
func (g *Game) constant(e *dsl.Expr) (int64, error) { return g.constantWith(e, nil, 0) }

// constantWith is constant with one local known.
func (g *Game) constantWith(e *dsl.Expr, l *dsl.Local, value int64) (v int64, err error) {
	defer catchFault(&err)
	lo := &lowerer{g: g}
	if l != nil {
		lo.values = map[*dsl.Local]val{l: konst(value)}
	}
	x := lo.expr(e)
	if x.konst {
		return x.c, nil
	}
	m := &Machine{g: g, s: make([]int64, g.slots.n)}
	return x.f(m), nil
}

// expr lowers a formula.
func (lo *lowerer) expr(e *dsl.Expr) val {
	if isCards(e.Type) {
		return lo.cardList(e)
	}
	switch e.Op {
	case dsl.OpConst:
		return konst(e.Int)
	case dsl.OpParam:
		return lo.param(e.Ref.(*dsl.Param))
	case dsl.OpState:
		return lo.state(e.Ref.(*dsl.Var), e)
	case dsl.OpNumber:
		return slotVal(lo.g.numberSlot[e.Ref.(*dsl.Scope)])
	case dsl.OpLocal:
		l := e.Ref.(*dsl.Local)
		if v, ok := lo.values[l]; ok {
			return v
		}
		if lo.g.room(l.Type) > 0 {
			return konst(listAtSlot(lo.g.local(l)))
		}
		return slotVal(lo.g.local(l))
	case dsl.OpAttr:
		return lo.attr(e)
	case dsl.OpZone:
		z := e.Ref.(*dsl.Zone)
		base := lo.g.zoneSlot[z]
		if !z.Each {
			return slotVal(base)
		}
		return lo.indexed(base, lo.expr(e.Args[0]), e)
	case dsl.OpFamily:
		return konst(lo.g.families[e.Ref.(*dsl.Family)].all)
	case dsl.OpMe:
		return slotVal(slotMe)
	case dsl.OpActive:
		return slotVal(slotActive)
	case dsl.OpEveryone:
		return konst(lo.g.everyone)
	case dsl.OpSeats:
		return konst(lo.g.allSeats())
	case dsl.OpGhost:
		return konst(lo.g.ghostAt[e.Ref.(*dsl.Ghost)])
	case dsl.OpPlayers:
		return lo.players()
	case dsl.OpOthers:
		return calc(func(m *Machine) int64 { return m.others(m.s[slotMe]) })
	case dsl.OpWinners:
		return calc(func(m *Machine) int64 { return m.winners() })
	case dsl.OpOver:
		return calc(func(m *Machine) int64 { return bit(m.s[slotStatus] == statusOver) })
	case dsl.OpNot, dsl.OpNeg, dsl.OpAdd, dsl.OpSub, dsl.OpMul, dsl.OpDiv, dsl.OpMod, dsl.OpAbs,
		dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		return lo.arith(e)
	case dsl.OpAnd, dsl.OpOr, dsl.OpCond, dsl.OpCoalesce, dsl.OpLookup:
		return lo.choice(e)
	case dsl.OpCall:
		return lo.call(e)
	case dsl.OpTable:
		return lo.table(e)
	case dsl.OpMark:
		return lo.mark(e)
	case dsl.OpKey:
		return lo.atKey(e)
	case dsl.OpSpot:
		return lo.spot(e)
	case dsl.OpPlace:
		return lo.placeOfPiece(e)
	case dsl.OpPoints, dsl.OpAllScore, dsl.OpAnyScore, dsl.OpMost, dsl.OpIs:
		return lo.scorerCall(e)
	default:
		return lo.collection(e)
	}
}

func (lo *lowerer) param(p *dsl.Param) val {
	v, ok := lo.g.paramValue[p]
	if !ok && p.Type.Kind == dsl.KList {
		list, err := lo.g.constantList(p.Value(), nil, 0)
		if err != nil {
			panic(err)
		}
		v, ok = lo.g.static(list), true
		lo.g.paramValue[p] = v
	}
	if !ok {
		c := lo.expr(p.Value())
		if !c.konst {
			c = konst(c.f(&Machine{g: lo.g, s: make([]int64, lo.g.slots.n)}))
		}
		lo.g.paramValue[p] = c.c
		return c
	}
	return konst(v)
}

func (lo *lowerer) state(v *dsl.Var, e *dsl.Expr) val {
	base := lo.g.varSlot[v]
	if v.Type.Kind == dsl.KMap || v.Type.Kind == dsl.KList {
		at := lo.mapSlot(v, e)
		return calc(func(m *Machine) int64 { return listAtSlot(at(m)) })
	}
	if !v.Each {
		return slotVal(base)
	}
	return lo.indexed(base, lo.expr(e.Args[0]), e)
}

// mapSlot lowers a map or a list that is state to the slot of its length.
func (lo *lowerer) mapSlot(v *dsl.Var, e *dsl.Expr) func(m *Machine) int {
	base, size := lo.g.varSlot[v], lo.g.varSize(v)
	if !v.Each {
		return func(*Machine) int { return base }
	}
	seat := lo.seatIndex(lo.expr(e.Args[0]), e)
	return func(m *Machine) int { return base + size*int(seat(m)) }
}

// atKey lowers the value of a map at a key.
func (lo *lowerer) atKey(e *dsl.Expr) val {
	f, key, span, low := lo.expr(e.Args[0]).f, lo.expr(e.Args[1]).f, e.Span, e.Args[0].Type.Key.Lo
	return lo.tidy(func(m *Machine) int64 {
		vs, k := m.list(f(m)), key(m)-low
		if uint64(k) >= uint64(len(vs)) {
			return fault(span, "there is nothing at this key")
		}
		return vs[k]
	})
}

// indexed reads the slot base+seat.
func (lo *lowerer) indexed(base int, seat val, e *dsl.Expr) val {
	n, span := uint64(lo.g.seats), e.Span
	switch {
	case seat.konst:
		if uint64(seat.c) >= n {
			fault(span, "there is no seat here")
		}
		return slotVal(base + int(seat.c))
	case seat.slot == slotMe || seat.slot == slotActive: // always a seat
		at := seat.slot
		v := calc(func(m *Machine) int64 { return m.s[base+int(m.s[at])] })
		if at == slotMe {
			v.mine = base
		}
		return v
	case seat.slot >= 0:
		at := seat.slot
		return calc(func(m *Machine) int64 {
			i := uint64(m.s[at])
			if i >= n {
				return fault(span, "there is no seat here")
			}
			return m.s[base+int(i)]
		})
	default:
		f := seat.f
		return calc(func(m *Machine) int64 {
			i := uint64(f(m))
			if i >= n {
				return fault(span, "there is no seat here")
			}
			return m.s[base+int(i)]
		})
	}
}

func (lo *lowerer) attr(e *dsl.Expr) val {
	a := e.Ref.(*dsl.Attr)
	fam := lo.g.families[a.Family]
	if fam.cards != nil {
		return lo.cardAttr(e)
	}
	x, n, span := lo.expr(e.Args[0]), uint64(fam.count), e.Span
	f := x.f
	if a.IsFace {
		base := fam.faceSlot
		return calc(func(m *Machine) int64 {
			i := uint64(f(m))
			if i >= n {
				return fault(span, "there is no piece here")
			}
			m.land()
			return m.s[base+int(i)]
		})
	}
	values := lo.g.attrValues[a]
	return calc(func(m *Machine) int64 {
		i := uint64(f(m))
		if i >= n {
			return fault(span, "there is no piece here")
		}
		return values[i]
	})
}

// players is the set of the seats that are not out.
func (lo *lowerer) players() val {
	if lo.g.outSlot < 0 {
		return konst(lo.g.everyone)
	}
	return calc((*Machine).players)
}

func (m *Machine) players() int64 {
	if m.g.outSlot < 0 {
		return m.g.everyone
	}
	set := int64(0)
	for i := range m.g.people {
		if m.s[m.g.outSlot+i] == 0 {
			set |= 1 << i
		}
	}
	return set
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// arith lowers operations on numbers and comparisons.
func (lo *lowerer) arith(e *dsl.Expr) val {
	if e.Op >= dsl.OpEq && e.Op <= dsl.OpGe {
		return lo.compare(e)
	}
	x := lo.expr(e.Args[0])
	switch e.Op {
	case dsl.OpNot:
		if x.konst {
			return konst(1 - x.c)
		}
		f := x.f
		return calc(func(m *Machine) int64 { return 1 - f(m) })
	case dsl.OpNeg, dsl.OpAbs:
		op, span, f := e.Op, e.OpSpan, x.f
		return lo.folded(calc(func(m *Machine) int64 {
			v := f(m)
			if v == math.MinInt64 {
				return fault(span, "the number is too large")
			}
			if op == dsl.OpNeg || v < 0 {
				v = -v
			}
			return v
		}), x)
	}
	y := lo.expr(e.Args[1])
	return lo.folded(calc(binary(e, x, y)), x, y)
}

// folded computes v now if all that it depends on is constant.
func (lo *lowerer) folded(v val, from ...val) val {
	for _, x := range from {
		if !x.konst {
			return v
		}
	}
	return konst(v.f(nil))
}

func binary(e *dsl.Expr, x, y val) fn {
	f, g, span := x.f, y.f, e.OpSpan
	switch e.Op {
	case dsl.OpAdd:
		if y.konst && x.slot >= 0 {
			at, c := x.slot, y.c
			return func(m *Machine) int64 { return add(m.s[at], c, e) }
		}
		return func(m *Machine) int64 { return add(f(m), g(m), e) }
	case dsl.OpSub:
		return func(m *Machine) int64 {
			a, b := f(m), g(m)
			r := a - b
			if (a^b)&(a^r) < 0 {
				return fault(span, "%d - %d is too large a number", a, b)
			}
			return r
		}
	case dsl.OpMul:
		return func(m *Machine) int64 {
			a, b := f(m), g(m)
			r := a * b
			if a != 0 && (r/a != b || a == -1 && b == math.MinInt64) {
				return fault(span, "%d * %d is too large a number", a, b)
			}
			return r
		}
	default:
		div := e.Op == dsl.OpDiv
		if div && y.konst && y.c > 1 && y.c < 1<<31 {
			return divide(f, y.c)
		}
		return func(m *Machine) int64 {
			a, b := f(m), g(m)
			if b == 0 {
				return fault(span, "%d is divided by 0", a)
			}
			if b == -1 && a == math.MinInt64 {
				return fault(span, "the number is too large")
			}
			q, r := a/b, a%b
			if r != 0 && (r < 0) != (b < 0) {
				q, r = q-1, r+b
			}
			if div {
				return q
			}
			return r
		}
	}
}

// divide divides by a constant, small numbers by multiplying (exact below 2^32,
// since the divisor is below 2^31).
func divide(f fn, by int64) fn {
	inverse := ^uint64(0)/uint64(by) + 1
	return func(m *Machine) int64 {
		a := f(m)
		if uint64(a) < 1<<32 {
			hi, _ := bits.Mul64(uint64(a), inverse)
			return int64(hi)
		}
		q := a / by
		if a < 0 && q*by != a {
			q--
		}
		return q
	}
}

func add(a, b int64, e *dsl.Expr) int64 {
	r := a + b
	if (a^r)&(b^r) < 0 {
		return fault(e.OpSpan, "%d + %d is too large a number", a, b)
	}
	return r
}

// compare lowers == != < <= > >=.
func (lo *lowerer) compare(e *dsl.Expr) val {
	x, y := lo.expr(e.Args[0]), lo.expr(e.Args[1])
	if e.Args[0].Type.IsCollection() || e.Args[1].Type.IsCollection() {
		return lo.compareLists(e, x, y)
	}
	if x.konst && y.konst {
		return konst(bit(compare(e.Op, x.c, y.c)))
	}
	if y.konst && x.slot >= 0 {
		return calc(compareSlotConst(e.Op, x.slot, y.c))
	}
	f, g := x.f, y.f
	switch e.Op {
	case dsl.OpEq:
		return calc(func(m *Machine) int64 { return bit(f(m) == g(m)) })
	case dsl.OpNe:
		return calc(func(m *Machine) int64 { return bit(f(m) != g(m)) })
	case dsl.OpLt:
		return calc(func(m *Machine) int64 { return bit(f(m) < g(m)) })
	case dsl.OpLe:
		return calc(func(m *Machine) int64 { return bit(f(m) <= g(m)) })
	case dsl.OpGt:
		return calc(func(m *Machine) int64 { return bit(f(m) > g(m)) })
	default:
		return calc(func(m *Machine) int64 { return bit(f(m) >= g(m)) })
	}
}

func compare(op dsl.Op, a, b int64) bool {
	switch op {
	case dsl.OpEq:
		return a == b
	case dsl.OpNe:
		return a != b
	case dsl.OpLt:
		return a < b
	case dsl.OpLe:
		return a <= b
	case dsl.OpGt:
		return a > b
	default:
		return a >= b
	}
}

func compareSlotConst(op dsl.Op, at int, c int64) fn {
	switch op {
	case dsl.OpEq:
		return func(m *Machine) int64 { return bit(m.s[at] == c) }
	case dsl.OpNe:
		return func(m *Machine) int64 { return bit(m.s[at] != c) }
	case dsl.OpLt:
		return func(m *Machine) int64 { return bit(m.s[at] < c) }
	case dsl.OpLe:
		return func(m *Machine) int64 { return bit(m.s[at] <= c) }
	case dsl.OpGt:
		return func(m *Machine) int64 { return bit(m.s[at] > c) }
	default:
		return func(m *Machine) int64 { return bit(m.s[at] >= c) }
	}
}

// choice lowers what does not evaluate all of its parts.
func (lo *lowerer) choice(e *dsl.Expr) val {
	switch e.Op {
	case dsl.OpAnd, dsl.OpOr:
		return lo.logic(e)
	case dsl.OpCond:
		c := lo.expr(e.Args[0])
		if c.konst {
			return lo.expr(e.Args[2-c.c])
		}
		f, a, b := c.f, lo.expr(e.Args[1]).f, lo.expr(e.Args[2]).f
		return calc(func(m *Machine) int64 {
			if f(m) != 0 {
				return a(m)
			}
			return b(m)
		})
	case dsl.OpCoalesce:
		x := lo.expr(e.Args[0])
		if x.konst && x.c != dsl.None {
			return x
		}
		f, g := x.f, lo.expr(e.Args[1]).f
		return calc(func(m *Machine) int64 {
			if v := f(m); v != dsl.None {
				return v
			}
			return g(m)
		})
	default:
		return lo.lookup(e)
	}
}

// safe reports whether a formula can neither fault nor take long: it need not be
// computed if nobody wants its value.
func (lo *lowerer) safe(e *dsl.Expr) bool {
	switch e.Op {
	case dsl.OpConst, dsl.OpParam, dsl.OpNumber, dsl.OpLocal, dsl.OpMe, dsl.OpActive:
		return true
	case dsl.OpState, dsl.OpNot, dsl.OpAnd, dsl.OpOr, dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		for _, a := range e.Args {
			if a != nil && (a.Type.IsCollection() || a.Type.Maybe || !lo.safe(a)) {
				return false
			}
		}
		return !e.Type.IsCollection()
	}
	return false
}

func (lo *lowerer) logic(e *dsl.Expr) val {
	x := lo.expr(e.Args[0])
	stop := bit(e.Op == dsl.OpOr) // the value that settles the matter
	if x.konst {
		if x.c == stop {
			return x
		}
		return lo.expr(e.Args[1])
	}
	y := lo.expr(e.Args[1])
	if y.konst && (y.c != stop || lo.safe(e.Args[0])) {
		if y.c == stop {
			return y
		}
		return x
	}
	f, g := x.f, y.f
	if e.Op == dsl.OpOr {
		return calc(func(m *Machine) int64 {
			if f(m) != 0 {
				return 1
			}
			return g(m)
		})
	}
	return calc(func(m *Machine) int64 {
		if f(m) == 0 {
			return 0
		}
		return g(m)
	})
}

// lookup lowers {k: v, .., else: w}: a table over the span of its keys where
// all values are constant and the span is small, else a chain of tests.
func (lo *lowerer) lookup(e *dsl.Expr) val {
	subject := lo.expr(e.Args[0])
	last := lo.expr(e.Args[len(e.Args)-1])
	var keys []int64
	var values []val
	for i := 1; i+1 < len(e.Args); i += 2 {
		keys = append(keys, lo.expr(e.Args[i]).c)
		values = append(values, lo.expr(e.Args[i+1]))
	}
	pick := func(x int64) val {
		for i, k := range keys {
			if k == x {
				return values[i]
			}
		}
		return last
	}
	if subject.konst {
		return pick(subject.c)
	}
	f := subject.f
	if table, low := lookupTable(keys, values, last); table != nil {
		other := last.c
		return calc(func(m *Machine) int64 {
			if i := uint64(f(m) - low); i < uint64(len(table)) {
				return table[i]
			}
			return other
		})
	}
	return calc(func(m *Machine) int64 { return pick(f(m)).f(m) })
}

func lookupTable(keys []int64, values []val, last val) (table []int64, low int64) {
	if !last.konst || len(keys) == 0 {
		return nil, 0
	}
	low, high := keys[0], keys[0]
	for i, k := range keys {
		if !values[i].konst || k == dsl.None {
			return nil, 0
		}
		low, high = min(low, k), max(high, k)
	}
	if uint64(high-low) >= 256 {
		return nil, 0
	}
	table = make([]int64, high-low+1)
	for i := range table {
		table[i] = last.c
	}
	for i := len(keys) - 1; i >= 0; i-- {
		table[keys[i]-low] = values[i].c
	}
	return table, low
}

// call puts the body of a define in the place of its call.
func (lo *lowerer) call(e *dsl.Expr) val {
	d := e.Ref.(*dsl.Define)
	inner, stores := lo.bind(d.Params, e.Args)
	body := inner.expr(d.Body)
	if len(d.Params) == 0 && lo.shared && !body.konst && lo.g.room(d.Type) == 0 && dear(d.Body) {
		return lo.shareWhileAsking(d, body.f)
	}
	if len(stores) == 0 || body.konst {
		return body
	}
	return storing(stores, body.f)
}

func (lo *lowerer) bug(e *dsl.Expr) val {
	panic(fmt.Sprintf("interpreter: formula operation %d at %s is not lowered", e.Op, e.Span))
}
