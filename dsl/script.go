package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// An exitMode says which exits a script may have.
type exitMode uint8

const (
	exitsNone   exitMode = iota // ending
	exitsOnce                   // actions that all seats take at once, and hooks on them
	exitsFinish                 // events, combinations and hooks on them
	exitsFlow                   // phases
	exitsAll                    // where a seat is asked: also `again`

	// The scripts of an opening have `goto` and `start game`, and `again` where
	// a seat is asked; see mayExit.
)

// script reads the script under a key; nil if the key is absent.
func (f fields) script(s scope, key string, exits exitMode) *Script {
	p := f.pair(key)
	if p == nil {
		return nil
	}
	defer f.c.under(key)()
	return f.c.scriptOf(s, p, exits)
}

func (c *checker) scriptOf(s scope, p *yamltree.Pair, exits exitMode) *Script {
	n := p.Value
	switch {
	case n.Kind == yamltree.Map:
		return c.toldScript(s, p, exits)
	case n.Kind != yamltree.Scalar:
		c.wrongKind(n, "this", "a script").WithHelp("write statements, or `{rule: .., from: .., do: STATEMENTS}`")
		return nil
	case n.Empty:
		return nil
	case n.Style == yamltree.Double:
		c.errorf("E0115", n.Span, "a script stands here, and double quotes are for sentences").
			WithHelp("write it without quotes, or as a block after `|`")
		return nil
	}
	s.owner = p.Owner
	x := parsed(c, func(ds *source.List) *syntax.Script { return syntax.ParseScript(textOf(n), ds) })
	return c.block(s, x, exits)
}

// scriptThing has the keys of a script.
var scriptThing = lexicon.Thing{Name: "a script", Path: "phases.NAME.enter", Keys: lexicon.With([]lexicon.Key{
	{Name: "do", Value: "script", Default: lexicon.Must, About: "the statements"},
}, []lexicon.Key{lexicon.Rule, lexicon.From})}

// toldScript reads a script with a sentence about it, and where it was printed.
func (c *checker) toldScript(s scope, p *yamltree.Pair, exits exitMode) *Script {
	f := c.fields(p, &scriptThing)
	if !f.want("do", "a script") {
		return nil
	}
	if do := f.pair("do"); do.Value.Kind == yamltree.Map {
		c.wrongKind(do.Value, "`do`", "a script")
		return nil
	}
	out := f.script(s, "do", exits)
	if out == nil {
		return nil
	}
	out.From = f.from()
	var info Info
	f.rule(&info)
	c.later(func() { out.Rule = info.Rule })
	return out
}

// block checks the statements of a script. Tests of state hold until a
// statement may write; tests of locals hold to the end of the block.
func (c *checker) block(s scope, x *syntax.Script, exits exitMode) *Script {
	if x == nil {
		return nil
	}
	out := &Script{Span: x.Place}
	ended := false
	for _, st := range x.Stmts {
		if ended {
			c.errorf("E0304", st.Span(), "this is never reached").
				WithHelp("the statement before it always leaves; make that one depend on an `if`, or move this one up")
			ended = false
		}
		var got *Stmt
		got, s = c.stmt(s, st, exits)
		if got == nil {
			continue
		}
		out.Stmts = append(out.Stmts, got)
		ended = alwaysExits(got)
		if writes(got) {
			s = s.forgetState()
		}
		if got.Op == StmtIf && got.Else == nil && got.Then != nil && scriptExits(got.Then) {
			s = s.knowing(narrow(got.X, false))
		}
	}
	return out
}

// isExit reports whether an operation names a destination.
func isExit(op StmtOp) bool {
	switch op {
	case StmtGoto, StmtAgain, StmtNextTurn, StmtTurnOf, StmtFinish, StmtStartGame:
		return true
	}
	return false
}

// alwaysExits reports whether a statement leaves its script in any case.
func alwaysExits(st *Stmt) bool {
	return isExit(st.Op) || st.Op == StmtIf && st.Else != nil && scriptExits(st.Then) && scriptExits(st.Else)
}

// scriptExits reports whether a script leaves in any case.
func scriptExits(s *Script) bool {
	if s == nil {
		return false
	}
	for _, st := range s.Stmts {
		if alwaysExits(st) {
			return true
		}
	}
	return false
}

