package interpreter

// thread writes into every instruction where the program goes on after it, so
// that no jump is ever executed by itself, and makes all jumps lead straight
// to where something happens.
func (g *Game) thread() {
	end := func(at int32) int32 {
		for range len(g.code) { // a ring of jumps has no end; the checker forbids it
			if g.code[at].op != opJump {
				break
			}
			at = g.code[at].a
		}
		return at
	}
	for i := range g.code {
		in := &g.code[i]
		if i+1 < len(g.code) {
			in.next = end(int32(i + 1))
		}
		switch in.op {
		case opJumpFalse, opJumpExit, opJumpFinish, opJumpAnswered, opFlow, opJumpGhost:
			in.a = end(in.a)
		case opNextSet, opNextList, opNextRange, opNextWho, opSealed:
			in.c = end(in.c)
		case opAsk:
			a := in.x.(*ask)
			for _, act := range a.actions {
				act.entry = int(end(int32(act.entry)))
			}
			if a.otherwise >= 0 {
				a.otherwise = int(end(int32(a.otherwise)))
			}
			if a.sealed != nil {
				a.sealed.ask = int(end(int32(a.sealed.ask)))
			}
			a.mode = a.simplest()
			g.settleScores(a)
		}
	}
	for i := range g.entry {
		g.entry[i] = int(end(int32(g.entry[i])))
	}
	g.ending = int(end(int32(g.ending)))
}

// askMode says how the options of a decision are counted.
type askMode uint8

const (
	askAny    askMode = iota // action by action
	askStatic                // every action is one option, always
	askTable                 // one action, whose options are tabulated, always
)

// simplest returns the fastest mode that a decision allows.
func (a *ask) simplest() askMode {
	plain := func(act *action) bool { return act.when == nil && len(act.before) == 0 }
	if len(a.actions) == 1 && plain(a.actions[0]) && a.actions[0].table != nil && a.actions[0].tableAll {
		return askTable
	}
	for _, act := range a.actions {
		if !plain(act) || len(act.picks) > 0 {
			return askAny
		}
	}
	return askStatic
}
