package interpreter_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

func libraryOf(t testing.TB, patterns ...string) *dsl.Library {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files at %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lib.Add(source.NewFile(strings.TrimPrefix(filepath.ToSlash(name), "../"), string(text)), &ds)
		}
	}
	report(t, ds)
	return lib
}

// report fails the test if there are errors, and shows them all.
func report(t testing.TB, ds source.List) {
	t.Helper()
	if ds.HasErrors() {
		var b bytes.Buffer
		source.RenderPretty(&b, ds, source.Style{Width: 120})
		t.Fatal(b.String())
	}
}

func mustLoad(t testing.TB, lib *dsl.Library, game string, opt dsl.Options) *dsl.Program {
	t.Helper()
	p, ds := dsl.Load(lib, game, opt)
	report(t, ds)
	return p
}

func mustGame(t testing.TB, game string, opt dsl.Options, seats int) *interpreter.Game {
	t.Helper()
	return newOf(t, mustLoad(t, shipped(), game, opt), seats)
}

func newOf(t testing.TB, p *dsl.Program, seats int) *interpreter.Game {
	t.Helper()
	g, err := interpreter.New(p, seats)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
