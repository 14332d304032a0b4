package interpreter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// A Session is the state that lives from game to game, by the name of the
// variable: what a game declares under `session`, or in a scope or for each
// player inside it. What house rules declare is not in it, for the next game
// may be played without them. It is text, so that it can stand in a journal and
// means the same under other house rules: numbers, true and false, options by
// name, seats by their number from 0, `none`; sets as the numbers of what is in
// them, with commas; state of each seat as one such word a seat, maps as one a
// key.
type Session map[string]string

// gameCount is the entry that counts the games of a session.
const gameCount = "game.number"

// sessionVars lists the variables of a session.
func (g *Game) sessionVars() []*dsl.Var {
	var out []*dsl.Var
	for _, v := range g.prog.Vars {
		if v.Owner == "" && outlives(v.Scope) {
			out = append(out, v)
		}
	}
	return out
}

// outlives reports whether a scope goes on when a game ends.
func outlives(s *dsl.Scope) bool {
	for ; s != nil; s = s.In {
		if s.Name == "game" && s.Owner == "" {
			return false
		}
	}
	return true
}

// Session returns what the next game, or its opening, is to begin with.
func (m *Machine) Session() Session {
	out := Session{}
	games := m.s[m.g.gameNumber()]
	if m.g.isOpening() {
		games-- // it comes before the game that it counts as
	}
	out[gameCount] = strconv.FormatInt(games, 10)
	for _, v := range m.g.sessionVars() {
		n := 1
		if v.Each {
			n = m.g.people
		}
		var words []string
		for i := range n {
			if v.Type.Kind == dsl.KMap {
				for _, x := range m.list(m.Value(v, i))[:m.g.sessionKeys(v)] {
					words = append(words, m.g.plain(*v.Type.Elem, x))
				}
				continue
			}
			words = append(words, m.g.plain(v.Type, m.Value(v, i)))
		}
		out[sessionName(v)] = strings.Join(words, " ")
	}
	return out
}

// sessionName is how a session calls a variable.
func sessionName(v *dsl.Var) string {
	name := strings.TrimPrefix(v.Path, "state.")
	return strings.ReplaceAll(strings.TrimPrefix(name, "session."), " ", "_")
}

// resume puts the state of a session in place. What does not fit, or is not
// there, starts as in a first game.
func (m *Machine) resume(s Session) {
	if s == nil {
		return
	}
	if n, err := strconv.ParseInt(s[gameCount], 10, 64); err == nil && n >= 0 && n < 1<<40 {
		m.s[m.g.gameNumber()] = n + 1
	}
	for _, v := range m.g.sessionVars() {
		words := strings.Fields(s[sessionName(v)])
		n := 1
		if v.Each {
			n = m.g.people
		}
		keys, t := m.g.sessionKeys(v), v.Type
		if t.Kind == dsl.KMap {
			t = *t.Elem
		}
		if len(words) != n*keys {
			continue
		}
		for i, w := range words {
			if x, ok := m.g.unplain(t, w); ok {
				at := m.valueSlot(v, i/keys) + i%keys
				if v.Type.Kind == dsl.KMap {
					at++ // behind the length
				}
				m.s[at] = x
			}
		}
	}
}

// sessionKeys is how many values a session has of a variable, for each seat if
// it is of seats: one, or one for each key of a map. Ghosts have none.
func (g *Game) sessionKeys(v *dsl.Var) int {
	switch {
	case v.Type.Kind != dsl.KMap:
		return 1
	case v.Type.Key.Kind == dsl.KSeat:
		return g.people
	}
	return g.keys(v.Type)
}

func (g *Game) gameNumber() int {
	for _, s := range g.prog.Scopes {
		if s.Name == "game" && s.Owner == "" {
			return g.numberSlot[s]
		}
	}
	panic("interpreter: a program without the scope game")
}

// isOpening reports whether the program is an opening.
func (g *Game) isOpening() bool {
	return slices.ContainsFunc(g.code, func(in instr) bool { return in.op == opStartGame })
}

// plain writes a value as files and commands have it.
func (g *Game) plain(t dsl.Type, v int64) string {
	switch {
	case t.Maybe && v == dsl.None:
		return "none"
	case t.Kind == dsl.KBool:
		return strconv.FormatBool(v != 0)
	case t.Kind == dsl.KOption && v >= 0 && int(v) < len(t.Enum.Values):
		return t.Enum.Values[v]
	case t.Kind == dsl.KSet:
		it := iter{set: uint64(v)}
		var words []string
		for e, ok := it.next(); ok; e, ok = it.next() {
			words = append(words, strconv.FormatInt(e, 10))
		}
		return "{" + strings.Join(words, ",") + "}"
	}
	return strconv.FormatInt(v, 10)
}

// unplain reads what plain wrote. It reports false for a value that the type,
// or this table, does not have.
func (g *Game) unplain(t dsl.Type, w string) (int64, bool) {
	if w == "none" {
		return dsl.None, t.Maybe
	}
	switch t.Kind {
	case dsl.KBool:
		return bit(w == "true"), w == "true" || w == "false"
	case dsl.KOption:
		i := t.Enum.Index(w)
		return int64(i), i >= 0
	case dsl.KSet:
		set, inner := int64(0), strings.TrimSuffix(strings.TrimPrefix(w, "{"), "}")
		for _, e := range strings.FieldsFunc(inner, func(r rune) bool { return r == ',' }) {
			v, ok := g.unplain(*t.Elem, e)
			if !ok || v < 0 || v > 63 {
				return 0, false
			}
			set |= 1 << uint(v)
		}
		return set, strings.HasPrefix(w, "{")
	}
	v, err := strconv.ParseInt(w, 10, 64)
	switch {
	case err != nil || v == dsl.None:
		return 0, false
	case t.Kind == dsl.KSeat:
		return v, v >= 0 && v < int64(g.people)
	case t.Kind == dsl.KPiece:
		return v, v >= 0 && v < int64(g.families[t.Family].count)
	}
	return v, true
}
