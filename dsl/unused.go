package dsl

import "github.com/houserules/houserules/dsl/merge"

// unused warns about params, state, defines, tables and scorers that nothing
// reads and events that nothing emits, and reports values of params that change
// nothing. What a game declares is only judged where no variant may have taken
// its reader away.
func (c *checker) unused(m *merge.Merged) {
	if c.ds.HasErrors() {
		return // a name that was mistyped elsewhere would be called unused
	}
	for _, t := range c.tables() {
		for _, s := range t.order {
			if s.used || s.span.IsZero() || s.owner == "" && len(m.Variants) > 0 {
				continue
			}
			switch s.ref.(type) {
			case *Param, *Var, *Define, *Table, *Scorer, *Event:
				c.warnUnused(s)
			}
		}
	}
	c.emptyWords(m)
	for _, s := range c.names.order {
		p, ok := s.ref.(*Param)
		if !ok || s.used || p.Set == nil {
			continue
		}
		at := c.setSpans[p]
		if p.SetBy == "" {
			c.errorf("E0313", at, "nothing reads `%s` with these house rules", p.Name).
				WithRelated(p.Span, "`%s` is declared here", p.Name)
		} else {
			c.warnf("W0513", at, "`%s` sets `%s`, which nothing reads any more", p.SetBy, p.Name).
				WithRelated(p.Span, "`%s` is declared here", p.Name)
		}
	}
}

func (c *checker) tables() []*table {
	out := []*table{c.names, c.flowNames, c.seatFields}
	for _, sc := range c.p.Scopes {
		out = append(out, c.scopeFields[sc])
	}
	for _, f := range c.p.Families {
		out = append(out, c.pieceFields[f])
	}
	return out
}

func (c *checker) pathOf(s *symbol) string {
	switch ref := s.ref.(type) {
	case *Param:
		return ref.Path
	case *Var:
		return ref.Path
	case *Define:
		return ref.Path
	case *Table:
		return ref.Path
	case *Scorer:
		return ref.Path
	case *Event:
		return ref.Path
	}
	return ""
}

func (c *checker) warnUnused(s *symbol) {
	c.warnf("W0501", s.span, "nothing uses the %s `%s`", s.what, s.name).Path = c.pathOf(s)
}

// emptyWords warns of a house rule that takes away whatever reads a param of the
// game, while a sentence about another rule still names it.
func (c *checker) emptyWords(m *merge.Merged) {
	v := soleVariant(m)
	if v == nil {
		return // nobody can say which of them it is
	}
	for _, s := range c.names.order {
		p, ok := s.ref.(*Param)
		if !ok || s.used || s.owner != "" || p.Set != nil || c.mentions[p].IsZero() {
			continue
		}
		c.warnf("W0509", v.IDSpan, "a sentence names `%s`, which nothing reads with `%s`", p.Name, v.ID).
			WithRelated(c.mentions[p], "the sentence is here").
			WithHelp("give the rule a sentence of its own: `change: {..: {rule: ..}}`")
	}
}
