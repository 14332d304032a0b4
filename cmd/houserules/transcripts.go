package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// transcript runs one transcript, and rewrites its output if update is set. It
// prints what failed and reports whether all was well.
func transcript(ctx context.Context, path string, update bool, c *covered, std streams) (bool, error) {
	text, err := readFile(path, std)
	if err != nil {
		return false, err
	}
	f := source.NewFile(filepath.ToSlash(path), text)
	var ds source.List
	t := repl.ReadTranscript(f, &ds)
	if t == nil {
		showMore(std.out, ds)
		return false, nil
	}
	lib := newShelf()
	ids, err := lib.ids(besides(path, t.Options.With), std)
	if err != nil {
		return false, err
	}
	id, err := lib.game(besides(path, []string{t.Game})[0], std)
	if err != nil {
		return false, err
	}
	t.Options.With = ids
	p, err := lib.load(id, t.Options, std)
	if err != nil {
		return false, err
	}
	t.Cover = c.played(p)
	o := repl.RunTranscript(ctx, t, p, (&table{lib: lib, prog: p, cover: t.Cover}).loader(t.Players, t.Options.Usual, nil))
	if o.Updated != "" && update {
		if err := os.WriteFile(path, []byte(o.Updated), 0o644); err != nil {
			return false, failf(exitCannot, "%s", fileTrouble(path, err))
		}
		std.printf("UPDATED %s: %s", f.Name, counted(len(o.Failures), "place"))
		for _, x := range o.Failures {
			details(x, std)
		}
		return true, nil
	}
	if len(o.Failures) == 0 {
		return true, nil
	}
	for _, x := range o.Failures {
		std.printf("FAIL %s:%d: %s", f.Name, x.Line, x.Message)
		details(x, std)
	}
	std.printf("  again: houserules test %s", quote(path))
	return false, nil
}

func details(x repl.Failure, std streams) {
	for _, l := range x.Detail {
		std.printf("%s", l)
	}
}

// besides makes the paths of a file relative to that file.
func besides(path string, args []string) []string {
	var out []string
	for _, a := range args {
		if isPath(a) && !filepath.IsAbs(a) {
			a = filepath.Join(filepath.Dir(path), a)
		}
		out = append(out, a)
	}
	return out
}
