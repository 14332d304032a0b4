package yamltree

import (
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func TestReadInt(t *testing.T) {
	for _, test := range []struct {
		text, code, edit string
		want             int64
	}{
		{text: "0"}, {text: "42", want: 42}, {text: "-7", want: -7}, {text: "'8'", want: 8},
		{text: "9223372036854775807", want: 9223372036854775807},
		{text: "9223372036854775808", code: "E0112"},
		{text: "010", code: "E0112", edit: "10"},
		{text: "-007", code: "E0112", edit: "-7"},
		{text: "00", code: "E0112", edit: "0"},
		{text: "1_000", code: "E0112", edit: "1000"},
		{text: "1,000", code: "E0112", edit: "1000"},
		{text: "+5", code: "E0112", edit: "5"},
		{text: "0x1F", code: "E0112", edit: "31"},
		{text: "0o10", code: "E0112", edit: "8"},
		{text: "1.5", code: "E0113"}, {text: "1e3", code: "E0113"}, {text: ".5", code: "E0113"}, {text: "2.", code: "E0113"},
		{text: "", code: "E0114"}, {text: "~", code: "E0114"},
		{text: "[1]", code: "E0115"}, {text: "{a: 1}", code: "E0115"},
		{text: `"5"`, code: "E0221", edit: "5"},
		{text: "many", code: "E0221"}, {text: "1:30", code: "E0221"}, {text: "2024-01-02", code: "E0221"},
	} {
		n, _ := Parse(source.NewFile("f.yaml", "k: "+test.text+"\n"))
		var ds source.List
		got, ok := ReadInt(n.Get("k"), &ds)
		checkRead(t, test.text, test.code, test.edit, ok, ds)
		if got != test.want && test.code == "" {
			t.Errorf("%q = %d, want %d", test.text, got, test.want)
		}
	}
}

func TestReadBool(t *testing.T) {
	for _, test := range []struct {
		text, code, edit string
		want             bool
	}{
		{text: "true", want: true}, {text: "false"},
		{text: "yes", code: "E0111", edit: "true"}, {text: "On", code: "E0111", edit: "true"},
		{text: "no", code: "E0111", edit: "false"}, {text: "off", code: "E0111", edit: "false"},
		{text: "True", code: "E0111", edit: "true"}, {text: "n", code: "E0111", edit: "false"},
		{text: "1", code: "E0221"}, {text: `"true"`, code: "E0221", edit: "true"},
		{text: "", code: "E0114"}, {text: "[true]", code: "E0115"},
	} {
		n, _ := Parse(source.NewFile("f.yaml", "k: "+test.text+"\n"))
		var ds source.List
		got, ok := ReadBool(n.Get("k"), &ds)
		checkRead(t, test.text, test.code, test.edit, ok, ds)
		if got != test.want {
			t.Errorf("%q = %v", test.text, got)
		}
	}
}

func checkRead(t *testing.T, text, code, edit string, ok bool, ds source.List) {
	t.Helper()
	switch {
	case ok != (code == "") || len(ds) > 0 == ok:
		t.Errorf("%q: ok %v, %v", text, ok, ds)
	case !ok && ds[0].Code != code:
		t.Errorf("%q: %v, want %s", text, ds[0], code)
	case !ok && edit == "" && len(ds[0].Edits) > 0, !ok && edit != "" && (len(ds[0].Edits) == 0 || ds[0].Edits[0].Text != edit):
		t.Errorf("%q: edits %v, want %q", text, ds[0].Edits, edit)
	}
}
