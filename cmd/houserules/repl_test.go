package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// typed runs a command with lines to read.
func typed(t *testing.T, lines string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(lines), &o, &e)
	return o.String(), e.String(), code
}

// An example that the console writes can be put into the rule file as it is.
func TestReplExampleIsForTheFile(t *testing.T) {
	dir := t.TempDir()
	game := filepath.Join(dir, "mine.yaml")
	text, err := os.ReadFile("../../rulesets/pig.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Replace(string(text), "game: pig", "game: mine", 1)
	if err := os.WriteFile(game, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	transcript := filepath.Join(dir, "game.txt")
	out, errs, code := typed(t, "roll\nhold\ntest from_here\nexport "+transcript+"\n", "repl", game, "--seed", "5")
	at := strings.Index(out, "  from_here:\n")
	if code != 0 || at < 0 {
		t.Fatalf("code %d, %s%s", code, out, errs)
	}
	example, _, _ := strings.Cut(out[at:], "written;")
	rules = strings.Replace(rules, "\nexamples:\n", "\nexamples:\n"+example, 1)
	if err := os.WriteFile(game, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code = typed(t, "", "test", game, "--run", "from_here")
	if code != 0 || !strings.Contains(out, "1 passed") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	if out, errs, code = typed(t, "", "test", transcript); code != 0 { // which finds the file beside it
		t.Errorf("code %d, %s%s", code, out, errs)
	}
}

// A file that was changed is read again; one with a mistake leaves the rules that
// were.
func TestReplReload(t *testing.T) {
	dir := t.TempDir()
	game := filepath.Join(dir, "mine.yaml")
	text, err := os.ReadFile("../../rulesets/pig.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(from, to string) {
		t.Helper()
		if err := os.WriteFile(game, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("game: pig", "game: mine")
	text = bytes.Replace(text, []byte("game: pig"), []byte("game: mine"), 1)
	edit := func(from, to string) string {
		script := filepath.Join(t.TempDir(), "edit.sh")
		if err := os.WriteFile(script, []byte("sed -i 's/"+from+"/"+to+"/' \"$1\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return "sh " + script
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", edit("default: 100", "default: 50"))
	out, _, _ := typed(t, "goal\nroll\nedit\ngoal\n", "repl", game, "--seed", "5")
	for _, want := range []string{"100  (int)", "read again; all 1 moves and throws fit", "50  (int)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	write("", "")
	t.Setenv("EDITOR", edit("turn.rolls += 1", "turn.rols += 1"))
	out, _, code := typed(t, "roll\nedit\nturn.points > 0\n", "repl", game, "--seed", "5", "--keep-going")
	for _, want := range []string{"has no `rols`", "the old ones stay in force", "yes  (bool)"} {
		if !strings.Contains(out, want) || code != 0 {
			t.Errorf("code %d, no %q in %s", code, want, out)
		}
	}
	write("", "")
	t.Setenv("EDITOR", edit("turn.rolls > 0 or", "turn.rolls > 2 or"))
	out, _, _ = typed(t, "roll\nhold\nroll\nedit\n", "repl", game, "--seed", "5", "--keep-going")
	if want := "of 3 moves and throws fit: number 3 does not (roll): it is Ann who decides here"; !strings.Contains(out, want) {
		t.Errorf("no %q in %s", want, out)
	}
	write("", "")
	t.Setenv("EDITOR", "")
	if out, _, code = typed(t, "edit\n", "repl", game); code != 1 || !strings.Contains(out, "set EDITOR") {
		t.Errorf("code %d, %s", code, out)
	}
}

// No command writes a byte to a pipe that only terminals understand.
func TestPipesHaveNoEscapes(t *testing.T) {
	lines := "?\nactions --all\nodds\nstate\nscore all\nwhy score\nwhy\nhint\nhand\nlog\nhouse\nseed\nroll\nbid 0\nundo\nfoo(\n"
	for _, args := range [][]string{
		{"--help"}, {"demo"}, {"games"}, {"games", "zonk"}, {"show", "pig"}, {"docs", "pig"}, {"check", "pig"}, {"explain", "E0213"}, {"explain", "throw"},
		{"records"}, {"version"}, {"sim", "pig", "--games", "20"}, {"nothing"},
		{"play", "pig", "--seed", "1", "--keep-going"}, {"play", "skull-king", "--players", "Ann,Bob", "--seed", "1", "--keep-going"},
		{"repl", "pig", "--seed", "1", "--keep-going"}, {"repl", "lanes", "--seed", "1", "--keep-going"},
	} {
		out, errs, code := typed(t, lines, args...)
		if strings.Contains(out+errs, "\x1b") || code == exitBug {
			t.Errorf("%q: code %d, %q %q", args, code, out, errs)
		}
	}
}
