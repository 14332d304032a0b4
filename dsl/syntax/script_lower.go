package syntax

import "github.com/houserules/houserules/dsl/source"

// A lowerer turns what the grammar found into statements and reads their
// formulas. A statement with a broken formula is left out.
type lowerer struct {
	text Text
	ds   *source.List
	bad  bool // the statement at hand has a broken part
}

func (l *lowerer) stmts(list []*gStmt) []Stmt {
	var out []Stmt
	for _, g := range list {
		outer := l.bad
		l.bad = false
		if s := l.stmt(g); !l.bad && s != nil {
			out = append(out, s)
		}
		l.bad = outer
	}
	return out
}

func (l *lowerer) expr(g *gExpr) Expr {
	if g == nil {
		return nil
	}
	e := ParseExpr(l.text.Slice(g.from, g.to), l.ds)
	if e == nil {
		l.bad = true
	}
	return e
}

func (l *lowerer) name(n gName) (string, source.Span) {
	return n.Name, l.text.Span(n.Pos.Offset, n.Pos.Offset+len(n.Name))
}

func (l *lowerer) at(from, to int) stmtAt { return stmtAt{l.text.Span(from, to)} }

func (l *lowerer) block(g *gBlock) *Script {
	return &Script{l.stmts(g.Body.list), l.text.Span(g.Pos.Offset, g.EndPos.Offset)}
}

func (l *lowerer) stmt(g *gStmt) Stmt {
	whole := l.at(g.Pos.Offset, g.EndPos.Offset)
	switch {
	case g.If != nil:
		return l.ifStmt(g.If, g)
	case g.For != nil:
		name, span := l.name(g.For.Name)
		return &ForStmt{whole, name, span, l.expr(&g.For.List), l.block(&g.For.Body)}
	case g.Let != nil:
		name, span := l.name(g.Let.Name)
		return &LetStmt{whole, name, span, l.expr(&g.Let.Value.Value), g.Let.Value.Random}
	}
	s := l.simple(g.Simple)
	if g.Post == nil || s == nil {
		return s
	}
	then := &Script{[]Stmt{s}, s.Span()}
	return &IfStmt{stmtAt: whole, Cond: l.expr(g.Post), Then: then, Postfix: true}
}

// ifStmt builds the chain of `else if` from its end.
func (l *lowerer) ifStmt(g *gIf, all *gStmt) Stmt {
	end := all.EndPos.Offset
	first := &IfStmt{stmtAt: l.at(all.Pos.Offset, end), Cond: l.expr(&g.Cond), Then: l.block(&g.Then)}
	last := first
	for _, e := range g.Elif {
		next := &IfStmt{stmtAt: l.at(e.Cond.from, end), Cond: l.expr(&e.Cond), Then: l.block(&e.Then)}
		last.Else = &Script{[]Stmt{next}, next.Place}
		last = next
	}
	if g.Else != nil {
		last.Else = l.block(g.Else)
	}
	return first
}

func (l *lowerer) simple(g *gSimple) Stmt {
	at := l.at(g.Pos.Offset, g.EndPos.Offset)
	switch {
	case g.Assign != nil:
		return l.assign(at, g.Assign)
	case g.Append != nil:
		return &AppendStmt{at, l.expr(&g.Append.Value), l.expr(&g.Append.Place.gExpr)}
	case g.Throw != nil:
		return &ThrowStmt{at, l.expr(&g.Throw.Zone.gExpr), l.expr(g.Throw.By)}
	case g.Roll != nil:
		return &RollStmt{at, l.expr(&g.Roll.Place.gExpr), l.expr(&g.Roll.Range)}
	case g.Move != nil:
		return l.move(at, g.Move)
	case g.Deal != nil:
		return l.deal(at, g.Deal)
	case g.Show != nil:
		return &ShowStmt{at, l.expr(&g.Show.What), l.expr(&g.Show.To)}
	case g.Set != nil:
		return &SetStmt{at, l.expr(&g.Set.What), l.expr(&g.Set.To)}
	case g.Score != nil:
		name, span := l.name(g.Score.Scorer)
		return &ScoreStmt{at, l.expr(&g.Score.What), name, span}
	case g.Emit != nil:
		return l.emit(at, g.Emit)
	case g.Say != nil:
		return l.say(at, g.Say)
	}
	return l.exit(at, g)
}

