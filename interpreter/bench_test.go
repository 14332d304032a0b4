package interpreter_test

import (
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// BenchmarkPlayout plays random games without house rules, dice games of two
// and games with cards of four; ns/op is for one game.
func BenchmarkPlayout(b *testing.B) {
	for _, x := range []struct {
		name, game string
		opt        dsl.Options
		seats      int
	}{
		{"pig", "pig", dsl.Options{Set: map[string]string{"must_roll": "false"}}, 2},
		{"zonk", "zonk", dsl.Options{}, 2},
		{"zonk+usual", "zonk", dsl.Options{Usual: true}, 2},
		{"skunkd", "skunkd", dsl.Options{}, 2},
		{"farkle", "farkle", dsl.Options{}, 2},
		{"oh-hell-4x10", "oh-hell", dsl.Options{Set: map[string]string{"hand_sizes": "[10]"}}, 4},
		{"hearts", "hearts", dsl.Options{}, 4},
		{"skull-king", "skull-king", dsl.Options{}, 4},
		{"flinke-stinker", "flinke-stinker", dsl.Options{}, 4},
		{"yacht", "yacht", dsl.Options{}, 2},
		{"liars-dice", "liars-dice", dsl.Options{}, 4},
		{"lanes", "lanes", dsl.Options{}, 2},
		{"court-cards", "court-cards", dsl.Options{}, 2},
		{"left-centre-right", "left-centre-right", dsl.Options{}, 4},
		{"snakes-and-ladders", "snakes-and-ladders", dsl.Options{}, 4},
		{"beggar-my-neighbour", "beggar-my-neighbour", dsl.Options{}, 2},
	} {
		b.Run(x.name, func(b *testing.B) { playouts(b, mustGame(b, x.game, x.opt, x.seats)) })
	}
}

func playouts(b *testing.B, g *interpreter.Game) {
	names := []string{"Ann", "Bob", "Cat", "Dan"}[:g.Seats()]
	m := g.Start(interpreter.Setup{Names: names, Seed: 1})
	decisions := 0
	index := uint64(0)
	play := func() {
		m.Restart(interpreter.Setup{Names: names, Seed: 1, Index: index})
		r := interpreter.NewRand(1, index, interpreter.StreamPolicy)
		n, err := m.Playout(&r, 200_000)
		if err != nil {
			b.Fatal(err)
		}
		decisions += n
		index++
	}
	for range 200 { // fill the tables
		play()
	}
	decisions = 0
	b.ReportAllocs()
	for b.Loop() {
		play()
	}
	secs := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N)/secs, "games/s")
	b.ReportMetric(float64(decisions)/float64(b.N), "decisions/game")
	b.ReportMetric(secs*1e9/float64(decisions), "ns/decision")
}

// BenchmarkLoad reads, checks and readies a game with the house rules that are
// usual for it; ns/op is for all of it.
func BenchmarkLoad(b *testing.B) {
	lib := shipped()
	for _, x := range []struct {
		game  string
		seats int
	}{{"pig", 2}, {"zonk", 2}, {"skunkd", 2}, {"skull-king", 4}, {"flinke-stinker", 4}, {"hearts", 4}} {
		b.Run(x.game, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, ds := dsl.Load(lib, x.game, dsl.Options{Usual: true})
				if p == nil {
					b.Fatal(ds.Err())
				}
				if _, err := interpreter.New(p, x.seats); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
