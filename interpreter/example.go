package interpreter

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// Examples are the worked cases that stand beside the rules. Each is played in
// a world of its own: the game, the file it stands in, and what it names with
// `with` and `set`. All luck in it is written down.

// An ExampleResult says how one example went.
type ExampleResult struct {
	Example  *dsl.Example
	Failures []Failure     // empty if it holds
	Took     time.Duration // by the clock
}

// A Failure is one thing that an example says and the game does not do.
type Failure struct {
	Span    source.Span
	Message string
	Values  []Value     // what the formula that failed is made of
	List    source.List // why the world or a formula of it does not load
}

// An ExampleRunner plays the examples of a library's files. It keeps the
// worlds it has loaded; it is not safe for concurrent use.
type ExampleRunner struct {
	lib    *dsl.Library
	worlds map[string]*world
	cover  *Coverage
}

// world is one set of rules, with the games made of it by number of seats.
type world struct {
	prog  *dsl.Program
	diags source.List
	games map[gameKey]*Game
}

// A gameKey says which game of a world: for how many seats, or its opening.
type gameKey struct {
	seats   int
	opening bool
}

// NewExampleRunner returns a runner for the files of a library.
func NewExampleRunner(lib *dsl.Library) *ExampleRunner {
	return &ExampleRunner{lib: lib, worlds: map[string]*world{}}
}

// Cover makes what is played from here on be counted. The rules of a file that is
// played count also where no example is.
func (r *ExampleRunner) Cover(c *Coverage) { r.cover = c }

// Run plays the examples of one file: of the game if variant is "", else of
// that variant of it. What its combinations are like is tested too, and has a
// result if it does not hold. Examples whose name match rejects are left out; nil
// takes all. The list holds what keeps the file itself from loading.
func (r *ExampleRunner) Run(game, variant string, match func(name string) bool) ([]ExampleResult, source.List) {
	w := r.world(game, inForce(variant, nil))
	if w.prog == nil {
		return nil, w.diags
	}
	if r.cover != nil {
		r.cover.Know(w.prog)
	}
	var out []ExampleResult
	for _, ex := range w.prog.Examples {
		if ex.Owner == variant && (match == nil || match(ex.Name)) {
			began := time.Now()
			failures := r.Play(game, variant, ex)
			out = append(out, ExampleResult{ex, failures, time.Since(began)})
		}
	}
	return append(out, r.likes(w, variant, match)...), w.diags
}

// Examples returns the examples of one file, as [ExampleRunner.Run] takes it, or
// nil if it does not load.
func (r *ExampleRunner) Examples(game, variant string) []*dsl.Example {
	p := r.Program(game, variant, nil)
	if p == nil {
		return nil
	}
	var out []*dsl.Example
	for _, ex := range p.Examples {
		if ex.Owner == variant {
			out = append(out, ex)
		}
	}
	return out
}

// Likes tests what the combinations of one file say that they are worth, and
// returns what does not hold. Those whose name match rejects are left out; nil
// takes all.
func (r *ExampleRunner) Likes(game, variant string, match func(name string) bool) []ExampleResult {
	w := r.world(game, inForce(variant, nil))
	if w.prog == nil {
		return nil
	}
	return r.likes(w, variant, match)
}

// Program returns the rules that an example of a file is played by, those of the
// file alone if the example is nil. It returns nil if they do not load.
func (r *ExampleRunner) Program(game, variant string, ex *dsl.Example) *dsl.Program {
	return r.world(game, inForce(variant, ex)).prog
}

// inForce is what an example of a variant's file, or of a game's for "", is
// loaded with.
func inForce(variant string, ex *dsl.Example) dsl.Options {
	var opt dsl.Options
	if ex != nil {
		opt = dsl.Options{With: slices.Clone(ex.With), Set: ex.Set, SetText: map[string]source.Span{}}
		for k, t := range ex.SetText {
			opt.SetText[k] = t.Whole()
		}
	}
	if variant != "" {
		opt.With = append(opt.With, variant)
	}
	return opt
}

