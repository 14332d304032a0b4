package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// A constant is a value that stands fast before a game.
type constant struct {
	t    dsl.Type
	n    int64
	list []int64 // of lists
}

// A frame holds the values of parameters inside a define.
type frame struct {
	locals map[*dsl.Local]constant
	depth  int
}

// maxDepth bounds defines within defines, and maxList the lists made.
const maxDepth, maxList = 40, 1000

// constantOf finds the value of a formula under the options in force, if it
// depends on nothing else.
func constantOf(e *dsl.Expr) (constant, bool) { return frame{}.value(e) }

// isNever and isAlways report what a condition is before a game begins. None
// at all always holds.
func isNever(e *dsl.Expr) bool {
	c, ok := constantOf(e)
	return ok && c.n == 0
}

func isAlways(e *dsl.Expr) bool {
	if e == nil {
		return true
	}
	c, ok := constantOf(e)
	return ok && c.n != 0
}

func (f frame) value(e *dsl.Expr) (constant, bool) {
	if e == nil {
		return constant{}, false
	}
	out := constant{t: e.Type}
	switch e.Op {
	case dsl.OpConst:
		out.n = e.Int
		return out, e.Type.Kind != dsl.KAny && e.Type.Kind != dsl.KSeat && e.Type.Kind != dsl.KPiece
	case dsl.OpParam:
		p := e.Ref.(*dsl.Param)
		v, ok := frame{depth: f.depth + 1}.value(p.Value())
		v.t = p.Type
		return v, ok && f.depth < maxDepth
	case dsl.OpLocal:
		v, ok := f.locals[e.Ref.(*dsl.Local)]
		return v, ok
	case dsl.OpCall:
		return f.call(e)
	case dsl.OpAnd, dsl.OpOr:
		return f.logic(e)
	case dsl.OpCond:
		if c, ok := f.value(e.Args[0]); ok {
			return f.value(e.Args[2-min(c.n, 1)])
		}
		return out, false
	case dsl.OpLookup:
		return f.lookup(e)
	case dsl.OpList, dsl.OpRange:
		return f.list(e)
	case dsl.OpLen:
		if a := e.Args[0]; a.Op == dsl.OpFamily {
			n, ok := countOf(a.Ref.(*dsl.Family))
			out.n = n
			return out, ok
		}
	}
	return f.apply(e)
}

// call finds the value of a define with constant arguments.
func (f frame) call(e *dsl.Expr) (constant, bool) {
	d := e.Ref.(*dsl.Define)
	if f.depth > maxDepth || len(e.Args) != len(d.Params) {
		return constant{}, false
	}
	inner := frame{map[*dsl.Local]constant{}, f.depth + 1}
	for i, a := range e.Args {
		v, ok := f.value(a)
		if !ok {
			return constant{}, false
		}
		inner.locals[d.Params[i]] = v
	}
	return inner.value(d.Body)
}

// logic needs only as many sides of `and` and `or` as decide.
func (f frame) logic(e *dsl.Expr) (constant, bool) {
	decides := int64(0)
	if e.Op == dsl.OpOr {
		decides = 1
	}
	known := true
	for _, a := range e.Args {
		v, ok := f.value(a)
		if ok && v.n == decides {
			return v, true
		}
		known = known && ok
	}
	return constant{t: e.Type, n: 1 - decides}, known
}

// lookup finds the entry of a constant subject.
func (f frame) lookup(e *dsl.Expr) (constant, bool) {
	subject, ok := f.value(e.Args[0])
	if !ok {
		return constant{}, false
	}
	i := 1
	for ; i+1 < len(e.Args); i += 2 {
		key, ok := f.value(e.Args[i])
		if !ok {
			return constant{}, false
		}
		if key.n == subject.n {
			return f.value(e.Args[i+1])
		}
	}
	if i < len(e.Args) {
		return f.value(e.Args[i])
	}
	return constant{}, false
}

func (f frame) list(e *dsl.Expr) (constant, bool) {
	out := constant{t: e.Type}
	if e.Type.Elem == nil || e.Type.Elem.Kind == dsl.KSeat || e.Type.Elem.Kind == dsl.KPiece {
		return out, false
	}
	for _, a := range e.Args {
		v, ok := f.value(a)
		if !ok {
			return out, false
		}
		out.list = append(out.list, v.n)
	}
	if e.Op == dsl.OpRange {
		lo, hi := out.list[0], out.list[1]
		if hi-lo >= maxList {
			return out, false
		}
		out.list = nil
		for n := lo; n <= hi; n++ {
			out.list = append(out.list, n)
		}
	}
	return out, true
}

