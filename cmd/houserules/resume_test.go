package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A game that is left and gone on with is the same game.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "parts.jsonl")
	lines := []string{"hold", "hold", "roll", "undo", "hold", "1", "hold", "quit"}
	if code, _, errs := call(t, strings.Join(lines, "\n"), "play", pig, "--players", "Ann,bot:random", "--seed", "4", "--journal", whole); code != exitOK {
		t.Fatal(errs)
	}
	code, out, errs := call(t, lines[0]+"\n", "play", pig, "--players", "Ann,bot:random", "--seed", "4", "--journal", parts)
	if code != exitOK || !strings.Contains(out, "go on: houserules play --resume "+parts+" --rules "+pig) {
		t.Fatal(code, out, errs)
	}
	f, err := os.OpenFile(parts, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"seat":"An`) // the program was ended while it wrote
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		if l == "undo" { // has to follow its move at once
			continue
		}
		if l == "roll" {
			l = "roll\nundo"
		}
		if code, out, errs := call(t, l+"\n", "play", "--resume", parts, "--rules", pig); code != exitOK || !strings.Contains(out, "Ann, turn ") {
			t.Fatal(l, code, out, errs)
		}
	}
	a, err1 := os.ReadFile(whole)
	b, err2 := os.ReadFile(parts)
	if err := errors.Join(err1, err2); err != nil || string(a) != string(b) || len(a) == 0 {
		t.Errorf("%v\n%s---\n%s", err, a, b)
	}
	write(t, parts, strings.Replace(string(b), `"seed":4`, `"seed": 4`, 1))
	if code, _, errs := call(t, "", "play", "--resume", parts, "--rules", pig); code != exitCannot || !strings.Contains(errs, "not as houserules writes it") {
		t.Error(code, errs)
	}
}

func TestOtherRules(t *testing.T) {
	dir := t.TempDir()
	journal, rules := filepath.Join(dir, "game.jsonl"), filepath.Join(dir, "pig.yaml")
	text, err := os.ReadFile(pig)
	if err != nil {
		t.Fatal(err)
	}
	write(t, rules, string(text))
	if code, _, errs := call(t, "hold\nroll\n", "play", rules, "--players", "Ann,Bob", "--seed", "4", "--journal", journal); code != exitOK {
		t.Fatal(errs)
	}
	write(t, rules, strings.ReplaceAll(string(text), "hold", "halt"))
	if code, _, errs := call(t, "", "replay", journal, "--rules", rules); code != exitCannot || !strings.Contains(errs, "entry 1 is the first that does not fit (hold)") {
		t.Error(code, errs)
	}
	write(t, rules, strings.ReplaceAll(string(text), "default: 100", "default: 90"))
	if code, _, errs := call(t, "", "replay", journal, "--rules", rules); code != exitCannot || !strings.Contains(errs, "other rules") || !strings.Contains(errs, "all 2 entries fit and lead to Ann 2, Bob 0") {
		t.Error(code, errs)
	}
}
