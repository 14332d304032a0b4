package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
)

type showCommand struct {
	Game    string `arg:"" help:"Id of a game, or its file."`
	choices `embed:""`

	Only   string `help:"Show only what stands under a name, as in params or phases.NAME.actions." placeholder:"NAME"`
	Origin bool   `help:"Say of each line in which file it is written."`
	Diff   bool   `help:"Show only how it differs from the game without house rules."`
	Plan   bool   `help:"Show how each rule is carried out: what is worked out before a game, and why the rest is not."`
	Out    string `help:"text or json." enum:"text,json" default:"text"`
}

// Run shows a game as it is after its house rules.
func (c *showCommand) Run(std streams) error {
	t, err := c.table(c.Game, nil, std)
	if err != nil {
		return err
	}
	if c.Plan {
		return c.plan(t.prog, std)
	}
	lib, id := t.lib, t.prog.Game
	entries := dsl.Effective(lib.Library, id, dsl.Options{With: t.with, Without: c.Without, Set: c.Set, Usual: true})
	if entries = under(entries, c.Only); len(entries) == 0 {
		return failf(exitUsage, "`%s` has nothing called `%s`: `houserules show %s` shows all there is", t.prog.Game, c.Only, c.Game)
	}
	var changes []difference
	if c.Diff {
		changes = differencesOf(under(dsl.Effective(lib.Library, id, dsl.Options{}), c.Only), entries)
	}
	switch {
	case c.Out == "json" && c.Diff:
		return printJSON(changes, std)
	case c.Out == "json":
		return printJSON(differencesOf(nil, entries), std)
	case c.Diff:
		c.diff(changes, std)
		return nil
	}
	std.printf("# %s, %s", t.prog.Title, rulesInForce(t.prog))
	c.text(entries, std)
	return nil
}

func rulesInForce(p *dsl.Program) string {
	var ids []string
	for _, v := range p.Variants {
		ids = append(ids, v.ID)
	}
	if len(ids) == 0 {
		return "without house rules"
	}
	return "with " + strings.Join(ids, ", ")
}

// under keeps what stands under a name, with or without what leads to it.
func under(entries []dsl.Entry, name string) []dsl.Entry {
	if name == "" {
		return entries
	}
	var out []dsl.Entry
	for _, e := range entries {
		if n := e.Name(); n == name || strings.HasPrefix(n, name+".") {
			out = append(out, e)
		}
	}
	return out
}

