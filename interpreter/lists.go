package interpreter

import (
	"github.com/houserules/houserules/dsl"
)

// A set of seats, or of pieces with faces, is the bits of one word. A list is a handle: where its values lie and
// how many they are. Lists that a formula makes on its way lie in the
// machine's arena, which is emptied when the formula is done; lists that a
// script keeps lie in the state, their length first.

const (
	handleState  = 1 << 62 // the list lies in the state, at its length
	handleStatic = 1 << 61 // the list stands fast: its number
	handleShift  = 24
)

func listAtSlot(slot int) int64 { return handleState | int64(slot) }

// list returns the values of a handle. The result is good until the arena
// grows or is emptied.
func (m *Machine) list(h int64) []int64 {
	if h&handleState != 0 {
		at := int(h &^ handleState)
		n := int(m.s[at])
		return m.s[at+1 : at+1+n]
	}
	if h&handleStatic != 0 {
		return m.g.statics.lists[h&^handleStatic]
	}
	off, n := int(h>>handleShift), int(h&(1<<handleShift-1))
	return m.arena[off : off+n]
}

// begin starts a list in the arena; end makes the handle of all that was
// pushed since.
func (m *Machine) begin() int { return len(m.arena) }

func (m *Machine) push(v int64) {
	if len(m.arena) >= maxArena {
		panic(&Fault{Message: "a list grows too long"})
	}
	m.arena = append(m.arena, v)
}

func (m *Machine) end(from int) int64 {
	return int64(from)<<handleShift | int64(len(m.arena)-from)
}

// maxArena bounds what one formula can hold in lists: 8 MiB of values.
const maxArena = 1 << 20

// keep copies a list into the state, where there is room for so many values.
func (m *Machine) keep(slot int, h int64, room int, e *dsl.Expr) {
	vs := m.list(h)
	if len(vs) > room {
		fault(e.Span, "a list of %d values is too long to be kept; %d are the most", len(vs), room)
	}
	copy(m.s[slot+1:], vs)
	m.s[slot] = int64(len(vs))
}

// others lists the seats that are in, from the left of a seat, without it.
func (m *Machine) others(seat int64) int64 {
	from := m.begin()
	it := m.fromLeft(seat)
	for v, ok := it.next(); ok; v, ok = it.next() {
		m.push(v)
	}
	return m.end(from)
}

// fromLeft walks over the seats that are in, from the left of a seat, without it.
// To nobody's left sits the first one.
func (m *Machine) fromLeft(seat int64) iter {
	in := uint64(m.players())
	if seat < 0 || int(seat) >= m.g.people {
		return iter{set: in}
	}
	return iter{set: in &^ (1 << uint(seat)), lo: seat, mode: iterRing}
}
