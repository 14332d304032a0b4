// Package syntax turns the texts inside a rule file into trees: formulas,
// scripts, picks, patterns, types, signatures and sentences. It knows grammar
// and nothing of names or types, which package dsl adds.
//
// Formulas are read by expr's parser, statements and patterns by participle;
// neither library shows through. Every node has the span of its text in the
// rule file.
package syntax

import "github.com/houserules/houserules/dsl/source"

// A Text is a piece of a rule file to be parsed: a string whose every byte
// stands somewhere in the file. *yamltree.Node, for scalars, is turned into
// one with its SpanOf method.
type Text struct {
	Value string
	Span  func(from, to int) source.Span // place of Value[from:to]
}

// Slice returns the part [from, to) of the text, with true places.
func (t Text) Slice(from, to int) Text {
	return Text{t.Value[from:to], func(a, b int) source.Span { return t.Span(from+a, from+b) }}
}

// Whole returns the place of all of the text.
func (t Text) Whole() source.Span { return t.Span(0, len(t.Value)) }

// Limits on texts, checked before any parser runs.
const (
	MaxTextBytes   = 64 << 10 // of a script
	MaxFormula     = 4 << 10  // bytes of one formula
	MaxNesting     = 64       // brackets and blocks
	MaxUnaryInARow = 64
)

// An Expr is a node of a formula.
type Expr interface {
	Span() source.Span
	exprNode()
}

type at struct{ Place source.Span }

// Span returns where the node stands.
func (a at) Span() source.Span { return a.Place }
func (at) exprNode()           {}

// The nodes of formulas.
type (
	// NameExpr is a bare name. `it` and `none` are names too; the checker knows them.
	NameExpr struct {
		at
		Name string
	}
	// IntExpr is a whole number.
	IntExpr struct {
		at
		Value int64
	}
	// BoolExpr is true or false.
	BoolExpr struct {
		at
		Value bool
	}
	// TextExpr is a quoted text; only .is("combo", ..) takes one.
	TextExpr struct {
		at
		Value string
	}
	// UnaryExpr is `not X` or `-X`; Op is "not" or "-".
	UnaryExpr struct {
		at
		Op string
		X  Expr
	}
	// BinaryExpr has Op one of or and == != < <= > >= in .. + - * / % ?? .
	// `a not in b` is Unary not of Binary in, both with the span of the whole.
	// OpSpan is the operator. The span of a node leaves out brackets around it
	// but holds those of its parts.
	BinaryExpr struct {
		at
		Op     string
		X, Y   Expr
		OpSpan source.Span
		Parens bool // written in brackets of its own
	}
	// CondExpr is `If ? Then : Else`.
	CondExpr struct {
		at
		If, Then, Else Expr
	}
	// MemberExpr is X.Name, or X?.Name. A bare `.name` has X a NameExpr "it"
	// with the span of the dot.
	MemberExpr struct {
		at
		X        Expr
		Name     string
		NameSpan source.Span
		Optional bool
	}
	// IndexExpr is X[Index].
	IndexExpr struct {
		at
		X, Index Expr
	}
	// CallExpr is Fn(Args..), or Recv.Fn(Args..) if Recv is not nil.
	// In calls such as filter(list, E), E is an ordinary argument in which
	// `it` may stand.
	CallExpr struct {
		at
		Recv   Expr
		Fn     string
		FnSpan source.Span
		Args   []Expr
	}
	// ListExpr is [a, b, ..].
	ListExpr struct {
		at
		Items []Expr
	}
)

// A Script is a list of statements.
type Script struct {
	Stmts []Stmt
	Place source.Span
}

// A Stmt is one statement. Its postfix `if` is an IfStmt around it.
type Stmt interface {
	Span() source.Span
	stmtNode()
}

type stmtAt struct{ Place source.Span }

// Span returns where the statement stands.
func (a stmtAt) Span() source.Span { return a.Place }
func (stmtAt) stmtNode()           {}

