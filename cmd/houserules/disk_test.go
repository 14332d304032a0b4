package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// wholeGame is a game for two in which all dice are typed, from the roll-off to
// Last Licks.
const wholeGame = `2
5
333333
keep all
3x1 1 2 3
keep 1 1 1 1
bank
1 2 3 4 5 6
keep all
5,5,5,5,2,3
keep 5 5 5 5
bank
234566
keep 2 3 4 5 6
roll
6
6x6
keep all
112345
keep all
444236
bank
444444
keep all
111523
keep 1115
roll
1 5
keep 1 5
552346
keep 23456
bank
112346
keep 11
roll
1113
keep 111
bank
522336
roll
11234
keep 1 1
bank
155236
keep 1 5 5
roll
off the tabel
523
roll
14
bank
`

// wholeResult is how it ends, with one blank between words.
const wholeResult = "Ann wins 1. Ann 10150 2. Bob 10050 " +
	"Ann Bob 1 1600 B 1600 4100 B B B B 4100 2 7000 B B B B B B B 8600 Z 4100 3 1200 B 9800 5700 B B B B B 9800 4 350 B B 10150 250 B 10050 total 10150 10050"

func TestWholeGameWithRealDice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.jsonl")
	code, out, errs := call(t, wholeGame, "play", "zonk", "--players", "Ann,Bob", "--dice", "real", "--journal", path, "--keep-going")
	contains(t, out,
		"Ann, opening: type a number from 1 to 6\nAnn: opening 2\nBob, opening: type a number",
		"throw 6 dice and type the faces, or `off the table`\nthrown: 3 3 3 3 3 3\n",
		"throw one of the dice and type its face, or `off the table`\nthrown: 6\nZonk\n",
		"`off` is no face of the dice: 1 2 3 4 5 6; throw 3 dice and type the faces",
		"Last Licks! Each other player has one more turn to beat 10050.",
		"sheet: Ann 350 B B, total 10150\n\nAnn wins\n",
	)
	if got := strings.Join(strings.Fields(out), " "); code != exitOK || errs != "" || !strings.Contains(got, wholeResult) {
		t.Error(code, errs, got)
	}
	if code, out, errs := call(t, "", "replay", path, "--verify"); code != exitOK || !strings.Contains(out, "the game ends the same way") {
		t.Error(code, out, errs)
	}
}

type fullDisk struct{ left int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(b), nil
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range []string{"games", "--help", "play --help", "version", "play zonk --seed 1", "check pig", "check pig --out json", "test " + pig} {
		for _, room := range []int{0, 5} {
			var errs strings.Builder
			if code := run(strings.Fields(args), strings.NewReader("help\n"), &fullDisk{room}, &errs); code != exitCannot || errs.String() != "houserules: the output cannot be written: no space left on device\n" {
				t.Errorf("%s: %d, %q", args, code, errs.String())
			}
		}
	}
}

func TestJSONIsJSON(t *testing.T) {
	for _, arg := range []string{"zonk", "../../testdata/family", "../../testdata/broken"} {
		_, out, errs := call(t, "", "check", arg, "--out", "json")
		var report struct {
			Version     string         `json:"format_version"`
			Counts      map[string]int `json:"counts"`
			Diagnostics []struct {
				Code, Severity, Summary string
				Range                   struct {
					File  string
					Start struct{ Line, Column int }
				}
			} `json:"diagnostics"`
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil || errs != "" || report.Version == "" || report.Diagnostics == nil {
			t.Errorf("%s: %v, %s\n%s", arg, err, errs, out)
		}
		n := 0
		for _, c := range report.Counts {
			n += c
		}
		if n != len(report.Diagnostics) {
			t.Errorf("%s: counted %d, not %d", arg, n, len(report.Diagnostics))
		}
		for _, d := range report.Diagnostics {
			if d.Code == "" || d.Severity == "" || d.Summary == "" || d.Range.File == "" || d.Range.Start.Line < 1 || d.Range.Start.Column < 1 {
				t.Errorf("%s: %+v", arg, d)
			}
		}
	}
}
