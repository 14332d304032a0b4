package main

import (
	"os"

	"github.com/houserules/houserules/dsl/rulebook"
)

type docsCommand struct {
	Game    string `arg:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Format string `help:"md, html or text." enum:"md,html,text" default:"md"`
	Style  string `help:"full: the whole rulebook; quick: a card for the table." enum:"full,quick" default:"full"`
	Output string `short:"o" help:"Write to a file, also to one that is there." placeholder:"FILE"`
}

// Run writes the rulebook of a game as it is played with house rules.
func (c *docsCommand) Run(std streams) error {
	t, err := c.table(c.Game, nil, std)
	if err != nil {
		return err
	}
	write := map[string]func(*rulebook.Document) string{"md": rulebook.Markdown, "html": rulebook.HTML, "text": rulebook.Plain}[c.Format]
	text := write(rulebook.Make(t.prog, c.Style == "quick"))
	if c.Output != "-" && t.lib.read[place(c.Output)] != nil {
		return failf(exitUsage, "-o `%s` is a file of these rules: name another one", c.Output)
	}
	written, err := writeOutput(c.Output, []byte(text), std)
	if written {
		std.printf("%s is written", c.Output)
	}
	return err
}

// writeOutput writes what a command has made to the file of -o, also to one that is
// there, or to the output if none is named. It reports whether it was a file.
func writeOutput(path string, text []byte, std streams) (written bool, err error) {
	if path == "" || path == "-" {
		_, err := std.out.Write(text)
		return false, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return false, failf(exitCannot, "`%s` is a folder, where a file is wanted", path)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return false, failf(exitCannot, "%s", createTrouble(path, err))
	}
	return true, nil
}
