package merge

import (
	"fmt"
	"strings"
	"testing"
)

func TestTwoVariants(t *testing.T) {
	tests := []struct {
		name, a, b string
		codes      string
		want       string // in the root, if there is no error
	}{
		{"different leaves", "change: {kind.where: n == 3}", "change: {kind.points: 7}", "", "{match: x*n, where@a: n == 3, points@b: 7}"},
		{"equal claims agree", "change: {kind.where: n == 3}", "change: {scorers.roll.combos.kind.where: 'n == 3'}", "", "where@a: n == 3"},
		{"different claims", "change: {kind.where: n == 3}", "change: {kind.where: n == 4}", "E0322", ""},
		{"leaf and node", "change: {kind.where: n == 3}", "change: {kind: {match: 3}}", "E0322", ""},
		{"node and leaf", "change: {kind: {match: 3}}", "change: {kind.where: n == 3}", "E0322", ""},
		{"remove and change below", "remove: [kind]", "change: {kind.where: n == 3}", "E0322", ""},
		{"remove and add below", "remove: [scorers.roll]", "add: {roll.combos.two: {match: 2}}", "E0322", ""},
		{"removes agree", "remove: [kind]", "remove: [scorers.roll.combos.kind]", "", "combos: {ones: {match: 1, points: 100}}"},
		{"adds commute", "add: {roll.combos.a: {match: 2}}", "add: {roll.combos.b: {match: 3}}", "", "a@a: {match@a: 2}, b@b: {match@b: 3}"},
		{"equal adds agree", "add: {roll.combos.a: {match: 2}}", "add: {roll.combos.a: {match: 2}}", "", "a@a: {match@a: 2}}"},
		{"different adds", "add: {roll.combos.a: {match: 2}}", "add: {roll.combos.a: {match: 3}}", "E0322", ""},
		{"same add in two places", "add: {rank.x: {by: 2, at: top}}", "add: {rank.x: {by: 2, at: before banks}}", "E0322", ""},
		{"one anchor", "add: {rank.a: {by: 2, at: before banks}}", "add: {rank.b: {by: 3, at: before banks}}", "", "a@a: {by@a: 2}, b@b: {by@b: 3}, banks"},
		{"one names the other", "add: {rank.a: {by: 2, at: before banks}}", "add: {rank.b: {by: 3, at: before a}}", "", "b@b: {by@b: 3}, a@a: {by@a: 2}, banks"},
		{"anchor removed by another", "add: {rank.a: {by: 2, at: before score}}", "remove: [rank.score]", "", "rank: {a@a: {by@a: 2}, banks"},
		{"list additions commute", "add: {keep.tell_apart: colour}", "add: {keep.tell_apart: odd}", "", "[face, colour, odd]"},
		{"list additions agree", "add: {keep.tell_apart: colour}", "add: {keep.tell_apart: [colour]}", "", "[face, colour]"},
		{"list addition and change", "add: {keep.tell_apart: colour}", "change: {keep.tell_apart: []}", "E0322", ""},
		{"new containers commute", "add: {show.a: x}", "add: {show.b: y}", "", "show@a: {a@a: x, b@b: y}"},
		{"what another adds is not known", "add: {roll.combos.a: {match: 2}}", "change: {roll.combos.a.match: 3}", "E0320", ""},
		{"needs makes it known", "add: {roll.combos.a: {match: 2}}", "needs: [a]\nchange: {roll.combos.a.match: 3}", "", "a@a: {match@b: 3}"},
		{"with makes it known", "add: {roll.combos.a: {match: 2}}", "with: [a]\nadd: {roll.combos.a.points: 3}", "", "a@a: {match@a: 2, points@b: 3}"},
		{"and it can be replaced", "add: {roll.combos.a: {match: 2}}", "with: [a]\nchange: {roll.combos.a: {match: 3}}", "", "a@b: {match@b: 3}"},
		{"or removed", "add: {roll.combos.a: {match: 2}}", "with: [a]\nremove: [roll.combos.a]", "", "points: worth(x) * 100}}"},
		{"also the other way round", "needs: [b]\nchange: {roll.combos.b.match: 3}", "add: {roll.combos.b: {match: 2}}", "", "b@b: {match@a: 3}"},
		{"a set does not undo its members", "change: {kind.where: n == 3}", "with: [a]\nchange: {kind.where: n == 4}", "E0322", ""},
		{"private names from outside", "define: {half: 1}", "with: [a]\nchange: {a.half: 2}", "", ""},
		{"private names bare", "define: {half: 1}", "needs: [a]\nadjust: {half: it + 1}", "", ""},
		{"private names are not bare", "define: {half: 1}", "with: [a]\nadjust: {half: it + 1}", "E0320", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := house("a", tt.a+"\n"), house("b", tt.b+"\n")
			m, ds := merged(t, []string{"b", "a"}, a, b)
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, show(m.Root), tt.want)
			}
			for _, d := range ds {
				if d.Code == "E0322" && (len(d.Related) == 0 || d.Related[0].Span.File == d.Span.File) {
					t.Errorf("%v does not name both places: %v", d, d.Related)
				}
			}
		})
	}
}

