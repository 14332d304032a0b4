package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

type checkCommand struct {
	Paths  []string `arg:"" optional:"" name:"path" help:"Rule files, folders of them, ids of games, or - for standard input. Without one: everything that comes with houserules."`
	With   []string `help:"House rules that a game named is checked with." placeholder:"ID"`
	Out    []string `help:"How findings are printed: pretty, compact, json, github or sarif; with :FILE into a file. May be given more than once." placeholder:"FORMAT[:FILE]" sep:"none"`
	Only   []string `help:"Report only findings with these codes." placeholder:"CODE"`
	Allow  []string `help:"Leave out warnings and notes with these codes." placeholder:"CODE"`
	Play   int      `help:"Also play so many games at random, and report what goes wrong, with a game that shows it. House rules that touch the same thing are played in both orders; with --with they always are, 50 games if nothing is said." placeholder:"N"`
	FailOn string   `help:"The least finding that makes the exit code 1: error, warning or note." default:"error" placeholder:"KIND"`
}

// Run checks rule files.
func (c *checkCommand) Run(std streams) error {
	reports, err := outputs(c.Out, std)
	if err != nil {
		return err
	}
	if err := c.valid(); err != nil {
		return err
	}
	files, lib, err := gather(c.Paths, std, c.With)
	if err != nil {
		return err
	}
	with, err := lib.ids(c.With, std)
	if err != nil {
		return err
	}
	ds := append(source.List(nil), lib.diags...)
	games := &played{games: c.Play}
	for _, f := range files {
		ds = append(ds, checkFile(lib, f, with, games)...)
	}
	ds.Sort()
	ds = c.wanted(c.passOver(ds, files))
	shown := ""
	for _, r := range reports {
		if lib.read[place(r.path)] != nil {
			return failf(exitUsage, "--out %s:%s would write over one of these rule files", r.format, r.path)
		}
		if err := r.write(std, ds); err != nil {
			return err
		}
		if r.path == "" {
			shown = r.format
		}
	}
	if shown == "pretty" || shown == "compact" {
		for _, t := range games.shownOnce() {
			std.printf("\n%s", t)
		}
	}
	switch {
	case (rendering{format: shown}).forPrograms():
	case len(ds) == 0:
		std.printf("%s: no mistakes found", counted(len(files), "file"))
	case shown != "pretty": // the lines are for programs, the sum is for people
		fmt.Fprintf(std.err, "houserules: %s\n", ds.Summary())
	}
	if c.fails(ds) {
		return failf(exitNo, "")
	}
	return nil
}

func (c *checkCommand) valid() error {
	for _, list := range []*[]string{&c.Only, &c.Allow} {
		for i, code := range *list {
			page, ok := explain.Find(code)
			if !ok {
				return failf(exitUsage, "there is no finding `%s`; `houserules explain --list` lists them all", code)
			}
			(*list)[i] = page.Code
		}
	}
	for _, code := range c.Allow {
		if strings.HasPrefix(code, "E") {
			return failf(exitUsage, "%s is an error, which cannot be allowed: such rules cannot be played", code)
		}
	}
	if c.Play < 0 || c.Play > maxPlayed {
		return failf(exitUsage, "--play takes 1 to %d games", maxPlayed)
	}
	switch c.FailOn {
	case "error", "warning", "note":
		return nil
	}
	return failf(exitUsage, "`%s` is no kind of finding; there are: error, warning, note", c.FailOn)
}

// wanted keeps the findings that are asked for.
func (c *checkCommand) wanted(ds source.List) source.List {
	return slices.DeleteFunc(ds, func(d *source.Diagnostic) bool {
		return slices.Contains(c.Allow, d.Code) || len(c.Only) > 0 && !slices.Contains(c.Only, d.Code)
	})
}

func (c *checkCommand) fails(ds source.List) bool {
	n := ds.Count(source.Error)
	if c.FailOn != "error" {
		n += ds.Count(source.Warning)
	}
	if c.FailOn == "note" {
		n += ds.Count(source.Note)
	}
	return n > 0
}

