package interpreter_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file holds a second scorer of SKUNK'D, written by hand from the printed
// rules, and compares it with the rule file: every throw in every den that can
// come about, every set of dice that may be kept, and what each is worth.

// skunkDen is all of a den that counts for the next roll. The skunk is 1.
type skunkDen struct {
	dice  [7]int // by face
	rolls int    // that gave it its dice
	mega  int    // the face of a Mega in it that brings a bonus, or 0
}

func (d skunkDen) room() int { return 6 - total(d.dice) }

func total(dice [7]int) (n int) {
	for _, k := range dice {
		n += k
	}
	return n
}

// skunkTable is what a table plays: the cards and the open questions.
type skunkTable struct {
	cards                        []string
	set                          map[string]string
	megaPlus, stripesPlus        bool
	slowBoat, cinco              bool
	add, likePairs, companyInDen bool // answers other than the usual ones
	skunkIsNoOne                 bool
}

func (t skunkTable) String() string {
	s := "no cards"
	if len(t.cards) > 0 {
		s = strings.Join(t.cards, "+")
	}
	for name, value := range t.set {
		s += " " + name + "=" + value
	}
	return s
}

var skunkTables = []skunkTable{
	{},
	{cards: []string{"mega-plus"}, megaPlus: true},
	{cards: []string{"stripes-plus"}, stripesPlus: true},
	{cards: []string{"slow-boat"}, slowBoat: true},
	{cards: []string{"single-cinco"}, cinco: true},
	{cards: []string{"mega-plus", "stripes-plus", "slow-boat", "single-cinco"}, megaPlus: true, stripesPlus: true, slowBoat: true, cinco: true},
	{set: map[string]string{"single_skunk_mode": "add"}, cards: []string{"slow-boat"}, slowBoat: true, add: true},
	{set: map[string]string{"carbuncle_needs_prior_den": "true"}, companyInDen: true},
	{set: map[string]string{"stripes_distinct": "false"}, cards: []string{"stripes-plus"}, stripesPlus: true, likePairs: true},
	{set: map[string]string{"stripes_plus.skunk_is_one": "false"}, cards: []string{"stripes-plus"}, stripesPlus: true, skunkIsNoOne: true},
}

