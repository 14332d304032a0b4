package syntax

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// strength of operators, as documented: a part of a formula needs brackets if
// it is weaker than its place demands.
var strength = map[string]int{
	"or": 10, "and": 15, "==": 20, "!=": 20, "<": 20, "<=": 20, ">": 20, ">=": 20, "in": 20, "..": 25, "+": 30, "-": 30,
	"*": 60, "/": 60, "%": 60, "??": 500,
}

const (
	weakest  = 0
	prefix   = 90
	postfix  = 1000
	notLevel = 50
)

type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g generator) name() string {
	return g.pick("a", "score", "turn", "count", "sum", "none", "any", "len", "let_", "nilly", "last", "of", "to", "contains", "e1")
}

func (g generator) tree(depth int) Expr {
	if depth == 0 || g.IntN(6) == 0 {
		return g.leaf()
	}
	sub := func() Expr { return g.tree(depth - 1) }
	switch g.IntN(9) {
	case 0:
		return &UnaryExpr{Op: g.pick("not", "-"), X: sub()}
	case 1, 2, 3:
		return &BinaryExpr{Op: g.pick("or", "and", "==", "!=", "<", "<=", ">", ">=", "in", "..", "+", "-", "*", "/", "%", "??"), X: sub(), Y: sub()}
	case 4:
		return &CondExpr{If: sub(), Then: sub(), Else: sub()}
	case 5:
		return &MemberExpr{X: sub(), Name: g.pick("x", "not", "in", "true", "face", "let"), Optional: g.IntN(4) == 0}
	case 6:
		return &IndexExpr{X: sub(), Index: sub()}
	case 7:
		c := &CallExpr{Fn: g.name(), Args: g.trees(depth - 1)}
		if g.IntN(2) == 0 {
			c.Recv = sub()
		}
		return c
	default:
		return &ListExpr{Items: g.trees(depth - 1)}
	}
}

func (g generator) trees(depth int) []Expr {
	out := make([]Expr, g.IntN(4))
	for i := range out {
		out[i] = g.tree(depth)
	}
	return out
}

func (g generator) leaf() Expr {
	switch g.IntN(5) {
	case 0:
		return &IntExpr{Value: g.Int64N(1000)}
	case 1:
		return &BoolExpr{Value: g.IntN(2) == 0}
	case 2:
		return &TextExpr{Value: g.pick("", "a b", "(", "it's", "§ }")}
	case 3:
		return &NameExpr{Name: "it"}
	}
	return &NameExpr{Name: g.name()}
}

// print writes a tree with random spaces and random brackets besides those
// that it needs.
func (g generator) print(e Expr, need int) string {
	s, has := g.plain(e)
	if has < need || g.IntN(8) == 0 {
		return "(" + g.space() + s + g.space() + ")"
	}
	return s
}

func (g generator) space() string { return g.pick("", "", "", " ", "\n", "\r\n\t") }

func (g generator) gap() string { return g.pick(" ", " ", "  ", "\n") }

func (g generator) plain(e Expr) (text string, has int) {
	switch e := e.(type) {
	case *NameExpr:
		return e.Name, postfix
	case *IntExpr:
		return strconv.FormatInt(e.Value, 10), postfix - 1
	case *BoolExpr:
		return strconv.FormatBool(e.Value), postfix - 1
	case *TextExpr:
		return strconv.Quote(e.Value), postfix - 1
	case *UnaryExpr:
		if in, ok := e.X.(*BinaryExpr); ok && e.Op == "not" && in.Op == "in" && g.IntN(2) == 0 {
			return g.print(in.X, 21) + g.gap() + "not" + g.gap() + "in" + g.gap() + g.print(in.Y, 21), 20
		}
		level := prefix
		if e.Op == "not" {
			level = notLevel
		}
		return e.Op + g.gap() + g.print(e.X, level), level
	case *BinaryExpr:
		level := strength[e.Op]
		left := level
		if x, ok := e.X.(*BinaryExpr); level == 20 || ok && x.Op == "??" && e.Op != "??" {
			left = max(left+1, strength["??"]+1)
			if !ok || x.Op != "??" {
				left = level + 1
			}
		}
		return g.print(e.X, left) + g.gap() + e.Op + g.gap() + g.print(e.Y, level+1), level
	case *CondExpr:
		return g.print(e.If, 1) + g.gap() + "?" + g.gap() + g.print(e.Then, weakest) + g.gap() + ":" + g.gap() + g.print(e.Else, weakest), weakest
	case *MemberExpr:
		if e.Optional {
			return g.print(e.X, postfix) + g.space() + "?." + g.space() + e.Name, postfix
		}
		return g.owner(e.X) + "." + g.space() + e.Name, postfix
	case *IndexExpr:
		index := g.print(e.Index, weakest)
		if strings.HasPrefix(index, "-") {
			index = "(" + index + ")"
		}
		return g.print(e.X, postfix) + g.space() + "[" + index + "]", postfix
	case *CallExpr:
		head := e.Fn
		if e.Recv != nil {
			head = g.owner(e.Recv) + "." + e.Fn
		}
		return head + g.space() + "(" + g.list(e.Args) + ")", postfix
	case *ListExpr:
		return "[" + g.list(e.Items) + "]", postfix
	}
	panic("unknown node")
}

// owner writes what stands before a dot; `it` may be left out.
func (g generator) owner(e Expr) string {
	if n, ok := e.(*NameExpr); ok && n.Name == "it" && g.IntN(2) == 0 {
		return ""
	}
	return g.print(e, postfix) + g.space()
}

func (g generator) list(items []Expr) string {
	parts := make([]string, len(items))
	for i, e := range items {
		parts[i] = g.space() + g.print(e, weakest)
	}
	return strings.Join(parts, ",") + g.space()
}

func TestRandomFormulasRoundTrip(t *testing.T) {
	for seed := range uint64(4_000) {
		g := generator{rand.New(rand.NewPCG(seed, 7))}
		tree := g.tree(1 + g.IntN(4))
		src := g.print(tree, weakest)
		if len(src) > MaxFormula {
			continue
		}
		var ds source.List
		got := ParseExpr(text(src), &ds)
		if Dump(got) != Dump(tree) || len(ds) > 0 {
			t.Fatalf("seed %d: %q\n got %s %v\nwant %s", seed, src, Dump(got), ds, Dump(tree))
		}
		checkSpans(t, src, got)
	}
}

// checkSpans reads the text of every node again: it must give the node.
func checkSpans(t *testing.T, src string, e Expr) {
	t.Helper()
	notIn := map[Expr]bool{}
	walk(e, func(n Expr) {
		if u, ok := n.(*UnaryExpr); ok && u.X.Span() == u.Span() {
			notIn[u.X] = true
		}
		if n.Span().Text() == "." || notIn[n] {
			return
		}
		var ds source.List
		again := ParseExpr(text(n.Span().Text()), &ds)
		if Dump(again) != Dump(n) {
			t.Fatalf("%q: the node %s has the text %q, which reads %s %v", src, Dump(n), n.Span().Text(), Dump(again), ds)
		}
	})
}
