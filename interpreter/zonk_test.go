package interpreter_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file holds a second Zonk, written by hand from the printed rules, and
// plays it beside the rule file: same dice, same decisions, every score and
// every number of choices compared.

// zonkModel is a game of Zonk for two without house rules.
type zonkModel struct {
	score, zonks, bs, paid [2]int
	last                   [2]int // number of the turn in which the total was last raised
	opening                [2]int
	rolled                 int // dice of the roll-off so far
	turn, number           int
	points, aside          int
	tray                   []int // faces, in order of the pieces
	closer, lastTurn       int
	stage                  string // "open", "throw", "keep", "stop", "over"
}

func newZonkModel() *zonkModel { return &zonkModel{closer: -1, stage: "open", number: 1} }

// worth returns the best worth of dice in which every die scores; ok is false
// if they cannot all score. It tries every way to part them, die by die.
func worth(dice []int) (points int, ok bool) {
	if len(dice) == 0 {
		return 0, true
	}
	best, found := 0, false
	try := func(pts int, rest []int) {
		if p, ok := worth(rest); ok && (!found || p+pts > best) {
			best, found = p+pts, true
		}
	}
	first := dice[0]
	if first == 1 {
		try(100, dice[1:])
	}
	if first == 5 {
		try(50, dice[1:])
	}
	var same, other []int
	for _, d := range dice {
		if d == first {
			same = append(same, d)
		} else {
			other = append(other, d)
		}
	}
	face := first
	if face == 1 {
		face = 10
	}
	for n := 3; n <= len(same); n++ {
		pts := face*100 + (n-3)*100
		if n == 6 {
			pts = face * 1000
		}
		try(pts, append(append([]int{}, same[n:]...), other...))
	}
	for _, run := range [][]int{{1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}} {
		if rest, ok := without(dice, run); ok && contains(run, first) {
			pts := 500
			if len(run) == 6 {
				pts = 1000
			}
			try(pts, rest)
		}
	}
	return best, found
}

func contains(xs []int, x int) bool {
	for _, y := range xs {
		if x == y {
			return true
		}
	}
	return false
}

// without takes one die of each face of run away.
func without(dice, run []int) (rest []int, ok bool) {
	used := map[int]bool{}
	for _, d := range dice {
		if contains(run, d) && !used[d] {
			used[d] = true
		} else {
			rest = append(rest, d)
		}
	}
	return rest, len(used) == len(run)
}

// count counts dice by face.
func count(dice []int) (n [7]int) {
	for _, d := range dice {
		n[d]++
	}
	return n
}

func sameDice(a, b []int) bool { return count(a) == count(b) }

var zonkKeeps = map[[7]int]int{}

// keeps counts the different sets of dice that can be set aside.
func keeps(dice []int) int {
	key := count(dice)
	if n, ok := zonkKeeps[key]; ok {
		return n
	}
	seen := map[[7]int]bool{}
	for set := 1; set < 1<<len(dice); set++ {
		var part []int
		var counts [7]int
		for i, d := range dice {
			if set>>i&1 != 0 {
				part = append(part, d)
				counts[d]++
			}
		}
		if _, ok := worth(part); ok {
			seen[counts] = true
		}
	}
	zonkKeeps[key] = len(seen)
	return len(seen)
}

func (z *zonkModel) open(die int) {
	z.opening[z.rolled] = die
	if z.rolled++; z.rolled < 2 {
		return
	}
	z.rolled = 0
	if z.opening[0] == z.opening[1] {
		return
	}
	if z.opening[1] > z.opening[0] {
		z.turn = 1
	}
	z.newTurn(z.turn)
}

func (z *zonkModel) newTurn(seat int) {
	z.turn, z.points, z.aside, z.stage = seat, 0, 0, "throw"
	z.number++
}

func (z *zonkModel) endTurn() {
	if z.closer >= 0 && z.number == z.lastTurn {
		win := 0
		if z.score[1] > z.score[0] || z.score[1] == z.score[0] && z.last[1] < z.last[0] {
			win = 1
		}
		z.bs[win]++
		z.stage = "over"
		return
	}
	z.newTurn(1 - z.turn)
}

func (z *zonkModel) throw(faces []int) {
	z.tray = faces
	if keeps(faces) == 0 {
		if z.zonks[z.turn]++; z.zonks[z.turn]%3 == 0 {
			z.bs[z.turn]++
		}
		z.endTurn()
		return
	}
	z.stage = "keep"
}

func (z *zonkModel) keep(kept []int) error {
	p, ok := worth(kept)
	if !ok || len(kept) == 0 {
		return fmt.Errorf("kept %v, which do not all score", kept)
	}
	z.points += p
	z.aside += len(kept)
	if z.aside == 6 {
		z.aside, z.stage = 0, "throw"
	} else {
		z.stage = "stop"
	}
	return nil
}

func (z *zonkModel) bank() {
	t := z.turn
	z.score[t] += z.points
	z.last[t] = z.number
	if steps := z.score[t] / 1000; steps > z.paid[t] {
		z.bs[t] += steps - z.paid[t]
		z.paid[t] = steps
	}
	if z.closer < 0 && z.score[t] >= 10000 {
		z.closer, z.lastTurn = t, z.number+1
	}
	z.endTurn()
}

