package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// A game of hidden dice. Each family has words of its own, so that a text that
// tells what is hidden can be told by them.
const cups = `houserules: 1
game: cups
title: Cups
players: 2..4
pieces:
  lamps: {count: 8, faces: [ruby = 1, opal = 2, jade = 3, onyx = 4]}
  masks: {count: 4, faces: [lion = 1, crow = 2, toad = 3, hare = 4]}
  seals: {count: 2, faces: [oak = 1, elm = 2, ash = 3, yew = 4]}
zones:
  heap: {of: lamps, seen: nobody, starts: all}
  cup: {of: lamps, each: seat, seen: owner}
  table: {of: lamps, seen: all}
  box: {of: masks, seen: nobody, starts: all}
  brow: {of: masks, each: seat, seen: others}
  vault: {of: seals, seen: nobody, starts: all}
state:
  game: {said: {type: int, rule: "What was bid last."}}
  player: {score: 0}
events:
  won(who seat): {do: who.score += 1, say: "{who} was right and has {who.score}", write: "{who.score}", mark: "*", shout: "Well done, {who}!"}
phases:
  deal:
    when: turn.number == 1
    enter: |
      throw heap
      throw vault
      for s in everyone {
        move take(heap, 2) to s.cup
        move take(box, 1) to s.brow
        throw s.cup
        throw s.brow
      }
  shake: {enter: throw me.cup}
  tell: {enter: 'say "you have {me.cup}" for me'}
  play:
    actions:
      bid:
        pick: {n: 1..6}
        require: {more: {that: n > game.said, else: "more than {game.said} must be bid"}}
        do: game.said = n
      lay: {pick: {p: one of me.cup}, do: move p to table}
      doubt:
        when: game.said > 0
        do: |
          emit won(me) if count(me.cup, .face == 1) < game.said
          game.said = 0
  done:
    enter: |
      finish if turn.number > 30 or empty(me.cup)
      next turn
rank: {score: {by: me.score, first: highest}}
sheet: {total: me.score, line: turn}
show:
  bids: "bid so far: {game.said}; {len(me.cup)} under the cup, {len(vault)} in the vault"
  laid: {text: "on the table: {table}", when: not empty(table)}
`

// tells reports a word among those of hidden families in a text.
func tells(text string, words ...string) string {
	for _, w := range words {
		if slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }), w) {
			return w
		}
	}
	return ""
}

var (
	lampWords = []string{"ruby", "opal", "jade", "onyx"}
	maskWords = []string{"lion", "crow", "toad", "hare"}
	sealWords = []string{"oak", "elm", "ash", "yew"}
)

