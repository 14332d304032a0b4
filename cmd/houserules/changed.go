package main

import (
	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// rulesChanged is a journal whose rules have changed since.
type rulesChanged struct {
	table *table
	prog  *dsl.Program         // as it is now
	part  *interpreter.Journal // the first that was made under others
	first string               // the fingerprint under which its rules are kept
}

// refuse shows what has changed and says how far the journal fits.
func (ch *rulesChanged) refuse(alone bool, std streams) error {
	ch.tell(streams{out: std.err})
	return otherRules(ch.prog, ch.part, alone)
}

// maxChanges is how many lines about changed rules are shown.
const maxChanges = 40

// tell shows what of the rules has changed.
func (ch *rulesChanged) tell(std streams) {
	old := keptRules(ch.first)
	game := ch.part.Game
	if old == nil || old.Game(game) == nil {
		std.printf("the rules as they were then are not kept here, so what has changed cannot be shown")
		return
	}
	opt := dsl.Options{With: ch.part.With, Without: ch.part.Without, Set: ch.part.Set, Usual: true}
	changes := differencesOf(dsl.Effective(old, game, opt), dsl.Effective(ch.table.lib.Library, game, opt))
	if len(changes) == 0 {
		std.printf("nothing that is played by differs: only texts about it have changed")
		return
	}
	std.printf("what has changed (- as it was, + as it is):")
	show := showCommand{}
	show.diff(changes[:min(len(changes), maxChanges)], std)
	if n := len(changes) - maxChanges; n > 0 {
		std.printf("... and %s more", counted(n, "change"))
	}
}
