package interpreter

import (
	"fmt"

	"github.com/houserules/houserules/dsl/source"
)

// A Fault is a mistake in the rules that only showed while playing: a division
// by zero, the first of nothing, a decision without a legal answer. The game
// stops where it stands; its state before the fault's move is kept by whoever
// keeps the journal.
type Fault struct {
	Message string
	Span    source.Span
	Values  []Value // what the formula was made of, outermost first
	Phase   string  // where the game stood
}

// A Value is one sub-formula with what it came to, for people.
type Value struct {
	Text string // the formula as written
	Span source.Span
	Is   string
}

// Error returns the fault in one line.
func (f *Fault) Error() string { return fmt.Sprintf("%s: rule fault: %s", f.Span, f.Message) }

// fault stops the running script. Lowered code has no error results, to stay
// fast: it panics with a *Fault, and the entry points of Machine turn the panic
// into an error. Every other panic is a mistake of ours and goes on.
func fault(span source.Span, format string, args ...any) int64 {
	panic(&Fault{Message: fmt.Sprintf(format, args...), Span: span})
}

// catchFault makes an error of a fault that is on its way up, if it is deferred;
// other panics go on.
func catchFault(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(*Fault)
		if !ok {
			panic(r)
		}
		*err = f
	}
}
