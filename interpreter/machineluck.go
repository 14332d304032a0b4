package interpreter

import (
	"math/bits"
	"strconv"
)

// DrawLuck draws what the chance request that stands comes to and writes it as
// people would type it, for ApplyLuck: so the machine throws for those who have
// no hands while others throw real dice. ok is false if nothing is to be thrown
// or rolled, or what is drawn comes from where people have their pieces; then
// somebody has to type it.
func (m *Machine) DrawLuck(r *Rand) (text string, ok bool) {
	if m.req.Kind != Chance || m.req.at == nil || m.deals() != nil {
		return "", false
	}
	if m.req.at.op == opThrow {
		text = m.drawThrow(m.req.at.x.(*throw), r)
	} else {
		text = m.drawValue(m.req.at.x.(*drawing), r)
	}
	c := m.Clone()
	return text, c.ApplyLuck(text) == nil
}

// drawThrow throws the pieces of a throw.
func (m *Machine) drawThrow(t *throw, r *Rand) string {
	set := uint64(t.zone(m))
	faces := make([]int64, bits.OnesCount64(set))
	for i := range faces {
		faces[i] = t.fam.sides[r.Below(uint64(len(t.fam.sides)))]
	}
	c := m.Clone()
	c.setFaces(t.fam, set, faces)
	return c.Pieces(t.fam.Family, set)
}

// drawValue rolls a number, or draws an element.
func (m *Machine) drawValue(d *drawing, r *Rand) string {
	n := m.outcomes(d)
	values := append([]int64(nil), m.arena...)
	m.arena = m.arena[:0]
	i := r.Below(uint64(n))
	if d.over == nil {
		return strconv.FormatInt(d.lo(m)+int64(i), 10)
	}
	if i >= uint64(len(values)) || d.elem == nil {
		return ""
	}
	return m.Format(*d.elem, values[i])
}
