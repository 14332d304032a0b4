package syntax

import "github.com/houserules/houserules/dsl/source"

// A shape is a formula whose tokens are known to alternate rightly between
// values and operators, with its brackets matched and `it` put in front of
// every bare `.name`. What is left for expr's parser is precedence.
type shape struct {
	text  Text
	toks  []token
	match []int  // of an opening bracket: index of the closing one
	group []bool // of an opening bracket: it only groups, it is no call, list or index
}

// frameKind says what an open frame is.
type frameKind uint8

const (
	frameGroup frameKind = iota
	frameCall
	frameList
	frameIndex
	frameChoice // a `?` that waits for its `:`
)

type frame struct {
	kind frameKind
	tok  int // index in shape.toks
}

// A shaper walks over the tokens of a formula and checks their order.
type shaper struct {
	shape
	ds     *source.List
	in     []token
	i      int
	frames []frame
	unary  int // prefix operators in a row
	bad    bool
}

// shapeFormula checks the order of tokens; ok is false after an error.
func shapeFormula(t Text, in []token, ds *source.List) (sh *shape, ok bool) {
	s := &shaper{shape: shape{text: t}, ds: ds, in: in}
	operand := true
	for s.i < len(s.in) && !s.bad {
		if operand {
			operand = s.operand()
		} else {
			operand = s.operator()
		}
	}
	if !s.bad {
		s.atEnd(operand)
	}
	return &s.shape, !s.bad
}

func (s *shaper) span(t token) source.Span { return s.text.Span(t.from, t.to) }

func (s *shaper) fail(code string, t token, format string, args ...any) *source.Diagnostic {
	s.bad = true
	return s.ds.Errorf(code, s.span(t), format, args...)
}

// peek returns the text of the token n places ahead, or "".
func (s *shaper) peek(n int) string {
	if s.i+n < len(s.in) && s.in[s.i+n].kind != tokText {
		return s.in[s.i+n].text
	}
	return ""
}

func (s *shaper) put(t token) int {
	s.toks = append(s.toks, t)
	s.match = append(s.match, -1)
	s.group = append(s.group, false)
	return len(s.toks) - 1
}

// take moves the current token to the output.
func (s *shaper) take() int {
	s.i++
	return s.put(s.in[s.i-1])
}

func (s *shaper) push(kind frameKind) {
	if len(s.frames) == MaxNesting {
		s.fail("E0201", s.in[s.i], "brackets are nested too deep").WithHelp("at most %d deep; give parts of the formula a name under `define`", MaxNesting)
		return
	}
	n := s.take()
	s.group[n] = kind == frameGroup
	s.frames = append(s.frames, frame{kind, n})
}

func (s *shaper) top() (frame, bool) {
	if len(s.frames) == 0 {
		return frame{}, false
	}
	return s.frames[len(s.frames)-1], true
}

func (s *shaper) pop() { s.frames = s.frames[:len(s.frames)-1] }

// operand reads a token where a value begins and reports whether a value is
// still awaited.
func (s *shaper) operand() bool {
	t := s.in[s.i]
	unary := s.unary
	s.unary = 0
	switch {
	case t.kind == tokName:
		s.take()
		return s.call(t)
	case t.kind == tokInt || t.kind == tokBool || t.kind == tokText:
		s.take()
		return false
	case t.text == "(":
		s.push(frameGroup)
		return true
	case t.text == "[":
		s.push(frameList)
		return !s.emptyClose("]")
	case t.text == "." && s.i+1 < len(s.in) && s.in[s.i+1].kind == tokName:
		s.put(token{kind: tokName, text: "it", from: t.from, to: t.to, implied: true})
		return false
	case t.text == "not" || t.text == "-":
		if s.unary = unary + 1; s.unary > MaxUnaryInARow {
			s.fail("E0201", t, "too many `not` and `-` in a row").WithHelp("at most %d", MaxUnaryInARow)
		}
		s.take()
		return true
	case t.text == "+":
		s.fail("E0216", t, "`+` needs a value before it").WithHelp("a positive number is written without a sign")
	case t.text == ":" && s.inFrame(frameIndex):
		s.slice(t)
	default:
		s.missing(t)
	}
	return true
}

