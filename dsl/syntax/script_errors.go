package syntax

import (
	"slices"
	"sort"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/houserules/houserules/dsl/source"
)

// forms shows how each statement is written, by its first word.
var forms = func() map[string]string {
	out := map[string]string{}
	for _, e := range Statements {
		if verb, _, _ := strings.Cut(e.Name, " "); isName(verb) && out[verb] == "" {
			out[verb] = e.Forms[0]
		}
	}
	return out
}()

// verbs are the first words of statements in alphabetical order.
var verbs = func() []string {
	var out []string
	for v := range forms {
		out = append(out, v)
	}
	sort.Strings(out)
	return out
}()

// synonyms of verbs that people bring along.
var synonyms = map[string]string{
	"while": "for", "foreach": "for", "repeat": "again", "return": "finish", "end": "finish", "stop": "finish", "print": "say",
	"call": "emit", "trigger": "emit", "fire": "emit", "jump": "goto", "go": "goto", "var": "let", "const": "let", "push": "append", "add": "append",
	"pass": "next", "put": "move", "draw": "deal", "log": "write",
}

// report says what is wrong with a statement that does not parse.
func (s *sorter) report(b brokenStmt) {
	if s.reportProblem(b) {
		return
	}
	verb := b.first.Value
	form, known := forms[verb]
	switch {
	case b.first.Type == typeVerb && verb == "else":
		s.ds.Errorf("E0202", s.span(b.first), "`else` without an `if`").WithHelp("`else` follows the `}` of an `if`")
	case b.first.Type == typeVerb && (!known || s.isPlace(b.first)):
		s.reportVerb(b.first)
	case b.first.Type == typeLBrace:
		s.ds.Errorf("E0202", s.span(b.first), "a block needs an `if` or `for` before it").WithHelp("write `if TEST { .. }`")
	case b.first.Type != typeVerb && b.first.Type != typeWord:
		s.ds.Errorf("E0202", s.span(b.first), "a statement cannot begin with `%s`", b.first.Value).WithHelp("a statement begins with a verb such as `throw` or with a place such as `turn.points`")
	case b.first.Type == typeWord:
		s.reportAt(b, "an assignment", "PLACE = VALUE")
	default:
		s.reportAt(b, "`"+verb+"`", form)
	}
}

// reportProblem reports a bracket or text that is not closed, if one lies in
// the statement: it explains more than what the grammar stumbled over.
func (s *sorter) reportProblem(b brokenStmt) bool {
	from := s.index(b.first)
	to := from
	for to < len(s.toks)-1 && s.toks[to].Type != typeSep {
		to++
	}
	to = max(to, s.index(b.at))
	i, _ := slices.BinarySearchFunc(s.problems, from, func(p problem, tok int) int { return p.tok - tok })
	if i == len(s.problems) || s.problems[i].tok > to {
		return false
	}
	p := s.problems[i]
	d := s.ds.Errorf(p.code, s.span(s.toks[p.tok]), "%s", p.message)
	if p.help != "" {
		d.WithHelp("%s", p.help)
	}
	return true
}

// index returns the place of a token in the list.
func (s *sorter) index(t lexer.Token) int {
	i, _ := slices.BinarySearchFunc(s.toks, t, func(a, b lexer.Token) int { return a.Pos.Offset - b.Pos.Offset })
	return i
}

// isPlace reports whether a verb goes on as a place does: `turn.points` is none of
// `turn of SEAT`.
func (s *sorter) isPlace(verb lexer.Token) bool {
	next := s.beside(s.index(verb), 1, false)
	return next >= 0 && s.toks[next].Value == "."
}

// reportVerb reports a first word that is no verb.
func (s *sorter) reportVerb(t lexer.Token) {
	next := s.beside(s.index(t), 1, false)
	if next >= 0 && (s.toks[next].Value == "." || s.toks[next].Value == "[" || s.toks[next].Type == symbols["Op"] || s.toks[next].Type == typeSign) {
		d := s.ds.Errorf("E0202", s.span(t), "a formula is not a statement")
		if s.compares(t) {
			d.WithHelp("a place is given a value with `=`")
		} else {
			d.WithHelp("write `PLACE = VALUE`, `PLACE += VALUE` or `PLACE -= VALUE` to change something")
		}
		return
	}
	if next >= 0 && s.toks[next].Value == "(" && s.compares(t) {
		s.ds.Errorf("E0202", s.span(t), "a formula is not a statement")
		return
	}
	if next >= 0 && s.toks[next].Value == "(" {
		s.ds.Errorf("E0202", s.span(t), "`%s` is not a statement", t.Value).WithHelp("an event is called with `emit %s(..)`", t.Value)
		return
	}
	d := s.ds.Errorf("E0202", s.span(t), "`%s` is not a statement", t.Value)
	near := source.Nearest(t.Value, verbs)
	if other, ok := synonyms[t.Value]; ok {
		near = []string{other}
	}
	if len(near) == 0 {
		d.WithHelp("a statement begins with a verb such as `throw` or with a place such as `turn.points`")
		if (next < 0 || s.toks[next].Type == typeSep) && isName(t.Value) {
			d.WithHelp("an event is called with `emit %s`", t.Value)
		}
		return
	}
	if forms[near[0]] == near[0] {
		d.WithHelp("did you mean `%s`?", near[0])
	} else {
		d.WithHelp("did you mean `%s`, as in `%s`?", near[0], forms[near[0]])
	}
	d.WithEdit(d.Span, near[0])
}

// compares reports whether the statement that begins with t has a `==` in it.
func (s *sorter) compares(t lexer.Token) bool {
	for i := s.index(t); s.toks[i].Type != typeSep && !s.toks[i].EOF(); i++ {
		if s.toks[i].Value == "==" {
			return true
		}
	}
	return false
}

// reportAt reports that a statement does not go on as its form demands.
func (s *sorter) reportAt(b brokenStmt, what, form string) {
	isText := b.first.Type == typeVerb && (b.first.Value == "say" || b.first.Value == "write" || b.first.Value == "mark")
	i := s.index(b.at)
	switch {
	case b.at.EOF() || b.at.Type == typeSep || b.at.Type == typeRBrace:
		last := s.toks[max(s.beside(i, -1, true), s.index(b.first))]
		s.ds.Errorf("E0202", s.span(last), "%s is not complete", what).WithLabel("something is missing after this").WithHelp("it is written `%s`", form)
	case isText && s.beside(s.index(b.first), 1, false) == i:
		s.ds.Errorf("E0202", s.span(b.at), "%s needs a text in double quotes", what).WithHelp("it is written `%s`", form)
	default:
		d := s.ds.Errorf("E0202", s.span(b.at), "unexpected `%s` in %s", b.at.Value, what).WithHelp("it is written `%s`", form)
		switch {
		case b.at.Type == typeAssign && b.first.Value != "let":
			d.WithHelp("values are compared with `==`")
		case b.at.Value == "if" && b.first.Value == "let":
			d.WithHelp("`let` takes no condition; write `let NAME = CONDITION ? VALUE : OTHER_VALUE`")
		}
	}
}
