package interpreter_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// chooser hands out small numbers: those of the fuzzer's bytes, then those of
// a stream.
type chooser struct {
	data []byte
	r    interpreter.Rand
}

func (c *chooser) below(n int) int {
	if len(c.data) > 0 {
		b := c.data[0]
		c.data = c.data[1:]
		return int(b) % n
	}
	return int(c.r.Below(uint64(n)))
}

func (c *chooser) of(list ...string) string { return list[c.below(len(list))] }

// ruleFile assembles a small rule file. Not every one of them passes the
// checker, and those that do may go wrong while they are played.
func (c *chooser) ruleFile() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("houserules: 1\ngame: fuzzed\ntitle: Fuzzed\nplayers: 1..4")
	p("params: {goal: {default: %d, min: 0, max: 50}, strict: {default: %s}}", c.below(30), c.of("true", "false"))
	p("pieces:\n  dice: {count: %d, faces: %s, tint: 'number %% %d == 0'}", 4+c.below(5), c.of("1..6", "1..2", "[1, 2, star = 7]", "1..20"), 1+c.below(3))
	p("zones:\n  tray: {of: dice, starts: all}\n  aside: {of: dice}\n  hand: {of: dice, each: seat, seen: %s}", c.of("owner", "all", "others"))
	p("state:\n  game: {n: 0, who: seat or none, some_seats: seats, low: int or none}\n  player: {score: %d, flag: false}\n  turn: {points: 0, throws: 0}", c.below(3))
	p("define:\n  worth(x): {1: 10, 5: %d, else: x}\n  seat.rich: me.score > %d", c.below(90), c.below(9))
	if c.below(3) == 0 {
		p("turns: {order: %s, skip: '%s'}", c.of("left", "right"), c.of("me.out", "me.flag and not all(everyone, .flag)", "false"))
	}
	p("scorers:\n  s:\n    of: dice\n    pays: turn.points%s\n    combos:", c.of("", "\n    wild: it.tint and it.face == 2", "\n    wild: 'it.face == 1'"))
	p("      one: {match: 1, points: %s}", c.of("100", "10", "0"))
	p("      kind: {match: x*n, where: n >= %d, points: '%s'}", 1+c.below(4), c.of("x * 100", "worth(x) * n", "(n - 3) * 50", "x / (n - 3)"))
	if c.below(2) == 0 {
		p("      pair: {match: x*2 y*2, points: %s}", c.of("7", "x + y", "x * y"))
	}
	p("events:\n  gain(who seat, k): {when: k > 0, do: 'who.score += k', say: \"{who} gets {k}\", write: \"{k}\"}")
	p("  bad: {do: %s, mark: \"B\"}", c.of("game.n += 1", "me.flag = not me.flag", "emit gain(me, game.n)", "me.out = true"))
	p("phases:\n  one:\n    enter: |")
	p("      turn.throws += 1")
	for range c.below(4) {
		p("      %s", c.statement())
	}
	p("      throw %s", c.of("tray", "tray", "me.hand", "aside"))
	for range c.below(3) {
		p("      %s", c.statement())
	}
	p("  two:")
	if c.below(3) == 0 {
		p("    who: around(players, active) in turn")
	}
	p("    actions:")
	for i := range 1 + c.below(3) {
		c.action(p, i)
	}
	if c.below(2) == 0 {
		p("    otherwise: %s", c.of("emit bad", "next turn", "goto three"))
	}
	p("  three:\n    enter: |")
	for range c.below(4) {
		p("      %s", c.statement())
	}
	p("      finish if turn.number > %d or me.score >= goal", 5+c.below(30))
	p("      %s", c.of("next turn", "turn of first(others)", "goto two if turn.throws < 3; next turn", "goto one if turn.points < goal and turn.throws < 9; next turn"))
	if c.below(3) == 0 {
		p("incidents:\n  oops: {spoils: one, rate: %d, do: %s}", c.below(1000), c.of("next turn", "goto three", "emit bad; goto three"))
	}
	p("rank:\n  score: {by: me.score, first: %s}", c.of("highest", "lowest"))
	p("show:\n  a: \"{turn.points} and {len(tray)}\"")
	return b.String()
}

