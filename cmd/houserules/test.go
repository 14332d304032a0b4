package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
)

type testCommand struct {
	Paths    []string    `arg:"" optional:"" name:"path" help:"Rule files, transcripts (.txt), folders of these, or ids of games. Without one: everything that comes with houserules."`
	Only     string      `name:"run" help:"Only what matches the regular expression; an example is FILE-ID/NAME." placeholder:"RE"`
	Update   bool        `help:"Rewrite the output in transcripts that fail, as it is now. Not where CI is set."`
	Cover    coverFormat `help:"Also report which rules were made to happen, and which never: as text, or with --cover=json or --cover=html alone on the output." placeholder:"FORMAT"`
	CoverMin *int        `help:"The answer is no if less than so many percent of the rules were made to happen." placeholder:"P"`
}

// tally counts tests.
type tally struct{ passed, failed int }

func (t *tally) add(ok bool) {
	if ok {
		t.passed++
	} else {
		t.failed++
	}
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
	scripts, rules, err := split(c.Paths)
	if err != nil {
		return err
	}
	report := std
	if c.Cover == "json" || c.Cover == "html" {
		std.out = std.err // the report stands alone
	}
	var t tally
	if len(rules) > 0 || len(c.Paths) == 0 {
		files, lib, err := gather(rules, std, nil)
		if err != nil {
			return err
		}
		if lib.diags.HasErrors() {
			return lib.broken(std)
		}
		examplesOf(lib, files, re, &t, cov, std)
	}
	for _, path := range scripts {
		if !re.MatchString(filepath.ToSlash(path)) {
			continue
		}
		ok, err := transcript(ctx, path, c.Update, cov, std)
		if err != nil {
			return err
		}
		t.add(ok)
	}
	if t.passed+t.failed == 0 {
		return failf(exitNo, "there is nothing to test here")
	}
	std.printf("%d passed, %d failed", t.passed, t.failed)
	enough := cov.report(c.Cover, c.CoverMin, report)
	if t.failed > 0 {
		return failf(exitNo, "")
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