func TestPrivatePatched(t *testing.T) {
	m, ds := merged(t, []string{"a", "b"},
		house("a", "define: {half: 1, third: 2}\nphases: {mine: goto choose}\n"),
		house("b", "needs: [a]\nchange: {a.half: 2, third: 4}\nadd: {a.phases.his: {at: before mine, enter: goto look}}\n"))
	wantCodes(t, ds)
	wantText(t, whole(m, ds), "define@a: {half@b: 2, third@b: 4}", "/over a/his a/mine")
}

func TestAdjust(t *testing.T) {
	tests := []struct {
		name, a, b string
		codes      string
		want       string
	}{
		{"alone, any shape", "adjust: {busted: 'it ? 1 : 2'}", "", "", "adjust not roll.any_score(tray) | a: it ? 1 : 2"},
		{"both or", "adjust: {busted: it or x}", "adjust: {define.busted: 'it or y and z'}", "", "| a: it or x | b: it or y and z"},
		{"both and", "adjust: {busted: it and x}", "adjust: {busted: it and y == 2}", "", "| a: it and x | b: it and y == 2"},
		{"both plus", "adjust: {saved: it + 1}", "adjust: {saved.is: it + 2 * x}", "", "adjust 0 | a: it + 1 | b: it + 2 * x"},
		{"lookup", "adjust: {worth: it + 1}", "", "", "adjust {1: 10, else: x} | a: it + 1"},
		{"map with is", "adjust: {busted: {is: it or x, from: [B1]}}", "", "", "| a: it or x"},
		{"mixed", "adjust: {busted: it or x}", "adjust: {busted: it and y}", "E0326", ""},
		{"times", "adjust: {saved: it * 2}", "adjust: {saved: it * 2}", "E0326", ""},
		{"torn apart", "adjust: {busted: it and x or y}", "adjust: {busted: it and y}", "E0326", ""},
		{"twice it", "adjust: {saved: it + it}", "adjust: {saved: it + 1}", "E0326", ""},
		{"it of a list is fine", "adjust: {saved: 'it + count(tray, it.face > 2)'}", "adjust: {saved: it + 1}", "", "it > 2"},
		{"changed by another", "adjust: {saved: it + 1}", "change: {saved: {is: 5}}", "", "adjust 5 | a: it + 1"},
		{"changed leaf by another", "adjust: {saved: it + 1}", "change: {saved.is: 5}", "", "adjust 5 | a: it + 1"},
		{"removed by another", "adjust: {saved: it + 1}", "remove: [saved]", "E0322", ""},
		{"something larger changed", "adjust: {kind.points: it + 1}", "change: {kind: {match: 1, points: 4}}", "E0322", ""},
		{"changed into text", "adjust: {saved: it + 1}", "change: {saved: {is: \"x\"}}", "E0322", ""},
		{"adjusts text", "adjust: {bonus.say: it + 1}", "", "E0115", ""},
		{"adjusts a map", "adjust: {kind: it + 1}", "", "E0115", ""},
		{"adjusts a script", "adjust: {look: it + 1}", "", "E0115", ""},
		{"adjusts a script by its key", "adjust: {look.enter: it + 1}", "", "E0115", ""},
		{"no formula", "adjust: {saved: [1]}", "", "E0115", ""},
		{"unknown", "adjust: {savd: it + 1}", "", "E0320", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ds := merged(t, []string{"b", "a"}, house("a", tt.a+"\n"), house("b", tt.b+"\n"))
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, whole(m, ds), strings.ReplaceAll(tt.want, "it > 2", "it.face > 2"))
			}
		})
	}
}

