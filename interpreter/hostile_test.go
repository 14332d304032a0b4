package interpreter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// A rule file from a stranger can be wrong; it cannot hang, crash or eat the
// machine. The files here differ from this one in one place.
const plain = `houserules: 1
game: plain
title: Plain
players: 1..3
params: {goal: {default: 9, min: 0, max: 100}}
pieces: {dice: {count: 6, faces: 1..6}}
zones:
  tray: {of: dice, starts: all}
  aside: {of: dice}
state:
  game: {n: 0, m: 0, kept: seats, who: seat or none, small: int or none}
  player: {score: 0}
define: {shown: 'sum(tray, .face)'}
phases:
  one:
    enter: throw tray
  two:
    actions:
      go: {do: me.score += 1}
      take:
        pick: {some_dice: some of tray}
        tell_apart: [face]
        do: me.score += len(some_dice)
  three:
    enter: |
      finish if me.score >= goal
      next turn
rank: {score: {by: me.score, first: highest}}
`

// plainWith replaces a line's part of the plain game.
func plainWith(t testing.TB, old, fresh string) string {
	t.Helper()
	text := strings.Replace(plain, old, fresh, 1)
	if text == plain {
		t.Fatalf("%q is not in the plain game", old)
	}
	return text
}

func plainScript(t testing.TB, lines ...string) string {
	t.Helper()
	return plainWith(t, "enter: throw tray", "enter: |\n      throw tray\n      "+strings.Join(lines, "\n      "))
}

func TestPlainGamePlays(t *testing.T) {
	g := inlineGame(t, 2, plain)
	m := g.Start(interpreter.Setup{Seed: 1})
	r := interpreter.NewRand(1, 0, 0)
	if _, err := m.Playout(&r, 0); err != nil || !m.Over() {
		t.Fatal(err)
	}
}

// faults lists files that load and go wrong while they are played, with a word
// of what is said and the text that the fault points at.
var faults = []struct{ name, old, fresh, says, at string }{
	{"division by zero", "throw tray", "|\n      throw tray\n      game.n = 6 / (goal - 9)", "divided by 0", "/"},
	{"division by nothing yet", "throw tray", "|\n      throw tray\n      game.n = shown / game.m", "divided by 0", "/"},
	{"remainder of zero", "throw tray", "|\n      throw tray\n      game.n = shown % game.m", "divided by 0", "%"},
	{"product too large", "throw tray", "|\n      throw tray\n      game.n = shown * 1000000000\n      game.n = game.n * game.n", "too large", "*"},
	{"sum too large", "throw tray", "|\n      throw tray\n      game.n = shown + 9223372036854775800\n      game.n = game.n + 100", "too large", "+"},
	{"difference too large", "throw tray", "|\n      throw tray\n      game.n = -9223372036854775800 - shown - shown", "too large", "-"},
	{"added too much", "throw tray", "|\n      throw tray\n      game.n = 9223372036854775800\n      game.n += shown\n      game.n += shown", "too large", "game.n += shown"},
	{"total too large", "throw tray", "|\n      throw tray\n      game.n = sum(tray, 9000000000000000000 / .face)", "too large", "sum"},
	{"first of nothing", "throw tray", "|\n      throw tray\n      game.n = first(filter(tray, .face > 6)).face", "empty", "first"},
	{"last of nothing", "throw tray", "|\n      throw tray\n      game.n = last(map(aside, .face))", "empty", "last"},
	{"most of nothing", "throw tray", "|\n      throw tray\n      game.n = max(map(aside, .face))", "empty", "max"},
	{"no such element", "throw tray", "|\n      throw tray\n      game.n = map(tray, .face)[7]", "no element 7", ""},
	{"draw from nothing", "throw tray", "|\n      throw tray\n      let d = random of aside\n      move d to aside", "nothing to draw", "aside"},
	{"roll of nothing", "throw tray", "|\n      throw tray\n      roll game.n in 7..game.m", "no number", "7..game.m"},
	{"list too long", "throw tray", "|\n      throw tray\n      game.n = 100000000 + shown\n      game.m = sum(map(1..game.n, it % 2))", "too long", ""},
	{"kept list too long", "throw tray", "|\n      throw tray\n      let all = map(1..60 + shown, it)\n      game.n = len(all)", "too long", ""},
	{"nothing can be done", "      go: {do: me.score += 1}\n", "      go: {when: shown > 99, do: me.score += 1}\n      stay: {when: shown < 0}\n", "", ""},
	{"a score of no combo", "throw tray", "|\n      throw tray\n      score tray by combos", "cannot be scored", ""},
}

