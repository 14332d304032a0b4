package repl

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

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

// ReopenJournalFile goes on writing a file that was made by a JournalFile and
// reads text, which is what journal says but for a last line that may be cut
// off. It returns nil if it is not.
func ReopenJournalFile(f journalWriter, text string, journal *interpreter.Journal) (*JournalFile, error) {
	j := NewJournalFile(f)
	b, err := j.encode(journal)
	if err != nil || !strings.HasPrefix(text, string(b)) {
		return nil, err
	}
	end := j.ends[len(j.ends)-1]
	if err := f.Truncate(end); err != nil {
		return nil, err
	}
	_, err = f.Seek(end, io.SeekStart)
	return j, err
}

// keep writes the entries that the file does not have yet.
func (j *JournalFile) keep(from *interpreter.Journal) error {
	b, err := j.encode(from)
	if err != nil {
		return j.fail(err)
	}
	if _, err := j.f.Write(b); err != nil {
		return j.fail(err)
	}
	return nil
}

// encode writes what the file does not have yet and notes where it ends.
func (j *JournalFile) encode(from *interpreter.Journal) ([]byte, error) {
	var b bytes.Buffer
	if len(j.ends) == 0 {
		head := &interpreter.Journal{Header: from.Header}
		if _, err := head.WriteTo(&b); err != nil {
			return nil, err
		}
		j.ends = append(j.ends, int64(b.Len()))
	}
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	start := j.ends[len(j.ends)-1] - int64(b.Len())
	for _, e := range from.Entries[len(j.ends)-1:] {
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
		j.ends = append(j.ends, start+int64(b.Len()))
	}
	return b.Bytes(), nil
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
