package merge

import (
	"regexp"
	"strings"
	"sync"

	"github.com/houserules/houserules/dsl/source"
)

// Reading a file takes long enough that a shelf of many files is not read for
// the one that is played. Of a file that is read later only the top is read at
// first: what says what it is and what people call it.

// later is a file of which only the top has been read.
type later struct {
	once sync.Once
}

// topKeys are the keys that stand at the top of a file.
var topKeys = words("houserules title about players game extends usual variant part for icon tags")

// topLevel matches the key at the beginning of a line that is not indented.
var topLevel = regexp.MustCompile(`(?m)^([a-z_]+):`)

// ReadTop reads the top of a file whose keys of the head stand before all
// others. It returns nil if the top alone does not say what the file is, or
// something is wrong with it: then the file is to be read whole. Whole reads
// the rest.
func ReadTop(src *source.File) *File {
	end := len(src.Text)
	for from := 0; ; {
		at := topLevel.FindStringSubmatchIndex(src.Text[from:])
		if at == nil {
			break
		}
		if !has(topKeys, src.Text[from+at[2]:from+at[3]]) {
			end = from + at[0]
			break
		}
		next := strings.IndexByte(src.Text[from+at[1]:], '\n')
		if next < 0 {
			break
		}
		from += at[1] + next + 1
	}
	if strings.TrimSpace(src.Text[:end]) == "" {
		return nil
	}
	var ds source.List
	f := ReadHead(source.NewFile(src.Name, src.Text[:end]), &ds)
	if f == nil || len(ds) > 0 {
		return nil
	}
	f.Src, f.later = src, &later{}
	return f
}

// Whole reads what ReadTop has left, once, and returns the file. It is safe to
// be called from any goroutine.
func (f *File) Whole() *File {
	if f == nil || f.later == nil {
		return f
	}
	f.later.once.Do(func() {
		if full := ReadHead(f.Src, &f.found); full != nil {
			f.Root, f.IDSpan, f.ForSpan, f.ExtendsSpan = full.Root, full.IDSpan, full.ForSpan, full.ExtendsSpan
		}
	})
	return f
}

// Found is what Whole has found wrong with the file: loading reports it, since
// nobody could before.
func (f *File) Found() source.List { return f.found }
