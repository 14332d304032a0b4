package interpreter_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/interpreter"
)

var people = []string{"Ann", "Bob", "Cat", "Dan", "Eve"}

// randomMatch plays a match with typed moves and, if the dice are real, typed
// luck, for at most so many answers.
func randomMatch(g *interpreter.Game, h interpreter.Header, answers int) (*interpreter.Match, error) {
	x := interpreter.NewMatch(g, h)
	r := interpreter.NewRand(h.Seed, h.Index, 40)
	for range answers {
		req, err := x.Settle()
		if err != nil || req.Kind == interpreter.Over {
			return x, err
		}
		if req.Kind == interpreter.Chance {
			falls := x.Falls()
			f := falls[r.Below(uint64(len(falls)))]
			if err := x.Luck(luckText(x, f)); err != nil {
				return x, fmt.Errorf("luck %q: %w", luckText(x, f), err)
			}
			continue
		}
		i := int(r.Below(uint64(req.N)))
		text := x.OptionText(i)
		before := len(x.Journal.Entries)
		if k, err := x.ParseMove(text); err != nil || k != i {
			return x, fmt.Errorf("option %d is written %q and read as %d: %w", i, text, k, err)
		}
		if err := x.Move(text); err != nil {
			return x, fmt.Errorf("move %q: %w", text, err)
		}
		if len(x.Journal.Entries) != before+1 {
			return x, fmt.Errorf("move %q is not in the journal", text)
		}
	}
	_, err := x.Settle()
	return x, err
}

// luckText writes a fall as people type it: faces, or the number rolled.
func luckText(x *interpreter.Match, f interpreter.Fall) string {
	if f.Text != "" {
		return f.Text
	}
	c := x.Clone()
	if _, err := c.Advance(); err != nil {
		panic(err)
	}
	faces := ""
	heard := recorderFunc(func(m *interpreter.Machine, r *interpreter.Record) {
		if r.Kind == interpreter.RecThrow && faces == "" {
			faces = m.Pieces(r.Zone.Family, r.Pieces)
		}
	})
	c.Listen(heard)
	if err := c.ApplyFall(f); err != nil {
		panic(err)
	}
	return faces
}

// recorderFunc is a Recorder that is a function.
type recorderFunc func(*interpreter.Machine, *interpreter.Record)

// Record implements interpreter.Recorder.
func (f recorderFunc) Record(m *interpreter.Machine, r *interpreter.Record) { f(m, r) }

func journalText(t *testing.T, j *interpreter.Journal) string {
	t.Helper()
	var b bytes.Buffer
	n, err := j.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes written, %d reported; %v", b.Len(), n, err)
	}
	return b.String()
}

// recordText is everything that a record says, so that two can be compared.
func recordText(r interpreter.Record) string {
	name := func(ok bool, s func() string) string {
		if !ok {
			return "-"
		}
		return s()
	}
	return fmt.Sprintln(r.Kind, r.Seat, r.Of, r.Text, r.Public, r.Variant, r.Span, r.Old, r.New, r.Pieces, r.Faces, r.Cards, r.FromOf, r.SeenBy, r.Open,
		name(r.From != nil, func() string { return r.From.Path }),
		name(r.Rule != nil, func() string { return r.Rule.Path }), name(r.Var != nil, func() string { return r.Var.Path }),
		name(r.Zone != nil, func() string { return r.Zone.Path }), name(r.Event != nil, func() string { return r.Event.Path }),
		name(r.Combo != nil, func() string { return r.Combo.Path }), name(r.Scope != nil, func() string { return r.Scope.Name }))
}

func logText(l *interpreter.Log, seats int) string {
	var b strings.Builder
	for _, r := range l.Records {
		b.WriteString(recordText(r))
	}
	for s := range seats {
		fmt.Fprintln(&b, l.Column(s))
	}
	return b.String()
}

