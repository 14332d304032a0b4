package interpreter_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// evening is a game with an opening, a session and records, and two house
// rules that do not go together.
var evening = []string{`
houserules: 1
game: evening
players: 2..4
params:
  goal: {default: 20, min: 10, max: 100, step: 5}
  kind: {default: plain, options: [plain, wild]}
pieces: {dice: {count: 3, faces: [crown = 1, 2, 3, 4, 5, 6]}}
zones: {tray: {of: dice, starts: all}}
state:
  session:
    last: {type: seat or none}
    games: 0
    mood: {type: kind, start: plain}
    seen: seats
  player in session: {wins: 0}
  player: {score: 0}
define:
  rank_of(n):
    options: {low: "a low score", high: "a HIGH score"}
    is: 'n < 30 ? low : high'
opening:
  state:
    game: {first: {start: first(everyone)}}
    player: {sum: 0}
  phases:
    throw_off:
      when: session.last == none
      enter: |
        for s in everyone {
          throw tray by s
          s.sum = sum(tray, .face)
        }
        game.first = first(highest(everyone, .sum))
    rules:
      who: session.last ?? game.first
      actions:
        lay:
          pick: {cards: any of variants where it != dull, points: value of goal where it < 90, how: value of kind}
          require:
            one_at_most: {that: len(cards) <= 2, else: "too many"}
          do: start game from game.first with cards set goal = points, kind = how
        plain: {do: start game from game.first}
phases:
  play:
    enter: throw tray
    actions:
      turn_dice:
        pick: {faces: 'len(tray) of [6, 2, 4]'}
        require:
          some_two: {that: 'number_of(2, faces) > 0 and len(faces) == 3', else: "a 2 is needed"}
        do: |
          set tray to faces
          goto count
      keep: {do: goto count}
  count:
    enter: |
      me.score += sum(tray, .face)
      finish if me.score >= goal
      next turn
ending:
  do: |
    session.last = first(winners)
    session.games += 1
    session.mood = wild
    session.seen = winners
    session.last.wins += 1 if session.last != none
rank: {score: {by: me.score, first: highest}}
records:
  best: {value: me.score, better: highest, shelf: rank_of(me.score), when: me.score > 0}
  quick: {title: "Fewest turns", value: turn.number, better: lowest}
`, `
houserules: 1
variant: more-dice
for: evening
title: More
icon: M+
tags: [wild, big]
set: {goal: 40}
`, `
houserules: 1
variant: fewer
for: evening
excludes: {more-dice: "more and fewer"}
state: {session: {kept: 0}}
after: {count: {do: session.kept += 1}}
`, `
houserules: 1
variant: dull
for: evening
set: {goal: 15}
`, `
houserules: 1
part: hidden
for: evening
set: {goal: 25}
`}

func eveningLib(t testing.TB) *dsl.Library {
	t.Helper()
	return inline(t, evening...)
}

