package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/repl"
)

const (
	dare     = "../../testdata/sessions/dare.yaml"
	dareHome = "../../testdata/sessions"
)

// dataIn keeps the records of a test to itself.
func dataIn(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("HOUSERULES_DATA", dir)
	return dir
}

func TestSessionByPipe(t *testing.T) {
	dataIn(t)
	journal := filepath.Join(t.TempDir(), "evening.jsonl")
	lines := strings.Split(strings.Repeat("1, 1\nroll\n", 3), "\n")
	args := []string{"play", dare, "--rules", dareHome, "--players", "Ann,Bob", "--seed", "4", "--games", "3"}
	code, out, errs := call(t, strings.Join(lines, "\n"), append(args, "--journal", journal)...)
	if code != exitOK || errs != "" {
		t.Fatal(code, out, errs)
	}
	contains(t, out,
		"house rules: Double\noptions: goal 1 instead of 10\n", "after game 1 of 3, games won: ", "\ngame 2\n", "after game 2 of 3", "\ngame 3\n", "after 3 games, games won: ",
		"Dare [2x]\n", "record: The Hall of Dares, A small score: ",
	)
	if strings.Contains(out, "another game?") {
		t.Error("a pipe is asked for another game")
	}
	rules := []string{"--rules", dareHome}
	if code, out, errs := call(t, "", append([]string{"replay", journal, "--verify"}, rules...)...); code != exitOK || !strings.Contains(out, "the same, byte for byte: 6 entries; the game ends the same way") {
		t.Error(code, out, errs)
	}
	if code, out, errs := call(t, "", append([]string{"replay", journal}, rules...)...); code != exitOK || strings.Count(out, " wins\n") != 3 {
		t.Error(code, out, errs)
	}
	// The same evening, left and gone on with after every line, is the same
	// file.
	parts := filepath.Join(t.TempDir(), "parts.jsonl")
	if code, out, errs := call(t, "", append(args, "--journal", parts)...); code != exitOK || !strings.Contains(out, "go on: houserules play --resume "+parts+" --rules "+dare+","+dareHome+" --games 3") {
		t.Fatal(code, out, errs)
	}
	for _, l := range lines[:6] {
		if code, out, errs := call(t, l+"\n", append([]string{"play", "--resume", parts, "--games", "3"}, rules...)...); code != exitOK {
			t.Fatal(l, code, out, errs)
		}
	}
	a, err := os.ReadFile(journal)
	b, err2 := os.ReadFile(parts)
	if err != nil || err2 != nil || string(a) != string(b) {
		t.Errorf("%v %v\n%s---\n%s", err, err2, a, b)
	}
	// What is tampered with is found out.
	write(t, parts, strings.Replace(string(b), `{"seat":"`, `{"seat":"X`, 1))
	if code, _, errs := call(t, "", append([]string{"replay", parts}, rules...)...); code != exitNo || !strings.Contains(errs, "entry 1") {
		t.Error(code, errs)
	}
	write(t, parts, strings.Replace(string(b), `"game":"dare","with"`, `"first":3,"game":"dare","with"`, 1))
	if code, _, errs := call(t, "", append([]string{"replay", parts}, rules...)...); code == exitOK {
		t.Error(code, errs)
	}
	write(t, parts, string(b)+"nonsense\n")
	if code, _, errs := call(t, "", append([]string{"replay", parts}, rules...)...); code != exitCannot || !strings.Contains(errs, "damaged at line 13") {
		t.Error(code, errs)
	}
}

func TestChosenOnTheCommandLine(t *testing.T) {
	dataIn(t)
	code, out, errs := call(t, "roll\nroll\nroll\n", "play", dare, "--players", "Ann,Bob", "--seed", "4", "--rules", "./"+dareHome+"/", "--with", "double", "--set", "goal=12")
	if code != exitOK || !strings.Contains(out, ": agree on double, 12\n") || strings.Contains(out, "type numbers or names") {
		t.Error(code, out, errs)
	}
	if !strings.Contains(out, "play it again: houserules play "+dare+" --with double --set goal=12 --rules ./"+dareHome+"/ --players Ann,Bob --seed 4") {
		t.Error(out)
	}
	for _, tt := range [][2]string{{"0", "from 1 to 1000 games"}, {"x", "--games"}} {
		if code, _, errs := call(t, "", "play", dare, "--games", tt[0]); code != exitUsage || !strings.Contains(errs, tt[1]) {
			t.Error(code, errs)
		}
	}
}

func TestRecordsCommand(t *testing.T) {
	dir := dataIn(t)
	if code, out, _ := call(t, "", "records"); code != exitOK || out != "there are no records yet\n" {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "records", dare); code != exitOK || out != "Dare: The Hall of Dares\nhouse rules: none\n  A small score  -\n  A large score  -\n" {
		t.Error(code, out)
	}
	play := func(in string, args ...string) string {
		code, out, errs := call(t, in, append([]string{"play", dare, "--rules", dareHome, "--players", "Ann", "--dice", "real"}, args...)...)
		if code != exitOK {
			t.Fatal(code, out, errs)
		}
		return out
	}
	if out := play("3\nnone\nroll\n6\nroll\n5\n"); !strings.Contains(out, "record: The Hall of Dares, A large score: Ann 11, the first\n") {
		t.Error(out)
	}
	play("3\nroll\n3\n", "--with", "double", "--set", "goal=6")
	if code, out, _ := call(t, "", "records", dare); code != exitOK || !strings.HasPrefix(out, "Dare: The Hall of Dares\nhouse rules: none\n  A small score  -\n  A large score  11  Ann  20") ||
		!strings.Contains(out, "  real dice\nhouse rules: double; options: goal 6\n  A small score  6  Ann  20") {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "records"); code != exitOK || !strings.HasPrefix(out, "Dare: The Hall of Dares\nhouse rules: none\n  A large score  11  Ann  20") {
		t.Error(code, out)
	}
	var marks []repl.Mark
	if code, out, _ := call(t, "", "records", "--json"); code != exitOK || json.Unmarshal([]byte(out), &marks) != nil || len(marks) != 2 {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "records", "zonk"); code != exitOK || out != "Zonk keeps no records\n" {
		t.Error(code, out)
	}
	if code, _, errs := call(t, "", "records", "zokn"); code != exitCannot || !strings.Contains(errs, "did you mean `zonk`?") {
		t.Error(code, errs)
	}
	f, err := os.OpenFile(filepath.Join(dir, "records.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteString("nonsense\n"); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if code, out, errs := call(t, "", "records"); code != exitOK || !strings.Contains(out, "Ann") || !strings.Contains(errs, "line 3 of `") {
		t.Error(code, out, errs)
	}
}
