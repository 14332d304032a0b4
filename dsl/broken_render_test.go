package dsl

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// TestBrokenForScanners writes all that is said as a log for code scanners.
// They refuse a whole log for one column 0, one finding without a place, or an
// empty name of a file.
func TestBrokenForScanners(t *testing.T) {
	eachBroken(t, func(c *chunk, ds source.List) {
		var b bytes.Buffer
		if err := source.RenderSARIF(&b, ds, "1"); err != nil {
			t.Fatal(err)
		}
		type place struct {
			PhysicalLocation struct {
				ArtifactLocation struct{ URI string }
				Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
			}
		}
		var log struct {
			Version string
			Runs    []struct {
				ColumnKind string
				Results    []struct {
					RuleID, Level               string
					Message                     struct{ Text string }
					Locations, RelatedLocations []place
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "unicodeCodePoints" || len(log.Runs[0].Results) != len(ds) ||
			bytes.Contains(b.Bytes(), []byte(`"results":null`)) {
			t.Fatalf("%s: %s", c.name, b.String())
		}
		for _, r := range log.Runs[0].Results {
			if len(r.Locations) != 1 || r.Message.Text == "" || !regexp.MustCompile(`^(error|warning|note)$`).MatchString(r.Level) {
				t.Errorf("%s: %+v", c.name, r)
			}
			for _, p := range append(r.Locations, r.RelatedLocations...) {
				at, uri := p.PhysicalLocation.Region, p.PhysicalLocation.ArtifactLocation.URI
				u, err := url.Parse(uri)
				if err != nil || uri == "" || u.IsAbs() || strings.ContainsAny(uri, `\ <>`) {
					t.Errorf("%s: a file is named %q", c.name, uri)
				}
				if at.StartLine < 1 || at.StartColumn < 1 || at.EndLine < at.StartLine || at.EndLine == at.StartLine && at.EndColumn < at.StartColumn {
					t.Errorf("%s: %s at %+v", c.name, r.RuleID, at)
				}
			}
		}
	})
}

// eachBroken calls f with every chunk and what is said about it.
func eachBroken(t *testing.T, f func(*chunk, source.List)) {
	t.Helper()
	byName := map[string]*chunk{}
	var order []*chunk
	for _, path := range brokenFiles(t) {
		for _, c := range readBroken(t, path) {
			byName[c.name] = c
			order = append(order, c)
		}
	}
	for _, c := range order {
		f(c, loadChunk(t, c, byName))
	}
}
