package interpreter_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file looks at a race over a row of tiles that is laid by chance: whether
// every legal row comes as often as any other, and whether skunks move in the
// rule file as in a function written by hand.

const raceGame = "flinke-stinker"

// A row holds the red tiles of a route, the first tile as bit 0.
type row uint32

func rowOf(m *interpreter.Machine, route *dsl.Zone) (r row) {
	for i, tile := range m.CardsIn(route, 0) {
		if m.Game().CardWord(route.Family, tile) == "R" {
			r |= 1 << i
		}
	}
	return r
}

// legal reports whether at most so many places have two red tiles side by side,
// and none three.
func (r row) legal(pairs int) bool {
	return bits.OnesCount32(uint32(r&(r>>1))) <= pairs && r&(r>>1)&(r>>2) == 0
}

// rows lists the legal rows of some tiles, of which some are red.
func rows(tiles, reds, pairs int) map[row]int {
	out := map[row]int{}
	for r := row(0); r < 1<<tiles; r++ {
		if bits.OnesCount32(uint32(r)) == reds && r.legal(pairs) {
			out[r] = 0
		}
	}
	return out
}

// farFromEqual is how far counts are from being equal, in standard deviations of
// what chance alone would give; it is close to a normal variable where there
// are many counts.
func farFromEqual(counts map[row]int, n int) float64 {
	want := float64(n) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		sum += (float64(c) - want) * (float64(c) - want) / want
	}
	free := float64(len(counts) - 1)
	return (sum - free) / math.Sqrt(2*free)
}

// Red tiles that stand alone leave 16 gaps between and beside 15 green ones:
// 16 over 7 ways. With one pair there are six things to put into gaps, of which
// any may be the pair.
func TestRoutesComeEquallyOften(t *testing.T) {
	for _, c := range []struct {
		with  []string
		tiles int
		pairs int
		ways  int
	}{
		{nil, 22, 1, 11440 + 6*8008},
		{[]string{"no-double-red"}, 22, 0, 11440},
	} {
		t.Run(chooseOf(raceGame, c.with...).String(), func(t *testing.T) {
			counts := rows(c.tiles, 7, c.pairs)
			if len(counts) != c.ways {
				t.Fatalf("%d legal rows, there are %d", len(counts), c.ways)
			}
			g := mustGame(t, raceGame, dsl.Options{With: c.with}, 2)
			route := zoneOf(g.Program(), "route")
			m := g.Start(interpreter.Setup{})
			n := sometimes(12, 2) * len(counts)
			if raceEnabled {
				n = 2000 // whether they are legal: too few to tell how often they come
			}
			for i := range n {
				m.Restart(interpreter.Setup{Seed: 22, Index: uint64(i)})
				if _, err := m.Advance(); err != nil {
					t.Fatal(err)
				}
				r := rowOf(m, route)
				if _, ok := counts[r]; !ok {
					t.Fatalf("deal %d: the row %022b is not legal", i, r)
				}
				counts[r]++
			}
			far := farFromEqual(counts, n)
			t.Logf("%d rows, %d deals: chi-squared is %.2f standard deviations from what is expected", len(counts), n, far)
			if math.Abs(far) > 4 && !raceEnabled {
				t.Error("some rows come too often")
			}
		})
	}
}

// A race is a row and where the skunks stand, 0 before the first tile.
type race struct {
	tiles int
	red   row
	at    [4]int
	// House rules.
	sideBySide bool
}

func (r *race) isRed(tile int) bool {
	return tile >= 1 && tile <= r.tiles && r.red>>(tile-1)&1 == 1
}

// back is where a skunk goes that has been overtaken on a tile: past the red
// tiles that lie next behind it, or before the first tile.
func (r *race) back(tile int) int {
	tile--
	for tile > 0 && !r.isRed(tile) {
		tile--
	}
	for tile > 0 && r.isRed(tile) {
		tile--
	}
	return max(tile, 0)
}

// move moves a skunk; it returns false and moves nothing if the skunk may not
// stop there.
func (r *race) move(seat, steps int) bool {
	from, to := r.at[seat], r.at[seat]+steps
	if to <= r.tiles {
		if r.isRed(to) {
			return false
		}
		there := 0
		for s, at := range r.at {
			if s != seat && at == to {
				there++
			}
		}
		if there >= 2 {
			return false
		}
	}
	to = min(to, r.tiles+1)
	for s, at := range r.at {
		if s != seat && at < to && (at > from || r.sideBySide && at == from && from > 0) {
			r.at[s] = r.back(at)
		}
	}
	r.at[seat] = to
	return true
}

// raceTable plays single moves in the rule file.
type raceTable struct {
	m             *interpreter.Machine
	at, numbers   *dsl.Var
	drawn, played *dsl.Zone
	middle, box   *dsl.Zone
	choose        *dsl.Phase
	flips         int   // cards in the middle
	worth         []int // of the cards that are not in the middle, highest first
	cards         []int
}

