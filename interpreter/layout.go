package interpreter

import (
	"fmt"

	"github.com/houserules/houserules/dsl"
)

// The state of a game is one []int64, so that a clone is one copy. Its first
// slots are the machine's own; then come the scopes' counters, the variables,
// the zones, the faces, and last what scripts keep while they are suspended.
const (
	slotDraws     = iota // draws so far of the chance stream
	slotIncidents        // draws so far of the incident stream
	slotPC               // where the program stands
	slotStatus           // one of the status values
	slotExit             // pending exit of the running moment: one of the exit values
	slotExitArg          // its phase or seat
	slotActive           // seat whose turn it is
	slotMe               // seat on whose behalf scripts run
	slotPhase            // index of the running phase
	slotWinners          // seats named by `finish with`, as a set
	slotsFixed
)

// Values of slotStatus.
const (
	statusRunning = iota
	statusOver
)

// Values of slotExit.
const (
	exitNone = iota
	exitGoto
	exitAgain
	exitNextTurn
	exitTurnOf
	exitFinish
)

const (
	// MaxSeats is the most people that can sit at a table: sets of seats are
	// the bits of one word.
	MaxSeats = 63
	// MaxPieces is the most pieces a family can have, for the same reason.
	MaxPieces = 64
	// listRoom is how many values a list can hold that a script keeps.
	listRoom = 64
)

// family is a dsl.Family with its place in the state.
type family struct {
	*dsl.Family
	count    int
	all      int64   // the set of all pieces
	faceSlot int     // faceSlot+piece holds the face number
	sides    []int64 // face number of each side, in order; the sides of a throw
	lo       int64   // lowest face number
	span     int     // highest minus lowest, plus one; 1 without faces
	zoneLo   int     // the slots of all zones of the family lie in [zoneLo, zoneHi)
	zoneHi   int
	powers   []uint64 // powers[k] = len(sides)^k, as far as it fits
	small    *classes // classes whose word a throw keeps up to date, or nil
	cards    *cards   // of a family without faces; the fields from all on are then unused, count apart
}

// layout hands out slots.
type layout struct {
	n int // slots so far
}

func (l *layout) take(k int) int {
	at := l.n
	l.n += k
	return at
}

// place reserves the slots of everything that a program keeps.
func (g *Game) place() error {
	l := &g.slots
	l.take(slotsFixed)
	g.varSlot = map[*dsl.Var]int{}
	g.zoneSlot = map[*dsl.Zone]int{}
	g.numberSlot = map[*dsl.Scope]int{}
	g.localSlot = map[*dsl.Local]int{}
	for _, s := range g.prog.Scopes {
		g.numberSlot[s] = l.take(1)
	}
	for _, v := range g.prog.Vars {
		n := g.varSize(v)
		if v.Each {
			n *= g.seats
		}
		g.varSlot[v] = l.take(n)
	}
	var order *orderUses
	for _, f := range g.prog.Families {
		var err error
		if len(f.Faces) > 0 {
			err = g.placeFamily(f)
		} else {
			if order == nil {
				order = g.orderUses()
			}
			fam := &family{Family: f, span: 1}
			g.families[f] = fam
			err = g.placeCards(fam, order)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// varSize is how many slots a variable has, for each seat if it is of seats. A
// map and a list have their length in the first one.
func (g *Game) varSize(v *dsl.Var) int {
	switch v.Type.Kind {
	case dsl.KMap:
		return 1 + g.keys(v.Type)
	case dsl.KList:
		return 1 + v.Room
	}
	return 1
}

// keys is how many keys a map has.
func (g *Game) keys(t dsl.Type) int {
	switch t.Key.Kind {
	case dsl.KOption:
		return len(t.Key.Enum.Values)
	case dsl.KInt:
		return int(t.Key.Hi-t.Key.Lo) + 1
	}
	return g.seats
}

func (g *Game) placeFamily(f *dsl.Family) error {
	count, err := g.constant(f.Count)
	if err != nil {
		return err
	}
	if count < 1 || count > MaxPieces {
		return &Fault{Message: fmt.Sprintf("`%s` has %d pieces; there may be 1 to %d", f.Name, count, MaxPieces), Span: f.Count.Span}
	}
	fam := &family{Family: f, count: int(count), span: 1}
	fam.all = int64(^uint64(0) >> (64 - uint(count)))
	for i, s := range f.Faces {
		fam.sides = append(fam.sides, s.Number)
		if i == 0 || s.Number < fam.lo {
			fam.lo = s.Number
		}
	}
	for _, s := range fam.sides {
		fam.span = max(fam.span, int(s-fam.lo)+1)
	}
	if n := uint64(len(fam.sides)); n > 0 {
		for p := uint64(1); len(fam.powers) <= fam.count; p *= n {
			fam.powers = append(fam.powers, p)
			if p > 1<<62/n {
				break
			}
		}
	}
	fam.faceSlot = g.slots.take(fam.count)
	fam.zoneLo = g.slots.n
	for _, z := range g.prog.Zones {
		if z.Family != f {
			continue
		}
		if z.Each {
			g.zoneSlot[z] = g.slots.take(g.seats)
		} else {
			g.zoneSlot[z] = g.slots.take(1)
		}
	}
	fam.zoneHi = g.slots.n
	g.families[f] = fam
	return g.attributes(fam)
}

// attributes works out every stored and computed attribute once: none of them
// changes while a game runs, the face apart.
func (g *Game) attributes(fam *family) error {
	for _, a := range fam.Attrs {
		var values []int64
		switch {
		case a.IsFace:
		case a.Formula != nil:
			for i := range fam.count {
				v, err := g.constantWith(a.Formula, a.Number, int64(i+1))
				if err != nil {
					return err
				}
				values = append(values, v)
			}
		default:
			if len(a.Values) < fam.count {
				return &Fault{Message: fmt.Sprintf("`%s` has %d values for %d pieces", a.Name, len(a.Values), fam.count), Span: a.Span}
			}
			values = a.Values[:fam.count]
		}
		g.attrValues[a] = values
	}
	return nil
}

// local returns the slot of a local, reserving it at first sight.
func (g *Game) local(l *dsl.Local) int {
	at, ok := g.localSlot[l]
	if !ok {
		at = g.slots.take(1)
		if n := g.room(l.Type); n > 0 {
			g.slots.take(n)
		}
		g.localSlot[l] = at
	}
	return at
}

// room is how many values a list of a type can hold that a script keeps; 0 if
// values of the type are single words.
func (g *Game) room(t dsl.Type) int {
	switch {
	case t.Kind == dsl.KList:
		return listRoom
	case t.Kind == dsl.KMap:
		return g.keys(t)
	case isCards(t):
		return g.families[t.Elem.Family].count
	}
	return 0
}

// isCards reports whether values of a type are collections of pieces without
// faces. They are kept, and handed on, as lists.
func isCards(t dsl.Type) bool {
	return t.IsCollection() && t.Elem.Kind == dsl.KPiece && len(t.Elem.Family.Faces) == 0
}
