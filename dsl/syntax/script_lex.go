package syntax

import (
	"io"
	"maps"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/houserules/houserules/dsl/source"
)

// baseLexer cuts scripts, picks and patterns into tokens. It never fails: what
// nothing else matches is a Stray.
var baseLexer = lexer.MustStateful(lexer.Rules{
	"Root": {
		{Name: "Comment", Pattern: `//[^\n]*`},
		{Name: "Newline", Pattern: `\n`},
		{Name: "Space", Pattern: `[ \t\r]+`},
		{Name: "Text", Pattern: `"(?:\\.|[^"\\\n])*"`},
		{Name: "Quoted", Pattern: `'(?:\\.|[^'\\\n])*'`},
		{Name: "Word", Pattern: `[A-Za-z_][A-Za-z0-9_]*`},
		{Name: "Int", Pattern: `[0-9]+`},
		{Name: "Op", Pattern: `==|!=|<=|>=|=<|=>|\*=|/=|\?\?|\?\.|\.\.|&&|\|\||\+\+|--`},
		{Name: "Assign", Pattern: `\+=|-=|=`},
		{Name: "Semi", Pattern: `;`},
		{Name: "LBrace", Pattern: `\{`},
		{Name: "RBrace", Pattern: `\}`},
		{Name: "Comma", Pattern: `,`},
		{Name: "Open", Pattern: `[(\[]`},
		{Name: "Close", Pattern: `[)\]]`},
		{Name: "Sign", Pattern: `[-+*/%<>?:.!]`},
		{Name: "Stray", Pattern: `(?s).`},
	},
})

// Kinds of tokens that only context tells apart. Verb is the first word of a
// statement that is no assignment, Part a parting word, Sep an end of line or
// `;`.
const (
	typeVerb lexer.TokenType = -100 - iota
	typePart
	typeSep
)

var symbols = func() map[string]lexer.TokenType {
	all := maps.Clone(baseLexer.Symbols())
	all["Verb"], all["Part"], all["Sep"] = typeVerb, typePart, typeSep
	return all
}()

var (
	typeComment = symbols["Comment"]
	typeNewline = symbols["Newline"]
	typeSpace   = symbols["Space"]
	typeWord    = symbols["Word"]
	typeAssign  = symbols["Assign"]
	typeSemi    = symbols["Semi"]
	typeLBrace  = symbols["LBrace"]
	typeRBrace  = symbols["RBrace"]
	typeComma   = symbols["Comma"]
	typeOpen    = symbols["Open"]
	typeClose   = symbols["Close"]
	typeSign    = symbols["Sign"]
)

// partingWords end a formula inside a statement.
var partingWords = map[string]bool{
	"to": true, "from": true, "of": true, "at": true, "on": true, "with": true, "by": true,
	"for": true, "if": true, "so": true, "set": true, "where": true,
}

// grammarLexer gives participle our tokens: the base lexer's, sorted by context.
type grammarLexer struct{ symbols map[string]lexer.TokenType }

// grammars is the lexer of all grammars. It holds the symbols, so that Go
// initializes them before the parsers.
var grammars = grammarLexer{symbols}

// Symbols names the kinds of tokens.
func (g grammarLexer) Symbols() map[string]lexer.TokenType { return g.symbols }

// Lex reads everything and returns the sorted tokens.
func (grammarLexer) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	s := &sorter{toks: baseTokens(string(text))}
	s.sort(false)
	return &tokenList{toks: s.toks}, nil
}

// tokenList is a lexer over tokens at hand. The last one is EOF.
type tokenList struct {
	toks []lexer.Token
	i    int
}

// Next returns the next token, and EOF again and again.
func (l *tokenList) Next() (lexer.Token, error) {
	t := l.toks[min(l.i, len(l.toks)-1)]
	l.i++
	return t, nil
}

func baseTokens(text string) []lexer.Token {
	lex, err := baseLexer.LexString("", text)
	if err != nil {
		return []lexer.Token{lexer.EOFToken(lexer.Position{})}
	}
	var out []lexer.Token
	for {
		t, err := lex.Next()
		if err != nil || t.EOF() {
			return append(out, lexer.EOFToken(lexer.Position{Offset: len(text)}))
		}
		out = append(out, t)
	}
}

// A sorter gives tokens the kinds that depend on context.
type sorter struct {
	toks     []lexer.Token
	text     Text
	ds       *source.List // nil: report nothing
	problems []problem    // brackets and texts that are not closed
	partner  map[int]int  // of a matched Open or Close: the other one
}

// A problem is an error found before the grammar runs. It is reported instead
// of the grammar's if the statement around it does not parse.
type problem struct {
	tok                 int
	code, message, help string
}

// sort finds matching brackets, then goes through the tokens once. With
// statements set, the first words of statements become verbs.
func (s *sorter) sort(statements bool) {
	s.matchBrackets()
	slices.SortFunc(s.problems, func(a, b problem) int { return a.tok - b.tok })
	depth := 0
	for i, t := range s.toks {
		switch t.Type {
		case typeOpen:
			if _, ok := s.partner[i]; ok {
				depth++
			}
		case typeClose:
			if _, ok := s.partner[i]; ok {
				depth--
			}
		case typeNewline:
			s.toks[i].Type = typeSep
			if depth > 0 || !statements {
				s.toks[i].Type = typeSpace
			}
		case typeSemi:
			s.toks[i].Type = typeSep
		case typeWord:
			if depth == 0 {
				if statements && t.Value == "else" {
					s.joinElse(i)
				}
				s.word(i, statements)
			}
		}
	}
}

