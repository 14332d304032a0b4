package dsl

import "github.com/houserules/houserules/dsl/syntax"

// simple checks a statement that neither leaves nor holds a block.
func (c *checker) simple(s scope, x syntax.Stmt) *Stmt {
	st := &Stmt{Span: x.Span()}
	switch x := x.(type) {
	case *syntax.AssignStmt:
		return c.assign(s, x, st)
	case *syntax.ThrowStmt:
		st.Op, st.X = StmtThrow, c.zone(s, x.Zone)
		st.Seat = c.seat(s, x.By)
		if fam := familyOf(st.X); c.faceless(fam) {
			c.errorf("E0221", x.Span(), "pieces of `%s` have no faces to throw", fam.Name)
		}
	case *syntax.RollStmt:
		return c.roll(s, x, st)
	case *syntax.MoveStmt:
		return c.move(s, x, st)
	case *syntax.SetStmt:
		c.setFaces(s, x, st)
	case *syntax.ScoreStmt:
		return c.score(s, x, st)
	case *syntax.StartStmt:
		st.Op = StmtStart
		if st.Scope = c.startable(s, x); st.Scope == nil {
			return nil
		}
	case *syntax.EmitStmt:
		return c.emit(s, x, st)
	case *syntax.SayStmt:
		st.Op = map[string]StmtOp{"say": StmtSay, "write": StmtWrite, "mark": StmtMark}[x.Verb]
		st.Text = c.template(s, x.Text)
		st.Seat = c.seat(s, x.For)
		if st.Op == StmtSay && st.Seat == nil {
			c.open(st.Text)
		}
	case *syntax.AppendStmt:
		return c.appended(s, x, st)
	case *syntax.DealStmt:
		return c.deal(s, x, st)
	case *syntax.ShowStmt:
		return c.showPieces(s, x, st)
	default:
		return nil
	}
	return st
}

// setFaces types `set PIECES to FACE` and `set PIECES to LIST`.
func (c *checker) setFaces(s scope, x *syntax.SetStmt, st *Stmt) {
	st.Op, st.X = StmtSetFaces, c.expr(s, x.What, Any)
	fam := c.needSomePieces(st.X)
	if c.faceless(fam) {
		c.errorf("E0221", x.Span(), "pieces of `%s` have no faces", fam.Name)
	}
	face := Int
	face.Family = fam
	want := face
	if _, list := x.Faces.(*syntax.ListExpr); list {
		want = ListOf(face)
	}
	st.Y = c.expr(s, x.Faces, want)
	if st.Y.Type.Kind != KList {
		c.need(st.Y, KInt)
		return
	}
	st.Op = StmtSetEach
	if elem := elemOf(st.Y.Type); elem.Kind != KAny && (elem.Kind != KInt || elem.Maybe) {
		c.errorf("E0221", st.Y.Span, "expected faces, got a %s", st.Y.Type)
	}
	if fam != nil && st.X.Type.Kind == KPiece {
		c.errorf("E0221", st.X.Span, "one piece shows one face, not a list of them")
	}
}

func (c *checker) assign(s scope, x *syntax.AssignStmt, st *Stmt) *Stmt {
	st.Place = c.place(s, x.Place)
	want := Any
	if st.Place != nil {
		want = st.Place.ValueType()
	}
	switch x.Op {
	case "+=", "-=":
		st.Op = StmtAdd
		if x.Op == "-=" {
			st.Op = StmtSub
		}
		st.X = c.expr(s, x.Value, Int)
		c.need(st.X, KInt)
		if want.Kind != KAny && (want.Kind != KInt || want.Maybe) {
			c.errorf("E0221", x.Place.Span(), "`%s` needs a number, and this is %s", x.Op, want)
		}
	default:
		st.Op = StmtAssign
		if x.Random {
			st.Op = StmtRandom
			c.noKey(st.Place, "`random of`")
			st.X = c.expr(s, x.Value, ListOf(want))
			if c.needCollection(st.X) && !sameBase(*st.X.Type.Elem, want) {
				c.errorf("E0221", st.X.Span, "expected a list of %s, got %s", want, st.X.Type)
			}
			break
		}
		st.X = c.expect(c.expr(s, x.Value, want), want)
	}
	if st.Place == nil {
		return nil
	}
	if st.Place.Var.Type.Kind == KList {
		c.errorf("E0221", x.Place.Span(), "a list cannot be written as a whole").
			WithHelp("`append VALUE to %s` puts a value behind the others; it is empty again when its scope starts", x.Place.Span().Text())
	}
	return st
}

// appended types `append E to LIST`.
func (c *checker) appended(s scope, x *syntax.AppendStmt, st *Stmt) *Stmt {
	st.Op, st.Place = StmtAppend, c.place(s, x.Place)
	if st.Place == nil {
		c.expr(s, x.Value, Any)
		return nil
	}
	t := st.Place.Var.Type
	if t.Kind != KList {
		if t.Kind != KAny {
			c.errorf("E0221", st.Place.Span, "only a list grows, and this is %s", article(t.String())).
				WithHelp("declare it as `{list: int, room: 20}`")
		}
		c.expr(s, x.Value, Any)
		return nil
	}
	st.X = c.expect(c.expr(s, x.Value, *t.Elem), *t.Elem)
	return st
}

// zone types the zone of a throw or a move.
func (c *checker) zone(s scope, x syntax.Expr) *Expr {
	e := c.expr(s, x, Any)
	if e.Op != OpZone && e.Type.Kind != KAny {
		d := c.errorf("E0221", e.Span, "`%s` is not a zone", e.Span.Text())
		var among []string
		for _, z := range c.p.Zones {
			among = append(among, z.Name)
		}
		c.didYouMean(d, e.Span.Text(), among, nil)
		if len(d.Help) == 0 && len(among) > 0 && len(among) <= 8 {
			d.WithHelp("zones are %s", listWords(among))
		}
		e.Type = Any
	}
	return e
}

