package dsl

import (
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/yamltree"
)

// eventThing has the keys of an event.
var eventThing = lexicon.Thing{Name: "an event", Path: "events.NAME", Short: "do", Keys: lexicon.With([]lexicon.Key{
	{Name: "when", Value: "formula", Default: "always", About: "otherwise nothing happens"},
	{Name: "do", Value: "script", About: "what happens; its only exit is `finish`"},
	{Name: "say", Value: "sentence", About: "told to everybody after the script"},
	{Name: "write", Value: "sentence", About: "the entry for the line of `me` on the sheet"},
	{Name: "mark", Value: "sentence", About: "a mark beside that entry"},
	{Name: "shout", Value: "sentence", About: "what people shout at the table"},
	{Name: "covers", Value: "event", About: "another event, whose last mark on the line is taken back when this one makes its mark"},
}, lexicon.Named)}

// events declares the events of a section.
func (c *checker) events(section *yamltree.Pair, home string) {
	defer c.under("events")()
	for _, p := range c.entries(section) {
		sig := c.signature(p.Key)
		if sig == nil {
			continue
		}
		func() {
			defer c.under(sig.Name)()
			f := c.fields(p, &eventThing)
			e := &Event{Info: f.info(sig.Name, sig.NameSpan)}
			f.rule(&e.Info)
			c.p.Events = append(c.p.Events, e)
			if sig.Owner != "" {
				c.errorf("E0203", sig.NameSpan, "an event belongs to nobody").WithHelp("hand the seat in: `%s(who seat)`", sig.Name)
			}
			c.declare(c.flowNames, &symbol{name: e.Name, owner: home, what: "event", span: sig.NameSpan, ref: e})
			m := &moment{ref: e, exits: exitsFinish, before: &e.Before, after: &e.After}
			c.addMoment(m)
			for _, param := range sig.Params {
				l := c.newLocal(param.Name, c.typeOf(home, param.Type), param.Span)
				e.Params = append(e.Params, l)
			}
			c.later(func() { c.eventBody(f, e, m, home) })
		}()
	}
}

func (c *checker) eventBody(f fields, e *Event, m *moment, home string) {
	s := scope{owner: home}
	for _, l := range e.Params {
		s = c.bind(s, l)
	}
	m.scope = s
	e.When = f.formula(s, "when", Bool)
	e.Do = f.script(s, "do", exitsFinish)
	e.Say, e.Mark = f.template(s, "say"), f.template(s, "mark")
	e.Write, e.Shout = f.template(s, "write"), f.template(s, "shout")
	c.open(e.Say)
	c.open(e.Shout)
	if f.pair("covers") == nil {
		return
	}
	n, ok := f.word("covers")
	if !ok {
		return
	}
	if sym := c.flowNames.find(trim(n), home, c.needs[home]); sym != nil {
		if other, ok := sym.ref.(*Event); ok {
			e.Covers = other
			return
		}
	}
	c.errorf("E0303", n.Span, "unknown event `%s`", trim(n))
}

// incidentThing has the keys of an incident.
var incidentThing = lexicon.Thing{Name: "an incident", Path: "incidents.NAME", Keys: lexicon.With([]lexicon.Key{
	{Name: "spoils", Value: "phase, or a list", Default: lexicon.Must, About: "throws in the scripts, actions and hooks of these phases"},
	{Name: "when", Value: "formula", Default: "always", About: "whether it can happen now"},
	{Name: "rate", Value: "formula", Default: "0", About: "how many of 1000 throws it spoils in simulations"},
	{Name: "do", Value: "script", Default: lexicon.Must, About: "what comes of it; it must end in an exit"},
}, lexicon.Named)}

// incidents declares the outcomes of throws other than faces.
func (c *checker) incidents(section *yamltree.Pair, home string) {
	defer c.under("incidents")()
	for _, p := range c.entries(section) {
		if !c.checkName(p.Key) {
			continue
		}
		func() {
			defer c.under(p.Key.Text)()
			f := c.fields(p, &incidentThing)
			in := &Incident{Info: f.info(p.Key.Text, p.Key.Span), Variant: p.Owner}
			f.rule(&in.Info)
			c.p.Incidents = append(c.p.Incidents, in)
			c.later(func() { c.incidentBody(f, in, home) })
		}()
	}
}

func (c *checker) incidentBody(f fields, in *Incident, home string) {
	s := scope{owner: home}
	if f.want("spoils", "an incident") {
		for _, n := range f.words("spoils") {
			if ph := c.phaseNamed(f.pair("spoils").Owner, trim(n), n.Span); ph != nil {
				in.Spoils = append(in.Spoils, ph)
			}
		}
	}
	in.When = f.formula(s, "when", Bool)
	in.Rate = f.formula(s, "rate", Int)
	if !f.want("do", "an incident") {
		return
	}
	in.Do = f.script(s, "do", exitsAll)
	if in.Do != nil && !scriptExits(in.Do) {
		c.errorf("E0306", f.pair("do").Key.Span, "the script of an incident must say where the game goes on").
			WithHelp("end it with an exit, such as `again` or `next turn`")
	}
}
