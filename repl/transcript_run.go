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
	"github.com/houserules/houserules/interpreter"
)

// An Outcome says how the run of a transcript went.
type Outcome struct {
	Failures []Failure
	// Updated is the text of the file with the output as it is now. It is ""
	// if that is what the file says, or may not be put in its place.
	Updated string
}

// A Failure is one place where the game was not as written.
type Failure struct {
	Line    int
	Message string
	Detail  []string // what was expected and what was printed, or values
	// Wrong is set for what an update of the output cannot mend.
	Wrong bool
}

// errDice says that a transcript has too few throws.
var errDice = errors.New("luck has run out: the transcript gives no more")

// RunTranscript plays a transcript on its game. Load, which may be nil, makes
// the games that openings come to (see Config).
func RunTranscript(ctx context.Context, t *Transcript, p *dsl.Program, load func(interpreter.Header) (*Loaded, error)) *Outcome {
	o := &Outcome{}
	r := &transcriptRun{t: t, o: o, dice: slices.Clone(t.Dice)}
	if err := r.sit(p, load); err != nil {
		o.wrong(1, nil, "%s", err)
		return o
	}
	for _, st := range t.steps {
		if !r.step(ctx, st) {
			return o
		}
	}
	if n := len(r.dice); n > 0 && !r.openEnd() {
		o.wrong(t.steps[len(t.steps)-1].line, nil, "%d things that chance was to give are left over: %s", n, strings.Join(r.dice, ", "))
	}
	r.update()
	return o
}

func (o *Outcome) wrong(line int, detail []string, format string, args ...any) {
	o.Failures = append(o.Failures, Failure{Line: line, Message: fmt.Sprintf(format, args...), Detail: detail, Wrong: true})
}

// transcriptRun is a transcript being played.
type transcriptRun struct {
	t    *Transcript
	o    *Outcome
	s    *Session
	out  bytes.Buffer
	dice []string
	anew map[*step][]string // output of steps where it has changed
}

// sit makes the session in which the transcript is played.
func (r *transcriptRun) sit(p *dsl.Program, load func(interpreter.Header) (*Loaded, error)) error {
	t := r.t
	g, err := interpreter.NewCovered(p, len(t.Players), t.Cover)
	if err != nil {
		return err
	}
	cfg := Config{Game: g, Players: t.Players, Plain: true, Brief: true,
		Header: interpreter.Header{With: t.Options.With, Without: t.Options.Without, Set: t.Options.Set, Seed: t.Seed, RealDice: t.Real}}
	if t.Real {
		cfg.Luck = r.luck
	}
	cfg.Games, cfg.Load = t.Games, load
	if t.Opening {
		if p.Opening == nil || load == nil {
			return fmt.Errorf("%s has no opening", p.Title)
		}
		if cfg.Opening, err = interpreter.NewCovered(p.Opening, len(t.Players), t.Cover); err != nil {
			return err
		}
	}
	r.s = NewSession(cfg, &r.out)
	return nil
}

// luck gives the next throw, or the next piece that is dealt.
func (r *transcriptRun) luck() (string, error) {
	if seat, ok := r.s.match.DealWanted(); ok {
		return r.piece(r.s.match.Name(seat))
	}
	for i, text := range r.dice {
		if _, _, named := strings.Cut(text, ": "); !named {
			r.drop(i)
			return text, nil
		}
	}
	return "", errDice
}

// drop takes a throw off the list, mostly the first one.
func (r *transcriptRun) drop(i int) {
	if i == 0 {
		r.dice = r.dice[1:]
	} else {
		r.dice = append(r.dice[:i:i], r.dice[i+1:]...)
	}
}

// piece gives the next piece that a seat is dealt: of those that stand behind
// its name, else of those behind no name.
func (r *transcriptRun) piece(seat string) (string, error) {
	other := -1
	for i, text := range r.dice {
		name, pieces, named := strings.Cut(text, ": ")
		switch {
		case named && strings.EqualFold(strings.TrimSpace(name), seat):
			return r.first(i, name+": ", pieces), nil
		case !named && other < 0:
			other = i
		}
	}
	if other < 0 {
		return "", fmt.Errorf("%w; a piece for %s is wanted", errDice, seat)
	}
	return r.first(other, "", r.dice[other]), nil
}

// first takes the first word of item i, of which pieces is what is left.
func (r *transcriptRun) first(i int, head, pieces string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(pieces), " ")
	if rest = strings.TrimSpace(rest); rest != "" {
		r.dice[i] = head + rest
		return word
	}
	r.drop(i)
	return word
}

// openEnd reports whether the transcript ends with `...`.
func (r *transcriptRun) openEnd() bool {
	e := r.t.steps[len(r.t.steps)-1].expected
	return len(e) > 0 && e[len(e)-1].text == "..."
}

