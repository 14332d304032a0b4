package repl

import (
	"context"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// cardDesk is a session of one game of cards, with hands as in transcripts.
func cardDesk(t *testing.T, opt dsl.Options, players, hands string, change func(*Config)) *desk {
	t.Helper()
	opt.Usual = true
	var d *desk
	r := &transcriptRun{dice: items(hands)}
	d = newDesk(t, load(t, "skull-king", opt), players, func(c *Config) {
		c.Header.RealDice, c.Luck = true, r.luck
		if change != nil {
			change(c)
		}
	})
	r.s = d.Session
	return d
}

func lacks(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(got, text) {
			t.Errorf("%q in:\n%s", text, got)
		}
	}
}

var twoCards = dsl.Options{Set: map[string]string{"hand_sizes": "[2]", "tiebreak": "shared"}}

// Before a question stands what the seat sees, in the order of the family.
func TestSight(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", nil)
	got := d.start()
	contains(t, got, "--- it is Ann's turn: nobody else looks now ---\nhand: G1 SK  (Bob 2, Cat 2)\nAnn: How many tricks do you bid?")
	lacks(t, got, "G9", "Y2")
	got = d.types("hand")
	contains(t, got, "hand: G1 SK\n", "Bob's hand: 2, unseen", "deck: 64, unseen", "trick: none")
	contains(t, d.types("bid 1"), "Ann has answered", "hand: G9 TI  (Ann 2, Cat 2)")
	d.types("bid 1")
	d.types("bid 0")
	contains(t, d.types("play TI escape"), "trick: TI by Bob as Escape\nhand: Y1 Y2  (Ann 2, Bob 1)")
	contains(t, d.types("play Y2"), "trick: TI by Bob as Escape, Y2 by Cat\n")
	contains(t, d.types("hand x"), "`hand` takes nothing")
	contains(t, d.types("? es"), "ES (one of the cards): Escape")
}

// A single person against bots is never covered, and reads of them what is open.
func TestNoCoverAgainstBots(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob=bot:random,Cat=bot:random", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", func(c *Config) { c.Clear = true })
	got := d.start() + d.types("bid 1") + d.types("log")
	lacks(t, got, "turn: ", clearScreen, "Bob: bid", "Cat: bid")
	contains(t, got, "hand: G1 SK  (Bob 2, Cat 2)", "Bob bids ", "Bob: play ", "Bob has answered")
}

// A line that has no room for the prompt of a cover has a short one, with all
// else above it.
func TestCoverOnANarrowTerminal(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat=bot:random", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", func(c *Config) { c.Clear, c.Width = true, 40 })
	contains(t, d.start(), "it is Ann's turn: nobody else looks now")
	if p := d.Prompt(); p != "Ann: press Enter. " {
		t.Errorf("prompt %q", p)
	}
}

// On a terminal the screen is cleared and waits; nothing but Enter, undo and
// quit does anything then.
func TestCover(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat=bot:random", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", func(c *Config) { c.Clear = true })
	got := d.start()
	lacks(t, got, "hand:", clearScreen)
	contains(t, got, "Round 1, cards: 2")
	if p := d.Prompt(); p != "Ann, it is your turn: press Enter when nobody else looks. " {
		t.Errorf("prompt %q", p)
	}
	contains(t, d.types("hand"), "press Enter first")
	contains(t, d.types("1"), "press Enter first")
	if w := d.Completions("b"); len(w) > 0 {
		t.Errorf("completions %q", w)
	}
	contains(t, d.types(""), "hand: G1 SK")
	if p := d.Prompt(); p != "Ann> " {
		t.Errorf("prompt %q", p)
	}
	got = d.types("bid 1")
	if !strings.HasSuffix(got, clearScreen) {
		t.Errorf("the screen is not cleared last: %q", got)
	}
	got = d.types("")
	if !strings.HasPrefix(got, clearScreen) {
		t.Errorf("the screen is not cleared: %q", got)
	}
	contains(t, got, "Ann has answered", "hand: G9 TI")
	lacks(t, got, "bid 1\nAnn", "Ann: bid")
	got = d.types("bid 0")
	lacks(t, got, clearScreen) // Bob leads: he goes on
	contains(t, got, "Ann bids 1.", "Bob: Which card do you play?")
	if got = d.types("quit"); !strings.HasPrefix(got, clearScreen) {
		t.Errorf("what Bob saw stays: %q", got)
	}
}

// What happened since somebody looked last stands behind the cover.
func TestCatchUp(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", func(c *Config) { c.Clear = true })
	d.start()
	for _, line := range []string{"", "bid 1", "", "bid 0", "", "bid 0", "", "play G9", "", "play Y1"} {
		d.types(line)
	}
	got := d.types("")
	contains(t, got, "Cat bids 0.", "Bob: play G9", "Cat: play Y1", "trick: G9 by Bob, Y1 by Cat", "hand: G1 SK")
	lacks(t, got, "has answered", "Y2", "TI")
}

