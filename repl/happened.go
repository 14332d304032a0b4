package repl

import "github.com/houserules/houserules/interpreter"

// happened is all that was done in a session, in its order: journals in a row
// in which stands also what was taken back. It only grows.
type happened struct {
	parts []*interpreter.Journal
	have  int // how many lines of the journals that stand are in it
}

// follow takes over what has come to the journals that stand.
func (h *happened) follow(standing []*interpreter.Journal) {
	line := 0 // the first of the part
	for _, part := range standing {
		if line == h.have {
			h.parts = append(h.parts, &interpreter.Journal{Header: part.Header})
			h.have++
		}
		if have := h.have - line - 1; have < len(part.Entries) {
			last := h.parts[len(h.parts)-1]
			last.Entries = append(last.Entries, part.Entries[have:]...)
			h.have += len(part.Entries) - have
		}
		line += 1 + len(part.Entries)
	}
}

// tell adds what was done about entries, after which these journals stand.
func (h *happened) tell(e interpreter.Entry, standing []*interpreter.Journal) {
	last := h.parts[len(h.parts)-1]
	last.Entries = append(last.Entries, e)
	h.have = len(standing)
	for _, part := range standing {
		h.have += len(part.Entries)
	}
}

// stands are the journals of all stages, without what was taken back.
func (s *Session) stands() []*interpreter.Journal {
	var out []*interpreter.Journal
	for _, st := range s.stages {
		out = append(out, st.journal)
	}
	return out
}

// Journals returns the journals of all that was played so far, in a row, with
// what was taken back. They belong to the session.
func (s *Session) Journals() []*interpreter.Journal {
	s.happened.follow(s.stands())
	return s.happened.parts
}
