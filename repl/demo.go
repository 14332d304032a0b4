package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// Show plays a transcript for people to look on: what is typed, what is printed,
// and the comments between as they stand there. The error says that it could not
// be played to its end. Of cfg only Color is looked at.
func Show(ctx context.Context, t *Transcript, p *dsl.Program, cfg Config, w io.Writer) error {
	r := &transcriptRun{t: t, o: &Outcome{}, dice: append([]string(nil), t.Dice...)}
	if err := r.sit(p, nil); err != nil {
		return err
	}
	look := func(text string) string { return (&Session{cfg: cfg}).bold(text) }
	steps := map[int]*step{}
	for _, st := range t.steps {
		steps[st.line] = st
	}
	for n := t.steps[0].line; n <= t.File.LineCount(); n++ {
		text := strings.TrimRight(t.File.Line(n), " ")
		st := steps[n]
		switch {
		case strings.HasPrefix(text, "#"):
			fmt.Fprintln(w, strings.TrimPrefix(strings.TrimPrefix(text, "#"), " "))
		case text == "":
			fmt.Fprintln(w)
		case st == nil || st.kind == stepAssert: // what is expected, and luck
		default:
			if st.kind != stepStart {
				fmt.Fprintln(w, look(st.name+"> "+st.text))
			}
			if !r.step(ctx, st) {
				return fmt.Errorf("line %d: %s", r.o.Failures[0].Line, r.o.Failures[0].Message)
			}
			for _, l := range printed(r.out.String()) {
				fmt.Fprintln(w, "  "+l)
			}
		}
	}
	return ctx.Err()
}
