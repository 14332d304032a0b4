package dsl

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// orchard is a game with pieces of kinds, which tests change a line of.
const orchard = `houserules: 1
game: orchard
title: Orchard
players: 2..6
params:
  storms: {default: 2, min: 0, max: 9}
pieces:
  cards:
    attributes:
      tree: {options: {apple: A, pear: P}, default: none}
      size: 0
      counts_as: '[.kind]'
      wet: '.kind == storm'
    kinds:
      fruit: {each: {tree: all, size: 1..3}, short: '{tree}{size}'}
      storm: {count: storms, short: ST}
      twin: {count: 2, short: TW, counts_as: [fruit, storm], title: The Twin}
zones:
  pile: {of: cards, starts: all, seen: nobody}
  hand: {of: cards, each: seat, seen: owner}
  row: {of: cards, marks: {by: seat, as: {type: cards.kind, default: '.counts_as[1]'}}}
  heap: {of: cards, seen: nobody}
seats:
  scarecrow: {when: len(everyone) == 2, title: Scarecrow}
scopes: {round: {in: game}}
state:
  player in round: {guess: 0, won: 0}
  round: {leader: {type: seat, start: first(everyone)}}
define:
  to_match: tree_of(row)
tables:
  order:
    gives: list of seat
    rows:
      ghost_second: {when: scarecrow != none, gives: '[round.leader, scarecrow, after(everyone, round.leader)]'}
      in_turn: {gives: 'around(everyone, round.leader)'}
  tree_of:
    of: {played: row}
    gives: cards.tree or none
    rows:
      first_tree: {first: .tree != none, gives: .tree}
      none_yet: none
  winner_of:
    of: {played: row}
    rows:
      storm: {when: 'any(played, .as == storm)', first: .as == storm}
      largest: {highest: .size, where: .tree != none and .tree == tree_of(played)}
      anything: {last: true}
  worth:
    of: {played: row}
    given: {who: seat, best: cards or none}
    take: sum
    rows:
      sizes: sum(played, .size)
      mine: {when: best != none, gives: best.size * who.guess}
phases:
  guess:
    who: players at once
    actions:
      guess_some:
        pick: {n: 0..3}
        do: me.guess = n
    then: say "{sum(players, .guess)} are guessed"
  deal:
    enter: |
      move cards to pile at random
      deal 3 from pile to hand of players
  gathering:
    who: order in turn
    nobody: |
      deal 1 from pile to hand of me
      move take(me.hand, 1) to row with by = me
    actions:
      play:
        pick: {card: one of me.hand, role: one of card.counts_as}
        require:
          same_tree:
            either: [empty(row), card.tree == none, to_match == none, card.tree == to_match]
        do: move card to row with by = me, as = role
    then: |
      let best = winner_of(row)
      if best != none {
        best.by.won += worth(row, best.by, best)
        round.leader = best.by
      }
      show row to players
      move row to heap on top
      goto gathering if any(everyone, not empty(.hand))
  over:
    who: table
    actions:
      stop:
        pick: {won: 0..9 for each everyone, lost: 0..9 = 0}
        require:
          fits: sum(won) + lost < 20
        do: |
          for p in everyone { p.won += won[p] }
          finish
rank: {won: {by: me.won, first: highest}}
`

