package interpreter

import (
	"errors"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file plays two programs side by side, to see where they part: the same
// rules with two house rules in this order and in the other.

// A Parting is where two programs part.
type Parting struct {
	Games   int // so many games part somewhere
	Players []string
	Seed    uint64
	// Moves are those of the game with the fewest moves before it parts. Moves that
	// are forced are left out.
	Moves []ProbeMove
	// Different is what differs there; at least one thing.
	Different []Difference
}

// A Difference is one thing that is not the same in two games.
type Difference struct {
	What string // "Ann.score", "tray", "who is asked", "Ann can"
	// First and Second are what it is in each, as people read it.
	First, Second string
}

// Apart plays two programs with the same luck and the same moves, and returns
// where they part, nil if they do not, and how many games were played. They must
// be of the same game with the same house rules. The error says that one of them
// cannot be made ready: a *Fault or a *PlayersError.
func (p Probe) Apart(first, second *dsl.Program) (*Parting, int, error) {
	if p.Limit <= 0 {
		p.Limit = defaultLimit
	}
	var found *Parting
	played, parted := 0, 0
	most := min(first.MaxPlayers, max(first.MinPlayers, len(peopleNames)))
	tables := make([]*pairTable, most-first.MinPlayers+1)
	for i := range p.Games {
		k := i % len(tables)
		if tables[k] == nil {
			t, err := newPairTable(first, second, first.MinPlayers+k)
			var impossible *PlayersError
			if errors.As(err, &impossible) && k > 0 {
				continue // a house rule asks for fewer
			}
			if err != nil {
				return nil, 0, err
			}
			tables[k] = t
		}
		t := tables[k]
		played++
		x := &prober{Probe: p, found: &Found{}, taken: map[*dsl.Action]bool{}}
		different := x.side(t, p.Seed+uint64(i))
		if different == nil {
			continue
		}
		if parted++; found == nil || len(x.moves) < len(found.Moves) {
			found = &Parting{Players: t.names, Seed: p.Seed + uint64(i), Moves: x.moves, Different: different}
		}
	}
	if found != nil {
		found.Games = parted
	}
	return found, played, nil
}

// pairTable is two games for a number of players.
type pairTable struct {
	names []string
	a, b  *Machine
}

func newPairTable(first, second *dsl.Program, players int) (*pairTable, error) {
	a, err := newProbeTable(first, players)
	if err != nil {
		return nil, err
	}
	b, err := newProbeTable(second, players)
	if err != nil {
		return nil, err
	}
	return &pairTable{a.names, a.m, b.m}, nil
}

// side plays one game on both sides until they part.
func (x *prober) side(t *pairTable, seed uint64) []Difference {
	setup := Setup{Names: t.names, Seed: seed}
	t.a.Restart(setup)
	t.b.Restart(setup)
	r := NewRand(seed, 0, StreamPolicy)
	for range x.Limit {
		p, errA := t.a.Advance()
		q, errB := t.b.Advance()
		if errA != nil || errB != nil {
			return differences([]Difference{{What: "the game"}}, ending(errA), ending(errB))
		}
		if out := apart(t.a, t.b, p, q); out != nil || p.Kind == Over {
			return out
		}
		i, ok := x.draw(t.a, p, &r)
		if !ok {
			return nil // only people can answer
		}
		errA, errB = t.a.Apply(i), t.b.Apply(i)
		if errA != nil || errB != nil {
			return differences([]Difference{{What: "the game"}}, ending(errA), ending(errB))
		}
	}
	return nil
}

// ending says how a step of a game went.
func ending(err error) []string {
	if err != nil {
		return []string{"stops: " + err.Error()}
	}
	return []string{"goes on"}
}

// differences keeps what is not the same; what has the names.
func differences(what []Difference, first, second []string) (out []Difference) {
	for i, d := range what {
		if d.First, d.Second = first[i], second[i]; d.First != d.Second {
			out = append(out, d)
		}
	}
	return out
}

// longestOffer is how many options of a decision are compared.
const longestOffer = 200

// apart compares two games that wait: the state, where the pieces lie, who is
// asked, and what that one can do.
func apart(a, b *Machine, p, q Request) []Difference {
	out := differences(stateNames(a), stateTexts(a), stateTexts(b))
	asked := Difference{What: "who is asked", First: askedText(a, p), Second: askedText(b, q)}
	if asked.First != asked.Second {
		return append(out, asked)
	}
	if p.Kind != Over && p.Open == q.Open {
		can := Difference{What: asked.First + " can", First: optionTexts(a, p), Second: optionTexts(b, q)}
		if p.N != q.N || can.First != can.Second {
			out = append(out, can)
		}
	}
	return out
}

// askedText says who is asked, or who has won.
func askedText(m *Machine, r Request) string {
	switch {
	case r.Kind == Over:
		var names []string
		for _, seat := range m.Winners() {
			names = append(names, m.Name(seat))
		}
		return "nobody: " + strings.Join(names, ", ") + " won"
	case r.Table:
		return tableName
	}
	return m.Name(r.Seat)
}

func optionTexts(m *Machine, r Request) string {
	var out []string
	for i := range min(r.N, longestOffer) {
		out = append(out, m.OptionText(i))
	}
	return strings.Join(out, "; ")
}

// eachPlace calls visit for every variable and zone, of every seat where it is of
// seats; of is -1 elsewhere.
func eachPlace(m *Machine, visit func(v *dsl.Var, z *dsl.Zone, of int)) {
	p := m.g.prog
	seats := func(each bool, f func(of int)) {
		if !each {
			f(-1)
			return
		}
		for i := range m.g.seats {
			f(i)
		}
	}
	for _, v := range p.Vars {
		if !v.Out || m.g.outSlot >= 0 {
			seats(v.Each, func(of int) { visit(v, nil, of) })
		}
	}
	for _, z := range p.Zones {
		seats(z.Each, func(of int) { visit(nil, z, of) })
	}
}

// stateNames are the names of all variables and zones.
func stateNames(m *Machine) (out []Difference) {
	eachPlace(m, func(v *dsl.Var, z *dsl.Zone, of int) {
		var info dsl.Info
		owner := ""
		if v != nil {
			if info = v.Info; !v.Each {
				owner = v.Scope.Name + "."
			}
		} else {
			info = z.Info
		}
		if of >= 0 {
			owner = m.Name(of) + "."
		}
		if info.Owner != "" {
			owner += strings.ReplaceAll(info.Owner, "-", "_") + "."
		}
		out = append(out, Difference{What: owner + info.Name})
	})
	return out
}

// stateTexts is what they hold, hidden or not.
func stateTexts(m *Machine) (out []string) {
	eachPlace(m, func(v *dsl.Var, z *dsl.Zone, of int) {
		at := max(of, 0)
		if v != nil {
			out = append(out, m.Format(v.Type, m.Value(v, at)))
			return
		}
		fam := m.g.families[z.Family]
		if c := fam.cards; c != nil {
			out = append(out, m.cardWords(c, slices.Clone(c.inOrder(m, c.number[z]+at, nil))))
			return
		}
		out = append(out, m.inOrder(fam, uint64(m.s[m.g.zoneSlot[z]+at])))
	})
	return out
}