// familyOf returns the family of a set of pieces or of one piece, or nil.
func familyOf(e *Expr) *Family {
	if e == nil {
		return nil
	}
	if e.Type.Kind == KPiece {
		return e.Type.Family
	}
	return elemOf(e.Type).Family
}

// needSomePieces insists on a set of pieces or one piece.
func (c *checker) needSomePieces(e *Expr) *Family {
	if e.Type.Kind == KPiece {
		if e.Type.Maybe {
			c.mayBeNone(e)
		}
		return e.Type.Family
	}
	c.needPieces(e, nil)
	return familyOf(e)
}

// piecesInAnyOrder insists on pieces or one piece; a list of them will do.
func (c *checker) piecesInAnyOrder(e *Expr) *Family {
	if e.Type.Kind == KList && e.Type.Elem.Kind == KPiece {
		if e.Type.Elem.Maybe {
			c.errorf("E0222", e.Span, "some of these may be none").
				WithHelp("test each of them in a `for`, and move those that are there")
		}
		return e.Type.Elem.Family
	}
	return c.needSomePieces(e)
}

func (c *checker) roll(s scope, x *syntax.RollStmt, st *Stmt) *Stmt {
	st.Op, st.Place = StmtRoll, c.place(s, x.Place)
	c.noKey(st.Place, "`roll`")
	st.X = c.expr(s, x.Range, ListOf(Int))
	switch {
	case st.X.Type.Kind == KAny:
	case st.X.Op != OpRange:
		c.errorf("E0221", st.X.Span, "`roll` wants a range of numbers such as `1..6`")
	case st.Place != nil && st.Place.ValueType().Kind != KInt && st.Place.ValueType().Kind != KAny:
		c.errorf("E0221", st.Place.Span, "a roll gives an int, and this is %s", st.Place.ValueType())
	}
	if st.Place == nil {
		return nil
	}
	return st
}

func (c *checker) score(s scope, x *syntax.ScoreStmt, st *Stmt) *Stmt {
	st.Op = StmtScore
	sym := c.names.find(x.Scorer, s.owner, c.needs[s.owner])
	if sym != nil {
		st.Scorer, _ = sym.ref.(*Scorer)
		c.use(sym)
	}
	if st.Scorer == nil {
		d := c.errorf("E0213", x.ScorerSpan, "unknown scorer `%s`", x.Scorer)
		var among []string
		for _, sc := range c.p.Scorers {
			among = append(among, sc.Name)
		}
		c.didYouMean(d, x.Scorer, among, nil)
		c.expr(s, x.What, Any)
		return nil
	}
	st.X = c.expr(s, x.What, Any)
	if st.Scorer.Family != nil {
		c.needPieces(st.X, st.Scorer.Family)
	}
	if !c.pays[st.Scorer] {
		c.errorf("E0114", x.ScorerSpan, "`%s` does not say where its points go", x.Scorer).
			WithRelated(st.Scorer.Span, "it is declared here").WithHelp("add `pays: turn.points` to the scorer")
	}
	return st
}

func (c *checker) startable(s scope, x *syntax.StartStmt) *Scope {
	sym := c.names.find(x.Scope, s.owner, c.needs[s.owner])
	if sym != nil {
		if sc, ok := sym.ref.(*Scope); ok {
			if sc == c.root || sc == c.game || sc == c.turn {
				c.errorf("E0221", x.ScopeSpan, "`%s` starts by itself", x.Scope)
				return nil
			}
			return sc
		}
	}
	d := c.errorf("E0213", x.ScopeSpan, "unknown scope `%s`", x.Scope)
	var among []string
	for _, sc := range c.p.Scopes[4:] {
		among = append(among, sc.Name)
	}
	c.didYouMean(d, x.Scope, among, nil)
	if len(d.Help) == 0 {
		d.WithHelp("the scopes that a script starts are declared under `scopes`")
	}
	return nil
}

func (c *checker) emit(s scope, x *syntax.EmitStmt, st *Stmt) *Stmt {
	st.Op = StmtEmit
	sym := c.flowNames.find(x.Event, s.owner, c.needs[s.owner])
	if sym != nil {
		st.Event, _ = sym.ref.(*Event)
		c.use(sym)
	}
	if st.Event == nil {
		c.unknownEvent(s, x, sym)
		for _, a := range x.Args {
			c.expr(s, a, Any)
		}
		return nil
	}
	if len(x.Args) != len(st.Event.Params) {
		c.errorf("E0215", x.Span(), "`%s` wants %s, not %d", x.Event, arguments(len(st.Event.Params)), len(x.Args)).
			WithRelated(st.Event.Span, "`%s` is declared here", x.Event)
		return nil
	}
	for i, a := range x.Args {
		want := st.Event.Params[i].Type
		st.Args = append(st.Args, c.expect(c.expr(s, a, want), want))
	}
	return st
}

func (c *checker) unknownEvent(s scope, x *syntax.EmitStmt, sym *symbol) {
	if sym != nil {
		c.errorf("E0303", x.EventSpan, "`%s` is %s, not an event", x.Event, article(sym.what)).
			WithRelated(sym.span, "`%s` is declared here", x.Event)
		return
	}
	d := c.errorf("E0303", x.EventSpan, "unknown event `%s`", x.Event)
	var among []string
	for _, e := range c.flowNames.order {
		if _, ok := e.ref.(*Event); ok && (e.owner == "" || e.owner == s.owner) {
			among = append(among, e.name)
		}
	}
	c.didYouMean(d, x.Event, among, func(w string) *symbol { return c.flowNames.find(w, s.owner, nil) })
}
