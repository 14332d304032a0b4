package merge

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// dealer writes patch files from a stream of bytes.
type dealer struct{ data []byte }

func (d *dealer) next(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

func (d *dealer) of(list []string) string { return list[d.next(len(list))] }

var (
	somePaths = words("kind kind.where roll.combos.kind.points roll.combos scorers.roll scorers choose.actions.keep keep keep.do bank " +
		"keep.tell_apart keep.tell_apart.face bust bust.from bonus bonus.say phases phases.look look.enter look over busted busted.is saved " +
		"saved.is worth worth.1 seat.exact define.seat.exact rank rank.score rank.banks.by score turn.points state state.turn dice.colour dice " +
		"params.extra extra.default goal.max turns.begin turns look.actions phases.rest a b a.a b.b rank.a roll.combos.a phases.a a.phases.a phases.a.actions.x")
	newPaths = words("rank.a rank.b roll.combos.a roll.combos.b phases.a phases.b look.actions.a choose.actions.a define.a define.a(x) " +
		"define.seat.a events.a show.a keep.tell_apart bust.from ending dice.odd keep.require.a roll.knows.a state.game.a state.a.b " +
		"roll.combos.a.points phases.a.actions.x a.define.x b.events.x")
	someValues = []string{"1", "x", "", "{}", "[]", "[a, b]", "{by: 1, at: top}", "{by: 1, at: before a}", "{by: 1, at: after b}",
		"{enter: x, at: after look}", "{is: 2}", "{do: x, actions: {keep: y}}", "{where: x, at: after ones}", "a", "\"t\"", "{at: nowhere}",
		"{when: x}", "{a: {that: x}}", "[{when: x}]", "{do: x}"}
	someFormulas = []string{"it or x", "it or y", "it and x", "it + 1", "it + 2", "it", "'it ? 1 : 2'"}
	someMoments  = words("bank keep look over bust bonus a b a.a roll.kind choose phases.choose.actions.bank nothing score rest")
	someParams   = words("goal extra m a.m b.m none c.m")
	someIDs      = words("a b c chime")
)

// body writes a random variant, without its head.
func (d *dealer) body() string {
	var b strings.Builder
	section := func(name string, n int, line func() string) {
		seen := map[string]bool{}
		first := true
		for range d.next(n) {
			l := line()
			if key, _, _ := strings.Cut(l, ": "); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			if first {
				fmt.Fprintf(&b, "%s:\n", name)
				first = false
			}
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	pair := func(keys, values []string) func() string {
		return func() string { return d.of(keys) + ": " + d.of(values) }
	}
	section("add", 4, pair(newPaths, someValues))
	section("change", 4, pair(somePaths, someValues))
	section("adjust", 3, pair(somePaths, someFormulas))
	section("remove", 3, func() string { return "- " + d.of(somePaths) })
	section("before", 3, pair(someMoments, someValues))
	section("after", 2, pair(someMoments, someValues))
	section("forbid", 2, pair(someMoments, someValues))
	section("require", 2, pair(someMoments, someValues))
	section("set", 3, pair(someParams, someValues))
	section("phases", 3, pair(someIDs, someValues))
	section("params", 2, func() string { return "m: {default: 1}" })
	section("define", 2, func() string { return "a: 1" })
	section("with", 2, func() string { return "- " + d.of(someIDs) })
	section("needs", 2, func() string { return "- " + d.of(someIDs) })
	section("without", 2, func() string { return "- " + d.of(someIDs) })
	section("excludes", 2, func() string { return d.of(someIDs) + ": No." })
	return b.String()
}

// tryAll merges three variants in every order into a game and into one that
// extends it. The order must not matter, and what a variant patches must not
// depend on others than those it builds on.
func tryAll(t *testing.T, bodies [3]string) {
	t.Helper()
	lib := library(t, game, chime, solo)
	for i, id := range words("a b c") {
		var ds source.List
		if h := ReadHead(source.NewFile(id+".yaml", house(id, bodies[i])), &ds); h != nil {
			lib.variants[id] = h
		}
	}
	for _, id := range []string{"dicey", "solo"} {
		first := ""
		permute([]string{"a", "b", "c"}, func(with []string) {
			m, ds := mergedGame(lib, id, Choice{With: with, Usual: true})
			if got := whole(m, ds); first == "" {
				first = got
			} else if got != first {
				t.Fatalf("order matters:\n%s\n--\n%s\n--\n%s", strings.Join(bodies[:], "--\n"), first, got)
			}
		})
		_, alone := mergedGame(lib, id, Choice{With: []string{"a"}})
		_, together := mergedGame(lib, id, Choice{With: []string{"a", "b", "c"}})
		if x, y := lookups(alone), lookups(together); x != y && !strings.Contains(strings.Join(bodies[:], ""), "without:") {
			t.Fatalf("paths depend on others:\n%s\n--\n%s\n--\n%s", strings.Join(bodies[:], "--\n"), x, y)
		}
	}
}

// lookups lists the failed lookups in a.yaml.
func lookups(ds source.List) string {
	var out []string
	for _, d := range ds {
		if d.Span.File.Name == "a.yaml" && strings.Contains("E0320 E0325 E0321 E0223 E0303", d.Code) &&
			!strings.Contains(d.Message, "to stand") && !strings.Contains(d.Message, "param") && !strings.Contains(d.Message, "ring") {
			out = append(out, d.Error())
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

func TestRandomPatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var bodies [3]string
		for i := range bodies {
			data := make([]byte, 96)
			for j := range data {
				data[j] = byte(rng.Uint32())
			}
			bodies[i] = (&dealer{data}).body()
		}
		tryAll(t, bodies)
	}
}

// FuzzMerge merges patch files made of meaningful pieces.
func FuzzMerge(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("abcdefghijklmnop"), []byte("zyxw"))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		tryAll(t, [3]string{(&dealer{a}).body(), (&dealer{b}).body(), (&dealer{c}).body()})
	})
}

// FuzzMergeText merges patch files of any text.
func FuzzMergeText(f *testing.F) {
	for _, seed := range []string{
		"add: {rank.a: {by: 1, at: before score}}\nremove: [kind]\n",
		"change: {kind.where: 1, choose: {actions: {}}}\nadjust: {busted: it or x}\n",
		"with: [b]\nadd: {b.define.x(y): 1}\nset: {b.n: 3, goal: 4}\nin: {solo: {remove: [look]}}\n",
		"phases: {a: {at: before b}, b: {at: before a}, c: }\nbefore: {b.a: x, a: y}\nplayers: 3\n",
		"forbid: {bank: [{when: x}]}\nrequire: {keep: {a: b}}\nwaive: {bank: }\nexcludes: {b: }\nneeds: a\n",
		"add: {state: {}, define.a.b.c: 1, phases.choose.actions: 3, keep.tell_apart: [a, a]}\n",
		"remove: [state, state.turn, state.turn.points, roll, phases]\nchange: {state: , pieces: [1]}\n",
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, a, b string) { tryAll(t, [3]string{a, b, "add: {roll.combos.two: {match: 2}}\n"}) })
}
