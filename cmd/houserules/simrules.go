package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/interpreter/sim"
	"github.com/houserules/houserules/repl"
)

// This file readies rules, bots and metrics for a simulation.

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// ids are the house rules in force.
func ids(p *dsl.Program) []string {
	out := []string{}
	for _, v := range p.Variants {
		out = append(out, v.ID)
	}
	return out
}

// simBots reads who plays.
func simBots(list string, p *dsl.Program) ([]interpreter.Bot, error) {
	if strings.TrimSpace(list) == "" {
		out := make([]interpreter.Bot, p.MinPlayers)
		for i := range out {
			out[i] = interpreter.BotGreedy
		}
		return out, nil
	}
	players, err := repl.ParsePlayers(list)
	if err != nil {
		return nil, failf(exitUsage, "%v", err)
	}
	var out []interpreter.Bot
	for _, pl := range players {
		b, ok := interpreter.BotNamed(pl.Bot)
		if !ok {
			return nil, failf(exitUsage, "%s is no bot: only bots play simulated games, as in --players bot:greedy,bot:random", pl.Name)
		}
		out = append(out, b)
	}
	return out, nil
}

func simGame(p *dsl.Program, bots []interpreter.Bot) (*interpreter.Game, error) {
	players := make([]repl.Player, len(bots))
	for i := range players {
		players[i].Bot = bots[i].String()
	}
	g, err := ready(p, players)
	if err != nil {
		return nil, err
	}
	if msg := repl.Seatable(g, players); msg != "" {
		return nil, failf(exitUsage, "%s", strings.TrimSuffix(msg, ": name people only"))
	}
	return g, nil
}

// versus loads the rules to compare with.
func (c *simPlayCommand) versus(r *simRun, std streams) error {
	if len(c.Vs) == 0 {
		return nil
	}
	own := choices{With: slices.Clone(c.With), Without: slices.Clone(c.Without), Set: settings{}}
	for k, v := range c.Set {
		own.Set[k] = v
	}
	for _, item := range c.Vs {
		name, value, sets := strings.Cut(item, "=")
		switch {
		case sets:
			own.Set[name] = value
		case item == "printed":
			own.With, own.Set = nil, settings{}
			own.Without = r.table.lib.Usual(r.table.prog.Game)
		case strings.HasPrefix(item, "-"):
			own.leaveOut(item[1:], c.With, r.table)
		default:
			own.Without = slices.DeleteFunc(own.Without, func(w string) bool { return w == item })
			own.With = append(own.With, item)
		}
	}
	var err error
	r.rivalSet = own.Set
	if r.rival, err = own.table(c.Game, nil, std); err != nil {
		return named(err, "--vs", own.Set, c.Set)
	}
	if r.rival.prog.Fingerprint == r.table.prog.Fingerprint {
		return failf(exitUsage, "--vs %s changes nothing: both sides would be played by the same rules", strings.Join(c.Vs, ","))
	}
	r.plan.Rival, err = simGame(r.rival.prog, r.plan.Bots)
	return err
}

// leaveOut takes a house rule out of the choices that a table was made of, with the
// options that it brought. asked are the house rules as they were asked for: by id or
// file.
func (c *choices) leaveOut(rule string, asked []string, t *table) {
	id := rule
	for i, w := range asked {
		if w == rule || t.with[i] == rule {
			id = t.with[i]
			c.With = slices.DeleteFunc(c.With, func(s string) bool { return s == w })
		}
	}
	if len(c.With) == len(asked) || slices.Contains(t.lib.Usual(t.prog.Game), id) {
		c.Without = append(c.Without, id)
	}
	for _, p := range t.prog.Params {
		if p.Owner == id {
			delete(c.Set, p.Name)
		}
	}
}

// named lets a message about an option name the flag that has set it, if it is not
// among those of --set.
func named(err error, flag string, set, before settings) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	for name, value := range set {
		if old, ok := before[name]; !ok || old != value {
			f.message = strings.Replace(f.message, "--set "+name+"=", flag+" "+name+"=", 1)
		}
	}
	return f
}

// simMetrics types the formulas of --metric.
func simMetrics(p *dsl.Program, list []string, std streams) ([]sim.Metric, error) {
	var out []sim.Metric
	for _, text := range list {
		name, formula := text, text
		if n, f, ok := strings.Cut(text, "="); ok && isName(strings.TrimSpace(n)) && !strings.HasPrefix(f, "=") {
			name, formula = n, strings.TrimSpace(f)
		}
		of, per, by := strings.Cut(formula, " per ")
		m := sim.Metric{Name: strings.TrimSpace(name)}
		var err error
		if m.Of, err = simFormula(p, of, std); err != nil {
			return nil, err
		}
		if by {
			if m.Per, err = simFormula(p, per, std); err != nil {
				return nil, err
			}
		}
		out = append(out, m)
	}
	return out, nil
}

func isName(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// simFormula types one formula of --metric.
func simFormula(p *dsl.Program, text string, std streams) (*dsl.Expr, error) {
	var ds source.List
	file := source.NewFile("<metric>", text)
	place := func(from, to int) source.Span { return source.Span{File: file, Start: from, End: to} }
	e := p.Metric(syntax.Text{Value: text, Span: place}, &ds)
	if e == nil {
		showMore(std.err, ds)
		return nil, failf(exitUsage, "--metric `%s` cannot be counted", text)
	}
	return e, nil
}
