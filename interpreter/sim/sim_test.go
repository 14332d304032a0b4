package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// program loads a game that comes with houserules, or one of the texts.
func program(t testing.TB, game string, opt dsl.Options, texts ...string) *dsl.Program {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for i, text := range texts {
		lib.Add(source.NewFile(fmt.Sprintf("test%d.yaml", i), text), &ds)
	}
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		lib.AddLater(f, &ds)
	}
	p, more := dsl.Load(lib, game, opt)
	if ds = append(ds, more...); p == nil {
		t.Fatal(ds.Err())
	}
	return p
}

func game(t testing.TB, p *dsl.Program, seats int) *interpreter.Game {
	t.Helper()
	g, err := interpreter.New(p, seats)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func bots(n int, kinds ...interpreter.Bot) []interpreter.Bot {
	out := make([]interpreter.Bot, n)
	copy(out, kinds)
	for i := len(kinds); i < n && len(kinds) > 0; i++ {
		out[i] = kinds[len(kinds)-1]
	}
	return out
}

// run plays a plan, or a span of it.
func run(t testing.TB, p *sim.Plan, jobs int, spans ...sim.Span) *sim.Result {
	t.Helper()
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	r := p.Empty()
	if len(spans) == 0 {
		spans = []sim.Span{{Begin: 0, End: p.Games}}
	}
	for _, s := range spans {
		if err := p.Run(context.Background(), s, jobs, r, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func written(t testing.TB, r *sim.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func measure(t testing.TB, r *sim.Result, side int, id string) sim.Measure {
	t.Helper()
	for _, m := range r.Measures(side) {
		if m.ID == id {
			return m
		}
	}
	t.Fatalf("there is no measure %s", id)
	return sim.Measure{}
}

func difference(t testing.TB, r *sim.Result, id string) sim.Difference {
	t.Helper()
	for _, d := range r.Differences() {
		if d.ID == id {
			return d
		}
	}
	t.Fatalf("there is no difference %s", id)
	return sim.Difference{}
}

// However many jobs and parts there are, the result is the same to the byte.
func TestJobsAndPartsGiveTheSameBytes(t *testing.T) {
	p := program(t, "zonk", dsl.Options{Usual: true})
	rival := program(t, "zonk", dsl.Options{With: []string{"three-pairs"}, Usual: true})
	plan := func() *sim.Plan {
		return &sim.Plan{Game: game(t, p, 2), Rival: game(t, rival, 2), Bots: bots(2, interpreter.BotGreedy, interpreter.BotRandom), Seed: 3, Games: 1503}
	}
	want := written(t, run(t, plan(), 1))
	for _, jobs := range []int{2, 8} {
		if got := written(t, run(t, plan(), jobs)); !bytes.Equal(got, want) {
			t.Errorf("%d jobs give other bytes", jobs)
		}
	}
	for n := 1; n <= 7; n++ {
		var parts []*sim.Result
		for i := n; i >= 1; i-- { // in any order
			part := run(t, plan(), 1, sim.Part(1503, i, n))
			read, err := sim.Read(bytes.NewReader(written(t, part)))
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, read)
		}
		merged, err := sim.Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		if len(merged.Missing()) > 0 || !bytes.Equal(written(t, merged), want) {
			t.Errorf("%d parts give other bytes", n)
		}
	}
}

// Of two who play Pig by holding at 20 the first wins 0.53469833 of the games
// (Neller and Presser, "Practical Play of the Dice Game Pig", 2010).
func TestPigHoldAt20Mirror(t *testing.T) {
	games := int64(60_000)
	if testing.Short() {
		games = 20_000
	}
	plan := &sim.Plan{Game: game(t, program(t, "pig", dsl.Options{}), 2), Bots: bots(2, interpreter.BotGreedy), Seed: 1, Games: games}
	m := measure(t, run(t, plan, 2), 0, "wins.first")
	if m.Low > 0.53469833 || m.High < 0.53469833 || m.High-m.Low > 0.02 {
		t.Errorf("the first wins %.4f, from %.4f to %.4f, wanted 0.53469833", m.Value, m.Low, m.High)
	}
}

// planted is a game in which everybody throws a die each turn and has its points,
// and so many more for a 6: what that bonus changes is known exactly.
const planted = `
houserules: 1
game: planted
title: Planted
players: 2
params: {bonus: {default: 0, min: 0, max: 60}, rounds: {default: 5, min: 1, max: 50}}
pieces: {dice: {count: 1, faces: 1..6}}
zones: {tray: {of: dice, starts: all}}
state: {player: {score: 0, turns: 0}, game: {sixes: 0}}
phases:
  throw:
    enter: |
      throw tray
      me.score += sum(tray, .face)
      me.score += bonus if first(tray).face == 6
      emit six if first(tray).face == 6
      me.turns += 1
  choose:
    actions:
      on: {do: finish if me.turns == rounds and me == last(everyone)}
      off: {do: finish if me.turns == rounds and me == last(everyone)}
  over: {enter: next turn}
events: {six: {do: game.sixes += 1, say: "A six!"}}
rank: {score: {by: me.score, first: highest}}
sheet: {total: me.score}
metrics:
  all_points: {of: 'sum(everyone, .score)'}
  points_a_turn: {of: 'sum(everyone, .score)', per: 'sum(everyone, .turns)'}
`

func plantedPlan(t testing.TB, seed uint64, games int64, bonus string) *sim.Plan {
	t.Helper()
	plan := &sim.Plan{Game: game(t, program(t, "planted", dsl.Options{}, planted), 2), Bots: bots(2), Seed: seed, Games: games}
	if bonus != "" {
		plan.Rival = game(t, program(t, "planted", dsl.Options{Set: map[string]string{"bonus": bonus}}, planted), 2)
	}
	return plan
}

// The interval of a comparison holds what was planted: with a bonus of 6 for a
// six, which a throw in six brings, ten throws of two players bring ten more
// points in the middle, and one more a throw.
func TestPlantedEffectIsFound(t *testing.T) {
	runs, want := 200, 0.94
	if testing.Short() {
		runs, want = 60, 0.9
	}
	plan := plantedPlan(t, 0, 300, "6")
	held := map[string]int{}
	for seed := range runs {
		plan.Seed = uint64(seed)
		r := run(t, plan, 2)
		for id, truth := range map[string]float64{"metrics.all_points": 10, "metrics.points_a_turn": 1, "events.six": 0, "score.seat1": 5} {
			if d := difference(t, r, id); d.Low <= truth && truth <= d.High {
				held[id]++
			}
		}
		if d := difference(t, r, "metrics.all_points"); !d.Likely() {
			t.Errorf("seed %d: no difference is found: %v", seed, d.Estimate)
		}
	}
	for id, n := range held {
		least := want * float64(runs)
		if id != "metrics.all_points" && id != "metrics.points_a_turn" { // what was planted is these
			least = 0.95*float64(runs) - 3*math.Sqrt(0.95*0.05*float64(runs))
		}
		if float64(n) < least {
			t.Errorf("the interval of %s holds the truth in %d of %d runs", id, n, runs)
		}
		t.Logf("%s: %d of %d", id, n, runs)
	}
}

// Intervals of one side hold the truth as often as they say: a six is thrown once
// in six, 5/3 times a game; a throw is worth 3.5; each seat wins as often as the
// other.
func TestIntervalsHoldTheTruth(t *testing.T) {
	runs := 200
	plan := plantedPlan(t, 0, 200, "")
	held := map[string]int{}
	for seed := range runs {
		plan.Seed = uint64(1000 + seed)
		r := run(t, plan, 2)
		for id, truth := range map[string]float64{"wins.seat1": 0.5, "metrics.all_points": 35, "metrics.points_a_turn": 3.5, "events.six": 1. / 6} {
			if m := measure(t, r, 0, id); m.Low <= truth && truth <= m.High {
				held[id]++
			}
		}
	}
	for id, n := range held {
		// 95 of 100, less three standard deviations of a count of 200.
		if n < 180 {
			t.Errorf("the interval of %s holds the truth in %d of %d runs", id, n, runs)
		}
		t.Logf("%s: %d of %d", id, n, runs)
	}
}

// What happens by rule is counted exactly: so many turns, decisions and shares.
func TestMeasuresAreExact(t *testing.T) {
	r := run(t, plantedPlan(t, 9, 500, ""), 2)
	for id, want := range map[string]float64{"turns": 10, "decisions": 10} {
		if m := measure(t, r, 0, id); m.Value != want || m.Low != want || m.High != want || m.Quantiles[2].Value != want {
			t.Errorf("%s is %v, wanted %v", id, m.Estimate, want)
		}
	}
	sum := 0.0
	for _, id := range []string{"wins.seat1", "wins.seat2"} {
		sum += measure(t, r, 0, id).Value
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the seats win %v of the games", sum)
	}
	// The first player is seat 1 here.
	if a, b := measure(t, r, 0, "wins.first"), measure(t, r, 0, "wins.seat1"); a.Value != b.Value {
		t.Errorf("first %v, seat 1 %v", a.Value, b.Value)
	}
	total := measure(t, r, 0, "score.seat1").Value + measure(t, r, 0, "score.seat2").Value
	if m := measure(t, r, 0, "metrics.all_points"); math.Abs(m.Value-total) > 1e-9 {
		t.Errorf("all points are %v, by seats %v", m.Value, total)
	}
}

const endless = `
houserules: 1
game: endless
title: Endless
players: 2
state: {player: {score: 0}}
phases:
  choose:
    actions:
      stop: {when: me == first(everyone), do: finish}
      go_on: {do: goto on}
  on:
    enter: |
      me.score += 1
      next turn
rank: {score: {by: me.score, first: highest}}
`

// Games that do not end are counted apart.
func TestStuckGames(t *testing.T) {
	plan := &sim.Plan{Game: game(t, program(t, "endless", dsl.Options{}, endless), 2), Bots: bots(2), Seed: 1, Games: 4000, Limit: 8}
	r := run(t, plan, 2)
	// Seat 1 stops with one half each time it is asked: of 8 decisions it takes 4,
	// so that one game in 16 goes on.
	if got := float64(r.Missed[0]); math.Abs(got-250) > 5*math.Sqrt(4000*(1./16)*(15./16)) {
		t.Errorf("%v games of 4000 did not end, wanted about 250", got)
	}
	if len(r.Stuck) != 10 || r.Stuck[0].Why != "" || r.Missed[0]+r.Sides[0].Finished != 4000 {
		t.Errorf("%d named, %d finished", len(r.Stuck), r.Sides[0].Finished)
	}
	last := int64(-1)
	for _, s := range r.Stuck {
		if s.Game <= last {
			t.Errorf("game %d comes after %d", s.Game, last)
		}
		last = s.Game
	}
}

const sixes = `
houserules: 1
game: sixes
title: Sixes
players: 2
pieces: {dice: {count: 1, faces: 1..6}}
zones: {table: {of: dice, starts: all}}
define: {face: 'table[1].face'}
events: {six: {say: "six"}}
phases:
  go:
    actions:
      on:
        do: |
          throw table
          emit six if face == 6
          finish if face == 1
          next turn
`

// The rules of sixes, but for a mistake that stops most games in which a 6 falls.
const faulty = `
houserules: 1
variant: faulty
for: sixes
adjust: {face: 'it == 6 ? 6 / (it - 6) : it'}
`

// A comparison is of the games that end by both rules: what does not end by one of
// them makes no difference.
func TestGamesWithoutPartnerMakeNoDifference(t *testing.T) {
	sane, bad := program(t, "sixes", dsl.Options{}, sixes), program(t, "sixes", dsl.Options{With: []string{"faulty"}}, sixes, faulty)
	for _, swapped := range []bool{false, true} {
		plan := &sim.Plan{Game: game(t, sane, 2), Rival: game(t, bad, 2), Bots: bots(2), Seed: 1, Games: 500}
		if swapped {
			plan.Game, plan.Rival = plan.Rival, plan.Game
		}
		parts := []*sim.Result{run(t, plan, 1, sim.Span{End: 250}), run(t, plan, 1, sim.Span{Begin: 250, End: 500})}
		r, err := sim.Merge(parts)
		if err != nil || r.Pairs.Both == 0 || r.Pairs.Both == 500 {
			t.Fatalf("%v, %d pairs", err, r.Pairs.Both)
		}
		// Before a 1 falls there is a 6 in one half of the games.
		if math.Abs(float64(r.Pairs.Both)-250) > 5*math.Sqrt(500./4) {
			t.Errorf("%d pairs of 500 ended, wanted about 250", r.Pairs.Both)
		}
		for _, d := range r.Differences() {
			if d.Value != 0 || d.Low != 0 || d.High != 0 || d.Here != d.There {
				t.Errorf("swapped %v: %s differs by %v, %v and %v", swapped, d.ID, d.Estimate, d.Here, d.There)
			}
		}
		again, err := sim.Read(bytes.NewReader(written(t, r)))
		if err != nil || !bytes.Equal(written(t, again), written(t, r)) {
			t.Errorf("read again: %v", err)
		}
	}
}

// A run that is stopped has what it has.
func TestStopped(t *testing.T) {
	plan := &sim.Plan{Game: game(t, program(t, "pig", dsl.Options{}), 2), Bots: bots(2), Seed: 1, Games: 1 << 40}
	if err := plan.Prepare(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := plan.Empty()
	err := plan.Run(ctx, sim.Span{End: plan.Games}, 2, r, func(r *sim.Result) bool {
		if r.Games() >= 1000 {
			cancel()
		}
		return true
	}, nil)
	if err != sim.ErrStopped || r.Games() < 1000 || r.Games() > 40_000 {
		t.Errorf("%v after %d games", err, r.Games())
	}
	if r.Sides[0].Finished != r.Games() || len(r.Done) != 1 || r.Done[0].Begin != 0 {
		t.Errorf("%d finished of %v", r.Sides[0].Finished, r.Done)
	}
}

// Rows come game by game.
func TestRows(t *testing.T) {
	plan := plantedPlan(t, 4, 700, "2")
	if err := plan.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, at, sum := plan.Empty(), int64(0), [2]int64{}
	err := plan.Run(context.Background(), sim.Span{End: 700}, 3, r, nil, func(row *sim.Row) error {
		if row.Game != at/2 || row.Side != int(at%2) || !row.Ended {
			t.Fatalf("row %d is game %d, side %d", at, row.Game, row.Side)
		}
		for i, c := range r.Plan.Columns {
			if c.ID == "metrics.all_points" {
				sum[row.Side] += row.Numbers[i]
			}
		}
		at++
		return nil
	})
	if err != nil || at != 1400 {
		t.Fatalf("%v after %d rows", err, at)
	}
	for side := range 2 {
		if m := measure(t, r, side, "metrics.all_points"); math.Abs(m.Value-float64(sum[side])/700) > 1e-9 {
			t.Errorf("side %d: %v, and by rows %v", side, m.Value, float64(sum[side])/700)
		}
	}
}

// Files that are no results, or not of this run, are refused in words.
func TestReadAndMergeRefuse(t *testing.T) {
	good := written(t, run(t, plantedPlan(t, 4, 300, ""), 1))
	for name, text := range map[string]string{
		"empty": "", "cut": string(good[:len(good)/2]), "text": "hello", "other": "{}", "list": "[1,2]",
		"version": `{"plan":{"houserules_sim":9}}`,
		"columns": `{"plan":{"houserules_sim":2,"games":5},"sides":[{}],"missed":[0]}`,
		"nil":     `{"plan":{"houserules_sim":2,"games":5,"columns":[{},{},{},{},{}]},"sides":[null],"missed":[0]}`,
		"count":   string(bytes.Replace(good, []byte(`"finished":300`), []byte(`"finished":299`), 1)),
	} {
		if r, err := sim.Read(bytes.NewReader([]byte(text))); err == nil {
			t.Errorf("%s was read: %v", name, r)
		}
	}
	a, b := run(t, plantedPlan(t, 4, 300, ""), 1, sim.Span{End: 200}), run(t, plantedPlan(t, 5, 300, ""), 1, sim.Span{Begin: 200, End: 300})
	if _, err := sim.Merge([]*sim.Result{a, b}); err == nil {
		t.Error("parts with two seeds were merged")
	}
	c := run(t, plantedPlan(t, 4, 300, ""), 1, sim.Span{Begin: 100, End: 300})
	if _, err := sim.Merge([]*sim.Result{a, c}); err == nil {
		t.Error("parts that overlap were merged")
	}
	if m := a.Missing(); len(m) != 1 || m[0] != (sim.Span{Begin: 200, End: 300}) {
		t.Errorf("missing are %v", m)
	}
}

// Nothing is allocated for a game: what a run takes does not grow with it.
func TestMemoryIsFlat(t *testing.T) {
	plan := func(games int64) *sim.Plan {
		return &sim.Plan{Game: game(t, program(t, "pig", dsl.Options{}), 2), Bots: bots(2), Seed: 1, Games: games}
	}
	allocated := func(games int64) uint64 {
		p := plan(games)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(t, p, 1)
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	few, many := allocated(2_000), allocated(22_000)
	if a := float64(many-few) / 20_000; a > 0.5 {
		t.Errorf("%.2f allocations a game", a)
	}
}

// Every game and every house rule is simulated, by greedy bots and by random ones:
// nothing goes wrong, and games come to an end.
func TestEverythingIsSimulated(t *testing.T) {
	games := int64(6)
	if testing.Short() {
		games = 2
	}
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		var ds source.List
		head := merge.ReadHead(f, &ds)
		id, opt := head.ID, dsl.Options{}
		if head.Kind == merge.KindPart {
			continue
		}
		if head.Kind == merge.KindVariant {
			id, opt = head.For, dsl.Options{With: []string{head.ID}}
		}
		p := program(t, id, opt)
		if p.Game == "skull-king-score" {
			continue // people say what happens
		}
		for _, bot := range []interpreter.Bot{interpreter.BotGreedy, interpreter.BotRandom} {
			g := game(t, p, p.MinPlayers)
			r := run(t, &sim.Plan{Game: g, Bots: bots(p.MinPlayers, bot), Seed: 11, Games: games, Limit: 30_000}, 2)
			if r.Missed[0] > 0 {
				t.Errorf("%s, %s: %d games did not end: %+v", f.Name, bot, r.Missed[0], r.Stuck[0])
			}
		}
	}
}
