package interpreter

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// Luck from outside: what people at the table threw, what an example says, and
// all that can fall, for exact odds.

// A Fall is one thing that a chance request can come to.
type Fall struct {
	Weight uint64 // how many of the equally likely outcomes it stands for
	Text   string
	faces  []int64 // of a throw, by piece in order
	index  uint64  // of any other draw
}

// maxFalls bounds how many falls are listed.
const maxFalls = 1 << 20

// Falls lists what the chance request that stands can come to. Throws that no
// rule can tell apart, since they differ only in which of two like pieces shows
// a face, are one fall with their number as weight. It returns nil if there
// are more than a million, or nothing is to be thrown.
func (m *Machine) Falls() []Fall {
	if m.req.Kind != Chance || m.req.at == nil {
		return nil
	}
	if m.req.at.op == opThrow {
		t := m.req.at.x.(*throw)
		return m.throwFalls(t.fam, uint64(t.zone(m)))
	}
	if d := m.deals(); d != nil {
		return d.falls(m)
	}
	var out []Fall
	d := m.req.at.x.(*drawing)
	n := m.outcomes(d)
	for i := range min(n, maxFalls) {
		v := int64(i)
		if d.over == nil {
			v += d.lo(m)
		} else {
			v = m.arena[i]
		}
		out = append(out, Fall{Weight: 1, Text: strconv.FormatInt(v, 10), index: uint64(i)})
	}
	m.arena = m.arena[:0]
	if n > maxFalls {
		return nil
	}
	return out
}

// throwFalls lists the throws of a set of pieces by the numbers of faces that
// each group of like pieces shows.
func (m *Machine) throwFalls(fam *family, set uint64) []Fall {
	groups := m.g.alike(fam, set)
	faces := make([]int64, fam.count)
	var out []Fall
	var group func(i int, weight uint64) bool
	group = func(i int, weight uint64) bool {
		if i == len(groups) {
			if len(out) >= maxFalls {
				return false
			}
			f := Fall{Weight: weight}
			for u := set; u != 0; u &= u - 1 {
				f.faces = append(f.faces, faces[bits.TrailingZeros64(u)])
			}
			out = append(out, f)
			return true
		}
		return fam.multisets(groups[i], func(side []int64, ways uint64) bool {
			for k, p := range groups[i] {
				faces[p] = side[k]
			}
			return group(i+1, weight*ways)
		})
	}
	if !group(0, 1) {
		return nil
	}
	return out
}

