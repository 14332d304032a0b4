package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// coverFormat is how coverage is reported: "" for not at all. As an option it
// needs no value.
type coverFormat string

// IsBool lets the option stand by itself.
func (*coverFormat) IsBool() bool { return true }

// Decode reads what stands behind `=`, if something does.
func (f *coverFormat) Decode(ctx *kong.DecodeContext) error {
	*f = "text"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		*f = coverFormat(fmt.Sprint(ctx.Scan.Pop().Value))
		if *f == "" {
			return fmt.Errorf("expected text, json or html but got %q", "")
		}
	}
	return nil
}

// alone reports whether the report stands alone on the output.
func (f coverFormat) alone() bool { return f == "json" || f == "html" }

// covered is what tests made happen, and the files whose rules are reported.
type covered struct {
	*interpreter.Coverage
	files []*source.File
	fixed bool // no other files are added
}

// covered returns what counts, or nil.
func (c *testCommand) covered() (*covered, error) {
	if c.CoverMin != nil {
		if *c.CoverMin < 0 || *c.CoverMin > 100 {
			return nil, failf(exitUsage, "--cover-min cannot be %d: it is a number of percent, from 0 to 100", *c.CoverMin)
		}
		if c.Cover == "" {
			c.Cover = "text"
		}
	}
	switch c.Cover {
	case "":
		return nil, nil
	case "text", "json", "html":
		return &covered{Coverage: interpreter.NewCoverage()}, nil
	}
	return nil, failf(exitUsage, "--cover cannot be `%s`; there are: text, json, html", c.Cover)
}

// only makes the rules of these files be reported, and no others.
func (c *covered) only(files []*merge.File) {
	c.fixed = true
	for _, f := range files {
		c.add(f.Src)
	}
}

func (c *covered) add(f *source.File) {
	for _, g := range c.files {
		if g.Name == f.Name {
			return
		}
	}
	c.files = append(c.files, f)
}

// played returns what counts in a transcript of a game. Where no rule files are
// tested, those that transcripts play are reported.
func (c *covered) played(p *dsl.Program) *interpreter.Coverage {
	if c == nil {
		return nil
	}
	if !c.fixed {
		for _, f := range p.Files {
			c.add(f)
		}
	}
	return c.Coverage
}

// A share is how many of some points were reached.
type share struct {
	Reached int `json:"reached"`
	Total   int `json:"total"`
	Percent int `json:"percent"` // rounded down, so that 100 means all
}

func (s *share) count(p interpreter.Point) { s.one(p.Count > 0) }

func (s *share) one(reached bool) {
	s.Total++
	if reached {
		s.Reached++
	}
	s.Percent = s.Reached * 100 / s.Total
}

func (s share) String() string { return fmt.Sprintf("%d %% (%d of %d)", s.Percent, s.Reached, s.Total) }

// coverReport is the whole report.
type coverReport struct {
	share
	Files []*coverFile `json:"files"`
}

// coverFile is the report of one file.
type coverFile struct {
	File string `json:"file"`
	share
	Kinds  []*coverKind `json:"kinds"`
	Points []coverPoint `json:"points"`
	src    *source.File
}

type coverKind struct {
	Kind interpreter.PointKind `json:"kind"`
	share
}

type coverPoint struct {
	Kind   interpreter.PointKind `json:"kind"`
	Path   string                `json:"path"`
	Line   int                   `json:"line"`
	Column int                   `json:"column"`
	Count  int64                 `json:"count"`
}

// summed makes the report. Files without a point, such as those that only set
// options, are left out.
func (c *covered) summed() *coverReport {
	r := &coverReport{share: share{Percent: 100}, Files: []*coverFile{}}
	for _, src := range c.files {
		f := &coverFile{File: src.Name, src: src}
		kinds := map[interpreter.PointKind]*share{}
		for _, p := range c.Points(src.Name) {
			line, col := p.Span.File.LineCol(p.Span.Start)
			f.Points = append(f.Points, coverPoint{p.Kind, p.Path, line, col, p.Count})
			if kinds[p.Kind] == nil {
				kinds[p.Kind] = &share{}
			}
			for _, s := range []*share{&r.share, &f.share, kinds[p.Kind]} {
				s.count(p)
			}
		}
		for _, k := range interpreter.PointKinds() {
			if s := kinds[k]; s != nil {
				f.Kinds = append(f.Kinds, &coverKind{k, *s})
			}
		}
		if len(f.Points) > 0 {
			r.Files = append(r.Files, f)
		}
	}
	return r
}

