package source

import (
	"errors"
	"fmt"
	"testing"
)

func TestLineCol(t *testing.T) {
	f := NewFile("f", "\uFEFFaé\r\n骰x\n")
	for _, test := range []struct{ offset, line, col int }{
		{-1, 1, 1}, {0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {6, 1, 3}, {8, 2, 1}, {11, 2, 2}, {13, 3, 1}, {99, 3, 1},
	} {
		if line, col := f.LineCol(test.offset); line != test.line || col != test.col {
			t.Errorf("%d: got %d:%d, want %d:%d", test.offset, line, col, test.line, test.col)
		}
	}
	if f.Line(1) != "aé" || f.Line(2) != "骰x" || f.Line(3) != "" || f.Line(4) != "" || f.LineCount() != 3 {
		t.Errorf("lines %q %q %q", f.Line(1), f.Line(2), f.Line(3))
	}
	if e := NewFile("f", "\uFEFF"); e.Line(1) != "" || e.LineCount() != 1 {
		t.Error("a file of nothing but a byte order mark")
	}
}

func TestListErr(t *testing.T) {
	f := NewFile("f", "ab")
	var l List
	l.Warnf("W1", Span{f, 0, 1}, "w")
	if l.Err() != nil || l.HasErrors() || l.Summary() != "1 warning" {
		t.Errorf("a warning is no error: %v, %s", l.Err(), l.Summary())
	}
	l.Errorf("E2", Span{f, 1, 2}, "two")
	l.Errorf("E1", Span{f, 0, 1}, "one")
	l.Errorf("E1", Span{f, 0, 1}, "one")
	l.Sort()
	if got := l.Summary(); got != "2 errors, 1 warning" {
		t.Errorf("summary %q", got)
	}
	err := fmt.Errorf("reading: %w", l.Err())
	if got := err.Error(); got != "reading: f:1:1: error[E1] one (and 1 more)" {
		t.Errorf("got %q", got)
	}
	if len(AsList(err)) != 3 || AsList(errors.New("x")) != nil {
		t.Error("AsList")
	}
}

// A finding without a place is a mistake of ours, and found as soon as it is
// made.
func TestEveryFindingHasAPlace(t *testing.T) {
	var l List
	for _, add := range []func(string, Span, string, ...any) *Diagnostic{l.Errorf, l.Warnf, l.Notef} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a finding without a place was taken")
				}
			}()
			add("E0213", Span{}, "nowhere")
		}()
	}
}
