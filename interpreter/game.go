package interpreter

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// A Game is a program made ready to be played by a number of people. It is
// immutable and safe to share between goroutines; the machines it starts are
// not.
type Game struct {
	prog     *dsl.Program
	people   int
	ghosts   int
	seats    int                  // people and ghosts; people sit first
	everyone int64                // the set of all people
	ghostAt  map[*dsl.Ghost]int64 // the seat of a ghost, or dsl.None
	names    []string             // of ghosts

	slots      layout
	varSlot    map[*dsl.Var]int
	zoneSlot   map[*dsl.Zone]int
	numberSlot map[*dsl.Scope]int
	localSlot  map[*dsl.Local]int
	families   map[*dsl.Family]*family
	attrValues map[*dsl.Attr][]int64
	paramValue map[*dsl.Param]int64
	shownAttrs map[*dsl.Family][]*dsl.Attr
	scorers    map[*dsl.Scorer]*scorer
	classes    []*classes
	scoring    map[*scorer]int
	sharedAt   map[*dsl.Define]int
	remember   int // how many pieces bots remember, -1 for all
	statics    statics
	comboTexts map[*dsl.Combo][]*telling
	incidents  []*incident
	outSlot    int // first slot of the seats' `out`, or -1 if nothing sets it

	code           []instr
	quick          []step // the same, for games that nobody listens to
	quickCounting  []step // the same, for games that are counted into a tally
	settled        *sync.Once
	slow           *atomic.Bool // no quick runs: a table could not be filled
	entry          []int        // of phases
	ending         int
	begin          int // index of the phase where a turn begins
	incidentReturn int
	order          []*dsl.Event
	actions        int
	right, skip    fn
	rank           []rankKey
	recordRules    []recordRule
	turnReset      *resets
	initial        []int64
	shows          []show
	total          fn        // the running total of me, nil if the rules keep none
	lowest         bool      // the lowest total is the best
	cover          *Coverage // nil: nothing is counted
}

// New makes a program ready for a number of seats. The error is a *Fault that
// names the place, or says that so many cannot play; `require` guards of the
// program that fail are such errors too.
func New(p *dsl.Program, seats int) (g *Game, err error) { return NewCovered(p, seats, nil) }

// NewCovered is New for a game that counts what its rules make happen, which
// makes it slower. It counts nothing if c is nil.
func NewCovered(p *dsl.Program, seats int, c *Coverage) (g *Game, err error) {
	if seats < p.MinPlayers || seats > p.MaxPlayers || seats > MaxSeats {
		return nil, &PlayersError{Game: p.Title, Min: p.MinPlayers, Max: min(p.MaxPlayers, MaxSeats), Got: seats}
	}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*Fault)
			if !ok {
				panic(r)
			}
			if f.Span.IsZero() && len(p.Files) > 0 {
				f.Span = source.Span{File: p.Files[0]}
			}
			g, err = nil, f
		}
	}()
	if c != nil {
		c.Know(p)
	}
	g = &Game{prog: p, people: seats, seats: seats, cover: c, ghostAt: map[*dsl.Ghost]int64{}, settled: &sync.Once{}, slow: &atomic.Bool{}, everyone: 1<<uint(seats) - 1, outSlot: -1,
		families: map[*dsl.Family]*family{}, attrValues: map[*dsl.Attr][]int64{},
		paramValue: map[*dsl.Param]int64{}, scorers: map[*dsl.Scorer]*scorer{}, scoring: map[*scorer]int{}, sharedAt: map[*dsl.Define]int{},
		comboTexts: map[*dsl.Combo][]*telling{}, shownAttrs: map[*dsl.Family][]*dsl.Attr{}}
	if err := g.seatGhosts(); err != nil {
		return nil, err
	}
	if err := g.place(); err != nil {
		return nil, err
	}
	for _, v := range p.Vars {
		if v.Out && g.writes(v) {
			g.outSlot = g.varSlot[v]
		}
	}
	if err := g.demand(); err != nil {
		return nil, err
	}
	if err := g.memory(); err != nil {
		return nil, err
	}
	g.assemble()
	g.turns()
	g.ranks()
	g.shown()
	g.records()
	if c == nil {
		g.quicken()
	} else {
		g.settled.Do(func() {}) // what is counted is not in quick runs
		g.slow.Store(true)
	}
	return g, g.initialise()
}

