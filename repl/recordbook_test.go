package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func book(t *testing.T) *RecordBook {
	t.Helper()
	return &RecordBook{Path: filepath.Join(t.TempDir(), "data", "records.jsonl"),
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func mark(value int64, with ...string) Mark {
	return Mark{Game: "g", Record: "r", Value: value, Better: "highest", Who: "Ann", With: with}
}

func (b *RecordBook) must(t *testing.T, marks ...Mark) []Entered {
	t.Helper()
	in, _, err := b.Enter(marks)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestRecordBook(t *testing.T) {
	b := book(t)
	low := mark(7)
	low.Record, low.Better = "low", "lowest"
	if in := b.must(t, mark(5), mark(9), mark(9), low); len(in) != 2 || in[0].Mark.Value != 9 || in[0].Before != nil {
		t.Errorf("%+v", in)
	}
	other := mark(3)
	other.Set = map[string]string{"goal": "5"}
	shelf := mark(2)
	shelf.Shelf = "s"
	if in := b.must(t, mark(9), mark(8), mark(1, "v"), other, shelf, low); len(in) != 3 { // equal is not better
		t.Errorf("%+v", in)
	}
	low.Value = 6
	if in := b.must(t, mark(10), low); len(in) != 2 || in[0].Before.Value != 9 || in[1].Before.Value != 7 {
		t.Errorf("%+v", in)
	}
	marks, warning, err := b.Marks()
	if err != nil || warning != "" || len(marks) != 5 || marks[0].When.Year() != 2026 {
		t.Error(err, warning, marks)
	}
	info, err := os.Stat(b.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
}

func TestDamagedRecords(t *testing.T) {
	b := book(t)
	b.must(t, mark(5))
	text, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	later := `{"houserules_record":2,"game":"g"}`
	if err := os.WriteFile(b.Path, []byte("\x00\xff\n"+string(text)+later+"\n[]\n\n"+`{"houserules_rec`), 0o600); err != nil {
		t.Fatal(err)
	}
	in, warning, err := b.Enter([]Mark{mark(6)})
	if err != nil || len(in) != 1 || in[0].Before == nil || !strings.Contains(warning, "line 1 of `") || !strings.Contains(warning, "3 more") {
		t.Error(err, in, warning)
	}
	for n := range int64(maxBeaten + 5) { // until it is written anew
		b.must(t, mark(7+n))
	}
	text, err = os.ReadFile(b.Path)
	if err != nil || strings.Count(string(text), "\n") > 100 || !strings.Contains(string(text), later+"\n") {
		t.Error(err, string(text))
	}
	if marks, _, err := b.Marks(); err != nil || len(marks) != 1 || marks[0].Value != 6+maxBeaten+5 {
		t.Error(err, marks)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(b.Path), "*"))
	if err != nil || len(left) != 2 {
		t.Error(err, left)
	}
	if info, err := os.Stat(b.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
}

func TestRecordsAtOnce(t *testing.T) {
	b := book(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range 40 {
				if _, _, err := b.Enter([]Mark{mark(int64(n), fmt.Sprint("v", i)), mark(int64(8*n + i))}); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	marks, warning, err := b.Marks()
	if err != nil || warning != "" || len(marks) != 9 {
		t.Fatal(err, warning, marks)
	}
	for _, m := range marks {
		if want := int64(39); len(m.With) > 0 && m.Value != want || len(m.With) == 0 && m.Value != 8*39+7 {
			t.Errorf("%+v", m)
		}
	}
}

func TestRecordsCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	full := book(t)
	if err := os.MkdirAll(full.Path, 0o700); err != nil { // a folder where the file would be
		t.Fatal(err)
	}
	for _, b := range []*RecordBook{{Path: filepath.Join(file, "records.jsonl")}, full} {
		d := daring(t, "Ann,Bob", func(c *Config) { c.Records, c.Header.Set = b, map[string]string{"goal": "1"} })
		d.start()
		if got := d.types("roll"); !strings.Contains(got, " wins\n") || !strings.Contains(got, "the records cannot be kept: ") {
			t.Error(got)
		}
	}
}

func TestEnterRecords(t *testing.T) {
	b := book(t)
	game := func(players string, change func(*Config), lines ...string) string {
		d := daring(t, players, func(c *Config) {
			c.Records, c.Header.Set = b, map[string]string{"goal": "4"}
			if change != nil {
				change(c)
			}
		})
		out := d.start()
		for _, l := range lines {
			out += d.types(l)
		}
		return out
	}
	if got := game("Ann", real("3", "5"), "roll"); !strings.Contains(got, "record: The Hall of Dares, A small score: Ann 5, the first\n") || !strings.Contains(got, "the game is over\n") {
		t.Error(got)
	}
	if got := game("Bob", real("3", "5"), "roll"); strings.Contains(got, "record:") {
		t.Error(got)
	}
	if got := game("Cat", real("3", "6"), "roll"); !strings.Contains(got, "record: The Hall of Dares, A small score: Cat 6, better than 5 (Ann)\n") {
		t.Error(got)
	}
	if got := game("Cat", func(c *Config) { real("3", "6")(c); c.Header.With = []string{"double"} }, "roll"); !strings.Contains(got, "A large score: Cat 12, the first") {
		t.Error(got)
	}
	if got := game("bot:random", real("3", "1", "1", "1", "1", "2", "4")); strings.Contains(got, "record:") {
		t.Error(got)
	}
	// What was seen before it was taken back does not count.
	if got := game("Dan", func(c *Config) { real("3", "2", "6", "6")(c); c.Header.With = []string{"halve"} }, "roll", "undo", "roll", "roll"); strings.Contains(got, "record:") || !strings.Contains(got, "taken back past a throw") {
		t.Error(got)
	}
	marks, _, err := b.Marks()
	if err != nil || len(marks) != 2 || !marks[0].RealDice || marks[0].Set["goal"] != "4" || marks[0].Seed != 0 {
		t.Error(err, marks)
	}
	// A result that stands in the records is not taken back, a game that is
	// played again adds nothing.
	d := daring(t, "Eve", func(c *Config) { c.Records, c.Another = b, true; real("3", "6", "6")(c); c.Header.Set = nil })
	d.start()
	d.types("none")
	d.types("roll")
	if got := d.types("roll") + d.types("undo"); !strings.Contains(got, "Eve 12, the first") || !strings.Contains(got, "stands in the records") {
		t.Error(got)
	}
	before, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	empty := book(t)
	again := daring(t, "Eve", func(c *Config) { c.Records, c.Header, c.Parts = empty, d.Journals()[0].Header, d.Journals() })
	again.start()
	if _, err := os.Stat(empty.Path); !os.IsNotExist(err) || len(before) == 0 {
		t.Error(err)
	}
}
