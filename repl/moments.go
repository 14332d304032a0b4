package repl

import (
	"fmt"
	"math"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file finds what was notable in a game that is over, from what its log
// says of any game: totals, lines of the sheet, events.

// moments tells up to three notable moments.
func (s *Session) moments() []string {
	var out []string
	for _, text := range []string{s.mostAtOnce(), s.longestRun(), s.lastLead()} {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// mostAtOnce tells of the line of the sheet by which a total grew most.
func (s *Session) mostAtOnce() string {
	sheet, standings := s.match.Game().Program().Sheet, s.match.Log.Interims()
	if sheet == nil || sheet.Line == nil || len(standings) == 0 {
		return ""
	}
	best, who, line := int64(0), -1, 0
	for seat, lines := range s.match.Log.Sheet(s.match.Machine) {
		before := standings[0].Totals[seat]
		for i, l := range lines {
			gain := l.Total - before
			if gain > best || gain == best && who >= 0 && i < line {
				best, who, line = gain, seat, i
			}
			before = l.Total
		}
	}
	if who < 0 {
		return ""
	}
	return fmt.Sprintf("most in one %s: %s %d, in line %d", words(sheet.Line.Name), s.match.Name(who), best, line+1)
}

// spans counts, for each seat, the spans of the game in which an event can
// happen or not: its turns, or what a line of the sheet stands for.
type spans struct {
	number []int
	each   string // scope that begins a span for all, "" for turns
	played []int  // turns in which anything was thrown or done, as people count them
	whose  int    // seat of the turn
	begun  bool   // it is among those played
}

func (s *Session) newSpans() *spans {
	n := s.match.Game().Seats()
	sp := &spans{number: make([]int, n), played: make([]int, n)}
	if sh := s.match.Game().Program().Sheet; sh != nil && sh.Line != nil && sh.Line.Name != "turn" {
		sp.each = sh.Line.Name
	}
	return sp
}

// record counts what a record begins.
func (sp *spans) record(r *interpreter.Record) {
	switch r.Kind {
	case interpreter.RecTurn:
		sp.whose, sp.begun = r.Seat, false
	case interpreter.RecThrow, interpreter.RecAction, interpreter.RecIncident:
		if !sp.begun {
			sp.begun = true
			sp.played[sp.whose]++
		}
	}
	switch {
	case r.Kind == interpreter.RecTurn && sp.each == "":
		sp.number[r.Seat]++
	case r.Kind == interpreter.RecScope && r.Scope != nil && r.Scope.Name == sp.each:
		for i := range sp.number {
			sp.number[i]++
		}
	}
}

// streak is how often an event has happened to a seat, span after span.
type streak struct {
	last, row, longest, spans int
}

// longestRun tells of the event that happened to somebody in more spans in a
// row than could be expected.
func (s *Session) longestRun() string {
	type key struct {
		event *dsl.Event
		seat  int
	}
	sp := s.newSpans()
	streaks := map[key]*streak{}
	var order []key
	for i := range s.match.Log.Records {
		r := &s.match.Log.Records[i]
		sp.record(r)
		if r.Kind != interpreter.RecEvent || r.Event == nil || !told(r.Event) || r.Seat < 0 || r.Seat >= len(sp.number) {
			continue
		}
		k := key{r.Event, r.Seat}
		x := streaks[k]
		if x == nil {
			x = &streak{last: -1}
			streaks[k], order = x, append(order, k)
		}
		x.add(sp.number[r.Seat])
	}
	all := 0
	for _, n := range sp.number {
		all += n
	}
	best, text := 0.0, ""
	for _, k := range order {
		often := 0
		for seat := range sp.number {
			if x := streaks[key{k.event, seat}]; x != nil {
				often += x.spans
			}
		}
		x := streaks[k]
		if x.longest < 2 || 2*often > all || x.spans >= sp.number[k.seat]-1 {
			continue // what happens mostly, or always to this seat, is not notable
		}
		if odd := float64(x.longest) * math.Log(float64(all)/float64(often)); odd > best {
			best, text = odd, fmt.Sprintf("longest run: %s, %s %d times in a row", s.match.Name(k.seat), k.event.Label(), x.longest)
		}
	}
	return text
}

// add counts a span in which the event has happened.
func (x *streak) add(span int) {
	switch span {
	case x.last:
		return
	case x.last + 1:
		x.row++
	default:
		x.row = 1
	}
	x.last, x.longest, x.spans = span, max(x.longest, x.row), x.spans+1
}

// told reports whether people are told when an event happens.
func told(e *dsl.Event) bool {
	return e.Say != nil || e.Shout != nil || e.Write != nil || e.Mark != nil
}

// lowestFirst reports whether the lowest total is the best.
func lowestFirst(p *dsl.Program) bool { return len(p.Rank) > 0 && !p.Rank[0].Highest }

// lastLead tells when the lead changed last.
func (s *Session) lastLead() string {
	if s.match.Game().Seats() < 2 {
		return ""
	}
	lowest := lowestFirst(s.match.Game().Program())
	leader, before, at, changes := -1, -1, 0, 0
	for _, st := range s.match.Log.Interims() {
		first := ahead(st.Totals, lowest)
		if first < 0 || first == leader {
			continue
		}
		if leader >= 0 {
			changes++
		}
		before, leader, at = leader, first, st.Before
	}
	switch {
	case leader < 0:
		return ""
	case changes == 0:
		return fmt.Sprintf("the lead never changed: %s had it from %s on", s.match.Name(leader), s.spanAt(at))
	}
	return fmt.Sprintf("last change of the lead: %s passed %s in %s", s.match.Name(leader), s.match.Name(before), s.spanAt(at))
}

// ahead is the seat with the best total, -1 if several have it.
func ahead(totals []int64, lowest bool) int {
	best, tied := 0, false
	for seat := 1; seat < len(totals); seat++ {
		d := totals[seat] - totals[best]
		if lowest {
			d = -d
		}
		switch {
		case d > 0:
			best, tied = seat, false
		case d == 0:
			tied = true
		}
	}
	if tied {
		return -1
	}
	return best
}

// spanAt names the span that so many records of the log came to.
func (s *Session) spanAt(records int) string {
	sp := s.newSpans()
	for i := range s.match.Log.Records[:records] {
		sp.record(&s.match.Log.Records[i])
	}
	if sp.each != "" {
		return fmt.Sprintf("%s %d", words(sp.each), sp.number[0])
	}
	return fmt.Sprintf("turn %d of %s", sp.played[sp.whose], s.match.Name(sp.whose))
}
