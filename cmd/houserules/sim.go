package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/houserules/houserules/interpreter/sim"
)

type simCommand struct {
	Play  simPlayCommand  `cmd:"" default:"withargs" help:"Play many games by bots and report what they are like."`
	Merge simMergeCommand `cmd:"" help:"Join the results of parts (--shard) into one."`
}

// simReport is how a result is reported.
type simReport struct {
	Out    string   `help:"How the report is written: text or json." enum:"text,json" default:"text"`
	Expect []string `help:"The answer is no unless a measure lies there with its whole interval: 'turns within 20..30', 'wins.first <= 55%', for comparisons also 'diff.turns >= 0'." placeholder:"EXPR" sep:"none"`
	Plot   []string `help:"Draw what was counted to FILE.svg or FILE.png." placeholder:"FILE"`
	Output string   `short:"o" help:"Write the result itself to a file, for 'sim merge' and --resume." placeholder:"FILE"`
}

type simPlayCommand struct {
	Game    string `arg:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Games     int64    `help:"How many games are played; of a comparison, pairs of games." default:"10000" placeholder:"N"`
	Players   string   `help:"Bots, with commas between them; one bot:greedy for each of the fewest who can play, if nothing is said." placeholder:"BOTS"`
	Seed      string   `help:"Number that decides all luck." default:"1" placeholder:"N"`
	Jobs      int      `help:"How many games are played at once; as many as there are processors, if nothing is said." placeholder:"N"`
	Vs        []string `help:"Compare with these rules: house rules that are added, --vs=-ID for one that is left out, NAME=VALUE for an option, or printed for the rules as printed." placeholder:"RULES"`
	Sweep     string   `help:"Play with each of several values of an option." placeholder:"NAME=V,V"`
	Metric    []string `help:"Count something more of each game: a formula, or NAME=FORMULA, and 'FORMULA per FORMULA' for all of the one by all of the other." placeholder:"EXPR" sep:"none"`
	Precision string   `help:"Stop as soon as a measure is known to so much: 0.5% for the wins of the first player, or MEASURE=0.1." placeholder:"P"`
	Limit     int      `help:"How many decisions a game may have; one that has more counts as not ended." default:"100000" placeholder:"N"`
	StuckMax  string   `help:"The answer is no if more games than this do not end." default:"0%" placeholder:"P"`
	StuckDir  string   `help:"Keep the first games that do not end as journals in this folder." placeholder:"DIR"`
	Raw       string   `help:"Write every game to FILE.csv or FILE.jsonl." placeholder:"FILE"`
	Shard     string   `help:"Play part I of N, or auto for the part that the environment names (see SIMULATION.md), and write it with -o." placeholder:"I/N"`
	Resume    bool     `help:"Go on with the result in the file of -o."`
	Quiet     bool     `short:"q" help:"Print no progress."`
	simReport `embed:""`
}

// A simRun is a simulation made ready.
type simRun struct {
	plan  *sim.Plan
	table *table
	rival *table

	rivalSet settings // options of the rival rules

	shard  sim.Span
	part   string // "part 2 of 8", "" for all of it
	goal   *precision
	expect []expectation
	most   float64 // share of games that may not end
	again  string
}

// Run plays the games and reports.
func (c *simPlayCommand) Run(ctx context.Context, std streams) error {
	if c.Sweep != "" {
		return c.sweep(ctx, std)
	}
	r, err := c.ready(std)
	if err != nil {
		return err
	}
	result, err := c.begin(r)
	if err != nil {
		return err
	}
	raw, err := c.openRaw(r.plan)
	if err != nil {
		return err
	}
	err = c.play(ctx, r, result, raw, std)
	stopped := errors.Is(err, sim.ErrStopped)
	if err != nil && !stopped {
		return err
	}
	if err := raw.close(); err != nil {
		return err
	}
	return c.finish(r, result, stopped, std)
}

// ready loads the rules and checks all that was asked for.
func (c *simPlayCommand) ready(std streams) (*simRun, error) {
	seed, err := parseSeed(c.Seed)
	if err != nil {
		return nil, err
	}
	if c.Games < 1 || c.Games > 1<<40 {
		return nil, failf(exitUsage, "--games takes 1 or more")
	}
	if c.Jobs < 0 || c.Limit < 1 {
		return nil, failf(exitUsage, "--jobs and --limit take 1 or more")
	}
	t, err := c.table(c.Game, nil, std)
	if err != nil {
		return nil, err
	}
	bots, err := simBots(c.Players, t.prog)
	if err != nil {
		return nil, err
	}
	r := &simRun{table: t, plan: &sim.Plan{Bots: bots, Seed: seed, Games: c.Games, Limit: c.Limit}}
	if r.plan.Game, err = simGame(t.prog, bots); err != nil {
		return nil, err
	}
	if err := c.versus(r, std); err != nil {
		return nil, err
	}
	if r.plan.Metrics, err = simMetrics(t.prog, c.Metric, std); err != nil {
		return nil, err
	}
	if r.rival != nil {
		if r.plan.RivalMetrics, err = simMetrics(r.rival.prog, c.Metric, std); err != nil {
			return nil, err
		}
	}
	r.plan.Header = sim.Header{With: ids(t.prog), Without: orEmpty(c.Without), Set: c.Set, Versus: c.Vs}
	if err := r.plan.Prepare(); err != nil {
		return nil, failf(exitUsage, "%v", err)
	}
	if r.shard, r.part, err = shardOf(c.Shard, c.Games); err != nil {
		return nil, err
	}
	if r.part != "" && c.Output == "" {
		return nil, failf(exitUsage, "--shard plays a part, which has to be kept: name its file with -o FILE")
	}
	if c.Resume && c.Output == "" {
		return nil, failf(exitUsage, "--resume goes on with the file of -o, which is missing")
	}
	if r.goal, err = readPrecision(c.Precision, r.plan); err != nil {
		return nil, err
	}
	if r.expect, err = readExpectations(c.Expect, r.plan.Header.Columns, r.rival != nil); err != nil {
		return nil, err
	}
	if r.most, err = readShare("--stuck-max", c.StuckMax); err != nil {
		return nil, err
	}
	if err := plotNames(c.Plot); err != nil {
		return nil, err
	}
	r.again = c.command(seed)
	return r, nil
}

// command writes the command that does the same again.
func (c *simPlayCommand) command(seed uint64) string {
	parts := []string{"houserules", "sim", quote(c.Game)}
	add := func(flag, value string) {
		if value != "" {
			parts = append(parts, flag, quote(value))
		}
	}
	add("--players", c.Players)
	add("--with", strings.Join(c.With, ","))
	add("--without", strings.Join(c.Without, ","))
	for _, name := range sortedNames(c.Set) {
		add("--set", name+"="+c.Set[name])
	}
	if len(c.Vs) > 0 {
		parts = append(parts, quote("--vs="+strings.Join(c.Vs, ",")))
	}
	add("--sweep", c.Sweep)
	for _, m := range c.Metric {
		add("--metric", m)
	}
	add("--games", fmt.Sprint(c.Games))
	add("--precision", c.Precision)
	add("--seed", fmt.Sprint(seed))
	return strings.Join(parts, " ")
}

type simMergeCommand struct {
	Files     []string `arg:"" name:"file" help:"Results that --shard has written."`
	simReport `embed:""`
}

// Run joins results and reports.
func (c *simMergeCommand) Run(std streams) error {
	if err := plotNames(c.Plot); err != nil {
		return err
	}
	var parts []*sim.Result
	for _, path := range c.Files {
		r, err := readResult(path)
		if err != nil {
			return err
		}
		parts = append(parts, r)
	}
	result, err := sim.Merge(parts)
	if err != nil {
		return failf(exitCannot, "%v", err)
	}
	expect, err := readExpectations(c.Expect, result.Plan.Columns, result.Pairs != nil)
	if err != nil {
		return err
	}
	if c.Output != "" {
		if _, err := os.Stat(c.Output); err == nil {
			return failf(exitCannot, "`%s` is there already: choose another name", c.Output)
		}
		if err := saveResult(c.Output, result); err != nil {
			return err
		}
	}
	if err := c.simReport.write(result, simNote{}, std); err != nil {
		return err
	}
	if missing := result.Missing(); len(missing) > 0 {
		var list []string
		for _, s := range missing {
			list = append(list, fmt.Sprintf("%d to %d", s.Begin, s.End-1))
		}
		return failf(exitNo, "games %s of %d are missing: some parts are not here", strings.Join(list, ", "), result.Plan.Games)
	}
	return judged(result, expect, 1, std)
}
