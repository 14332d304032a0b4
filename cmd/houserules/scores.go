package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/repl"
	"github.com/houserules/houserules/repl/scorepad"
	"github.com/houserules/houserules/repl/scores"
)

type scoresCommand struct {
	What   []string `arg:"" optional:"" name:"game" help:"Id of a game, or its file; or 'show' and the number of one that was played."`
	Player string   `help:"Only games of this person." placeholder:"NAME"`
	Limit  int      `help:"How many games, and how many of the best totals of each, are listed; 0 for all." default:"20" placeholder:"N"`
	Out    string   `help:"text, csv or json." default:"text" placeholder:"KIND"`
	Sheet  string   `help:"With 'show': write the sheet to a new file, .md, .html or .svg." placeholder:"FILE"`
}

// Run lists the games that are kept, or shows one.
func (c *scoresCommand) Run(std streams) error {
	switch {
	case len(c.What) == 2 && c.What[0] == "show":
		return c.show(c.What[1], std)
	case len(c.What) > 1:
		return failf(exitUsage, "`%s` is too much: `houserules scores GAME` lists games, `houserules scores show NUMBER` shows one", c.What[1])
	case len(c.What) == 1 && c.What[0] == "show":
		return failf(exitUsage, "the number of the game is missing; `houserules scores` lists them")
	case c.Sheet != "":
		return failf(exitUsage, "--sheet is for one game, as in `houserules scores show 12 --sheet FILE.svg`")
	case len(c.What) == 1:
		return c.list(c.What[0], std)
	}
	return c.list("", std)
}

