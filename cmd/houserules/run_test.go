package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pig = "../../testdata/family/pig.yaml"

// call runs the command.
func call(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var ob, eb bytes.Buffer
	code = run(args, strings.NewReader(in), &ob, &eb)
	return code, ob.String(), eb.String()
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	empty := t.TempDir()
	broken := filepath.Join(dir, "broken.yaml")
	write(t, broken, "houserules: 1\ngame: broken\nplayers: 2..4\nphases: {a: {enter: nothing}}\n")
	tests := []struct {
		args string
		in   string
		code int
		text string // in either output
	}{
		{"", "", exitOK, "Examples:\n"},
		{"--help", "", exitOK, "Exit codes:"},
		{"play --help", "", exitOK, "Examples:\n  houserules play GAME\n"},
		{"version", "", exitOK, "houserules " + Version},
		{"plya zonk", "", exitUsage, "there is no command `plya`; did you mean `play`?"},
		{"help", "", exitOK, "Exit codes:"},
		{"help play", "", exitOK, "Examples:\n  houserules play GAME\n"},
		{"sim pig --out xml", "", exitUsage, "--out cannot be `xml`; there are: text, json\n"},
		{"dance", "", exitUsage, "there are: play, games"},
		{"play", "", exitUsage, "the game is missing"},
		{"play zonk --sed 3", "", exitUsage, `unknown option --sed`},
		{"play zonk --seed x", "", exitUsage, "`x` is no seed"},
		{"play zonk --dice glass", "", exitUsage, "there are: machine, real"},
		{"play zonkk", "", exitCannot, "did you mean `zonk`?"},
		{"play nothing.yaml", "", exitCannot, "there is no file `nothing.yaml`"},
		{"play zonk --with lub", "", exitUsage, "did you mean `lubs`?"},
		{"play zonk --set targt=5000", "", exitUsage, "did you mean `target`?"},
		{"play zonk --set target=5", "", exitUsage, "at least 1000"},
		{"play zonk --set target=abc", "", exitUsage, "--set target=abc: `abc` is not a whole number"},
		{"play zonk --set target", "", exitUsage, "write --set NAME=VALUE"},
		{"play zonk --set targte.x=5", "", exitUsage, "there is no option"},
		{"play zonk --dice", "", exitUsage, "--dice needs a value"},
		{"play zonk --seed -1", "", exitUsage, "--seed cannot be `-1`"},
		{"play zonk --seed 18446744073709551616", "", exitUsage, "is no seed"},
		{"play zonk more", "", exitUsage, "`more` is one argument too many"},
		{"play " + dir, "", exitCannot, "is a folder, where a file is wanted"},
		{"play " + pig + " --with lubs", "", exitUsage, "lubs"},
		{"play " + pig + " --with ../../variants/zonk/lubs.yaml", "", exitUsage, "house rule `lubs` is for `zonk`, not for `pig`"},
		{"play ../../variants/zonk/lubs.yaml", "", exitUsage, "is a house rule for zonk: play it with"},
		{"play zonk --with " + pig, "", exitUsage, "is a game, where a house rule is wanted"},
		{"play zonk --journal " + filepath.Join(dir, "no", "j"), "", exitCannot, "there is no folder for"},
		{"play zonk --resume x", "", exitUsage, "leave out the game"},
		{"play --resume nothing", "", exitCannot, "there is no file"},
		{"play --resume " + broken, "", exitCannot, "is damaged at line 1"},
		{"check zonk zonk", "", exitOK, "26 files: no mistakes found"},
		{"check", "", exitOK, "no mistakes found"},
		{"check ../../rulesets ../../variants", "", exitOK, "no mistakes found"},
		{"check " + filepath.Join(dir, "none"), "", exitCannot, "there is no file"},
		{"check " + empty, "", exitCannot, "there are no rule files in"},
		{"test " + empty, "", exitCannot, "no rule files and no transcripts"},
		{"check " + dir + " --out compact", "", exitNo, "houserules: 1 error\n"},
		{"play zonk --players Ann", "", exitUsage, "Zonk is for 2 to 12 players, not 1"}, // T-PLAYERS-MIN
		{"play zonk --players=", "", exitUsage, "Zonk is for 2 to 12 players, not 0"},
		{"play zonk --players Ann,Ann", "", exitUsage, "two players are called Ann"}, // T-NAMES-DUPLICATE
		{"play zonk --players Ann,bot:clever", "", exitUsage, "there are: bot:random, bot:greedy, bot:thinker"},
		{"play zonk --seed 1", "", exitOK, "left before the end"}, // B-111
		{"play zonk --seed 1", "help", exitOK, "commands:"},       // B-113
		{"play zonk --seed 1", "dance\nhelp", exitNo, "stopped at line 1"},
		{"play zonk --seed 1 --keep-going", "dance\nhelp", exitOK, "commands:"},
		{"play " + broken, "", exitCannot, "E0"},
		{"play zonk --journal " + broken, "", exitCannot, "is there already"},
		{"check zonk", "", exitOK, "no mistakes found"},
		{"check " + broken, "", exitNo, "broken.yaml:4:"},
		{"check nothing.yaml", "", exitCannot, "there is no file"},
		{"check " + dir + " --out json", "", exitNo, `"diagnostics":[{`},
		{"check --out xml zonk", "", exitUsage, "there are: pretty, compact, json"},
		{"check -", "houserules: 1\ngame: x\n", exitNo, "<stdin>:"},
		{"check zonk --with chicago,detroit", "", exitNo, "exclude each other"},
		{"replay nothing.jsonl", "", exitCannot, "there is no file"},
		{"replay " + broken, "", exitCannot, "is damaged at line 1"},
		{"test --run (", "", exitUsage, "no regular expression"},
		{"games zonk", "", exitOK, "* lubs  Lubs: "},
		{"games", "", exitOK, "zonk  Zonk: "},
		{"games zork", "", exitCannot, "did you mean `zonk`?"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, out, errs := call(t, tt.in, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(out+errs, tt.text) {
				t.Errorf("code %d, not %d; wanted %q in\n%s%s", code, tt.code, tt.text, out, errs)
			}
			for _, bad := range []string{"goroutine", "kong", "panic", "*dsl.", "strconv", "yaml: "} {
				if strings.Contains(out+errs, bad) {
					t.Errorf("%q is in\n%s%s", bad, out, errs)
				}
			}
			if strings.Contains(out+errs, "\x1b") {
				t.Error("there are escape bytes in the output") // B-118
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestJournalPlaysAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.jsonl")
	code, out, errs := call(t, "", "play", "zonk", "--players", "bot:random,Rob=bot:random", "--seed", "11", "--set", "target=2000", "--journal", path)
	if code != exitOK {
		t.Fatal(out, errs)
	}
	if code, out, errs := call(t, "", "replay", path, "--verify"); code != exitOK || !strings.Contains(out, "the same, byte for byte") {
		t.Error(code, out, errs)
	}
	_, again, _ := call(t, "", "replay", path)
	tail := func(s string) string { return s[strings.Index(s, "Random, turn 1"):strings.Index(s, " wins")] }
	if tail(out) != tail(again) {
		t.Errorf("the log of the replay is another:\n%s\n---\n%s", tail(out), tail(again))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(bytes.Replace(text, []byte("keep"), []byte("kepe"), 1)))
	if code, _, errs := call(t, "", "replay", path); code != exitNo || !strings.Contains(errs, "does not fit") {
		t.Error(code, errs)
	}
	write(t, path, string(text[:len(text)-3]))
	if code, out, errs := call(t, "", "replay", path); code != exitOK || !strings.Contains(out, "is cut off") {
		t.Error(code, out, errs)
	}
}

// A bot that thinks makes the same moves in the same game, and it is no random
// one.
func TestThinkersPlayTheSameAgain(t *testing.T) {
	play := func(kind string) string {
		code, out, errs := call(t, "", "play", "zonk", "--players", "A=bot:"+kind+",B=bot:random", "--seed", "11", "--set", "target=1000")
		if code != exitOK {
			t.Fatal(out, errs)
		}
		return out[strings.Index(out, "A, turn 1"):strings.Index(out, "play it again")]
	}
	once, again, random := play("thinker"), play("thinker"), play("random")
	if once != again {
		t.Errorf("the second game is another:\n%s\n---\n%s", once, again)
	}
	if once == random {
		t.Error("a bot that thinks plays as one that does not")
	}
}

func TestJournalFollowsUndo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.jsonl")
	in := "roll\nundo\nhold\nroll\nundo\nredo\n"
	code, out, errs := call(t, in, "play", pig, "--players", "Ann,bot:random", "--seed", "4", "--journal", path)
	if code != exitOK {
		t.Fatal(out, errs)
	}
	if code, out, errs := call(t, "", "replay", path, "--verify", "--rules", pig); code != exitOK {
		t.Error(code, out, errs)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") < 3 || !strings.Contains(string(text), `{"seat":"Ann","move":"hold"}`) {
		t.Error(err, string(text))
	}
	if code, _, errs := call(t, "", "replay", path); code != exitCannot || !strings.Contains(errs, "--rules") {
		t.Error(code, errs)
	}
}

func TestReplayCommandIsWhatItSays(t *testing.T) {
	_, out, _ := call(t, "", "play", "zonk", "--seed", "7", "--players", "random's,bot:random", "--without", "timid,lubs")
	want := `play it again: houserules play zonk --without timid,lubs --players 'random'\''s,bot:random' --seed 7`
	if !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
}

func TestPlainMode(t *testing.T) {
	for _, name := range []string{"HOUSERULES_PLAIN", "ACCESSIBLE"} {
		t.Setenv(name, "1")
		_, out, _ := call(t, "hold\n", "play", pig, "--players", "Ann,Bob", "--seed", "4")
		if !strings.HasPrefix(out, "plain mode:") || !strings.Contains(out, "1 roll\n2 hold\nAnn> ") {
			t.Error(out)
		}
		t.Setenv(name, "")
	}
}

func TestTranscriptsByCommand(t *testing.T) {
	code, out, errs := call(t, "", "test", "../../testdata/pig/a-short-game.txt", "../../testdata/zonk/first-turns.txt")
	if code != exitOK || !strings.HasSuffix(out, "2 passed, 0 failed\n") {
		t.Error(code, out, errs)
	}
	path := filepath.Join(t.TempDir(), "t.txt")
	game, err := filepath.Abs(pig)
	if err != nil {
		t.Fatal(err)
	}
	text := "game: " + game + "\ndice: [6, 5]\n---\n  ...\nAnn> roll\n  thrown: 4\n"
	write(t, path, text+"? turn.points == 10\n")
	t.Setenv("CI", "")
	code, out, _ = call(t, "", "test", path, "--update")
	if code != exitNo || !strings.Contains(out, "t.txt:6: the output is not as written") || !strings.Contains(out, "  - thrown: 4\n  + thrown: 5\n") ||
		!strings.Contains(out, "turn.points") || !strings.HasSuffix(out, "0 passed, 1 failed\n") {
		t.Error(code, out)
	}
	write(t, path, text)
	if code, out, _ := call(t, "", "test", path, "--update"); code != exitOK || !strings.Contains(out, "UPDATED") {
		t.Error(code, out)
	}
	if got, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(got), "Ann> roll\n  thrown: 5\n  11 points this turn\n") {
		t.Error(err, string(got))
	}
	t.Setenv("CI", "true")
	if code, _, errs := call(t, "", "test", path, "--update"); code != exitUsage || !strings.Contains(errs, "not for CI") {
		t.Error(code, errs)
	}
}

func TestExamplesByCommand(t *testing.T) {
	code, out, errs := call(t, "", "test", pig)
	if code != exitOK || !strings.HasSuffix(out, " passed, 0 failed\n") || strings.HasPrefix(out, "0 ") {
		t.Error(code, out, errs)
	}
	text, err := os.ReadFile(pig)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pig.yaml")
	write(t, path, strings.Replace(string(text), "? Ann.score == 5 and", "? Ann.score == 6 and", 1))
	code, out, _ = call(t, "", "test", path, "--run", "hold_keeps")
	contains(t, out, "FAIL pig / hold keeps the points", "pig.yaml:", "Ann.score = 5", "again: houserules test ", "0 passed, 1 failed\n")
	if code != exitNo {
		t.Error(code)
	}
	if code, _, errs := call(t, "", "test", pig, "--run", "nothing-of-the-kind"); code != exitNo || !strings.Contains(errs, "nothing to test") {
		t.Error(code, errs)
	}
}

func TestMistakeOfTheRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zero.yaml")
	write(t, path, `houserules: 1
game: zero
title: Zero
players: 2..2
state: {turn: {points: 0}, player: {score: 0}}
phases:
  choose:
    actions:
      share: me.score += 10 / turn.points
      wait: turn.points += 1
    then: next turn
rank: {score: {by: me.score, first: highest}}
`)
	code, out, errs := call(t, "share\n", "play", path, "--players", "Ann,Bob")
	if code != exitCannot || !strings.Contains(out, "the rules have a mistake, so this game cannot go on: ") || !strings.Contains(out, "zero.yaml:9:") {
		t.Error(code, out, errs)
	}
}

func TestBugReport(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var errs bytes.Buffer
	if code := bug(&errs, []string{"play"}, "what", []byte("where")); code != exitBug || !strings.Contains(errs.String(), "a report is in ") || strings.Contains(errs.String(), "where") {
		t.Error(code, errs.String())
	}
}

func TestCheckFolderOfGames(t *testing.T) {
	code, out, errs := call(t, "", "check", "../../testdata/family")
	if code != exitOK {
		t.Error(code, out, errs)
	}
}

// contains reports every text that something printed should hold and does not.
func contains(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}
