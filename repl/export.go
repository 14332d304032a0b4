package repl

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// This file writes the game that is played as a transcript. What is printed for
// each line comes of playing the transcript once, so that it holds from the
// beginning. Bots are people in it: their moves are typed.

func (s *Session) cmdExport(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return s.fail("say where to: `export FILE`")
	}
	text, err := s.transcript(ctx, args[0])
	if err != nil {
		return err
	}
	if err := s.write(args[0], func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		return err
	}
	s.printf("written; `houserules test %s` plays it", args[0])
	return nil
}

// write makes a file.
func (s *Session) write(name string, text func(w io.Writer) error) error {
	if s.cfg.Create == nil {
		return s.fail("no file can be made here")
	}
	f, err := s.cfg.Create(name)
	if err != nil {
		return s.fail("%v", err)
	}
	err = text(f)
	if y, ok := f.(interface{ Sync() error }); err == nil && ok {
		err = synced(y.Sync())
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return s.fail("`%s` cannot be written: %v", name, Cause(err))
	}
	return nil
}

// transcript writes the game down, for a file of that name.
func (s *Session) transcript(ctx context.Context, name string) (string, error) {
	switch {
	case len(s.edits) > 0:
		return "", s.fail("this game was edited, so nobody can play it again from its moves")
	case s.cfg.Game == nil:
		return "", s.fail("this game cannot be written as a transcript")
	}
	var ds source.List
	t := ReadTranscript(source.NewFile(name, s.transcriptHead(name)+s.transcriptBody()), &ds)
	if t == nil {
		return "", s.fail("this game cannot be written as a transcript: %s", ds[0].Message)
	}
	o := RunTranscript(ctx, t, s.cfg.Game.Program(), s.cfg.Load)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	for _, f := range o.Failures {
		if f.Wrong {
			return "", s.fail("this game cannot be written as a transcript: at `%s` %s", clean(t.File.Line(f.Line)), f.Message)
		}
	}
	if o.Updated == "" {
		return t.File.Text, nil
	}
	return o.Updated, nil
}

// transcriptHead says what the game is played with.
func (s *Session) transcriptHead(file string) string {
	h := s.cfg.Header
	var b strings.Builder
	put := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%s: %s\n", key, fmt.Sprintf(format, args...))
	}
	names := func(key string, ids []string) {
		var out []string
		for _, id := range ids {
			out = append(out, s.fileOf(id, file))
		}
		if len(out) > 0 {
			put(key, "[%s]", strings.Join(out, ", "))
		}
	}
	put("game", "%s", s.fileOf(s.cfg.Game.Program().Game, file))
	opened := s.cfg.Opening != nil // there it is chosen what the game is played with
	if !opened {
		names("with", h.With)
	}
	names("without", h.Without)
	if !opened && len(h.Set) > 0 {
		var out []string
		for _, k := range slices.Sorted(maps.Keys(h.Set)) {
			out = append(out, k+": "+h.Set[k])
		}
		put("set", "{%s}", strings.Join(out, ", "))
	}
	put("players", "[%s]", strings.Join(Names(s.cfg.Players), ", "))
	if opened {
		put("opening", "true")
	}
	if n := s.now().number; n > 1 {
		put("games", "%d", n)
	}
	if !h.RealDice {
		put("seed", "%d", h.Seed)
	}
	return b.String() + "---\n"
}

// fileOf is how a transcript names a game or a house rule: by its id, or by its
// file, seen from where the transcript lies.
func (s *Session) fileOf(id, transcript string) string {
	path := s.cfg.Files[id]
	if path == "" {
		return id
	}
	from, err1 := filepath.Abs(filepath.Dir(transcript))
	to, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(from, to)
	if err1 != nil || err2 != nil || err != nil {
		return path
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	return rel
}

// transcriptBody has the lines that were typed, and what chance gave.
func (s *Session) transcriptBody() string {
	var b strings.Builder
	for _, st := range s.stages {
		for _, e := range st.journal.Entries {
			b.WriteString(entryLine(e))
		}
	}
	return b.String()
}

func entryLine(e interpreter.Entry) string {
	if e.Luck != "" {
		return fmt.Sprintf("-> %s\n", strings.ReplaceAll(e.Luck, ",", " "))
	}
	return fmt.Sprintf("%s> %s\n", e.Seat, spoken(e.Move))
}
