package interpreter

import (
	"slices"

	"github.com/houserules/houserules/dsl"
)

// This file finds the ways in which one pattern can be laid of some pieces.

// maxTries bounds the search for the splits of one set.
const maxTries = 1 << 20

// matcher tries the ways in which one pattern can be laid.
type matcher struct {
	sp    *splitter
	cb    *combo
	combo int
	items []dsl.PatternItem
	left  []uint8
	taken []uint8
	bound map[*dsl.Letter]int64
	visit func(use)
}

func (mt *matcher) match(item int, natural int) {
	sp := mt.sp
	if sp.tries++; sp.tries > maxTries {
		fault(mt.cb.Span, "these pieces can be split in too many ways")
	}
	if item == len(mt.items) {
		mt.found(natural)
		return
	}
	it := &mt.items[item]
	if it.Letter == nil {
		mt.count(item, it.Face, natural)
		return
	}
	if face, ok := mt.bound[it.Letter]; ok {
		mt.count(item, face, natural)
		return
	}
	for _, face := range it.Letter.Domain {
		if mt.faceTaken(face) {
			continue
		}
		mt.bound[it.Letter] = face
		mt.count(item, face, natural)
		delete(mt.bound, it.Letter)
	}
}

// faceTaken reports whether another letter already stands for a face:
// different letters are different faces.
func (mt *matcher) faceTaken(face int64) bool {
	for l, v := range mt.bound {
		if !l.Count && v == face {
			return true
		}
	}
	return false
}

// count settles how many pieces an item takes.
func (mt *matcher) count(item int, face int64, natural int) {
	it := &mt.items[item]
	if it.CountLetter == nil {
		mt.take(item, face, it.Count, 0, natural)
		return
	}
	if n, ok := mt.bound[it.CountLetter]; ok {
		mt.take(item, face, n, 0, natural)
		return
	}
	for _, n := range it.CountLetter.Domain {
		mt.bound[it.CountLetter] = n
		mt.take(item, face, n, 0, natural)
		delete(mt.bound, it.CountLetter)
	}
}

// take takes n more pieces for an item from the classes from c on.
func (mt *matcher) take(item int, face, n int64, c int, natural int) {
	if n == 0 {
		mt.match(item+1, natural)
		return
	}
	for ; c < len(mt.left); c++ {
		if mt.left[c] == 0 {
			continue
		}
		fits, wild := mt.fits(&mt.items[item], face, c)
		if !fits {
			continue
		}
		most := min(int64(mt.left[c]), n)
		for k := int64(1); k <= most; k++ {
			mt.left[c] -= uint8(k)
			mt.taken[c] += uint8(k)
			nat := natural
			if !wild {
				nat += int(k)
			}
			mt.take(item, face, n-k, c+1, nat)
			mt.left[c] += uint8(k)
			mt.taken[c] -= uint8(k)
		}
	}
}

// fits reports whether a piece of class c can lie for an item, and whether
// only because it is wild.
func (mt *matcher) fits(it *dsl.PatternItem, face int64, c int) (fits, wild bool) {
	cl := mt.sp.r.cl
	for i, a := range cl.attrs {
		if a.IsFace && cl.reps[c][i] != face {
			if mt.sp.wilds == nil || !mt.sp.wilds[c] {
				return false, false
			}
			wild = true
		}
	}
	for _, want := range it.Attrs {
		for i, a := range cl.attrs {
			if a == want.Attr && cl.reps[c][i] != want.Value {
				return false, false
			}
		}
	}
	return true, wild
}

func (mt *matcher) found(natural int) {
	if natural == 0 {
		return // wild pieces help a combination that has a piece of its own
	}
	m := mt.sp.m
	letters := make([]int64, len(mt.cb.order))
	for i, l := range mt.cb.Letters {
		v, ok := mt.bound[l]
		if !ok { // a letter of another alternative
			v = 0
		}
		letters[i] = v
		m.s[mt.cb.order[i]] = v
	}
	if mt.cb.where != nil && mt.cb.where(m) == 0 {
		return
	}
	mt.visit(use{mt.combo, mt.cb.points(m), letters, slices.Clone(mt.taken)})
}
