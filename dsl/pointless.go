package dsl

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
)

// This file looks for what is right and yet cannot have been meant: conditions
// that are always or never true, whatever is chosen and however it is played.
// Other files look for rows and combinations that others leave nothing to, and
// for phases that are never reached. Only what is certain is said; what reading
// cannot decide is found by playing.

// A condition is a formula on which something depends.
type condition struct {
	e    *Expr
	path string
}

// condition notes a condition, to be judged when everything has been read.
func (c *checker) condition(e *Expr) {
	if e != nil && e.Type.Kind == KBool && !c.frozen {
		c.judged = append(c.judged, condition{e, c.path})
	}
}

// A judge says what may be judged: what a file says is judged where no other
// house rule may be the reason for it.
type judge struct {
	c     *checker
	files map[*source.File]bool
	r     reach
}

func (c *checker) newJudge(m *merge.Merged) *judge {
	j := &judge{c, map[*source.File]bool{}, everywhere(c.p)}
	if len(m.Variants) == 0 {
		j.files[m.Game.Src] = true // what it extends may be meant for more
	} else if v := soleVariant(m); v != nil {
		j.files[v.Src] = true
	}
	return j
}

// soleVariant is the variant in force that was asked for, the others being
// brought in by it; nil if there is none or more than one.
func soleVariant(m *merge.Merged) (sole *merge.File) {
	for _, f := range m.Variants {
		if !m.Asked[f.ID] {
			continue
		}
		if sole != nil {
			return nil
		}
		sole = f
	}
	return sole
}

func (j *judge) may(s source.Span) bool { return j.files[s.File] }

// pointless reports what cannot make a difference.
func (c *checker) pointless(m *merge.Merged) {
	if c.ds.HasErrors() {
		return // what is wrong may be why
	}
	j := c.newJudge(m)
	if v := soleVariant(m); v != nil && !v.Changes() {
		c.warnf("W0515", v.IDSpan, "the house rule `%s` changes nothing", v.ID).
			WithHelp("say what it changes: `set`, `change`, `forbid`, `add`, ..")
	}
	said := map[source.Span]bool{}
	for _, cond := range c.judged {
		j.condition(cond, said)
	}
	for _, t := range c.p.Tables {
		j.rows(t)
	}
	for _, sc := range c.p.Scorers {
		j.combos(sc)
	}
	j.phases()
	j.deals()
	j.ranges()
	j.book()
}

// condition reports the largest parts of a condition that are decided. A bare
// `true` or `false` is not reported: whoever writes it knows.
func (j *judge) condition(cond condition, said map[source.Span]bool) {
	visit(cond.e, func(e *Expr) bool {
		value, ok := j.r.truth(e)
		if !ok {
			return true
		}
		whole := e == cond.e
		e = j.decisive(e)
		if said[e.Span] || e.Op == OpConst || e.Op == OpParam || e.Op == OpCall || !j.may(e.Span) {
			return false
		}
		said[e.Span] = true
		word := "never"
		if value {
			word = "always"
		}
		d := j.c.warnf("W0502", e.Span, "`%s` is %s true", oneLine(e.Span.Text()), word)
		d.Path = cond.path
		if isComparison(e.Op) {
			d.Label = j.sides(e)
		}
		d.WithHelp("%s", decidedHelp(cond.path, whole, value))
		return false
	})
}

// decisive finds the part that decides a condition by itself: one side of an
// `or` that always holds, or of an `and` that never does.
func (j *judge) decisive(e *Expr) *Expr {
	if e.Op != OpOr && e.Op != OpAnd {
		return e
	}
	for _, a := range e.Args {
		if value, ok := j.r.truth(a); ok && value == (e.Op == OpOr) {
			return j.decisive(a)
		}
	}
	return e
}

func isComparison(op Op) bool { return op >= OpEq && op <= OpGe }

// sides says between what the sides of a comparison stay that are no numbers.
func (j *judge) sides(e *Expr) string {
	var out []string
	for _, a := range e.Args {
		if a.Op != OpConst && a.Type.Kind == KInt {
			out = append(out, j.where(a))
		}
	}
	return strings.Join(out, ", and ")
}

// where says between what a formula stays.
func (j *judge) where(e *Expr) string {
	l := j.r.of(e)
	text := "`" + oneLine(e.Span.Text()) + "`"
	switch {
	case l.lo == l.hi:
		return fmt.Sprintf("%s is %d", text, l.lo)
	case l.hi == highest:
		return fmt.Sprintf("%s is at least %d", text, l.lo)
	case l.lo == lowest:
		return fmt.Sprintf("%s is at most %d", text, l.hi)
	}
	return fmt.Sprintf("%s is from %d to %d", text, l.lo, l.hi)
}

// decidedHelp says what follows from a condition that is decided.
func decidedHelp(path string, whole, value bool) string {
	key := path[strings.LastIndexByte(path, '.')+1:]
	guard := key == "that" || key == "either"
	switch {
	case !whole:
		return "nothing depends on this part"
	case guard && value:
		return "so it refuses nothing; leave it out, or say what was meant"
	case guard:
		return "so it refuses everything; say what was meant"
	case value:
		return "leave the condition out, or say what was meant"
	case key == "when":
		return "so what depends on it never happens; take it out, or say what was meant"
	}
	return "so this is never done; take it out, or say what was meant"
}

// oneLine is a text for a message.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// book reports printed rules that nothing carries out, or no example shows.
func (j *judge) book() {
	for _, g := range j.c.p.Uncovered() {
		switch {
		case !j.may(g.Span):
		case !g.Implemented:
			j.c.warnf("W0507", g.Span, "nothing says that it carries out the printed rule `%s`", g.ID).
				WithHelp("write `from: %s` beside what does, or `people: ..` if only people can keep it", g.ID)
		default:
			j.c.ds.Notef("W0508", g.Span, "no example shows the printed rule `%s`", g.ID).
				WithHelp("write `from: %s` into an example in which it matters", g.ID)
		}
	}
}
