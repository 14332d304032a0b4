package repl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
)

// A Transcript is a game written down: what it is played with, then the lines
// that people type and what is printed for each.
//
//	# a comment
//	game: NAME                 an id, or a file beside the transcript
//	players: [Ann, Bob]
//	dice: [1 1 5 2 3 6, 4]     what chance gives, or  seed: 42
//	opening: true              the opening of the game is played too
//	games: 2                   a session of so many games
//	source: R1, R2             the printed rules that it shows, for readers
//	---
//	  output before the first line
//	Ann> a line that Ann types
//	  output
//	  ...                      any lines
//	  a line with [..] in it   any text
//	! Ann> a line that is refused
//	  refused by RULE
//	? FORMULA
//
// What chance gives is one throw, roll or draw after the other. It may also
// stand where it happens, below the line that leads to it (or below ---) and
// before what that prints:
//
//	Ann> roll
//	-> 1 1 5 2 3 6
//	Ann> done
//	-> Ann: G7 B2, Bob: PI G1, G9
//
// Pieces that are dealt need not be written one by one in the order in which they
// are dealt: after the name of a seat, and a colon, stand those that this seat
// is dealt, in order. Other pieces of one item are dealt one after the other to
// the seats that have none named.
type Transcript struct {
	File    *source.File
	Game    string
	Options dsl.Options
	Players []Player
	Dice    []string
	Real    bool // throws come from Dice
	Seed    uint64
	Opening bool // the opening of the game is played too
	Games   int
	Cover   *interpreter.Coverage // counts what the rules make happen, if not nil
	steps   []*step
}

// step is one thing that a transcript does, with the output it expects.
type step struct {
	kind     stepKind
	line     int // 1-based
	name     string
	text     string
	at       int // byte offset of text
	luck     []string
	expected []expected
}

type stepKind uint8

const (
	stepStart stepKind = iota
	stepLine
	stepRefused
	stepAssert
)

type expected struct {
	line int
	text string
}

// ReadTranscript reads a transcript. It returns nil after an error.
func ReadTranscript(f *source.File, ds *source.List) *Transcript {
	t := &Transcript{File: f, Players: []Player{{Name: "Ann"}, {Name: "Bob"}}}
	t.Options = dsl.Options{Usual: true, Set: map[string]string{}}
	r := &transcriptReader{t: t, ds: ds, before: len(*ds)}
	n := r.head()
	if n > 0 {
		r.body(n)
	}
	if (*ds)[r.before:].HasErrors() {
		return nil
	}
	return t
}

type transcriptReader struct {
	t      *Transcript
	ds     *source.List
	before int
}

func (r *transcriptReader) errorf(line int, format string, args ...any) *source.Diagnostic {
	if len(*r.ds) == maxErrors {
		return &source.Diagnostic{}
	}
	f := r.t.File
	start := f.LineStart(line)
	return r.ds.Errorf("E0601", source.Span{File: f, Start: start, End: start + len(f.Line(line))}, format, args...)
}

// maxErrors is how many mistakes of a transcript are reported.
const maxErrors = 50

// maxScripted is how many throws or pieces a transcript may write down.
const maxScripted = 10_000

var headKeys = []string{"game", "with", "without", "usual", "set", "players", "dice", "seed", "opening", "games", "source"}

// head reads what stands before the game and returns the line of `---`, or 0.
func (r *transcriptReader) head() int {
	f := r.t.File
	for n := 1; n <= f.LineCount(); n++ {
		text := strings.TrimSpace(f.Line(n))
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
			continue
		case text == "---":
			if r.t.Game == "" {
				r.errorf(n, "the transcript does not say which game it is of").WithHelp("write `game: NAME` above")
			}
			return n
		}
		key, value, ok := strings.Cut(text, ":")
		if !ok {
			r.errorf(n, "a line such as `game: NAME` is wanted above `---`")
			return 0
		}
		if i := strings.Index(value, " #"); i >= 0 {
			value = value[:i]
		}
		r.field(n, strings.TrimSpace(key), strings.TrimSpace(value))
	}
	r.errorf(max(1, f.LineCount()), "the transcript has no `---` above the game")
	return 0
}

// truth reads true or false.
func (r *transcriptReader) truth(n int, key, value string) bool {
	if value != "true" && value != "false" {
		r.errorf(n, "`%s` is true or false, not `%s`", key, value)
	}
	return value == "true"
}

func (r *transcriptReader) field(n int, key, value string) {
	t := r.t
	switch key {
	case "game":
		t.Game = value
	case "with":
		t.Options.With = items(value)
	case "without":
		t.Options.Without = items(value)
	case "source": // where the case comes from: for readers
	case "usual":
		t.Options.Usual = r.truth(n, key, value)
	case "opening":
		t.Opening = r.truth(n, key, value)
	case "games":
		games, err := strconv.Atoi(value)
		if err != nil || games < 1 {
			r.errorf(n, "`%s` is no number of games", value)
		}
		t.Games = games
	case "dice":
		t.Dice, t.Real = append(t.Dice, items(value)...), true
		if len(t.Dice) > maxScripted {
			r.errorf(n, "%d throws are written down; at most %d may be", len(t.Dice), maxScripted).
				WithHelp("let a seed throw: `seed: 42`")
		}
	case "set":
		for _, item := range items(value) {
			name, v, ok := strings.Cut(item, ":")
			if !ok {
				name, v, ok = strings.Cut(item, "=")
			}
			if !ok {
				r.errorf(n, "`%s` does not say what the option is set to", item).WithHelp("write `set: {NAME: VALUE}`")
			}
			t.Options.Set[strings.TrimSpace(name)] = strings.TrimSpace(v)
		}
	case "players":
		players, err := ParsePlayers(strings.Join(items(value), ","))
		if err != nil {
			r.errorf(n, "%s", err)
			return
		}
		t.Players = players
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			r.errorf(n, "`%s` is no seed: a whole number is wanted", value)
		}
		t.Seed = seed
	default:
		d := r.errorf(n, "unknown key `%s`", key)
		if near := source.Nearest(key, headKeys); len(near) > 0 {
			d.WithHelp("did you mean `%s`?", near[0])
		}
	}
}

