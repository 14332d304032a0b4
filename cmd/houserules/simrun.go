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

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/repl"
)

// This file plays what a simulation has to play, and keeps what comes of it.

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
		note := simNote{stopped: stopped, enough: r.goal.met(result), again: r.again}
		note.vague = r.goal != nil && !note.enough && !stopped
		if err := c.simReport.write(result, note, std); err != nil {
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
			how := "did not end"
			if slices.ContainsFunc(result.Stuck, func(s sim.Strand) bool { return s.Side == side && s.Why != "" }) {
				how = "did not end, or were stopped by a mistake,"
			}
			by := []string{"", " by the rules compared with"}[side]
			fmt.Fprintf(std.err, "houserules: %s of %d %s\n", counted(int(n), "game"), result.Games(), strings.TrimSuffix(how+by, ","))
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
