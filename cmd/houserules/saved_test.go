package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saves plays lines of a game for Ann and Bob.
func saves(t *testing.T, game string, lines ...string) (out string) {
	t.Helper()
	code, out, errs := call(t, strings.Join(lines, "\n"), "play", game, "--players", "Ann,Bob", "--seed", "4", "--keep-going")
	if code != exitOK {
		t.Fatal(code, out, errs)
	}
	return out
}

func TestSavedByThemselves(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", state)
	if code, out, _ := call(t, "", "resume", "--list"); code != exitOK || out != "no games are saved\n" {
		t.Error(code, out)
	}
	if code, _, errs := call(t, "", "resume"); code != exitCannot || !strings.Contains(errs, "no game is saved") {
		t.Error(code, errs)
	}
	for _, args := range [][]string{{"play", "pig", "--players", "bot:random,bot:greedy", "-q"}, {"play", "pig", "--no-journal"}, {"play", "pig", "--journal", filepath.Join(t.TempDir(), "j.jsonl")}} {
		if code, out, errs := call(t, "", args...); code != exitOK || strings.Contains(out, "houserules resume") {
			t.Error(args, code, out, errs)
		}
	}
	if list := filesIn(filepath.Join(state, "games"), true, journalExt); len(list) > 0 {
		t.Error(list)
	}
	out := saves(t, "pig", "hold", "roll")
	contains(t, out, "go on: houserules resume pig-1\n", "play it again: houserules play pig --players Ann,Bob --seed 4\n")
	for path, mode := range map[string]os.FileMode{"": 0o700, "games": 0o700, "games/pig-1.jsonl": 0o600} {
		if info, err := os.Stat(filepath.Join(state, path)); err != nil || info.Mode().Perm() != mode {
			t.Error(path, info, err)
		}
	}
	saves(t, "yacht", "quit")
	// The last one played is the one that goes on.
	if code, out, errs := call(t, "hold\n", "resume", "pig-1"); code != exitOK || !strings.Contains(out, "Bob: hold") {
		t.Error(code, out, errs)
	}
	code, out, errs := call(t, strings.Repeat("roll\n", 200), "resume", "pig-1", "--keep-going")
	if code != exitOK || !strings.Contains(out, "Bob") {
		t.Error(code, out, errs)
	}
	_, out, _ = call(t, "", "resume", "--list")
	contains(t, out, "id ", "pig-1 ", "yacht-1 ", "Ann, Bob", "0 moves\n")
	for _, arg := range []string{"pig-7", "../pig-1", "pig"} {
		if code, _, errs := call(t, "", "resume", arg); code != exitCannot || !strings.Contains(errs, "there is no ") {
			t.Error(arg, code, errs)
		}
	}
	if code, _, errs := call(t, "", "resume", "pig-1", "--list"); code != exitUsage {
		t.Error(code, errs)
	}
}

// A game that is over is no longer gone on with; the last ones stay.
func TestFinishedGames(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", state)
	for range maxFinished + 2 {
		if code, out, errs := call(t, strings.Repeat("hold\n", 4), "play", "pig", "--players", "Ann,bot:random", "--set", "goal=10", "--seed", "4", "--keep-going"); code != exitOK || !strings.Contains(out, "wins") {
			t.Fatal(code, out, errs)
		}
	}
	_, out, _ := call(t, "", "resume", "--list")
	if n := strings.Count(out, ", over\n"); n != maxFinished || !strings.Contains(out, fmt.Sprintf("pig-%d ", maxFinished+2)) {
		t.Error(n, out)
	}
	last := fmt.Sprintf("pig-%d", maxFinished+2)
	if code, _, errs := call(t, "", "resume", last); code != exitCannot || !strings.Contains(errs, "is over; `houserules replay "+last+"`") {
		t.Error(code, errs)
	}
	if code, out, errs := call(t, "", "replay", last, "--verify"); code != exitOK || !strings.Contains(out, "the game ends the same way") {
		t.Error(code, out, errs)
	}
}