func TestMatchesReplay(t *testing.T) {
	for k, s := range []selection{choose(), usual(t), choose("three-pairs", "second-chance"), choose("wild-die", "off-the-table"), choose("detroit"), togetherAll(),
		chooseOf(cardGame), chooseOf(cardGame, allModes...), chooseOf(cardGame, "edition-2014")} {
		seats := 2 + k%3
		g := s.game(t, seats)
		other := s.game(t, seats)
		for i := range sometimes(6, 3) {
			h := interpreter.Header{With: s.with, Players: people[:seats], Seed: uint64(i), Index: uint64(k), RealDice: i%3 == 0, Incidents: i%3 == 1}
			x, err := randomMatch(g, h, 20+i*100)
			if err != nil {
				t.Fatalf("%s, match %d: %v", s, i, err)
			}
			text := journalText(t, x.Journal)
			j, cut, err := interpreter.ReadJournal(strings.NewReader(text))
			if err != nil || cut {
				t.Fatalf("%s, match %d: cut %v, %v", s, i, cut, err)
			}
			if again := journalText(t, j); again != text {
				t.Fatalf("%s, match %d: written\n%sread and written\n%s", s, i, text, again)
			}
			y, err := interpreter.Replay(other, j)
			if err != nil {
				t.Fatalf("%s, match %d: %v\n%s", s, i, err, text)
			}
			if again := journalText(t, y.Journal); again != text {
				t.Fatalf("%s, match %d: played\n%splayed again\n%s", s, i, text, again)
			}
			if a, b := logText(x.Log, seats), logText(y.Log, seats); a != b {
				t.Fatalf("%s, match %d: the logs differ from %q", s, i, firstDifference(a, b))
			}
			if a, b := stateOf(x.Machine), stateOf(y.Machine); !slices.Equal(a, b) {
				t.Fatalf("%s, match %d: ended as\n%v, replayed as\n%v", s, i, a, b)
			}
		}
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if i >= len(bs) || as[i] != bs[i] {
			return as[i]
		}
	}
	return "the end"
}

func sampleJournal(t *testing.T) (*interpreter.Game, string) {
	t.Helper()
	g := choose().game(t, 2)
	x, err := randomMatch(g, interpreter.Header{Players: people[:2], Seed: 3}, 40)
	if err != nil {
		t.Fatal(err)
	}
	return g, journalText(t, x.Journal)
}

// A file that was cut anywhere reads as what was whole of it.
func TestCutJournals(t *testing.T) {
	g, text := sampleJournal(t)
	first := strings.Index(text, "\n") + 1
	for end := first; end < len(text); end++ {
		j, cut, err := interpreter.ReadJournal(strings.NewReader(text[:end]))
		if err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		whole := strings.Count(text[:end], "\n") - 1
		last := text[strings.LastIndex(text[:end], "\n")+1 : end]
		switch {
		case last == "" && (cut || len(j.Entries) != whole):
			t.Fatalf("cut at the end of a line: %d entries, cut %v", len(j.Entries), cut)
		case strings.HasSuffix(last, "}"):
			// Only the line's end is missing.
			if cut || len(j.Entries) != whole+1 {
				t.Fatalf("cut before %d: %d entries, cut %v", end, len(j.Entries), cut)
			}
		case last != "" && (!cut || len(j.Entries) != whole):
			t.Fatalf("cut at %d, in %q: %d entries of %d, cut %v", end, last, len(j.Entries), whole, cut)
		}
		if end%97 == 0 {
			if _, err := interpreter.Replay(g, j); err != nil {
				t.Fatalf("cut at %d: %v", end, err)
			}
		}
	}
	for _, end := range []int{0, 1, first / 2, first - 2} {
		var je *interpreter.JournalError
		if _, _, err := interpreter.ReadJournal(strings.NewReader(text[:end])); !errors.As(err, &je) || je.Line != 1 {
			t.Errorf("cut inside the header at %d: %v", end, err)
		}
	}
}

func TestBrokenJournals(t *testing.T) {
	_, text := sampleJournal(t)
	lines := strings.SplitAfter(text, "\n")
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"empty":           {"", 1},
		"blank":           {"\n\n", 1},
		"no JSON":         {"hello\n", 1},
		"another format":  {strings.Replace(text, `"houserules_journal":1`, `"houserules_journal":2`, 1), 1},
		"no format":       {"{}\n", 1},
		"unknown key":     {strings.Replace(text, `{"houserules_journal"`, `{"more":1,"houserules_journal"`, 1), 1},
		"broken entry":    {lines[0] + "{\"move\":\n" + strings.Join(lines[1:], ""), 2},
		"unknown in line": {lines[0] + lines[1] + "{\"moove\":\"roll\"}\n", 3},
		"a list":          {lines[0] + lines[1] + "[]\n" + lines[2], 3},
		"wrong type":      {lines[0] + "{\"move\":1}\n", 2},
	} {
		var je *interpreter.JournalError
		_, _, err := interpreter.ReadJournal(strings.NewReader(c.text))
		if !errors.As(err, &je) || je.Line != c.line {
			t.Errorf("%s: %v, want an error at line %d", name, err, c.line)
		}
	}
	if _, _, err := interpreter.ReadJournal(io.MultiReader(strings.NewReader(lines[0]), failing{})); !errors.Is(err, errDisk) {
		t.Errorf("a reader that fails gives %v", err)
	}
}