// zonkPeek reads the game that the rule file plays.
type zonkPeek struct {
	m                *interpreter.Machine
	tray             *dsl.Zone
	score, zonks, bs *dsl.Var
	points           *dsl.Var
}

func newZonkPeek(m *interpreter.Machine) *zonkPeek {
	p := m.Game().Program()
	return &zonkPeek{m: m, tray: zoneOf(p, "tray"),
		score: varOf(p, "score"), zonks: varOf(p, "zonks"), bs: varOf(p, "bs"), points: varOf(p, "points")}
}

// faces returns the dice of a set, in order.
func (z *zonkPeek) faces(set uint64) (out []int) {
	for ; set != 0; set &= set - 1 {
		out = append(out, int(z.m.Face(z.tray.Family, bits.TrailingZeros64(set))))
	}
	return out
}

func (z *zonkPeek) compare(w *zonkModel) error {
	for s := range 2 {
		got := [3]int{int(z.m.Value(z.score, s)), int(z.m.Value(z.zonks, s)), int(z.m.Value(z.bs, s))}
		want := [3]int{w.score[s], w.zonks[s], w.bs[s]}
		if got != want {
			return fmt.Errorf("seat %d has score, Zonks and B's %v, by hand %v", s, got, want)
		}
	}
	if w.stage == "keep" || w.stage == "stop" {
		if got := int(z.m.Value(z.points, 0)); got != w.points {
			return fmt.Errorf("the turn is worth %d, by hand %d", got, w.points)
		}
		if z.m.Active() != w.turn {
			return fmt.Errorf("it is the turn of seat %d, by hand of %d", z.m.Active(), w.turn)
		}
	}
	return nil
}

// follow plays one game on both sides.
func follow(m *interpreter.Machine, z *zonkPeek, r *interpreter.Rand) error {
	w := newZonkModel()
	for step := 0; ; step++ {
		req, err := m.Advance()
		if err != nil {
			return err
		}
		if err := z.compare(w); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		switch req.Kind {
		case interpreter.Over:
			if w.stage != "over" {
				return fmt.Errorf("step %d: over, by hand at %q", step, w.stage)
			}
			return nil
		case interpreter.Chance:
			o := int(r.Below(uint64(req.N)))
			if w.stage == "open" {
				w.open(o + 1)
				if req.N != 6 {
					return fmt.Errorf("step %d: the roll-off has %d outcomes", step, req.N)
				}
				if err := m.Apply(o); err != nil {
					return err
				}
				continue
			}
			if w.stage != "throw" {
				return fmt.Errorf("step %d: a throw, by hand at %q", step, w.stage)
			}
			if err := m.Apply(o); err != nil {
				return err
			}
			var faces []int
			for n := req.N / 6; n > 0; n /= 6 { // the highest digit is the first die
				faces = append(faces, o/n%6+1)
			}
			if len(faces) != 6-w.aside {
				return fmt.Errorf("step %d: %d dice thrown, by hand %d", step, len(faces), 6-w.aside)
			}
			w.throw(faces)
		case interpreter.Decision:
			i := int(r.Below(uint64(req.N)))
			tray := z.m.Set(z.tray, 0)
			want := 2
			if w.stage == "keep" {
				want = keeps(w.tray)
			}
			if req.N != want || w.stage != "keep" && w.stage != "stop" {
				return fmt.Errorf("step %d at %q: %d options, by hand %d", step, w.stage, req.N, want)
			}
			if got := z.faces(tray); w.stage == "keep" && !sameDice(got, w.tray) {
				return fmt.Errorf("step %d: the dice are %v, by hand %v", step, got, w.tray)
			}
			choice := m.OptionText(i)
			if err := m.Apply(i); err != nil {
				return err
			}
			if w.stage == "stop" {
				if choice == "bank" {
					w.bank()
				} else {
					w.stage = "throw"
				}
				continue
			}
			if _, err := m.Advance(); err != nil { // carries the action out
				return err
			}
			var kept []int
			var faces [7]int
			for _, d := range choice[len("keep "):] {
				if d != ' ' {
					kept = append(kept, int(d-'0'))
					faces[d-'0']++
				}
			}
			if err := w.keep(kept); err != nil {
				return fmt.Errorf("step %d: %w", step, err)
			}
		}
	}
}

func TestZonkAgainstHandWrittenGame(t *testing.T) {
	games := 50_000
	if testing.Short() || raceEnabled {
		games = 3_000
	}
	g := mustGame(t, "zonk", dsl.Options{}, 2)
	m := g.Start(interpreter.Setup{Seed: 1})
	m.AskChance = true
	z := newZonkPeek(m)
	for i := range games {
		m.Restart(interpreter.Setup{Seed: 1, Index: uint64(i)})
		r := interpreter.NewRand(7, uint64(i), 0)
		if err := follow(m, z, &r); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
}
