package interpreter

import (
	"math"
	"math/bits"
	"slices"

	"github.com/houserules/houserules/dsl"
)

// What a scorer or a list of options is worth depends only on how many pieces
// there are of each class, two pieces being of one class if they agree in the
// attributes that are read. The numbers of pieces by class make one key, and
// what was worked out for a key once is looked up ever after.

// classes is a way of telling the pieces of a family apart.
type classes struct {
	fam   *family
	attrs []*dsl.Attr
	// of holds the class of a piece showing a face: of[piece*span+face-lo].
	of      []uint8
	weights []uint64 // of the same shape: what the piece adds to the key
	reps    [][]int64
	caps    []int    // most pieces there can be, by class
	weight  []uint64 // by class
	keys    uint64   // keys lie in [0, keys)
	dense   *dense   // nil unless the multisets are numbered
	index   int      // of the machine's memo
	// sideClass[piece*sides+side] is 8 times the class, for the classes that
	// throws keep up to date.
	sideClass []uint8
	small     bool // at most 7 pieces and 8 classes: see word
}

// For a small family all is done on words, without a loop. The class word of a
// machine has one byte a class: the set of the pieces that are of this class
// just now. The bits of the bytes, counted all at once and pressed together
// to three bits each, are the key.

// A keyMemo remembers what was worked out last.
type keyMemo struct {
	set   uint64
	key   uint64
	faces int64 // the machine's count of faces when set and key were noted
	word  uint64
	known int64 // the machine's count of faces when word was noted

	id     int32  // of dense classes, instead of key
	thrown uint64 // the pieces whose faces ascend, since they were thrown together
	sorted int64  // the machine's count of faces at that time
}

const bytes8 = 0x0101010101010101 // times a byte: the byte eight times

// maxClasses bounds the classes of one family, so that a class is one byte.
const maxClasses = 255

// classesFor returns the classes of a family by some attributes, the same ones
// for the same attributes. It reports false if there are too many.
func (g *Game) classesFor(fam *family, attrs []*dsl.Attr) (*classes, bool) {
	for _, cl := range g.classes {
		if cl.fam == fam && slices.Equal(cl.attrs, attrs) {
			return cl, true
		}
	}
	cl, ok := g.newClasses(fam, attrs)
	if ok {
		cl.index = len(g.classes)
		g.classes = append(g.classes, cl)
		if cl.small && fam.small == nil {
			cl.sideClasses()
			fam.small = cl
			cl.dense = g.newDense(cl)
		}
	}
	return cl, ok
}

// sideClasses notes the byte of the class word for each piece and side.
func (cl *classes) sideClasses() {
	fam := cl.fam
	for p := range fam.count {
		for _, face := range fam.sides {
			cl.sideClass = append(cl.sideClass, 8*cl.of[p*fam.span+int(face-fam.lo)])
		}
	}
}

func (g *Game) newClasses(fam *family, attrs []*dsl.Attr) (*classes, bool) {
	cl := &classes{fam: fam, attrs: attrs}
	n := fam.count * fam.span
	cl.of = make([]uint8, n)
	cl.weights = make([]uint64, n)
	index := map[string]int{}
	members := []map[int]bool{}
	for p := range fam.count {
		for _, face := range fam.shown() {
			sig := make([]int64, 0, 4)
			for _, a := range attrs {
				if a.IsFace {
					sig = append(sig, face)
				} else {
					sig = append(sig, g.attrValues[a][p])
				}
			}
			id := signature(sig)
			c, ok := index[id]
			if !ok {
				if c = len(index); c >= maxClasses {
					return nil, false
				}
				index[id] = c
				cl.reps = append(cl.reps, sig)
				members = append(members, map[int]bool{})
			}
			members[c][p] = true
			cl.of[p*fam.span+int(face-fam.lo)] = uint8(c)
		}
	}
	cl.small = fam.count <= 7 && len(members) <= 8
	cl.keys = 1
	for c := range members {
		cl.caps = append(cl.caps, len(members[c]))
		cl.weight = append(cl.weight, cl.keys)
		radix := uint64(len(members[c]) + 1)
		if cl.small {
			radix = 8
		}
		hi, lo := bits.Mul64(cl.keys, radix)
		if hi != 0 || lo > math.MaxInt64 {
			return nil, false
		}
		cl.keys = lo
	}
	for i, c := range cl.of {
		cl.weights[i] = cl.weight[c]
	}
	return cl, true
}

