package interpreter

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// This file counts what the rules of a game make happen, for those who write
// examples. A game that is not covered has none of it in its code.

// PointKind says what is counted at a point of the rules.
type PointKind string

// The kinds of points, in the order of reports.
const (
	PointPhase    PointKind = "phase"         // it was entered
	PointAction   PointKind = "action"        // it was taken
	PointRefused  PointKind = "guard refused" // a move that was tried
	PointPassed   PointKind = "guard passed"  // it held for an action that was taken
	PointEvent    PointKind = "event"         // it happened
	PointEventNot PointKind = "event not"     // it was emitted and did not happen, since its `when` did not hold
	PointHook     PointKind = "hook"          // it ran
	PointIncident PointKind = "incident"      // it spoilt a throw
	PointRow      PointKind = "row"           // it decided, or was added
	PointCombo    PointKind = "combination"   // it was scored
	PointIfTrue   PointKind = "if true"       // the branch was taken
	PointIfFalse  PointKind = "if false"      // the other one was, also where there is no `else`
	PointExit     PointKind = "exit"          // the script was left here: `finish`, `next turn` and the like
)

// PointKinds lists the kinds of points in the order of reports.
func PointKinds() []PointKind {
	return []PointKind{PointPhase, PointAction, PointRefused, PointPassed, PointEvent, PointEventNot, PointHook,
		PointIncident, PointRow, PointCombo, PointIfTrue, PointIfFalse, PointExit}
}

// A Point is a place in the rules, with how often what stands there happened.
type Point struct {
	Kind  PointKind
	Path  string // keys joined by dots, as in "phases.choose.actions.keep"
	Span  source.Span
	Count int64
}

// A Coverage counts what the rules of covered games make happen. It is safe for
// concurrent use. Games may be made of several programs: what stands at one
// place of one file is one point.
type Coverage struct {
	mu     sync.Mutex
	points map[pointKey]*point
}

// A pointKey tells points apart, also where files have been read twice.
type pointKey struct {
	kind       PointKind
	file       string
	start, end int
}

type point struct {
	Point
	n atomic.Int64
}

// NewCoverage returns a coverage without points.
func NewCoverage() *Coverage { return &Coverage{points: map[pointKey]*point{}} }

// Points returns the points of one file, by place. Those that were never
// reached are among them, if a program with them is known.
func (c *Coverage) Points(file string) []Point {
	file = fileKey(file)
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Point
	for k, p := range c.points {
		if k.file == file {
			q := p.Point
			q.Count = p.n.Load()
			out = append(out, q)
		}
	}
	order := PointKinds()
	slices.SortFunc(out, func(a, b Point) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End, slices.Index(order, a.Kind)-slices.Index(order, b.Kind))
	})
	return out
}

// Reached returns how often something was counted at each place, of those where
// something was.
func (c *Coverage) Reached() map[source.Span]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[source.Span]int64{}
	for _, p := range c.points {
		if n := p.n.Load(); n > 0 {
			out[p.Span] += n
		}
	}
	return out
}

func fileKey(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

// at returns the point at a place. Where is how it is called if it is new; nil is
// returned for places in no file.
func (c *Coverage) at(kind PointKind, span source.Span, where string) *point {
	if span.File == nil {
		return nil
	}
	key := pointKey{kind, fileKey(span.File.Name), span.Start, span.End}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.points[key]
	if p == nil {
		p = &point{Point: Point{Kind: kind, Path: where, Span: span}}
		c.points[key] = p
	}
	return p
}

func (p *point) count() {
	if p != nil {
		p.n.Add(1)
	}
}

// Know adds the points of a program, and of its opening, to what can be
// reached.
func (c *Coverage) Know(p *dsl.Program) {
	if p.Opening != nil {
		c.Know(p.Opening)
	}
	for _, ph := range p.Phases {
		c.info(PointPhase, &ph.Info)
		c.script(ph.Path+".enter", ph.Enter)
		c.hooks(&ph.Info, ph.Before, ph.After)
		for _, a := range ph.Actions {
			c.action(a)
		}
		c.script(ph.Path+".nobody", ph.Nobody)
		c.script(ph.Path+".otherwise", ph.Otherwise)
		c.script(ph.Path+".then", ph.Then)
	}
	for _, e := range p.Events {
		c.info(PointEvent, &e.Info)
		if e.When != nil {
			c.info(PointEventNot, &e.Info)
		}
		c.script(e.Path+".do", e.Do)
		c.hooks(&e.Info, e.Before, e.After)
	}
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			c.info(PointRow, &r.Info)
		}
	}
	for _, s := range p.Scorers {
		for _, cb := range s.Combos {
			c.info(PointCombo, &cb.Info)
			c.script(cb.Path+".then", cb.Then)
			c.hooks(&cb.Info, cb.Before, cb.After)
		}
	}
	for _, in := range p.Incidents {
		c.info(PointIncident, &in.Info)
		c.script(in.Path+".do", in.Do)
	}
	c.script("ending", p.Ending)
}

func (c *Coverage) info(kind PointKind, i *dsl.Info) { c.at(kind, i.Span, i.Path) }