func (s *shaper) inFrame(kind frameKind) bool {
	f, ok := s.top()
	return ok && f.kind == kind
}

// call opens the brackets of a call if they follow the name t.
func (s *shaper) call(t token) bool {
	if s.peek(0) != "(" {
		return false
	}
	s.push(frameCall)
	return !s.bad && !s.emptyClose(")")
}

// emptyClose closes a bracket that was just opened, if nothing is inside.
func (s *shaper) emptyClose(sign string) bool {
	if s.bad || s.peek(0) != sign {
		return false
	}
	f, _ := s.top()
	s.match[f.tok] = s.take()
	s.pop()
	return true
}

// operator reads a token after a value and reports whether a value is awaited.
func (s *shaper) operator() bool {
	t := s.in[s.i]
	switch {
	case t.kind == tokClose:
		s.close(t)
		return false
	case t.text == "[" && t.kind == tokOpen:
		return s.index(t)
	case t.kind != tokOp:
		s.unexpected(t)
		return false
	}
	switch t.text {
	case ".", "?.":
		return s.member(t)
	case "not":
		if s.peek(1) != "in" {
			s.fail("E0201", t, "unexpected `not`").WithHelp("write `a and not b`, `a != b` or `a not in list`")
			return false
		}
		s.take()
		s.take()
	case "?":
		if s.peek(1) == ":" {
			s.fail("E0216", t, "`?:` is not a part of formulas").WithHelp("write `a ?? b` for `a, or b where a is none`")
			return false
		}
		s.push(frameChoice)
	case ":":
		s.colon(t)
	case ",":
		s.comma(t)
	default:
		s.take()
	}
	return true
}

func (s *shaper) member(dot token) bool {
	last := s.toks[len(s.toks)-1]
	switch {
	case dot.text == "?." && s.peek(1) == "[":
		s.fail("E0216", dot, "`?.[` is not a part of formulas").WithHelp("write `(list ?? other)[k]`, or ask first whether there is a value")
	case s.i+1 >= len(s.in) || s.in[s.i+1].kind != tokName:
		s.fail("E0201", dot, "`%s` needs a name after it", dot.text)
	case last.kind == tokInt || last.kind == tokBool:
		s.fail("E0201", dot, "`%s` has nothing named `%s`", last.text, s.in[s.i+1].text)
	default:
		s.take()
		name := s.in[s.i]
		s.take()
		if dot.text == "?." && s.peek(0) == "(" {
			s.fail("E0216", dot, "a call cannot follow `?.`").WithHelp("ask first whether there is a value, or use `??`")
			return false
		}
		return s.call(name)
	}
	return false
}

func (s *shaper) index(open token) bool {
	if last := s.toks[len(s.toks)-1]; last.kind == tokInt || last.kind == tokBool || last.kind == tokText {
		s.unexpected(open)
		return false
	}
	if s.peek(1) == "-" && s.i+3 < len(s.in) && s.in[s.i+2].kind == tokInt && s.peek(3) == "]" {
		s.fail("E0216", s.in[s.i+1], "a place counted from the end is not a part of formulas").WithHelp("write `last(list)`; places count from 1")
		return false
	}
	s.push(frameIndex)
	return true
}

func (s *shaper) slice(t token) {
	s.fail("E0216", t, "a part of a list written with `:` is not a part of formulas").WithHelp("write `take(list, n)`")
}

func (s *shaper) colon(t token) {
	f, ok := s.top()
	switch {
	case ok && f.kind == frameChoice:
		s.take()
		s.pop()
	case ok && f.kind == frameIndex:
		s.slice(t)
	default:
		s.fail("E0201", t, "unexpected `:`").WithHelp("a choice is written `CONDITION ? VALUE : OTHER_VALUE`")
	}
}

