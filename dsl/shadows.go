package dsl

// This file looks for rows of tables that the rows above leave nothing to, and
// for combinations of a scorer that another one is always better than.

// rows reports rows that are never looked at.
func (j *judge) rows(t *Table) {
	if t.Sum {
		return // every row counts
	}
	for i, row := range t.Rows {
		if !j.may(row.Span) {
			continue
		}
		for _, above := range t.Rows[:i] {
			if above.Find == FindNothing && j.implies(row.When, above.When) {
				d := j.c.warnf("W0503", row.Span, "the row `%s` is never reached", row.Name)
				d.Path = row.Path
				d.WithRelated(above.Span, "`%s` applies first, whenever this one would", above.Name).
					WithHelp("put `%s` above it, or take it out", row.Name)
				break
			}
		}
	}
}

// implies reports whether b holds for certain whenever a does; a condition that
// is nil always holds.
func (j *judge) implies(a, b *Expr) bool {
	if b == nil {
		return true
	}
	if v, ok := j.r.truth(b); ok && v && b.Op != OpConst {
		return true
	}
	switch {
	case b.Op == OpAnd:
		return j.implies(a, b.Args[0]) && j.implies(a, b.Args[1])
	case a == nil:
		return false
	case sameFormula(a, b):
		return true
	case a.Op == OpAnd:
		return j.implies(a.Args[0], b) || j.implies(a.Args[1], b)
	case a.Op == OpOr:
		return j.implies(a.Args[0], b) && j.implies(a.Args[1], b)
	case b.Op == OpOr:
		return j.implies(a, b.Args[0]) || j.implies(a, b.Args[1])
	}
	return j.within(a, b)
}

// within reports whether one comparison with a number that stands fast follows
// from another one of the same thing, as `n > 2` from `n > 5`.
func (j *judge) within(a, b *Expr) bool {
	x, in, ok := interval(a)
	y, out, ok2 := interval(b)
	return ok && ok2 && sameFormula(x, y) && in.lo >= out.lo && in.hi <= out.hi
}

// turned are comparisons read from right to left.
var turned = map[Op]Op{OpEq: OpEq, OpLt: OpGt, OpLe: OpGe, OpGt: OpLt, OpGe: OpLe}

// interval reads a comparison of something with a constant as the values that
// it lets through.
func interval(e *Expr) (of *Expr, l limits, ok bool) {
	op, known := turned[e.Op]
	if !known {
		return nil, limits{}, false
	}
	x, y := e.Args[1], e.Args[0]
	if y.Op != OpConst {
		x, y, op = y, x, e.Op
	}
	n := y.Int
	if y.Op != OpConst || x.Op == OpConst || n == None || y.Type.Kind == KAny || n == lowest || n == highest {
		return nil, limits{}, false
	}
	switch op {
	case OpEq:
		return x, limits{n, n, true}, true
	case OpLt:
		return x, limits{lowest, n - 1, true}, true
	case OpLe:
		return x, limits{lowest, n, true}, true
	case OpGt:
		return x, limits{n + 1, highest, true}, true
	}
	return x, limits{n, highest, true}, true
}

// sameFormula reports whether two formulas are the same but for where they
// stand.
func sameFormula(a, b *Expr) bool {
	if a.Op != b.Op || a.Int != b.Int || a.Ref != b.Ref || len(a.Args) != len(b.Args) || a.Type.Kind == KAny {
		return false
	}
	for i := range a.Args {
		if !sameFormula(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}

// combos reports combinations that are never the best.
func (j *judge) combos(sc *Scorer) {
	for _, combo := range sc.Combos {
		if !j.may(combo.Span) || combo.Points == nil {
			continue
		}
		for _, other := range sc.Combos {
			if other != combo && j.beats(other, combo) {
				d := j.c.warnf("W0504", combo.Span, "the combination `%s` is never the best", combo.Name)
				d.Path = combo.Path
				d.WithRelated(other.Span, "the same dice are worth as much or more as `%s`", other.Name).
					WithHelp("give it more points or another pattern, or take it out")
				break
			}
		}
	}
}

// beats reports whether whatever makes up one combination makes up another one
// as well, for which there is never less; of equals the first one counts.
func (j *judge) beats(better, worse *Combo) bool {
	if better.Where != nil || better.Points == nil || len(worse.Match) == 0 || len(better.Before)+len(better.After) > 0 {
		return false
	}
	for _, m := range worse.Match {
		if !j.covered(m, worse, better) {
			return false
		}
	}
	return true
}

// covered reports whether a pattern of faces that stand fast is one of another
// combination, too, for as many points or more.
func (j *judge) covered(m *Pattern, worse, better *Combo) bool {
	for _, item := range m.Items {
		if item.Letter != nil || item.CountLetter != nil {
			return false
		}
	}
	bad := j.r.of(worse.Points)
	for _, p := range better.Match {
		if !samePieces(m, p) {
			continue
		}
		good := j.r.of(better.Points)
		if bad.ok && good.ok && (good.lo > bad.hi || good.lo == bad.hi && better.Index < worse.Index) {
			return true
		}
	}
	return false
}

// samePieces reports whether two patterns want the same faces as often; letters
// and attributes are not looked into.
func samePieces(a, b *Pattern) bool {
	want := map[int64]int64{}
	for sign, p := range map[int64]*Pattern{1: a, -1: b} {
		for _, item := range p.Items {
			if item.Letter != nil || item.CountLetter != nil || len(item.Attrs) > 0 {
				return false
			}
			want[item.Face] += sign * item.Count
		}
	}
	for _, n := range want {
		if n != 0 {
			return false
		}
	}
	return true
}
