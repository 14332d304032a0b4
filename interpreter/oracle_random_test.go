package interpreter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// Random formulas are made in both languages at once, by their types, on a
// small game whose state the library's machine sees by the same names.

const oracleGame = `houserules: 1
game: oracle
title: Oracle
players: 1..5
params: {big: {default: 7}, way: {default: left, options: [left, right]}, strict: {default: true}}
pieces:
  dice: {count: 7, faces: 1..6, colour: [red, red, red, blue, blue, green, green], weight: [3, 1, 4, 1, 5, 9, 2], heavy: number % 2 == 0}
zones:
  tray: {of: dice, starts: all}
  aside: {of: dice}
  hold: {of: dice, each: seat}
state:
  game: {n: 3, m: -2, k: 0, flag: false, best: int or none, leader: seat or none, chosen: seats}
  player: {score: 0, won: 1, done: false}
define:
  twice(x): x * 2
  near(x, y): abs(x - y) <= 2
  worth(x): {1: 10, 2: -5, 6: big, else: x + 1}
  seat.sum: me.score + me.won * 10
  tint(c dice.colour): {red: 1, blue: 2, green: 3}
phases:
  one:
    enter: |
      throw tray
      game.n = sum(tray, .face) - 15
      game.m = count(tray, .face > 2)
      game.k = game.k + 1
      game.flag = game.n > 8
      if game.flag { game.best = game.n }
      me.score += game.n
      game.chosen = filter(everyone, .score > 5)
      game.leader = first(game.chosen) if not empty(game.chosen)
  two:
    actions:
      keep: {pick: {p: one of tray}, do: move p to aside}
      hide: {pick: {q: one of tray}, do: move q to me.hold}
      back: {do: 'me.done = not me.done; move aside to tray'}
  three: {enter: 'finish if game.k > 60 or empty(tray); next turn'}
`

// pair is a formula in our language and in the library's.
type pair struct{ ours, theirs string }

func both(s string) pair { return pair{s, s} }

// format fills parts into a formula of both languages.
func format(ours, theirs string, parts ...pair) pair {
	a, b := make([]any, len(parts)), make([]any, len(parts))
	for i, p := range parts {
		a[i], b[i] = p.ours, p.theirs
	}
	return pair{fmt.Sprintf(ours, a...), fmt.Sprintf(theirs, b...)}
}

// maker makes formulas. Elements are what `it` may stand for where the
// formula is: "" for nothing.
type maker struct {
	r    Rand
	elem string // "int", "piece", "seat"
}

func (k *maker) pick(n int) int { return int(k.r.Below(uint64(n))) }

func (k *maker) oneOf(choices ...func() pair) pair { return choices[k.pick(len(choices))]() }

// inside makes the body of a formula over elements.
func (k *maker) inside(elem string, body func() pair) pair {
	outer := k.elem
	k.elem = elem
	p := body()
	k.elem = outer
	return p
}

