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
	const list = "; `houserules explain --list` lists all of them\n"
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"E0217"}, "there is no code `E0217`; there are E0213, E0214, E0215, E0216 and others" + list},
		{[]string{"unknown"}, "there is no code `unknown`" + list},
		{[]string{""}, "the code is missing" + list},
		{[]string{}, "the code is missing" + list},
		{[]string{"E0213", "--list"}, "--list lists all codes: leave out `E0213`\n"},
	} {
		code, out, errs := command(append([]string{"explain"}, x.args...)...)
		if code != exitUsage || out != "" || errs != "houserules: "+x.want {
			t.Errorf("%q: exit code %d\n%s%s", x.args, code, out, errs)
		}
	}
}
