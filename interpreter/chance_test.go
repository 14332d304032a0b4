package interpreter_test

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

// The tests of this file ask for all that can fall, and for what falls.

// lastLeg plays a random game until a given number of dice is about to be
// thrown, and returns the machine at that request.
func lastLeg(t *testing.T, g *interpreter.Game, dice int) *interpreter.Machine {
	t.Helper()
	m := g.Start(interpreter.Setup{Seed: 1})
	m.AskChance = true
	for index := uint64(0); ; index++ {
		m.Restart(interpreter.Setup{Seed: 1, Index: index})
		r := interpreter.NewRand(1, index, 3)
		for {
			req, err := m.Advance()
			if err != nil {
				t.Fatal(err)
			}
			if req.Kind == interpreter.Over {
				break
			}
			if req.Kind == interpreter.Chance && thrownDice(m) == dice {
				return m
			}
			if err := m.Apply(int(r.Below(uint64(req.N)))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// thrownDice is how many dice the request that stands throws, 0 for a roll.
func thrownDice(m *interpreter.Machine) int {
	n := 0
	if _, err := fmt.Sscanf(m.LuckWanted(), "the faces of %d", &n); err != nil {
		return 0
	}
	return n
}

func power(base uint64, k int) uint64 {
	out := uint64(1)
	for range k {
		out *= base
	}
	return out
}

// scoreless adds up the weights of the falls after which the thrower is not
// asked what to set aside.
func scoreless(t *testing.T, m *interpreter.Machine) (without, all uint64) {
	t.Helper()
	thrower := m.Active()
	var c *interpreter.Machine
	for _, f := range m.Falls() {
		c = m.CloneInto(c)
		if _, err := c.Advance(); err != nil {
			t.Fatal(err)
		}
		if err := c.ApplyFall(f); err != nil {
			t.Fatal(err)
		}
		req, err := c.Advance()
		if err != nil {
			t.Fatal(err)
		}
		all += f.Weight
		if req.Kind != interpreter.Decision || req.Seat != thrower {
			without += f.Weight
		} else if c.Phase().Name != "choose" {
			t.Fatalf("after %q the phase is %s", f.Text, c.Phase().Name)
		}
	}
	return without, all
}

func TestExactOddsOfNothing(t *testing.T) {
	want := []uint64{0, 4, 16, 60, 204, 600, 1440}
	for _, s := range []selection{choose(), choose("three-pairs", "six-die-zonk"), usual(t)} {
		g := s.game(t, 2)
		for dice := 1; dice <= 6; dice++ {
			without, all := scoreless(t, lastLeg(t, g, dice))
			if all != power(6, dice) || without != want[dice] {
				t.Errorf("%s: %d dice score nothing in %d of %d throws, want %d of %d", s, dice, without, all, want[dice], power(6, dice))
			}
		}
	}
}

// With a rule that tells colours apart there are more kinds of throws, and
// still as many throws.
func TestFallsOfUnlikeDice(t *testing.T) {
	for _, c := range []struct {
		with []string
		n    int
	}{{nil, 462}, {[]string{"three-pairs"}, 21 * 21 * 21}, {[]string{"wild-die"}, 252 * 6}} {
		m := lastLeg(t, choose(c.with...).game(t, 2), 6)
		falls := m.Falls()
		sum := uint64(0)
		for _, f := range falls {
			sum += f.Weight
		}
		if len(falls) != c.n || sum != 46656 {
			t.Errorf("with %v: %d falls of weight %d, want %d of 46656", c.with, len(falls), sum, c.n)
		}
	}
}

// A B comes of the colours in 120 of 46,656 throws.
func TestExactOddsOfColours(t *testing.T) {
	m := lastLeg(t, choose("three-pairs").game(t, 2), 6)
	bs := newZonkPeek(m).bs
	seat := m.Active()
	before := m.Value(bs, seat)
	var with uint64
	for _, f := range m.Falls() {
		c := m.Clone()
		if _, err := c.Advance(); err != nil {
			t.Fatal(err)
		}
		if err := c.ApplyFall(f); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Advance(); err != nil {
			t.Fatal(err)
		}
		if c.Value(bs, seat) > before {
			with += f.Weight
		}
	}
	// Every third Zonk of a seat earns one too, which none of these is.
	if zonks := m.Value(newZonkPeek(m).zonks, seat); zonks%3 == 2 {
		t.Fatalf("the seat has %d Zonks: its next earns a B", zonks)
	}
	if with != 120 {
		t.Errorf("a B in %d of 46656 throws, want 120", with)
	}
}

// Ordered outcomes and listed falls are the same throws.
func TestOutcomesAndFallsAgree(t *testing.T) {
	for _, s := range []selection{choose(), choose("three-pairs"), choose("wild-die")} {
		m := lastLeg(t, s.game(t, 2), 4)
		z := newZonkPeek(m)
		set := m.Set(z.tray, 0)
		byOrder, byFall := map[string]uint64{}, map[string]uint64{}
		look := func(c *interpreter.Machine, counts map[string]uint64, weight uint64) {
			var faces []string
			for u := set; u != 0; u &= u - 1 {
				faces = append(faces, c.Pieces(z.tray.Family, u&-u))
			}
			slices.Sort(faces)
			counts[strings.Join(faces, " ")] += weight
		}
		req, err := m.Advance()
		if err != nil || req.N != 1296 {
			t.Fatalf("%v, %v", req, err)
		}
		var c *interpreter.Machine
		for o := range req.N {
			c = fresh(t, m, c)
			if err := c.Apply(o); err != nil {
				t.Fatal(err)
			}
			// The outcome's digits are the faces; which die shows which matters
			// only where a rule tells the dice apart, and then the highest digit
			// is the first die.
			var digits, faces []int
			for u, n := set, 216; u != 0; u, n = u&(u-1), n/6 {
				digits = append(digits, o/n%6+1)
				faces = append(faces, int(c.Face(z.tray.Family, bits.TrailingZeros64(u))))
			}
			if len(s.with) == 0 {
				slices.Sort(digits)
				slices.Sort(faces)
			}
			if !slices.Equal(digits, faces) {
				t.Fatalf("%s: outcome %d shows %v, its digits are %v", s, o, faces, digits)
			}
			look(c, byOrder, 1)
		}
		for _, f := range m.Falls() {
			c = fresh(t, m, c)
			if err := c.ApplyFall(f); err != nil {
				t.Fatal(err)
			}
			look(c, byFall, f.Weight)
		}
		if len(byOrder) != len(byFall) {
			t.Fatalf("%s: %d kinds of throws by order, %d by falls", s, len(byOrder), len(byFall))
		}
		for k, n := range byOrder {
			if byFall[k] != n {
				t.Errorf("%s: %q comes %d times by order, %d by falls", s, k, n, byFall[k])
			}
		}
	}
}

// fresh is a clone of m, made in c, at the same request.
func fresh(t *testing.T, m, c *interpreter.Machine) *interpreter.Machine {
	t.Helper()
	c = m.CloneInto(c)
	if _, err := c.Advance(); err != nil {
		t.Fatal(err)
	}
	return c
}

// chiSquared measures counts against weights of a whole.
func chiSquared(counts map[string]int, weights map[string]uint64, total uint64, n int) (x float64, unexpected string) {
	for k := range counts {
		if weights[k] == 0 {
			return 0, k
		}
	}
	for k, w := range weights {
		want := float64(n) * float64(w) / float64(total)
		d := float64(counts[k]) - want
		x += d * d / want
	}
	return x, ""
}

// Drawn throws of three dice come as often as they should; the seed is fixed,
// so that the test cannot fail by bad luck.
func TestDrawnThrowsFollowTheOdds(t *testing.T) {
	for _, s := range []selection{choose(), choose("three-pairs"), choose("wild-die")} {
		m := lastLeg(t, s.game(t, 2), 3)
		z := newZonkPeek(m)
		set := m.Set(z.tray, 0)
		show := func(c *interpreter.Machine) string {
			out := make([]string, 0, 3)
			for u := set; u != 0; u &= u - 1 {
				out = append(out, c.Pieces(z.tray.Family, u&-u))
			}
			slices.Sort(out)
			return strings.Join(out, " ")
		}
		weights := map[string]uint64{}
		var c *interpreter.Machine
		for _, f := range m.Falls() {
			c = fresh(t, m, c)
			if err := c.ApplyFall(f); err != nil {
				t.Fatal(err)
			}
			weights[show(c)] += f.Weight
		}
		n := sometimes(20_000, 4_000)
		counts := map[string]int{}
		log := &throwWatch{}
		for i := range n {
			c = m.CloneInto(c)
			c.AskChance = false
			c.Rekey(uint64(i))
			log.text = ""
			log.show = show
			c.Listen(log) // a recorder sees the throw before anything moves on
			if _, err := c.Advance(); err != nil {
				t.Fatal(err)
			}
			counts[log.text]++
		}
		x, odd := chiSquared(counts, weights, 216, n)
		if odd != "" {
			t.Fatalf("%s: %q was thrown, which cannot be", s, odd)
		}
		// The mean is the number of kinds less one; 4 standard deviations above it.
		free := float64(len(weights) - 1)
		if limit := free + 4*sqrt(2*free); x > limit {
			t.Errorf("%s: chi-squared %.1f for %v degrees of freedom, want at most %.1f", s, x, free, limit)
		}
	}
}

func sqrt(x float64) float64 {
	r := x
	for range 60 {
		r = (r + x/r) / 2
	}
	return r
}

// throwWatch notes the first throw that it hears of.
type throwWatch struct {
	show func(*interpreter.Machine) string
	text string
}

// Record implements interpreter.Recorder.
func (w *throwWatch) Record(m *interpreter.Machine, r *interpreter.Record) {
	if r.Kind == interpreter.RecThrow && w.text == "" {
		w.text = w.show(m)
	}
}

// The outcomes that a machine would draw, drawn outside and given as answers,
// make the same game: outcome r of a request of n is draw Below(n) of the
// chance stream.
func TestAnswersOfTheStreamMakeTheSameGame(t *testing.T) {
	for _, s := range []selection{choose(), usual(t), choose("three-pairs"), choose("wild-die"), choose("second-chance"), choose("detroit")} {
		g := s.game(t, 3)
		drawn, asked := g.Start(interpreter.Setup{}), g.Start(interpreter.Setup{})
		asked.AskChance = true
		loud := g.Start(interpreter.Setup{})
		loud.Listen(&interpreter.Log{})
		for i := range sometimes(30, 5) {
			setup := interpreter.Setup{Seed: 31, Index: uint64(i)}
			drawn.Restart(setup)
			asked.Restart(setup)
			loud.Restart(setup)
			r := interpreter.NewRand(31, uint64(i), interpreter.StreamPolicy)
			r2, r3 := r, r
			n, err := drawn.Playout(&r, decisionLimit)
			if err != nil {
				t.Fatal(err)
			}
			luck := interpreter.NewRand(31, uint64(i), interpreter.StreamChance)
			for range 100 * decisionLimit {
				req, err := asked.Advance()
				if err != nil {
					t.Fatal(err)
				}
				if req.Kind == interpreter.Over {
					break
				}
				from := &r2
				if req.Kind == interpreter.Chance {
					from = &luck
				}
				k := 0
				if req.N > 1 {
					k = int(from.Below(uint64(req.N)))
				}
				if err := asked.Apply(k); err != nil {
					t.Fatal(err)
				}
			}
			if n2, err := drive(loud, &r3, nil); err != nil || n2 != n {
				t.Fatalf("%s, game %d: %d decisions, %d with a recorder; %v", s, i, n, n2, err)
			}
			if a, b := stateOf(drawn), stateOf(asked); !slices.Equal(a, b) {
				t.Fatalf("%s, game %d: drawn it ends as\n%v, answered as\n%v", s, i, a, b)
			}
		}
	}
}

// Dice of another shape, one face by name: all that can fall is listed and
// drawn as it should be.
func TestFallsOfOtherDice(t *testing.T) {
	g := inlineGame(t, 1, `houserules: 1
game: odd-dice
title: Odd Dice
players: 1
pieces:
  dice: {count: 3, faces: [1, 2, 5, star = 20]}
zones:
  tray: {of: dice, starts: all}
phases:
  one:
    enter: throw tray
  two:
    actions:
      done: {do: finish}
`)
	m := g.Start(interpreter.Setup{})
	m.AskChance = true
	req, err := m.Advance()
	if err != nil || req.Kind != interpreter.Chance || req.N != 64 {
		t.Fatalf("%+v, %v", req, err)
	}
	dice := g.Program().Families[0]
	total := func(m *interpreter.Machine) string {
		return fmt.Sprint(m.Face(dice, 0) + m.Face(dice, 1) + m.Face(dice, 2))
	}
	want, byFall, byOutcome := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	sides := []int{1, 2, 5, 20}
	var c *interpreter.Machine
	for o := range 64 {
		want[fmt.Sprint(sides[o&3]+sides[o>>2&3]+sides[o>>4])]++
		c = fresh(t, m, c)
		if err := c.Apply(o); err != nil {
			t.Fatal(err)
		}
		byOutcome[total(c)]++
	}
	for _, f := range m.Falls() {
		c = fresh(t, m, c)
		if err := c.ApplyFall(f); err != nil {
			t.Fatal(err)
		}
		byFall[total(c)] += f.Weight
	}
	if !maps.Equal(want, byFall) || !maps.Equal(want, byOutcome) {
		t.Errorf("sums come\n%v by falls,\n%v by outcomes,\n%v by hand", byFall, byOutcome, want)
	}
	drawn, n := map[string]int{}, 6000
	for i := range n {
		c.Restart(interpreter.Setup{Seed: 1, Index: uint64(i)})
		c.AskChance = false
		if _, err := c.Advance(); err != nil {
			t.Fatal(err)
		}
		drawn[total(c)]++
	}
	if x, odd := chiSquared(drawn, want, 64, n); odd != "" || x > 45 { // about twenty degrees of freedom
		t.Errorf("chi-squared %.1f, %q unexpected: %v", x, odd, drawn)
	}
}

// A face that is on several sides is so much more likely.
func TestFacesOnSeveralSides(t *testing.T) {
	g := inlineGame(t, 2, `houserules: 1
game: pips
title: Pips
players: 2
pieces: {dice: {count: 3, faces: [left, right, dot, dot, dot, 9]}}
zones: {tray: {of: dice, starts: all}}
scorers:
  pairs: {of: dice, combos: {pair: {match: x*2, points: x * 10}, one: {match: dot, points: 1}}}
phases:
  begin: {enter: throw tray}
  ask:
    actions:
      done: {do: finish}
`)
	m := g.Start(interpreter.Setup{})
	m.AskChance = true
	if req, err := m.Advance(); err != nil || req.N != 216 {
		t.Fatalf("%+v, %v", req, err)
	}
	dice := g.Program().Families[0]
	faces := func(m *interpreter.Machine) string { return m.Pieces(dice, 7) }
	want, byFall, byOutcome := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	sides := []string{"left", "right", "dot", "dot", "dot", "9"}
	sorted := func(text string) string {
		words := strings.Fields(text)
		slices.Sort(words)
		return strings.Join(words, " ")
	}
	var c *interpreter.Machine
	for o := range 216 {
		want[sorted(sides[o%6]+" "+sides[o/6%6]+" "+sides[o/36])]++
		c = fresh(t, m, c)
		if err := c.Apply(o); err != nil {
			t.Fatal(err)
		}
		byOutcome[sorted(faces(c))]++
	}
	for _, f := range m.Falls() {
		c = fresh(t, m, c)
		if err := c.ApplyFall(f); err != nil {
			t.Fatal(err)
		}
		byFall[sorted(faces(c))] += f.Weight
	}
	if !maps.Equal(want, byFall) || !maps.Equal(want, byOutcome) {
		t.Errorf("faces come\n%v by falls,\n%v by outcomes,\n%v by hand", byFall, byOutcome, want)
	}
	c = fresh(t, m, c)
	if err := c.ApplyLuck("3xdot"); err != nil || faces(c) != "dot dot dot" {
		t.Errorf("three dots are %q, %v", faces(c), err)
	}
	if v, err := c.EvalText(formulaOf(t, g.Program(), "pairs.points(tray)")); err != nil || v != "31" {
		t.Errorf("three dots are worth %s, %v", v, err)
	}
	drawn, n := map[string]int{}, 6000
	for i := range n {
		c.Restart(interpreter.Setup{Seed: 1, Index: uint64(i)})
		c.AskChance = false
		if _, err := c.Advance(); err != nil {
			t.Fatal(err)
		}
		drawn[sorted(faces(c))]++
	}
	if x, odd := chiSquared(drawn, want, 216, n); odd != "" || x > 45 { // about twenty degrees of freedom
		t.Errorf("chi-squared %.1f, %q unexpected: %v", x, odd, drawn)
	}
}
