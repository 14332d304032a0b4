package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// This file changes games by hand, as people do who try their rules out. What
// was changed is done again where a game is played anew; it stands in no
// journal, so such a game cannot be saved.

// edit is something that was changed by hand.
type edit struct {
	stage   int
	entries int    // of the stage's journal before it
	line    string // that was typed
	name    string // what was changed, "" for luck
	at      int    // in the line: the value
}

func (s *Session) cmdSet(ctx context.Context, args []string) error {
	text, at := s.rest()
	name, value, ok := strings.Cut(text, " ")
	name = strings.TrimSuffix(name, "=")
	value = strings.TrimLeft(value, " ")
	if strings.HasPrefix(value, "=") && !strings.HasPrefix(value, "==") {
		value = strings.TrimLeft(value[1:], " ")
	}
	if !ok || name == "" || value == "" {
		return s.fail("say what is to have which value: `set NAME VALUE`, as in `set turn.points 40`; `state` shows the names")
	}
	e := edit{stage: len(s.stages) - 1, entries: len(s.match.Journal.Entries), line: s.typed, name: name, at: len(s.typed) - len(value)}
	was := s.valueOf(name)
	if err := s.change(&e, at); err != nil {
		return err
	}
	s.forgetEdits()
	first := len(s.edits) == 0
	s.edits = append(s.edits, e)
	s.applied = len(s.edits)
	s.match.Again()
	s.printf("%s is %s%s", name, s.valueOf(name), was.before())
	if first {
		s.printf("this game is edited now: it can be played on, but not saved")
	}
	return s.run(ctx)
}

// valueText is how a value is written, "" if there is none.
type valueText string

func (v valueText) before() string {
	if v == "" {
		return ""
	}
	return ", was " + string(v)
}

// valueOf writes what a name stands for now.
func (s *Session) valueOf(name string) valueText {
	var ds source.List
	e := s.match.Game().Program().Formula(typedText(name, name, 0), dsl.Env{Seats: Names(s.cfg.Players), Lenient: true}, &ds)
	if e == nil {
		return ""
	}
	text, err := s.match.EvalText(e)
	if err != nil {
		return ""
	}
	return valueText(text)
}

// change puts a value in its place; at is where the name stands in the line.
func (s *Session) change(e *edit, at int) error {
	p := s.match.Game().Program()
	env := dsl.Env{Seats: Names(s.cfg.Players), Lenient: true}
	var ds source.List
	what := p.PlaceOf(typedText(e.line, e.name, at), env, &ds)
	if what == nil {
		return s.findings(ds)
	}
	value := typedText(e.line, e.line[e.at:], e.at)
	if what.Zone != nil {
		return s.lay(what.Zone, p.Pieces(value, what.Zone.Ref.(*dsl.Zone).Family, &ds), ds)
	}
	want := dsl.Seat
	if what.Place != nil {
		want = what.Place.ValueType()
		if want.Kind == dsl.KList || want.Kind == dsl.KMap {
			return s.fail("`%s` holds many values: set one of them, as in `set %s[KEY] VALUE`", e.name, e.name)
		}
	}
	env.Want = &want
	x := p.Formula(value, env, &ds)
	if x == nil {
		return s.findings(ds)
	}
	v, err := s.match.Eval(x)
	switch {
	case err != nil:
		return s.cannot(x, err)
	case !what.Active:
		return s.put(what.Place, v)
	case v < 0 || int(v) >= s.match.Game().Seats():
		return s.fail("nobody cannot have the turn")
	}
	s.match.SetActive(int(v))
	return nil
}

func (s *Session) put(p *dsl.Place, v int64) error {
	seat := int64(0)
	var err error
	if p.Seat != nil {
		if seat, err = s.match.Eval(p.Seat); err != nil {
			return s.cannot(p.Seat, err)
		}
		if seat < 0 || int(seat) >= s.match.Game().Seats() {
			return s.fail("there is no such seat")
		}
	}
	if p.Key == nil {
		s.match.Put(p.Var, int(seat), v)
		return nil
	}
	key, err := s.match.Eval(p.Key)
	if err == nil {
		err = s.match.PutAt(p.Var, int(seat), key, v)
	}
	if err != nil {
		return s.cannot(p.Key, err)
	}
	return nil
}