// canExit reports whether a script may leave, also by an event that finishes.
func canExit(s *Script, seen map[*Event]bool) bool {
	found := false
	eachStmt(s, func(st *Stmt) {
		found = found || isExit(st.Op)
		if st.Op == StmtEmit && st.Event != nil && !seen[st.Event] {
			seen[st.Event] = true
			found = found || canExit(st.Event.Do, seen)
		}
	})
	return found
}

// writes reports whether a statement may change state.
func writes(st *Stmt) bool {
	switch st.Op {
	case StmtLet, StmtRandomLet, StmtSay, StmtWrite, StmtMark, StmtShow:
		return false
	case StmtIf, StmtFor:
		found := false
		eachStmt(st.Then, func(in *Stmt) { found = found || writesItself(in) })
		eachStmt(st.Else, func(in *Stmt) { found = found || writesItself(in) })
		return found
	}
	return true
}

func writesItself(st *Stmt) bool { return st.Op != StmtIf && st.Op != StmtFor && writes(st) }

// eachStmt calls f for all statements of a script, those in blocks included.
func eachStmt(s *Script, f func(*Stmt)) {
	if s == nil {
		return
	}
	for _, st := range s.Stmts {
		f(st)
		eachStmt(st.Then, f)
		eachStmt(st.Else, f)
	}
}

// stmt checks one statement. It returns the scope for what follows.
func (c *checker) stmt(s scope, x syntax.Stmt, exits exitMode) (*Stmt, scope) {
	switch x := x.(type) {
	case *syntax.LetStmt:
		return c.let(s, x)
	case *syntax.IfStmt:
		cond := c.expr(s, x.Cond, Bool)
		c.need(cond, KBool)
		c.condition(cond)
		st := &Stmt{Op: StmtIf, Span: x.Span(), X: cond}
		st.Then = c.block(s.knowing(narrow(cond, true)), x.Then, exits)
		st.Else = c.block(s.knowing(narrow(cond, false)), x.Else, exits)
		return st, s
	case *syntax.ForStmt:
		return c.forLoop(s, x, exits), s
	case *syntax.ExitStmt:
		return c.exit(s, x, exits), s
	}
	return c.simple(s, x), s
}

func (c *checker) let(s scope, x *syntax.LetStmt) (*Stmt, scope) {
	st := &Stmt{Op: StmtLet, Span: x.Span(), X: c.expr(s, x.Value, Any)}
	t := st.X.Type
	switch {
	case x.Random:
		st.Op = StmtRandomLet
		if !c.needCollection(st.X) {
			t = Any
		} else {
			t = *t.Elem
		}
	case t.Kind == KNone:
		c.errorf("E0221", st.X.Span, "`none` alone does not say what else `%s` may be", x.Name)
		t = Any
	}
	st.Local = c.newLocal(x.Name, t, x.NameSpan)
	return st, c.bind(s, st.Local)
}

func (c *checker) forLoop(s scope, x *syntax.ForStmt, exits exitMode) *Stmt {
	list := c.expr(s, x.List, Any)
	elem := Any
	if c.needCollection(list) {
		elem = *list.Type.Elem
	}
	st := &Stmt{Op: StmtFor, Span: x.Span(), X: list, Local: c.newLocal(x.Name, elem, x.NameSpan)}
	st.Then = c.block(c.bind(s.forgetState(), st.Local), x.Body, exits)
	return st
}

func (c *checker) exit(s scope, x *syntax.ExitStmt, exits exitMode) *Stmt {
	st := &Stmt{Span: x.Span()}
	c.mayExit(x, exits)
	switch x.Verb {
	case "goto":
		st.Op = StmtGoto
		st.Phase = c.phaseNamed(s.owner, x.Target, x.TargetSpan)
	case "again":
		st.Op = StmtAgain
	case "next turn":
		st.Op = StmtNextTurn
	case "turn of":
		st.Op = StmtTurnOf
		st.Seat = c.seat(s, x.Seat)
	case "finish":
		st.Op = StmtFinish
		if x.With != nil {
			st.X = c.expr(s, x.With, SetOf(Seat))
			if t := st.X.Type; t.Kind != KAny && !(t.IsCollection() && t.Elem.Kind == KSeat) {
				c.need(st.X, KSeat)
			}
		}
	case "start game":
		c.startGame(s, x, st)
	}
	return st
}

