package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
)

// This file reads the comments by which a rule file says that a warning is
// known: `# houserules:allow W0502 — reason`, at the end of the line or on a
// line of its own above it.

// An allowance is one such comment.
type allowance struct {
	span  source.Span
	codes []string
	first int // the lines to which it applies
	last  int
	wrong string // what is wrong with it, or ""
	used  bool
}

// maxComments is how many wrong comments of a file are reported.
const maxComments = 50

var (
	allowText   = regexp.MustCompile(`(?:^|\s)((?:#|//)[ \t]*houserules:allow\b(.*))$`)
	allowedCode = regexp.MustCompile(`^[A-Za-z]?\d{3,4}\b`)
)

// allowances finds the comments of a file.
func allowances(f *source.File) []*allowance {
	if !strings.Contains(f.Text, "houserules:allow") {
		return nil
	}
	var out []*allowance
	next := 0 // the first line below that is not such a comment by itself
	for n := f.LineCount(); n >= 1; n-- {
		line := f.Line(n)
		at := allowText.FindStringSubmatchIndex(line)
		if at == nil {
			next = n
			continue
		}
		start := f.LineStart(n)
		a := &allowance{span: source.Span{File: f, Start: start + at[2], End: start + at[3]}, first: n, last: n}
		a.read(line[at[4]:at[5]])
		if strings.TrimSpace(line[:at[2]]) == "" {
			a.last = next
		} else {
			next = n
		}
		out = append(out, a)
	}
	slices.Reverse(out)
	return out
}

// read takes the codes and the reason from what stands behind the keyword.
func (a *allowance) read(text string) {
	text = strings.TrimSpace(text)
	for {
		word := allowedCode.FindString(text)
		if word == "" {
			break
		}
		page, ok := explain.Find(word)
		switch {
		case !ok:
			a.wrong = "there is no finding `" + word + "`"
		case page.Code[0] == 'E':
			a.wrong = page.Code + " is an error, which cannot be allowed"
		default:
			a.codes = append(a.codes, page.Code)
		}
		text = strings.TrimLeft(text[len(word):], " \t,")
	}
	switch {
	case a.wrong != "":
	case len(a.codes) == 0:
		a.wrong = "this allows nothing"
	case strings.Trim(text, " \t-–—:") == "":
		a.wrong = "a reason is missing"
	}
}

// passes reports whether a finding is allowed, and notes that it was.
func (a *allowance) passes(d *source.Diagnostic) bool {
	line, _ := d.Span.File.LineCol(d.Span.Start)
	if a.wrong != "" || line < a.first || line > a.last || !slices.Contains(a.codes, d.Code) {
		return false
	}
	a.used = true
	return true
}

// passOver leaves out the findings that comments in the files allow, and adds
// what is wrong with the comments of the files that are checked.
func (c *checkCommand) passOver(ds source.List, files []*merge.File) source.List {
	read := map[*source.File][]*allowance{}
	broken := map[*source.File]bool{}
	for _, f := range files {
		read[f.Src] = allowances(f.Src)
	}
	ds = slices.DeleteFunc(ds, func(d *source.Diagnostic) bool {
		f := d.Span.File
		if d.Severity == source.Error {
			broken[f] = true
			return false
		}
		list, known := read[f]
		if !known {
			list = allowances(f)
			read[f] = list
		}
		return slices.ContainsFunc(list, func(a *allowance) bool { return a.passes(d) })
	})
	for _, f := range files {
		if broken[f.Src] {
			continue // lints are only looked for where nothing is wrong
		}
		var found source.List
		for _, a := range read[f.Src] {
			c.judge(&found, a)
		}
		ds = append(ds, found[:min(len(found), maxComments)]...)
	}
	ds.Sort()
	return ds
}

// judge reports a comment that is wrong, or allows what is not there.
func (c *checkCommand) judge(ds *source.List, a *allowance) {
	played := func(code string) bool { return code == "W0520" || code == "W0521" }
	switch {
	case a.wrong != "":
		ds.Warnf("W0599", a.span, "%s", a.wrong).WithHelp("write `houserules:allow CODE — why`")
	case a.used, len(c.With) > 0, c.Play == 0 && slices.ContainsFunc(a.codes, played):
	default:
		ds.Warnf("W0599", a.span, "there is nothing here to allow").WithHelp("take the comment out")
	}
}
