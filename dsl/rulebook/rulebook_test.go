package rulebook

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

const little = `houserules: 1
game: little
title: Little <game>
players: 2..4
about: Throw & stop | or *lose*.
book:
  L1: "Whoever has {goal} points wins."
  L2: {people: "Be kind."}
  L3: "A rule that nothing names."
params:
  goal: {default: 20, min: 10, max: 50, rule: "Points that win.", from: [L1]}
  strict: {default: false, rule: "Nobody may stop early."}
pieces: {dice: {count: 2, faces: 1..6, colour: [white, red]}}
zones:
  tray: {of: dice, starts: all, seen: all, rule: "The dice."}
state:
  player: {score: 0}
  turn: {points: 0}
define: {usual: turn.points * 2}
scorers:
  combos:
    of: dice
    pays: turn.points
    combos:
      one: {title: A single 1, match: 1, points: goal / 2}
      pair: {match: x*2, points: x * 10}
phases:
  start:
    rule: Throw all dice.
    enter: throw tray
  decide:
    title: Stop?
    actions:
      stop:
        rule: Stop with less than {goal + 1} points.
        require:
          early: {that: not strict or turn.points > 5, else: "too early"}
          some: {that: turn.points >= 0, else: "{turn.points} of {goal}"}
        do: |
          score tray by combos
          goto over
      throw_again: {do: goto start}
  strict_end:
    when: strict
    rule: Only where it is strict.
    enter: next turn
  over:
    rule: The points are counted.
    enter: |
      me.score += turn.points
      finish if me.score >= goal
      next turn
rank: {score: {by: me.score, first: highest, from: [L1]}}
examples:
  stop_with_one:
    about: "a 1 counts"
    from: [L1]
    given: {Ann.score: 5}
    play: |
      -> 1 3
    can: stop
`

const bold = `houserules: 1
variant: bold
for: little
title: Bold
about: Stop late.
forbid: {stop: {when: me.score > 1, because: "not yet"}}
before: {over: {when: turn.points > 9, do: turn.points += 1}}
adjust:
  combos.combos.pair.points: it + goal
  usual: it + 1
`

func load(t *testing.T, with ...string) *dsl.Program {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("little.yaml", little), &ds)
	lib.Add(source.NewFile("bold.yaml", bold), &ds)
	p, found := dsl.Load(lib, "little", dsl.Options{With: with})
	if p == nil || ds.HasErrors() {
		t.Fatal(ds.Err(), found.Err())
	}
	return p
}

const littleMarkdown = "# Little \\<game\\>\n" + `
Throw &amp; stop \| or \*lose\*.

Players: 2 to 4

## House rules in force

None: the game is played as printed.

## Options

| Option | Value | What it says |
| --- | --- | --- |
| Goal | 20 | Points that win.[^L1] |
| Strict | false | Nobody may stop early. |

## What there is

### Dice

2 in all. Sides: 1 to 6.

| How many | Colour |
| --- | --- |
| 1 | white |
| 1 | red |

### Places

| Place | Holds | Seen by | What it is |
| --- | --- | --- | --- |
| Tray | dice | everybody | The dice. |

## How to play

Turns pass to the left.

### Start

Throw all dice.

### Stop?

- **Stop**: Stop with less than 21 points.
  - Refused, if not ¬turn.points >= 0¬: “*points* of 20”
- **Throw again**

### Over

The points are counted.

## What scores

Pieces are split into combinations so that they are worth most.

| Combination | Pieces | Points |
| --- | --- | --- |
| A single 1 | ¬1¬ | 10 |
| Pair | ¬x*2¬ | ¬x * 10¬ |

Points of **Pair**:

| x | Points |
| --- | --- |
| 1 | 10 |
| 2 | 20 |
| 3 | 30 |
| 4 | 40 |
| 5 | 50 |
| 6 | 60 |

## The end of the game

- First comes the highest *score*.[^L1]

## How phases follow each other

¬¬¬mermaid
stateDiagram-v2
    state "Start" as s0
    state "Stop?" as s1
    state "Over" as s2
    [*] --> s0
    s0 --> s1
    s1 --> s2 : Stop
    s1 --> s0 : Throw again
    s2 --> [*]
    s2 --> s0 : next turn
¬¬¬

## Examples

**A 1 counts**[^L1]

¬¬¬text
given: Ann.score = 5
play: -> 1 3
can: stop
¬¬¬

## Left to people

- **L2** Be kind.

## The printed rules

[^L1]: **L1** Whoever has {goal} points wins.
`

