// Package mutate makes small mistakes in rule files, one at a time, to find out
// whether tests notice them.
//
// What is changed is found in the checked [dsl.Program], so that only what rules
// carry out is touched: formulas, statements, patterns and the values of params.
// Sentences, what a screen shows, what bots do and think, metrics, invariants and examples stay as
// they are. A mutant is a change of the text of its file: whoever makes the same
// change sees the same game. Whether the changed file loads is not known here.
package mutate

import (
	"cmp"
	"slices"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// A Mutant is one change of a rule file.
type Mutant struct {
	Span source.Span // what is replaced
	Text string      // by what; "" if it is left out
	// Under is the place of the phase, action, event, hook, row, combination or
	// `if` that must happen for the change to matter. It is zero where that is
	// not known.
	Under source.Span
}

// File returns the file as it is with the change, under the same name.
func (m Mutant) File() *source.File {
	f := m.Span.File
	return source.NewFile(f.Name, f.Text[:m.Span.Start]+m.Text+f.Text[m.Span.End:])
}

// Of returns the mutants of one file of a program, by place. Two of them never
// make the same text.
func Of(p *dsl.Program, file *source.File) []Mutant {
	w := &walker{file: file, seen: map[edit]bool{}, known: map[*dsl.Define]bool{}}
	w.program(p)
	if p.Opening != nil {
		w.program(p.Opening)
	}
	slices.SortStableFunc(w.out, func(a, b Mutant) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	return w.out
}

// walker walks over a program and gathers mutants of one file.
type walker struct {
	file  *source.File
	out   []Mutant
	seen  map[edit]bool
	under source.Span // see Mutant.Under

	called []*dsl.Define // that are still to be walked over
	known  map[*dsl.Define]bool
}

// An edit tells mutants apart.
type edit struct {
	start, end int
	text       string
}

// change adds a mutant that replaces a span, if that stands in the file and is
// changed.
func (w *walker) change(at source.Span, text string) {
	if at.File != w.file || at.Text() == text {
		return
	}
	e := edit{at.Start, at.End, text}
	if w.seen[e] {
		return
	}
	w.seen[e] = true
	w.out = append(w.out, Mutant{Span: at, Text: text, Under: w.under})
}

// within walks over something that matters only if what stands at a place
// happens. The zero place stands for no such thing.
func (w *walker) within(at source.Span, walk func()) {
	old := w.under
	w.under = at
	walk()
	w.under = old
}
