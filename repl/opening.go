package repl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
)

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
	if !s.inOpening() {
		s.houseBrief() // else they are chosen first
	}
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
		sep := ", "
		if strings.Contains(strings.Join(rules, ""), ",") {
			sep = "; "
		}
		text = strings.Join(rules, sep)
	}
	s.wrapped("house rules: ", text)
	if len(set) > 0 {
		s.wrapped("options: ", strings.Join(set, "; "))
	}
}

// width is how wide lines may become.
func (s *Session) width() int {
	if s.cfg.Width > 0 {
		return s.cfg.Width
	}
	return screen
}

// wrapped prints a text over as many lines as it needs.
func (s *Session) wrapped(head, text string) {
	for _, l := range wrap(head+text, s.width()) {
		s.printf("%s", l)
	}
}

// house prints the house rules in force, how the options differ from the
// printed rules, and what is left out.
func (s *Session) house() {
	p := s.match.Game().Program()
	if s.inOpening() {
		s.printf("the game has not begun: its house rules are chosen in the opening")
		return
	}
	if len(p.Variants) == 0 {
		s.printf("house rules: none")
	} else {
		s.printf("house rules:")
	}
	for _, v := range p.Variants {
		text := s.houseTitle(v.ID)
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
	for _, l := range s.now().LeftOut {
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
		text += " (" + s.houseTitle(x.SetBy) + ")"
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
