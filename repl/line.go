package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/interpreter"
)

// This file carries out lines that people type: moves, throws and the rest.

// maxTyped is how many bytes a line may have that is looked at.
const maxTyped = 1000

// OneShot carries out one typed line. A *LineError says that it was not
// carried out and the game stands as before; a *interpreter.Fault that the
// rules have a mistake and the game cannot go on.
func (s *Session) OneShot(ctx context.Context, line string) error {
	line = strings.TrimSpace(clean(line))
	if s.unkept {
		return s.keepAgain(ctx, line)
	}
	if s.asking != nil {
		return s.agree(ctx, line)
	}
	if s.pending {
		if play, answered := s.another(line); play {
			s.nextGame()
			return s.run(ctx)
		} else if answered {
			return nil
		}
	}
	if s.covered {
		if done, err := s.behindCover(line); done {
			return err
		}
	}
	if line == "" && s.menu == nil || strings.HasPrefix(line, "#") {
		return nil
	}
	if len(line) > maxTyped {
		return s.fail("a line of %d bytes is too long to be a move", len(line))
	}
	s.typed = line
	defer func() { s.typed = "" }()
	if s.menu != nil && (line == "" || s.menu.isStep(line)) {
		return s.step(ctx, line)
	}
	if c, args := s.command(line); c != nil {
		if c.name != "undo" {
			s.fresh = false
		}
		err := c.run(s, ctx, args)
		var bad *LineError
		if errors.As(err, &bad) {
			bad.By = c.name
		}
		return err
	}
	s.fresh = false
	req, err := s.match.Advance()
	switch {
	case err != nil:
		return err
	case s.pending:
		return s.fail("another game? `y` or `n`")
	case req.Kind == interpreter.Over:
		if s.cfg.Console != nil {
			return s.evaluate(line, 0)
		}
		return s.fail("the game is over; `score` shows the sheet, `quit` leaves")
	case req.Kind == interpreter.Chance && s.cfg.Console != nil && s.isFormula(line):
		return s.evaluate(line, 0)
	case req.Kind == interpreter.Chance:
		return s.throw(ctx, line)
	case s.menu != nil:
		return s.step(ctx, line)
	case s.cfg.Console != nil && s.isFormula(line):
		return s.evaluate(line, 0)
	}
	return s.move(ctx, line)
}

// move makes a typed move: by its number, or as it is written.
func (s *Session) move(ctx context.Context, line string) error {
	if o := s.formOf(line); o != nil {
		s.printf("type it: %s", o.text)
		return nil
	}
	i, err := s.find(line)
	if err != nil {
		return s.refused(line, err)
	}
	if req, err := s.match.Advance(); err == nil && req.Open && s.inOpening() {
		if err := s.goesTogether(i); err != nil {
			return err
		}
	}
	s.refusal = nil
	s.forgetEdits()
	s.remember()
	req, err := s.match.Advance()
	if err != nil {
		return s.fault(err)
	}
	s.read[req.Seat] = len(s.tale.lines)
	typed := !s.cfg.Echo && fold(strings.Join(strings.Fields(s.typed), " ")) == fold(s.moveText(i))
	if err := s.choose(i, moving{typed: typed, table: req.Table}); err != nil {
		return s.fault(err)
	}
	return s.run(ctx)
}

// formOf returns the form that a line names by its number, if it does.
func (s *Session) formOf(line string) *option {
	if n, err := strconv.Atoi(line); err == nil {
		if o := s.numbered(n); o != nil && o.form {
			return o
		}
	}
	return nil
}

// numbered returns the move that is listed under a number, or nil.
func (s *Session) numbered(n int) *option {
	for i := range s.options {
		if s.options[i].number == n {
			return &s.options[i]
		}
	}
	return nil
}

func (s *Session) find(line string) (int, error) {
	if n, err := strconv.Atoi(line); err == nil {
		o := s.numbered(n)
		if o == nil {
			return 0, &interpreter.MoveError{Message: fmt.Sprintf("there is no move %d: the moves are numbered %s", n, s.numbers())}
		}
		return o.index, nil
	}
	return s.match.ParseMove(line)
}

// numbers writes the numbers of the moves.
func (s *Session) numbers() string {
	var out []int
	for _, o := range s.options {
		out = append(out, o.number)
	}
	slices.Sort(out)
	return ranges(out)
}

// throw takes a typed throw, or typed pieces that are dealt.
func (s *Session) throw(ctx context.Context, line string) error {
	given := []string{line}
	if _, dealt := s.match.DealWanted(); dealt {
		given = strings.Fields(strings.ReplaceAll(line, ",", " "))
	}
	for i, text := range given {
		if !s.thrower() {
			return s.fail("nothing more is wanted than what stands before `%s`", clean(text))
		}
		p := s.here()
		var bad *interpreter.MoveError
		if err := s.act(func() error { return s.giveLuck(text) }); err != nil {
			if !errors.As(err, &bad) {
				return s.fault(err)
			}
			return s.fail("%s; %s", bad.Message, s.wanted())
		}
		p.luck, s.typedLuck = true, true
		s.points, s.undone, s.live = append(s.points, p), nil, true
		if i < len(given)-1 && s.thrower() {
			if _, more := s.match.DealWanted(); more {
				continue // without asking in between
			}
		}
		if err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// thrower reports whether a throw or another draw is to be typed.
func (s *Session) thrower() bool {
	req, err := s.match.Advance()
	return err == nil && req.Kind == interpreter.Chance
}

// choose takes an option of the decision that stands.
func (s *Session) choose(i int, how moving) error {
	s.options, s.menu, s.live = nil, nil, true
	return s.act(func() error { return s.take(i, how) })
}

// moveText writes a legal move as people say it.
func (s *Session) moveText(i int) string { return spoken(s.match.OptionText(i)) }

// spoken writes a move with blanks in the name of its action.
func spoken(text string) string {
	name, picks, _ := strings.Cut(text, " ")
	return strings.TrimSpace(words(name) + " " + picks)
}