func (c *chooser) action(p func(string, ...any), i int) {
	p("      act%d:", i)
	if c.below(3) == 0 {
		p("        when: %s", c.of("turn.throws < 4", "not empty(tray)", "me.score < 20", "s.any_score(tray)"))
	}
	if c.below(3) > 0 {
		pick := c.of("some of tray", "any of tray", "2 of tray", "one of tray where .face > 2", "some of aside", "1..turn.throws + 2", "one of others",
			"some of everyone", "2 of players", "some of me.hand", "some of take(tray, 3)", "value of strict", "2 of [1, 2, 6]", "len(tray) of [3, 4, 4]")
		p("        pick: {k: '%s'}", pick)
		guards, dos := []string{"turn.points >= 0", "k in players"}, []string{"game.who = k", "emit gain(k, 2)"}
		switch {
		case strings.Contains(pick, "one of tray"):
			guards, dos = []string{"k.face > 1", "turn.points >= 0"}, []string{"move k to aside", "set k to 1", "move k to me.hand"}
		case strings.Contains(pick, "everyone") || strings.Contains(pick, "2 of players"):
			guards, dos = []string{"me in k", "len(k) > 1"}, []string{"for q in k { q.score += 1 }", "game.some_seats = k"}
		case strings.Contains(pick, "value") || strings.Contains(pick, ".."):
			guards, dos = []string{"turn.points >= 0"}, []string{"turn.points += 1", "emit bad"}
		case strings.Contains(pick, "tray") || strings.Contains(pick, "aside") || strings.Contains(pick, "hand"):
			guards = []string{"s.all_score(k)", "len(k) > 1", "sum(k, .face) > 4", "s.any_score(k)"}
			dos = []string{"score k by s", "move k to aside", "move k to me.hand", "emit gain(me, len(k))", "set k to 1", "for q in k { move q to me.hand }"}
			if c.below(2) == 0 {
				p("        tell_apart: [face]")
			}
		}
		if c.below(2) == 0 {
			p("        require: {ok: {that: '%s', else: \"no, {turn.points}\"}}", c.of(guards...))
		}
		p("        do: |\n          %s", c.of(dos...))
	} else {
		p("        do: |\n          turn.points += 1")
	}
	for range c.below(3) {
		p("          %s", c.statement())
	}
	p("          %s", c.of("goto three", "again if turn.points < 4 and not empty(tray)", "goto one if turn.throws < 5", "turn.points += 0"))
}

// statement makes one statement without an exit.
func (c *chooser) statement() string {
	n := c.of("1", "turn.points", "len(tray)", "sum(tray, .face)", "game.n", "max(map(tray, .face))", "min(map(aside, .face))", "first(tray).face", "count(everyone, .rich)",
		"worth(turn.points)", "s.points(tray)", "s.most(tray)", "number_of(1, tray)", "map(tray, .face)[2]", "10 / turn.points", "turn.points % game.n", "game.low ?? 3",
		"len(others)", "turn.throws * 1000000007 * 1000000007 * 1000")
	cond := c.of("strict", "empty(tray)", "s.all_score(tray)", "me.score > game.n", "turn.throws > 2", "any(tray, .face == 1)", "me == active", "game.who == none", "me in game.some_seats", "len(aside) > 2")
	switch c.below(13) {
	case 0:
		return "game.n = " + n
	case 1:
		return "turn.points += " + n
	case 2:
		return "emit gain(" + c.of("me", "active", "first(everyone)", "last(players)") + ", " + n + ")"
	case 3:
		return "move " + c.of("tray to aside", "aside to tray", "filter(tray, .face > 2) to me.hand", "me.hand to tray", "take(tray, 2) to aside", "highest(tray, .face) to aside")
	case 4:
		return "if " + cond + " { game.n += 1 } else { me.score += 1 }"
	case 5:
		return "for q in " + c.of("everyone", "players", "others", "game.some_seats") + " { q.score += " + n + " }"
	case 6:
		return "for q in 1.." + c.of("3", "min(turn.points, 20)", "game.n % 9") + " { turn.points += q }"
	case 7:
		return "roll game.n in " + c.of("1..6", "0..turn.throws", "turn.points..9")
	case 8:
		return "game.who = random of " + c.of("players", "others", "everyone")
	case 9:
		return "game.some_seats = " + c.of("highest(everyone, .score)", "filter(everyone, .flag)", "everyone", "players")
	case 10:
		return "score tray by s if s.all_score(tray)"
	case 11:
		return "game.low = " + n + " if " + cond
	}
	return "say \"{me} has {me.score}, {tray}\""
}

