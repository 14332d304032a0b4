package lexicon

import (
	"fmt"
	"strings"
)

// Markdown writes the book as a page to look things up in.
func (b *Book) Markdown(title, about string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "# %s\n\n%s\n", title, about)
	fmt.Fprint(&w, "\n- [Keys](#keys)\n")
	for _, g := range b.Groups {
		fmt.Fprintf(&w, "- [%s](#%s)\n", g.Title, anchor(g.Title))
	}
	fmt.Fprint(&w, "- [Grammar](#grammar)\n\n## Keys\n")
	for _, t := range b.Things {
		t.markdown(&w)
	}
	for _, g := range b.Groups {
		g.markdown(&w)
	}
	fmt.Fprintf(&w, "\n## Grammar\n\nCapitals are words of their own: a NAME, a TEXT in quotes, an INT. E is a formula that ends where the statement or pick goes on.\n\n```text\n%s```\n", b.Grammar)
	return w.String()
}

func anchor(title string) string {
	return strings.ReplaceAll(strings.ToLower(title), " ", "-")
}

func (t *Thing) markdown(w *strings.Builder) {
	name := t.bare()
	fmt.Fprintf(w, "\n### %s\n\n", strings.ToUpper(name[:1])+name[1:])
	if t.Path == "" {
		fmt.Fprint(w, "The top of a file.\n\n")
	} else {
		fmt.Fprintf(w, "`%s`%s\n\n", t.Path, t.shortly())
	}
	fmt.Fprint(w, "| key | what stands there | if nothing is said | what it is |\n|---|---|---|---|\n")
	for _, k := range t.Keys {
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", k.Name, cell(k.Value), cell(k.Default), cell(k.About))
	}
	if t.Open != "" {
		fmt.Fprintf(w, "| any other name | | | %s |\n", cell(t.Open))
	}
}

// shortly says what a bare value stands for.
func (t *Thing) shortly() string {
	if t.Short == "" {
		return ""
	}
	return fmt.Sprintf("; a bare value stands for `%s`", t.Short)
}

func (g *Group) markdown(w *strings.Builder) {
	fmt.Fprintf(w, "\n## %s\n\n", g.Title)
	if g.About != "" {
		fmt.Fprintf(w, "%s\n\n", g.About)
	}
	fmt.Fprintf(w, "| %s | what it is |\n|---|---|\n", g.Name)
	for _, e := range g.Entries {
		var forms []string
		for _, f := range e.Forms {
			forms = append(forms, "`"+cell(f)+"`")
		}
		fmt.Fprintf(w, "| %s | %s |\n", strings.Join(forms, "<br>"), cell(e.About))
	}
}

// cell keeps a text inside a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
