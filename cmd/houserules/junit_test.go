package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const junitGame = `houserules: 1
game: half
title: "Half & <half> ]]>"
players: 2
state: {player: {score: 0}}
phases:
  choose: {actions: {stay: {do: next turn}}}
rank: {score: {by: me.score, first: highest}}
examples:
  staying: {play: stay, then: Ann.score < 1}
  wrong: {about: "a & b", play: stay, then: 'Ann.score > 1'}
  wrong_too: {play: stay, then: Bob.score != 0}
`

func TestJUnit(t *testing.T) {
	dir := t.TempDir()
	path, results := filepath.Join(dir, `a&b "<c>.yaml`), filepath.Join(dir, "results.xml")
	write(t, path, junitGame)
	script := filepath.Join(dir, "stay.txt")
	write(t, script, "game: pig\ndice: [2]\n---\n  ...\nAnn> roll\n  \x01 not this\n")
	code, out, errs := call(t, "", "test", path, script, "--out", "junit:"+results)
	if code != exitNo || errs != "" || !strings.Contains(out, "\n1 passed, 3 failed\n") {
		t.Fatalf("exit %d, %s\n%s", code, errs, out)
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	r := junitIn(t, string(text))
	if r.Tests != 4 || r.Failures != 3 || len(r.Files) != 2 || r.Files[0].Name != filepath.ToSlash(path) {
		t.Errorf("%+v", r)
	}
	wrong := r.Files[0].Cases[1]
	if wrong.Name != "wrong" || wrong.Line != 11 || wrong.Failure == nil {
		t.Fatalf("%+v", wrong)
	}
	// The text of a failure is what people read of it.
	if !strings.Contains(out, wrong.Failure.Text) || !strings.Contains(wrong.Failure.Text, "`Ann.score > 1` does not hold") || !strings.HasPrefix(wrong.Failure.Message, "FAIL half / wrong  ") {
		t.Errorf("%+v", wrong.Failure)
	}
	if c := r.Files[0].Cases[0]; c.Name != "staying" || c.Failure != nil {
		t.Errorf("%+v", c)
	}
}

// Without a file the report stands on the output, and the text behind it.
func TestJUnitOnTheOutput(t *testing.T) {
	code, out, errs := call(t, "", "test", "pig", "yacht", "--out", "junit")
	r := junitIn(t, out)
	if code != exitOK || errs != fmt.Sprintf("%d passed, 0 failed\n", r.Tests) {
		t.Errorf("exit %d, %d tests: %s", code, r.Tests, errs)
	}
}

func TestTestOutputs(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"xunit":              "--out cannot be `xunit`; there are: text, junit, text:FILE, junit:FILE",
		"junit:":             "--out cannot be `junit:`",
		"junit:" + dir:       "is a folder",
		"junit --cover=json": "cannot both stand on the output",
	} {
		code, _, errs := call(t, "", append([]string{"test", "pig", "--out"}, strings.Fields(args)...)...)
		if code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
	text := filepath.Join(dir, "text")
	if code, out, errs := call(t, "", "test", "pig", "--out", "text:"+text, "--out", "junit"); code != exitOK || errs != "" || junitIn(t, out).Failures != 0 {
		t.Errorf("exit %d: %s", code, errs)
	}
	if b, err := os.ReadFile(text); err != nil || !strings.HasSuffix(string(b), " passed, 0 failed\n") {
		t.Errorf("%s, %v", b, err)
	}
}

// junitIn reads a report, and tests that its numbers agree.
func junitIn(t *testing.T, text string) (r junitReport) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	tests, failures := 0, 0
	for _, s := range r.Files {
		bad := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				bad++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != bad {
			t.Errorf("%s says %d of %d, and there are %d of %d", s.Name, s.Failures, s.Tests, bad, len(s.Cases))
		}
		tests, failures = tests+s.Tests, failures+s.Failures
	}
	if r.Tests != tests || r.Failures != failures {
		t.Errorf("%d of %d, and there are %d of %d", r.Failures, r.Tests, failures, tests)
	}
	return r
}
