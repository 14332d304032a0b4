package interpreter

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// This file reads the lines of an example's `play`.

// line is a part of an example's text, without blanks around it.
type line struct{ syntax.Text }

// lines splits a text into lines, without comments and empty ones.
func lines(t syntax.Text) []line {
	var out []line
	at := 0
	for _, s := range strings.SplitAfter(t.Value, "\n") {
		end := len(s)
		if i := strings.Index(s, "//"); i >= 0 {
			end = i
		}
		if l := trimmed(t, at, at+end); l.Value != "" {
			out = append(out, l)
		}
		at += len(s)
	}
	return out
}

// trimmed is the part [from, to) of a text without blanks around it.
func trimmed(t syntax.Text, from, to int) line {
	for from < to && strings.ContainsRune(" \t\r\n", rune(t.Value[from])) {
		from++
	}
	for to > from && strings.ContainsRune(" \t\r\n", rune(t.Value[to-1])) {
		to--
	}
	return line{t.Slice(from, to)}
}

// cut splits a line at the first sep.
func (l line) cut(sep string) (before, after line, found bool) {
	i := strings.Index(l.Value, sep)
	if i < 0 {
		return l, line{}, false
	}
	return trimmed(l.Text, 0, i), trimmed(l.Text, i+len(sep), len(l.Value)), true
}

// line carries out one line of `play`.
func (x *exampleGame) line(l line) {
	rest := func(n int) line { return trimmed(l.Text, n, len(l.Value)) }
	switch {
	case strings.HasPrefix(l.Value, "->"):
		x.since = len(x.log.Records)
		x.takeLuck(rest(2))
		x.settle()
	case strings.HasPrefix(l.Value, "!"):
		move, by, found := rest(1).cutLast(" by ")
		if !found {
			x.failf(l.Whole(), "say which rule refuses: `! move by NAME`")
			return
		}
		x.refused(move, by.Value, by.Whole())
	case l.Value[0] == '+' || l.Value[0] == '-':
		x.happened(rest(1), l.Value[0] == '+')
	case l.Value[0] == '?':
		x.holds(rest(1))
	case l.Value[0] == '|':
		x.column(rest(1))
	case l.Value[0] == '=':
		x.result(rest(1))
	default:
		x.move(l)
	}
}

func (l line) cutLast(sep string) (before, after line, found bool) {
	i := strings.LastIndex(l.Value, sep)
	if i < 0 {
		return l, line{}, false
	}
	return trimmed(l.Text, 0, i), trimmed(l.Text, i+len(sep), len(l.Value)), true
}

func (x *exampleGame) takeLuck(l line) {
	at := 0
	for _, part := range strings.SplitAfter(l.Value, ",") {
		to := at + len(strings.TrimSuffix(part, ","))
		x.luck = append(x.luck, trimmed(l.Text, at, to))
		at += len(part)
	}
}

// move makes a move and uses the luck behind it.
func (x *exampleGame) move(l line) {
	x.since = len(x.log.Records)
	text, luck, found := l.cut("->")
	if found {
		x.takeLuck(luck)
	}
	text, ok := x.speaker(text)
	if !ok {
		return
	}
	for forced := 0; ; forced++ {
		if x.req.Kind != Decision {
			x.failf(l.Whole(), "%s", x.noDecision())
			x.dead = true
			return
		}
		i, err := x.m.ParseMove(text.Value)
		if err != nil && x.req.Forced && forced < forcedInExample { // a forced move that is left out
			pending := x.luck
			x.luck = nil
			if aerr := x.m.Apply(0); aerr != nil {
				err = aerr
			} else if !x.settle() {
				return
			} else {
				x.luck = pending
				continue
			}
		}
		if err == nil {
			err = x.m.Apply(i)
		}
		if err != nil {
			f := x.failf(text.Whole(), "%s", refusalText(err))
			var r *Refusal
			if errors.As(err, &r) {
				f.Values = r.Values
			}
			x.dead = true
			return
		}
		x.settle()
		return
	}
}

// refusalText says why a move failed, with the rule that refuses it.
func refusalText(err error) string {
	var r *Refusal
	if errors.As(err, &r) && r.Guard != nil {
		return "refused by `" + r.Guard.Name + "`: " + r.Reason
	}
	return err.Error()
}

func (x *exampleGame) noDecision() string {
	if x.req.Kind == Over {
		return "the game is over"
	}
	return "luck is missing: " + x.m.LuckWanted() + " must come first"
}

// speaker takes `Ann:` off a move and tests that she decides.
func (x *exampleGame) speaker(l line) (line, bool) {
	name, rest, found := l.cut(":")
	if !found {
		return l, true
	}
	seat := slices.Index(x.env.Seats, name.Value)
	if seat < 0 {
		return l, true
	}
	if x.req.Kind != Decision || x.req.Seat != seat {
		who := x.noDecision()
		if x.req.Kind == Decision {
			who = x.m.Name(x.req.Seat) + " decides here"
		}
		x.failf(name.Whole(), "%s", who)
		x.dead = true
		return l, false
	}
	return rest, true
}

