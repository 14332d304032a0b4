package dsl

import "testing"

func TestSectionMistakes(t *testing.T) {
	runMistakes(t, []mistake{
		{"key of a phase", "    enter: emit lost; next turn", "    entre: emit lost; next turn", []string{"E0103 entre"}},
		{"key of an action", "roll: {rule:", "roll: {rulle:", []string{"E0103 rulle"}},
		{"key of a param", "min: 10, max", "minn: 10, max", []string{"E0103 minn"}},
		{"no default", "{default: 100, min: 10, max: 1000, step: 10,", "{min: 10,", []string{"E0114 goal"}},
		{"default out of range", "default: 100", "default: 5", []string{"E0310 5"}},
		{"default off the step", "default: 100", "default: 105", []string{"E0310 105"}},
		{"unknown option as default", "default: calm", "default: clam", []string{"E0213 clam"}},
		{"list for a section", "sheet: {total: me.score, line: turn}", "sheet: [1]", []string{"E0115 [1]"}},
		{"bad name", "  thrown: sum", "  Thrown: sum", []string{"E0119 Thrown", "E0213 thrown", "E0213 thrown"}},
		{"too many pieces", "count: 2, faces", "count: 65, faces", []string{"E0331 65"}},
		{"face count", "faces: 1..6, colour", "faces: six, colour", []string{"E0213 six"}},
		{"unknown family", "tray: {of: dice", "tray: {of: dize", []string{"E0213 dize", "E0213 tray", "E0213 tray"}},
		{"unknown visibility", "seen: all}", "seen: everybody}", []string{"E0203 everybody"}},
		{"rank without first", "{by: me.score, first: highest}", "{by: me.score}", []string{"E0114 score"}},
		{"rank by what", "first: highest", "first: biggest", []string{"E0203 biggest"}},
		{"citation", "from: [P1]}\n  mood", "from: [P9]}\n  mood", []string{"E0213 P9"}},
		{"answer", "{param: goal, text", "{param: gaol, text", []string{"E0213 gaol"}},
		{"example key", "    from: [P1]\n    play", "    form: [P1]\n    play", []string{"E0103 form"}},
	})
}

func TestNameMistakes(t *testing.T) {
	runMistakes(t, []mistake{
		{"unknown name", "finish if me.score >= goal", "finish if me.score >= gaol", []string{"E0213 gaol"}},
		{"bare state", "turn.points > 0, else", "points > 0, else", []string{"E0213 points"}},
		{"unknown field", "me.rolls += 1", "me.roll += 1", []string{"E0214 roll"}},
		{"unknown field of a scope", "turn.points += thrown", "turn.pionts += thrown", []string{"E0214 pionts"}},
		{"unknown attribute", "sum(tray, .face)", "sum(tray, .fase)", []string{"E0214 fase"}},
		{"unknown function", "sum(tray, .face)", "summ(tray, .face)", []string{"E0215 summ"}},
		{"too few arguments", "sum(tray, .face)", "sum()", []string{"E0215 sum()"}},
		{"define without arguments", "if thrown > 2", "if worth > 2", []string{"E0215 worth"}},
		{"it outside", "if thrown > 2", "if .face > 2", []string{"E0213 ."}},
		{"param taken", "  mood: {default", "  turn: {default", []string{"E0223 turn", "E0213 mood"}},
		{"define taken", "  thrown: sum(tray, .face)", "  thrown: sum(tray, .face)\n  goal: 1", []string{"E0223 goal"}},
		{"define like a function", "  thrown: sum(tray, .face)", "  thrown: sum(tray, .face)\n  sum: 1", []string{"E0223 sum"}},
		{"let hides a define", "      throw tray", "      let thrown = 1\n      throw tray", []string{"E0223 thrown"}},
		{"parameter hides a param", "gift(who seat, n)", "gift(who seat, goal)", []string{"E0223 goal", "E0213 n", "E0213 n", "E0213 n"}},
		{"a define of itself", "sum(tray, .face)", "thrown + 1", []string{"E0224 thrown"}},
		{"defines in a ring", "{1: 0, 6: 10, else: x}", "{1: 0, else: 'times(worth(1), me)'}", []string{"E0224 worth", "E0225 worth(x)"}},
		{"an event like a phase", "  lost: {say", "  bust: {say", []string{"E0303 lost", "E0223 bust", "E0303 lost"}},
		{"unknown phase", "goto choose", "goto chose", []string{"E0303 chose"}},
		{"unknown event", "enter: emit lost", "enter: emit list", []string{"E0303 list"}},
		{"a phase is no event", "enter: emit lost", "enter: emit look", []string{"E0303 look"}},
		{"scorer is no value", "if thrown > 2", "if combos > 2", []string{"E0221 combos"}},
		{"unknown combination", "if thrown > 2", `if combos.is("pear", tray)`, []string{`E0213 "pear"`}},
		{"seat of every zone", "order: left", "order: write", []string{"E0213 write"}},
	})
}

