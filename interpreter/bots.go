package interpreter

import "math"

// A Bot is a player that is a program. It knows no game: what it goes by are the
// rules alone.
type Bot uint8

// The bots.
const (
	// BotRandom takes any option, all equally likely.
	BotRandom Bot = iota
	// BotGreedy takes the move that the advice of the rules values most; see
	// Machine.Advised.
	BotGreedy
	// BotThinker plays on at random with each option; see Machine.Think.
	BotThinker
)

// BotNames are the names of the bots, by Bot.
var BotNames = []string{"random", "greedy", "thinker"}

// BotNamed returns the bot of a name; ok is false if there is none.
func BotNamed(name string) (b Bot, ok bool) {
	for i, n := range BotNames {
		if n == name {
			return Bot(i), true
		}
	}
	return 0, false
}

// String returns the bot's name.
func (b Bot) String() string { return BotNames[b] }

// mostTried is how many options a bot tries one by one; where there are more it
// takes any.
const mostTried = 200

// A bot that thinks plays about so many games for a move, each option in at least
// and at most so many worlds.
const (
	thinkerGames = 400
	leastWorlds  = 6
	mostWorlds   = 60
)

// ThinkerWorlds is in how many worlds a thinker tries each of n options.
func ThinkerWorlds(n int) int { return min(max(thinkerGames/max(n, 1), leastWorlds), mostWorlds) }

// Advised returns the option of the decision that stands that the advice of the
// rules values most, one of them by chance, drawn from r, if there are several.
// An option of an action without advice counts as 0. If none of the options has
// advice, it is the one after which the seat is furthest ahead at once, by the
// running totals or the ranking, with luck and hidden pieces left open. The error
// is a *Fault. It panics if no decision stands.
func (m *Machine) Advised(r *Rand) (option int, err error) {
	if m.req.at == nil || m.req.at.op != opAsk {
		panic("interpreter: Advised without a decision")
	}
	defer m.recoverFault(&err)
	return m.advised(m.req.at.x.(*ask), m.req.N, r)
}

func (m *Machine) advised(a *ask, n int, r *Rand) (int, error) {
	if n == 1 {
		return 0, nil
	}
	if !a.advised() {
		return m.furthest(n, r)
	}
	m.spent = 0
	var best choiceOf
	base := len(m.arena)
	for i := range n {
		act, v := m.load(a, i), int64(0)
		if act.advice != nil {
			v = act.advice(m)
			m.arena = m.arena[:base]
		}
		best.offer(i, float64(v), r)
	}
	return best.option, nil
}

// advised reports whether the rules have advice on some action of a decision.
func (a *ask) advised() bool {
	for _, act := range a.actions {
		if act.advice != nil {
			return true
		}
	}
	return false
}

// choiceOf keeps the best of the options that it is offered, of equals each
// equally likely.
type choiceOf struct {
	option, ties int
	value        float64
}

func (c *choiceOf) offer(option int, v float64, r *Rand) {
	switch {
	case c.ties == 0 || v > c.value:
		*c = choiceOf{option, 1, v}
	case v == c.value:
		if c.ties++; r.Below(uint64(c.ties)) == 0 {
			c.option = option
		}
	}
}

// furthest returns the option after which the seat that is asked is furthest
// ahead as soon as luck or somebody's answer is wanted.
func (m *Machine) furthest(n int, r *Rand) (int, error) {
	if n > mostTried {
		return int(r.Below(uint64(n))), nil
	}
	seat := m.req.Seat
	var texts []string
	if m.g.Hides() {
		for _, o := range m.Options(0) {
			texts = append(texts, o.Text)
		}
	}
	var best choiceOf
	var c *Machine
	for i := range n {
		c = m.CloneInto(c)
		c.AskChance, c.Incidents, c.tally = true, false, nil
		at := i
		if texts != nil { // elsewhere options might be numbered otherwise
			c.Imagine(m, seat, r)
			var err error
			if at, err = c.ParseMove(texts[i]); err != nil {
				continue // in this world the rules do not allow it
			}
		}
		v := math.Inf(-1)
		if c.Apply(at) == nil { // else a mistake of the rules, which is met when it is taken
			if _, err := c.Advance(); err == nil {
				v = c.outcome(seat)
			}
		}
		best.offer(i, v, r)
	}
	return best.option, nil
}

// PlayBots plays the game to its end, every seat played by its bot, which draws
// from its stream, and returns how many decisions there were. If limit is
// positive it stops after so many decisions, before the next one; so it does at a
// decision that only people can answer. Over tells whether the game has ended.
// Where all bots are random they draw from the first stream, which is quicker.
// The error is a *Fault.
func (m *Machine) PlayBots(bots []Bot, streams []Rand, limit int) (decisions int, err error) {
	defer m.recoverFault(&err)
	m.req = Request{}
	if limit <= 0 {
		limit = math.MaxInt
	}
	if m.tally != nil {
		m.tally.First = -1
	}
	random, quick := alike(bots, BotRandom), false
	defer func() {
		if quick {
			decisions, streams[0], m.left = limit-m.left, m.policy, 0
		}
	}()
	for {
		in, n := m.run()
		if in == nil || in.op != opAsk || in.x.(*ask).table || quick && m.left == 0 || decisions == limit {
			m.req = m.request(in, n)
			return decisions, nil // of a quick run the number is set above
		}
		seat := m.s[slotMe]
		if m.tally != nil && m.tally.First < 0 {
			m.tally.First = int(m.s[slotActive])
		}
		if random {
			if !quick {
				m.policy, m.left, quick = streams[0], limit, true
			}
			m.choose(in, m.drawOption(n))
			continue
		}
		decisions++
		i, err := m.botChoice(bots[seat], in, n, &streams[seat])
		if err != nil {
			return decisions, err
		}
		m.req = Request{}
		m.choose(in, i)
	}
}

func alike(bots []Bot, kind Bot) bool {
	for _, b := range bots {
		if b != kind {
			return false
		}
	}
	return true
}

// BotMove chooses for a bot among the options of the decision that stands, as
// PlayBots does. The error is a *Fault. It panics if no decision stands.
func (m *Machine) BotMove(b Bot, r *Rand) (option int, err error) {
	if m.req.at == nil || m.req.at.op != opAsk {
		panic("interpreter: BotMove without a decision")
	}
	defer m.recoverFault(&err)
	return m.botChoice(b, m.req.at, m.req.N, r)
}

// botChoice chooses an option for a bot. What is forced takes no luck.
func (m *Machine) botChoice(b Bot, in *instr, n int, r *Rand) (int, error) {
	if n == 1 {
		return 0, nil
	}
	if b == BotRandom || b == BotThinker && n > mostTried {
		return int(r.Below(uint64(n))), nil
	}
	m.req = m.request(in, n)
	if b == BotGreedy {
		return m.advised(in.x.(*ask), n, r)
	}
	worlds := ThinkerWorlds(n)
	thoughts, err := m.Think(r.Uint64(), func(done int) bool { return done == worlds })
	if err != nil {
		return 0, err
	}
	return thoughts[0].Option, nil
}