func (r *ExampleRunner) world(game string, opt dsl.Options) *world {
	var sets []string
	for k, v := range opt.Set {
		sets = append(sets, k+"="+v)
	}
	sort.Strings(sets)
	with := slices.Clone(opt.With)
	sort.Strings(with)
	key := fmt.Sprintf("%s|%q|%q", game, with, sets)
	w := r.worlds[key]
	if w == nil {
		w = &world{games: map[gameKey]*Game{}}
		w.prog, w.diags = dsl.Load(r.lib, game, opt)
		r.worlds[key] = w
	}
	return w
}

// Play plays one example of a file, as [ExampleRunner.Run] takes it, and returns
// what is wrong with it. An example is nothing but text: it may come from another
// library that has the file.
func (r *ExampleRunner) Play(game, variant string, ex *dsl.Example) []Failure {
	w := r.world(game, inForce(variant, ex))
	if w.prog == nil {
		return []Failure{{Span: ex.Span, Message: "the world of this example does not load", List: w.diags}}
	}
	names := ex.Players
	if names == nil {
		names = ExamplePlayers(w.prog)
	}
	prog := w.prog
	if ex.Opening != nil {
		if prog = prog.Opening; prog == nil {
			return []Failure{{Span: ex.Opening.Whole(), Message: "this game has no opening"}}
		}
	}
	key := gameKey{len(names), ex.Opening != nil}
	g := w.games[key]
	if g == nil {
		var err error
		if g, err = NewCovered(prog, len(names), r.cover); err != nil {
			return []Failure{{Span: ex.Span, Message: err.Error()}}
		}
		w.games[key] = g
	}
	x := &exampleGame{ex: ex, prog: prog, m: g.Start(Setup{Names: names}), log: &Log{},
		env: dsl.Env{Seats: names, Owner: variant, Lenient: true}}
	x.m.AskChance = true
	x.run()
	return x.failures
}

// exampleGame is one example being played.
type exampleGame struct {
	ex       *dsl.Example
	prog     *dsl.Program
	env      dsl.Env
	m        *Machine
	log      *Log
	laid     map[*cards]set128 // pieces that the example has laid down
	since    int               // records before the last move
	luck     []line
	req      Request
	failures []Failure
	dead     bool // nothing after a failure to go on with makes sense
}

func (x *exampleGame) failf(at source.Span, format string, args ...any) *Failure {
	x.failures = append(x.failures, Failure{Span: at, Message: fmt.Sprintf(format, args...)})
	return &x.failures[len(x.failures)-1]
}

func (x *exampleGame) run() {
	if !x.setUp() {
		return
	}
	if x.ex.Throw != nil {
		x.odds()
		return
	}
	x.m.Listen(x.log)
	if !x.settle() {
		return
	}
	for _, t := range []*syntax.Text{x.ex.Play, x.ex.Opening} {
		if t == nil {
			continue
		}
		for _, l := range lines(*t) {
			if x.line(l); x.dead {
				return
			}
		}
	}
	x.closing()
}

// closing tests what the example says of the end.
func (x *exampleGame) closing() {
	for _, t := range x.ex.Then {
		x.holds(line{t})
	}
	if len(x.ex.Can) > 0 {
		x.can()
	}
	for _, s := range x.ex.Sees {
		x.sees(s)
	}
	for _, r := range x.ex.Refused {
		x.refused(line{r.Move}, strings.TrimSpace(r.By.Value), r.By.Whole())
	}
}

// setUp enters the phase and lays down what is given.
func (x *exampleGame) setUp() bool {
	at := x.m.g.Begin()
	if t := x.ex.At; t != nil {
		name := strings.TrimSpace(t.Value)
		at = x.phase(name)
		if at == nil {
			x.failf(t.Whole(), "there is no phase `%s` in this game", name)
			return false
		}
	}
	x.m.Enter(at)
	defer x.m.Know()
	x.laid = map[*cards]set128{}
	used := map[*dsl.Family]*uint64{}
	for _, gv := range x.ex.Given {
		if !x.give(gv, used) {
			return false
		}
	}
	return true
}

