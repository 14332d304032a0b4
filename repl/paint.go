package repl

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// A painter shows pieces in the colours that the rules give them: the words for
// them, wherever they are printed. The words themselves stay as they are, so that
// nothing hangs on the colour alone.
type painter struct {
	to      io.Writer
	colours map[string][]byte // by word: the sequence that begins the colour
}

// painting returns a writer that paints the pieces of a game, or the writer
// itself if there is nothing to paint.
func painting(to io.Writer, g *interpreter.Game) io.Writer {
	colours := map[string][]byte{}
	for word, c := range g.PieceColours() {
		// The base colours alone, bright ones: those of the user's own terminal.
		colours[word] = []byte("\x1b[" + strconv.Itoa(91+slices.Index(dsl.Colours, c)) + "m")
	}
	if len(colours) == 0 {
		return to
	}
	return &painter{to, colours}
}

// Write paints whole words.
func (p *painter) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for rest := b; len(rest) > 0; {
		n := wordLength(rest)
		if n == 0 {
			out.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		if c, ok := p.colours[string(rest[:n])]; ok {
			out.Write(c)
			out.Write(rest[:n])
			out.WriteString("\x1b[0m")
		} else {
			out.Write(rest[:n])
		}
		rest = rest[n:]
	}
	_, err := p.to.Write(out.Bytes())
	return len(b), err
}

// wordLength is how long the word is that a text begins with, 0 if it begins with
// no word. Words for pieces are letters, digits and a few signs.
func wordLength(b []byte) int {
	n := 0
	for n < len(b) && (b[n] >= 0x80 || b[n] == '-' || b[n] == '_' || b[n] == ':' && n+1 < len(b) && b[n+1] != ' ' && b[n+1] != '\n' ||
		b[n] >= '0' && b[n] <= '9' || b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z') {
		n++
	}
	return n
}
