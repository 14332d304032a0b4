package scores

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/houserules/houserules/repl/scorepad"
)

// A Game is one that is over.
type Game struct {
	ID       int64             `json:"id"`
	Evening  string            `json:"evening"` // shared by games that were played in a row
	Number   int               `json:"number"`  // of the game in its evening, from 1
	Game     string            `json:"game"`
	Title    string            `json:"title"`
	Ended    time.Time         `json:"ended"`
	With     []string          `json:"with"`  // ids of house rules, sorted
	Set      map[string]string `json:"set"`   // options that were changed
	Rules    string            `json:"rules"` // their fingerprint
	Seed     uint64            `json:"seed,omitempty"`
	RealDice bool              `json:"real_dice"`
	Journal  string            `json:"journal"` // its digest
	Undone   bool              `json:"undone"`  // moves were taken back past a throw
	Edited   bool              `json:"edited"`  // moves were mended
	Lowest   bool              `json:"lowest"`  // the lowest total is the best
	Seats    []Seat            `json:"players"`
	Sheet    scorepad.Sheet    `json:"-"`
}

// A Seat is one player of a game that is over.
type Seat struct {
	Name  string `json:"name"`
	Kind  string `json:"bot,omitempty"` // of bot, "" for a person
	Total *int64 `json:"total"`         // nil if the rules keep none
	Place int    `json:"place"`         // from 1
	Won   bool   `json:"won"`
}

// Keep keeps a game that is over, in the place of the same game of the same
// evening if it has been kept, and enters marks in the records. A game that
// follows those of earlier, whose journals have these digests, belongs to their
// evening. The error is a *Trouble.
func (b *Book) Keep(g *Game, marks []Mark, earlier []string) (entered []Entered, warning string, err error) {
	for i := range marks {
		marks[i].When = g.Ended.UTC()
	}
	warning, err = b.write(func(tx *sql.Tx) error {
		if err := sameEvening(tx, g, earlier); err != nil {
			return err
		}
		if err := g.insert(tx); err != nil {
			return err
		}
		var err error
		entered, err = enter(tx, marks)
		return err
	})
	return entered, warning, err
}

// sameEvening finds the evening that a game goes on.
func sameEvening(tx *sql.Tx, g *Game, earlier []string) error {
	for i := len(earlier) - 1; i >= 0; i-- {
		evening := ""
		err := tx.QueryRow("SELECT evening FROM games WHERE journal = ? ORDER BY id DESC LIMIT 1", earlier[i]).Scan(&evening)
		if err == nil {
			g.Evening = evening
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

func (g *Game) insert(tx *sql.Tx) error {
	with, err := json.Marshal(append([]string{}, g.With...))
	set, err2 := json.Marshal(g.Set)
	sheet, err3 := json.Marshal(g.Sheet)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	if g.Set == nil {
		set = []byte("{}")
	}
	var seed any
	if !g.RealDice {
		seed = strconv.FormatUint(g.Seed, 10)
	}
	if _, err := tx.Exec("DELETE FROM games WHERE evening = ? AND number = ?", g.Evening, g.Number); err != nil {
		return err
	}
	r, err := tx.Exec(`INSERT INTO games (evening, number, game, title, ended, rules, options, print, seed, journal, undone, edited, lowest, sheet)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, g.Evening, g.Number, g.Game, g.Title, g.Ended.UTC().Format(time.RFC3339),
		string(with), string(set), g.Rules, seed, g.Journal, g.Undone, g.Edited, g.Lowest, string(sheet))
	if err != nil {
		return err
	}
	if g.ID, err = r.LastInsertId(); err != nil {
		return err
	}
	for i, s := range g.Seats {
		if _, err := tx.Exec("INSERT INTO seats (id, seat, name, kind, total, place, won) VALUES (?, ?, ?, ?, ?, ?, ?)",
			g.ID, i, s.Name, s.Kind, s.Total, s.Place, s.Won); err != nil {
			return err
		}
	}
	return nil
}

// What is read of a game and of a seat.
const (
	gameColumns = "id, evening, number, game, title, ended, rules, options, print, seed, journal, undone, edited, lowest, sheet"
	seatColumns = "id, name, kind, total, place, won"
)

// A Query says which games are wanted. Empty fields want all.
type Query struct {
	ID     int64
	Game   string // id
	Player string // the name of a person, as it is written or in other letters
}

// Games returns games, the last one first. Those that cannot be read are left
// out and counted in warning. The error is a *Trouble.
func (b *Book) Games(q Query) (games []Game, warning string, err error) {
	strange := 0
	warning, err = b.read(func(db *sql.DB) error {
		rows, err := db.Query("SELECT "+gameColumns+` FROM games
			WHERE (?1 = 0 OR id = ?1) AND (?2 = '' OR game = ?2)
			AND (?3 = '' OR EXISTS (SELECT 1 FROM seats WHERE seats.id = games.id AND kind = '' AND name = ?3 COLLATE NOCASE))
			ORDER BY ended DESC, id DESC`, q.ID, q.Game, q.Player)
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err tells
		for rows.Next() {
			g, err := readGame(rows)
			if err != nil {
				return err
			}
			if g == nil {
				strange++
				continue
			}
			games = append(games, *g)
		}
		return errors.Join(rows.Err(), readSeats(db, games, q.ID))
	})
	if strange > 0 {
		warning = fmt.Sprintf("%d games of `%s` are damaged and left out", strange, b.Path)
	}
	return games, warning, err
}

// readGame reads a row of games; nil if it does not hold a game.
func readGame(rows *sql.Rows) (*Game, error) {
	g := &Game{}
	var ended, with, set, sheet string
	var seed sql.NullString
	if err := rows.Scan(&g.ID, &g.Evening, &g.Number, &g.Game, &g.Title, &ended, &with, &set, &g.Rules, &seed, &g.Journal, &g.Undone, &g.Edited, &g.Lowest, &sheet); err != nil {
		return nil, err
	}
	var err, err2 error
	g.Ended, err = time.Parse(time.RFC3339, ended)
	if g.RealDice = !seed.Valid; seed.Valid {
		g.Seed, err2 = strconv.ParseUint(seed.String, 10, 64)
	}
	if cmp.Or(err, err2, json.Unmarshal([]byte(with), &g.With), json.Unmarshal([]byte(set), &g.Set), json.Unmarshal([]byte(sheet), &g.Sheet)) != nil {
		return nil, nil
	}
	return g, nil
}

// readSeats gives games their players; id is that of the only game, or 0.
func readSeats(db *sql.DB, games []Game, id int64) error {
	index := map[int64]int{}
	for i := range games {
		index[games[i].ID] = i
	}
	rows, err := db.Query("SELECT "+seatColumns+" FROM seats WHERE ?1 = 0 OR id = ?1 ORDER BY id, seat", id)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		var s Seat
		if err := rows.Scan(&id, &s.Name, &s.Kind, &s.Total, &s.Place, &s.Won); err != nil {
			return err
		}
		if i, wanted := index[id]; wanted {
			games[i].Seats = append(games[i].Seats, s)
		}
	}
	return rows.Err()
}
