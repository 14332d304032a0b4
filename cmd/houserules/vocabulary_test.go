package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// Go knows no game. The sources are searched for the words of games: those of
// the rule files that come with the program, and those of some that do not.

// gameWords are words that no general program has a use for.
var gameWords = strings.Fields(`skunk zonk puma stinker pirate mermaid kraken tigress graybeard carbuncle polecat loot
	rascal trump pig farkle yacht lubs timid zilch greed cosmic wimpout yahtzee spades whale skull
	jolly roger bilge lick joker bauble`)

// ordinary are ids and titles that are plain English too, and may stand in a
// comment that means nothing by them.
var ordinary = []string{"carry on", "full house", "everybody finishes", "exact target", "original", "extreme"}

// languages are names of languages that are words of games too, each with the
// file that writes in it.
var languages = [][2]string{{"dsl/rulebook/markdown.go", `"mermaid"`}}

// root is where the repository begins.
const root = "../.."

// repository calls visit with every file, its path from the root with slashes.
func repository(t *testing.T, visit func(path, text string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		case !slices.Contains([]string{".go", ".md", ".yaml", ".yml", ".txt", ".mod", ".toml", ".sh"}, filepath.Ext(path)) && d.Name() != "Makefile":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		n++
		visit(filepath.ToSlash(rel), string(text))
		return nil
	})
	if err != nil || n < 100 {
		t.Fatalf("%d files were read; %v", n, err)
	}
}

// phrases gathers ids and titles of all rule files, in words: the single words
// to be added to gameWords, and those of several words.
func phrases(t *testing.T) (words, several []string) {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		lib.Add(f, &ds)
	}
	if ds.HasErrors() {
		t.Fatal(ds.Err())
	}
	words = slices.Clone(gameWords)
	for _, f := range lib.Files() {
		for _, name := range []string{f.ID, f.Title} {
			parts := strings.ToLower(strings.Join(inWords(name), " "))
			switch {
			case parts == "" || slices.Contains(ordinary, parts):
			case slices.Contains(several, parts):
			case strings.Contains(parts, " "):
				several = append(several, parts)
			default:
				words = append(words, parts)
			}
		}
	}
	if len(several) < 10 {
		t.Fatalf("only %d names of rule files were found", len(several))
	}
	return words, several
}

var wordParts = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// inWords takes a text apart, identifiers too: `wildDie_x` has three.
func inWords(text string) []string {
	var out []string
	for _, w := range wordParts.FindAllString(text, -1) {
		out = append(out, strings.ToLower(w))
	}
	return out
}

func TestGoKnowsNoGame(t *testing.T) {
	words, several := phrases(t)
	known := map[string]bool{}
	for _, w := range words {
		known[w], known[w+"s"], known[w+"es"] = true, true, true
	}
	repository(t, func(path, text string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		fset := token.NewFileSet()
		file := fset.AddFile(path, -1, len(text))
		var s scanner.Scanner
		s.Init(file, []byte(text), nil, scanner.ScanComments)
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				return
			}
			if tok != token.IDENT && tok != token.STRING && tok != token.COMMENT && tok != token.CHAR {
				continue
			}
			parts := inWords(lit)
			for _, w := range parts {
				if known[w] && !(tok == token.STRING && slices.Contains(languages, [2]string{path, lit})) {
					t.Errorf("%s: %q is a word of a game", fset.Position(pos), w)
				}
			}
			line := " " + strings.Join(parts, " ") + " "
			for _, p := range several {
				if strings.Contains(line, " "+p+" ") {
					t.Errorf("%s: %q is the name of a house rule", fset.Position(pos), p)
				}
			}
		}
	})
}

// A test of the test: what it looks for is found where it stands.
func TestVocabularyIsFound(t *testing.T) {
	if got := strings.Join(inWords("a wildDie_x HTTPThing `zonk-b`"), " "); got != "a wild die x httpthing zonk b" {
		t.Errorf("words %q", got)
	}
	found := 0
	repository(t, func(path, text string) {
		if strings.HasSuffix(path, ".yaml") && slices.Contains(inWords(text), "zonk") {
			found++
		}
	})
	if found < 10 {
		t.Errorf("%d rule files hold the word", found)
	}
}

// The repository stands by itself: nothing in it points at the machine on
// which it was written, or outside of it.
func TestNoPathsOfOneMachine(t *testing.T) {
	var places []string
	for _, parts := range [][2]string{{"/wo", "rk/main"}, {"/wo", "rk/shared"}, {"../sha", "red"}, {"/tmp/", "hr"}, {"/ho", "me/"}, {"/ro", "ot/"}, {"C:", `\Users`}} {
		places = append(places, parts[0]+parts[1])
	}
	repository(t, func(path, text string) {
		for i, line := range strings.Split(text, "\n") {
			for _, p := range places {
				if strings.Contains(line, p) {
					t.Errorf("%s:%d: mentions %s", path, i+1, p)
				}
			}
		}
	})
}
