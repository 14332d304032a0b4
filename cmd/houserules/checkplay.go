package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// This file looks for mistakes by playing: games at random, with every number
// of players.

// maxPlayed is how many games a file is played at most.
const maxPlayed = 1_000_000

// played is what was found by playing, with the games that show it.
type played struct {
	games int
	shown []string // a transcript for each mishap
}

// play plays a program at random and reports what goes wrong. own says which
// actions matter.
func (x *played) play(p *dsl.Program, own func(*dsl.Action) bool) (ds source.List) {
	if p == nil || x == nil || x.games == 0 {
		return nil
	}
	found, err := interpreter.Probe{Games: x.games, Seed: 1}.Play(p)
	var fault *interpreter.Fault
	switch {
	case errors.As(err, &fault):
		ds.Errorf("E0333", fault.Span, "the game cannot be made ready: %s", fault.Message)
		return ds
	case err != nil:
		return nil // nobody can play it, which is said elsewhere
	}
	var with []string
	for _, v := range p.Variants {
		with = append(with, v.ID)
	}
	of := counted(found.Games, "game")
	if len(with) > 0 {
		of += " with " + strings.Join(with, ", ")
	}
	for i := range found.Mishaps {
		m := &found.Mishaps[i]
		if m.Span.IsZero() { // no rule alone is to blame
			m.Span = source.Span{File: p.Files[0]}
		}
		x.mishap(&ds, m, of)
		x.shown = append(x.shown, transcriptOf(p, m))
	}
	for _, a := range found.Untaken {
		if own(a) {
			d := ds.Warnf("W0521", a.Span, "in %s played at random nobody could ever `%s`", counted(found.Games, "game"), a.Name)
			d.WithHelp("see whether its conditions can hold together; if they hold but rarely, play more games")
		}
	}
	return ds
}

func (x *played) mishap(ds *source.List, m *interpreter.Mishap, of string) {
	often := fmt.Sprintf("in %d of %s played at random", m.Games, of)
	switch m.Kind {
	case interpreter.Broken:
		ds.Errorf("E0334", m.Span, "%s an invariant did not hold: %s", often, m.Message).
			WithHelp("a game that shows it is printed below")
	case interpreter.Stuck:
		ds.Warnf("W0520", m.Span, "%s %s", often, m.Message).
			WithHelp("if players at random may go on for ever, an end after so many rounds helps")
	default:
		ds.Errorf("E0333", m.Span, "%s a mistake of the rules stopped the game: %s", often, m.Message).
			WithHelp("a game that shows it is printed below")
	}
}

// longestShown is how many moves of a game are printed; those before are left
// out of a game that did not end.
const longestShown = 400

// transcriptOf writes the game of a mishap as a transcript, which plays it again.
func transcriptOf(p *dsl.Program, m *interpreter.Mishap) string {
	var b strings.Builder
	kind := map[interpreter.MishapKind]string{interpreter.Stopped: "stops at " + m.Span.String(), interpreter.Broken: "breaks the invariant at " + m.Span.String(),
		interpreter.Stuck: "does not end"}[m.Kind]
	fmt.Fprintf(&b, "# the shortest game found that %s\n", kind)
	transcriptHead(&b, p, m.Players, m.Seed)
	moves := m.Moves
	if m.Kind == interpreter.Stuck && len(moves) > longestShown {
		fmt.Fprintf(&b, "# only the first %d of its %d moves stand here\n", longestShown, len(moves))
		moves = moves[:longestShown]
	}
	transcriptMoves(&b, moves)
	if m.Kind == interpreter.Broken {
		fmt.Fprintf(&b, "? %s\n", strings.Join(strings.Fields(m.Span.Text()), " "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// transcriptHead begins a transcript of a game of a program.
func transcriptHead(b *strings.Builder, p *dsl.Program, players []string, seed uint64) {
	game := p.Game
	if f := p.Files[0]; !builtInFile(f) {
		game = f.Name
	}
	fmt.Fprintf(b, "game: %s\n", game)
	var with []string
	for _, v := range p.Variants {
		if v.Asked {
			with = append(with, v.ID)
		}
	}
	if len(with) > 0 {
		fmt.Fprintf(b, "with: [%s]\n", strings.Join(with, ", "))
	}
	fmt.Fprintf(b, "players: [%s]\nseed: %d\n---\n  ...\n", strings.Join(players, ", "), seed)
}

// transcriptMoves writes moves, and what they print as anything.
func transcriptMoves(b *strings.Builder, moves []interpreter.ProbeMove) {
	for _, move := range moves {
		fmt.Fprintf(b, "%s> %s\n  ...\n", move.Who, move.Text)
	}
}

// builtInFile reports whether a file comes with the program.
func builtInFile(f *source.File) bool {
	return strings.HasPrefix(f.Name, "rulesets/") || strings.HasPrefix(f.Name, "variants/")
}

// everyAction and actionsOf say which actions matter.
func everyAction(*dsl.Action) bool { return true }

func actionsOf(variant string) func(*dsl.Action) bool {
	return func(a *dsl.Action) bool { return a.Variant == variant }
}

// shownOnce leaves out transcripts that stand there before.
func (x *played) shownOnce() []string {
	var out []string
	for _, t := range x.shown {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