// PlayersError says that so many people cannot play a game.
type PlayersError struct {
	Game     string
	Min, Max int
	Got      int
}

// Error names the numbers that can play.
func (e *PlayersError) Error() string {
	switch {
	case e.Min == 1 && e.Max == 1:
		return fmt.Sprintf("%s is for one player, not %d", e.Game, e.Got)
	case e.Min == e.Max:
		return fmt.Sprintf("%s is for %d players, not %d", e.Game, e.Min, e.Got)
	}
	return fmt.Sprintf("%s is for %d to %d players, not %d", e.Game, e.Min, e.Max, e.Got)
}

// Program returns the program that the game was made of.
func (g *Game) Program() *dsl.Program { return g.prog }

// Seats returns how many people play.
func (g *Game) Seats() int { return g.people }

// seatGhosts finds out which ghosts there are. They sit behind all people.
func (g *Game) seatGhosts() error {
	for _, h := range g.prog.Ghosts {
		there := int64(1)
		if h.When != nil {
			var err error
			if there, err = g.constant(h.When); err != nil {
				return err
			}
		}
		g.ghostAt[h] = dsl.None
		if there == 0 {
			continue
		}
		if g.seats >= MaxSeats {
			return &Fault{Message: fmt.Sprintf("there are more than %d seats", MaxSeats), Span: h.Span}
		}
		g.ghostAt[h] = int64(g.seats)
		g.seats++
		g.ghosts++
		g.names = append(g.names, h.Label())
	}
	return nil
}

// allSeats is the set of the people and the ghosts.
func (g *Game) allSeats() int64 { return 1<<uint(g.seats) - 1 }

// demand tests the conditions on params and the number of players.
func (g *Game) demand() error {
	for _, r := range g.prog.Require {
		v, err := g.constant(r.That)
		if err != nil {
			return err
		}
		if v == 0 {
			msg := "the options do not go together: " + r.Label()
			if r.Else != nil {
				msg = (&lowerer{g: g}).template(r.Else)(&Machine{g: g, s: make([]int64, g.slots.n)})
			}
			return &Fault{Message: msg, Span: r.Span}
		}
	}
	return nil
}

// writes reports whether some script writes a variable.
func (g *Game) writes(v *dsl.Var) bool {
	found := false
	eachScript(g.prog, func(s *dsl.Script) {
		eachStmt(s, func(st *dsl.Stmt) {
			if st.Place != nil && st.Place.Var == v {
				found = true
			}
		})
	})
	return found
}

func (g *Game) turns() {
	lo := &lowerer{g: g}
	t := g.prog.Turns
	if t.Begin != nil {
		g.begin = t.Begin.Index
	}
	if t.Right != nil {
		if v := lo.expr(t.Right); !v.konst || v.c != 0 {
			g.right = v.f
		}
	}
	if t.Skip != nil {
		if v := lo.expr(t.Skip); !v.konst || v.c != 0 {
			g.skip = v.f
		}
	}
	for _, s := range g.prog.Scopes {
		if s.Name == "turn" && s.Owner == "" {
			g.turnReset = g.reset(lo, s)
		}
	}
}

// show is a line above the prompt.
type show struct {
	*dsl.ShowLine
	text func(m *Machine) string
	when fn
}

func (g *Game) shown() {
	lo := &lowerer{g: g}
	for _, s := range g.prog.Show {
		r := show{ShowLine: s}
		if s.Track != nil {
			r.text = lo.track(s)
		} else {
			r.text = lo.template(s.Text)
		}
		if s.When != nil {
			r.when = lo.expr(s.When).f
		}
		g.shows = append(g.shows, r)
	}
	// An attribute is part of how pieces are written if a rule in force tells
	// pieces apart by it.
	for _, f := range g.prog.Families {
		for _, a := range f.Attrs {
			if !a.IsFace && g.reads(a) {
				g.shownAttrs[f] = append(g.shownAttrs[f], a)
			}
		}
	}
}

