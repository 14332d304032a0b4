package interpreter_test

import (
	"bytes"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// TestExamples plays every example of every shipped file.
func TestExamples(t *testing.T) {
	runAll(t, shipped())
}

// TestFamilyExamples plays the small games that are there for other scoring
// sets.
func TestFamilyExamples(t *testing.T) {
	lib := libraryOf(t, "../testdata/family/*.yaml")
	runAll(t, lib)
}

// runAll plays the examples of all files, those of a variant in the world of the
// game that it is for.
func runAll(t *testing.T, lib *dsl.Library) {
	t.Helper()
	for _, game := range lib.Games() {
		runExamples(t, lib, game.ID, "")
		for _, v := range lib.VariantsOf(game.ID) {
			if v.For == game.ID {
				runExamples(t, lib, game.ID, v.ID)
			}
		}
	}
}

func runExamples(t *testing.T, lib *dsl.Library, game, variant string) {
	t.Helper()
	r := interpreter.NewExampleRunner(lib)
	results, ds := r.Run(game, variant, nil)
	report(t, ds)
	if len(results) == 0 {
		t.Errorf("%s %s: no examples", game, variant)
	}
	for _, res := range results {
		t.Run(game+"/"+variant+"/"+res.Example.Name, func(t *testing.T) {
			for _, f := range res.Failures {
				var b bytes.Buffer
				source.RenderPretty(&b, f.List, source.Style{Width: 120})
				t.Errorf("%s: %s\n%s", f.Span, f.Message, b.String())
				for _, v := range f.Values {
					t.Logf("    %s = %s", v.Text, v.Is)
				}
			}
		})
	}
}
