package main

import (
	"io"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

type explainCommand struct {
	Code string `arg:"" optional:"" help:"Code of a finding, such as E0213."`
	List bool   `help:"List all codes."`
}

// Run explains a code, or lists all of them.
func (c *explainCommand) Run(std streams) error {
	switch {
	case c.List && c.Code != "":
		return failf(exitUsage, "--list lists all codes: leave out `%s`", c.Code)
	case c.List:
		for _, code := range explain.Codes() {
			if p, ok := explain.Find(code); ok {
				std.printf("%s  %s", p.Code, p.Title)
			}
		}
		return nil
	case c.Code == "":
		return failf(exitUsage, "the code is missing; `houserules explain --list` lists all of them")
	}
	p, ok := explain.Find(c.Code)
	if !ok {
		msg := "there is no code `" + c.Code + "`"
		if near := explain.Near(c.Code); len(near) > 0 {
			msg += "; there are " + strings.Join(near, ", ") + " and others"
		}
		return failf(exitUsage, "%s; `houserules explain --list` lists all of them", msg)
	}
	std.printf("%s: %s", p.Code, p.Title)
	for _, para := range p.Prose {
		std.printf("\n%s", strings.Join(source.Fill(para, textWidth(std.out)), "\n"))
	}
	std.printf("\nA sample that is reported with %s%s:", p.Code, byTest(p.Bad))
	printSample(p.Bad, p.Good, false, std)
	std.printf("\nThe same without the mistake:")
	printSample(p.Good, p.Bad, true, std)
	return nil
}

func byTest(s explain.Sample) string {
	if s.Tested {
		return ", by `houserules test " + s.Files[len(s.Files)-1].Name + "`"
	}
	return ""
}

// printSample prints a sample and marks the lines that are not in the other;
// with only set, of several files those that are not in the other.
func printSample(s, other explain.Sample, only bool, std streams) {
	if s.Shell != "" {
		std.printf("\n    $ %s", s.Shell)
		return
	}
	for i, f := range s.Files {
		if only && slices.Contains(other.Files, f) {
			continue
		}
		mine, theirs := strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n"), []string(nil)
		if i < len(other.Files) {
			theirs = strings.Split(strings.TrimSuffix(other.Files[i].Text, "\n"), "\n")
		}
		from, to := changed(mine, theirs)
		std.printf("")
		if len(s.Files) > 1 {
			std.printf("  %s", f.Name)
		}
		for n, line := range mine {
			mark := "    "
			if n >= from && n < to {
				mark = "  > "
			}
			std.printf("%s", strings.TrimRight(mark+visible(line), " "))
		}
	}
}

// changed finds the lines of a that are not in b: those from the first to before
// the second.
func changed(a, b []string) (from, to int) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	to, end := len(a), len(b)
	for to > from && end > from && a[to-1] == b[end-1] {
		to, end = to-1, end-1
	}
	return from, to
}

// visible writes characters that cannot be seen as Go does.
func visible(line string) string {
	return strings.NewReplacer("\t", `\t`, "\a", `\a`).Replace(line)
}

// textWidth is how wide a text is for people: as wide as the terminal, but not
// so wide that lines are hard to follow.
func textWidth(w io.Writer) int {
	const most = 100
	if repl.IsTerminal(w) {
		return min(repl.Width(), most)
	}
	return 80
}
