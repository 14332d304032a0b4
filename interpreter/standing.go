package interpreter

import (
	"errors"
	"slices"
)

// Standing returns journals in a row without what was taken back: all entries
// are answers, and the journals of games that were left by taking back are gone.
// The journals given are not changed. The error is a *ReplayError, which counts
// the entries of all of them.
func Standing(parts []*Journal) ([]*Journal, error) {
	w := &whatStands{}
	n := 0
	for _, part := range parts {
		w.parts = append(w.parts, &Journal{Header: part.Header})
		for i := range part.Entries {
			n++
			if err := w.add(part.Entries[i]); err != nil {
				return nil, &ReplayError{n, part.Entries[i].What(), err}
			}
		}
	}
	return w.parts, nil
}

// whatStands are journals as far as they were read.
type whatStands struct {
	parts  []*Journal
	undone [][]*Journal // what was before each undo, for redo
}

// Errors of what is about entries that are not there.
var (
	errUndo = errors.New("more is taken back than there is")
	errRedo = errors.New("that was not taken back before")
	errFix  = errors.New("there is no such move to be mended")
)

func (w *whatStands) add(e Entry) error {
	last := w.parts[len(w.parts)-1]
	switch {
	case e.Undo != 0:
		return w.undo(e.Undo)
	case e.Redo != 0:
		k := len(w.undone) - 1
		if k < 0 || entriesOf(w.undone[k])-entriesOf(w.parts) != e.Redo {
			return errRedo
		}
		w.parts, w.undone = w.undone[k], w.undone[:k]
	case e.Fix != 0:
		if e.Fix < 0 || e.Fix > len(last.Entries) || last.Entries[e.Fix-1].Move == "" {
			return errFix
		}
		last.Entries = slices.Clone(last.Entries)
		last.Entries[e.Fix-1].Move = e.Move
		w.undone = nil
	default:
		last.Entries, w.undone = append(last.Entries, e), nil
	}
	return nil
}

// undo takes back entries, and the games that were begun since the first of
// them.
func (w *whatStands) undo(n int) error {
	if n < 0 || n > entriesOf(w.parts) {
		return errUndo
	}
	w.undone = append(w.undone, slices.Clone(w.parts))
	k := len(w.parts) - 1
	for ; len(w.parts[k].Entries) < n; k-- {
		n -= len(w.parts[k].Entries)
	}
	p := w.parts[k]
	keep := len(p.Entries) - n
	w.parts = append(w.parts[:k:k], &Journal{Header: p.Header, Entries: p.Entries[:keep:keep]})
	return nil
}

func entriesOf(parts []*Journal) int {
	n := 0
	for _, p := range parts {
		n += len(p.Entries)
	}
	return n
}
