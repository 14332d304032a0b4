package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// stepGame is a game whose scores can be worked out in the head: `one` adds 1,
// and 5 win.
const stepGame = `houserules: 1
game: step
title: Step
players: 2..3
params: {goal: {default: 5, min: 1, max: 50}}
state: {player: {score: 0}}
define: {gain: 1}
phases:
  take:
    actions:
      one: |
        me.score += gain
        finish if me.score >= goal
        next turn
      pass: next turn
rank: {score: {by: me.score, first: highest}}
`

// stepRules are house rules for it, by their ids.
var stepRules = map[string]string{
	"aa": "after: {one: me.score += 1}",
	"bb": "after: {one: me.score = 0 if me.score == 3}",
	"cc": "adjust: {gain: it * 2}",
	"dd": "adjust: {gain: it + 2}",
	"ee": "change: {gain: 2}",
	"ff": "change: {gain: 4}",
	"gg": "set: {goal: 3}",
	"hh": "set: {goal: 8}",
	"ii": "after: {one: me.score = 0 if me.score > 100}",
	"jj": "before: {one: next turn if me.score == 1}",
	"kk": "before: {one: me.score += 1}",
	"ll": "remove: [pass]",
	"mm": "change: {pass: finish}",
}

func stepFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "step.yaml", stepGame)
	for id, body := range stepRules {
		write(t, id+".yaml", "houserules: 1\nvariant: "+id+"\nfor: step\n"+body+"\n")
	}
}

func TestOrdersThatMatter(t *testing.T) {
	stepFolder(t)
	for _, c := range []struct {
		with  string
		code  int
		wants []string
	}{
		// Ann takes 1 and has 2, as 1 more comes of it; takes 1 and has 3: with the
		// additional point first 4, with the check for 3 first 0 and then 1.
		{"aa,bb", exitOK, []string{"note[W0512]", "hooks of a moment go by the ids of their house rules", "first after ",
			"# Ann.score       4           1\n", "with: [aa, bb]\n"}},
		// 1 * 2 + 2 is 4, (1 + 2) * 2 is 6, which wins.
		{"cc,dd", exitNo, []string{"error[E0326]", "first after 1 move (Ann.score: 4 with `cc` first, 6 with `dd` first)",
			"# Ann.score       4           6\n", "# who is asked    Bob         nobody: Ann won\n", "# (it cannot be played: the two do not go together)\n"}},
		// The later change stands.
		{"ee,ff", exitNo, []string{"error[E0322]", "first after 1 move (Ann.score: 4 with `ee` first, 2 with `ff` first)"}},
		// So does the later value: with `hh` first the goal is 3 in the end.
		{"gg,hh", exitNo, []string{"error[E0322]", "# who is asked    Bob         nobody: Ann won\n"}},
		{"aa,ii", exitOK, []string{"note[W0512]", "played in both orders: the same in 50 games\n", "# `aa` and `ii`: played in both orders: the same in 50 games\n"}},
		// One that leaves goes first; else the point is there before it looks.
		{"jj,kk", exitOK, []string{"`jj` goes first", "first after 1 move (Ann.score: 2 with `jj` first, 1 with `kk` first)"}},
		// Of these neither can win.
		{"ll,mm", exitNo, []string{"error[E0322]"}},
		// What does not go together for another reason is left out.
		{"cc,dd,ll,mm", exitNo, []string{"played in both orders, with these two alone: they part in 50 of 50 games, first after 1 move"}},
	} {
		var args []string
		for _, id := range strings.Split(c.with, ",") {
			args = append(args, "./"+id+".yaml")
		}
		for range 2 { // in either order on the command line
			code, out, errs := call(t, "", "check", "step.yaml", "--with", strings.Join(args, ","), "--out", "pretty")
			if code != c.code {
				t.Errorf("%s: exit code %d\n%s%s", c.with, code, out, errs)
			}
			contains(t, out, c.wants...)
			if c.with == "ll,mm" && strings.Contains(out, "both orders") {
				t.Errorf("%s is played\n%s", c.with, out)
			}
			args[0], args[1] = args[1], args[0]
		}
	}
}

// The game that is shown is a transcript: played again it comes to where the two
// parted, in the order that is in force.
func TestPartingIsATranscript(t *testing.T) {
	stepFolder(t)
	_, out, _ := call(t, "", "check", "step.yaml", "--with", "./aa.yaml,./bb.yaml", "--play", "20", "--out", "compact")
	_, game, ok := strings.Cut(out, "\n# the shortest game found in which it matters whether `aa` or `bb` goes first\n")
	if !ok {
		t.Fatal(out)
	}
	row := regexp.MustCompile(`# (\w+)\.score +4 +1\n`).FindStringSubmatch(game)
	if row == nil {
		t.Fatal(game)
	}
	for score, want := range map[string]int{"4": exitOK, "1": exitNo} {
		write(t, "parted.txt", game+"? "+row[1]+".score == "+score+"\n")
		if code, out, errs := call(t, "", "test", "parted.txt"); code != want {
			t.Errorf("score %s: exit code %d\n%s%s\n%s", score, code, out, errs, game)
		}
	}
}

// Nobody waits for games that nobody has asked for.
func TestOrdersAreOnlyPlayedIfAsked(t *testing.T) {
	stepFolder(t)
	text, err := os.ReadFile("bb.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "bb.yaml", string(text)+"with: [aa]\n")
	for _, c := range []struct {
		args   string
		played bool
	}{{"check bb.yaml --out pretty", false}, {"check bb.yaml --play 10 --out pretty", true}, {"check bb.yaml --with ./aa.yaml --out pretty", true}} {
		code, out, errs := call(t, "", strings.Fields(c.args)...)
		if code != exitOK || strings.Contains(out, "played in both orders") != c.played {
			t.Errorf("%s: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
}