var (
	singleWorth = [7]int{1: 100, 5: 50}
	megaWorth   = [7]int{1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
	megaTimes   = [7]int{3: 1, 4: 2, 5: 4, 6: 8}
)

const noScore = -1

// alike is the best worth of n dice of one face by themselves, kept with or
// without others; filling says that the keep fills the den.
func (t skunkTable) alike(den skunkDen, face, n int, filling bool) int {
	best := noScore
	if singleWorth[face] > 0 || n == 0 {
		best = n * singleWorth[face]
	}
	for k := 3; k <= n; k++ { // a Mega of k, the others single
		if singleWorth[face] > 0 || k == n {
			best = max(best, megaWorth[face]*megaTimes[k]+(n-k)*singleWorth[face])
		}
	}
	if face == den.mega && n > 0 {
		bonus := 0
		for k, die := 0, megaWorth[face]; k < n; k, die = k+1, 2*die {
			bonus += die
		}
		best = max(best, bonus)
	}
	if filling && n == 2 && singleWorth[face] == 0 && (!t.companyInDen || total(den.dice) > 0) {
		best = max(best, 250)
	}
	return best
}

// worth is what kept dice add to the points of the turn, or noScore if they do
// not all score.
func (t skunkTable) worth(den skunkDen, kept [7]int) int {
	best, filling := 0, total(kept) == den.room()
	for face := 1; face <= 6; face++ {
		w := t.alike(den, face, kept[face], filling)
		if w == noScore {
			best = noScore
			break
		}
		best += w
	}
	if total(kept) == 6 {
		best = max(best, t.wholeRoll(kept))
	}
	if filling && den.room() == 1 && den.rolls == 5 && best != noScore {
		best = max(best, t.oneByOne(den, kept))
	}
	return best
}

// wholeRoll is the best worth of combinations of six dice.
func (t skunkTable) wholeRoll(kept [7]int) int {
	var faces [7][]int // how often: which
	for face := 1; face <= 6; face++ {
		faces[kept[face]] = append(faces[kept[face]], face)
	}
	switch {
	case len(faces[1]) == 6: // Polecat
		return 1500
	case len(faces[3]) == 2: // Double Mega
		return 2 * (megaWorth[faces[3][0]] + megaWorth[faces[3][1]])
	case len(faces[2]) == 3: // Stripes
		if low := faces[2][0]; t.stripesPlus && faces[2][2] == low+2 && (low > 1 || !t.skunkIsNoOne) {
			return 3000
		}
		return 1000
	case t.likePairs && (len(faces[6]) == 1 || len(faces[4]) == 1 && len(faces[2]) == 1):
		return 1000
	}
	return noScore
}

// oneByOne is the best worth of a die that fills a den to which every roll gave
// a single die.
func (t skunkTable) oneByOne(den skunkDen, kept [7]int) int {
	skunks, fives := den.dice[1]+kept[1], den.dice[5]+kept[5]
	paid := 100*den.dice[1] + 50*den.dice[5]
	best := noScore
	if skunks == 6 {
		best = 6000 - paid
		if t.add {
			best = 6000 + 100
		}
	}
	if t.slowBoat && skunks+fives == 6 {
		best = max(best, 5*(100*skunks+50*fives)-paid)
	}
	if t.cinco && fives == 6 {
		best = max(best, 3000-paid)
	}
	return best
}

// after is the den after a keep, which may have filled it.
func (t skunkTable) after(den skunkDen, kept [7]int) skunkDen {
	for face, n := range kept {
		den.dice[face] += n
		if n >= 3 && (t.megaPlus || face != 1 && face != 5) {
			den.mega = face
		}
	}
	den.rolls++
	return den
}

// diceOf lists all multisets of n dice.
func diceOf(n int) (out [][7]int) {
	var dice [7]int
	var fill func(face, left int)
	fill = func(face, left int) {
		if face == 6 {
			dice[6] = left
			out = append(out, dice)
			return
		}
		for k := 0; k <= left; k++ {
			dice[face] = k
			fill(face+1, left-k)
		}
	}
	fill(1, n)
	return out
}

// partsOf lists all non-empty parts of some dice.
func partsOf(dice [7]int) (out [][7]int) {
	for n := 1; n <= total(dice); n++ {
		for _, part := range diceOf(n) {
			ok := true
			for face, k := range part {
				ok = ok && k <= dice[face]
			}
			if ok {
				out = append(out, part)
			}
		}
	}
	return out
}

// dens lists every den from which a roll can be made.
func (t skunkTable) dens() []skunkDen {
	out, seen := []skunkDen{{}}, map[skunkDen]bool{{}: true}
	for i := 0; i < len(out); i++ {
		for n := 1; n < out[i].room(); n++ {
			for _, kept := range diceOf(n) {
				if next := t.after(out[i], kept); t.worth(out[i], kept) != noScore && !seen[next] {
					seen[next] = true
					out = append(out, next)
				}
			}
		}
	}
	return out
}

// skunkPeek reads and lays out a game of SKUNK'D.
type skunkPeek struct {
	m                   *interpreter.Machine
	tray, den           *dsl.Zone
	points, rolls, mega *dsl.Var
	look, throw         *dsl.Phase
}

func newSkunkPeek(t testing.TB, s selection, seats int) *skunkPeek {
	t.Helper()
	g := s.game(t, seats)
	p := g.Program()
	return &skunkPeek{
		m:    g.Start(interpreter.Setup{Seed: 1}),
		tray: zoneOf(p, "tray"), den: zoneOf(p, "den"),
		points: varOf(p, "points"), rolls: varOf(p, "keeps"), mega: varOf(p, "mega"),
		look: phaseOf(p, "look"), throw: phaseOf(p, "throw"),
	}
}

func words(dice [7]int) (out []dsl.PieceWord) {
	for face, n := range dice {
		for range n {
			out = append(out, dsl.PieceWord{Face: int64(face)})
		}
	}
	return out
}

// set lays a den and a tray, as if the tray had just been thrown.
func (k *skunkPeek) set(t testing.TB, den skunkDen, tray [7]int) {
	t.Helper()
	used := uint64(0)
	if _, ok := k.m.Lay(k.den, 0, words(den.dice), &used); !ok {
		t.Fatalf("no dice for the den %v", den)
	}
	if _, ok := k.m.Lay(k.tray, 0, words(tray), &used); !ok {
		t.Fatalf("no dice for the tray %v", tray)
	}
	mega := int64(den.mega)
	if den.mega == 0 {
		mega = dsl.None
	}
	k.m.Put(k.mega, 0, mega)
	k.m.Put(k.rolls, 0, int64(den.rolls))
	k.m.Put(k.points, 0, 0)
}

// readDice reads the dice of a move as people type them.
func readDice(t testing.TB, text string) (dice [7]int) {
	t.Helper()
	for _, w := range strings.Fields(text) {
		face := slices.Index([]string{"", "skunk", "2", "3", "4", "5", "6"}, w)
		if face < 0 {
			t.Fatalf("%q is no die of %q", w, text)
		}
		dice[face]++
	}
	return dice
}

func TestSkunkdAgainstHandWrittenScorer(t *testing.T) {
	for i, table := range skunkTables {
		if raceEnabled && i != 0 && i != 5 {
			continue // the plain game, and the four cards at once
		}
		t.Run(table.String(), func(t *testing.T) {
			t.Parallel()
			p, ds := dsl.Load(shipped(), "skunkd", dsl.Options{With: table.cards, Set: table.set})
			report(t, ds)
			k := newSkunkPeek(t, selection{table.cards, p, ds}, 2)
			advance(t, k.m)
			dens := table.dens()
			throws, keeps := 0, 0
			for _, den := range dens {
				for _, tray := range diceOf(den.room()) {
					throws++
					keeps += compareThrow(t, table, k, den, tray)
					if t.Failed() {
						return
					}
				}
			}
			t.Logf("%d dens, %d throws, %d keeps compared", len(dens), throws, keeps)
			if len(dens) < 50 || keeps < throws {
				t.Error("that is too few")
			}
		})
	}
}

// compareThrow compares one throw: which parts can be kept, what they are worth
// and what they leave behind.
func compareThrow(t *testing.T, table skunkTable, k *skunkPeek, den skunkDen, tray [7]int) int {
	t.Helper()
	want := map[[7]int]int{}
	for _, part := range partsOf(tray) {
		if w := table.worth(den, part); w != noScore {
			want[part] = w
		}
	}
	k.set(t, den, tray)
	k.m.Enter(k.look)
	req := advance(t, k.m)
	if req.Kind != interpreter.Decision || k.m.Phase() != k.look {
		t.Fatalf("den %v, dice %v: nothing is asked", den, tray)
	}
	if len(want) == 0 {
		if req.N != 1 || k.m.OptionText(0) != "pass" {
			t.Errorf("den %v, dice %v: %d choices, by hand SKUNK'D", den, tray, req.N)
		}
		return 0
	}
	got := map[[7]int]int{}
	var c *interpreter.Machine
	for _, o := range k.m.Options(0) {
		if o.Action.Name != "keep" {
			t.Errorf("den %v, dice %v: one may %s", den, tray, o.Text)
			continue
		}
		kept := readDice(t, strings.TrimPrefix(o.Text, "keep "))
		c = fresh(t, k.m, c)
		if err := c.Apply(o.Index); err != nil {
			t.Fatal(err)
		}
		advance(t, c)
		got[kept] = int(c.Value(k.points, 0))
		left := skunkDen{}
		if next := table.after(den, kept); next.room() > 0 {
			left = next
		}
		mega := max(0, c.Value(k.mega, 0)) // none is less than any face
		if int(mega) != left.mega || int(c.Value(k.rolls, 0)) != left.rolls {
			t.Errorf("den %v, dice %v, kept %v: it leaves a Mega of %d and %d rolls, by hand %v", den, tray, kept, mega, c.Value(k.rolls, 0), left)
		}
	}
	for part, w := range want {
		if v, ok := got[part]; !ok || v != w {
			t.Errorf("den %v, dice %v, kept %v: %d (possible: %v), by hand %d", den, tray, part, v, ok, w)
		}
	}
	if len(got) != len(want) || req.N != len(want) {
		t.Errorf("den %v, dice %v: %d keeps %v, by hand %v", den, tray, req.N, got, want)
	}
	return len(want)
}

// The printed odds, with nothing useful in the den, by what the machine asks of
// chance.
func TestSkunkdExactOdds(t *testing.T) {
	want := []uint64{0, 4, 12, 60, 168, 600, 1080}
	for _, with := range [][]string{nil, {"mega-plus", "stripes-plus", "slow-boat", "single-cinco"}} {
		k := newSkunkPeek(t, chooseOf("skunkd", with...), 2)
		k.m.AskChance = true
		advance(t, k.m)
		for dice := 1; dice <= 6; dice++ {
			falls := map[string]uint64{}
			var all uint64
			k.eachFall(t, dice, func(c *interpreter.Machine, weight uint64) {
				all += weight
				best := 0
				var d *interpreter.Machine
				for _, o := range c.Options(0) {
					if o.Text == "pass" {
						falls["nothing"] += weight
						return
					}
					d = fresh(t, c, d)
					if err := d.Apply(o.Index); err != nil {
						t.Fatal(err)
					}
					advance(t, d)
					best = max(best, int(d.Value(k.points, 0)))
				}
				shown := readDice(t, c.Pieces(k.tray.Family, c.Set(k.tray, 0)))
				switch {
				case dice < 6:
				case !slices.Contains(shown[1:], 0): // one of each face
					falls["Polecat"] += weight
					if best != 1500 {
						t.Errorf("a Polecat is worth %d", best)
					}
				case pairs3(shown):
					falls["Stripes"] += weight
					if best != 1000 && (best != 3000 || len(with) == 0) {
						t.Errorf("Stripes %v are worth %d", shown, best)
					}
				}
			})
			if all != power(6, dice) || falls["nothing"] != want[dice] {
				t.Errorf("with %v: %d dice score nothing in %d of %d throws, want %d of %d", with, dice, falls["nothing"], all, want[dice], power(6, dice))
			}
			if dice == 6 && (falls["Stripes"] != 1800 || falls["Polecat"] != 720) {
				t.Errorf("with %v: Stripes in %d and a Polecat in %d throws, want 1800 and 720", with, falls["Stripes"], falls["Polecat"])
			}
		}
	}
}

func pairs3(dice [7]int) bool {
	n := 0
	for _, k := range dice {
		if k == 2 {
			n++
		}
	}
	return n == 3
}

// eachFall lays a den with nothing useful in it, asks for a throw of the dice
// that are left, and shows each way that they can fall.
func (k *skunkPeek) eachFall(t *testing.T, dice int, see func(c *interpreter.Machine, weight uint64)) {
	t.Helper()
	den := skunkDen{rolls: 1}
	if dice == 6 {
		den.rolls = 0
	}
	den.dice[5] = min(2, 6-dice)
	den.dice[1] = 6 - dice - den.dice[5]
	k.set(t, den, [7]int{2: dice})
	k.m.Enter(k.throw)
	if req := advance(t, k.m); req.Kind != interpreter.Chance || req.N != int(power(6, dice)) || thrownDice(k.m) != dice {
		t.Fatalf("%d dice are to be thrown, and the request is %+v", dice, req)
	}
	var c *interpreter.Machine
	for _, f := range k.m.Falls() {
		c = fresh(t, k.m, c)
		if err := c.ApplyFall(f); err != nil {
			t.Fatal(err)
		}
		if req := advance(t, c); req.Kind != interpreter.Decision || c.Phase().Name != "look" {
			t.Fatalf("after %q nothing is asked about the dice", f.Text)
		}
		see(c, f.Weight)
	}
}
