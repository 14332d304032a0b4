// Package source holds what every stage of reading a rule file shares: the
// file itself, spans in it, and diagnostics that point at spans.
//
// A [Span] is two byte offsets into a [File]. Lines and columns are worked out
// only when a diagnostic is shown, so that stages can pass spans around freely.
package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A File is the text of one rule file. It is immutable once made and safe to
// share between goroutines.
type File struct {
	Name  string // as shown to people: a path with forward slashes
	Text  string
	lines []int // byte offset at which each line starts
}

// bom is the byte order mark that some editors put at the start of a file. It
// belongs to no line, so that columns of the first line stay true.
const bom = "\uFEFF"

// NewFile returns a file with the given display name and text.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	if strings.HasPrefix(text, bom) {
		f.lines[0] = len(bom)
	}
	for i := f.lines[0]; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// LineCol returns the 1-based line and the 1-based column, counted in code
// points, of a byte offset. Offsets outside the text are moved to its ends.
func (f *File) LineCol(offset int) (line, col int) {
	offset = max(f.lines[0], min(offset, len(f.Text)))
	line = sort.SearchInts(f.lines, offset+1)
	return line, utf8.RuneCountInString(f.Text[f.lines[line-1]:offset]) + 1
}

// Line returns the text of a 1-based line without its line end, or "" if there
// is no such line.
func (f *File) Line(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	start, end := f.lines[line-1], len(f.Text)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	if end > start && f.Text[end-1] == '\r' {
		end--
	}
	return f.Text[start:end]
}

// LineCount returns how many lines the file has, at least one.
func (f *File) LineCount() int { return len(f.lines) }

// LineStart returns the byte offset at which a 1-based line starts.
func (f *File) LineStart(line int) int { return f.lines[max(0, min(line-1, len(f.lines)-1))] }

// A Span is a stretch of a file, as byte offsets with an exclusive end. The
// zero Span points nowhere.
type Span struct {
	File       *File
	Start, End int
}

// IsZero reports whether the span points nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the spanned text.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// To returns the span from the start of s to the end of t, which must lie in
// the same file; otherwise it returns s.
func (s Span) To(t Span) Span {
	if s.File == t.File && t.End >= s.Start {
		s.End = t.End
	}
	return s
}

// String returns file:line:col of the start.
func (s Span) String() string {
	if s.File == nil {
		return "-"
	}
	line, col := s.File.LineCol(s.Start)
	return fmt.Sprintf("%s:%d:%d", s.File.Name, line, col)
}
