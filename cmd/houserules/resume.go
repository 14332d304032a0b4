package main

import (
	"context"
	"os"

	"github.com/houserules/houserules/repl"
)

// resume goes on with the game of a journal.
func (c *playCommand) resume(ctx context.Context, std streams) error {
	if c.Game != "" || len(c.With) > 0 || len(c.Without) > 0 || len(c.Set) > 0 || c.Players != nil || c.Seed != "" || c.Journal != "" {
		return failf(exitUsage, "--resume goes on with a game as it was begun: leave out the game and what it is played with")
	}
	parts, text, err := readJournal(c.Resume, std)
	if err != nil {
		return err
	}
	cfg, err := tableOf(parts, c.Rules, std)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.Resume, os.O_RDWR, 0)
	if err != nil {
		return failf(exitCannot, "%s", fileTrouble(c.Resume, err))
	}
	defer f.Close() //nolint:errcheck // each entry was written as it was made
	file, err := repl.ReopenJournalFile(f, text, parts)
	switch {
	case err != nil:
		return failf(exitCannot, "%s", fileTrouble(c.Resume, err))
	case file == nil:
		return failf(exitCannot, "`%s` is not as houserules writes it, so nothing is added to it; `houserules replay` shows it", c.Resume)
	}
	cfg.Journal, cfg.Rules = file, rulesFlag(c.Rules)
	return c.run(ctx, cfg, c.Resume, std)
}
