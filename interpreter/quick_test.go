package interpreter_test

import "testing"

// What a quick run keeps for a decision must not outlive it: these games change
// what scorers know right behind one. Each plays as with a recorder.
func TestWhatQuickRunsKeep(t *testing.T) {
	const head = `houserules: 1
game: kept
title: Kept
players: 2
pieces: {dice: {count: 3, faces: 1..6}}
zones: {tray: {of: dice, starts: all}}
state:
  game: {bust: false, n: 0}
  turn: {points: 0, more: 0}
  player: {score: 0}
scorers:
  ones: {of: dice, pays: turn.points, combos: {one: {match: 1, points: 1}}}
  steps:
    of: dice
    pays: turn.points
    knows: {step: {value: game.n, min: 0, max: 5}}
    combos: {any_die: {match: x, points: x * step}}
  bonus:
    of: dice
    pays: turn.points
    combos: {any_die: {match: x, points: x, then: turn.more += 1}}
rank: {score: {by: me.score, first: highest}}
`
	for name, rest := range map[string]string{
		"a note before options that depend on nothing": `
phases:
  throw:
    enter: |
      throw tray
      game.bust = not ones.any_score(tray)
  pick:
    actions:
      keep:
        pick: {kept: some of tray}
        do: |
          turn.points += steps.points(kept)
          game.n = (game.n + 1) % 6
          turn.points += steps.points(kept)
  end:
    enter: |
      me.score += turn.points
      finish if me.score >= 900
      next turn
`,
		"the points of a pick, and another scorer with scripts": `
phases:
  throw: {enter: throw tray}
  pick:
    actions:
      keep:
        pick: {kept: some of tray}
        require: {known: {that: steps.all_score(kept), else: nothing scores}}
        do: |
          score kept by steps
          game.n = (game.n + 1) % 6
          score tray by bonus
      stop: {when: not game.bust}
  end:
    enter: |
      me.score += turn.points * turn.more
      finish if me.score >= 900
      next turn
`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := loudAndQuick(inlineGame(t, 2, head+rest), 7, 0, 50); err != nil {
				t.Error(err)
			}
		})
	}
}