// An answer that is hidden can be taken back by whoever gave it, before anybody
// else looks.
func TestUndoOfAnAnswer(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", func(c *Config) { c.Clear = true })
	d.start()
	d.types("")
	d.types("bid 1")
	got := d.types("undo")
	contains(t, got, "taken back: Ann's answer")
	lacks(t, got, "bid 1")
	if p := d.Prompt(); !strings.HasPrefix(p, "Ann, it is your turn") {
		t.Errorf("prompt %q", p)
	}
	contains(t, d.types(""), "taken back: bid 1", "hand: G1 SK")
	d.types("bid 2")
	d.types("")
	contains(t, d.types("undo"), "only Ann can take that back")
	d.types("bid 0")
	d.types("")
	d.types("bid 0")
	contains(t, d.types("undo"), "that cannot be taken back: something was dealt or shown since")
	if n := len(d.Match().Journal.Entries); n != 9 { // six cards, three bids
		t.Errorf("%d entries", n)
	}
}

// Answers that the rules do not tell of by themselves are told in one line.
func TestAnswersAreToldOnce(t *testing.T) {
	opt := dsl.Options{With: []string{"rascals-bet"}, Set: map[string]string{"hand_sizes": "[2]"}}
	d := cardDesk(t, opt, "Ann,Bob", "Ann: SK G1, Bob: TI G9, Graybeard: Y2 Y1", nil)
	d.start()
	d.types("bid 1")
	got := d.types("bid 1")
	if n := strings.Count(got, "Ann bids 1."); n != 1 || strings.Contains(got, "Ann: bid 1") {
		t.Errorf("the bids are told twice: %q", got)
	}
	d.types("bet 10")
	contains(t, d.types("bet 20"), "Ann: bet 10; Bob: bet 20\nbid: 1, 1;")
}

func TestFix(t *testing.T) {
	d := newDesk(t, load(t, "skull-king-score", dsl.Options{Set: map[string]string{"hand_sizes": "[1, 2]"}}), "Ann,Bob,Cat", nil)
	d.start()
	contains(t, d.types("fix 1 bids 0 0 0"), "there is no move 1")
	for _, line := range []string{"bids 1 0 0", "tricks 1 0 0", "took Ann green_14", "done", "bids 1 0 1"} {
		d.types(line)
	}
	before := len(d.tale.lines)
	contains(t, d.types("fix 2 tricks 0 1 0"), "with that, number 3 no longer fits (took Ann green_14): Ann took no trick (rule has_a_trick); nothing has changed")
	contains(t, d.types("fix 2 tricks 1 1 0"), "no: 2 taken and 0 lost, but 1 were played (rule add_up); nothing has changed")
	contains(t, d.types("fix 2 nonsense"), "nothing has changed")
	if len(d.tale.lines) != before || len(d.Match().Journal.Entries) != 5 {
		t.Error("something has changed")
	}
	contains(t, d.types("fix #3 took Ann black_14"), "number 3 was took Ann green_14, and is now took Ann black_14", "totals: Ann 40, Bob 10, Cat 10")
	contains(t, d.types("log 60"), "#1 table: bids 1 0 0", "~ table: took Ann green_14", "#3 table: took Ann black_14", "#5 table: bids 1 0 1")
	if e := d.Match().Journal.Entries; len(e) != 5 || e[2].Move != "took Ann black_14" {
		t.Errorf("entries %v", e)
	}
	contains(t, d.types("undo"), "taken back: bids 1 0 1")
	contains(t, d.types("undo"), "taken back: done")
	contains(t, d.types("log 60"), "~ table: bids 1 0 1", "#3 table: took Ann black_14")
	d.types("redo")
	contains(t, d.types("redo"), "done again: bids 1 0 1")
	d.types("tricks 1 0 1")
	d.types("done")
	if !d.Over() {
		t.Fatal("the game goes on")
	}
	contains(t, d.types("fix 3 took Ann green_14"), "Ann wins", "totals: Ann 50")
}

// A move of an open game can be mended too, as far as what came after it fits;
// one that hides something cannot be.
func TestFixElsewhere(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", real("6", "5"))
	d.start()
	d.types("hold")
	contains(t, d.types("fix 1 hold"), "number 1 is no move")
	contains(t, d.types("fix 2 roll"), "number 2 was hold, and is now roll", "11 points this turn")
	c := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", nil)
	c.start()
	contains(t, c.types("fix 1 bid 0"), "nothing can be mended: the game hides something")
}

