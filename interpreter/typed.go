package interpreter

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// This file reads moves and pieces as people type them.

// A MoveError says that a typed move cannot be read at all.
type MoveError struct{ Message string }

// Error returns the message.
func (e *MoveError) Error() string { return e.Message }

// ParseMove reads a typed move for the decision that stands and returns the
// number of its option. The error is a *Refusal for a move that a rule
// forbids, and a *MoveError for one that cannot be read. A guard that faults
// on a move that is not offered is a *Fault, and does no harm.
func (m *Machine) ParseMove(text string) (option int, err error) {
	defer m.recoverFault(&err)
	option, err = m.parseMove(text)
	if m.cover != nil {
		m.cover.refused(err)
	}
	return option, err
}

func (m *Machine) parseMove(text string) (int, error) {
	a := m.asked()
	if a == nil {
		return 0, &MoveError{"nobody has to decide anything now"}
	}
	k, rest, err := m.whichAction(a, text)
	if err != nil {
		return 0, err
	}
	act := a.actions[k]
	if r := m.barred(act); r != nil {
		return 0, r
	}
	m.counts(a)
	first, n := 0, m.opts.counts[k]
	for _, c := range m.opts.counts[:k] {
		first += c
	}
	if act.open() {
		return m.parseOpen(a, act, rest, first, n)
	}
	if len(act.picks) == 0 {
		if len(rest) > 0 {
			return 0, &MoveError{fmt.Sprintf("`%s` takes nothing more, but `%s` was given", act.Name, strings.Join(rest, " "))}
		}
		return first, nil
	}
	if len(rest) == 0 && n == 1 {
		return first, nil
	}
	want, err := m.readPicks(act, rest)
	if err != nil {
		return 0, err
	}
	if i, found := m.offered(a, act, want, first, n); found {
		return i, nil
	}
	return 0, m.notOffered(act, want)
}

// offered finds the wanted picks among the n options of an action, which begin
// at first.
func (m *Machine) offered(a *ask, act *action, want []int64, first, n int) (int, bool) {
	for i := first; i < first+n; i++ {
		m.load(a, i)
		if m.picked(act, want) {
			return i, true
		}
	}
	return 0, false
}

// picked reports whether the picks in their slots are the wanted ones.
func (m *Machine) picked(a *action, want []int64) bool {
	for i := range a.picks {
		if m.s[a.picks[i].slot] != want[i] {
			return false
		}
	}
	return true
}

// notOffered says why picks that could be read are no option.
func (m *Machine) notOffered(a *action, want []int64) error {
	for i := range a.picks {
		m.put(&a.picks[i], want[i])
	}
	if g := m.failing(a); g != nil {
		return m.guardRefusal(a, g)
	}
	var given []string
	for i := range a.picks {
		given = append(given, m.pickText(&a.picks[i]))
	}
	return &Refusal{Action: a.Action, Now: true, Reason: fmt.Sprintf("`%s` cannot be picked for `%s` now", strings.Join(given, ", "), a.Name)}
}

// whichAction finds the action that the first words name: exactly, or as the
// beginning of one name only.
func (m *Machine) whichAction(a *ask, text string) (k int, rest []string, err error) {
	words := strings.Fields(strings.ReplaceAll(text, ",", " , "))
	if len(words) == 0 {
		return 0, nil, &MoveError{"type what to do: " + m.actionNames(a)}
	}
	var prefix []int
	for i, act := range a.actions {
		parts := strings.Split(act.Name, "_")
		if n := matchWords(words, parts); n > 0 {
			return i, words[n:], nil
		}
		if strings.HasPrefix(act.Name, strings.ToLower(words[0])) {
			prefix = append(prefix, i)
		}
	}
	switch len(prefix) {
	case 1:
		return prefix[0], words[1:], nil
	case 0:
		return 0, nil, &MoveError{fmt.Sprintf("there is no `%s` here; possible: %s", words[0], m.actionNames(a))}
	}
	var names []string
	for _, i := range prefix {
		names = append(names, a.actions[i].Name)
	}
	return 0, nil, &MoveError{fmt.Sprintf("`%s` may mean %s", words[0], strings.Join(names, " or "))}
}

