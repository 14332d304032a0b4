package main

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

type explainCommand struct {
	Word []string `arg:"" optional:"" help:"Code of a finding, such as E0213, or a word of rule files, such as forbid or params.default. With --list: what is listed."`
	List bool     `help:"List codes, or keys, statements, picks, functions, questions, words, operators or types."`
}

// Run explains a code or a word, or lists what there is.
func (c *explainCommand) Run(std streams) error {
	word := strings.TrimSpace(strings.Join(c.Word, " "))
	switch {
	case c.List:
		return list(word, std)
	case word == "":
		return failf(exitUsage, "a code or a word is missing; `houserules explain --list` lists the codes, `--list keys` and so on the words")
	}
	if p, ok := explain.Find(word); ok {
		explainCode(p, std)
		return nil
	}
	book := dsl.Lexicon()
	if found := book.Find(word); len(found) > 0 {
		explainWord(word, found, std)
		return nil
	}
	if looksLikeCode.MatchString(word) {
		return failf(exitUsage, "there is no code `%s`; there are %s and others; `houserules explain --list` lists all of them", word, strings.Join(explain.Near(word), ", "))
	}
	msg := "there is no code and no word `" + word + "`"
	if near := book.Near(word); len(near) > 0 {
		msg += "; did you mean `" + strings.Join(near, "` or `") + "`?"
	}
	return failf(exitUsage, "%s", msg)
}

// looksLikeCode matches what was meant as the code of a finding.
var looksLikeCode = regexp.MustCompile(`^[A-Za-z]?[0-9]+$`)

func explainCode(p *explain.Page, std streams) {
	std.printf("%s: %s", p.Code, p.Title)
	for _, para := range p.Prose {
		std.printf("\n%s", strings.Join(source.Fill(para, textWidth(std.out)), "\n"))
	}
	std.printf("\nA sample that is reported with %s%s:", p.Code, byTest(p.Bad))
	printSample(p.Bad, p.Good, false, std)
	std.printf("\nThe same without the mistake:")
	printSample(p.Good, p.Bad, true, std)
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
