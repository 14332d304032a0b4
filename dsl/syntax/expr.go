package syntax

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/houserules/houserules/dsl/source"
)

// ParseExpr reads a formula. After an error it returns nil; it reports at most
// one error.
//
// The work is shared: our lexer and shape check decide what may stand where,
// with our words for what may not; expr's parser gives the tree. It is handed
// every name as v0, v1, .. (the number of the token), so that none of expr's
// own functions and words can get in the way.
func ParseExpr(t Text, ds *source.List) Expr {
	if len(t.Value) > MaxFormula {
		ds.Errorf("E0201", t.Span(MaxFormula, len(t.Value)), "this formula is too long").WithHelp("at most %d bytes; give parts of it a name under `define`", MaxFormula)
		return nil
	}
	toks, ok := lexFormula(t, ds)
	if !ok {
		return nil
	}
	sh, ok := shapeFormula(t, toks, ds)
	if !ok {
		return nil
	}
	text, starts := sh.render()
	tree, err := parser.Parse(text)
	c := converter{shape: sh, starts: starts, ds: ds}
	if err != nil {
		c.failure(err)
		return nil
	}
	e := c.convert(tree.Node)
	if c.bad {
		return nil
	}
	return e.expr
}

// render writes the tokens for expr. starts maps the offset of each token in
// the text to its index. The text is ASCII: offsets are the same in runes.
func (s *shape) render() (string, map[int]int) {
	var b strings.Builder
	starts := make(map[int]int, len(s.toks))
	for i, t := range s.toks {
		starts[b.Len()] = i
		switch t.kind {
		case tokName:
			b.WriteString("v" + strconv.Itoa(i))
		case tokText:
			b.WriteString(`"` + strconv.Itoa(i) + `"`)
		default:
			b.WriteString(t.text)
		}
		b.WriteByte(' ')
	}
	return b.String(), starts
}

// A part is a converted node with the tokens it covers, without brackets
// around it.
type part struct {
	expr     Expr
	from, to int // first and last token
}

type converter struct {
	*shape
	starts map[int]int
	ds     *source.List
	bad    bool
}

// failure reports an error of expr in our words. The shape check leaves only
// one: `??` mixed with other operators.
func (c *converter) failure(err error) {
	var fe *file.Error
	if errors.As(err, &fe) {
		if i, ok := c.starts[fe.From]; ok {
			t := c.toks[i]
			d := c.ds.Errorf("E0201", c.text.Span(t.from, t.to), "unexpected `%s`", t.text)
			if t.kind == tokOp {
				d.Message = fmt.Sprintf("`??` and `%s` need brackets", t.text)
				d.WithHelp("write `(a ?? b) %s c`", t.text)
			}
			return
		}
	}
	c.ds.Errorf("E0201", c.text.Whole(), "this formula cannot be read")
}

// grouped reports whether the tokens from..to stand in brackets of their own.
func (c *converter) grouped(from, to int) bool {
	return from > 0 && c.group[from-1] && c.match[from-1] == to+1
}

// outer widens a part to the brackets around it.
func (c *converter) outer(p part) (from, to int) {
	from, to = p.from, p.to
	for c.grouped(from, to) {
		from, to = from-1, to+1
	}
	return from, to
}

func (c *converter) place(from, to int) at {
	return at{c.text.Span(c.toks[from].from, c.toks[to].to)}
}

func (c *converter) source(from, to int) string {
	return c.text.Value[c.toks[from].from:c.toks[to].to]
}

// token returns the index of the token at which expr places a node.
func (c *converter) token(n ast.Node) int { return c.starts[n.Location().From] }

// convert turns a node and all below it into ours. After an error it does
// nothing more: expr shares the middle of a < b < c between two nodes, so that
// nested ones would be visited again and again.
func (c *converter) convert(n ast.Node) part {
	if c.bad {
		return part{}
	}
	i := c.token(n)
	t := c.toks[i]
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return part{&NameExpr{c.place(i, i), t.text}, i, i}
	case *ast.IntegerNode:
		return part{&IntExpr{c.place(i, i), t.number}, i, i}
	case *ast.BoolNode:
		return part{&BoolExpr{c.place(i, i), n.Value}, i, i}
	case *ast.StringNode:
		return part{&TextExpr{c.place(i, i), t.value}, i, i}
	case *ast.ChainNode:
		return c.convert(n.Node)
	case *ast.UnaryNode:
		return c.unary(n, i)
	case *ast.BinaryNode:
		return c.binary(n, i)
	case *ast.ConditionalNode:
		return c.conditional(n)
	case *ast.MemberNode:
		return c.member(n, i)
	case *ast.CallNode:
		return c.call(n, i)
	case *ast.ArrayNode:
		to := c.match[i]
		return part{&ListExpr{c.place(i, to), c.convertAll(n.Nodes)}, i, to}
	}
	c.bad = true
	c.ds.Errorf("E0216", c.text.Span(t.from, t.to), "`%s` is not a part of formulas", t.text)
	return part{nil, i, i}
}

