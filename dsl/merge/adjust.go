package merge

import (
	"regexp"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// An Adjustment is a formula over `it` that a variant wraps around a value:
// `it` is what the value, with the adjustments before it, comes to.
type Adjustment struct {
	Owner   string // id of the variant, "" for a game that extends another
	Formula *yamltree.Node
	Path    Path // the thing adjusted
}

// An adjust is an adjustment on its way into the tree.
type adjust struct {
	path    Path // of the thing; the `is` of a define is left out
	owner   string
	label   string
	span    source.Span
	formula *yamltree.Node
}

func (c *collector) adjust(p *patcher, pair *yamltree.Pair) {
	l := c.existing(p, pair.Key)
	if l == nil {
		return
	}
	if c.inOpening(p, l.path, pair.Key.Span) {
		return
	}
	a := &adjust{path: l.path, owner: p.owner, label: p.label, span: pair.Key.Span, formula: pair.Value}
	if v := a.formula.Get("is"); v != nil {
		a.formula = v
	}
	if a.formula.Kind != yamltree.Scalar || a.formula.Empty || a.formula.Style == yamltree.Double {
		c.ds.Errorf("E0115", a.formula.Span, "an adjustment is a formula over `it`").
			WithHelp("for example `adjust: {%s: it + 1}`", pair.Key.Text)
		return
	}
	if n := len(a.path.Keys); n > 2 && kindOf(a.path.Keys[:n-1]) == Define && a.path.Keys[n-1] == "is" {
		a.path = Path{a.path.Root, a.path.Keys[:n-1]}
	}
	if target(a.path, l.node) == nil {
		d := c.ds.Errorf("E0115", pair.Key.Span, "`%s` is not a formula, so it cannot be adjusted", l.path).
			WithRelated(l.node.Span, "it is here")
		if l.path.Keys[0] == "params" {
			d.WithHelp("a param gets its value with `set`")
		} else {
			d.WithHelp("give it another value with `change`")
		}
		return
	}
	c.adjusts = append(c.adjusts, a)
}

// noFormula are the keys whose values are scripts, texts or names.
var noFormula = map[string]bool{"enter": true, "do": true, "then": true, "otherwise": true, "say": true, "write": true,
	"mark": true, "shout": true, "rule": true, "title": true, "from": true, "else": true, "match": true, "who": true,
	"spoils": true, "covers": true, "of": true, "pays": true, "begin": true, "first": true, "faces": true}

// target returns the node of a formula or lookup that an adjustment of the
// thing at a path wraps, or nil if there is none.
func target(p Path, n *yamltree.Node) *yamltree.Node {
	switch k := p.Kind(); {
	case k == Phase || k == Action || k == Event || k == Incident || k == ShowLine:
		return nil // a bare value is a script or a text
	case k == Other && noFormula[p.Name()]:
		return nil
	}
	if p.Kind() == Define || p.Kind() == Know || p.Kind() == GuardThing {
		if v := n.Get(shorthand[p.Kind()]); v != nil {
			n = v
		}
	}
	switch {
	case n == nil || n.Empty:
		return nil
	case n.Kind == yamltree.Scalar && n.Style != yamltree.Double:
		return n
	case n.Kind == yamltree.Map && p.Kind() == Define:
		return n // a lookup
	}
	return nil
}

// compose finds, for every thing adjusted by more than one file, whether the
// adjustments have one shape, so that their order cannot matter.
func compose(adjusts []*adjust, apart func(a, b string) bool, order Order, ds *source.List) {
	first := map[string]*adjust{}
	for _, a := range adjusts {
		k := a.path.key()
		f := first[k]
		if f == nil {
			first[k] = a
			continue
		}
		if _, settled := order.later(a.owner, f.owner); settled {
			continue
		}
		if s := shape(a.formula.Text); s != "" && s == shape(f.formula.Text) || apart(a.owner, f.owner) {
			continue
		}
		if equal(a.formula, f.formula) && a.owner != f.owner {
			// Even two equal ones must have a shape: both are applied.
			ds.Errorf("E0326", a.span, "%s and %s adjust `%s` in the same way, and both cannot apply", f.label, a.label, a.path).
				WithRelated(f.span, "%s adjusts it here", f.label).
				WithPair(f.owner, a.owner)
			continue
		}
		ds.Errorf("E0326", a.span, "%s and %s adjust `%s` in ways that do not go together", f.label, a.label, a.path).
			WithRelated(f.span, "%s adjusts it here", f.label).
			WithPair(f.owner, a.owner).
			WithHelp("adjustments compose if all are `it and ..`, all `it or ..` or all `it + ..`; or let one of them exclude the other")
	}
}

var token = regexp.MustCompile(`"[^"]*"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|\?\?|\?\.|\*\*|[=!<>]=|&&|\|\||[^\s]`)

// overElements are the functions in whose brackets `it` is an element.
var overElements = words("filter find find_last findLast map count any all one none sum highest lowest max min first last")

// looser lists, for each operator that composes, what binds less and would
// therefore tear `it OP rest` apart.
var looser = map[string][]string{
	"or":  {"?", ":"},
	"and": {"?", ":", "or", "||"},
	"+":   {"?", ":", "or", "||", "and", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "not", "..", "|"},
}

// shape returns the operator of a formula `it OP rest` with one of the
// operators that compose, or "" for any other formula.
func shape(formula string) string {
	ts := token.FindAllString(formula, -1)
	if len(ts) < 3 || ts[0] != "it" || looser[ts[1]] == nil {
		return ""
	}
	op := ts[1]
	var elements []bool // of each open bracket: whether `it` is an element there
	for i, t := range ts[2:] {
		switch {
		case t == "(" || t == "[" || t == "{":
			inner := len(elements) > 0 && elements[len(elements)-1]
			elements = append(elements, inner || t == "(" && has(overElements, ts[i+1]))
		case t == ")" || t == "]" || t == "}":
			if len(elements) == 0 {
				return ""
			}
			elements = elements[:len(elements)-1]
		case t == "it" && (len(elements) == 0 || !elements[len(elements)-1]):
			return ""
		case len(elements) == 0 && has(looser[op], t):
			return ""
		}
	}
	if len(elements) > 0 {
		return ""
	}
	return strings.TrimSpace(op)
}