func (k *maker) int(depth int) pair {
	if depth <= 0 {
		return k.smallInt()
	}
	d := depth - 1
	i := func() pair { return k.int(d) }
	binary := func(ours, theirs string) func() pair {
		return func() pair { return format(ours, theirs, i(), i()) }
	}
	return k.oneOf(
		k.smallInt,
		binary("(%s + %s)", "(%s + %s)"),
		binary("(%s - %s)", "(%s - %s)"),
		binary("(%s * %s)", "(%s * %s)"),
		binary("(%s / %s)", "div(%s, %s)"),
		binary("(%s %% %s)", "mod(%s, %s)"),
		binary("min(%s, %s)", "min(%s, %s)"),
		binary("max(%s, %s)", "max(%s, %s)"),
		func() pair { return format("abs(%s)", "abs(%s)", i()) },
		func() pair { return format("-(%s)", "-(%s)", i()) },
		func() pair { return format("twice(%s)", "(2 * %s)", i()) },
		func() pair { x := k.smallInt(); return worthOf(x) },
		func() pair { return format("(%s ? %s : %s)", "(%s ? %s : %s)", k.bool(d), i(), i()) },
		func() pair { return format("(%s ?? %s)", "(%s ?? %s)", pair{"game.best", "best"}, i()) },
		func() pair { return k.over("sum", d, k.int) },
		func() pair { return k.over("count", d, k.bool) },
		func() pair { _, list := k.list(d); return format("len(%s)", "len(%s)", list) },
		func() pair { return format("sum(%s)", "sum(%s)", k.ints(d)) },
		func() pair { return format("max(%s)", "maxof(%s)", k.ints(d)) },
		func() pair { return format("min(%s)", "minof(%s)", k.ints(d)) },
		func() pair { return format("first(%s)", "head(%s)", k.ints(d)) },
		func() pair { return format("last(%s)", "tail(%s)", k.ints(d)) },
		func() pair { return format("%s[%s]", "nth(%s, %s)", k.ints(d), k.smallInt()) },
		func() pair { return format("(%s).face", "face[%s]", k.piece(d)) },
		func() pair { return format("(%s).score", "score[%s]", k.seat(d)) },
		func() pair {
			return format("number_of(%s, %s)", "count(%[2]s, {face[#] == %[1]s})", both(fmt.Sprint(1+k.pick(6))), k.pieces(0))
		},
		func() pair {
			return format("(find(%s, %s) ?? %s)", "(find(%s, {%s}) ?? %s)", k.ints(d), k.inside("int", func() pair { return k.bool(d) }), i())
		},
	)
}

func worthOf(x pair) pair {
	return pair{"worth(" + x.ours + ")", strings.ReplaceAll("(X == 1 ? 10 : X == 2 ? -5 : X == 6 ? 7 : X + 1)", "X", x.theirs)}
}

func (k *maker) smallInt() pair {
	choices := []pair{both(fmt.Sprint(k.pick(12))), both(fmt.Sprint(k.pick(12))), {"game.n", "n"}, {"game.m", "m"}, {"game.k", "k"},
		{"me.score", "score[me]"}, {"active.won", "won[active]"}, {"big", "7"}, {"len(everyone)", "len(everyone)"}, {"me.sum", "(score[me] + won[me] * 10)"}}
	switch k.elem {
	case "int":
		choices = append(choices, pair{"it", "#"}, pair{"it", "#"}, pair{"it", "#"})
	case "piece":
		choices = append(choices, pair{".face", "face[#]"}, pair{"it.face", "face[#]"}, pair{".weight", "weight[#]"},
			pair{"tint(it.colour)", "(colour[#] + 1)"})
	case "seat":
		choices = append(choices, pair{".score", "score[#]"}, pair{"it.won", "won[#]"}, pair{".sum", "(score[#] + won[#] * 10)"})
	}
	return choices[k.pick(len(choices))]
}

func (k *maker) smallBool() pair {
	choices := []pair{both("true"), both("false"), {"game.flag", "flag"}, {"me.done", "done[me]"}, {"strict", "true"}, {"way == left", "true"}, {"way != left", "false"},
		{"game.best == none", "best == nil"}, {"game.leader != none", "leader != nil"}, {"me == active", "me == active"}, {"me in game.chosen", "me in chosen"}}
	switch k.elem {
	case "piece":
		choices = append(choices, pair{".heavy", "heavy[#]"}, pair{".colour == blue", "colour[#] == 1"}, pair{"it in aside", "# in aside"}, pair{"it not in tray", "# not in tray"})
	case "seat":
		choices = append(choices, pair{".done", "done[#]"}, pair{"it == me", "# == me"}, pair{"game.leader == it", "leader == #"})
	case "int":
		choices = append(choices, pair{"it > 3", "# > 3"}, pair{"it in 2..6", "# in 2..6"})
	}
	return choices[k.pick(len(choices))]
}

