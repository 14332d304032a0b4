package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// mutates checks what is asked about mutants.
func (c *testCommand) mutates() error {
	if c.MutateMin == nil {
		return nil
	}
	if *c.MutateMin < 0 || *c.MutateMin > 100 {
		return failf(exitUsage, "--mutate-min cannot be %d: it is a number of percent, from 0 to 100", *c.MutateMin)
	}
	c.Mutate = true
	return nil
}

// mutated tries mutants of the rule files and reports which of them no test
// notices. The error says that these are too many.
func (r *testRun) mutated(ctx context.Context) error {
	if len(r.files) == 0 {
		return failf(exitUsage, "--mutate makes mistakes in rule files: name those that the transcripts are of, or their game")
	}
	probes := exampleProbes(r.lib.Library, r.files, func(f *merge.File, name string) bool { return matches(r.re, f, name) })
	for _, path := range r.scripts {
		p, err := transcriptProbe(path, r.std)
		if err != nil {
			return err
		}
		probes = append(probes, p)
	}
	list := mutantsOf(r.lib.Library, r.files)
	bar := newProgress(r.std.err, len(list))
	err := newMutation(r.lib.Library, r.files, probes).run(ctx, list, bar.step)
	bar.end()
	if err != nil {
		return err
	}
	total := reportMutants(list, r.std)
	if least := r.MutateMin; least != nil && total.Reached*100 < *least*total.Total {
		return failf(exitNo, "%d of %d mutants were noticed, which is less than %d %%: add examples that fail with the others, or lower --mutate-min", total.Reached, total.Total, *least)
	}
	return nil
}

// reportMutants prints how many mutants were noticed, file by file, and those
// that were not.
func reportMutants(list []*mutant, std streams) share {
	total := share{Percent: 100}
	for len(list) > 0 {
		n := 0
		for n < len(list) && list[n].file == list[0].file {
			n++
		}
		fileMutants(list[:n], &total, std)
		list = list[n:]
	}
	std.printf("\nmutants noticed: %s", total)
	return total
}

func fileMutants(list []*mutant, total *share, std streams) {
	s := share{Percent: 100}
	var ds source.List
	for _, x := range list {
		if x.verdict == void {
			continue
		}
		for _, s := range []*share{&s, total} {
			s.one(x.verdict == noticed)
		}
		if x.verdict == unnoticed {
			ds = append(ds, x.finding())
		}
	}
	if s.Total == 0 {
		return
	}
	std.printf("\n%s: %s mutants noticed", list[0].file.Src.Name, s)
	if len(ds) > 0 {
		var b strings.Builder
		_ = source.RenderPretty(&b, ds, source.Style{Color: repl.CanColor(std.out), Bare: true})
		std.printf("\n%s", strings.TrimRight(b.String(), "\n"))
	}
}

// finding says what nobody has noticed, and how the line reads then, if anything
// is left of it.
func (x *mutant) finding() *source.Diagnostic {
	d := &source.Diagnostic{Severity: source.Warning, Span: x.Span}
	old := x.Span.Text()
	if x.Text == "" {
		d.Message = fmt.Sprintf("no test notices if `%s` is left out", oneLine(old))
	} else {
		d.Message = fmt.Sprintf("no test notices `%s` in place of `%s`", x.Text, oneLine(old))
	}
	line, _ := x.Span.File.LineCol(x.Span.Start)
	if x.Text == "" && strings.TrimSpace(x.Span.File.Line(line)) == old {
		return d.WithHelp("add an example that fails without it")
	}
	return d.WithHelp("add an example that fails if the line reads so:").WithEdit(x.Span, x.Text)
}

// progress is a line on a terminal that says how far something is.
type progress struct {
	to    io.Writer // nil if it is no terminal
	n, of int
	last  time.Time
}

func newProgress(w io.Writer, of int) *progress {
	if !repl.IsTerminal(w) {
		w = nil
	}
	return &progress{to: w, of: of}
}

func (p *progress) step() {
	p.n++
	if p.to != nil && time.Since(p.last) > time.Second/10 {
		p.last = time.Now()
		fmt.Fprintf(p.to, "\r%d of %s", p.n, counted(p.of, "mutant"))
	}
}

// end takes the line away.
func (p *progress) end() {
	if p.to != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
