package interpreter

import (
	"math"

	"github.com/houserules/houserules/dsl"
)

// scoring is a score statement.
type scoring struct {
	r      *scorer
	pieces fn
	slot   int // where the pieces lie, -1 if only the formula knows
	at     int // three slots: index of the split, cursor, return address
	loud   bool
}

func (c *coder) score(s *dsl.Stmt) {
	r := c.g.scorers[s.Scorer]
	sc := &scoring{r: r, pieces: c.pieces(s.X), slot: -1, at: c.g.scoreSlots(r)}
	if s.X.Type.Kind == dsl.KSet {
		sc.slot = c.expr(s.X).slot
	}
	for _, cb := range s.Scorer.Combos {
		if cb.Then != nil || len(cb.Before)+len(cb.After) > 0 {
			sc.loud = true
		}
	}
	c.emit(instr{op: opScore, x: sc, note: c.note(s)})
	if sc.loud {
		n := c.note(s)
		c.emit(instr{op: opNextCombo, x: sc, note: n})
	}
}

// scoreSlots reserves the slots that a scorer's score statements share: they
// cannot run inside each other.
func (g *Game) scoreSlots(r *scorer) int {
	if at, ok := g.scoring[r]; ok {
		return at
	}
	at := g.slots.take(3)
	g.scoring[r] = at
	return at
}

// score pays for pieces. If a combination has a script or hooks, it only
// prepares the walk over the split that opNextCombo makes.
func (m *Machine) score(in *instr, sc *scoring) {
	set := uint64(sc.pieces(m))
	row := m.row(sc.r, set)
	if !row.legal {
		fault(in.place(m.g), "these pieces cannot be scored")
	}
	if sc.loud {
		cache := &m.cache.scorers[sc.r.index]
		more := &cache.more[row.more-1]
		m.s[sc.at], m.s[sc.at+1] = cache.at(row), 0
		if m.rec == nil && !row.code { // nothing to walk over
			m.s[sc.at+1] = int64(len(more.split))
			m.pay(in, sc, row.points)
		}
		return
	}
	if m.rec == nil {
		m.pay(in, sc, row.points)
		return
	}
	split := m.cache.scorers[sc.r.index].more[row.more-1].split
	for i := range split {
		m.payFor(in, sc, &split[i])
	}
}

func (m *Machine) pay(in *instr, sc *scoring, points int64) {
	at := sc.r.pays
	if sc.r.paysSeat != nil {
		at += int(sc.r.paysSeat(m))
	}
	old := m.s[at]
	v := old + points
	if (old^v)&(points^v) < 0 {
		fault(in.place(m.g), "%d and %d make too large a number", old, points)
	}
	if m.rec != nil && points != 0 {
		p := sc.r.Pays
		of := -1
		if p.Seat != nil {
			of = at - sc.r.pays
		}
		m.record(in, Record{Kind: RecChange, Of: of, Var: p.Var, Old: old, New: v})
	}
	m.s[at] = v
}

// payFor pays for one combination and tells of it.
func (m *Machine) payFor(in *instr, sc *scoring, u *use) {
	cb := &sc.r.combos[u.combo]
	for i, at := range cb.order {
		m.s[at] = u.letters[i]
	}
	m.pay(in, sc, u.points)
	if m.rec == nil {
		return
	}
	if m.cover != nil {
		m.cover.scored(cb.Combo)
	}
	m.record(in, Record{Kind: RecCombo, Of: -1, Rule: &cb.Info, New: u.points, Combo: cb.Combo})
	if t := m.g.comboTexts[cb.Combo]; t != nil {
		for _, x := range t {
			m.tell(x)
		}
	}
}

// nextCombo goes on to the next combination of the split that is being scored:
// pays for it and enters its code.
func (m *Machine) nextCombo(in *instr, sc *scoring, next int64) int64 {
	s := m.s
	cache := &m.cache.scorers[sc.r.index]
	if s[sc.at]>>32 != cache.age { // the table has begun anew meanwhile
		fault(in.place(m.g), "too many cases at once to go on scoring")
	}
	split := cache.more[s[sc.at]&math.MaxUint32].split
	for s[sc.at+1] < int64(len(split)) {
		u := &split[s[sc.at+1]]
		s[sc.at+1]++
		m.payFor(in, sc, u)
		if entry := sc.r.combos[u.combo].entry; entry >= 0 {
			s[sc.at+2] = s[slotPC]
			return int64(entry)
		}
	}
	return next
}

// comboCode writes the code of the combinations that have some.
func (c *coder) comboCode(r *scorer) {
	at := c.g.scoreSlots(r)
	for i := range r.combos {
		cb := &r.combos[i]
		c.rule, c.owner, c.phase = &cb.Info, cb.Owner, nil
		var texts []*telling
		for _, t := range []struct {
			kind RecordKind
			text *dsl.Template
		}{{RecMark, cb.Mark}, {RecShout, cb.Shout}} {
			if t.text != nil {
				texts = append(texts, &telling{kind: t.kind, text: c.template(t.text), rule: &cb.Info, owner: cb.Owner, span: t.text.Span})
			}
		}
		c.g.comboTexts[cb.Combo] = texts
		if cb.Then == nil && len(cb.Before)+len(cb.After) == 0 {
			continue
		}
		cb.entry = c.here()
		off := c.finishing(cb.Before, &cb.Info)
		c.rule, c.owner = &cb.Info, cb.Owner
		c.block(cb.Then)
		c.after(cb.After, &cb.Info)
		for _, j := range off {
			c.patch(j)
		}
		c.emit(instr{op: opReturn, a: int32(at + 2)})
	}
}
