package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// oddGame divides by zero, breaks its invariant, has a move that nobody can
// make, and may go on for ever.
const oddGame = `houserules: 1
game: odd-game
title: Odd
players: 2..3
pieces: {dice: {count: 2, faces: 1..6}}
zones: {tray: {of: dice, starts: all}}
state: {player: {score: 0}}
phases:
  choose:
    actions:
      roll:
        do: |
          throw tray
          me.score += sum(tray, .face)
          me.score = 100 / (me.score - 20) if me.score > 15
          finish if me.score > 60
          next turn
      wait: {do: next turn}
      never: {when: 'me.score > 1000', do: finish}
rank: {score: {by: me.score, first: highest}}
invariants:
  small: {that: 'all(everyone, .score < 40)', else: "nobody has 40"}
examples:
  one: {at: choose, play: roll}
`

func TestCheckPlays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.yaml")
	write(t, path, oddGame)
	if code, out, errs := call(t, "", "check", path); code != exitOK {
		t.Fatal(out, errs)
	}
	code, out, errs := call(t, "", "check", path, "--play", "200")
	if code != exitNo {
		t.Error(code, errs)
	}
	for _, text := range []string{
		"odd.yaml:15:26: error[E0333] in ", "of 200 games played at random a mistake of the rules stopped the game: 100 is divided by 0",
		"odd.yaml:22:18: error[E0334] in ", "an invariant did not hold: nobody has 40",
		"odd.yaml:19:7: warning[W0521] in 200 games played at random nobody could ever `never`",
		"# the shortest game found that stops at ", "# the shortest game found that breaks the invariant at ", "? all(everyone, .score < 40)\n",
	} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	games := strings.Split(out, "\n# the shortest")
	for i, text := range games[1:] {
		file := filepath.Join(filepath.Dir(path), "shown.txt")
		write(t, file, "# the shortest"+text)
		want := []string{"100 is divided by 0", "score < 40"}
		if strings.Contains(text, "invariant") {
			want = want[1:]
		}
		code, out, errs := call(t, "", "test", file)
		if code != exitNo || !strings.Contains(out+errs, want[0]) || strings.Count(text, "> ") > 8 {
			t.Errorf("game %d, %d: %s%s\n%s", i, code, out, errs, text)
		}
	}

	write(t, path, strings.Replace(oddGame, "me.score = 100 / (me.score - 20)", "me.score = 0", 1))
	code, out, errs = call(t, "", "check", path, "--play", "10", "--fail-on", "warning")
	if code != exitNo || !strings.Contains(out, "odd.yaml:9:3: warning[W0520] in 10 of 10 games played at random the game had not ended after 20000 decisions") ||
		!strings.Contains(out, "# only the first 400 of its 20000 moves stand here") {
		t.Error(code, out, errs)
	}
	if code, _, errs := call(t, "", "check", path, "--play", "2000000"); code != exitUsage || !strings.Contains(errs, "--play takes") {
		t.Error(code, errs)
	}
}

// No game that is shipped stops at a mistake or breaks an invariant, with none
// and with each of its house rules.
func TestShippedGamesAreSoundInPlay(t *testing.T) {
	args := []string{"check", "--play", "3"}
	if testing.Short() {
		args = []string{"check", "pig", "yacht", "hearts", "--play", "2"}
	}
	if code, out, errs := call(t, "", args...); code != exitOK {
		t.Error(code, out, errs)
	}
}

// Findings can be chosen, and be written for other programs.
func TestCheckChoosesFindings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.yaml")
	write(t, path, strings.Replace(oddGame, "state: {player: {score: 0}}", "state: {player: {score: 0, unread: 0}}", 1))
	for _, c := range []struct {
		args string
		code int
		out  string // how the output begins
	}{
		{"--out compact --fail-on warning", exitNo, path + ":7:"},
		{"--out github --fail-on warning", exitNo, "::warning file=" + path + ",line=7,"},
		{"--out sarif --fail-on warning", exitNo, `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"houserules"`},
		{"--out compact --fail-on warning --allow w501", exitOK, "1 file: no mistakes found"},
		{"--out compact --fail-on warning --only E0213,W0510", exitOK, "1 file: no mistakes found"},
		{"--allow E0213", exitUsage, "houserules: E0213 is an error"},
		{"--only E9999", exitUsage, "houserules: there is no finding `E9999`"},
		{"--out xml", exitUsage, "houserules: there is no format `xml`"},
	} {
		code, out, errs := call(t, "", append([]string{"check", path}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.HasPrefix(out+errs, c.out) {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
}
