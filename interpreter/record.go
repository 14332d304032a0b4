package interpreter

import (
	"math/bits"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// A Recorder is told what happens in a game, step by step, with the rule that
// caused it. A machine without one runs faster and says nothing.
type Recorder interface {
	// Record is called as something happens. It may read the machine and keep
	// the record, but must not drive the machine.
	Record(m *Machine, r *Record)
}

// RecordKind says what happened.
type RecordKind uint8

// The kinds of records. Fields of Record not named are unset.
const (
	RecTurn     RecordKind = iota // the turn of Seat begins
	RecScope                      // Scope was started by a script
	RecAction                     // Seat took the action Rule; Text is the move as typed
	RecThrow                      // Pieces of Zone were thrown by Seat and show Faces
	RecRoll                       // a number or element was drawn: Var of seat Of is New, or Text
	RecIncident                   // the incident Rule spoilt a throw
	RecMove                       // Pieces went to Zone (of seat Of)
	RecChange                     // Var (of seat Of) went from Old to New
	RecEvent                      // the event Rule happened
	RecCombo                      // the combination Rule was scored, for New points
	RecSay                        // Text for all, or for the seat Of
	RecWrite                      // Text is the entry of the current line of seat Of's column
	RecMark                       // Text is added beside the entry
	RecShout                      // people shout Text
	RecFinish                     // the game is decided
	RecOver                       // the game is over
	RecSealed                     // Seat has answered with the action Rule, which stays hidden; Text is the move as typed
	RecShow                       // Cards of the family Family, or Pieces with Faces, were shown to the seats of SeenBy
	RecShuffle                    // Zone was shuffled
	RecStart                      // the opening is over: the game starts from the seat Of, with the house rules Text
)

// A Record is one step of a game.
type Record struct {
	Kind    RecordKind
	Seat    int // on whose behalf, from 0
	Of      int // the seat that is meant, or -1
	Text    string
	Public  string    // of RecAction: the move as those read it who may not see all that is picked
	Rule    *dsl.Info // phase, action, event, combo or incident that did it
	Variant string    // variant that did it, "" for the game itself
	Span    source.Span
	Var     *dsl.Var
	Old     int64
	New     int64
	Zone    *dsl.Zone
	Pieces  uint64
	Faces   []int64 // of the pieces thrown, in order
	// Family and Cards are the pieces without faces that moved or were shown.
	Family *dsl.Family
	Cards  []int
	From   *dsl.Zone // where they lay, nil if they did not lie together; FromOf is its seat
	FromOf int
	SeenBy int64 // the seats that see which pieces they are, as a set
	Open   bool  // everybody sees it, bystanders too
	Event  *dsl.Event
	Combo  *dsl.Combo
	Scope  *dsl.Scope
}

func (in *instr) place(g *Game) source.Span {
	if in.note != nil {
		return in.note.span
	}
	for i := range g.code { // an instruction without a note: the last one before it
		if &g.code[i] == in {
			for ; i >= 0; i-- {
				if g.code[i].note != nil {
					return g.code[i].note.span
				}
			}
		}
	}
	return source.Span{File: g.prog.Files[0]}
}

// record hands on a record that an instruction caused.
func (m *Machine) record(in *instr, r Record) {
	if r.Seat == 0 {
		r.Seat = m.thrower(in)
	}
	if n := in.note; n != nil {
		r.Span = n.span
		if r.Rule == nil {
			r.Rule = n.rule
		}
		r.Variant = n.owner
	}
	m.spent += recordCost
	m.rec.Record(m, &r)
}

// recordCost is what a record takes from the budget: whoever keeps them all
// needs memory for each, which a script that goes on for ever must not eat up.
const recordCost = 16

// thrower returns on whose behalf an instruction runs: me, or the seat that a
// throw names.
func (m *Machine) thrower(in *instr) int {
	if in.op == opThrow && in.g != nil {
		return int(in.g(m))
	}
	return int(m.s[slotMe])
}

// changed records a write to a place.
func (m *Machine) changed(in *instr, at int, v int64) {
	if in.note == nil || in.note.place == nil || m.s[at] == v {
		return
	}
	p := in.note.place
	of := -1
	if p.Seat != nil {
		of = (at - m.g.varSlot[p.Var]) / m.g.varSize(p.Var)
	}
	m.record(in, Record{Kind: RecChange, Of: of, Var: p.Var, Old: m.s[at], New: v})
}

func (m *Machine) moved(in *instr, set int64, to int) {
	z := in.x.(*dsl.Zone)
	if set == 0 {
		return
	}
	of := -1
	if z.Each {
		of = to - m.g.zoneSlot[z]
	}
	m.record(in, Record{Kind: RecMove, Of: of, Zone: z, Pieces: uint64(set)})
}

func (m *Machine) thrown(in *instr, t *throw, set int64) {
	m.land()
	r := Record{Kind: RecThrow, Of: -1, Zone: t.zoneDecl, Pieces: uint64(set)}
	for u := uint64(set); u != 0; u &= u - 1 {
		r.Faces = append(r.Faces, m.s[t.fam.faceSlot+bits.TrailingZeros64(u)])
	}
	m.record(in, r)
}

func (m *Machine) rolled(in *instr, at int, v int64) {
	r := Record{Kind: RecRoll, Of: -1, New: v}
	if in.note != nil && in.note.place != nil {
		p := in.note.place
		r.Var, r.Old = p.Var, m.s[at]
		if p.Seat != nil {
			r.Of = at - m.g.varSlot[p.Var]
		}
		r.Text = m.Format(p.Var.Type, v)
	}
	switch d := in.x.(*drawing); {
	case v == dsl.None || d.elem == nil:
	case d.hidden:
		r.Text = m.unseen(m.g.families[d.elem.Family], 1)
	case r.Text == "":
		r.Text = m.Format(*d.elem, v)
	}
	m.record(in, r)
}

// telling is a text for people.
type telling struct {
	kind   RecordKind
	text   func(m *Machine) string
	seat   fn // nil: all, or me
	event  *dsl.Event
	number int // of an event or incident, for tallies
	rule   *dsl.Info
	owner  string
	span   source.Span
}

func (c *coder) tell(s *dsl.Stmt) {
	t := &telling{text: c.template(s.Text), rule: c.rule, owner: c.owner, span: s.Span}
	switch s.Op {
	case dsl.StmtSay:
		t.kind = RecSay
	case dsl.StmtWrite:
		t.kind = RecWrite
	default:
		t.kind = RecMark
	}
	if s.Seat != nil {
		t.seat = c.expr(s.Seat).f
	}
	t.event = c.event
	c.emit(instr{op: opTell, x: t, note: c.note(s)})
}

// texts writes what an event tells by itself.
func (c *coder) texts(e *dsl.Event) {
	one := func(k RecordKind, t *dsl.Template) {
		if t != nil {
			c.emit(instr{op: opTell, x: &telling{kind: k, text: c.template(t), event: e, rule: &e.Info, owner: e.Owner, span: t.Span}})
		}
	}
	one(RecSay, e.Say)
	one(RecWrite, e.Write)
	one(RecMark, e.Mark)
	one(RecShout, e.Shout)
}

func (m *Machine) tell(t *telling) {
	r := Record{Kind: t.kind, Seat: int(m.s[slotMe]), Of: -1, Rule: t.rule, Variant: t.owner, Event: t.event, Span: t.span}
	if t.text != nil {
		r.Text = t.text(m)
		m.arena = m.arena[:0]
	}
	switch {
	case t.seat != nil:
		r.Of = int(t.seat(m))
	case t.kind == RecWrite || t.kind == RecMark:
		r.Of = int(m.s[slotMe])
	}
	m.spent += recordCost
	m.rec.Record(m, &r)
}