func (l *lowerer) assign(at stmtAt, g *gAssign) Stmt {
	s := &AssignStmt{at, l.expr(&g.Place.gExpr), g.Op, l.expr(&g.Value.Value), g.Value.Random}
	if g.Value.Random && g.Op != "=" {
		l.bad = true
		l.ds.Errorf("E0202", at.Place, "`random of` stands only after `=`").WithHelp("take the value with `let` first")
	}
	return s
}

func (l *lowerer) move(at stmtAt, g *gMove) Stmt {
	s := &MoveStmt{stmtAt: at, What: l.expr(&g.What), Zone: l.expr(&g.Zone.gExpr), At: l.expr(g.At), OnTop: g.OnTop}
	if g.Random != nil {
		s.Random, s.SoThat = true, l.expr(g.Random.SoThat)
	}
	s.Marks = l.marks(g.Marks)
	return s
}

func (l *lowerer) deal(at stmtAt, g *gDeal) Stmt {
	s := &DealStmt{stmtAt: at, What: l.expr(&g.What)}
	if g.From != nil {
		s.From = l.expr(&g.From.gExpr)
	}
	s.Name, s.NameSpan = l.name(g.Name)
	s.Seats = l.expr(&g.Seats)
	if g.Random != nil {
		s.Random, s.SoThat = true, l.expr(g.Random.SoThat)
	}
	s.Marks = l.marks(g.Marks)
	return s
}

func (l *lowerer) marks(list []*gMark) []MarkValue {
	var out []MarkValue
	for _, m := range list {
		name, span := l.name(m.Name)
		out = append(out, MarkValue{name, span, l.expr(&m.Value)})
	}
	return out
}

func (l *lowerer) emit(at stmtAt, g *gEmit) Stmt {
	s := &EmitStmt{stmtAt: at}
	s.Event, s.EventSpan = l.name(g.Event)
	for _, a := range g.Args {
		s.Args = append(s.Args, l.expr(a))
	}
	return s
}

func (l *lowerer) say(at stmtAt, g *gSay) Stmt {
	from := g.Text.Pos.Offset
	before := l.ds.Count(source.Error)
	text := ParseTemplate(l.text.Slice(from, from+len(g.Text.Text)).unquoted(), l.ds)
	if l.ds.Count(source.Error) > before {
		l.bad = true
	}
	return &SayStmt{at, g.Verb, text, l.expr(g.For)}
}

func (l *lowerer) exit(at stmtAt, g *gSimple) Stmt {
	s := &ExitStmt{stmtAt: at}
	switch {
	case g.Goto != nil:
		s.Verb = "goto"
		s.Target, s.TargetSpan = l.name(*g.Goto)
	case g.Again:
		s.Verb = "again"
	case g.Next:
		s.Verb = "next turn"
	case g.TurnOf != nil:
		s.Verb, s.Seat = "turn of", l.expr(g.TurnOf)
	case g.Finish != nil:
		s.Verb, s.With = "finish", l.expr(g.Finish.With)
	case g.Start != nil && g.Start.Game != nil:
		s.Verb = "start game"
		s.Seat, s.With = l.expr(&g.Start.Game.Seat), l.expr(g.Start.Game.With)
		s.Sets = l.marks(g.Start.Game.Sets)
	case g.Start != nil:
		name, span := l.name(*g.Start.Scope)
		return &StartStmt{at, name, span}
	default:
		return nil
	}
	return s
}