// text prints entries as YAML, each below what leads to it.
func (c *showCommand) text(entries []dsl.Entry, std streams) {
	hidden := strings.Count(c.Only, ".") // keys that lead to what is shown
	var above []string
	for i := range entries {
		e := &entries[i]
		last := len(e.Path) - 1
		for d := hidden; d < last; d++ {
			if d >= len(above) || !slices.Equal(above[:d+1], e.Path[:d+1]) {
				std.printf("%s%s:", indent(d-hidden), quoted(e.Path[d]))
			}
		}
		std.printf("%s", c.line(e, indent(max(last-hidden, 0))))
		above = e.Path
	}
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// line writes an entry, with a comment on where it comes from.
func (c *showCommand) line(e *dsl.Entry, indent string) string {
	text := indent + quoted(e.Path[len(e.Path)-1]) + ":"
	note := c.note(e)
	switch {
	case e.Holds:
		if !c.Origin {
			note = ""
		}
	case strings.Contains(e.Value, "\n"):
		script := strings.ReplaceAll(strings.TrimRight(e.Value, "\n"), "\n", "\n"+indent+"  ")
		return text + " |" + note + "\n" + indent + "  " + script
	default:
		text += " " + valueOf(e)
	}
	return text + note
}

// note says which house rule an entry comes from and, if that is asked for,
// where it is written.
func (c *showCommand) note(e *dsl.Entry) string {
	at := lineOf(e.Span)
	switch {
	case e.Span.IsZero():
		return "  # the command line"
	case e.By != "":
		return fmt.Sprintf("  # %s, %s", e.By, at)
	case c.Origin:
		return "  # " + at
	}
	return ""
}

// lineOf is the file and the line of a place.
func lineOf(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	line, _ := s.File.LineCol(s.Start)
	return fmt.Sprintf("%s:%d", s.File.Name, line)
}

// valueOf writes a value of one line, or a list, so that YAML reads it as it is.
func valueOf(e *dsl.Entry) string {
	if e.Items == nil {
		return quoted(e.Value)
	}
	var items []string
	for _, text := range e.Items {
		if strings.ContainsAny(text, ",[]{}") {
			text = inQuotes(text)
		} else {
			text = quoted(text)
		}
		items = append(items, text)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// quoted puts a value in quotes if YAML would read it as something else.
func quoted(v string) string {
	number := len(v) > 1 && v[0] == '-' && v[1] >= '0' && v[1] <= '9'
	if v == "" || !number && strings.ContainsAny(v[:1], "-?:,[]{}#&*!|>'\"%@` ") ||
		strings.Contains(v, ": ") || strings.Contains(v, " #") || strings.HasSuffix(v, ":") || strings.HasSuffix(v, " ") {
		return inQuotes(v)
	}
	return v
}

func inQuotes(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }

// A difference is an entry that was not there, is no longer there, or has another
// value.
type difference struct {
	was, is *dsl.Entry // nil for nothing
}

// differencesOf compares a game by itself with what it is with house rules.
func differencesOf(old, new []dsl.Entry) (out []difference) {
	was, is := valuesOf(old), valuesOf(new)
	for i := range new {
		e := &new[i]
		before := was[e.Name()]
		if !e.Holds && (before == nil || before.Value != e.Value) {
			out = append(out, difference{before, e})
		}
	}
	for i := range old {
		if e := &old[i]; !e.Holds && is[e.Name()] == nil {
			out = append(out, difference{e, nil})
		}
	}
	return out
}

// valuesOf finds the entries that have values by their names.
func valuesOf(entries []dsl.Entry) map[string]*dsl.Entry {
	out := map[string]*dsl.Entry{}
	for i := range entries {
		if !entries[i].Holds {
			out[entries[i].Name()] = &entries[i]
		}
	}
	return out
}

// diff prints changes.
func (c *showCommand) diff(changes []difference, std streams) {
	tell := func(sign string, e *dsl.Entry, note string) {
		if e == nil {
			return
		}
		if !strings.Contains(e.Value, "\n") {
			std.printf("%s %s: %s%s", sign, e.Name(), valueOf(e), note)
			return
		}
		std.printf("%s %s: |%s", sign, e.Name(), note)
		for _, l := range strings.Split(strings.TrimRight(e.Value, "\n"), "\n") {
			std.printf("%s   %s", sign, l)
		}
	}
	for _, x := range changes {
		if x.was != nil {
			note := ""
			if c.Origin {
				note = c.note(x.was)
			}
			tell("-", x.was, note)
		}
		if x.is != nil {
			tell("+", x.is, c.note(x.is))
		}
	}
	if len(changes) == 0 {
		std.printf("nothing differs from the game without house rules")
	}
}

// shownEntry is an entry for other programs.
type shownEntry struct {
	Path  []string `json:"path"`
	Value *string  `json:"value"`         // null for what is no longer there
	Was   *string  `json:"was,omitempty"` // what it was without house rules, if it was there
	By    string   `json:"by,omitempty"`
	File  string   `json:"file,omitempty"`
	Line  int      `json:"line,omitempty"`
}

func printJSON(changes []difference, std streams) error {
	out := []shownEntry{}
	for _, c := range changes {
		var x shownEntry
		if c.was != nil {
			x.Path, x.Was = c.was.Path, &c.was.Value
		}
		if c.is != nil {
			x.Path, x.Value, x.By = c.is.Path, &c.is.Value, c.is.By
			if at := c.is.Span; !at.IsZero() {
				x.File = at.File.Name
				x.Line, _ = at.File.LineCol(at.Start)
			}
		}
		out = append(out, x)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	std.printf("%s", text)
	return nil
}
