package interpreter_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// Small games with pieces that have no faces, each for one thing that the
// language can say of them.

// chips are nine pieces: eight with numbers, in two colours, and a pair alike.
const chips = `
pieces:
  chips:
    attributes:
      colour: {options: {red: R, blue: B}, default: none}
      n: 0
      counts_as: '[.kind]'
    kinds:
      plain: {each: {colour: all, n: 1..4}, short: '{colour}{n}'}
      odd: {count: 2, short: X, counts_as: [plain, odd]}
`

// chipGame makes a game for three of the chips and more sections.
func chipGame(t testing.TB, sections string) *interpreter.Game {
	t.Helper()
	return chipGameFor(t, 3, sections)
}

func chipGameFor(t testing.TB, seats int, sections string) *interpreter.Game {
	t.Helper()
	return inlineGame(t, seats, "houserules: 1\ngame: chips\ntitle: Chips\nplayers: 2..6\n"+chips+sections)
}

func started(t testing.TB, g *interpreter.Game) *interpreter.Machine {
	t.Helper()
	m := g.Start(interpreter.Setup{Names: seatNames[:g.Seats()], Seed: 1})
	advance(t, m)
	return m
}

// is tests formulas where a game stands.
func is(t testing.TB, m *interpreter.Machine, want map[string]string) {
	t.Helper()
	for text, value := range want {
		got, err := m.EvalText(formulaOf(t, m.Game().Program(), text))
		if err != nil || got != value {
			t.Errorf("%s is %q, want %q; %v", text, got, value, err)
		}
	}
}