func advance(t testing.TB, m *interpreter.Machine) interpreter.Request {
	t.Helper()
	req, err := m.Advance()
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestOpening(t *testing.T) {
	p := mustLoad(t, eveningLib(t), "evening", dsl.Options{With: []string{"more-dice"}})
	if want := []string{"dull", "fewer", "more-dice"}; !slices.Equal(p.Choices, want) || !slices.Equal(p.Opening.Choices, want) {
		t.Errorf("choices %v, %v", p.Choices, p.Opening.Choices)
	}
	if v := p.Variants[0]; v.Icon != "M+" || !slices.Equal(v.Tags, []string{"wild", "big"}) {
		t.Errorf("icon %q, tags %q", v.Icon, v.Tags)
	}
	if len(p.Opening.Variants) != 0 || p.Opening.Opening != nil || p.Opening.Fingerprint == p.Fingerprint {
		t.Error("the opening is a program of its own, without house rules")
	}
	names := []string{"Ann", "Bob"}
	x := interpreter.NewMatch(newOf(t, p.Opening, 2), interpreter.Header{Players: names, RealDice: true, Opening: true})
	for seat, dice := range []string{"1 1 1", "2 3 crown"} {
		if req := advance(t, x.Machine); req.Kind != interpreter.Chance || req.Seat != seat {
			t.Fatalf("request %+v, want a throw of seat %d", req, seat)
		}
		if err := x.Luck(dice); err != nil {
			t.Fatal(err)
		}
		if r := last(x.Log.Records, interpreter.RecThrow); r.Seat != seat {
			t.Errorf("thrown by %d, want %d", r.Seat, seat)
		}
	}
	req := advance(t, x.Machine)
	if req.Seat != 1 || req.N != 2 || !req.Open || req.Forced || x.Started() != nil {
		t.Fatalf("request %+v", req)
	}
	for move, want := range map[string]string{
		"lay dull":                      "cannot be picked",
		"lay 95":                        "cannot be picked",
		"lay none, 12":                  "cannot be picked",
		"lay none, 200":                 "cannot be picked",
		"lay nobody":                    "no number",
		"lay fewer, 20, plain, 3":       "nothing more",
		"lay fewer more-dice 20 wildly": "none of plain, wild",
		"plain 3":                       "nothing more",
	} {
		if _, err := x.ParseMove(move); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want ..%s..", move, err, want)
		}
	}
	for move, want := range map[string]string{
		"lay":                       "lay none, 20, plain",
		"lay none":                  "lay none, 20, plain",
		"lay more_dice":             "lay more-dice, 20, plain",
		"lay more-dice fewer 25":    "lay fewer more-dice, 25, plain",
		"lay 30 wild":               "lay none, 30, wild",
		"lay fewer, 25":             "lay fewer, 25, plain",
		"lay fewer,,wild":           "lay fewer, 20, wild",
		"plain":                     "plain",
		"lay more-dice fewer, , ":   "lay fewer more-dice, 20, plain",
		"lay none , 20 , plain":     "lay none, 20, plain",
		"LAY" + " Fewer":            "lay fewer, 20, plain",
		"lay fewer more-dice 85":    "lay fewer more-dice, 85, plain",
		"lay fewer 85 wild":         "lay fewer, 85, wild",
		"lay fewer, 85, wild":       "lay fewer, 85, wild",
		"lay more-dice, none, none": "",
	} {
		i, err := x.ParseMove(move)
		if got := ""; err == nil {
			if got = x.OptionText(i); got != want {
				t.Errorf("%s: %q, want %q", move, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: %v", move, err)
		}
	}
	both, err := x.ParseMove("lay more-dice fewer 25 wild")
	if err != nil || both != req.N {
		t.Fatalf("option %d, %v", both, err)
	}
	picked := x.Picked(both)
	if len(picked) != 3 || !slices.Equal(picked[0].Variants, []string{"fewer", "more-dice"}) || picked[1].Text != "25" {
		t.Errorf("picked %+v", picked)
	}
	start, err := x.Preview(both)
	want := &interpreter.StartGame{Seat: 1, With: []string{"fewer", "more-dice"}, Set: map[string]string{"goal": "25", "kind": "wild"}}
	if err != nil || !reflect.DeepEqual(start, want) {
		t.Fatalf("preview %+v, %v", start, err)
	}
	if q, ds := dsl.Load(eveningLib(t), "evening", dsl.Options{With: start.With, Set: start.Set}); q != nil || !ds.HasErrors() {
		t.Fatal("these two exclude each other")
	}
	// Refused by the front end; something else is typed.
	if err := x.Move("lay more-dice 30"); err != nil {
		t.Fatal(err)
	}
	if req := advance(t, x.Machine); req.Kind != interpreter.Over || last(x.Log.Records, interpreter.RecStart).Of != 1 {
		t.Fatalf("request %+v", req)
	}
	want = &interpreter.StartGame{Seat: 1, With: []string{"more-dice"}, Set: map[string]string{"goal": "30", "kind": "plain"}}
	if !reflect.DeepEqual(x.Started(), want) {
		t.Errorf("started %+v", x.Started())
	}
	replayed(t, x)
}

// last returns the last record of a kind.
func last(records []interpreter.Record, kind interpreter.RecordKind) interpreter.Record {
	for _, r := range slices.Backward(records) {
		if r.Kind == kind {
			return r
		}
	}
	return interpreter.Record{Seat: -1, Of: -1}
}

// replayed writes the journal of a match, reads it, and plays it again.
func replayed(t *testing.T, x *interpreter.Match) {
	t.Helper()
	var b bytes.Buffer
	if _, err := x.Journal.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	j, _, err := interpreter.ReadJournal(&b)
	if err != nil {
		t.Fatal(err)
	}
	y, err := interpreter.Replay(x.Game(), j)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(y.Started(), x.Started()) || !reflect.DeepEqual(y.Session(), x.Session()) || len(y.Log.Records) != len(x.Log.Records) {
		t.Error("the journal gives another game")
	}
}

// A random playout takes what is in force, and a clone what was typed.
func TestOpenDefaults(t *testing.T) {
	p := mustLoad(t, eveningLib(t), "evening", dsl.Options{Set: map[string]string{"goal": "50"}})
	m := newOf(t, p.Opening, 3).Start(interpreter.Setup{Seed: 4})
	r := interpreter.NewRand(1, 1, interpreter.StreamPolicy)
	seen := map[int]bool{}
	for i := range 30 {
		m.Restart(interpreter.Setup{Seed: uint64(i)})
		if _, err := m.Playout(&r, 0); err != nil {
			t.Fatal(err)
		}
		start := m.Started()
		if start == nil || len(start.With) != 0 || start.Set["goal"] != "50" && len(start.Set) != 0 {
			t.Fatalf("started %+v", start)
		}
		seen[start.Seat] = true
	}
	if len(seen) != 3 {
		t.Errorf("only %v begin", seen)
	}
	m.Restart(interpreter.Setup{Session: interpreter.Session{"last": "2"}})
	advance(t, m)
	i, err := m.ParseMove("lay fewer 55")
	if err != nil {
		t.Fatal(err)
	}
	c := m.Clone()
	for _, m := range []*interpreter.Machine{c, m} {
		if err := m.Apply(i); err != nil {
			t.Fatal(err)
		}
		advance(t, m)
		if s := m.Started(); s == nil || !slices.Equal(s.With, []string{"fewer"}) || s.Set["goal"] != "55" {
			t.Errorf("started %+v", s)
		}
	}
}

func TestSession(t *testing.T) {
	lib := eveningLib(t)
	p := mustLoad(t, lib, "evening", dsl.Options{With: []string{"fewer"}})
	names := []string{"Ann", "Bob", "Cat"}
	g := newOf(t, p, 3)
	x := interpreter.NewMatch(g, interpreter.Header{Players: names, Seed: 7, First: 2})
	if advance(t, x.Machine); x.Active() != 2 {
		t.Fatalf("%d begins", x.Active())
	}
	for req := advance(t, x.Machine); req.Kind != interpreter.Over; req = advance(t, x.Machine) {
		if err := x.Move("keep"); err != nil {
			t.Fatal(err)
		}
	}
	first := x.Winners()[0]
	s := x.Session()
	if s["last"] != fmt.Sprint(first) || s["games"] != "1" || s["mood"] != "wild" || s["seen"] != fmt.Sprintf("{%d}", first) || s["game.number"] != "1" {
		t.Errorf("session %v", s)
	}
	if _, ok := s["kept"]; ok {
		t.Error("what a house rule declares does not live on")
	}
	replayed(t, x)
	// The opening of the next game, where the winner is asked at once.
	m := newOf(t, p.Opening, 3).Start(interpreter.Setup{Names: names, Session: s})
	if req := advance(t, m); req.Kind != interpreter.Decision || req.Seat != first {
		t.Errorf("request %+v", req)
	}
	if after := m.Session(); !reflect.DeepEqual(after, s) {
		t.Errorf("after the opening %v, before %v", after, s)
	}
	y := interpreter.NewMatch(g, interpreter.Header{Players: names, Seed: 8, Session: s})
	for req := advance(t, y.Machine); req.Kind != interpreter.Over; req = advance(t, y.Machine) {
		if err := y.Move("keep"); err != nil {
			t.Fatal(err)
		}
	}
	if s := y.Session(); s["games"] != "2" || s["game.number"] != "2" {
		t.Errorf("session %v", s)
	}
	replayed(t, y)
	// What does not fit starts afresh, and the first seat begins.
	z := g.Start(interpreter.Setup{First: 9, Session: interpreter.Session{"last": "9", "games": "x", "mood": "odd", "seen": "{7}", "game.number": "-4"}})
	if fresh := g.Start(interpreter.Setup{}); !reflect.DeepEqual(z.Session(), fresh.Session()) || z.Active() != 0 {
		t.Errorf("session %v", z.Session())
	}
}

func TestRecords(t *testing.T) {
	g := newOf(t, mustLoad(t, eveningLib(t), "evening", dsl.Options{}), 2)
	m := g.Start(interpreter.Setup{Names: []string{"Ann", "Bob"}, Seed: 3})
	if list, err := m.Records(); list != nil || err != nil {
		t.Errorf("records of a game under way: %v, %v", list, err)
	}
	r := interpreter.NewRand(3, 1, interpreter.StreamPolicy)
	if _, err := m.Playout(&r, 0); err != nil {
		t.Fatal(err)
	}
	list, err := m.Records()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, fmt.Sprintf("%s %s %s seat %d", e.Name, e.Shelf, e.Label, e.Seat))
	}
	want := []string{"best low a low score seat 0", "best low a low score seat 1", "quick   seat 0", "quick   seat 1"}
	if !slices.Equal(got, want) {
		t.Errorf("records %q", got)
	}
	if e := list[0]; !e.Beats(e.Value-1) || e.Beats(e.Value) || e.Beats(e.Value+1) {
		t.Error("a higher score is better, an equal one is not")
	}
	if e := list[2]; e.Title != "Fewest turns" || e.Beats(e.Value-1) || e.Beats(e.Value) || !e.Beats(e.Value+1) {
		t.Error("fewer turns are better, an equal number is not")
	}
}

