package scores

import (
	"database/sql"
	"fmt"
)

// steps bring a database from each version to the next; the first one begins an
// empty file. What has been released is never changed: a further step is added.
var steps = []string{`
CREATE TABLE games (
	id      INTEGER PRIMARY KEY,
	evening TEXT NOT NULL,    -- games that were played in a row share it
	number  INTEGER NOT NULL, -- of the game in its evening, from 1
	game    TEXT NOT NULL,
	title   TEXT NOT NULL,
	ended   TEXT NOT NULL,    -- RFC 3339, UTC
	rules   TEXT NOT NULL,    -- JSON: ids of the house rules, sorted
	options TEXT NOT NULL,    -- JSON: options that were changed, by name
	print   TEXT NOT NULL,    -- fingerprint of the rules
	seed    TEXT,             -- NULL with real dice
	journal TEXT NOT NULL,    -- digest of the journal
	undone  INTEGER NOT NULL, -- moves were taken back past a throw
	edited  INTEGER NOT NULL, -- moves were mended
	lowest  INTEGER NOT NULL, -- the lowest total is the best
	sheet   TEXT NOT NULL,    -- JSON
	UNIQUE (evening, number)
) STRICT;
CREATE INDEX games_ended ON games (ended);
CREATE TABLE seats (
	id    INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
	seat  INTEGER NOT NULL,
	name  TEXT NOT NULL,
	kind  TEXT NOT NULL,      -- of bot, empty for a person
	total INTEGER,            -- NULL if the rules keep none
	place INTEGER NOT NULL,
	won   INTEGER NOT NULL,
	PRIMARY KEY (id, seat)
) STRICT;
CREATE TABLE marks (
	place TEXT PRIMARY KEY,   -- game, record, shelf, house rules and options
	mark  TEXT NOT NULL       -- JSON
) STRICT;
`}

// version reads how far a database has come, 0 for an empty one.
func version(db *sql.DB) (n int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&n)
	return n, err
}

// migrate brings a database to the present version, all or nothing. Into a new
// one go the marks of the file that kept them before; lines of it that are none
// are told in warning.
func (b *Book) migrate(db *sql.DB) (warning string, err error) {
	tx, err := db.Begin()
	if err != nil {
		return "", err
	}
	defer tx.Rollback() //nolint:errcheck // it does nothing after Commit
	var n int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&n); err != nil || n >= len(steps) {
		return "", err // another program was quicker
	}
	for ; n < len(steps); n++ {
		if _, err := tx.Exec(steps[n]); err != nil {
			return "", err
		}
		if n == 0 {
			if warning, err = b.takeOver(tx); err != nil {
				return "", err
			}
		}
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", n)); err != nil {
		return "", err
	}
	return warning, tx.Commit()
}
