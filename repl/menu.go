package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// menu is a decision about house rules and options, which has too many answers
// to be listed. People type the whole answer, or make it up step by step.
type menu struct {
	action *dsl.Action
	rules  bool // house rules can be chosen
	ids    []string
	params []*dsl.Param
	names  map[string]*dsl.Param // by the names of params and of what is picked
	picks  []*dsl.Pick

	chosen map[string]bool // ids
	values map[*dsl.Param]string
}

// newMenu makes the menu of the decision that stands, or returns nil if it has
// more to it than house rules and options.
func (s *Session) newMenu(req interpreter.Request) *menu {
	if !req.Open {
		return nil
	}
	m := &menu{names: map[string]*dsl.Param{}, chosen: map[string]bool{}, values: map[*dsl.Param]string{}}
	for _, c := range s.match.Choices(false) {
		switch {
		case c.Options == 0:
		case m.action != nil:
			return nil
		default:
			m.action = c.Action
		}
	}
	for _, x := range s.match.Picked(0) {
		m.picks = append(m.picks, x.Pick)
		switch x.Pick.Form {
		case dsl.PickVariants:
			if m.rules {
				return nil
			}
			m.rules, m.ids = true, s.match.Game().Program().Choices
		case dsl.PickValue:
			p := x.Pick.Param
			m.params = append(m.params, p)
			m.values[p] = x.Text
			m.names[fold(x.Pick.Local.Name)], m.names[fold(p.Name)] = p, p
		default:
			return nil
		}
	}
	if m.action == nil || len(m.picks) == 0 {
		return nil
	}
	return m
}