func (x *exampleGame) phase(name string) *dsl.Phase {
	for _, owner := range []string{x.env.Owner, ""} {
		for _, p := range x.prog.Phases {
			if p.Name == name && p.Owner == owner {
				return p
			}
		}
	}
	return nil
}

// give lays down one line of `given`.
func (x *exampleGame) give(gv dsl.GivenLine, used map[*dsl.Family]*uint64) bool {
	var ds source.List
	what := x.prog.PlaceOf(gv.Place, x.env, &ds)
	if what == nil {
		return x.diagnosed(gv.Place.Whole(), ds)
	}
	if what.Zone != nil {
		z := what.Zone.Ref.(*dsl.Zone)
		words := x.prog.Pieces(gv.Value, z.Family, &ds)
		if ds.HasErrors() {
			return x.diagnosed(gv.Value.Whole(), ds)
		}
		if x.m.g.families[z.Family].cards != nil {
			return x.layCards(z, x.seatOf(what.Zone.Args), words)
		}
		if used[z.Family] == nil {
			used[z.Family] = new(uint64)
		}
		if i, ok := x.m.Lay(z, x.seatOf(what.Zone.Args), words, used[z.Family]); !ok {
			x.failf(byWords(words)[i].Span, "there are not so many pieces of this kind")
			return false
		}
		return true
	}
	want := dsl.Seat
	if what.Place != nil {
		want = what.Place.ValueType()
	}
	env := x.env
	env.Want = &want
	e := x.prog.Formula(gv.Value, env, &ds)
	if e == nil {
		return x.diagnosed(gv.Value.Whole(), ds)
	}
	v, err := x.m.Eval(e)
	if err != nil {
		x.failf(gv.Value.Whole(), "%s", err)
		return false
	}
	if what.Active {
		x.m.SetActive(int(v))
		return true
	}
	seat := 0
	if what.Place.Seat != nil {
		seat = x.seatOf([]*dsl.Expr{what.Place.Seat})
	}
	if what.Place.Key == nil {
		x.m.Put(what.Place.Var, seat, v)
		return true
	}
	key, err := x.m.Eval(what.Place.Key)
	if err == nil {
		err = x.m.PutAt(what.Place.Var, seat, key, v)
	}
	if err != nil {
		x.failf(gv.Place.Whole(), "%s", err)
	}
	return err == nil
}

func (x *exampleGame) seatOf(args []*dsl.Expr) int {
	if len(args) == 0 {
		return 0
	}
	v, err := x.m.Eval(args[0])
	if err != nil || v < 0 || int(v) >= x.m.g.seats {
		return 0
	}
	return int(v)
}

func (x *exampleGame) diagnosed(at source.Span, ds source.List) bool {
	x.failures = append(x.failures, Failure{Span: at, Message: "this cannot be read", List: ds})
	x.dead = true
	return false
}

// forcedInExample is how many forced moves in a row are played for an example that does
// not write them: in a game that has come to go round and round, what it waits for
// never comes. It is more than any example needs.
const forcedInExample = 1000

// settle runs to the next decision, using up luck on the way; a throw for
// which no luck is written down stays asked for. Forced moves are played as
// long as luck waits behind them.
func (x *exampleGame) settle() bool {
	for forced := 0; ; {
		req, err := x.m.Advance()
		if err != nil {
			x.failf(x.ex.Span, "%s", err)
			x.dead = true
			return false
		}
		x.req = req
		switch {
		case req.Kind == Chance && len(x.luck) > 0:
			l := x.luck[0]
			x.luck = x.luck[1:]
			if err := x.m.ApplyLuck(l.Value); err != nil {
				x.failf(l.Whole(), "%s", err)
				x.dead = true
				return false
			}
		case req.Kind == Decision && req.Forced && len(x.luck) > 0 && forced < forcedInExample:
			forced++
			if err := x.m.Apply(0); err != nil {
				x.failf(x.luck[0].Whole(), "%s", err)
				x.dead = true
				return false
			}
		case len(x.luck) > 0:
			x.failf(x.luck[0].Whole(), "this luck is left over: nothing is thrown here")
			x.dead = true
			return false
		default:
			x.invariants()
			return !x.dead
		}
	}
}

