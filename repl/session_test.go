package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// pair is a line that is typed and what is printed for it.
type pair struct{ typed, printed string }

func (d *desk) plays(pairs []pair) {
	d.t.Helper()
	for _, p := range pairs {
		want := strings.TrimPrefix(p.printed, "\n")
		if got := d.types(p.typed); got != want {
			d.t.Errorf("typed %q\nprinted:\n%s\nwanted:\n%s", p.typed, got, want)
		}
	}
}

func TestOpening(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{With: []string{"lubs"}, Set: map[string]string{"target": "5000"}}), "Ann,bot:random",
		func(c *Config) { c.Luck, c.Header.RealDice = dice("6", "4", "1 1 2 2 3 4"), true })
	got := d.start()
	contains(t, got,
		"Zonk: Throw six dice",
		"house rules: Lubs\n",
		"options: target 5000 instead of 10000\n",
		"players: Ann, Random (bot)\n",
		"Ann: opening 6\nRandom: opening 4\n\nAnn, turn 1\nthrown: 1 1 2 2 3 4\n",
		"Which dice do you set aside?\n1 keep 1 1  (+200)\n2 keep 1  (+100)\n",
	)
}

func TestMoves(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{}), "Ann,Bob",
		real("6", "4", "1 5 5 2 3 6", "1 1 1 4", "1 5 2 2 3 3"))
	d.start()
	d.plays([]pair{
		{"", ""},
		{"# a remark", ""},
		{"nothing", "there is no `nothing` here; possible: keep; `?` helps\n"},
		{"kepe 1", "there is no `kepe` here; did you mean `keep`?; possible: keep; `?` helps\n"},
		{"bank", "`bank` is not possible now; possible: keep; `?` helps\n"},
		{"9", "there is no move 9: the moves are numbered 1-5\n"},
		{"1 5", "there is no `1` here; possible: keep; did you mean `keep 1 5`?\n"},
		{":", "a command is missing after the colon; possible: keep; `?` helps\n"},
		{"undo", "there is nothing to take back\n"},
		{strings.Repeat("x", 2000), "a line of 2000 bytes is too long to be a move\n"},
		{"keep 1 3", "no: every die that you set aside must score (rule every_die_scores)\n`why` shows what it was made of\n"},
		{"k 5 1", `
Ann: keep 1 5
+100 one
+50 five
150 points this turn, dice left to throw: 4
set aside: 1 5
Stop or throw again?
1 roll   2 bank
`},
		{"roll", `
thrown: 1 1 1 4
150 points this turn, dice left to throw: 4
set aside: 1 5
Which dice do you set aside?
1 keep 1 1 1  (+1000)
2 keep 1 1  (+200)
3 keep 1  (+100)
`},
		{"why score", "no total has changed yet\n"},
		{"1", `
Ann: keep 1 1 1
+1000 of a kind
1150 points this turn, dice left to throw: 1
set aside: 1 1 1 1 5
Stop or throw again?
1 roll   2 bank
`},
		{"ba", `
Ann: bank
sheet: Ann 1150 B, total 1150

Bob, turn 1
thrown: 1 2 2 3 3 5
Which dice do you set aside?
1 keep 1 5  (+150)
2 keep 1  (+100)
3 keep 5  (+50)
`},
	})
}

func TestWhy(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{}), "Ann,Bob", real("6", "4", "1 5 5 2 3 6"))
	d.start()
	d.types("keep 1 3")
	got := d.types("why")
	contains(t, got,
		"keep: every die that you set aside must score\n",
		"rule every_die_scores, rulesets/zonk.yaml:",
		"combos.all_score(kept)  = no",
		"rulesets/zonk.yaml:",
	)
}

// bold is a house rule that leaves two moves and bars a third.
const bold = `houserules: 1
variant: bold
for: pig
title: Be Bold
add:
  phases.choose.actions.pass: next turn
forbid:
  hold: {when: turn.points < 10, because: "{turn.points} is too little to hold"}
`

func TestRefusalNamesTheHouseRule(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{With: []string{"bold"}}, bold), "Ann,Bob", real("6"))
	d.start()
	if d.types("roll"); !d.Done() {
		d.printed()
	}
	err := d.OneShot(context.Background(), "hold")
	var bad *LineError
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	if _, variant := bad.RefusedBy(); variant != "bold" {
		t.Errorf("%v refused by %q", err, variant)
	}
	if got := d.printed(); !strings.Contains(got, "no: 6 is too little to hold (rule ") || !strings.Contains(got, ", house rule Be Bold)\n") {
		t.Error(got)
	}
	if got := d.types("why"); !strings.Contains(got, "more.yaml:8:3, house rule Be Bold") || !strings.Contains(got, "turn.points       = 6") {
		t.Error(got)
	}
	if got := d.types("actions --all"); !strings.Contains(got, "no hold: 6 is too little to hold") {
		t.Error(got)
	}
}