func (c *Coverage) action(a *dsl.Action) {
	c.info(PointAction, &a.Info)
	for _, g := range a.Require {
		refuses, passes := can(g)
		if refuses {
			c.info(PointRefused, &g.Info)
		}
		if passes {
			c.info(PointPassed, &g.Info)
		}
	}
	c.script(a.Path+".do", a.Do)
	c.hooks(&a.Info, a.Before, a.After)
}

// can reports what a guard can do: one that is always false lets nothing pass.
func can(g *dsl.Guard) (refuse, pass bool) {
	e, not := g.That, false
	if e.Op == dsl.OpNot {
		e, not = e.Args[0], true
	}
	if e.Op != dsl.OpConst {
		return true, true
	}
	holds := (e.Int != 0) != not
	return !holds, holds
}

func (c *Coverage) hooks(moment *dsl.Info, before, after []*dsl.Hook) {
	each := func(side string, hs []*dsl.Hook) {
		for _, h := range hs {
			where := side + "." + moment.Path
			c.at(PointHook, h.Span, where)
			c.script(where+".do", h.Do)
			for _, a := range h.Offer {
				c.action(a)
			}
		}
	}
	each("before", before)
	each("after", after)
}

func (c *Coverage) script(where string, s *dsl.Script) {
	if s == nil {
		return
	}
	for _, st := range s.Stmts {
		switch st.Op {
		case dsl.StmtIf:
			c.at(PointIfTrue, st.Span, where)
			c.at(PointIfFalse, st.Span, where)
		case dsl.StmtGoto, dsl.StmtAgain, dsl.StmtNextTurn, dsl.StmtTurnOf, dsl.StmtFinish, dsl.StmtStartGame:
			c.at(PointExit, st.Span, where)
		}
		c.script(where, st.Then)
		c.script(where, st.Else)
	}
}

// covering is what an instruction counts.
type covering struct {
	point  *point
	guards []guardCover // of an action that is taken
}

// guardCover is a guard of an action that is taken. A guard that may be lifted
// has passed only if it holds.
type guardCover struct {
	point *point
	holds fn // nil: in any case
}

func (x *covering) count(m *Machine) {
	if m.cover == nil {
		return
	}
	x.point.count()
	for _, g := range x.guards {
		if g.holds == nil || g.holds(m) != 0 {
			g.point.count()
		}
	}
	m.arena = m.arena[:0]
}

// cover writes an instruction that counts, if the game is covered.
func (c *coder) cover(kind PointKind, span source.Span) {
	if c.g.cover != nil {
		c.emit(instr{op: opCover, x: &covering{point: c.g.cover.at(kind, span, "")}})
	}
}

// coverAction is cover for an action with its guards. An answer that is put aside
// is counted as it is given.
func (c *coder) coverAction(a *action, sealed bool) {
	if c.g.cover == nil {
		return
	}
	x := &covering{point: c.g.cover.at(PointAction, a.Span, a.Path)}
	for _, gs := range [][]guard{a.before, a.after} {
		for _, g := range gs {
			if _, passes := can(g.Guard); !passes {
				continue
			}
			gc := guardCover{point: c.g.cover.at(PointPassed, g.Span, g.Path)}
			if g.Variant != "" && len(a.waive) > 0 {
				gc.holds = g.f
			}
			x.guards = append(x.guards, gc)
		}
	}
	if sealed {
		a.cover = x
		return
	}
	c.emit(instr{op: opCover, x: x})
}

// coverElse counts where a jump of jumpFalse leads to, if the game is covered.
// Otherwise the jump just leads here.
func (c *coder) coverElse(skip int, kind PointKind, span source.Span) {
	if c.g.cover == nil {
		c.patch(skip)
		return
	}
	over := c.emit(instr{op: opJump})
	c.patch(skip)
	c.cover(kind, span)
	c.patch(over)
}

// refused counts the guard that refuses a move which somebody has tried.
func (c *Coverage) refused(err error) {
	if r, ok := err.(*Refusal); ok && r.Guard != nil { //nolint:errorlint // it is made here, and not wrapped
		c.at(PointRefused, r.Guard.Span, r.Guard.Path).count()
	}
}

// scored counts a combination.
func (c *Coverage) scored(cb *dsl.Combo) { c.at(PointCombo, cb.Span, cb.Path).count() }

// coveredRows is firstRow and sumRows with the rows counted.
func coveredRows(rows []row, points []*point, e *dsl.Expr) fn {
	t, maybe := e.Ref.(*dsl.Table), e.Type.Maybe
	return func(m *Machine) int64 {
		m.spend()
		sum := int64(0)
		for i := range rows {
			v, ok := rows[i].value(m)
			if !ok {
				continue
			}
			if m.cover != nil {
				points[i].count()
			}
			if !t.Sum {
				return v
			}
			sum = add(sum, v, e)
		}
		switch {
		case t.Sum:
			return sum
		case !maybe:
			return fault(e.Span, "no row of `%s` applies", t.Name)
		}
		return dsl.None
	}
}
