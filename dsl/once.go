package dsl

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// This file looks after phases in which all answer at once. The scripts of the
// answers run when all are in, one after the other; that must make no
// difference. So none leads anywhere, and none reads what another one writes.

// asksAtOnce reports whether the `who` of a phase ends in `at once`.
func asksAtOnce(f fields) bool {
	p := f.pair("who")
	if p == nil || p.Value.Kind != yamltree.Scalar {
		return false
	}
	var quiet source.List // it is read again, aloud
	who := syntax.ParseWho(textOf(p.Value), &quiet)
	return who != nil && who.Mode == "at once"
}

func (c *checker) noExit(span source.Span, verb string) {
	c.errorf("E0307", span, "`%s` cannot stand where all answer at once", verb).
		WithHelp("all answer at once, so an answer leads nowhere by itself; put it into `then`")
}

// atOnce checks all phases in which seats answer at once.
func (c *checker) atOnce() {
	for _, ph := range c.p.Phases {
		if ph.Who == nil || ph.Who.Mode != WhoOnce {
			continue
		}
		o := &answers{c: c, shared: map[*Var]source.Span{}, own: map[*Var]source.Span{}}
		for pass := range 2 { // first what is written, then what is read
			o.reading = pass == 1
			o.seen = map[searched]bool{}
			for _, a := range ph.Actions {
				done := c.in(a.Path)
				for _, s := range answerScripts(a) {
					o.script(s, nil)
				}
				done()
			}
		}
	}
}

// answerScripts lists what runs when an answer counts.
func answerScripts(a *Action) []*Script {
	var out []*Script
	for _, h := range a.Before {
		out = append(out, h.Do)
	}
	out = append(out, a.Do)
	for _, h := range a.After {
		out = append(out, h.Do)
	}
	return out
}

// answers are the scripts of one phase. mine, below, are the locals that stand
// for the seat that answers.
type answers struct {
	c       *checker
	shared  map[*Var]source.Span // written for whomever
	own     map[*Var]source.Span // written only for the seat that answers
	reading bool
	seen    map[searched]bool
}

func (o *answers) script(s *Script, mine map[*Local]bool) {
	eachStmt(s, func(st *Stmt) {
		if o.reading {
			for _, e := range stmtFormulas(st) {
				o.reads(e, mine)
			}
		} else {
			o.writes(st, mine)
		}
		if st.Op == StmtEmit && st.Event != nil {
			o.event(st, mine)
		}
	})
}

// event goes into an event with the seats that are handed in.
func (o *answers) event(st *Stmt, mine map[*Local]bool) {
	e := st.Event
	key, inner := handedMe(e, e.Params, st.Args, mine)
	if o.seen[key] {
		return
	}
	o.seen[key] = true
	scripts, finishes := []*Script{e.Do}, false
	for _, h := range append(e.Before[:len(e.Before):len(e.Before)], e.After...) {
		scripts = append(scripts, h.Do)
	}
	for _, s := range scripts {
		finishes = finishes || canExit(s, map[*Event]bool{e: true})
		o.script(s, inner)
	}
	if finishes && !o.reading && mine == nil {
		o.c.errorf("E0307", st.Span, "`%s` may finish the game, and all answer at once here", e.Name).
			WithRelated(e.Span, "it is declared here").
			WithHelp("all answer at once, so an answer leads nowhere by itself; put it into `then`")
	}
}

// writes notes what a statement writes, and whether only for its own seat.
func (o *answers) writes(st *Stmt, mine map[*Local]bool) {
	place := st.Place
	if st.Op == StmtScore && st.Scorer != nil {
		place = st.Scorer.Pays
	}
	switch {
	case place == nil:
	case isMe(place.Seat, mine) || isMe(place.Key, mine):
		o.own[place.Var] = st.Span
	default:
		o.shared[place.Var] = st.Span
	}
}

// reads reports state in a formula that another answer may have written.
func (o *answers) reads(e *Expr, mine map[*Local]bool) {
	visit(e, func(e *Expr) bool {
		if e.Op == OpKey && e.Args[0].Op == OpState && isMe(e.Args[1], mine) {
			o.read(e.Args[0], true)
			return false
		}
		if e.Op == OpState {
			o.read(e, len(e.Args) == 1 && isMe(e.Args[0], mine))
		}
		o.inside(e, mine)
		return true
	})
}

func (o *answers) inside(e *Expr, mine map[*Local]bool) {
	ref, params, bodies := called(e)
	if ref == nil {
		return
	}
	key, inner := handedMe(ref, params, e.Args, mine)
	if o.seen[key] {
		return
	}
	o.seen[key] = true
	for _, b := range bodies {
		o.reads(b, inner)
	}
}

func (o *answers) read(e *Expr, mine bool) {
	v := e.Ref.(*Var)
	at, written := o.shared[v]
	if !written && !mine {
		at, written = o.own[v]
	}
	if !written {
		return
	}
	o.c.errorf("E0225", e.Span, "this reads `%s`, which another answer may have written", v.Name).
		WithRelated(at, "it is written here").
		WithHelp("all answer at once, so an answer counts on nothing that the others say; put it into `then`")
}