// refused tests that a move is refused, and by which rule.
func (x *exampleGame) refused(move line, by string, at source.Span) {
	move, ok := x.speaker(move)
	if !ok {
		return
	}
	if x.req.Kind != Decision {
		x.failf(move.Whole(), "%s", x.noDecision())
		x.dead = true
		return
	}
	_, err := x.m.ParseMove(move.Value)
	var r *Refusal
	switch {
	case err == nil:
		x.failf(move.Whole(), "this move is allowed")
	case !errors.As(err, &r):
		if by != "when" {
			x.failf(move.Whole(), "%s", err)
		}
	case !r.Now:
		if by != "when" {
			x.failf(at, "it is refused since the action does not exist now (`when`)")
		}
	case r.Guard == nil:
		if by != "pick" {
			x.failf(at, "it is refused since it cannot be picked (`pick`): %s", r.Reason)
		}
	case by != r.Guard.Name && by != r.Guard.Variant && by != r.Guard.Variant+"."+r.Guard.Name:
		name := r.Guard.Name
		if r.Guard.Variant != "" && name != r.Guard.Variant {
			name = r.Guard.Variant + "." + name
		}
		x.failf(at, "it is refused by `%s`: %s", name, r.Reason).Values = r.Values
	}
}

// happened tests that an event did or did not happen since the last move.
func (x *exampleGame) happened(l line, want bool) {
	name := l.Value
	if rule := x.recordRule(name); rule != nil {
		x.recorded(l, rule, want)
		return
	}
	found := false
	for _, r := range x.log.Records[x.since:] {
		switch r.Kind {
		case RecEvent, RecIncident:
			found = found || named(name, r.Rule, r.Rule.Owner)
		case RecCombo:
			for _, s := range x.prog.Scorers {
				if slices.Contains(s.Combos, r.Combo) {
					found = found || named(name, r.Rule, s.Name)
				}
			}
		}
	}
	if !x.known(name) {
		x.failf(l.Whole(), "there is no event `%s`", name)
		return
	}
	if found != want {
		verb := map[bool]string{true: "did not happen", false: "happened"}[want]
		x.failf(l.Whole(), "`%s` %s", name, verb)
	}
}

// named reports whether a name, bare or behind its owner's, means a thing.
func named(name string, info *dsl.Info, owner string) bool {
	return name == info.Name || name == strings.ReplaceAll(owner, "-", "_")+"."+info.Name
}

func (x *exampleGame) known(name string) bool {
	for _, e := range x.prog.Events {
		if named(name, &e.Info, e.Owner) {
			return true
		}
	}
	for _, e := range x.prog.Incidents {
		if named(name, &e.Info, e.Owner) {
			return true
		}
	}
	for _, s := range x.prog.Scorers {
		for _, c := range s.Combos {
			if named(name, &c.Info, s.Name) {
				return true
			}
		}
	}
	return false
}

// holds tests a formula.
func (x *exampleGame) holds(l line) {
	var ds source.List
	env := x.env
	want := dsl.Bool
	env.Want = &want
	e := x.prog.Formula(l.Text, env, &ds)
	if e == nil {
		x.failures = append(x.failures, Failure{Span: l.Whole(), Message: "this formula cannot be read", List: ds})
		return
	}
	v, err := x.m.Eval(e)
	switch {
	case err != nil:
		x.failf(l.Whole(), "%s", err)
	case v == 0:
		f := x.failf(l.Whole(), "`%s` does not hold", l.Value)
		f.Values = x.m.Explain(e)
	}
}

// column tests the last line of a column of the sheet.
func (x *exampleGame) column(l line) {
	name, text, found := l.cut(":")
	seat := slices.Index(x.env.Seats, name.Value)
	if !found || seat < 0 {
		x.failf(l.Whole(), "write whose column it is: `| Ann: 500`")
		return
	}
	got := ""
	if c := x.log.Column(seat); len(c) > 0 {
		got = c[len(c)-1]
	}
	if want := strings.Trim(text.Value, `"`); got != want {
		x.failf(text.Whole(), "the sheet has `%s`", got)
	}
}

// result tests the end: `Ann wins`, `Ann, Bob win`, `over`.
func (x *exampleGame) result(l line) {
	if x.ex.Opening != nil {
		x.begins(l)
		return
	}
	if x.req.Kind != Over {
		x.failf(l.Whole(), "the game is not over")
		return
	}
	if l.Value == "over" {
		return
	}
	text := strings.TrimSuffix(strings.TrimSuffix(l.Value, " wins"), " win")
	if text == l.Value {
		x.failf(l.Whole(), "write `= Ann wins`, `= Ann, Bob win` or `= over`")
		return
	}
	var want, got []string
	for _, n := range strings.Split(text, ",") {
		want = append(want, strings.TrimSpace(n))
	}
	for _, s := range x.m.Winners() {
		got = append(got, x.m.Name(s))
	}
	sort.Strings(want)
	sort.Strings(got)
	if !slices.Equal(want, got) {
		x.failf(l.Whole(), "%s won", strings.Join(got, ", "))
	}
}

// can tests that exactly the named actions are open, and every named move.
func (x *exampleGame) can() {
	at := x.ex.Can[0].Whole()
	if x.req.Kind != Decision {
		x.failf(at, "%s", x.noDecision())
		return
	}
	var open, want []string
	for _, c := range x.m.Choices(false) {
		if c.Options > 0 {
			open = append(open, c.Action.Name)
		}
	}
	for _, t := range x.ex.Can {
		l := trimmed(t, 0, len(t.Value))
		name, _, picks := l.cut(" ")
		if !slices.Contains(want, name.Value) {
			want = append(want, name.Value)
		}
		if picks {
			if _, err := x.m.ParseMove(l.Value); err != nil {
				x.failf(l.Whole(), "%s", refusalText(err))
			}
		}
	}
	sort.Strings(open)
	sort.Strings(want)
	if !slices.Equal(open, want) {
		x.failf(at, "open are %s", strings.Join(open, ", "))
	}
}
