package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/explain"
)

// runSample runs what shows a sample, in a folder of its own, and returns the
// codes that are reported, in order.
func runSample(t *testing.T, s explain.Sample) (codes []string, output string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var args []string
	in := ""
	if s.Shell != "" {
		make, command, ok := strings.Cut(s.Shell, " | houserules ")
		if !ok {
			t.Fatalf("cannot run %q", s.Shell)
		}
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip("there is no shell")
		}
		text, err := exec.Command(sh, "-c", make).Output()
		if err != nil {
			t.Fatal(err)
		}
		in, args = string(text), append(strings.Fields(command), "--out", "json")
	} else {
		args = []string{"check", "--out", "json"}
		switch {
		case s.Tested:
			args = []string{"test"}
		case s.Played:
			args = append(args, "--play", "60")
		}
		for i, f := range s.Files {
			if err := os.WriteFile(f.Name, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			if !s.Tested || i == len(s.Files)-1 {
				args = append(args, f.Name)
			}
		}
	}
	var out, errs bytes.Buffer
	run(args, strings.NewReader(in), &out, &errs)
	if s.Tested {
		for _, m := range regexp.MustCompile(`\[([EW]\d{4})\]`).FindAllStringSubmatch(out.String(), -1) {
			codes = append(codes, m[1])
		}
		return codes, out.String() + errs.String()
	}
	var report struct {
		Diagnostics []struct{ Code string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s%s", err, out.String(), errs.String())
	}
	for _, d := range report.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes, out.String() + errs.String()
}

// The samples of the pages are what the pages say: the one with the mistake is
// reported first of all with the code of the page, the mended one not at all.
func TestExplainedSamples(t *testing.T) {
	for i, code := range explain.Codes() {
		p, ok := explain.Find(code)
		if !ok {
			t.Fatal(code)
		}
		if testing.Short() && i%5 != 0 {
			continue
		}
		t.Run(code+"/bad", func(t *testing.T) {
			codes, output := runSample(t, p.Bad)
			if len(codes) == 0 || codes[0] != code {
				t.Errorf("reported are %v\n%s", codes, output)
			}
			if slices.ContainsFunc(codes, func(c string) bool { return c != code }) {
				t.Errorf("other codes are reported too: %v\n%s", codes, output)
			}
		})
		t.Run(code+"/good", func(t *testing.T) {
			codes, output := runSample(t, p.Good)
			if len(codes) > 0 || strings.Contains(output, "FAIL") {
				t.Errorf("reported are %v\n%s", codes, output)
			}
		})
	}
}

// command runs the command and returns its exit code, output and errors.
func command(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestExplain(t *testing.T) {
	want := `E0216: a sign that formulas do not have

The sign has no meaning in formulas, or not in this place. Formulas compare with
`
	for _, c := range []string{"E0216", "e0216", "e216", "216"} {
		code, out, errs := command("explain", c)
		if code != 0 || errs != "" || !strings.HasPrefix(out, want) {
			t.Errorf("%s: exit code %d\n%s%s", c, code, out, errs)
		}
		for _, text := range []string{"\n  >   seat.done: it.score = 5\n", "\n  >   seat.done: it.score == 5\n", "\n    game: sample\n"} {
			if !strings.Contains(out, text) {
				t.Errorf("%s: %q is not in\n%s", c, text, out)
			}
		}
	}
	code, out, _ := command("explain", "--list")
	if n := strings.Count(out, "\n"); code != 0 || n != len(explain.Codes()) || !strings.Contains(out, "\nE0213  unknown name\n") {
		t.Errorf("exit code %d, %d lines\n%s", code, n, out)
	}
	for _, c := range explain.Codes() {
		code, out, errs := command("explain", c)
		if code != 0 || errs != "" || strings.ContainsAny(out, "\a\t\r\x1b") {
			t.Errorf("%s: exit code %d\n%q%s", c, code, out, errs)
		}
	}
}

func TestExplainRefusals(t *testing.T) {
	const all = "; `houserules explain --list` lists all of them\n"
	const missing = "a code or a word is missing; `houserules explain --list` lists the codes, `--list keys` and so on the words\n"
	const kinds = "--list lists codes, keys, statements, picks, functions, questions, words, operators, types\n"
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"E0217"}, "there is no code `E0217`; there are E0213, E0214, E0215, E0216 and others" + all},
		{[]string{"forbit"}, "there is no code and no word `forbit`; did you mean `forbid`?\n"},
		{[]string{"params.defualt"}, "there is no code and no word `params.defualt`"},
		{[]string{"quite", "unknown"}, "there is no code and no word `quite unknown`"},
		{[]string{"zones.goto"}, "there is no code and no word `zones.goto`"},
		{[]string{""}, missing},
		{[]string{}, missing},
		{[]string{"functoins", "--list"}, "--list knows no `functoins`; did you mean `functions`?\n"},
		{[]string{"E0213", "--list"}, kinds},
	} {
		code, out, errs := command(append([]string{"explain"}, x.args...)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "houserules: "+x.want) {
			t.Errorf("%q: exit code %d\n%s%s", x.args, code, out, errs)
		}
	}
}

