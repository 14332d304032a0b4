package repl

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/houserules/houserules/interpreter"
)

// A JournalFile is a file that grows with a game, entry by entry, so that a
// game that is interrupted loses nothing.
type JournalFile struct {
	f      journalWriter
	ends   []int64 // where the header and each entry end
	broken bool
}

// journalWriter is what is needed of a file.
type journalWriter interface {
	io.Writer
	io.Seeker
	Truncate(size int64) error
}

// NewJournalFile writes to an empty file that the caller has opened and will
// close.
func NewJournalFile(f journalWriter) *JournalFile { return &JournalFile{f: f} }

// keep writes the entries that the file does not have yet.
func (j *JournalFile) keep(from *interpreter.Journal) error {
	var b bytes.Buffer
	if len(j.ends) == 0 {
		head := &interpreter.Journal{Header: from.Header}
		if _, err := head.WriteTo(&b); err != nil {
			return j.fail(err)
		}
		j.ends = append(j.ends, int64(b.Len()))
	}
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	start := j.ends[len(j.ends)-1] - int64(b.Len())
	for _, e := range from.Entries[len(j.ends)-1:] {
		if err := enc.Encode(e); err != nil {
			return j.fail(err)
		}
		j.ends = append(j.ends, start+int64(b.Len()))
	}
	if _, err := j.f.Write(b.Bytes()); err != nil {
		return j.fail(err)
	}
	return nil
}

// cut takes back all entries but the first n.
func (j *JournalFile) cut(n int) error {
	if j.broken || n+1 >= len(j.ends) {
		return nil
	}
	j.ends = j.ends[:n+1]
	if err := j.f.Truncate(j.ends[n]); err != nil {
		return j.fail(err)
	}
	if _, err := j.f.Seek(j.ends[n], io.SeekStart); err != nil {
		return j.fail(err)
	}
	return nil
}

func (j *JournalFile) fail(err error) error {
	j.broken = true
	return err
}
