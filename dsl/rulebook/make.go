package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
)

// Make writes the rulebook of a game with the house rules in force. Quick makes
// a card for the table of it: what can be done, what it is worth, and the end.
func Make(p *dsl.Program, quick bool) *Document {
	m := &maker{p: p, doc: &Document{Title: p.Title}, notes: map[string]*Note{}, icons: map[string]string{}}
	if m.doc.Title == "" {
		m.doc.Title = p.Game
	}
	m.book()
	for _, v := range p.Variants {
		title := v.Title
		if title == "" {
			title = v.ID
		}
		m.icons[v.ID] = strings.TrimSpace(v.Icon + " " + title)
	}
	if quick {
		m.card()
		return m.doc
	}
	m.head()
	m.options()
	m.things()
	if o := p.Opening; o != nil {
		m.heading(2, "Before the game")
		if len(o.Families) > 0 {
			m.pieces(o)
		}
		m.play(o, 3)
	}
	m.heading(2, "How to play")
	m.order()
	m.play(p, 3)
	m.scoring()
	m.end()
	m.terms()
	m.diagram()
	m.examples()
	m.people()
	m.footnotes()
	return m.doc
}

// maker makes a document.
type maker struct {
	p     *dsl.Program
	doc   *Document
	notes map[string]*Note
	ids   []string // ids of the notes, in the order of the book
	cited map[string]bool
	icons map[string]string // house rules in force, by id
}

func (m *maker) book() {
	m.cited = map[string]bool{}
	add := func(list []*dsl.BookEntry) {
		for _, e := range list {
			if m.notes[e.ID] == nil {
				m.notes[e.ID] = &Note{ID: e.ID, Text: e.Text, People: e.People}
				m.ids = append(m.ids, e.ID)
			}
		}
	}
	for _, p := range []*dsl.Program{m.p, m.p.Opening} {
		if p != nil {
			add(p.Book)
			add(p.Answers)
		}
	}
}

func (m *maker) add(b Block) { m.doc.Blocks = append(m.doc.Blocks, b) }

func (m *maker) heading(level int, text string) { m.add(&Heading{level, words(text)}) }

func (m *maker) para(t Text) {
	if len(t) > 0 {
		m.add(&Paragraph{t})
	}
}

func (m *maker) list(items []Item) {
	if len(items) > 0 {
		m.add(&List{items})
	}
}

// cite refers to printed rules that there are.
func (m *maker) cite(ids []string) Text {
	var out Text
	for _, id := range ids {
		if n := m.notes[id]; n != nil {
			m.cited[id] = true
			out = append(out, Span{Style: Cite, Text: id, Note: n})
		}
	}
	return out
}

// owner says which house rule something is of, "" for the game's own.
func (m *maker) owner(id string) Text {
	if id == "" || m.icons[id] == "" {
		return nil
	}
	return words(" (house rule: " + m.icons[id] + ")")
}

// of is a name, set off, with its sentence, where it is from and by whom.
func (m *maker) of(i *dsl.Info) Text {
	out := strong(capital(i.Label()))
	if i.Rule != nil {
		out = join(out, words(": "), sentence(i.Rule))
	}
	return join(out, m.owner(i.Owner), m.cite(i.From))
}

// rule is the sentence of something, where it is from and by whom.
func (m *maker) rule(i *dsl.Info) Text {
	return join(sentence(i.Rule), m.owner(i.Owner), m.cite(i.From))
}

// changed says which house rule a formula is from, where what it belongs to is
// not from there.
func (m *maker) changed(e *dsl.Expr, owner string) Text {
	if e == nil || e.Span.File == nil {
		return nil
	}
	for _, v := range m.p.Variants {
		if v.File == e.Span.File && v.ID != owner {
			return m.owner(v.ID)
		}
	}
	return nil
}

// players says how many can play.
func (m *maker) players() Text {
	if m.p.MinPlayers == m.p.MaxPlayers {
		return words(fmt.Sprintf("Players: %d", m.p.MinPlayers))
	}
	return words(fmt.Sprintf("Players: %d to %d", m.p.MinPlayers, m.p.MaxPlayers))
}

func (m *maker) head() {
	if m.p.About != "" {
		m.para(words(m.p.About))
	}
	m.para(m.players())
	if items := m.ghosts(); len(items) > 0 {
		m.heading(2, "Seats that are nobody's")
		m.list(items)
	}
	m.heading(2, "House rules in force")
	if len(m.p.Variants) == 0 {
		m.para(words("None: the game is played as printed."))
	}
	var items []Item
	for _, v := range m.p.Variants {
		t := strong(m.icons[v.ID])
		if v.About != "" {
			t = join(t, words(": "+v.About))
		}
		items = append(items, Item{Text: t})
	}
	m.list(items)
}

func (m *maker) ghosts() []Item {
	var items []Item
	for _, g := range m.p.Ghosts {
		if isNever(g.When) {
			continue
		}
		items = append(items, Item{Text: join(m.of(&g.Info), when(g.When))})
	}
	return items
}

