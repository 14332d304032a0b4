package sim_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/interpreter/sim"
)

const simGames = 40_000

// BenchmarkSim simulates games with all that is counted; games/s is the figure
// to look at, and what two jobs make of it. MB is what lies in memory at the end.
func BenchmarkSim(b *testing.B) {
	for _, bot := range []interpreter.Bot{interpreter.BotRandom, interpreter.BotGreedy} {
		for _, x := range []struct {
			game  string
			seats int
		}{{"zonk", 2}, {"skull-king", 4}} {
			for _, jobs := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s-%s-%d", x.game, bot, jobs), func(b *testing.B) {
					plan := &sim.Plan{Game: game(b, program(b, x.game, dsl.Options{}), x.seats), Bots: bots(x.seats, bot), Games: simGames}
					b.ReportAllocs()
					n := 0
					for b.Loop() {
						plan.Seed++
						run(b, plan, jobs)
						n += simGames
					}
					b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "games/s")
					var mem runtime.MemStats
					runtime.ReadMemStats(&mem)
					b.ReportMetric(float64(mem.HeapInuse)/(1<<20), "MB")
				})
			}
		}
	}
}
