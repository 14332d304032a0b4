package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cardTable is a game of cards for two people: Ann holds G6 and Y10, Bob G9 and
// PI.
func cardTable(more ...string) []string {
	return append([]string{"play", "skull-king", "--players", "Ann,Bob", "--seed", "3", "--set", "hand_sizes=[2],tiebreak=shared"}, more...)
}

// On a pipe nobody waits: a line says whose turn it is, and behind it stands
// only what that seat may see.
func TestCardsOnAPipe(t *testing.T) {
	code, out, errs := call(t, "bid 1\nbid 1\nlog\nhand\nquit\n", cardTable()...)
	if code != exitOK || strings.Contains(out, "\x1b") {
		t.Fatal(code, errs, out)
	}
	parts := strings.Split(out, "\n--- it is ")
	if len(parts) != 3 {
		t.Fatalf("%d covers:\n%s", len(parts)-1, out)
	}
	for i, hides := range [][]string{{"G6", "G9"}, {"G9", "PI"}, {"G6", "Y10", "Ann: bid"}} {
		for _, text := range hides {
			if strings.Contains(parts[i], text) {
				t.Errorf("part %d has %q:\n%s", i, text, parts[i])
			}
		}
	}
	for i, shows := range []string{"Ann deals, Bob leads", "Ann's turn: nobody else looks now ---\nhand: G6 Y10  (Bob 2, Graybeard 2)", "Bob's turn: nobody else looks now ---\nAnn has answered\nhand: G9 PI"} {
		if !strings.Contains(parts[i], shows) {
			t.Errorf("part %d lacks %q:\n%s", i, shows, parts[i])
		}
	}
}

// A journal of a game that is not over shows what is open, unless all of it is
// asked for; one of a game that is over shows everything.
func TestReplayOfCards(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j.jsonl")
	if code, _, errs := call(t, "bid 1\nquit\n", cardTable("--journal", file)...); code != exitOK {
		t.Fatal(errs)
	}
	code, out, _ := call(t, "", "replay", file)
	if code != exitOK || strings.Contains(out, "Ann: bid 1") || !strings.Contains(out, "Ann has answered") || !strings.Contains(out, "this game is not over: what is hidden in it is not shown; --open shows it") {
		t.Error(code, out)
	}
	code, out, _ = call(t, "", "replay", file, "--open")
	if code != exitOK || !strings.Contains(out, "Ann: bid 1") {
		t.Error(code, out)
	}
	code, out, errs := call(t, "bid 1\nquit\n", "play", "--resume", file)
	if code != exitOK || strings.Contains(out, "Ann: bid 1\n---") || !strings.Contains(out, "Ann has answered\nhand: G9 PI") {
		t.Error(code, out, errs)
	}
	if code, _, errs := call(t, "1\n1\nquit\n", "play", "--resume", file); code != exitOK {
		t.Fatal(code, errs)
	}
	code, out, _ = call(t, "", "replay", file)
	if code != exitOK || !strings.Contains(out, "Ann: bid 1") || !strings.Contains(out, "a tie: Ann and Bob") {
		t.Error(code, out)
	}
	if code, out, _ := call(t, "", "replay", file, "--verify"); code != exitOK {
		t.Error(code, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bent := filepath.Join(t.TempDir(), "bent.jsonl")
	write(t, bent, strings.Replace(string(text), `"bid 1"`, `"bid 9"`, 1))
	if code, out, errs := call(t, "", "replay", bent); code != exitNo || strings.Contains(out+errs, "bid 9") || !strings.Contains(errs, "entry 1 of the journal does not fit") {
		t.Error(code, out, errs)
	}
	if code, out, errs := call(t, "", "play", "--resume", bent); code != exitCannot || strings.Contains(out+errs, "bid 9") || !strings.Contains(errs, "entry 1 of the journal does not fit the game\n") {
		t.Error(code, out, errs)
	}
}

func TestScorePadWantsPeople(t *testing.T) {
	for _, players := range []string{"Ann,bot:random", ""} {
		args := []string{"play", "skull-king-score"}
		if players != "" {
			args = append(args, "--players", players)
		}
		code, _, errs := call(t, "", args...)
		if code != exitUsage || !strings.Contains(errs, "asks people at a table what has happened there, which no bot can tell: name people only, as in --players Ann,Bob") {
			t.Error(code, errs)
		}
	}
}

func TestListsAsOptions(t *testing.T) {
	code, out, errs := call(t, "quit\n", "play", "skull-king", "--set", "hand_sizes=[2, 3],fourteen=20", "--seed", "1")
	if code != exitOK || !strings.Contains(out, "hand sizes 2, 3 instead of") || !strings.Contains(out, "fourteen 20") {
		t.Error(code, out, errs)
	}
}
