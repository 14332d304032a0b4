package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// shelf is a library with the files that people named and, behind them, the
// rules that come with the program.
type shelf struct {
	*dsl.Library
	diags source.List // of the heads of the files named
	read  map[string]*merge.File
	dirs  []string // folders of the files named, for what they need
	built bool
}

func newShelf() *shelf { return &shelf{Library: dsl.NewLibrary(), read: map[string]*merge.File{}} }

// builtIn adds the rules that come with the program, but for those whose id a
// file has taken. It comes after all files.
func (s *shelf) builtIn() {
	if s.built {
		return
	}
	s.built = true
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		var ds source.List
		s.AddLater(f, &ds)
		for _, d := range ds {
			if d.Code != "E0223" {
				s.diags = append(s.diags, d)
			}
		}
	}
}

// maxFile is the size above which a file that nobody named is not looked at; of
// one that was named 64 times as much is read, so that its checker can say what
// is wrong with it.
const maxFile = yamltree.MaxBytes

// file reads a rule file and adds it. What is wrong with its head is in diags;
// the error says that it cannot be read at all.
func (s *shelf) file(path string, std streams) (*merge.File, error) {
	name := filepath.ToSlash(path)
	if f, ok := s.read[place(path)]; ok {
		return f, nil
	}
	text, err := readFile(path, std)
	if err != nil {
		return nil, err
	}
	if path == "-" {
		name = "<stdin>"
	} else {
		s.dirs = append(s.dirs, filepath.Dir(path))
	}
	f := s.Add(source.NewFile(name, text), &s.diags)
	s.read[place(path)] = f
	return f, nil
}

// place is a name that a file has however it is written.
func place(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "-" {
		return abs
	}
	return path
}

// readFile reads a text file, or standard input for "-".
func readFile(path string, std streams) (string, error) {
	r := std.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", failf(exitCannot, "%s", fileTrouble(path, err))
		}
		defer f.Close() //nolint:errcheck // it was only read
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return "", failf(exitCannot, "`%s` is a folder, where a file is wanted", path)
		}
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, 64*maxFile))
	if err != nil {
		return "", failf(exitCannot, "%s", fileTrouble(path, err))
	}
	return string(b), nil
}

// fileTrouble says why a file cannot be used.
func fileTrouble(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no file `%s`", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("`%s` may not be used: permission denied", path)
	case errors.Is(err, fs.ErrExist):
		return fmt.Sprintf("`%s` is there already: choose another name", path)
	}
	return fmt.Sprintf("`%s` cannot be used: %v", path, cause(err))
}

// createTrouble says why a file cannot be made.
func createTrouble(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("there is no folder for `%s`", path)
	}
	return fileTrouble(path, err)
}

// cause is what went wrong with a file, without its name.
func cause(err error) error { return repl.Cause(err) }

// isPath reports whether an argument means a file rather than an id.
func isPath(arg string) bool {
	return arg == "-" || strings.ContainsAny(arg, `/\.`)
}

// ids turns house rules that may be given as files into ids.
func (s *shelf) ids(args []string, std streams) ([]string, error) {
	var out []string
	for _, a := range args {
		if !isPath(a) {
			own := byName(a, std)
			if own == "" {
				out = append(out, a)
				continue
			}
			a = own
		}
		f, err := s.file(a, std)
		if err != nil {
			return nil, err
		}
		if f == nil {
			return nil, s.broken(std)
		}
		if f.Kind == merge.KindGame {
			return nil, failf(exitUsage, "`%s` is a game, where a house rule is wanted", a)
		}
		out = append(out, f.ID)
	}
	return out, nil
}

// folders adds rule files, and those of folders, so that they are there to be
// chosen.
func (s *shelf) folders(paths []string, std streams) error {
	for _, p := range paths {
		list, err := ruleFilesOf(p)
		if err != nil {
			return err
		}
		for _, path := range list {
			f, err := s.file(path, std)
			if err != nil {
				return err
			}
			if f == nil {
				return s.broken(std)
			}
		}
	}
	return nil
}

// sentence says why house rules and options that were chosen do not make a
// game.
func (s *shelf) sentence(ds source.List) string {
	if msg := s.badChoice(ds); msg != "" {
		return msg
	}
	for _, d := range ds {
		if d.Severity == source.Error {
			return spoken.Replace(d.Message)
		}
	}
	return "these rules cannot be played"
}

// broken prints what is wrong with the files and ends the command.
func (s *shelf) broken(std streams) error {
	s.diags.Sort()
	showMore(std.err, s.diags)
	return failf(exitCannot, "")
}

