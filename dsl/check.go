package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// A checker turns a merged tree into a [Program]. It works in three rounds:
// first every name is declared, then what stands under each name is read and
// typed, lazily where one name needs another, and at last what only the whole
// game can answer is asked: where phases lead, what nothing uses.
//
// A checker goes on after an error. What could not be typed gets the type
// [Any], which fits everywhere, so that one mistake gives one diagnostic.
type checker struct {
	p         *Program
	ds        *source.List
	path      string      // keys of what is being read, for diagnostics
	hookOrder merge.Order // of two variants, if somebody asks for one

	names        *table            // what formulas can mention
	seatFields   *table            // the x of p.x
	scopeFields  map[*Scope]*table // the x of game.x
	pieceFields  map[*Family]*table
	handles      map[string]string   // p.x of a variant: its id as a name -> its id
	needs        map[string][]string // variant -> variants whose names it may use bare
	flowNames    *table              // phases, actions and events
	moments      map[string]*moment  // by path
	actionScopes map[*Action]scope   // what formulas about an action see
	adjusts      map[*yamltree.Node][]adjustment
	sources      map[*Define]*defineSource
	comboBodies  map[*Combo]func(scope)
	pays         map[*Scorer]bool
	noFaces      map[*Family]bool // whose faces could not be read
	markSources  map[*Mark]*markSource
	setSpans     map[*Param]source.Span
	mentions     map[*Param]source.Span // in a sentence about a rule
	ways         *flowGraph             // between phases; nil after an error
	judged       []condition            // to be judged when all is known

	root, game, turn, player *Scope // the built-in scopes
	cited                    map[string]bool
	citations                []citation
	after                    []func() // what waits until all names are declared
	frozen                   bool     // the Program is done; only formulas are added
	opening                  bool     // the Program is an opening; see opening.go
	variants                 *Enum    // the variants that can be chosen, their ids as names
	inText                   bool     // in a sentence about a rule
	lenient                  bool     // see Env.Lenient
}

// A citation is one id in a `from`.
type citation struct {
	id   string
	span source.Span
}

func newChecker(p *Program, ds *source.List) *checker {
	return &checker{
		p: p, ds: ds,
		names:        newTable(),
		seatFields:   newTable(),
		scopeFields:  map[*Scope]*table{},
		pieceFields:  map[*Family]*table{},
		handles:      map[string]string{},
		needs:        map[string][]string{},
		flowNames:    newTable(),
		moments:      map[string]*moment{},
		actionScopes: map[*Action]scope{},
		adjusts:      map[*yamltree.Node][]adjustment{},
		sources:      map[*Define]*defineSource{},
		comboBodies:  map[*Combo]func(scope){},
		pays:         map[*Scorer]bool{},
		noFaces:      map[*Family]bool{},
		markSources:  map[*Mark]*markSource{},
		setSpans:     map[*Param]source.Span{},
		cited:        map[string]bool{},
		mentions:     map[*Param]source.Span{},
	}
}

// errorf adds an error that knows where in the rules it stands.
func (c *checker) errorf(code string, span source.Span, format string, args ...any) *source.Diagnostic {
	d := c.ds.Errorf(code, span, format, args...)
	d.Path = c.path
	return d
}

// warnf adds a warning that knows where in the rules it stands.
func (c *checker) warnf(code string, span source.Span, format string, args ...any) *source.Diagnostic {
	d := c.ds.Warnf(code, span, format, args...)
	d.Path = c.path
	return d
}

// in goes down to a path and returns the way back: defer c.in(path)().
func (c *checker) in(path string) func() {
	old := c.path
	c.path = path
	return func() { c.path = old }
}

// under goes down one key from where the checker is.
func (c *checker) under(key string) func() { return c.in(join(c.path, key)) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// later puts off work until all names are declared. It keeps the path.
func (c *checker) later(work func()) {
	path := c.path
	c.after = append(c.after, func() {
		defer c.in(path)()
		work()
	})
}

// runLater does what was put off, also what is put off meanwhile.
func (c *checker) runLater() {
	for len(c.after) > 0 {
		work := c.after[0]
		c.after = c.after[1:]
		work()
	}
}

// newLocal makes a local name with a number of its own.
func (c *checker) newLocal(name string, t Type, span source.Span) *Local {
	l := &Local{Name: name, Type: t, Span: span, ID: c.p.Locals}
	c.p.Locals++
	return l
}

// textOf returns a scalar as a text to parse.
func textOf(n *yamltree.Node) syntax.Text {
	return syntax.Text{Value: n.Text, Span: n.SpanOf}
}

// snake returns a kebab-case id as a name inside formulas.
func snake(id string) string { return strings.ReplaceAll(id, "-", "_") }
