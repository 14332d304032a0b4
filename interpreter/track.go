package interpreter

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// trackGroup is how many pieces of a track stand together in a line.
const trackGroup = 5

// track lowers a row of pieces with where on it everybody stands: one line for
// the pieces, in groups with the number of the first, and one for the players.
func (lo *lowerer) track(s *dsl.ShowLine) func(m *Machine) string {
	over, at := lo.over(s.Track), lo.expr(s.At).f
	c, label := lo.cardsOf(s.Track.Type), s.Label()
	return func(m *Machine) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s:", label)
		it, n := over(m), int64(0)
		for p, ok := it.next(); ok; p, ok = it.next() {
			if n%trackGroup == 0 {
				fmt.Fprintf(&b, "  %d", n+1)
			}
			n++
			b.WriteString(" " + c.word(m.g, int(p)))
		}
		m.arena = m.arena[:0]
		b.WriteByte('\n')
		var where []string
		for seat := range m.g.people {
			where = append(where, standing(m.Name(seat), m.as(int64(seat), at), n))
		}
		b.WriteString(strings.Join(where, ", "))
		return b.String()
	}
}

// standing says where on a track somebody stands.
func standing(name string, at, length int64) string {
	switch {
	case at < 1:
		return name + " before the first"
	case at > length:
		return name + " past the last"
	}
	return fmt.Sprintf("%s on %d", name, at)
}
