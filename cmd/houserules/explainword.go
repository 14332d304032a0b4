package main

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/explain"
	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
)

// This file explains the words of rule files.

// explainWord prints everything that a word means.
func explainWord(word string, found []lexicon.Found, std streams) {
	for i, f := range found {
		if i > 0 {
			std.printf("")
		}
		switch {
		case f.Entry != nil:
			std.printf("%s: %s", f.Entry.Name, withArticle(f.Group.Name))
			for _, form := range f.Entry.Forms {
				std.printf("    %s", form)
			}
			std.filled("  ", sentence(f.Entry.About))
		case f.Key != nil:
			std.filled("", f.Key.Name+": a key of "+thingNames(f.Of))
			std.filled("    ", stands(f.Key))
			std.filled("  ", sentence(f.Key.About))
		default:
			explainThing(f.Thing, std)
		}
	}
}

// explainThing prints the keys of a thing.
func explainThing(t *lexicon.Thing, std streams) {
	head := "the keys of " + t.Name
	if t.Path != "" {
		head += ", at `" + t.Path + "`"
	}
	if t.Short != "" {
		head += "; a bare value stands for `" + t.Short + "`"
	}
	std.filled("", head)
	var usual []string
	for _, k := range t.Keys {
		if slices.Contains(lexicon.Named, k) {
			usual = append(usual, k.Name)
			continue
		}
		std.filled("    ", k.Name+" ("+stands(&k)+")")
		std.filled("        ", k.About)
	}
	if len(usual) > 0 {
		std.filled("    ", strings.Join(usual, ", "))
		std.filled("        ", "as nearly everything that has a name may have them")
	}
	if t.Open != "" {
		std.filled("    ", "any other name")
		std.filled("        ", t.Open)
	}
}

// filled prints a paragraph behind a margin.
func (s streams) filled(margin, text string) {
	for _, line := range source.Fill(text, textWidth(s.out)-len(margin)) {
		s.printf("%s%s", margin, line)
	}
}

// stands says what stands behind a key, and what holds without it.
func stands(k *lexicon.Key) string {
	switch {
	case k.Default == "":
		return k.Value
	case strings.HasSuffix(k.Default, lexicon.Must):
		return k.Value + "; " + k.Default
	}
	return k.Value + "; if nothing is said: " + k.Default
}

// thingNames lists things, at most six of them.
func thingNames(of []*lexicon.Thing) string {
	const most = 6
	var out []string
	for _, t := range of {
		out = append(out, t.Name)
	}
	switch n := len(out); {
	case n > most:
		return strings.Join(out[:most-1], ", ") + " and " + counted(n-most+1, "other")
	case n > 1:
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return out[0]
}

func withArticle(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// list lists codes, or words of one kind.
func list(kind string, std streams) error {
	book := dsl.Lexicon()
	kinds := []string{"codes", "keys"}
	switch kind {
	case "", "codes":
		for _, code := range explain.Codes() {
			if p, ok := explain.Find(code); ok {
				std.printf("%s  %s", p.Code, p.Title)
			}
		}
		return nil
	case "keys":
		for _, t := range book.Things {
			where := t.Path
			if where == "" {
				where = "top of " + t.Name
			}
			std.printf("%s: %s", where, strings.Join(t.Known(), " "))
		}
		return nil
	}
	for _, g := range book.Groups {
		name, _, _ := strings.Cut(g.Name, " ")
		if name += "s"; name == kind {
			listGroup(g, std)
			return nil
		}
		kinds = append(kinds, name)
	}
	msg := "--list lists " + strings.Join(kinds, ", ")
	if near := source.Nearest(kind, kinds); len(near) > 0 {
		msg = "--list knows no `" + kind + "`; did you mean `" + near[0] + "`?"
	}
	return failf(exitUsage, "%s", msg)
}

// listGroup lists entries with their first form.
func listGroup(g lexicon.Group, std streams) {
	width := 0
	for _, e := range g.Entries {
		width = max(width, len(e.Forms[0]))
	}
	for _, e := range g.Entries {
		std.printf("%s%s  %s", e.Forms[0], strings.Repeat(" ", width-len(e.Forms[0])), e.About)
	}
}
