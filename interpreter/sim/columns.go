package sim

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// A Column is one number that every game has.
type Column struct {
	ID    string `json:"id"`    // for programs: "turns", "wins.first", "events.NAME"
	Title string `json:"title"` // for people
	// Unit is what stands for 1: shares of a win are whole numbers of so many
	// parts, and 0 where the column counts something.
	Unit int64 `json:"unit,omitempty"`
	// Per is the index of the column by which the sums are divided, or -1: points a
	// turn are all points by all turns, since turns of one game are not
	// independent of each other.
	Per int `json:"per"`
	// Spread is set if a histogram is kept.
	Spread bool `json:"spread,omitempty"`
	// Hidden columns are only there for others to be divided by.
	Hidden bool `json:"hidden,omitempty"`
}

// The columns that every game has, by index.
const (
	colTurns = iota
	colDecisions
	colLeads
	colFirst
	colShared
	firstOther
)

// A Metric is a number that is taken of every game, beside those of the rules.
type Metric struct {
	Name    string
	Of, Per *dsl.Expr // Per is nil for a number of each game
}

// layout is where the numbers of a game stand.
type layout struct {
	columns []Column
	seats   int // first column of the wins of seats
	players int // of the wins of players, who change seats
	scores  int // of the final scores of seats, -1 if there are none
	best    int // of the winners' score, -1
	events  int // of the events
	metrics []metricAt
}

type metricAt struct {
	of, per int
	Metric
}

// winUnit is what a whole win counts, so that it can be shared by up to 12
// exactly, and by more to the last of its digits.
const winUnit = 27720

// columnsOf lays out the numbers of a plan's games. Both sides of a comparison
// have the same: what only one of the two rules knows is 0 in the other.
func columnsOf(games []*interpreter.Game, bots []interpreter.Bot, extra [][]Metric) *layout {
	seats := games[0].Seats()
	l := &layout{scores: -1, best: -1}
	add := func(id, title string, unit int64, per int, spread bool) int {
		l.columns = append(l.columns, Column{ID: id, Title: title, Unit: unit, Per: per, Spread: spread})
		return len(l.columns) - 1
	}
	add("turns", "turns", 0, -1, true)
	add("decisions", "decisions", 0, -1, true)
	add("leads", "changes of the lead", 0, -1, false)
	add("wins.first", "first player wins", winUnit, -1, false)
	add("shared", "the win is shared", winUnit, -1, false)
	l.seats = len(l.columns)
	for i := range seats {
		add(fmt.Sprintf("wins.seat%d", i+1), fmt.Sprintf("seat %d wins", i+1), winUnit, -1, false)
	}
	l.players = len(l.columns)
	if different(bots) {
		for i, b := range bots {
			add(fmt.Sprintf("wins.player%d", i+1), fmt.Sprintf("player %d (%s) wins", i+1, b), winUnit, -1, false)
		}
	}
	if sheet := games[0].Program().Sheet; sheet != nil && sheet.Total != nil {
		l.best = add("score.winner", "score of the winner", 0, -1, true)
		l.scores = len(l.columns)
		for i := range seats {
			add(fmt.Sprintf("score.seat%d", i+1), fmt.Sprintf("score of seat %d", i+1), 0, -1, false)
		}
	}
	l.events = len(l.columns)
	seen := map[string]bool{}
	for _, g := range games {
		for _, info := range g.Countable() {
			if id := "events." + eventID(info); !seen[id] {
				seen[id] = true
				add(id, info.Label(), 0, colTurns, false)
			}
		}
	}
	l.addMetrics(extra)
	return l
}

// addMetrics lays out metrics: those that have a name more than once are the
// same of both sides.
func (l *layout) addMetrics(extra [][]Metric) {
	for _, list := range extra {
		for _, m := range list {
			id := "metrics." + m.Name
			if l.index(id) >= 0 {
				continue
			}
			at := metricAt{of: len(l.columns), per: -1, Metric: Metric{Name: m.Name}}
			c := Column{ID: id, Title: strings.ReplaceAll(m.Name, "_", " "), Per: -1, Spread: m.Per == nil}
			if m.Of.Type.Kind == dsl.KBool {
				c.Unit, c.Spread = 1, false
			}
			l.columns = append(l.columns, c)
			if m.Per != nil {
				at.per = len(l.columns)
				l.columns[at.of].Per = at.per
				l.columns = append(l.columns, Column{ID: id + ".per", Title: c.Title + ", by what", Per: -1, Hidden: true})
			}
			l.metrics = append(l.metrics, at)
		}
	}
}

// index returns the column of an id, or -1.
func (l *layout) index(id string) int {
	for i := range l.columns {
		if l.columns[i].ID == id {
			return i
		}
	}
	return -1
}

// eventID is what an event is called: the rules' own by its name, that of a house
// rule with the id of the house rule before it.
func eventID(i *dsl.Info) string {
	if i.Owner == "" {
		return i.Name
	}
	return strings.ReplaceAll(i.Owner, "-", "_") + "." + i.Name
}

func different(bots []interpreter.Bot) bool {
	for _, b := range bots[1:] {
		if b != bots[0] {
			return true
		}
	}
	return false
}
