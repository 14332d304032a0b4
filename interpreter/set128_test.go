package interpreter

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The k-th bit, counted one by one.
func slowNth(w uint64, k int) int {
	for ; k > 0; k-- {
		w &= w - 1
	}
	return bits.TrailingZeros64(w)
}

func TestNthBit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		w := r.Uint64()
		switch i % 5 {
		case 1:
			w &= r.Uint64() & r.Uint64()
		case 2:
			w |= r.Uint64() | r.Uint64()
		case 3:
			w = ^uint64(0)
		case 4:
			w = 1 << (i % 64)
		}
		if w == 0 {
			continue
		}
		k := r.IntN(bits.OnesCount64(w))
		if got, want := nthBit64(w, k), slowNth(w, k); got != want {
			t.Fatalf("bit %d of %x is at %d, not %d", k, w, want, got)
		}
		s := set128{r.Uint64(), w}
		k += bits.OnesCount64(s.lo)
		if got, want := s.nth(k), 64+slowNth(w, k-bits.OnesCount64(s.lo)); got != want {
			t.Fatalf("piece %d of %x is %d, not %d", k, s, want, got)
		}
	}
}
