package interpreter

import (
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// template lowers a sentence.
func (lo *lowerer) template(t *dsl.Template) func(m *Machine) string {
	type part struct {
		text string
		f    fn
		typ  dsl.Type
	}
	var parts []part
	for _, p := range t.Parts {
		if p.Expr == nil {
			parts = append(parts, part{text: p.Text})
		} else {
			parts = append(parts, part{f: lo.expr(p.Expr).f, typ: p.Expr.Type})
		}
	}
	return func(m *Machine) string {
		var b strings.Builder
		for _, p := range parts {
			if p.f == nil {
				b.WriteString(p.text)
			} else {
				b.WriteString(m.Format(p.typ, p.f(m)))
			}
		}
		return b.String()
	}
}

// Format writes a value of a type for people: seats by name, options and
// faces by theirs, numbers in plain digits, pieces by their faces.
func (m *Machine) Format(t dsl.Type, v int64) string {
	if t.Maybe && v == dsl.None || t.Kind == dsl.KNone {
		return "none"
	}
	switch t.Kind {
	case dsl.KBool:
		if v != 0 {
			return "yes"
		}
		return "no"
	case dsl.KOption:
		if v >= 0 && int(v) < len(t.Enum.Values) {
			return t.Enum.Label(int(v))
		}
	case dsl.KSeat:
		return m.Name(int(v))
	case dsl.KPiece:
		if c := m.g.families[t.Family].cards; c != nil {
			return c.word(m.g, int(v))
		}
		return m.Pieces(t.Family, 1<<uint(v))
	case dsl.KInt:
		if t.Family != nil {
			return m.g.FaceName(t.Family, v)
		}
	case dsl.KMap:
		return m.join(*t.Elem, iter{values: m.list(v), mode: iterList})
	case dsl.KSet:
		if isCards(t) {
			return m.cardWords(m.g.families[t.Elem.Family].cards, m.list(v))
		}
		if t.Elem.Kind == dsl.KPiece {
			if v == 0 {
				return "none"
			}
			return m.inOrder(m.g.families[t.Elem.Family], uint64(v))
		}
		return m.join(*t.Elem, iter{set: uint64(v)})
	case dsl.KList:
		return m.join(*t.Elem, iter{values: m.list(v), mode: iterList})
	}
	return strconv.FormatInt(v, 10)
}

func (m *Machine) join(t dsl.Type, it iter) string {
	var out []string
	for v, ok := it.next(); ok; v, ok = it.next() {
		out = append(out, m.Format(t, v))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// Name returns the name of a seat.
func (m *Machine) Name(seat int) string {
	if seat >= 0 && seat < len(m.names) {
		return m.names[seat]
	}
	if i := seat - m.g.people; i >= 0 && i < m.g.ghosts {
		return m.g.names[i]
	}
	return "nobody"
}

// FaceName returns how people write a face: its name, or else its number.
func (g *Game) FaceName(f *dsl.Family, number int64) string {
	for _, face := range f.Faces {
		if face.Number == number && face.Name != "" {
			return face.Name
		}
	}
	return strconv.FormatInt(number, 10)
}

// Pieces writes a set of pieces as people type them: faces, after the
// attribute words that a rule in force reads.
func (m *Machine) Pieces(f *dsl.Family, set uint64) string {
	m.land()
	fam := m.g.families[f]
	shown := m.g.shownAttrs[f]
	var out []string
	words := make([]string, len(shown))
	it := iter{set: set}
	for p, ok := it.next(); ok; p, ok = it.next() {
		if p >= int64(fam.count) {
			break
		}
		for i, a := range shown {
			if w := m.g.attrWord(a, m.g.attrValues[a][p]); w != words[i] {
				words[i] = w
				out = append(out, w)
			}
		}
		if len(fam.sides) > 0 {
			out = append(out, m.g.FaceName(f, m.s[fam.faceSlot+int(p)]))
		}
	}
	return strings.Join(out, " ")
}

// attrWord is the word for a value of an attribute: the option's name; for a
// true/false attribute its name, or "plain".
func (g *Game) attrWord(a *dsl.Attr, v int64) string {
	switch a.Type.Kind {
	case dsl.KBool:
		if v != 0 {
			return a.Name
		}
		return "plain"
	case dsl.KOption:
		if v >= 0 && int(v) < len(a.Type.Enum.Values) {
			return a.Type.Enum.Values[v]
		}
	}
	return strconv.FormatInt(v, 10)
}
