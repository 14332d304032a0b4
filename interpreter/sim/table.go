package sim

import (
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// tables are where one worker plays: a table for the rules, and one for the
// rival's.
type tables struct {
	plan  *Plan
	sides []*table
}

// A Row is what one game was like.
type Row struct {
	Side    int
	Game    int64
	Ended   bool
	Why     string // why it did not, "" for too many decisions
	Numbers []int64
}

type table struct {
	plan    *Plan
	m       *interpreter.Machine
	tally   interpreter.Tally
	meter   *interpreter.Meter
	meters  []int // column of each formula of the meter
	events  []int // column of each event that the tally counts
	bots    []interpreter.Bot
	streams []interpreter.Rand
	names   []string
	totals  []int64
	row     []int64
	ended   bool
	why     string
}

func newTables(p *Plan) *tables {
	t := &tables{plan: p}
	t.sides = append(t.sides, newTable(p, p.Game, p.Metrics))
	if p.Rival != nil {
		t.sides = append(t.sides, newTable(p, p.Rival, p.RivalMetrics))
	}
	return t
}

func newTable(p *Plan, g *interpreter.Game, extra []Metric) *table {
	n := g.Seats()
	t := &table{plan: p, bots: make([]interpreter.Bot, n), streams: make([]interpreter.Rand, n), row: make([]int64, len(p.layout.columns))}
	t.names = interpreter.SeatNames(n)
	t.m = g.Start(interpreter.Setup{Names: t.names})
	t.m.Incidents = hasIncidents(g.Program())
	if slices.Contains(p.Bots, interpreter.BotThinker) && g.Hides() {
		t.m.Know() // what they have seen they are to remember
	}
	t.m.Count(&t.tally)
	for _, info := range g.Countable() {
		t.events = append(t.events, p.layout.index("events."+eventID(info)))
	}
	formulas, of := formulasOf(g, extra)
	for _, f := range of {
		at := p.layout.index("metrics." + f.metric)
		if f.per {
			at = p.layout.columns[at].Per
		}
		t.meters = append(t.meters, at)
	}
	t.meter, _ = t.m.Meter(formulas...) // Prepare has seen to it that it can be made
	return t
}

func hasIncidents(p *dsl.Program) bool {
	for _, i := range p.Incidents {
		if i.Rate != nil {
			return true
		}
	}
	return false
}

// play plays one game on each side and adds it to a result.
func (t *tables) play(game int64, into *Result) {
	for side, x := range t.sides {
		x.play(game)
		if !x.ended {
			into.Missed[side]++
			into.Stuck = joinStrands(into.Stuck, []Strand{{Side: side, Game: game, Why: x.why}})
			continue
		}
		into.Sides[side].add(t.plan.layout.columns, x.row)
	}
	if len(t.sides) < 2 {
		return
	}
	columns, a, b := t.plan.layout.columns, t.sides[0], t.sides[1]
	switch {
	case a.ended && b.ended:
		into.Pairs.add(columns, a.row, b.row)
	case a.ended:
		into.Pairs.Alone[0].add(columns, a.row)
	case b.ended:
		into.Pairs.Alone[1].add(columns, b.row)
	}
}

// rows are copies of what was played last.
func (t *tables) rows(game int64) (out []Row) {
	for side, x := range t.sides {
		out = append(out, Row{Side: side, Game: game, Ended: x.ended, Why: x.why, Numbers: append([]int64(nil), x.row...)})
	}
	return out
}

// play plays one game and leaves its numbers in row.
func (t *table) play(game int64) {
	p := t.plan
	for seat := range t.bots {
		t.bots[seat] = p.Bots[p.player(seat, game)]
		t.streams[seat] = interpreter.NewRand(p.Seed, uint64(game), interpreter.StreamPolicy+uint64(seat))
	}
	t.tally.Reset()
	t.m.Restart(interpreter.Setup{Names: t.names, Seed: p.Seed, Index: uint64(game)})
	decisions, err := t.m.PlayBots(t.bots, t.streams, p.Limit)
	t.ended, t.why = err == nil && t.m.Over(), ""
	clear(t.row)
	if err != nil {
		t.why = err.Error()
	} else if !t.ended && decisions < p.Limit {
		t.why = "people are asked what no bot can tell"
	}
	if t.ended {
		t.count(game, decisions)
	}
}

// count writes down the numbers of a game that is over.
func (t *table) count(game int64, decisions int) {
	l, row := t.plan.layout, t.row
	row[colTurns], row[colDecisions], row[colLeads] = t.m.Turns(), int64(decisions), t.tally.Leads
	winners := t.m.WinnerSet()
	k := bits.OnesCount64(winners)
	if k > 1 {
		row[colShared] = winUnit
	}
	share := int64(winUnit / max(k, 1))
	for w := winners; w != 0; w &= w - 1 {
		seat := bits.TrailingZeros64(w)
		row[l.seats+seat] = share
		if seat == t.tally.First {
			row[colFirst] = share
		}
		if l.players < len(l.columns) && different(t.plan.Bots) {
			row[l.players+t.plan.player(seat, game)] = share
		}
	}
	t.score(winners)
	for i, at := range t.events {
		row[at] = t.tally.Events[i]
	}
	if len(t.meters) > 0 {
		t.meter.Read(t.m)
	}
	for i, at := range t.meters {
		v, err := t.meter.Value(i)
		if err != nil {
			t.ended, t.why = false, err.Error()
			return
		}
		row[at] = v
	}
}

// score writes down the final totals.
func (t *table) score(winners uint64) {
	l := t.plan.layout
	if l.scores < 0 {
		return
	}
	var ok bool
	if t.totals, ok = t.m.Totals(t.totals); !ok {
		return
	}
	for seat, v := range t.totals {
		t.row[l.scores+seat] = v
	}
	if winners != 0 {
		t.row[l.best] = t.totals[bits.TrailingZeros64(winners)]
	}
}
