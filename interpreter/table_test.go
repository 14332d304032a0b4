package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// This file holds what the tests of whole games share: rule files written
// inline, the shipped game with all its house rules, and a machine's state.

// inline makes a library of rule files that a test holds as text.
func inline(t testing.TB, texts ...string) *dsl.Library {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for i, text := range texts {
		lib.Add(source.NewFile(fmt.Sprintf("inline-%d.yaml", i), text), &ds)
	}
	report(t, ds)
	return lib
}

// inlineGame loads the first game of inline rule files, with all variants that
// are among them.
func inlineGame(t testing.TB, seats int, texts ...string) *interpreter.Game {
	t.Helper()
	lib := inline(t, texts...)
	id := lib.Games()[0].ID
	var with []string
	for _, v := range lib.VariantsOf(id) {
		with = append(with, v.ID)
	}
	return newOf(t, mustLoad(t, lib, id, dsl.Options{With: with}), seats)
}

// shipped is the library of all embedded files, read once.
var shipped = sync.OnceValue(func() *dsl.Library {
	lib := dsl.NewLibrary()
	var ds source.List
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		lib.Add(f, &ds)
	}
	if ds.HasErrors() {
		panic(ds.Err())
	}
	return lib
})

// a selection is a choice of house rules, with the program that it makes.
type selection struct {
	with     []string
	prog     *dsl.Program // nil if the house rules exclude each other
	problems source.List
}

func (s selection) String() string {
	if len(s.with) == 0 {
		return "no house rules"
	}
	return strings.Join(s.with, "+")
}

func choose(with ...string) selection { return chooseOf("zonk", with...) }

// chooseOf is choose for any shipped game.
func chooseOf(game string, with ...string) selection {
	p, ds := dsl.Load(shipped(), game, dsl.Options{With: with})
	return selection{with, p, ds}
}

// houseRules lists the ids of the shipped game's house rules.
func houseRules() []string {
	var out []string
	for _, v := range shipped().VariantsOf("zonk") {
		out = append(out, v.ID)
	}
	return out
}

// singles is the game by itself and with each house rule alone.
var singles = sync.OnceValue(func() []selection {
	out := []selection{choose()}
	for _, id := range houseRules() {
		out = append(out, choose(id))
	}
	return out
})

// pairs is the game with every two of its house rules.
var pairs = sync.OnceValue(func() []selection {
	var out []selection
	ids := houseRules()
	for i := range ids {
		for j := range i {
			out = append(out, choose(ids[j], ids[i]))
		}
	}
	return out
})

// togetherAll is as many house rules as go together, taken by their ids.
var togetherAll = sync.OnceValue(func() selection {
	s := choose()
	for _, id := range houseRules() {
		if t := choose(append(append([]string{}, s.with...), id)...); t.prog != nil {
			s = t
		}
	}
	return s
})

func (s selection) game(t testing.TB, seats int) *interpreter.Game {
	t.Helper()
	g, err := interpreter.New(s.prog, seats)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return g
}

// stateOf reads all that rules can read of a game.
func stateOf(m *interpreter.Machine) []int64 {
	p, seats := m.Game().Program(), m.Game().SeatsAndGhosts()
	var out []int64
	each := func(each bool, get func(seat int)) {
		n := 1
		if each {
			n = seats
		}
		for s := range n {
			get(s)
		}
	}
	for _, v := range p.Vars {
		each(v.Each, func(s int) {
			if v.Type.Kind == dsl.KMap {
				out = append(out, m.MapAt(v, s)...)
			} else {
				out = append(out, m.Value(v, s))
			}
		})
	}
	for _, z := range p.Zones {
		each(z.Each, func(s int) {
			if len(z.Family.Faces) == 0 {
				for _, c := range m.CardsIn(z, s) {
					out = append(out, int64(c))
				}
				out = append(out, -1)
				return
			}
			set := m.Set(z, s)
			for i := range 64 {
				if set>>uint(i)&1 != 0 {
					out = append(out, m.Face(z.Family, i))
				}
			}
			out = append(out, int64(set))
		})
	}
	for _, f := range p.Families {
		for _, k := range f.Marks {
			for i := range m.Game().CountOf(f) {
				out = append(out, m.MarkOn(k, i))
			}
		}
	}
	over := int64(0)
	if m.Over() {
		over = 1
	}
	out = append(out, int64(m.Active()), over)
	if over == 1 {
		for _, s := range m.Winners() {
			out = append(out, int64(s))
		}
	}
	return out
}

// sometimes returns the first number, or the second where time is short: with
// -short, or under the race detector.
func sometimes(n, short int) int {
	if testing.Short() || raceEnabled {
		return short
	}
	return n
}

// zoneOf, varOf and phaseOf find what a program calls so, nil if there is none.
func zoneOf(p *dsl.Program, name string) *dsl.Zone {
	return named(p.Zones, name, func(z *dsl.Zone) string { return z.Name })
}

func varOf(p *dsl.Program, name string) *dsl.Var {
	return named(p.Vars, name, func(v *dsl.Var) string { return v.Name })
}

func phaseOf(p *dsl.Program, name string) *dsl.Phase {
	return named(p.Phases, name, func(ph *dsl.Phase) string { return ph.Name })
}

func named[T any](list []*T, name string, of func(*T) string) *T {
	for _, x := range slices.Backward(list) {
		if of(x) == name {
			return x
		}
	}
	return nil
}
