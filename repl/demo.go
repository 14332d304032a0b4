package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// Show plays a transcript for people to look on: what is typed, what is printed,
// and the comments between as they stand there. The error says that it could not
// be played to its end. Of cfg only Color and Width are looked at: comments that
// are wider than the terminal are broken anew, paragraph by paragraph.
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
			for strings.HasPrefix(t.File.Line(n+1), "#") {
				n++
				text += "\n" + t.File.Line(n)
			}
			fmt.Fprintln(w, comment(text, cfg.Width))
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

// comment is what lines of comments say to people: as they stand, or as they fit
// into so many cells if one is wider.
func comment(lines string, width int) string {
	var out []string
	wide := false
	for _, l := range strings.Split(lines, "\n") {
		l = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(l, "#"), " "), " ")
		wide = wide || displaywidth.String(l) > width
		out = append(out, l)
	}
	text := strings.Join(out, "\n")
	if width == 0 || !wide {
		return text
	}
	out = nil
	for _, p := range strings.Split(text, "\n\n") {
		out = append(out, strings.Join(source.Fill(p, width), "\n"))
	}
	return strings.Join(out, "\n\n")
}