// matchWords reports how many words spell a name, written with underscores,
// hyphens or spaces; 0 if they do not.
func matchWords(words, parts []string) int {
	w := strings.ToLower(strings.ReplaceAll(words[0], "-", "_"))
	if w == strings.Join(parts, "_") {
		return 1
	}
	if len(words) < len(parts) {
		return 0
	}
	for i, p := range parts {
		if strings.ToLower(words[i]) != p {
			return 0
		}
	}
	return len(parts)
}

func (m *Machine) actionNames(a *ask) string {
	m.counts(a)
	var names []string
	for k, act := range a.actions {
		if m.opts.counts[k] > 0 {
			names = append(names, act.Name)
		}
	}
	return strings.Join(names, ", ")
}

// readPicks reads the words after an action's name. Several picks are parted
// by commas; picks of one word each need none.
func (m *Machine) readPicks(a *action, words []string) ([]int64, error) {
	groups := [][]string{{}}
	for _, w := range words {
		if w == "," {
			groups = append(groups, []string{})
			continue
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], w)
	}
	if len(groups) == 1 && len(a.picks) > 1 {
		groups = m.splitWords(a, words)
	}
	if len(a.picks) == 1 {
		groups = [][]string{strings.Fields(strings.ReplaceAll(strings.Join(words, " "), ",", " "))}
	}
	want := make([]int64, len(a.picks))
	for i := range a.picks {
		p := &a.picks[i]
		if i >= len(groups) || len(groups[i]) == 0 {
			v, known := m.unsaid(p, i)
			if known {
				want[i] = v
				m.put(p, v)
				continue
			}
		}
		if i >= len(groups) || len(groups[i]) == 0 {
			what := strings.ReplaceAll(p.Local.Name, "_", " ")
			if len(a.picks) == 1 {
				what = "more"
			}
			return nil, &MoveError{fmt.Sprintf("`%s` needs %s: %s", a.Name, what, m.suggest(a))}
		}
		v, err := m.readPick(a, p, groups[i])
		if err != nil {
			return nil, err
		}
		want[i] = v
		m.put(p, v)
	}
	return want, nil
}

// unsaid returns what a pick takes for which nothing was typed: what the rules
// say then, or, behind others, the only thing that there is.
func (m *Machine) unsaid(p *pick, i int) (v int64, known bool) {
	switch {
	case p.otherwise != nil:
		return p.otherwise(m), true
	case i > 0:
		return m.lone(p)
	}
	return 0, false
}

// splitWords gives each pick its words where no commas part them: one word, or
// one a seat; the last one takes what is left.
func (m *Machine) splitWords(a *action, words []string) (groups [][]string) {
	for i := range a.picks {
		n := 1
		if p := &a.picks[i]; p.Each != nil {
			n = len(seatsOf(p.each(m)))
		}
		if n = min(n, len(words)); i == len(a.picks)-1 {
			n = len(words)
		}
		groups = append(groups, words[:n])
		words = words[n:]
	}
	return groups
}

// suggest names a legal way to take an action, or says that there is none.
func (m *Machine) suggest(a *action) string {
	as := m.asked()
	at := 0
	for k, act := range as.actions {
		if act == a && m.opts.counts[k] > 0 {
			m.load(as, at+m.opts.counts[k]-1)
			return fmt.Sprintf("for example `%s`", m.label(a))
		}
		at += m.opts.counts[k]
	}
	return "nothing fits just now"
}

func (m *Machine) readPick(a *action, p *pick, words []string) (int64, error) {
	if p.Each != nil {
		return m.readEach(a, p, words)
	}
	if p.cards != nil {
		return m.readCards(a, p, words)
	}
	if p.family != nil {
		return m.readPieces(a, p, words)
	}
	if len(words) == 1 && words[0] == "none" && (p.IfAny || p.If != nil) {
		return dsl.None, nil
	}
	if p.Form == dsl.PickRepeat {
		return m.readRepeat(a, p, words)
	}
	if p.Local.Type.Kind == dsl.KSet {
		set := int64(0)
		if len(words) == 1 && words[0] == "none" {
			return 0, nil
		}
		names := m.wholeNames(words)
		if names == nil {
			names = words
		}
		for _, w := range names {
			v, err := m.readWord(a, *p.Local.Type.Elem, w)
			if err != nil {
				return 0, err
			}
			set |= 1 << uint(v)
		}
		return set, nil
	}
	if p.Local.Type.Kind == dsl.KSeat { // a name may be of several words
		words = []string{strings.Join(words, " ")}
	}
	if len(words) != 1 {
		return 0, &MoveError{fmt.Sprintf("`%s` is too much: one word is wanted for %s", strings.Join(words, " "), strings.ReplaceAll(p.Local.Name, "_", " "))}
	}
	return m.readWord(a, p.Local.Type, words[0])
}

