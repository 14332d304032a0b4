package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// maxSheet is how many lines of the sheet are shown without being asked for.
const maxSheet = 15

func (s *Session) cmdScore(_ context.Context, args []string) error {
	switch asked := strings.TrimPrefix(strings.Join(args, " "), "--"); {
	case asked == "by rule":
		return s.scoreByRule()
	case asked != "" && asked != "all":
		return s.fail("`score` takes nothing, `all`, or `--by rule`")
	}
	s.sheet(len(args) == 1)
	return nil
}

// scoreByRule prints how much each rule has brought to each seat's total.
func (s *Session) scoreByRule() error {
	if s.tale.total == nil {
		return s.fail("these rules keep no total whose points have rules")
	}
	n := s.match.Game().Seats()
	head, foot := []string{""}, []string{"total"}
	for seat := range n {
		head = append(head, s.match.Name(seat))
		foot = append(foot, fmt.Sprint(s.match.Value(s.tale.total, seat)))
	}
	var rules []string
	sums := map[string][]int64{}
	for i := range s.match.Log.Records {
		r := &s.match.Log.Records[i]
		if r.Kind != interpreter.RecChange || r.Var != s.tale.total || r.Of < 0 {
			continue
		}
		rule := s.ruleBehind(r)
		if sums[rule] == nil {
			rules, sums[rule] = append(rules, rule), make([]int64, n)
		}
		sums[rule][r.Of] += r.New - r.Old
	}
	rows := [][]string{head}
	begun, some := []string{"at the beginning"}, false
	for seat := range n {
		v := s.match.Value(s.tale.total, seat)
		for _, by := range sums {
			v -= by[seat]
		}
		begun, some = append(begun, fmt.Sprint(v)), some || v != 0
	}
	if some {
		rows = append(rows, begun)
	}
	for _, rule := range rules {
		row := []string{rule}
		for _, v := range sums[rule] {
			row = append(row, fmt.Sprintf("%+d", v))
		}
		rows = append(rows, row)
	}
	s.rows(append(rows, foot))
	return nil
}

// sheet prints a column for each seat and its total at the foot.
func (s *Session) sheet(all bool) {
	n := s.match.Game().Seats()
	columns := make([][]string, n)
	totals := make([]string, n)
	height, kept := 0, false
	for seat := range n {
		columns[seat] = s.match.Log.Column(seat)
		height = max(height, len(columns[seat]))
		if v, ok := s.match.Total(seat); ok {
			totals[seat], kept = fmt.Sprint(v), true
		}
	}
	if height == 0 && !kept {
		s.standing()
		return
	}
	s.sheetTitle()
	if s.cfg.Plain {
		s.plainSheet(columns, totals, kept)
		return
	}
	from := 0
	if !all && height > maxSheet {
		from = height - maxSheet
		s.printf("... %d lines before these: `score all`", from)
	}
	for lo := 0; lo < n; {
		hi := s.fits(columns, totals, lo)
		s.block(columns, totals, lo, hi, from, height, kept)
		if lo = hi; lo < n {
			s.printf("")
		}
	}
}

// sheetTitle prints the name of the game with the signs of the house rules in
// force beside it, if any has a sign.
func (s *Session) sheetTitle() {
	p := s.match.Game().Program()
	text := p.Title
	for _, v := range p.Variants {
		if v.Icon != "" {
			text += " [" + v.Icon + "]"
		}
	}
	if text != p.Title {
		s.printf("%s", text)
	}
}

// fits returns how far from seat lo columns fit beside each other.
func (s *Session) fits(columns [][]string, totals []string, lo int) int {
	width, hi := len("total")+2, lo
	for ; hi < len(columns); hi++ {
		w := max(displaywidth.String(s.match.Name(hi)), len(totals[hi]))
		for _, c := range columns[hi] {
			w = max(w, displaywidth.String(c))
		}
		if width += w + 2; width > screen && hi > lo {
			break
		}
	}
	return hi
}

