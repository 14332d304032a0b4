package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/mutate"
	"github.com/houserules/houserules/dsl/source"
)

// Its example notices what `add` does, and nothing of `twice`.
const mutateGame = `houserules: 1
game: counting
title: Counting
players: 2
state: {player: {score: 0}}
phases:
  choose:
    actions:
      add: {do: me.score += 3}
      twice:
        require: {later: {that: me.score > 4, else: "not yet"}}
        do: me.score *= 2
  after:
    enter: next turn
rank: {score: {by: me.score, first: highest}}
examples:
  adding: {play: add, then: Ann.score == 3}
`

func TestMutate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counting.yaml")
	write(t, path, strings.Replace(mutateGame, "*= 2", "+= me.score", 1))
	name := filepath.ToSlash(path)
	code, out, errs := call(t, "", "test", path, "--mutate")
	// Noticed: 3 is 4, 3 is 2, += is -=, nothing is added, and scores that begin
	// with 1. Without the exit the game goes round and round, and the turn is
	// Ann's still.
	for _, want := range []string{
		"1 passed, 0 failed\n\n" + name + ": ",
		"warning: no test notices `true` in place of `me.score > 4`\n",
		"warning: no test notices `5` in place of `4`\n",
		"12 |         do: me.score -= me.score\n",
		"warning: no test notices if `me.score += me.score` is left out\n  --> " + name + ":12:13\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q", want)
		}
	}
	for _, not := range []string{"of `3`", ":9:", "error"} {
		if strings.Contains(out, not) {
			t.Errorf("there is %q", not)
		}
	}
	if code != exitOK || errs != "" || t.Failed() {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	if code, _, errs = call(t, "", "test", path, "--mutate-min", "99"); code != exitNo || !strings.Contains(errs, "mutants were noticed, which is less than 99 %") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs = call(t, "", "test", path, "--mutate-min", "101"); code != exitUsage || !strings.Contains(errs, "--mutate-min cannot be 101") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// Where a test fails already, no mistakes are made.
func TestMutateWantsTestsThatHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counting.yaml")
	write(t, path, strings.NewReplacer("*= 2", "+= 2", "== 3", "== 4").Replace(mutateGame))
	code, out, errs := call(t, "", "test", path, "--mutate")
	if code != exitNo || !strings.Contains(errs, "only where all tests hold") || strings.Contains(out, "mutants") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	code, _, errs = call(t, "", "test", "../../testdata/pig/a-short-game.txt", "--mutate")
	if code != exitUsage || !strings.Contains(errs, "name those that the transcripts are of") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// A transcript notices what no example does.
func TestTranscriptsNoticeMutants(t *testing.T) {
	dir := t.TempDir()
	path, script := filepath.Join(dir, "counting.yaml"), filepath.Join(dir, "twice.txt")
	write(t, path, strings.Replace(mutateGame, "*= 2", "+= me.score", 1))
	write(t, script, "game: ./counting.yaml\n---\n  ...\n? Ann.score == 6 and Bob.score == 6\nAnn> twice\n  ...\n? Ann.score == 12\n")
	code, out, errs := call(t, "", "test", path, script, "--mutate")
	if code != exitOK || !strings.HasPrefix(out, "2 passed, 0 failed\n") || strings.Contains(out, "`true` in place of `me.score > 4`") || strings.Contains(out, "is left out") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
}

// A change that changes nothing is noticed by no test: a new text of a file is
// played like the old one.
func TestNothingChanged(t *testing.T) {
	lib := newShelf()
	lib.builtIn()
	files := family(lib, "pig", false)
	files = append(files, family(lib, "yacht", false)...)
	m := newMutation(lib.Library, files, probesOf(lib, files))
	for _, f := range files {
		end := len(f.Src.Text)
		x := &mutant{Mutant: mutate.Mutant{Span: source.Span{File: f.Src, Start: end, End: end}, Text: "\n# the end\n"}, file: f}
		if trouble := m.try(context.Background(), x); trouble != nil || x.verdict != unnoticed {
			t.Errorf("%s: verdict %d, %v", f.Src.Name, x.verdict, trouble)
		}
	}
}

func probesOf(lib *shelf, files []*merge.File) []*probe {
	return exampleProbes(lib.Library, files, func(*merge.File, string) bool { return true })
}

// Tests notice nine of ten mistakes in the rules that come with the program. All
// of them are tried by `houserules test --mutate`; here some are drawn of each
// game, of fewer games if time is short.
func TestShippedMutants(t *testing.T) {
	lib := newShelf()
	lib.builtIn()
	games := lib.gameIDs()
	if testing.Short() {
		games = []string{"left-centre-right", "pig", "snakes-and-ladders", "yacht"}
	}
	draw := rand.New(rand.NewPCG(1, 2))
	var all share
	for _, id := range games {
		files := family(lib, id, false)
		list := mutantsOf(lib.Library, files)
		draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:min(len(list), 8)]
		if err := newMutation(lib.Library, files, probesOf(lib, files)).run(context.Background(), list, func() {}); err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.verdict == void {
				continue
			}
			all.one(x.verdict == noticed)
			if x.verdict == unnoticed {
				t.Logf("%s: %s", x.Span, x.finding().Message)
			}
		}
	}
	if all.Percent < 90 {
		t.Errorf("only %s of the mutants are noticed", all)
	}
}
