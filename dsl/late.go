package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// An Env says where a formula stands that is typed after loading: in an
// example, at the prompt, in a metric.
type Env struct {
	Seats  []string // names of the seats, in order; they mean these seats
	Owner  string   // variant whose private names are seen bare, "" for none
	Locals []*Local // more names, such as those of a pick
	Want   *Type    // what the formula must give; nil for anything
	// Lenient lets a formula read a field of what may be none, and use it where
	// a value is needed: in an example that is a fault, and shows itself.
	Lenient bool
}

// late returns a checker for one more formula. The program is shared and stays
// as it is; locals are numbered on from those of the program.
func (p *Program) late(env Env, ds *source.List) (*checker, scope) {
	c := *p.check
	prog := *p
	c.p, c.ds, c.path, c.lenient = &prog, ds, "", env.Lenient
	s := scope{owner: env.Owner, seats: map[string]int{}}
	for i, name := range env.Seats {
		s.seats[name] = i
	}
	for _, l := range env.Locals {
		s = s.with(l)
		prog.Locals = max(prog.Locals, l.ID+1)
	}
	return &c, s
}

// Formula types a formula that is not part of the rules. It returns nil after
// an error. Locals inside it have IDs from p.Locals on. It is safe to call
// from any goroutine.
func (p *Program) Formula(t syntax.Text, env Env, ds *source.List) *Expr {
	c, s := p.late(env, ds)
	before := len(*ds)
	x := syntax.ParseExpr(t, ds)
	if x == nil {
		return nil
	}
	want := Any
	if env.Want != nil {
		want = *env.Want
	}
	e := c.expect(c.expr(s, x, want), want)
	if (*ds)[before:].HasErrors() {
		return nil
	}
	return e
}

// A Given is something that an example lays down: state, a zone, or whose turn
// it is.
type Given struct {
	Place  *Place // nil if it is something else
	Zone   *Expr  // OpZone, or nil
	Active bool   // `active`
}

// PlaceOf finds what the key of a `given` means. It returns nil after an
// error.
func (p *Program) PlaceOf(t syntax.Text, env Env, ds *source.List) *Given {
	c, s := p.late(env, ds)
	before := len(*ds)
	x := syntax.ParseExpr(t, ds)
	if x == nil {
		return nil
	}
	if name, ok := x.(*syntax.NameExpr); ok && name.Name == "active" {
		return &Given{Active: true}
	}
	e := c.expr(s, x, Any)
	if (*ds)[before:].HasErrors() {
		return nil
	}
	switch e.Op {
	case OpZone:
		return &Given{Zone: e}
	case OpState:
		if e.Type.Kind != KMap {
			return &Given{Place: placeOf(e, nil)}
		}
	case OpKey:
		if e.Args[0].Op == OpState {
			return &Given{Place: placeOf(e.Args[0], e.Args[1])}
		}
	}
	ds.Errorf("E0221", x.Span(), "`%s` cannot be given", t.Value).
		WithHelp("state, zones and `active` can")
	return nil
}

// SightOf finds what the key of a `sees` means: OpZone, or OpSpot for one place
// of a zone. It returns nil after an error.
func (p *Program) SightOf(t syntax.Text, env Env, ds *source.List) *Expr {
	c, s := p.late(env, ds)
	before := len(*ds)
	x := syntax.ParseExpr(t, ds)
	if x == nil {
		return nil
	}
	e := c.expr(s, x, Any)
	if e.Op != OpZone && e.Op != OpSpot && !(*ds)[before:].HasErrors() {
		ds.Errorf("E0221", x.Span(), "`%s` is no zone", t.Value).
			WithHelp("zones are seen, and single places of those that have places: `ZONE[2]`")
	}
	if (*ds)[before:].HasErrors() {
		return nil
	}
	return e
}

// Pieces reads what people write for pieces of a family, or `none`. It returns
// nil after an error.
func (p *Program) Pieces(t syntax.Text, fam *Family, ds *source.List) []PieceWord {
	c, _ := p.late(Env{}, ds)
	before := len(*ds)
	if strings.TrimSpace(t.Value) == "none" && fam != nil && !fam.hasWord("none") {
		return nil
	}
	out := c.pieceWords(t, fam)
	if (*ds)[before:].HasErrors() {
		return nil
	}
	return out
}

// hasWord reports whether a piece is called so.
func (f *Family) hasWord(word string) bool {
	_, face := faceOf(f, word)
	return face || f.lot(word) != nil
}

// Metric types a formula that is taken of games that are over. It returns nil
// after an error. It is safe to call from any goroutine.
func (p *Program) Metric(t syntax.Text, ds *source.List) *Expr {
	before := len(*ds)
	e := p.Formula(t, Env{Lenient: true}, ds)
	if e == nil {
		return nil
	}
	c, _ := p.late(Env{}, ds)
	c.measurable(e)
	if (*ds)[before:].HasErrors() {
		return nil
	}
	return e
}