// game finds the game that an argument means: an id, or a file. The built-in
// rules are there afterwards.
func (s *shelf) game(arg string, std streams) (string, error) {
	id := arg
	if own := byName(arg, std); own != "" {
		arg = own
	}
	if isPath(arg) {
		f, err := s.file(arg, std)
		if err != nil {
			return "", err
		}
		if f == nil {
			return "", s.broken(std)
		}
		if f.Kind != merge.KindGame {
			return "", failf(exitUsage, "`%s` is a house rule for %s: play it with `houserules play %s --with %s`", arg, f.For, s.known(f.For), arg)
		}
		id = f.ID
	}
	s.builtIn()
	s.neighbours()
	if s.Game(id) != nil {
		return id, nil
	}
	names := s.gameIDs()
	msg := fmt.Sprintf("there is no game `%s`", arg)
	if near := source.Nearest(arg, names); len(near) > 0 {
		return "", failf(exitCannot, "%s; did you mean `%s`?", msg, near[0])
	}
	return "", failf(exitCannot, "%s; there are: %s; a file is named by its path, as in ./%s.yaml", msg, strings.Join(names, ", "), arg)
}

func (s *shelf) gameIDs() []string {
	var out []string
	for _, g := range s.Games() {
		out = append(out, g.ID)
	}
	return out
}

// known is how a game is named on the command line.
func (s *shelf) known(id string) string {
	s.builtIn()
	s.neighbours()
	if g := s.Game(id); g != nil {
		return where(g)
	}
	return "GAME.yaml"
}

// neighbours adds rule files that lie beside those named, where something
// that is named is needed and is not there yet.
func (s *shelf) neighbours() {
	missing := func() bool {
		for _, f := range s.read {
			if f == nil {
				continue
			}
			if f.For != "" && s.Game(f.For) == nil || f.Extends != "" && s.Game(f.Extends) == nil {
				return true
			}
		}
		return false
	}
	for _, dir := range s.dirs {
		if !missing() {
			return
		}
		for _, path := range ruleFiles(dir, false) {
			if s.read[place(path)] != nil {
				continue
			}
			if b, err := os.ReadFile(path); err == nil && len(b) <= maxFile {
				var ds source.List
				s.Add(source.NewFile(filepath.ToSlash(path), string(b)), &ds)
			}
		}
	}
}

// ruleFilesOf is a path itself, or the rule files of a folder.
func ruleFilesOf(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil
	}
	list := ruleFiles(path, true)
	if len(list) == 0 {
		return nil, failf(exitCannot, "there are no rule files in `%s`", path)
	}
	return list, nil
}

// ruleFiles lists the YAML files of a folder, with those of the folders in it
// if deep is set.
func ruleFiles(dir string, deep bool) []string { return filesIn(dir, deep, ".yaml", ".yml") }

func filesIn(dir string, deep bool, exts ...string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir():
			if path != dir && (!deep || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		for _, e := range exts {
			if filepath.Ext(path) == e {
				out = append(out, path)
			}
		}
		return nil
	})
	sort.Strings(out)
	return out
}

// load makes a program, or prints what is wrong and ends the command.
func (s *shelf) load(game string, opt dsl.Options, std streams) (*dsl.Program, error) {
	p, ds := dsl.Load(s.Library, game, opt)
	if p != nil {
		return p, nil
	}
	if msg := s.badChoice(ds); msg != "" {
		return nil, failf(exitUsage, "%s", msg)
	}
	showMore(std.err, ds)
	return nil, failf(exitCannot, "these rules cannot be played: `houserules check` tells more")
}

// badChoice makes a sentence of what is wrong with the house rules and options
// that were chosen on the command line, which stand in no file.
func (s *shelf) badChoice(ds source.List) string {
	for _, d := range ds {
		if d.Severity != source.Error || slices.ContainsFunc(s.Files(), func(f *merge.File) bool { return f.Src == d.Span.File }) {
			continue
		}
		msg := d.Message
		if d.Span.File != nil && d.Span.File.Name == "--set" && d.Code != "E0312" {
			msg = fmt.Sprintf("--set %s: %s", d.Span.File.Line(1), msg)
		}
		for _, h := range d.Help {
			msg += "; " + h
		}
		return spoken.Replace(msg)
	}
	return ""
}

// spoken makes words of the rule language those of the command line.
var spoken = strings.NewReplacer("no param `", "no option `", "variant `", "house rule `")

// show prints diagnostics for people.
func show(w io.Writer, ds source.List) {
	_ = source.RenderPretty(w, ds, source.Style{Color: repl.CanColor(w)})
}

// showMore prints diagnostics for people, and says where more is said of them.
func showMore(w io.Writer, ds source.List) {
	_ = source.RenderPretty(w, ds, source.Style{Color: repl.CanColor(w), More: "houserules explain"})
}
