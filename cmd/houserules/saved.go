package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/repl/filelock"
)

// Every game that people play is saved by itself: a journal in a folder of the
// user, and beside it what its journal does not say. The texts of the rules lie
// there too, by fingerprint, so that it can be told what has changed since.

// stateFolder is where games are saved. The environment variable
// HOUSERULES_STATE names another one.
func stateFolder() string {
	if dir := os.Getenv("HOUSERULES_STATE"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.StateHome, "houserules")
}

func gamesFolder() string    { return filepath.Join(stateFolder(), "games") }
func finishedFolder() string { return filepath.Join(gamesFolder(), "finished") }
func rulesFolder() string    { return filepath.Join(stateFolder(), "rules") }

// How many games that are over, games of which nothing was played, and rules are
// kept.
const (
	maxFinished = 20
	maxUnplayed = 20
	maxKept     = 50
)

const journalExt = ".jsonl"

// A saved is a game that was saved by itself.
type saved struct {
	id       string
	path     string
	when     time.Time // of the last move
	finished bool
	parts    []*interpreter.Journal // as they stand
	held     bool                   // it is being played
}

// savedInfo is what a journal does not say.
type savedInfo struct {
	Rules []string `json:"rules,omitempty"` // files of one's own, as absolute paths
	Games int      `json:"games,omitempty"` // in a row
}

func infoPath(path string) string { return strings.TrimSuffix(path, journalExt) + ".json" }

// infoOf reads what is known of a game; what cannot be read is not known.
func infoOf(path string) (info savedInfo) {
	if b, err := os.ReadFile(infoPath(path)); err == nil {
		_ = json.Unmarshal(b, &info)
	}
	return info
}

// newSaved makes the file of a new game, which is held.
func newSaved(game string, info savedInfo) (f *os.File, id string, err error) {
	if err := os.MkdirAll(gamesFolder(), 0o700); err != nil {
		return nil, "", err
	}
	n := 0
	for _, dir := range []string{gamesFolder(), finishedFolder()} {
		for _, path := range filesIn(dir, false, journalExt) {
			rest, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(path), journalExt), game+"-")
			if k, err := strconv.Atoi(rest); ok && err == nil {
				n = max(n, k)
			}
		}
	}
	for ; err == nil && f == nil; n++ {
		id = fmt.Sprintf("%s-%d", game, n+1)
		f, err = os.OpenFile(filepath.Join(gamesFolder(), id+journalExt), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			err = nil
		}
	}
	if err != nil {
		return nil, "", err
	}
	b, err := json.Marshal(info)
	if err == nil {
		err = os.WriteFile(infoPath(f.Name()), append(b, '\n'), 0o600)
	}
	if err != nil {
		return nil, "", errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, id, nil
}

// finish puts a game that is over to the others, of which the last are kept.
// What cannot be moved stays where it is.
func finish(path string) {
	if os.MkdirAll(finishedFolder(), 0o700) != nil {
		return
	}
	_ = os.Remove(infoPath(path))
	_ = os.Rename(path, filepath.Join(finishedFolder(), filepath.Base(path)))
	list, _ := savedIn(finishedFolder())
	for _, g := range list[min(len(list), maxFinished):] {
		_ = os.Remove(g.path)
	}
}

// savedGames lists the games that are saved, those that are not over first, the
// last one of each at the top.
func savedGames() []saved {
	open, _ := savedIn(gamesFolder())
	over, _ := savedIn(finishedFolder())
	for i := range over {
		over[i].finished = true
	}
	return append(open, over...)
}

// savedIn lists the games of a folder, the last at the top, and those of which
// nothing was played.
func savedIn(dir string) (list, unplayed []saved) {
	for _, path := range filesIn(dir, false, journalExt) {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		g := saved{id: strings.TrimSuffix(filepath.Base(path), journalExt), path: path, when: info.ModTime()}
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, 64*maxFile))
		release, busy := filelock.Hold(f)
		if g.held = errors.Is(busy, filelock.ErrHeld); !g.held {
			release()
		}
		_ = f.Close()
		parts, _, rerr := repl.ReadJournals(string(text))
		if errors.Join(err, rerr) == nil {
			g.parts, rerr = interpreter.Standing(parts)
		}
		switch {
		case errors.Join(err, rerr) != nil && len(text) == 0 && !g.held:
			unplayed = append(unplayed, g)
			continue
		case errors.Join(err, rerr) == nil && g.moves() == 0 && !g.held:
			unplayed = append(unplayed, g)
		}
		list = append(list, g)
	}
	byTime := func(a, b saved) int {
		if c := b.when.Compare(a.when); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	}
	slices.SortFunc(list, byTime)
	slices.SortFunc(unplayed, byTime)
	return list, unplayed
}

// sweep takes away old games of which nothing was played.
func sweep() {
	_, unplayed := savedIn(gamesFolder())
	for _, g := range unplayed[min(len(unplayed), maxUnplayed):] {
		_ = os.Remove(g.path)
		_ = os.Remove(infoPath(g.path))
	}
}

// moves counts what was answered.
func (g *saved) moves() int {
	n := 0
	for _, p := range g.parts {
		n += len(p.Entries)
	}
	return n
}

// A keptFile is the text of a rule file.
type keptFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// keepRules keeps the texts of a game for a fingerprint. What cannot be kept is
// missed only when the rules change.
func keepRules(fingerprint, game string, lib *dsl.Library) {
	path := filepath.Join(rulesFolder(), fingerprint+".json")
	now := time.Now()
	if os.Chtimes(path, now, now) == nil || os.MkdirAll(rulesFolder(), 0o700) != nil {
		return
	}
	var files []keptFile
	for _, f := range lib.Sources(game) {
		files = append(files, keptFile{f.Name, f.Text})
	}
	b, err := json.Marshal(files)
	if err != nil || whole(path, b) != nil {
		return
	}
	list := filesIn(rulesFolder(), false, ".json")
	age := func(path string) time.Time {
		info, err := os.Stat(path)
		if err != nil {
			return now
		}
		return info.ModTime()
	}
	slices.SortFunc(list, func(a, b string) int { return age(b).Compare(age(a)) })
	for _, old := range list[min(len(list), maxKept):] {
		_ = os.Remove(old)
	}
}

// whole writes a file so that it is there whole or not at all.
func whole(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // made with 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// keptRules is the library of rules that were kept, nil if they were not.
func keptRules(fingerprint string) *dsl.Library {
	b, err := os.ReadFile(filepath.Join(rulesFolder(), filepath.Base(fingerprint)+".json"))
	var files []keptFile
	if err != nil || json.Unmarshal(b, &files) != nil {
		return nil
	}
	lib := dsl.NewLibrary()
	var ds source.List
	for _, f := range files {
		lib.Add(source.NewFile(f.Name, f.Text), &ds)
	}
	return lib
}

// isFile reports whether there is a file of that name.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
