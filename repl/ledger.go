package repl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file tells where values come from: of every piece of state that holds a
// number the log has a ledger, of which the value is the sum.

// maxLedger is how many lines of a ledger are shown without being asked for.
const maxLedger = 20

// ledger is what is asked about: a piece of state, of one seat or of all.
type ledger struct {
	of   *dsl.Var
	seat int // -1 for all
	word string
}

// ledgerOf reads `score`, the name of a piece of state, and the name of a seat
// before or behind it. It returns nil if the words mean no ledger.
func (s *Session) ledgerOf(args []string) *ledger {
	l := &ledger{seat: -1}
	for _, word := range strings.Fields(strings.ReplaceAll(strings.Join(args, " "), ".", " ")) {
		seat := s.seatNamed(word)
		switch {
		case seat >= 0 && l.seat < 0:
			l.seat = seat
		case l.word == "":
			l.word = word
		default:
			l.word += " " + word
		}
	}
	key := fold(l.word)
	if key == "score" || key == "total" || key == "" && l.seat >= 0 {
		l.of = s.tale.total
		return l
	}
	for _, v := range s.match.Game().Program().Vars {
		switch key {
		case fold(v.Name), fold(v.Label()), fold(v.Owner + " " + v.Name), v.Scope.Name + " " + fold(v.Name):
			l.of = v
			return l
		}
	}
	return nil
}

// seatNamed returns the seat of a name, or -1.
func (s *Session) seatNamed(name string) int {
	for seat := range s.match.Game().Seats() {
		if strings.EqualFold(s.match.Name(seat), name) {
			return seat
		}
	}
	return -1
}

// whyLedger prints a ledger with the sum below.
func (s *Session) whyLedger(l *ledger, full bool) error {
	v := l.of
	switch {
	case v == nil:
		return s.fail("these rules keep no total that could be explained; `state` shows what they keep")
	case v.Type.Kind != dsl.KInt:
		return s.fail("%s is no number, so it has no sum; `log` tells what happened", v.Label())
	case l.seat >= 0 && !v.Each:
		return s.fail("%s is not of a seat: ask `why %s`", v.Label(), words(v.Name))
	}
	var rows [][]string
	begun := map[int]int64{} // by seat, what stood there before the first change
	is := map[int]int64{}
	for _, r := range s.match.Log.Records {
		if r.Kind != interpreter.RecChange || r.Var != v || l.seat >= 0 && r.Of != l.seat {
			continue
		}
		at := max(r.Of, 0)
		if old, ok := is[at]; !ok {
			begun[at] = r.Old
		} else if old != r.Old { // it was reset in between
			rows = append(rows, s.ledgerRow(v, at, r.Old-old, r.Old, "begins anew", ""))
		}
		is[at] = r.New
		place := ""
		if full {
			place = r.Span.String()
		}
		rows = append(rows, s.ledgerRow(v, at, r.New-r.Old, r.New, s.ruleBehind(&r), place))
	}
	if len(rows) == 0 {
		if v == s.tale.total {
			s.printf("no total has changed yet")
		} else {
			s.printf("%s has not changed yet", v.Label())
		}
		return nil
	}
	if n := len(rows) - maxLedger; n > 0 && !full {
		s.printf("... %d changes before these: `why %s --full`", n, strings.TrimSpace(l.word))
		rows = rows[n:]
	}
	s.rows(rows)
	s.sums(l, begun, is)
	if !full {
		s.printf("`why %s --full` adds the lines of the rules", strings.TrimSpace(l.word))
	}
	return nil
}

// ledgerRow is one line: whose, how much, what it came to, by which rule, where.
func (s *Session) ledgerRow(v *dsl.Var, seat int, by, is int64, rule, place string) []string {
	row := []string{fmt.Sprintf("%+d", by), fmt.Sprintf("= %d", is), rule, place}
	if v.Each {
		row = append([]string{s.match.Name(seat)}, row...)
	}
	return row
}

