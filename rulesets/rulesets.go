// Package rulesets holds the games that come with houserules, as rule files.
package rulesets

import (
	"embed"
	"io/fs"

	"github.com/houserules/houserules/dsl/source"
)

//go:embed *.yaml
var files embed.FS

// Files returns the rule files of the games, by name.
func Files() []*source.File {
	names, _ := fs.Glob(files, "*.yaml") // the pattern is a good one
	var out []*source.File
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic("rulesets: an embedded file cannot be read: " + err.Error())
		}
		out = append(out, source.NewFile("rulesets/"+name, string(text)))
	}
	return out
}
