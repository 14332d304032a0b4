package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/chzyer/readline"
)

// edited reads lines with the line editor. There is one editor a process,
// closed once, by the goroutine that reads.
func edited(ctx context.Context, s *Session, in Input) int {
	e := &editor{s: s, in: in, paste: &pasteFilter{r: in.In.(*os.File)}}
	keys := readline.NewCancelableStdin(e.paste)
	defer context.AfterFunc(ctx, func() { _ = keys.Close() })() // the terminal is gone, or the program is to end
	var err error
	e.rl, err = readline.NewEx(&readline.Config{
		Prompt:            s.Prompt(),
		Stdin:             keys,
		Stdout:            in.Out,
		Stderr:            in.Err,
		AutoComplete:      completer{s, e.nothing},
		HistoryLimit:      historyLimit,
		InterruptPrompt:   "^C",
		EOFPrompt:         "",
		FuncIsTerminal:    func() bool { return true },
		HistorySearchFold: true,
		// the store is ours, and not all that is typed is for it
		DisableAutoSaveHistory: true,
	})
	if err != nil {
		return piped(ctx, s, in)
	}
	if h := s.cfg.History; h != nil {
		for _, entry := range h.Load() {
			_ = e.rl.SaveHistory(entry) // in memory
		}
	}
	fmt.Fprint(in.Out, pasteOn)
	defer func() {
		e.rl.Close() //nolint:errcheck // the terminal is given back either way
		fmt.Fprint(in.Out, pasteOff)
	}()
	return e.run(ctx)
}

// historyLimit is how many entries the line editor remembers.
const historyLimit = 500

// editor reads lines at a terminal.
type editor struct {
	s     *Session
	in    Input
	rl    *readline.Instance
	paste *pasteFilter
	text  string // of a formula that is not whole yet
	more  bool
}

func (e *editor) run(ctx context.Context) int {
	s := e.s
	for interrupts := 0; ; {
		e.rl.SetPrompt(s.prompt(e.more))
		line, err := e.rl.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			if strings.TrimSpace(line) != "" || e.more {
				interrupts, e.text, e.more = 0, "", false
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
		if lines := e.paste.taken(); lines != nil {
			lines[0] = line + lines[0]
			if code := e.pasted(ctx, lines); code >= 0 {
				return code
			}
			continue
		}
		if code := e.line(ctx, line); code >= 0 {
			return code
		}
	}
}

// pasted asks whether lines that were pasted at once are meant, and carries them
// out. It stops at one that is not carried out.
func (e *editor) pasted(ctx context.Context, lines []string) int {
	e.rl.SetPrompt(fmt.Sprintf("run %d pasted lines? [y/N] ", len(lines)))
	answer, err := e.rl.Readline()
	e.paste.taken() // who answers by pasting means no
	if a := strings.ToLower(strings.TrimSpace(answer)); err != nil || a != "y" && a != "yes" {
		return -1
	}
	for i, line := range lines {
		refused := e.s.refusals
		fmt.Fprintln(e.in.Out, e.s.prompt(e.more)+clean(line))
		if code := e.line(ctx, line); code >= 0 {
			return code
		}
		if e.s.refusals > refused && i < len(lines)-1 {
			e.s.printf("the other %d pasted lines are left out", len(lines)-i-1)
			return -1
		}
	}
	return -1
}

// line carries out a line, or keeps it until the formula that it begins is
// whole. It returns an exit code, or -1 if the game goes on.
func (e *editor) line(ctx context.Context, line string) int {
	s := e.s
	if e.text, e.more = s.gather(e.text, line); e.more {
		return -1
	}
	line, e.text = e.text, ""
	e.remember(line)
	err := s.OneShot(ctx, line)
	if err != nil {
		s.refusals++
	}
	if code := ended(err); code >= 0 {
		return code
	}
	if s.Done() {
		return ExitOK
	}
	return -1
}

// remember keeps a line in the history: not for the next person at the same
// keyboard if they may not see the same, and in no file while something hidden
// is on the screen.
func (e *editor) remember(line string) {
	s := e.s
	if strings.TrimSpace(line) == "" || s.pending || s.covered {
		return
	}
	if !s.shared() {
		_ = e.rl.SaveHistory(line) // in memory
	}
	if h := s.cfg.History; h != nil && (!s.secret || s.cfg.Console != nil) {
		if err := h.Add(line); err != nil {
			s.cfg.History = nil // one cannot do more than play on without it
		}
	}
}

// nothing says that there is nothing to complete, unless a list is open that what
// is typed now only closes: the line editor would draw the empty list.
func (e *editor) nothing() {
	if e.rl.Operation.IsInCompleteMode() {
		return
	}
	fmt.Fprintln(e.rl.Stdout(), "nothing fits here; `?` shows what can be done")
}
