package source

import (
	"bytes"
	"encoding/json"
	"testing"
)

func twoFindings() List {
	f := NewFile("rules/odd, one.yaml", "a: 1\nb: ééx\n")
	var l List
	d := l.Errorf("E0213", Span{f, 10, 11}, "100%% of `x` is\nunknown")
	d.WithHelp("write `y`")
	d.Related = append(d.Related, Related{"declared here", Span{f, 0, 1}})
	l.Warnf("W0501", Span{f, 0, 4}, "nobody reads `a`")
	return l
}

func TestRenderGitHub(t *testing.T) {
	var b bytes.Buffer
	if err := RenderGitHub(&b, twoFindings()); err != nil {
		t.Fatal(err)
	}
	// Line 2 begins at byte 5; each é is two bytes and one column.
	want := "::error file=rules/odd%2C one.yaml,line=2,col=5,endLine=2,endColumn=6,title=E0213::100%25 of `x` is%0Aunknown%0Ahelp: write `y`\n" +
		"::warning file=rules/odd%2C one.yaml,line=1,col=1,endLine=1,endColumn=5,title=W0501::nobody reads `a`\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestRenderSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := RenderSARIF(&b, twoFindings(), "1.2"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || run.ColumnKind != "unicodeCodePoints" || len(run.Tool.Driver.Rules) != 2 || run.Tool.Driver.Version != "1.2" {
		t.Errorf("%s", b.String())
	}
	first := run.Results[0]
	if at := first.Locations[0].Physical; first.Level != "error" || at.Artifact.URI != "rules/odd,%20one.yaml" || at.Region != (sarifRegion{2, 5, 2, 6}) ||
		first.Related[0].Message.Text != "declared here" || run.Results[1].Level != "warning" {
		t.Errorf("%+v", run.Results)
	}

	b.Reset()
	if err := RenderSARIF(&b, nil, ""); err != nil || !bytes.Contains(b.Bytes(), []byte(`"results":[]`)) {
		t.Errorf("%v %s", err, b.String())
	}
}

// GitHub shows ten findings of a kind. Errors come first, and the tenth says
// how many there are besides.
func TestGitHubHidesNothing(t *testing.T) {
	f := NewFile("a.yaml", "a: 1\n")
	var l List
	for range 12 {
		l.Warnf("W0501", Span{f, 0, 1}, "w")
	}
	for range 10 {
		l.Notef("W0512", Span{f, 0, 1}, "n")
	}
	for range 47 {
		l.Errorf("E0213", Span{f, 0, 1}, "e")
	}
	var b bytes.Buffer
	if err := RenderGitHub(&b, l); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n"))
	if len(lines) != 30 || !bytes.HasPrefix(lines[0], []byte("::error")) || !bytes.HasSuffix(lines[9], []byte("::e%0A+37 more")) ||
		!bytes.HasSuffix(lines[19], []byte("::w%0A+2 more")) || !bytes.HasSuffix(lines[29], []byte("::n")) {
		t.Errorf("%s", b.String())
	}
}
