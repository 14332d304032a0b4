package repl

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// option is one legal move as it is offered.
type option struct {
	index  int // what Choose takes
	number int // under which it is listed, and can be typed
	action *dsl.Action
	text   string
	worth  int64 // points that its combinations bring
	bare   bool  // nothing is picked
	form   bool  // text is how it is typed: it stands for many
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
	if s.cfg.Watch || s.tale.mute || s.turnScreen(req) {
		return
	}
	s.present(req)
}

// present shows whoever looks what is asked.
func (s *Session) present(req interpreter.Request) {
	if req.Kind == interpreter.Chance {
		if !s.cfg.Quiet && !s.cfg.Brief {
			s.printf("%s", s.wanted())
		}
		return
	}
	if s.options = nil; req.Table {
		s.options = s.forms()
	} else {
		s.options = s.offer(req)
	}
	s.menu = s.newMenu(req)
	if s.cfg.Quiet {
		return
	}
	s.shown()
	if !s.cfg.Brief && !req.Table {
		s.sight(req.Seat)
	}
	s.question(req)
	switch {
	case s.cfg.Brief:
	case s.menu != nil:
		s.printMenu()
	default:
		s.list(maxListed)
		s.openHint(req)
	}
}

// openHint says that moves can be typed that are not listed.
func (s *Session) openHint(req interpreter.Request) {
	if req.Open && !req.Table {
		s.printf("other values can be typed, as in: %s", s.moveText(0))
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
		if seat, ok := s.Asked(); ok && s.inOpening() {
			what = s.match.Name(seat) + ": " + what
		}
		return what
	}
	v, of, ok := s.match.RollWanted()
	if seat, dealt := s.match.DealWanted(); dealt {
		return fmt.Sprintf("type %s, for %s", what, s.match.Name(seat))
	}
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
	if !s.tale.begun || s.tale.noTurns || s.tale.mute || s.cfg.Quiet && s.cfg.Watch {
		return
	}
	s.printf("%s", s.tale.heading())
	if s.tale.fell != "" {
		s.printf("%s", s.tale.fell)
	}
}

// question says who is asked what, where that is not clear.
func (s *Session) question(req interpreter.Request) {
	seat := req.Seat
	moment, variant := s.match.Asking()
	if s.cfg.Brief && variant == "" && !s.inOpening() && seat == s.tale.whose {
		return
	}
	text := ""
	if moment != nil {
		text = moment.Title
	}
	if variant != "" {
		text = strings.TrimSpace(s.houseTitle(variant) + ": " + text)
	}
	if (seat != s.tale.whose || s.inOpening()) && !req.Table {
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
	weigh := req.N <= maxWeighed && len(s.match.Game().Program().Scorers) > 0
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
	number(out)
	return out
}

// number numbers moves from 1. If those of one action are told apart by a number
// alone, as amounts or places are, each goes by its own, so that nobody says 4 with
// a 5; the others come behind these.
func number(options []option) {
	own, next := plainNumbers(options), 1
	for i := range options {
		if _, n, _ := splitNumber(options[i].text); own != nil && options[i].action == own {
			options[i].number = n
			next = max(next, n+1)
		}
	}
	for i := range options {
		if own == nil || options[i].action != own {
			options[i].number = next
			next++
		}
	}
}

// plainNumbers returns the one action whose moves are told apart by a number,
// nil if none or several are so.
func plainNumbers(options []option) (own *dsl.Action) {
	several := map[*dsl.Action]bool{}
	for _, o := range options {
		if _, n, ok := splitNumber(o.text); !ok || n < 0 || !picksNumber(o.action) {
			continue
		}
		several[o.action] = true
		own = o.action
	}
	if len(several) != 1 {
		return nil
	}
	return own
}

// picksNumber reports whether all that an action picks is a number, or a place
// by its number.
func picksNumber(a *dsl.Action) bool {
	if len(a.Picks) != 1 || a.Picks[0].Each != nil {
		return false
	}
	p := a.Picks[0]
	switch p.Form {
	case dsl.PickRange:
		return true
	case dsl.PickOne:
		if p.List.Op == dsl.OpZone {
			return p.List.Ref.(*dsl.Zone).Places != nil
		}
		return p.Local.Type.Kind == dsl.KInt
	}
	return false
}

// worth tries a move elsewhere and adds up what its combinations bring before
// the next throw.
func (s *Session) worth(i int) int64 {
	c := s.match.Clone()
	c.Rekey(0)
	if seat, ok := s.Asked(); ok && s.secret { // what it brings may depend on what nobody here knows
		r := interpreter.NewRand(0, uint64(i), interpreter.StreamPolicy)
		c.Imagine(s.match.Machine, seat, &r)
	}
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
	entries := s.entries(limit > 0 && len(s.options) > limit)
	groups := map[*dsl.Action]bool{}
	for _, e := range entries {
		groups[e.action] = true
	}
	quota := len(s.options)
	if limit > 0 && len(entries) > limit {
		quota = max(2, limit/len(groups))
	}
	shown := map[*dsl.Action]int{}
	hidden := 0
	for _, e := range entries {
		if shown[e.action]++; shown[e.action] > quota {
			hidden += e.n
			continue
		}
		s.printf("%s", e.text)
	}
	if hidden > 0 {
		s.printf("... and %d more: type one, or `actions` to see all", hidden)
	}
}

// entry is a line of the list: one move, or n of them that differ only in the
// number at their end.
type entry struct {
	action *dsl.Action
	text   string
	n      int
}

// entries makes the lines of the list; many moves that differ only in a number
// are put together if there is a need to be short.
func (s *Session) entries(short bool) (out []entry) {
	for k := 0; k < len(s.options); {
		o, same := s.options[k], 1
		if short {
			same = alikeFrom(s.options[k:])
		}
		if same <= shortest {
			out = append(out, entry{o.action, numbered(o), 1})
			k++
			continue
		}
		var numbers, ends []int
		head := ""
		for _, x := range s.options[k : k+same] {
			h, n, _ := splitNumber(x.text)
			head, ends, numbers = h, append(ends, n), append(numbers, x.number)
		}
		out = append(out, entry{o.action, fmt.Sprintf("%s %s %s", ranges(numbers), head, ranges(ends)), same})
		k += same
	}
	return out
}

// shortest is how many moves that differ in a number are still listed one by one.
const shortest = 4

// alikeFrom returns how many of the first options differ only in the number at
// their end, which goes up.
func alikeFrom(options []option) (n int) {
	head, last, _ := splitNumber(options[0].text)
	for _, o := range options {
		h, v, ok := splitNumber(o.text)
		if !ok || h != head || o.worth != 0 || n > 0 && v <= last || o.action != options[0].action {
			break
		}
		last = v
		n++
	}
	return max(n, 1)
}

// splitNumber takes a move apart that ends with a number.
func splitNumber(text string) (head string, n int, ok bool) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return text, 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil
}

func numbered(o option) string {
	text := fmt.Sprintf("%d %s", o.number, o.text)
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
		parts = append(parts, numbered(o))
	}
	text := strings.Join(parts, "   ")
	return text, len(text) < screen
}