func TestHiddenPiecesStayHidden(t *testing.T) {
	const seats = 3
	g := inlineGame(t, seats, cups)
	m := g.Start(interpreter.Setup{Names: people[:seats]})
	decisions, seen := 0, map[string]bool{}
	for i := range sometimes(60, 10) {
		m.Restart(interpreter.Setup{Names: people[:seats], Seed: 1, Index: uint64(i)})
		log := &interpreter.Log{}
		m.Listen(log)
		r := interpreter.NewRand(1, uint64(i), interpreter.StreamPolicy)
		n, err := drive(m, &r, func(req interpreter.Request) error {
			for seat := -1; seat < seats; seat++ {
				if err := viewIsFair(m, seat, seen); err != nil {
					return err
				}
			}
			// What is asked of a seat may tell of its own lamps, never of anything else.
			for _, o := range m.Options(0) {
				if w := tells(o.Text, append(sealWords, maskWords...)...); w != "" {
					return fmt.Errorf("option %q tells of %s", o.Text, w)
				}
			}
			for _, c := range m.Choices(true) {
				if c.Why != nil && tells(c.Why.Reason, append(sealWords, maskWords...)...) != "" {
					return fmt.Errorf("refusal %q", c.Why.Reason)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("game %d, decision %d: %v", i, n, err)
		}
		decisions += n
		for _, rec := range log.Records {
			if w := tells(rec.Text, append(sealWords, maskWords...)...); w != "" {
				t.Fatalf("game %d: a record says %q", i, rec.Text)
			}
			w := tells(rec.Text, lampWords...)
			laid := rec.Kind == interpreter.RecAction && strings.HasPrefix(rec.Text, "lay ")
			own := rec.Kind == interpreter.RecSay && rec.Of == rec.Seat
			if w != "" && !laid && !own {
				t.Fatalf("game %d: a record of seat %d for %d says %q", i, rec.Seat, rec.Of, rec.Text)
			}
		}
		for seat := range seats {
			if w := tells(strings.Join(log.Column(seat), " "), append(lampWords, sealWords...)...); w != "" {
				t.Fatalf("game %d: column %v", i, log.Column(seat))
			}
		}
	}
	for _, want := range []string{"own cup", "others' brows", "table"} {
		if !seen[want] {
			t.Errorf("in %d decisions nobody saw: %s", decisions, want)
		}
	}
}

// viewIsFair tests that a view holds exactly what its seat may see.
func viewIsFair(m *interpreter.Machine, seat int, seen map[string]bool) error {
	v := m.View(seat)
	for _, z := range v.Zones {
		may := false
		switch z.Zone.Name {
		case "table":
			may = true
			seen["table"] = seen["table"] || z.Count > 0
		case "cup":
			may = z.Of == seat
			seen["own cup"] = seen["own cup"] || may && z.Count > 0
		case "brow":
			may = z.Of != seat && seat >= 0
			seen["others' brows"] = seen["others' brows"] || may && z.Count > 0
		}
		set := m.Set(z.Zone, max(z.Of, 0))
		if z.Seen != may || !may && z.Pieces != "" || z.Count != ones(set) {
			return fmt.Errorf("seat %d sees %s of %d as %+v", seat, z.Zone.Name, z.Of, z)
		}
		if may && len(strings.Fields(z.Pieces)) != z.Count {
			return fmt.Errorf("seat %d sees %q of %d in %s", seat, z.Pieces, z.Count, z.Zone.Name)
		}
	}
	all := append(append(slices.Clone(lampWords), maskWords...), sealWords...)
	for _, x := range v.Vars {
		if tells(x.Text, all...) != "" {
			return fmt.Errorf("seat %d reads %s = %q", seat, x.Var.Name, x.Text)
		}
	}
	for _, line := range v.Show {
		if tells(line, all...) != "" && !strings.HasPrefix(line, "on the table") {
			return fmt.Errorf("seat %d is shown %q", seat, line)
		}
	}
	return nil
}

func ones(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// A rule file that would tell what is hidden is refused.
func TestTellingWhatIsHiddenIsRefused(t *testing.T) {
	for name, c := range map[string][2]string{
		"shown":         {`bids: "bid so far`, `bids: "in the vault: {vault}; bid so far`},
		"shown of me":   {`bids: "bid so far`, `bids: "{me.cup}; bid so far`},
		"said to all":   {`say "you have {me.cup}" for me`, `say "{me} has {me.cup}"`},
		"shouted":       {`shout: "Well done, {who}!"`, `shout: "{who} had {who.brow}!"`},
		"a guard":       {`that: n > game.said,`, `that: 'n > count(vault, .face == 1)',`},
		"of one's brow": {`that: n > game.said,`, `that: 'n > count(me.brow, .face == 1)',`},
		"of other cups": {`that: n > game.said,`, `that: 'n > count(first(others).cup, .face == 1)',`},
		"a pick":        {`pick: {p: one of me.cup}`, `pick: {p: one of heap}`},
	} {
		text := strings.Replace(cups, c[0], c[1], 1)
		if text == cups {
			t.Fatalf("%s: %q is not there", name, c[0])
		}
		lib := inline(t, text)
		p, ds := dsl.Load(lib, "cups", dsl.Options{})
		if p != nil || !slices.ContainsFunc(ds, func(d *source.Diagnostic) bool { return d.Code == "E0225" }) {
			t.Errorf("%s: accepted, with %v", name, ds)
		}
	}
}

// A match of hidden dice replays like any other.
func TestHiddenGamesReplay(t *testing.T) {
	g := inlineGame(t, 2, cups)
	for i := range 10 {
		x, err := randomMatch(g, interpreter.Header{Players: people[:2], Seed: uint64(i)}, 200)
		if err != nil {
			t.Fatal(err)
		}
		y, err := interpreter.Replay(g, x.Journal)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := logText(x.Log, 2), logText(y.Log, 2); a != b {
			t.Fatalf("match %d: the logs differ from %q", i, firstDifference(a, b))
		}
	}
}
