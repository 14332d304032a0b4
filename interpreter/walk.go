package interpreter

import "github.com/houserules/houserules/dsl"

// This file walks over all scripts and formulas of a program.

func eachScript(p *dsl.Program, visit func(*dsl.Script)) {
	do := func(s *dsl.Script) {
		if s != nil {
			visit(s)
		}
	}
	hooks := func(hs []*dsl.Hook) {
		for _, h := range hs {
			do(h.Do)
			for _, a := range h.Offer {
				do(a.Do)
			}
		}
	}
	for _, e := range p.Events {
		do(e.Do)
		hooks(e.Before)
		hooks(e.After)
	}
	for _, ph := range p.Phases {
		for _, s := range []*dsl.Script{ph.Enter, ph.Otherwise, ph.Nobody, ph.Then} {
			do(s)
		}
		hooks(ph.Before)
		hooks(ph.After)
		for _, a := range ph.Actions {
			do(a.Do)
			hooks(a.Before)
			hooks(a.After)
		}
	}
	for _, s := range p.Scorers {
		for _, c := range s.Combos {
			do(c.Then)
			hooks(c.Before)
			hooks(c.After)
		}
	}
	for _, in := range p.Incidents {
		do(in.Do)
	}
	do(p.Ending)
}

func eachStmt(s *dsl.Script, visit func(*dsl.Stmt)) {
	if s == nil {
		return
	}
	for _, st := range s.Stmts {
		visit(st)
		eachStmt(st.Then, visit)
		eachStmt(st.Else, visit)
	}
}

// eachExpr visits the formulas that rules are made of, and all their parts:
// those of scripts, guards, conditions, picks, defines, tables and scorers, not
// those of sentences.
func eachExpr(p *dsl.Program, visit func(*dsl.Expr)) {
	var in func(e *dsl.Expr)
	in = func(e *dsl.Expr) {
		if e == nil {
			return
		}
		visit(e)
		for _, a := range e.Args {
			in(a)
		}
	}
	eachScript(p, func(s *dsl.Script) {
		eachStmt(s, func(st *dsl.Stmt) {
			in(st.X)
			in(st.Y)
			in(st.Seat)
			in(st.At)
			in(st.SoThat)
			for _, a := range st.Args {
				in(a)
			}
			for _, set := range st.Sets {
				in(set.Value)
			}
			for _, set := range st.Marks {
				in(set.Value)
			}
		})
	})
	for _, d := range p.Defines {
		in(d.Body)
	}
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			for _, e := range []*dsl.Expr{r.When, r.Where, r.Key, r.Gives} {
				in(e)
			}
		}
	}
	for _, f := range p.Families {
		for _, k := range f.Marks {
			in(k.Default)
		}
	}
	eachRule(p, in)
}

// eachRule visits the formulas of a program that stand neither in a script nor
// in a define, a table or a sentence, each as a whole.
func eachRule(p *dsl.Program, in func(*dsl.Expr)) {
	action := func(a *dsl.Action) {
		in(a.When)
		for _, g := range a.Require {
			in(g.That)
		}
		for _, t := range a.Waive {
			in(t.When)
		}
		for _, k := range a.Picks {
			for _, e := range []*dsl.Expr{k.List, k.N, k.Where, k.If} {
				in(e)
			}
		}
	}
	hooks := func(hs []*dsl.Hook) {
		for _, h := range hs {
			in(h.When)
			in(h.Who)
			for _, a := range h.Offer {
				action(a)
			}
		}
	}
	for _, ph := range p.Phases {
		in(ph.When)
		if ph.Who != nil {
			in(ph.Who.List)
		}
		hooks(ph.Before)
		hooks(ph.After)
		for _, a := range ph.Actions {
			action(a)
			hooks(a.Before)
			hooks(a.After)
		}
	}
	for _, e := range p.Events {
		in(e.When)
		hooks(e.Before)
		hooks(e.After)
	}
	for _, s := range p.Scorers {
		in(s.Wild)
		for _, k := range s.Knows {
			in(k.Value)
		}
		for _, c := range s.Combos {
			in(c.Where)
			in(c.Points)
		}
	}
	for _, k := range p.Rank {
		in(k.By)
		in(k.When)
	}
	for _, r := range p.Records {
		in(r.Shelf)
		in(r.Value)
		in(r.When)
	}
}