// reads reports whether any formula or pattern in force reads an attribute.
func (g *Game) reads(a *dsl.Attr) bool {
	for _, s := range g.prog.Scorers {
		for _, b := range s.Reads {
			if a == b {
				return true
			}
		}
	}
	found := false
	eachExpr(g.prog, func(e *dsl.Expr) {
		if e.Op == dsl.OpAttr && e.Ref == a {
			found = true
		}
	})
	return found
}

// initialise computes the state in which every game begins.
func (g *Game) initialise() (err error) {
	g.initial = make([]int64, g.slots.n)
	m := &Machine{g: g, s: g.initial, cache: g.newCache(), memo: make([]keyMemo, len(g.classes)), faces: 1}
	defer m.recoverFault(&err)
	for _, f := range g.families {
		if f.cards != nil {
			f.cards.begin(m)
			continue
		}
		for i := range f.count {
			g.initial[f.faceSlot+i] = f.sides[0]
		}
	}
	lo := &lowerer{g: g}
	for _, z := range g.prog.Zones {
		if z.Starts == nil {
			continue
		}
		if c := g.families[z.Family].cards; c != nil {
			over := lo.over(z.Starts)
			g.grow(m)
			it := over(m)
			for p, ok := it.next(); ok; p, ok = it.next() {
				c.goTo(m, int(p), c.number[z])
			}
			continue
		}
		starts := lo.pieces(z.Starts)
		g.grow(m)
		set := starts(m)
		for i := g.families[z.Family].zoneLo; i < g.families[z.Family].zoneHi; i++ {
			g.initial[i] &^= set
		}
		g.initial[g.zoneSlot[z]] |= set
	}
	for _, s := range g.prog.Scopes {
		if s.In == nil && !s.Player {
			r := g.reset(lo, s)
			g.grow(m)
			r.run(m)
		}
		switch s.Name {
		case "session", "game", "turn":
			g.initial[g.numberSlot[s]] = 1
		}
	}
	g.initial[slotPC] = int64(g.entry[0])
	return nil
}

// grow makes room for slots that lowering has reserved meanwhile.
func (g *Game) grow(m *Machine) {
	for len(g.initial) < g.slots.n {
		g.initial = append(g.initial, 0)
	}
	m.s = g.initial
}

// resets puts the variables of a scope, and of all inside it, to their start.
type resets struct {
	scope   *dsl.Scope
	fixed   []fixedStart
	dynamic []dynamicStart
	number  int   // slot of the scope's counter, or -1
	inner   []int // slots of the counters of the scopes inside
}

type fixedStart struct {
	slot, n int
	value   int64
}

// dynamicStart is what a formula starts: a variable, or that of each seat, at
// a distance of stride. For a map the formula is the value at all of its keys.
type dynamicStart struct {
	slot   int
	each   bool
	stride int
	keys   int // 0 if it is no map
	f      fn
}

func (g *Game) reset(lo *lowerer, s *dsl.Scope) *resets {
	r := &resets{scope: s, number: g.numberSlot[s]}
	inside := func(t *dsl.Scope) bool {
		for ; t != nil; t = t.In {
			if t == s {
				return true
			}
		}
		return false
	}
	for _, t := range g.prog.Scopes {
		if t != s && inside(t) {
			r.inner = append(r.inner, g.numberSlot[t])
		}
	}
	for _, v := range g.prog.Vars {
		if !inside(v.Scope) {
			continue
		}
		n := 1
		if v.Each {
			n = g.seats
		}
		size, keys := g.varSize(v), 0
		if v.Type.Kind == dsl.KMap {
			keys = g.keys(v.Type)
			for k := range n {
				r.fixed = append(r.fixed, fixedStart{g.varSlot[v] + k*size, 1, int64(keys)})
			}
		}
		x := konst(0)
		switch {
		case v.Type.Kind == dsl.KList: // it starts empty
			for k := range n {
				r.fixed = append(r.fixed, fixedStart{g.varSlot[v] + k*size, 1, 0})
			}
			continue
		case v.Start != nil:
			x = lo.expr(v.Start)
			if v.Type.Kind == dsl.KSet && v.Start.Type.Kind == dsl.KList {
				x = calc(setOfList(x.f))
			}
		case v.Type.Maybe:
			x = konst(dsl.None)
		}
		switch {
		case !x.konst:
			r.dynamic = append(r.dynamic, dynamicStart{g.varSlot[v], v.Each, size, keys, x.f})
		case keys > 0:
			for k := range n {
				r.fixed = append(r.fixed, fixedStart{g.varSlot[v] + k*size + 1, keys, x.c})
			}
		default:
			r.fixed = append(r.fixed, fixedStart{g.varSlot[v], n, x.c})
		}
	}
	return r
}

