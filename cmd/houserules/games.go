package main

import (
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/repl"
)

type gamesCommand struct {
	Game string `arg:"" optional:"" help:"Id of a game, or its file."`
}

// Run lists the games, or what one offers.
func (c *gamesCommand) Run(std streams) error {
	lib := newShelf()
	if c.Game == "" {
		lib.builtIn()
		for _, g := range lib.Games() {
			std.printf("%s  %s", g.ID, heading(g))
		}
		listOwn(std)
		std.printf("")
		std.printf("`houserules games GAME` tells more; `houserules play GAME` plays")
		return nil
	}
	id, err := lib.game(c.Game, std)
	if err != nil {
		return err
	}
	p, err := lib.load(id, dsl.Options{}, std)
	if err != nil {
		return err
	}
	std.printf("%s  %s", p.Game, heading(lib.Game(id)))
	if p.MinPlayers == p.MaxPlayers {
		std.printf("players: %d", p.MinPlayers)
	} else {
		std.printf("players: %d to %d", p.MinPlayers, p.MaxPlayers)
	}
	params(p, std)
	usual := map[string]bool{}
	for _, u := range lib.Usual(id) {
		usual[u] = true
	}
	rules := lib.VariantsOf(id)
	if len(rules) > 0 {
		std.printf("")
		std.printf("house rules (* in force unless left out):")
	}
	for _, v := range rules {
		mark := " "
		if usual[v.ID] {
			mark = "*"
		}
		std.printf("%s %s  %s", mark, v.ID, heading(v))
	}
	if len(rules) > 0 {
		std.printf("")
		std.printf("`--with ID` adds one, `--without ID` leaves one out")
	}
	return nil
}

// listOwn lists the rule files of one's own.
func listOwn(std streams) {
	files := ownFiles()
	if len(files) == 0 {
		return
	}
	std.printf("")
	std.printf("of your own:")
	for _, f := range files {
		text := f.Src.Name
		if f.Kind != merge.KindGame {
			text += ", for " + f.For
		}
		if h := heading(f); h != "" {
			text += "  " + h
		}
		std.printf("%s", text)
	}
}

// heading is the title of a file with what it says of itself.
func heading(f *merge.File) string {
	switch {
	case f.Title == "":
		return f.About
	case f.About == "":
		return f.Title
	}
	return f.Title + ": " + f.About
}

// params lists the options of a game.
func params(p *dsl.Program, std streams) {
	if len(p.Params) == 0 {
		return
	}
	std.printf("")
	std.printf("options (--set NAME=VALUE):")
	for _, x := range p.Params {
		text := fmt.Sprintf("  %s = %s", x.Name, strings.TrimSpace(x.Default.Span.Text()))
		if r := repl.ParamRange(x); r != "" {
			text += " (" + r + ")"
		}
		if s := plainText(x.Rule); s != "" {
			text += "  " + s
		}
		std.printf("%s", text)
		for _, o := range x.Options {
			std.printf("    %s  %s", o.Name, o.Rule)
		}
	}
}

// plainText is a sentence with its formulas as they are written.
func plainText(t *dsl.Template) string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Expr != nil {
			b.WriteString("{" + p.Expr.Span.Text() + "}")
			continue
		}
		b.WriteString(p.Text)
	}
	return b.String()
}