// shown lists the faces a piece of the family can show, each once.
func (f *family) shown() []int64 {
	if len(f.sides) == 0 {
		return []int64{0}
	}
	var out []int64
	seen := map[int64]bool{}
	for _, s := range f.sides {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func signature(vs []int64) string {
	b := make([]byte, 0, 8*len(vs))
	for _, v := range vs {
		for k := range 8 {
			b = append(b, byte(v>>(8*k)))
		}
	}
	return string(b)
}

// key adds up the classes of a set of pieces.
func (cl *classes) key(m *Machine, set uint64) uint64 {
	if cl.dense != nil { // its memo keeps numbers of multisets
		return cl.add(m, set)
	}
	memo := &m.memo[cl.index]
	if memo.set != set || memo.faces != m.faces {
		memo.set, memo.key, memo.faces = set, cl.add(m, set), m.faces
	}
	return memo.key
}

// word returns the class word.
func (cl *classes) word(m *Machine) uint64 {
	memo := &m.memo[cl.index]
	if memo.known != m.faces {
		m.land()
		memo.word, memo.known = 0, m.faces
		for p := range cl.fam.count {
			memo.word |= 1 << (8*cl.class(m, p) + p)
		}
	}
	return memo.word
}

// press counts the bits of each byte, all below 8, and puts the numbers
// together, three bits each.
func press(w uint64) uint64 {
	w -= w >> 1 & 0x5555555555555555
	w = w&0x3333333333333333 + w>>2&0x3333333333333333
	w = (w + w>>4) & 0x0707070707070707
	w = (w | w>>5) & 0x003f003f003f003f
	w = (w | w>>10) & 0x00000fff00000fff
	return (w | w>>20) & 0xffffff
}

func (cl *classes) add(m *Machine, set uint64) uint64 {
	if cl.small {
		return press(cl.word(m) & (set & 0xff * bytes8))
	}
	m.land()
	fam := cl.fam
	span, lo := fam.span, int(fam.lo)
	faces := m.s[fam.faceSlot : fam.faceSlot+fam.count]
	w := cl.weights
	k := uint64(0)
	for u := set; u != 0; u &= u - 1 {
		p := bits.TrailingZeros64(u)
		if p >= len(faces) {
			break
		}
		k += w[p*span+int(faces[p])-lo]
	}
	return k
}

// class returns the class of a piece as it lies.
func (cl *classes) class(m *Machine, piece int) int {
	m.land()
	return int(cl.of[piece*cl.fam.span+int(m.s[cl.fam.faceSlot+piece]-cl.fam.lo)])
}

// counts writes the numbers of pieces by class into out.
func (cl *classes) counts(m *Machine, set uint64, out []uint8) []uint8 {
	out = out[:0]
	for range cl.caps {
		out = append(out, 0)
	}
	for u := set; u != 0; u &= u - 1 {
		out[cl.class(m, bits.TrailingZeros64(u))]++
	}
	return out
}

// keyOf is key for numbers by class.
func (cl *classes) keyOf(counts []uint8) uint64 {
	k := uint64(0)
	for c, n := range counts {
		k += cl.weight[c] * uint64(n)
	}
	return k
}

// takeKey is take for a small family, the numbers by class being a key.
func (cl *classes) takeKey(m *Machine, set, key uint64) uint64 {
	w := cl.word(m) & (set & 0xff * bytes8)
	got := uint64(0)
	for ; key != 0; key, w = key>>3, w>>8 {
		for n, of := key&7, w&0xff; n > 0; n-- {
			got |= of & -of
			of &= of - 1
		}
	}
	return got
}

// take chooses, of a set, as many pieces of each class as counts says: the
// first ones in order.
func (cl *classes) take(m *Machine, set uint64, counts []uint8) uint64 {
	var left [maxClasses]uint8
	copy(left[:], counts)
	got := uint64(0)
	for u := set; u != 0; u &= u - 1 {
		if c := cl.class(m, bits.TrailingZeros64(u)); left[c] > 0 {
			left[c]--
			got |= u & -u
		}
	}
	return got
}

// A table maps keys to rows. Small key ranges are an array.
type table struct {
	direct []int32 // row + 1
	rows   map[uint64]int32
}

// maxDirect is the largest key range kept as an array: 1 MiB.
const maxDirect = 1 << 18

func newTable(keys uint64) *table {
	if keys <= maxDirect {
		return &table{direct: make([]int32, keys)}
	}
	return &table{rows: map[uint64]int32{}}
}

// get returns the row of a key, or -1.
func (t *table) get(k uint64) int {
	if t.direct != nil {
		return int(t.direct[k]) - 1
	}
	return int(t.rows[k]) - 1
}

func (t *table) put(k uint64, row int) {
	if t.direct != nil {
		t.direct[k] = int32(row) + 1
		return
	}
	t.rows[k] = int32(row) + 1
}

// advance makes counts the next choice of at most so many of each class as
// there are, the first class turning fastest; false after the last, when all
// are 0 again.
func advance(counts, have []uint8) bool {
	for c := range have {
		if counts[c] < have[c] {
			counts[c]++
			return true
		}
		counts[c] = 0
	}
	return false
}
