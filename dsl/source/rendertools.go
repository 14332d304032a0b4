package source

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// maxAnnotations is how many findings of one kind GitHub shows of a step; it
// hides the others without a word.
const maxAnnotations = 10

// RenderGitHub writes the list as the workflow commands that GitHub shows beside
// the lines of a change: errors first, of each kind as many as it shows. The
// last one of a kind says how many more there are.
//
// Source: GitHub Docs, "Workflow commands for GitHub Actions", setting a notice,
// warning or error message.
func RenderGitHub(w io.Writer, l List) error {
	b := bufio.NewWriter(w)
	for _, sev := range []Severity{Error, Warning, Note} {
		n, all := 0, l.Count(sev)
		for _, d := range l {
			if d.Severity != sev || n == maxAnnotations {
				continue
			}
			if n++; n == maxAnnotations && all > n {
				githubLine(b, d, fmt.Sprintf("\n+%d more", all-n))
			} else {
				githubLine(b, d, "")
			}
		}
	}
	return b.Flush()
}

func githubLine(w io.Writer, d *Diagnostic, more string) {
	kind := map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}[d.Severity]
	r := rangeOf(d.Span)
	text := d.Message
	for _, help := range d.Help {
		text += "\nhelp: " + help
	}
	fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,endLine=%d,endColumn=%d,title=%s::%s\n", kind, githubProperty(r.File),
		r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, d.Code, githubText(text+more))
}

// githubText writes what stands behind a command, githubProperty what stands in
// it.
func githubText(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(clean(l), "%", "%25")
	}
	return strings.Join(lines, "%0A")
}

func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}

// SARIF 2.1.0, OASIS Standard of 27 March 2020; the parts that a list of
// findings needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
		Message *sarifText `json:"message,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// RenderSARIF writes the list as a SARIF log with one run, for code scanners;
// version is that of the program.
func RenderSARIF(w io.Writer, l List, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "houserules", Version: version, Rules: []sarifRule{}}
	known := map[string]bool{}
	for _, d := range l {
		if !known[d.Code] {
			known[d.Code] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{d.Code})
		}
		text := d.Message
		for _, help := range d.Help {
			text += "; " + help
		}
		r := sarifResult{RuleID: d.Code, Level: d.Severity.String(), Message: sarifText{text}, Locations: []sarifLocation{sarifPlace(d.Span)}}
		for _, rel := range d.Related {
			at := sarifPlace(rel.Span)
			at.Message = &sarifText{rel.Message}
			r.Related = append(r.Related, at)
		}
		run.Results = append(run.Results, r)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifPlace(s Span) (at sarifLocation) {
	r := rangeOf(s)
	at.Physical.Artifact.URI = uriOf(r.File)
	at.Physical.Region = sarifRegion{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
	return at
}

// uriOf writes the name of a file as a reference to it: a relative one, as
// scanners want, unless the name says where the file is by itself.
func uriOf(name string) string {
	name = strings.ReplaceAll(name, "\\", "/")
	u := url.URL{Path: name}
	if strings.HasPrefix(name, "/") {
		u.Scheme = "file"
	}
	return u.String()
}
