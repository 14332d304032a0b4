package syntax

import (
	"errors"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of scripts. Formulas are only marked out here (gExpr) and read
// by ParseExpr afterwards.
type (
	gStmt struct {
		Pos    lexer.Position
		EndPos lexer.Position

		If     *gIf     `parser:"( @@"`
		For    *gFor    `parser:"| @@ )"`
		Let    *gLet    `parser:"| @@"`
		Simple *gSimple `parser:"| @@"`
		Post   *gExpr   `parser:"( 'if' @@ )?"`
	}
	gIf struct {
		Cond gExpr    `parser:"'if':Verb @@"`
		Then gBlock   `parser:"@@"`
		Elif []*gElif `parser:"@@*"`
		Else *gBlock  `parser:"( 'else' @@ )?"`
	}
	gElif struct {
		Cond gExpr  `parser:"'else' 'if' @@"`
		Then gBlock `parser:"@@"`
	}
	gFor struct {
		Name gName  `parser:"'for':Verb @@"`
		List gExpr  `parser:"'in' @@"`
		Body gBlock `parser:"@@"`
	}
	gBlock struct {
		Pos    lexer.Position
		EndPos lexer.Position
		Body   gStmts `parser:"'{' @@ '}'"`
	}
	gLet struct {
		Name  gName  `parser:"'let':Verb @@"`
		Value gValue `parser:"'=' @@"`
	}
	gValue struct {
		Random bool  `parser:"( @( 'random':Part ) 'of' )?"`
		Value  gExpr `parser:"@@"`
	}
	gSimple struct {
		Pos    lexer.Position
		EndPos lexer.Position

		Assign *gAssign `parser:"@@"`
		Append *gAppend `parser:"| 'append':Verb @@"`
		Throw  *gThrow  `parser:"| 'throw':Verb @@"`
		Roll   *gRoll   `parser:"| 'roll':Verb @@"`
		Move   *gMove   `parser:"| 'move':Verb @@"`
		Deal   *gDeal   `parser:"| 'deal':Verb @@"`
		Show   *gTo     `parser:"| 'show':Verb @@"`
		Set    *gTo     `parser:"| 'set':Verb @@"`
		Score  *gScore  `parser:"| 'score':Verb @@"`
		Start  *gStart  `parser:"| 'start':Verb @@"`
		Emit   *gEmit   `parser:"| 'emit':Verb @@"`
		Say    *gSay    `parser:"| @@"`
		Goto   *gName   `parser:"| 'goto':Verb @@"`
		Again  bool     `parser:"| @( 'again':Verb )"`
		Next   bool     `parser:"| @( 'next':Verb 'turn' )"`
		TurnOf *gExpr   `parser:"| 'turn':Verb 'of' @@"`
		Finish *gFinish `parser:"| @@"`
	}
	gAssign struct {
		Place gPlace `parser:"@@"`
		Op    string `parser:"@Assign"`
		Value gValue `parser:"@@"`
	}
	gAppend struct {
		Value gExpr  `parser:"@@"`
		Place gPlace `parser:"'to' @@"`
	}
	gThrow struct {
		Zone gPlace `parser:"@@"`
		By   *gExpr `parser:"( 'by' @@ )?"`
	}
	gRoll struct {
		Place gPlace `parser:"@@"`
		Range gExpr  `parser:"'in' @@"`
	}
	gMove struct {
		What   gExpr    `parser:"@@"`
		Zone   gPlace   `parser:"'to' @@"`
		Random *gRandom `parser:"( 'at' ( @@"`
		At     *gExpr   `parser:"| @@ )"`
		OnTop  bool     `parser:"| 'on' @'top' )?"`
		Marks  []*gMark `parser:"( 'with' @@ ( ',' @@ )* )?"`
	}
	gDeal struct {
		What   gExpr    `parser:"@@"`
		From   *gPlace  `parser:"( 'from' @@ )?"`
		Name   gName    `parser:"'to' @@"`
		Seats  gExpr    `parser:"'of' @@"`
		Random *gRandom `parser:"( 'at' @@ )?"`
		Marks  []*gMark `parser:"( 'with' @@ ( ',' @@ )* )?"`
	}
	gRandom struct {
		Random bool   `parser:"@( 'random':Part )"`
		SoThat *gExpr `parser:"( 'so' 'that' @@ )?"`
	}
	gMark struct {
		Name  gName `parser:"@@"`
		Value gExpr `parser:"'=' @@"`
	}
	gTo struct {
		What gExpr `parser:"@@"`
		To   gExpr `parser:"'to' @@"`
	}
	gScore struct {
		What   gExpr `parser:"@@"`
		Scorer gName `parser:"'by' @@"`
	}
	gStart struct {
		Game  *gStartGame `parser:"'game':Part @@"`
		Scope *gName      `parser:"| @@"`
	}
	gStartGame struct {
		Seat gExpr    `parser:"'from' @@"`
		With *gExpr   `parser:"( 'with' @@ )?"`
		Sets []*gMark `parser:"( 'set' @@ ( ',' @@ )* )?"`
	}
	gEmit struct {
		Event gName    `parser:"@@"`
		Args  []*gExpr `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )?"`
	}
	gSay struct {
		Verb string `parser:"@( 'say':Verb | 'write':Verb | 'mark':Verb )"`
		Text gText  `parser:"@@"`
		For  *gExpr `parser:"( 'for' @@ )?"`
	}
	gFinish struct {
		Finish bool   `parser:"@( 'finish':Verb )"`
		With   *gExpr `parser:"( 'with' @@ )?"`
	}
	gName struct {
		Pos  lexer.Position
		Name string `parser:"@Word"`
	}
	gText struct {
		Pos  lexer.Position
		Text string `parser:"@Text"`
	}
)

// gExpr marks out a formula: offsets into the text.
type gExpr struct{ from, to int }

// Parse takes tokens up to what ends a formula.
func (g *gExpr) Parse(lex *lexer.PeekingLexer) error {
	depth := 0
	g.from = -1
	for {
		t := lex.Peek()
		switch t.Type {
		case lexer.EOF, typeSep, typeLBrace, typeRBrace:
			return g.done()
		case typeComma, typeAssign, typePart:
			if depth == 0 {
				return g.done()
			}
		case typeOpen:
			depth++
		case typeClose:
			if depth == 0 {
				return g.done()
			}
			depth--
		}
		g.take(lex)
	}
}

func (g *gExpr) take(lex *lexer.PeekingLexer) {
	t := lex.Next()
	if g.from < 0 {
		g.from = t.Pos.Offset
	}
	g.to = t.Pos.Offset + len(t.Value)
}

func (g *gExpr) done() error {
	if g.from < 0 {
		return participle.NextMatch
	}
	return nil
}

// gPlace marks out NAME { "." NAME | "[" E "]" }.
type gPlace struct{ gExpr }

// Parse takes a name and what hangs on it.
func (g *gPlace) Parse(lex *lexer.PeekingLexer) error {
	g.from = -1
	if lex.Peek().Type != typeWord {
		return participle.NextMatch
	}
	g.take(lex)
	for {
		switch t := lex.Peek(); {
		case t.Type == typeSign && t.Value == ".":
			g.take(lex)
			if lex.Peek().Type != typeWord {
				return errPlace
			}
			g.take(lex)
		case t.Type == typeOpen && t.Value == "[":
			if err := g.index(lex); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (g *gPlace) index(lex *lexer.PeekingLexer) error {
	for depth := 0; ; {
		switch lex.Peek().Type {
		case lexer.EOF, typeSep, typeLBrace, typeRBrace:
			return errPlace
		case typeOpen:
			depth++
		case typeClose:
			depth--
		}
		g.take(lex)
		if depth == 0 {
			return nil
		}
	}
}

var errPlace = errors.New("a name is missing")

// gStmts is a list of statements. It goes on after one that does not parse.
type gStmts struct {
	list   []*gStmt
	broken []brokenStmt
}

// A brokenStmt is a statement that does not parse: its first token and the one
// that did not fit.
type brokenStmt struct{ first, at lexer.Token }

// Parse reads statements up to a `}` or the end.
func (g *gStmts) Parse(lex *lexer.PeekingLexer) error {
	for {
		for lex.Peek().Type == typeSep {
			lex.Next()
		}
		first := *lex.Peek()
		if first.EOF() || first.Type == typeRBrace {
			return nil
		}
		before := lex.MakeCheckpoint()
		stmt, err := stmtParser.ParseFromLexer(lex, participle.AllowTrailing(true))
		next := *lex.Peek()
		if err == nil && (next.EOF() || next.Type == typeSep || next.Type == typeRBrace) {
			g.list = append(g.list, stmt)
			continue
		}
		if err != nil {
			next = failedAt(err, lex)
			lex.LoadCheckpoint(before)
		}
		g.broken = append(g.broken, brokenStmt{first, next})
		g.skip(lex)
	}
}

// failedAt returns the token an error of participle is about.
func failedAt(err error, lex *lexer.PeekingLexer) lexer.Token {
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		return unexpected.Unexpected
	}
	return *lex.Peek()
}

// skip moves to the end of a broken statement. Blocks on the way are read, so
// that their statements are checked too.
func (g *gStmts) skip(lex *lexer.PeekingLexer) {
	for {
		switch t := lex.Peek(); t.Type {
		case lexer.EOF, typeSep, typeRBrace:
			return
		case typeLBrace:
			lex.Next()
			var inner gStmts
			inner.Parse(lex) //nolint:errcheck // it never fails
			g.broken = append(g.broken, inner.broken...)
			g.list = append(g.list, inner.list...)
			if lex.Peek().Type == typeRBrace {
				lex.Next()
			}
		default:
			lex.Next()
		}
	}
}

var stmtParser = participle.MustBuild[gStmt](
	participle.Lexer(grammars),
	participle.Elide("Space", "Comment"),
)
