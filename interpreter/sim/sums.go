package sim

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
)

// A wide is a whole number of 128 bits, in which products of numbers of games
// are added up.
type wide struct {
	hi int64
	lo uint64
}

func (w *wide) add(x int64) {
	lo, carry := bits.Add64(w.lo, uint64(x), 0)
	w.lo = lo
	w.hi += x>>63 + int64(carry)
}

// addProduct adds x times y.
func (w *wide) addProduct(x, y int64) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	h := int64(hi)
	if x < 0 { // the product of the bits taken without a sign is too large by these
		h -= y
	}
	if y < 0 {
		h -= x
	}
	sum, carry := bits.Add64(w.lo, lo, 0)
	w.lo = sum
	w.hi += h + int64(carry)
}

func (w *wide) join(o wide) {
	lo, carry := bits.Add64(w.lo, o.lo, 0)
	w.lo = lo
	w.hi += o.hi + int64(carry)
}

// less returns w without o.
func (w wide) less(o wide) wide {
	lo, borrow := bits.Sub64(w.lo, o.lo, 0)
	return wide{hi: w.hi - o.hi - int64(borrow), lo: lo}
}

func (w wide) big() *big.Int {
	out := new(big.Int).Lsh(big.NewInt(w.hi), 64)
	return out.Add(out, new(big.Int).SetUint64(w.lo))
}

func (w wide) float() float64 { return bigFloat(w.big()) }

// MarshalJSON writes the number as a word of digits: JSON readers are not sure
// of numbers beyond 53 bits.
func (w wide) MarshalJSON() ([]byte, error) { return json.Marshal(w.big().String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (w *wide) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.BitLen() > 126 {
		return fmt.Errorf("%q is no sum", text)
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
	w.lo = low.Uint64()
	w.hi = new(big.Int).Rsh(n, 64).Int64()
	return nil
}

func bigInt(n int64) *big.Int { return big.NewInt(n) }

func bigFloat(n *big.Int) float64 {
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
