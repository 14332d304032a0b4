package dsl

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/dsl/yamltree"
)

// exampleThing has the keys of an example.
var exampleThing = lexicon.Thing{Name: "an example", Path: "examples.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "about", Value: "words", About: "what it shows"},
	{Name: "players", Value: "list of names", Default: "`[Ann, Bob]`", About: "who plays"},
	{Name: "with", Value: "list of ids", About: "more house rules that are in force"},
	{Name: "set", Value: "map by param", About: "values of params"},
	{Name: "at", Value: "phase", Default: "where a turn begins", About: "the phase in which it begins"},
	{Name: "given", Value: "map", About: "what is laid down before: state, `active`, and the pieces of zones"},
	{Name: "play", Value: "lines", About: "moves with their luck, and what must hold between them"},
	{Name: "opening", Value: "lines", About: "the same, played in the opening in place of the game"},
	{Name: "records", Value: "map", About: "what stands on the shelves before"},
	{Name: "then", Value: "formula, or a list", About: "what must hold at the end"},
	{Name: "can", Value: "list of actions", About: "the actions that are open at the end, exactly these, or moves that must be"},
	{Name: "refused", Value: "map by move", About: "moves that are refused at the end, each with what refuses it"},
	{Name: "sees", Value: "map by seat", About: "what a seat sees at the end, zone by zone"},
	{Name: "throw", Value: "number, or `N of ZONE`", About: "exact odds: how many pieces are thrown"},
	{Name: "chance", Value: "formula", About: "exact odds: what is looked at after the throw"},
	{Name: "is", Value: "`N of N`", About: "exact odds: in how many of how many throws it holds"},
}, []lexicon.Key{lexicon.From})}

// examples reads the examples of all files. They are kept as written; each is
// played in a world of its own.
func (c *checker) examples(parts []merge.Part) {
	for _, part := range parts {
		done := c.in(sectionPath(part.Owner, "examples"))
		for _, p := range c.entries(sectionPair("examples", part.Node)) {
			if c.checkName(p.Key) {
				c.example(p, part.Owner)
			}
		}
		done()
	}
}

func (c *checker) example(p *yamltree.Pair, owner string) {
	defer c.under(p.Key.Text)()
	f := c.fields(p, &exampleThing)
	ex := &Example{Name: p.Key.Text, Owner: owner, Span: p.Key.Span, Set: map[string]string{}, SetText: map[string]syntax.Text{}}
	c.p.Examples = append(c.p.Examples, ex)
	if n, ok := f.word("about"); ok {
		ex.About = strings.TrimSpace(n.Text)
	}
	for _, n := range f.words("from") {
		ex.From = append(ex.From, n.Text)
		c.citations = append(c.citations, citation{n.Text, n.Span})
	}
	c.examplePlayers(f, ex)
	for _, n := range f.words("with") {
		ex.With = append(ex.With, n.Text)
	}
	for _, pair := range c.entries(f.pair("set")) {
		if pair.Value.Kind == yamltree.List {
			text := valueText(pair.Value)
			ex.Set[pair.Key.Text], ex.SetText[pair.Key.Text] = text, syntax.TextOf(text, func(int, int) source.Span { return pair.Value.Span })
		} else if c.scalarOf(pair, "the value of a param") {
			ex.Set[pair.Key.Text], ex.SetText[pair.Key.Text] = trim(pair.Value), textOf(pair.Value)
		}
	}
	ex.At, ex.Play = f.textAt("at"), f.textAt("play")
	ex.Opening = f.textAt("opening")
	for _, pair := range c.entries(f.pair("records")) {
		c.exampleRecord(ex, pair)
	}
	ex.Throw, ex.Chance, ex.Is = f.textAt("throw"), f.textAt("chance"), f.textAt("is")
	for _, pair := range c.entries(f.pair("given")) {
		if c.scalarOf(pair, "what is given") {
			ex.Given = append(ex.Given, GivenLine{textOf(pair.Key), textOf(pair.Value)})
		}
	}
	for _, n := range f.words("then") {
		ex.Then = append(ex.Then, textOf(n))
	}
	for _, n := range f.words("can") {
		ex.Can = append(ex.Can, textOf(n))
	}
	for _, pair := range c.entries(f.pair("refused")) {
		if c.scalarOf(pair, "what refuses a move") {
			ex.Refused = append(ex.Refused, RefusedLine{textOf(pair.Key), textOf(pair.Value)})
		}
	}
	for _, pair := range c.entries(f.pair("sees")) {
		c.exampleSees(ex, pair)
	}
	c.exampleShape(f, ex)
}

