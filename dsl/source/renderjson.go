package source

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// FormatVersion is the version of what [RenderJSON] writes.
const FormatVersion = "1.0"

type jsonReport struct {
	FormatVersion string           `json:"format_version"`
	Tool          jsonTool         `json:"tool"`
	Counts        jsonCounts       `json:"counts"`
	Diagnostics   []jsonDiagnostic `json:"diagnostics"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonCounts struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

type jsonDiagnostic struct {
	Code        string           `json:"code"`
	Severity    string           `json:"severity"`
	Summary     string           `json:"summary"`
	Label       string           `json:"label,omitempty"`
	Range       jsonRange        `json:"range"`
	Path        string           `json:"path,omitempty"`
	Snippet     jsonSnippet      `json:"snippet"`
	Related     []jsonRelated    `json:"related"`
	Suggestions []jsonSuggestion `json:"suggestions"`
}

type jsonRange struct {
	File  string  `json:"file"`
	Start jsonPos `json:"start"`
	End   jsonPos `json:"end"`
}

// A jsonPos has a line and column from 1, the column in code points, and a
// byte offset from 0. Ends are exclusive.
type jsonPos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

type jsonSnippet struct {
	Text      string        `json:"text"`
	Highlight jsonHighlight `json:"highlight"`
}

type jsonHighlight struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

type jsonRelated struct {
	Message string    `json:"message"`
	Range   jsonRange `json:"range"`
}

type jsonSuggestion struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// RenderJSON writes the list as one JSON object with the version of the program
// that found it.
func RenderJSON(w io.Writer, l List, version string) error {
	r := jsonReport{
		FormatVersion: FormatVersion,
		Tool:          jsonTool{"houserules", version},
		Counts:        jsonCounts{l.Count(Error), l.Count(Warning), l.Count(Note)},
		Diagnostics:   []jsonDiagnostic{},
	}
	for _, d := range l {
		r.Diagnostics = append(r.Diagnostics, toJSON(d))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func toJSON(d *Diagnostic) jsonDiagnostic {
	j := jsonDiagnostic{
		Code: d.Code, Severity: d.Severity.String(), Summary: d.Message, Label: d.Label,
		Range: rangeOf(d.Span), Path: d.Path, Snippet: snippetOf(d.Span),
		Related: []jsonRelated{}, Suggestions: []jsonSuggestion{},
	}
	for _, r := range d.Related {
		j.Related = append(j.Related, jsonRelated{r.Message, rangeOf(r.Span)})
	}
	for i, help := range d.Help {
		s := jsonSuggestion{help, []jsonEdit{}}
		if i == 0 {
			for _, e := range d.Edits {
				s.Edits = append(s.Edits, jsonEdit{e.Span.File.Name, e.Span.Start, e.Span.End, e.Text})
			}
		}
		j.Suggestions = append(j.Suggestions, s)
	}
	return j
}

func rangeOf(s Span) jsonRange {
	if s.IsZero() {
		return jsonRange{}
	}
	pos := func(at int) jsonPos {
		line, col := s.File.LineCol(at)
		return jsonPos{line, col, at}
	}
	return jsonRange{s.File.Name, pos(s.Start), pos(s.End)}
}

// snippetOf returns the line on which a span starts, or nothing if it is so long
// that nobody shows it. The highlight ends with the line if the span does not.
func snippetOf(s Span) jsonSnippet {
	if s.IsZero() {
		return jsonSnippet{}
	}
	line, col := s.File.LineCol(s.Start)
	text := s.File.Line(line)
	if len(text) > 4*longLine {
		return jsonSnippet{}
	}
	end := utf8.RuneCountInString(text) + 1
	if last, c := s.File.LineCol(s.End); last == line {
		end = min(c, end)
	}
	return jsonSnippet{strings.ToValidUTF8(text, "\uFFFD"), jsonHighlight{col, max(end, col)}}
}
