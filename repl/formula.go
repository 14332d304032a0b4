package repl

import (
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// This file reads formulas that people type.

// inputName is the name of what was typed, in the places of findings.
const inputName = "<input>"

// rest returns what stands behind the first word of the line that is carried
// out, and where in the line it begins.
func (s *Session) rest() (text string, at int) {
	line := s.typed
	skip := func(f func(r rune) bool) {
		at += len(line[at:]) - len(strings.TrimLeftFunc(line[at:], f))
	}
	blank := func(r rune) bool { return r == ' ' }
	skip(func(r rune) bool { return r == ':' || r == ' ' })
	skip(func(r rune) bool { return r != ' ' })
	skip(blank)
	return line[at:], at
}

// formula checks a formula that stands in the typed line from a byte on. What
// is wrong with it is printed, with its place in the line.
func (s *Session) formula(text string, at int, env dsl.Env) (*dsl.Expr, error) {
	var ds source.List
	env.Seats = Names(s.cfg.Players)
	e := s.match.Game().Program().Formula(typedText(s.typed, text, at), env, &ds)
	if e == nil {
		return nil, s.findings(ds)
	}
	return e, nil
}

// typedText is a part of the typed line, with its place in it.
func typedText(line, text string, at int) syntax.Text {
	f := source.NewFile(inputName, line)
	return syntax.Text{Value: text, Span: func(from, to int) source.Span {
		return source.Span{File: f, Start: at + from, End: at + to}
	}}
}

// findings prints what is wrong with a formula.
func (s *Session) findings(ds source.List) error {
	var b strings.Builder
	_ = source.RenderPretty(&b, ds, source.Style{Color: s.cfg.Color, Width: s.cfg.Width, ASCII: true}) // a builder takes all
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for _, l := range lines[:len(lines)-1] { // the last one counts them
		if strings.TrimSpace(l) != "" {
			s.printf("%s", l)
		}
	}
	return &LineError{Message: ds[0].Message}
}