// newRaceTable lays a route and puts all numbers but one aside, so that the
// middle never runs out of them.
func newRaceTable(t *testing.T, red row, opt dsl.Options) *raceTable {
	t.Helper()
	g := mustGame(t, raceGame, opt, 4)
	p := g.Program()
	k := &raceTable{m: g.Start(interpreter.Setup{}), at: varOf(p, "at"), numbers: varOf(p, "numbers"), drawn: zoneOf(p, "drawn"), played: zoneOf(p, "played"),
		middle: zoneOf(p, "middle"), box: zoneOf(p, "box"), choose: phaseOf(p, "choose")}
	k.lay(zoneOf(p, "route"), zoneOf(p, "heap"), red)
	left := false
	for i := range g.CountOf(k.drawn.Family) {
		word := g.CardWord(k.drawn.Family, i)
		switch {
		case word == "PU":
		case word == "1" && !left:
			left = true
		default:
			k.cards = append(k.cards, i)
			k.worth = append(k.worth, int(word[0]-'0'))
			k.m.PutCard(k.box, 0, i)
			continue
		}
		k.m.PutCard(k.middle, 0, i)
		k.flips++
	}
	slices.Reverse(k.cards)
	slices.Reverse(k.worth)
	return k
}

func (k *raceTable) lay(route, heap *dsl.Zone, red row) {
	tiles := k.m.CardsIn(heap, 0)
	for i := range tiles {
		want := "G"
		if red>>i&1 == 1 {
			want = "R"
		}
		at := slices.IndexFunc(tiles, func(p int) bool { return p >= 0 && k.m.Game().CardWord(route.Family, p) == want })
		k.m.PutCard(route, 0, tiles[at])
		tiles[at] = -1
	}
}

// move plays one move; it is refused if it returns false.
func (k *raceTable) move(at [4]int, seat, steps int) (to [4]int, moved bool, err error) {
	m := k.m
	for s := range at {
		m.Put(k.at, s, int64(at[s]))
	}
	m.SetActive(seat)
	m.Enter(k.choose)
	m.Put(k.numbers, 0, 1)
	for i, w := range k.worth {
		if w <= steps {
			m.PutCard(k.drawn, seat, k.cards[i])
			steps -= w
		}
	}
	defer func() {
		for _, c := range k.cards {
			m.PutCard(k.box, 0, c)
		}
	}()
	if steps > 0 {
		return at, false, fmt.Errorf("the cards do not come to that: %d more", steps)
	}
	req, err := m.Advance()
	if err != nil || req.Kind != interpreter.Decision {
		return at, false, fmt.Errorf("no decision: %+v, %v", req, err)
	}
	if req.N == k.flips { // the last option is to stop
		return at, false, nil
	}
	if err := m.Apply(k.flips); err != nil {
		return at, false, err
	}
	if _, err := m.Advance(); err != nil {
		return at, false, err
	}
	for s := range to {
		to[s] = int(m.Value(k.at, s))
	}
	return to, true, nil
}

// fiveRows have a red tile first, last, two side by side early and late, and
// none side by side; three skunks or more may come to stand before each.
var fiveRows = []row{
	0b0010100011000010010100,
	0b1001001001001000001001,
	0b1100010010010010010000,
	0b0100100000100010010011,
	0b0000000101010100101010,
}

func TestMovesAgainstHandWrittenFunction(t *testing.T) {
	for i, red := range fiveRows {
		for _, neighbours := range []bool{false, true} {
			if neighbours && i > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%022b/%v", red, neighbours), func(t *testing.T) {
				if bits.OnesCount32(uint32(red)) != 7 || !red.legal(1) {
					t.Fatalf("no legal row: %022b", red)
				}
				t.Parallel()
				opt := dsl.Options{}
				if neighbours {
					opt.Set = map[string]string{"sprays_neighbour": "true"}
				}
				step := sometimes(1, 997) // a prime, so that nothing goes in step with it
				if neighbours {
					step *= 11
				}
				everyMove(t, newRaceTable(t, red, opt), race{tiles: 22, red: red, sideBySide: neighbours}, step)
			})
		}
	}
}

// everyMove plays every sum from every position of four skunks that do not
// stand on red, or one of so many; each is made by some seat.
func everyMove(t *testing.T, k *raceTable, r race, step int) {
	total := 0
	for _, w := range k.worth {
		total += w
	}
	var tiles []int
	for at := range r.tiles + 1 {
		if !r.isRed(at) {
			tiles = append(tiles, at)
		}
	}
	n, refused, sprayed := 0, 0, 0
	for i := 0; i < len(tiles)*len(tiles)*len(tiles)*len(tiles)*total; i += step {
		c := i
		digit := func(n int) int { d := c % n; c /= n; return d }
		steps := 1 + digit(total)
		for s := range r.at {
			r.at[s] = tiles[digit(len(tiles))]
		}
		before, seat := r.at, int(uint64(i)*0x9e3779b97f4a7c15>>62)
		got, moved, err := k.move(r.at, seat, steps)
		want := r.move(seat, steps)
		if err != nil || moved != want || moved && got != r.at {
			t.Fatalf("%v, seat %d moves %d: %v %v, by hand %v %v; %v", before, seat, steps, got, moved, r.at, want, err)
		}
		if n++; !moved {
			refused++
		} else {
			for s := range before {
				if r.at[s] < before[s] {
					sprayed++
				}
			}
		}
	}
	t.Logf("%d moves, %d of them refused; %d skunks sprayed", n, refused, sprayed)
	if refused == 0 || sprayed == 0 {
		t.Error("that shows too little")
	}
}