// sums says what the lines of each seat come to.
func (s *Session) sums(l *ledger, begun, is map[int]int64) {
	for seat := range s.match.Game().Seats() {
		now, ok := is[seat]
		if !ok {
			continue
		}
		value := s.match.Value(l.of, seat)
		text := fmt.Sprintf("%s: %d", s.varName(l.of, seatOf(l.of, seat)), value)
		if from := begun[seat]; from != 0 {
			text += fmt.Sprintf(", which began with %d", from)
		}
		if now != value {
			text += fmt.Sprintf("; it has begun anew since it was %d", now)
		}
		s.printf("%s", text)
	}
}

func seatOf(v *dsl.Var, seat int) int {
	if v.Each {
		return seat
	}
	return -1
}

// ruleBehind names the rule that did something, and the house rule that brought it.
func (s *Session) ruleBehind(r *interpreter.Record) string {
	rule := ""
	if r.Rule != nil {
		rule = r.Rule.Label()
	}
	if r.Variant != "" {
		rule += " (house rule " + s.houseTitle(r.Variant) + ")"
	}
	return rule
}

// isEntry reports whether a word is the number of an entry of the log.
func isEntry(word string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(word, "#"))
	return err == nil && n >= 0
}

// whyEntry tells what a numbered entry of the log changed.
func (s *Session) whyEntry(word string, full bool) error {
	n, _ := strconv.Atoi(strings.TrimPrefix(word, "#"))
	if last := len(s.match.Journal.Entries); n < 1 || n > last {
		if last == 0 {
			return s.fail("nothing has been done yet, so there is no number %d", n)
		}
		return s.fail("there is no number %d: what was done has the numbers 1 to %d", n, last)
	}
	told := ""
	for i := range s.tale.lines {
		l := &s.tale.lines[i]
		if l.stage != len(s.stages)-1 || l.entry != n || l.undone || l.move == nil {
			continue
		}
		if told = l.as(s.looker); told != "" {
			break
		}
	}
	if e := s.match.Journal.Entries[n-1]; told == "" && !s.secret {
		told = strings.TrimPrefix(e.Seat+": ", ": ") + spoken(e.Move) + e.Luck
	}
	s.printf("#%d %s", n, told)
	return s.changes(n, full)
}

// whyLast tells what the last thing that was done changed.
func (s *Session) whyLast(full bool) error {
	n := len(s.match.Journal.Entries)
	for ; n > 0; n-- {
		if len(s.changesOf(n, full)) > 0 {
			return s.whyEntry(strconv.Itoa(n), full)
		}
	}
	if rows := s.changesOf(0, full); len(rows) > 0 {
		s.printf("before the first move:")
		return s.changes(0, full)
	}
	return s.fail("nothing has changed yet and no move was refused; ask `why ACTION` or `why score`")
}

func (s *Session) changes(n int, full bool) error {
	rows := s.changesOf(n, full)
	if len(rows) == 0 {
		s.printf("  nothing that the game remembers has changed by it")
	}
	s.rows(rows)
	return nil
}

// changesOf lists what changed by an entry, and by which rules. What the game
// remembers is open to everybody.
func (s *Session) changesOf(n int, full bool) (rows [][]string) {
	for i := range s.match.Log.Records[:min(len(s.match.Log.Records), len(s.tale.causes))] {
		r := &s.match.Log.Records[i]
		if s.tale.causes[i] != n {
			continue
		}
		row := []string{"  " + s.changeOf(r), s.ruleBehind(r)}
		if full {
			row = append(row, r.Span.String())
		}
		if row[0] != "  " {
			rows = append(rows, row)
		}
	}
	return rows
}

// changeOf writes a change, "" for a record that is none.
func (s *Session) changeOf(r *interpreter.Record) string {
	switch r.Kind {
	case interpreter.RecChange:
		t := r.Var.Type
		name := s.varName(r.Var, r.Of)
		switch t.Kind {
		case dsl.KList:
			return name + " has changed"
		case dsl.KMap:
			t = *t.Elem
		}
		if t.IsCollection() && t.Elem.Kind == dsl.KPiece {
			return name + " has changed"
		}
		return fmt.Sprintf("%s from %s to %s", name, s.match.Format(t, r.Old), s.match.Format(t, r.New))
	case interpreter.RecCombo:
		return fmt.Sprintf("%+d for %s", r.New, words(r.Rule.Name))
	case interpreter.RecEvent:
		return "it happened: " + words(r.Rule.Name)
	}
	return ""
}