func TestRepeats(t *testing.T) {
	g := newOf(t, mustLoad(t, eveningLib(t), "evening", dsl.Options{}), 2)
	m := g.Start(interpreter.Setup{Names: []string{"Ann", "Bob"}})
	m.AskChance = true
	advance(t, m)
	if err := m.ApplyLuck("crown 3 5"); err != nil {
		t.Fatal(err)
	}
	req := advance(t, m)
	var got []string
	for i := range req.N {
		got = append(got, m.OptionText(i))
	}
	want := []string{"turn_dice 2 2 2", "turn_dice 2 2 4", "turn_dice 2 2 6", "turn_dice 2 4 4", "turn_dice 2 4 6", "turn_dice 2 6 6", "keep"}
	if !slices.Equal(got, want) {
		t.Errorf("options %q", got)
	}
	for move, want := range map[string]int{"turn 6 2 4": 4, "turn 2x6 2": 5, "turn 222": 0} {
		if i, err := m.ParseMove(move); err != nil || i != want {
			t.Errorf("%s: option %d, %v", move, i, err)
		}
	}
	for move, want := range map[string]string{"turn 4 4 6": "some_two", "turn 2 2": "", "turn 2 2 2 2": "", "turn 2 3 4": ""} {
		_, err := m.ParseMove(move)
		var r *interpreter.Refusal
		switch {
		case !errors.As(err, &r):
			t.Errorf("%s: %v", move, err)
		case want == "" && r.Guard != nil || want != "" && (r.Guard == nil || r.Guard.Name != want):
			t.Errorf("%s: refused by %v", move, r.Guard)
		}
	}
	if err := m.Apply(4); err != nil {
		t.Fatal(err)
	}
	advance(t, m)
	if v := m.View(0); !strings.Contains(fmt.Sprint(v.Zones), "2 4 6") {
		t.Errorf("the dice lie as %v", v.Zones)
	}
}

