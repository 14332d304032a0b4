// Package yamltree reads a rule file into a tree of nodes that know where
// every byte of theirs stands in the file. It is the only package that knows
// the YAML library; nothing outside it sees a library type or message.
package yamltree

import (
	"sort"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/source"
)

// Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	Map
	List
)

// String names the kind for people: "a value", "a map of names", "a list".
func (k Kind) String() string { return [...]string{"a value", "a map of names", "a list"}[k] }

// Style says how a scalar is written. Double quotes mean text for people;
// every other style is a formula, a name or a number.
type Style uint8

// The styles of scalars. Folded scalars are refused by Parse.
const (
	Plain Style = iota
	Single
	Double
	Block // the | style
)

// A Node is one scalar, map or list. Trees are immutable after Parse; merging
// makes new nodes and shares old ones.
type Node struct {
	Kind  Kind
	Style Style   // of scalars
	Text  string  // of scalars: the decoded value, as written; "" for a missing value
	Empty bool    // a key without a value, or an explicit null or ~
	Pairs []*Pair // of maps, in file order
	Items []*Node // of lists

	// Span is the whole node, with quotes and with the brackets of a map or
	// list in brackets. Other maps run from the first key to the last value,
	// other lists from the first dash to the last item. A missing value has the
	// place of its key or dash, so that there is always something to point at.
	Span source.Span

	runs []run // of scalars: where each byte of Text stands in the file
}

// A run is a stretch of a scalar's Text that stands in one piece in the file.
// Where width equals size it stands there byte for byte; otherwise it is one
// escape, doubled quote or line end, which makes sense only as a whole.
type run struct {
	at, size    int // in Text
	from, width int // in the file
}

func (r run) exact() bool { return r.size == r.width }

// A Pair is one entry of a map.
type Pair struct {
	Key   *Node // a scalar
	Value *Node
	// Owner is the id of the variant that brought the pair, "" for the game's
	// own. Parse leaves it empty; merging sets it.
	Owner string
}

// Get returns the value under a key, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Pair returns the entry with a key, or nil.
func (n *Node) Pair(key string) *Pair {
	if n == nil || n.Kind != Map {
		return nil
	}
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p
		}
	}
	return nil
}

// Keys returns the keys of a map in file order.
func (n *Node) Keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.Pairs))
	for i, p := range n.Pairs {
		keys[i] = p.Key.Text
	}
	return keys
}

// With returns a copy of a map node that has other pairs.
func (n *Node) With(pairs []*Pair) *Node {
	c := *n
	c.Pairs = pairs
	return &c
}

// SpanOf returns the place in the file of the bytes [from, to) of a scalar's
// Text. Offsets are moved into the text. An empty stretch is widened to the
// character that follows, at the end of the text to the last one, so that a
// caret always has something to show.
func (n *Node) SpanOf(from, to int) source.Span {
	size := len(n.Text)
	if len(n.runs) == 0 || size == 0 {
		return n.Span
	}
	from = max(0, min(from, size))
	to = max(from, min(to, size))
	if from == size {
		_, w := utf8.DecodeLastRuneInString(n.Text)
		from = size - w
		to = size
	}
	if to == from {
		_, w := utf8.DecodeRuneInString(n.Text[from:])
		to = from + w
	}
	start, _ := n.place(from)
	_, end := n.place(to - 1)
	return source.Span{File: n.Span.File, Start: start, End: end}
}

// place returns where one byte of the text stands in the file.
func (n *Node) place(at int) (start, end int) {
	i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].at > at }) - 1
	r := n.runs[i]
	if !r.exact() {
		return r.from, r.from + r.width
	}
	start = r.from + at - r.at
	return start, start + 1
}
