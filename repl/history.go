package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/houserules/houserules/repl/filelock"
)

// A History is a file that keeps what somebody typed, for nobody else to read:
// one JSON string a line, the oldest first. Others may write to it at the same
// time.
type History struct {
	Path string
	Most int // entries that are kept, 0 for as many as are typed
}

// maxHistory is the size from which a file of history is taken for something
// else.
const maxHistory = 16 << 20

// Load returns what was typed, the oldest first. Lines that are not as Add
// writes them are left out. A missing file is an empty history.
func (h *History) Load() []string {
	info, err := os.Stat(h.Path)
	if err != nil || info.Size() > maxHistory {
		return nil
	}
	text, err := os.ReadFile(h.Path)
	if err != nil {
		return nil
	}
	var out []string
	for _, line := range bytes.Split(text, []byte("\n")) {
		var entry string
		if len(line) > 0 && json.Unmarshal(line, &entry) == nil {
			out = append(out, entry)
		}
	}
	if n := len(out) - h.Most; h.Most > 0 && n > 0 {
		out = out[n:]
	}
	return out
}

// Add appends an entry. The folder is made for nobody else to look into. The
// error is that of the file.
func (h *History) Add(entry string) (err error) {
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		return err
	}
	unlock, err := filelock.Lock(h.Path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(h.Path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close(), h.trim())
}

// trim makes a file that has grown to twice its size short again: another one
// with the same mode takes its place.
func (h *History) trim() error {
	if h.Most == 0 {
		return nil
	}
	info, err := os.Stat(h.Path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(h.Path)
	if err != nil || bytes.Count(text, []byte("\n")) < 2*h.Most {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines = lines[:len(lines)-1] // behind the last newline
	f, err := os.CreateTemp(filepath.Dir(h.Path), ".history-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it is gone if all went well
	_, err = f.Write(bytes.Join(lines[len(lines)-h.Most:], nil))
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), h.Path)
}
