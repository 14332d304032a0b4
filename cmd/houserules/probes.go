package main

import (
	"context"
	"slices"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

// A probe is a test that may notice a mistake in rule files: an example, what
// the combinations of a file say that they are worth, or a transcript.
type probe struct {
	rules   []*source.File // whose rules it plays by
	reached map[source.Span]bool
	known   bool // whether reached says all that it makes happen
	plain   bool // it needs no rules but those of its file
	// fails reports whether the test does not hold with another text of a file.
	fails func(ctx context.Context, r *rerun) bool
}

// rerun is a library with another text of one file.
type rerun struct {
	src    *source.File
	runner *interpreter.ExampleRunner
}

// plays reports whether the rules of a file are played by. A file that was read
// twice is one.
func (p *probe) plays(f *source.File) bool {
	return slices.ContainsFunc(p.rules, func(g *source.File) bool { return g == f || g.Text == f.Text })
}

// reaches reports whether the test may make happen what stands at a place.
func (p *probe) reaches(at source.Span) bool { return at.IsZero() || !p.known || p.reached[at] }

// owner is the game of a file, and the variant that it is.
func owner(f *merge.File) (game, variant string) {
	if f.Kind == merge.KindGame {
		return f.ID, ""
	}
	return f.For, f.ID
}

// exampleProbes returns the examples of files, each with what it makes happen.
// They are known to hold.
func exampleProbes(lib *dsl.Library, files []*merge.File, match func(f *merge.File, name string) bool) []*probe {
	runner, cover := interpreter.NewExampleRunner(lib), interpreter.NewCoverage()
	runner.Cover(cover)
	var out []*probe
	before := cover.Reached()
	for _, f := range files {
		game, variant := owner(f)
		if p := likesProbe(runner, f, match); p != nil {
			out = append(out, p)
		}
		for _, ex := range runner.Examples(game, variant) {
			if !match(f, ex.Name) {
				continue
			}
			p := &probe{rules: runner.Program(game, variant, ex).Files, known: true, reached: map[source.Span]bool{}}
			p.plain = len(ex.With) == 0 && len(ex.Set) == 0
			runner.Play(game, variant, ex)
			now := cover.Reached()
			for at, n := range now {
				if n > before[at] {
					p.reached[at] = true
				}
			}
			before = now
			p.fails = func(_ context.Context, r *rerun) bool { return len(r.runner.Play(game, variant, ex)) > 0 }
			out = append(out, p)
		}
	}
	return out
}

// likesProbe is what the combinations of a file say that they are worth; nil if
// they say nothing.
func likesProbe(runner *interpreter.ExampleRunner, f *merge.File, match func(f *merge.File, name string) bool) *probe {
	game, variant := owner(f)
	prog := runner.Program(game, variant, nil)
	if prog == nil {
		return nil
	}
	some := false
	for _, s := range prog.Scorers {
		for _, c := range s.Combos {
			some = some || c.Owner == variant && len(c.Like) > 0 && match(f, s.Name+"."+c.Name)
		}
	}
	if !some {
		return nil
	}
	matches := func(name string) bool { return match(f, name) }
	return &probe{rules: prog.Files, plain: true, fails: func(_ context.Context, r *rerun) bool {
		return len(r.runner.Likes(game, variant, matches)) > 0
	}}
}

// transcriptProbe is a transcript that is known to hold.
func transcriptProbe(path string, std streams) (*probe, error) {
	s, err := staged(path, std)
	if err != nil || s == nil {
		return nil, err
	}
	return &probe{rules: s.prog.Files, fails: func(ctx context.Context, r *rerun) bool {
		changed := *s
		if changed.lib = s.lib.changed(r.src); changed.lib == nil {
			return false
		}
		var ds source.List
		if changed.prog, ds = dsl.Load(changed.lib.Library, s.prog.Game, s.t.Options); ds.HasErrors() {
			return true
		}
		return len(changed.run(&patience{ctx, maxAsked}, nil).Failures) > 0
	}}, nil
}

// maxAsked is how many decisions a transcript may take with a mistake in its
// rules. It is more than any transcript needs, and little enough that a game which
// has no end any more is not played for ever.
const maxAsked = 10_000

// patience is a context that ends after it was asked so often, which a session does
// before each decision.
type patience struct {
	context.Context
	left int
}

// Err counts, and says that it is enough.
func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.DeadlineExceeded
	}
	return p.Context.Err()
}

// changed is the shelf with another text of one of its files; nil if it has none.
func (s *shelf) changed(src *source.File) *shelf {
	lib := s.With(src)
	if lib == nil {
		return nil
	}
	c := *s
	c.Library = lib
	return &c
}

// stage is a transcript with the rules that it is played by.
type stage struct {
	t    *repl.Transcript
	lib  *shelf
	prog *dsl.Program
}

// run plays the transcript, and counts what it makes happen if c is not nil.
func (s *stage) run(ctx context.Context, c *interpreter.Coverage) *repl.Outcome {
	t := *s.t
	t.Cover = c
	return repl.RunTranscript(ctx, &t, s.prog, (&table{lib: s.lib, prog: s.prog, cover: c}).loader(t.Players, t.Options.Usual, nil))
}
