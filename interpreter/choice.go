package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file counts the options of two usual kinds of actions without listing
// them: one that picks a number of a range, and one that picks one piece
// without faces, and maybe one of the values that an attribute of it lists.

// choice is what such an action picks.
type choice struct {
	lo, hi fn    // of a range; else nil
	bars   []bar // guards of a range
	slot   int
	span   dsl.Pick

	set    setfn // the pieces that guards allow
	guards []func(m *Machine, s set128) set128
	cards  *cards
	second int       // slot of the pick of a value, 0 if there is none
	zone   fn        // number of the zone, where places are picked; else nil
	lists  [][]int64 // by piece, the values that it can be
	others set128    // pieces whose list is not of one value
}

// choose decides whether the options of an action can be counted so.
func (c *coder) choose(a *action) {
	if len(a.picks) == 0 || len(a.waive) > 0 {
		return
	}
	p := &a.picks[0]
	if p.cond != nil || p.IfAny || p.Open() {
		return
	}
	switch {
	case p.Form == dsl.PickRange && p.Where == nil && len(a.picks) == 1:
		a.choice = &choice{lo: c.expr(p.List.Args[0]).f, hi: c.expr(p.List.Args[1]).f, bars: c.bars(a), slot: p.slot, span: *p.Pick}
	case p.Form == dsl.PickOne && p.cards != nil && (!p.blind || len(a.picks) == 1 && len(a.after) == 0 && p.Where == nil):
		a.choice = c.cardChoice(a)
	}
}

func (c *coder) cardChoice(a *action) *choice {
	p := &a.picks[0]
	ch := &choice{slot: p.slot, set: p.set, cards: p.cards}
	if p.blind {
		ch.zone = c.zoneNumber(p.List).f
		return ch
	}
	if len(a.picks) > 2 {
		return nil
	}
	if len(a.picks) == 2 {
		q := &a.picks[1]
		l := q.List
		if q.Form != dsl.PickOne || q.Where != nil || q.cond != nil || q.IfAny || l.Op != dsl.OpAttr || !isLocal(l.Args[0], p.Local) {
			return nil
		}
		ch.second, ch.lists = q.slot, p.cards.lists[l.Ref.(*dsl.Attr)]
		for i, vs := range ch.lists {
			if len(vs) != 1 {
				ch.others = ch.others.or(single(i))
			}
			sorted := slices.Clone(vs)
			slices.Sort(sorted)
			if len(slices.Compact(sorted)) != len(vs) {
				return nil // the same value twice is one option: let them be listed
			}
		}
	}
	for _, g := range a.after {
		if len(a.picks) == 2 && c.reads(g.That, a.picks[1].Local) {
			return nil
		}
		if f := c.ifThereIs(p, g.That); f != nil && len(ch.guards) == 0 { // which sees all that can be picked
			ch.guards = append(ch.guards, f)
			continue
		}
		ch.guards = append(ch.guards, c.sieveOf(p.List, p.Local, g.That).f)
	}
	return ch
}

// ifThereIs lowers a guard that wants something of what is picked as long as
// there is such a thing among what it is picked of: `A or P(card) or none(zone,
// P(it))`. What P holds for is then looked for once. It is nil for any other
// guard.
func (c *coder) ifThereIs(p *pick, e *dsl.Expr) func(m *Machine, s set128) set128 {
	if p.Where != nil {
		return nil
	}
	parts := alternatives(e)
	for i, none := range parts {
		if none.Op != dsl.OpNone || !same(none.Args[0], p.List, nil, nil) {
			continue
		}
		for k, want := range parts {
			if k == i || !same(want, none.Args[1], p.Local, none.Ref.(*dsl.Local)) {
				continue
			}
			keep := c.sieve(p.Local, want).f
			var others []func(m *Machine, s set128) set128
			for n, part := range parts {
				if n != i && n != k {
					others = append(others, c.sieve(p.Local, part).f)
				}
			}
			if k != len(others) || i != k+1 {
				return nil // in another order some part might be looked at that may fault
			}
			return func(m *Machine, s set128) set128 {
				got, left := set128{}, s
				for _, f := range others {
					x := f(m, left)
					got, left = got.or(x), left.andNot(x)
				}
				if left.empty() {
					return got
				}
				if of := keep(m, s); !of.empty() {
					return got.or(of)
				}
				return s
			}
		}
	}
	return nil
}

// alternatives takes a condition apart at its `or`.
func alternatives(e *dsl.Expr) []*dsl.Expr {
	if e.Op == dsl.OpOr {
		return append(alternatives(e.Args[0]), alternatives(e.Args[1])...)
	}
	return []*dsl.Expr{e}
}

// same reports whether two formulas say the same, the one of the local x, the
// other of y.
func same(a, b *dsl.Expr, x, y *dsl.Local) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Op != b.Op || a.Int != b.Int || len(a.Args) != len(b.Args) {
		return false
	}
	if a.Ref != b.Ref && !(a.Op == dsl.OpLocal && a.Ref == any(x) && b.Ref == any(y)) {
		return false
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i], x, y) {
			return false
		}
	}
	return true
}

// A bar is a guard on a number of a range.
type bar struct {
	lifted []test // parts that do not look at the number: if one holds, every number passes
	f      fn     // the whole guard
}