func TestForcedMovesSayWhatIsBarred(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{With: []string{"breaking-the-ice"}}), "Ann,Bob",
		real("6", "4", "1 1 5 2 3 3", "1 1 3"))
	d.start()
	if got := d.types("keep 1 1 5"); !strings.Contains(got, "Ann: roll (the only thing to do; no bank: Ann has not broken the ice: 250 is short of 1000)\n") {
		t.Error(got)
	}
}

// TestScoreAligns is B-116: columns begin in the same terminal cells whatever
// the names are made of.
func TestScoreAligns(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "你好,Bob,Zoë", real("6", "5"))
	d.start()
	d.types("hold")
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(d.types("score"), "total", "Total")), "\n")
	head, total := "       "+lines[0], lines[1]
	for _, c := range []struct{ name, value string }{{"你好", "6"}, {"Bob", "0"}} {
		a := displaywidth.String(head[:strings.Index(head, c.name)])
		b := displaywidth.String(total[:strings.Index(total, c.value)])
		if a != b {
			t.Errorf("%s begins at %d, its total at %d:\n%s\n%s", c.name, a, b, head, total)
		}
	}
	if p := d.Prompt(); p != "Bob> " {
		t.Errorf("prompt %q", p)
	}
}

// A prompt has no name of which the line editor does not know how wide it is.
func TestPromptFitsTheEditor(t *testing.T) {
	for name, want := range map[string]string{"你好": "你好> ", "Jürgen": "Jürgen> ", "😀": "player 1> "} {
		d := newDesk(t, load(t, pig, dsl.Options{}), name+",Bob", real("6"))
		d.start()
		if p := d.Prompt(); p != want {
			t.Errorf("prompt %q, not %q", p, want)
		}
	}
}

// What has nothing behind it needs no room in the columns.
func TestTableLastCells(t *testing.T) {
	got := Table([][]string{{"phase", "Roll, or put the points on the board?"}, {"target", "10000", "option"}})
	if want := "target  10000  option"; got[1] != want {
		t.Errorf("%q, not %q", got[1], want)
	}
}

// A game that needs more or fewer than two is played by as many if nobody is
// named.
func TestDefaultPlayersFit(t *testing.T) {
	for name, want := range map[string]string{
		"pig": "Player,bot:greedy", "hearts": "Player,bot:greedy,bot:greedy,bot:greedy", "skunkd-solo": "Player",
	} {
		if got := DefaultPlayers(load(t, name, dsl.Options{})); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

// A command to copy is never broken, nor are several moves taken back without a
// word of it.
func TestLongCommandsAndLongUndo(t *testing.T) {
	d := newDesk(t, load(t, "pig", dsl.Options{}), "Ann,Bob", func(c *Config) {
		c.Header.Seed, c.Header.Undo, c.Width = 9, UndoFree, 40
		c.Replay = "houserules play pig --players Ann,Bob --undo free --seed 9"
	})
	d.start()
	contains(t, d.types("seed"), "play it again: houserules play pig --players Ann,Bob --undo free --seed 9\n")
	d.types("roll")
	d.types("roll")
	contains(t, d.types("undo 2"), "taken back: roll, and what came after it\n")
	contains(t, d.types("redo"), "done again: roll, and what came after it\n")
	d.types("undo")
	lacks(t, d.types("redo"), "came after")
}

// Comments of a demo are broken anew for a narrow terminal, by paragraph.
func TestCommentsFit(t *testing.T) {
	lines := "# one two three four\n# five\n#\n# six"
	if got, want := comment(lines, 80), "one two three four\nfive\n\nsix"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got, want := comment(lines, 14), "one two three\nfour five\n\nsix"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// What can follow is cut at its next word if the terminal has no line for it.
func TestCompletionsFit(t *testing.T) {
	runes := func(texts ...string) (out [][]rune) {
		for _, text := range texts {
			out = append(out, []rune(text))
		}
		return out
	}
	for _, c := range []struct {
		more  [][]rune
		width int
		want  string
	}{
		{runes(" 1 1 1", " 1 1", " 5"), 0, "[ 1 1 1  1 1  5]"},
		{runes(" 1 1 1", " 1 1", " 5"), 40, "[ 1 1 1  1 1  5]"},
		{runes(" 1 1 1", " 1 1", " 5"), 11, "[ 1   5]"},
		{runes("abcdefghij", "b"), 11, "[]"},
		{runes("abcdefghij"), 11, "[abcdefghij]"},
	} {
		var got []string
		for _, r := range fitting(c.more, 4, c.width) {
			got = append(got, string(r))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%d cells: %v, not %s", c.width, got, c.want)
		}
	}
}

func TestForcedMovesAreSaid(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", real("6"))
	if got := d.start(); !strings.Contains(got, "Ann: roll (the only thing to do; no hold: roll at least once)\nthrown: 6\n") {
		t.Error(got)
	}
}

func TestBotsPlayTheSameForTheSameSeed(t *testing.T) {
	p := load(t, pig, dsl.Options{})
	play := func() string {
		d := newDesk(t, p, "bot:random,bot:random,Rob=bot:random", nil)
		text := d.start()
		if !d.Over() {
			t.Fatal("the game is not over")
		}
		return text
	}
	if a, b := play(), play(); a != b || !strings.Contains(a, " wins\n") {
		t.Error("two games of one seed differ, or nobody wins")
	}
}

func TestQuietPrintsOnlyTheResult(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "bot:random,bot:random", func(c *Config) { c.Quiet = true })
	if got := strings.Split(d.start(), "\n"); len(got) != 4 || !strings.HasSuffix(got[0], " wins") || !strings.HasPrefix(got[1], "1.") {
		t.Errorf("%q", got)
	}
}

func TestTypedLuckIsAskedAgain(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.RealDice = true })
	d.start()
	d.plays([]pair{
		{"7", "`7` is no face of the dice: 1 2 3 4 5 6; throw one of the dice and type its face\n"},
		{"1 2", "1 is thrown, but 2 were typed; throw one of the dice and type its face\n"},
		{"5", "thrown: 5\n5 points this turn\n1 roll   2 hold\n"},
		{"undo", "taken back: 5\nAnn, turn 1\nthrow one of the dice and type its face\n"},
		{"6", "thrown: 6\n6 points this turn\n1 roll   2 hold\n"},
	})
}