// lay puts pieces with faces into a zone.
func (s *Session) lay(z *dsl.Expr, words []dsl.PieceWord, ds source.List) error {
	zone := z.Ref.(*dsl.Zone)
	switch {
	case ds.HasErrors():
		return s.findings(ds)
	case len(zone.Family.Faces) == 0:
		return s.fail("pieces without faces cannot be laid by hand; an example in the rule file can, with `given`")
	}
	seat := int64(0)
	if len(z.Args) > 0 {
		var err error
		if seat, err = s.match.Eval(z.Args[0]); err != nil {
			return s.cannot(z.Args[0], err)
		}
	}
	var used uint64
	if _, ok := s.match.Lay(zone, int(seat), words, &used); !ok {
		return s.fail("there are not so many pieces of this kind")
	}
	return nil
}

// editAgain changes again what was changed by hand at this place of the game.
func (s *Session) editAgain() error {
	for s.applied < len(s.edits) {
		e := &s.edits[s.applied]
		if e.stage != len(s.stages)-1 || e.entries != len(s.match.Journal.Entries) {
			return nil
		}
		s.applied++
		if e.name == "" {
			continue
		}
		if _, err := s.forced(); err != nil {
			return err
		}
		out := s.out
		s.out = &holdBack{to: io.Discard}
		err := s.change(e, strings.Index(e.line, e.name))
		s.out = out
		if err != nil {
			return fmt.Errorf("what was typed by hand no longer fits: %s", e.line)
		}
		s.match.Again()
	}
	return nil
}

// forgetEdits drops what was changed after the place where the game stands now:
// it was taken back with the moves before it, and something else is done now.
func (s *Session) forgetEdits() { s.edits = s.edits[:min(s.applied, len(s.edits))] }

func (s *Session) cmdDice(ctx context.Context, args []string) error {
	words := strings.Fields(strings.ReplaceAll(strings.Join(args, " "), ",", " "))
	if len(words) == 0 {
		if len(s.queue) > 0 {
			s.printf("still to fall: %s", strings.Join(s.queue, " "))
			return nil
		}
		return s.fail("say what falls next, as in `dice 1 1 5 2 3 6`")
	}
	s.forgetEdits()
	s.queue = append(s.queue, words...)
	s.edits = append(s.edits, edit{stage: len(s.stages) - 1, entries: len(s.match.Journal.Entries), line: s.typed})
	s.applied = len(s.edits)
	s.match.AskChance = true
	s.printf("next: %s", strings.Join(s.queue, " "))
	if s.thrower() {
		return s.run(ctx)
	}
	return nil
}

// supplyQueued lets fall what was said to fall. If that does not fit it is
// dropped, and somebody has to say what falls instead.
func (s *Session) supplyQueued(req interpreter.Request) (done bool, err error) {
	n := 1
	if _, thrown, ok := s.match.ThrowWanted(); ok {
		n = thrown
		for _, inc := range s.match.IncidentsWanted() {
			if fold(inc.Name) == fold(s.queue[0]) {
				n = 1
			}
		}
	}
	text := strings.Join(s.queue[:min(n, len(s.queue))], " ")
	if s.inTurn(req) {
		s.tale.turn()
	}
	if err := s.giveLuck(text); err != nil {
		s.queue = nil
		e := s.fail("`%s` cannot fall here: %v", text, err)
		s.ask(req)
		return true, e
	}
	s.live = true
	s.queue = s.queue[min(n, len(s.queue)):]
	s.match.AskChance = s.cfg.Header.RealDice || len(s.queue) > 0
	s.keep()
	return false, nil
}
