package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// commandLine is the grammar of the command line.
type commandLine struct {
	Play    playCommand    `cmd:"" help:"Play a game."`
	Games   gamesCommand   `cmd:"" help:"List the games, or what a game offers."`
	Show    showCommand    `cmd:"" help:"Show the rules of a game as they are with house rules."`
	Docs    docsCommand    `cmd:"" help:"Write the rulebook of a game with house rules."`
	Check   checkCommand   `cmd:"" help:"Check rule files."`
	Test    testCommand    `cmd:"" help:"Run the examples of rule files, and transcripts."`
	New     newCommand     `cmd:"" help:"Write a game, a house rule or a test to begin with."`
	Explain explainCommand `cmd:"" help:"Explain the code of a finding, or a word of rule files."`
	Sim     simCommand     `cmd:"" help:"Play many games by bots: what is a game like, and what does a house rule change?"`
	Schema  schemaCommand  `cmd:"" help:"Print a JSON Schema of rule files, for editors."`
	Repl    replCommand    `cmd:"" help:"Try rules out: a game with a console for formulas, for those who write rules."`
	Demo    demoCommand    `cmd:"" help:"Watch a short game that explains itself."`
	Resume  resumeCommand  `cmd:"" help:"Go on with a saved game."`
	Replay  replayCommand  `cmd:"" help:"Play a journal again."`
	Records recordsCommand `cmd:"" help:"Show the best results."`
	Scores  scoresCommand  `cmd:"" help:"List the games that were played to their end."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// commandNames lists the commands for suggestions.
var commandNames = []string{"play", "games", "show", "docs", "check", "test", "new", "explain", "sim", "schema", "repl", "demo", "resume", "replay", "records", "scores", "version"}

// choices are the rules that a table plays by.
type choices struct {
	With    []string `help:"House rules to play with: ids or files, with commas between them." placeholder:"ID"`
	Without []string `help:"House rules to play without." placeholder:"ID"`
	Set     settings `help:"Options of the game, as in --set goal=50." placeholder:"NAME=VALUE"`
}

// settings are values of options by name. Commas part them but for those inside
// brackets.
type settings map[string]string

// Decode reads one argument.
func (s *settings) Decode(ctx *kong.DecodeContext) error {
	token, err := ctx.Scan.PopValue("NAME=VALUE")
	if err != nil {
		return err
	}
	if *s == nil {
		*s = settings{}
	}
	depth, from := 0, 0
	text := fmt.Sprint(token.Value) + ","
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth <= 0:
			name, value, ok := strings.Cut(text[from:i], "=")
			if !ok {
				return fmt.Errorf("expected NAME=VALUE but got %q", text[from:i])
			}
			(*s)[name], from = value, i+1
		}
	}
	if from < len(text) {
		return fmt.Errorf("expected NAME=VALUE but got %q", text[from:len(text)-1])
	}
	return nil
}

// examples are shown first in the help of a command.
var examples = map[string][]string{
	"": {
		"houserules demo                          watch how it works",
		"houserules games                         what can be played",
		"houserules play GAME                     play against a bot",
		"houserules play GAME --players Ann,Bob",
		"houserules check my-rule.yaml            find mistakes in a rule file",
		"houserules test my-rule.yaml             run its examples",
	},
	"play": {
		"houserules play GAME",
		"houserules play GAME --players Ann,Bob,Rob=bot:random --seed 42",
		"houserules play GAME --with ID,./my-rule.yaml --without ID --set goal=50",
		"houserules play ./my-game.yaml --dice real --journal evening.jsonl",
		"houserules play GAME --players Ann,Bob --games 3",
		"houserules play GAME --players Ann,Bob --undo table",
	},
	"games": {
		"houserules games",
		"houserules games GAME                    its options and house rules",
	},
	"show": {
		"houserules show GAME --with ID,./my-rule.yaml --only params",
		"houserules show GAME --with ID --diff    what a house rule changes",
		"houserules show GAME --origin            with the file and line of everything",
		"houserules show GAME --plan              how each rule is carried out",
	},
	"docs": {
		"houserules docs GAME --with ID,./my-rule.yaml",
		"houserules docs GAME --format html -o rules.html",
		"houserules docs GAME --style quick --format text   a card for the table",
	},
	"check": {
		"houserules check my-game.yaml my-rules/",
		"houserules check GAME --with ID,ID       do these house rules go together? does their order matter?",
		"houserules check - --out json < my-rule.yaml",
		"houserules check my-game.yaml --play 1000",
		"houserules check my-rules/ --out github --fail-on warning --allow W0501",
		"houserules check my-rules/ --out pretty --out sarif:findings.sarif",
	},
	"test": {
		"houserules test                          everything that comes with houserules",
		"houserules test my-rule.yaml transcripts/",
		"houserules test GAME --run opening",
		"houserules test GAME --cover             which rules its examples make happen",
		"houserules test GAME --cover=html > page.html",
		"houserules test my-rule.yaml --cover-min 90",
		"houserules test my-rule.yaml --mutate    which mistakes in it its examples would miss",
		"houserules test --out junit:results.xml  for other tools",
	},
	"new": {
		"houserules new game my-game",
		"houserules new game my-game --from GAME  everything from a game, but for what you change",
		"houserules new variant my-rule --for GAME",
		"houserules new test my-test --for GAME   the first turn, written down",
	},
	"explain": {
		"houserules explain E0213",
		"houserules explain forbid                a word of rule files",
		"houserules explain params.default        a key of one of its places",
		"houserules explain --list                all codes",
		"houserules explain --list functions      also keys, statements, picks, questions, words, operators, types",
	},
	"sim": {
		"houserules sim GAME",
		"houserules sim GAME --games 20000 --players bot:greedy,bot:random",
		"houserules sim GAME --vs ID              what a house rule changes",
		"houserules sim GAME --vs goal=50         or an option",
		"houserules sim GAME --sweep goal=50,100,200 --plot goals.svg",
		"houserules sim GAME --expect 'wins.first within 45%..55%'",
		"houserules sim GAME --games 1000000 --shard 1/8 -o part1.json",
		"houserules sim merge part*.json",
	},
	"schema": {
		"houserules schema -o houserules.schema.json",
	},
	"repl": {
		"houserules repl my-game.yaml",
		"houserules repl GAME --with ./my-rule.yaml --players Ann,Bob --seed 7",
		"echo 'count(Ann.hand)' | houserules repl GAME    the value of a formula",
	},
	"demo": {"houserules demo"},
	"resume": {
		"houserules resume                        the game that was played last",
		"houserules resume --list                 all that are saved",
		"houserules resume GAME-3",
		"houserules resume evening.jsonl --replay-under-new",
	},
	"replay": {
		"houserules replay evening.jsonl",
		"houserules replay GAME-3                 a saved game",
		"houserules replay evening.jsonl --verify",
		"houserules replay evening.jsonl --open   a game that is not over, hands and all",
	},
	"records": {
		"houserules records",
		"houserules records GAME                  also what nobody has achieved yet",
	},
	"scores": {
		"houserules scores",
		"houserules scores GAME --player Ann --limit 5",
		"houserules scores --out csv --limit 0",
		"houserules scores show 12",
		"houserules scores show 12 --sheet sheet.svg",
	},
	"version": {"houserules version"},
}

const exitCodes = `Exit codes: 0 done, 1 the answer is no (findings, failed tests, a refused line
on a pipe), 2 wrong usage, 3 could not do it, 4 a mistake of houserules,
130 interrupted.`

// help prints the help of a command, examples first.
func help(options kong.HelpOptions, ctx *kong.Context) error {
	name := ""
	if n := ctx.Selected(); n != nil {
		for name = n.Name; n.Parent != nil && n.Parent.Type == kong.CommandNode; name = n.Name {
			n = n.Parent // a command inside another one has its examples
		}
	}
	fmt.Fprintln(ctx.Stdout, "Examples:")
	for _, e := range examples[name] {
		fmt.Fprintln(ctx.Stdout, "  "+e)
	}
	fmt.Fprintln(ctx.Stdout)
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	if name == "" {
		fmt.Fprintf(ctx.Stdout, "\n%s\n", exitCodes)
	}
	return nil
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(std streams) error {
	std.printf("houserules %s", Version)
	return nil
}
