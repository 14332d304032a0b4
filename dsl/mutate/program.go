package mutate

import (
	"regexp"
	"strconv"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// program walks over all that rules carry out. Conditions on params are not among
// it: a game that they refuse is never played, so that no test can show it.
func (w *walker) program(p *dsl.Program) {
	for _, x := range p.Params {
		w.param(x)
	}
	w.things(p)
	for _, s := range p.Scorers {
		w.scorer(s)
	}
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			w.row(r)
		}
	}
	for _, e := range p.Events {
		if !tells(e) {
			w.condition(e.When)
		}
		w.script(e.Span, e.Do)
		w.hooks(e.Before, e.After)
	}
	for _, ph := range p.Phases {
		w.phase(ph)
	}
	for _, in := range p.Incidents {
		w.condition(in.When)
		w.script(in.Span, in.Do)
	}
	w.script(source.Span{}, p.Ending)
	w.value(p.Turns.Right)
	w.condition(p.Turns.Skip)
	for _, k := range p.Rank {
		w.value(k.By)
		w.condition(k.When)
	}
	for _, r := range p.Records {
		w.value(r.Shelf)
		w.value(r.Value)
		w.condition(r.When)
	}
	w.defines()
}

// defines walks over the defines that something walked over calls, and over those
// that these call. Others only serve a screen, or what bots think.
func (w *walker) defines() {
	for len(w.called) > 0 {
		d := w.called[0]
		w.called = w.called[1:]
		w.value(d.Body)
	}
}

// calls notes the defines that a formula calls, each once.
func (w *walker) calls(e *dsl.Expr) {
	if e == nil {
		return
	}
	if d, ok := e.Ref.(*dsl.Define); ok && e.Op == dsl.OpCall && !w.known[d] {
		w.known[d] = true
		w.called = append(w.called, d)
	}
	for _, a := range e.Args {
		w.calls(a)
	}
}

// things walks over pieces, zones, ghosts and state.
func (w *walker) things(p *dsl.Program) {
	for _, f := range p.Families {
		w.value(f.Count)
		for _, k := range f.Kinds {
			for _, l := range k.Lots {
				w.value(l.Count)
				for _, a := range f.Attrs {
					w.value(l.Values[a])
				}
			}
		}
		for _, a := range f.Attrs {
			w.value(a.Formula)
		}
		for _, m := range f.Marks {
			w.value(m.Default)
		}
	}
	for _, z := range p.Zones {
		w.value(z.Starts)
		w.value(z.Places)
	}
	for _, g := range p.Ghosts {
		w.condition(g.When)
	}
	for _, v := range p.Vars {
		w.value(v.Start)
	}
}

// param walks over the values of a param. A number goes one step on and one
// step back.
func (w *walker) param(p *dsl.Param) {
	for _, e := range []*dsl.Expr{p.Default, p.Set} {
		if e != nil && e.Op == dsl.OpConst && p.Type.Kind == dsl.KInt {
			w.number(e, p.Step)
		} else {
			w.value(e)
		}
	}
}

func (w *walker) scorer(s *dsl.Scorer) {
	w.condition(s.Wild)
	for _, k := range s.Knows {
		w.value(k.Value)
	}
	for _, c := range s.Combos {
		for _, p := range c.Match {
			w.pattern(p)
		}
		w.condition(c.Where)
		w.value(c.Points)
		w.script(c.Span, c.Then)
		w.hooks(c.Before, c.After)
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// pattern changes each number of a pattern: it becomes less by one, or else more.
func (w *walker) pattern(p *dsl.Pattern) {
	for _, at := range digits.FindAllStringIndex(p.Span.Text(), -1) {
		span := source.Span{File: p.Span.File, Start: p.Span.Start + at[0], End: p.Span.Start + at[1]}
		n, err := strconv.ParseInt(span.Text(), 10, 64)
		switch {
		case err != nil:
		case n > 1:
			w.change(span, strconv.FormatInt(n-1, 10))
		default:
			w.change(span, strconv.FormatInt(n+1, 10))
		}
	}
}

// row walks over a row of a table. What it gives matters only if the row
// decides.
func (w *walker) row(r *dsl.Row) {
	w.condition(r.When)
	w.condition(r.Where)
	w.value(r.Key)
	w.within(r.Span, func() { w.value(r.Gives) })
}

func (w *walker) phase(ph *dsl.Phase) {
	w.condition(ph.When)
	w.script(ph.Span, ph.Enter)
	if ph.Who != nil {
		w.value(ph.Who.List)
	}
	for _, a := range ph.Actions {
		w.action(a)
	}
	for _, s := range []*dsl.Script{ph.Nobody, ph.Otherwise, ph.Then} {
		w.script(source.Span{}, s)
	}
	w.hooks(ph.Before, ph.After)
}

func (w *walker) action(a *dsl.Action) {
	w.condition(a.When)
	for _, p := range a.Picks {
		w.pick(p)
	}
	w.guards(a.Require)
	for _, v := range a.Waive {
		w.condition(v.When)
	}
	w.script(a.Span, a.Do)
	w.hooks(a.Before, a.After)
}

func (w *walker) pick(p *dsl.Pick) {
	for _, e := range []*dsl.Expr{p.N, p.List, p.Each, p.Default} {
		w.value(e)
	}
	w.condition(p.Where)
	w.condition(p.If)
}

func (w *walker) guards(gs []*dsl.Guard) {
	for _, g := range gs {
		w.condition(g.That)
	}
}

func (w *walker) hooks(sides ...[]*dsl.Hook) {
	for _, hs := range sides {
		for _, h := range hs {
			w.condition(h.When)
			w.value(h.Who)
			w.script(h.Span, h.Do)
			for _, a := range h.Offer {
				w.action(a)
			}
		}
	}
}
