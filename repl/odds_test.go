package repl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// Odds of dice are those of the textbook: a one with one die is 1 of 6, two dice
// without a one or a five are 16 of 36.
func TestOddsAreExact(t *testing.T) {
	d := newDesk(t, load(t, "pig", dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.Seed = 5 })
	d.start()
	contains(t, d.types("odds"), "roll (exact, 6 cases)", "lost             16.67 %", "nothing is left to chance: hold")
	// she has 6; a 1 costs all, else 2 to 6 come to it: (8+9+10+11+12)/6
	contains(t, d.types("odds turn.points"), "8.33 on average", "0   16.67 %")
	contains(t, d.types("odds turn.poins"), "<input>:1:11")
	f := newDesk(t, load(t, "farkle", dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.Seed = 5 })
	f.start()
	f.types("keep 5 6 6 6")
	contains(t, f.types("odds"), "roll (exact, 36 cases)", "Farkle           44.44 %")
}

// A move after which there is only one thing to do is told with the throw that
// this leads to: one die is a Zonk but for 1 and 5, 4 of 6; of the 1296 throws of
// four dice 204 have neither, nor three of a kind.
func TestOddsGoOnWhereNobodyIsAsked(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{Usual: true}), "Ann,bot:greedy", func(c *Config) { c.Header.Seed = 9 })
	d.start()
	contains(t, d.types("odds"), "keep 1 2 3 4 5 (exact, 6 cases)\n  Zonk             66.67 %", "keep 1 5 (exact, 1296 cases)", "15.74 %")
}

// Moves of which nothing comes that has a name are told in one line.
func TestOddsOfNoNote(t *testing.T) {
	d := newDesk(t, load(t, "yacht", dsl.Options{}), "Ann,Bob", func(c *Config) { c.Header.Seed = 9 })
	d.start()
	got := d.types("odds")
	contains(t, got, "nothing of note comes of: reroll ")
	lacks(t, got, "100 %")
}

// Chances say nothing of what is hidden from the seat: they are the same in
// whichever of the worlds that it may be in the game is.
func TestOddsPeekNowhere(t *testing.T) {
	p := load(t, "skull-king", dsl.Options{})
	d := newDesk(t, p, "Ann,Bob,Cat", func(c *Config) { c.Header.Seed = 5 })
	d.start()
	if d.looker != 0 {
		t.Fatal("Ann does not look")
	}
	first := d.types("odds Bob.hand")
	for seed := range uint64(2) {
		c := d.match.Machine.Clone()
		r := interpreter.NewRand(seed, 0, 1)
		c.Imagine(d.match.Machine, 0, &r)
		c.Know()
		was := d.match.Machine
		d.match.Machine = c
		if got := d.types("odds Bob.hand"); got != first {
			t.Errorf("in another world:\n%s\nnot\n%s", got, first)
		}
		d.match.Machine = was
	}
	if strings.Contains(first, "100 %") {
		t.Errorf("it knows what Bob holds: %s", first)
	}
}

// The lines of a ledger come to the total, whatever was played.
func TestLedgerAddsUp(t *testing.T) {
	d := newDesk(t, load(t, "zonk", dsl.Options{Usual: true, Set: map[string]string{"target": "3000"}}), "Ann,Bob", nil)
	d.start()
	r := interpreter.NewRand(1, 0, 99)
	for n := 0; !d.Over() && n < 200; n++ {
		d.types(fmt.Sprint(d.options[int(r.Below(uint64(len(d.options))))].number))
	}
	line := regexp.MustCompile(`(?m)^(Ann|Bob)\s+([+-]\d+)\s+= (-?\d+)`)
	sum := map[string]int64{}
	for _, m := range line.FindAllStringSubmatch(d.types("why score --full"), -1) {
		by, _ := strconv.ParseInt(m[2], 10, 64)
		sum[m[1]] += by
		if is, _ := strconv.ParseInt(m[3], 10, 64); is != sum[m[1]] {
			t.Errorf("%q, but the lines come to %d", m[0], sum[m[1]])
		}
	}
	for seat, name := range []string{"Ann", "Bob"} {
		if total, _ := d.match.Total(seat); total != sum[name] {
			t.Errorf("%s has %d, and the ledger %d", name, total, sum[name])
		}
	}
	contains(t, d.types("why score Ann --full"), ".yaml:")
	if got := d.types("why Ann score --full"); strings.Contains(got, "Bob") {
		t.Errorf("of Ann alone: %s", got)
	}
	contains(t, d.types("score --by rule"), "total")
	n := len(d.match.Journal.Entries)
	contains(t, d.types(fmt.Sprintf("why %d", n)), fmt.Sprintf("#%d ", n))
	contains(t, d.types(fmt.Sprintf("why %d", n+1)), fmt.Sprintf("the numbers 1 to %d", n))
}

// State shows what the seat sees, and nothing that it does not.
func TestStateHidesHands(t *testing.T) {
	d := newDesk(t, load(t, "skull-king", dsl.Options{}), "Ann,Bob,Cat", func(c *Config) { c.Header.Seed = 5 })
	d.start()
	for seat, name := range []string{"Ann", "Bob"} {
		for _, z := range d.match.View(seat).Zones {
			if z.Of != seat || !z.Seen || z.Count == 0 || z.Zone.Seen == dsl.SeenAll {
				continue
			}
			got := d.types("state " + name)
			if seen := strings.Contains(got, z.Pieces); seen != (seat == 0) {
				t.Errorf("%s's %s: seen is %v in\n%s", name, z.Zone.Name, seen, got)
			}
		}
	}
	contains(t, d.types("state nothing_such"), "the game keeps nothing under")
}