func (k *maker) bool(depth int) pair {
	if depth <= 0 {
		return k.smallBool()
	}
	d := depth - 1
	compare := func() pair {
		op := []string{"==", "!=", "<", "<=", ">", ">="}[k.pick(6)]
		f := "(%s " + op + " %s)"
		return format(f, f, k.int(d), k.int(d))
	}
	return k.oneOf(
		k.smallBool, compare, compare, compare,
		func() pair { return format("(%s and %s)", "(%s and %s)", k.bool(d), k.bool(d)) },
		func() pair { return format("(%s or %s)", "(%s or %s)", k.bool(d), k.bool(d)) },
		func() pair { return format("(not (%s))", "(not (%s))", k.bool(d)) },
		func() pair { return format("(%s ? %s : %s)", "(%s ? %s : %s)", k.bool(d), k.bool(d), k.bool(d)) },
		func() pair { return format("((%s) == (%s))", "((%s) == (%s))", k.bool(d), k.bool(d)) },
		func() pair { return k.over([]string{"any", "all", "none", "one"}[k.pick(4)], d, k.bool) },
		func() pair { _, list := k.list(d); return format("empty(%s)", "(len(%s) == 0)", list) },
		func() pair { return format("(%s in %s)", "(%s in %s)", k.int(d), k.ints(d)) },
		func() pair { return format("(%s not in %s)", "(%s not in %s)", k.int(d), k.ints(d)) },
		func() pair { return format("(%s in %s..%s)", "(%s in %s..%s)", k.int(d), k.smallInt(), k.smallInt()) },
		func() pair { return format("(%s in %s)", "(%s in %s)", k.seat(d), k.seats(d)) },
		func() pair { return format("near(%s, %s)", "(abs(%s - %s) <= 2)", k.smallInt(), k.int(d)) },
		func() pair { return format("(%s == %s)", "same(%s, %s)", k.pieces(d), k.pieces(d)) },
		func() pair { return format("(%s != %s)", "(not same(%s, %s))", k.ints(d), k.ints(d)) },
	)
}

// list makes a list and says of what.
func (k *maker) list(depth int) (elem string, list pair) {
	switch k.pick(3) {
	case 0:
		return "int", k.ints(depth)
	case 1:
		return "seat", k.seats(depth)
	}
	return "piece", k.pieces(depth)
}

// over makes a call that asks something of each element.
func (k *maker) over(f string, depth int, body func(depth int) pair) pair {
	elem, list := k.list(depth)
	return format(f+"(%s, %s)", f+"(%s, {%s})", list, k.inside(elem, func() pair { return body(depth) }))
}

// keeping makes a list of some of the elements of another one.
func (k *maker) keeping(elem string, depth int, list func(depth int) pair) pair {
	d := depth - 1
	xs := list(d)
	switch k.pick(4) {
	case 0:
		key := k.inside(elem, func() pair { return k.int(d) })
		f := k.pick(2)
		return format([]string{"highest(%s, %s)", "lowest(%s, %s)"}[f], []string{"best(%[1]s, map(%[1]s, {%[2]s}))", "least(%[1]s, map(%[1]s, {%[2]s}))"}[f], xs, key)
	case 1:
		return format("take(%s, %s)", "upto(%s, %s)", xs, both(fmt.Sprint(k.pick(5))))
	}
	return format("filter(%s, %s)", "filter(%s, {%s})", xs, k.inside(elem, func() pair { return k.bool(d) }))
}

func (k *maker) ints(depth int) pair {
	if depth <= 0 {
		return k.oneOf(
			func() pair { return format("[%s, %s]", "[%s, %s]", k.smallInt(), k.smallInt()) },
			func() pair { return format("[%s]", "[%s]", k.smallInt()) },
			func() pair { return both(fmt.Sprintf("(%d..%d)", k.pick(4), k.pick(9))) },
			func() pair { return pair{"map(tray, .face)", "map(tray, {face[#]})"} },
			func() pair { return pair{"map(everyone, .score)", "map(everyone, {score[#]})"} },
		)
	}
	d := depth - 1
	return k.oneOf(
		func() pair { return k.ints(0) },
		func() pair { return k.over("map", d, k.int) },
		func() pair { return format("concat(%s, %s)", "concat(%s, %s)", k.ints(d), k.ints(d)) },
		func() pair { return k.keeping("int", depth, k.ints) },
		func() pair { return format("[%s, %s, %s]", "[%s, %s, %s]", k.int(d), k.int(d), k.int(d)) },
	)
}