// list lists the games that are kept.
func (c *scoresCommand) list(game string, std streams) error {
	if !slices.Contains([]string{"text", "csv", "json"}, c.Out) {
		return failf(exitUsage, "there is no output `%s`; there are: text, csv, json", c.Out)
	}
	if c.Limit < 0 {
		return failf(exitUsage, "--limit %d: a number of games, 0 for all", c.Limit)
	}
	q := scores.Query{Player: strings.TrimSpace(c.Player)}
	if game != "" {
		var err error
		if q.Game, err = newShelf().game(game, std); err != nil {
			return err
		}
	}
	games, err := finishedGames(q, std)
	if err != nil {
		return err
	}
	r := scoresReport{Games: games[:most(len(games), c.Limit)], Best: bestTotals(games, c.Limit), Players: tallies(games, q.Player)}
	switch c.Out {
	case "csv":
		return r.csv(std.out)
	case "json":
		enc := json.NewEncoder(std.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	if len(games) == 0 {
		std.printf("no such game has been played to its end yet")
		return nil
	}
	r.text(std, len(games))
	return nil
}

// finishedGames reads games of the database.
func finishedGames(q scores.Query, std streams) ([]scores.Game, error) {
	games, warning, err := scoreBook().Games(q)
	if err != nil {
		return nil, failf(exitCannot, "%v", err)
	}
	if warning != "" {
		fmt.Fprintf(std.err, "houserules: %s\n", warning)
	}
	return games, nil
}

// show shows one game.
func (c *scoresCommand) show(number string, std streams) error {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id < 1 {
		return failf(exitUsage, "`%s` is no number of a game; `houserules scores` lists them", number)
	}
	if _, ok := (&scorepad.Sheet{}).File(c.Sheet); c.Sheet != "" && !ok {
		return failf(exitUsage, "--sheet %s: a sheet is kept in a file with %s at its end", c.Sheet, strings.Join(scorepad.Kinds(), ", "))
	}
	games, err := finishedGames(scores.Query{ID: id}, std)
	if err != nil {
		return err
	}
	if len(games) == 0 {
		return failf(exitCannot, "there is no game %d; `houserules scores` lists those there are", id)
	}
	sheet := &games[0].Sheet
	if c.Sheet == "" {
		for _, l := range sheet.Whole(scorepad.Width) {
			std.printf("%s", l)
		}
		return nil
	}
	text, _ := sheet.File(c.Sheet)
	f, err := create(c.Sheet)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return failf(exitCannot, "%s", fileTrouble(c.Sheet, err))
	}
	std.printf("the sheet is in %s", c.Sheet)
	return nil
}

// scoresReport is what is known of the games that are kept.
type scoresReport struct {
	Games   []scores.Game `json:"games"`
	Best    []bestTotal   `json:"best"`
	Players []playerTally `json:"players"`
}

// bestTotal is one of the best totals of a game.
type bestTotal struct {
	Game  string `json:"game"`
	Title string `json:"title"`
	Name  string `json:"name"`
	Total int64  `json:"total"`
	ID    int64  `json:"id"`
	Date  string `json:"date"`
}

// playerTally is how a person has done at a game.
type playerTally struct {
	Name    string   `json:"name"`
	Game    string   `json:"game"`
	Title   string   `json:"title"`
	Games   int      `json:"games"`
	Wins    int      `json:"wins"`
	Average *float64 `json:"average"` // nil if the rules keep no total
	Best    *int64   `json:"best"`
	sum     float64
	totals  int
}

func most(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// bestTotals lists the best totals of people, by game; none of a game in which
// moves were taken back past a throw, or mended.
func bestTotals(games []scores.Game, limit int) []bestTotal {
	by, lowest := map[string][]bestTotal{}, map[string]bool{}
	for _, g := range slices.Backward(games) {
		if g.Undone || g.Edited {
			continue
		}
		lowest[g.Game] = g.Lowest
		for _, s := range g.Seats {
			if s.Kind == "" && s.Total != nil {
				by[g.Game] = append(by[g.Game], bestTotal{g.Game, g.Title, s.Name, *s.Total, g.ID, g.Ended.Local().Format("2006-01-02")})
			}
		}
	}
	out := []bestTotal{}
	for _, game := range slices.Sorted(maps.Keys(by)) {
		list := by[game]
		slices.SortStableFunc(list, func(a, b bestTotal) int {
			if better(a.Total, b.Total, lowest[game]) {
				return -1
			}
			if a.Total == b.Total {
				return 0
			}
			return 1
		})
		out = append(out, list[:most(len(list), limit)]...)
	}
	return out
}

func better(a, b int64, lowest bool) bool {
	if lowest {
		return a < b
	}
	return a > b
}

// tallies counts for each person and game, or for one person.
func tallies(games []scores.Game, only string) []playerTally {
	by := map[[2]string]*playerTally{}
	for _, g := range slices.Backward(games) {
		for _, s := range g.Seats {
			if s.Kind != "" || only != "" && !strings.EqualFold(s.Name, only) {
				continue
			}
			k := [2]string{strings.ToLower(s.Name), g.Game}
			t := by[k]
			if t == nil {
				t = &playerTally{Name: s.Name, Game: g.Game, Title: g.Title}
				by[k] = t
			}
			t.add(&g, &s)
		}
	}
	out := []playerTally{}
	for _, k := range slices.SortedFunc(maps.Keys(by), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		out = append(out, *by[k])
	}
	return out
}

func (t *playerTally) add(g *scores.Game, s *scores.Seat) {
	t.Games++
	if s.Won {
		t.Wins++
	}
	if s.Total == nil {
		return
	}
	t.totals++
	t.sum += float64(*s.Total)
	average := t.sum / float64(t.totals)
	t.Average = &average
	if !g.Undone && !g.Edited && (t.Best == nil || better(*s.Total, *t.Best, g.Lowest)) {
		t.Best = s.Total
	}
}

// text prints the report, of which there are so many games in all.
func (r *scoresReport) text(std streams, all int) {
	rows := [][]string{{"no.", "date", "game", "players"}}
	for i := range r.Games {
		rows = append(rows, gameRow(&r.Games[i]))
	}
	lines(std, rows)
	if n := all - len(r.Games); n > 0 {
		std.printf("... and %d before these: --limit 0 lists all", n)
	}
	if len(r.Best) > 0 {
		std.printf("\nbest totals")
		rows = nil
		for _, b := range r.Best {
			rows = append(rows, []string{b.Title, strconv.FormatInt(b.Total, 10), b.Name, b.Date, fmt.Sprintf("no. %d", b.ID)})
		}
		lines(std, rows)
	}
	std.printf("\nplayers")
	rows = [][]string{{"", "game", "games", "wins", "average", "best"}}
	for _, t := range r.Players {
		row := []string{t.Name, t.Title, strconv.Itoa(t.Games), strconv.Itoa(t.Wins), "-", "-"}
		if t.Average != nil {
			row[4] = strconv.FormatFloat(*t.Average, 'f', 1, 64)
		}
		if t.Best != nil {
			row[5] = strconv.FormatInt(*t.Best, 10)
		}
		rows = append(rows, row)
	}
	lines(std, rows)
}

func lines(std streams, rows [][]string) {
	for _, l := range repl.Table(rows) {
		std.printf("%s", l)
	}
}

// gameRow lists a game: who has won stands first, with a word.
func gameRow(g *scores.Game) []string {
	var parts []string
	seats := slices.Clone(g.Seats)
	slices.SortStableFunc(seats, func(a, b scores.Seat) int { return a.Place - b.Place })
	for _, s := range seats {
		text := s.Name
		if s.Kind != "" {
			text += " (bot)"
		}
		if s.Total != nil {
			text += fmt.Sprintf(" %d", *s.Total)
		}
		if s.Won && len(seats) > 1 {
			text += " won"
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	var notes []string
	for _, n := range []struct {
		is   bool
		text string
	}{{g.RealDice, "real dice"}, {g.Undone, "taken back"}, {g.Edited, "mended"}} {
		if n.is {
			notes = append(notes, n.text)
		}
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	title := g.Title
	if g.Number > 1 {
		title += fmt.Sprintf(", game %d", g.Number)
	}
	return []string{strconv.FormatInt(g.ID, 10), g.Ended.Local().Format("2006-01-02"), title, text}
}

// csv writes a row for each player of each game.
func (r *scoresReport) csv(out io.Writer) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"id", "evening", "number", "game", "ended", "house_rules", "options", "rules", "seed", "real_dice", "undone", "edited", "player", "bot", "total", "place", "won"}}
	for _, g := range r.Games {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(g.Set)) {
			set = append(set, name+"="+g.Set[name])
		}
		seed := ""
		if !g.RealDice {
			seed = strconv.FormatUint(g.Seed, 10)
		}
		for _, s := range g.Seats {
			total := ""
			if s.Total != nil {
				total = strconv.FormatInt(*s.Total, 10)
			}
			rows = append(rows, []string{strconv.FormatInt(g.ID, 10), g.Evening, strconv.Itoa(g.Number), g.Game, g.Ended.Format("2006-01-02T15:04:05Z"),
				strings.Join(g.With, " "), strings.Join(set, " "), g.Rules, seed, strconv.FormatBool(g.RealDice), strconv.FormatBool(g.Undone),
				strconv.FormatBool(g.Edited), s.Name, s.Kind, total, strconv.Itoa(s.Place), strconv.FormatBool(s.Won)})
		}
	}
	if err := w.WriteAll(rows); err != nil {
		return failf(exitCannot, "the output cannot be written")
	}
	return nil
}
