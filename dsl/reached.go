package dsl

// This file looks for phases that the game never comes to, and for those from
// which it never comes to an end. The ways between phases are those of a
// flowGraph, which takes more ways than there are: what it does not reach is
// not reached.

// phases reports both. The game begins in the first phase, and every turn in
// the one that turns begin with.
func (j *judge) phases() {
	g := j.c.ways
	if g == nil || len(j.c.p.Phases) == 0 {
		return
	}
	reached := map[*Phase]bool{}
	g.from(j.c.p.Phases[0], reached)
	ends := j.ends(reached)
	for _, ph := range j.c.p.Phases {
		switch {
		case !j.may(ph.Span):
		case !reached[ph]:
			d := j.c.warnf("W0505", ph.Span, "no way leads to the phase `%s`", ph.Name)
			d.Path = ph.Path
			d.WithHelp("let another phase say `goto %s`, or take it out", ph.Name)
		case !ends[ph]:
			d := j.c.warnf("W0506", ph.Span, "once the phase `%s` begins, the game never ends", ph.Name)
			d.Path = ph.Path
			d.WithHelp("from here there must be a way to a `finish`")
			return // one is enough: the others lie behind it
		}
	}
}

// from marks all phases that can be reached from one.
func (g *flowGraph) from(ph *Phase, reached map[*Phase]bool) {
	open := []*Phase{ph}
	reached[ph] = true
	for len(open) > 0 {
		ph, open = open[len(open)-1], open[:len(open)-1]
		for _, w := range g.ways[ph] {
			if !reached[w.to] {
				reached[w.to] = true
				open = append(open, w.to)
			}
		}
	}
}

// ends finds the phases from which a way leads to a `finish`. What happens by
// the way, an event, an incident or a combination, may finish from anywhere.
func (j *judge) ends(reached map[*Phase]bool) map[*Phase]bool {
	g, ends := j.c.ways, map[*Phase]bool{}
	anywhere := j.finishesByTheWay()
	back := map[*Phase][]*Phase{}
	var open []*Phase
	for _, ph := range j.c.p.Phases {
		for _, w := range g.ways[ph] {
			back[w.to] = append(back[w.to], ph)
		}
		if anywhere || reached[ph] && phaseFinishes(ph) {
			ends[ph] = true
			open = append(open, ph)
		}
	}
	for len(open) > 0 {
		ph := open[len(open)-1]
		open = open[:len(open)-1]
		for _, before := range back[ph] {
			if !ends[before] {
				ends[before] = true
				open = append(open, before)
			}
		}
	}
	return ends
}

func (j *judge) finishesByTheWay() bool {
	var scripts []*Script
	hooks := func(lists ...[]*Hook) {
		for _, list := range lists {
			scripts = append(scripts, hookScripts(list)...)
		}
	}
	for _, e := range j.c.p.Events {
		scripts = append(scripts, e.Do)
		hooks(e.Before, e.After)
	}
	for _, i := range j.c.p.Incidents {
		scripts = append(scripts, i.Do)
	}
	for _, sc := range j.c.p.Scorers {
		for _, combo := range sc.Combos {
			scripts = append(scripts, combo.Then)
			hooks(combo.Before, combo.After)
		}
	}
	return finishes(scripts)
}

// phaseFinishes reports whether something in a phase may finish the game.
func phaseFinishes(ph *Phase) bool { return finishes(phaseScripts(ph)) }

// phaseScripts lists all that a phase runs.
func phaseScripts(ph *Phase) []*Script {
	scripts := []*Script{ph.Enter, ph.Otherwise, ph.Nobody, ph.Then}
	scripts = append(scripts, hookScripts(ph.Before)...)
	scripts = append(scripts, hookScripts(ph.After)...)
	for _, a := range ph.Actions {
		scripts = append(scripts, answerScripts(a)...)
		scripts = append(scripts, hookScripts(append(a.Before[:len(a.Before):len(a.Before)], a.After...))...)
	}
	return scripts
}

// hookScripts lists what hooks run, also what they offer.
func hookScripts(hooks []*Hook) []*Script {
	var out []*Script
	for _, h := range hooks {
		out = append(out, h.Do)
		for _, a := range h.Offer {
			out = append(out, answerScripts(a)...)
		}
	}
	return out
}

func finishes(scripts []*Script) bool {
	found := false
	for _, s := range scripts {
		eachStmt(s, func(st *Stmt) { found = found || st.Op == StmtFinish })
	}
	return found
}
