package mutate

import (
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// instead says what a word or a sign of a formula is replaced by. An operation
// counts only where it is written so: some formulas are made by the checker.
var instead = map[dsl.Op]struct{ is, becomes string }{
	dsl.OpAdd:     {"+", "-"},
	dsl.OpSub:     {"-", "+"},
	dsl.OpMul:     {"*", "/"},
	dsl.OpDiv:     {"/", "*"},
	dsl.OpMod:     {"%", "/"},
	dsl.OpAnd:     {"and", "or"},
	dsl.OpOr:      {"or", "and"},
	dsl.OpEq:      {"==", "!="},
	dsl.OpNe:      {"!=", "=="},
	dsl.OpLt:      {"<", "<="},
	dsl.OpLe:      {"<=", "<"},
	dsl.OpGt:      {">", ">="},
	dsl.OpGe:      {">=", ">"},
	dsl.OpAny:     {"any", "all"},
	dsl.OpAll:     {"all", "any"},
	dsl.OpHighest: {"highest", "lowest"},
	dsl.OpLowest:  {"lowest", "highest"},
	dsl.OpFirst:   {"first", "last"},
	dsl.OpLast:    {"last", "first"},
	dsl.OpMin:     {"min", "max"},
	dsl.OpMax:     {"max", "min"},
}

// condition changes a formula that is asked whether something happens: it
// always holds, and never. Turning it around would be noticed by whoever notices
// one of these.
func (w *walker) condition(e *dsl.Expr) {
	w.calls(e)
	switch {
	case e == nil:
		return
	case e.Op == dsl.OpConst:
		w.value(e)
		return
	case e.Op == dsl.OpNot && !written(e, "not"): // made of a condition that forbids
		w.condition(e.Args[0])
		return
	case e.Op == dsl.OpOr && e.OpSpan.Text() != "or": // a list of conditions
		for _, a := range e.Args {
			w.condition(a)
		}
		return
	}
	w.change(e.Span, "true")
	w.change(e.Span, "false")
	if e.Op == dsl.OpEq || e.Op == dsl.OpNe || e.Op == dsl.OpIn || e.Op == dsl.OpNot {
		w.parts(e)
		return
	}
	w.value(e)
}

// written reports whether a formula begins with a word.
func written(e *dsl.Expr, word string) bool { return strings.HasPrefix(e.Span.Text(), word) }

// value changes a formula, and what it is made of.
func (w *walker) value(e *dsl.Expr) {
	if e == nil {
		return
	}
	w.calls(e)
	switch e.Op {
	case dsl.OpConst:
		w.constant(e)
		return
	case dsl.OpNot:
		if at := e.Span; written(e, "not ") {
			at.End = at.Start + len("not ")
			w.change(at, "")
		}
	case dsl.OpIn:
		w.isIn(e)
	case dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe:
		if !beside(e) {
			w.sign(e)
		}
	default:
		w.sign(e)
	}
	w.parts(e)
}

// sign changes the sign or the function of an operation.
func (w *walker) sign(e *dsl.Expr) {
	if x, ok := instead[e.Op]; ok && e.OpSpan.Text() == x.is {
		w.change(e.OpSpan, x.becomes)
	}
}

// beside reports whether a comparison has a written number on one side. All
// numbers are whole: `x < 5` becomes what `x <= 5` is by making a 6 of the 5.
func beside(e *dsl.Expr) bool {
	for _, a := range e.Args {
		if a.Op == dsl.OpConst && isNumber(a.Span.Text()) {
			return true
		}
	}
	return false
}

func (w *walker) isIn(e *dsl.Expr) {
	switch e.OpSpan.Text() {
	case "in":
		w.change(e.OpSpan, "not in")
	case "not in":
		w.change(e.OpSpan, "in")
	}
}

func (w *walker) parts(e *dsl.Expr) {
	if e.Op == dsl.OpConst {
		return
	}
	for i, a := range e.Args {
		if i == 0 && e.Op == dsl.OpCond {
			w.condition(a)
			continue
		}
		w.value(a)
	}
}

// constant changes a number by one both ways, turns a truth value round, and
// takes another option.
func (w *walker) constant(e *dsl.Expr) {
	text := e.Span.Text()
	switch e.Type.Kind {
	case dsl.KInt:
		w.number(e, 1)
	case dsl.KBool:
		switch text {
		case "true":
			w.change(e.Span, "false")
		case "false":
			w.change(e.Span, "true")
		}
	case dsl.KOption:
		if enum := e.Type.Enum; enum != nil && len(enum.Values) > 1 {
			if i := enum.Index(text); i >= 0 {
				w.change(e.Span, enum.Values[(i+1)%len(enum.Values)])
			}
		}
	}
}

// number changes a written number by so much, both ways. A 0 gets no minus: where
// numbers count something, less than nothing is the same as nothing.
func (w *walker) number(e *dsl.Expr, step int64) {
	at := e.Span
	if at.File == nil || !isNumber(at.Text()) {
		return
	}
	n, err := strconv.ParseInt(at.Text(), 10, 64)
	if err != nil || n > 1<<62 {
		return
	}
	w.change(at, strconv.FormatInt(n+step, 10))
	if n >= step && !minusBefore(at) {
		w.change(at, strconv.FormatInt(n-step, 10))
	}
}

func minusBefore(at source.Span) bool { return at.Start > 0 && at.File.Text[at.Start-1] == '-' }

// isNumber reports whether a text is a number without a sign.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
