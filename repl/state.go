package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// This file shows all that the game remembers, under the names by which
// formulas read it. What lies in zones is shown as far as whoever looks sees it.

func (s *Session) cmdState(_ context.Context, args []string) error {
	asked := strings.Join(args, " ")
	v := s.sightOfState()
	var rows [][]string
	names := []string{}
	note := func(name string) bool {
		names = append(names, name)
		return within(name, asked)
	}
	if note("active") {
		rows = append(rows, []string{"active", s.match.Name(v.Active)})
	}
	if ph := s.match.Phase(); ph != nil && note("phase") {
		rows = append(rows, []string{"phase", ph.Label()})
	}
	for _, x := range s.match.Game().Program().Params {
		if text, err := s.match.EvalText(x.Value()); err == nil && note(ownName(&x.Info)) {
			rows = append(rows, []string{ownName(&x.Info), text, "option"})
		}
	}
	for _, x := range v.Vars {
		if name := s.varName(x.Var, x.Of); note(name) {
			rows = append(rows, []string{name, x.Text})
		}
	}
	shown := len(rows) > 0
	if s.cfg.Plain {
		for _, r := range rows {
			s.wrapped("", r[0]+": "+strings.Join(r[1:], ", "))
		}
	} else {
		s.rows(rows)
	}
	for _, z := range v.Zones {
		if name := s.placeName(&z.Zone.Info, z.Of); note(name) {
			shown = true
			s.zone(name, z, v.Seat)
		}
	}
	if shown {
		return nil
	}
	msg := fmt.Sprintf("the game keeps nothing under `%s`", asked)
	if near := source.Nearest(asked, names); len(near) > 0 {
		return s.fail("%s; did you mean `%s`?", msg, near[0])
	}
	return s.fail("%s; `state` shows everything", msg)
}

// sightOfState is what whoever looks may see. The one who is asked in a game
// without secrets is as good as any.
func (s *Session) sightOfState() interpreter.View {
	if s.looker == everything {
		if seat, ok := s.Asked(); ok {
			return s.match.View(seat)
		}
	}
	return s.match.View(max(s.looker, bystanders))
}

// within reports whether a name is the asked one, or of what is asked: of a
// seat, a scope, or every seat's.
func within(name, asked string) bool {
	name, asked = fold(name), fold(asked)
	return asked == "" || name == asked || strings.HasPrefix(name, asked+".") || strings.HasSuffix(name, "."+asked)
}

// ownName is a name with that of its house rule.
func ownName(i *dsl.Info) string {
	if i.Owner == "" {
		return i.Name
	}
	return strings.ReplaceAll(i.Owner, "-", "_") + "." + i.Name
}

// varName is how a formula reads a piece of state, of a seat where there is one
// for each.
func (s *Session) varName(v *dsl.Var, of int) string {
	if v.Each || v.Scope == nil {
		return s.placeName(&v.Info, of)
	}
	return v.Scope.Name + "." + ownName(&v.Info)
}

func (s *Session) placeName(i *dsl.Info, of int) string {
	if of < 0 {
		return ownName(i)
	}
	return s.match.Name(of) + "." + ownName(i)
}

// zone prints one zone as a seat sees it.
func (s *Session) zone(name string, z interpreter.ZoneView, seat int) {
	switch {
	case z.Places != nil && z.Count > 0:
		s.places(z)
	case z.Seen:
		line := s.zoneLine(z, z.Of == seat && z.Of >= 0)
		_, pieces, _ := strings.Cut(line, ": ")
		s.wrapped("", name+": "+pieces)
	default:
		s.printf("%s: %d, unseen", name, z.Count)
	}
}
