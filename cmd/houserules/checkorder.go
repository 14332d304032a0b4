package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// This file plays house rules that touch the same thing in both orders, with the
// same luck, and tells where the games part.

// fewGames is how many games are played in both orders if nobody says how many.
const fewGames = 50

// longestPair is how many decisions of such a game are compared.
const longestPair = 2000

// orders adds to the findings about two house rules what their order matters in
// play. The game is loaded with the choices of opt.
func (x *played) orders(lib *shelf, game string, opt dsl.Options, ds source.List) {
	if x == nil || x.games == 0 && len(opt.With) < 2 {
		return // nobody asks
	}
	seen := map[[2]string]*inOrders{}
	for _, d := range ds {
		if d.Pair[0] == "" {
			continue
		}
		o := seen[d.Pair]
		if o == nil {
			o = x.bothOrders(lib, game, opt, d.Pair)
			seen[d.Pair] = o
		}
		if d.Severity != source.Error {
			d.WithHelp("hooks of a moment go by the ids of their house rules, but those that can leave it go first before it and last after it")
		}
		d.WithHelp("%s", o.told())
		if o.parting != nil {
			x.shown = append(x.shown, o.transcript(d.Severity != source.Error))
		} else {
			x.shown = append(x.shown, fmt.Sprintf("# `%s` and `%s`: %s", o.pair[0], o.pair[1], o.told()))
		}
	}
}

// inOrders is what came of two house rules in both orders.
type inOrders struct {
	pair    [2]string
	program *dsl.Program // with the first one first; nil if it cannot be played
	alone   bool         // only the two could be played, without what was asked for besides
	played  int
	parting *interpreter.Parting
}

// bothOrders plays a game with two house rules in both orders; without the
// other ones that are asked for if these do not go together.
func (x *played) bothOrders(lib *shelf, game string, opt dsl.Options, pair [2]string) *inOrders {
	o := &inOrders{pair: pair}
	probe := interpreter.Probe{Games: x.games, Seed: 1, Limit: longestPair}
	if probe.Games == 0 {
		probe.Games = fewGames
	}
	for _, with := range [][]string{opt.With, pair[:]} {
		o.alone = len(with) < len(opt.With)
		opt.With = with
		opt.Order = merge.Order(pair)
		first, _ := dsl.Load(lib.Library, game, opt)
		opt.Order = merge.Order{pair[1], pair[0]}
		second, _ := dsl.Load(lib.Library, game, opt)
		if first == nil || second == nil {
			continue
		}
		parting, n, err := probe.Apart(first, second)
		if err == nil {
			o.program, o.parting, o.played = first, parting, n
		}
		return o
	}
	return o
}

// told says in a sentence what came of it.
func (o *inOrders) told() string {
	only := ""
	if o.alone {
		only = ", with these two alone"
	}
	switch {
	case o.program == nil:
		return "the two cannot be played in both orders, to see whether it matters"
	case o.parting == nil:
		return fmt.Sprintf("played in both orders%s: the same in %s", only, counted(o.played, "game"))
	}
	p := o.parting
	first, when := p.Different[0], "after "+counted(len(p.Moves), "move")
	if len(p.Moves) == 0 {
		when = "before anybody has a choice"
	}
	return fmt.Sprintf("played in both orders%s: they part in %d of %s, first %s (%s: %s with `%s` first, %s with `%s` first); the game is printed below",
		only, p.Games, counted(o.played, "game"), when, first.What, shortened(first.First), o.pair[0], shortened(first.Second), o.pair[1])
}

// transcript writes the game to where it parts, and what differs there. One of
// house rules that go together can be played again.
func (o *inOrders) transcript(together bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# the shortest game found in which it matters whether `%s` or `%s` goes first\n", o.pair[0], o.pair[1])
	if !together {
		fmt.Fprintf(&b, "# (it cannot be played: the two do not go together)\n")
	}
	transcriptHead(&b, o.program, o.parting.Players, o.parting.Seed)
	transcriptMoves(&b, o.parting.Moves)
	rows := [][3]string{{"here they part", "`" + o.pair[0] + "` first", "`" + o.pair[1] + "` first"}}
	for _, d := range o.parting.Different {
		rows = append(rows, [3]string{d.What, shortened(d.First), shortened(d.Second)})
	}
	var width [2]int
	for _, r := range rows {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
	}
	for _, r := range rows {
		fmt.Fprintf(&b, "# %-*s  %-*s  %s\n", width[0], r[0], width[1], r[1], r[2])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shortened cuts a value off that is too long for a line.
func shortened(text string) string {
	const most = 48
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	if text == "" {
		return "nothing"
	}
	return text
}
