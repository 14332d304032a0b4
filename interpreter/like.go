package interpreter

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file tests what the rules claim of themselves beside the examples: what
// combinations say they are worth, and what must hold whenever somebody
// decides.

// likes tests the examples beside the combinations that a file has, in the
// world of that file. Only what does not hold gives a result.
func (r *ExampleRunner) likes(w *world, owner string, match func(name string) bool) (out []ExampleResult) {
	g, err := NewCovered(w.prog, w.prog.MinPlayers, r.cover)
	if err != nil {
		return nil // an example of the file will say so
	}
	m := g.Start(Setup{})
	for _, s := range w.prog.Scorers {
		for _, c := range s.Combos {
			name := s.Name + "." + c.Name
			if c.Owner != owner || match != nil && !match(name) {
				continue
			}
			for _, l := range c.Like {
				if text := m.like(s, l); text != "" {
					ex := &dsl.Example{Name: name, Owner: owner, Span: l.Span}
					out = append(out, ExampleResult{Example: ex, Failures: []Failure{{Span: l.Span, Message: text}}})
				}
			}
		}
	}
	return out
}

// like says what pieces are worth if it is not what is claimed, else "".
func (m *Machine) like(s *dsl.Scorer, l *dsl.Like) (text string) {
	fam := m.g.families[s.Family]
	left, set := uint64(fam.all), uint64(0)
	m.land()
	m.faces++
	for _, w := range byWords(l.Pieces) {
		q := left
		for q != 0 && !m.g.fitsWord(fam, bits.TrailingZeros64(q), w) {
			q &= q - 1
		}
		if q == 0 {
			return "there are not so many pieces"
		}
		p := bits.TrailingZeros64(q)
		left, set = left&^(1<<p), set|1<<p
		m.s[fam.faceSlot+p] = w.Face
	}
	var row *scoreRow
	err := m.quietly(func() { row = m.row(m.g.scorers[s], set) })
	pieces := strings.TrimSpace(l.Span.Text())
	switch {
	case err != nil:
		return err.Error()
	case l.Illegal && row.legal:
		return fmt.Sprintf("`%s` can be scored, for %d", pieces, row.points)
	case !l.Illegal && !row.legal:
		return fmt.Sprintf("`%s` cannot be scored", pieces)
	case !l.Illegal && row.points != l.Points:
		return fmt.Sprintf("`%s` is worth %d, not %d", pieces, row.points, l.Points)
	case m.cover != nil:
		for _, u := range m.cache.scorers[m.g.scorers[s].index].more[row.more-1].split {
			m.cover.scored(s.Combos[u.combo])
		}
	}
	return ""
}

// invariants tests what must hold whenever somebody decides, and at the end.
func (x *exampleGame) invariants() {
	if x.req.Kind == Chance {
		return
	}
	for _, g := range x.prog.Invariant {
		v, err := x.m.Eval(g.That)
		switch {
		case err != nil:
			x.failf(x.ex.Span, "%s", err)
		case v == 0:
			text := g.Label()
			if g.Else != nil {
				text = x.m.Sentence(g.Else)
			}
			x.failf(x.ex.Span, "the invariant `%s` does not hold: %s", g.Name, text).Values = x.m.Explain(g.That)
		default:
			continue
		}
		x.dead = true
		return
	}
}