// text writes the answer as it can be typed.
func (m *menu) text() string {
	var parts []string
	for _, p := range m.picks {
		if p.Form == dsl.PickValue {
			parts = append(parts, m.values[p.Param])
			continue
		}
		var ids []string
		for _, id := range m.ids {
			if m.chosen[id] {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			ids = []string{"none"}
		}
		parts = append(parts, strings.Join(ids, " "))
	}
	return m.action.Name + " " + strings.Join(parts, ", ")
}

// example is an answer for people to go by.
func (m *menu) example() string {
	x := *m
	x.chosen = map[string]bool{}
	for _, id := range m.ids[:min(1, len(m.ids))] {
		x.chosen[id] = true
	}
	return spoken(x.text())
}

// id returns the house rule that a word or a number means, "" if none.
func (m *menu) id(word string) string {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(m.ids) {
		return m.ids[n-1]
	}
	for _, id := range m.ids {
		if fold(id) == fold(word) {
			return id
		}
	}
	return ""
}

// steps reads a line as choices, each to be switched, and values. The error says
// which word is neither.
func (m *menu) steps(line string) (ids []string, values map[*dsl.Param]string, err error) {
	values = map[*dsl.Param]string{}
	words := strings.Fields(strings.NewReplacer(",", " ", "=", " ").Replace(strings.ToLower(line)))
	for i := 0; i < len(words); i++ {
		w := words[i]
		if id := m.id(w); id != "" {
			ids = append(ids, id)
			continue
		}
		p := m.names[fold(w)]
		switch {
		case p != nil && i+1 < len(words):
			i++
			values[p] = words[i]
		case p != nil:
			return nil, nil, fmt.Errorf("`%s` needs a value, as in `%s %s`", w, w, m.values[p])
		default:
			return nil, nil, m.unknown(w)
		}
	}
	return ids, values, nil
}

// unknown says that a word is no answer, and what it may have meant.
func (m *menu) unknown(w string) error {
	if _, err := strconv.Atoi(w); err == nil {
		hint := ""
		if len(m.params) > 0 {
			hint = fmt.Sprintf("; for an option write its name too, as in `%s %s`", m.params[0].Name, w)
		}
		if len(m.ids) == 0 {
			return fmt.Errorf("`%s` stands alone%s", w, hint)
		}
		return fmt.Errorf("there is no house rule %s: they are numbered from 1 to %d%s", w, len(m.ids), hint)
	}
	names := slices.Clone(m.ids)
	for _, p := range m.params {
		names = append(names, p.Name)
	}
	msg := fmt.Sprintf("there is no house rule or option `%s`", w)
	if near := source.Nearest(w, names); len(near) > 0 {
		msg += fmt.Sprintf("; did you mean `%s`?", near[0])
	}
	return errors.New(msg + "; `?` helps")
}

// done are the words that take what is chosen.
var done = []string{"", "done", "ok", "begin"}

// isStep reports whether a line belongs to the menu rather than to the
// commands.
func (m *menu) isStep(line string) bool {
	word := strings.ToLower(line)
	if slices.Contains(done, word) || word == "none" || word == "same" {
		return true
	}
	_, _, err := m.steps(line)
	return err == nil
}

// step carries out a line typed at a menu.
func (s *Session) step(ctx context.Context, line string) error {
	m := s.menu
	word := strings.ToLower(line)
	switch {
	case slices.Contains(done, word):
		return s.move(ctx, m.text())
	case word == "none" && m.rules:
		m.chosen = map[string]bool{}
		return s.move(ctx, m.text())
	case word == "same":
		return s.sameAgain(ctx)
	}
	if whole := s.whole(line); whole != "" {
		return s.move(ctx, whole)
	}
	ids, values, err := m.steps(line)
	if err != nil {
		if _, perr := s.match.ParseMove(line); s.isAction(strings.ToLower(strings.Fields(line)[0])) && perr != nil {
			return s.refused(line, perr)
		}
		return s.fail("%v", err)
	}
	next := *m
	next.chosen, next.values = maps.Clone(m.chosen), maps.Clone(m.values)
	for _, id := range ids {
		next.chosen[id] = !next.chosen[id]
	}
	maps.Copy(next.values, values)
	i, err := s.match.ParseMove(next.text())
	if err != nil {
		for p, v := range values {
			if r := ParamRange(p); r != "" && len(values) == 1 {
				return s.fail("no: `%s` cannot be %s: %s", p.Name, v, r)
			}
		}
		return s.refused(line, err)
	}
	if err := s.goesTogether(i); err != nil {
		return err
	}
	s.menu = &next
	s.chosen()
	return nil
}

// whole returns the answer that a line is by itself, with the action's name or
// without, and "" if it is none.
func (s *Session) whole(line string) string {
	m := s.menu
	if _, err := s.match.ParseMove(line); err == nil {
		return line
	}
	first, rest, commas := strings.Cut(line, ",")
	if !commas {
		return ""
	}
	var words []string
	for _, w := range strings.Fields(first) {
		if id := m.id(w); id != "" && m.picks[0].Form == dsl.PickVariants {
			w = id
		}
		words = append(words, w)
	}
	text := m.action.Name + " " + strings.Join(words, " ") + "," + rest
	if _, err := s.match.ParseMove(text); err != nil {
		return ""
	}
	return text
}

// sameAgain answers as it was answered before the last game.
func (s *Session) sameAgain(ctx context.Context) error {
	if s.last.Game == "" {
		return s.fail("there was no game before this one")
	}
	m := s.menu
	m.chosen = map[string]bool{}
	for _, id := range s.last.With {
		m.chosen[id] = slices.Contains(m.ids, id)
	}
	for _, p := range m.params {
		if v, ok := s.last.Set[p.Name]; ok {
			m.values[p] = v
		}
	}
	return s.move(ctx, m.text())
}

// goesTogether tests that the game that an answer starts, if it does, can be
// played. It prints the sentence if it cannot.
func (s *Session) goesTogether(i int) error {
	to, err := s.match.Preview(i)
	if err != nil {
		return s.fault(err)
	}
	if to == nil {
		return nil
	}
	_, err = s.after(to)
	var bad *ChoiceError
	if errors.As(err, &bad) {
		return s.fail("no: %s", bad.Message)
	}
	return err
}

// answered reports whether a decision was answered before the game began: with
// house rules and options of the command line.
func (s *Session) answered(req interpreter.Request) bool {
	if s.unanswered || s.cfg.Watch && !s.tale.mute {
		return false
	}
	m := s.newMenu(req)
	if m == nil {
		return false
	}
	if m.rules && len(s.cfg.Header.With) > 0 {
		return true
	}
	return slices.ContainsFunc(m.params, func(p *dsl.Param) bool { return s.cfg.Header.Set[p.Name] != "" })
}

// answer takes the answer that was given before.
func (s *Session) answer(req interpreter.Request) error {
	m := s.newMenu(req)
	for _, id := range s.cfg.Header.With {
		m.chosen[id] = true
	}
	if s.cfg.Players[req.Seat].Bot != "" {
		s.bots[req.Seat].Below(uint64(req.N)) // as if it had chosen
	}
	i, err := s.match.ParseMove(m.text())
	if err != nil {
		s.unanswered = true
		s.printf("%s does not go here: %v", spoken(m.text()), err)
		return nil
	}
	return s.choose(i, moving{})
}

// printMenu prints what can be chosen.
func (s *Session) printMenu() {
	m := s.menu
	if m.rules && len(m.ids) > 0 {
		s.printf("house rules:")
		wide := 0
		for _, id := range m.ids {
			wide = max(wide, len(id))
		}
		for k, id := range m.ids {
			mark := " "
			if m.chosen[id] {
				mark = "*"
			}
			s.wrapped("", fmt.Sprintf("%s %2d %s  %s", mark, k+1, pad(id, wide), s.describe(id)))
		}
	}
	for _, p := range m.params {
		text := fmt.Sprintf("%s = %s", p.Name, m.values[p])
		if r := ParamRange(p); r != "" {
			text += " (" + r + ")"
		}
		if rule := s.match.Sentence(p.Rule); rule != "" {
			text += ": " + rule
		}
		s.wrapped("", text)
		for _, o := range p.Options {
			s.wrapped("", fmt.Sprintf("    %s  %s", o.Name, o.Rule))
		}
	}
	s.chosen()
	s.wrapped("", m.hint(s.last.Game != ""))
}

// houseRule finds a house rule that can be chosen; an empty one if there is none
// of that id.
func (s *Session) houseRule(id string) HouseRule {
	for _, h := range s.cfg.House {
		if h.ID == id {
			return h
		}
	}
	return HouseRule{}
}

// describe tells what a house rule is.
func (s *Session) describe(id string) string {
	h := s.houseRule(id)
	text := h.Title
	if h.Icon != "" {
		text += " [" + h.Icon + "]"
	}
	if len(h.Tags) > 0 {
		text += " (" + strings.Join(h.Tags, ", ") + ")"
	}
	if h.Usual {
		text += ", in force anyway"
	}
	if h.About != "" {
		text += ": " + h.About
	}
	return strings.TrimLeft(text, " ,:")
}

// hint says how a menu is answered.
func (m *menu) hint(again bool) string {
	var ways []string
	if len(m.ids) > 0 {
		ways = append(ways, "type numbers or names to choose house rules or drop them")
	}
	if len(m.params) > 0 {
		p := m.params[0]
		ways = append(ways, fmt.Sprintf("`%s VALUE` sets an option", p.Name))
	}
	ways = append(ways, "Enter takes what is chosen")
	if m.rules {
		ways = append(ways, "`none` plays without house rules")
	}
	if again {
		ways = append(ways, "`same` those of the last game")
	}
	return strings.Join(ways, "; ") + "; or all at once: " + m.example()
}

// chosen says what is chosen so far.
func (s *Session) chosen() {
	m := s.menu
	var parts []string
	if m.rules {
		var titles []string
		for _, id := range m.ids {
			if m.chosen[id] {
				titles = append(titles, s.titleOf(id))
			}
		}
		if len(titles) == 0 {
			titles = []string{"no house rules"}
		}
		parts = append(parts, strings.Join(titles, "; "))
	}
	for _, p := range m.params {
		parts = append(parts, p.Label()+" "+m.values[p])
	}
	s.wrapped("chosen: ", strings.Join(parts, "; "))
}

func (s *Session) titleOf(id string) string {
	return cmp.Or(s.houseRule(id).Title, id)
}

// completions are the words of a menu.
func (m *menu) completions() []string {
	out := slices.Clone(m.ids)
	for _, p := range m.params {
		out = append(out, p.Name+" ")
	}
	if m.rules {
		out = append(out, "none")
	}
	return append(out, words(m.action.Name)+" ")
}

// ParamRange says which values an option may have, "" if that is told by its
// list of values or they are any.
func ParamRange(x *dsl.Param) string {
	switch {
	case x.Type.Kind == dsl.KBool:
		return "true or false"
	case x.Type.Kind != dsl.KInt || len(x.Options) > 0:
		return ""
	}
	const least, most = -1 << 63, 1<<63 - 1
	lo, hi := x.Min != least, x.Max != most
	text := ""
	switch {
	case lo && hi:
		text = fmt.Sprintf("%d to %d", x.Min, x.Max)
	case lo:
		text = fmt.Sprintf("%d or more", x.Min)
	case hi:
		text = fmt.Sprintf("at most %d", x.Max)
	}
	if x.Step > 1 {
		text = strings.TrimSpace(text + fmt.Sprintf(" in steps of %d", x.Step))
	}
	return text
}
