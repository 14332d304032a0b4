package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/repl"
)

// maxSweep is how many values of an option are tried.
const maxSweep = 50

// A swept is what the games with one value of an option came to.
type swept struct {
	value  string
	result *sim.Result
}

// sweep plays with each value of an option, on the same luck, and reports all in
// one table.
func (c *simPlayCommand) sweep(ctx context.Context, std streams) error {
	name, list, ok := strings.Cut(c.Sweep, "=")
	values := strings.Split(list, ",")
	switch {
	case !ok || name == "" || list == "":
		return failf(exitUsage, "--sweep takes an option with values: NAME=10,20,30")
	case twice(values) != "":
		return failf(exitUsage, "--sweep %s: `%s` stands there twice", c.Sweep, twice(values))
	case len(values) > maxSweep:
		return failf(exitUsage, "--sweep takes at most %d values", maxSweep)
	case len(c.Vs) > 0 || c.Shard != "" || c.Output != "" || c.Raw != "" || c.Resume || c.Precision != "":
		return failf(exitUsage, "--sweep goes together neither with --vs nor with --shard, -o, --raw, --resume or --precision")
	}
	var all []swept
	var first *simRun
	stopped := false
	for _, v := range values {
		one := *c
		one.Set = maps.Clone(c.Set)
		if one.Set == nil {
			one.Set = settings{}
		}
		one.Set[name] = strings.TrimSpace(v)
		r, err := one.ready(std)
		if err != nil {
			return named(err, "--sweep", one.Set, c.Set)
		}
		if first == nil {
			first = r
		}
		result := r.plan.Empty()
		err = one.play(ctx, r, result, nil, std)
		if stopped = errors.Is(err, sim.ErrStopped); err != nil && !stopped {
			return err
		}
		if stopped {
			break
		}
		all = append(all, swept{strings.TrimSpace(v), result})
		if err := one.keepStuck(r, result, std); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		fmt.Fprintf(std.err, "houserules: stopped before all games with %s = %s were played\n", name, strings.TrimSpace(values[0]))
		return ended(repl.ExitInterrupted)
	}
	if err := c.reportSweep(name, all, std); err != nil {
		return err
	}
	if stopped {
		return ended(repl.ExitInterrupted)
	}
	var err error
	for _, s := range all {
		for i := range first.expect {
			first.expect[i].text = fmt.Sprintf("%s (with %s = %s)", c.Expect[i], name, s.value)
		}
		if e := judged(s.result, first.expect, first.most, std); e != nil {
			err = e
		}
	}
	return err
}

// twice is a value that is in a list more than once, "" if none is.
func twice(values []string) string {
	seen := map[string]bool{}
	for _, v := range values {
		if v = strings.TrimSpace(v); seen[v] {
			return v
		}
		seen[v] = true
	}
	return ""
}

// reportSweep prints a table: a row a measure, a column a value.
func (c *simPlayCommand) reportSweep(name string, all []swept, std streams) error {
	if c.Out == "json" {
		for _, s := range all {
			if err := writeSimJSON(s.result, simNote{}, std); err != nil {
				return err
			}
		}
	} else {
		h := all[0].result.Plan
		std.printf("%s, %s, seed %d, each value on the same luck", h.Title+", "+playersOf(h.Bots), counted(int(h.Games), "game"), h.Seed)
		std.printf("")
		head := []string{name}
		for _, s := range all {
			head = append(head, s.value)
		}
		var rows [][]string
		for i, m := range all[0].result.Measures(0) {
			row := []string{simName(all[0].result, &m.Column)}
			for _, s := range all {
				x := s.result.Measures(0)[i]
				row = append(row, give(&x))
			}
			rows = append(rows, row)
		}
		simTable(std, head, rows, len(head))
		std.printf("\nrepeat: %s", c.command(all[0].result.Plan.Seed))
	}
	for _, path := range c.Plot {
		if err := plotSweep(path, name, all); err != nil {
			return err
		}
		fmt.Fprintf(std.err, "houserules: %s is drawn\n", path)
	}
	return nil
}

// give is a value with half the width of its interval.
func give(m *sim.Measure) string {
	if math.IsNaN(m.Low) {
		return number(&m.Column, m.Value)
	}
	half := strings.TrimSuffix(number(&m.Column, (m.High-m.Low)/2), " %")
	return strings.TrimSuffix(number(&m.Column, m.Value), " %") + " +-" + half + map[bool]string{true: " %", false: ""}[m.Share()]
}

// sortedNames are the names of settings in order.
func sortedNames(s map[string]string) []string { return slices.Sorted(maps.Keys(s)) }
