package repl

import (
	"fmt"
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// option is one legal move as it is offered.
type option struct {
	index  int // what Choose takes
	action *dsl.Action
	text   string
	worth  int64 // points that its combinations bring
	bare   bool  // nothing is picked
}

// Limits of what is offered: how many moves are listed without being asked
// for, are numbered at all, and are looked into for their worth.
const (
	maxListed   = 12
	maxNumbered = 5000
	maxWeighed  = 400
)

// ask tells a person what the game wants.
func (s *Session) ask(req interpreter.Request) {
	if s.inTurn(req) {
		s.tale.turn()
	}
	s.tale.flush()
	if s.cfg.Watch || s.tale.mute {
		return
	}
	if req.Kind == interpreter.Chance {
		if !s.cfg.Quiet && !s.cfg.Brief {
			s.printf("%s", s.wanted())
		}
		return
	}
	s.options = s.offer(req)
	if s.cfg.Quiet {
		return
	}
	s.shown()
	s.question(req.Seat)
	if !s.cfg.Brief {
		s.list(maxListed)
	}
}

// wanted says what is to be thrown or drawn, for whom and for what.
func (s *Session) wanted() string {
	what := s.match.LuckWanted()
	if f, n, ok := s.match.ThrowWanted(); ok {
		what = fmt.Sprintf("throw %d %s and type the faces", n, f.Label())
		if n == 1 {
			what = fmt.Sprintf("throw one of the %s and type its face", f.Label())
		}
		for _, inc := range s.match.IncidentsWanted() {
			what += ", or `" + words(inc.Name) + "`"
		}
		return what
	}
	v, of, ok := s.match.RollWanted()
	switch {
	case ok && of >= 0:
		return fmt.Sprintf("%s, %s: type %s", s.match.Name(of), v.Label(), what)
	case ok:
		return fmt.Sprintf("%s: type %s", v.Label(), what)
	}
	return "type " + what
}

// shown prints the lines that the rules want above a question.
func (s *Session) shown() {
	for _, l := range s.match.Show() {
		s.printf("%s", l)
	}
}

// situation says again where the game stands, for somebody who has lost sight
// of it.
func (s *Session) situation() {
	if !s.tale.begun {
		return
	}
	s.printf("%s", s.tale.heading())
	if s.tale.fell != "" {
		s.printf("%s", s.tale.fell)
	}
}

// question says who is asked what, where that is not clear.
func (s *Session) question(seat int) {
	moment, variant := s.match.Asking()
	if s.cfg.Brief && variant == "" && seat == s.tale.whose {
		return
	}
	text := ""
	if moment != nil {
		text = moment.Title
	}
	if variant != "" {
		text = strings.TrimSpace(s.houseTitle(variant) + ": " + text)
	}
	if seat != s.tale.whose {
		text = strings.TrimSpace(s.match.Name(seat) + ": " + text)
	}
	if text != "" {
		s.printf("%s", strings.TrimSuffix(text, ":"))
	}
}

// offer lists the legal moves, those of one action together and the ones that
// bring most before others.
func (s *Session) offer(req interpreter.Request) []option {
	var out []option
	group := map[*dsl.Action]int{}
	weigh := req.N <= maxWeighed
	for _, o := range s.match.Options(maxNumbered) {
		if _, ok := group[o.Action]; !ok {
			group[o.Action] = len(group)
		}
		x := option{index: o.Index, action: o.Action, text: spoken(o.Text), bare: len(o.Action.Picks) == 0}
		if weigh && !x.bare {
			x.worth = s.worth(o.Index)
		}
		out = append(out, x)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if ga, gb := group[a.action], group[b.action]; ga != gb {
			return ga < gb
		}
		return a.worth > b.worth
	})
	return out
}

// worth tries a move elsewhere and adds up what its combinations bring before
// the next throw.
func (s *Session) worth(i int) int64 {
	c := s.match.Clone()
	c.Rekey(0)
	c.AskChance = true
	var sum combinations
	c.Listen(&sum)
	if c.Apply(i) != nil {
		return 0
	}
	if _, err := c.Advance(); err != nil {
		return 0
	}
	return int64(sum)
}

// combinations adds up the points of combinations.
type combinations int64

// Record adds the points of one.
func (c *combinations) Record(_ *interpreter.Machine, r *interpreter.Record) {
	if r.Kind == interpreter.RecCombo {
		*c += combinations(r.New)
	}
}