func TestTypeMistakes(t *testing.T) {
	runMistakes(t, []mistake{
		{"bool and int", "if thrown > 2", "if thrown and over", []string{"E0221 thrown"}},
		{"option of another", "mood == calm", "mood == left", []string{"E0213 left"}},
		{"option and int", "mood == calm", "mood == 1", []string{"E0221 =="}},
		{"none is kept", "me.score += turn.points", "game.leader.score += turn.points", []string{"E0222 game.leader"}},
		{"none is tested", "me.score += turn.points", "game.leader.score += 1 if game.leader != none", nil},
		{"a test does not outlive a write", "me.score += turn.points",
			"if game.leader != none { me.rolls += 1; game.leader.score += 1 }", []string{"E0222 game.leader"}},
		{"a local stays tested", "me.score += turn.points",
			"let l = game.leader; if l != none { me.rolls += 1; l.score += 1 }", nil},
		{"an exit tells", "me.score += turn.points", "next turn if game.leader == none; game.leader.score += 1", nil},
		{"and narrows", "if thrown > 2", "if game.leader != none and game.leader.score > 2", nil},
		{"or narrows", "if thrown > 2", "if game.leader == none or game.leader.score > 2", nil},
		{"or does not", "if thrown > 2", "if game.leader != none or game.leader.score > 2", []string{"E0222 game.leader"}},
		{"both none", "if thrown > 2", "if game.leader == find(players, .score > 9)", []string{"E0228 =="}},
		{"never none", "if thrown > 2", "if me == none", []string{"E0221 me"}},
		{"coalesce", "if thrown > 2", "if (game.leader ?? me) == me", nil},
		{"coalesce of what is there", "if thrown > 2", "if (me ?? me) == me", []string{"E0221 me"}},
		{"optional", "if thrown > 2", "if (game.leader?.score ?? 0) > 2", nil},
		{"none to a number", "me.rolls += 1", "me.rolls = none", []string{"E0222 none"}},
		{"divided by 0", "thrown > 2", "thrown / 0 > 2", []string{"E0227 thrown / 0"}},
		{"too large", "thrown > 2", "9000000000000000000 * 2 > thrown", []string{"E0227 9000000000000000000 * 2"}},
		{"lookup without else", "{1: 0, 6: 10, else: x}", "{1: 0, 6: 10}", []string{"E0309 worth(x)"}},
		{"lookup key twice", "{1: 0, 6: 10, else: x}", "{1: 0, 1 : 10, else: x}", []string{"E0104 1"}},
		{"a list is no set", "      throw tray", "      throw tray; set map(tray, it) to 1", []string{"E0221 map(tray, it)"}},
		{"sum of seats", "sum(tray, .face)", "sum(players)", []string{"E0221 players"}},
		{"a family is no zone", "      throw tray", "      throw dice", []string{"E0221 dice"}},
		{"a define is not written", "turn.points += thrown", "me.ahead += thrown", []string{"E0221 me.ahead"}},
		{"a param is not written", "turn.points += thrown", "goal.x += thrown", []string{"E0214 x"}},
		{"argument of an event", "enter: emit lost", "enter: emit gift(1, 2)", []string{"E0221 1"}},
		{"arguments of an event", "enter: emit lost", "enter: emit gift(me)", []string{"E0215 emit gift(me)"}},
		{"state of nothing", "points: 0, crowd: seats", "points: none, crowd: seats", []string{"E0221 none"}},
		{"seat must start", "first_face: dice.face or none", "first_face: seat", []string{"E0222 seat"}},
		{"pattern face", "match: 1,", "match: 7,", []string{"E0226 7"}},
		{"pattern too large", "match: x*2", "match: x*3", []string{"E0330 x*3"}},
		{"unknown letter", "letters: {x:", "letters: {y:", []string{"E0213 y"}},
		{"combination reads state", "match: 1, points: 10", "match: 1, points: me.score", []string{"E0225 me.score"}},
		{"combination reads state by a define", "match: 1, points: 10", "match: 1, points: thrown", []string{"E0225 thrown"}},
		{"fact without bounds", "{value: me.score, min: 0, max: 1000}", "{value: me.score}", []string{"E0114 lead"}},
		{"default reads a param", "default: 100", "default: len(everyone) * 0 + goal", []string{"E0225 goal"}},
		{"start reads state", "rolls: 0", "rolls: me.score", []string{"E0225 me.score"}},
		{"a list as a set", "turn.points += thrown", "turn.crowd = [me]; next turn if turn.crowd == [me, active]", nil},
		{"an ordered list is no set", "turn.points += thrown", "turn.crowd = others", []string{"E0221 others"}},
		{"text as a value", "if thrown > 2", `if mood == "calm"`, []string{`E0221 "calm"`}},
		{"double quotes", "when: n > 0", `when: "n > 0"`, []string{`E0115 "n > 0"`}},
		{"winners in rank", "by: me.score, first: highest", "by: me in winners, first: true", []string{"E0224 winners"}},
	})
}

