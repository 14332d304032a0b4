package repl

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file tells what people and bots do, to each in the words that are for
// them.

// moving is how a move that is carried out just now is told.
type moving struct {
	typed  bool   // it stands there already, as typed
	forced bool   // there is nothing else to do
	why    string // why there is nothing else, for the mover
	table  bool
	bot    bool
}

// take carries out option i, and tells it.
func (s *Session) take(i int, how moving) error {
	s.tale.moving = &how
	defer func() { s.tale.moving = nil }()
	return s.match.Choose(i)
}

// giveLuck carries out what chance gives, from outside.
func (s *Session) giveLuck(text string) error {
	s.tale.lucky = true
	defer func() { s.tale.lucky = false }()
	return s.match.Luck(text)
}

// acted tells a move that is carried out.
func (n *narrator) acted(r *interpreter.Record) {
	if n.moving == nil {
		n.reveals(r)
		return
	}
	who := n.s.match.Name(r.Seat)
	if n.moving.table {
		who = "table"
	}
	a := &acts{text: spoken(r.Public), own: spoken(r.Text), seat: r.Seat, entered: !n.moving.forced, table: n.moving.table}
	l := line{text: who + ": " + a.text, own: who + ": " + a.own, seen: seatBit(r.Seat), move: a}
	switch {
	case n.moving.why == "":
	case n.s.secret: // a reason may tell what is held
		l.own += n.moving.why
	default:
		l.text, l.own = l.text+n.moving.why, l.own+n.moving.why
	}
	n.put(l)
}

// answered tells that somebody has answered, and nothing about what.
func (n *narrator) answered(r *interpreter.Record) {
	if n.moving == nil {
		return
	}
	who := n.s.match.Name(r.Seat)
	a := &acts{text: who + "'s answer", own: spoken(r.Text), seat: r.Seat, entered: !n.moving.forced, sealed: true}
	n.put(line{text: who + " has answered", own: who + ": " + a.own + n.moving.why, seen: seatBit(r.Seat), move: a})
	n.shown = false
}

// put prints the line of a move where that is of use.
func (n *narrator) put(l line) {
	if n.moving.typed && !n.mute {
		l.told = l.as(n.s.looker)
		n.add(l)
		return
	}
	if l.move.sealed && n.moving.bot && n.s.looker != everything {
		n.add(l) // whoever looks learns it when all answers are shown
		return
	}
	n.tell(l)
}

// reveals gathers an answer that is shown now that all are in.
func (n *narrator) reveals(r *interpreter.Record) {
	if !n.shown {
		n.shown = true
		n.luck++ // what was seen cannot be taken back
		for _, l := range n.lines {
			if l.move != nil && l.move.sealed {
				l.move.open = true
			}
		}
	}
	if !n.saysItself(r.Rule) {
		n.answers = append(n.answers, n.s.match.Name(r.Seat)+": "+spoken(r.Public))
	}
}

// flushAnswers tells the answers that were gathered, in one line. What stays
// hidden of them is told to nobody anew.
func (n *narrator) flushAnswers() {
	all := n.answers
	n.answers = nil
	if len(all) > 0 {
		n.say("%s", strings.Join(all, "; "))
	}
}

// saysItself reports whether the rules tell of the answers to a question, when
// all are in.
func (n *narrator) saysItself(action *dsl.Info) bool {
	for _, ph := range n.s.match.Game().Program().Phases {
		for _, a := range ph.Actions {
			if &a.Info == action {
				return says(ph.Then)
			}
		}
	}
	return false
}

// says reports whether a script tells something.
func says(s *dsl.Script) bool {
	if s == nil {
		return false
	}
	for _, st := range s.Stmts {
		if st.Op == dsl.StmtSay || st.Op == dsl.StmtEmit && st.Event.Say != nil || says(st.Then) || says(st.Else) {
			return true
		}
	}
	return false
}

// showed tells the seats to which pieces were shown.
func (n *narrator) showed(m *interpreter.Machine, r *interpreter.Record) {
	n.luck++
	what := ""
	switch {
	case len(r.Cards) > 0:
		what = sorted(m, r.Family, r.Cards)
	case r.Pieces != 0:
		what = m.Pieces(r.Family, r.Pieces)
	default:
		return
	}
	var names []string
	for seat := range m.Game().Seats() {
		if r.SeenBy>>uint(seat)&1 != 0 {
			names = append(names, m.Name(seat))
		}
	}
	n.tell(line{own: fmt.Sprintf("shown to %s: %s", list(names), what), seen: r.SeenBy})
}

// moved tells of pieces that nobody saw where they lay, and all see where they
// go. All else that moves is told by moves, by the rules, or is seen at the next
// question.
func (n *narrator) moved(m *interpreter.Machine, r *interpreter.Record) {
	if r.Family == nil || r.From == nil || !unseen(m, r.From, r.FromOf) || r.SeenBy == 0 {
		return
	}
	if !n.lucky {
		n.luck++
	}
	if !r.Open {
		return
	}
	if n.s.tracked(r.Zone) {
		return // which is seen at each question
	}
	n.tell(line{text: fmt.Sprintf("%s: %s from %s", zoneName(m, r.Zone, r.Of), m.CardWords(r.Family, r.Cards), zoneName(m, r.From, r.FromOf))})
}

// unseen reports whether nobody sees a zone.
func unseen(m *interpreter.Machine, z *dsl.Zone, of int) bool {
	return z.Seen == dsl.SeenNobody || z.Seen == dsl.SeenOwner && of >= m.Game().Seats()
}

// zoneName is the name of a zone, with that of its seat.
func zoneName(m *interpreter.Machine, z *dsl.Zone, of int) string {
	if of < 0 {
		return z.Label()
	}
	return m.Name(of) + "'s " + z.Label()
}

// seatBit is the set of one seat.
func seatBit(seat int) int64 {
	if seat < 0 || seat > bits.UintSize-2 {
		return 0
	}
	return 1 << uint(seat)
}
