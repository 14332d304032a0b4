package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The blocks of the README are the files and the output that they claim to be.
func TestReadmeBlocks(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	variant, err := os.ReadFile("testdata/readme/cautious.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := block(string(text), "yaml"); got != string(variant) {
		t.Errorf("the house rule of the README is not testdata/readme/cautious.yaml:\n%s", got)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"check", "--out", "pretty", "testdata/readme/typo.yaml"}, strings.NewReader(""), &out, &errs); code != 1 {
		t.Errorf("check of the mistake exits with %d", code)
	}
	if want := block(string(text), "text"); out.String() != want {
		t.Errorf("check prints\n%s\nand the README has\n%s", out.String(), want)
	}
}

// block returns the first block of a kind.
func block(text, kind string) string {
	_, rest, _ := strings.Cut(text, "\n```"+kind+"\n")
	body, _, _ := strings.Cut(rest, "```\n")
	return body
}
