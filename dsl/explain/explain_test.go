package explain

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCodeHasAPage looks for codes in the sources, and for pages of codes
// that no source has.
func TestEveryCodeHasAPage(t *testing.T) {
	code := regexp.MustCompile(`"([EW]\d{4})"`)
	found := map[string]string{}
	for _, dir := range []string{"dsl", "interpreter", "repl", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range code.FindAllStringSubmatch(string(text), -1) {
				found[m[1]] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	paged := map[string]bool{}
	for _, c := range Codes() {
		paged[c] = true
		if found[c] == "" {
			t.Errorf("%s has a page, and nothing reports it", c)
		}
	}
	for c, path := range found {
		if !paged[c] {
			t.Errorf("%s: %s has no page", path, c)
		}
	}
	if len(found) < 60 {
		t.Errorf("only %d codes were found", len(found))
	}
}

// What the samples are worth is tested where they can be run, in cmd.
func TestPagesAreWellFormed(t *testing.T) {
	for _, c := range Codes() {
		p, ok := Find(c)
		if !ok {
			t.Errorf("%s cannot be found", c)
			continue
		}
		if len(p.Prose) == 0 || len(p.Prose[0]) < 60 {
			t.Errorf("%s explains nothing: %q", c, p.Prose)
		}
		for _, s := range []Sample{p.Bad, p.Good} {
			if (len(s.Files) == 0) == (s.Shell == "") {
				t.Errorf("%s: a sample is files, or a command line", c)
			}
			for _, f := range s.Files {
				if f.Name != filepath.Base(f.Name) || filepath.Ext(f.Name) == "" || strings.Count(f.Text, "\n") > 40 {
					t.Errorf("%s: %s is no short file of a sample", c, f.Name)
				}
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, s := range []string{"E0213", "e0213", "E213", "e213", "213", "0213", " e213 "} {
		if p, ok := Find(s); !ok || p.Code != "E0213" || p.Title != "unknown name" {
			t.Errorf("%q is not found", s)
		}
	}
	for _, s := range []string{"w501", "W0501", "501"} {
		if p, ok := Find(s); !ok || p.Code != "W0501" {
			t.Errorf("%q is not found", s)
		}
	}
	for _, s := range []string{"", "E", "W", "E0", "E0999", "E99999", "W0213", "../E0213", "E+213", "E-1", "E０２１３", strings.Repeat("9", 400)} {
		if p, ok := Find(s); ok {
			t.Errorf("%q is found: %s", s, p.Code)
		}
	}
	for in, want := range map[string]string{"E0218": "E0214 E0215 E0216 E0221", "E9": "E0101 E0102 E0103 E0104", "x0213": "E0213", "bananas": ""} {
		got := strings.Join(Near(in), " ")
		if in == "x0213" && strings.Contains(got, want) {
			continue
		}
		if got != want {
			t.Errorf("near %q is %q, not %q", in, got, want)
		}
	}
}
