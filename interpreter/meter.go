package interpreter

import "github.com/houserules/houserules/dsl"

// A Meter computes the same formulas again and again, where a game stands. It
// belongs to the goroutine of the machine that it was made of.
type Meter struct {
	on *Machine
	fs []fn
}

// Meter makes formulas ready to be computed on m and on other machines of its
// game. The error is a *Fault: a constant in a formula cannot be.
func (m *Machine) Meter(formulas ...*dsl.Expr) (*Meter, error) {
	x := &Meter{on: m}
	for _, e := range formulas {
		on, f, err := x.on.lowerOn(e)
		if err != nil {
			return nil, err
		}
		x.on, x.fs = on, append(x.fs, f)
	}
	if x.on == m { // nothing to compute
		x.on = m.Clone()
	}
	return x, nil
}

// Read looks at a game where it stands, for Value.
func (x *Meter) Read(m *Machine) {
	g, s := x.on.g, x.on.s
	x.on.s = s[:len(m.s)]
	x.on = m.CloneInto(x.on)
	x.on.g, x.on.s = g, s
}

// Value computes formula i of the game that was read last. The error is a
// *Fault.
func (x *Meter) Value(i int) (v int64, err error) {
	err = x.on.quietly(func() { v = x.fs[i](x.on) })
	x.on.arena, x.on.spent = x.on.arena[:0], 0
	return v, err
}

// WinnerSet returns the seats that come first as bits, as Winners does.
func (m *Machine) WinnerSet() uint64 { return uint64(m.winners()) }

// Totals writes the running total of each seat into a slice, which it returns;
// ok is false if the rules keep none, or if the formula faults.
func (m *Machine) Totals(into []int64) (totals []int64, ok bool) {
	if m.g.total == nil {
		return into[:0], false
	}
	into = into[:0]
	base := len(m.arena)
	err := m.quietly(func() {
		for seat := range m.g.people {
			into = append(into, m.as(int64(seat), m.g.total))
		}
	})
	m.arena = m.arena[:base]
	return into, err == nil
}
