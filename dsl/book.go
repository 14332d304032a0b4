package dsl

import (
	"strings"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// book reads the printed rules and the answers of all files.
func (c *checker) book(m *merge.Merged) {
	for _, part := range m.Book {
		c.in(sectionPath(part.Owner, "book"))
		for _, p := range c.entries(sectionPair("book", part.Node)) {
			c.bookEntry(p, part.Owner, &c.p.Book)
		}
	}
	for _, part := range m.Answers {
		c.in(sectionPath(part.Owner, "answers"))
		for _, p := range c.entries(sectionPair("answers", part.Node)) {
			c.bookEntry(p, part.Owner, &c.p.Answers)
		}
	}
	c.path = ""
}

func sectionPair(key string, n *yamltree.Node) *yamltree.Pair {
	return &yamltree.Pair{Key: &yamltree.Node{Text: key, Span: n.Span}, Value: n}
}

// answerThing has the keys of an answer.
var answerThing = lexicon.Thing{Name: "an answer", Path: "answers.ID", Keys: []lexicon.Key{
	{Name: "param", Value: "param", About: "a table answers the question by this param"},
	{Name: "text", Value: "words", About: "what we say to the question"},
}}

// printedThing has the keys of a printed rule.
var printedThing = lexicon.Thing{Name: "a printed rule", Path: "book.ID", Keys: []lexicon.Key{
	{Name: "people", Value: "words", About: "a sentence of the printed rules that only people can keep"},
}}

func (c *checker) bookEntry(p *yamltree.Pair, owner string, into *[]*BookEntry) {
	defer c.under(p.Key.Text)()
	e := &BookEntry{ID: p.Key.Text, Owner: owner, Span: p.Key.Span}
	for _, old := range *into {
		if old.ID == e.ID {
			c.errorf("E0223", p.Key.Span, "the id `%s` is taken", e.ID).WithRelated(old.Span, "it is here")
		}
	}
	*into = append(*into, e)
	answer := into == &c.p.Answers
	switch n := p.Value; {
	case n.Kind == yamltree.Scalar && !n.Empty:
		e.Text = strings.TrimSpace(n.Text)
	case n.Kind == yamltree.Map && answer:
		f := c.fields(p, &answerThing)
		if w, ok := f.word("param"); ok {
			e.Param = c.answerParam(w, owner)
		}
		if w, ok := f.word("text"); ok {
			e.Text = strings.TrimSpace(w.Text)
		}
	case n.Kind == yamltree.Map:
		f := c.fields(p, &printedThing)
		if w, ok := f.word("people"); ok {
			e.Text, e.People = strings.TrimSpace(w.Text), true
		}
	case n.Kind == yamltree.List:
		c.wrongKind(n, "`"+e.ID+"`", "a sentence")
	default:
		c.errorf("E0114", p.Key.Span, "`%s` has no text", e.ID)
	}
}

// answerParam finds the param that lets a table choose.
func (c *checker) answerParam(n *yamltree.Node, owner string) string {
	word := trim(n)
	if sym := c.names.find(word, owner, nil); sym != nil {
		if p, ok := sym.ref.(*Param); ok {
			return p.Name
		}
	}
	for _, id := range sortedKeys(c.names.private) {
		if sym := c.names.own(word, id); sym != nil || strings.HasPrefix(word, snake(id)+".") {
			return word
		}
	}
	for _, p := range c.p.Params {
		if p.Name == word {
			return word
		}
	}
	c.unknownParam(word, n.Span)
	return ""
}

// checkCitations reports ids in a `from` that no book and no answer has.
func (c *checker) checkCitations() {
	if len(c.p.Book)+len(c.p.Answers) == 0 {
		return
	}
	known := map[string]bool{}
	var ids []string
	for _, list := range [][]*BookEntry{c.p.Book, c.p.Answers} {
		for _, e := range list {
			known[e.ID] = true
			ids = append(ids, e.ID)
		}
	}
	for _, cite := range c.citations {
		if !known[cite.id] {
			d := c.errorf("E0213", cite.span, "no printed rule and no answer has the id `%s`", cite.id)
			c.didYouMean(d, cite.id, ids, nil)
		}
	}
}

// A Gap is a printed rule that is not fully looked after.
type Gap struct {
	ID    string
	Owner string // variant whose book it stands in, "" for the game's
	Text  string
	Span  source.Span
	// Implemented reports whether something in the rules names it.
	Implemented bool
	// Covered reports whether an example names it.
	Covered bool
}

// Uncovered lists the printed rules that nothing implements or no example
// covers. What only people can keep is not asked for, nor are answers.
func (p *Program) Uncovered() []Gap {
	covered := map[string]bool{}
	for _, ex := range p.Examples {
		for _, id := range ex.From {
			covered[id] = true
		}
	}
	var out []Gap
	for _, e := range p.Book {
		cited := p.check.cited[e.ID] || p.Opening != nil && p.Opening.check.cited[e.ID]
		g := Gap{ID: e.ID, Owner: e.Owner, Text: e.Text, Span: e.Span, Implemented: cited, Covered: covered[e.ID]}
		if !e.People && !(g.Implemented && g.Covered) {
			out = append(out, g)
		}
	}
	return out
}
