package main

import (
	"encoding/json"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

// A planned is a line of the plan for programs.
type planned struct {
	Path string `json:"path"`
	How  string `json:"how"`
	Why  string `json:"why,omitempty"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// plan prints how each rule is carried out, for the fewest who can play.
func (c *showCommand) plan(p *dsl.Program, std streams) error {
	if c.Diff || c.Origin {
		return failf(exitUsage, "--plan goes together neither with --diff nor with --origin")
	}
	g, err := ready(p, make([]repl.Player, p.MinPlayers))
	if err != nil {
		return err
	}
	var out []planned
	for _, l := range g.Plan() {
		if c.Only != "" && l.Path != c.Only && !strings.HasPrefix(l.Path, c.Only+".") {
			continue
		}
		out = append(out, planned{Path: l.Path, How: l.How, Why: l.Why, File: l.Span.File.Name, Line: lineNumber(l)})
	}
	if len(out) == 0 {
		return failf(exitUsage, "`%s` has nothing called `%s` whose plan could be told: params, define, scorers and phases have", p.Game, c.Only)
	}
	if c.Out == "json" {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(out)
	}
	std.printf("# %s, %s, for %s", p.Title, rulesInForce(p), counted(p.MinPlayers, "player"))
	for _, l := range out {
		text := l.Path + ": " + l.How
		if l.Why != "" {
			text += "; " + l.Why
		}
		std.printf("%s", text)
	}
	return nil
}

func lineNumber(l interpreter.PlanLine) int {
	line, _ := l.Span.File.LineCol(l.Span.Start)
	return line
}