// items reads `[a, b]`, `{a: 1, b: 2}` or `a, b`.
func items(value string) []string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '[' && value[n-1] == ']' || value[0] == '{' && value[n-1] == '}') {
		value = value[1 : n-1]
	}
	var out []string
	add := func(item string) {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	depth, from := 0, 0
	for i, c := range value {
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			add(value[from:i])
			from = i + 1
		}
	}
	add(value[from:])
	return out
}

// body reads the game below the line of `---`.
func (r *transcriptReader) body(head int) {
	t, f := r.t, r.t.File
	now := &step{kind: stepStart, line: head}
	t.steps = append(t.steps, now)
	for n := head + 1; n <= f.LineCount(); n++ {
		text := strings.TrimRight(f.Line(n), " \t")
		switch {
		case strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#"):
			continue
		case strings.HasPrefix(text, "  "):
			if now.kind == stepAssert {
				r.errorf(n, "a formula prints nothing, so no output can stand here")
				continue
			}
			now.expected = append(now.expected, expected{n, text[2:]})
			continue
		case strings.HasPrefix(text, "->"):
			r.luck(n, now, text)
			continue
		case text == "...":
			now.expected = append(now.expected, expected{n, text})
			continue
		}
		if now = r.step(n, text); now == nil {
			return
		}
		t.steps = append(t.steps, now)
	}
}

// luck reads what chance gives for a step.
func (r *transcriptReader) luck(n int, st *step, text string) {
	if st.kind == stepAssert || len(st.expected) > 0 {
		r.errorf(n, "what chance gives stands right below the line that leads to it")
		return
	}
	r.t.Real = true
	st.luck = append(st.luck, items(strings.TrimPrefix(text, "->"))...)
}

func (r *transcriptReader) step(n int, text string) *step {
	s := &step{kind: stepLine, line: n}
	rest := text
	if after, ok := strings.CutPrefix(text, "?"); ok {
		s.kind, s.text = stepAssert, strings.TrimSpace(after)
		s.at = r.t.File.LineStart(n) + strings.Index(r.t.File.Line(n), s.text)
		return s
	}
	if after, ok := strings.CutPrefix(text, "!"); ok {
		s.kind, rest = stepRefused, strings.TrimSpace(after)
	}
	name, line, ok := strings.Cut(rest, ">")
	if !ok {
		r.errorf(n, "this is no line of a transcript").
			WithHelp("write `NAME> what is typed`, two blanks before output, `? FORMULA`, or `! NAME> what is refused`")
		return nil
	}
	s.name, s.text = strings.TrimSpace(name), strings.TrimSpace(line)
	for _, p := range r.t.Players {
		if p.Name == s.name {
			return s
		}
	}
	r.errorf(n, "nobody here is called `%s`", s.name).WithHelp("the players are %s", strings.Join(Names(r.t.Players), ", "))
	return nil
}

// formula is the text of an assertion with its place in the file.
func (t *Transcript) formula(s *step) syntax.Text {
	return syntax.Text{Value: s.text, Span: func(from, to int) source.Span {
		return source.Span{File: t.File, Start: s.at + from, End: s.at + to}
	}}
}

// matches reports whether lines are as expected, with `...` for any lines and
// `[..]` for any text.
func matches(want []expected, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0].text == "..." {
		for i := 0; i <= len(got); i++ {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && lineMatches(want[0].text, got[0]) && matches(want[1:], got[1:])
}

func lineMatches(want, got string) bool {
	parts := strings.Split(want, "[..]")
	if len(parts) == 1 {
		return want == got
	}
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	got = got[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(got, p)
		}
		at := strings.Index(got, p)
		if at < 0 {
			return false
		}
		got = got[at+len(p):]
	}
	return true
}

// difference shows expected and printed lines: those that agree at the
// beginning and the end once, the others with - and +.
func difference(want []expected, got []string) []string {
	lo := 0
	for lo < len(want) && lo < len(got) && want[lo].text != "..." && lineMatches(want[lo].text, got[lo]) {
		lo++
	}
	hi := 0
	for hi < len(want)-lo && hi < len(got)-lo && want[len(want)-1-hi].text != "..." &&
		lineMatches(want[len(want)-1-hi].text, got[len(got)-1-hi]) {
		hi++
	}
	const context = 3
	var out []string
	for i := max(0, lo-context); i < lo; i++ {
		out = append(out, "    "+got[i])
	}
	for _, w := range want[lo : len(want)-hi] {
		out = append(out, "  - "+w.text)
	}
	for _, g := range got[lo : len(got)-hi] {
		out = append(out, "  + "+g)
	}
	for i := len(got) - hi; i < min(len(got), len(got)-hi+context); i++ {
		out = append(out, fmt.Sprintf("    %s", got[i]))
	}
	return out
}
