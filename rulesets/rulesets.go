// Package rulesets holds the games that come with houserules, as rule files.
package rulesets

import (
	"embed"
	"io/fs"

	"github.com/houserules/houserules/dsl/source"
)

//go:embed *.yaml demo.txt
var files embed.FS

// Demo returns a transcript whose comments explain to newcomers what happens.
func Demo() *source.File {
	return read("demo.txt")
}

func read(name string) *source.File {
	text, err := files.ReadFile(name)
	if err != nil {
		panic("rulesets: an embedded file cannot be read: " + err.Error())
	}
	return source.NewFile("rulesets/"+name, string(text))
}

// Files returns the rule files of the games, by name.
func Files() []*source.File {
	names, _ := fs.Glob(files, "*.yaml") // the pattern is a good one
	var out []*source.File
	for _, name := range names {
		out = append(out, read(name))
	}
	return out
}
