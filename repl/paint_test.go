package repl

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
)

// Pieces have the colours that the rules give them, each suit its own, whole words
// alone, and the text without colours is what is printed elsewhere.
func TestPiecesArePainted(t *testing.T) {
	g := newDesk(t, load(t, "hearts", dsl.Options{}), "Ann,Bob,Cat,Dan", nil).cfg.Game
	var b strings.Builder
	w := painting(&b, g)
	text := "Ann: play HQ; SK, CT and xHQ, HQx; your hand: D2 C3 S4\n"
	for _, part := range []string{text[:20], text[20:]} { // between words
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	want := "Ann: play \x1b[91mHQ\x1b[0m; SK, \x1b[92mCT\x1b[0m and xHQ, HQx; your hand: \x1b[94mD2\x1b[0m \x1b[92mC3\x1b[0m S4\n"
	if b.String() != want {
		t.Errorf("%q, wanted %q", b.String(), want)
	}
	if painting(&b, newDesk(t, load(t, "zonk", dsl.Options{}), "Ann,Bob", nil).cfg.Game) != &b {
		t.Error("dice are painted")
	}
}

// Without colours no escape sequence is printed, with them there are some.
func TestColoursOnlyWhereAsked(t *testing.T) {
	for _, on := range []bool{false, true} {
		d := newDesk(t, load(t, "hearts", dsl.Options{}), "Ann,bot:random,bot:random,bot:random", func(c *Config) { c.Color = on })
		text := d.start()
		if got := strings.Contains(text, "\x1b[9"); got != on {
			t.Errorf("colours %v: %.300q", on, text)
		}
	}
}