// A word of rule files is explained in all its meanings.
func TestExplainWords(t *testing.T) {
	for _, x := range []struct {
		word  string
		wants []string
	}{
		{"forbid", []string{"forbid: a key of a house rule\n", "the keys of `forbid`, at `forbid.ACTION`; a bare value stands for `when`\n", "    because (sentence)\n"}},
		{"count", []string{"count: a function\n    count(LIST)\n    count(LIST, TEST)\n", "count: a key of a kind\n    formula; if nothing is said: 1\n"}},
		{"params.default", []string{"default: a key of a param\n    value; must be there\n"}},
		{"param.default", []string{"default: a key of a param\n"}},
		{"phases.NAME.actions.NAME.pick", []string{"pick: a key of an action\n"}},
		{"actions.pick", []string{"pick: a key of an action\n"}},
		{"next turn", []string{"next turn: a statement\n"}},
		{"next", []string{"next turn: a statement\n"}},
		{"??", []string{"??: an operator\n"}},
		{"zone", []string{"the keys of a zone, at `zones.NAME`\n    of (family; must be there)\n"}},
		{"me", []string{"me: a word of formulas\n"}},
		{"kind", []string{"    any other name\n        attributes, with the value that they have for this kind\n"}},
	} {
		code, out, errs := command(append([]string{"explain"}, strings.Fields(x.word)...)...)
		if code != exitOK || errs != "" {
			t.Errorf("%s: exit code %d\n%s", x.word, code, errs)
		}
		for _, want := range x.wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", x.word, want, out)
			}
		}
	}
	if _, out, _ := command("explain", "params.default"); strings.Contains(out, "attribute") {
		t.Errorf("params.default tells of more than params:\n%s", out)
	}
}

// Every word that is listed can be explained.
func TestListedWordsAreExplained(t *testing.T) {
	for _, word := range dsl.Lexicon().All() {
		if code, out, errs := command("explain", "--", word); code != exitOK || out == "" {
			t.Errorf("%s: exit code %d: %s", word, code, errs)
		}
	}
	for _, x := range [][2]string{
		{"keys", "params.NAME: default options"}, {"statements", "let NAME = VALUE"}, {"picks", "some of LIST"}, {"functions", "len(LIST) "},
		{"questions", "SCORER.most(PIECES)"}, {"words", "everyone "}, {"operators", "(VALUE ?? VALUE)"}, {"types", "list of int"}, {"codes", "E0213  unknown name"},
	} {
		if code, out, errs := command("explain", "--list", x[0]); code != exitOK || !strings.Contains("\n"+out, "\n"+x[1]) {
			t.Errorf("--list %s: exit code %d\n%s%s", x[0], code, out, errs)
		}
	}
}
