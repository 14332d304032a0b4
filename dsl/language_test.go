package dsl

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLanguageIsComplete asks that dsl/LANGUAGE.md mentions, as code, every
// key, function and word that the checker knows. That what it says is true is
// tested in package interpreter, which can play the samples.
func TestLanguageIsComplete(t *testing.T) {
	text, err := os.ReadFile("LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.Join(regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`").FindAllString(string(text), -1), "\n")
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`[A-Za-z_]+`).FindAllString(code, -1) {
		words[w] = true
	}
	want := strings.Fields(exampleKeys + " " + actionKeys + " " + comboKeys + " " + eventKeys +
		" " + kindKeys + " " + attributeKeys + " " + rowKeys +
		" kinds attributes kind marks type tables of given gives take sum rows seats nobody once table deal show on top" +
		" default min max step options" + // of params, families, zones, scopes, state
		" count faces of each seen starts in type start is number" +
		" pays knows wild combos value kept face plain" +
		" enter who actions otherwise then spoils rate" +
		" begin order skip by first total line text that either else people param" +
		" houserules game variant part for extends title about players usual" +
		" params require pieces zones scopes state turns define scorers events phases incidents ending rank sheet" +
		" show invariants book answers examples opening records icon tags shelf value better session variants" +
		" add change adjust remove forbid waive before after with without set needs excludes because offer at top" +
		" let random throw roll move set score start emit say write mark if for goto again next turn finish" +
		" one some any where int bool seat seats list none all owner others nobody highest lowest true left right")
	for _, m := range []map[string]bool{keysOf(functions), keysOf(builtins), keysOf(scorerOps)} {
		for w := range m {
			want = append(want, w)
		}
	}
	for _, w := range want {
		if !words[w] {
			t.Errorf("LANGUAGE.md does not mention `%s`", w)
		}
	}
}

func keysOf[V any](m map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
