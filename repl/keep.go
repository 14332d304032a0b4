package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
)

// Nothing that was told is lost: what is done is first carried out in silence,
// then written into the journal, and only then told. If it cannot be written,
// nothing is told and nothing else can be done until it can.

// holdBack is where a session prints. It can hold back what is printed.
type holdBack struct {
	to      io.Writer
	screen  io.Writer // behind to, which may paint
	held    bytes.Buffer
	holding bool
}

// Write prints, now or when it is let go.
func (h *holdBack) Write(b []byte) (int, error) {
	if h.holding {
		return h.held.Write(b)
	}
	return h.to.Write(b)
}

// letGo prints what was held back.
func (h *holdBack) letGo() {
	h.holding = false
	_, _ = h.to.Write(h.held.Bytes()) // whoever gave the writer asks it what went wrong
	h.held.Reset()
}

// act carries out something, writes it down and tells of it. The error is that
// of do, or a *LineError if it could not be written down.
func (s *Session) act(do func() error) error {
	s.out.holding = true
	err := do()
	if kerr := s.keep(); kerr != nil {
		return kerr
	}
	s.out.letGo()
	return err
}

// keep brings the journal file up to date. If that is not possible a *LineError
// says so, and what is printed is held back.
func (s *Session) keep() error {
	parts := s.Journals()
	if s.cfg.Journal == nil {
		return nil
	}
	err := s.cfg.Journal.keep(parts)
	if err == nil {
		s.unkept = false
		return nil
	}
	s.unkept, s.out.holding = true, false
	held := bytes.Clone(s.out.held.Bytes())
	s.out.held.Reset()
	bad := s.fail("this could not be saved: %v; make room and press Enter to try again, or `save FILE` elsewhere; `quit` leaves the game as it was before", Cause(err))
	s.out.held.Write(held)
	s.out.holding = true
	return bad
}

// keepAgain carries out a line that is typed while something is not saved.
func (s *Session) keepAgain(ctx context.Context, line string) error {
	if line != "" {
		if c, args := s.command(line); c != nil && (c.name == "quit" || c.name == "save") {
			held := s.out.held
			s.out.held, s.out.holding = bytes.Buffer{}, false
			err := c.run(s, ctx, args)
			s.out.held, s.out.holding = held, true
			return err
		}
	}
	if err := s.keep(); err != nil {
		return err
	}
	s.out.letGo()
	if err := s.run(ctx); err != nil || line == "" {
		return err
	}
	return s.fail("what came before is saved now; `%s` was not carried out", cut(line))
}

// beginJournal writes what the journal does not have yet when a game begins or
// goes on.
func (s *Session) beginJournal() error {
	parts := s.Journals()
	if s.cfg.Journal == nil {
		return nil
	}
	err := s.cfg.Journal.keep(parts)
	if err == nil {
		return nil
	}
	if s.cfg.Unasked {
		s.printf("this game is not saved as it is played: %v", Cause(err))
		s.cfg.Journal, s.cfg.GoOn = nil, ""
		return nil
	}
	s.printf("the journal cannot be written: %v", Cause(err))
	return err
}

// Cause is what went wrong with a file, without its name.
func Cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// cmdLoad goes on with the game of another journal. The game that is left stays
// in its own.
func (s *Session) cmdLoad(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return s.fail("say what: `load FILE`")
	}
	if s.cfg.OpenJournal == nil {
		return s.fail("no file can be opened here")
	}
	cfg, err := s.cfg.OpenJournal(args[0])
	if err != nil {
		return s.fail("%v", err)
	}
	s.goesOnLater()
	s.close()
	s.wipeShared()
	s.sit(*cfg, s.out)
	return s.Start(ctx)
}

// goesOnLater says how the game that is left can be gone on with.
func (s *Session) goesOnLater() {
	if s.Over() || s.cfg.Quiet {
		return
	}
	if s.cfg.GoOn != "" {
		s.shell("go on", s.cfg.GoOn)
	}
	s.again()
}

// wipeShared takes away what stands on a terminal that is shared in a game that
// is left.
func (s *Session) wipeShared() {
	if s.shared() && !s.Over() {
		s.wipe()
	}
}

// close ends what belongs to the game.
func (s *Session) close() {
	if s.cfg.Close != nil {
		s.cfg.Close(s.Over() && !s.unkept)
		s.cfg.Close = nil
	}
}
