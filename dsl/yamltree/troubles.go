package yamltree

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// reportHard reports the troubles that we refuse without asking the library.
func reportHard(f *source.File, troubles []trouble, ds *source.List) bool {
	seen := map[cause]bool{}
	for _, t := range troubles {
		if t.cause.hard() && !seen[t.cause] {
			seen[t.cause] = true // one of a kind is enough: a file has all tabs or none
			t.report(f, ds)
		}
	}
	return len(seen) > 0
}

// reportSyntax reports, in our words and at the best place known, that the
// library refused a file.
func reportSyntax(f *source.File, troubles []trouble, message string, ds *source.List) {
	line := failingLine(f, message)
	if t := culprit(f, troubles, line); t != nil {
		t.report(f, ds)
		return
	}
	start := f.LineStart(line)
	text := f.Line(line)
	trimmed := strings.TrimLeft(text, " \t")
	start += len(text) - len(trimmed)
	ds.Errorf("E0102", source.Span{File: f, Start: start, End: start + len(trimmed)}, "this line is not valid YAML").
		WithHelp("look at the indentation, the quotes and the brackets of this line and the one before")
}

// culprit returns the first serious trouble up to the line at which the library
// gave up, else the last slight one, else nil.
func culprit(f *source.File, troubles []trouble, line int) *trouble {
	var slight *trouble
	for i := range troubles {
		t := &troubles[i]
		if at, _ := f.LineCol(t.start); at > line {
			continue
		}
		if t.cause == openBracket && slight != nil && slight.cause == commentInFlow && slight.start > t.start {
			return slight // which has hidden the closing bracket
		}
		if t.cause == tooDeep && slight != nil && slight.cause == noBlank {
			return slight // which was to be the first of these keys
		}
		if !t.cause.weak() {
			return t
		}
		slight = t
	}
	return slight
}

var libraryLine = regexp.MustCompile(`^yaml: line (\d+): `)

// maxSearch bounds the files in which the failing line is searched for.
const maxSearch = 128 << 10

// failingLine returns the line at which the library gave up. Its own number is
// that of the start of the map or list for many mistakes, and one too low
// besides. But the library reads from front to back, so the shortest beginning
// of the file that fails in the same way ends with the line wanted.
func failingLine(f *source.File, message string) int {
	from := startOf(f.Text)
	n := f.LineCount()
	if len(f.Text) <= maxSearch {
		fails := func(i int) bool {
			end := len(f.Text)
			if i+1 < n {
				end = f.LineStart(i + 2)
			}
			_, m := load(f.Text[from:max(from, end)])
			return m == message
		}
		if i := sort.Search(n, fails); i < n {
			return i + 1
		}
	}
	line := 1
	if m := libraryLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		if strings.Contains(message, "did not find expected") && !strings.Contains(message, "comment or line break") {
			line++
		}
	}
	return max(1, min(line, n))
}

// report turns a trouble into a diagnostic.
func (t *trouble) report(f *source.File, ds *source.List) {
	at := source.Span{File: f, Start: t.start, End: t.end}
	switch t.cause {
	case tabIndent:
		blanks := source.Span{File: f, Start: t.value[0], End: t.value[1]}
		ds.Errorf("E0110", at, "a tab is used as indentation").WithLabel("tab").
			WithHelp("indent with spaces, two a level").
			WithEdit(blanks, strings.ReplaceAll(blanks.Text(), "\t", "  "))
	case tabBlank:
		ds.Errorf("E0110", at, "a tab stands where YAML wants spaces").WithLabel("tab").
			WithHelp("use spaces")
	case secondDocument:
		ds.Errorf("E0108", at, "a second document begins here").
			WithHelp("a file holds one game or one variant; put the other into a file of its own")
	case directive:
		ds.Errorf("E0102", at, "a line must not begin with `%%`").
			WithHelp("rule files have no YAML directives; remove the line")
	case emptyKey:
		ds.Errorf("E0119", at, "a key must not be empty").WithHelp("write a name before the `:`")
	case nested:
		ds.Errorf("E0116", at, "nested deeper than %d levels", MaxDepth).
			WithHelp("nothing in a rule file lies so deep; look for brackets too many")
	case badStart:
		if d := reportStart(ds, source.Span{File: f, Start: t.start, End: (&scanner{text: f.Text}).wordEnd(t.start)}); d == nil {
			t.quotes(syntax(ds, at, "a value without quotes cannot start with `"+at.Text()+"`"))
		}
	case wrongBracket:
		other := source.Span{File: f, Start: t.other, End: t.other + 1}
		syntax(ds, at, "`"+other.Text()+"` is closed by `"+at.Text()+"`").WithRelated(other, "opened here")
	case commentInFlow:
		ds.Errorf("E0107", at, "brackets are left open by a comment").
			WithLabel("YAML skips everything from the `#` on").
			WithHelp("if the `#` belongs to a formula, put the formula in single quotes")
	default:
		t.words(ds, at)
	}
}

