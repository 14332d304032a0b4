package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// A testCase is an example or a transcript that was run.
type testCase struct {
	file   string // where it stands
	name   string
	line   int // of the example in its file, from 1; 0 if it is the whole file
	took   time.Duration
	failed bool
	text   string // what was printed about it
}

// tally counts tests, and keeps them in the order in which they were run.
type tally struct {
	passed, failed int
	tests          []testCase
}

func (t *tally) add(x testCase) {
	if x.failed {
		t.failed++
	} else {
		t.passed++
	}
	t.tests = append(t.tests, x)
}

// The report that tools for continuous integration read.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Time     seconds      `xml:"time,attr"`
		Files    []*junitFile `xml:"testsuite"`
	}
	junitFile struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Time     seconds     `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr,omitempty"`
		Time    seconds       `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// seconds is a time as reports write it.
type seconds time.Duration

// MarshalText writes the seconds with three digits behind the point.
func (s seconds) MarshalText() ([]byte, error) {
	return []byte(fmt.Sprintf("%.3f", time.Duration(s).Seconds())), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *seconds) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text) + "s")
	*s = seconds(d)
	return err
}

// junit writes the report: a suite for each file.
func (t *tally) junit(w io.Writer) {
	r := &junitReport{Name: "houserules"}
	files := map[string]*junitFile{}
	for _, x := range t.tests {
		s := files[x.file]
		if s == nil {
			s = &junitFile{Name: x.file}
			files[x.file] = s
			r.Files = append(r.Files, s)
		}
		c := junitCase{Name: x.name, Class: strings.NewReplacer("/", ".").Replace(x.file), File: x.file, Line: x.line, Time: seconds(x.took)}
		if x.failed {
			first, _, _ := strings.Cut(x.text, "\n")
			c.Failure = &junitFailure{Message: first, Text: x.text}
			s.Failures++
			r.Failures++
		}
		s.Tests++
		r.Tests++
		s.Time += c.Time
		r.Time += c.Time
		s.Cases = append(s.Cases, c)
	}
	fmt.Fprint(w, xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	_ = e.Encode(r) // the output remembers what it could not write
	fmt.Fprintln(w)
}