// scoring is a scorer for the plain game, of which only single 1s score.
const scoring = "scorers: {combos: {of: dice, pays: game.m, combos: {one: {match: 1, points: 1}}}}\nphases:"

func TestFaultsOfRules(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(plainWith(t, c.old, c.fresh), "phases:", scoring, 1)
			if c.name == "nothing can be done" {
				text = strings.Replace(text, "some of tray", "some of aside", 1)
			}
			lib := inline(t, text)
			p := mustLoad(t, lib, "plain", dsl.Options{})
			g, err := interpreter.New(p, 2)
			if err != nil { // of constants alone: it shows at once
				checkFault(t, err, c.says, c.at)
				return
			}
			m := g.Start(interpreter.Setup{Seed: 1})
			for _, loud := range []bool{false, true, false} {
				m.Listen(nil)
				if loud {
					m.Listen(&interpreter.Log{})
				}
				m.Restart(interpreter.Setup{Seed: 1})
				_, err := m.Advance()
				checkFault(t, err, c.says, c.at)
				if _, again := m.Advance(); again == nil {
					t.Error("asked again, the game goes on after its fault")
				}
				m.Restart(interpreter.Setup{Seed: 1})
				r := interpreter.NewRand(1, 0, 0)
				_, err = m.Playout(&r, 100)
				checkFault(t, err, c.says, c.at)
			}
		})
	}
}

func checkFault(t *testing.T, err error, says, at string) {
	t.Helper()
	var f *interpreter.Fault
	switch {
	case !errors.As(err, &f):
		t.Fatalf("no fault but %v", err)
	case f.Span.IsZero():
		t.Errorf("%v: has no place", f)
	case !strings.Contains(f.Message, says):
		t.Errorf("%v: does not say %q", f, says)
	case !strings.Contains(f.Span.Text(), at) || f.Span.Text() == "":
		t.Errorf("%v: points at %q, want %q in it", f, f.Span.Text(), at)
	}
}

// A fault stops one game; the machine plays the next.
func TestMachineGoesOnAfterAFault(t *testing.T) {
	text := plainScript(t, "let d = first(filter(tray, .face == 6))", "game.n = d.face")
	m := inlineGame(t, 2, text).Start(interpreter.Setup{})
	good, bad := 0, 0
	for i := range 200 {
		m.Restart(interpreter.Setup{Seed: 3, Index: uint64(i)})
		_, err := m.Advance()
		var f *interpreter.Fault
		switch {
		case err == nil:
			good++
		case errors.As(err, &f):
			bad++
		default:
			t.Fatal(err)
		}
	}
	// A 6 is missing from (5/6)^6 of the throws, about a third.
	if good < 110 || bad < 40 {
		t.Errorf("%d games went well, %d not", good, bad)
	}
}

