package dsl

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// pig is the game of most tests. Tests change a line of it.
const pig = `houserules: 1
game: pig
title: Pig
players: 2..10
about: Roll as often as you dare.
book:
  P1: "Whoever reaches the goal wins."
  P2: {people: "Be kind."}
answers:
  PQ1: {param: goal, text: "A hundred."}
params:
  goal: {default: 100, min: 10, max: 1000, step: 10, rule: "Whoever holds {goal} points wins.", from: [P1]}
  mood: {default: calm, options: {calm: "No shouting.", wild: "Shouting."}}
pieces:
  dice: {count: 2, faces: 1..6, colour: [white, red], odd: number == 1}
zones:
  tray: {of: dice, starts: all, seen: all}
state:
  game: {leader: seat or none, first_face: dice.face or none}
  player: {score: 0, rolls: 0}
  turn: {points: 0, crowd: seats}
turns: {order: left}
define:
  thrown: sum(tray, .face)
  times(n, who seat): n * who.score
  worth(x): {1: 0, 6: 10, else: x}
  seat.ahead: count(others, .score < me.score)
  dice.high: it.face > 4
scorers:
  combos:
    of: dice
    pays: turn.points
    knows: {calm_now: mood == calm, lead: {value: me.score, min: 0, max: 1000}}
    combos:
      one: {match: 1, points: 10, like: {1: 10, 2: no}}
      pair: {match: x*2, letters: {x: 2..6}, where: len(kept) == 2, points: 'worth(x) * 2 + (calm_now ? 1 : 0)', then: emit lost}
events:
  lost: {say: "A 1! {me} loses {turn.points} points."}
  gift(who seat, n): {when: n > 0, do: who.score += n, mark: "+{n}"}
phases:
  choose:
    actions:
      roll: {rule: Throw the dice.}
      hold:
        require:
          rolled: {that: turn.points > 0, else: "roll at least once"}
        do: |
          me.score += turn.points
          game.leader = me if game.leader == none
          finish if me.score >= goal
          next turn
  look:
    enter: |
      throw tray
      me.rolls += 1
      if thrown > 2 {
        turn.points += thrown
        goto choose
      }
  bust:
    rule: A 1 loses the points of the turn.
    enter: emit lost; next turn
rank: {score: {by: me.score, first: highest}}
sheet: {total: me.score, line: turn}
show: {at_risk: "{turn.points} at risk"}
invariants: {positive: {that: 'all(everyone, .score >= 0)', else: "nobody owes points"}}
examples:
  hold_keeps_the_points:
    from: [P1]
    play: |
      ! hold by rolled
      roll -> 5 2
      hold
      ? Ann.score == 7 and active == Bob
`

const chance = `houserules: 1
variant: second-chance
for: pig
title: Second chance
params:
  chances: {default: 1, min: 0, max: 9}
state:
  player: {chances_left: chances}
before:
  bust:
    when: me.chances_left > 0
    offer:
      throw_again: {rule: Throw the 1 again., do: me.chances_left -= 1; goto look}
      accept: {rule: Lose the points.}
`

// loadTexts loads the game of the first text with all the others as variants.
func loadTexts(t *testing.T, opt Options, texts ...string) (*Program, source.List) {
	t.Helper()
	lib := NewLibrary()
	var ds source.List
	game := ""
	for i, text := range texts {
		f := lib.Add(source.NewFile([]string{"game.yaml", "a.yaml", "b.yaml", "c.yaml"}[i], text), &ds)
		if f == nil {
			return nil, ds
		}
		if i == 0 {
			game = f.ID
		} else {
			opt.With = append(opt.With, f.ID)
		}
	}
	p, found := Load(lib, game, opt)
	ds = append(ds, found...)
	for _, d := range ds {
		if d.Message == "" || strings.HasSuffix(d.Message, ".") {
			t.Errorf("message %q", d.Message)
		}
	}
	return p, ds
}

// mustLoad loads without any finding.
func mustLoad(t *testing.T, texts ...string) *Program {
	t.Helper()
	p, ds := loadTexts(t, Options{}, texts...)
	for _, d := range ds {
		if d.Severity == source.Error {
			t.Errorf("%v %v", d, d.Help)
		}
	}
	if p == nil {
		t.Fatal("no program")
	}
	return p
}

// replaced changes one line of a text; it insists that the line is there.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the text", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// a change of pig and the errors it must give, each as "CODE text at the caret".
type mistake struct {
	name, old, new string
	want           []string
}

