package repl

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

var update = flag.Bool("update", false, "rewrite the output in transcripts as it is now")

// TestTranscripts plays all transcripts of testdata.
func TestTranscripts(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update rewrites files and is not for CI")
	}
	paths, err := filepath.Glob("../testdata/*/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no transcripts", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), "../testdata/"), func(t *testing.T) { runFile(t, path) })
	}
}

func runFile(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var ds source.List
	tr := ReadTranscript(source.NewFile(filepath.ToSlash(path), string(text)), &ds)
	if tr == nil {
		t.Fatal(ds.Err())
	}
	game := tr.Game
	if filepath.Ext(game) == ".yaml" {
		game = filepath.Join(filepath.Dir(path), game)
	}
	// A transcript with an opening goes on with what that came to.
	next := func(h interpreter.Header) (*Loaded, error) {
		p := load(t, game, dsl.Options{With: h.With, Without: h.Without, Set: h.Set, Usual: tr.Options.Usual})
		g, err := interpreter.New(p, len(tr.Players))
		return &Loaded{Game: g}, err
	}
	o := RunTranscript(context.Background(), tr, load(t, game, tr.Options), next)
	for _, f := range o.Failures {
		say := t.Errorf
		if *update && o.Updated != "" {
			say = t.Logf
		}
		say("%s:%d: %s\n%s", path, f.Line, f.Message, strings.Join(f.Detail, "\n"))
	}
	if *update && o.Updated != "" {
		if err := os.WriteFile(path, []byte(o.Updated), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
