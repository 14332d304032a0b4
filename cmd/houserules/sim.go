package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/repl"
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

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// ids are the house rules in force.
func ids(p *dsl.Program) []string {
	out := []string{}
	for _, v := range p.Variants {
		out = append(out, v.ID)
	}
	return out
}

// simBots reads who plays.
func simBots(list string, p *dsl.Program) ([]interpreter.Bot, error) {
	if strings.TrimSpace(list) == "" {
		out := make([]interpreter.Bot, p.MinPlayers)
		for i := range out {
			out[i] = interpreter.BotGreedy
		}
		return out, nil
	}
	players, err := repl.ParsePlayers(list)
	if err != nil {
		return nil, failf(exitUsage, "%v", err)
	}
	var out []interpreter.Bot
	for _, pl := range players {
		b, ok := interpreter.BotNamed(pl.Bot)
		if !ok {
			return nil, failf(exitUsage, "%s is no bot: only bots play simulated games, as in --players bot:greedy,bot:random", pl.Name)
		}
		out = append(out, b)
	}
	return out, nil
}

func simGame(p *dsl.Program, bots []interpreter.Bot) (*interpreter.Game, error) {
	players := make([]repl.Player, len(bots))
	for i := range players {
		players[i].Bot = bots[i].String()
	}
	g, err := ready(p, players)
	if err != nil {
		return nil, err
	}
	if msg := repl.Seatable(g, players); msg != "" {
		return nil, failf(exitUsage, "%s", strings.TrimSuffix(msg, ": name people only"))
	}
	return g, nil
}

// versus loads the rules to compare with.
func (c *simPlayCommand) versus(r *simRun, std streams) error {
	if len(c.Vs) == 0 {
		return nil
	}
	own := choices{With: slices.Clone(c.With), Without: slices.Clone(c.Without), Set: settings{}}
	for k, v := range c.Set {
		own.Set[k] = v
	}
	for _, item := range c.Vs {
		name, value, sets := strings.Cut(item, "=")
		switch {
		case sets:
			own.Set[name] = value
		case item == "printed":
			own.With = nil
			own.Without = r.table.lib.Usual(r.table.prog.Game)
		case strings.HasPrefix(item, "-"):
			own.With = slices.DeleteFunc(own.With, func(w string) bool { return w == item[1:] })
			own.Without = append(own.Without, item[1:])
		default:
			own.Without = slices.DeleteFunc(own.Without, func(w string) bool { return w == item })
			own.With = append(own.With, item)
		}
	}
	var err error
	r.rivalSet = own.Set
	if r.rival, err = own.table(c.Game, nil, std); err != nil {
		return err
	}
	if r.rival.prog.Fingerprint == r.table.prog.Fingerprint {
		return failf(exitUsage, "--vs %s changes nothing: both sides would be played by the same rules", strings.Join(c.Vs, ","))
	}
	r.plan.Rival, err = simGame(r.rival.prog, r.plan.Bots)
	return err
}

// simMetrics types the formulas of --metric.
func simMetrics(p *dsl.Program, list []string, std streams) ([]sim.Metric, error) {
	var out []sim.Metric
	for _, text := range list {
		name, formula := text, text
		if n, f, ok := strings.Cut(text, "="); ok && isName(n) && !strings.HasPrefix(f, "=") {
			name, formula = n, f
		}
		of, per, by := strings.Cut(formula, " per ")
		m := sim.Metric{Name: strings.TrimSpace(name)}
		var err error
		if m.Of, err = simFormula(p, of, std); err != nil {
			return nil, err
		}
		if by {
			if m.Per, err = simFormula(p, per, std); err != nil {
				return nil, err
			}
		}
		out = append(out, m)
	}
	return out, nil
}

func isName(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// simFormula types one formula of --metric.
func simFormula(p *dsl.Program, text string, std streams) (*dsl.Expr, error) {
	var ds source.List
	file := source.NewFile("<metric>", text)
	place := func(from, to int) source.Span { return source.Span{File: file, Start: from, End: to} }
	e := p.Metric(syntax.Text{Value: text, Span: place}, &ds)
	if e == nil {
		showMore(std.err, ds)
		return nil, failf(exitUsage, "--metric `%s` cannot be counted", text)
	}
	return e, nil
}

// begin is the result to go on with: an empty one, or that of the file.
func (c *simPlayCommand) begin(r *simRun) (*sim.Result, error) {
	if c.Output == "" {
		return r.plan.Empty(), nil
	}
	_, err := os.Stat(c.Output)
	switch {
	case err != nil:
		return r.plan.Empty(), nil
	case !c.Resume:
		return nil, failf(exitCannot, "`%s` is there already: --resume goes on with it, or choose another name", c.Output)
	}
	result, err := readResult(c.Output)
	if err != nil {
		return nil, err
	}
	if why, ok := r.plan.Empty().SamePlan(result); !ok {
		return nil, failf(exitCannot, "`%s` is the result of another run: %s", c.Output, why)
	}
	return result, nil
}

// readResult reads the file of a result.
func readResult(path string) (*sim.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failf(exitCannot, "%s", fileTrouble(path, err))
	}
	defer f.Close() //nolint:errcheck // it was only read
	r, err := sim.Read(f)
	if err != nil {
		return nil, failf(exitCannot, "`%s` cannot be used: %v", path, err)
	}
	return r, nil
}

