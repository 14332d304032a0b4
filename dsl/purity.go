package dsl

import "github.com/houserules/houserules/dsl/source"

// visit calls f for a formula and all below it until f says false.
func visit(e *Expr, f func(*Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, a := range e.Args {
		visit(a, f)
	}
}

// A purity says what a formula may read.
type purity struct {
	what    string      // "a combination", for messages
	allowed map[Op]bool // of the operations below
	help    string
}

// sensitive are the operations that read the game rather than their arguments.
var sensitive = map[Op]string{
	OpState: "state", OpNumber: "how often something has started", OpZone: "where pieces lie", OpMe: "`me`",
	OpActive: "`active`", OpPlayers: "who is out", OpSeats: "the seats", OpOthers: "`others`", OpWinners: "`winners`",
	OpOver: "`over`", OpEveryone: "the number of players", OpParam: "params", OpFamily: "pieces", OpAttr: "attributes",
	OpMark: "marks", OpSpot: "where pieces lie", OpPlace: "where pieces lie",
	OpPoints: "a scorer", OpAllScore: "a scorer", OpAnyScore: "a scorer", OpMost: "a scorer", OpIs: "a scorer",
}

var (
	// fixed is what stands fast before a game: params and the number of players.
	fixed = purity{"a rule", map[Op]bool{OpParam: true, OpEveryone: true, OpFamily: true, OpAttr: true},
		"it may read params and the number of players"}
	// fixedCondition is the same for conditions on params.
	fixedCondition = purity{"a condition on params", fixed.allowed, fixed.help}
	// fixedGhost is the same for whether there is a ghost.
	fixedGhost = purity{"the `when` of a ghost", fixed.allowed, fixed.help}
	// constant is what a default may read.
	constant = purity{"a default", map[Op]bool{OpEveryone: true}, "it may read the number of players"}
	// starting is what the start of a state may read.
	starting = purity{"the start of a state", map[Op]bool{OpParam: true, OpEveryone: true, OpFamily: true, OpAttr: true,
		OpPoints: true, OpAllScore: true, OpAnyScore: true, OpMost: true, OpIs: true, OpSeats: true, OpGhost: true},
		"it may read params and the number of players"}
	// combination is what a combination may read.
	combination = purity{"a combination", map[Op]bool{OpParam: true, OpEveryone: true, OpFamily: true, OpAttr: true},
		"hand it in as a fact of the moment: `knows: {name: ..}`"}
	// byNumber is what the formula of an attribute may read.
	byNumber = purity{"an attribute", map[Op]bool{OpParam: true, OpEveryone: true, OpAttr: true},
		"it may read `number`, params and attributes before it"}
	// byPiece is what the default of a mark may read.
	byPiece = purity{"the default of a mark", byNumber.allowed, "it may read attributes of the piece and params"}
	// byKind is the same for pieces with kinds.
	byKind = purity{"an attribute", byNumber.allowed, "it may read `.kind`, other attributes and params"}
)

// pure reports what a formula reads and may not, one finding a formula.
func (c *checker) pure(e *Expr, p purity) {
	if e == nil {
		return
	}
	op, at := c.impurity(e, p, map[any]bool{})
	if at.IsZero() {
		return
	}
	c.errorf("E0225", at, "%s may not read %s", p.what, sensitive[op]).WithHelp("%s", p.help)
}

func (c *checker) impurity(e *Expr, p purity, seen map[any]bool) (op Op, at source.Span) {
	visit(e, func(e *Expr) bool {
		if !at.IsZero() {
			return false
		}
		if _, ok := sensitive[e.Op]; ok && !p.allowed[e.Op] {
			op, at = e.Op, e.Span
		}
		if ref, _, bodies := called(e); ref != nil && !seen[ref] {
			seen[ref] = true
			for _, b := range bodies {
				if inner, in := c.impurity(b, p, seen); !in.IsZero() && at.IsZero() {
					op, at = inner, e.Span
				}
			}
		}
		return at.IsZero()
	})
	return op, at
}

// readsMe reports whether a define reads who is asking.
func readsMe(d *Define) bool { return reads(d.Body, map[any]bool{}, OpMe, OpOthers) }

// reads reports whether a formula uses one of some operations, also by way of
// defines and tables.
func reads(e *Expr, seen map[any]bool, ops ...Op) bool {
	found := false
	visit(e, func(e *Expr) bool {
		for _, op := range ops {
			found = found || e.Op == op
		}
		if ref, _, bodies := called(e); ref != nil && !seen[ref] {
			seen[ref] = true
			for _, b := range bodies {
				found = found || reads(b, seen, ops...)
			}
		}
		return !found
	})
	return found
}

// readsLocals reports whether a formula uses one of some locals.
func readsLocals(e *Expr, locals map[*Local]bool) bool {
	found := false
	visit(e, func(e *Expr) bool {
		if l, ok := e.Ref.(*Local); ok && e.Op == OpLocal {
			found = found || locals[l]
		}
		return !found
	})
	return found
}

// substitute returns e with a local replaced by a formula.
func substitute(e *Expr, l *Local, by *Expr) *Expr {
	if e == nil {
		return nil
	}
	if e.Op == OpLocal && e.Ref == any(l) {
		return by
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		out.Args = append(out.Args, substitute(a, l, by))
	}
	return &out
}