// readWord reads one value of a type.
func (m *Machine) readWord(a *action, t dsl.Type, w string) (int64, error) {
	switch t.Kind {
	case dsl.KSeat:
		for i, n := range m.names {
			if strings.EqualFold(n, w) {
				return int64(i), nil
			}
		}
		return 0, &MoveError{fmt.Sprintf("nobody here is called `%s`: %s", w, strings.Join(m.names, ", "))}
	case dsl.KOption:
		if i := t.Enum.Index(optionName(w)); i >= 0 {
			return int64(i), nil
		}
		return 0, &MoveError{fmt.Sprintf("`%s` is none of %s", w, strings.Join(t.Enum.Values, ", "))}
	case dsl.KBool:
		switch strings.ToLower(w) {
		case "yes", "true", "y":
			return 1, nil
		case "no", "false", "n":
			return 0, nil
		}
		return 0, &MoveError{fmt.Sprintf("`%s` is neither yes nor no", w)}
	}
	if t.Family != nil {
		if v, ok := m.g.faceNamed(m.g.families[t.Family], w); ok {
			return v, nil
		}
	}
	v, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		return 0, &MoveError{fmt.Sprintf("`%s` is no number for `%s`", w, a.Name)}
	}
	return v, nil
}

// readPieces reads faces, with attribute words, as pieces of what is picked
// from; `all` is all of them. The result is the option's own pieces: the first
// of those that are alike.
func (m *Machine) readPieces(a *action, p *pick, words []string) (int64, error) {
	from := uint64(0)
	it := p.over(m)
	for v, ok := it.next(); ok; v, ok = it.next() {
		from |= 1 << uint(v)
	}
	m.arena = m.arena[:0]
	if len(words) == 1 && words[0] == "none" {
		if p.Local.Type.IsCollection() {
			return 0, nil
		}
		return dsl.None, nil
	}
	got := uint64(0)
	if len(words) == 1 && strings.EqualFold(words[0], "all") {
		got = from
	} else {
		wanted, err := m.g.PieceWords(p.family.Family, words)
		if err != nil {
			return 0, err
		}
		for _, w := range byWords(wanted) {
			q := m.pieceShowing(p.family, from&^got, w)
			if q < 0 {
				have := "none"
				if from != 0 {
					have = m.inOrder(p.family, from)
				}
				return 0, &MoveError{fmt.Sprintf("there are not so many of `%s` to pick from: %s", m.g.FaceName(p.family.Family, w.Face), have)}
			}
			got |= 1 << uint(q)
		}
	}
	if p.cl != nil {
		got = p.cl.take(m, from, p.cl.counts(m, got, nil))
	}
	if !p.Local.Type.IsCollection() {
		if bits.OnesCount64(got) != 1 {
			return 0, &MoveError{"pick exactly one"}
		}
		return int64(bits.TrailingZeros64(got)), nil
	}
	return int64(got), nil
}

// pieceShowing finds a piece of a set that a word means.
func (m *Machine) pieceShowing(fam *family, set uint64, w dsl.PieceWord) int {
	m.land()
	for u := set; u != 0; u &= u - 1 {
		p := bits.TrailingZeros64(u)
		if (len(fam.sides) == 0 || m.s[fam.faceSlot+p] == w.Face) && m.g.fitsWord(fam, p, w) {
			return p
		}
	}
	return -1
}

func (g *Game) faceNamed(fam *family, w string) (int64, bool) {
	for _, f := range fam.Faces {
		if f.Name != "" && strings.EqualFold(f.Name, w) {
			return f.Number, true
		}
	}
	v, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		return 0, false
	}
	for _, f := range fam.Faces {
		if f.Number == v {
			return v, true
		}
	}
	return 0, false
}