func TestColonIsForCommands(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", real("6"))
	d.start()
	d.plays([]pair{{":house", "house rules: none\n"}})
	if got := d.types(":nothing"); !strings.Contains(got, "there is no `nothing` here") {
		t.Error(got)
	}
}

func TestControlCharactersAreNotPrinted(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", real("6"))
	d.start()
	for _, line := range []string{"\x1b[31mred", "help \x07\x1b]0;title\x07", "\xff\xfe", ":\x00"} {
		if got := d.types(line); strings.ContainsAny(got, "\x1b\x07\x00") || got == "" {
			t.Errorf("%q prints %q", line, got)
		}
	}
}

func TestSave(t *testing.T) {
	var file closer
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) {
		c.Luck, c.Header.RealDice = dice("6", "5"), true
		c.Create = func(name string) (io.WriteCloser, error) {
			if name == "there" {
				return nil, errors.New("`there` is there already")
			}
			return &file, nil
		}
	})
	d.start()
	d.types("hold")
	d.plays([]pair{
		{"save", "say where to: `save FILE`\n"},
		{"save there", "`there` is there already\n"},
		{"save game.jsonl", "saved; `houserules play --resume game.jsonl` goes on from here\n"},
	})
	j, _, err := interpreter.ReadJournal(strings.NewReader(file.String()))
	if err != nil || len(j.Entries) != 3 || j.Entries[1].Move != "hold" {
		t.Errorf("%v, %+v", err, j)
	}
}

type closer struct{ strings.Builder }

func (*closer) Close() error { return nil }

func TestFeedFindsWhatDoesNotFit(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Watch, c.Header.RealDice = true, true })
	err := d.Feed(context.Background(), []*interpreter.Journal{{Entries: []interpreter.Entry{{Luck: "6"}, {Seat: "Bob", Move: "hold"}}}})
	var wrong *interpreter.ReplayError
	if !errors.As(err, &wrong) || wrong.Entry != 2 {
		t.Error(err)
	}
}

func TestCompletions(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{}), "Ann,Bob", real("6", "4", "1 5 2 2 3 3"))
	d.start()
	if got := strings.Join(d.Completions("ke"), "|"); got != "keep " {
		t.Errorf("%q", got)
	}
	if got := strings.Join(d.Completions("keep 1"), "|"); got != "keep 1 5" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(d.Completions("sc"), "|"); got != "score" {
		t.Errorf("%q", got)
	}
}

// Moves that are told apart by a number go by that number, not by one of the
// list, and what else there is stands behind them.
func TestNumbersMeanThemselves(t *testing.T) {
	pad := newDesk(t, load(t, "bowling", dsl.Options{}), "Ann,Bob", nil)
	pad.start()
	contains(t, pad.types("4"), "Ann: bowl 4")
	contains(t, pad.types("7"), "there is no move 7: the moves are numbered 0-6")
	contains(t, pad.types("0"), "Ann: bowl 0")

	race := newDesk(t, load(t, "flinke-stinker", dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.Seed = 5 })
	contains(t, race.start(), "1-24 flip 1-24")
	contains(t, race.types("1"), "Ann: flip 1", "2-24 flip 2-24", "25 stop")
	contains(t, race.types("1"), "there is no move 1: the moves are numbered 2-25")
	contains(t, race.types("25"), "Ann: stop")
}
