package scores

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houserules/houserules/repl/scorepad"
)

func book(t *testing.T) *Book {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a ? # % folder") // what URLs and libraries read otherwise
	return &Book{Path: filepath.Join(dir, "scores.db"), Old: filepath.Join(dir, "records.jsonl"), Wait: 20 * time.Second,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func mark(value int64, with ...string) Mark {
	return Mark{Game: "g", Record: "r", Value: value, Better: "highest", Who: "Ann", With: with}
}

func game(evening string, number int) *Game {
	total := int64(-7)
	return &Game{Evening: evening, Number: number, Game: "g", Title: "G", Ended: time.Date(2026, 1, 2, 3, 4, number, 0, time.UTC), Rules: "f", Seed: 1<<64 - 1,
		Journal: fmt.Sprint(evening, number), Seats: []Seat{{Name: "Ann", Total: &total, Place: 1, Won: true}, {Name: "Rob", Kind: "random", Place: 2}},
		Sheet: scorepad.Sheet{Title: "G"}}
}

// keep keeps a game that has so many marks.
func (b *Book) keep(t *testing.T, g *Game, marks ...Mark) ([]Entered, string) {
	t.Helper()
	in, warning, err := b.Keep(g, marks, nil)
	if err != nil {
		t.Fatal(err)
	}
	return in, warning
}

func (b *Book) games(t *testing.T, q Query) []Game {
	t.Helper()
	games, warning, err := b.Games(q)
	if err != nil || warning != "" {
		t.Fatal(err, warning)
	}
	return games
}

func TestKeepAndFind(t *testing.T) {
	b := book(t)
	if games := b.games(t, Query{}); len(games) != 0 || exists(b.Path) {
		t.Error("looking has made a file")
	}
	first := game("e", 1)
	first.With, first.Set, first.Undone = []string{"v"}, map[string]string{"goal": "5"}, true
	b.keep(t, first)
	other := game("f", 1)
	other.Game, other.RealDice, other.Seats[0].Name = "h", true, "Zoë"
	b.keep(t, other)
	b.keep(t, game("e", 2))
	games := b.games(t, Query{})
	if len(games) != 3 || games[0].Number != 2 || len(games[0].Seats) != 2 {
		t.Fatalf("%+v", games)
	}
	got := b.games(t, Query{ID: first.ID})[0]
	if !got.Undone || got.Edited || got.Seed != 1<<64-1 || got.With[0] != "v" || got.Set["goal"] != "5" || *got.Seats[0].Total != -7 || got.Seats[1].Total != nil ||
		got.Seats[1].Kind != "random" || !got.Seats[0].Won || !got.Ended.Equal(first.Ended) || got.Sheet.Title != "G" {
		t.Errorf("%+v", got)
	}
	for _, q := range []struct {
		Query
		n int
	}{{Query{Game: "g"}, 2}, {Query{Game: "x"}, 0}, {Query{Player: "ann"}, 2}, {Query{Player: "Rob"}, 0}, {Query{Player: "Zoë", Game: "h"}, 1}, {Query{ID: 99}, 0}, {Query{Player: "' OR 1=1 --"}, 0}} {
		if n := len(b.games(t, q.Query)); n != q.n {
			t.Errorf("%+v: %d", q.Query, n)
		}
	}
	// A game that ends a second time, after a move was taken back, is one game.
	again := game("e", 2)
	again.Seats[0].Won = false
	b.keep(t, again)
	if games := b.games(t, Query{Game: "g"}); len(games) != 2 || games[0].Seats[0].Won {
		t.Errorf("%+v", games)
	}
	// A game that goes on from a journal belongs to the evening of the one before.
	later := game("other", 3)
	if _, _, err := b.Keep(later, nil, []string{"unknown", "e2"}); err != nil || later.Evening != "e" {
		t.Error(err, later.Evening)
	}
	if info, err := os.Stat(b.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
}

func TestMarks(t *testing.T) {
	b := book(t)
	low := mark(7)
	low.Record, low.Better = "low", "lowest"
	if in, _ := b.keep(t, game("e", 1), mark(5), mark(9), mark(9), low); len(in) != 2 || in[0].Mark.Value != 9 || in[0].Before != nil {
		t.Errorf("%+v", in)
	}
	other := mark(3)
	other.Set = map[string]string{"goal": "5"}
	shelf := mark(2)
	shelf.Shelf = "s"
	if in, _ := b.keep(t, game("e", 2), mark(9), mark(8), mark(1, "v"), other, shelf, low); len(in) != 3 { // equal is not better
		t.Errorf("%+v", in)
	}
	low.Value = 6
	if in, _ := b.keep(t, game("e", 3), mark(10), low); len(in) != 2 || in[0].Before.Value != 9 || in[1].Before.Value != 7 {
		t.Errorf("%+v", in)
	}
	marks, warning, err := b.Marks()
	if err != nil || warning != "" || len(marks) != 5 || marks[0].When.Year() != 2026 {
		t.Error(err, warning, marks)
	}
}

// TestTakesOver: the file of earlier versions goes into a new database, once, and
// stays as it is.
func TestTakesOver(t *testing.T) {
	b := book(t)
	if err := os.MkdirAll(filepath.Dir(b.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	old := `{"houserules_record":1,"game":"g","record":"r","value":9,"better":"highest","who":"Eve","when":"2025-01-02T03:04:05Z","rules":"x"}` + "\n" +
		`{"houserules_record":1,"game":"g","record":"r","value":12,"better":"highest","who":"Dan","when":"2025-02-02T03:04:05Z","rules":"x"}` + "\nnonsense\n"
	if err := os.WriteFile(b.Old, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	marks, warning, err := b.Marks()
	if err != nil || len(marks) != 1 || marks[0].Who != "Dan" || marks[0].When.Year() != 2025 || !strings.Contains(warning, "from line 3 on") {
		t.Error(err, warning, marks)
	}
	if in, warning := b.keep(t, game("e", 1), mark(13)); len(in) != 1 || in[0].Before.Value != 12 || warning != "" {
		t.Error(in, warning)
	}
	if marks, _, err := b.Marks(); err != nil || marks[0].Value != 13 {
		t.Error(err, marks)
	}
	if text, err := os.ReadFile(b.Old); err != nil || string(text) != old {
		t.Error(err, string(text))
	}
}

// TestDamaged: a damaged file is put aside, whole, and a new one is begun; whoever
// only reads is told, and changes nothing.
func TestDamaged(t *testing.T) {
	filled := func(b *Book) []byte {
		for i := range 40 {
			b.keep(t, game("e", i+1), mark(int64(i)))
		}
		text, err := os.ReadFile(b.Path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	foreign := func(b *Book) []byte {
		db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db"))
		if err != nil {
			t.Fatal(err)
		}
		path := ""
		if _, err := db.Exec("CREATE TABLE games (x); INSERT INTO games VALUES (1)"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.QueryRow("SELECT file FROM pragma_database_list").Scan(&path), db.Close(), os.MkdirAll(filepath.Dir(b.Path), 0o700)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, make := range map[string]func(b *Book) []byte{
		"text":    func(b *Book) []byte { return []byte(strings.Repeat("this is no database. ", 500)) },
		"cut":     func(b *Book) []byte { text := filled(b); return text[:len(text)/2+100] },
		"zeroes":  func(b *Book) []byte { text := filled(b); clear(text[4096:]); return text },
		"foreign": foreign,
	} {
		t.Run(name, func(t *testing.T) {
			b := book(t)
			text := make(b)
			if err := errors.Join(os.MkdirAll(filepath.Dir(b.Path), 0o700), os.WriteFile(b.Path, text, 0o600)); err != nil {
				t.Fatal(err)
			}
			if games, _, err := b.Games(Query{}); name != "cut" && (err == nil || len(games) > 0 || !strings.Contains(err.Error(), "puts it aside")) {
				t.Error(err, games)
			}
			if now, err := os.ReadFile(b.Path); err != nil || string(now) != string(text) {
				t.Error("reading has changed it", err)
			}
			in, warning, err := b.Keep(game("new", 1), []Mark{mark(3)}, nil)
			if err != nil || len(in) != 1 || !strings.Contains(warning, "it is kept as `") {
				t.Fatal(err, in, warning)
			}
			aside, err := filepath.Glob(filepath.Join(strings.ReplaceAll(filepath.Dir(b.Path), "?", "[?]"), "*.damaged-20260102-030405"))
			if err != nil || len(aside) != 1 {
				t.Fatal(err, aside)
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != string(text) {
				t.Error("what was put aside is not what was there", err)
			}
			if games := b.games(t, Query{}); len(games) != 1 || games[0].Evening != "new" {
				t.Errorf("%+v", games)
			}
		})
	}
}

func TestLaterVersion(t *testing.T) {
	b := book(t)
	b.keep(t, game("e", 1))
	db, _, err := b.open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil || db.Close() != nil {
		t.Fatal(err)
	}
	_, _, err = b.Keep(game("e", 2), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "a later version of houserules") {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(strings.ReplaceAll(filepath.Dir(b.Path), "?", "[?]"), "*damaged*")); err != nil || len(left) != 0 {
		t.Error(err, left)
	}
}

// TestCannotBeKept: every trouble is one sentence for people.
func TestCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	held := book(t)
	held.Wait = 50 * time.Millisecond
	held.keep(t, game("e", 1))
	db, _, err := held.open()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin() // immediate: it may write
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, tt := range []struct {
		b    *Book
		want string
	}{
		{&Book{Path: filepath.Join(file, "scores.db")}, "not a directory"},
		{&Book{Path: filepath.Join(dir, "folder")}, "cannot be opened"},
		{held, "another program holds"},
	} {
		_, _, err := tt.b.Keep(game("e", 2), nil, nil)
		var own *Trouble
		if !errors.As(err, &own) || !strings.Contains(err.Error(), tt.want) || strings.Contains(strings.ToLower(err.Error()), "sqlite") {
			t.Errorf("%s: %v", tt.want, err)
		}
	}
	if games := held.games(t, Query{}); len(games) != 1 { // whoever reads does not wait for one who may write
		t.Errorf("%+v", games)
	}
}

// TestAtOnce: several programs keep games at once, and nothing is lost.
func TestAtOnce(t *testing.T) {
	if path := os.Getenv("SCORES_TEST_BOOK"); path != "" {
		b := &Book{Path: path, Wait: time.Minute}
		for n := range 10 {
			b.keep(t, game(os.Getenv("SCORES_TEST_NAME"), n+1), mark(int64(n), os.Getenv("SCORES_TEST_NAME")), mark(int64(n)))
		}
		return
	}
	b := book(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := exec.Command(exe, "-test.run", "^TestAtOnce$")
			c.Env = append(os.Environ(), "SCORES_TEST_BOOK="+b.Path, fmt.Sprint("SCORES_TEST_NAME=", i))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		}()
	}
	wg.Wait()
	marks, _, err := b.Marks()
	if games := b.games(t, Query{}); err != nil || len(games) != 40 || len(marks) != 5 {
		t.Error(err, len(games), len(marks))
	}
	for _, m := range marks {
		if m.Value != 9 {
			t.Errorf("%+v", m)
		}
	}
}
