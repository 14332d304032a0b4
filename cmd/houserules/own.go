package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// Games and house rules of one's own are found by the name of their file, in the
// current folder and in a folder for them. What comes with the program goes by
// its name alone: a file of the same name is told of and has to be named by its
// path, so that nobody plays other rules than they think.

// ownRules is the folder for rules of one's own, "" if there is none. The
// environment variable HOUSERULES_RULES names another one.
func ownRules() string {
	if dir := os.Getenv("HOUSERULES_RULES"); dir != "" {
		return dir
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "houserules")
}

// ownFile returns the path of the file that is called like an id, "" if there
// is none.
func ownFile(id string) string {
	if id == "" || isPath(id) {
		return ""
	}
	dirs := []string{"."}
	if dir := ownRules(); dir != "" {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		for _, ext := range []string{".yaml", ".yml"} {
			file := filepath.Join(dir, id+ext)
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if dir == "." {
				return "." + string(filepath.Separator) + file
			}
			return file
		}
	}
	return ""
}

// comesWith reports whether a game or a house rule of this id comes with the
// program: its file is called like it.
func comesWith(id string) bool {
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		if strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)) == id {
			return true
		}
	}
	return false
}

// byName returns the file of one's own that an id means, "" if it means none.
func byName(id string, std streams) string {
	file := ownFile(id)
	if file != "" && comesWith(id) {
		fmt.Fprintf(std.err, "houserules: `%s` is the one that comes with houserules; for your own name the file, `%s`\n", id, file)
		return ""
	}
	return file
}

// ownOf reads the files of one's own that ids mean, where nothing else is known
// of them.
func (s *shelf) ownOf(ids []string, std streams) error {
	for _, id := range ids {
		file := ownFile(id)
		if file == "" || comesWith(id) {
			continue
		}
		if f, err := s.file(file, std); err != nil {
			return err
		} else if f == nil {
			return s.broken(std)
		}
	}
	return nil
}

// ownFiles lists the rule files of one's own with what they are.
func ownFiles() (out []*merge.File) {
	list := ruleFiles(".", false)
	if dir := ownRules(); dir != "" {
		list = append(list, ruleFiles(dir, true)...)
	}
	for _, file := range list {
		b, err := os.ReadFile(file)
		if err != nil || len(b) > maxFile {
			continue
		}
		var ds source.List
		if f := merge.ReadHead(source.NewFile(filepath.ToSlash(file), string(b)), &ds); f != nil && f.ID != "" {
			out = append(out, f)
		}
	}
	return out
}