// alike parts a set into groups of pieces that agree in all attributes that a
// rule in force reads.
func (g *Game) alike(fam *family, set uint64) [][]int {
	var groups [][]int
	index := map[string]int{}
	for u := set; u != 0; u &= u - 1 {
		p := bits.TrailingZeros64(u)
		var sig []int64
		for _, a := range g.shownAttrs[fam.Family] {
			sig = append(sig, g.attrValues[a][p])
		}
		k := signature(sig)
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// multisets calls visit with every multiset of faces of so many pieces and the
// number of throws that show it, until visit returns false.
func (f *family) multisets(pieces []int, visit func(faces []int64, ways uint64) bool) bool {
	shown := f.shown()
	sides := make([]uint64, len(shown)) // how many sides show each face
	for _, s := range f.sides {
		for i, v := range shown {
			if v == s {
				sides[i]++
			}
		}
	}
	faces := make([]int64, 0, len(pieces))
	var from func(i int, left int, ways uint64) bool
	from = func(i, left int, ways uint64) bool {
		if left == 0 {
			return visit(faces, ways)
		}
		if i == len(shown) {
			return true
		}
		n := len(faces)
		w := ways
		for k := 0; k <= left; k++ {
			if k > 0 {
				faces = append(faces, shown[i])
				w *= sides[i]
			}
			if !from(i+1, left-k, w*binomial(left, k)) {
				return false
			}
		}
		faces = faces[:n]
		return true
	}
	return from(0, len(pieces), 1)
}

// binomial returns n over k, exactly, for n up to MaxPieces and results that
// fit.
func binomial(n, k int) uint64 {
	k = min(k, n-k)
	r := uint64(1)
	for i := 1; i <= k; i++ {
		hi, lo := bits.Mul64(r, uint64(n-k+i))
		r, _ = bits.Div64(hi, lo, uint64(i))
	}
	return r
}

// ApplyFall gives a fall of Falls as the answer to the chance request.
func (m *Machine) ApplyFall(f Fall) (err error) {
	req := m.req
	if req.Kind != Chance || req.at == nil {
		panic("interpreter: ApplyFall without a chance request")
	}
	defer m.recoverFault(&err)
	m.req = Request{}
	if req.at.op != opThrow {
		m.answer(req, int(f.index))
		return nil
	}
	t := req.at.x.(*throw)
	m.show(req.at, t, uint64(t.zone(m)), f.faces)
	return nil
}

// show lays down faces by piece in order and moves on.
func (m *Machine) show(in *instr, t *throw, set uint64, faces []int64) {
	m.setFaces(t.fam, set, faces)
	if m.rec != nil {
		m.thrown(in, t, int64(set))
	}
	m.s[slotPC] = int64(in.next)
}

// ApplyLuck gives typed luck as the answer to the chance request: the faces
// of exactly the dice that are thrown, the number rolled, or the name of an
// incident. Luck that cannot be is refused with a *MoveError, and the request
// stands.
func (m *Machine) ApplyLuck(text string) (err error) {
	req := m.req
	if req.Kind != Chance || req.at == nil {
		return &MoveError{"nothing is to be thrown now"}
	}
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if d := m.deals(); d != nil {
		return d.lucky(m, words)
	}
	if req.at.op != opThrow {
		return m.luckyDraw(req, words)
	}
	t := req.at.x.(*throw)
	if inc := t.incidentNamed(words); inc != nil {
		if !m.possible(inc) {
			return &MoveError{fmt.Sprintf("`%s` cannot happen to this throw", inc.Name)}
		}
		defer m.recoverFault(&err)
		m.req = Request{}
		m.happen(inc)
		return nil
	}
	set := uint64(t.zone(m))
	faces, err := m.facesFor(t, set, words)
	if err != nil {
		return err
	}
	m.req = Request{}
	m.show(req.at, t, set, faces)
	return nil
}

func (t *throw) incidentNamed(words []string) *incident {
	for _, inc := range t.incidents {
		if len(words) > 0 && matchWords(words, strings.Split(inc.Name, "_")) == len(words) {
			return inc
		}
	}
	return nil
}

// facesFor gives typed faces to the pieces thrown, each to one that the word
// can mean.
func (m *Machine) facesFor(t *throw, set uint64, words []string) ([]int64, error) {
	fam := t.fam
	n := bits.OnesCount64(set)
	wanted, err := m.g.PieceWords(fam.Family, words)
	if err != nil {
		return nil, err
	}
	if len(wanted) != n {
		return nil, &MoveError{fmt.Sprintf("%d %s thrown, but %d %s typed", n, plural(n, "is", "are"), len(wanted), plural(len(wanted), "was", "were"))}
	}
	faces := map[int]int64{}
	left := set
	for _, w := range byWords(wanted) {
		p := -1
		for u := left; u != 0; u &= u - 1 {
			if q := bits.TrailingZeros64(u); m.g.fitsWord(fam, q, w) {
				p = q
				break
			}
		}
		if p < 0 {
			return nil, &MoveError{fmt.Sprintf("there is no such piece left for `%s`", m.g.FaceName(fam.Family, w.Face))}
		}
		left &^= 1 << uint(p)
		faces[p] = w.Face
	}
	var out []int64
	for u := set; u != 0; u &= u - 1 {
		out = append(out, faces[bits.TrailingZeros64(u)])
	}
	return out, nil
}

// byWords orders pieces so that those with more attribute words come first:
// they are the ones that few pieces can be.
func byWords(words []dsl.PieceWord) []dsl.PieceWord {
	out := slices.Clone(words)
	slices.SortStableFunc(out, func(a, b dsl.PieceWord) int { return len(b.Attrs) - len(a.Attrs) })
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// luckyDraw reads the outcome of a roll or of a draw.
func (m *Machine) luckyDraw(req Request, words []string) (err error) {
	d := req.at.x.(*drawing)
	if len(words) != 1 {
		return &MoveError{"one value is wanted"}
	}
	defer m.recoverFault(&err)
	if d.over == nil {
		lo, hi := d.lo(m), d.hi(m)
		v, perr := strconv.ParseInt(words[0], 10, 64)
		if perr != nil || v < lo || v > hi {
			return &MoveError{fmt.Sprintf("`%s` is no number from %d to %d", words[0], lo, hi)}
		}
		m.req = Request{}
		m.applyDraw(req.at, uint64(v-lo))
		return nil
	}
	n := m.outcomes(d)
	values := append([]int64(nil), m.arena...)
	m.arena = m.arena[:0]
	t := dsl.Int
	if d.expr.Type.Elem != nil {
		t = *d.expr.Type.Elem
	}
	for i := range n {
		if i < len(values) && strings.EqualFold(m.Format(t, values[i]), words[0]) {
			m.req = Request{}
			m.applyDraw(req.at, uint64(i))
			return nil
		}
	}
	return &MoveError{fmt.Sprintf("`%s` is not among what can be drawn", words[0])}
}

// LuckWanted says for people what the chance request wants: how many pieces of
// which family are thrown, or the numbers that can be rolled.
func (m *Machine) LuckWanted() string {
	if m.req.Kind != Chance || m.req.at == nil {
		return ""
	}
	if d := m.deals(); d != nil {
		return fmt.Sprintf("the next of the %s that are dealt", d.c.fam.Label())
	}
	if m.req.at.op != opThrow {
		d := m.req.at.x.(*drawing)
		if d.over == nil {
			return fmt.Sprintf("a number from %d to %d", d.lo(m), d.hi(m))
		}
		return "what was drawn"
	}
	t := m.req.at.x.(*throw)
	return fmt.Sprintf("the faces of %d %s", bits.OnesCount64(uint64(t.zone(m))), t.fam.Label())
}

// DealWanted reports whether the chance request is for a piece that is dealt,
// and which seat gets it.
func (m *Machine) DealWanted() (seat int, ok bool) {
	d := m.deals()
	if d == nil {
		return 0, false
	}
	return int(d.seat(m)), true
}

// ThrowWanted reports whether the chance request is a throw, of which pieces
// and how many; a roll or a draw is none.
func (m *Machine) ThrowWanted() (f *dsl.Family, n int, ok bool) {
	if m.req.Kind != Chance || m.req.at == nil || m.req.at.op != opThrow {
		return nil, 0, false
	}
	t := m.req.at.x.(*throw)
	return t.fam.Family, bits.OnesCount64(uint64(t.zone(m))), true
}

// IncidentsWanted returns the incidents that may be named instead of the faces
// of the throw that stands.
func (m *Machine) IncidentsWanted() []*dsl.Incident {
	if m.req.Kind != Chance || m.req.at == nil || m.req.at.op != opThrow {
		return nil
	}
	var out []*dsl.Incident
	for _, inc := range m.req.at.x.(*throw).incidents {
		if m.possible(inc) {
			out = append(out, inc.Incident)
		}
	}
	return out
}

// RollWanted returns the state that takes the number or element that the chance
// request wants, and the seat that it is of, -1 for none. ok is false for a
// throw, and for what is drawn for nobody to see.
func (m *Machine) RollWanted() (v *dsl.Var, of int, ok bool) {
	if m.req.Kind != Chance || m.req.at == nil || m.req.at.op == opThrow {
		return nil, -1, false
	}
	in := m.req.at
	d, drawn := in.x.(*drawing)
	if !drawn || in.note == nil || in.note.place == nil {
		return nil, -1, false
	}
	p := in.note.place
	of = -1
	if p.Seat != nil {
		of = d.store(m) - m.g.varSlot[p.Var]
	}
	return p.Var, of, true
}