// Under other rules a game goes on only if that is wanted, as a new one.
func TestResumeUnderNewRules(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", state)
	rules := filepath.Join(t.TempDir(), "pig.yaml")
	text := read(t, pig)
	write(t, rules, text)
	saves(t, rules, "hold", "roll", "hold")
	first := read(t, filepath.Join(state, "games", "pig-1.jsonl"))
	write(t, rules, strings.ReplaceAll(text, "default: 100", "default: 90"))
	code, out, errs := call(t, "", "resume")
	if code != exitCannot || !strings.Contains(errs, "--replay-under-new") {
		t.Error(code, errs)
	}
	contains(t, out, "game pig-1 was begun under other rules", "- params.goal.default: 100\n+ params.goal.default: 90\n", "all 3 entries fit")
	if list := filesIn(filepath.Join(state, "games"), true, journalExt); len(list) != 1 {
		t.Error(list)
	}
	code, out, errs = call(t, "hold\n", "resume", "--replay-under-new")
	if code != exitOK || !strings.Contains(out, "it goes on as pig-2; game pig-1 stays as it was") || !strings.Contains(out, "go on: houserules resume pig-2") {
		t.Error(code, out, errs)
	}
	if got := read(t, filepath.Join(state, "games", "pig-1.jsonl")); got != first {
		t.Errorf("the game that was left became\n%s", got)
	}
	if code, out, errs := call(t, "", "replay", "pig-2", "--verify"); code != exitOK || !strings.Contains(out, "4 entries") {
		t.Error(code, out, errs)
	}
	// As far as it fits.
	write(t, rules, strings.ReplaceAll(text, "hold", "halt"))
	code, out, errs = call(t, "halt\n", "resume", "pig-1", "--replay-under-new")
	if code != exitOK {
		t.Error(code, errs)
	}
	contains(t, out, "0 of 3 entries fit; the next does not (hold)", "it goes on as pig-3", "Ann: halt")
	// What is told of a journal elsewhere.
	if code, _, errs := call(t, "", "replay", "pig-1"); code != exitCannot || !strings.Contains(errs, "+ phases.choose.actions.halt") || !strings.Contains(errs, "entry 1 is the first that does not fit") {
		t.Error(code, errs)
	}
	if out := saves(t, "yacht", "load pig-1"); !strings.Contains(out, "resume pig-1 --replay-under-new") || !strings.Contains(out, "go on: houserules resume yacht-1") {
		t.Error(out)
	}
	// Rules that are not kept.
	if err := os.RemoveAll(filepath.Join(state, "rules")); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := call(t, "", "resume", "pig-1"); !strings.Contains(out, "are not kept here") {
		t.Error(out)
	}
}

func TestLoad(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", state)
	dir := t.TempDir()
	copied, broken := filepath.Join(dir, "copy.jsonl"), filepath.Join(dir, "broken.jsonl")
	saves(t, "pig", "hold", "roll", "save "+copied)
	write(t, broken, strings.Replace(read(t, copied), `"hold"`, `"hodl"`, 1))
	before := read(t, copied)
	out := saves(t, "yacht", "load", "load nothing", "load "+broken, "load "+copied, "hold", "load pig-1", "roll")
	contains(t, out, "say what: `load FILE`", "there is no file `nothing`", "entry 1 of the journal does not fit the game (hodl)",
		"go on: houserules resume yacht-1\n", "Bob: hold", "go on: houserules play --resume "+copied, "go on: houserules resume pig-1\n")
	if got := read(t, copied); got != before+`{"seat":"Bob","move":"hold"}`+"\n" {
		t.Error(got)
	}
	if got := read(t, filepath.Join(state, "games", "pig-1.jsonl")); got != before+`{"seat":"Bob","move":"roll"}`+"\n" {
		t.Error(got)
	}
}

