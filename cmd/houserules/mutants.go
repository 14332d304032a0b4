package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/mutate"
	"github.com/houserules/houserules/interpreter"
)

// A verdict says what became of a mutant.
type verdict uint8

const (
	unnoticed verdict = iota // all tests still hold
	noticed
	void // the rules do not load: nobody can play by this mistake
)

// A mutant is a small mistake in a rule file, with what became of it.
type mutant struct {
	mutate.Mutant
	file    *merge.File
	verdict verdict
}

// mutation finds out which mutants tests notice. All tests hold as long as
// nothing is changed.
type mutation struct {
	lib    *dsl.Library
	probes []*probe
	mu     sync.Mutex
	order  map[*merge.File][]*probe // those that play by a file, the one that noticed last at the front
}

// newMutation returns what tries mutants of files with these tests.
func newMutation(lib *dsl.Library, files []*merge.File, probes []*probe) *mutation {
	m := &mutation{lib: lib, probes: probes, order: map[*merge.File][]*probe{}}
	for _, f := range files {
		var list []*probe
		for _, p := range probes {
			if p.plays(f.Src) {
				list = append(list, p)
			}
		}
		// What needs no other rules than those that are loaded anyway comes first.
		slices.SortStableFunc(list, func(a, b *probe) int { return cost(a) - cost(b) })
		m.order[f] = list
	}
	return m
}

func cost(p *probe) int {
	switch {
	case p.plain:
		return 0
	case p.known:
		return 1
	}
	return 2 // transcripts
}

// mutantsOf makes the mutants of files.
func mutantsOf(lib *dsl.Library, files []*merge.File) []*mutant {
	runner := interpreter.NewExampleRunner(lib)
	var out []*mutant
	for _, f := range files {
		game, variant := owner(f)
		p := runner.Program(game, variant, nil)
		if p == nil {
			continue
		}
		for _, x := range mutate.Of(p, f.Src) {
			out = append(out, &mutant{Mutant: x, file: f})
		}
	}
	return out
}

// run tries mutants, as many at once as there are processors, and calls done
// after each, never twice at once. The error is that of the context.
func (m *mutation) run(ctx context.Context, list []*mutant, done func()) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var trouble any
	next := make(chan *mutant)
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		wg.Go(func() {
			for x := range next {
				r := m.try(ctx, x)
				mu.Lock()
				if r != nil {
					trouble = r
				}
				done()
				mu.Unlock()
			}
		})
	}
	for _, x := range list {
		if ctx.Err() != nil {
			break
		}
		next <- x
	}
	close(next)
	wg.Wait()
	if trouble != nil {
		panic(trouble)
	}
	return ctx.Err()
}

// A crash is a mistake of ours that a mutant has brought to light.
type crash struct {
	what  any
	stack []byte
}

// try finds the verdict on a mutant. It returns a crash, if there is one, for the
// goroutine of the command.
func (m *mutation) try(ctx context.Context, x *mutant) (trouble any) {
	defer func() {
		if r := recover(); r != nil {
			trouble = crash{r, debug.Stack()}
		}
	}()
	x.verdict = m.judge(ctx, x)
	return nil
}

func (m *mutation) judge(ctx context.Context, x *mutant) verdict {
	src := x.File()
	lib := m.lib.With(src)
	if lib == nil {
		return void
	}
	r := &rerun{src: src, runner: interpreter.NewExampleRunner(lib)}
	game, variant := owner(x.file)
	if r.runner.Program(game, variant, nil) == nil {
		return void
	}
	for _, p := range m.likely(x) {
		if ctx.Err() != nil {
			return void
		}
		if p.fails(ctx, r) {
			m.first(x.file, p)
			return noticed
		}
	}
	return unnoticed
}

// likely lists the tests that may notice a mutant, the most likely first.
func (m *mutation) likely(x *mutant) []*probe {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*probe
	for _, p := range m.order[x.file] {
		if p.reaches(x.Under) {
			out = append(out, p)
		}
	}
	return out
}

// first puts a test that has noticed something first: mutants that follow are
// near by.
func (m *mutation) first(f *merge.File, p *probe) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.order[f]
	if i := slices.Index(list, p); i > 0 {
		copy(list[1:i+1], list[:i])
		list[0] = p
	}
}
