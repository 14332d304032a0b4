package sim

import (
	"slices"

	"github.com/houserules/houserules/interpreter"
)

// Journal plays a game of a side again, up to where it ended or was left, and
// writes it down. h says by which rules it is played; the rest of it is filled
// in. A mistake of the rules ends the journal before it.
func (p *Plan) Journal(s Strand, h interpreter.Header) *interpreter.Journal {
	g := p.Game
	if s.Side == 1 {
		g = p.Rival
	}
	n := g.Seats()
	h.Game, h.Players, h.Seed, h.Index = g.Program().Game, interpreter.SeatNames(n), p.Seed, uint64(s.Game)
	h.Incidents = hasIncidents(g.Program())
	x := interpreter.NewMatch(g, h)
	x.Incidents = h.Incidents
	if slices.Contains(p.Bots, interpreter.BotThinker) && g.Hides() {
		x.Know()
	}
	bots, streams := make([]interpreter.Bot, n), make([]*interpreter.Rand, n)
	for seat := range n {
		bots[seat] = p.Bots[p.player(seat, s.Game)]
		r := interpreter.NewRand(p.Seed, uint64(s.Game), interpreter.StreamPolicy+uint64(seat))
		streams[seat] = &r
	}
	if !different(bots) && bots[0] == interpreter.BotRandom { // as PlayBots has it
		for seat := range streams {
			streams[seat] = streams[0]
		}
	}
	for range p.Limit {
		req, err := x.Advance()
		if err != nil || req.Kind != interpreter.Decision || req.Table {
			break
		}
		i, err := x.BotMove(bots[req.Seat], streams[req.Seat])
		if err != nil || x.Choose(i) != nil {
			break
		}
	}
	return x.Journal
}
