package dsl

import (
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func TestNothingPanics(t *testing.T) {
	lines := strings.SplitAfter(pig, "\n")
	for i := range lines { // every line left out, cut short and doubled
		rest := strings.Join(lines[i+1:], "")
		before := strings.Join(lines[:i], "")
		loadTexts(t, Options{}, before+rest)
		loadTexts(t, Options{}, before+lines[i][:len(lines[i])/2]+"\n"+rest)
		loadTexts(t, Options{}, before+lines[i]+lines[i]+rest)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(pig, chance)
	f.Add(pig, variant("x", "adjust: {thrown: it + 1}\nforbid: {hold: {when: over, because: no}}\n"))
	f.Fuzz(func(t *testing.T, game, other string) {
		lib := NewLibrary()
		var ds source.List
		g := lib.Add(source.NewFile("game.yaml", game), &ds)
		v := lib.Add(source.NewFile("variant.yaml", other), &ds)
		if g == nil || v == nil {
			return
		}
		if p, found := Load(lib, g.ID, Options{With: []string{v.ID}}); p == nil && !found.HasErrors() {
			t.Error("no program and no error")
		}
	})
}

// TestShuffledWords swaps words of the files for each other: what comes out is
// mostly nonsense in good YAML, which nothing may choke on.
func TestShuffledWords(t *testing.T) {
	rounds := 300
	if s := os.Getenv("SHUFFLES"); s != "" {
		rounds, _ = strconv.Atoi(s)
	}
	words := regexp.MustCompile(`[a-z_]+|[0-9]+|[-+*/=<>.]+`)
	vocabulary := append(words.FindAllString(pig, -1), words.FindAllString(chance, -1)...)
	rnd := rand.New(rand.NewPCG(1, 2))
	shuffle := func(text string) string {
		all := words.FindAllStringIndex(text, -1)
		for n := 1 + rnd.IntN(4); n > 0; n-- {
			at := all[4+rnd.IntN(len(all)-4)]
			if at[1] > len(text) {
				continue
			}
			text = text[:at[0]] + vocabulary[rnd.IntN(len(vocabulary))] + text[at[1]:]
		}
		return text
	}
	for range rounds {
		game, other := shuffle(pig), chance
		if rnd.IntN(2) == 0 {
			other = shuffle(chance)
		}
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("%v\n%s\n%s\n%s", r, debug.Stack(), game, other)
				}
			}()
			loadTexts(t, Options{}, game, other)
		}()
	}
}
