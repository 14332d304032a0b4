package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
)

// A first turn has at most so many lines that are typed, and of what is printed
// at once at most so many lines are written down.
const (
	maxFirstTurn = 12
	maxAtOnce    = 30
)

// WriteFirstTurn goes on with a transcript of which only the head is there: it
// writes down the first turn of the game, with moves taken at random. It ends
// early in games whose turns are long.
func WriteFirstTurn(ctx context.Context, head string, p *dsl.Program) (string, error) {
	var ds source.List
	t := ReadTranscript(source.NewFile("transcript", head), &ds)
	if t == nil {
		return "", ds.Err()
	}
	r := &transcriptRun{t: t, o: &Outcome{}}
	if err := r.sit(p, nil); err != nil {
		return "", err
	}
	w := &turnWriter{run: r, rand: interpreter.NewRand(t.Seed, 0, interpreter.StreamPolicy)}
	w.text.WriteString(head)
	if err := r.s.Start(ctx); err != nil {
		return "", err
	}
	w.printed()
	for n := 0; n < maxFirstTurn && (n == 0 || w.sameTurn()); n++ {
		if more, err := w.move(ctx); err != nil {
			return "", err
		} else if !more {
			break
		}
	}
	return w.text.String(), nil
}

// turnWriter writes a transcript while it is played.
type turnWriter struct {
	run  *transcriptRun
	rand interpreter.Rand
	text bytes.Buffer
}

// printed writes down what was printed since the last time. Where a game goes on
// for long without people, the middle is left out.
func (w *turnWriter) printed() {
	lines := printed(w.run.out.String())
	if n := len(lines); n > maxAtOnce {
		const first, last = 12, 6
		lines = slices.Concat(lines[:first], []string{"..."}, lines[n-last:])
	}
	for _, l := range lines {
		fmt.Fprintf(&w.text, "  %s\n", l)
	}
	w.run.out.Reset()
}

// sameTurn reports whether the first turn goes on.
func (w *turnWriter) sameTurn() bool {
	m := w.run.s.match
	var ds source.List
	text := syntax.Text{Value: "turn.number == 1", Span: func(_, _ int) source.Span { return source.Span{File: w.run.t.File} }}
	e := m.Game().Program().Formula(text, dsl.Env{Seats: Names(w.run.t.Players), Want: &dsl.Bool}, &ds)
	if e == nil {
		return false
	}
	v, err := m.Eval(e)
	return err == nil && v != 0
}

// move types a move that can be written, and writes it down. It reports whether
// there was one.
func (w *turnWriter) move(ctx context.Context) (bool, error) {
	s := w.run.s
	req, err := s.match.Advance()
	if err != nil || req.Kind != interpreter.Decision || req.N == 0 {
		return false, err
	}
	const tries = 20
	for range tries {
		line := s.moveText(int(w.rand.Below(uint64(req.N))))
		if c, _ := s.command(line); c != nil || len(line) > maxTyped {
			continue
		}
		var bad *LineError
		switch err := s.OneShot(ctx, line); {
		case errors.As(err, &bad):
			w.run.out.Reset()
			continue
		case err != nil:
			return false, err
		}
		fmt.Fprintf(&w.text, "%s> %s\n", s.match.Name(req.Seat), strings.TrimSpace(line))
		w.printed()
		return true, nil
	}
	return false, nil
}