// step does one step. It reports whether the rest can be played.
func (r *transcriptRun) step(ctx context.Context, st *step) bool {
	if st.kind == stepAssert {
		r.assert(st)
		return true
	}
	if st.kind != stepStart && !r.seated(st) {
		return false
	}
	r.out.Reset()
	r.dice = append(r.dice, st.luck...)
	var err error
	if st.kind == stepStart {
		err = r.s.Start(ctx)
	} else {
		err = r.s.OneShot(ctx, st.text)
	}
	var bad *LineError
	if err != nil && !errors.As(err, &bad) {
		r.o.wrong(st.line, nil, "%s", err)
		return false
	}
	if st.kind == stepRefused {
		return r.refused(st, bad)
	}
	if bad != nil {
		name, _ := bad.RefusedBy()
		r.o.wrong(st.line, nil, "`%s` is refused by %s: %s", st.text, name, bad.Message)
		return false
	}
	got := printed(r.out.String())
	if !matches(st.expected, got) {
		r.changed(st, got)
		r.o.Failures = append(r.o.Failures, Failure{Line: r.differs(st, got), Message: "the output is not as written", Detail: difference(st.expected, got)})
	}
	return true
}

func (r *transcriptRun) changed(st *step, got []string) {
	if r.anew == nil {
		r.anew = map[*step][]string{}
	}
	r.anew[st] = got
}

// differs returns the first line of the file that is not as printed.
func (r *transcriptRun) differs(st *step, got []string) int {
	for i, e := range st.expected {
		if i >= len(got) || e.text == "..." || !lineMatches(e.text, got[i]) {
			return e.line
		}
	}
	return st.line
}

// seated tests that the player who types a move is the one who is asked.
func (r *transcriptRun) seated(st *step) bool {
	if c, _ := r.s.command(st.text); c != nil {
		return true
	}
	seat, ok := r.s.Asked()
	if !ok {
		r.o.wrong(st.line, nil, "the game is over, so %s has nothing to decide", st.name)
		return false
	}
	if name := r.t.Players[seat].Name; name != st.name && !r.s.atTable() {
		r.o.wrong(st.line, nil, "it is %s who decides here, not %s", name, st.name)
		return false
	}
	return true
}

// refused tests that a move was refused, and by which rule.
func (r *transcriptRun) refused(st *step, bad *LineError) bool {
	if bad == nil {
		r.o.wrong(st.line, nil, "`%s` is allowed, but was to be refused", st.text)
		return false
	}
	name, variant := bad.RefusedBy()
	got := "refused by " + name
	switch {
	case len(st.expected) == 0:
		r.changed(st, []string{got})
		r.o.Failures = append(r.o.Failures, Failure{Line: st.line, Message: "it does not say what refuses the move", Detail: []string{"  + " + got}})
	case len(st.expected) > 1 || !sameRefusal(st.expected[0].text, name, variant):
		r.o.wrong(st.line, difference(st.expected, []string{got}), "`%s` is refused by another rule", st.text)
	}
	return true
}

func sameRefusal(want, name, variant string) bool {
	want, ok := strings.CutPrefix(want, "refused by ")
	want, _, _ = strings.Cut(want, ":")
	want = strings.TrimSpace(want)
	return ok && (want == name || variant != "" && want == variant)
}

// assert tests a formula.
func (r *transcriptRun) assert(st *step) {
	var ds source.List
	prog := r.s.match.Game().Program()
	e := prog.Formula(r.t.formula(st), dsl.Env{Seats: Names(r.t.Players), Want: &dsl.Bool}, &ds)
	if e == nil {
		for _, d := range ds {
			r.o.wrong(st.line, d.Help, "%s", d.Message)
		}
		return
	}
	v, err := r.s.match.Eval(e)
	switch {
	case err != nil:
		r.o.wrong(st.line, nil, "%s", err)
	case v == 0:
		var rows [][]string
		for _, v := range r.s.match.Explain(e) {
			rows = append(rows, []string{"  " + oneLine(v.Text), "= " + v.Is})
		}
		r.o.wrong(st.line, Table(rows), "this does not hold: %s", st.text)
	}
}

// printed splits output into lines, without those that are empty.
func printed(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimRight(l, " "); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// update makes the text of the file with the output as it is now. It does not
// if something failed that output cannot mend, or if more than a third of the
// lines would vanish.
func (r *transcriptRun) update() {
	if len(r.anew) == 0 {
		return
	}
	for _, f := range r.o.Failures {
		if f.Wrong {
			return
		}
	}
	drop := map[int]bool{}
	added := 0
	after := map[int][]string{}
	for st, got := range r.anew {
		for _, e := range st.expected {
			drop[e.line] = true
		}
		after[st.line] = got
		added += len(got)
	}
	f := r.t.File
	if 3*(len(drop)-added) > f.LineCount() {
		r.o.wrong(1, nil, "more than a third of the file would vanish, so it is not rewritten")
		return
	}
	var out []string
	for n := 1; n <= f.LineCount(); n++ {
		if !drop[n] {
			out = append(out, f.Line(n))
		}
		if next := f.Line(n + 1); len(after[n]) > 0 && strings.HasPrefix(next, "->") { // the output stands below
			after[n+1], after[n] = after[n], nil
		}
		for _, l := range after[n] {
			out = append(out, "  "+l)
		}
	}
	r.o.Updated = strings.Join(out, "\n")
}
