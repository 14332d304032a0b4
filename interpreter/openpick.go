package interpreter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file handles picks whose values are not listed: a value of a param, a
// set of house rules, a value for each seat. Listed is one, the one that changes
// nothing, or is the first; people type any other. What was typed is kept until it is applied, as one option more
// than are listed.

// A typedMove is a move that was typed and is allowed, but is not listed.
type typedMove struct {
	action *action
	picks  []int64
	maps   map[int][]int64 // values for each seat, by pick: their number is one of the machine that read them
}

// newTyped keeps what was typed.
func (m *Machine) newTyped(a *action, picks []int64) *typedMove {
	t := &typedMove{action: a, picks: picks}
	for i := range a.picks {
		if a.picks[i].Each == nil {
			continue
		}
		if t.maps == nil {
			t.maps = map[int][]int64{}
		}
		t.maps[i] = m.opts.maps[picks[i]]
	}
	return t
}

// lay puts what was typed into the slots of the picks.
func (t *typedMove) lay(m *Machine) {
	for i := range t.picks {
		v := t.picks[i]
		if values, each := t.maps[i]; each {
			v = m.mapNumber(values)
		}
		m.put(&t.action.picks[i], v)
	}
}

// open reports whether one of the action's picks is open.
func (a *action) open() bool {
	return slices.ContainsFunc(a.picks, func(p pick) bool { return p.Open() })
}

// openNow reports whether one of the actions that can be taken now is open.
func (m *Machine) openNow(a *ask) bool {
	if a.mode != askAny || !m.opts.valid {
		return false
	}
	for k, act := range a.actions {
		if m.opts.counts[k] > 0 && act.open() {
			return true
		}
	}
	return false
}

// untyped refuses an option that only stands for what people type, unless it
// happens to be allowed.
func (m *Machine) untyped(req Request, i int) error {
	if req.at.op != opAsk || !req.Table || i >= req.N {
		return nil
	}
	act := m.load(req.at.x.(*ask), i)
	if !act.typed {
		return nil
	}
	if g := m.failing(act); g != nil {
		return m.guardRefusal(act, g)
	}
	return nil
}

// parseOpen reads a typed move with open picks. n options from first on are
// those of the action that are listed.
func (m *Machine) parseOpen(a *ask, act *action, words []string, first, n int) (int, error) {
	read := m.readOpen
	if !slices.ContainsFunc(act.picks, func(p pick) bool { return p.Open() && p.Each == nil }) {
		read = m.readPicks
	}
	want, err := read(act, words)
	if err != nil {
		return 0, err
	}
	if i, found := m.offered(a, act, want, first, n); found {
		return i, nil
	}
	for i := range act.picks {
		if p := &act.picks[i]; !m.canBe(p, want[i]) {
			m.put(p, want[i])
			return 0, &Refusal{Action: act.Action, Now: true, Reason: fmt.Sprintf("`%s` cannot be picked for `%s` now", m.pickText(p), act.Name)}
		}
		m.put(&act.picks[i], want[i])
	}
	if g := m.failing(act); g != nil {
		return 0, m.guardRefusal(act, g)
	}
	m.typed = m.newTyped(act, want)
	return m.req.N, nil
}

// canBe reports whether a pick can have a value, those before it having theirs.
func (m *Machine) canBe(p *pick, v int64) bool {
	fits := func(v int64) bool {
		if p.where == nil {
			return true
		}
		m.s[p.it] = v
		return p.where(m) != 0
	}
	if p.Each != nil {
		return true // each value was looked at as it was read
	}
	switch p.Form {
	case dsl.PickValue:
		return legal(p.Param, v) && fits(v)
	case dsl.PickVariants:
		it := iter{set: uint64(v)}
		for e, ok := it.next(); ok; e, ok = it.next() {
			if !fits(e) {
				return false
			}
		}
		return true
	}
	found := false
	m.candidates(p, func(c int64) { found = found || c == v })
	return found
}

// legal reports whether a table may give a param a value.
func legal(p *dsl.Param, v int64) bool {
	if p.Type.Kind != dsl.KInt {
		return true // the words were all there are
	}
	base := int64(0)
	if p.Min > dsl.None {
		base = p.Min
	}
	return v >= p.Min && v <= p.Max && (v-base)%max(p.Step, 1) == 0
}

// readOpen reads the picks of an action of which some are open. Parted by
// commas each has its own words; without, every pick takes the words that it
// can read. An open pick that gets none takes what is in force.
func (m *Machine) readOpen(a *action, words []string) ([]int64, error) {
	want := make([]int64, len(a.picks))
	commas := slices.Contains(words, ",")
	for i := range a.picks {
		p := &a.picks[i]
		var mine []string
		switch {
		case commas:
			mine, words = upToComma(words)
		case p.Form == dsl.PickVariants:
			for len(words) > 0 && (len(a.picks) == 1 || m.isVariant(p, words[0])) {
				mine, words = append(mine, words[0]), words[1:]
			}
		case i == len(a.picks)-1:
			mine, words = words, nil
		case len(words) > 0:
			mine, words = words[:1], words[1:]
		}
		v := p.inForce
		if len(mine) > 0 || !p.Open() {
			var err error
			if v, err = m.readPick(a, p, mine); err != nil {
				return nil, err
			}
		}
		want[i] = v
		m.put(p, v)
	}
	if len(words) > 0 {
		return nil, &MoveError{fmt.Sprintf("`%s` takes nothing more, but `%s` was given", a.Name, strings.Join(words, " "))}
	}
	return want, nil
}

func upToComma(words []string) (mine, rest []string) {
	if i := slices.Index(words, ","); i >= 0 {
		return words[:i], words[i+1:]
	}
	return words, nil
}

// isVariant reports whether a word is the id of a house rule, or `none`.
func (m *Machine) isVariant(p *pick, w string) bool {
	return w == "none" || p.Local.Type.Elem.Enum.Index(optionName(w)) >= 0
}

// optionName spells a typed word as options are spelt.
func optionName(w string) string { return strings.ReplaceAll(strings.ToLower(w), "-", "_") }

// A Picked is one thing that an option takes.
type Picked struct {
	Pick     *dsl.Pick
	Text     string   // as it can be typed
	Variants []string // ids, of a pick of variants
}

// Picked tells what option i of the decision that stands takes; the number that
// ParseMove returned for a move that is not listed is one too.
func (m *Machine) Picked(i int) []Picked {
	a := m.asked()
	if a == nil || i < 0 || !m.inRange(i) {
		return nil
	}
	act := m.load(a, i)
	var out []Picked
	for k := range act.picks {
		p := &act.picks[k]
		x := Picked{Pick: p.Pick, Text: m.pickText(p)}
		if p.Form == dsl.PickVariants {
			x.Variants = m.g.variantIDs(m.s[p.slot])
		}
		out = append(out, x)
	}
	return out
}

// inRange reports whether an answer can be applied.
func (m *Machine) inRange(i int) bool {
	return i < m.req.N || i == m.req.N && m.typed != nil
}

// variantIDs lists the house rules of a set.
func (g *Game) variantIDs(set int64) []string {
	out := []string{}
	it := iter{set: uint64(set)}
	for i, ok := it.next(); ok; i, ok = it.next() {
		if int(i) < len(g.prog.Choices) {
			out = append(out, g.prog.Choices[i])
		}
	}
	return out
}