// apply finds the values of operations on constants.
func (f frame) apply(e *dsl.Expr) (constant, bool) {
	out := constant{t: e.Type}
	var args []constant
	var v []int64
	if !slices.Contains(simple, e.Op) {
		return out, false
	}
	for _, a := range e.Args {
		if a == nil {
			continue
		}
		c, ok := f.value(a)
		if !ok {
			return out, false
		}
		args, v = append(args, c), append(v, c.n)
	}
	if len(v) == 0 {
		return out, false
	}
	truth := func(b bool) (constant, bool) {
		if b {
			out.n = 1
		}
		return out, true
	}
	lists := len(args[0].list) > 0 || args[0].t.IsCollection()
	switch e.Op {
	case dsl.OpLen:
		out.n = int64(len(args[0].list))
		return out, lists
	case dsl.OpNth:
		if i := v[len(v)-1]; lists && i >= 1 && i <= int64(len(args[0].list)) {
			out.n = args[0].list[i-1]
			return out, true
		}
		return out, false
	case dsl.OpIn:
		return truth(slices.Contains(args[1].list, v[0]))
	case dsl.OpSum, dsl.OpMin, dsl.OpMax:
		return total(e.Op, args, v, lists, out)
	case dsl.OpNot:
		return truth(v[0] == 0)
	case dsl.OpNeg:
		out.n = -v[0]
		return out, true
	case dsl.OpAbs:
		out.n = max(v[0], -v[0])
		return out, true
	}
	if len(v) != 2 || lists {
		return out, false
	}
	a, b := v[0], v[1]
	switch e.Op {
	case dsl.OpAdd:
		out.n = a + b
	case dsl.OpSub:
		out.n = a - b
	case dsl.OpMul:
		out.n = a * b
	case dsl.OpDiv, dsl.OpMod:
		if b == 0 {
			return out, false
		}
		rest := (a%b + b) % b
		if b < 0 {
			return out, false
		}
		if out.n = (a - rest) / b; e.Op == dsl.OpMod {
			out.n = rest
		}
	case dsl.OpEq:
		return truth(a == b)
	case dsl.OpNe:
		return truth(a != b)
	case dsl.OpLt:
		return truth(a < b)
	case dsl.OpLe:
		return truth(a <= b)
	case dsl.OpGt:
		return truth(a > b)
	case dsl.OpGe:
		return truth(a >= b)
	}
	return out, true
}

// simple are the operations that apply knows.
var simple = []dsl.Op{dsl.OpLen, dsl.OpNth, dsl.OpIn, dsl.OpSum, dsl.OpMin, dsl.OpMax, dsl.OpNot, dsl.OpNeg, dsl.OpAbs,
	dsl.OpAdd, dsl.OpSub, dsl.OpMul, dsl.OpDiv, dsl.OpMod, dsl.OpEq, dsl.OpNe, dsl.OpLt, dsl.OpLe, dsl.OpGt, dsl.OpGe}

// total finds the sum, the least or the greatest of numbers.
func total(op dsl.Op, args []constant, v []int64, lists bool, out constant) (constant, bool) {
	if lists {
		if len(args) != 1 {
			return out, false
		}
		v = args[0].list
	}
	switch {
	case op == dsl.OpSum:
		for _, n := range v {
			out.n += n
		}
		return out, lists
	case len(v) == 0:
		return out, false
	case op == dsl.OpMin:
		out.n = slices.Min(v)
	default:
		out.n = slices.Max(v)
	}
	return out, true
}

// countOf finds how many pieces a family has.
func countOf(f *dsl.Family) (int64, bool) {
	if f.Kinds == nil {
		c, ok := constantOf(f.Count)
		return c.n, ok
	}
	sum := int64(0)
	for _, k := range f.Kinds {
		n, ok := lotsOf(k)
		if !ok {
			return 0, false
		}
		sum += n
	}
	return sum, true
}

func lotsOf(k *dsl.PieceKind) (int64, bool) {
	sum := int64(0)
	for _, l := range k.Lots {
		if l.Count == nil {
			sum++
			continue
		}
		c, ok := constantOf(l.Count)
		if !ok {
			return 0, false
		}
		sum += c.n
	}
	return sum, true
}

// String writes a constant for people.
func (c constant) String() string {
	if c.t.IsCollection() {
		var out []string
		for _, n := range c.list {
			out = append(out, plainValue(*c.t.Elem, n))
		}
		return runs(c.list, out)
	}
	return plainValue(c.t, c.n)
}

// runs writes numbers that follow each other as their ends.
func runs(list []int64, texts []string) string {
	if len(list) < 3 {
		return strings.Join(texts, ", ")
	}
	for i := range list {
		if list[i] != list[0]+int64(i) {
			return strings.Join(texts, ", ")
		}
	}
	return texts[0] + " to " + texts[len(texts)-1]
}

func plainValue(t dsl.Type, n int64) string {
	switch {
	case n == dsl.None:
		return "none"
	case t.Kind == dsl.KBool && n == 0:
		return "false"
	case t.Kind == dsl.KBool:
		return "true"
	case t.Kind == dsl.KOption && n >= 0 && n < int64(len(t.Enum.Values)):
		return t.Enum.Label(int(n))
	case t.Kind == dsl.KInt && t.Family != nil:
		for _, face := range t.Family.Faces {
			if face.Number == n && face.Name != "" {
				return face.Name
			}
		}
	}
	return fmt.Sprint(n)
}
