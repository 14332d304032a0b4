package interpreter

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// A PlanLine says how one rule is carried out: what of it is worked out before
// the game, and what is left for each time.
type PlanLine struct {
	Path string // keys joined by dots
	How  string
	Why  string // why nothing faster will do, "" if there is nothing to say
	Span source.Span
}

// Plan tells for params, defines, scorers, guards and decisions how the game
// carries them out, in the order of the program.
func (g *Game) Plan() []PlanLine {
	w := &planner{g: g, lo: &lowerer{g: g.scratch()}}
	for _, p := range g.prog.Params {
		w.param(p)
	}
	for _, d := range g.prog.Defines {
		w.define(d)
	}
	for _, s := range g.prog.Scorers {
		w.scorer(s)
	}
	seen := map[*ask]bool{}
	for i := range g.code {
		if a, ok := g.code[i].x.(*ask); ok && !seen[a] {
			seen[a] = true
			for _, act := range a.actions {
				w.action(a, act)
			}
		}
	}
	return w.out
}

type planner struct {
	g   *Game
	lo  *lowerer
	out []PlanLine
}

func (w *planner) add(info *dsl.Info, how, why string) {
	w.out = append(w.out, PlanLine{Path: info.Path, How: how, Why: why, Span: info.Span})
}

func (w *planner) param(p *dsl.Param) {
	if p.Type.Kind == dsl.KList {
		w.add(&p.Info, "a list that stands fast", "")
		return
	}
	v := w.lo.param(p)
	w.add(&p.Info, "stands fast: "+w.constant(p.Type, v.c), "")
}

func (w *planner) constant(t dsl.Type, v int64) string {
	if t.Kind == dsl.KInt && !t.Maybe {
		return strconv.FormatInt(v, 10)
	}
	return (&Machine{g: w.g, s: w.g.initial}).Format(t, v)
}

func (w *planner) define(d *dsl.Define) {
	if len(d.Params) > 0 {
		w.add(&d.Info, "written out wherever it is called", "")
		return
	}
	v, err := w.lowered(d.Body)
	switch {
	case err != nil:
		w.add(&d.Info, "worked out each time", "")
	case v.konst:
		w.add(&d.Info, "stands fast: "+w.constant(d.Type, v.c), "")
	case v.slot >= 0 || v.mine > 0:
		w.add(&d.Info, "read from where it lies", "")
	default:
		_, shared := w.g.sharedAt[d]
		if shared {
			w.add(&d.Info, "worked out once for each decision", "")
			return
		}
		w.add(&d.Info, "worked out each time", "")
	}
}

func (w *planner) lowered(e *dsl.Expr) (v val, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*Fault)
			if !ok {
				panic(r)
			}
			err = f
		}
	}()
	return (&lowerer{g: w.g.scratch()}).expr(e), nil
}

func (w *planner) scorer(s *dsl.Scorer) {
	r := w.g.scorers[s]
	switch {
	case r.dense:
		w.add(&s.Info, fmt.Sprintf("looked up: %d sets of pieces are worked out before the first game", r.cl.dense.n), "")
	case r.cl.dense != nil:
		w.add(&s.Info, fmt.Sprintf("looked up: %d sets of pieces in up to %d cases, each worked out when it is met", r.cl.dense.n, r.contexts), "what it knows of the moment makes a difference")
	default:
		w.add(&s.Info, "looked up: each set of pieces is worked out when it is met", w.many(r.cl))
	}
}

// many says why sets of pieces have no numbers of their own.
func (w *planner) many(cl *classes) string {
	switch {
	case !cl.small:
		return "there are too many sets of pieces to number them"
	case !w.g.alikeFamily(cl.fam) || len(cl.attrs) != 1:
		return "some rule tells pieces apart by more than their faces"
	}
	return "there are too many throws to number them"
}

// action tells how the options of an action are found, and when its guards are
// tested.
func (w *planner) action(a *ask, act *action) {
	how, why := w.options(a, act)
	if a.sealed != nil {
		how += "; answers are put aside until all have given theirs"
	}
	if a.table {
		how = "people say it, and guards test what they have said"
	}
	w.add(&act.Info, how, why)
	for _, g := range act.Action.Require {
		w.guard(act, g)
	}
}

func (w *planner) options(a *ask, act *action) (how, why string) {
	switch {
	case a.mode == askStatic:
		return "one option, always", ""
	case len(act.picks) == 0:
		return "one option, as long as its guards hold", ""
	case act.fixed != nil && act.tableAll:
		return fmt.Sprintf("options are looked up: all %d rows are worked out before the first game", act.table.dense.n), ""
	case act.table != nil && act.tableAll:
		return "options are looked up: each row is worked out when it is met", w.rows(act)
	case act.table != nil:
		return "options are looked up, and those that are left tested one by one", act.why
	case act.choice != nil && act.choice.lo != nil:
		return "numbers are counted without a list", ""
	case act.choice != nil:
		return "pieces are counted as a set, without a list", ""
	}
	return "options are listed one by one", act.why
}

// rows says why the rows of an action are not all there beforehand.
func (w *planner) rows(act *action) string {
	if act.table.dense == nil {
		return w.many(act.table)
	}
	if len(act.knows) > 0 {
		return "what a scorer knows of the moment makes a difference"
	}
	return "the pieces are picked from more than one place"
}

func (w *planner) guard(act *action, g *dsl.Guard) {
	is := func(list []guard) bool {
		return slices.ContainsFunc(list, func(x guard) bool { return x.Guard == g })
	}
	switch {
	case is(act.tabled):
		w.add(&g.Info, "answered by the table of options", "")
	case is(act.before):
		w.add(&g.Info, "tested once, before anything is picked", "")
	case !is(act.after):
		w.add(&g.Info, "left out: it holds whatever happens", "")
	case act.choice != nil && act.choice.lo == nil:
		w.add(&g.Info, "tested for all pieces at once", "")
	case act.choice != nil:
		w.add(&g.Info, "tested for each number, unless what it asks first lets all pass", "")
	default:
		w.add(&g.Info, "tested for each option", act.why)
	}
}