// PieceWords reads pieces as people type them: faces by number or name, after
// attribute words that hold until the next one of their kind. Digits may be
// run together, and 3x5 is three 5s, where faces are single digits.
func (g *Game) PieceWords(f *dsl.Family, words []string) ([]dsl.PieceWord, error) {
	fam := g.families[f]
	if fam.cards != nil {
		return g.cardPieceWords(fam.cards, words)
	}
	var out []dsl.PieceWord
	var attrs []dsl.AttrValue
	for _, w := range words {
		if a, ok := g.attrNamed(fam, w); ok {
			attrs = withAttr(attrs, a)
			continue
		}
		faces, ok := g.facesOf(fam, w)
		if !ok {
			return nil, &MoveError{fmt.Sprintf("`%s` is no face of the %s: %s", w, f.Label(), g.faceList(fam))}
		}
		for _, v := range faces {
			out = append(out, dsl.PieceWord{Face: v, Attrs: append([]dsl.AttrValue(nil), attrs...)})
		}
	}
	if len(out) > MaxPieces {
		return nil, &MoveError{fmt.Sprintf("those are %d pieces; there are %d", len(out), fam.count)}
	}
	return out, nil
}

// facesOf reads one word as faces: `5`, `star`, `1155`, `3x5`.
func (g *Game) facesOf(fam *family, w string) ([]int64, bool) {
	if v, ok := g.faceNamed(fam, w); ok {
		return []int64{v}, true
	}
	if n, face, ok := strings.Cut(strings.ToLower(w), "x"); ok {
		k, err := strconv.Atoi(n)
		v, known := g.faceNamed(fam, face)
		if err != nil || !known || k < 1 || k > MaxPieces {
			return nil, false
		}
		out := make([]int64, k)
		for i := range out {
			out[i] = v
		}
		return out, true
	}
	if len(w) > MaxPieces {
		return nil, false
	}
	var out []int64
	for i := range len(w) {
		v, ok := g.faceNamed(fam, w[i:i+1])
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) > 0
}

func (g *Game) faceList(fam *family) string {
	var out []string
	for _, f := range fam.shown() {
		out = append(out, g.FaceName(fam.Family, f))
	}
	if len(out) > 12 {
		out = append(out[:12], "..")
	}
	return strings.Join(out, " ")
}

// attrNamed reads an attribute word: an option's name, the name of a
// true/false attribute, or `plain` for none of these.
func (g *Game) attrNamed(fam *family, w string) (dsl.AttrValue, bool) {
	w = strings.ToLower(w)
	for _, a := range fam.Attrs {
		switch {
		case a.IsFace:
		case a.Type.Kind == dsl.KOption:
			if i := a.Type.Enum.Index(w); i >= 0 {
				return dsl.AttrValue{Attr: a, Value: int64(i)}, true
			}
		case a.Type.Kind == dsl.KBool && (a.Name == w || w == "plain"):
			return dsl.AttrValue{Attr: a, Value: bit(a.Name == w)}, true
		}
	}
	return dsl.AttrValue{}, false
}

// withAttr returns attribute values with one of them set anew.
func withAttr(attrs []dsl.AttrValue, a dsl.AttrValue) []dsl.AttrValue {
	out := []dsl.AttrValue{a}
	for _, b := range attrs {
		if b.Attr != a.Attr {
			out = append(out, b)
		}
	}
	return out
}

// wholeNames puts words together that are the name of a seat, so that every
// word is used; nil if that cannot be done.
func (m *Machine) wholeNames(words []string) []string {
	// taken[i] is how many words from i on are a name behind which all words
	// can be used too; 0 for none. The end has nothing left to use.
	taken := make([]int, len(words)+1)
	taken[len(words)] = 1
	for i := len(words) - 1; i >= 0; i-- {
		for n := min(len(words)-i, maxNameWords); n > 0 && taken[i] == 0; n-- {
			name := strings.Join(words[i:i+n], " ")
			if taken[i+n] > 0 && slices.ContainsFunc(m.names, func(s string) bool { return strings.EqualFold(s, name) }) {
				taken[i] = n
			}
		}
	}
	var out []string
	for i := 0; i < len(words); i += taken[i] {
		if taken[i] == 0 {
			return nil
		}
		out = append(out, strings.Join(words[i:i+taken[i]], " "))
	}
	return out
}

// maxNameWords is how many words a name is looked for in.
const maxNameWords = 8