// odds compares an exact chance with the one written down.
func (x *exampleGame) odds() {
	zone, n, ok := x.thrownZone()
	if !ok {
		return
	}
	fam := x.m.g.families[zone.Family]
	at := x.m.g.zoneSlot[zone]
	set, other := uint64(x.m.s[at]), uint64(0)
	for k := fam.zoneLo; k < fam.zoneHi; k++ {
		if k != at {
			other |= uint64(x.m.s[k])
		}
	}
	for p := range fam.count { // bring in pieces that lie nowhere, put away those too many
		if b := uint64(1) << uint(p); set&b == 0 && other&b == 0 && bits.OnesCount64(set) < n {
			set |= b
		}
	}
	for bits.OnesCount64(set) > n {
		set &= set - 1
	}
	if bits.OnesCount64(set) != n {
		x.failf(x.ex.Throw.Whole(), "only %d pieces are left to throw", bits.OnesCount64(set))
		return
	}
	x.m.s[at] = int64(set)
	x.compareOdds(fam, set)
}

func (x *exampleGame) compareOdds(fam *family, set uint64) {
	var ds source.List
	env := x.env
	want := dsl.Bool
	env.Want = &want
	e := x.prog.Formula(*x.ex.Chance, env, &ds)
	if e == nil {
		x.diagnosed(x.ex.Chance.Whole(), ds)
		return
	}
	var a, b uint64
	if n, err := fmt.Sscanf(strings.TrimSpace(x.ex.Is.Value), "%d of %d", &a, &b); n != 2 || err != nil || b == 0 {
		x.failf(x.ex.Is.Whole(), "write the chance as `1440 of 46656`")
		return
	}
	falls := x.m.throwFalls(fam, set)
	if falls == nil {
		x.failf(x.ex.Throw.Whole(), "so many throws are possible that they cannot be counted")
		return
	}
	hits, total := uint64(0), uint64(0)
	on, f, err := x.m.lowerOn(e)
	if err != nil {
		x.failf(x.ex.Chance.Whole(), "%s", err)
		return
	}
	for _, fall := range falls {
		on.setFaces(fam, set, fall.faces)
		total += fall.Weight
		on.spent = 0 // each is a question of its own
		var v int64
		if err := on.quietly(func() { v = f(on) }); err != nil {
			x.failf(x.ex.Chance.Whole(), "%s", err)
			return
		}
		if v != 0 {
			hits += fall.Weight
		}
	}
	if hits*b != a*total {
		x.failf(x.ex.Is.Whole(), "the chance is %d of %d", hits, total)
	}
}

// thrownZone reads `6` or `6 of tray`.
func (x *exampleGame) thrownZone() (z *dsl.Zone, n int, ok bool) {
	var name string
	text := strings.TrimSpace(x.ex.Throw.Value)
	if k, err := fmt.Sscanf(text, "%d of %s", &n, &name); k == 0 || n < 1 || k == 1 && err != nil && strings.ContainsAny(text, " ") {
		x.failf(x.ex.Throw.Whole(), "write how many pieces are thrown, as in `6` or `6 of ZONE`")
		return nil, 0, false
	}
	var found []*dsl.Zone
	for _, z := range x.prog.Zones {
		if name == "" && z.Starts != nil && !z.Each && len(z.Family.Faces) > 0 || name != "" && z.Name == name {
			found = append(found, z)
		}
	}
	if len(found) != 1 || found[0].Each {
		x.failf(x.ex.Throw.Whole(), "say which zone is thrown, as in `%d of ZONE`", n)
		return nil, 0, false
	}
	return found[0], n, true
}
