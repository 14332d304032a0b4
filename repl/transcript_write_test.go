package repl

import (
	"context"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

// What is written down is a transcript that holds, and is the same each time.
func TestWriteFirstTurn(t *testing.T) {
	for _, game := range []string{"pig", "zonk", "skull-king", "beggar-my-neighbour"} {
		p := load(t, game, dsl.Options{Usual: true})
		for _, seed := range []string{"1", "7", "18446744073709551615"} {
			head := "game: " + game + "\nplayers: [Ann, Bob]\nseed: " + seed + "\n---\n"
			text, err := WriteFirstTurn(context.Background(), head, p)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := WriteFirstTurn(context.Background(), head, p); again != text {
				t.Errorf("%s, seed %s: once\n%s\nand once\n%s", game, seed, text, again)
			}
			var ds source.List
			tr := ReadTranscript(source.NewFile("turn.txt", text), &ds)
			if tr == nil {
				t.Fatal(ds.Err(), text)
			}
			if o := RunTranscript(context.Background(), tr, p, nil); len(o.Failures) > 0 {
				t.Errorf("%s, seed %s: %v\n%s", game, seed, o.Failures, text)
			}
			if typed := strings.Count(text, "\nAnn> ") + strings.Count(text, "\nBob> "); typed == 0 && game != "beggar-my-neighbour" || typed > maxFirstTurn {
				t.Errorf("%s, seed %s: %d lines are typed\n%s", game, seed, typed, text)
			}
		}
	}
	for head, want := range map[string]string{
		"players: [Ann]\n---\n":                "does not say which game",
		"game: pig\nplayers: [Ann]\n---\n":     "player",
		"game: pig\nopening: true\n---\n":      "has no opening",
		"game: pig\nplayers: [Ann, Bob]\n":     "no `---`",
		"game: pig\n---\nAnn? what is this?\n": "no line of a transcript",
	} {
		if _, err := WriteFirstTurn(context.Background(), head, load(t, "pig", dsl.Options{})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", head, err)
		}
	}
}
