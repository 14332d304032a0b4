package repl

import (
	"context"
	"io"
	"strings"

	"github.com/houserules/houserules/repl/scorepad"
)

// cmdSheet writes the sheet to a new file.
func (s *Session) cmdSheet(_ context.Context, args []string) error {
	if len(args) == 0 {
		s.sheet(true)
		return nil
	}
	if len(args) > 1 {
		return s.fail("say where to: `sheet FILE`, with %s at its end", strings.Join(scorepad.Kinds(), ", "))
	}
	if s.inOpening() {
		return s.fail("there is no sheet before the game has begun")
	}
	text, ok := s.padSheet().File(args[0])
	if !ok {
		return s.fail("a sheet is kept in a file with %s at its end", strings.Join(scorepad.Kinds(), ", "))
	}
	if s.cfg.Create == nil {
		return s.fail("no file can be made here")
	}
	f, err := s.cfg.Create(args[0])
	if err != nil {
		return s.fail("%v", err)
	}
	_, err = io.WriteString(f, text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return s.fail("`%s` cannot be written: %v", args[0], err)
	}
	s.printf("the sheet is in %s", args[0])
	return nil
}
