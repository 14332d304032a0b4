package interpreter

import (
	"fmt"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// Moves as people read them: an action's name, then its picks. Typed ones are
// read in typed.go.

// An Option is one legal answer to the decision that stands.
type Option struct {
	Index  int // what Apply takes
	Action *dsl.Action
	Text   string // as it can be typed: "keep 1 1 5"
	// Typed is set for an option that only stands for what people are to type:
	// there are too many to list.
	Typed bool
}

// A Choice is one action of the decision that stands, allowed or not.
type Choice struct {
	Action  *dsl.Action
	Options int      // how many ways there are to take it
	First   int      // index of the first of them
	Why     *Refusal // why there is none, nil if there is one
}

// A Refusal says why a move cannot be made.
type Refusal struct {
	Action *dsl.Action
	// Guard is the rule that refuses; nil if the action does not exist now
	// (Now is false) or the pick is no possible one.
	Guard  *dsl.Guard
	Now    bool
	Reason string
	Values []Value // what the guard's formula is made of
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

func (m *Machine) asked() *ask {
	if m.req.Kind != Decision || m.req.at == nil {
		return nil
	}
	return m.req.at.x.(*ask)
}

// Phase returns the phase whose question stands, or in which the hook stands
// that offers a choice; nil if no decision is wanted.
func (m *Machine) Phase() *dsl.Phase {
	if a := m.asked(); a != nil {
		return a.phase
	}
	return nil
}

// Asking returns the phase, or the moment of a hook's offer, that asks, and the
// variant that offers, "" for a phase's own question.
func (m *Machine) Asking() (moment *dsl.Info, variant string) {
	a := m.asked()
	if a == nil {
		return nil, ""
	}
	if a.offer != nil {
		return a.moment, a.offer.Variant
	}
	return a.moment, ""
}

// Options lists the legal answers to the decision that stands, at most limit
// of them if limit is positive.
func (m *Machine) Options(limit int) []Option {
	a := m.asked()
	if a == nil {
		return nil
	}
	m.spent = 0
	var out []Option
	for i := range m.req.N {
		if limit > 0 && i == limit {
			break
		}
		act := m.load(a, i)
		out = append(out, Option{Index: i, Action: act.Action, Text: m.label(act), Typed: act.typed})
	}
	return out
}

// Choices lists the actions of the decision that stands, with the reason for
// those that are not allowed. Actions whose `when` does not hold do not exist
// now and are left out unless all is set.
func (m *Machine) Choices(all bool) []Choice {
	a := m.asked()
	if a == nil {
		return nil
	}
	m.counts(a)
	var out []Choice
	first := 0
	for k, act := range a.actions {
		c := Choice{Action: act.Action, Options: m.opts.counts[k], First: first}
		first += c.Options
		if c.Options == 0 {
			if err := m.quietly(func() { c.Why = m.refusal(act) }); err != nil {
				c.Why = &Refusal{Action: act.Action, Now: true, Reason: err.Error()}
			}
			if !c.Why.Now && !all {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// counts fills in how many options each action has.
func (m *Machine) counts(a *ask) {
	m.spent = 0
	o := &m.opts
	switch a.mode {
	case askStatic:
		o.counts = o.counts[:0]
		for range a.actions {
			o.counts = append(o.counts, 1)
		}
	case askTable:
		o.counts = append(o.counts[:0], m.count(a))
	default:
		if !o.valid {
			m.count(a)
		}
	}
}

// refusal says why an action has no option at all.
func (m *Machine) refusal(a *action) *Refusal {
	if r := m.barred(a); r != nil {
		return r
	}
	r := &Refusal{Action: a.Action, Now: true, Reason: "there is nothing to pick"}
	// All picks are refused: the guard that refuses the first of them speaks.
	m.firstPick(a, 0, func() bool {
		if g := m.failing(a); g != nil {
			r = m.guardRefusal(a, g)
		}
		return true
	})
	return r
}

// firstPick calls visit with the first combination of picks in their slots.
func (m *Machine) firstPick(a *action, i int, visit func() bool) (done bool) {
	if i == len(a.picks) {
		return visit()
	}
	p := &a.picks[i]
	m.candidates(p, func(v int64) {
		if !done {
			m.hold(p, v)
			done = m.firstPick(a, i+1, visit)
		}
	})
	return done
}

// barred says why an action cannot be taken whatever is picked.
func (m *Machine) barred(a *action) *Refusal {
	m.spent = 0
	if a.when != nil && a.when(m) == 0 {
		return &Refusal{Action: a.Action, Reason: fmt.Sprintf("%s is not possible now", a.Label()), Values: m.Explain(a.When)}
	}
	for i := range a.before {
		if g := &a.before[i]; g.f(m) == 0 && !m.waived(a, g) {
			return m.guardRefusal(a, g)
		}
	}
	return nil
}

func (m *Machine) failing(a *action) *guard {
	m.spent = 0
	for i := range a.after {
		if g := &a.after[i]; g.f(m) == 0 && !m.waived(a, g) {
			return g
		}
	}
	return nil
}

func (m *Machine) guardRefusal(a *action, g *guard) *Refusal {
	r := &Refusal{Action: a.Action, Guard: g.Guard, Now: true, Values: m.Explain(g.That)}
	if g.Else != nil {
		r.Reason = m.sentence(g.Else)
	} else {
		r.Reason = g.Label()
	}
	return r
}

// Sentence fills in a sentence of the rules where the game stands.
func (m *Machine) Sentence(t *dsl.Template) string {
	if t == nil {
		return ""
	}
	return m.sentence(t)
}

func (m *Machine) sentence(t *dsl.Template) string {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Expr == nil {
			b.WriteString(p.Text)
			continue
		}
		text, err := m.EvalText(p.Expr)
		if err != nil {
			text = "?"
		}
		b.WriteString(text)
	}
	return b.String()
}

// Show returns the lines that the rules want above the prompt. A line whose
// formulas fault says so in place of its text.
func (m *Machine) Show() []string {
	m.spent = 0
	var out []string
	for i := range m.g.shows {
		s := &m.g.shows[i]
		err := m.quietly(func() {
			if s.when == nil || s.when(m) != 0 {
				out = append(out, strings.Split(s.text(m), "\n")...)
			}
		})
		if err != nil {
			out = append(out, err.Error())
		}
		m.arena = m.arena[:0]
	}
	return out
}

// quietly calls f and returns the fault in it as an error.
func (m *Machine) quietly(f func()) (err error) {
	defer m.recoverFault(&err)
	f()
	return nil
}

// label writes an action with the picks that lie in its slots.
func (m *Machine) label(a *action) string { return m.labelWith(a, m.pickText) }

// labelWith is label with another way to write what is picked.
func (m *Machine) labelWith(a *action, write func(*pick) string) string {
	parts := []string{a.Name}
	sep := " "
	for i := range a.picks {
		p := &a.picks[i]
		if i > 0 && (m.goesWithout(p) || i == len(a.picks)-1 && m.usual(p)) {
			continue
		}
		if p.Local.Type.IsCollection() {
			sep = ", "
		}
		text := write(p)
		if strings.Contains(text, " ") { // a name of several words
			sep = ", "
		}
		parts = append(parts, text)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts[0] + " " + strings.Join(parts[1:], sep)
}

// goesWithout reports whether a pick needs no word, since those before it leave
// one thing only.
func (m *Machine) goesWithout(p *pick) bool {
	_, one := m.lone(p)
	return one
}

// usual reports whether a pick is what it is where nothing is typed.
func (m *Machine) usual(p *pick) bool {
	return p.otherwise != nil && m.s[p.slot] == p.otherwise(m)
}

// lone returns what a pick of one thing takes if there is but one, those before
// it lying in their slots.
func (m *Machine) lone(p *pick) (v int64, one bool) {
	if p.Form != dsl.PickOne || p.Each != nil {
		return 0, false
	}
	n, held := 0, m.s[p.slot]
	m.candidates(p, func(c int64) { v, n = c, n+1 })
	m.s[p.slot] = held
	return v, n == 1
}

func (m *Machine) pickText(p *pick) string {
	v := m.s[p.slot]
	if v == dsl.None {
		return "none"
	}
	if p.Form == dsl.PickRepeat || p.Each != nil {
		return m.repeatText(p)
	}
	if p.cards != nil && p.room > 0 {
		return m.cardWords(p.cards, m.list(listAtSlot(p.listAt)))
	}
	if p.blind {
		c := p.cards
		return strconv.FormatInt(m.s[c.place+int(v)], 10)
	}
	if p.family != nil && p.Local.Type.IsCollection() {
		if v == 0 {
			return "none"
		}
		return m.inOrder(p.family, uint64(v))
	}
	return m.word(p.Local.Type, v)
}

// inOrder writes pieces by ascending face where nothing else tells them apart.
func (m *Machine) inOrder(fam *family, set uint64) string {
	if len(m.g.shownAttrs[fam.Family]) > 0 || len(fam.sides) == 0 {
		return m.Pieces(fam.Family, set)
	}
	m.land()
	var faces []int64
	for u := set; u != 0; u &= u - 1 {
		faces = append(faces, m.s[fam.faceSlot+bits.TrailingZeros64(u)])
	}
	sort.Slice(faces, func(i, j int) bool { return faces[i] < faces[j] })
	out := make([]string, len(faces))
	for i, f := range faces {
		out[i] = m.g.FaceName(fam.Family, f)
	}
	return strings.Join(out, " ")
}

// word writes a picked value as it can be typed.
func (m *Machine) word(t dsl.Type, v int64) string {
	switch t.Kind {
	case dsl.KOption:
		if v >= 0 && int(v) < len(t.Enum.Values) {
			return t.Enum.Values[v]
		}
	case dsl.KSet:
		switch t.Elem.Kind {
		case dsl.KOption: // ids of house rules
			if v != 0 {
				return strings.Join(m.g.variantIDs(v), " ")
			}
		case dsl.KSeat:
			return strings.ReplaceAll(m.Format(t, v), ", ", " ")
		}
	}
	return m.Format(t, v)
}