// matchBrackets pairs ( with ) and [ with ]. A bracket pairs with nothing
// across `;`, `{` or `}`.
func (s *sorter) matchBrackets() {
	s.partner = map[int]int{}
	var open []int
	flush := func() {
		for _, i := range open {
			s.problems = append(s.problems, problem{i, "E0201", "`" + s.toks[i].Value + "` is not closed", "a `" + closing(s.toks[i].Value) + "` is missing"})
		}
		open = open[:0]
	}
	for i, t := range s.toks {
		switch t.Type {
		case typeSemi, typeLBrace, typeRBrace, lexer.EOF:
			flush()
		case typeOpen:
			open = append(open, i)
		case typeClose:
			n := len(open)
			if n == 0 || closing(s.toks[open[n-1]].Value) != t.Value {
				s.problems = append(s.problems, problem{i, "E0202", "`" + t.Value + "` without a bracket that it closes", ""})
				continue
			}
			s.partner[open[n-1]], s.partner[i] = i, open[n-1]
			open = open[:n-1]
		case symbols["Stray"]:
			if t.Value == `"` || t.Value == "'" {
				s.problems = append(s.problems, problem{i, "E0201", "this text is not closed", "it must end with " + t.Value + " on the same line"})
			}
		}
	}
}

// beside returns the index of the next token in direction dir that is neither
// space nor comment; newlines count as space if over is set.
func (s *sorter) beside(i, dir int, over bool) int {
	for i += dir; i >= 0 && i < len(s.toks); i += dir {
		if t := s.toks[i].Type; t != typeSpace && t != typeComment && !(over && (t == typeNewline || t == typeSep && s.toks[i].Value == "\n")) {
			return i
		}
	}
	return -1
}

// joinElse makes nothing of the ends of lines between a `}` and the `else` at i.
func (s *sorter) joinElse(i int) {
	prev := s.beside(i, -1, true)
	if prev < 0 || s.toks[prev].Type != typeRBrace {
		return
	}
	for j := prev + 1; j < i; j++ {
		if s.toks[j].Type == typeSep {
			s.toks[j].Type = typeSpace
		}
	}
}

// is reports whether token i exists and reads so.
func (s *sorter) is(i int, value string) bool { return i >= 0 && s.toks[i].Value == value }

// word sorts a word outside of brackets.
func (s *sorter) word(i int, statements bool) {
	t := &s.toks[i]
	prev := s.beside(i, -1, false)
	afterDot := s.is(prev, ".") || s.is(prev, "?.")
	switch {
	case statements && s.begins(prev):
		if !s.assigns(i) {
			t.Type = typeVerb
		}
	case afterDot || statements && s.namesTarget(prev):
		if t.Value == "game" && s.is(prev, "start") && s.is(s.beside(i, 1, false), "from") {
			t.Type = typePart
		}
	case s.namesMark(prev, i):
		// `with by = E`: a mark may have any name
	case partingWords[t.Value]:
		t.Type = typePart
	case t.Value == "random":
		if s.is(prev, "at") && s.toks[prev].Type == typePart || prev >= 0 && s.toks[prev].Type == typeAssign && s.is(s.beside(i, 1, false), "of") {
			t.Type = typePart
		}
	}
}

// begins reports whether a statement begins after token prev.
func (s *sorter) begins(prev int) bool {
	if prev < 0 {
		return true
	}
	t := s.toks[prev].Type
	return t == typeSep || t == typeLBrace || t == typeRBrace
}

// namesTarget reports whether token prev is a verb that a bare name follows,
// which may then be any word.
func (s *sorter) namesTarget(prev int) bool {
	return prev >= 0 && s.toks[prev].Type == typeVerb && (s.is(prev, "goto") || s.is(prev, "emit") || s.is(prev, "start"))
}

// namesMark reports whether the word i is the name in `with NAME = E`, in
// `set NAME = E` or after the comma of such a row.
func (s *sorter) namesMark(prev, i int) bool {
	if prev < 0 || !s.is(s.beside(i, 1, false), "=") {
		return false
	}
	p := s.toks[prev]
	return p.Type == typeComma || p.Type == typePart && (p.Value == "with" || p.Value == "set")
}

// assigns reports whether the word i begins PLACE followed by `=`, `+=` or
// `-=`: then it is no verb, whatever it is called.
func (s *sorter) assigns(i int) bool {
	for i = s.beside(i, 1, false); i >= 0; i = s.beside(i, 1, false) {
		switch t := s.toks[i]; {
		case t.Type == typeAssign:
			return true
		case t.Type == typeOpen && t.Value == "[":
			end, ok := s.partner[i]
			if !ok {
				return false
			}
			i = end
		case t.Value == ".":
			if i = s.beside(i, 1, false); i < 0 || s.toks[i].Type != typeWord {
				return false
			}
		default:
			return false
		}
	}
	return false
}