// report prints what was made to happen. The error says that it is less than
// what is wanted.
func (c *covered) report(format coverFormat, least *int, std streams) error {
	if c == nil {
		return nil
	}
	r := c.summed()
	switch format {
	case "json":
		e := json.NewEncoder(std.out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		_ = e.Encode(r) // the output remembers what it could not write
	case "html":
		r.html(std.out)
	default:
		r.text(std)
	}
	if least != nil && r.Reached*100 < *least*r.Total {
		return failf(exitNo, "%d of %d rules were made to happen, which is less than %d %%: add examples for those that never were, or lower --cover-min", r.Reached, r.Total, *least)
	}
	return nil
}

// text prints the shares, and what was never reached.
func (r *coverReport) text(std streams) {
	for _, f := range r.Files {
		std.printf("\n%s: %s", f.File, f.share)
		for _, k := range f.Kinds {
			std.printf("  %-14s %s", k.Kind, k.share)
		}
		if f.Reached < f.Total {
			std.printf("never reached:")
		}
		for _, p := range f.Points {
			if p.Count == 0 {
				std.printf("%s:%d: %s %s", f.File, p.Line, p.Kind, p.Path)
			}
		}
	}
	std.printf("\ncovered: %s", r.share)
}

const coverStyle = `body { font: 15px/1.4 sans-serif; margin: 2em; }
pre { line-height: 1.35; }
td, th { padding: 0 1em 0 0; text-align: left; }
.line { display: block; }
.number, .counts { color: #666; }
.reached { background: #d9f2d9; }
.missed { background: #f8d0d0; }
.some { background: #f6ecc4; }`

// html prints one page that needs nothing else.
func (r *coverReport) html(w io.Writer) {
	esc := html.EscapeString
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Coverage of rules</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<h1>Coverage of rules: %s</h1>\n", coverStyle, r.share)
	fmt.Fprint(w, "<p>Lines of rules that were made to happen are <span class=\"reached\">green</span>, those that never were <span class=\"missed\">red</span>, those of which some were <span class=\"some\">yellow</span>. How often stands behind them.</p>\n<ul>\n")
	for i, f := range r.Files {
		fmt.Fprintf(w, "<li><a href=\"#file%d\">%s</a>: %s</li>\n", i+1, esc(f.File), f.share)
	}
	fmt.Fprint(w, "</ul>\n")
	for i, f := range r.Files {
		fmt.Fprintf(w, "<h2 id=\"file%d\">%s: %s</h2>\n<table>\n", i+1, esc(f.File), f.share)
		for _, k := range f.Kinds {
			fmt.Fprintf(w, "<tr><th>%s</th><td>%s</td></tr>\n", esc(string(k.Kind)), k.share)
		}
		fmt.Fprint(w, "</table>\n<pre>")
		at := map[int][]coverPoint{}
		for _, p := range f.Points {
			at[p.Line] = append(at[p.Line], p)
		}
		for n := 1; n <= f.src.LineCount(); n++ {
			class, counts := lineCover(at[n])
			fmt.Fprintf(w, "<span class=\"line%s\"><span class=\"number\">%5d</span> %s", class, n, esc(f.src.Line(n)))
			if counts != "" {
				fmt.Fprintf(w, "  <span class=\"counts\">%s</span>", esc(counts))
			}
			fmt.Fprint(w, "\n</span>")
		}
		fmt.Fprint(w, "</pre>\n")
	}
	fmt.Fprint(w, "</body>\n</html>\n")
}

// lineCover is the class of a line, and how often each of its points was reached.
func lineCover(points []coverPoint) (class, counts string) {
	var s share
	var out []string
	for _, p := range points {
		s.count(interpreter.Point{Count: p.Count})
		out = append(out, fmt.Sprintf("%s: %d", p.Kind, p.Count))
	}
	switch {
	case len(points) == 0:
		return "", ""
	case s.Reached == s.Total:
		class = " reached"
	case s.Reached == 0:
		class = " missed"
	default:
		class = " some"
	}
	return class, strings.Join(out, ", ")
}
