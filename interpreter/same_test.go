package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// The tests of this file play games in two ways that must come to the same.

// decisionLimit ends games that random play does not end.
const decisionLimit = 20_000

// drive plays a game step by step, with the decisions that Playout would take,
// and calls see at each of them.
func drive(m *interpreter.Machine, r *interpreter.Rand, see func(req interpreter.Request) error) (decisions int, err error) {
	for decisions < decisionLimit {
		req, err := m.Advance()
		if err != nil || req.Kind != interpreter.Decision {
			return decisions, err
		}
		decisions++
		if see != nil {
			if err := see(req); err != nil {
				return decisions, err
			}
		}
		if err := m.Apply(taken(r, req.N)); err != nil {
			return decisions, err
		}
	}
	return decisions, nil
}

// taken is the option that a playout takes: of a single one no number is drawn.
func taken(r *interpreter.Rand, n int) int {
	if n == 1 {
		return 0
	}
	return int(r.Below(uint64(n)))
}

// loudAndQuick plays games under numbers [from, to) of a seed with and without a
// recorder. It compares how they end, and every decision of every tenth.
func loudAndQuick(g *interpreter.Game, seed uint64, from, to int) error {
	quick, loud := g.Start(interpreter.Setup{Seed: seed}), g.Start(interpreter.Setup{Seed: seed})
	log := &interpreter.Log{}
	loud.Listen(log)
	for i := from; i < to; i++ {
		setup := interpreter.Setup{Seed: seed, Index: uint64(i)}
		quick.Restart(setup)
		loud.Restart(setup)
		*log = interpreter.Log{}
		r1 := interpreter.NewRand(seed, uint64(i), interpreter.StreamPolicy)
		r2 := r1
		var n1 int
		var err1 error
		see := func(interpreter.Request) error { return nil }
		if i%10 == 0 {
			// The quick machine goes along, one decision behind each of the loud one's.
			see = func(req interpreter.Request) error { return along(quick, loud, req, &r1, &n1) }
		}
		n2, err2 := drive(loud, &r2, see)
		if err2 != nil {
			return fmt.Errorf("game %d, decision %d: %w", i, n2, err2)
		}
		if i%10 == 0 {
			_, err1 = quick.Advance()
		} else {
			n1, err1 = quick.Playout(&r1, decisionLimit)
		}
		if err1 != nil || n1 != n2 {
			return fmt.Errorf("game %d: %d decisions quickly, %d with a recorder; %v", i, n1, n2, err1)
		}
		if n2 < decisionLimit && !slices.Equal(stateOf(quick), stateOf(loud)) {
			return fmt.Errorf("game %d ends as\n%v quickly,\n%v with a recorder", i, stateOf(quick), stateOf(loud))
		}
	}
	return nil
}

// along compares a decision on both machines and takes it on the quick one.
func along(quick, loud *interpreter.Machine, want interpreter.Request, r *interpreter.Rand, n *int) error {
	got, err := quick.Advance()
	if err != nil {
		return err
	}
	if got.Kind != want.Kind || got.N != want.N || got.Seat != want.Seat || got.Forced != want.Forced {
		return fmt.Errorf("%v quickly, %v with a recorder", got, want)
	}
	if a, b := stateOf(quick), stateOf(loud); !slices.Equal(a, b) {
		return fmt.Errorf("the state is\n%v quickly,\n%v with a recorder", a, b)
	}
	*n++
	i := taken(r, got.N)
	if a, b := quick.OptionText(i), loud.OptionText(i); a != b {
		return fmt.Errorf("option %d is %q quickly, %q with a recorder", i, a, b)
	}
	return quick.Apply(i)
}

