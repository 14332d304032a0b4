// Package variants holds the house rules that come with houserules, as rule
// files in one folder for each game.
package variants

import (
	"embed"
	"io/fs"

	"github.com/houserules/houserules/dsl/source"
)

//go:embed */*.yaml
var files embed.FS

// Files returns the rule files of the house rules, by game and name.
func Files() []*source.File {
	names, _ := fs.Glob(files, "*/*.yaml") // the pattern is a good one
	var out []*source.File
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic("variants: an embedded file cannot be read: " + err.Error())
		}
		out = append(out, source.NewFile("variants/"+name, string(text)))
	}
	return out
}
