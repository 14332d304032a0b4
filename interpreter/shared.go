package interpreter

import "github.com/houserules/houserules/dsl"

// While the options of one decision are counted nothing changes, so that a
// define without parameters has one value, and a scorer one context.

// dear reports whether a formula takes long enough to keep the answer: it asks a
// scorer, or looks through a table.
func dear(e *dsl.Expr) bool {
	if e == nil {
		return false
	}
	if _, ok := e.Ref.(*dsl.Table); ok {
		return true
	}
	if d, ok := e.Ref.(*dsl.Define); ok && dear(d.Body) {
		return true
	}
	for _, a := range e.Args {
		if dear(a) {
			return true
		}
	}
	return asksScorer(e)
}

// asksScorer reports whether a formula asks a scorer, which is dear enough to
// keep the answer.
func asksScorer(e *dsl.Expr) bool {
	if e == nil {
		return false
	}
	if _, ok := e.Ref.(*dsl.Scorer); ok {
		return true
	}
	if d, ok := e.Ref.(*dsl.Define); ok && asksScorer(d.Body) {
		return true
	}
	for _, a := range e.Args {
		if asksScorer(a) {
			return true
		}
	}
	return false
}

// A shared is such a value.
type shared struct {
	asking int64 // the count during which it was worked out
	value  int64
}

func (lo *lowerer) shareWhileAsking(d *dsl.Define, f fn) val {
	at, ok := lo.g.sharedAt[d]
	if !ok {
		at = len(lo.g.sharedAt)
		lo.g.sharedAt[d] = at
	}
	return calc(func(m *Machine) int64 {
		if m.asking == 0 {
			return f(m)
		}
		if s := &m.shared[at]; s.asking == m.asking {
			return s.value
		}
		v := f(m)
		m.shared[at] = shared{m.asking, v}
		return v
	})
}
