package repl

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// A narrator tells what happens in a game as it happens. It stands before the
// log, which it feeds.
type narrator struct {
	s     *Session
	log   *interpreter.Log
	lines []line
	// causes has for each record of the log the entry of the journal that was
	// carried out, 0 before the first.
	causes []int
	mute   bool
	luck   int    // how often the machine has thrown or drawn
	turns  []int  // of each seat, as told
	begun  bool   // the turn that began has been told
	whose  int    // seat of the turn
	sheet  []int  // seats whose column has changed since it was last told
	fell   string // the last throw of the turn, as told
	total  *dsl.Var
	pays   map[*dsl.Var]bool // what combinations add to

	moving  *moving  // the move that is carried out just now
	answers []string // that are shown now, and not yet told
	shown   bool     // answers that were hidden have been shown
	lucky   bool     // luck from outside is carried out just now
	noTurns bool     // the rules say who is asked, and know no turns
}

func newNarrator(s *Session) *narrator {
	n := &narrator{s: s, log: s.match.Log, luck: s.now().luck, turns: make([]int, s.match.Game().Seats()), pays: map[*dsl.Var]bool{}, whose: s.match.Active(),
		causes: make([]int, len(s.match.Log.Records))}
	if sh := s.match.Game().Program().Sheet; sh != nil && sh.Total != nil && sh.Total.Op == dsl.OpState {
		n.total, _ = sh.Total.Ref.(*dsl.Var)
	}
	for _, sc := range s.match.Game().Program().Scorers {
		if sc.Pays != nil {
			n.pays[sc.Pays.Var] = true
		}
	}
	if n.noTurns = turnless(s.match.Game().Program()); n.noTurns {
		n.begun, n.whose = true, -1
	}
	return n
}

// turnless reports whether nobody is ever asked because it is his turn.
func turnless(p *dsl.Program) bool {
	for _, ph := range p.Phases {
		if len(ph.Actions) > 0 && ph.Who == nil {
			return false
		}
	}
	return true
}

// note puts a line into the log without printing it.
func (n *narrator) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n.add(line{text: text, told: text})
}

// add puts a line into the log, with its place.
func (n *narrator) add(l line) {
	l.stage, l.entry = len(n.s.stages)-1, len(n.s.match.Journal.Entries)
	n.lines = append(n.lines, l)
}

// tell puts a line into the log and prints what whoever looks may read of it.
func (n *narrator) tell(l line) {
	n.flushAnswers()
	l.told = l.as(n.s.looker)
	n.add(l)
	if !n.mute && !n.s.cfg.Quiet && l.told != "" {
		n.s.printf("%s", l.told)
	}
}

// say prints a line and puts it into the log.
func (n *narrator) say(format string, args ...any) {
	n.tell(line{text: fmt.Sprintf(format, args...)})
}

// turn tells whose turn it is, unless that is told already.
func (n *narrator) turn() {
	if n.begun || n.s.inOpening() {
		return // before a game nobody has a turn
	}
	n.flush()
	n.begun = true
	n.turns[n.whose]++
	text := n.heading()
	n.note("%s", text)
	if n.mute || n.s.cfg.Quiet {
		return
	}
	if !n.s.cfg.Brief {
		n.s.printf("")
	}
	n.s.printf("%s", n.s.bold(text))
}

// heading says whose turn it is.
func (n *narrator) heading() string {
	return fmt.Sprintf("%s, turn %d", n.s.match.Name(n.whose), n.turns[n.whose])
}