// What can be seen to go round for ever is refused.
func TestRingsAreRefused(t *testing.T) {
	for name, c := range map[string][3]string{
		"a phase to itself":   {"enter: throw tray", "enter: goto one", "E0305"},
		"two phases":          {"      next turn", "      goto ring\n  ring:\n    enter: goto three", "E0305"},
		"an event in a ring":  {"phases:", "events: {e: {do: emit e}}\nphases:", "E0308"},
		"a define in a ring":  {"define: {", "define: {'a(x)': 'b(x) + 1', 'b(x)': 'a(x)', ", "E0224"},
		"more than 64 pieces": {"count: 6", "count: 65", "E0331"},
		"a set too many":      {"count: 6", "count: goal * 10", "E0331"},
	} {
		lib := inline(t, plainWith(t, c[0], c[1]))
		start := time.Now()
		p, ds := dsl.Load(lib, "plain", dsl.Options{})
		if p != nil || !slices.ContainsFunc(ds, func(d *source.Diagnostic) bool { return d.Code == c[2] && !d.Span.IsZero() }) {
			t.Errorf("%s: want %s, got %v", name, c[2], ds.Err())
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: checking takes %v", name, took)
		}
	}
}

// patience is how long a loop may take to be stopped: a second, and room for a
// core that is slow or busy.
const patience = 4 * time.Second

// What goes round too often is stopped by the budget of steps, soon.
func TestLongLoopsAreStopped(t *testing.T) {
	for name, lines := range map[string][]string{
		"one long loop":    {"for i in 1..1000000000 {", "  game.n = i", "}"},
		"loops in loops":   {"for i in 1..1000 {", "  for j in 1..1000 {", "    for k in 1..1000 {", "      game.n = k", "    }", "  }", "}"},
		"a turn for ever":  {"goto two if shown > 99", "next turn"},
		"a throw for ever": {"goto one if shown < 99"},
	} {
		t.Run(name, func(t *testing.T) { mustStop(t, lines) })
	}
}

// So is what is long inside one formula, where no statement ends.
func TestLongFormulasAreStopped(t *testing.T) {
	for name, lines := range map[string][]string{
		"a formula in each": {"for i in 1..500 {", "  game.n = sum(map(1..100000, it % 7))", "}"},
		"a sum of sums":     {"game.n = sum(1..10000, sum(1..10000, it % 3))"},
		"deep sums":         {"game.n = sum(1..400, sum(1..400, sum(1..400, it)))"},
	} {
		t.Run(name, func(t *testing.T) { mustStop(t, lines) })
	}
}

// mustStop runs a script that goes on for too long, quickly and with a
// recorder.
func mustStop(t *testing.T, lines []string) {
	t.Helper()
	m := inlineGame(t, 2, plainScript(t, lines...)).Start(interpreter.Setup{Seed: 1})
	for _, loud := range []bool{false, true} {
		if loud {
			m.Listen(recorderFunc(func(*interpreter.Machine, *interpreter.Record) {}))
		}
		m.Restart(interpreter.Setup{Seed: 1})
		start := time.Now()
		_, err := m.Advance()
		took := time.Since(start)
		checkFault(t, err, "", "")
		if took > patience && !raceEnabled {
			t.Errorf("stopped after %v", took)
		}
	}
}

// A family may have 64 pieces; what cannot be listed of them is a fault, and
// what can is played.
func TestSixtyFourPieces(t *testing.T) {
	many := strings.Replace(plain, "count: 6", "count: 64", 1)
	for name, c := range map[string]struct {
		text  string
		fault bool
	}{
		"some of them by face": {many, true},
		"one of them":          {strings.Replace(many, "some of tray", "'some of take(tray, 1)'", 1), false},
		"nine told apart":      {strings.Replace(strings.Replace(many, "some of tray", "'some of take(tray, 9)'", 1), "        tell_apart: [face]\n", "", 1), false},
		"three of ten":         {strings.Replace(many, "some of tray", "'3 of take(tray, 10)'", 1), false},
		"sixty of them":        {strings.Replace(strings.Replace(many, "some of tray", "30 of tray", 1), "faces: 1..6", "faces: 1..1000", 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			lib := inline(t, c.text)
			p := mustLoad(t, lib, "plain", dsl.Options{})
			g, err := interpreter.New(p, 2)
			if err == nil {
				m := g.Start(interpreter.Setup{Seed: 1})
				r := interpreter.NewRand(1, 0, 0)
				_, err = m.Playout(&r, 0)
			}
			if c.fault {
				checkFault(t, err, "", "")
			} else if err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > 5*time.Second && !raceEnabled {
				t.Errorf("takes %v", took)
			}
		})
	}
}

