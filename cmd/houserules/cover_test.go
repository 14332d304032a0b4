package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const coverGame = `houserules: 1
game: half
title: Half <covered>
players: 2
state: {player: {score: 0}}
phases:
  choose:
    actions:
      stay: {rule: "Stay & wait.", pick: {n: 1..2}, do: next turn}
      win:
        require: {later: {that: me.score > 0, else: "not yet"}}
        do: finish
rank: {score: {by: me.score, first: highest}}
examples:
  staying: {play: stay 1}
`

func TestCover(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "half.yaml")
	write(t, path, coverGame)
	name := filepath.ToSlash(path)
	code, out, errs := call(t, "", "test", path, "--cover", "--cover-min", "42")
	want := "1 passed, 0 failed\n\n" + name + ": 42 % (3 of 7)\n" + `  phase          100 % (1 of 1)
  action         50 % (1 of 2)
  guard refused  0 % (0 of 1)
  guard passed   0 % (0 of 1)
  exit           50 % (1 of 2)
never reached:
` + name + `:10: action phases.choose.actions.win
` + name + `:11: guard refused phases.choose.actions.win.require.later
` + name + `:11: guard passed phases.choose.actions.win.require.later
` + name + `:12: exit phases.choose.actions.win.do

covered: 42 % (3 of 7)
`
	if code != exitOK || out != want || errs != "" {
		t.Errorf("exit %d, %s\n%s\nnot\n%s", code, errs, out, want)
	}
	code, _, errs = call(t, "", "test", path, "--cover-min=43")
	if code != exitNo || !strings.Contains(errs, "3 of 7 rules were made to happen, which is less than 43 %") {
		t.Errorf("exit %d: %s", code, errs)
	}
	code, out, errs = call(t, "", "test", path, "--cover=json")
	var r coverReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK || errs != "1 passed, 0 failed\n" {
		t.Fatalf("exit %d, %v: %s\n%s", code, err, errs, out)
	}
	if r.Percent != 42 || len(r.Files) != 1 || len(r.Files[0].Points) != 7 {
		t.Errorf("the report is %s", out)
	}
	if p := r.Files[0].Points[1]; p != (coverPoint{"action", "phases.choose.actions.stay", 9, 7, 1}) {
		t.Errorf("the second point is %v", p)
	}
	_, out, _ = call(t, "", "test", path, "--cover=html")
	for _, want := range []string{"Half &lt;covered&gt;", "Stay &amp; wait.", `<span class="line reached"><span class="number">    7</span>`,
		`<span class="line missed"><span class="number">   10</span>`, "<span class=\"counts\">action: 1, exit: 1</span>"} {
		if !strings.Contains(out, want) {
			t.Errorf("the page has no %s:\n%s", want, out)
		}
	}
	// A transcript counts what the rules named beside it make happen; alone, the
	// rules that it plays.
	script := filepath.Join(dir, "half.txt")
	write(t, script, "game: half.yaml\nplayers: [Ann, Bob]\nseed: 1\n---\n  ...\n! Ann> win\n  refused by later\nAnn> stay 1\n  ...\n")
	for _, args := range [][]string{{"test", path, script, "--cover"}, {"test", script, "--cover"}} {
		if code, out, errs := call(t, "", args...); code != exitOK || !strings.Contains(out, "covered: 57 % (4 of 7)") {
			t.Errorf("%q: exit %d, %s\n%s", args, code, errs, out)
		}
	}
}

func TestCoverUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--cover=xml":     "--cover cannot be `xml`; there are: text, json, html",
		"--cover=":        "--cover cannot be ``",
		"--cover-min x":   "--cover-min cannot be `x`",
		"--cover-min 101": "--cover-min cannot be 101: it is a number of percent, from 0 to 100",
	} {
		code, _, errs := call(t, "", append([]string{"test", "pig"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}

// TestCoverShipped renders the report of everything that comes with houserules.
func TestCoverShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all examples")
	}
	var out bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &out, err: &out}
	files, lib, err := gather(nil, std, nil)
	if err != nil {
		t.Fatal(err)
	}
	cov, err := (&testCommand{Cover: "text"}).covered()
	if err != nil {
		t.Fatal(err)
	}
	var sum tally
	examplesOf(lib, files, regexp.MustCompile(""), &sum, cov, std)
	if sum.failed > 0 || sum.passed == 0 {
		t.Errorf("%d passed, %d failed\n%s", sum.passed, sum.failed, out.String())
	}
	for format, end := range map[coverFormat]string{"text": ")\n", "json": "\n}\n", "html": "</html>\n"} {
		out.Reset()
		if err := cov.report(format, nil, std); err != nil || !strings.HasSuffix(out.String(), end) {
			t.Errorf("%s: %v\n%.2000s", format, err, out.String())
		}
		if format == "json" && !json.Valid(out.Bytes()) {
			t.Error("the report is no JSON")
		}
		if format == "html" && strings.Count(out.String(), "<span") != strings.Count(out.String(), "</span>") {
			t.Error("the page has spans that do not end")
		}
	}
	for _, f := range cov.summed().Files {
		t.Logf("%s: %s", f.File, f.share)
		for _, p := range f.Points {
			if p.Path == "" {
				t.Errorf("%s:%d: a %s has no path", f.File, p.Line, p.Kind)
			}
		}
	}
}
