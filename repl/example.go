package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file makes examples for rule files of what was done at a console.

// cmdTest prints what was done since the last time as an example, or writes the
// game as a transcript.
func (s *Session) cmdTest(ctx context.Context, args []string) error {
	switch {
	case len(args) > 1:
		return s.fail("`test` takes the name of the example, or a file for a transcript")
	case len(args) == 1 && strings.ContainsAny(args[0], `./\`):
		return s.cmdExport(ctx, args)
	}
	name := "from_the_console"
	if len(args) == 1 {
		name = args[0]
		if !isName(name) {
			return s.fail("`%s` is no name for an example: a small letter, then small letters, digits and _", name)
		}
	}
	x, err := s.example(name)
	if err != nil {
		return s.fail("%v; `test FILE.txt` writes the game as a transcript", err)
	}
	if wrong := s.cfg.Console.Try(x); wrong != "" {
		return s.fail("this cannot be told as an example of its own: %s; `test FILE.txt` writes the game as a transcript", wrong)
	}
	for _, l := range strings.Split(strings.TrimRight(x, "\n"), "\n") {
		fmt.Fprintln(s.out, l) // never broken: it is to be copied
	}
	s.asof = len(s.match.Journal.Entries)
	return nil
}

func isName(text string) bool {
	for i, r := range text {
		if !(r >= 'a' && r <= 'z' || i > 0 && (r == '_' || r >= '0' && r <= '9')) {
			return false
		}
	}
	return text != ""
}

// example writes what was done since the last example.
func (s *Session) example(name string) (string, error) {
	entries := s.match.Journal.Entries
	from := min(s.asof, len(entries))
	switch {
	case s.secret:
		return "", errors.New("in a game that hides something, an example needs what is given, which nobody can see here")
	case from == len(entries):
		return "", errors.New("nothing was done since the last example")
	}
	var edits []edit
	for _, e := range s.edits[:s.applied] {
		switch {
		case e.name == "" || e.stage != len(s.stages)-1:
		case e.entries > from:
			return "", errors.New("the game was changed by hand after the first move")
		default:
			e.stage = 0
			edits = append(edits, e)
		}
	}
	before, err := s.stoodAt(from, edits)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  %s:\n", name)
	fmt.Fprintf(&b, "    about: \"What was played at the console\"\n")
	s.world(&b)
	fresh := interpreter.NewMatch(s.match.Game(), s.match.Journal.Header).Machine
	first := from + 1 // whose lines are the first
	switch ph := before.Phase(); {
	case from == 0 && len(edits) == 0: // also what is done before anybody decides
		before, first = fresh, 0
	case ph != nil && ph != before.Game().Begin():
		fmt.Fprintf(&b, "    at: %s\n", ph.Name)
	}
	if given := s.differences(fresh, before, true); len(given) > 0 {
		fmt.Fprintf(&b, "    given: {%s}\n", strings.Join(given, ", "))
	}
	fmt.Fprintf(&b, "    play: |\n%s", s.lines(first))
	if changed := s.differences(before, s.match.Machine, false); len(changed) > 0 {
		for i, c := range changed {
			place, value, _ := strings.Cut(c, ": ")
			switch value {
			case "true":
				changed[i] = place
			case "false":
				changed[i] = "not " + place
			default:
				changed[i] = place + " == " + value
			}
		}
		fmt.Fprintf(&b, "      ? %s\n", strings.Join(changed, " and "))
	}
	return b.String(), nil
}

// world says what the example is played with.
func (s *Session) world(b io.Writer) {
	fmt.Fprintf(b, "    players: [%s]\n", strings.Join(Names(s.cfg.Players), ", "))
	var with, set []string
	for _, v := range s.match.Game().Program().Variants {
		with = append(with, v.ID)
	}
	if len(with) > 0 {
		fmt.Fprintf(b, "    with: [%s]\n", strings.Join(with, ", "))
	}
	for name, value := range s.cfg.Header.Set {
		set = append(set, name+": "+value)
	}
	if slices.Sort(set); len(set) > 0 {
		fmt.Fprintf(b, "    set: {%s}\n", strings.Join(set, ", "))
	}
}

// stoodAt is the game as it stood before an entry, with what was changed by
// hand there.
func (s *Session) stoodAt(entry int, edits []edit) (*interpreter.Machine, error) {
	c := NewSession(s.cfg, io.Discard)
	c.cfg.Journal, c.edits, c.tale.mute = nil, edits, true
	for _, e := range s.match.Journal.Entries[:entry] {
		if err := c.feedOne(e); err != nil {
			return nil, fmt.Errorf("the game cannot be played again up to here: %w", err)
		}
	}
	return c.match.Machine, c.tryToSettle()
}

// lines writes the moves from an entry on, and what fell after each, as examples
// do. Moves without a choice are among them.
func (s *Session) lines(first int) string {
	var b strings.Builder
	line := ""
	var luck []string
	end := func() {
		if len(luck) > 0 {
			line = strings.TrimSpace(line + " -> " + strings.Join(luck, ", "))
		}
		if line != "" {
			fmt.Fprintf(&b, "      %s\n", line)
		}
		line, luck = "", nil
	}
	for i := range s.match.Log.Records[:len(s.tale.causes)] {
		r := &s.match.Log.Records[i]
		if s.tale.causes[i] < first {
			continue
		}
		if r.Kind == interpreter.RecAction {
			end()
			line = r.Text
		} else if text := s.fell(r); text != "" {
			luck = append(luck, text)
		}
	}
	end()
	return b.String()
}

// fell writes luck as people type it, "" for a record that is none.
func (s *Session) fell(r *interpreter.Record) string {
	switch {
	case r.Kind == interpreter.RecThrow:
		var faces []string
		for _, f := range r.Faces {
			faces = append(faces, s.match.Game().FaceName(r.Zone.Family, f))
		}
		return strings.Join(faces, " ")
	case r.Kind == interpreter.RecRoll && r.Text == "":
		return fmt.Sprint(r.New)
	case r.Kind == interpreter.RecRoll:
		return r.Text
	case r.Kind == interpreter.RecIncident:
		return r.Rule.Name
	}
	return ""
}

// differences lists what the game remembers otherwise than before, as in
// `Ann.score: 20`; where pieces with faces lie is among it if zones is set.
func (s *Session) differences(before, now *interpreter.Machine, zones bool) (out []string) {
	p := now.Game().Program()
	for _, v := range p.Vars {
		switch v.Type.Kind {
		case dsl.KInt, dsl.KBool, dsl.KOption, dsl.KSeat:
		default:
			continue // what is not one plain value
		}
		n := 1
		if v.Each {
			n = now.Game().Seats()
		}
		for seat := range n {
			if v.Out {
				continue
			}
			was, is := before.Value(v, seat), now.Value(v, seat)
			if was == is || v.Type.Family != nil {
				continue
			}
			out = append(out, s.varName(v, seatOf(v, seat))+": "+written(now, v.Type, is))
		}
	}
	if zones {
		out = append(out, otherZones(before, now)...)
	}
	if a, b := before.Active(), now.Active(); a != b {
		out = append(out, "active: "+now.Name(b))
	}
	return out
}

// written is a value as formulas write it.
func written(m *interpreter.Machine, t dsl.Type, v int64) string {
	switch {
	case v == dsl.None && t.Maybe:
		return "none"
	case t.Kind == dsl.KBool && v != 0:
		return "true"
	case t.Kind == dsl.KBool:
		return "false"
	case t.Kind == dsl.KOption:
		return t.Enum.Values[v]
	}
	return m.Format(t, v)
}

// otherZones lists zones of pieces with faces in which others lie than before.
func otherZones(before, now *interpreter.Machine) (out []string) {
	was, is := before.View(-1).Zones, now.View(-1).Zones
	for i, z := range is {
		if len(z.Zone.Family.Faces) == 0 || !z.Seen || z.Pieces == was[i].Pieces {
			continue
		}
		name := ownName(&z.Zone.Info)
		if z.Of >= 0 {
			name = now.Name(z.Of) + "." + name
		}
		text := strconv.Quote(z.Pieces)
		if z.Count == 0 {
			text = `""`
		}
		out = append(out, name+": "+text)
	}
	return out
}