// Options that are too many to be listed are a fault with a place.
func TestTooManyOptions(t *testing.T) {
	for name, pick := range map[string]string{
		"a long range":  "{a: 1..1000000000}",
		"many picks":    "{a: 1..100, b: 1..100, c: 1..100}",
		"orders of all": "{a: some of tray, b: some of tray, c: some of tray}",
		"a range of n":  "{a: 1..shown * 1000000}",
	} {
		t.Run(name, func(t *testing.T) {
			text := plainWith(t, "pick: {some_dice: some of tray}\n        tell_apart: [face]\n        do: me.score += len(some_dice)", "pick: "+pick+"\n        do: me.score += 1")
			start := time.Now()
			lib := inline(t, text)
			p := mustLoad(t, lib, "plain", dsl.Options{})
			g, err := interpreter.New(p, 2)
			if err == nil {
				m := g.Start(interpreter.Setup{Seed: 1})
				if _, err = m.Advance(); err == nil {
					// What is only counted must be answerable, each end of it.
					req, _ := m.Advance()
					if err = m.Apply(req.N - 1); err == nil {
						_, err = m.Advance()
					}
					t.Logf("%d options are counted", req.N)
				}
			}
			if err != nil {
				checkFault(t, err, "", "")
			}
			if took := time.Since(start); took > 2*time.Second && !raceEnabled {
				t.Errorf("takes %v", took)
			}
		})
	}
}

// Whatever is typed, a move is read or refused; a guard that cannot be computed
// for it is no reason to break down.
func TestTypedMovesNeverPanic(t *testing.T) {
	for _, pick := range []string{"one of tray", "some of tray"} {
		guard := map[string]string{"one of tray": "{that: k.face > 1}", "some of tray": "{that: 60 / len(k) > first(k).face}"}[pick]
		m := inlineGame(t, 2, plainWith(t, "pick: {some_dice: some of tray}\n        tell_apart: [face]\n        do: me.score += len(some_dice)",
			"pick: {k: "+pick+"}\n        require: {ok: "+guard+"}\n        do: me.score += 1")).Start(interpreter.Setup{Seed: 1})
		if _, err := m.Advance(); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"take none", "take", "take 9", "take 1 2 3 4 5 6", "take all", "take 7x7", "take 1 none", "take , ,", "none"} {
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: typing %q panics: %v", pick, text, r)
					}
				}()
				_, _ = m.ParseMove(text)
			}()
		}
	}
}

// A question without an answer is no rest on the way: what goes round by way of
// `otherwise` is stopped like any other ring.
func TestRingThroughAQuestionIsStopped(t *testing.T) {
	text := strings.Replace(plain, "      go: {do: me.score += 1}\n", "", 1)
	text = strings.Replace(text, "        pick: {some_dice: some of tray}\n        tell_apart: [face]\n        do: me.score += len(some_dice)\n",
		"        pick: {k: one of tray where .face > 6}\n    otherwise: next turn\n", 1)
	for _, loud := range []bool{false, true} {
		m := inlineGame(t, 1, text).Start(interpreter.Setup{Seed: 1})
		if loud {
			m.Listen(recorderFunc(func(*interpreter.Machine, *interpreter.Record) {}))
		}
		done := make(chan error, 1)
		go func() {
			_, err := m.Advance()
			done <- err
		}()
		select {
		case err := <-done:
			checkFault(t, err, "for ever", "")
		case <-time.After(20 * time.Second):
			t.Fatal("still at it after 20 s")
		}
	}
}
