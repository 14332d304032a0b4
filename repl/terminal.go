package repl

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/chzyer/readline"
)

// IsTerminal reports whether a reader or writer is a terminal that can edit
// lines and show colours.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	if w, wrapped := f.(interface{ File() *os.File }); wrapped {
		file = w.File()
		ok = file != nil
	}
	return ok && os.Getenv("TERM") != "dumb" && readline.IsTerminal(int(file.Fd()))
}

// Width returns how many cells a line of the terminal has, at least 40.
func Width() int { return max(readline.GetScreenWidth(), 40) }

// CanColor reports whether output may have colours.
func CanColor(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && IsTerminal(w) }

// Marks that a terminal puts round a pasted text if it is asked to.
const (
	pasteOn    = "\x1b[?2004h"
	pasteOff   = "\x1b[?2004l"
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// pasteFilter hands on what is typed. Of a pasted text it takes away the marks
// and what would act as a key: tabs become blanks, so that they complete
// nothing. A text of several lines is kept back: in its place the line is ended,
// and whoever reads lines finds the text in taken.
type pasteFilter struct {
	r      io.Reader
	held   []byte // the beginning of a mark, perhaps
	ready  []byte
	inside bool
	block  []byte // that is being pasted

	mu    sync.Mutex
	lines []string // that were pasted at once
}

// taken returns the lines that were pasted at once, nil if none were.
func (p *pasteFilter) taken() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.lines
	p.lines = nil
	return lines
}

// pasted hands on a pasted text, or keeps it.
func (p *pasteFilter) pasted() {
	text := strings.TrimRight(string(p.block), "\r")
	p.block = nil
	if !strings.Contains(text, "\r") {
		p.ready = append(p.ready, text...)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, strings.Split(text, "\r")...)
	p.ready = append(p.ready, '\r')
}

// Read reads from the terminal.
func (p *pasteFilter) Read(b []byte) (int, error) {
	for len(p.ready) == 0 {
		buf := make([]byte, 4096)
		n, err := p.r.Read(buf)
		p.take(buf[:n])
		if err != nil {
			p.ready, p.held = append(p.ready, p.held...), nil
			if len(p.ready) == 0 {
				return 0, err
			}
		}
	}
	n := copy(b, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

func (p *pasteFilter) take(data []byte) {
	data = append(p.held, data...)
	p.held = nil
	for i := 0; i < len(data); {
		rest := data[i:]
		mark := pasteBegin
		if p.inside {
			mark = pasteEnd
		}
		switch {
		case bytes.HasPrefix(rest, []byte(mark)):
			if p.inside {
				p.pasted()
			}
			p.inside = !p.inside
			i += len(mark)
			continue
		case (p.inside || len(rest) > 2) && len(rest) < len(mark) && strings.HasPrefix(mark, string(rest)):
			p.held = append([]byte(nil), rest...)
			return
		}
		c := rest[0]
		switch {
		case !p.inside:
			p.ready = append(p.ready, c)
		case c == '\n' && bytes.HasSuffix(p.block, []byte{'\r'}): // of a pair
		case harmless(c) != 0 && len(p.block) < maxLine:
			p.block = append(p.block, harmless(c))
		}
		i++
	}
}

// harmless is what a pasted byte stands for: 0 for nothing.
func harmless(c byte) byte {
	switch {
	case c == '\t':
		return ' '
	case c == '\n' || c == '\r':
		return '\r'
	case c < ' ' || c == 0x7f:
		return 0
	}
	return c
}

// Close closes the terminal.
func (p *pasteFilter) Close() error { return nil }
