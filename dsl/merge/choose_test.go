package merge

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func ids(m *Merged) string {
	var out []string
	for _, f := range m.Variants {
		out = append(out, f.ID)
	}
	return strings.Join(out, " ")
}

func TestChoose(t *testing.T) {
	texts := []string{game, chime,
		house("lone", "state: {game: {n: 0}}\n"),
		house("table", "with: [lone, extra]\nset: {m: 4}\n"),
		house("extra", "params: {m: {default: 3}}\n"),
		house("builds", "needs: [base]\n"),
		"houserules: 1\npart: base\nfor: dicey\n",
		house("quiet", "without: [chime, extra]\nwith: [table]\n"),
		house("foe", "excludes:\n  lone: They differ.\n"),
		house("ring-a", "with: [ring-b]\n"), house("ring-b", "with: [ring-a]\n"),
		house("selfish", "excludes: {selfish: No.}\n"),
		house("typo", "with: [loone]\n"),
		"houserules: 1\nvariant: other\nfor: cards\n",
	}
	lib := library(t, texts...)
	tests := []struct {
		name  string
		c     Choice
		want  string
		codes string
	}{
		{"nothing", Choice{}, "", ""},
		{"usual", Choice{Usual: true}, "chime", ""},
		{"not the usual", Choice{Usual: true, Without: []string{"chime"}}, "", ""},
		{"a set", Choice{With: []string{"table"}}, "extra lone table", ""},
		{"a set without a member", Choice{With: []string{"table"}, Without: []string{"extra"}}, "lone table", "W0513"},
		{"parts first", Choice{With: []string{"builds"}}, "base builds", ""},
		{"needed and switched off", Choice{With: []string{"builds"}, Without: []string{"base"}}, "builds", "E0323"},
		{"a set that plays without", Choice{With: []string{"quiet"}, Usual: true}, "lone quiet table", "W0513"},
		{"what a set plays without", Choice{With: []string{"quiet", "extra"}}, "lone quiet table", "E0323 W0513"},
		{"both on and off", Choice{With: []string{"lone"}, Without: []string{"lone"}}, "", "E0323"},
		{"exclusion", Choice{With: []string{"foe", "lone"}}, "foe lone", "E0323"},
		{"exclusion of a member", Choice{With: []string{"foe", "table"}}, "extra foe lone table", "E0323"},
		{"ring", Choice{With: []string{"ring-a"}}, "ring-a ring-b", ""},
		{"excludes itself", Choice{With: []string{"selfish"}}, "selfish", "E0323"},
		{"unknown", Choice{With: []string{"lonee"}}, "", "E0311"},
		{"unknown off", Choice{Without: []string{"lonee"}}, "", "E0311"},
		{"unknown member", Choice{With: []string{"typo"}}, "typo", "E0311"},
		{"another game", Choice{With: []string{"other"}}, "", "E0328"},
		{"twice", Choice{With: []string{"lone", "lone"}}, "lone", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ds := mergedIn(lib, tt.c)
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if got := ids(m); got != tt.want {
				t.Errorf("in force: %q, want %q", got, tt.want)
			}
		})
	}
}

func TestExclusionNamesTheSet(t *testing.T) {
	m, ds := merged(t, []string{"foe", "table"},
		house("foe", "excludes:\n  lone: They differ.\n"), house("table", "with: [lone]\n"), house("lone", ""))
	wantCodes(t, ds, "E0323")
	wantText(t, whole(m, ds), "`foe` and `lone` exclude each other: They differ", "`lone` is brought in by `table` here", "foe,table")
}

func TestExcludedDoNotAlsoConflict(t *testing.T) {
	_, ds := merged(t, []string{"a", "b"},
		house("a", "excludes: {b: No.}\nremove: [kind]\nadjust: {busted: it or x}\n"),
		house("b", "change: {kind.where: x}\nremove: [busted]\n"))
	wantCodes(t, ds, "E0323")
}

func TestCommandLinePlaces(t *testing.T) {
	lib := library(t, game, chime)
	_, ds := mergedIn(lib, Choice{With: []string{"chine"}, Set: []Setting{{Name: "gaol", Value: "7"}}})
	wantCodes(t, ds, "E0312", "E0311")
	wantText(t, whole(nil, ds), "--set:1:1: error[E0312]", "--with:1:1: error[E0311]")
	for _, d := range ds {
		wantText(t, strings.Join(d.Help, " "), "did you mean")
	}
}