// when is a condition behind something, nothing for what always holds.
func when(e *dsl.Expr) Text {
	if isAlways(e) {
		return nil
	}
	return join(words(" Only if "), condition(e), words("."))
}

// condition is a formula that is true or false.
func condition(e *dsl.Expr) Text {
	if e.Op == dsl.OpNot && e.Span == e.Args[0].Span {
		return join(words("not "), written(e.Args[0]))
	}
	if e.Op == dsl.OpOr && strings.HasPrefix(strings.TrimSpace(e.Span.Text()), "[") { // a list of which one must hold
		return join(condition(e.Args[0]), words(" or "), condition(e.Args[1]))
	}
	return written(e)
}

// differs reports whether an option has another value than its default.
func differs(x *dsl.Param) bool {
	return x.Set != nil && valueText(x.Set, x) != valueText(x.Default, x)
}

func valueText(e *dsl.Expr, x *dsl.Param) string {
	if c, ok := constantOf(e); ok {
		c.t = x.Type
		return c.String()
	}
	return strings.TrimSpace(e.Span.Text())
}

func valueOf(e *dsl.Expr, x *dsl.Param) Text {
	if _, ok := constantOf(e); ok {
		return words(valueText(e, x))
	}
	return written(e)
}

// option is an option with its value, and its default if that is another.
func (m *maker) option(x *dsl.Param) Text {
	if !differs(x) {
		return valueOf(x.Value(), x)
	}
	out := join(strong(valueText(x.Set, x)), words(" (changed; default "), valueOf(x.Default, x), words(")"))
	return join(out, m.owner(x.SetBy))
}

// meaning is what an option is for, and what its value says.
func (m *maker) meaning(x *dsl.Param) Text {
	out := sentence(x.Rule)
	if c, ok := constantOf(x.Value()); ok && x.Type.Kind == dsl.KOption {
		if i := int(c.n); i >= 0 && i < len(x.Options) && x.Options[i].Rule != "" {
			if len(out) > 0 {
				out = join(out, words(" "))
			}
			out = join(out, words(x.Options[i].Rule))
		}
	}
	return join(out, m.owner(x.Owner), m.cite(x.From))
}

func (m *maker) options() {
	if len(m.p.Params) == 0 {
		return
	}
	m.heading(2, "Options")
	t := &Table{Head: []string{"Option", "Value", "What it says"}}
	for _, x := range m.p.Params {
		t.Rows = append(t.Rows, []Text{words(capital(x.Label())), m.option(x), m.meaning(x)})
	}
	m.add(t)
	var items []Item
	for _, g := range m.p.Require {
		if !isAlways(g.That) {
			items = append(items, Item{Text: m.guard(g)})
		}
	}
	if len(items) > 0 {
		m.para(words("These must go together:"))
		m.list(items)
	}
}

func (m *maker) things() {
	if len(m.p.Families)+len(m.p.Zones) == 0 {
		return
	}
	m.heading(2, "What there is")
	m.pieces(m.p)
	if len(m.p.Zones) == 0 {
		return
	}
	m.heading(3, "Places")
	t := &Table{Head: []string{"Place", "Holds", "Seen by", "What it is"}}
	for _, z := range m.p.Zones {
		each := ""
		if z.Each {
			each = ", one for each seat"
		}
		t.Rows = append(t.Rows, []Text{words(capital(z.Label()) + each), words(z.Family.Label()), words(seen(z.Seen)), m.rule(&z.Info)})
	}
	m.add(t)
}

func seen(s dsl.Seen) string {
	switch s {
	case dsl.SeenOwner:
		return "its owner"
	case dsl.SeenOthers:
		return "all but its owner"
	case dsl.SeenNobody:
		return "nobody"
	}
	return "everybody"
}

// pieces tells of the families of a program.
func (m *maker) pieces(p *dsl.Program) {
	for _, f := range p.Families {
		m.heading(3, capital(f.Label()))
		var t Text
		if n, ok := countOf(f); ok {
			t = words(fmt.Sprintf("%d in all.", n))
		} else if f.Count != nil {
			t = join(written(f.Count), words(" in all."))
		}
		if len(f.Faces) > 0 {
			t = join(t, words(" Sides: "+sides(f)+"."))
		}
		if f.Rule != nil {
			t = join(t, words(" "))
		}
		m.para(join(t, m.rule(&f.Info)))
		var notes []Item
		for _, a := range f.Attrs {
			if a.Rule != nil {
				notes = append(notes, Item{Text: m.of(&a.Info)})
			}
		}
		if f.Kinds != nil {
			m.kinds(f)
		} else {
			m.attributes(f)
		}
		m.list(notes)
	}
}

// sides lists the faces; those that are there twice are listed twice.
func sides(f *dsl.Family) string {
	var list []int64
	var texts []string
	for _, face := range f.Faces {
		list, texts = append(list, face.Number), append(texts, face.String())
	}
	if slices.ContainsFunc(f.Faces, func(x dsl.Face) bool { return x.Name != "" }) {
		return strings.Join(texts, ", ")
	}
	return runs(list, texts)
}

