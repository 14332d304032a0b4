package scores

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/houserules/houserules/repl/filelock"
)

// A Book is the database of finished games and records. It may be used by
// several goroutines and programs at once.
type Book struct {
	Path string
	// Old is the file of records of earlier versions, which a new database takes
	// over; "" for none. It stays as it is.
	Old string
	Now func() time.Time // nil for the clock
	// Wait is how long another program is waited for, 0 for two seconds.
	Wait time.Duration
}

// A Trouble says in words for people why the database cannot be used.
type Trouble struct {
	Message string
	damaged bool
}

// Error returns the message.
func (t *Trouble) Error() string { return t.Message }

// Time is the time of the book, in whole seconds.
func (b *Book) Time() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now().Truncate(time.Second)
}

// open opens the database and brings it up to date. What is to be known of that
// stands in warning.
func (b *Book) open() (db *sql.DB, warning string, err error) {
	wait := b.Wait
	if wait == 0 {
		wait = 2 * time.Second
	}
	path, err := filepath.Abs(b.Path)
	if err != nil {
		return nil, "", err
	}
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "foreign_keys(1)"}, "_txlock": {"immediate"}}
	db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, "", err
	}
	db.SetMaxOpenConns(1)
	n, err := version(db)
	switch {
	case err == nil && n > len(steps):
		err = &Trouble{Message: fmt.Sprintf("`%s` was written by a later version of houserules, and is left alone", b.Path)}
	case err == nil && n < len(steps):
		warning, err = b.migrate(db)
	}
	if err != nil {
		return nil, "", errors.Join(err, db.Close())
	}
	return db, warning, nil
}

// write opens the database, makes it if there is none, and changes it: all of
// it or nothing. A damaged file is put aside, which warning says.
func (b *Book) write(change func(*sql.Tx) error) (warning string, err error) {
	if err := b.make(); err != nil {
		return "", b.trouble(err)
	}
	warning, err = b.change(change)
	var t *Trouble
	if errors.As(err, &t) && t.damaged {
		aside, aerr := b.setAside()
		if aerr != nil {
			return "", err
		}
		if warning, err = b.change(change); aside != "" {
			warning = fmt.Sprintf("the file of finished games was damaged; it is kept as `%s`, and a new one is begun", aside)
		}
	}
	return warning, err
}

// make makes an empty file that only its user may read.
func (b *Book) make() error {
	if err := os.MkdirAll(filepath.Dir(b.Path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(b.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func (b *Book) change(change func(*sql.Tx) error) (warning string, err error) {
	db, warning, err := b.open()
	if err != nil {
		return "", b.trouble(err)
	}
	defer db.Close() //nolint:errcheck // all was written by Commit
	tx, err := db.Begin()
	if err != nil {
		return warning, b.trouble(err)
	}
	defer tx.Rollback() //nolint:errcheck // it does nothing after Commit
	if err := change(tx); err != nil {
		return warning, b.trouble(err)
	}
	return warning, b.trouble(tx.Commit())
}

// read opens the database to be read. Without a file, or one to be taken over,
// there is nothing to be read, and none is made.
func (b *Book) read(look func(*sql.DB) error) (warning string, err error) {
	switch {
	case exists(b.Path):
	case !exists(b.Old):
		return "", nil
	default:
		if err := b.make(); err != nil {
			return "", b.trouble(err)
		}
	}
	db, warning, err := b.open()
	if err != nil {
		return "", b.trouble(err)
	}
	defer db.Close() //nolint:errcheck // it was only read
	return warning, b.trouble(look(db))
}

func exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// setAside gives a damaged file, with what belongs to it, another name. It
// returns "" if another program has done so.
func (b *Book) setAside() (name string, err error) {
	unlock, err := filelock.Lock(b.Path + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if !b.damaged() {
		return "", nil
	}
	stem := b.Path + ".damaged-" + b.Time().Format("20060102-150405")
	for n := 1; ; n++ {
		if name = stem; n > 1 {
			name = fmt.Sprintf("%s-%d", stem, n)
		}
		if !exists(name) {
			break
		}
	}
	if err := os.Rename(b.Path, name); err != nil {
		return "", err
	}
	for _, tail := range []string{"-journal", "-wal", "-shm"} {
		if exists(b.Path + tail) {
			err = errors.Join(err, os.Rename(b.Path+tail, name+tail))
		}
	}
	return name, errors.Join(err, b.make())
}

// damaged looks through the whole file.
func (b *Book) damaged() bool {
	db, _, err := b.open()
	if err == nil {
		defer db.Close() //nolint:errcheck // it was only read
		answer := ""
		if err = db.QueryRow("PRAGMA quick_check(1)").Scan(&answer); err == nil && answer != "ok" {
			return true
		}
		for _, q := range []string{"SELECT " + gameColumns + " FROM games LIMIT 0", "SELECT " + seatColumns + " FROM seats LIMIT 0", "SELECT place, mark FROM marks LIMIT 0"} {
			if err == nil {
				_, err = db.Exec(q)
			}
		}
	}
	var t *Trouble
	return errors.As(b.trouble(err), &t) && t.damaged
}

// trouble says in words what the library or the system has against the file.
func (b *Book) trouble(err error) error {
	var own *Trouble
	var bad *sqlite.Error
	var path *fs.PathError
	switch {
	case err == nil || errors.As(err, &own):
		return err
	case errors.As(err, &path):
		return &Trouble{Message: fmt.Sprintf("`%s`: %v", path.Path, path.Err)}
	case !errors.As(err, &bad):
		return &Trouble{Message: fmt.Sprintf("`%s` does not hold what it should", b.Path)}
	}
	switch bad.Code() & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return &Trouble{Message: fmt.Sprintf("`%s` is damaged; the next game that ends puts it aside and begins a new one", b.Path), damaged: true}
	case lib.SQLITE_ERROR: // tables or columns that should be there are not
		return &Trouble{Message: fmt.Sprintf("`%s` is no file of finished games; the next game that ends puts it aside and begins a new one", b.Path), damaged: true}
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return &Trouble{Message: fmt.Sprintf("another program holds `%s`", b.Path)}
	case lib.SQLITE_READONLY:
		return &Trouble{Message: fmt.Sprintf("`%s` may not be written", b.Path)}
	case lib.SQLITE_FULL:
		return &Trouble{Message: fmt.Sprintf("there is no room left for `%s`", b.Path)}
	case lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return &Trouble{Message: fmt.Sprintf("`%s` cannot be opened", b.Path)}
	}
	return &Trouble{Message: fmt.Sprintf("`%s` cannot be read or written", b.Path)}
}