// playFuzzed plays a rule file quickly, with a recorder and with luck from
// outside, asks everything that can be asked on the way, and compares.
func playFuzzed(t *testing.T, data []byte, seed uint64) (loaded, faulted bool) {
	c := &chooser{data, interpreter.NewRand(seed, 0, 70)}
	text := c.ruleFile()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("fuzzed.yaml", text), &ds)
	p, _ := dsl.Load(lib, "fuzzed", dsl.Options{})
	if p == nil {
		return false, false
	}
	seats := 1 + c.below(4)
	g, err := interpreter.New(p, seats)
	if err != nil {
		fuzzFault(t, text, err)
		return true, true
	}
	const limit = 150
	setup := interpreter.Setup{Names: people[:seats], Seed: seed, Index: 1}
	quick, loud := g.Start(setup), g.Start(setup)
	heard := 0 // of a game that goes on for ever a log would keep every step
	loud.Listen(recorderFunc(func(m *interpreter.Machine, r *interpreter.Record) { heard += len(r.Text) }))
	r := interpreter.NewRand(seed, 1, interpreter.StreamPolicy)
	r2 := r
	n, errQuick := quick.Playout(&r, limit)
	taken := 0
	var errLoud error
	for {
		req, err := loud.Advance()
		if errLoud = err; err != nil || req.Kind != interpreter.Decision || taken == limit {
			break
		}
		if taken%7 == 0 {
			askAll(t, text, loud, req)
		}
		taken++
		i := 0
		if req.N > 1 {
			i = int(r2.Below(uint64(req.N)))
		}
		if errLoud = loud.Apply(i); errLoud != nil {
			break
		}
	}
	if goesOn(errQuick) || goesOn(errLoud) {
		return true, true // the budgets of both are not the same to the step
	}
	if fmt.Sprint(errQuick) != fmt.Sprint(errLoud) {
		t.Fatalf("%s\nquickly: %v; with a recorder: %v", text, errQuick, errLoud)
	}
	if errQuick != nil {
		fuzzFault(t, text, errQuick)
		fuzzRestart(t, text, quick, setup)
		return true, true
	}
	if n != taken || !slices.Equal(stateOf(quick), stateOf(loud)) {
		t.Fatalf("%s\nafter %d decisions\n%v quickly, after %d\n%v with a recorder", text, n, stateOf(quick), taken, stateOf(loud))
	}
	asked := g.Start(setup)
	asked.AskChance = true
	for range limit {
		req, err := asked.Advance()
		if err != nil {
			fuzzFault(t, text, err)
			return true, true
		}
		if req.Kind == interpreter.Over {
			break
		}
		if req.Kind == interpreter.Chance && req.N == 0 {
			t.Fatalf("%s\na throw has no outcomes", text)
		}
		if err := asked.Apply(c.below(req.N)); err != nil {
			fuzzFault(t, text, err)
			return true, true
		}
	}
	return true, false
}

func goesOn(err error) bool { return err != nil && strings.Contains(err.Error(), "for ever") }

// askAll asks all that a front end may ask at a decision, and reads the
// options back.
func askAll(t *testing.T, text string, m *interpreter.Machine, req interpreter.Request) {
	for seat := -1; seat < m.Game().Seats(); seat++ {
		m.View(seat)
	}
	m.Choices(true)
	m.Ranking()
	for _, o := range m.Options(20) {
		i, err := m.ParseMove(o.Text)
		if err != nil {
			t.Fatalf("%s\noption %q is refused: %v", text, o.Text, err)
		}
		if m.OptionText(i) != o.Text {
			t.Fatalf("%s\noption %q is read as %q", text, o.Text, m.OptionText(i))
		}
	}
	for _, words := range []string{"", "act0", "act1 all", "act2 9 9 9", "a", "act1 1 1,2"} {
		if i, err := m.ParseMove(words); err == nil && (i < 0 || i >= req.N) {
			t.Fatalf("%s\n%q is read as option %d of %d", text, words, i, req.N)
		}
	}
	if again, err := m.Advance(); err != nil || again != req {
		t.Fatalf("%s\nasking changed what is asked: %+v, %v", text, again, err)
	}
}

func fuzzFault(t *testing.T, text string, err error) {
	var f *interpreter.Fault
	if !errors.As(err, &f) || f.Span.IsZero() || f.Message == "" {
		t.Fatalf("%s\n%v is no fault with a place", text, err)
	}
}

// fuzzRestart plays the same game twice on a machine whose last one ended in a
// fault, and once on a new one.
func fuzzRestart(t *testing.T, text string, m *interpreter.Machine, setup interpreter.Setup) {
	var ends []string
	for i := range 3 {
		if i == 2 {
			m = m.Game().Start(setup)
		}
		m.Restart(setup)
		r := interpreter.NewRand(setup.Seed, 1, interpreter.StreamPolicy)
		n, err := m.Playout(&r, 150)
		ends = append(ends, fmt.Sprint(n, err))
	}
	if ends[0] != ends[1] || ends[0] != ends[2] {
		t.Fatalf("%s\nrestarted after a fault: %v", text, ends)
	}
}

func FuzzPlay(f *testing.F) {
	for i := range 8 {
		f.Add([]byte{byte(i), byte(i * 37), byte(i * 101), 3, 1, 4, 1, 5, byte(i)}, uint64(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) { playFuzzed(t, data, seed) })
}

// Some hundred of the fuzzer's files are played in every run of the tests.
func TestAssembledRuleFiles(t *testing.T) {
	n := sometimes(300, 100)
	loaded, faulted := 0, 0
	for i := range n {
		l, f := playFuzzed(t, nil, uint64(i))
		if l {
			loaded++
		}
		if f {
			faulted++
		}
	}
	t.Logf("%d files, %d pass the checker, %d of these go wrong in play", n, loaded, faulted)
	if loaded < n/10 || faulted == loaded {
		t.Errorf("too few of the files can be played")
	}
}
