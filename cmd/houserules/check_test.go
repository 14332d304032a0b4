package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// writeFiles puts texts into a folder of their own, where the test then works.
func writeFiles(t *testing.T, texts map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const idle = `houserules: 1
game: idle
players: 2..4
params:
  goal: {default: 5, min: 1, max: 20}%s
state: {player: {score: 0}}
phases:
  take:
    actions:
      one: |
        me.score += 1
        finish if me.score >= %s
        next turn
`

// Several formats in one run: one at most goes to standard output.
func TestCheckOutputs(t *testing.T) {
	writeFiles(t, map[string]string{"idle.yaml": fmt.Sprintf(idle, "", "5"), "typo.yaml": fmt.Sprintf(idle, "", "gaol")})
	code, out, errs := call(t, "", "check", "typo.yaml", "--out", "compact", "--out", "sarif:a.sarif", "--out", "json:a.json", "--out=github:a.txt")
	if code != exitNo || !strings.HasPrefix(out, "typo.yaml:12:31: error[E0213]") || strings.Count(out, "\n") > 1 || errs != "houserules: 1 error\n" {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	for name, want := range map[string]string{"a.sarif": `"uri":"typo.yaml"`, "a.json": `"format_version":"1.0"`, "a.txt": "::error file=typo.yaml,line=12,col=31,"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v %s", name, err, text)
		}
	}
	// Nothing is said twice: without a format for standard output only the sum.
	if code, out, errs := call(t, "", "check", "typo.yaml", "--out", "sarif:b.sarif"); code != exitNo || out != "" || errs != "houserules: 1 error\n" {
		t.Errorf("%d %q %q", code, out, errs)
	}
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"--out json --out compact":          {exitUsage, "only one format goes to standard output; give the others a file: `--out compact:FILE`"},
		"--out json:x --out compact:x":      {exitUsage, "two formats go to the file x"},
		"--out json:":                       {exitUsage, "a file is missing behind the `:`"},
		"--out xml:x":                       {exitUsage, "there is no format `xml`"},
		"--out json:none/x":                 {exitCannot, "there is no folder for `none/x`"},
		"--out json:.":                      {exitCannot, "is a folder, where a file is wanted"},
		"--out json:./typo.yaml":            {exitUsage, "would write over one of these rule files"},
		"--out compact:x --fail-on bananas": {exitUsage, "is no kind of finding"},
	} {
		code, out, errs := call(t, "", append([]string{"check", "typo.yaml"}, strings.Fields(args)...)...)
		if code != want.code || !strings.Contains(errs, want.text) || out != "" {
			t.Errorf("%s: %d\n%s%s", args, code, out, errs)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a wrong command line wrote a file")
	}
}

// A comment lets a warning pass where it stands; one that lets nothing pass, or
// does not say why, is reported itself.
func TestAllowComments(t *testing.T) {
	for _, tt := range []struct{ comment, goal, codes, text string }{
		{" # houserules:allow W0501 — for house rules", "5", "", ""},
		{" # houserules:allow w501 - for house rules", "5", "", ""},
		{" # houserules:allow W0502, W0501: for house rules", "5", "", ""},
		{" # houserules:allow W0501", "5", "W0501 W0599", "a reason is missing"},
		{" # houserules:allow W0501 —", "5", "W0501 W0599", "a reason is missing"},
		{" # houserules:allow W0502 — for house rules", "5", "W0501 W0599", "there is nothing here to allow"},
		{" # houserules:allow W0501 — for house rules", "goal", "W0599", "there is nothing here to allow"},
		{" # houserules:allow W0520 — not played", "goal", "", ""},
		{" # houserules:allow W0777 — why not", "goal", "W0599", "there is no finding `W0777`"},
		{" # houserules:allow E0213 — why not", "gaol", "E0213", ""},
		{" # houserules:allow E0213 — why not", "goal", "W0599", "E0213 is an error, which cannot be allowed"},
		{" # houserules:allow", "goal", "W0599", "this allows nothing"},
		{" # houserules:allowed W0501 — another word", "5", "W0501", ""},
		{"\n# houserules:allow W0501 — too late", "5", "W0501 W0599", "there is nothing here to allow"},
	} {
		writeFiles(t, map[string]string{"idle.yaml": fmt.Sprintf(idle, tt.comment, tt.goal)})
		_, out, _ := call(t, "", "check", "idle.yaml", "--out", "compact")
		var codes []string
		for _, m := range regexp.MustCompile(`\[([EW]\d{4})\]`).FindAllStringSubmatch(out, -1) {
			codes = append(codes, m[1])
		}
		if got := strings.Join(codes, " "); got != tt.codes || !strings.Contains(out, tt.text) {
			t.Errorf("%s: wanted %s, %q in\n%s", tt.comment, tt.codes, tt.text, out)
		}
	}

	// Above the line, also several of them; in a script behind //.
	above := strings.Replace(fmt.Sprintf(idle, "", "5 and goal > 0 // houserules:allow W0502 — shown"), "  goal:", "  # houserules:allow W0501 — read below\n  # houserules:allow W0502 — a second one\n  goal:", 1)
	writeFiles(t, map[string]string{"idle.yaml": above})
	_, out, _ := call(t, "", "check", "idle.yaml", "--out", "compact")
	if strings.Count(out, "W0599") != 2 || strings.Contains(out, "[W0502]") || !strings.Contains(out, "idle.yaml:5:3") || !strings.Contains(out, "idle.yaml:6:3") {
		t.Errorf("%s", out)
	}
}

// GitHub shows ten findings of a kind; the last of them says how many are left.
func TestCheckForGitHub(t *testing.T) {
	wrong := "define:\n"
	for i := range 25 {
		wrong += fmt.Sprintf("  d%d: unknown_%d + 1\n", i, i)
	}
	writeFiles(t, map[string]string{"many.yaml": fmt.Sprintf(idle, "", "goal") + wrong})
	code, out, _ := call(t, "", "check", "many.yaml", "--out", "github")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitNo || len(lines) != 10 || !strings.HasSuffix(lines[9], "%0A+15 more") || strings.Contains(lines[8], "more") {
		t.Errorf("%d\n%s", code, out)
	}
}

// Whatever folder a file is in, its name in a log for scanners is a reference.
func TestScannersFindFiles(t *testing.T) {
	writeFiles(t, nil)
	dir := filepath.Join("my rules", "50%")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(path, []byte(fmt.Sprintf(idle, "", "gaol")), 0o644); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{path: `"uri":"my%20rules/50%25/a.yaml"`, "./" + path: `a.yaml"`} {
		if _, out, _ := call(t, "", "check", arg, "--out", "sarif"); !strings.Contains(out, want) {
			t.Errorf("%s", out)
		}
	}
	_, out, _ := call(t, fmt.Sprintf(idle, "", "gaol"), "check", "-", "--out", "sarif")
	if !strings.Contains(out, `"uri":"%3Cstdin%3E"`) {
		t.Errorf("%s", out)
	}
}
