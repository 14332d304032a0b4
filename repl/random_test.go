package repl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// TestNumbersAndWordsAreOne plays whole games twice, once by the numbers of
// moves and once by their words, with questions and undo in between.
func TestNumbersAndWordsAreOne(t *testing.T) {
	p := load(t, "zonk", dsl.Options{Usual: true, With: []string{"second-chance"}, Set: map[string]string{"target": "1000"}})
	for seed := range uint64(2) {
		byNumber := playRandomly(t, p, seed, func(k int, o option) string { return fmt.Sprint(k + 1) })
		byWord := playRandomly(t, p, seed, func(_ int, o option) string { return o.text })
		if !reflect.DeepEqual(byNumber, byWord) {
			t.Errorf("seed %d: the games differ", seed)
		}
	}
}

func playRandomly(t *testing.T, p *dsl.Program, seed uint64, say func(int, option) string) []interpreter.Entry {
	t.Helper()
	d := newDesk(t, p, "Ann,bot:random", func(c *Config) { c.Header.Seed = seed })
	d.start()
	r := interpreter.NewRand(seed, 0, 99)
	for n := 0; !d.Over(); n++ {
		k := int(r.Below(uint64(len(d.options))))
		if err := d.OneShot(context.Background(), say(k, d.options[k])); err != nil {
			t.Fatal(err)
		}
		if n%7 == 0 && !d.Over() {
			before := len(d.Match().Journal.Entries)
			d.types("undo")
			d.types("why score")
			d.types("redo")
			if after := len(d.Match().Journal.Entries); after != before {
				t.Fatalf("undo and redo lead from %d to %d entries", before, after)
			}
		}
	}
	return d.Match().Journal.Entries
}

// FuzzLine types anything at all: nothing may panic, and nothing that was not
// understood may change the game.
func FuzzLine(f *testing.F) {
	for _, c := range commands {
		f.Add(c.name)
		f.Add(":" + c.name + " 2")
	}
	for _, s := range []string{"keep 1 5", "keep all", "k none", "keep 3x5", "keep , ,", "0", "-1", "99999999999999999999", "?keep", "? ?", "help help", ":", ": score",
		"why keep", "actions --all", "undo 0", "log x", "keep 1,5", "KEEP 1", "keep 115522", "\x1b[A", "roll\x00", strings.Repeat("keep ", 999)} {
		f.Add(s)
	}
	var p *dsl.Program
	f.Fuzz(func(t *testing.T, line string) {
		if p == nil {
			p = load(t, "zonk", dsl.Options{Usual: true})
		}
		d := newDesk(t, p, "Ann,Bob", func(c *Config) {
			real("6", "4", "1 5 5 2 3 6", "1 1 2 3", "1 1 2 3 3", "1 1 2 3 3")(c)
			c.Worlds = 1
		})
		d.start()
		err := d.OneShot(context.Background(), line)
		var bad *LineError
		if errors.As(err, &bad) {
			if n := len(d.Match().Journal.Entries); n != 3 {
				t.Errorf("%q failed and the journal has %d entries", line, n)
			}
			if d.printed() == "" {
				t.Errorf("%q failed without a word", line)
			}
		}
		d.types("score")
	})
}