// list prints the numbered moves, at most so many; 0 means all.
func (s *Session) list(limit int) {
	if line, ok := s.inOneLine(); ok {
		s.printf("%s", line)
		return
	}
	groups := map[*dsl.Action]int{}
	for _, o := range s.options {
		groups[o.action]++
	}
	quota := len(s.options)
	if limit > 0 && len(s.options) > limit {
		quota = max(2, limit/len(groups))
	}
	shown := map[*dsl.Action]int{}
	hidden := 0
	for k, o := range s.options {
		if shown[o.action]++; shown[o.action] > quota {
			hidden++
			continue
		}
		s.printf("%s", numbered(k, o))
	}
	if hidden > 0 {
		s.printf("... and %d more: type one, or `actions` to see all", hidden)
	}
}

func numbered(k int, o option) string {
	text := fmt.Sprintf("%d %s", k+1, o.text)
	if o.worth != 0 {
		text += fmt.Sprintf("  (%+d)", o.worth)
	}
	return text
}

// inOneLine writes a few short moves beside each other.
func (s *Session) inOneLine() (string, bool) {
	if s.cfg.Plain {
		return "", false
	}
	var parts []string
	for k, o := range s.options {
		if !o.bare || k == maxListed {
			return "", false
		}
		parts = append(parts, numbered(k, o))
	}
	text := strings.Join(parts, "   ")
	return text, len(text) < screen
}

// opening prints what is played, under which rules, and who plays, in few
// lines.
func (s *Session) opening() {
	p := s.match.Game().Program()
	if s.cfg.Plain {
		s.printf("plain mode: no line editing, no colour, one thing a line")
	}
	head := s.bold(p.Title)
	if p.About != "" {
		head += ": " + p.About
	}
	s.printf("%s", head)
	s.houseBrief()
	var seats []string
	for _, pl := range s.cfg.Players {
		if pl.Bot != "" && !s.cfg.Watch {
			pl.Name += " (bot)"
		}
		seats = append(seats, pl.Name)
	}
	text := strings.Join(seats, ", ")
	if !s.cfg.Header.RealDice {
		text += fmt.Sprintf("; seed %d", s.cfg.Header.Seed)
	}
	s.wrapped("players: ", text)
	if s.cfg.Hint != "" {
		s.printf("%s", s.cfg.Hint)
	}
	if people(s.cfg.Players) > 0 && !s.cfg.Watch {
		s.printf("type a number or a move; `?` helps, `house` tells the house rules, `quit` leaves")
	}
}

// houseBrief names the house rules in force and the options that are set.
func (s *Session) houseBrief() {
	p := s.match.Game().Program()
	var rules, set []string
	for _, v := range p.Variants {
		rules = append(rules, s.houseTitle(v.ID))
	}
	for _, x := range p.Params {
		if x.Set != nil && x.SetBy == "" {
			set = append(set, s.paramLine(x))
		}
	}
	text := "none"
	if len(rules) > 0 {
		text = strings.Join(rules, ", ")
	}
	s.wrapped("house rules: ", text)
	if len(set) > 0 {
		s.wrapped("options: ", strings.Join(set, "; "))
	}
}

// wrapped prints a text over as many lines as it needs.
func (s *Session) wrapped(head, text string) {
	for _, l := range wrap(head+text, screen) {
		s.printf("%s", l)
	}
}

// house prints the house rules in force, how the options differ from the
// printed rules, and what is left out.
func (s *Session) house() {
	p := s.match.Game().Program()
	if len(p.Variants) == 0 {
		s.printf("house rules: none")
	} else {
		s.printf("house rules:")
	}
	for _, v := range p.Variants {
		text := v.Title
		if text == "" {
			text = v.ID
		}
		if v.About != "" {
			text += ": " + v.About
		}
		s.printf("- %s", text)
	}
	for _, x := range p.Params {
		if x.Set != nil {
			s.printf("- %s", s.paramLine(x))
		}
	}
	for _, l := range s.cfg.LeftOut {
		s.printf("- left out: %s", l)
	}
}

// paramLine says what a param is set to, and what it would be.
func (s *Session) paramLine(x *dsl.Param) string {
	is, err := s.match.EvalText(x.Value())
	was, err2 := s.match.EvalText(x.Default)
	if err != nil || err2 != nil {
		return x.Label()
	}
	text := fmt.Sprintf("%s %s instead of %s", x.Label(), is, was)
	if x.SetBy != "" {
		if t := s.houseTitle(x.SetBy); t != "" {
			text += " (" + t + ")"
		}
	}
	return text
}

// houseTitle returns the title of a house rule in force, or its id.
func (s *Session) houseTitle(id string) string {
	for _, v := range s.match.Game().Program().Variants {
		if v.ID == id && v.Title != "" {
			return v.Title
		}
	}
	return id
}