func (k *maker) pieces(depth int) pair {
	if depth <= 0 {
		return []pair{both("tray"), both("aside"), both("dice"), {"me.hold", "hold[me]"}}[k.pick(4)]
	}
	return k.oneOf(func() pair { return k.pieces(0) }, func() pair { return k.keeping("piece", depth, k.pieces) })
}

func (k *maker) seats(depth int) pair {
	if depth <= 0 {
		return []pair{both("everyone"), both("players"), both("others"), {"game.chosen", "chosen"}}[k.pick(4)]
	}
	return k.oneOf(func() pair { return k.seats(0) }, func() pair { return k.keeping("seat", depth, k.seats) })
}

func (k *maker) seat(depth int) pair {
	if depth <= 0 {
		return []pair{both("me"), both("active")}[k.pick(2)]
	}
	return k.oneOf(
		func() pair { return k.seat(0) },
		func() pair { return format("first(%s)", "head(%s)", k.seats(depth-1)) },
		func() pair { return format("(game.leader ?? %s)", "(leader ?? %s)", k.seat(0)) },
		func() pair { return format("after(everyone, %s)", "next(everyone, %s)", k.seat(0)) },
	)
}

func (k *maker) piece(depth int) pair {
	f := k.pick(2)
	return format([]string{"first(%s)", "last(%s)"}[f], []string{"head(%s)", "tail(%s)"}[f], k.pieces(depth-1))
}

// formula makes one of any type.
func (k *maker) formula() pair {
	depth := 1 + k.pick(4)
	return k.oneOf(
		func() pair { return k.int(depth) },
		func() pair { return k.int(depth) },
		func() pair { return k.bool(depth) },
		func() pair { return k.bool(depth) },
		func() pair { return k.ints(depth) },
		func() pair { return k.pieces(depth) },
		func() pair { return k.seats(depth) },
		func() pair { return k.seat(depth) },
	)
}

func oracleProgram(t *testing.T) *dsl.Program {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("oracle.yaml", oracleGame), &ds)
	p, problems := dsl.Load(lib, "oracle", dsl.Options{})
	if ds = append(ds, problems...); p == nil {
		var b strings.Builder
		source.RenderPretty(&b, ds, source.Style{Width: 120})
		t.Fatal(b.String())
	}
	return p
}

func TestRandomFormulasAgainstOracle(t *testing.T) {
	p := oracleProgram(t)
	g, err := New(p, 4)
	if err != nil {
		t.Fatal(err)
	}
	o := newOracle(g)
	for _, v := range p.Vars {
		o.w.names[v] = v.Name
	}
	for _, z := range p.Zones {
		o.w.names[z] = z.Name
	}
	for _, f := range p.Families {
		o.w.names[f] = f.Name
		for _, a := range f.Attrs {
			o.w.names[a] = a.Name
		}
	}
	n := 12_000
	if testing.Short() {
		n = 1000
	}
	k := &maker{r: NewRand(2026, 1, 60)}
	var questions []*question
	refused := map[string]int{}
	for range n {
		f := k.formula()
		if len(f.ours) > syntax.MaxFormula/2 {
			continue
		}
		file := source.NewFile("formula", f.ours)
		text := syntax.Text{Value: f.ours, Span: func(a, b int) source.Span { return source.Span{File: file, Start: a, End: b} }}
		var ds source.List
		e := p.Formula(text, dsl.Env{}, &ds)
		if e == nil {
			refused[ds[0].Code]++
			// Constants that go wrong, and tests of what cannot be none, are
			// refused; nothing else that is made here is.
			if ds[0].Code != "E0227" && !strings.HasSuffix(ds[0].Message, "is never none") {
				t.Errorf("%s\n%s: %s", f.ours, ds[0].Code, ds[0].Message)
			}
			continue
		}
		questions = append(questions, o.ask(t, e, f.theirs))
	}
	for i := range 4 {
		o.move(t, i)
		for _, q := range questions {
			o.compare(t, q)
		}
	}
	t.Logf("%d formulas, %d comparisons, %d of faults, %d beyond our numbers; refused: %v", len(questions), o.compared, o.faulted, o.overflowed, refused)
	if len(questions) < n*8/10 || o.compared < 3*len(questions) {
		t.Errorf("too little was compared")
	}
}
