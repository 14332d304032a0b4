package repl

import (
	"context"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file works out chances: of what a move may come to before anybody is
// asked again. Where few things can fall all of them are gone through; else the
// move is made many times with other luck. What belongs to the turn of somebody
// else is left out. In a game that hides something each
// time is in another of the worlds that the seat may be in, so that the chances
// tell nothing that the seat does not know.

// Limits of odds: how many different ways are gone through, how often a move is
// tried if there are more, how many moves and how many values are listed.
const (
	maxWays      = 20_000
	oddsTries    = 2000
	maxOddsMoves = 20
	maxOddsLines = 12
)

func (s *Session) cmdOdds(ctx context.Context, _ []string) error {
	req, err := s.match.Advance()
	if err != nil {
		return s.fault(err)
	}
	q := &oddsQuestion{s: s, ctx: ctx, told: s.happenings}
	if text, at := s.rest(); text != "" {
		e, err := s.formula(text, at, dsl.Env{Lenient: true})
		if err != nil {
			return err
		}
		q.e, q.told = e, nil
	}
	seat, ok := s.Asked()
	q.seat = seat
	switch {
	case !ok:
		return s.fail("the game is over: nothing is left to chance")
	case req.Kind == interpreter.Chance:
		s.printOdds("what falls", q.of(""))
	case req.Table || req.Open:
		return s.fail("no chances can be told here: what is asked is not in the game")
	default:
		return s.oddsOfMoves(req, q)
	}
	return ctx.Err()
}

// oddsOfMoves tells the chances of each listed move. Moves of which they are
// alike are told together.
func (s *Session) oddsOfMoves(req interpreter.Request, q *oddsQuestion) error {
	shown := s.options
	if len(shown) == 0 {
		shown = s.offer(req)
	}
	n := min(len(shown), maxOddsMoves)
	var same, dull []string
	sure := false
	for _, o := range shown[:n] {
		x := q.of(s.match.OptionText(o.index))
		switch {
		case q.ctx.Err() != nil:
			return q.ctx.Err()
		case x.fault != nil:
			return s.fail("that cannot be worked out: %s", x.fault.Message)
		case x.dull() && q.e == nil:
			dull = append(dull, o.text)
			sure = true
		case x.chancy || q.e != nil:
			s.printOdds(o.text, x)
			sure = true
		default:
			same = append(same, o.text)
		}
	}
	if len(dull) > 0 {
		s.wrapped("nothing of note comes of: ", strings.Join(dull, ", "))
	}
	switch {
	case len(same) > 0 && sure:
		s.wrapped("nothing is left to chance: ", strings.Join(same, ", "))
	case len(same) > 0:
		s.printf("none of these moves leads to a throw or a draw before the next question")
	}
	if len(shown) > n {
		s.printf("... and %d more", len(shown)-n)
	}
	return nil
}

// oddsQuestion is what is asked about moves.
type oddsQuestion struct {
	s    *Session
	ctx  context.Context
	seat int       // who thinks
	e    *dsl.Expr // a formula, or nil for what happens
	told func(records []interpreter.Record) string
}

// oddsAnswer is how often what came of a move.
type oddsAnswer struct {
	chancy bool
	exact  bool
	total  float64 // ways, or tries
	ways   map[string]float64
	sum    float64 // of numbers
	number bool
	least  map[string]int64 // values by how they are written, to put them in order
	fault  *interpreter.Fault
}

// of works out what comes of a move; "" for the throw that stands.
func (q *oddsQuestion) of(move string) *oddsAnswer {
	if !q.s.secret {
		x := q.fresh()
		left := maxWays
		if q.walk(x, q.copy(), move, &left) {
			x.exact = true
			return x
		}
		if x.fault != nil {
			return x
		}
	}
	return q.simulated(move)
}

func (q *oddsQuestion) fresh() *oddsAnswer {
	return &oddsAnswer{ways: map[string]float64{}, least: map[string]int64{}, number: q.e != nil && numeric(q.e.Type)}
}

func numeric(t dsl.Type) bool { return t.Kind == dsl.KInt && t.Family == nil && !t.Maybe }

func (q *oddsQuestion) copy() *interpreter.Machine {
	c := q.s.match.Clone()
	c.Rekey(0)
	c.AskChance, c.Incidents = true, false
	return c
}

// walk goes through everything that can fall after a move. It gives up, and
// reports false, if that is too much.
func (q *oddsQuestion) walk(x *oddsAnswer, c *interpreter.Machine, move string, left *int) bool {
	log := &interpreter.Log{}
	c.Listen(log)
	if err := makeMove(c, move); err != nil {
		return x.broken(err)
	}
	return q.walkOn(x, c, log, way{1, 1}, left)
}

// makeMove makes a move on a copy, "" for none.
func makeMove(c *interpreter.Machine, move string) error {
	if _, err := c.Advance(); err != nil || move == "" {
		return err
	}
	i, err := c.ParseMove(move)
	if err != nil {
		return err
	}
	return c.Apply(i)
}

// dull reports whether something may fall, but nothing that has a name.
func (x *oddsAnswer) dull() bool {
	_, quiet := x.ways[""]
	return x.chancy && quiet && len(x.ways) == 1
}

func (x *oddsAnswer) broken(err error) bool {
	if f, ok := err.(*interpreter.Fault); ok {
		x.fault = f
	}
	return false
}

// way is one way in which things fall: how likely it is, and how many cases it
// stands for.
type way struct{ chance, cases float64 }

func (q *oddsQuestion) walkOn(x *oddsAnswer, c *interpreter.Machine, log *interpreter.Log, w way, left *int) bool {
	req, err := c.Advance()
	switch {
	case err != nil:
		return x.broken(err)
	case q.ctx.Err() != nil:
		return false
	case !x.chancy && q.goesOn(req, log.Records):
		if err := c.Apply(0); err != nil {
			return x.broken(err)
		}
		return q.walkOn(x, c, log, w, left)
	case req.Kind != interpreter.Chance || turned(log.Records):
		if *left--; *left < 0 {
			return false
		}
		x.total += w.cases
		return q.count(x, c, log.Records, w.chance)
	}
	x.chancy = true
	falls := c.Falls()
	if falls == nil || len(falls) > *left {
		return false
	}
	all := 0.0
	for _, f := range falls {
		all += float64(f.Weight)
	}
	before := len(log.Records)
	for _, f := range falls {
		next := c.Clone()
		if _, err := next.Advance(); err != nil {
			return x.broken(err)
		}
		branch := &interpreter.Log{Records: slices.Clone(log.Records[:before])}
		next.Listen(branch)
		if err := next.ApplyFall(f); err != nil {
			return x.broken(err)
		}
		n := float64(f.Weight)
		if !q.walkOn(x, next, branch, way{w.chance * n / all, w.cases * n}, left) {
			return false
		}
	}
	return true
}

// goesOn reports whether whoever thinks has only one thing to do, so that nobody
// is asked.
func (q *oddsQuestion) goesOn(req interpreter.Request, records []interpreter.Record) bool {
	return req.Kind == interpreter.Decision && req.Forced && !req.Table && req.Seat == q.seat && !turned(records)
}

// turned reports whether another turn has begun.
func turned(records []interpreter.Record) bool {
	return slices.ContainsFunc(records, func(r interpreter.Record) bool { return r.Kind == interpreter.RecTurn })
}

// count adds one way to what came of a move.
func (q *oddsQuestion) count(x *oddsAnswer, c *interpreter.Machine, records []interpreter.Record, weight float64) bool {
	if q.e == nil {
		x.ways[q.told(records)] += weight
		return true
	}
	v, err := c.Eval(q.e)
	if err != nil {
		return x.broken(err)
	}
	text, err := c.EvalText(q.e)
	if err != nil {
		return x.broken(err)
	}
	x.ways[text] += weight
	x.least[text] = v
	x.sum += weight * float64(v)
	return true
}

// simulated tries a move many times.
func (q *oddsQuestion) simulated(move string) *oddsAnswer {
	x := q.fresh()
	var c *interpreter.Machine
	for n := range uint64(oddsTries) {
		if q.ctx.Err() != nil {
			return x
		}
		c = q.s.match.CloneInto(c)
		r := interpreter.NewRand(q.s.moment(q.seat), n, interpreter.StreamPolicy)
		c.AskChance, c.Incidents = false, false
		c.Rekey(r.Uint64())
		if q.s.secret {
			c.Imagine(q.s.match.Machine, q.seat, &r)
		}
		luck := &luckLog{}
		c.Listen(luck)
		if err := makeMove(c, move); err != nil {
			if _, refused := err.(*interpreter.Fault); !refused {
				continue // in this world the rules do not allow it
			}
			x.broken(err)
			return x
		}
		if err := q.playOn(c, luck); err != nil {
			x.broken(err)
			return x
		}
		x.chancy = x.chancy || luck.fell || q.s.secret
		if !q.count(x, c, luck.Records, 1) {
			return x
		}
		x.total++
	}
	for k := range x.ways {
		x.ways[k] /= x.total
	}
	x.sum /= x.total
	return x
}

// playOn goes on with a copy until somebody has a choice, or something has
// fallen.
func (q *oddsQuestion) playOn(c *interpreter.Machine, luck *luckLog) error {
	for {
		req, err := c.Advance()
		if err != nil || luck.fell || !q.goesOn(req, luck.Records) {
			return err
		}
		if err := c.Apply(0); err != nil {
			return err
		}
	}
}

// luckLog is a log that knows whether chance had a say. When another turn begins
// it has chance asked for, so that the game stands still before it.
type luckLog struct {
	interpreter.Log
	fell bool
}

// Record keeps a record.
func (l *luckLog) Record(m *interpreter.Machine, r *interpreter.Record) {
	l.Log.Record(m, r)
	if r.Kind == interpreter.RecTurn {
		m.AskChance = true
	}
	l.fell = l.fell || r.Kind == interpreter.RecThrow || r.Kind == interpreter.RecRoll
}