// saveEvery is how often the result of a run under way is written.
const saveEvery = 10 * time.Second

// play plays what is missing.
func (c *simPlayCommand) play(ctx context.Context, r *simRun, result *sim.Result, raw *rawFile, std streams) error {
	jobs := c.Jobs
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	p := newSimProgress(std.err, c.Quiet, r.shard.End-r.shard.Begin)
	defer p.done()
	saved := time.Now()
	told := func(now *sim.Result) bool {
		p.tell(now)
		if c.Output != "" && time.Since(saved) > saveEvery {
			saved = time.Now()
			if err := saveResult(c.Output, now); err != nil {
				fmt.Fprintf(std.err, "houserules: %v\n", err)
			}
		}
		return !r.goal.met(now)
	}
	for _, span := range missingOf(result, r.shard) {
		if err := r.plan.Run(ctx, span, jobs, result, told, raw.writer()); err != nil {
			return err
		}
		if r.goal.met(result) {
			break
		}
	}
	return nil
}

// missingOf are the games of a span that a result does not have.
func missingOf(r *sim.Result, in sim.Span) (out []sim.Span) {
	for _, s := range r.Missing() {
		if s = (sim.Span{Begin: max(s.Begin, in.Begin), End: min(s.End, in.End)}); s.Begin < s.End {
			out = append(out, s)
		}
	}
	return out
}

// finish writes the result, reports it, and answers.
func (c *simPlayCommand) finish(r *simRun, result *sim.Result, stopped bool, std streams) error {
	if c.Output != "" {
		if err := saveResult(c.Output, result); err != nil {
			return err
		}
	}
	if err := c.keepStuck(r, result, std); err != nil {
		return err
	}
	switch {
	case r.part != "":
		std.printf("%s: %s, kept in %s; `houserules sim merge` joins the parts", r.part, counted(int(result.Games()), "game"), c.Output)
	case result.Games() == 0:
		std.printf("no game was played to its end")
	default:
		if err := c.simReport.write(result, simNote{stopped: stopped, enough: r.goal.met(result), again: r.again}, std); err != nil {
			return err
		}
	}
	if stopped {
		if c.Output != "" {
			fmt.Fprintf(std.err, "houserules: stopped; the same command with --resume goes on\n")
		}
		return ended(repl.ExitInterrupted)
	}
	if r.part != "" {
		return nil
	}
	return judged(result, r.expect, r.most, std)
}

// judged gives the answer: whether what was expected holds, and whether games
// ended.
func judged(result *sim.Result, expect []expectation, most float64, std streams) error {
	failed := false
	for i := range expect {
		ok, text := expect[i].judge(result)
		fmt.Fprintln(std.err, "expected "+text)
		failed = failed || !ok
	}
	for side, n := range result.Missed {
		if share := float64(n) / float64(max(result.Games(), 1)); share > most {
			fmt.Fprintf(std.err, "houserules: %s of %d did not end%s\n", counted(int(n), "game"), result.Games(), []string{"", " by the rules compared with"}[side])
			failed = true
		}
	}
	if failed {
		return failf(exitNo, "")
	}
	return nil
}

// keepStuck writes games that did not end as journals.
func (c *simPlayCommand) keepStuck(r *simRun, result *sim.Result, std streams) error {
	for i, s := range result.Stuck {
		if s.Why != "" && i == 0 {
			fmt.Fprintf(std.err, "houserules: game %d stopped: %s\n", s.Game, s.Why)
		}
		if c.StuckDir == "" {
			continue
		}
		if err := os.MkdirAll(c.StuckDir, 0o755); err != nil {
			return failf(exitCannot, "%s", createTrouble(c.StuckDir, err))
		}
		h := headerOf(r.table, c.Set)
		if s.Side == 1 {
			h = headerOf(r.rival, r.rivalSet)
		}
		name := fmt.Sprintf("%s/stuck-%s-%d-%d-%d.jsonl", strings.TrimSuffix(c.StuckDir, "/"), r.table.prog.Game, r.plan.Seed, s.Game, s.Side+1)
		f, err := os.Create(name)
		if err != nil {
			return failf(exitCannot, "%s", createTrouble(name, err))
		}
		_, err = r.plan.Journal(s, h).WriteTo(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return failf(exitCannot, "`%s` cannot be written: %v", name, cause(err))
		}
		fmt.Fprintf(std.err, "houserules: game %d is kept in %s; `houserules replay %s` shows it\n", s.Game, name, quote(name))
	}
	return nil
}

// headerOf says for a journal by which rules a game was played.
func headerOf(t *table, set settings) interpreter.Header {
	h := interpreter.Header{With: ids(t.prog), Set: set}
	for _, u := range t.lib.Usual(t.prog.Game) {
		if !slices.Contains(h.With, u) {
			h.Without = append(h.Without, u)
		}
	}
	return h
}

// saveResult writes a result to a file, at once or not at all.
func saveResult(path string, r *sim.Result) error {
	tmp := path + ".part"
	f, err := os.Create(tmp)
	if err != nil {
		return failf(exitCannot, "%s", createTrouble(path, err))
	}
	_, err = r.WriteTo(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return failf(exitCannot, "`%s` cannot be written: %v", path, cause(err))
	}
	return nil
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