// exampleSees reads what one seat sees, place by place.
func (c *checker) exampleSees(ex *Example, p *yamltree.Pair) {
	defer c.in(join(join(c.path, "sees"), p.Key.Text))()
	players := ex.Players
	if players == nil {
		players = []string{"Ann", "Bob"} // as where an example says nothing
	}
	if !slices.Contains(players, p.Key.Text) {
		d := c.errorf("E0213", p.Key.Span, "nobody in this example is called `%s`", p.Key.Text)
		c.didYouMean(d, p.Key.Text, players, nil)
		if len(d.Help) == 0 {
			d.WithHelp("its players are %s", listWords(players))
		}
	}
	for _, place := range c.entries(p) {
		if c.scalarOf(place, "what a seat sees") {
			ex.Sees = append(ex.Sees, SeesLine{Seat: p.Key.Text, Place: textOf(place.Key), Value: textOf(place.Value),
				Quoted: place.Value.Style == yamltree.Single || place.Value.Style == yamltree.Double, Span: p.Key.Span})
		}
	}
}

// exampleShape reports an example that shows nothing, or odds in parts.
func (c *checker) exampleShape(f fields, ex *Example) {
	odds := 0
	for _, key := range []string{"throw", "chance", "is"} {
		if f.has(key) {
			odds++
		}
	}
	for _, key := range []string{"play", "at", "throw"} {
		if f.has(key) && f.has("opening") {
			c.errorf("E0103", f.pair(key).Key.Span, "an example plays either the opening or the game, so it has no `%s`", key)
		}
	}
	switch {
	case odds > 0 && odds < 3:
		c.errorf("E0114", ex.Span, "exact odds need `throw`, `chance` and `is`")
	case f.wrong || f.pair("play") != nil || f.pair("opening") != nil || f.pair("then") != nil || f.pair("can") != nil || f.pair("refused") != nil || f.pair("sees") != nil || len(f.meant) > 0:
	case odds == 0:
		c.errorf("E0114", ex.Span, "the example `%s` shows nothing", ex.Name).
			WithHelp("give it `play` lines, `then`, `can`, `refused` or `sees`")
	}
}

// exampleRecord reads what stands on the shelves of one record.
func (c *checker) exampleRecord(ex *Example, p *yamltree.Pair) {
	add := func(shelf string, n *yamltree.Node) {
		if v, ok := yamltree.ReadInt(n, c.ds); ok {
			ex.Records = append(ex.Records, RecordLine{p.Key.Text, shelf, v, p.Key.Span})
		}
	}
	if p.Value.Kind == yamltree.Scalar {
		add("", p.Value)
		return
	}
	for _, shelf := range c.entries(p) {
		if c.scalarOf(shelf, "a record") {
			add(shelf.Key.Text, shelf.Value)
		}
	}
}

func (c *checker) examplePlayers(f fields, ex *Example) {
	seen := map[string]bool{}
	for _, n := range f.words("players") {
		name := trim(n)
		if !isSeatName(name) {
			c.errorf("E0119", n.Span, "`%s` cannot be the name of a player in an example", name).
				WithHelp("a name is a letter and then letters and digits, such as `Ann`")
			continue
		}
		if seen[name] {
			c.errorf("E0223", n.Span, "two players are called `%s`", name)
			continue
		}
		if sym := c.names.find(name, ex.Owner, nil); sym != nil {
			c.errorf("E0223", n.Span, "the name `%s` is taken", name).WithRelated(sym.span, "it is declared here")
			continue
		}
		seen[name] = true
		ex.Players = append(ex.Players, name)
	}
}

func isSeatName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func (c *checker) scalarOf(p *yamltree.Pair, what string) bool {
	if p.Value.Kind != yamltree.Scalar {
		c.wrongKind(p.Value, what, "one value")
		return false
	}
	if p.Value.Empty {
		c.errorf("E0114", p.Key.Span, "`%s` has no value", p.Key.Text)
		return false
	}
	return true
}

// textAt reads a plain value as a text to parse later; nil if it is absent.
func (f fields) textAt(key string) *syntax.Text {
	n, ok := f.word(key)
	if !ok {
		return nil
	}
	t := textOf(n)
	return &t
}