func TestMarkdownOfALittleGame(t *testing.T) {
	want := strings.ReplaceAll(littleMarkdown, "¬", "`")
	if got := Markdown(Make(load(t), false)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHouseRulesAreTold(t *testing.T) {
	got := Markdown(Make(load(t, "bold"), false))
	for _, want := range []string{
		"- **Bold**: Stop late.\n",
		"  - Refused, if `me.score > 1`: “not yet” (house rule: Bold)\n",
		"- Before this, house rule **Bold**, if `turn.points > 9`: `turn.points += 1`\n",
		"| Pair | ¬x*2¬ | ¬it + 20¬, where ¬it¬ is ¬x * 10¬ (house rule: Bold) |\n",
		"- **Usual** It is ¬it + 1¬, where ¬it¬ is ¬turn.points * 2¬ (house rule: Bold).\n",
		"Each example shows its rule by itself",
	} {
		if want = strings.ReplaceAll(want, "¬", "`"); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

const littleCard = `Little <game>
=============

Players: 2 to 4

What you can do
---------------

- Stop: Stop with less than 21 points.
- Throw again

What scores
-----------

Combination  Pieces  Points
-----------  ------  --------
A single 1   ¬1¬     10
Pair         ¬x*2¬   ¬x * 10¬

Points of Pair:

x  Points
-  ------
1  10
2  20
3  30
4  40
5  50
6  60

The end of the game
-------------------

- First comes the highest <score>.
`

func TestCardOfALittleGame(t *testing.T) {
	want := strings.ReplaceAll(littleCard, "¬", "`")
	if got := Plain(Make(load(t), true)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What files say means nothing to the languages in which it is written down.
func TestTextsAreEscaped(t *testing.T) {
	evil := "<script>alert('1')</script> & [x](y) | `c` *b* ![i](j) \x1b[31m\u202e\n# h"
	n := &Note{ID: "<b>|]", Text: evil}
	text := Text{{Text: evil}, {Style: Strong, Text: evil}, {Style: Value, Text: evil}, {Style: Source, Text: evil}, {Style: Cite, Text: n.ID, Note: n}}
	d := &Document{Title: evil, Notes: []*Note{n}, Blocks: []Block{
		&Heading{2, text}, &Paragraph{text}, &List{[]Item{{text, []Item{{text, nil}}}}},
		&Table{[]string{evil}, [][]Text{{text}}}, &Code{evil + "\n```\n</pre>"},
		&Diagram{[]string{evil, "b"}, []Edge{{Begin, 0, evil}, {0, 1, evil}, {1, 0, evil}, {0, End, evil}}},
	}}
	page := HTML(d)
	wellFormed(t, page)
	if strings.Contains(page, "<script") || strings.Contains(page, "<b>") {
		t.Errorf("a tag of a file is a tag of the page:\n%s", page)
	}
	md := Markdown(d)
	prose, _, _ := strings.Cut(md, "````")
	prose = regexp.MustCompile("``.*?``").ReplaceAllString(prose, "")
	for _, bad := range []string{"\n# h", "<script", "[x]", " `c`", " *b*"} {
		if n := strings.Index(strings.ReplaceAll(prose, `\<`, ""), bad); n >= 0 {
			t.Errorf("%q stands in\n%s", bad, prose)
		}
	}
	if !strings.Contains(md, "````text\n") {
		t.Errorf("the fence is too short in\n%s", md)
	}
	for _, out := range []string{page, md, Plain(d)} {
		if strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("a control character is left in %q", out)
		}
	}
}

func wellFormed(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v\n%s", err, page)
		}
	}
}

// Different letters are different faces, so the table has gaps.
func TestPointsByTwoLetters(t *testing.T) {
	faces := dsl.Type{Kind: dsl.KInt}
	letter := func(name string, domain ...int64) *dsl.Letter {
		return &dsl.Letter{Local: &dsl.Local{Name: name, Type: faces}, Domain: domain}
	}
	x, y := letter("x", 1, 2), letter("y", 1, 2)
	read := func(l *dsl.Letter) *dsl.Expr { return &dsl.Expr{Op: dsl.OpLocal, Type: faces, Ref: l.Local} }
	c := &dsl.Combo{Letters: []*dsl.Letter{x, y}, Points: &dsl.Expr{Op: dsl.OpAdd, Type: faces, Args: []*dsl.Expr{read(x), read(y)}}}
	got := Markdown(&Document{Title: "t", Blocks: []Block{pointTable(c)}})
	if want := "# t\n\n| x | y = 1 | y = 2 |\n| --- | --- | --- |\n| 1 |  | 3 |\n| 2 | 3 |  |\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
