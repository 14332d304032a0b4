package repl

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
)

func pipe(t *testing.T, text string, change func(*Input)) (out, errs string, code int) {
	t.Helper()
	d := newDesk(t, load(t, pig, dsl.Options{}), "Ann,Bob", real("6", "5", "4", "3"))
	var eb bytes.Buffer
	in := Input{In: strings.NewReader(text), Out: &d.out, Err: &eb}
	if change != nil {
		change(&in)
	}
	code = Run(context.Background(), d.Session, in)
	return d.printed(), eb.String(), code
}

func TestPipe(t *testing.T) {
	tests := []struct {
		name, in  string
		keepGoing bool
		code      int
		out, err  string
	}{
		{"B-111: nothing", "", false, ExitOK, "left before the end", ""},
		{"B-113: no line end", "score", false, ExitOK, "total  0", ""},
		{"quit", "quit\nfly\n", false, ExitOK, "left before the end", ""},
		{"first error", "score\n\nfly\nhold\n", false, ExitNo, "there is no `fly`", "line 3"},
		{"keep going", "fly\nhold\n", true, ExitOK, "sheet: Ann", ""},
		{"control bytes", "sc\x04ore\n", false, ExitNo, "there is no `sc?ore`", "line 1"},
		{"windows", "hold\r\n", false, ExitOK, "sheet: Ann", ""},
		{"too long", strings.Repeat("x", maxLine+1), false, ExitCannot, "", "longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, errs, code := pipe(t, tt.in, func(i *Input) { i.KeepGoing = tt.keepGoing })
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.err) || tt.err == "" && errs != "" {
				t.Errorf("code %d, out:\n%s\nerr:\n%s", code, out, errs)
			}
			if strings.Contains(out, "> ") {
				t.Errorf("there is a prompt in:\n%s", out)
			}
		})
	}
}

func TestPlainPromptIsText(t *testing.T) {
	out, _, code := pipe(t, "", func(i *Input) { i.Plain = true })
	if code != ExitOK || !strings.Contains(out, "Ann> \n") {
		t.Errorf("code %d:\n%s", code, out)
	}
}

func TestInterrupt(t *testing.T) {
	d := newDesk(t, load(t, pig, dsl.Options{}), "bot:random,bot:random", nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code := Run(ctx, d.Session, Input{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); code != ExitInterrupted {
		t.Errorf("code %d", code)
	}
}

func TestPasteFilter(t *testing.T) {
	tests := []struct{ name, want string }{
		{"roll\r", "roll\r"},
		{"\t\x1b[A", "\t\x1b[A"},
		{pasteBegin + "a\tb c\x04\x1b[A" + pasteEnd + "\t", "a b c[A\t"},
		{pasteBegin + "a\tb\nc\x04\x1b[A" + pasteEnd + "\t", "\r\t"}, // lines wait to be asked for
		{"\x1b", "\x1b"},
		{"\x1b[2~", "\x1b[2~"},
	}
	for _, tt := range tests {
		for size := 1; size < 9; size++ {
			if len(tt.name) > 1 && tt.name[0] == 0x1b && size == 1 {
				continue // a lone ESC is handed on at once
			}
			got, err := io.ReadAll(&pasteFilter{r: &pieces{tt.name, max(size, 3)}})
			if err != nil || string(got) != tt.want {
				t.Errorf("%q in pieces of %d: %q, %v", tt.name, size, got, err)
			}
		}
	}
}

// pieces is a reader that gives so many bytes at a time.
type pieces struct {
	text string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.size, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}