func TestNoSuchGame(t *testing.T) {
	var ds source.List
	if m := Merge(library(t), "none", Choice{}, &ds); m != nil {
		t.Error("a result from nothing")
	}
	wantCodes(t, ds, "E0311")
}

func TestPlayers(t *testing.T) {
	for _, tt := range []struct{ a, b, want, codes string }{
		{"", "", "2..6", ""},
		{"players: 3..9", "", "3..6", ""},
		{"players: 3..9", "players: 1..4", "3..4", ""},
		{"players: 5..9", "players: 2..4", "5..6", "E0324"},
		{"players: 4", "", "4", ""},
		{"players: few", "", "2..6", "E0324"},
		{"players: 4..2", "", "2..6", "E0324"},
	} {
		m, ds := merged(t, []string{"a", "b"}, house("a", tt.a+"\n"), house("b", tt.b+"\n"))
		wantCodes(t, ds, strings.Fields(tt.codes)...)
		if m.Players.String() != tt.want {
			t.Errorf("%q and %q: %v players, want %s", tt.a, tt.b, m.Players, tt.want)
		}
	}
}

func TestSet(t *testing.T) {
	texts := []string{game, chime,
		house("ten", "set: {goal: 10}\n"),
		house("also-ten", "set: {goal: 10}\n"),
		house("twenty", "set: {goal: 20}\n"),
		house("both", "with: [ten, twenty]\nset: {goal: 30}\n"),
		house("m1", "params: {m: {default: 3}}\n"),
		house("m2", "params: {m: {default: 3}}\nset: {m: 9}\n"),
		house("sets-m", "with: [m1]\nset: {m: 4}\n"),
		house("no-member", "set: {m: 4}\n"),
		house("qualified", "with: [m1, m2]\nset: {m1.m: 5}\n"),
		house("bare", "with: [m1, m2]\nset: {m: 5}\n"),
		house("no-extra", "remove: [params.extra]\n"),
		house("extra", "set: {extra: 7}\n"),
	}
	lib := library(t, texts...)
	set := func(kv ...string) (out []Setting) {
		for i := 0; i < len(kv); i += 2 {
			out = append(out, Setting{Name: kv[i], Value: kv[i+1]})
		}
		return out
	}
	tests := []struct {
		name  string
		with  string
		set   []Setting
		want  string
		codes string
	}{
		{"command line", "", set("goal", "7"), "set  goal 7 \n", ""},
		{"variant", "ten", nil, "set  goal 10 ten", ""},
		{"command line wins", "ten", set("goal", "7"), "set  goal 7 \n", ""},
		{"agreement", "ten also-ten", nil, "set  goal 10 also-ten", ""},
		{"conflict", "ten twenty", nil, "", "E0322"},
		{"conflict settled on the command line", "ten twenty", set("goal", "7"), "set  goal 7 \n", ""},
		{"conflict settled by a set", "both", nil, "set  goal 30 both", ""},
		{"own param", "m2", nil, "set m2 m 9 m2", ""},
		{"param of a member", "sets-m", nil, "set m1 m 4 sets-m", ""},
		{"param of one not brought in", "no-member m1", nil, "", "E0312"},
		{"qualified", "qualified", nil, "set m1 m 5 qualified\nset m2 m 9 m2", ""},
		{"not unique", "bare", nil, "", "E0325"},
		{"bare on the command line", "m1", set("m", "8"), "set m1 m 8 \n", ""},
		{"not unique on the command line", "m1 m2", set("m", "8"), "", "E0325"},
		{"qualified on the command line", "m1 m2", set("m1.m", "8"), "set m1 m 8 \n", ""},
		{"of a variant not in force", "", set("m", "8"), "", "E0312"},
		{"two on the command line", "", set("goal", "7", "goal", "8"), "", "E0322"},
		{"removed by another", "no-extra extra", nil, "", "W0513"},
		{"removed by another, command line", "no-extra", set("extra", "7"), "", "E0312"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ds := mergedIn(lib, Choice{With: strings.Fields(tt.with), Set: tt.set})
			wantCodes(t, ds, strings.Fields(tt.codes)...)
			if tt.codes == "" {
				wantText(t, whole(m, ds)+"\n", tt.want)
			}
		})
	}
}
