package interpreter_test

import (
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// BenchmarkPlayout plays random games without house rules, dice games of two
// and games with cards of four; ns/op is for one game.
func BenchmarkPlayout(b *testing.B) {
	for _, game := range []string{"zonk", "skunkd"} {
		b.Run(game, func(b *testing.B) { playouts(b, mustGame(b, game, dsl.Options{}, 2)) })
		b.Run(game+"+usual", func(b *testing.B) { playouts(b, mustGame(b, game, dsl.Options{Usual: true}, 2)) })
	}
	for _, game := range []string{"skull-king", "flinke-stinker"} {
		b.Run(game, func(b *testing.B) { playouts(b, mustGame(b, game, dsl.Options{}, 4)) })
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
		n, err := m.Playout(&r, 0)
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