func (c *converter) convertAll(nodes []ast.Node) []Expr {
	out := make([]Expr, len(nodes))
	for i, n := range nodes {
		out[i] = c.convert(n).expr
	}
	return out
}

func (c *converter) unary(n *ast.UnaryNode, i int) part {
	x := c.convert(n.Node)
	if in, ok := n.Node.(*ast.BinaryNode); ok && in.Location() == n.Location() { // a not in b
		return part{&UnaryExpr{c.place(x.from, x.to), n.Operator, x.expr}, x.from, x.to}
	}
	_, to := c.outer(x)
	return part{&UnaryExpr{c.place(i, to), n.Operator, x.expr}, i, to}
}

func (c *converter) binary(n *ast.BinaryNode, i int) part {
	if n.Operator == "&&" {
		return c.chained(n)
	}
	x, y := c.convert(n.Left), c.convert(n.Right)
	from, _ := c.outer(x)
	_, to := c.outer(y)
	op := i
	if n.Operator == "in" && c.toks[i-1].text == "not" && c.toks[i-1].kind == tokOp {
		op = i - 1
	}
	return part{&BinaryExpr{c.place(from, to), n.Operator, x.expr, y.expr, c.place(op, i).Place, c.grouped(from, to)}, from, to}
}

// chained refuses a < b < c, which expr turns into (a < b) && (b < c).
func (c *converter) chained(n *ast.BinaryNode) part {
	var says []string
	for _, side := range []ast.Node{n.Left, n.Right} {
		if cmp, ok := side.(*ast.BinaryNode); ok && cmp.Operator != "&&" {
			x, y := c.convert(cmp.Left), c.convert(cmp.Right)
			if c.bad {
				break
			}
			xf, xt := c.outer(x)
			yf, yt := c.outer(y)
			says = append(says, c.source(xf, xt)+" "+cmp.Operator+" "+c.source(yf, yt))
		} else {
			c.convert(side)
		}
	}
	t := c.toks[c.token(n.Right)]
	if !c.bad {
		c.bad = true
		d := c.ds.Errorf("E0216", c.text.Span(t.from, t.to), "comparisons cannot be chained")
		if len(says) == 2 {
			d.WithHelp("write `%s and %s`", says[0], says[1])
		}
	}
	return part{nil, c.token(n), c.token(n)}
}

func (c *converter) conditional(n *ast.ConditionalNode) part {
	cond, then, els := c.convert(n.Cond), c.convert(n.Exp1), c.convert(n.Exp2)
	from, _ := c.outer(cond)
	_, to := c.outer(els)
	return part{&CondExpr{c.place(from, to), cond.expr, then.expr, els.expr}, from, to}
}

func (c *converter) member(n *ast.MemberNode, i int) part {
	x := c.convert(n.Node)
	from, _ := c.outer(x)
	if c.toks[i].kind == tokOpen {
		to := c.match[i]
		return part{&IndexExpr{c.place(from, to), x.expr, c.convert(n.Property).expr}, from, to}
	}
	m := &MemberExpr{c.place(from, i), x.expr, c.toks[i].text, c.place(i, i).Place, n.Optional}
	return part{m, from, i}
}

func (c *converter) call(n *ast.CallNode, i int) part {
	call := &CallExpr{Fn: c.toks[i].text, FnSpan: c.place(i, i).Place}
	from, to := i, c.match[i+1]
	if m, ok := n.Callee.(*ast.MemberNode); ok {
		recv := c.convert(m.Node)
		from, _ = c.outer(recv)
		call.Recv = recv.expr
	}
	call.Args = c.convertAll(n.Arguments)
	call.at = c.place(from, to)
	return part{call, from, to}
}
