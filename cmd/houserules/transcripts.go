package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// transcript runs one transcript, and rewrites its output if update is set. It
// prints what failed.
func transcript(ctx context.Context, path string, update bool, c *covered, std streams) (testCase, error) {
	began := time.Now()
	test := testCase{file: filepath.ToSlash(path), name: "transcript"}
	var text bytes.Buffer
	told := streams{std.in, &text, std.err}
	s, err := staged(path, told)
	if err != nil {
		return test, err
	}
	if s == nil {
		test.failed = true
	} else if test.failed, err = s.play(ctx, path, update, c, told); err != nil {
		return test, err
	}
	_, _ = std.out.Write(text.Bytes()) // the output remembers what it could not write
	test.text, test.took = text.String(), time.Since(began)
	return test, nil
}

// staged reads a transcript and loads its game. It prints what is wrong with the
// transcript itself, and returns nil then.
func staged(path string, std streams) (*stage, error) {
	text, err := readFile(path, std)
	if err != nil {
		return nil, err
	}
	var ds source.List
	t := repl.ReadTranscript(source.NewFile(filepath.ToSlash(path), text), &ds)
	if t == nil {
		showMore(std.out, ds)
		return nil, nil
	}
	lib := newShelf()
	if t.Options.With, err = lib.ids(besides(path, t.Options.With), std); err != nil {
		return nil, err
	}
	id, err := lib.game(besides(path, []string{t.Game})[0], std)
	if err != nil {
		return nil, err
	}
	p, err := lib.load(id, t.Options, std)
	if err != nil {
		return nil, err
	}
	return &stage{t, lib, p}, nil
}

// play plays a transcript, prints what failed and reports whether something did.
func (s *stage) play(ctx context.Context, path string, update bool, c *covered, std streams) (failed bool, err error) {
	o := s.run(ctx, c.played(s.prog))
	name := s.t.File.Name
	if o.Updated != "" && update {
		if err := os.WriteFile(path, []byte(o.Updated), 0o644); err != nil {
			return false, failf(exitCannot, "%s", fileTrouble(path, err))
		}
		std.printf("UPDATED %s: %s", name, counted(len(o.Failures), "place"))
		for _, x := range o.Failures {
			details(x, std)
		}
		return false, nil
	}
	if len(o.Failures) == 0 {
		return false, nil
	}
	for _, x := range o.Failures {
		std.printf("FAIL %s:%d: %s", name, x.Line, x.Message)
		details(x, std)
	}
	std.printf("  again: houserules test %s", quote(path))
	return true, nil
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
