package dsl

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/lexicon"
)

// referenceAbout is the beginning of the page.
const referenceAbout = "Every key, statement and function of rule files, to look things up. [LANGUAGE.md](LANGUAGE.md) explains them, with samples;\n" +
	"`houserules explain WORD` says the same as this page about one word.\n\n" +
	"This page is written by a program: `go test ./dsl -run Reference -update`."

// TestReference holds dsl/REFERENCE.md to what the code declares.
func TestReference(t *testing.T) {
	book := Lexicon()
	codes := lexicon.Group{Name: "code", Title: "Codes of messages", About: "`houserules explain CODE` says more, with a sample. E are errors, W warnings or notes."}
	for _, c := range explain.Codes() {
		p, _ := explain.Find(c)
		codes.Entries = append(codes.Entries, lexicon.Entry{Name: c, Forms: []string{c}, About: p.Title})
	}
	book.Groups = append(book.Groups, codes)
	want := book.Markdown("Reference", referenceAbout)
	if *update {
		if err := os.WriteFile("REFERENCE.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("REFERENCE.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("REFERENCE.md is stale: go test ./dsl -run Reference -update")
	}
}

// TestEveryWordIsDescribed asks that nothing stands in the lexicon without a
// sentence, twice, or in another tone.
func TestEveryWordIsDescribed(t *testing.T) {
	book := Lexicon()
	about := func(where, text string) {
		if len(text) < 4 || strings.HasSuffix(text, ".") || text[0] >= 'A' && text[0] <= 'Z' {
			t.Errorf("%s: %q is no sentence in lower case without a full stop", where, text)
		}
	}
	for _, th := range book.Things {
		if !strings.HasPrefix(th.Name, "a ") && !strings.HasPrefix(th.Name, "an ") && th.Name[0] != '`' || len(th.Keys) == 0 {
			t.Errorf("%+v has no name or no keys", th)
		}
		if th.Short != "" && !setOf(th.Known())[th.Short] {
			t.Errorf("%s: no key is called %s", th.Name, th.Short)
		}
		for i, k := range th.Keys {
			about(th.Name+"."+k.Name, k.About)
			if k.Value == "" {
				t.Errorf("%s.%s: what stands there?", th.Name, k.Name)
			}
			if setOf(lexicon.Names(th.Keys[:i]))[k.Name] {
				t.Errorf("%s has %s twice", th.Name, k.Name)
			}
		}
	}
	for _, g := range book.Groups {
		seen := map[string]bool{}
		for _, e := range g.Entries {
			about(g.Name+" "+e.Name, e.About)
			if len(e.Forms) == 0 || seen[e.Name] {
				t.Errorf("%s %s has no form, or is there twice", g.Name, e.Name)
			}
			seen[e.Name] = true
		}
	}
}

func setOf(list []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range list {
		out[w] = true
	}
	return out
}

// TestNeededKeysAreNeeded compares the keys that are said to be needed with those
// that the code asks for.
func TestNeededKeysAreNeeded(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\.want\("(\w+)", "([^"]+)"\)`).FindAllStringSubmatch(string(text), -1) {
			asked[m[2]+"."+m[1]] = true
		}
	}
	// These are wanted only beside another key, or have two names in messages.
	for _, only := range []string{"a list.list", "a track.at", "an attribute without options.default", "a row.gives"} {
		if !asked[only] {
			t.Errorf("nothing asks for %s", only)
		}
		delete(asked, only)
	}
	asked["a family with kinds.kinds"] = asked["a family of pieces.kinds"]
	delete(asked, "a family of pieces.kinds")
	for _, th := range Lexicon().Things {
		for _, k := range th.Keys {
			name := th.Name + "." + k.Name
			must := strings.HasSuffix(k.Default, lexicon.Must)
			if th.Path != "" && must != asked[name] {
				t.Errorf("%s: it is said to be needed: %v; the code asks for it: %v", name, must, asked[name])
			}
			delete(asked, name)
		}
	}
	for name := range asked {
		t.Errorf("%s is asked for, and nothing is said of it", name)
	}
}

// TestFormsOfFunctions asks that functions are written with as many arguments as
// they take.
func TestFormsOfFunctions(t *testing.T) {
	for name, f := range functions {
		least, most := 99, 0
		for _, form := range f.forms {
			if !strings.HasPrefix(form, name+"(") {
				t.Errorf("%s: %s", name, form)
			}
			n := strings.Count(form, ",") + 1
			least, most = min(least, n), max(most, n)
			if strings.HasSuffix(form, ", ..)") {
				least, most = min(least, 1), -1
				break
			}
		}
		if least != f.min || most != f.max {
			t.Errorf("%s takes %d to %d, and is written with %d to %d", name, f.min, f.max, least, most)
		}
	}
}