func TestRecorderChangesNothing(t *testing.T) {
	play := func(name string, s selection, seats, games int) {
		t.Run(fmt.Sprintf("%s/%d", name, seats), func(t *testing.T) {
			t.Parallel()
			if err := loudAndQuick(s.game(t, seats), 11, 0, games); err != nil {
				t.Fatal(err)
			}
		})
	}
	for i, s := range singles() {
		if i == 0 {
			play("none", s, 2, sometimes(1000, 50))
			play("none", s, 5, sometimes(100, 10))
			continue
		}
		if !raceEnabled || i%8 == 0 { // the detector makes all of them take minutes
			play(s.String(), s, 2, sometimes(50, 5))
		}
	}
	play("usual", usual(t), 2, sometimes(200, 20))
	play("usual", usual(t), 7, sometimes(30, 10))
	if !raceEnabled {
		play("together", togetherAll(), 3, sometimes(30, 5))
	}
}

// usual is the shipped game with its usual house rules.
func usual(t testing.TB) selection {
	t.Helper()
	p, ds := dsl.Load(shipped(), "zonk", dsl.Options{Usual: true})
	report(t, ds)
	return selection{shipped().Usual("zonk"), p, ds}
}

func TestClonePlaysOnAlike(t *testing.T) {
	for _, s := range []selection{singles()[0], usual(t)} {
		g := s.game(t, 3)
		m := g.Start(interpreter.Setup{Seed: 5})
		var c *interpreter.Machine
		for i := range sometimes(300, 30) {
			m.Restart(interpreter.Setup{Seed: 5, Index: uint64(i)})
			r := interpreter.NewRand(5, uint64(i), interpreter.StreamPolicy)
			if _, err := m.Playout(&r, 1+i%100); err != nil {
				t.Fatal(err)
			}
			before := stateOf(m)
			c = m.CloneInto(c)
			rc := r
			if _, err := c.Playout(&rc, 0); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(before, stateOf(m)) {
				t.Fatalf("%s, game %d: the clone's play changed its original", s, i)
			}
			if _, err := m.Playout(&r, 0); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(stateOf(c), stateOf(m)) {
				t.Fatalf("%s, game %d: the clone ended as\n%v, its original as\n%v", s, i, stateOf(c), stateOf(m))
			}
		}
	}
}

// A playout that is limited takes so many decisions and stands before the
// next, as if each had been taken by hand.
func TestPlayoutStopsAtItsLimit(t *testing.T) {
	for _, s := range []selection{choose(), usual(t), choose("three-pairs"), choose("second-chance", "wild-die")} {
		g := s.game(t, 2)
		m, by := g.Start(interpreter.Setup{}), g.Start(interpreter.Setup{})
		for limit := 1; limit < sometimes(120, 25); limit++ {
			setup := interpreter.Setup{Seed: 6, Index: uint64(limit)}
			m.Restart(setup)
			by.Restart(setup)
			r := interpreter.NewRand(6, uint64(limit), interpreter.StreamPolicy)
			hand := r
			n, err := m.Playout(&r, limit)
			if err != nil || n > limit || n < limit && !m.Over() {
				t.Fatalf("%s: %d decisions of at most %d, over %v; %v", s, n, limit, m.Over(), err)
			}
			for range n {
				req, err := by.Advance()
				if err != nil {
					t.Fatal(err)
				}
				i := 0
				if req.N > 1 {
					i = int(hand.Below(uint64(req.N)))
				}
				if err := by.Apply(i); err != nil {
					t.Fatal(err)
				}
			}
			a, err1 := m.Advance()
			b, err2 := by.Advance()
			if err1 != nil || err2 != nil || a != b || r != hand {
				t.Fatalf("%s, limit %d: the playout stands at %+v, by hand it is %+v; %v, %v", s, limit, a, b, err1, err2)
			}
			if x, y := stateOf(m), stateOf(by); !slices.Equal(x, y) {
				t.Fatalf("%s, limit %d: the playout's state is\n%v, by hand\n%v", s, limit, x, y)
			}
		}
	}
}

func TestRekeyGivesOtherLuck(t *testing.T) {
	g := singles()[0].game(t, 2)
	m := g.Start(interpreter.Setup{Seed: 5})
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	ends := map[string]bool{}
	for i := range 20 {
		c := m.Clone()
		c.Rekey(uint64(i))
		r := interpreter.NewRand(5, 0, interpreter.StreamPolicy)
		if _, err := c.Playout(&r, 0); err != nil {
			t.Fatal(err)
		}
		ends[fmt.Sprint(stateOf(c))] = true
	}
	if len(ends) < 15 {
		t.Errorf("20 rekeyed clones ended in %d ways", len(ends))
	}
}