// What was taken back stays so, also after the game was left, and a game that was
// taken back past a roll tells of it and keeps no record.
func TestUndoneStaysUndone(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", state)
	play := []string{"play", "pig", "--players", "Ann,bot:random", "--seed", "4", "--set", "goal=20"}
	call(t, "roll\nundo\nhold\n", play...)
	path := filepath.Join(state, "games", "pig-1.jsonl")
	contains(t, read(t, path), `{"seat":"Ann","move":"roll"}`+"\n"+`{"undo":1,"past_luck":true}`+"\n"+`{"seat":"Ann","move":"hold"}`+"\n")
	code, out, errs := call(t, "log\nroll\nundo\nredo\n", "resume")
	if code != exitOK {
		t.Fatal(errs)
	}
	contains(t, out, "~ Ann: roll\n", "undone past a roll\n", "done again: roll")
	if code, out, errs := call(t, "", "replay", "pig-1", "--verify"); code != exitOK {
		t.Error(code, out, errs)
	}
	_, out, _ = call(t, strings.Repeat("hold\n", 20), "resume", "--keep-going")
	contains(t, out, "moves were taken back past a throw in this game")
	if _, out, _ := call(t, "", "replay", "pig-1"); !strings.Contains(out, "moves were taken back past a throw in this game") {
		t.Error(out)
	}
	// The same move after it gives the same dice.
	_, out, _ = call(t, "roll\nundo\nroll\n", play...)
	throws := strings.Split(out, "Ann: roll\nthrown: ")
	if len(throws) != 3 || throws[1][:1] != throws[2][:1] {
		t.Error(out)
	}
}

func TestUndoPolicies(t *testing.T) {
	t.Setenv("HOUSERULES_STATE", filepath.Join(t.TempDir(), "state"))
	play := func(who, how, lines string) string {
		args := []string{"play", "pig", "--players", who, "--seed", "4", "--keep-going"}
		if how != "" {
			args = append(args, "--undo", how)
		}
		code, out, errs := call(t, lines, args...)
		if code != exitOK {
			t.Fatal(code, out, errs)
		}
		if how != "" && !strings.Contains(out, "--undo "+how) {
			t.Error(out)
		}
		return out
	}
	const refused, back = "that cannot be taken back: dice have fallen since", "taken back: hold\n"
	for _, tt := range []struct{ who, how, lines, want, not string }{
		{"Ann,Bob", "", "hold\nundo\n", refused, back},
		{"Ann,bot:random", "strict", "hold\nundo\n", refused, back},
		{"Ann,bot:random", "", "hold\nundo\n", back, refused},
		{"Ann,bot:random", "table", "hold\nundo\n", back, "may it"},
		{"Ann,Bob", "free", "hold\nundo\n", back, "may it"},
		{"Ann,Bob", "table", "hold\nundo\ny\n", "Bob: may it be taken back? hold (y or n)\n" + back, refused},
		{"Ann,Bob", "table", "hold\nundo\nn\n", "Bob does not agree: nothing is taken back\n", back},
		{"Ann,Bob,Cat", "table", "hold\nundo\nyes\nwhat\nno\n", "Cat, may it be taken back? `y` or `n`\nCat does not agree", back},
		{"Ann,Bob,Cat", "table", "hold\nundo\ny\ny\n", "Cat: may it be taken back? hold (y or n)\n" + back, refused},
	} {
		if out := play(tt.who, tt.how, tt.lines); !strings.Contains(out, tt.want) || strings.Contains(out, tt.not) {
			t.Errorf("%+v:\n%s", tt, out)
		}
	}
	// The rule holds when the game goes on later.
	play("Ann,Bob", "table", "hold\n")
	if _, out, _ := call(t, "undo\ny\n", "resume"); !strings.Contains(out, back) {
		t.Error(out)
	}
	if code, _, errs := call(t, "", "play", "pig", "--undo", "never"); code != exitUsage || !strings.Contains(errs, "there are: strict, table, free") {
		t.Error(code, errs)
	}
}
