package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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
	for n := 1; ; n++ {
		if in.Plain || atTerminal {
			fmt.Fprint(in.Out, s.Prompt())
		}
		var got reply
		select {
		case got = <-lines:
		case <-ctx.Done():
			fmt.Fprintln(in.Out)
			s.leave()
			return ExitInterrupted
		}
		if got.end {
			if in.Plain || atTerminal {
				fmt.Fprintln(in.Out)
			}
			return s.inputEnded(in, n, got.err)
		}
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

// edited reads lines with the line editor. There is one editor a process,
// closed once, by the goroutine that reads.
func edited(ctx context.Context, s *Session, in Input) int {
	file := in.In.(*os.File)
	keys := readline.NewCancelableStdin(&pasteFilter{r: file})
	defer context.AfterFunc(ctx, func() { _ = keys.Close() })() // the terminal is gone, or the program is to end
	rl, err := readline.NewEx(&readline.Config{
		Prompt:            s.Prompt(),
		Stdin:             keys,
		Stdout:            in.Out,
		Stderr:            in.Err,
		AutoComplete:      completer{s},
		HistoryLimit:      500,
		InterruptPrompt:   "^C",
		EOFPrompt:         "",
		FuncIsTerminal:    func() bool { return true },
		HistorySearchFold: true,
		// what one person typed is not for the next one to find
		DisableAutoSaveHistory: true,
	})
	if err != nil {
		return piped(ctx, s, in)
	}
	fmt.Fprint(in.Out, pasteOn)
	defer func() {
		rl.Close() //nolint:errcheck // the terminal is given back either way
		fmt.Fprint(in.Out, pasteOff)
	}()
	for interrupts := 0; ; {
		rl.SetPrompt(s.Prompt())
		line, err := rl.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			if strings.TrimSpace(line) != "" {
				interrupts = 0
				continue
			}
			if interrupts++; interrupts > 1 {
				s.leave()
				return ExitInterrupted
			}
			s.printf("Ctrl-C once more leaves the game; so does `quit`")
			continue
		case err != nil: // the end of input
			code := s.leave()
			if ctx.Err() != nil {
				code = ExitInterrupted
			}
			return code
		}
		interrupts = 0
		if !s.shared() && strings.TrimSpace(line) != "" {
			_ = rl.SaveHistory(line) // it is kept in memory only
		}
		if code := ended(s.OneShot(ctx, line)); code >= 0 {
			return code
		}
		if s.Done() {
			return ExitOK
		}
	}
}

// completer offers moves and commands to the line editor.
type completer struct{ s *Session }

// Do returns what can follow what is typed.
func (c completer) Do(line []rune, pos int) (more [][]rune, length int) {
	typed := strings.ToLower(strings.TrimLeft(string(line[:pos]), " "))
	for _, w := range c.s.Completions(typed) {
		more = append(more, []rune(w[len(typed):]))
	}
	return more, len([]rune(typed))
}

// Completions lists the lines that may follow from a beginning: actions and
// commands, and the whole moves of an action once it is typed.
func (s *Session) Completions(typed string) []string {
	var out []string
	add := func(text string) {
		if strings.HasPrefix(strings.ToLower(text), typed) && len(text) > len(typed) && ascii(text) {
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if s.covered {
		return nil
	}
	if typed == "" { // the colon forms are only noise here
		for _, inc := range s.match.IncidentsWanted() {
			add(words(inc.Name))
		}
		for _, o := range s.options {
			add(words(o.action.Name))
		}
		for _, c := range commands {
			add(c.name)
		}
		return out
	}
	if s.menu != nil {
		for _, w := range s.menu.completions() {
			add(w)
		}
	}
	for _, o := range s.options {
		if name := words(o.action.Name) + " "; !o.bare && !strings.HasPrefix(typed, name) {
			add(name)
		} else if o.form {
			for _, x := range s.match.Options(maxNumbered) {
				if x.Action == o.action && !x.Typed {
					add(spoken(x.Text))
				}
			}
		} else {
			add(o.text)
		}
	}
	for _, inc := range s.match.IncidentsWanted() {
		add(words(inc.Name))
	}
	for _, c := range commands {
		add(c.name)
		add(":" + c.name)
	}
	return out
}

func ascii(text string) bool {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return true
}