// The statements, as in the grammar of dsl/LANGUAGE.md.
type (
	// LetStmt is `let Name = Value`, or `let Name = random of Value`.
	LetStmt struct {
		stmtAt
		Name     string
		NameSpan source.Span
		Value    Expr
		Random   bool
	}
	// AssignStmt is `Place Op Value`, Op one of = += -=, or `Place = random of Value`.
	AssignStmt struct {
		stmtAt
		Place  Expr // a NameExpr, MemberExpr or IndexExpr
		Op     string
		Value  Expr
		Random bool
	}
	// AppendStmt is `append Value to Place`.
	AppendStmt struct {
		stmtAt
		Value, Place Expr
	}
	// ThrowStmt is `throw Zone [by By]`.
	ThrowStmt struct {
		stmtAt
		Zone Expr
		By   Expr // nil if absent
	}
	// RollStmt is `roll Place in Range`.
	RollStmt struct {
		stmtAt
		Place, Range Expr
	}
	// MoveStmt is `move What to Zone [at At | on top | at random [so that SoThat]] [with ..]`.
	MoveStmt struct {
		stmtAt
		What, Zone Expr
		At         Expr // nil if absent
		OnTop      bool
		Random     bool
		SoThat     Expr // nil if absent
		Marks      []MarkValue
	}
	// DealStmt is `deal What [from From] to Name of Seats [at random ..] [with ..]`.
	DealStmt struct {
		stmtAt
		What     Expr
		From     Expr // nil if absent
		Name     string
		NameSpan source.Span
		Seats    Expr
		Random   bool
		SoThat   Expr
		Marks    []MarkValue
	}
	// ShowStmt is `show What to Seats`.
	ShowStmt struct {
		stmtAt
		What, Seats Expr
	}
	// SetStmt is `set What to Faces`.
	SetStmt struct {
		stmtAt
		What, Faces Expr
	}
	// ScoreStmt is `score What by Scorer`.
	ScoreStmt struct {
		stmtAt
		What       Expr
		Scorer     string
		ScorerSpan source.Span
	}
	// StartStmt is `start Scope`.
	StartStmt struct {
		stmtAt
		Scope     string
		ScopeSpan source.Span
	}
	// EmitStmt is `emit Event[(Args..)]`.
	EmitStmt struct {
		stmtAt
		Event     string
		EventSpan source.Span
		Args      []Expr
	}
	// SayStmt is `say|write|mark TEXT [for For]`; Verb is the first word.
	SayStmt struct {
		stmtAt
		Verb string
		Text *Template
		For  Expr // nil if absent
	}
	// ExitStmt names a destination. Verb is one of "goto" (Target), "again",
	// "next turn", "turn of" (Seat), "finish" (With or nil), "start game"
	// (Seat, With or nil, Sets).
	ExitStmt struct {
		stmtAt
		Verb       string
		Target     string
		TargetSpan source.Span
		Seat       Expr
		With       Expr
		Sets       []MarkValue
	}
	// IfStmt is a block `if Cond { Then } [else ..]`, or a postfix `if`.
	IfStmt struct {
		stmtAt
		Cond    Expr
		Then    *Script
		Else    *Script // nil if absent; an `else if` is a script of one IfStmt
		Postfix bool
	}
	// ForStmt is `for Name in List { Body }`.
	ForStmt struct {
		stmtAt
		Name     string
		NameSpan source.Span
		List     Expr
		Body     *Script
	}
)

// A MarkValue is one NAME = E after `with` or `set`.
type MarkValue struct {
	Name     string
	NameSpan source.Span
	Value    Expr
}

// A Template is a sentence with formulas in braces. `{{` and `}}` stand for
// the braces themselves.
type Template struct {
	Parts []TemplatePart
	Place source.Span
}

// A TemplatePart is either literal text or, if Expr is not nil, a formula.
type TemplatePart struct {
	Text string
	Expr Expr
}

// A Pick is what an action asks for, one `name: ..` of its `pick`.
type Pick struct {
	// Form is "one", "some", "any", "order", "n" (N of List), "range" (List is
	// a..b, or Name = alternatives), "value" (value of Param), "variants" (any of variants).
	Form    string
	N       Expr // of form "n"
	List    Expr // what is picked from; for "range" the a..b expression
	Param   string
	Where   Expr // nil if absent; sees `it`
	ForEach Expr // nil if absent
	IfAny   bool
	If      Expr // nil if absent
	Default Expr // the E after "=", nil if absent
	Place   source.Span
}

// Who is the `who` of a phase. Mode is "" (one seat, or a list asked in turn
// by default), "in turn", "at once" or "table" (List nil).
type Who struct {
	List  Expr
	Mode  string
	Place source.Span
}

// A Pattern is the `match` of a combination.
type Pattern struct {
	Items []PatternItem
	Place source.Span
}

// A PatternItem is a face or a letter, times a count. A Name of one letter is
// a letter; a longer one is a named face or an attribute word, which holds for
// the items after it until the next one. Grammar cannot tell these two apart:
// the checker does, and may then fill in Words.
type PatternItem struct {
	Words    []string // attribute words in force for this item; the parser leaves them empty
	Name     string   // a letter such as x, or a longer word; "" if Number is meant
	Number   int64    // a numbered face
	Count    int64    // 1 if not written; 0 if CountVar is set
	CountVar string   // a letter such as n
	Place    source.Span
}

// Pieces is what people write for pieces: `1 1 5`, `white 2 2 red 3`, a named
// face. Each word is a face number, a face name or an attribute word; the
// words are kept as they stand with their places.
type Pieces struct {
	Words  []string
	Places []source.Span
}

// A Signature is the key of a define, event or table: name(param type, ..).
// A parameter without a type is an int.
type Signature struct {
	Name     string
	NameSpan source.Span
	Owner    string // of a derived field: the X of `X.name`; else ""
	HasArgs  bool   // written with brackets
	Params   []Param
}

// A Param is one parameter of a signature.
type Param struct {
	Name string
	Type *TypeExpr // nil means int
	Span source.Span
}

// A TypeExpr is a type as written: `int`, `bool`, `seat or none`, `list of
// int`, `seats`, a family or option name, `dice.face`, `int for each seat`.
type TypeExpr struct {
	Name   string    // the base word; "list" for lists
	Elem   *TypeExpr // of lists
	OrNone bool
	Each   *TypeExpr // of maps: the keys; the rest of the type is that of the values
	Range  bool      // of keys: the numbers from Lo through Hi
	Lo, Hi int64
	Place  source.Span
}