func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Log("the race detector allocates by itself")
		return
	}
	for _, s := range []selection{singles()[0], usual(t), chooseOf(cardGame), chooseOf(cardGame, allModes...), chooseOf(raceGame)} {
		names := []string{"Ann", "Bob", "Cat", "Dan"}
		if s.prog.Game == "zonk" {
			names = names[:2]
		}
		m := s.game(t, len(names)).Start(interpreter.Setup{Names: names, Seed: 1})
		index := uint64(0)
		play := func() {
			m.Restart(interpreter.Setup{Names: names, Seed: 1, Index: index})
			r := interpreter.NewRand(1, index, interpreter.StreamPolicy)
			if _, err := m.Playout(&r, 0); err != nil {
				t.Fatal(err)
			}
			index++
		}
		for range 500 { // fill the tables
			play()
		}
		if n := testing.AllocsPerRun(200, play); n > 0 {
			t.Errorf("%s: %v allocations a game", s, n)
		}
		m.Restart(interpreter.Setup{Names: names, Seed: 2})
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
		c := m.Clone()
		if n := testing.AllocsPerRun(200, func() { c = m.CloneInto(c) }); n > 0 {
			t.Errorf("%s: CloneInto allocates %v times", s, n)
		}
	}
}

// splitmix is splitmix64 as its authors published it: a state and a step.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// nth is output n of a stream, from 1; 0 is the state itself, mixed.
func (s splitmix) nth(n uint64) uint64 {
	s += splitmix((n - 1) * 0x9e3779b97f4a7c15)
	return s.next()
}

func TestRandomNumbersArePinned(t *testing.T) {
	s := splitmix(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.next(); got != want {
			t.Fatalf("the test's splitmix64 gives %d at %d, published is %d", got, i, want)
		}
	}
	for _, k := range [][3]uint64{{0, 0, 0}, {1, 0, 0}, {1, 7, 16}, {2026, 11, 0}, {1 << 63, 1<<64 - 1, 3}} {
		key := splitmix(splitmix(splitmix(k[0]).nth(1)).nth(k[1])).nth(k[2])
		want := splitmix(key)
		r := interpreter.NewRand(k[0], k[1], k[2])
		for n := range 100 {
			if a, b := r.Uint64(), want.next(); a != b {
				t.Fatalf("stream %v: number %d is %d, want %d", k, n, a, b)
			}
		}
	}
	r := interpreter.NewRand(2026, 11, interpreter.StreamChance)
	var raw, below []uint64
	for range 4 {
		raw = append(raw, r.Uint64())
	}
	for range 12 {
		below = append(below, r.Below(6))
	}
	if got := fmt.Sprintf("%x", raw); got != goldenRaw {
		t.Errorf("raw numbers %s, pinned %s", got, goldenRaw)
	}
	if got := fmt.Sprint(below); got != goldenBelow {
		t.Errorf("numbers below 6 %s, pinned %s", got, goldenBelow)
	}
}

// What the stream of seed 2026, game 11, chance gave when it was pinned. A
// change of these changes every saved game.
const (
	goldenRaw   = "[5a6454dc956b8032 985d87c992563088 975d552441a30736 d753a7692073e3f7]"
	goldenBelow = "[0 5 2 3 0 5 1 1 1 3 3 1]"
)

func TestBelowIsFair(t *testing.T) {
	// A bound just above half the range makes nearly every second draw one to be
	// rejected; the halves of the range must still be hit alike.
	const n = 1<<63 + 1<<61
	r := interpreter.NewRand(3, 0, 0)
	low := 0
	const draws = 20_000
	for range draws {
		x := r.Below(n)
		if x >= n {
			t.Fatalf("%d is not below %d", x, uint64(n))
		}
		if x < n/2 {
			low++
		}
	}
	if low < draws/2-500 || low > draws/2+500 {
		t.Errorf("%d of %d draws lie in the lower half", low, draws)
	}
}

