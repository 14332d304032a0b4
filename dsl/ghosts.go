package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// ghosts declares the seats of a section that are nobody.
func (c *checker) ghosts(section *yamltree.Pair, home string) {
	defer c.under("seats")()
	for _, p := range c.entries(section) {
		func() {
			defer c.under(p.Key.Text)()
			if c.checkName(p.Key) {
				c.ghost(p, home)
			}
		}()
	}
}

// ghostThing has the keys of a ghost.
var ghostThing = lexicon.Thing{Name: "a ghost", Path: "seats.NAME", Short: "when", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "whether it is there"},
}, lexicon.Named)}

func (c *checker) ghost(p *yamltree.Pair, home string) {
	f := c.fields(p, &ghostThing)
	g := &Ghost{Info: f.info(p.Key.Text, p.Key.Span), Index: len(c.p.Ghosts)}
	f.rule(&g.Info)
	c.p.Ghosts = append(c.p.Ghosts, g)
	c.declare(c.names, &symbol{name: g.Name, owner: home, what: "ghost", span: p.Key.Span, ref: g, used: true})
	if n := c.p.MaxPlayers + len(c.p.Ghosts); n > maxSeats && c.p.MaxPlayers <= maxSeats {
		c.errorf("E0331", p.Key.Span, "at most %d seats can be at a table, and with this ghost there may be %d", maxSeats, n)
	}
	c.later(func() {
		g.When = f.formula(scope{}, "when", Bool)
		c.pure(g.When, fixedGhost)
	})
}
