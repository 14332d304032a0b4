package repl

import (
	"fmt"
	"strings"
	"testing"
)

func TestParsePlayers(t *testing.T) {
	tests := []struct{ in, want, err string }{
		{"Ann,Bob", "[{Ann } {Bob }]", ""},
		{" Ann , bot:random ", "[{Ann } {Random random}]", ""},
		{"bot:random,Rob=bot:random,bot:random", "[{Random random} {Rob random} {Random2 random}]", ""},
		{"Ann,Ann", "", "two players are called Ann"}, // T-NAMES-DUPLICATE
		{"Ann,ann", "", "two players are called ann"},
		{"bot:random,random,bot:random", "[{Random2 random} {random } {Random3 random}]", ""},
		{"", "", "has no name"},
		{"Ann,,Bob", "", "has no name"},
		{"=bot:random", "", "has no name"},
		{"bot:smart", "", "there are: bot:random"},
		{"bot:randon", "", "did you mean `bot:random`?"},
		{"Ann=Bob", "", "no player of the kind `Bob`"},
		{"A\x1b[1m", "", "cannot be shown"},
		{strings.Repeat("a", 40), "", "too long"},
	}
	for _, tt := range tests {
		got, err := ParsePlayers(tt.in)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: error %v, not %q", tt.in, err, tt.err)
			}
			continue
		}
		if err != nil || fmt.Sprint(got) != tt.want {
			t.Errorf("%q: %v, %v", tt.in, got, err)
		}
	}
}