// typed types moves.
func typed(t testing.TB, m *interpreter.Machine, moves ...string) {
	t.Helper()
	for _, text := range moves {
		advance(t, m)
		i, err := m.ParseMove(text)
		if err == nil {
			err = m.Apply(i)
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	advance(t, m)
}

const stop = "\n  wait: {actions: {stop: {do: finish}}}\n"

func TestDeal(t *testing.T) {
	for name, c := range map[string]struct {
		zones, enter string
		want         map[string]string
	}{
		"round by round, until there are none": {
			"{pile: {of: chips, starts: all}, hold: {of: chips, each: seat}}",
			"deal 4 from pile to hold of everyone",
			map[string]string{"first(everyone).hold": "R1 R4 B3 X", "everyone[2].hold": "R2 B1 B4", "last(everyone).hold": "R3 B2 X", "len(pile)": "0"},
		},
		"no more than asked": {
			"{pile: {of: chips, starts: all}, hold: {of: chips, each: seat}}",
			"deal 2 from pile to hold of [last(everyone), first(everyone)]",
			map[string]string{"first(everyone).hold": "R2 R4", "everyone[2].hold": "none", "last(everyone).hold": "R1 R3", "pile": "B1 B2 B3 B4 X X"},
		},
		"to one seat, and none at all": {
			"{pile: {of: chips, starts: all}, hold: {of: chips, each: seat}}",
			"deal 1 from pile to hold of me; deal 0 from pile to hold of everyone; deal -3 from pile to hold of everyone",
			map[string]string{"me.hold": "R1", "len(pile)": "9"},
		},
		"from the top of a zone in order": {
			"{pile: {of: chips, starts: all}, side: {of: chips}, hold: {of: chips, each: seat}}",
			"move filter(pile, .colour == blue) to side; move filter(side, .n == 3) to side on top; deal 1 from side to hold of everyone; move take(side, 1) to side",
			map[string]string{"first(everyone).hold": "B3", "everyone[2].hold": "B1", "last(everyone).hold": "B2", "side": "B4"},
		},
		"pieces one by one": {
			"{pile: {of: chips, starts: all}, hold: {of: chips, each: seat}}",
			"deal filter(pile, .n > 2) to hold of everyone",
			map[string]string{"first(everyone).hold": "R3 B4", "everyone[2].hold": "R4", "last(everyone).hold": "B3", "len(pile)": "6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := started(t, chipGame(t, "zones: "+c.zones+"\nphases:\n  give: {enter: '"+c.enter+"'}"+stop))
			is(t, m, c.want)
		})
	}
}

// What is drawn of a zone that was shuffled, or at random, comes as often as it
// should, whether the order of the zone is kept or not.
func TestDealAtRandom(t *testing.T) {
	for name, enter := range map[string]string{
		"shuffled":             "move chips to pile at random; deal 2 from pile to hold of everyone",
		"at random":            "deal 2 from pile to hold of everyone at random",
		"shuffled, in order":   "move chips to pile at random; deal 2 from pile to hold of everyone; move take(pile, 1) to pile",
		"pieces, at random":    "deal filter(pile, true) to hold of everyone at random; move filter(chips, .n < 0) to pile",
		"twice, what was kept": "move chips to pile at random; deal 1 from pile to hold of everyone; deal 1 from pile to hold of everyone",
	} {
		t.Run(name, func(t *testing.T) {
			g := chipGame(t, "zones: {pile: {of: chips, starts: all, seen: nobody}, hold: {of: chips, each: seat, seen: owner}}\nphases:\n  give: {enter: '"+enter+"'}"+stop)
			m := g.Start(interpreter.Setup{})
			hold := zoneOf(g.Program(), "hold")
			var counts [3][10]int
			const games = 6000
			for i := range games {
				m.Restart(interpreter.Setup{Seed: 5, Index: uint64(i)})
				m.Listen(nil)
				if i%2 == 1 {
					m.Listen(&interpreter.Log{})
				}
				advance(t, m)
				for s := range 3 {
					for _, c := range m.CardsIn(hold, s)[:2] {
						counts[s][c]++
					}
				}
			}
			for s := range counts {
				for c, n := range counts[s] {
					want := games * 2 / 10
					if strings.HasPrefix(name, "pieces") {
						continue // the lowest two of more are looked at
					}
					if n < want-150 || n > want+150 {
						t.Errorf("seat %d gets piece %d in %d of %d games, want about %d", s, c, n, games, want)
					}
				}
			}
		})
	}
}

// Only zones out of which the order matters to some rule keep it; there pieces
// lie as they came, elsewhere in the order of the family.
func TestOrderOfZones(t *testing.T) {
	const phases = `
phases:
  go:
    enter: |
      move filter(pile, .n == 3) to row
      move filter(pile, .n == 1) to row
      move filter(pile, .n == 2) to row on top
%s
` + "  wait: {actions: {stop: {do: finish}}}\n"
	for name, c := range map[string]struct {
		more  string
		keeps bool
		row   string
	}{
		"nobody looks":            {"", false, "R1 R2 R3 B1 B2 B3"},
		"counting is no look":     {"      me.seen = count(row, .n > 1) + len(row)", false, "R1 R2 R3 B1 B2 B3"},
		"the first":               {"      me.seen = first(row).n", true, "B2 R2 R3 B3 R1 B1"},
		"the last":                {"      me.seen = last(row).n", true, "B2 R2 R3 B3 R1 B1"},
		"the second":              {"      me.seen = row[2].n", true, "B2 R2 R3 B3 R1 B1"},
		"find":                    {"      me.seen = find(row, .n < 3)?.n ?? 0", true, "B2 R2 R3 B3 R1 B1"},
		"a loop":                  {"      for c in row { me.seen = c.n }", true, "B2 R2 R3 B3 R1 B1"},
		"a filter that is walked": {"      me.seen = first(filter(row, .n < 3)).n", true, "B2 R2 R3 B3 R1 B1"},
		"into a zone that keeps":  {"      move row to line; me.seen = first(line).n; move line to row", true, "B2 R2 R3 B3 R1 B1"},
		"by a table":              {"      me.seen = top(row)?.n ?? 0", true, "B2 R2 R3 B3 R1 B1"},
		"by a define":             {"      me.seen = front(row)", true, "B2 R2 R3 B3 R1 B1"},
		"a map that is walked":    {"      me.seen = first(map(row, .n))", true, "B2 R2 R3 B3 R1 B1"},
		"by a condition":          {"      me.seen = first(me.seen == 0 ? row : line).n", true, "B2 R2 R3 B3 R1 B1"},
		"by a lookup":             {"      me.seen = first(which(1)).n", true, "B2 R2 R3 B3 R1 B1"},
		"the highest":             {"      me.seen = first(highest(row, .n)).n", true, "B2 R2 R3 B3 R1 B1"},
		"shuffled, then in order": {"      move row to row at random", false, "R1 R2 R3 B1 B2 B3"},
	} {
		t.Run(name, func(t *testing.T) {
			g := chipGame(t, `
zones: {pile: {of: chips, starts: all}, row: {of: chips}, line: {of: chips}}
state: {player: {seen: 0}}
define:
  front(cs list of chips): first(cs).n
  which(k): {1: row, else: line}
tables: {top: {of: {cs: row}, rows: {any: {first: true}}}}
`+fmt.Sprintf(phases, c.more))
			m := started(t, g)
			row := zoneOf(g.Program(), "row")
			if got := g.KeepsOrder(row); got != c.keeps {
				t.Errorf("the order is kept: %v, want %v", got, c.keeps)
			}
			is(t, m, map[string]string{"row": c.row})
			if err := whole(m); err != nil {
				t.Error(err)
			}
		})
	}
}

// `at random` shuffles the whole zone to which pieces go, where its order is
// kept.
func TestShuffledInOrder(t *testing.T) {
	g := chipGame(t, `
zones: {pile: {of: chips, starts: all}, row: {of: chips}}
state: {game: {top: int}}
phases:
  go: {enter: 'move filter(pile, .n == 1) to row; move filter(pile, .n > 2) to row at random; game.top = first(row).n'}
`+stop)
	m := g.Start(interpreter.Setup{})
	row := zoneOf(g.Program(), "row")
	counts := map[int]int{}
	orders := map[string]bool{}
	const games = 6000
	for i := range games {
		m.Restart(interpreter.Setup{Seed: 2, Index: uint64(i)})
		advance(t, m)
		cards := m.CardsIn(row, 0)
		counts[cards[0]]++
		orders[fmt.Sprint(cards)] = true
	}
	for c, n := range counts {
		if n < 850 || n > 1150 {
			t.Errorf("piece %d is on top in %d of %d games", c, n, games)
		}
	}
	if len(counts) != 6 || len(orders) < 700 {
		t.Errorf("%d pieces are on top, in %d of 720 orders", len(counts), len(orders))
	}
}

const marked = `
zones:
  pile: {of: chips, starts: all}
  row:
    of: chips
    marks: {by: seat, as: {type: chips.kind, default: '.counts_as[1]'}, worth: {type: int or none, default: '.n > 2 ? .n * 10 : none'}}
`

func TestMarks(t *testing.T) {
	m := started(t, chipGame(t, marked+`
phases:
  go:
    enter: |
      move filter(pile, .n == 3) to row with by = me, as = odd
      move filter(pile, .n == 1) to row with by = .colour == red ? me : after(everyone, me)
      move filter(pile, .kind == odd) to row with worth = .n + 7, by = last(everyone)
      move filter(pile, .n == 4) to row with by = me
      move filter(row, .n == 4) to pile
`+stop))
	is(t, m, map[string]string{
		"map(row, .by)":                     "Ann, Ann, Bob, Ann, Cat, Cat",
		"map(row, .as)":                     "plain, odd, plain, odd, plain, plain",
		"map(row, .worth ?? 0)":             "0, 30, 0, 30, 7, 7",
		"count(row, .as == odd)":            "2",
		"filter(row, .as == odd)":           "R3 B3",
		"filter(row, .as != odd)":           "R1 B1 X X",
		"filter(row, not (.as == odd))":     "R1 B1 X X",
		"filter(row, .by == first(seats))":  "R1 R3 B3",
		"filter(row, .worth == none)":       "R1 B1",
		"count(row, .as == .kind)":          "2",
		"map(filter(pile, .n == 4), .by)":   "Ann, Ann",
		"find(row, .as == odd)":             "R3",
		"any(row, .as == odd and .n == 1)":  "no",
		"one(row, .worth == 30 and .n > 5)": "no",
	})
}

// Reading a mark that was never written is a fault, and says where.
func TestMarkThatWasNeverWritten(t *testing.T) {
	for _, rule := range []string{"me.got = first(pile).by == me ? 1 : 0", "me.got = count(pile, .by == me)", "me.got = sum(pile, .as == odd ? 1 : 0)",
		"me.got = count(pile, .as == odd)", "me.got = any(pile, .as != odd) ? 1 : 0", "me.got = len(filter(pile, .as == odd))"} {
		t.Run(rule, func(t *testing.T) {
			for _, listen := range []bool{false, true} {
				m := chipGame(t, marked+"\nstate: {player: {got: 0}}\nphases:\n  go:\n    enter: |\n      "+rule+"\n"+stop).Start(interpreter.Setup{})
				if listen {
					m.Listen(&interpreter.Log{})
				}
				_, err := m.Advance()
				var f *interpreter.Fault
				if !errors.As(err, &f) || f.Span.IsZero() || !strings.Contains(f.Span.Text(), ".") || !strings.Contains(f.Message, "has been written") {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
}

func TestTables(t *testing.T) {
	g := chipGame(t, `
zones: {pile: {of: chips, starts: all}, row: {of: chips}}
state: {player: {got: 0}}
params: {strict: {default: true}}
define:
  doubled(cs list of chips): worth(cs) * 2
  chips.of_pair: 'pair_of(.n) == 2'
tables:
  best:
    of: {cs: row}
    rows:
      blue: {highest: .n, where: .colour == blue}
      lowest_red: {lowest: .n, where: .colour == red and not strict}
      last_odd: {last: .kind == odd, when: len(cs) > 1}
      any: {first: true}
  worth:
    take: sum
    of: {cs: row}
    gives: int
    rows:
      numbers: {gives: 'sum(cs, .n)'}
      odd_ones: {when: 'any(cs, .kind == odd)', gives: 100}
      first_red: {first: .colour == red, gives: .n * 1000}
  pair_of:
    given: {n: int}
    gives: 1..2
    rows:
      low: {when: n <= 2, gives: 1}
      high: 2
  never:
    given: {n: int}
    gives: int or none
    rows:
      big: {when: n > 10, gives: n}
  nested:
    of: {cs: row}
    given: {bonus: int}
    gives: int
    rows:
      big: {when: 'doubled(cs) > 200', gives: 'bonus + (best(cs)?.n ?? 0)'}
      small: {gives: '0 - pair_of(bonus)'}
phases:
  go: {enter: 'move filter(pile, .n > 2) to row; me.got = first(row).n'}
`+stop)
	m := started(t, g)
	is(t, m, map[string]string{
		"best(row)":                                     "B4",
		"best(filter(row, .colour == red))":             "R3",
		"best(filter(pile, .kind == odd))":              "X",
		"best(filter(row, .n > 9))":                     "none",
		"best(filter(row, .n > 9)) == none":             "yes",
		"worth(row)":                                    "3014",
		"worth(pile)":                                   "1106",
		"worth(filter(pile, .kind == odd))":             "100",
		"doubled(row)":                                  "6028",
		"map([1, 2, 3], pair_of(it))":                   "1, 1, 2",
		"count(chips, .of_pair)":                        "4",
		"never(10) ?? -1":                               "-1",
		"never(11) ?? -1":                               "11",
		"nested(row, 5)":                                "9",
		"nested(filter(row, .n < 0), 5)":                "-2",
		"sum(everyone, nested(filter(row, .n < 0), 1))": "-3",
	})
}

// Formulas of people may ask for what no rule asks for, again and again and on
// several machines at once.
func TestEvalOfWhatNoRuleAsks(t *testing.T) {
	g := chipGame(t, `
params: {sizes: {default: [4, 5]}, more: {default: [6]}}
zones: {pile: {of: chips, starts: all}, row: {of: chips}}
phases: {go: {enter: 'move filter(pile, .n == 1) to row'}, wait: {actions: {stop: {do: finish}}}}
`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m := started(t, g)
			for range 3 {
				is(t, m, map[string]string{"first(pile).counts_as": "plain", "last(pile).counts_as": "plain, odd", "len(sizes) + more[1]": "8", "sizes": "4, 5",
					"map(everyone, first(pile))": "R2, R2, R2", "row": "R1 B1", "map(row, it)": "R1, B1", "first(map(row, it)).n": "1"})
			}
		})
	}
	wg.Wait()
}

// A table of which no row may apply must say what it is then.
func TestTablesAreTotal(t *testing.T) {
	const table = "zones: {pile: {of: chips, starts: all}}\nphases: {wait: {actions: {stop: {do: finish}}}}\ntables: {small: {given: {n: int}, gives: %s, rows: {low: {when: n < 3, gives: n}%s}}}\n"
	head := "houserules: 1\ngame: chips\ntitle: Chips\nplayers: 2..6\n" + chips
	for _, c := range []struct {
		gives, last string
		total       bool
	}{{"int", "", false}, {"int or none", "", true}, {"int", ", high: 9", true}} {
		_, ds := dsl.Load(inline(t, head+fmt.Sprintf(table, c.gives, c.last)), "chips", dsl.Options{})
		if ds.HasErrors() == c.total || !c.total && ds[0].Code != "E0309" {
			t.Errorf("%v: %v", c, ds)
		}
	}
}

func TestMapsAndListParams(t *testing.T) {
	const text = `
params:
  sizes: {default: [3, 1, 2], min: 1, max: 9}
  tint: {default: pale, options: [pale, dark]}
state:
  game: {paid: int for each seat, by_colour: {type: int for each chips.colour, start: 5}, by_tint: int for each tint}
  player: {owed: int for each seat, n: 0}
zones: {pile: {of: chips, starts: all}}
define: {total(owed int for each seat): sum(owed)}
phases:
  go:
    enter: |
      for p in everyone {
        game.paid[p] += sizes[1]
        for q in everyone {
          p.owed[q] = len(sizes) if p != q
        }
      }
      game.paid[me] += 10
      game.by_colour[blue] -= 2
      game.by_tint[dark] = max(sizes)
      me.n = game.paid[last(everyone)]
      move filter(pile, game.by_colour[.colour ?? red] == 5) to pile
` + stop
	g := chipGame(t, text)
	m := started(t, g)
	is(t, m, map[string]string{
		"game.paid":                          "13, 3, 3",
		"game.paid[first(everyone)]":         "13",
		"sum(game.paid)":                     "19",
		"len(game.paid)":                     "3",
		"max(map(game.paid, it * 2))":        "26",
		"game.by_colour":                     "5, 3",
		"game.by_tint[dark]":                 "3",
		"game.by_tint[pale]":                 "0",
		"map(everyone, sum(.owed))":          "6, 6, 6",
		"total(last(everyone).owed)":         "6",
		"me.n":                               "3",
		"sizes":                              "3, 1, 2",
		"sizes[len(sizes)]":                  "2",
		"map(1..3, sizes[it])":               "3, 1, 2",
		"any(everyone, game.paid[it] == 13)": "yes",
	})
	lib := inline(t, "houserules: 1\ngame: chips\ntitle: Chips\nplayers: 2..6\n"+chips+text)
	p, ds := dsl.Load(lib, "chips", dsl.Options{Set: map[string]string{"sizes": "[7, 7]"}})
	report(t, ds)
	is(t, started(t, newOf(t, p, 2)), map[string]string{"sizes": "7, 7", "game.paid": "17, 7", "game.by_tint[dark]": "7"})
	for _, wrong := range []string{"[]", "[0]", "[1, 10]", "x"} {
		if _, ds := dsl.Load(lib, "chips", dsl.Options{Set: map[string]string{"sizes": wrong}}); !ds.HasErrors() {
			t.Errorf("sizes may be %s", wrong)
		}
	}
	// A key that is nobody is a fault, and says where.
	if v, err := m.Eval(formulaOf(t, g.Program(), "game.paid[find(everyone, false)]")); err == nil {
		t.Errorf("what nobody is paid is %d", v)
	}
	// A clone has values of its own.
	c := m.Clone()
	c.PutKey(varOf(g.Program(), "paid"), 0, 1, 99)
	is(t, c, map[string]string{"game.paid": "13, 99, 3"})
	is(t, m, map[string]string{"game.paid": "13, 3, 3"})
}

const ghostly = `
zones: {pile: {of: chips, starts: all}, hold: {of: chips, each: seat, seen: owner}, row: {of: chips, marks: {by: seat}}}
seats: {wisp: {title: Wisp, when: len(everyone) < 3}}
state: {player: {score: 0}, game: {rounds: 0}}
phases:
  give: {enter: 'move chips to pile; deal 2 from pile to hold of seats'}
  play:
    who: seats in turn
    actions: {put: {pick: {c: one of me.hold}, do: 'move c to row with by = me; me.score += c.n'}}
    nobody: 'move take(me.hold, 1) to row with by = me; me.score += 100'
  again: {enter: 'game.rounds += 1; finish if game.rounds > 2; goto play if any(seats, not empty(.hold)); next turn'}
rank: {score: {by: me.score, first: highest}}
`

// A ghost has zones and state and plays by rule; it is asked nothing, sees
// nothing, and does not rank.
func TestGhosts(t *testing.T) {
	m := started(t, chipGameFor(t, 2, ghostly))
	is(t, m, map[string]string{"wisp": "Wisp", "seats": "Ann, Bob, Wisp", "everyone": "Ann, Bob", "len(others)": "1", "wisp.hold": "R3 B2", "me.hold": "R1 R4",
		"wisp in everyone": "no", "after(seats, wisp)": "Ann", "around(seats, wisp)": "Wisp, Ann, Bob"})
	typed(t, m, "put R4", "put B1")
	is(t, m, map[string]string{"map(row, .by)": "Wisp, Ann, Bob", "wisp.score": "100", "wisp.hold": "B2", "row": "R3 R4 B1"})
	for _, z := range m.View(1).Zones {
		if z.Zone.Name == "hold" && z.Seen != (z.Of == 1) {
			t.Errorf("seat 1 sees what seat %d holds: %v", z.Of, z.Seen)
		}
	}
	typed(t, m, "put R1", "put R2")
	if r := fmt.Sprint(m.Ranking()); strings.Contains(r, "2") {
		t.Errorf("the ranking is %s", r)
	}
	three := started(t, chipGameFor(t, 3, ghostly))
	is(t, three, map[string]string{"wisp": "none", "seats": "Ann, Bob, Cat", "wisp == none": "yes"})
	if err := loudAndQuick(chipGameFor(t, 2, ghostly), 3, 0, 20); err != nil {
		t.Error(err)
	}
}

const secretly = `
zones: {pile: {of: chips, starts: all, seen: nobody}, hold: {of: chips, each: seat, seen: owner}}
seats: {wisp: {title: Wisp, when: len(everyone) < 3}}
state: {game: {log: 0, rounds: 0}, player: {said: 0, none: 0}}
phases:
  give: {enter: 'move chips to pile; deal 3 from pile to hold of seats; for p in everyone { p.said = 0 }'}
  ask:
    who: seats at once
    actions:
      say:
        when: me.hold[1].n != 4
        pick: {n: '0..me.hold[1].n'}
        do: me.said = n
      pass: {when: 'me.hold[1].n != 4', pick: {gift: 1 of me.hold}, do: 'let next = after(everyone, me); move gift to next.hold; me.said = -1'}
    nobody: me.none += 10
    otherwise: me.none += 1
    then: |
      for p in everyone { game.log = game.log * 10 + p.said + 1 }
  pause: {actions: {go_on: {do: game.rounds += 1}}}
  again: {enter: 'finish if game.rounds > 3; next turn'}
`

// Whoever is shown pieces knows where they lie, as long as they do not move
// unseen.
func TestShow(t *testing.T) {
	g := chipGame(t, `
zones: {pile: {of: chips, starts: all, seen: nobody}, hold: {of: chips, each: seat, seen: owner}, other: {of: chips, seen: nobody}}
phases:
  give: {enter: 'deal 2 from pile to hold of everyone'}
  look:
    actions:
      peek: {do: 'show pile to me; again'}
      open: {do: 'show first(everyone).hold to [everyone[2], last(everyone)]; again'}
      shove: {do: 'move filter(pile, .n == 4) to other; again'}
      stop: {do: finish}
`)
	m := g.Start(interpreter.Setup{Names: seatNames[:3]})
	m.Know()
	advance(t, m)
	f := g.Program().Families[0]
	pile, other, hold := zoneOf(g.Program(), "pile"), zoneOf(g.Program(), "other"), zoneOf(g.Program(), "hold")
	bit := func(z *dsl.Zone, seat int) uint64 { return 1 << uint(g.NumberOfZone(z, seat)) }
	knows := func(seat int, word string) uint64 {
		for c := range g.CountOf(f) {
			if g.CardWord(f, c) == word {
				return m.May(seat, f, c)
			}
		}
		t.Fatal(word)
		return 0
	}
	hands := bit(hold, 1) | bit(hold, 2)
	if got := knows(0, "B4"); got != bit(pile, 0)|hands {
		t.Errorf("before a look the seat thinks of %b", got)
	}
	typed(t, m, "peek")
	for word, want := range map[string]uint64{"B4": bit(pile, 0), "R2": hands, "R1": bit(hold, 0)} {
		if got := knows(0, word); got != want {
			t.Errorf("after a look the seat thinks of %b for %s, want %b", got, word, want)
		}
	}
	if got := knows(1, "B4"); got&(got-1) == 0 {
		t.Errorf("another seat knows where it is: %b", got)
	}
	typed(t, m, "open")
	if a, b := knows(1, "R1"), knows(2, "R4"); a != bit(hold, 0) || b != bit(hold, 0) {
		t.Errorf("those who were shown it think of %b and %b", a, b)
	}
	typed(t, m, "shove")
	if got := knows(0, "B4"); got != bit(pile, 0)|bit(other, 0) {
		t.Errorf("after an unseen move the seat thinks of %b", got)
	}
	if got := knows(0, "R2"); got != hands {
		t.Errorf("what could not move may be in %b", got)
	}
	// What is imagined is spread evenly over what may be.
	r := interpreter.NewRand(1, 1, 1)
	counts := map[int]int{}
	const images = 4000
	for range images {
		c := m.Clone()
		c.Imagine(m, 0, &r)
		for _, p := range c.CardsIn(hold, 1) {
			counts[p]++
		}
	}
	for p, n := range counts {
		if n < images/2-200 || n > images/2+200 {
			t.Errorf("piece %d is imagined with seat 1 in %d of %d", p, n, images)
		}
	}
	if len(counts) != 4 {
		t.Errorf("%v are imagined with seat 1", counts)
	}
}

// A deal that people make by hand asks for piece after piece; a clone goes on
// from where it stands.
func TestDealtByHand(t *testing.T) {
	g := chipGame(t, "zones: {pile: {of: chips, starts: all, seen: nobody}, hold: {of: chips, each: seat, seen: owner}}\nphases:\n  give: {enter: 'move chips to pile at random; deal 2 from pile to hold of everyone'}"+stop)
	m := g.Start(interpreter.Setup{Names: seatNames[:3]})
	m.AskChance = true
	req := advance(t, m)
	if req.Kind != interpreter.Chance || req.N != 10 || m.LuckWanted() == "" {
		t.Fatalf("the request is %+v, %q", req, m.LuckWanted())
	}
	falls := m.Falls()
	weights := map[string]uint64{}
	for _, f := range falls {
		weights[f.Text] += f.Weight
	}
	if len(falls) != 9 || weights["X"] != 2 || weights["R1"] != 1 {
		t.Errorf("the falls are %v", falls)
	}
	for _, wrong := range []string{"", "R9", "X X", "ten"} {
		var refused *interpreter.MoveError
		if err := m.ApplyLuck(wrong); !errors.As(err, &refused) {
			t.Errorf("%q is dealt: %v", wrong, err)
		}
	}
	for i, word := range []string{"x", "B4", "R1", "X"} {
		if req := advance(t, m); req.N != 10-i {
			t.Errorf("before %s: %+v", word, req)
		}
		if err := m.ApplyLuck(word); err != nil {
			t.Fatal(err)
		}
	}
	if req := advance(t, m); req.N != 6 {
		t.Errorf("the request is %+v", req)
	}
	if err := m.ApplyLuck("X"); err == nil {
		t.Error("a third X is dealt")
	}
	c := m.Clone()
	for _, f := range m.Falls() {
		if f.Text == "B3" {
			if err := m.ApplyFall(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	advance(t, m)
	if err := m.ApplyLuck("R2"); err != nil {
		t.Fatal(err)
	}
	advance(t, m)
	is(t, m, map[string]string{"map(everyone, len(.hold))": "2, 2, 2", "first(everyone).hold": "X X", "everyone[2].hold": "B3 B4", "last(everyone).hold": "R1 R2"})
	c.AskChance = false // the machine deals what is left
	if err := c.Apply(0); err != nil {
		t.Fatal(err)
	}
	advance(t, c)
	is(t, c, map[string]string{"map(everyone, len(.hold))": "2, 2, 2", "first(everyone).hold": "X X"})
	if err := whole(c); err != nil {
		t.Error(err)
	}
}

// cardStatements are what the random games below are made of.
var cardStatements = []string{
	"move pile to side", "move side to pile on top", "move row to row on top with by = .by", "move side to side", "move pile to pile at random",
	"move take(pile, 2) to side on top", "move take(side, 3) to pile", "move highest(side, .n) to pile", "move lowest(pile, .n) to side at random",
	"move first(pile) to row with by = me if not empty(pile)", "move last(side) to row with by = me, as = odd if not empty(side)",
	"move filter(side, .n > 2) to row with by = .colour == red ? me : last(everyone)", "move filter(row, .as == odd) to side on top",
	"move filter(row, .by == me) to me.hand", "move me.hand to row with by = me", "move me.hand to side at random", "move row to side",
	"deal 1 from side to hand of everyone", "deal 2 from pile to hand of me at random", "deal 1 from pile to hand of seats", "deal 3 from pile to line of everyone",
	"deal filter(row, .n > 1) to hand of everyone", "deal row to hand of others at random", "deal 2 from side to spread of everyone with by = me",
	"move chips to pile", "move chips to pile at random", "move chips to side", "move me.line to pile on top", "move me.spread to row with by = me",
	"for c in row { me.score = (me.score * 3 + c.n) % 1009 }", "for c in side { me.score = (me.score * 5 + c.n) % 1009 }",
	"me.score += first(pile).n if not empty(pile)", "me.score += count(row, .by == me) + len(side)", "me.score += find_last(row, .n < 3)?.n ?? 7",
	"me.score += sum(me.line, .n)", "me.score += me.line[2].n if len(me.line) > 1", "me.score = (me.score + sum(seats, len(.hand)) * 7) % 1009",
}

// Whatever scripts do with cards, quick runs and listened-to ones come to the
// same, no card gets lost, and what seats know is true.
func TestRandomGamesWithCards(t *testing.T) {
	r := interpreter.NewRand(2027, 0, 0)
	ordered := 0
	for i := range sometimes(400, 25) {
		var b strings.Builder
		b.WriteString(`
zones:
  pile: {of: chips, starts: all, seen: nobody}
  side: {of: chips, seen: all}
  hand: {of: chips, each: seat, seen: owner}
  line: {of: chips, each: seat, seen: others}
  spread: {of: chips, each: seat, marks: {by: seat}}
  row: {of: chips, marks: {by: seat, as: {type: chips.kind, default: '.counts_as[1]'}}}
seats: {wisp: {title: Wisp, when: len(everyone) == 2}}
state: {player: {score: 0}, game: {n: 0}}
phases:
  act:
    actions:
`)
		for a := range 1 + i%4 {
			fmt.Fprintf(&b, "      do_%d:\n        do: |\n", a)
			for range 1 + r.Below(4) {
				fmt.Fprintf(&b, "          %s\n", cardStatements[r.Below(uint64(len(cardStatements)))])
			}
		}
		b.WriteString("      play: {pick: {c: one of me.hand}, do: 'move c to row with by = me'}\n" +
			"      shed: {pick: {cs: any of me.hand}, do: 'move cs to side on top'}\n" +
			"  end: {enter: 'game.n += 1; finish if game.n > 25; next turn'}\n")
		g := chipGameFor(t, 2+i%3, b.String())
		for _, name := range []string{"pile", "side", "row"} {
			if g.KeepsOrder(zoneOf(g.Program(), name)) {
				ordered++
			}
		}
		if err := loudAndQuick(g, 31, 0, 12); err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		m := g.Start(interpreter.Setup{})
		m.Know()
		for k := range 6 {
			m.Restart(interpreter.Setup{Seed: 32, Index: uint64(k)})
			m.AskChance = k%2 == 1
			rr := interpreter.NewRand(32, uint64(k), 0)
			if _, err := steps(m, &rr, func(req interpreter.Request) error {
				if err := whole(m); err != nil {
					return err
				}
				_, _, err := sure(m)
				return err
			}, nil); err != nil {
				t.Fatalf("%s\n%v", b.String(), err)
			}
		}
	}
	t.Logf("of three zones in each game, %d in all keep their order", ordered)
}

// A move takes a list of pieces, in its order; a piece that stands in it twice
// goes once.
func TestMovesOfLists(t *testing.T) {
	g := chipGame(t, `
  dice: {count: 4, faces: 1..6}
zones:
  pile: {of: chips, starts: all, seen: nobody}
  row: {of: chips, marks: {by: {type: int, default: 0}}}
  board: {of: chips, places: 6}
  hand: {of: chips, each: seat}
  tray: {of: dice, starts: 'filter(dice, .face == 1)'}
  cup: {of: dice}
  dish: {of: dice}
define:
  chosen: '[pile[3], pile[1], pile[3]]'
phases:
  give:
    enter: |
      set dice to [1, 2, 3, 4]
      move dice[1] to cup
      move dice[3] to cup
      move take(chosen, 1) to me.hand
      move concat(me.hand, take(pile, 2), me.hand) to row with by = 1
      let two = [last(pile), pile[2], last(pile)]
      move two to board at random
      move concat(cup, [dice[3], dice[4]]) to dish
      goto wait
  wait: {actions: {stop: {do: finish}, shift: {do: 'move map(1..len(row), row[len(row) + 1 - it]) to row; again'}}}
`)
	want := map[string]string{
		"row": "R3 R1 R2", "map(row, .by)": "1, 1, 1", "len(pile)": "5", "len(board)": "2", "count(board, .place > 0)": "2",
		"count(1..6, board[it] != none)": "2", "len(dish)": "3", "empty(cup)": "yes", "sum(dish, .face)": "8", "len(first(everyone).hand)": "0",
	}
	for _, listens := range []bool{false, true} {
		m := g.Start(interpreter.Setup{Seed: 3})
		var log interpreter.Log
		if listens {
			m.Know()
			m.Listen(&log)
		}
		advance(t, m)
		is(t, m, want)
		typed(t, m, "shift")
		is(t, m, map[string]string{"row": "R2 R1 R3"})
		for _, r := range log.Records {
			if r.Kind == interpreter.RecMove && r.Family != nil && r.Zone.Name == "board" && len(r.Cards) != 2 {
				t.Errorf("%v go to the board", r.Cards)
			}
		}
	}
}

// Places that cannot be seen are offered without allocating, also beside
// other picks.
func TestPlacesAreOfferedInPlace(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates by itself")
	}
	g := chipGame(t, `
zones:
  box: {of: chips, starts: all, seen: nobody}
  board: {of: chips, places: all, seen: nobody}
  gone: {of: chips, seen: nobody}
phases:
  lay: {enter: move chips to board at random}
  ask:
    actions:
      turn_up:
        pick: {one: one of board, other: one of board where .place != one.place if any, n: 1..2}
        do: |
          move one to gone
          finish if len(board) < 3
          again
`)
	m := g.Start(interpreter.Setup{})
	advance(t, m)
	if req, err := m.Advance(); err != nil || req.N != 10*9*2 {
		t.Fatalf("%+v, %v", req, err)
	}
	index := uint64(0)
	play := func() {
		m.Restart(interpreter.Setup{Names: seatNames[:3], Seed: 1, Index: index})
		r := interpreter.NewRand(1, index, interpreter.StreamPolicy)
		if _, err := m.Playout(&r, 0); err != nil {
			t.Fatal(err)
		}
		index++
	}
	for range 20 {
		play()
	}
	if n := testing.AllocsPerRun(20, play); n > 0 {
		t.Errorf("%v allocations a game", n)
	}
}