func TestFlowMistakes(t *testing.T) {
	runMistakes(t, []mistake{
		{"after an exit", "enter: emit lost; next turn", "enter: next turn; emit lost", []string{"E0304 emit lost"}},
		{"past the last phase", "enter: emit lost; next turn", "enter: emit lost", []string{"E0306 bust"}},
		{"ring", "enter: emit lost; next turn", "enter: goto bust", []string{"E0305 goto bust"}},
		{"no ring with a throw", "enter: emit lost; next turn", "enter: goto look", nil},
		{"exit in an event", "do: who.score += n", "do: who.score += n; next turn", []string{"E0307 next turn"}},
		{"finish in an event", "do: who.score += n", "do: who.score += n; finish if n > 9", nil},
		{"again in a phase", "enter: emit lost; next turn", "enter: again", []string{"E0307 again"}},
		{"events in a ring", "do: who.score += n", "do: 'emit gift(who, n - 1)'", []string{"E0308 emit gift(who, n - 1)"}},
		{"not in this version", "      throw tray", "      throw tray\n      turn.crowd[1] = me", []string{"E0302 turn.crowd[1]"}},
		{"phase does nothing", "    rule: A 1 loses the points of the turn.\n    enter: emit lost; next turn", "    title: Bust", []string{"E0114 bust"}},
	})
}

func TestExampleMistakes(t *testing.T) {
	const about = "    from: [P1]\n    play"
	runMistakes(t, []mistake{
		{"players", about, "    players: [Ann, 1st, Ann, goal]\n    play", []string{"E0119 1st", "E0223 Ann", "E0223 goal"}},
		{"given", about, "    given: {Ann.score: [1]}\n    play", []string{"E0115 [1]"}},
		{"nothing shown", "    from: [P1]\n    play: |", "    from: [P1]\n    about: |", []string{"E0114 hold_keeps_the_points"}},
		{"odds in parts", about, "    throw: 2\n    chance: thrown == 2\n    play", []string{"E0114 hold_keeps_the_points"}},
		{"refused by nothing", about, "    refused: {hold: }\n    play", []string{"E0114 hold"}},
		{"well formed", about, "    players: [Ann, Bob]\n    with: []\n    set: {goal: 50}\n    at: choose\n    given: {Ann.score: 3, tray: 1 1}\n    then: [over, me == Ann]\n    can: [roll]\n    refused: {hold: rolled}\n    play", nil},
		{"citation", "    from: [P1]\n    play", "    from: [P7]\n    play", []string{"E0213 P7"}},
	})
}

func TestStatementMistakes(t *testing.T) {
	const throw = "      throw tray\n"
	add := func(s string) string { return throw + "      " + s + "\n" }
	var list []mistake
	for _, m := range [][]string{
		{"set tray to 3"}, {"set first(tray) to 6"}, {"set players to 3", "E0221 players"}, {"set tray to over", "E0221 over"},
		{"move first(tray) to tray"}, {"move players to tray", "E0221 players"}, {"move tray to dice", "E0221 dice"}, {"move tray to tray on top", "E0221 move tray to tray on top"}, {"move tray to tray at 2", "E0221 2"},
		{"roll me.score in 1..6"}, {"roll me.score in [1, 2]", "E0221 [1, 2]"}, {"roll game.leader in 1..6", "E0221 game.leader"},
		{"score tray by combos"}, {"score players by combos", "E0221 players"}, {"score tray by comboz", "E0213 comboz"},
		{"game.leader = random of players"}, {"me.score = random of players", "E0221 players"}, {"let x = random of me", "E0221 me"},
		{"let x = none", "E0221 none"}, {"let x = 1; x = 2", "E0221 x"}, {"for s in me { s.score = 1 }", "E0221 me"},
		{"for s in players { s.score = 1 }"}, {"for n in 1..3 { me.score += n }"}, {"for me in players { me.score = 1 }", "E0223 me"},
		{`say "{gaol}"`, "E0213 gaol"}, {`write "{me}" for first(players)`}, {`mark "x" for 3`, "E0221 3"}, {"game.leader += 1", "E0221 game.leader"},
		{"me.score = over", "E0221 over"}, {"me.score[1] = 2", "E0221 me.score"}, {"turn.crowd[1] = me", "E0302 turn.crowd[1]"}, {"append 1 to me.score", "E0221 me.score"},
		{"deal 3 to hand of me", "E0221 3", "E0213 hand"}, {"turn of game.leader", "E0222 game.leader", "E0304 me.rolls += 1"},
		{"if over { finish } else { next turn }", "E0304 me.rolls += 1"}, {"finish with winners if over"}, {"finish with 3 if over", "E0221 3"},
		{"if 1 { me.score = 1 }", "E0221 1"}, {"emit gift(me, 1)"}, {"throw tray by me"}, {"game.first_face = first(tray).face"}, {"game.first_face = none"},
	} {
		list = append(list, mistake{m[0], throw, add(m[0]), m[1:]})
	}
	runMistakes(t, list)
}
