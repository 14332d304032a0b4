package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promises are what people who write rules may count on, because other tools
// have let them down there. Each is kept by tests, which stand behind it as
// folder.Name.
var promises = []struct{ what, tests string }{
	// Files.
	{"only `true` and `false` are truths; yes, on and their like are errors that say what to write", "dsl/yamltree.TestReadBool dsl.TestBroken"},
	{"a key given twice is an error that names both places, found quickly in large files too", "dsl/yamltree.TestRefused cmd/houserules.TestHostileRules"},
	{"a mistake in YAML is reported on its own line, with a guess at its cause", "dsl/yamltree.TestBrokenYAML dsl/yamltree.TestHelpEdits"},
	{"a mistake in a script or in quotes is reported where it stands, not where the text begins", "dsl/yamltree.TestPlacesOfTokens dsl/syntax.TestExprPlacesInFile dsl/syntax.TestScriptSpans"},
	{"whatever is reported has an end as well as a beginning", "dsl/yamltree.TestSpansOfNodes dsl/yamltree.TestSpanOfEdges dsl/syntax.TestExprSpans"},
	{"anchors, aliases, merge keys and tags are refused; no file grows beyond its size", "dsl/yamltree.TestRefused cmd/houserules.TestHostileRules"},
	{"a missing value is reported at its key", "cmd/houserules.TestMissingValues"},
	{"a correction that is offered changes its own place alone, and does away with the mistake", "dsl.TestBroken dsl/source.TestEditsShown"},
	{"what cannot be read is never a success, and no key is passed over", "cmd/houserules.TestExitCodes cmd/houserules.TestHostileRules dsl.TestBroken"},
	{"one package alone knows which library reads YAML", "cmd/houserules.TestYAMLIsReadInOnePlace"},
	{"editors get a schema made of what the checker knows: one mistake is one message, and new files name the schema in the ways that editors look for", "cmd/houserules.TestShippedFilesFitTheSchema cmd/houserules.TestSchemaFindsOneMistake cmd/houserules.TestSchemaIsWritten"},
	// What is kept.
	{"the file of finished games is never needed to play: where it cannot be used one line says so, and a damaged one is put aside, not deleted", "repl/scores.TestDamaged repl/scores.TestCannotBeKept repl/scores.TestLaterVersion repl.TestGamesCannotBeKept"},
	{"a score sheet that is kept says all, needs nothing else, and is the same bytes each time", "repl/scorepad.TestFilesSayAll repl/scorepad.TestHostileText repl/scorepad.TestSameBytes cmd/houserules.TestScoresShow"},
	// Messages.
	{"a refused move says which rule refuses it and whose house rule that is", "repl.TestWhy repl.TestRefusalNamesTheHouseRule"},
	{"nothing is silently undefined: an unknown name is an error, a value that may be missing has a type that says so", "dsl.TestBroken dsl.TestTypeMistakes"},
	{"one cause gives one message; only the form that was meant is looked into", "dsl.TestBroken"},
	{"names are suggested that can be seen at the place and fit there", "dsl/source.TestNearest dsl/source.TestDistance dsl/merge.TestDidYouMean dsl.TestHelpOfAnUnknownName"},
	{"a mistake is reported in the file that holds the text, with what it has to do with beside it", "dsl.TestMistakesOfVariants dsl.TestBroken"},
	{"everything reported has a place in a file", "dsl/source.TestEveryFindingHasAPlace"},
	{"of many findings GitHub shows as many as it can, errors first, and is told how many are left", "cmd/houserules.TestCheckForGitHub dsl/source.TestGitHubHidesNothing"},
	{"logs for code scanners are accepted whole: columns from 1, every finding placed, references to files", "dsl.TestBrokenForScanners cmd/houserules.TestScannersFindFiles dsl/source.TestRenderSARIF"},
	{"exit codes mean the same for every command, and warnings alone are no failure", "cmd/houserules.TestExitCodes cmd/houserules.TestCheckChoosesFindings"},
	{"formats keep their names, have a version and can be written side by side", "cmd/houserules.TestCheckOutputs dsl/source.TestRenderJSON cmd/houserules.TestJSONIsJSON"},
	{"house rules patch by name and with a verb; a name that is not there is an error; the source of every value can be shown", "dsl/merge.TestPatches cmd/houserules.TestShownGamesAreGames cmd/houserules.TestShowChanges"},
	{"words of Go and of libraries reach nobody", "dsl.TestBroken dsl/syntax.TestNoLibraryWords cmd/houserules.TestExitCodes"},
	{"a warning can be let pass where it stands, with a reason, and such a comment does not outlive it", "cmd/houserules.TestAllowComments"},
	{"a large or odd file is refused quickly, whatever reads it", "cmd/houserules.TestHostileRules cmd/houserules.TestHostileRecordings cmd/houserules.TestHostileFolder dsl/yamltree.TestTooMany"},
	// Tests.
	{"an example that fails shows the value of every part of what did not hold, and how to run it again", "cmd/houserules.TestFailuresShowValues"},
	{"a recording that fails shows what was written down against what came, and where", "cmd/houserules.TestFailuresShowLines"},
	{"it can be seen which rules and house rules no test makes happen", "cmd/houserules.TestCover interpreter.TestCoverage cmd/houserules.TestCoverShipped"},
	{"recordings are rewritten only where that is asked for, never in CI, and assertions never", "cmd/houserules.TestTranscriptsByCommand cmd/houserules.TestUpdateKeepsAssertions"},
}

