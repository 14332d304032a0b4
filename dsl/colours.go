package dsl

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/yamltree"
)

// Colours are the words for colours in which a terminal can show pieces.
var Colours = []string{"red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// attrColours reads in which colours the options of an attribute are shown.
func (c *checker) attrColours(f fields, a *Attr) {
	p := f.pair("colours")
	if p == nil {
		return
	}
	defer c.under("colours")()
	if a.Type.Kind != KOption {
		c.errorf("E0103", p.Key.Span, "only an attribute with options of its own has `colours`").
			WithHelp("list its values first: `options: [red, blue]`")
		return
	}
	a.Colours = make([]string, len(a.Type.Enum.Values))
	for _, o := range c.entries(p) {
		i := a.Type.Enum.Index(o.Key.Text)
		if i < 0 {
			d := c.errorf("E0226", o.Key.Span, "`%s` is no option of `%s`", o.Key.Text, a.Name)
			c.didYouMean(d, o.Key.Text, a.Type.Enum.Values, nil)
			continue
		}
		if o.Value.Kind != yamltree.Scalar {
			c.wrongKind(o.Value, "a colour", "a word")
			continue
		}
		word := trim(o.Value)
		if !slices.Contains(Colours, word) {
			d := c.errorf("E0226", o.Value.Span, "`%s` is no colour that a terminal has", word)
			if c.didYouMean(d, word, Colours, nil); len(d.Help) == 0 {
				d.WithHelp("there are %s", strings.Join(Colours, ", "))
			}
			continue
		}
		a.Colours[i] = word
	}
}
