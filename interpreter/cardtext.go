package interpreter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file writes and reads pieces without faces as people do.

// word writes one piece: its short form or, where there are no kinds, the words
// of its attributes, or else its number.
func (c *cards) word(g *Game, piece int) string {
	if c.lots != nil {
		return c.lots[piece].Short
	}
	var out []string
	for _, a := range g.shownAttrs[c.fam.Family] {
		out = append(out, g.attrWord(a, g.attrValues[a][piece]))
	}
	if len(out) == 0 {
		return strconv.Itoa(piece + 1)
	}
	return strings.Join(out, "_")
}

// cardWords writes pieces in order.
func (m *Machine) cardWords(c *cards, pieces []int64) string {
	if len(pieces) == 0 {
		return "none"
	}
	out := make([]string, len(pieces))
	for i, p := range pieces {
		out[i] = c.word(m.g, int(p))
	}
	return strings.Join(out, " ")
}

// cardSet writes the pieces of a set, in the order of the family.
func (m *Machine) cardSet(c *cards, s set128) string {
	var out []int64
	s.each(func(p int) { out = append(out, int64(p)) })
	return m.cardWords(c, out)
}

// named returns all pieces that a word can mean.
func (c *cards) named(g *Game, word string) (s set128) {
	for p := range c.fam.count {
		if strings.EqualFold(c.word(g, p), word) {
			s = s.or(single(p))
		}
	}
	return s
}

// manyOf reads `3xES` as a number and a word.
func manyOf(w string) (n int, word string) {
	if k, rest, ok := strings.Cut(w, "x"); ok {
		if v, err := strconv.Atoi(k); err == nil && v > 0 && v <= MaxCards {
			return v, rest
		}
	}
	return 1, w
}

// readCards reads what is picked of pieces without faces. The result is a
// piece, or the number of a set.
func (m *Machine) readCards(a *action, p *pick, words []string) (int64, error) {
	if p.blind && p.room == 0 {
		return m.readPlace(a, p, words)
	}
	from := p.set(m)
	if len(words) == 1 && strings.EqualFold(words[0], "none") {
		if p.room > 0 {
			return m.number(set128{}), nil
		}
		return dsl.None, nil
	}
	var got set128
	if len(words) == 1 && strings.EqualFold(words[0], "all") {
		got = from
	} else {
		for _, w := range words {
			n, word := manyOf(w)
			may := p.cards.named(m.g, word)
			if may.empty() {
				n, may = 1, p.cards.named(m.g, w)
			}
			if may.empty() {
				return 0, &MoveError{fmt.Sprintf("`%s` is none of the %s: you can pick of %s", w, p.cards.fam.Label(), m.cardSet(p.cards, p.cards.apart(from)))}
			}
			for range n {
				left := may.and(from).andNot(got)
				if left.empty() {
					return 0, &Refusal{Action: a.Action, Now: true, Reason: fmt.Sprintf("there are not so many of `%s` to pick of: %s", word, m.cardSet(p.cards, from))}
				}
				got = got.or(single(left.lowest()))
			}
		}
	}
	if p.room > 0 {
		return m.number(got), nil
	}
	if got.len() != 1 {
		return 0, &MoveError{"pick exactly one"}
	}
	return int64(p.cards.apart(p.cards.alike(got.lowest()).and(from)).lowest()), nil
}

// cardPieceWords reads pieces by their short forms.
func (g *Game) cardPieceWords(c *cards, words []string) ([]dsl.PieceWord, error) {
	var out []dsl.PieceWord
	for _, w := range words {
		n, word := manyOf(w)
		may := c.named(g, word)
		if may.empty() {
			n, may = 1, c.named(g, w)
		}
		if may.empty() {
			return nil, &MoveError{fmt.Sprintf("`%s` is none of the %s", w, c.fam.Label())}
		}
		for range n {
			if c.lots == nil {
				return nil, &MoveError{fmt.Sprintf("the %s cannot be told apart by words", c.fam.Label())}
			}
			out = append(out, dsl.PieceWord{Lot: c.lots[may.lowest()]})
		}
	}
	return out, nil
}

// readEach reads a value for each seat, in the order of the seats: one word for
// each, or pairs of a name and a value.
func (m *Machine) readEach(a *action, p *pick, words []string) (int64, error) {
	seats := seatsOf(p.each(m))
	values := make([]int64, m.g.seats)
	if len(words) != len(seats) {
		var names []string
		for _, s := range seats {
			names = append(names, m.Name(s))
		}
		return 0, &MoveError{fmt.Sprintf("`%s` wants %d values, for %s, and %d were given", a.Name, len(seats), strings.Join(names, ", "), len(words))}
	}
	may := map[int64]bool{}
	it := p.over(m)
	for v, ok := it.next(); ok; v, ok = it.next() {
		may[v] = true
	}
	m.arena = m.arena[:0]
	for i, w := range words {
		v, err := m.readWord(a, *p.Local.Type.Elem, w)
		if err != nil {
			return 0, err
		}
		if !may[v] {
			return 0, &Refusal{Action: a.Action, Now: true, Reason: fmt.Sprintf("`%s` cannot be picked for %s", w, m.Name(seats[i]))}
		}
		values[seats[i]] = v
	}
	return m.mapNumber(values), nil
}

// mapNumber returns the number that stands for the values of a map in a pick
// of the decision that stands.
func (m *Machine) mapNumber(values []int64) int64 {
	for i, vs := range m.opts.maps {
		if slices.Equal(vs, values) {
			return int64(i)
		}
	}
	m.opts.maps = append(m.opts.maps, values)
	return int64(len(m.opts.maps) - 1)
}

func (m *Machine) putMap(p *pick, v int64) {
	values := m.opts.maps[v]
	m.s[p.listAt] = int64(len(values))
	copy(m.s[p.listAt+1:], values)
}

// placeholder offers the first value for every seat: what is listed where
// people are to type a value for each.
func (m *Machine) placeholder(p *pick, found func(int64)) {
	it := p.over(m)
	v, ok := it.next()
	m.arena = m.arena[:0]
	if !ok {
		return
	}
	values := make([]int64, m.g.seats)
	for i := range values {
		values[i] = v
	}
	found(m.mapNumber(values))
}

// PieceColours says in which colour, a word of dsl.Colours, a word for a piece
// without faces is shown on a screen that has colours. What is not in it has none.
func (g *Game) PieceColours() map[string]string {
	out := map[string]string{}
	for _, f := range g.prog.Families {
		c := g.families[f].cards
		if c == nil {
			continue
		}
		for _, a := range f.Attrs {
			if a.Colours == nil {
				continue
			}
			for p, v := range g.attrValues[a][:c.fam.count] {
				if v != dsl.None && int(v) < len(a.Colours) && a.Colours[v] != "" {
					out[c.word(g, p)] = a.Colours[v]
				}
			}
		}
	}
	return out
}
