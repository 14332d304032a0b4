package dsl

import (
	"fmt"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// A scope is what a formula sees: whose file it stands in, the locals around
// it, and what is known not to be none. Scopes are extended by copying; the
// chain of locals is shared.
type scope struct {
	owner  string
	locals *frame
	it     *Local // nil where no element is looked at
	me     *Local // the owner, inside a derived field; nil means the usual `me`
	facts  *fact
	seats  map[string]int  // names of seats, in examples
	picks  map[*Local]bool // what the action asks for
	blind  map[*Local]bool // those of them that the seat which picks cannot see
}

// A frame is one local in a chain.
type frame struct {
	local *Local
	up    *frame
}

// A fact is the key of a formula that is known not to be none.
type fact struct {
	key string
	up  *fact
}

func (s scope) find(name string) *Local {
	for f := s.locals; f != nil; f = f.up {
		if f.local.Name == name {
			return f.local
		}
	}
	return nil
}

// with returns the scope with one more local.
func (s scope) with(l *Local) scope {
	s.locals = &frame{l, s.locals}
	return s
}

// withIt returns the scope with another element to look at.
func (s scope) withIt(l *Local) scope {
	s.it = l
	return s
}

// knowing returns the scope with more facts.
func (s scope) knowing(keys []string) scope {
	for _, k := range keys {
		s.facts = &fact{k, s.facts}
	}
	return s
}

func (s scope) knows(key string) bool {
	if key == "" {
		return false
	}
	for f := s.facts; f != nil; f = f.up {
		if f.key == key {
			return true
		}
	}
	return false
}

// forgetState drops the facts about state, after something may have written.
func (s scope) forgetState() scope {
	var kept *fact
	for f := s.facts; f != nil; f = f.up {
		if f.key[0] == 'L' {
			kept = &fact{f.key, kept}
		}
	}
	s.facts = kept
	return s
}

// bind adds a local to a scope after asking that the name is free.
func (c *checker) bind(s scope, l *Local) scope {
	if old := s.find(l.Name); old != nil {
		c.taken(l, old.Span)
	} else if sym := c.names.find(l.Name, s.owner, c.needs[s.owner]); sym != nil {
		c.taken(l, sym.span)
	}
	return s.with(l)
}

func (c *checker) taken(l *Local, old source.Span) {
	d := c.errorf("E0223", l.Span, "the name `%s` is taken", l.Name)
	d.WithHelp("choose another name; a name never hides another")
	if old.IsZero() {
		d.WithLabel("`%s` is a word of the language", l.Name)
	} else {
		d.WithRelated(old, "`%s` is declared here", l.Name)
	}
}

// keyOf names the thing that a formula reads, if reading it twice must give
// the same value while nothing is written: a local, or state by way of names.
// Keys of locals alone begin with L. Other formulas have the key "".
func keyOf(e *Expr) string {
	switch e.Op {
	case OpLocal:
		return fmt.Sprintf("L%d", e.Ref.(*Local).ID)
	case OpMe:
		return "Sme"
	case OpActive:
		return "Sactive"
	case OpConst:
		return fmt.Sprintf("C%d", e.Int)
	case OpParam:
		return fmt.Sprintf("L%p", e.Ref)
	case OpAttr:
		return attrKey(e)
	case OpState, OpMark, OpZone, OpCall, OpTable, OpKey:
		return stateKey(e)
	}
	return ""
}

// attrKey is the key of an attribute, which lasts as long as the piece is the
// same; only faces change.
func attrKey(e *Expr) string {
	piece := keyOf(e.Args[0])
	if piece == "" || e.Ref.(*Attr).IsFace {
		return ""
	}
	return fmt.Sprintf("%s.%p", piece, e.Ref)
}

// stateKey is the key of what may change as soon as something is written.
func stateKey(e *Expr) string {
	key := fmt.Sprintf("S%p", e.Ref)
	if e.Ref == nil {
		key = fmt.Sprintf("Sop%d", e.Op)
	}
	for _, a := range e.Args {
		arg := keyOf(a)
		if arg == "" {
			return ""
		}
		key += "(" + arg + ")"
	}
	return key
}

// narrow returns the keys of what is not none when e has the given truth.
func narrow(e *Expr, truth bool) []string {
	switch {
	case e.Op == OpNot:
		return narrow(e.Args[0], !truth)
	case e.Op == OpAnd && truth, e.Op == OpOr && !truth:
		return append(narrow(e.Args[0], truth), narrow(e.Args[1], truth)...)
	case e.Op == OpEq && truth, e.Op == OpNe && !truth:
		return equalToSomething(e.Args[0], e.Args[1])
	case e.Op == OpEq, e.Op == OpNe:
		return unlikeNone(e.Args[0], e.Args[1])
	case e.Op == OpIn && truth && e.Args[0].Type.Maybe:
		return keys(e.Args[0])
	}
	return nil
}

func equalToSomething(x, y *Expr) []string {
	switch {
	case x.Type.Maybe && !y.Type.Maybe:
		return keys(x)
	case y.Type.Maybe && !x.Type.Maybe:
		return keys(y)
	}
	return nil
}

func unlikeNone(x, y *Expr) []string {
	switch {
	case y.Type.Kind == KNone:
		return keys(x)
	case x.Type.Kind == KNone:
		return keys(y)
	}
	return nil
}

func keys(e *Expr) []string {
	if k := keyOf(e); k != "" {
		return []string{k}
	}
	return nil
}

// isLoose reports whether a name means nothing by itself here, so that it may
// be an option, a face or a kind, found by what it is compared with.
func (c *checker) isLoose(s scope, x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.NameExpr:
		if _, ok := s.seats[x.Name]; ok {
			return false
		}
		return s.find(x.Name) == nil && c.names.find(x.Name, s.owner, c.needs[s.owner]) == nil
	case *syntax.ListExpr:
		for _, item := range x.Items {
			if c.isLoose(s, item) {
				return true
			}
		}
	case *syntax.CondExpr:
		return c.isLoose(s, x.Then) || c.isLoose(s, x.Else)
	}
	return false
}
