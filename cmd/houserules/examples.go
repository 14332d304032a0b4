package main

import (
	"regexp"
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/interpreter"
)

// examplesOf runs the examples of rule files, prints what failed, and counts.
func examplesOf(lib *shelf, files []*merge.File, re *regexp.Regexp, t *tally, c *covered, std streams) {
	runner := interpreter.NewExampleRunner(lib.Library)
	if c != nil {
		runner.Cover(c.Coverage)
		c.only(files)
	}
	for _, f := range files {
		game, variant := f.ID, ""
		if f.Kind != merge.KindGame {
			game, variant = f.For, f.ID
		}
		match := func(name string) bool { return re.MatchString(f.ID + "/" + name) }
		results, ds := runner.Run(game, variant, match)
		if results == nil && ds.HasErrors() {
			std.printf("FAIL %s: these rules do not load", f.Src.Name)
			show(std.out, ds)
			t.add(false)
			continue
		}
		for _, r := range results {
			t.add(len(r.Failures) == 0)
			if len(r.Failures) > 0 {
				failed(f, r, std)
			}
		}
	}
}

// failed prints what an example says and the game does not do, with the values
// that formulas are made of.
func failed(f *merge.File, r interpreter.ExampleResult, std streams) {
	std.printf("FAIL %s / %s  %s", f.ID, words(r.Example.Name), r.Example.Span)
	for _, x := range r.Failures {
		if x.Message != "" {
			std.printf("  %s: %s", x.Span, x.Message)
		}
		for _, v := range x.Values {
			std.printf("    %s = %s", oneLine(v.Text), v.Is)
		}
		if len(x.List) > 0 {
			show(std.out, x.List)
		}
	}
	std.printf("  again: houserules test %s --run '^%s/%s$'", quote(where(f)), f.ID, r.Example.Name)
}

// where is how the file of an example is named on the command line: a game that
// comes with the program, and its house rules, by the id of the game.
func where(f *merge.File) string {
	name := f.Src.Name
	if strings.HasPrefix(name, "rulesets/") || strings.HasPrefix(name, "variants/") {
		if f.Kind == merge.KindGame {
			return f.ID
		}
		return f.For
	}
	return name
}

func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// oneLine puts a formula that runs over lines onto one.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
