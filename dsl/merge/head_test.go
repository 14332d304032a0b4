package merge

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func TestReadHead(t *testing.T) {
	tests := []struct{ name, text, codes string }{
		{"game", "houserules: 1\ngame: dicey\n", ""},
		{"variant", "houserules: 1\nvariant: two-dice\nfor: dicey\n", ""},
		{"part", "houserules: 1\npart: base\nfor: dicey\n", ""},
		{"no version", "game: dicey\n", "E0301"},
		{"other version", "houserules: 2\ngame: dicey\n", "E0301"},
		{"no kind", "houserules: 1\ntitle: x\n", "E0301"},
		{"two kinds", "houserules: 1\ngame: a\nvariant: b\n", "E0301"},
		{"no id", "houserules: 1\ngame:\n", "E0114"},
		{"bad id", "houserules: 1\ngame: two_dice\n", "E0119"},
		{"no game", "houserules: 1\nvariant: a\n", "E0301"},
		{"unknown key", "houserules: 1\ngame: a\nphaze: {}\n", "E0103"},
		{"not in this version", "houserules: 1\ngame: a\nboards: {}\n", "E0103"},
		{"verb in a game", "houserules: 1\ngame: a\nchange: {}\n", "E0103"},
		{"verb in a game that extends", "houserules: 1\ngame: a\nextends: b\nchange: {}\n", ""},
		{"section of games", "houserules: 1\nvariant: a\nfor: b\nrank: {}\n", "E0103"},
		{"title is a map", "houserules: 1\ngame: a\ntitle: {a: b}\n", "E0115"},
		{"list", "- a\n", "E0301"},
		{"scalar", "a\n", "E0301"},
		{"empty", "", "E0118"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var ds source.List
			ReadHead(source.NewFile("f.yaml", tt.text), &ds)
			wantCodes(t, ds, strings.Fields(tt.codes)...)
		})
	}
}
