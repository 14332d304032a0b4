package main

import (
	"fmt"
	"io"
	"time"

	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/repl"
)

// simProgress tells on the error output how far a run is: in one line that is
// written anew on a terminal, else in a line now and then.
type simProgress struct {
	to       io.Writer
	quiet    bool
	live     bool // a terminal
	games    int64
	began    time.Time
	told     time.Time
	toldAt   int64 // games
	from     int64 // games that were there before
	anything bool
}

// How often progress is told: on a terminal, and elsewhere, where a tenth of the
// games must be played too.
const (
	liveEvery = 200 * time.Millisecond
	lineEvery = 10 * time.Second
)

func newSimProgress(to io.Writer, quiet bool, games int64) *simProgress {
	now := time.Now()
	return &simProgress{to: to, quiet: quiet, live: repl.IsTerminal(to) && !inPlainMode(), games: games, began: now, told: now, from: -1}
}

// tell tells how far the run is, if it is time.
func (p *simProgress) tell(r *sim.Result) {
	n, now := r.Games(), time.Now()
	if p.from < 0 {
		p.from = n
	}
	every, step := lineEvery, p.games/10
	if p.live {
		every, step = liveEvery, 0
	}
	if p.quiet || now.Sub(p.told) < every || n-p.toldAt < step {
		return
	}
	p.told, p.toldAt = now, n
	rate := float64(n-p.from) / now.Sub(p.began).Seconds()
	line := fmt.Sprintf("sim  %d/%d  %d%%  %.0f games/s", n, p.games, 100*n/max(p.games, 1), rate)
	if rate > 0 && n < p.games {
		line += fmt.Sprintf("  %s left", time.Duration(float64(p.games-n)/rate*float64(time.Second)).Round(time.Second))
	}
	for _, m := range r.Measures(0) {
		if m.ID == "wins.first" {
			line += fmt.Sprintf("  first player %.1f%% +-%.1f", 100*m.Value, 50*(m.High-m.Low))
		}
	}
	if p.live {
		fmt.Fprintf(p.to, "\r%s\x1b[K", line)
		p.anything = true
		return
	}
	fmt.Fprintln(p.to, line)
}

// done takes the line away.
func (p *simProgress) done() {
	if p.live && p.anything {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
