package interpreter

import (
	"strings"

	"github.com/houserules/houserules/dsl"
)

// A StartGame is what an opening came to: who begins the game, with which
// house rules and values of params.
type StartGame struct {
	Seat int
	With []string          // ids, sorted
	Set  map[string]string // as they are written in files and commands
}

// Started returns what the opening came to, or nil as long as it goes on. The
// machine of an opening is over then. The game is to be loaded with what is
// named, and begun with Setup.First and Setup.Session.
func (m *Machine) Started() *StartGame { return m.started }

// Preview plays option i of the decision that stands on a copy of the machine,
// up to the next request, and returns what Started says there: nil if the
// option does not start the game. A front end can so refuse house rules that do
// not go together before they are applied.
func (m *Machine) Preview(i int) (*StartGame, error) {
	on := m.Clone()
	if err := on.Apply(i); err != nil {
		return nil, err
	}
	_, err := on.Advance()
	return on.Started(), err
}

// starting is `start game`.
type starting struct {
	seat fn
	with fn // a set of variants, or nil
	sets []startSet
}

type startSet struct {
	param *dsl.Param
	f     fn
}

func (c *coder) startGame(s *dsl.Stmt) {
	x := &starting{seat: c.seatIndex(c.expr(s.Seat), s.Seat)}
	if s.X != nil {
		x.with = c.expr(s.X).f
	}
	for _, set := range s.Sets {
		x.sets = append(x.sets, startSet{set.Param, c.expr(set.Value).f})
	}
	c.emit(instr{op: opStartGame, x: x, note: c.note(s)})
}

// startGame ends the opening.
func (m *Machine) startGame(in *instr) {
	x := in.x.(*starting)
	g := &StartGame{Seat: int(x.seat(m)), With: []string{}, Set: map[string]string{}}
	if x.with != nil {
		g.With = m.g.variantIDs(x.with(m))
	}
	for _, set := range x.sets {
		v := set.f(m)
		if !legal(set.param, v) {
			fault(in.place(m.g), "`%s` cannot be %d", set.param.Name, v)
		}
		g.Set[set.param.Name] = m.g.plain(set.param.Type, v)
	}
	m.started = g
	if m.rec != nil {
		m.record(in, Record{Kind: RecStart, Of: g.Seat, Text: strings.Join(g.With, " ")})
	}
}