// What is picked or set in too many ways, or too few, is a mistake of the
// rules.
func TestRepeatFaults(t *testing.T) {
	for action, want := range map[string]string{
		"pick: {x: '6 of 1..9'}, do: next turn":                     "",
		"pick: {x: '7 of 1..9'}, do: next turn":                     "more than 4096 ways",
		"pick: {x: '65 of [1]'}, do: next turn":                     "too many to pick",
		"pick: {x: '0 of [1]'}, do: 'set tray to x'":                "0 faces cannot be laid on 2 pieces",
		"pick: {x: '2 of [7]'}, do: 'set tray to x'":                "7 is no face of `dice`",
		"pick: {x: '2 of [4] if over'}, do: 'set tray to x'":        "0 faces cannot be laid on 2 pieces",
		"pick: {x: '3 of 1..6 where it > 9'}, do: next turn":        "nothing is allowed",
		"pick: {x: '3 of 1..6 where it > 9 if any'}, do: next turn": "",
	} {
		text := "houserules: 1\ngame: g\nplayers: 2\npieces: {dice: {count: 2, faces: 1..6}}\nzones: {tray: {of: dice, starts: all}}\n" +
			"phases:\n  play:\n    actions:\n      act: {" + action + "}\n  on: next turn\n"
		m := inlineGame(t, 2, text).Start(interpreter.Setup{})
		r := interpreter.NewRand(1, 1, interpreter.StreamPolicy)
		_, err := m.Playout(&r, 3)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", action, err, want)
		}
	}
}