// gather reads the files that arguments mean: files, folders, ids of games,
// and everything built in if there are none. The library holds all of them.
func gather(paths []string, std streams, with []string) ([]*merge.File, *shelf, error) {
	lib := newShelf()
	var files []*merge.File
	var ids []string
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil && !isPath(p) {
			ids = append(ids, p)
			continue
		}
		list, err := ruleFilesOf(p)
		if err != nil {
			return nil, nil, err
		}
		for _, path := range list {
			f, err := lib.file(path, std)
			if err != nil {
				return nil, nil, err
			}
			if f != nil {
				files = append(files, f)
			}
		}
	}
	for _, w := range with {
		if isPath(w) {
			if _, err := lib.file(w, std); err != nil {
				return nil, nil, err
			}
		}
	}
	lib.builtIn()
	lib.neighbours()
	if len(paths) == 0 {
		files = lib.Files()
	}
	for _, id := range ids {
		if _, err := lib.game(id, std); err != nil {
			return nil, nil, err
		}
		files = append(files, family(lib, id, len(with) > 0)...)
	}
	return once(files), lib, nil
}

// once leaves out files that were named before.
func once(files []*merge.File) []*merge.File {
	var out []*merge.File
	for _, f := range files {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// family is a game with its house rules, or by itself.
func family(lib *shelf, id string, alone bool) []*merge.File {
	out := []*merge.File{lib.Game(id)}
	if alone {
		return out
	}
	for _, v := range lib.VariantIDs(id) {
		out = append(out, lib.Variant(id, v))
	}
	return out
}

// checkFile checks a game by itself and as it is usually played, or a house
// rule on its game.
func checkFile(lib *shelf, f *merge.File, with []string, games *played) source.List {
	if f.Kind == merge.KindGame {
		opt := dsl.Options{With: with}
		p, ds := dsl.Load(lib.Library, f.ID, opt)
		games.orders(lib, f.ID, opt, ds)
		ds = append(ds, tried(p)...)
		ds = append(ds, games.play(p, everyAction)...)
		if len(with) == 0 && len(lib.Usual(f.ID)) > 0 {
			p, more := dsl.Load(lib.Library, f.ID, dsl.Options{Usual: true})
			ds = append(ds, more...)
			ds = append(ds, games.play(p, everyAction)...)
		}
		return ds
	}
	if lib.Game(f.For) == nil {
		var ds source.List
		names := lib.gameIDs()
		d := ds.Errorf("E0328", f.ForSpan, "there is no game `%s` for this house rule", f.For)
		if near := source.Nearest(f.For, names); len(near) > 0 {
			d.WithHelp("did you mean `%s`?", near[0]).WithEdit(f.ForSpan, near[0])
		} else {
			d.WithHelp("name its file too: `houserules check GAME.yaml %s`", f.Src.Name)
		}
		return ds
	}
	opt := dsl.Options{With: append([]string{f.ID}, with...)}
	p, ds := dsl.Load(lib.Library, f.For, opt)
	games.orders(lib, f.For, opt, ds)
	ds = append(ds, tried(p)...)
	return about(append(ds, games.play(p, actionsOf(f.ID))...), f)
}

// tried begins a game that lays out pieces without faces, which may turn out
// not to be possible, and reports what goes wrong.
func tried(p *dsl.Program) (ds source.List) {
	if p == nil || !slices.ContainsFunc(p.Families, func(f *dsl.Family) bool { return len(f.Faces) == 0 }) {
		return nil
	}
	if s := interpreter.Trial(p); s != nil {
		d := ds.Errorf("E0332", s.Fault.Span, "a game of %s stops before anybody decides: %s", counted(s.Players, "player"), s.Fault.Message)
		d.WithHelp("change what is laid out, or refuse such a game with a guard under `require`")
	}
	return ds
}

// about leaves out the findings that a house rule has nothing to do with: lints
// of the game's own file.
func about(ds source.List, f *merge.File) source.List {
	var out source.List
	for _, d := range ds {
		if d.Severity == source.Error || d.Span.File == f.Src || strings.Contains(d.Message, f.ID) {
			out = append(out, d)
		}
	}
	return out
}

// counted writes a number with its word.
func counted(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "y"):
		return strconv.Itoa(n) + " " + strings.TrimSuffix(word, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + word + "s"
}
