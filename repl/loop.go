package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/chzyer/readline"

	"github.com/houserules/houserules/interpreter"
)

// What Run returns, as an exit code.
const (
	ExitOK          = 0   // the game ended, or was left
	ExitNo          = 1   // a piped line was not carried out
	ExitCannot      = 3   // the rules have a mistake, or input cannot be read
	ExitInterrupted = 130 // Ctrl-C
)

// Input says where lines come from.
type Input struct {
	In        io.Reader
	Out, Err  io.Writer
	Plain     bool // no line editing; prompts are printed as text
	KeepGoing bool // a line that is not carried out does not end a pipe
}

// Interactive reports whether lines are edited: at a terminal, not in plain
// mode.
func (in Input) Interactive() bool { return !in.Plain && IsTerminal(in.In) && IsTerminal(in.Out) }

// maxLine is the longest line that is read from a pipe.
const maxLine = 1 << 20

// Run starts the session and gives it lines until it is done. It returns an
// exit code.
func Run(ctx context.Context, s *Session, in Input) int {
	code := play(ctx, s, in)
	if s.unkept && (code == ExitOK || code == ExitNo) {
		code = ExitCannot
	}
	s.close()
	return code
}

func play(ctx context.Context, s *Session, in Input) int {
	s.cfg.Another = s.cfg.Another || isTTY(in.In) && !s.cfg.Quiet
	if err := s.Start(ctx); err != nil {
		code := ended(err)
		s.misfits(in, err)
		if code == ExitInterrupted {
			s.leave()
		}
		return code
	}
	if s.Done() {
		return ExitOK
	}
	if in.Interactive() {
		return edited(ctx, s, in)
	}
	return piped(ctx, s, in)
}

// misfits says which entry of a journal cannot be gone on from. What it is may be
// hidden from whoever reads this.
func (s *Session) misfits(in Input, err error) {
	var wrong *interpreter.ReplayError
	switch {
	case !errors.As(err, &wrong):
	case s.secret:
		fmt.Fprintf(in.Err, "houserules: entry %d of the journal does not fit the game\n", wrong.Entry)
	default:
		fmt.Fprintf(in.Err, "houserules: entry %d of the journal does not fit the game (%s): %v\n", wrong.Entry, wrong.Text, wrong.Err)
	}
}

// ended gives the exit code for an error that no further line can follow, and
// -1 for one after which the game goes on.
func ended(err error) int {
	var bad *LineError
	switch {
	case err == nil || errors.As(err, &bad):
		return -1
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	return ExitCannot
}

// piped reads lines from a pipe, or from a terminal that is not to be touched.
func piped(ctx context.Context, s *Session, in Input) int {
	atTerminal := isTTY(in.In)
	lines := reading(in.In)
	text, more := "", false
	for n := 1; ; n++ {
		if in.Plain || atTerminal {
			fmt.Fprint(in.Out, s.prompt(more))
		}
		var got reply
		select {
		case line, open := <-lines:
			got = line
			got.end = got.end || !open // the end was there before
		case <-ctx.Done():
			fmt.Fprintln(in.Out)
			s.leave()
			return ExitInterrupted
		}
		if got.end {
			if in.Plain || atTerminal {
				fmt.Fprintln(in.Out)
			}
			if !more || got.err != nil {
				return s.inputEnded(in, n, got.err)
			}
			got.line = ""
		}
		if text, more = s.gather(text, got.line); more {
			continue
		}
		got.line, text = text, ""
		err := s.OneShot(ctx, got.line)
		if code := ended(err); code >= 0 {
			return code
		}
		if err != nil && !atTerminal && !in.KeepGoing {
			fmt.Fprintf(in.Err, "houserules: stopped at line %d of the input, which was not carried out: %s\n", n, clean(cut(got.line)))
			if s.cfg.GoOn != "" && !s.Over() {
				fmt.Fprintf(in.Err, "go on: %s\n", s.cfg.GoOn)
			}
			return ExitNo
		}
		if s.Done() {
			return ExitOK
		}
	}
}

// reply is a line that was read, or the end of them.
type reply struct {
	line string
	end  bool
	err  error
}

// reading reads lines beside the game, so that waiting for one can be
// interrupted. What waits for a line that never comes ends with the program.
func reading(r io.Reader) <-chan reply {
	out := make(chan reply)
	go func() {
		defer close(out)
		scan := bufio.NewScanner(r)
		scan.Buffer(make([]byte, 0, 4096), maxLine)
		for scan.Scan() {
			out <- reply{line: scan.Text()}
		}
		out <- reply{end: true, err: scan.Err()}
	}()
	return out
}

// inputEnded leaves the game where there are no more lines.
func (s *Session) inputEnded(in Input, n int, err error) int {
	switch {
	case err == nil:
		return s.leave()
	case errors.Is(err, bufio.ErrTooLong):
		fmt.Fprintf(in.Err, "houserules: line %d of the input is longer than %d bytes\n", n, maxLine)
	default:
		fmt.Fprintln(in.Err, "houserules: the input cannot be read")
	}
	return ExitCannot
}

// isTTY reports whether a reader is a terminal of any kind.
func isTTY(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && readline.IsTerminal(int(f.Fd()))
}

// cut shortens a line for a message.
func cut(line string) string {
	const most = 60
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "..."
	}
	return line
}

// leave ends a session whose input has ended.
func (s *Session) leave() int {
	_ = s.cmdQuit(context.Background(), nil) // it cannot fail
	return ExitOK
}