func findings(ds source.List, min source.Severity) []string {
	var out []string
	for _, d := range ds {
		if d.Severity <= min {
			out = append(out, d.Code+" "+d.Span.Text())
		}
	}
	return out
}

func runMistakes(t *testing.T, list []mistake) {
	t.Helper()
	for _, m := range list {
		t.Run(m.name, func(t *testing.T) {
			p, ds := loadTexts(t, Options{}, replaced(t, pig, m.old, m.new))
			got := findings(ds, source.Error)
			if strings.Join(got, "\n") != strings.Join(m.want, "\n") {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(m.want, "\n  "))
				for _, d := range ds {
					t.Log(d, d.Help)
				}
			}
			if (p == nil) != (len(m.want) > 0) {
				t.Errorf("program %v with %d errors", p != nil, len(m.want))
			}
		})
	}
}

func TestPigLoads(t *testing.T) {
	p := mustLoad(t, pig)
	if p.Title != "Pig" || p.MinPlayers != 2 || p.MaxPlayers != 10 {
		t.Errorf("head %q %d..%d", p.Title, p.MinPlayers, p.MaxPlayers)
	}
	if len(p.Phases) != 3 || p.Phases[0].Name != "choose" || p.Turns.Begin != p.Phases[0] {
		t.Errorf("phases %v", p.Phases)
	}
	hold := p.Phases[0].Actions[1]
	if hold.Name != "hold" || hold.Path != "phases.choose.actions.hold" || len(hold.Require) != 1 || hold.Require[0].ReadsPicks {
		t.Errorf("hold %+v", hold)
	}
	sc := p.Scorers[0]
	if sc.Pays == nil || !sc.ReadsKept || len(sc.Reads) != 1 || !sc.Reads[0].IsFace {
		t.Errorf("scorer %+v", sc)
	}
	if d := sc.Combos[1].Letters[0].Domain; len(d) != 5 || d[0] != 2 {
		t.Errorf("letters %v", d)
	}
	if k := sc.Knows; k[0].Lo != 0 || k[0].Hi != 1 || k[1].Hi != 1000 {
		t.Errorf("knows %+v %+v", k[0], k[1])
	}
	if l := sc.Combos[0].Like; len(l) != 2 || l[0].Points != 10 || !l[1].Illegal {
		t.Errorf("like %v", l)
	}
	if len(p.Fingerprint) != 16 || len(p.Uncovered()) != 0 {
		t.Errorf("fingerprint %q, gaps %v", p.Fingerprint, p.Uncovered())
	}
}

func TestVariantLoads(t *testing.T) {
	p := mustLoad(t, pig, chance)
	hooks := p.Phases[2].Before
	if len(hooks) != 1 || !hooks[0].CanExit || len(hooks[0].Offer) != 2 || hooks[0].Variant != "second-chance" {
		t.Fatalf("hooks %+v", hooks)
	}
	if p.Fingerprint == mustLoad(t, pig).Fingerprint {
		t.Error("the fingerprint does not see the variant")
	}
}

func TestFingerprintSeesSets(t *testing.T) {
	a, ds := loadTexts(t, Options{Set: map[string]string{"goal": "50"}}, pig)
	if a == nil {
		t.Fatal(ds)
	}
	if a.Fingerprint == mustLoad(t, pig).Fingerprint || a.Params[0].Value().Int != 50 {
		t.Error("goal was not set")
	}
}

// A library with another text of a file is another library.
func TestLibraryWith(t *testing.T) {
	lib := NewLibrary()
	var ds source.List
	old := source.NewFile("pig.yaml", pig)
	lib.Add(old, &ds)
	with := lib.With(source.NewFile("pig.yaml", strings.Replace(pig, "title: Pig", "title: Hog", 1)))
	if ds.HasErrors() || with == nil || with.Game("pig").Title != "Hog" || len(with.Files()) != 1 || with.Files()[0] != with.Game("pig") {
		t.Errorf("%v, %v", with, ds.Err())
	}
	if lib.Game("pig").Src != old || lib.Files()[0].Src != old {
		t.Error("the library itself is changed")
	}
	for _, text := range []string{"houserules: 1\ngame: other\n", variant("new", ""), "houserules: [", ""} {
		if lib.With(source.NewFile("pig.yaml", text)) != nil {
			t.Errorf("%q takes the place of a file", text)
		}
	}
}
