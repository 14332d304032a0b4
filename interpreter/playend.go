package interpreter

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file reads the lines of examples about what comes of a game: how an
// opening ends, and which records are entered.

// begins tests the end of an opening: `Ann begins [with ID, ..] [set NAME =
// VALUE, ..]`. No house rules are named where none may have been chosen; of the
// values only those named are tested.
func (x *exampleGame) begins(l line) {
	start := x.m.Started()
	if x.req.Kind != Over || start == nil {
		x.failf(l.Whole(), "the opening goes on")
		return
	}
	text, sets, hasSets := l.cut(" set ")
	text, with, _ := text.cut(" with ")
	name, ok := strings.CutSuffix(text.Value, " begins")
	if !ok {
		x.failf(l.Whole(), "write `= Ann begins`, and maybe `with ID, ID` and `set PARAM = VALUE`")
		return
	}
	if got := x.m.Name(start.Seat); got != strings.TrimSpace(name) {
		x.failf(text.Whole(), "%s begins", got)
	}
	want := strings.FieldsFunc(with.Value, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(want)
	if !slices.Equal(want, start.With) {
		got := "no house rules were chosen"
		if len(start.With) > 0 {
			got = "the house rules are " + strings.Join(start.With, ", ")
		}
		x.failf(l.Whole(), "%s", got)
	}
	if !hasSets {
		return
	}
	for _, set := range strings.Split(sets.Value, ",") {
		param, value, _ := strings.Cut(set, "=")
		param, value = strings.TrimSpace(param), strings.TrimSpace(value)
		if got, ok := start.Set[param]; !ok {
			x.failf(sets.Whole(), "`%s` is not set", param)
		} else if got != value {
			x.failf(sets.Whole(), "`%s` is %s", param, got)
		}
	}
}

// recordRule finds a record of the rules by its name, or returns nil.
func (x *exampleGame) recordRule(name string) *dsl.RecordRule {
	for _, r := range x.prog.Records {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// recorded tests whether a record is entered: on a shelf that the example
// leaves empty, or since it is better than what stands there.
func (x *exampleGame) recorded(l line, rule *dsl.RecordRule, want bool) {
	if x.req.Kind != Over {
		x.failf(l.Whole(), "the game is not over")
		return
	}
	entries, err := x.m.Records()
	if err != nil {
		x.failf(l.Whole(), "%s", err)
		return
	}
	found := slices.ContainsFunc(entries, func(e RecordEntry) bool {
		if e.Rule != rule {
			return false
		}
		for _, old := range x.ex.Records {
			if old.Name == e.Name && old.Shelf == e.Shelf && !e.Beats(old.Value) {
				return false
			}
		}
		return true
	})
	if found != want {
		x.failf(l.Whole(), "%s", map[bool]string{true: "no record is entered", false: "a record is entered"}[want])
	}
}
