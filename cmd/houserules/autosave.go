package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/repl/filelock"
)

// autosave begins the journal of a game that people play and for which nobody
// has named one. Where nothing can be written the game is played without.
func (c *playCommand) autosave(cfg *repl.Config, t *table, std streams) {
	if c.NoJournal || !slices.ContainsFunc(cfg.Players, func(p repl.Player) bool { return p.Bot == "" }) {
		return
	}
	if err := beginSaved(cfg, t, c.Games); err != nil {
		fmt.Fprintf(std.err, "houserules: this game is not saved as it is played: `%s` cannot be used: %v\n", gamesFolder(), cause(err))
	}
}

// beginSaved makes the journal of a new game.
func beginSaved(cfg *repl.Config, t *table, games int) error {
	f, id, err := newSaved(t.prog.Game, savedInfo{Rules: t.lib.named(), Games: games})
	if err != nil {
		return err
	}
	release, err := filelock.Hold(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	cfg.Journal, cfg.Unasked, cfg.Begun = repl.NewJournalFile(f), true, true
	cfg.GoOn = "houserules resume " + id
	cfg.Close = closer(f, release, true)
	t.keep()
	return nil
}

// closer ends the journal of a game that is left.
func closer(f *os.File, release func(), mine bool) func(over bool) {
	return func(over bool) {
		release()
		_ = f.Close() // each entry was written as it was made
		if over && mine {
			finish(f.Name())
		}
		if mine {
			sweep()
		}
	}
}

// named lists the files of one's own that were read, as absolute paths.
func (s *shelf) named() []string {
	var out []string
	for path := range s.read {
		if path != "-" {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// keep keeps the texts of the rules of a table. A journal names those of its
// first part.
func (t *table) keep() {
	p := t.prog
	if p.Opening != nil {
		p = p.Opening
	}
	keepRules(p.Fingerprint, t.prog.Game, t.lib.Library)
}

// A place is where a game that is gone on with has its journal.
type journalPlace struct {
	path string
	id   string // of a game that was saved by itself, or ""
	info savedInfo
}

// called is how a game is spoken of.
func (p *journalPlace) called() string {
	if p.id != "" {
		return "game " + p.id
	}
	return fmt.Sprintf("the game of `%s`", p.path)
}

// savedPlace finds a game that was saved by itself; nil if there is none of that
// id.
func savedPlace(id string) *journalPlace {
	if id == "" || filepath.Base(id) != id || isPath(id) {
		return nil
	}
	for _, dir := range []string{gamesFolder(), finishedFolder()} {
		path := filepath.Join(dir, id+journalExt)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return &journalPlace{path: path, id: id, info: infoOf(path)}
		}
	}
	return nil
}

// An openJournal is a journal that is read and held.
type openJournal struct {
	journalPlace
	parts   []*interpreter.Journal
	text    string
	f       *os.File
	release func()
}

// open opens a journal to go on with it.
func (p journalPlace) open(std streams) (*openJournal, error) {
	f, err := os.OpenFile(p.path, os.O_RDWR, 0)
	if err != nil {
		return nil, failf(exitCannot, "%s", fileTrouble(p.path, err))
	}
	release, err := filelock.Hold(f)
	for end := time.Now().Add(100 * time.Millisecond); err != nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		release, err = filelock.Hold(f) // who lists the games has it for a moment
	}
	if err != nil {
		_ = f.Close()
		return nil, failf(exitCannot, "%s is being played at this moment by another houserules: end it there first", p.called())
	}
	o := &openJournal{journalPlace: p, f: f, release: release}
	b, err := io.ReadAll(io.LimitReader(f, 64*maxFile))
	if err != nil {
		o.close()
		return nil, failf(exitCannot, "%s", fileTrouble(p.path, err))
	}
	if o.parts, err = journalOf(p.path, string(b), std); err != nil {
		o.close()
		return nil, err
	}
	o.text = string(b)
	return o, nil
}

func (o *openJournal) close() { closer(o.f, o.release, false)(false) }

// goOn lets a game go on in its own file.
func (o *openJournal) goOn(cfg *repl.Config) error {
	file, err := repl.ReopenJournalFile(o.f, o.text, o.parts)
	switch {
	case err != nil:
		return failf(exitCannot, "%s", fileTrouble(o.path, err))
	case file == nil:
		return failf(exitCannot, "`%s` is not as houserules writes it, so nothing is added to it; `houserules replay` shows it", o.path)
	}
	cfg.Journal, cfg.Parts, cfg.Begun = file, o.parts, o.id != ""
	cfg.Close = closer(o.f, o.release, o.id != "")
	return nil
}

// openFor readies the game of a journal for `load`.
func (c *playCommand) openFor(now repl.Config, name string, std streams) (*repl.Config, error) {
	place := savedPlace(name)
	if place == nil {
		place = &journalPlace{path: name}
	}
	if strings.HasPrefix(place.path, finishedFolder()) {
		return nil, failf(exitCannot, "game %s is over", name)
	}
	o, err := place.open(std)
	if err != nil {
		return nil, err
	}
	rules := append(slices.Clone(place.info.Rules), c.Rules...)
	cfg, ch, err := tablesOf(o.parts, rules, std)
	if err == nil && ch != nil {
		std.printf("%s was begun under other rules than there are now", o.called())
		ch.tell(std)
		err = failf(exitCannot, "it is not loaded; `houserules resume %s --replay-under-new` goes on with it by the rules as they are now, as far as it fits", quote(name))
	}
	if err == nil {
		err = fits(cfg)
	}
	if err == nil {
		err = o.goOn(&cfg)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	c.goingOn(&cfg, o.journalPlace, c.Rules)
	cfg.Plain, cfg.Quiet, cfg.Color, cfg.Echo, cfg.Clear, cfg.Width, cfg.Another = now.Plain, now.Quiet, now.Color, now.Echo, now.Clear, now.Width, now.Another
	cfg.Create, cfg.OpenJournal, cfg.Scores, cfg.Games = now.Create, now.OpenJournal, now.Scores, max(1, place.info.Games)
	return &cfg, nil
}

// goingOn says how the game can be gone on with when it is left again.
func (c *playCommand) goingOn(cfg *repl.Config, p journalPlace, rules []string) {
	cfg.Rules = rulesFlag(rules)
	if p.id != "" {
		cfg.GoOn, cfg.Rerun = "houserules resume "+p.id, "houserules replay "+p.id
		return
	}
	cfg.Rerun = fmt.Sprintf("houserules replay %s%s", quote(p.path), cfg.Rules)
	cfg.GoOn = fmt.Sprintf("houserules play --resume %s%s", quote(p.path), cfg.Rules)
	if c.Games > 1 {
		cfg.GoOn += fmt.Sprintf(" --games %d", c.Games)
	}
}