func (r *resets) run(m *Machine) {
	for i := range r.fixed {
		f := &r.fixed[i]
		for k := range f.n {
			m.s[f.slot+k] = f.value
		}
	}
	for i := range r.dynamic {
		d := &r.dynamic[i]
		if !d.each {
			d.start(m, d.slot, d.f(m))
			continue
		}
		for k := range m.g.seats {
			d.start(m, d.slot+k*d.stride, m.as(int64(k), d.f))
		}
	}
	for _, at := range r.inner {
		m.s[at] = 0
	}
	m.s[r.number]++
}

func (d *dynamicStart) start(m *Machine, at int, v int64) {
	if d.keys == 0 {
		m.s[at] = v
		return
	}
	for k := range d.keys {
		m.s[at+1+k] = v
	}
}

// cache holds what machines of one goroutine have worked out.
type cache struct {
	scorers []scoreCache
	options []optionCache
}

func (g *Game) newCache() *cache {
	c := &cache{scorers: make([]scoreCache, len(g.scorers)), options: make([]optionCache, g.actions)}
	for _, s := range g.scorers {
		c.scorers[s.index] = newScoreCache(s)
	}
	for i := range g.code {
		if a, ok := g.code[i].x.(*ask); ok {
			for _, act := range a.actions {
				if act.table != nil {
					c.options[act.index] = newOptionCache(act)
				}
			}
		}
	}
	return c
}

// Setup says how one game begins.
type Setup struct {
	Names []string // by seat; missing ones are "Player 1" and so on
	Seed  uint64
	Index uint64 // number of the game under the seed
	// First is the seat that begins, from 0; one that does not sit here counts
	// as 0. Session is what games before have left behind, or nil.
	First   int
	Session Session
}

// Start begins a game. Machines for other goroutines need a Start each.
func (g *Game) Start(s Setup) *Machine {
	m := &Machine{g: g, cover: g.cover, cache: g.newCache(), shared: make([]shared, len(g.sharedAt)), contexts: make([]shared, len(g.scorers))}
	m.Restart(s)
	return m
}

// Restart begins another game on the same machine, keeping its tables and its
// recorder. It allocates nothing if the names stay the same slice and nobody
// asked for what seats know, which is kept of the new game from here on.
func (m *Machine) Restart(s Setup) {
	g := m.g
	if len(m.s) != len(g.initial) {
		m.s = make([]int64, len(g.initial))
	}
	copy(m.s, g.initial)
	if m.memo == nil {
		m.memo = make([]keyMemo, len(g.classes))
	}
	m.faces++
	m.lays = 0
	m.key = streamKey(s.Seed, s.Index, StreamChance)
	m.inc = streamKey(s.Seed, s.Index, StreamIncidents)
	m.req = Request{}
	m.typed, m.started = nil, nil
	if s.First > 0 && s.First < g.people {
		m.s[slotActive], m.s[slotMe] = int64(s.First), int64(s.First)
	}
	m.resume(s.Session)
	m.opts.valid = false
	m.arena = m.arena[:0]
	if m.know != nil {
		m.Know() // of the new game
	}
	if len(s.Names) == g.people {
		m.names = s.Names
		return
	}
	names := append([]string(nil), s.Names[:min(len(s.Names), g.people)]...)
	for i := len(names); i < g.people; i++ {
		names = append(names, fmt.Sprintf("Player %d", i+1))
	}
	m.names = names
}

// Game returns the game that is played.
func (m *Machine) Game() *Game { return m.g }

// Listen sets the recorder, or removes it if r is nil.
func (m *Machine) Listen(r Recorder) { m.rec = r }
