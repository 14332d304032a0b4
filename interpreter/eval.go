package interpreter

import (
	"maps"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// Eval computes a checked formula where the game stands. It is meant for
// people's questions (examples, why, a console): it lowers the formula each
// time, and changes nothing in the game.
func (m *Machine) Eval(e *dsl.Expr) (v int64, err error) {
	v, _, err = m.evalOn(e, m.cover)
	return v, err
}

// EvalText is Eval with the value written for people.
func (m *Machine) EvalText(e *dsl.Expr) (text string, err error) {
	v, on, err := m.evalOn(e, nil)
	if err != nil {
		return "", err
	}
	return on.Format(e.Type, v), nil
}

// evalOn evaluates on a copy with room for what the formula keeps. What decides
// there is counted by c, if it is not nil.
func (m *Machine) evalOn(e *dsl.Expr, c *Coverage) (v int64, on *Machine, err error) {
	on, f, err := m.lowerOn(e)
	if err == nil {
		on.cover = c
		err = on.quietly(func() { v = f(on) })
	}
	return v, on, err
}

// scratch returns a copy of the game for which more formulas can be lowered.
func (g *Game) scratch() *Game {
	out := *g
	out.localSlot, out.paramValue = maps.Clone(g.localSlot), maps.Clone(g.paramValue)
	out.statics = statics{slices.Clip(g.statics.lists), maps.Clone(g.statics.handles)}
	return &out
}

// lowerOn makes a copy with room for what a formula keeps, and the formula ready
// to be evaluated there.
func (m *Machine) lowerOn(e *dsl.Expr) (on *Machine, f fn, err error) {
	g := m.g.scratch()
	on = m.Clone()
	on.g = g
	on.spent = 0
	defer on.recoverFault(&err)
	f = (&lowerer{g: g}).expr(e).f
	for len(on.s) < g.slots.n {
		on.s = append(on.s, 0)
	}
	return on, f, nil
}

// Explain returns what a formula is made of, outermost first: every
// sub-formula that is not a written constant, with its value where it stands
// by itself.
func (m *Machine) Explain(e *dsl.Expr) []Value {
	var out []Value
	seen := map[string]bool{}
	var walk func(e *dsl.Expr)
	walk = func(e *dsl.Expr) {
		if e == nil || e.Op == dsl.OpConst {
			return
		}
		if e.Op == dsl.OpNot && e.Span == e.Args[0].Span {
			walk(e.Args[0]) // a `forbid` is written the other way round
			return
		}
		text := e.Span.Text()
		if !seen[text] && text != "" {
			seen[text] = true
			if is, err := m.EvalText(e); err == nil {
				out = append(out, Value{Text: text, Span: e.Span, Is: is})
			}
		}
		if e.Op == dsl.OpRange || e.Op == dsl.OpList {
			return
		}
		args := e.Args
		if bodied(e) { // what depends on `it` has no value of its own
			args = args[:1]
		}
		for _, a := range args {
			walk(a)
		}
	}
	walk(e)
	return out
}

// bodied reports whether Args[1] is evaluated for each element.
func bodied(e *dsl.Expr) bool {
	return len(e.Args) > 1 && slices.Contains([]dsl.Op{dsl.OpSum, dsl.OpCount, dsl.OpAny, dsl.OpAll, dsl.OpNone, dsl.OpOne,
		dsl.OpFilter, dsl.OpMap, dsl.OpFind, dsl.OpFindLast, dsl.OpHighest, dsl.OpLowest}, e.Op)
}

// Value returns the value of a variable; seat matters for those of each seat.
func (m *Machine) Value(v *dsl.Var, seat int) int64 {
	at := m.valueSlot(v, seat)
	if v.Type.Kind == dsl.KMap || v.Type.Kind == dsl.KList {
		return listAtSlot(at)
	}
	return m.s[at]
}

func (m *Machine) valueSlot(v *dsl.Var, seat int) int {
	at := m.g.varSlot[v]
	if v.Each {
		at += seat * m.g.varSize(v)
	}
	return at
}

// Put sets a variable, as examples and consoles do. It must not be called
// while a decision stands, whose options it might change; Advance afterwards.
func (m *Machine) Put(v *dsl.Var, seat int, value int64) {
	m.s[m.valueSlot(v, seat)] = value
	m.opts.valid = false
}

// PutAt is Put for the value of a map at a key. The error says that there is
// nothing at this key.
func (m *Machine) PutAt(v *dsl.Var, seat int, key, value int64) error {
	at := m.valueSlot(v, seat)
	key -= v.Type.Key.Lo
	if uint64(key) >= uint64(m.s[at]) {
		return &Fault{Message: "there is nothing at this key", Span: v.Span}
	}
	m.s[at+1+int(key)] = value
	m.opts.valid = false
	return nil
}

// Again makes the game ask anew what it waits for, after Put and its like have
// changed what may be answered.
func (m *Machine) Again() {
	m.req = Request{}
	m.opts.valid = false
}

// SetActive gives the turn to a seat without anything else that a turn brings.
func (m *Machine) SetActive(seat int) { m.s[slotActive], m.s[slotMe] = int64(seat), int64(seat) }

// Active returns the seat whose turn it is.
func (m *Machine) Active() int { return int(m.s[slotActive]) }

// Over reports whether the game has ended.
func (m *Machine) Over() bool { return m.s[slotStatus] == statusOver }

// Enter makes the game go on at the beginning of a phase, whatever it was
// doing: where an example begins.
func (m *Machine) Enter(p *dsl.Phase) {
	m.s[slotPC] = int64(m.g.entry[p.Index])
	m.s[slotStatus], m.s[slotExit] = statusRunning, exitNone
	m.req = Request{}
	m.opts.valid = false
}

// Begin returns the phase in which a turn begins.
func (g *Game) Begin() *dsl.Phase { return g.prog.Phases[g.begin] }

// Lay puts pieces with given faces into a zone, out of wherever they lay: for
// each word a piece that it can mean and that is not yet used, those already
// there first. used gathers the pieces laid so far. It reports the first word
// for which there is no piece.
func (m *Machine) Lay(z *dsl.Zone, seat int, words []dsl.PieceWord, used *uint64) (missing int, ok bool) {
	fam := m.g.families[z.Family]
	m.land()
	m.faces++
	at := m.g.zoneSlot[z]
	if z.Each {
		at += seat
	}
	old := uint64(m.s[at]) &^ *used
	m.s[at] &= int64(*used)
	for i, w := range byWords(words) {
		p := m.g.pieceFor(fam, w, *used, old)
		if p < 0 {
			return i, false
		}
		bit := uint64(1) << uint(p)
		*used |= bit
		for k := fam.zoneLo; k < fam.zoneHi; k++ {
			m.s[k] &^= int64(bit)
		}
		m.s[at] |= int64(bit)
		if len(fam.sides) > 0 {
			m.s[fam.faceSlot+p] = w.Face
		}
	}
	m.opts.valid = false
	return 0, true
}

// pieceFor finds an unused piece with the attributes of a word, of the
// preferred ones first.
func (g *Game) pieceFor(fam *family, w dsl.PieceWord, used, prefer uint64) int {
	found := -1
	for p := range fam.count {
		if used>>uint(p)&1 != 0 || !g.fitsWord(fam, p, w) {
			continue
		}
		if prefer>>uint(p)&1 != 0 {
			return p
		}
		if found < 0 {
			found = p
		}
	}
	return found
}

// fitsWord reports whether a piece has the attributes that a word names.
func (g *Game) fitsWord(fam *family, piece int, w dsl.PieceWord) bool {
	for _, a := range w.Attrs {
		if vs := g.attrValues[a.Attr]; vs == nil || vs[piece] != a.Value {
			return false
		}
	}
	return true
}
