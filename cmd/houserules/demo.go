package main

import (
	"context"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/rulesets"
)

type demoCommand struct{}

// Run plays the game that explains itself.
func (demoCommand) Run(ctx context.Context, std streams) error {
	var ds source.List
	t := repl.ReadTranscript(rulesets.Demo(), &ds)
	if t == nil {
		return ds.Err()
	}
	lib := newShelf()
	lib.builtIn()
	p, err := lib.load(t.Game, t.Options, std)
	if err != nil {
		return err
	}
	cfg := repl.Config{Color: repl.CanColor(std.out) && !inPlainMode()}
	if repl.IsTerminal(std.out) {
		cfg.Width = repl.Width()
	}
	return repl.Show(ctx, t, p, cfg, std.out)
}