func TestShape(t *testing.T) {
	for formula, want := range map[string]string{
		"it and a": "and", "it or (a and it)": "", "it + 1": "+", "it - 1": "", "it": "", "1 + it": "",
		"it + a - b": "+", "it + (a ? 1 : 2)": "+", "it + a ? 1 : 2": "", "it and filter(x, it) == y": "and",
		"it and f(it)": "", "it and )": "", "it and (": "", "it or a ? b : c": "", "it and not a": "and", "it + not a": "",
		"it or any(p, sum(it.x) > 2)": "or", "": "", "it + \"it\"": "+",
	} {
		if got := shape(formula); got != want {
			t.Errorf("shape(%q) = %q, want %q", formula, got, want)
		}
	}
}

// TestOrderNeverMatters merges every permutation of a mixed bag of variants,
// with conflicts among them.
func TestOrderNeverMatters(t *testing.T) {
	texts := []string{game, chime,
		house("a", "with: [d]\nadd: {rank.a: {by: 1, at: before score}}\nset: {goal: 50}\nbefore: {bank: say \"a\"}\nadjust: {busted: it or a}\n"),
		house("b", "add: {rank.b: {by: 2, at: before score}, keep.tell_apart: colour}\nset: {goal: 70}\nadjust: {busted: it or b}\nphases: {x: {at: top, enter: goto look}}\n"),
		house("c", "needs: [b]\nset: {goal: 90}\nchange: {rank.b.by: 3, kind.where: n == 3}\nforbid: {bank: {when: true, because: \"no\"}}\nplayers: 3..9\n"),
		house("d", "change: {kind.where: n == 4}\nadd: {keep.tell_apart: odd}\nbefore: {over: say \"d\"}\nphases: {y: {at: top, enter: goto look}}\n"),
		house("e", "remove: [phases.over]\nexcludes: {d: \"No.\"}\nwaive: {bank: {when: true}}\n"),
	}
	lib := library(t, texts...)
	var first string
	permute([]string{"a", "b", "c", "d", "e"}, func(with []string) {
		m, ds := mergedIn(lib, Choice{With: with, Usual: true})
		got := whole(m, ds)
		switch first {
		case "":
			first = got
		case got:
		default:
			t.Fatalf("%v gives\n%s\ninstead of\n%s", with, got, first)
		}
	})
	wantText(t, first, "E0322", "E0323", "W0514", "set  goal")
}

func permute(list []string, f func([]string)) {
	var rec func(i int)
	rec = func(i int) {
		if i == len(list) {
			f(list)
			return
		}
		for j := i; j < len(list); j++ {
			list[i], list[j] = list[j], list[i]
			rec(i + 1)
			list[i], list[j] = list[j], list[i]
		}
	}
	rec(0)
}

func TestManyPatchesAreFast(t *testing.T) {
	var a, b strings.Builder
	a.WriteString("add:\n")
	b.WriteString("with: [a]\nchange:\n")
	for i := range 2000 {
		fmt.Fprintf(&a, "  define.n%d: %d\n", i, i)
		fmt.Fprintf(&b, "  define.n%d: %d\n", i, i+1)
	}
	b.WriteString("remove:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  - define.m%d\n", i)
	}
	m, ds := merged(t, []string{"b"}, house("a", a.String()), house("b", b.String()))
	if ds.Count(0) != 1000 || len(m.Root.Get("define").Pairs) != 2004 {
		t.Errorf("%d errors, %d defines", ds.Count(0), len(m.Root.Get("define").Pairs))
	}
}
