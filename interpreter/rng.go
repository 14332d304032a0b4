package interpreter

import "math/bits"

// Random numbers come from splitmix64 streams (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014). A stream is a key,
// mixed from the seed, the number of the game and the number of the stream,
// and a counter: draw n of a stream is mix(key + n*gamma). The counter lies in
// the state, so that a clone goes on where its original stands, and a draw of
// one stream never moves another.

const gamma = 0x9E3779B97F4A7C15

// The streams of one game. Policies have streams of their own, from
// StreamPolicy on, one a seat, so that thinking never changes the dice.
const (
	StreamChance    = 0
	StreamIncidents = 1
	StreamPolicy    = 16
	StreamBeside    = 1 << 20 // what the machine throws beside people, one an entry of the journal
)

func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// streamKey mixes the three numbers that name a stream.
func streamKey(seed, game, stream uint64) uint64 {
	return mix64(mix64(mix64(seed+gamma)+game*gamma) + stream*gamma)
}

// A Rand is one stream of random numbers. The zero Rand is a valid stream; use
// NewRand for one that belongs to a game.
type Rand struct {
	key uint64
	n   uint64 // draws so far
}

// NewRand returns the stream of a seed, the number of a game under that seed,
// and the number of the stream (StreamPolicy + seat for a player's own).
func NewRand(seed, game, stream uint64) Rand { return Rand{key: streamKey(seed, game, stream)} }

// Uint64 returns the next 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.n++
	return mix64(r.key + r.n*gamma)
}

// Below returns a number in [0, n), all equally likely, for n > 0. It draws
// again where a plain reduction would favour some numbers (Lemire, "Fast random
// integer generation in an interval", 2019).
func (r *Rand) Below(n uint64) uint64 {
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		hi = r.again(n, hi, lo)
	}
	return hi
}

// again draws until the low half of the product does not call for rejection.
func (r *Rand) again(n, hi, lo uint64) uint64 {
	for t := -n % n; lo < t; {
		hi, lo = bits.Mul64(r.Uint64(), n)
	}
	return hi
}