// attributes tells which counted pieces there are.
func (m *maker) attributes(f *dsl.Family) {
	var attrs []*dsl.Attr
	t := &Table{Head: []string{"How many"}}
	for _, a := range f.Attrs {
		if a.Values != nil {
			attrs = append(attrs, a)
			t.Head = append(t.Head, capital(a.Label()))
		}
	}
	if len(attrs) == 0 {
		return
	}
	var keys []string
	count := map[string]int{}
	rows := map[string][]Text{}
	for i := range attrs[0].Values {
		var row []Text
		key := ""
		for _, a := range attrs {
			v := plainValue(a.Type, a.Values[i])
			key += v + "\x00"
			row = append(row, words(v))
		}
		if count[key]++; count[key] == 1 {
			keys = append(keys, key)
			rows[key] = row
		}
	}
	for _, key := range keys {
		t.Rows = append(t.Rows, append([]Text{words(fmt.Sprint(count[key]))}, rows[key]...))
	}
	m.add(t)
}

// kinds tells which sorts of pieces there are.
func (m *maker) kinds(f *dsl.Family) {
	var attrs []*dsl.Attr
	t := &Table{Head: []string{"Kind", "How many"}}
	for _, a := range f.Attrs {
		if !a.IsKind && slices.ContainsFunc(f.Kinds, func(k *dsl.PieceKind) bool { return kindValues(k, a) != "" }) {
			attrs = append(attrs, a)
			t.Head = append(t.Head, capital(a.Label()))
		}
	}
	t.Head = append(t.Head, "What it is")
	for _, k := range f.Kinds {
		n, ok := lotsOf(k)
		if ok && n == 0 {
			continue
		}
		row := []Text{words(capital(k.Label())), words(fmt.Sprint(n))}
		if !ok {
			row[1] = words("it depends")
			if len(k.Lots) == 1 {
				row[1] = written(k.Lots[0].Count)
			}
		}
		for _, a := range attrs {
			row = append(row, words(kindValues(k, a)))
		}
		t.Rows = append(t.Rows, append(row, m.rule(&k.Info)))
	}
	m.add(t)
}

// kindValues lists the values of an attribute that the lots of a kind have.
func kindValues(k *dsl.PieceKind, a *dsl.Attr) string {
	var list []int64
	var texts []string
	for _, l := range k.Lots {
		e := l.Values[a]
		if e == nil {
			continue
		}
		text := strings.TrimSpace(e.Span.Text())
		c, ok := constantOf(e)
		if ok {
			text = c.String()
		}
		if !slices.Contains(texts, text) {
			list, texts = append(list, c.n), append(texts, text)
		}
	}
	if a.Type.Kind == dsl.KInt {
		return runs(list, texts)
	}
	return strings.Join(texts, ", ")
}

func (m *maker) order() {
	t := m.p.Turns
	switch c, ok := constantOf(t.Right); {
	case t.Right == nil || ok && c.n == 0:
		m.para(words("Turns pass to the left."))
	case ok:
		m.para(words("Turns pass to the right."))
	default:
		m.para(join(words("Turns pass to the right if "), written(t.Right), words(", else to the left.")))
	}
	if t.Skip != nil && !isNever(t.Skip) {
		m.para(join(words("A player is passed over if "), condition(t.Skip), words(".")))
	}
	if b := t.Begin; b != nil && m.p.Phases[0] != b {
		m.para(join(words("The game begins with "), strong(capital(m.p.Phases[0].Label())), words(", each turn with "), strong(capital(b.Label())), words(".")))
	}
}

// terms explains the words that the rules use.
func (m *maker) terms() {
	var items []Item
	for _, d := range m.p.Defines {
		change := m.changed(d.Body, d.Owner)
		if d.Rule == nil && change == nil {
			continue
		}
		t := m.of(&d.Info)
		name := t[0].Text
		t[0].Text = capital(strings.ReplaceAll(name[strings.LastIndexByte(name, '.')+1:], "_", " "))
		if change != nil {
			t = join(t, words(" It is "), written(d.Body), change, words("."))
		}
		items = append(items, Item{Text: t})
	}
	if len(items) > 0 {
		m.heading(2, "Words used")
		m.list(items)
	}
}

// people lists the printed rules that only people can keep.
func (m *maker) people() {
	var items []Item
	for _, id := range m.ids {
		if n := m.notes[id]; n.People && !m.cited[id] {
			items = append(items, Item{Text: join(strong(n.ID), words(" "+n.Text))})
		}
	}
	if len(items) > 0 {
		m.heading(2, "Left to people")
		m.list(items)
	}
}

// footnotes keeps the printed rules that the text refers to.
func (m *maker) footnotes() {
	for _, id := range m.ids {
		if m.cited[id] {
			m.doc.Notes = append(m.doc.Notes, m.notes[id])
		}
	}
}