// Record tells of a record.
func (n *narrator) Record(m *interpreter.Machine, r *interpreter.Record) {
	switch {
	case r.Kind == interpreter.RecTurn || r.Kind == interpreter.RecOver, r.Kind == interpreter.RecScope && n.sheetLine(r.Scope):
		n.flush()
	}
	n.log.Record(m, r)
	n.causes = append(n.causes, len(n.s.match.Journal.Entries))
	switch r.Kind {
	case interpreter.RecTurn:
		if !n.noTurns {
			n.begun, n.whose, n.fell = false, r.Seat, ""
		}
	case interpreter.RecAction:
		n.acted(r)
	case interpreter.RecSealed:
		n.answered(r)
	case interpreter.RecShow:
		n.showed(m, r)
	case interpreter.RecMove:
		n.moved(m, r)
	case interpreter.RecThrow:
		n.chance()
		n.turn()
		n.fell = "thrown: " + thrown(m, r)
		if n.s.inOpening() {
			n.fell = m.Name(r.Seat) + ": " + n.fell
		}
		n.say("%s", n.fell)
	case interpreter.RecRoll:
		n.chance()
		n.say("%s", rolled(m, r))
	case interpreter.RecIncident:
		n.chance()
		n.turn()
		n.say("%s!", capital(r.Rule.Label()))
	case interpreter.RecCombo:
		n.say("%+d %s", r.New, words(r.Rule.Name))
	case interpreter.RecChange:
		if n.total != nil && r.Var == n.total && r.Of >= 0 {
			n.changed(r.Of)
		}
		if r.Variant != "" && n.pays[r.Var] && r.Rule != nil { // no combination tells of it
			n.say("%+d %s", r.New-r.Old, n.s.houseTitle(r.Variant))
		}
	case interpreter.RecWrite, interpreter.RecMark:
		n.changed(r.Of)
	case interpreter.RecEvent:
		if e := r.Event; e != nil && e.Title != "" && e.Write != nil && e.Say == nil && e.Shout == nil {
			n.say("%s", e.Title)
		}
	case interpreter.RecSay:
		n.private(m, r)
	case interpreter.RecShout:
		n.say("all shout: %s", r.Text)
	}
}

// chance counts luck that did not come from outside.
func (n *narrator) chance() {
	if !n.s.match.AskChance {
		n.luck++
	}
}

// sheetLine reports whether a scope is a line of the sheet.
func (n *narrator) sheetLine(sc *dsl.Scope) bool {
	sh := n.s.match.Game().Program().Sheet
	return n.noTurns && sh != nil && sh.Line == sc
}

// private tells what only one seat may hear, if a person sits there.
func (n *narrator) private(m *interpreter.Machine, r *interpreter.Record) {
	switch {
	case r.Of < 0:
		n.say("%s", r.Text)
	case r.Of < len(n.s.cfg.Players) && n.s.cfg.Players[r.Of].Bot == "":
		text := fmt.Sprintf("for %s: %s", m.Name(r.Of), r.Text)
		if n.s.secret {
			n.tell(line{own: text, seen: seatBit(r.Of)})
			return
		}
		n.say("%s", text)
	}
}

func (n *narrator) changed(seat int) {
	if seat >= 0 && !slices.Contains(n.sheet, seat) {
		n.sheet = append(n.sheet, seat)
	}
}

// flush tells what has come onto the sheet.
func (n *narrator) flush() {
	n.flushAnswers()
	seats := n.sheet
	n.sheet = nil
	sort.Ints(seats)
	for _, seat := range seats {
		text := ""
		if c := n.log.Column(seat); len(c) > 0 {
			text = " " + c[len(c)-1]
		}
		if total, ok := n.s.match.Total(seat); ok {
			if text != "" {
				text += ","
			}
			text += fmt.Sprintf(" total %d", total)
		}
		n.say("sheet: %s%s", n.s.match.Name(seat), text)
	}
}

// thrown writes the faces of a throw, in order of the faces if nothing else
// tells the pieces apart.
func thrown(m *interpreter.Machine, r *interpreter.Record) string {
	fam := r.Zone.Family
	if r.Zone.Seen != dsl.SeenAll { // what lies there is not for everybody
		return fmt.Sprintf("%d %s, unseen", bits.OnesCount64(r.Pieces), fam.Label())
	}
	names := func(faces []int64) string {
		var out []string
		for _, f := range faces {
			out = append(out, m.Game().FaceName(fam, f))
		}
		return strings.Join(out, " ")
	}
	all := m.Pieces(fam, r.Pieces)
	if all != names(r.Faces) {
		return all
	}
	faces := append([]int64(nil), r.Faces...)
	sort.Slice(faces, func(i, j int) bool { return faces[i] < faces[j] })
	return names(faces)
}

func rolled(m *interpreter.Machine, r *interpreter.Record) string {
	value := r.Text
	if value == "" {
		value = fmt.Sprint(r.New)
	}
	switch {
	case r.Var == nil:
		return "drawn: " + value
	case r.Of >= 0:
		return fmt.Sprintf("%s: %s %s", m.Name(r.Of), r.Var.Label(), value)
	}
	return fmt.Sprintf("%s: %s", r.Var.Label(), value)
}

// words writes a name of the rules as people say it.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// bold makes a line stand out where the screen can.
func (s *Session) bold(text string) string {
	if s.cfg.Color {
		return "\x1b[1m" + text + "\x1b[0m"
	}
	return text
}
