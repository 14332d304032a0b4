package source

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, test := range []struct{ word, among, want string }{
		{"tunr", "tuner turn turns stop", "turn tuner"},
		{"opening_minimun", "opening_minimum opening_maximum goal", "opening_minimum opening_maximum"},
		{"Score", "store scores score", "score"},
		{"scor", "score scorn scar", "scar score scorn"},
		{"aaaaaa", "aaaaab aaaaac aaaaad aaaaae", "aaaaab aaaaac aaaaad"},
		{"points", "goal dice", ""},
		{"x", "y z xy", ""},
		{"me", "ma he it", "he ma"},
		{"größe", "grösse größen", "größen"},
		{"", "a b", ""},
		{"same", "same same some", "some"},
		{"ca", "abc", ""},
	} {
		if got := strings.Join(Nearest(test.word, strings.Fields(test.among)), " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.word, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}, {"骰子", "子骰", 1}} {
		if got := distance(test.a, test.b, 9); got != test.want {
			t.Errorf("%s %s: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a, 9); got != test.want {
			t.Errorf("%s %s: %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