// TestPromises looks for the tests that keep the promises.
func TestPromises(t *testing.T) {
	for _, p := range promises {
		for _, name := range strings.Fields(p.tests) {
			dir, test, _ := strings.Cut(name, ".")
			files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: no tests in %s", p.what, dir)
			}
			found := false
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				found = found || strings.Contains(string(text), "\nfunc "+test+"(t *testing.T) {")
			}
			if !found {
				t.Errorf("%s: there is no %s in %s", p.what, test, dir)
			}
		}
	}
}

func TestYAMLIsReadInOnePlace(t *testing.T) {
	importing := regexp.MustCompile(`(?m)^\s*(?:import )?(?:\w+ )?"[^"]*/?yaml\.v\d"`)
	where := map[string]bool{}
	repository(t, func(path, text string) {
		if strings.HasSuffix(path, ".go") && importing.MatchString(text) {
			where[filepath.ToSlash(filepath.Dir(path))] = true
		}
	})
	for dir := range where {
		if dir != "dsl/yamltree" {
			t.Errorf("%s imports the library that reads YAML", dir)
		}
	}
	if len(where) != 1 {
		t.Errorf("it is imported in %v", where)
	}
}

func TestMissingValues(t *testing.T) {
	text := strings.Replace(idle, "%s", "", 1)
	text = strings.Replace(text, "%s", "goal", 1)
	for old, want := range map[string]string{
		"players: 2..4\n":                         ":3:1:",
		"  goal: {default: 5, min: 1, max: 20}\n": ":5:3:",
	} {
		key, _, _ := strings.Cut(old, ":")
		_, out, _ := call(t, strings.Replace(text, old, key+":\n", 1), "check", "-", "--out", "compact")
		if !strings.HasPrefix(out, "<stdin>"+want) {
			t.Errorf("%s without a value: %s", key, out)
		}
	}
}

func TestFailuresShowValues(t *testing.T) {
	text := strings.Replace(strings.Replace(idle, "%s", "", 1), "%s", "goal", 1) +
		"examples:\n  wrong:\n    players: [Ann, Bob]\n    given: {me.score: 3}\n    play: one\n    then: [Ann.score == goal and not over]\n"
	writeFiles(t, map[string]string{"idle.yaml": text})
	code, out, _ := call(t, "", "test", "idle.yaml")
	for _, want := range []string{"idle.yaml:19:12: ", "Ann.score = 4\n", "goal = 5\n", "over = no\n", "again: houserules test idle.yaml --run '^idle/wrong$'"} {
		if code != exitNo || !strings.Contains(out, want) {
			t.Errorf("%d, no %q in\n%s", code, want, out)
		}
	}
}

// A recording of two moves in which one line is wrong.
const wrongLine = "game: pig\nplayers: [Ann, Bob]\ndice: [3, 4]\n---\n  ...\nAnn> hold\n  another line\n  ...\n%s"

func TestFailuresShowLines(t *testing.T) {
	writeFiles(t, map[string]string{"t.txt": strings.Replace(wrongLine, "%s", "", 1)})
	code, out, _ := call(t, "", "test", "t.txt")
	if code != exitNo || !strings.Contains(out, "t.txt:7: ") || !strings.Contains(out, "  - another line\n") || !strings.Contains(out, "  + thrown: 4\n") || strings.Contains(out, "hold\n") {
		t.Errorf("%d\n%s", code, out)
	}
}

// Rewriting takes over what is printed. What is asserted stays, and fails.
func TestUpdateKeepsAssertions(t *testing.T) {
	t.Setenv("CI", "")
	writeFiles(t, map[string]string{"t.txt": strings.Replace(wrongLine, "%s", "? Ann.score == 7\n", 1)})
	code, out, _ := call(t, "", "test", "t.txt", "--update")
	after, err := os.ReadFile("t.txt")
	if err != nil || code != exitNo || !strings.Contains(string(after), "? Ann.score == 7\n") {
		t.Errorf("%d %v\n%s\n%s", code, err, out, after)
	}
}
