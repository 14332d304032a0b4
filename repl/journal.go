package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"syscall"

	"github.com/houserules/houserules/interpreter"
)

// A JournalFile is a file that grows with a game, entry by entry, so that a
// game that is interrupted loses nothing. A session of several stages has their
// journals in a row: each begins with its header.
type JournalFile struct {
	f     journalWriter
	lines int   // that are in it
	end   int64 // where the last of them ends
	torn  bool  // there may be a piece of a line behind it
}

// journalWriter is what is needed of a file.
type journalWriter interface {
	io.Writer
	io.Seeker
	Truncate(size int64) error
	Sync() error
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
	if err != nil {
		return nil, err
	}
	j.lines = linesOf(parts)
	if whole := string(b); !strings.HasPrefix(text, whole) {
		if text+"\n" != whole { // all but the last byte was written
			return nil, nil
		}
		j.end = int64(len(text))
		return j, j.add([]byte("\n"), j.lines)
	}
	j.end, j.torn = int64(len(b)), len(text) > len(b)
	return j, nil
}

// keep makes the file say what the journals say, which have only grown. What is
// written is on the disk afterwards.
func (j *JournalFile) keep(parts []*interpreter.Journal) error {
	n := linesOf(parts)
	if n == j.lines {
		return nil
	}
	b, err := j.encode(parts)
	if err == nil {
		err = j.add(b, n)
	}
	return err
}

// add writes whole lines behind those that are there, or nothing at all; then
// there are n.
func (j *JournalFile) add(b []byte, n int) error {
	err := j.write(b)
	if err != nil {
		j.torn = true
		_ = j.f.Truncate(j.end) // if it cannot be, it is tried again before the next line
		return err
	}
	j.lines, j.end = n, j.end+int64(len(b))
	return nil
}

func (j *JournalFile) write(b []byte) error {
	if j.torn {
		if err := j.f.Truncate(j.end); err != nil {
			return err
		}
		j.torn = false
	}
	if _, err := j.f.Seek(j.end, io.SeekStart); err != nil {
		return err
	}
	if _, err := j.f.Write(b); err != nil {
		return err
	}
	return synced(j.f.Sync())
}

// encode writes those lines of journals that the file does not have yet.
func (j *JournalFile) encode(parts []*interpreter.Journal) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	line := 0
	for _, part := range parts {
		if line++; line > j.lines {
			head := &interpreter.Journal{Header: part.Header}
			if _, err := head.WriteTo(&b); err != nil {
				return nil, err
			}
		}
		skip := min(max(j.lines-line, 0), len(part.Entries))
		for _, e := range part.Entries[skip:] {
			if err := enc.Encode(e); err != nil {
				return nil, err
			}
		}
		line += len(part.Entries)
	}
	return b.Bytes(), nil
}

// linesOf counts the lines of journals.
func linesOf(parts []*interpreter.Journal) int {
	n := 0
	for _, part := range parts {
		n += 1 + len(part.Entries)
	}
	return n
}

// synced is what a sync came to; what is no file on a disk cannot be synced, and
// need not be.
func synced(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
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