func TestRestartIsDeterministic(t *testing.T) {
	g := usual(t).game(t, 2)
	a, b := g.Start(interpreter.Setup{Seed: 1}), g.Start(interpreter.Setup{Seed: 99, Index: 99})
	for i := range sometimes(200, 30) {
		setup := interpreter.Setup{Seed: uint64(i % 3), Index: uint64(i)}
		var ends [2][]int64
		for k, m := range []*interpreter.Machine{a, b} {
			if k == 1 { // a game broken off half-way leaves nothing behind
				r := interpreter.NewRand(8, uint64(i), 0)
				if _, err := m.Playout(&r, 3+i%50); err != nil {
					t.Fatal(err)
				}
			}
			m.Restart(setup)
			r := interpreter.NewRand(setup.Seed, setup.Index, interpreter.StreamPolicy)
			if _, err := m.Playout(&r, 0); err != nil {
				t.Fatal(err)
			}
			ends[k] = stateOf(m)
		}
		if !slices.Equal(ends[0], ends[1]) {
			t.Fatalf("game %d ends as\n%v and\n%v", i, ends[0], ends[1])
		}
	}
}

func TestMachinesOfOneGameInParallel(t *testing.T) {
	for _, s := range []selection{usual(t), choose("three-pairs", "wild-die"), choose("detroit")} {
		g := s.game(t, 2)
		games := sometimes(200, 20)
		var ends [4][]string
		var wg sync.WaitGroup
		for k := range ends {
			wg.Go(func() {
				m := g.Start(interpreter.Setup{Seed: 4})
				for i := range games {
					m.Restart(interpreter.Setup{Seed: 4, Index: uint64(i)})
					r := interpreter.NewRand(4, uint64(i), interpreter.StreamPolicy)
					if _, err := m.Playout(&r, decisionLimit); err != nil {
						ends[k] = append(ends[k], err.Error())
						return
					}
					ends[k] = append(ends[k], fmt.Sprint(stateOf(m)))
					if i%10 == 0 {
						m.View(0)
					}
				}
			})
		}
		wg.Wait()
		for k := range ends {
			if len(ends[k]) != games || !slices.Equal(ends[k], ends[0]) {
				t.Errorf("%s: goroutine %d played other games", s, k)
			}
		}
	}
}

// firstDice plays to the first decision and tells what fell until the first
// throw: the rolls, and the throw as a multiset. Later throws are left out,
// since a house rule may ask before them.
func firstDice(t *testing.T, g *interpreter.Game, index int, incidents bool) string {
	t.Helper()
	m := g.Start(interpreter.Setup{Seed: 21, Index: uint64(index)})
	m.Incidents = incidents
	log := &interpreter.Log{}
	m.Listen(log)
	if _, err := m.Advance(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range log.Records {
		switch r.Kind {
		case interpreter.RecRoll:
			fmt.Fprintf(&b, " %d", r.New)
		case interpreter.RecThrow:
			faces := slices.Clone(r.Faces)
			slices.Sort(faces)
			fmt.Fprintf(&b, " %v", faces)
			return b.String()
		}
	}
	return b.String()
}

func TestHouseRulesDoNotMoveTheDice(t *testing.T) {
	base := singles()[0].game(t, 3)
	colours := choose("three-pairs").game(t, 3)
	wild := choose("wild-die").game(t, 3)
	p, ds := dsl.Load(shipped(), "zonk", dsl.Options{With: []string{"off-the-table"}, Set: map[string]string{"off_table_rate": "0"}})
	report(t, ds)
	off := selection{[]string{"off-the-table"}, p, ds}.game(t, 3)
	for i := range sometimes(300, 40) {
		want := firstDice(t, base, i, false)
		for name, got := range map[string]string{
			"three-pairs":            firstDice(t, colours, i, false),
			"wild-die":               firstDice(t, wild, i, false),
			"off-the-table, rate 0":  firstDice(t, off, i, true),
			"incidents without rate": firstDice(t, base, i, true),
		} {
			if got != want {
				t.Fatalf("game %d: with %s the dice are%s, without%s", i, name, got, want)
			}
		}
	}
}
