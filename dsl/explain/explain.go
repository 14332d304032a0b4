// Package explain has a page for every code of a diagnostic: what it means, why
// it matters, a sample that is reported with this code, and the sample mended.
//
// The pages are Markdown files in the folder pages, one a code. Such a file has
// a heading `# CODE: TITLE`, paragraphs, and two blocks whose info strings end
// in `bad` and `good`, in this order. Several files of one sample are parted by
// lines `--- file: NAME`.
package explain

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

//go:embed pages/*.md
var pages embed.FS

// A Page explains one code.
type Page struct {
	Code  string // such as E0213
	Title string
	Prose []string // paragraphs
	Bad   Sample   // is reported with the code
	Good  Sample   // the same without the mistake
}

// A Sample is a file, several that belong together, or a line of a shell.
type Sample struct {
	Files []File // in the order in which they are shown
	// Tested says that not `check` of all files reports the code, but `test` of
	// the last.
	Tested bool
	// Played says that it takes `check --play` to find it.
	Played bool
	// Shell is a command line in place of files, without the prompt.
	Shell string
}

// A File is one file of a sample.
type File struct {
	Name string
	Text string
}

// only is the name of a file that is a sample by itself.
const only = "sample.yaml"

// Codes returns the codes that have a page, sorted.
func Codes() []string {
	entries, err := pages.ReadDir("pages")
	if err != nil {
		panic(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".md"))
	}
	return out
}

// Find returns the page of a code, however it is written: `E0213`, `e213` and
// `213` are one; false if there is none.
func Find(code string) (*Page, bool) {
	code = full(code)
	if !slices.Contains(Codes(), code) {
		return nil, false
	}
	text, err := pages.ReadFile(path.Join("pages", code+".md"))
	if err != nil {
		panic(err)
	}
	p, err := read(code, strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err != nil {
		panic(fmt.Sprintf("explain: the page of %s: %v", code, err))
	}
	return p, true
}

// full writes a code as messages have it: a capital letter and four digits. What
// cannot be one stays as it is.
func full(code string) string {
	up := strings.ToUpper(strings.TrimSpace(code))
	letter, digits := "E", up
	if up != "" && (up[0] == 'E' || up[0] == 'W') {
		letter, digits = up[:1], up[1:]
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n > 9999 {
		return up
	}
	if letter != up[:1] && n >= 500 && n < 600 {
		letter = "W"
	}
	return fmt.Sprintf("%s%04d", letter, n)
}

// Near returns the codes that are most like one that has no page, at most four.
func Near(code string) []string {
	code = full(code)
	all := Codes()
	if n, err := strconv.Atoi(strings.TrimLeft(code, "EW")); err == nil {
		slices.SortStableFunc(all, func(a, b string) int { return distance(a, n) - distance(b, n) })
		all = all[:min(len(all), 4)]
		slices.Sort(all)
		return all
	}
	near := source.Nearest(code, all)
	return near[:min(len(near), 4)]
}

// distance is how far a code is from a number.
func distance(code string, n int) int {
	m, _ := strconv.Atoi(code[1:])
	return max(m-n, n-m)
}

// read takes a page apart.
func read(code, text string) (*Page, error) {
	p := &Page{Code: code}
	head, rest, _ := strings.Cut(text, "\n")
	title, ok := strings.CutPrefix(head, "# "+code+": ")
	if !ok || title == "" {
		return nil, fmt.Errorf("it does not begin with `# %s: TITLE`", code)
	}
	p.Title = title
	prose, rest, ok := strings.Cut(rest, "\n```")
	if !ok {
		return nil, fmt.Errorf("it has no sample")
	}
	for _, para := range strings.Split(strings.TrimSpace(prose), "\n\n") {
		p.Prose = append(p.Prose, strings.Join(strings.Fields(para), " "))
	}
	for _, s := range []struct {
		word string
		to   *Sample
	}{{"bad", &p.Bad}, {"good", &p.Good}} {
		info, body, _ := strings.Cut(rest, "\n")
		words := strings.Fields(info)
		if len(words) < 2 || words[1] != s.word {
			return nil, fmt.Errorf("a block `%s` is wanted, not `%s`", s.word, info)
		}
		body, rest, ok = strings.Cut(body, "```\n")
		if !ok {
			return nil, fmt.Errorf("the block `%s` is not closed", info)
		}
		*s.to = sample(words, body)
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "\n"), "```")
	}
	if rest != "" {
		return nil, fmt.Errorf("nothing stands behind the samples, but `%s` does", rest)
	}
	return p, nil
}

// sample reads the body of a block with the words of its info string.
func sample(info []string, body string) Sample {
	s := Sample{Tested: slices.Contains(info, "test"), Played: slices.Contains(info, "play")}
	if info[0] == "console" {
		s.Shell = strings.TrimSpace(strings.TrimPrefix(body, "$ "))
		return s
	}
	const mark = "--- file: "
	if !strings.HasPrefix(body, mark) {
		s.Files = []File{{only, body}}
		return s
	}
	for _, part := range strings.Split("\n"+body, "\n"+mark)[1:] {
		name, text, _ := strings.Cut(part, "\n")
		s.Files = append(s.Files, File{name, strings.TrimSuffix(text, "\n") + "\n"})
	}
	return s
}
