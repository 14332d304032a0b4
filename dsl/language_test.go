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
	want := strings.Fields("table at once on top nobody value face plain wild" +
		" let random throw roll move set score start emit say write mark if for goto again next turn finish" +
		" one some any where int bool seat seats list none all owner others nobody highest lowest true left right variants")
	for _, th := range Lexicon().Things {
		want = append(want, th.Known()...)
	}
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
