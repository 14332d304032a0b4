package dsl

import (
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// A symbol is a declared name. What it stands for may still have to be read;
// resolve does that at the first use.
type symbol struct {
	name, owner string // owner: variant, "" for the game
	what        string // "param", "zone", .. for messages
	span        source.Span
	ref         any // *Param, *Family, *Zone, *Scope, *Var, *Define, *Table, *Scorer, *Attr, *Mark, *Ghost, or builtin
	resolve     func()
	busy        bool
	used        bool
}

// A builtin is a name that the language brings along.
type builtin struct {
	op    Op
	t     Type
	about string // what it is
}

// A table is one namespace: names of the game, which all see, and names of
// each variant, which only the variant sees bare.
type table struct {
	public  map[string]*symbol
	private map[string]map[string]*symbol
	order   []*symbol
}

func newTable() *table {
	return &table{public: map[string]*symbol{}, private: map[string]map[string]*symbol{}}
}

// find looks a bare name up as a file of the owner sees it: its own names,
// then the game's, then those of the variants it needs.
func (t *table) find(name, owner string, needs []string) *symbol {
	if s := t.own(name, owner); s != nil {
		return s
	}
	if s := t.public[name]; s != nil {
		return s
	}
	for _, id := range needs {
		if s := t.private[id][name]; s != nil {
			return s
		}
	}
	return nil
}

// own looks a name up among those of one variant, or the game's for "".
func (t *table) own(name, owner string) *symbol {
	if owner == "" {
		return t.public[name]
	}
	return t.private[owner][name]
}

func (t *table) add(s *symbol) {
	t.order = append(t.order, s)
	if s.owner == "" {
		t.public[s.name] = s
		return
	}
	if t.private[s.owner] == nil {
		t.private[s.owner] = map[string]*symbol{}
	}
	t.private[s.owner][s.name] = s
}

// visible lists the names that a file of the owner may use bare, sorted.
func (t *table) visible(owner string, needs []string) []string {
	var out []string
	for name := range t.public {
		out = append(out, name)
	}
	for _, id := range append([]string{owner}, needs...) {
		for name := range t.private[id] {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// declare adds a symbol to a table, or says that the name is taken.
func (c *checker) declare(t *table, s *symbol) {
	if old := t.find(s.name, s.owner, nil); old != nil {
		d := c.errorf("E0223", s.span, "the name `%s` is taken", s.name)
		if old.span.IsZero() {
			d.WithLabel("`%s` is a word of the language", s.name)
		} else {
			d.WithRelated(old.span, "%s `%s` is declared here", old.what, s.name)
		}
		d.WithHelp("choose another name; a name never hides another")
		if old.span.IsZero() || t.own(s.name, s.owner) != nil {
			return
		}
	}
	t.add(s)
	if s.owner == "" {
		c.hidden(t, s)
	}
}

// hidden reports the names of variants, declared before, that hide this one.
func (c *checker) hidden(t *table, s *symbol) {
	for _, id := range sortedKeys(t.private) {
		if other := t.private[id][s.name]; other != nil {
			c.errorf("E0223", other.span, "the name `%s` is taken", s.name).
				WithRelated(s.span, "%s `%s` is declared here", s.what, s.name).
				WithHelp("choose another name; a name never hides another")
		}
	}
}

// settle makes sure that what a symbol stands for has been read. It reports
// false if that is going on right now: the name needs itself.
func (c *checker) settle(s *symbol) bool {
	if s.busy {
		return false
	}
	if s.resolve != nil {
		work := s.resolve
		text := c.inText
		s.resolve, s.busy, c.inText = nil, true, false
		work()
		s.busy, c.inText = false, text
	}
	c.use(s)
	return true
}

// use notes that the rules need a symbol; a sentence about a rule does not.
func (c *checker) use(s *symbol) {
	if !c.frozen && !c.inText && (!c.opening || c.inOpening()) {
		s.used = true
	}
}

// maxSuggested is up to how many findings suggest a word.
const maxSuggested = 100

// didYouMean adds suggestions to a diagnostic about an unknown word. where, if
// not nil, finds what a suggestion stands for.
func (c *checker) didYouMean(d *source.Diagnostic, word string, among []string, where func(string) *symbol) {
	if len(*c.ds) > maxSuggested {
		return // of so many nobody reads on, and each is compared with all names
	}
	near := source.Nearest(word, among)
	if len(near) == 0 {
		return
	}
	if len(near) > 1 {
		d.WithHelp("did you mean `%s`?", strings.Join(near, "` or `"))
		return
	}
	d.WithEdit(d.Span, near[0])
	if where != nil {
		if s := where(near[0]); s != nil && !s.span.IsZero() {
			d.WithHelp("did you mean the %s `%s`?", s.what, near[0])
			d.WithRelated(s.span, "`%s` is declared here", near[0])
			return
		}
	}
	d.WithHelp("did you mean `%s`?", near[0])
}

// builtins are the names that every game has.
var builtins = map[string]builtin{
	"me":       {OpMe, Seat, "the seat that is asked, or on whose behalf a script runs"},
	"active":   {OpActive, Seat, "the seat whose turn it is"},
	"everyone": {OpEveryone, SetOf(Seat), "all people, from the first"},
	"players":  {OpPlayers, SetOf(Seat), "the seats that are not out"},
	"seats":    {OpSeats, SetOf(Seat), "all people, and behind them the ghosts that are there"},
	"others":   {OpOthers, ListOf(Seat), "the players without `me`, in order from my left"},
	"winners":  {OpWinners, SetOf(Seat), "those who come first by the rank keys in force"},
	"over":     {OpOver, Bool, "whether the game is over"},
	"none":     {OpConst, Type{Kind: KNone, Maybe: true}, "the absence of a value"},
	"it":       {about: "the element looked at; a bare `.name` means `it.name`"},
	"true":     {about: "what holds"},
	"false":    {about: "what does not hold"},
}

// declareBuiltins adds the names, scopes and seat fields of the language.
func (c *checker) declareBuiltins() {
	for name, b := range builtins {
		c.names.add(&symbol{name: name, what: "word", ref: b, used: true})
	}
	c.root = c.addScope(&Scope{Info: Info{Name: "session", Path: "session"}}, nil)
	c.game = c.addScope(&Scope{Info: Info{Name: "game", Path: "game"}, In: c.root}, nil)
	c.turn = c.addScope(&Scope{Info: Info{Name: "turn", Path: "turn"}, In: c.game}, nil)
	c.player = c.addScope(&Scope{Info: Info{Name: "player", Path: "player"}, In: c.game, Player: true}, nil)
	out := &Var{Info: Info{Name: "out", Path: "state.player.out"}, Scope: c.player, Each: true, Type: Bool,
		Start: &Expr{Op: OpConst, Type: Bool}, Out: true}
	c.p.Vars = append(c.p.Vars, out)
	c.seatFields.add(&symbol{name: "out", what: "state", ref: out, used: true})
}

// addScope enters a scope under its name; s is nil for built-in ones.
func (c *checker) addScope(sc *Scope, s *symbol) *Scope {
	c.p.Scopes = append(c.p.Scopes, sc)
	c.scopeFields[sc] = newTable()
	if !sc.Player && sc.In != nil {
		sc.Number = &Var{Info: Info{Name: "number", Owner: sc.Owner, Path: sc.Path + ".number"}, Scope: sc.In, Type: Int}
	}
	switch {
	case s != nil:
		s.ref = sc
		c.declare(c.names, s)
	case !sc.Player:
		c.names.add(&symbol{name: sc.Name, what: "scope", ref: sc, used: true})
	}
	return sc
}
