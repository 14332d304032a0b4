package interpreter

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file lists picks of `N of LIST` from a list of numbers or faces, which
// may repeat: every multiset once, in ascending order. The value of such a pick
// is the number of its multiset in that order, in a slot of its own; its
// elements lie as a list where formulas find them.

// repeats are the multisets that a pick can be, as they come one after the
// other: every element is the index of a value, and none is less than the one
// before it.
type repeats struct {
	values []int64
	at     []int
}

// repeats returns the first multiset of a pick, or nil if there is none.
func (m *Machine) repeats(p *pick) *repeats {
	var values []int64
	it := p.over(m)
	for {
		m.spend()
		v, ok := it.next()
		if !ok {
			break
		}
		values = append(values, v)
	}
	m.arena = m.arena[:0]
	if p.where != nil {
		values = slices.DeleteFunc(values, func(v int64) bool {
			m.s[p.it] = v
			return p.where(m) == 0
		})
	}
	slices.Sort(values)
	values = slices.Compact(values)
	n := p.n(m)
	switch {
	case n < 0 || n > 0 && len(values) == 0:
		return nil
	case n > listRoom:
		fault(p.Span, "%d things are too many to pick; %d are the most", n, listRoom)
	case multisets(len(values), int(n)) > maxListed:
		fault(p.Span, "there are more than %d ways to pick %d of %d", maxListed, n, len(values))
	}
	return &repeats{values, make([]int, n)}
}

// multisets counts the multisets of n elements of k kinds, as far as maxListed.
func multisets(k, n int) int {
	count := 1
	for i := 1; i <= n && k > 1; i++ {
		if count = count * (k - 1 + i) / i; count > maxListed {
			break
		}
	}
	return count
}

// next goes on to the next multiset and reports whether there is one.
func (r *repeats) next() bool {
	for i := len(r.at) - 1; i >= 0; i-- {
		if r.at[i]+1 < len(r.values) {
			v := r.at[i] + 1
			for ; i < len(r.at); i++ {
				r.at[i] = v
			}
			return true
		}
	}
	return false
}

// put lays the multiset down as a list.
func (r *repeats) put(m *Machine, p *pick) {
	m.s[p.listAt] = int64(len(r.at))
	for i, v := range r.at {
		m.s[p.listAt+1+i] = r.values[v]
	}
}

// repeated offers every multiset of a pick.
func (m *Machine) repeated(p *pick, found func(int64)) {
	r := m.repeats(p)
	if r == nil {
		return
	}
	for i := int64(0); ; i++ {
		r.put(m, p)
		found(i)
		if !r.next() {
			return
		}
	}
}

// hold is put for a value that candidates has just offered.
func (m *Machine) hold(p *pick, v int64) {
	if p.Form == dsl.PickRepeat { // its elements lie there already
		m.s[p.slot] = v
		return
	}
	m.put(p, v)
}

// put gives a pick a value.
func (m *Machine) put(p *pick, v int64) {
	m.s[p.slot] = v
	switch {
	case p.room == 0:
		return
	case p.Each != nil:
		m.putMap(p, v)
		return
	case p.cards != nil:
		m.putCards(p, v)
		return
	case v == dsl.None:
		m.s[p.listAt] = 0
		return
	}
	r := m.repeats(p)
	for ; v > 0 && r.next(); v-- {
	}
	r.put(m, p)
}

// readRepeat reads the elements of a multiset as people type them, in any
// order, and returns its number.
func (m *Machine) readRepeat(a *action, p *pick, words []string) (int64, error) {
	var got []int64
	if !(len(words) == 1 && words[0] == "none") {
		for _, w := range words {
			vs, err := m.readElements(a, *p.Local.Type.Elem, w)
			if err != nil {
				return 0, err
			}
			got = append(got, vs...)
		}
	}
	slices.Sort(got)
	if r := m.repeats(p); r != nil {
		for i := int64(0); ; i++ {
			if slices.EqualFunc(r.at, got, func(k int, v int64) bool { return r.values[k] == v }) {
				return i, nil
			}
			if !r.next() {
				break
			}
		}
	}
	return 0, &Refusal{Action: a.Action, Now: true, Reason: fmt.Sprintf("`%s` cannot be picked for `%s` now", strings.Join(words, " "), a.Name)}
}

// readElements reads one word as numbers or, where these are faces, as faces.
func (m *Machine) readElements(a *action, t dsl.Type, w string) ([]int64, error) {
	if t.Family != nil {
		if vs, ok := m.g.facesOf(m.g.families[t.Family], w); ok {
			return vs, nil
		}
		f := t.Family
		return nil, &MoveError{fmt.Sprintf("`%s` is no face of the %s: %s", w, f.Label(), m.g.faceList(m.g.families[f]))}
	}
	v, err := m.readWord(a, t, w)
	return []int64{v}, err
}

// repeatText writes the elements of a picked multiset as they can be typed.
func (m *Machine) repeatText(p *pick) string {
	var out []string
	values := m.list(listAtSlot(p.listAt))
	if p.each != nil { // there is a value of seats too that none is picked for
		for _, s := range seatsOf(p.each(m)) {
			out = append(out, m.word(*p.Local.Type.Elem, values[s]))
		}
		values = nil
	}
	for _, v := range values {
		out = append(out, m.word(*p.Local.Type.Elem, v))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " ")
}

// setEach is `set PIECES to LIST`: faces for the pieces in their order.
type setEach struct {
	fam   *family
	set   fn
	faces func(m *Machine) iter
}

func (c *coder) setEach(s *dsl.Stmt) {
	x := &setEach{fam: c.g.families[familyOf(s.X)], set: c.pieces(s.X), faces: c.over(s.Y)}
	c.emit(instr{op: opSetEach, x: x, note: c.note(s)})
}

// setEach lays faces on pieces. There must be as many of the one as of the
// other, and no face that the pieces do not have.
func (m *Machine) setEach(in *instr) {
	x := in.x.(*setEach)
	set := uint64(x.set(m))
	var faces []int64
	for it := x.faces(m); ; {
		m.spend()
		v, ok := it.next()
		if !ok {
			break
		}
		if !slices.Contains(x.fam.sides, v) {
			fault(in.place(m.g), "%d is no face of `%s`", v, x.fam.Name)
		}
		faces = append(faces, v)
	}
	m.arena = m.arena[:0]
	if n := bits.OnesCount64(set); n != len(faces) {
		fault(in.place(m.g), "%d faces cannot be laid on %d pieces", len(faces), n)
	}
	m.setFaces(x.fam, set, faces)
}