// bars lowers the guards of an action that picks a number. What a guard asks
// before it looks at the number is asked once for all of them.
func (c *coder) bars(a *action) (out []bar) {
	for _, g := range a.after {
		b := bar{f: g.f}
		for _, part := range alternatives(g.That) {
			if c.reads(part, a.picks[0].Local) {
				break // what comes behind might only be asked of some
			}
			b.lifted = append(b.lifted, c.cond(part))
		}
		out = append(out, b)
	}
	return out
}

// barred reports whether some guard has to look at the numbers one by one.
func (ch *choice) barred(m *Machine) bool {
	for i := range ch.bars {
		free := false
		for _, test := range ch.bars[i].lifted {
			if free = test(m); free {
				break
			}
		}
		if !free {
			return true
		}
	}
	return false
}

// passes reports whether all guards let a number pass.
func (ch *choice) passes(m *Machine, v int64) bool {
	m.s[ch.slot] = v
	for i := range ch.bars {
		if ch.bars[i].f(m) == 0 {
			return false
		}
	}
	return true
}

// someBarred is what a choice keeps of a range whose numbers do not all pass.
var someBarred = single(0)

// count counts the options, and keeps what they are chosen of.
func (ch *choice) count(m *Machine, keep *set128) int {
	if ch.lo != nil {
		lo, hi := ch.lo(m), ch.hi(m)
		if hi-lo >= maxListed {
			fault(ch.span.Span, "there are more than %d ways to do this", maxListed)
		}
		if len(ch.bars) == 0 || lo > hi || !ch.barred(m) {
			return int(max(hi-lo+1, 0))
		}
		n := 0
		for v := lo; v <= hi; v++ {
			m.spend()
			if ch.passes(m, v) {
				n++
			}
		}
		*keep = someBarred
		return n
	}
	s := ch.set(m)
	if ch.zone != nil {
		return s.len()
	}
	for _, g := range ch.guards {
		if s.empty() {
			break
		}
		s = g(m, s)
	}
	s = ch.cards.apart(s)
	*keep = s
	n := s.len()
	for s = s.and(ch.others); !s.empty(); s = s.rest() {
		n += len(ch.lists[s.lowest()]) - 1
	}
	return n
}

// load puts option i into the slots of the picks.
func (ch *choice) load(m *Machine, s set128, i int) {
	switch {
	case ch.lo != nil && s == someBarred:
		for v, hi := ch.lo(m), ch.hi(m); v <= hi; v++ {
			if ch.passes(m, v) {
				if i--; i < 0 {
					return // it lies in its slot
				}
			}
		}
	case ch.lo != nil:
		m.s[ch.slot] = ch.lo(m) + int64(i)
	case ch.zone != nil:
		m.s[ch.slot] = ch.cards.placed(m, int(ch.zone(m)), i)
	case s.and(ch.others).empty():
		p := s.nth(i)
		m.s[ch.slot] = int64(p)
		if ch.second > 0 {
			m.s[ch.second] = ch.lists[p][0]
		}
	default:
		for ; !s.empty(); s = s.rest() {
			p := s.lowest()
			if l := ch.lists[p]; i < len(l) {
				m.s[ch.slot], m.s[ch.second] = int64(p), l[i]
				return
			}
			i -= len(ch.lists[p])
		}
	}
}

// someCards offers sets of pieces without faces: those that are alike are told
// apart by their number only.
func (m *Machine) someCards(p *pick, found func(int64)) {
	s := p.set(m)
	at := len(m.opts.lots)
	for left := s; !left.empty(); {
		g := p.cards.alike(left.lowest()).and(left)
		m.opts.lots = append(m.opts.lots, g)
		left = left.andNot(g)
	}
	groups := m.opts.lots[at:]
	want := -1
	if p.Form == dsl.PickN {
		want = int(p.n(m))
	}
	var from func(i int, got set128, n int)
	from = func(i int, got set128, n int) {
		m.spend()
		if i == len(groups) {
			if want >= 0 && n != want || want < 0 && n == 0 && p.Form != dsl.PickAny {
				return
			}
			found(m.number(got))
			return
		}
		g := groups[i]
		for k := 0; ; k++ {
			if want < 0 || n+k <= want {
				from(i+1, got, n+k)
			}
			if g.empty() {
				return
			}
			got = got.or(single(g.lowest()))
			g = g.rest()
		}
	}
	from(0, set128{}, 0)
	m.opts.lots = m.opts.lots[:at]
}

// number returns the number that stands for a set of pieces in a pick of the
// decision that stands.
func (m *Machine) number(s set128) int64 {
	for i, t := range m.opts.picked {
		if s == t {
			return int64(i)
		}
	}
	m.opts.picked = append(m.opts.picked, s)
	return int64(len(m.opts.picked) - 1)
}

// putCards lays the pieces of a pick down as a list.
func (m *Machine) putCards(p *pick, v int64) {
	m.s[p.slot] = v
	n := 0
	if v != dsl.None {
		for s := m.opts.picked[v]; !s.empty(); s = s.rest() {
			n++
			m.s[p.listAt+n] = int64(s.lowest())
		}
	}
	m.s[p.listAt] = int64(n)
}
