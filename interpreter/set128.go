package interpreter

import "math/bits"

// A set128 is a set of pieces of a family without faces, by their numbers.
type set128 struct{ lo, hi uint64 }

// single returns the set of one piece.
func single(piece int) set128 {
	if piece < 64 {
		return set128{lo: 1 << uint(piece)}
	}
	return set128{hi: 1 << uint(piece-64)}
}

// firstOf returns the set of the pieces below n.
func firstOf(n int) set128 {
	if n <= 64 {
		return set128{lo: 1<<uint(n) - 1}
	}
	return set128{^uint64(0), 1<<uint(n-64) - 1}
}

func (a set128) and(b set128) set128    { return set128{a.lo & b.lo, a.hi & b.hi} }
func (a set128) or(b set128) set128     { return set128{a.lo | b.lo, a.hi | b.hi} }
func (a set128) andNot(b set128) set128 { return set128{a.lo &^ b.lo, a.hi &^ b.hi} }
func (a set128) empty() bool            { return a.lo|a.hi == 0 }
func (a set128) len() int               { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }

func (a set128) has(piece int) bool {
	if piece < 64 {
		return a.lo>>uint(piece)&1 != 0
	}
	return a.hi>>uint(piece-64)&1 != 0
}

// lowest returns the first piece of a set that is not empty.
func (a set128) lowest() int {
	if a.lo != 0 {
		return bits.TrailingZeros64(a.lo)
	}
	return 64 + bits.TrailingZeros64(a.hi)
}

// rest returns the set without its first piece.
func (a set128) rest() set128 {
	if a.lo != 0 {
		return set128{a.lo & (a.lo - 1), a.hi}
	}
	return set128{0, a.hi & (a.hi - 1)}
}

// nth returns the piece at place k, from 0, of a set that has more than k.
func (a set128) nth(k int) int {
	if n := bits.OnesCount64(a.lo); k >= n {
		return 64 + nthBit64(a.hi, k-n)
	}
	return nthBit64(a.lo, k)
}

// nthBit64 returns the place of the k-th bit that is set, from 0: the byte in
// which it lies, by the numbers of bits up to each byte, and then the place in
// the byte, from a table. (S. Vigna, Broadword Implementation of Rank/Select
// Queries, 2008, has the idea.)
func nthBit64(w uint64, k int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	s := w - w>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones // the numbers of bits up to and with each byte
	// The byte is behind all those whose number is at most k.
	behind := (uint64(k)*ones | highs) - s&^highs
	at := uint(bits.OnesCount64(behind&highs)) * 8
	before := uint(s<<8>>at) & 0xff
	return int(at) + int(nthInByte[uint8(w>>at)][(uint(k)-before)&7])
}

// nthInByte[b][k] is the place of the k-th bit that is set in b.
var nthInByte = func() (t [256][8]uint8) {
	for b := range t {
		k := 0
		for i := range 8 {
			if b>>i&1 != 0 {
				t[b][k] = uint8(i)
				k++
			}
		}
	}
	return t
}()

// each calls f with the pieces of the set, in order.
func (a set128) each(f func(piece int)) {
	for ; !a.empty(); a = a.rest() {
		f(a.lowest())
	}
}