func TestTableQuestions(t *testing.T) {
	d := newDesk(t, load(t, "skull-king-score", dsl.Options{}), "Ann,Bob,Cat", nil)
	got := d.start()
	contains(t, got, "1 bids N N N, for Ann, Bob, Cat (0 to 1)", "2 bid BIDDER TRICKS, as in bid Ann 0")
	lacks(t, got, "Ann:", "---")
	if p := d.Prompt(); p != "table> " {
		t.Errorf("prompt %q", p)
	}
	contains(t, d.types("1"), "type it: bids N N N, for Ann, Bob, Cat (0 to 1)")
	contains(t, d.types("bids 1 1"), "`bids` wants 3 values, for Ann, Bob, Cat, and 2 were given")
	contains(t, d.types("bids 1 1 0"), "Ann bids 1.", "1 tricks N N N [LOST], for Ann, Bob, Cat (0 to 1)")
	d.types("tricks 1 0 0")
	got = d.types("actions")
	contains(t, got, "3 done", "  took Ann green_14\n", "  ...\n")
	if n := strings.Count(got, "\n"); n > 45 {
		t.Errorf("%d lines of actions", n)
	}
	contains(t, strings.Join(d.Completions("took ann"), "\n"), "took Ann black_14")
	contains(t, d.types("3"), "Ann bid 1, took 1: 20.")
	g := d.Match().Game()
	if msg := Seatable(g, []Player{{Name: "Ann"}, {Name: "Rob", Bot: "random"}}); !strings.Contains(msg, "no bot can tell") {
		t.Errorf("bots: %q", msg)
	}
	if msg := Seatable(g, []Player{{Name: "Ann"}, {Name: "Bob"}}); msg != "" {
		t.Errorf("people: %q", msg)
	}
}

// A game that is gone on with shows nobody what that seat may not see.
func TestResumeBehindCover(t *testing.T) {
	d := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", nil)
	d.start()
	d.types("bid 1")
	p := load(t, "skull-king", dsl.Options{Usual: true, Set: twoCards.Set})
	again := newDesk(t, p, "Ann,Bob,Cat", func(c *Config) {
		c.Header, c.Parts = d.Match().Journal.Header, []*interpreter.Journal{d.Match().Journal}
	})
	got := again.start()
	contains(t, got, "--- it is Bob's turn", "Ann has answered", "hand: G9 TI")
	lacks(t, got, "bid 1\nAnn", "Ann: bid", "G1", "SK", "Y2")
	got = again.types("log")
	lacks(t, got, "Ann: bid", "SK")
}

// A replay shows what is open, and all of it only if that is asked for.
func TestWatching(t *testing.T) {
	d := cardDesk(t, dsl.Options{With: []string{"pirate-powers"}, Set: twoCards.Set}, "Ann,Bob,Cat",
		"Ann: G1 G2, Bob: PI:bendt G9, Cat: G3 G4, Bob: B1 B2", nil)
	d.start()
	for _, line := range []string{"bid 0", "bid 1", "bid 0", "play PI:bendt", "play G3", "play G1", "throw away B1 B2"} {
		if err := d.OneShot(context.Background(), line); err != nil {
			t.Fatal(line, err)
		}
	}
	watch := func(open bool) string {
		w := newDesk(t, d.Match().Game().Program(), "Ann,Bob,Cat", func(c *Config) {
			c.Header, c.Watch, c.Open = d.Match().Journal.Header, true, open
		})
		got := w.start()
		if err := w.Feed(context.Background(), []*interpreter.Journal{d.Match().Journal}); err != nil {
			t.Fatal(err)
		}
		return got + w.printed()
	}
	got := watch(false)
	contains(t, got, "Ann has answered", "Bob: throw away 2 unseen cards", "Bob: play PI:bendt")
	lacks(t, got, "B1", "Ann: bid 0")
	contains(t, watch(true), "Ann: bid 0", "Bob: throw away B1 B2")
}

// A hint knows what its seat knows: it is the same whatever lies in hands that
// the seat does not see, and whatever others have answered in secret.
func TestHintKnowsNoMore(t *testing.T) {
	hint := func(hands, bid string) string {
		d := cardDesk(t, twoCards, "Ann,Bob,Cat", hands, func(c *Config) { c.Worlds = 60 })
		d.start()
		d.types(bid)
		return d.types("hint")
	}
	one := hint("Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", "bid 2")
	contains(t, one, "each move in 60 games played on at random, what is hidden dealt anew:", "  bid ", "by ")
	if two := hint("Ann: Y2 Y1, Bob: TI G9, Cat: SK G1", "bid 0"); one != two {
		t.Errorf("with other cards elsewhere the hint is another one:\n%s\n%s", one, two)
	}
	d := cardDesk(t, twoCards, "Ann,Bob,Cat", "Ann: SK G1, Bob: TI G9, Cat: Y2 Y1", nil)
	d.start()
	for _, line := range []string{"bid 1", "bid 0", "bid 0"} {
		d.types(line)
	}
	before := len(d.Match().Journal.Entries)
	contains(t, d.types("hint"), "play TI escape")
	if len(d.Match().Journal.Entries) != before {
		t.Error("a hint has moved")
	}
	pad := newDesk(t, load(t, "skull-king-score", dsl.Options{}), "Ann,Bob,Cat", nil)
	pad.start()
	contains(t, pad.types("hint"), "no hint can be given here")
}
