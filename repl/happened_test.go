package repl

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// TestTakenBackInJournal plays at random, takes back, does again and mends, and
// goes on from the file at any moment: the game, what may still be done again, and
// the log are the same, and the file only ever grows.
func TestTakenBackInJournal(t *testing.T) {
	free := func(c *Config) { c.Header.Undo = UndoFree }
	games := []func(change func(*Config)) *desk{
		func(change func(*Config)) *desk {
			return newDesk(t, load(t, pig, dsl.Options{}), "Ann,bot:greedy", change)
		},
		func(change func(*Config)) *desk {
			return newDesk(t, load(t, "zonk", dsl.Options{Usual: true, Set: map[string]string{"target": "1000"}}), "Ann,Bob,bot:greedy", change)
		},
		func(change func(*Config)) *desk { return daring(t, "Ann,Bob", change) },
		func(change func(*Config)) *desk {
			return newDesk(t, load(t, "oh-hell", dsl.Options{}), "Ann,Bob,bot:random", change)
		},
	}
	lines, all := 60, ""
	if testing.Short() {
		lines = 30
	}
	for g, sit := range games {
		var file memory
		d := sit(func(c *Config) { free(c); c.Games, c.Journal = 2, NewJournalFile(&file) })
		d.start()
		luck := interpreter.NewRand(5, uint64(g), 77)
		before := ""
		for n := 0; n < lines && !d.Done(); n++ {
			req, err := d.match.Advance()
			if err != nil {
				t.Fatal(err)
			}
			switch k := luck.Below(10); {
			case k < 2:
				d.types(fmt.Sprintf("undo %d", 1+luck.Below(3)))
				if luck.Below(2) == 0 {
					d.types("redo")
				}
			case k == 3 && !d.secret:
				if e := len(d.match.Journal.Entries); e > 0 {
					d.types(fmt.Sprintf("fix %d %s", 1+luck.Below(uint64(e)), []string{"roll", "hold", "bank"}[luck.Below(3)]))
				}
			default:
				_ = d.OneShot(context.Background(), d.match.OptionText(int(luck.Below(uint64(req.N))))) // house rules may exclude each other
			}
			if text := file.String(); !strings.HasPrefix(text, before) {
				t.Fatalf("game %d: the file became\n%s---\nfrom\n%s", g, text, before)
			} else {
				before = text
			}
			if n%5 == 0 {
				goesOnTheSame(t, d, sit, before)
			}
		}
		all += before
	}
	for _, what := range []string{`{"undo":`, `{"redo":`, `"fix":`, `"past_luck":true`} {
		if !strings.Contains(all, what) {
			t.Errorf("there is no %s in\n%s", what, all)
		}
	}
}

// goesOnTheSame goes on from a file and compares.
func goesOnTheSame(t *testing.T, d *desk, sit func(func(*Config)) *desk, text string) {
	t.Helper()
	parts, cut, err := ReadJournals(text)
	if err != nil || cut {
		t.Fatal(err, cut)
	}
	stand, err := interpreter.Standing(parts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var want, got bytes.Buffer
	if err := WriteJournals(&want, d.stands()); err != nil {
		t.Fatal(err)
	}
	if err := WriteJournals(&got, stand); err != nil || got.String() != want.String() {
		t.Fatalf("%v: what stands is\n%s---\nand not\n%s---\nof\n%s", err, got.String(), want.String(), text)
	}
	again := sit(func(c *Config) { c.Header, c.Parts, c.Games = parts[0].Header, parts, d.cfg.Games })
	again.start()
	got.Reset()
	if err := WriteJournals(&got, again.Journals()); err != nil || got.String() != text {
		t.Fatalf("%v: gone on with it is\n%s---\nand not\n%s", err, got.String(), text)
	}
	if !reflect.DeepEqual(again.bots, d.bots) || again.past != d.past || len(again.undone) != len(d.undone) || len(again.points) != len(d.points) {
		t.Fatalf("past %v, %d undone, %d points; not %v, %d, %d\n%s", again.past, len(again.undone), len(again.points), d.past, len(d.undone), len(d.points), text)
	}
	if a, b := strings.Join(again.logLines(), "\n"), strings.Join(d.logLines(), "\n"); a != b && !d.secret {
		t.Fatalf("the log is\n%s\n---\nand not\n%s\n---\n%s", a, b, text)
	}
}

// What is about entries that are not there is found out.
func TestStandingIsHostile(t *testing.T) {
	for _, text := range []string{
		`{"undo":1}`, `{"redo":1}`, `{"seat":"Ann","move":"hold"}` + "\n" + `{"undo":2}`, `{"undo":-1}`, `{"fix":1,"move":"x"}`, `{"fix":-3,"move":"x"}`,
		`{"seat":"Ann","move":"hold"}` + "\n" + `{"undo":1}` + "\n" + `{"redo":2}`,
		`{"seat":"Ann","move":"hold"}` + "\n" + `{"undo":1}` + "\n" + `{"seat":"Ann","move":"hold"}` + "\n" + `{"redo":1}`,
	} {
		head := `{"houserules_journal":1,"game":"pig","players":["Ann","Bob"],"seed":4,"fingerprint":""}` + "\n"
		parts, _, err := ReadJournals(head + text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := interpreter.Standing(parts); err == nil {
			t.Errorf("%s stands", text)
		}
		d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.Seed, c.Parts = 4, parts })
		if err := d.Start(context.Background()); err == nil {
			t.Errorf("%s can be gone on with", text)
		}
	}
}