func attrNamed(t *testing.T, f *Family, name string) *Attr {
	t.Helper()
	for _, a := range f.Attrs {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("no attribute %s", name)
	return nil
}

func TestKinds(t *testing.T) {
	p := mustLoad(t, orchard)
	f := p.Families[0]
	kind := f.Attrs[0]
	if f.Count != nil || len(f.Kinds) != 3 || !kind.IsKind || kind.Type.Enum.Name != "cards.kind" {
		t.Fatalf("family %+v", f)
	}
	if got := kind.Type.Enum.Label(2); got != "The Twin" {
		t.Errorf("label %q", got)
	}
	tree, counts := attrNamed(t, f, "tree"), attrNamed(t, f, "counts_as")
	if !tree.Type.Maybe || tree.Shorts[1] != "P" || tree.Formula.Int != None {
		t.Errorf("tree %+v", tree)
	}
	if counts.Type.Kind != KList || counts.Type.Elem.Enum != kind.Type.Enum || counts.It == nil {
		t.Errorf("counts_as %+v", counts)
	}
	var shorts []string
	for _, k := range f.Kinds {
		for _, l := range k.Lots {
			shorts = append(shorts, l.Short)
		}
	}
	if want := "[A1 A2 A3 P1 P2 P3 ST TW]"; fmt.Sprint(shorts) != want {
		t.Errorf("shorts %v", shorts)
	}
	twin := f.Kinds[2].Lots[0]
	if v := twin.Values[counts]; v == nil || v.Op != OpList || v.Args[1].Int != 1 || twin.Count.Int != 2 {
		t.Errorf("twin %+v", twin)
	}
	if f.Kinds[1].Lots[0].Count.Op != OpParam {
		t.Error("the number of storms is a param")
	}
	if v := f.Kinds[0].Lots[4].Values; v[tree].Int != 1 || v[attrNamed(t, f, "size")].Int != 2 {
		t.Errorf("P2 %v", v)
	}
}

// stmts lists the statements of a script with those in its blocks.
func stmts(s *Script) (out []*Stmt) {
	eachStmt(s, func(st *Stmt) { out = append(out, st) })
	return out
}

func TestMarksAndDeals(t *testing.T) {
	p := mustLoad(t, orchard)
	f, row := p.Families[0], p.Zones[2]
	if !reflect.DeepEqual(f.Marks, row.Marks) || row.Marks[1].Default == nil || row.Marks[0].Type.Kind != KSeat {
		t.Fatalf("marks %+v", row.Marks)
	}
	deal := stmts(p.Phases[1].Enter)
	if !deal[0].Random || deal[1].Op != StmtDeal || deal[1].Zone.Name != "hand" || deal[1].Seat.Op != OpPlayers || deal[1].X.Int != 3 {
		t.Errorf("deal %+v", deal[1])
	}
	put := stmts(p.Phases[2].Actions[0].Do)[0]
	if len(put.Marks) != 2 || put.Marks[0].Mark.Name != "by" || put.It == nil || put.Marks[0].Value.Op != OpMe {
		t.Errorf("move %+v", put)
	}
	then := stmts(p.Phases[2].Then)
	if show, move := then[len(then)-4], then[len(then)-3]; show.Op != StmtShow || !move.OnTop {
		t.Errorf("then %+v", then)
	}
}

func TestMarksAreShared(t *testing.T) {
	p := mustLoad(t, replaced(t, orchard, "heap: {of: cards, seen: nobody}", "heap: {of: cards, seen: nobody, marks: {by: {type: seat, default: first(everyone)}}}"))
	m := p.Families[0].Marks
	if len(m) != 2 || m[0].Default == nil || p.Zones[3].Marks[0] != m[0] {
		t.Errorf("marks %+v", m)
	}
}

func TestLotWords(t *testing.T) {
	p := mustLoad(t, orchard)
	read := func(text string) []PieceWord {
		var ds source.List
		return p.Pieces(syntax.FileText(source.NewFile("x", text)), p.Families[0], &ds)
	}
	words := read("a2 by Ann, TW by Bob as storm 3xST")
	if len(words) != 5 {
		t.Fatalf("words %+v", words)
	}
	if words[0].Lot.Short != "A2" || len(words[1].Marks) != 2 || words[1].Marks[1].Text.Value != "storm" || words[4].Lot.Kind.Name != "storm" {
		t.Errorf("words %+v", words)
	}
	for _, text := range []string{"A4", "A1 by", "0x", "3xA9"} {
		if got := read(text); got != nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestOrchardMistakes changes a line of the game and looks for what is found.
func TestOrchardMistakes(t *testing.T) {
	for _, m := range []mistake{
		{"both may be none", "card.tree == none, to_match == none, ", "", []string{"E0228 =="}},
		{"best may be none", "if best != none {", "if true {", []string{"E0222 best", "E0222 best", "E0222 best"}},
		{"table of another family", "winner_of(row)", "winner_of(players)", []string{"E0221 players"}},
		{"last row finds", "none_yet: none", "none_yet: {first: .tree == none, gives: none}", nil},
		{"ghost alone", "gives: 'around(everyone, round.leader)'", "gives: '[scarecrow ?? round.leader]'", nil},
		{"ring of a ghost", "who: order in turn", "who: filter(seats, it not in everyone)", []string{"E0305 goto gathering"}},
		{"hidden hand", "pick: {n: 0..3}", "pick: {n: '0..len(filter(first(others).hand, .size > 1))'}", []string{"E0225 first(others).hand"}},
		{"hidden in a table", "to_match: tree_of(row)", "to_match: tree_of(pile)", []string{"E0225 to_match"}},
		{"sum of seats", "sizes: sum(played, .size)", "sizes: who", []string{"E0221 who"}},
		{"open for each", "0..9 for each everyone", "any of everyone for each everyone", []string{"E0221 any of everyone for each everyone"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			_, ds := loadTexts(t, Options{}, replaced(t, orchard, m.old, m.new))
			if got := findings(ds, source.Error); !reflect.DeepEqual(got, m.want) {
				t.Errorf("got %q, want %q", got, m.want)
				for _, d := range ds {
					t.Log(d, d.Help)
				}
			}
		})
	}
}

func TestTables(t *testing.T) {
	p := mustLoad(t, orchard)
	order, treeOf, winner, worth := p.Tables[0], p.Tables[1], p.Tables[2], p.Tables[3]
	if order.Pieces || len(order.Params) != 0 || order.Type.String() != "list of seat" {
		t.Errorf("order %+v", order)
	}
	if !treeOf.Type.Maybe || treeOf.Type.Kind != KOption || treeOf.Rows[0].Find != FindFirst || treeOf.Rows[1].Find != FindNothing {
		t.Errorf("tree_of %+v", treeOf)
	}
	if winner.Type.String() != "piece of cards or none" || !winner.Pieces || winner.Params[0].Name != "played" {
		t.Errorf("winner_of %+v", winner)
	}
	if r := winner.Rows[1]; r.Find != FindHighest || r.Key == nil || r.Where == nil || r.Gives != nil || r.It == nil {
		t.Errorf("largest %+v", r)
	}
	if r := winner.Rows[2]; r.Find != FindLast || r.Where != nil {
		t.Errorf("anything %+v", r)
	}
	if !worth.Sum || len(worth.Params) != 3 || !worth.Params[2].Type.Maybe || worth.Rows[0].Path != "tables.worth.rows.sizes" {
		t.Errorf("worth %+v", worth)
	}
}

func TestSeatsThatAreAsked(t *testing.T) {
	p := mustLoad(t, orchard)
	if g := p.Ghosts; len(g) != 1 || g[0].Title != "Scarecrow" || g[0].When == nil {
		t.Fatalf("ghosts %+v", g)
	}
	if p.Phases[0].Who.Mode != WhoOnce || p.Phases[2].Nobody == nil || p.Phases[2].Who.List.Op != OpTable {
		t.Error("who is asked")
	}
	over := p.Phases[3]
	won, lost := over.Actions[0].Picks[0], over.Actions[0].Picks[1]
	if over.Who.Mode != WhoTable || won.Each.Op != OpEveryone || won.Local.Type.String() != "int for each seat" || !won.Open() {
		t.Errorf("won %+v", won)
	}
	if lost.Default == nil || lost.Form != PickRange || lost.Local.Type.Kind != KInt {
		t.Errorf("lost %+v", lost)
	}
}

const harvestHome = `houserules: 1
variant: harvest-home
for: orchard
title: Harvest home
params:
  rounds: {default: [3, 5], min: 1, max: 9}
state:
  round: {gifts: int for each cards.tree}
  player: {told: bool for each gift}
define:
  gift: {options: [nuts, wine], is: nuts}
tables:
  gift_worth:
    given: {what: gift}
    gives: 0..9
    rows: {nuts: {when: what == nuts, gives: 1}, wine: 2}
zones:
  basket: {of: cards, each: seat, marks: {by: seat, from_whom: seat or none}}
add:
  cards.kinds.hail: {short: HA}
  cards.attributes.cold: '.kind == hail'
  winner_of.rows.hail: {at: top, when: 'any(played, .cold)', gives: none}
  guess_some.pick.present: one of gift
  guess_some.require.wine_is_dear: gift_worth(present) < 2 or len(rounds) > 1
change:
  pieces.cards.kinds.fruit.each: {tree: all, size: 1..2}
  tables.worth.rows: {nothing: 0}
remove: [twin]
after:
  guess_some: me.told[present] = true
  gathering:
    do: |
      round.gifts[apple] += gift_worth(gift) + rounds[1]
      deal filter(row, .tree != none) to basket of everyone with by = me, from_whom = it.by
      say "{round.gifts[apple]}, {sum(round.gifts)}, {me.told[wine]}"
set: {rounds: [4, 6, 8]}
`

func TestVariantsOfCards(t *testing.T) {
	p := mustLoad(t, orchard, harvestHome)
	f := p.Families[0]
	if fmt.Sprint(f.Attrs[0].Type.Enum.Values) != "[fruit storm hail]" || len(f.Kinds[0].Lots) != 4 {
		t.Errorf("kinds %v", f.Attrs[0].Type.Enum.Values)
	}
	if w := p.Tables[2]; w.Rows[0].Name != "hail" || w.Rows[0].Owner != "harvest-home" || !w.Type.Maybe {
		t.Errorf("rows %+v", w.Rows[0])
	}
	if w := p.Tables[3]; len(w.Rows) != 1 || w.Type.Kind != KInt {
		t.Errorf("worth %+v", w)
	}
	if m := p.Zones[4].Marks; m[0] != f.Marks[0] || !m[1].Type.Maybe || m[1].Owner != "harvest-home" {
		t.Errorf("marks %+v", m)
	}
	if pr := p.ParamsOf("harvest-home")[0]; pr.Type.Kind != KList || len(pr.Value().Args) != 3 || pr.Max != 9 {
		t.Errorf("rounds %+v", pr)
	}
	pick := p.Phases[0].Actions[0].Picks[1]
	if pick.List.Op != OpList || len(pick.List.Args) != 2 {
		t.Errorf("present %+v", pick.List)
	}
	told := stmts(p.Phases[0].Actions[0].After[0].Do)[0]
	if told.Place.Key == nil || told.Place.Seat == nil || told.Place.Var.Type.String() != "bool for each option of gift" {
		t.Errorf("told %+v", told.Place)
	}
	add := stmts(p.Phases[2].After[0].Do)[0]
	if add.Op != StmtAdd || add.Place.Key.Int != 0 || add.Place.Var.Start.Int != 0 {
		t.Errorf("gifts %+v", add.Place)
	}
}

func TestListParamsOnTheCommandLine(t *testing.T) {
	p, ds := loadTexts(t, Options{Set: map[string]string{"rounds": "[5, 5]"}}, orchard, harvestHome)
	if p == nil {
		t.Fatal(ds)
	}
	if v := p.ParamsOf("harvest-home")[0].Value(); v.Op != OpList || len(v.Args) != 2 {
		t.Errorf("rounds %+v", v)
	}
	q := mustLoad(t, orchard, harvestHome)
	r := mustLoad(t, orchard, replaced(t, harvestHome, "[4, 6, 8]", "[4, 6, 9]"))
	if q.Fingerprint == r.Fingerprint {
		t.Error("the fingerprint does not see lists")
	}
}

func TestLenientFormulas(t *testing.T) {
	p := mustLoad(t, orchard)
	for _, text := range []string{"winner_of(row).by == Ann", "worth(row, winner_of(row).by, winner_of(row)) == 3", "scarecrow.guess + 1 == 1"} {
		for _, lenient := range []bool{false, true} {
			var ds source.List
			env := Env{Seats: []string{"Ann", "Bob"}, Want: &Bool, Lenient: lenient}
			e := p.Formula(syntax.FileText(source.NewFile("x", text)), env, &ds)
			if (e != nil) != lenient {
				t.Errorf("%s: lenient %v: %v", text, lenient, ds)
			}
		}
	}
}

func TestGivenAtAKey(t *testing.T) {
	p := mustLoad(t, orchard, harvestHome)
	given := func(text string) *Given {
		var ds source.List
		return p.PlaceOf(syntax.FileText(source.NewFile("x", text)), Env{Seats: []string{"Ann", "Bob"}, Owner: "harvest-home"}, &ds)
	}
	if g := given("Ann.told[wine]"); g == nil || g.Place.Key.Int != 1 || g.Place.Seat == nil {
		t.Errorf("given %+v", g)
	}
	if g := given("round.gifts"); g != nil {
		t.Errorf("a whole map: %+v", g)
	}
}
