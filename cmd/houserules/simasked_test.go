package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// This file tests what people ask simulations for.

// --vs=-RULE leaves out a house rule that was asked for, by id or file, with its
// options.
func TestSimLeavesOutWhatWasAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "double.yaml")
	write(t, file, "houserules: 1\nvariant: double\nfor: pig\ntitle: Double\nabout: Points count more.\nparams: {times: {default: 2, min: 1, max: 9}}\nbefore: {hold: {do: turn.points = turn.points * times}}\n")
	for _, vs := range []string{"--vs=-double", "--vs=-" + file} {
		code, out, errs := call(t, "", "sim", "pig", "--games", "40", "--with", file, "--set", "times=3", vs)
		if code != exitOK || !strings.Contains(out, "Turns: ") || strings.Contains(out, "Turns: the same") {
			t.Errorf("%s: code %d\n%s%s", vs, code, out, errs)
		}
	}
	code, _, errs := call(t, "", "sim", "pig", "--games", "40", "--with", file, "--vs=-doubel")
	if code != exitUsage || !strings.Contains(errs, "did you mean `double`?") {
		t.Errorf("code %d: %s", code, errs)
	}
}

// Bounds that nothing can reach are mistakes of whoever wrote them.
func TestSimExpectationsThatCannotBeMeant(t *testing.T) {
	for text, want := range map[string]struct {
		code int
		says string
	}{
		"wins.first <= 55":             {exitUsage, "write 55%"},
		"wins.first within 40..60":     {exitUsage, "write 40%"},
		"wins.first within 60%..40%":   {exitUsage, "the lower bound comes first"},
		"wins.first within 0 %..100 %": {exitOK, ": yes, "},
		"wins.first <= 1":              {exitOK, ": yes, "},
		"turns >= -5":                  {exitOK, ": yes, "},
	} {
		code, out, errs := call(t, "", "sim", "pig", "--games", "40", "-q", "--expect", text)
		if code != want.code || !strings.Contains(errs, want.says) {
			t.Errorf("%s: code %d\n%s%s", text, code, out, errs)
		}
	}
	if code, out, errs := call(t, "", "sim", "pig", "--games", "40", "-q", "--metric", "twice = 2 * 3"); code != exitOK || !strings.Contains(out, "\ntwice ") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
}
