package dsl

import (
	"testing"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// TestFormulas types formulas one by one. Each must give a type, or one error
// as "CODE text at the caret".
func TestFormulas(t *testing.T) {
	p := mustLoad(t, harbour)
	for _, m := range []struct{ formula, want string }{
		// values
		{"1 + 2 * 3", "int"}, {"-5 / 2", "int"}, {"-most", "int"}, {"not over", "bool"}, {"me", "seat"}, {"Bob", "seat"},
		{"everyone", "list of seat"}, {"sea", "list of piece of dice"}, {"dice", "list of piece of dice"}, {"1..3", "list of int"},
		{"[1, 2]", "list of int"}, {"[]", "list of unknown"}, {"round.said", "option of way"}, {"round.number", "int"}, {"turn.number", "int"},
		{"Ann.hold", "list of piece of dice"}, {"me.won", "int"}, {"me.out", "bool"}, {"none", "none"},
		{"-over", "E0221 over"}, {"not 1", "E0221 1"}, {"hold", "E0221 hold"}, {"round", "E0221 round"}, {"Cat", "E0213 Cat"},
		{"[1, over]", "E0221 over"}, {"[[1], [2]]", "E0221 [1]"}, {"1 .. over", "E0221 over"}, {"player.score", "E0213 player"},
		// none
		{"game.best", "int or none"}, {"game.best ?? 3", "int"}, {"game.best ?? none", "int or none"}, {"game.best + 1", "E0222 game.best"},
		{"game.best != none and game.best + 1 > 2", "bool"}, {"not (game.best == none) and game.best > 2", "bool"},
		{"game.best == none ? 0 : game.best + 1", "int"}, {"game.best == 3 and game.best > 2", "bool"}, {"game.best in [1, 2] and game.best > 1", "bool"},
		{"game.best != 3 and game.best > 2", "E0222 game.best"}, {"none == none", "E0228 none == none"}, {"none + 1", "E0222 none"},
		{"find(players, .bid == 3)", "seat or none"}, {"find(players, .bid == 3)?.score", "int or none"}, {"find(players, .bid == 3).score", "E0222 find(players, .bid == 3)"},
		{"all(players, .bid != none and .bid > 2)", "bool"}, {"all(players, .bid == none or .bid > 2)", "bool"}, {"all(players, .bid > 2)", "E0222 .bid"},
		// options and faces
		{"way == left", "bool"}, {"right == way", "bool"}, {"way in [left, right]", "bool"}, {"left in map(players, way)", "bool"}, {"left == right", "E0213 left"},
		{"way == up", "E0213 up"}, {"way == 1", "E0221 =="}, {"strict == left", "E0213 left"}, {"over ? left : way", "option of way"},
		{"first(sea).face == ship", "bool"}, {"sense(left)", "int"}, {"sense(3)", "E0221 3"}, {"name_of(wind)", "int"},
		// functions
		{"len(sea)", "int"}, {"len(3)", "E0221 3"}, {"empty([])", "bool"}, {"sum(sea, .face)", "int"}, {"sum([1, 2])", "int"}, {"sum(sea)", "E0221 sea"},
		{"count(sea, .heavy)", "int"}, {"count([over])", "int"}, {"count(sea)", "E0221 sea"}, {"count(sea, 2)", "E0221 2"}, {"none(sea, .heavy)", "bool"},
		{"filter(sea, .heavy)", "list of piece of dice"}, {"filter(sea, .face)", "E0221 .face"}, {"map(sea, .face)", "list of face"}, {"map(players, .hold)", "E0221 .hold"},
		{"first(sea)", "piece of dice"}, {"sea[1].face", "face"}, {"nth(sea, 2)", "piece of dice"}, {"sea[over]", "E0221 over"}, {"most[1]", "E0221 most"},
		{"take(sea, 2)", "list of piece of dice"}, {"concat(players, others)", "list of seat"}, {"concat(players, sea)", "E0221 sea"},
		{"min(1, most)", "int"}, {"max(map(players, .score))", "int"}, {"max(players)", "E0221 players"}, {"max(map(players, .bid))", "E0221 map(players, .bid)"},
		{"abs(-3)", "int"}, {"highest(players, .score)", "list of seat"}, {"lowest(others, .won)", "list of seat"}, {"number_of(ship, sea)", "int"},
		{"number_of(shop, sea)", "E0213 shop"}, {"number_of(1, players)", "E0221 players"}, {"after(players, me)", "seat"}, {"around(seats, me)", "list of seat"},
		{"around(sea, me)", "E0221 sea"}, {"len(sea, 1)", "E0215 len(sea, 1)"}, {"most(3)", "E0215 most"}, {"len", "E0213 len"}, {"lenn(sea)", "E0215 lenn"},
		// scorers and defines
		{"cargo.points(sea)", "int"}, {"cargo.most(filter(sea, .heavy))", "int"}, {`cargo.is("run", sea)`, "bool"}, {`cargo.is("rum", sea)`, `E0213 "rum"`},
		{"cargo.points(players)", "E0221 players"}, {"cargo.points(map(sea, it))", "E0221 map(sea, it)"}, {"cargo.worth(sea)", "E0215 worth"},
		{"cargo.is(run, sea)", "E0221 run"}, {"cargo.is(sea)", "E0215 cargo.is(sea)"}, {"cargo.points()", "E0215 cargo.points()"},
		{"some(sea)", "int"}, {"some(players)", "E0221 players"}, {"is_ship(first(sea))", "bool"}, {"first(sea).ships", "bool"}, {"me.rich", "bool"},
		{"me.len()", "E0215 len"}, {"sea.face", "E0214 face"}, {"me.face", "E0214 face"}, {"round.bids", "E0214 bids"},
		// faults of constants
		{"1 / 0", "E0227 1 / 0"}, {"1 % (2 - 2)", "E0227 1 % (2 - 2)"}, {"9223372036854775807 + 1", "E0227 9223372036854775807 + 1"},
		{"-9223372036854775807 - 1", "E0227 -9223372036854775807 - 1"}, {"4000000000 * 4000000000", "E0227 4000000000 * 4000000000"},
		{"players[0]", "E0227 0"}, {"nth(players, 1 - 2)", "E0227 1 - 2"}, {"players[1]", "seat"},
	} {
		var ds source.List
		e := p.Formula(syntax.FileText(source.NewFile("line", m.formula)), Env{Seats: []string{"Ann", "Bob"}}, &ds)
		got := ""
		for _, f := range findings(ds, source.Error) {
			got += f
		}
		if e != nil {
			got += e.Type.String()
		}
		if got != m.want {
			t.Errorf("%s: got %q, want %q", m.formula, got, m.want)
			for _, d := range ds {
				t.Log(d, d.Help)
			}
		}
	}
}

func TestFoldedConstants(t *testing.T) {
	p := mustLoad(t, pig)
	for formula, want := range map[string]int64{
		"7 / 2": 3, "-7 / 2": -4, "-7 % 2": 1, "7 % -2": -1, "2 + 3 * 4": 14, "1 - 2": -1, "-(3)": -3,
	} {
		var ds source.List
		e := p.Formula(syntax.FileText(source.NewFile("line", formula)), Env{}, &ds)
		if e == nil || e.Op != OpConst || e.Int != want {
			t.Errorf("%s = %+v %v", formula, e, ds)
		}
	}
}

func TestWantedType(t *testing.T) {
	p := mustLoad(t, harbour)
	way := p.Params[0].Type
	seats := SetOf(Seat)
	for _, m := range []struct {
		formula string
		want    Type
		ok      bool
	}{{"left", way, true}, {"up", way, false}, {"[Ann, Bob]", seats, true}, {"[]", seats, true}, {"Ann", seats, false}, {"5", Int, true}, {"over", Int, false}} {
		var ds source.List
		e := p.Formula(syntax.FileText(source.NewFile("line", m.formula)), Env{Seats: []string{"Ann", "Bob"}, Want: &m.want}, &ds)
		if (e != nil) != m.ok {
			t.Errorf("%s as %s: %v %v", m.formula, m.want, e, ds)
		}
	}
}
