package main

import (
	"bytes"
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
		game, variant := owner(f)
		results, ds := runner.Run(game, variant, func(name string) bool { return matches(re, f, name) })
		if results == nil && ds.HasErrors() {
			t.add(printed(testCase{file: f.Src.Name, name: "loading", failed: true}, std, func(std streams) {
				std.printf("FAIL %s: these rules do not load", f.Src.Name)
				show(std.out, ds)
			}))
			continue
		}
		for _, r := range results {
			line, _ := r.Example.Span.File.LineCol(r.Example.Span.Start)
			test := testCase{file: f.Src.Name, name: r.Example.Name, line: line, took: r.Took, failed: len(r.Failures) > 0}
			if test.failed {
				test = printed(test, std, func(std streams) { failed(f, r, std) })
			}
			t.add(test)
		}
	}
}

// matches reports whether an example is to be run.
func matches(re *regexp.Regexp, f *merge.File, name string) bool {
	return re.MatchString(f.ID + "/" + name)
}

// printed prints what is wrong, and keeps it with the test.
func printed(test testCase, std streams, print func(streams)) testCase {
	print(std)
	var text bytes.Buffer
	print(streams{std.in, &text, std.err})
	test.text = text.String()
	return test
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
