package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/houserules/houserules/interpreter"
)

// A JournalFile is a file that grows with a game, entry by entry, so that a
// game that is interrupted loses nothing. A session of several stages has their
// journals in a row: each begins with its header.
type JournalFile struct {
	f      journalWriter
	ends   []int64 // where each line ends
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
// reads text, which is what the journals say but for a last line that may be cut
// off. It returns nil if it is not.
func ReopenJournalFile(f journalWriter, text string, parts []*interpreter.Journal) (*JournalFile, error) {
	j := NewJournalFile(f)
	b, err := j.encode(parts)
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

// keep makes the file say what the journals say: lines that they no longer have
// are cut off, those that it does not have yet are written.
func (j *JournalFile) keep(parts []*interpreter.Journal) error {
	n := 0
	for _, part := range parts {
		n += 1 + len(part.Entries)
	}
	if err := j.cut(n); err != nil {
		return err
	}
	b, err := j.encode(parts)
	if err != nil {
		return j.fail(err)
	}
	if len(b) == 0 {
		return nil
	}
	if _, err := j.f.Write(b); err != nil {
		return j.fail(err)
	}
	return nil
}

// encode writes what the file does not have yet and notes where it ends.
func (j *JournalFile) encode(parts []*interpreter.Journal) ([]byte, error) {
	var b bytes.Buffer
	start := int64(0)
	if n := len(j.ends); n > 0 {
		start = j.ends[n-1]
	}
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	line := 0 // the first of the part
	for _, part := range parts {
		if line == len(j.ends) {
			head := &interpreter.Journal{Header: part.Header}
			if _, err := head.WriteTo(&b); err != nil {
				return nil, err
			}
			j.ends = append(j.ends, start+int64(b.Len()))
		}
		for have := len(j.ends) - line - 1; have < len(part.Entries); have++ {
			if err := enc.Encode(part.Entries[have]); err != nil {
				return nil, err
			}
			j.ends = append(j.ends, start+int64(b.Len()))
		}
		line += 1 + len(part.Entries)
	}
	return b.Bytes(), nil
}

// cut takes back all lines but the first n.
func (j *JournalFile) cut(n int) error {
	if n >= len(j.ends) {
		return nil
	}
	j.ends = j.ends[:n]
	if err := j.f.Truncate(j.ends[n-1]); err != nil {
		return j.fail(err)
	}
	if _, err := j.f.Seek(j.ends[n-1], io.SeekStart); err != nil {
		return j.fail(err)
	}
	return nil
}

// WriteJournals writes journals in a row.
func WriteJournals(w io.Writer, parts []*interpreter.Journal) error {
	for _, part := range parts {
		if _, err := part.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// ReadJournals reads what WriteJournals, or a JournalFile, wrote: one journal or
// several. A last line that was cut off is dropped, and reported by cut. The
// error is a *interpreter.JournalError.
func ReadJournals(text string) (parts []*interpreter.Journal, cut bool, err error) {
	line := 0
	for _, piece := range splitJournals(text) {
		part, short, err := interpreter.ReadJournal(strings.NewReader(piece))
		var bad *interpreter.JournalError
		if errors.As(err, &bad) {
			bad.Line += line
		}
		if err != nil {
			return nil, false, err
		}
		parts, cut = append(parts, part), short
		line += strings.Count(piece, "\n")
	}
	return parts, cut, nil
}

// splitJournals cuts a text before every header but the first.
func splitJournals(text string) []string {
	var out []string
	begin := 0
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at - 1
		}
		if at > begin && isHeader(text[at:at+end+1]) {
			out, begin = append(out, text[begin:at]), at
		}
		at += end + 1
	}
	return append(out, text[begin:])
}

// isHeader reports whether a line of a journal is a header.
func isHeader(line string) bool {
	const key = "houserules_journal"
	if !strings.Contains(line, key) {
		return false
	}
	var fields map[string]json.RawMessage
	return json.Unmarshal([]byte(line), &fields) == nil && fields[key] != nil
}

func (j *JournalFile) fail(err error) error {
	j.broken = true
	return err
}