// mayExit reports an exit that its script may not have.
func (c *checker) mayExit(x *syntax.ExitStmt, exits exitMode) {
	if exits == exitsOnce {
		c.noExit(x.Span(), x.Verb)
		return
	}
	if c.inOpening() {
		c.mayExitOpening(x, exits)
		return
	}
	switch {
	case x.Verb == "start game":
		c.errorf("E0307", x.Span(), "`start game` stands only in the `opening`").
			WithHelp("the game is under way here; `finish` ends it")
	case exits == exitsAll, exits == exitsFlow && x.Verb != "again", exits == exitsFinish && x.Verb == "finish":
		return
	case exits == exitsNone:
		c.errorf("E0307", x.Span(), "nothing comes after this script, so it cannot go anywhere")
	case exits == exitsFinish:
		c.errorf("E0307", x.Span(), "`%s` cannot stand in an event or a combination", x.Verb).
			WithHelp("the only way out is `finish`; let the phase that causes it go on")
	default:
		c.errorf("E0307", x.Span(), "`again` stands only where a seat is asked").
			WithHelp("`goto PHASE` enters a phase again")
	}
}

func (c *checker) seat(s scope, x syntax.Expr) *Expr {
	if x == nil {
		return nil
	}
	e := c.expr(s, x, Seat)
	c.need(e, KSeat)
	return e
}

// phaseNamed finds the phase that a script goes to.
func (c *checker) phaseNamed(owner, name string, span source.Span) *Phase {
	sym := c.flowNames.find(name, owner, c.needs[owner])
	if id, bare, dotted := cut(name); dotted {
		if full, ok := c.handles[id]; ok {
			sym = c.flowNames.own(bare, full)
		}
	}
	if sym != nil {
		if ph, ok := sym.ref.(*Phase); ok {
			return ph
		}
		c.errorf("E0303", span, "`%s` is %s, not a phase", name, article(sym.what)).
			WithRelated(sym.span, "`%s` is declared here", name)
		return nil
	}
	d := c.errorf("E0303", span, "unknown phase `%s`", name)
	var among []string
	for _, s := range c.flowNames.order {
		if _, ok := s.ref.(*Phase); ok && (s.owner == "" || s.owner == owner) {
			among = append(among, s.name)
		}
	}
	c.didYouMean(d, name, among, func(w string) *symbol { return c.flowNames.find(w, owner, nil) })
	return nil
}

// notHere reports a part of the language that this version lacks.
func (c *checker) notHere(span source.Span, what string) {
	c.errorf("E0302", span, "%s is not part of this version of the language", what)
}

// place types something that a script writes.
func (c *checker) place(s scope, x syntax.Expr) *Place {
	switch x := x.(type) {
	case nil:
		return nil
	case *syntax.IndexExpr:
		return c.placeAt(s, x)
	case *syntax.MemberExpr:
		e := c.member(s, x)
		if e.Op == OpState && e.Type.Kind == KMap {
			c.errorf("E0221", x.Span(), "`%s` has many values, and one of them is written at a time", x.Span().Text()).
				WithHelp("say which: `%s[..]`", x.Span().Text())
			return nil
		}
		if e.Op == OpState {
			return placeOf(e, nil)
		}
		if e.Type.Kind != KAny {
			c.errorf("E0221", x.Span(), "`%s` cannot be written", strings.TrimSpace(x.Span().Text())).
				WithHelp("%s", whyNotWritten(e))
		}
		return nil
	}
	d := c.errorf("E0221", x.Span(), "only state can be written").
		WithHelp("state is written through its owner: `game.x`, `turn.x`, `me.x`")
	if name, ok := x.(*syntax.NameExpr); ok {
		if owner := c.ownerOf(s, name.Name); owner != "" {
			d.Help[0] = "write `" + owner + "." + name.Name + "`"
			d.WithEdit(x.Span(), owner+"."+name.Name)
		} else if sym := c.names.find(name.Name, s.owner, c.needs[s.owner]); sym != nil && !sym.span.IsZero() {
			d.WithRelated(sym.span, "`%s` is a %s, declared here", name.Name, sym.what)
		}
	}
	return nil
}

func whyNotWritten(e *Expr) string {
	switch e.Op {
	case OpNumber:
		return "it counts by itself"
	case OpCall:
		return "it is computed from other things"
	case OpAttr:
		return "`set PIECES to FACE` turns dice; other attributes never change"
	case OpZone:
		return "`move PIECES to ZONE` moves pieces"
	case OpMark:
		return "`move PIECES to ZONE with MARK = ..` writes marks"
	}
	return "only state can be written"
}