// A line holds one entry: what stands after it is no part of a journal.
func TestJournalLinesHoldOneEntry(t *testing.T) {
	_, text := sampleJournal(t)
	lines := strings.SplitAfter(text, "\n")
	for _, line := range []string{`{"move":"roll"} {"move":"bank"}`, `{"move":"roll"} x`} {
		var je *interpreter.JournalError
		if j, _, err := interpreter.ReadJournal(strings.NewReader(lines[0] + line + "\n" + lines[1])); !errors.As(err, &je) || je.Line != 2 {
			t.Errorf("the line %s is read as %v, %v", line, j.Entries, err)
		}
	}
}

var errDisk = errors.New("the disk is gone")

type failing struct{}

// Read implements io.Reader.
func (failing) Read([]byte) (int, error) { return 0, errDisk }

func TestJournalsOfOtherRules(t *testing.T) {
	_, text := sampleJournal(t)
	j, _, err := interpreter.ReadJournal(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	other := choose("timid").game(t, 2)
	if _, err := interpreter.Replay(other, j); !errors.Is(err, interpreter.ErrRules) {
		t.Errorf("under other rules: %v", err)
	}
	if x, err := interpreter.ReplayUnder(other, j); err != nil || len(x.Journal.Entries) != len(j.Entries) {
		t.Errorf("told to go on under rules that ask the same: %v", err)
	}
}

func TestJournalEntriesThatDoNotFit(t *testing.T) {
	g, text := sampleJournal(t)
	for name, c := range map[string]struct {
		at   int
		with interpreter.Entry
	}{
		"no such move":   {3, interpreter.Entry{Seat: "Ann", Move: "fly"}},
		"another seat":   {0, interpreter.Entry{Seat: "Zoe", Move: "roll"}},
		"luck":           {2, interpreter.Entry{Luck: "1 2 3"}},
		"nothing":        {1, interpreter.Entry{}},
		"a refused move": {0, interpreter.Entry{Move: "keep 1 2 3 4 5 6 6"}},
	} {
		j, _, err := interpreter.ReadJournal(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		j.Entries[c.at] = c.with
		x, err := interpreter.Replay(g, j)
		var re *interpreter.ReplayError
		if !errors.As(err, &re) || re.Entry != c.at+1 || x == nil || len(x.Journal.Entries) != c.at || re.Unwrap() == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// More answers than the game takes.
	x, err := randomMatch(g, interpreter.Header{Players: people[:2], Seed: 3}, 5000)
	if err != nil || !x.Over() {
		t.Fatalf("the game is over: %v, %v", x.Over(), err)
	}
	j := *x.Journal
	j.Entries = append(slices.Clone(j.Entries), interpreter.Entry{Move: "roll"})
	var re *interpreter.ReplayError
	if _, err := interpreter.Replay(g, &j); !errors.As(err, &re) || re.Entry != len(j.Entries) {
		t.Errorf("a move after the end: %v", err)
	}
}

// Names of several words, such as those that seats have by themselves, can be
// typed where a player is picked, and so be replayed.
func TestNamesOfSeveralWords(t *testing.T) {
	g := inlineGame(t, 3, `houserules: 1
game: picks
title: Picks
players: 3
state: {player: {score: 0}}
phases:
  one:
    actions:
      give: {pick: {who: one of others, n: 1..3}, do: who.score += n}
      bless: {pick: {some_of: some of players}, do: 'for p in some_of { p.score += 1 }'}
  two: {enter: 'finish if turn.number > 12; next turn'}
rank: {score: {by: me.score, first: highest}}
`)
	for _, names := range [][]string{nil, {"Ann Lee", "Ann", "Lee Ann Bob"}} {
		for i := range 20 {
			x, err := randomMatch(g, interpreter.Header{Players: names, Seed: uint64(i)}, 100)
			if err != nil {
				t.Fatalf("names %v: %v", names, err)
			}
			if _, err := interpreter.Replay(g, x.Journal); err != nil {
				t.Fatalf("names %v: %v", names, err)
			}
		}
	}
}

// Whatever an option is written as can be typed: here with nobody picked.
func TestNobodyIsPicked(t *testing.T) {
	g := inlineGame(t, 3, `houserules: 1
game: nobody
title: Nobody
players: 3
phases:
  one:
    actions:
      bless: {pick: {some_of: any of players}, do: next turn}
  two: {enter: finish}
`)
	x := interpreter.NewMatch(g, interpreter.Header{Players: people[:3]})
	if _, err := x.Settle(); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.Options(0) {
		if i, err := x.ParseMove(o.Text); err != nil || i != o.Index {
			t.Errorf("option %d is written %q and read as %d: %v", o.Index, o.Text, i, err)
		}
	}
}