// words reports the troubles that are plain syntax errors.
func (t *trouble) words(ds *source.List, at source.Span) {
	switch t.cause {
	case colonInValue:
		t.quotes(syntax(ds, at, "`: ` stands inside a value without quotes").
			WithLabel("YAML reads `: ` as the start of a new key"))
	case dashInValue:
		t.quotes(syntax(ds, at, "a value without quotes starts with `- `").
			WithLabel("YAML reads `- ` as the start of a list")).
			WithHelp("start a list on the line below its key")
	case badEscape:
		syntax(ds, at, "`"+at.Text()+"` is no escape in double quotes").
			WithHelp("write `\\\\` for a backslash and `\\\"` for a quote")
	case afterQuote:
		d := syntax(ds, at, "text follows the closing quote").WithLabel("the value ended before this")
		if strings.HasSuffix(at.File.Text[:at.Start], "'") {
			d.WithHelp("inside single quotes, write `''` for a quote")
		} else {
			t.quotes(d)
		}
	case afterBracket:
		t.quotes(syntax(ds, at, "text follows a complete value").
			WithLabel("the value ended before this"))
	case openQuote:
		syntax(ds, at, "this quote is not closed on its line").
			WithHelp("add the closing quote; use `|` for text of several lines")
	case openBracket:
		syntax(ds, at, "this `"+at.Text()+"` is not closed").
			WithHelp("add the closing bracket")
	case bracketInValue, questionInValue:
		t.quotes(syntax(ds, at, "`"+at.Text()+"` stands inside a value without quotes").
			WithLabel("inside brackets it ends the value"))
	case misaligned:
		syntax(ds, at, "the indentation fits no line above").
			WithHelp("start it in the same column as the line it belongs with")
	case tooDeep:
		syntax(ds, at, "this line is indented below a key or item that has a value already").
			WithHelp("start it in the same column as the line it belongs with")
	case blockDedent:
		syntax(ds, at, "this line is indented less than the first line of its block").
			WithHelp("indent all lines of a `|` block alike")
	case itemAmongKeys:
		syntax(ds, at, "an item of a list stands among the keys of a map").
			WithHelp("write `key: value`, or indent it below a key without a value")
	case keyAmongItems:
		syntax(ds, at, "a key stands among the items of a list").
			WithHelp("begin it with `- `, or start it in the column of the key it belongs with")
	case noBlank:
		syntax(ds, at, "no blank after the `:` of a key").
			WithHelp("put a blank after the `:`").
			WithEdit(at, strings.Replace(at.Text(), ":", ": ", 1))
	case noColon:
		syntax(ds, at, "no `: ` behind a key").
			WithHelp("write `key: value`, with a blank after the colon")
	}
}

func syntax(ds *source.List, at source.Span, message string) *source.Diagnostic {
	return ds.Errorf("E0102", at, "not valid YAML: %s", message)
}

// quotes adds the help to quote the value, with the edit if its end is known.
func (t *trouble) quotes(d *source.Diagnostic) *source.Diagnostic {
	d.WithHelp("put the whole value in single quotes")
	if t.value[1] > t.value[0] {
		value := source.Span{File: d.Span.File, Start: t.value[0], End: t.value[1]}
		d.WithEdit(value, singleQuoted(value.Text()))
	}
	return d
}
