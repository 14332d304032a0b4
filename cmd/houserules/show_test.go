package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// What is shown of a game is a game again, and the same to the word, unless it
// extends another one, which only its own file can say.
func TestShownGamesAreGames(t *testing.T) {
	lib := newShelf()
	lib.builtIn()
	for i, g := range lib.Games() {
		if g.Extends != "" || testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(g.ID, func(t *testing.T) {
			args := []string{"show", g.ID}
			if usual := lib.Usual(g.ID); len(usual) > 0 {
				args = append(args, "--without", strings.Join(usual, ","))
			}
			code, shown, errs := call(t, "", args...)
			if code != exitOK {
				t.Fatal(shown, errs)
			}
			path := filepath.Join(t.TempDir(), "copy.yaml")
			write(t, path, "houserules: 1\ngame: the-copy\ntitle: Copy\nplayers: 2..4\n"+shown)
			if code, out, errs := call(t, "", "check", path); code == exitCannot || strings.Contains(out, "E0") {
				t.Fatal(out, errs)
			}
			code, again, errs := call(t, "", "show", path)
			if code != exitOK {
				t.Fatal(again, errs)
			}
			body := func(s string) string { return s[strings.IndexByte(s, '\n'):] }
			if body(again) != body(shown) {
				t.Errorf("shown again it is another:\n%s\n---\n%s", shown, again)
			}
		})
	}
}

func TestShowChanges(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		has  []string
	}{
		{"show pig --diff", exitOK, []string{"nothing differs"}},
		{"show pig --only params.goal", exitOK, []string{"# Pig, without house rules\ngoal:\n  default: 100\n"}},
		{"show pig --only params.goal --origin", exitOK, []string{"  default: 100  # rulesets/pig.yaml:"}},
		{"show pig --diff --set goal=50", exitOK, []string{"+ set.goal: 50  # the command line\n"}},
		{"show pig --only params.gaol", exitUsage, []string{"nothing called `params.gaol`"}},
		{"show zonk --without timid,lubs,off-the-table,six-die-zonk --diff", exitOK, []string{
			"+ forbid.phases.decide.actions.bank.breaking_the_ice.when: me.banks == 0 and turn.points < ice  # breaking-the-ice, variants/zonk/breaking-the-ice.yaml:"}},
		{"show flinke-stinker --with memory-help --diff", exitOK, []string{
			"- zones.middle.remind: false\n+ zones.middle.remind: true  # memory-help, variants/flinke-stinker/memory-help.yaml:"}},
		{"show pigg", exitCannot, []string{"pig"}},
		{"show", exitUsage, nil},
	} {
		code, out, errs := call(t, "", strings.Fields(c.args)...)
		if code != c.code {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
		for _, text := range c.has {
			if !strings.Contains(out+errs, text) {
				t.Errorf("%s: no %q in\n%s%s", c.args, text, out, errs)
			}
		}
	}
}

func TestShowForPrograms(t *testing.T) {
	code, out, errs := call(t, "", "show", "flinke-stinker", "--with", "memory-help", "--diff", "--out", "json")
	var got []shownEntry
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK {
		t.Fatal(code, err, errs)
	}
	if len(got) != 1 || strings.Join(got[0].Path, ".") != "zones.middle.remind" || *got[0].Was != "false" || *got[0].Value != "true" ||
		got[0].By != "memory-help" || got[0].Line == 0 {
		t.Errorf("%s", out)
	}
}

// --plan tells how rules are carried out, and which it cannot tell of.
func TestShowPlan(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"show pig --plan", exitOK, "params.goal: stands fast: 100\n"},
		{"show pig --plan --set must_roll=false --only phases", exitOK, "phases.choose.actions.hold.require.rolled: left out: it holds whatever happens\n"},
		{"show pig --plan --out json", exitOK, `"how": "stands fast: 100"`},
		{"show pig --plan --only zones", exitUsage, "whose plan could be told"},
		{"show pig --plan --diff", exitUsage, "goes together neither"},
	} {
		code, out, errs := call(t, "", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %d, wanted %q in\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}
