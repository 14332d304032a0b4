package main

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// formats are the ways to print findings.
var formats = []string{"pretty", "compact", "json", "github", "sarif"}

// A rendering is one way in which findings are printed: a format, and the file
// for it, or "" for standard output.
type rendering struct{ format, path string }

// forPrograms reports whether what is printed is read by programs alone.
func (o rendering) forPrograms() bool {
	return o.format == "json" || o.format == "github" || o.format == "sarif"
}

// outputs reads FORMAT[:PATH], once for each time that --out was given. One at
// most goes to standard output; without any, people and tools get what is made
// for them.
func outputs(args []string, std streams) ([]rendering, error) {
	if len(args) == 0 {
		if repl.IsTerminal(std.out) {
			return []rendering{{"pretty", ""}}, nil
		}
		return []rendering{{"compact", ""}}, nil
	}
	var out []rendering
	taken := map[string]bool{}
	for _, arg := range args {
		format, path, file := strings.Cut(arg, ":")
		switch {
		case !slices.Contains(formats, format):
			return nil, failf(exitUsage, "there is no format `%s`; there are: %s", format, strings.Join(formats, ", "))
		case file && path == "":
			return nil, failf(exitUsage, "--out %s: a file is missing behind the `:`", arg)
		case taken[path] && path == "":
			return nil, failf(exitUsage, "only one format goes to standard output; give the others a file: `--out %s:FILE`", format)
		case taken[path]:
			return nil, failf(exitUsage, "two formats go to the file %s", path)
		}
		taken[path] = true
		out = append(out, rendering{format, path})
	}
	return out, nil
}

// write prints findings to where they go.
func (o rendering) write(std streams, ds source.List) error {
	if o.path == "" {
		o.render(std, ds)
		return nil
	}
	if info, err := os.Stat(o.path); err == nil && info.IsDir() {
		return failf(exitCannot, "`%s` is a folder, where a file is wanted", o.path)
	}
	var text bytes.Buffer
	o.render(streams{in: std.in, out: &text, err: std.err}, ds)
	if err := os.WriteFile(o.path, text.Bytes(), 0o644); err != nil {
		return failf(exitCannot, "%s", createTrouble(o.path, err))
	}
	return nil
}

func (o rendering) render(std streams, ds source.List) {
	switch o.format {
	case "json":
		_ = source.RenderJSON(std.out, ds, Version)
	case "github":
		_ = source.RenderGitHub(std.out, ds)
	case "sarif":
		_ = source.RenderSARIF(std.out, ds, Version)
	case "compact":
		_ = source.RenderCompact(std.out, ds)
	default:
		showMore(std.out, ds)
	}
}
