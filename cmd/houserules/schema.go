package main

import (
	"os"
	"path/filepath"

	"github.com/houserules/houserules/dsl"
)

type schemaCommand struct {
	Output string `short:"o" help:"Write to a file, also to one that is there." placeholder:"FILE"`
}

// schemaID names the schema of this version of the language.
const schemaID = "https://github.com/houserules/houserules/schema/1"

// schemaFile is the name under which a schema is found by `new`.
const schemaFile = "houserules.schema.json"

// schemaLines are the comments by which editors find a schema that lies in a
// folder: of the first kind those that read YAML through the common language
// server, of the second the others. "" if none lies there.
func schemaLines(dir string) string {
	if info, err := os.Stat(filepath.Join(dir, schemaFile)); err != nil || info.IsDir() {
		return ""
	}
	return "# yaml-language-server: $schema=" + schemaFile + "\n# $schema: " + schemaFile + "\n"
}

// Run prints the JSON Schema of rule files.
func (c *schemaCommand) Run(std streams) error {
	written, err := writeOutput(c.Output, dsl.Lexicon().Schema(schemaID), std)
	if !written {
		return err
	}
	std.printf("%s is written; an editor that knows YAML schemas takes it from a first line such as", c.Output)
	std.printf("# yaml-language-server: $schema=%s", c.Output)
	if filepath.Base(c.Output) == schemaFile {
		std.printf("which `houserules new` writes into files beside it")
	}
	return nil
}
