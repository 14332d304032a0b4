package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files of one's own are found by their names, here and in the folder for them,
// and never in place of what comes with the program.
func TestFilesOfOnesOwn(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOUSERULES_RULES", folder)
	text, err := os.ReadFile(pig)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	mine := strings.NewReplacer("game: pig", "game: my-dice", "title: Pig", "title: Mine").Replace(string(text))
	if !strings.Contains(mine, "game: my-dice") {
		t.Fatal("there is no game in the file of the test")
	}
	write(t, filepath.Join(folder, "my-dice.yaml"), mine)
	write(t, "short-game.yaml", "houserules: 1\nvariant: short-game\nfor: pig\ntitle: Short\nset: {goal: 20}\n")
	write(t, "pig.yaml", mine)

	for _, c := range []struct {
		args string
		code int
		has  []string
		not  string
	}{
		{"play my-dice --players bot:random,bot:random --seed 1", exitOK, []string{"Mine", "play it again: houserules play my-dice --players"}, "comes with"},
		{"play pig --players bot:random,bot:random --seed 1 --with short-game", exitOK, []string{"house rules: Short",
			"`pig` is the one that comes with houserules; for your own name the file, `./pig.yaml`"}, "Mine"},
		{"show pig --with short-game --only set", exitOK, []string{"goal: 20  # short-game, ./short-game.yaml:5"}, ""},
		{"check my-dice", exitOK, []string{"no mistakes found"}, ""},
		{"test my-dice", exitOK, []string{"passed, 0 failed"}, ""},
		{"games", exitOK, []string{"of your own:\n", "short-game.yaml, for pig  Short\n", "my-dice.yaml  Mine"}, ""},
		{"play your-dice", exitCannot, []string{"there is no game `your-dice`"}, ""},
	} {
		code, out, errs := call(t, "", strings.Fields(c.args)...)
		if code != c.code || c.not != "" && strings.Contains(out+errs, c.not) {
			t.Errorf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
		for _, text := range c.has {
			if !strings.Contains(out+errs, text) {
				t.Errorf("%s: no %q in\n%s%s", c.args, text, out, errs)
			}
		}
	}

	if code, out, errs := call(t, "", "play", "pig", "--players", "bot:random,bot:random", "--seed", "1", "--with", "short-game", "--journal", "g.jsonl"); code != exitOK {
		t.Fatal(out, errs)
	}
	if code, out, errs := call(t, "", "replay", "g.jsonl", "--verify"); code != exitOK {
		t.Error(code, out, errs)
	}
}
