package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/repl/scores"
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
	var marks []scores.Mark
	if code, out, _ := call(t, "", "records", "--json"); code != exitOK || json.Unmarshal([]byte(out), &marks) != nil || len(marks) != 2 {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "records", "zonk"); code != exitOK || out != "Zonk keeps no records\n" {
		t.Error(code, out)
	}
	if code, _, errs := call(t, "", "records", "zokn"); code != exitCannot || !strings.Contains(errs, "did you mean `zonk`?") {
		t.Error(code, errs)
	}
	write(t, filepath.Join(dir, "scores.db"), "nonsense")
	if code, out, errs := call(t, "", "records"); code != exitCannot || out != "" || !strings.Contains(errs, "scores.db` is damaged") {
		t.Error(code, out, errs)
	}
	if out := play("3\nnone\nroll\n6\nroll\n5\n"); !strings.Contains(out, "the file of finished games was damaged; it is kept as `") || !strings.Contains(out, "Ann 11, the first") {
		t.Error(out)
	}
}

// TestScoresCommand is an evening and what is told of it afterwards.
func TestScoresCommand(t *testing.T) {
	dir := dataIn(t)
	if code, out, errs := call(t, "", "scores"); code != exitOK || out != "no such game has been played to its end yet\n" || errs != "" {
		t.Error(code, out, errs)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("looking has made a folder")
	}
	play := func(in string, args ...string) {
		t.Helper()
		code, out, errs := call(t, in, append([]string{"play", dare, "--rules", dareHome, "--dice", "real", "--set", "goal=6", "--with", "double"}, args...)...)
		if code != exitOK || !strings.Contains(out, "keep the sheet: houserules scores show ") {
			t.Fatal(code, out, errs)
		}
	}
	play("6\n2\nroll\n5\n2\n6\nroll\n4\n", "--players", "Ann,Bob", "--games", "2")
	play(strings.Repeat("6\nroll\n", 10), "--players", "ann,bot:random", "--seed", "1", "--keep-going")
	code, out, _ := call(t, "", "scores")
	contains(t, out, "Ann 10 won, Bob 0 (real dice)\n", "Dare, game 2  Bob 8 won, Ann 0 (real dice)\n", "\nbest totals\nDare  ", "\nplayers\n")
	if code != exitOK || strings.Contains(out, "Random  Dare") {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "scores", dare, "--player", "BOB"); code != exitOK || !strings.Contains(out, "Bob  Dare  2      1     4.0      8\n") || strings.Contains(out, "bot") {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "scores", "zonk"); code != exitOK || !strings.HasPrefix(out, "no such game") {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "scores", "--limit", "1"); code != exitOK || !strings.Contains(out, "... and 2 before these") {
		t.Error(code, out)
	}
	var all struct {
		Games []struct {
			Evening string `json:"evening"`
			ID      int64  `json:"id"`
		} `json:"games"`
		Players []struct{ Wins int }
	}
	if code, out, _ := call(t, "", "scores", "--out", "json"); code != exitOK || json.Unmarshal([]byte(out), &all) != nil || len(all.Games) != 3 ||
		all.Games[1].Evening != all.Games[2].Evening || all.Games[0].Evening == all.Games[1].Evening {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "scores", "--out", "csv"); code != exitOK || strings.Count(out, "\n") != 7 || !strings.Contains(out, ",double,goal=6,") || !strings.Contains(out, ",Bob,,8,1,true\n") {
		t.Error(code, out)
	}
}

// TestScoresShow: the sheet of a game is the same on the screen, in a file, and
// when it is written again.
func TestScoresShow(t *testing.T) {
	dataIn(t)
	if code, out, errs := call(t, "6\n2\nroll\n5\nwait\nroll\n1\nwait\nroll\n2\n", "play", dare, "--rules", dareHome, "--players", "Ann,Bob", "--dice", "real", "--set", "goal=7"); code != exitOK {
		t.Fatal(code, out, errs)
	}
	code, out, _ := call(t, "", "scores", "show", "1")
	contains(t, out, "Dare\ndate: 20", "\nplayers: Ann, Bob\nhouse rules: none\noptions: goal 7 instead of 10\n", "Ann wins\n", "most in one turn: Ann 5, in line 1\n")
	if code != exitOK {
		t.Error(code, out)
	}
	home := t.TempDir()
	for _, kind := range []string{"md", "html", "svg"} {
		a, b := filepath.Join(home, "a."+kind), filepath.Join(home, "b."+kind)
		for _, name := range []string{a, b} {
			if code, out, errs := call(t, "", "scores", "show", "1", "--sheet", name); code != exitOK || out != "the sheet is in "+name+"\n" {
				t.Error(code, out, errs)
			}
		}
		x, err := os.ReadFile(a)
		y, err2 := os.ReadFile(b)
		if err != nil || err2 != nil || string(x) != string(y) {
			t.Error(err, err2, string(x))
		}
		contains(t, string(x), "Ann", "Bob", "goal 7 instead of 10", "Ann wins")
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"show", exitUsage, "the number of the game is missing"}, {"show x", exitUsage, "no number of a game"}, {"show 0", exitUsage, "no number"},
		{"show 9", exitCannot, "there is no game 9"}, {"show 1 --sheet x.png", exitUsage, ".md, .html, .svg"}, {"show 1 --sheet " + filepath.Join(home, "a.md"), exitCannot, "is there already"},
		{"zonk pig", exitUsage, "too much"}, {"--sheet x.md", exitUsage, "for one game"}, {"--limit -1", exitUsage, "--limit"}, {"--out xml", exitUsage, "text, csv, json"}, {"zokn", exitCannot, "did you mean"},
	} {
		if code, _, errs := call(t, "", append([]string{"scores"}, strings.Fields(tt.args)...)...); code != tt.code || !strings.Contains(errs, tt.want) {
			t.Error(tt.args, code, errs)
		}
	}
}
