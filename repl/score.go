package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl/scorepad"
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
	sheet := s.padSheet()
	if sheet.Empty() {
		s.standing()
		return
	}
	if head := sheet.Head(); head != sheet.Title {
		s.printf("%s", head)
	}
	if s.cfg.Plain {
		for _, l := range sheet.Lines() {
			s.printf("%s", l)
		}
		return
	}
	from := 0
	if height := sheet.Height(); !all && height > maxSheet {
		from = height - maxSheet
		s.printf("... %d lines before these: `score all`", from)
	}
	width := scorepad.Width
	if s.cfg.Width > 0 {
		width = min(width, s.cfg.Width)
	}
	for _, l := range sheet.Text(width, from) {
		fmt.Fprintln(s.out, l)
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
	st.ended, st.winners, st.totals = true, s.match.Winners(), s.totals()
	if st.when.IsZero() {
		st.when = s.clock()
	}
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
	if !s.cfg.Brief {
		s.ranking()
	}
	s.printTally()
	s.keepGame()
	switch {
	case s.cfg.Brief:
		return
	case s.past:
		s.printf(tookBack)
	}
	if s.mended {
		s.printf(mendedMoves)
	}
	if !s.cfg.Quiet {
		s.aftermath()
	}
}

// aftermath prints the sheet of a game that is over, what was notable in it, and
// what can be done with it.
func (s *Session) aftermath() {
	s.printf("")
	s.sheet(false)
	if list := s.moments(); len(list) > 0 {
		s.printf("")
		for _, m := range list {
			s.printf("%s", m)
		}
	}
	s.printf("")
	if s.now().Replay != "" && !s.cfg.Header.RealDice {
		s.printf("seed: %d", s.cfg.Header.Seed)
	}
	s.again()
	if s.cfg.Rerun != "" {
		s.shell("see it again", s.cfg.Rerun)
	}
	if s.kept > 0 {
		s.shell("keep the sheet", fmt.Sprintf("houserules scores show %d --sheet FILE.svg", s.kept))
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
