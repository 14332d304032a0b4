package dsl

import (
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// harbour uses what pig does not: named faces, scopes, zones of seats, picks of
// all forms, lists of seats that are asked, incidents.
const harbour = `houserules: 1
game: harbour
title: Harbour
players: 2..6
params:
  way: {default: left, options: [left, right]}
  most: {default: len(everyone) + 2, min: 1, max: 20}
  strict: {default: true}
require:
  small: {that: len(everyone) <= most, else: "at most {most}"}
pieces:
  dice:
    count: len(everyone) + 3
    faces: [wind = 1, 2, 3, 4, crew = 5, ship = 6]
    heavy: number % 2 == 0
    weight: 'it.heavy ? 3 : 1'
zones:
  sea: {of: dice, starts: all}
  hold: {of: dice, each: seat, seen: owner}
scopes:
  round: {in: game}
state:
  game: {leader: {type: seat, start: first(everyone)}, best: int or none}
  player: {score: 0, bid: int or none}
  player in round: {won: 0}
  round: {said: way, done: false, watch: dice.face or none}
turns: {order: way, skip: me.out}
define:
  dice.ships: it.face == ship
  is_ship(p dice): p.ships
  name_of(f dice.face): {wind: 1, crew: 2, ship: 3, else: 0}
  sense(w way): {left: 0, right: 1}
  some(ps list of dice): count(ps, .ships)
  seat.rich: me.score > 10 and richer
  richer: 'any(others, .score < me.score)'
scorers:
  cargo:
    of: dice
    pays: me.score
    knows: {watch: round.watch}
    wild: it.face == wind
    combos:
      fleet: {match: ship crew wind, points: 5, like: {ship crew wind: 5}}
      heavy_pair: {match: heavy x*2, points: x * 10}
      run: {match: x*n, letters: {n: 3..6, x: [crew, 2]}, points: 'n + (watch ?? 0)'}
events:
  storm(who seat, f dice.face): {say: "{f} blows at {who}", covers: calm}
  calm: {when: strict}
phases:
  begin:
    enter: |
      start round
      throw sea
      emit storm(me, wind)
  bidding:
    who: around(players, active) in turn
    actions:
      bid:
        pick: {n: 0..10 where it < 9}
        do: me.bid = n
      pass: {when: strict}
    otherwise: me.bid = none
    then: |
      let top = max(map(players, .bid ?? 0))
      round.watch = crew if top > 3
      game.best = top
  loading:
    actions:
      take:
        pick:
          one_die: one of sea where .face != wind
          more: any of filter(sea, it != one_die)
          two: 2 of players
          friend: one of others if any
          again_with: value of strict
        tell_apart: [face, heavy]
        require:
          light: {either: [not one_die.heavy, len(more) == 0], else: "too heavy"}
          friendly: {that: friend == none or friend.score >= 0, else: "no"}
        do: |
          move more to me.hold
          move one_die to me.hold
          set me.hold to ship
          set one_die to 2
          score more by cargo
          for s in two { s.won += 1 }
          again if empty(sea)
      stop: {do: 'next turn if round.number < 3; finish with filter(players, .rich)'}
  last:
    enter: |
      turn of game.leader if round.said == left and not round.done
      let lucky = random of players
      lucky.out = true
      game.leader = random of players
      roll me.bid in 1..6
      write "{me.bid}" for lucky
      next turn
incidents:
  overboard: {spoils: [begin], when: strict, rate: 5, do: again}
rank:
  best: {by: me.score, first: highest, when: strict}
  poor: {by: me.rich, first: true}
ending: say "{winners} win"
invariants: {all_there: {either: [len(sea) > 0, strict]}}
`

func TestFeatures(t *testing.T) {
	p := mustLoad(t, harbour)
	dice := p.Families[0]
	if len(dice.Faces) != 6 || dice.Faces[4].Name != "crew" || dice.Attrs[1].Type.Kind != KBool || dice.Attrs[2].Type.Kind != KInt {
		t.Errorf("dice %+v", dice)
	}
	if p.Zones[1].Seen != SeenOwner || !p.Zones[1].Each {
		t.Errorf("hold %+v", p.Zones[1])
	}
	if p.Turns.Right == nil || p.Turns.Right.Op != OpEq || p.Turns.Skip == nil {
		t.Errorf("turns %+v", p.Turns)
	}
	if w := p.Phases[1].Who; w == nil || w.Mode != WhoTurn {
		t.Errorf("who %+v", w)
	}
	types := map[string]string{}
	for _, v := range p.Vars {
		types[v.Scope.Name+"."+v.Name] = v.Type.String()
	}
	for name, want := range map[string]string{
		"game.leader": "seat", "game.best": "int or none", "player.bid": "int or none", "player in round.won": "int",
		"round.said": "option of way", "round.watch": "face or none", "player.out": "bool",
	} {
		if types[name] != want {
			t.Errorf("%s is %s, not %s", name, types[name], want)
		}
	}
	testHarbourPicks(t, p)
	testHarbourScorer(t, p.Scorers[0])
}

func testHarbourPicks(t *testing.T, p *Program) {
	take := p.Phases[2].Actions[0]
	for i, want := range []struct {
		form PickForm
		t    string
	}{
		{PickOne, "piece of dice"}, {PickAny, "list of piece of dice"}, {PickN, "list of seat"}, {PickOne, "seat or none"}, {PickValue, "bool"},
	} {
		if pick := take.Picks[i]; pick.Form != want.form || pick.Local.Type.String() != want.t {
			t.Errorf("pick %d: form %d, %s", i, pick.Form, pick.Local.Type)
		}
	}
	if len(take.TellApart) != 2 || !take.Require[0].ReadsPicks || take.Require[0].That.Op != OpOr {
		t.Errorf("take %+v", take)
	}
	bid := p.Phases[1].Actions[0].Picks[0]
	if bid.Form != PickRange || bid.Where == nil || bid.It == nil {
		t.Errorf("bid %+v", bid)
	}
}

func testHarbourScorer(t *testing.T, sc *Scorer) {
	if len(sc.Reads) != 2 || sc.Reads[1].Name != "heavy" || sc.Wild == nil || sc.ReadsKept {
		t.Errorf("scorer %+v", sc)
	}
	if k := sc.Knows[0]; k.Lo != 1 || k.Hi != 6 || !k.Local.Type.Maybe {
		t.Errorf("knows %+v", k)
	}
	run := sc.Combos[2]
	if x, n := run.Letters[0].Domain, run.Letters[1].Domain; len(x) != 2 || x[1] != 5 || len(n) != 4 {
		t.Errorf("letters %v %v", x, n)
	}
	if item := sc.Combos[1].Match[0].Items[0]; len(item.Attrs) != 1 || item.Attrs[0].Value != 1 || item.Count != 2 {
		t.Errorf("heavy pair %+v", item)
	}
}

// A derived field of seats is about its owner, also in what it uses.
func TestMeOfDerivedFields(t *testing.T) {
	p := mustLoad(t, harbour)
	for _, d := range p.Defines {
		if d.Name == "rich" && (reads(d.Body, map[any]bool{}, OpMe, OpOthers) || len(d.Params) != 1) {
			t.Errorf("rich asks who is asking: %+v", d.Body)
		}
	}
}

func TestFeatureMistakes(t *testing.T) {
	for _, m := range []mistake{
		{"option of a lookup", "sense(w way): {left: 0, right: 1}", "sense(w way): {left: 0, rigth: 1}", []string{"E0226 rigth"}},
		{"lookup of some options", "sense(w way): {left: 0, right: 1}", "sense(w way): {left: 0}", []string{"E0309 sense(w way)"}},
		{"zone of nobody", "if empty(sea)", "if empty(hold)", []string{"E0221 hold"}},
		{"friend may be none", "friend == none or friend.score >= 0", "friend.score >= 0", []string{"E0222 friend"}},
		{"scope in a ring", "round: {in: game}", "round: {in: round}", []string{"E0224 round"}},
		{"start what starts by itself", "start round", "start turn", []string{"E0221 turn"}},
		{"start what is not there", "start round", "start rond", []string{"E0213 rond"}},
		{"turn in numbers", "turn of game.leader if", "turn of 3 if", []string{"E0221 3"}},
		{"leader may not be none", "game.leader = random of players", "game.leader = none", []string{"E0222 none"}},
		{"one at once", "around(players, active) in turn", "me at once", []string{"E0221 me"}},
		{"incident without a way on", "rate: 5, do: again", "rate: 5, do: round.done = true", []string{"E0306 do"}},
		{"ending goes on", `ending: say "{winners} win"`, "ending: next turn", []string{"E0307 next turn"}},
		{"condition reads state", "that: len(everyone) <= most", "that: active.score <= most", []string{"E0225 active.score"}},
		{"attribute after itself", "weight: 'it.heavy ? 3 : 1'", "weight: 'it.weight'", []string{"E0224 weight"}},
		{"attribute reads a zone", "weight: 'it.heavy ? 3 : 1'", "weight: len(sea)", []string{"E0225 sea"}},
		{"winners in rank by a define", "by: me.rich, first: true", "by: len(winners) > 1, first: true", []string{"E0224 winners"}},
		{"number is not written", "start round", "start round; round.number = 3", []string{"E0221 round.number"}},
		{"face of the wrong name", "watch = crew", "watch = crow", []string{"E0213 crow"}},
		{"storm of a number", "emit storm(me, wind)", "emit storm(me, over)", []string{"E0221 over"}},
		{"pick from one", "one of sea where", "one of me where", []string{"E0221 me"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			_, ds := loadTexts(t, Options{}, replaced(t, harbour, m.old, m.new))
			got := findings(ds, source.Error)
			if strings.Join(got, "\n") != strings.Join(m.want, "\n") {
				t.Errorf("got %q, want %q", got, m.want)
				for _, d := range ds {
					t.Log(d, d.Help)
				}
			}
		})
	}
}

// A face may be on several sides, written alike.
func TestFacesThatRepeat(t *testing.T) {
	p := mustLoad(t, replaced(t, harbour, "faces: [wind = 1, 2, 3, 4, crew = 5, ship = 6]", "faces: [wind = 1, 2, wind, 4, crew = 5, crew = 5, ship, 2]"))
	var numbers []int64
	for _, f := range p.Families[0].Faces {
		numbers = append(numbers, f.Number)
	}
	if !slices.Equal(numbers, []int64{1, 2, 1, 4, 5, 5, 7, 2}) {
		t.Errorf("the sides are %v", numbers)
	}
	if x := p.Scorers[0].Combos[1].Letters[0].Domain; !slices.Equal(x, []int64{1, 2, 4, 5, 7}) {
		t.Errorf("a letter stands for %v", x)
	}
	for _, other := range []string{"wind = 3", "rain = 1", "1"} {
		_, ds := loadTexts(t, Options{}, replaced(t, harbour, "faces: [wind = 1, 2, 3,", "faces: [wind = 1, "+other+", 3,"))
		if got := findings(ds, source.Error); len(got) != 1 || got[0] != "E0223 "+other {
			t.Errorf("%s: %q", other, got)
		}
	}
}

// A move takes a list of pieces, of the right family and of which none is none.
func TestMovesOfLists(t *testing.T) {
	for what, want := range map[string]string{
		"concat(sea, me.hold)": "",
		"[sea[1], sea[2]]":     "",
		"map(sea, it)":         "",
		"[find(sea, .ships)]":  "E0222 [find(sea, .ships)]",
		"others":               "E0221 others",
		"map(sea, .face)":      "E0221 map(sea, .face)",
	} {
		_, ds := loadTexts(t, Options{}, replaced(t, harbour, "          set one_die to 2\n", "          set one_die to 2\n          move "+what+" to sea\n"))
		if got := strings.Join(findings(ds, source.Error), " "); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}
