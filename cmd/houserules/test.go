package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"

	"github.com/houserules/houserules/dsl/merge"
)

type testCommand struct {
	Paths     []string    `arg:"" optional:"" name:"path" help:"Rule files, transcripts (.txt), folders of these, or ids of games. Without one: everything that comes with houserules."`
	Only      string      `name:"run" help:"Only what matches the regular expression; an example is FILE-ID/NAME." placeholder:"RE"`
	Update    bool        `help:"Rewrite the output in transcripts that fail, as it is now. Not where CI is set."`
	Out       []string    `sep:"none" help:"How results are printed: text, or junit for other tools, each maybe into a file, as in --out junit:results.xml." placeholder:"FORMAT[:FILE]"`
	Cover     coverFormat `help:"Also report which rules were made to happen, and which never: as text, or with --cover=json or --cover=html alone on the output." placeholder:"FORMAT"`
	CoverMin  *int        `help:"The answer is no if less than so many percent of the rules were made to happen." placeholder:"P"`
	Mutate    bool        `help:"Also make small mistakes in the rules, one at a time, and report which of them no test notices."`
	MutateMin *int        `help:"The answer is no if less than so many percent of the mistakes are noticed." placeholder:"P"`
}

// Run runs examples and transcripts.
func (c *testCommand) Run(ctx context.Context, std streams) error {
	re, err := regexp.Compile(c.Only)
	if err != nil {
		return failf(exitUsage, "`%s` is no regular expression", c.Only)
	}
	if c.Update && os.Getenv("CI") != "" {
		return failf(exitUsage, "--update rewrites files and is not for CI, which is set here")
	}
	cov, err := c.covered()
	if err != nil {
		return err
	}
	if err := c.mutates(); err != nil {
		return err
	}
	to, err := c.outputs(std)
	if err != nil {
		return err
	}
	r := &testRun{testCommand: c, re: re, cov: cov, std: streams{std.in, to.text, std.err}}
	err = r.all(ctx, std)
	if len(r.tally.tests) > 0 {
		err = to.close(&r.tally, err)
	}
	return err
}

// testRun is one run of tests.
type testRun struct {
	*testCommand
	re    *regexp.Regexp
	cov   *covered
	std   streams // where the text goes
	tally tally
	// of what is tested
	lib     *shelf
	files   []*merge.File
	scripts []string
}

// all runs everything. Alone gets a report of coverage that stands alone.
func (r *testRun) all(ctx context.Context, alone streams) error {
	scripts, rules, err := split(r.Paths)
	if err != nil {
		return err
	}
	if len(rules) > 0 || len(r.Paths) == 0 {
		if r.files, r.lib, err = gather(rules, r.std, nil); err != nil {
			return err
		}
		if r.lib.diags.HasErrors() {
			return r.lib.broken(r.std)
		}
		examplesOf(r.lib, r.files, r.re, &r.tally, r.cov, r.std)
	}
	for _, path := range scripts {
		if !r.re.MatchString(filepath.ToSlash(path)) {
			continue
		}
		x, err := transcript(ctx, path, r.Update, r.cov, r.std)
		if err != nil {
			return err
		}
		r.scripts = append(r.scripts, path)
		r.tally.add(x)
	}
	if len(r.tally.tests) == 0 {
		return failf(exitNo, "there is nothing to test here")
	}
	r.std.printf("%d passed, %d failed", r.tally.passed, r.tally.failed)
	return r.reports(ctx, alone)
}

// reports prints what is asked for beside the tests themselves.
func (r *testRun) reports(ctx context.Context, alone streams) error {
	std := r.std
	if r.Cover.alone() {
		std = alone
	}
	enough := r.cov.report(r.Cover, r.CoverMin, std)
	if r.tally.failed > 0 {
		if r.Mutate {
			return failf(exitNo, "mistakes are made in the rules only where all tests hold")
		}
		return failf(exitNo, "")
	}
	if !r.Mutate {
		return enough
	}
	if err := r.mutated(ctx); err != nil {
		return err
	}
	return enough
}

// split parts the arguments into transcripts and all others. Folders can have
// both.
func split(paths []string) (scripts, rules []string, err error) {
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err == nil && info.IsDir():
			found := filesIn(p, true, ".txt")
			scripts = append(scripts, found...)
			if yaml := ruleFiles(p, true); len(yaml) > 0 {
				rules = append(rules, yaml...)
			} else if len(found) == 0 {
				return nil, nil, failf(exitCannot, "there are no rule files and no transcripts in `%s`", p)
			}
		case filepath.Ext(p) == ".txt":
			scripts = append(scripts, p)
		default:
			rules = append(rules, p)
		}
	}
	return scripts, rules, nil
}
