package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/rulebook"
)

// Every game has a rulebook: by itself, with its usual house rules, and with
// each single one.
func TestRulebooksOfAllGames(t *testing.T) {
	lib := newShelf()
	lib.builtIn()
	for _, g := range lib.Games() {
		check := func(opt dsl.Options) {
			p, ds := dsl.Load(lib.Library, g.ID, opt)
			if p == nil {
				t.Fatalf("%s %+v: %v", g.ID, opt, ds.Err())
			}
			t.Run(g.ID+" "+rulesInForce(p), func(t *testing.T) { rulebookIs(t, lib, p) })
		}
		check(dsl.Options{})
		check(dsl.Options{Usual: true})
		for _, v := range lib.VariantsOf(g.ID) {
			check(dsl.Options{With: []string{v.ID}})
		}
	}
}

func rulebookIs(t *testing.T, lib *shelf, p *dsl.Program) {
	doc := rulebook.Make(p, false)
	md, page, text := rulebook.Markdown(doc), rulebook.HTML(doc), rulebook.Plain(doc)
	isXML(t, page)
	prose, notes, _ := strings.Cut(md, "\n## The printed rules\n")
	noDangling(t, prose, notes, regexp.MustCompile(`\[\^([^\]]+)\]`), regexp.MustCompile(`(?m)^\[\^([^\]]+)\]: `))
	noDangling(t, page, page, regexp.MustCompile(`href="#(note-\d+)"`), regexp.MustCompile(`id="(note-\d+)"`))
	if strings.Count(text, "\n") < 20 {
		t.Errorf("the text is short:\n%s", text)
	}
	told(t, p, joined(text))
	notNamed(t, lib, p, text)
	quick := rulebook.Make(p, true)
	isXML(t, rulebook.HTML(quick))
	if md := rulebook.Markdown(quick); strings.Contains(md, "[^") || len(rulebook.Plain(quick)) > len(text)/2 {
		t.Errorf("the card is no card:\n%s", md)
	}
}

func isXML(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
	}
}

// noDangling compares what is referred to with what is there.
func noDangling(t *testing.T, text, notes string, ref, def *regexp.Regexp) {
	t.Helper()
	set := func(text string, re *regexp.Regexp) []string {
		var out []string
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if refs, defs := set(text, ref), set(notes, def); !slices.Equal(refs, defs) {
		t.Errorf("notes referred to: %v; notes: %v", refs, defs)
	}
}

// joined is a text in one line.
func joined(s string) string { return strings.Join(strings.Fields(s), " ") }

// told looks for the sentences of what is in force. A formula in one may have
// become anything but what it was if it is an option.
func told(t *testing.T, p *dsl.Program, text string) {
	t.Helper()
	look := func(i *dsl.Info) {
		if i.Rule == nil {
			return
		}
		from := 0
		for _, part := range i.Rule.Parts {
			if part.Expr != nil {
				if strings.Contains(text, "{"+part.Expr.Span.Text()+"}") && part.Expr.Op == dsl.OpParam {
					t.Errorf("{%s} is left in the text", part.Expr.Span.Text())
				}
				continue
			}
			at := strings.Index(text[from:], joined(part.Text))
			if at < 0 {
				t.Errorf("%s: %q is not told", i.Path, part.Text)
				return
			}
			if len(i.Rule.Parts) > 1 {
				continue
			}
			from += at
		}
	}
	for _, q := range []*dsl.Program{p, p.Opening} {
		if q == nil {
			continue
		}
		for _, ph := range q.Phases {
			if off(ph.When) {
				continue
			}
			look(&ph.Info)
			for _, a := range ph.Actions {
				if !off(a.When) {
					look(&a.Info)
				}
			}
			for _, h := range append(slices.Clone(ph.Before), ph.After...) {
				for _, a := range h.Offer {
					if !off(h.When) && !off(a.When) {
						look(&a.Info)
					}
				}
			}
		}
		for _, e := range q.Events {
			if !off(e.When) {
				look(&e.Info)
			}
		}
	}
}

// off reports whether a condition may be false for the whole game: it reads an
// option.
func off(e *dsl.Expr) bool {
	if e == nil {
		return false
	}
	if d, ok := e.Ref.(*dsl.Define); ok && off(d.Body) {
		return true
	}
	return e.Op == dsl.OpParam || slices.ContainsFunc(e.Args, off)
}

// notNamed looks for the names of house rules that are not in force: nothing
// but a sentence of a file in force may have one.
func notNamed(t *testing.T, lib *shelf, p *dsl.Program, text string) {
	t.Helper()
	inForce := func(id string) bool {
		return slices.ContainsFunc(p.Variants, func(v *dsl.VariantInfo) bool { return v.ID == id })
	}
	var files strings.Builder // of the game, and of house rules in force
	for _, f := range p.Files {
		if f := fileOf(lib, f.Name); f != nil && (f.Kind == merge.KindGame || inForce(f.ID)) {
			sections, _, _ := strings.Cut(f.Src.Text, "\nexamples:")
			for _, line := range strings.Split(sections, "\n") {
				if !strings.HasPrefix(line, "usual:") {
					files.WriteString(line + "\n")
				}
			}
		}
	}
	low, line := strings.ToLower(text), joined(text)
	for _, v := range lib.VariantsOf(p.Game) {
		if inForce(v.ID) {
			continue
		}
		for _, name := range []string{v.ID, v.Title} {
			if !strings.Contains(low, strings.ToLower(name)) {
				continue
			}
			re := regexp.MustCompile(`(?i)(^|[^\w-])` + regexp.QuoteMeta(name) + `($|[^\w-])`)
			if name != "" && re.MatchString(text) && !re.MatchString(files.String()) {
				t.Errorf("`%s` is named and not in force", name)
			}
		}
		if v.About != "" && strings.Contains(line, joined(v.About)) && !strings.Contains(files.String(), v.About) {
			t.Errorf("what `%s` says of itself stands there", v.ID)
		}
	}
}

func fileOf(lib *shelf, name string) *merge.File {
	for _, f := range lib.Files() {
		if f.Src.Name == name {
			return f
		}
	}
	return nil
}

func TestDocsCommand(t *testing.T) {
	code, out, errs := call(t, "", "docs", "pig", "--set", "goal=50", "--format", "text")
	if code != exitOK || !strings.Contains(joined(out), "50 (changed; default 100)") {
		t.Error(code, out, errs)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "pig.html")
	for range 2 { // the second time it is there
		if code, out, errs := call(t, "", "docs", "pig", "--format", "html", "-o", path); code != exitOK || !strings.Contains(out, "is written") {
			t.Error(code, out, errs)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	isXML(t, string(page))
	own := filepath.Join(dir, "own.yaml")
	if code, _, errs := call(t, "", "new", "game", "own", "--dir", dir); code != exitOK {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "is a file of these rules", []string{"docs", own, "-o", own}},
		{exitCannot, "is a folder", []string{"docs", "pig", "-o", dir}},
		{exitCannot, "there is no folder for", []string{"docs", "pig", "-o", filepath.Join(dir, "no", "pig.md")}},
		{exitUsage, "pdf", []string{"docs", "pig", "--format", "pdf"}},
		{exitUsage, "nothing-like-it", []string{"docs", "pig", "--with", "nothing-like-it"}},
		{exitCannot, "there is no game", []string{"docs", "nothing-like-it"}},
		{exitUsage, "goal", []string{"docs", "pig", "--set", "goal=x"}},
	} {
		if code, out, errs := call(t, "", c.args...); code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: %d %q %q", c.args, code, out, errs)
		}
	}
}