func (s *shaper) comma(t token) {
	f, ok := s.top()
	switch {
	case ok && (f.kind == frameCall || f.kind == frameList):
		s.take()
	case ok && f.kind == frameChoice:
		s.noColon(f)
	default:
		s.fail("E0201", t, "unexpected `,`").WithHelp("a list is written `[a, b]`, a call `f(a, b)`")
	}
}

func (s *shaper) noColon(f frame) {
	s.fail("E0201", s.toks[f.tok], "`?` without its `:`").WithHelp("%s", helpChoice)
}

func (s *shaper) close(t token) {
	f, ok := s.top()
	if ok && f.kind == frameChoice {
		s.noColon(f)
		return
	}
	if !ok {
		s.fail("E0201", t, "`%s` without a bracket that it closes", t.text)
		return
	}
	open := s.toks[f.tok]
	if want := closing(open.text); want != t.text {
		s.fail("E0201", t, "`%s` where `%s` is expected", t.text, want).WithRelated(s.span(open), "the bracket opened here")
		return
	}
	s.match[f.tok] = s.take()
	s.pop()
}

func closing(open string) string {
	if open == "(" {
		return ")"
	}
	return "]"
}

// missing reports the token t where a value is expected.
func (s *shaper) missing(t token) {
	if len(s.toks) == 0 {
		d := s.fail("E0201", t, "a formula cannot begin with `%s`", t.text)
		if t.kind == tokClose {
			d.Message = "`" + t.text + "` without a bracket that it closes"
		}
		return
	}
	prev := s.toks[len(s.toks)-1]
	switch {
	case prev.kind == tokOpen && t.kind == tokClose:
		s.fail("E0201", t, "nothing stands between the brackets")
	case prev.kind == tokOpen:
		s.fail("E0201", t, "`%s` needs a value before it", t.text)
	default:
		s.fail("E0201", t, "expected a value after `%s`, found `%s`", prev.text, t.text)
	}
}

// meant says for words of other languages what stands for them here.
var meant = map[string]string{
	"then": helpChoice, "else": helpChoice, "elif": helpChoice, "when": helpChoice, "unless": "write `and not`",
	"is": "write `==`", "equals": "write `==`", "eq": "write `==`", "isnt": "write `!=`", "xor": "write `!=`",
	"AND": "write `and`", "And": "write `and`", "OR": "write `or`", "Or": "write `or`", "NOT": "write `not`", "IN": "write `in`",
	"mod": "write `%`", "div": "write `/`, which rounds down", "x": "write `*`", "times": "write `*`",
	"plus": "write `+`", "minus": "write `-`", "contains": "write `x in list`", "matches": "texts cannot be searched",
}

// unexpected reports a value that directly follows a value.
func (s *shaper) unexpected(t token) {
	d := s.fail("E0201", t, "unexpected `%s`", t.text)
	last := s.toks[len(s.toks)-1]
	switch help, ok := meant[t.text]; {
	case ok && t.kind == tokName:
		d.WithHelp("%s", help)
	case t.kind == tokOpen:
		d.WithHelp("only a name can be called, as in `f(x)`, and only a list has places, as in `list[k]`")
	case last.kind == tokName || last.kind == tokInt || last.kind == tokText:
		d.WithHelp("between `%s` and `%s` stands an operator such as `and`, `+` or `==`", last.text, t.text)
	default:
		d.WithHelp("an operator such as `and`, `+` or `==` must stand before it")
	}
}

// atEnd checks that nothing is left open when the tokens are used up.
func (s *shaper) atEnd(operand bool) {
	f, open := s.top()
	switch {
	case len(s.toks) == 0:
		s.bad = true
		s.ds.Errorf("E0201", s.text.Whole(), "a formula is missing")
	case operand && s.toks[len(s.toks)-1].kind != tokOpen:
		last := s.toks[len(s.toks)-1]
		s.fail("E0201", last, "`%s` needs a value after it", last.text)
	case open && f.kind == frameChoice:
		s.noColon(f)
	case open:
		t := s.toks[f.tok]
		s.fail("E0201", t, "`%s` is not closed", t.text).WithHelp("a `%s` is missing", closing(t.text))
	}
}
