package source

import (
	"errors"
	"fmt"
	"sort"
)

// Severity says how bad a diagnostic is.
type Severity uint8

// The severities, worst first.
const (
	Error Severity = iota
	Warning
	Note
)

// String returns "error", "warning" or "note".
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// A Diagnostic is one finding about a rule file. Its Code is stable and has a
// page of its own; its Message is lower case without a full stop and says what
// is wrong; Help says how to mend it.
type Diagnostic struct {
	Code     string // E0213, W0501
	Severity Severity
	Message  string // headline: `unknown name ` + "`opening_minimun`"
	Span     Span
	Label    string // short text at the caret, may be empty
	Help     []string
	Edits    []Edit    // what Help[0] would change, for showing and for tools
	Related  []Related // other places that matter, such as a declaration
	Path     string    // where in the rules: "phases.choose.actions.keep.require"
	// Pair are two house rules of which it matters, or would, which goes first: the
	// one that does, if they can be played together, stands first. Else both are "".
	Pair [2]string
}

// An Edit replaces the text of a span.
type Edit struct {
	Span Span
	Text string
}

// Related is a second place that explains a diagnostic.
type Related struct {
	Message string // "declared here"
	Span    Span
}

// Error returns the diagnostic in one line: file:line:col: severity[CODE] message.
func (d *Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s[%s] %s", d.Span, d.Severity, d.Code, d.Message)
}

// WithHelp adds a line of help and returns d.
func (d *Diagnostic) WithHelp(format string, args ...any) *Diagnostic {
	d.Help = append(d.Help, fmt.Sprintf(format, args...))
	return d
}

// WithLabel sets the text at the caret and returns d.
func (d *Diagnostic) WithLabel(format string, args ...any) *Diagnostic {
	d.Label = fmt.Sprintf(format, args...)
	return d
}

// WithRelated adds a related place, unless the span is zero, and returns d.
func (d *Diagnostic) WithRelated(span Span, format string, args ...any) *Diagnostic {
	if !span.IsZero() {
		d.Related = append(d.Related, Related{fmt.Sprintf(format, args...), span})
	}
	return d
}

// WithPair names two house rules of which it matters which goes first, and
// returns d. The owner "" of a game's own file makes no pair.
func (d *Diagnostic) WithPair(first, then string) *Diagnostic {
	if first != "" && then != "" && first != then {
		d.Pair = [2]string{first, then}
	}
	return d
}

// WithEdit adds a replacement that carries out the first line of help.
func (d *Diagnostic) WithEdit(span Span, text string) *Diagnostic {
	d.Edits = append(d.Edits, Edit{span, text})
	return d
}

// A List gathers diagnostics. The zero List is ready to use. It is an error
// value through [List.Err].
type List []*Diagnostic

// Errorf adds an error and returns it for decoration. Every diagnostic needs a
// span: a zero one is our own mistake and panics.
func (l *List) Errorf(code string, span Span, format string, args ...any) *Diagnostic {
	return l.add(code, Error, span, format, args...)
}

// Warnf adds a warning and returns it for decoration.
func (l *List) Warnf(code string, span Span, format string, args ...any) *Diagnostic {
	return l.add(code, Warning, span, format, args...)
}

// Notef adds a note and returns it for decoration.
func (l *List) Notef(code string, span Span, format string, args ...any) *Diagnostic {
	return l.add(code, Note, span, format, args...)
}

func (l *List) add(code string, sev Severity, span Span, format string, args ...any) *Diagnostic {
	if span.IsZero() {
		panic("source: diagnostic " + code + " without a place")
	}
	d := &Diagnostic{Code: code, Severity: sev, Message: fmt.Sprintf(format, args...), Span: span}
	*l = append(*l, d)
	return d
}

// HasErrors reports whether the list holds an error.
func (l List) HasErrors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Count returns how many diagnostics have the severity.
func (l List) Count(sev Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == sev {
			n++
		}
	}
	return n
}

// Sort orders the list by file, place and code, and drops exact repetitions.
func (l *List) Sort() {
	s := *l
	sort.SliceStable(s, func(i, j int) bool {
		a, b := s[i], s[j]
		switch {
		case a.Span.File.Name != b.Span.File.Name:
			return a.Span.File.Name < b.Span.File.Name
		case a.Span.Start != b.Span.Start:
			return a.Span.Start < b.Span.Start
		default:
			return a.Code < b.Code
		}
	})
	out := s[:0]
	for _, d := range s {
		if n := len(out); n > 0 && out[n-1].Error() == d.Error() {
			continue
		}
		out = append(out, d)
	}
	*l = out
}

// Err returns nil if the list holds no error, and otherwise an error that
// wraps the whole list; get it back with [AsList].
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &listError{l}
}

// AsList returns the diagnostics inside an error made by [List.Err], or nil.
func AsList(err error) List {
	var le *listError
	if errors.As(err, &le) {
		return le.list
	}
	return nil
}

type listError struct{ list List }

func (e *listError) Error() string {
	for _, d := range e.list {
		if d.Severity == Error {
			if n := e.list.Count(Error); n > 1 {
				return fmt.Sprintf("%s (and %d more)", d.Error(), n-1)
			}
			return d.Error()
		}
	}
	return "no error"
}