func (s *Session) block(columns [][]string, totals []string, lo, hi, from, height int, kept bool) {
	head := []string{""}
	for seat := lo; seat < hi; seat++ {
		head = append(head, s.match.Name(seat))
	}
	rows := [][]string{head}
	for i := from; i < height; i++ {
		row := []string{fmt.Sprint(i + 1)}
		for seat := lo; seat < hi; seat++ {
			cell := ""
			if i < len(columns[seat]) {
				cell = columns[seat][i]
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	if kept {
		rows = append(rows, append([]string{"total"}, totals[lo:hi]...))
	}
	s.rows(rows)
}

func (s *Session) plainSheet(columns [][]string, totals []string, kept bool) {
	for seat := range columns {
		text := s.match.Name(seat) + ": " + strings.Join(columns[seat], "; ")
		if kept {
			if len(columns[seat]) > 0 {
				text += "; "
			}
			text += "total " + totals[seat]
		}
		s.printf("%s", text)
	}
}

// standing prints what the rules keep for each seat, where there is no sheet.
func (s *Session) standing() {
	head := []string{""}
	for seat := range s.match.Game().Seats() {
		head = append(head, s.match.Name(seat))
	}
	rows := [][]string{head}
	for _, v := range s.match.Game().Program().Vars {
		if !v.Each || v.Out || v.Type.Kind != dsl.KInt && v.Type.Kind != dsl.KBool {
			continue
		}
		row := []string{v.Label()}
		for seat := range s.match.Game().Seats() {
			row = append(row, s.match.Format(v.Type, s.match.Value(v, seat)))
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		s.printf("these rules keep no score")
		return
	}
	s.rows(rows)
}

// finish prints the result.
func (s *Session) finish() {
	st := s.now()
	if st.ended {
		return
	}
	s.tale.flush()
	st.ended, st.winners = true, s.match.Winners()
	if len(st.winners) == len(s.cfg.Players) && len(s.cfg.Players) > 1 {
		st.winners = nil
	}
	if s.tale.mute {
		return
	}
	if !s.cfg.Quiet && !s.cfg.Brief {
		s.printf("")
	}
	s.printf("%s", s.bold(s.verdict()))
	if s.cfg.Brief {
		s.enterRecords()
		s.printTally()
		return
	}
	s.ranking()
	s.printTally()
	s.enterRecords()
	if s.past {
		s.printf("moves were taken back past a throw in this game")
	}
	if s.cfg.Quiet {
		return
	}
	s.printf("")
	s.sheet(false)
	s.printf("")
	if s.now().Replay != "" && !s.cfg.Header.RealDice {
		s.printf("seed: %d", s.cfg.Header.Seed)
	}
	s.again()
}

func (s *Session) printTally() {
	if text := s.tally(); text != "" {
		s.printf("%s", text)
	}
}

// verdict says in words who has won.
func (s *Session) verdict() string {
	first := s.match.Winners()
	var names []string
	for _, seat := range first {
		names = append(names, s.match.Name(seat))
	}
	switch {
	case s.match.Game().Seats() == 1:
		return "the game is over"
	case len(first) == s.match.Game().Seats() && len(first) > 1:
		return "a tie: " + list(names)
	case len(first) > 1:
		return list(names) + " win together"
	case strings.EqualFold(names[0], "you"):
		return names[0] + " win"
	}
	return names[0] + " wins"
}

// ranking lists the seats in the order of the result.
func (s *Session) ranking() {
	var rows [][]string
	place := 1
	for _, group := range s.match.Ranking() {
		for _, seat := range group {
			row := []string{fmt.Sprintf("%d.", place), s.match.Name(seat)}
			if v, ok := s.match.Total(seat); ok {
				row = append(row, fmt.Sprint(v))
			}
			rows = append(rows, row)
		}
		place += len(group)
	}
	s.rows(rows)
}
