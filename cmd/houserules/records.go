package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/repl/scores"
)

type recordsCommand struct {
	Game string `arg:"" optional:"" help:"Id of a game, or its file."`
	JSON bool   `name:"json" help:"Print the records as JSON."`
}

// dataFolder is where files of the user are kept.
func dataFolder() string {
	if dir := os.Getenv("HOUSERULES_DATA"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.DataHome, "houserules")
}

// scoreBook is the user's database of finished games and records.
func scoreBook() *scores.Book {
	return &scores.Book{Path: filepath.Join(dataFolder(), "scores.db"), Old: filepath.Join(dataFolder(), "records.jsonl")}
}

// Run shows the records.
func (c *recordsCommand) Run(std streams) error {
	book := scoreBook()
	marks, warning, err := book.Marks()
	if err != nil {
		return failf(exitCannot, "%v", err)
	}
	if warning != "" {
		fmt.Fprintf(std.err, "houserules: %s\n", warning)
	}
	lib := newShelf()
	id := ""
	if c.Game != "" {
		if id, err = lib.game(c.Game, std); err != nil {
			return err
		}
		marks = slices.DeleteFunc(marks, func(m scores.Mark) bool { return m.Game != id })
	}
	if c.JSON {
		if marks == nil {
			marks = []scores.Mark{}
		}
		enc := json.NewEncoder(std.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(marks)
	}
	lib.builtIn()
	games := []string{id}
	if id == "" {
		games = nil
		for _, m := range marks {
			if !slices.Contains(games, m.Game) {
				games = append(games, m.Game)
			}
		}
	}
	v := &recordView{lib: lib, std: std}
	for _, game := range games {
		v.game(game, slices.DeleteFunc(slices.Clone(marks), func(m scores.Mark) bool { return m.Game != game }), id != "")
	}
	if v.lines == 0 {
		std.printf("there are no records yet")
	}
	return nil
}

// recordView prints records.
type recordView struct {
	lib   *shelf
	std   streams
	lines int
}

// rules returns a game as it is usually played, nil if its rules are not here.
func (v *recordView) rules(game string) *dsl.Program {
	if v.lib.Game(game) == nil {
		return nil
	}
	p, _ := dsl.Load(v.lib.Library, game, dsl.Options{Usual: true})
	return p
}

// game prints the records of a game; all that it could have if bare is set.
func (v *recordView) game(game string, marks []scores.Mark, bare bool) {
	p := v.rules(game)
	var names []string
	title := game
	if p != nil {
		title = p.Title
		for _, r := range p.Records {
			names = append(names, r.Name)
		}
	} else if len(marks) > 0 && marks[0].GameTitle != "" {
		title = marks[0].GameTitle
	}
	for _, m := range marks {
		if !slices.Contains(names, m.Record) {
			names = append(names, m.Record)
		}
	}
	for _, name := range names {
		mine := slices.DeleteFunc(slices.Clone(marks), func(m scores.Mark) bool { return m.Record != name })
		if len(mine) > 0 || bare {
			v.record(title, ruleOf(p, name), mine)
		}
	}
	if bare && len(names) == 0 {
		v.lines++
		v.std.printf("%s keeps no records", title)
	}
}

func ruleOf(p *dsl.Program, name string) *dsl.RecordRule {
	if p != nil {
		for _, r := range p.Records {
			if r.Name == name {
				return r
			}
		}
	}
	return nil
}

// record prints one record: for each set of house rules and options a table
// of its shelves.
func (v *recordView) record(game string, rule *dsl.RecordRule, marks []scores.Mark) {
	if v.lines++; v.lines > 1 {
		v.std.printf("")
	}
	head := ""
	if rule != nil {
		head = rule.Label()
	} else {
		head = cmp.Or(marks[0].Title, marks[0].Record)
	}
	v.std.printf("%s: %s", game, head)
	groups := map[string][]scores.Mark{}
	for _, m := range marks {
		groups[v.playedWith(m)] = append(groups[v.playedWith(m)], m)
	}
	plain := v.playedWith(scores.Mark{})
	if len(groups) == 0 {
		groups[plain] = nil
	}
	for _, with := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		switch plain {
		case a:
			return -1
		case b:
			return 1
		}
		return strings.Compare(a, b)
	}) {
		v.std.printf("%s", with)
		for _, l := range repl.Table(rows(rule, groups[with])) {
			v.std.printf("  %s", l)
		}
	}
}

// playedWith names house rules and options.
func (v *recordView) playedWith(m scores.Mark) string {
	text := "house rules: none"
	if len(m.With) > 0 {
		var titles []string
		for _, id := range m.With {
			if f := v.lib.Variant(m.Game, id); f != nil && f.Title != "" {
				id = f.Title
			}
			titles = append(titles, id)
		}
		text = "house rules: " + strings.Join(titles, "; ")
	}
	var set []string
	for _, name := range slices.Sorted(maps.Keys(m.Set)) {
		set = append(set, name+" "+m.Set[name])
	}
	if len(set) > 0 {
		text += "; options: " + strings.Join(set, ", ")
	}
	return text
}

// rows lists the shelves in the order of the rules, those that nobody has
// reached too.
func rows(rule *dsl.RecordRule, marks []scores.Mark) [][]string {
	type shelfRow struct{ name, title string }
	var order []shelfRow
	if rule != nil && rule.Shelf != nil && rule.Shelf.Type.Kind == dsl.KOption {
		enum := rule.Shelf.Type.Enum
		for i, name := range enum.Values {
			order = append(order, shelfRow{name, enum.Label(i)})
		}
	}
	for _, m := range marks {
		if !slices.ContainsFunc(order, func(s shelfRow) bool { return s.name == m.Shelf }) {
			order = append(order, shelfRow{m.Shelf, cmp.Or(m.ShelfTitle, m.Shelf)})
		}
	}
	if len(order) == 0 {
		return [][]string{{"nobody yet"}}
	}
	var out [][]string
	for _, s := range order {
		row := []string{s.title, "-"}
		if i := slices.IndexFunc(marks, func(m scores.Mark) bool { return m.Shelf == s.name }); i >= 0 {
			m := marks[i]
			row = []string{s.title, fmt.Sprint(m.Value), m.Who, m.When.Local().Format("2006-01-02")}
			if m.RealDice {
				row = append(row, "real dice")
			}
		}
		if s.title == "" {
			row = row[1:]
		}
		out = append(out, row)
	}
	return out
}
