package yamltree

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/source"
)

// Limits on rule files. They are far above what a game needs, and let all that
// is asked about a file be answered quickly.
const (
	MaxBytes   = 1 << 20
	MaxDepth   = 64
	MaxEntries = 2000      // of one map or list
	MaxNodes   = 40 * 1000 // keys and values in a file
)

// maxErrors bounds how many problems are reported about one file.
const maxErrors = 50

const bom = "\uFEFF"

// checkText refuses what no rule file may hold, whatever its YAML says. The
// library counts lines in its own way at some of these characters, so that
// nothing after them could be placed.
func checkText(f *source.File, ds *source.List) bool {
	text := f.Text
	if len(text) > MaxBytes {
		ds.Errorf("E0101", source.Span{File: f, Start: 0, End: 0}, "the file has %d bytes, more than the %d allowed", len(text), MaxBytes).
			WithHelp("split it: put house rules into files of their own")
		return false
	}
	const maxChars = 5
	for i := startOf(text); i < len(text) && len(*ds) < maxChars; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if message, help := badChar(text[i:], r, size); message != "" {
			ds.Errorf("E0109", source.Span{File: f, Start: i, End: i + size}, "%s", message).WithHelp("%s", help)
		}
		i += size
	}
	return len(*ds) == 0
}

// startOf returns where the text starts behind a byte order mark.
func startOf(text string) int {
	if strings.HasPrefix(text, bom) {
		return len(bom)
	}
	return 0
}

// badChar returns what is wrong with the character r at the start of rest.
func badChar(rest string, r rune, size int) (message, help string) {
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte %02x is not UTF-8", rest[0]), "save the file as UTF-8"
	case r == '\r' && !strings.HasPrefix(rest, "\r\n"):
		return "a carriage return stands alone", "end lines with a line feed, or with both"
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return fmt.Sprintf("the line separator U+%04X is not allowed", r), "end lines with a line feed"
	case r == 0xFEFF:
		return "a byte order mark stands in the middle of the file", "remove it; it is invisible in most editors"
	case r == '\n' || r == '\r' || r == '\t':
		return "", ""
	case r < 0x20 || r >= 0x7F && r < 0xA0 || r == 0xFFFE || r == 0xFFFF:
		return fmt.Sprintf("the control character U+%04X is not allowed", r), "remove it; it is invisible in most editors"
	}
	return "", ""
}
