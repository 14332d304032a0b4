package yamltree

import (
	"strings"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/source"
	"gopkg.in/yaml.v3"
)

// Parse reads a rule file. It is strict: it refuses whatever YAML offers that
// would make a rule file mean something else than it seems to, such as anchors,
// tags, folded text, keys given twice, and comments that cut a formula. If it
// reports an error, the node is nil.
func Parse(f *source.File) (*Node, source.List) {
	var ds source.List
	if !checkText(f, &ds) {
		return nil, ds
	}
	troubles := scan(f)
	if reportHard(f, troubles, &ds) {
		ds.Sort()
		return nil, ds
	}
	root, message := load(f.Text[startOf(f.Text):])
	if message != "" {
		reportSyntax(f, troubles, message, &ds)
		return nil, ds
	}
	r := &reader{f: f}
	var n *Node
	if root != nil {
		n = r.node(root, place{indent: -1, missing: r.span(0, 0)})
	}
	if len(r.ds) == 0 && (n == nil || n.Kind == Scalar && n.Empty) {
		r.ds.Errorf("E0118", r.span(0, 0), "the file is empty").
			WithHelp("a rule file begins with `houserules: 1`")
	}
	r.ds.Sort()
	if r.ds.HasErrors() {
		return nil, r.ds
	}
	return n, r.ds
}

// A reader turns the library's nodes into ours.
type reader struct {
	f  *source.File
	ds source.List

	// The place found last, so that finding the next one does not start at the
	// beginning of a line that may be as long as the file.
	line, col, off int

	nodes int // keys and values found so far
}

// A place is what surrounds a node.
type place struct {
	depth   int
	indent  int  // column, from 0, of the block map or list around it, or -1
	flow    bool // inside brackets
	missing source.Span
}

func (r *reader) span(from, to int) source.Span { return source.Span{File: r.f, Start: from, End: to} }

func (r *reader) errorf(code string, span source.Span, format string, args ...any) *source.Diagnostic {
	if len(r.ds) >= maxErrors {
		return &source.Diagnostic{}
	}
	return r.ds.Errorf(code, span, format, args...)
}

// offset returns the byte offset of a node.
func (r *reader) offset(y *yaml.Node) int {
	if y.Line != r.line || y.Column < r.col {
		r.line, r.col, r.off = y.Line, 1, r.f.LineStart(y.Line)
	}
	for r.col < y.Column && r.off < len(r.f.Text) {
		_, size := utf8.DecodeRuneInString(r.f.Text[r.off:])
		r.off += size
		r.col++
	}
	return r.off
}

// node reads any node. It returns nil for what it refuses.
func (r *reader) node(y *yaml.Node, p place) *Node {
	if p.depth > MaxDepth {
		r.errorf("E0116", r.span(r.offset(y), r.offset(y)+1), "nested deeper than %d levels", MaxDepth).
			WithHelp("nothing in a rule file lies so deep; look for brackets too many")
		return nil
	}
	off := r.offset(y)
	if r.tooMany(y, off) || r.refused(y, off) {
		return nil
	}
	switch y.Kind {
	case yaml.MappingNode:
		return r.mapping(y, off, p)
	case yaml.SequenceNode:
		return r.list(y, off, p)
	}
	n := r.scalar(y, off, p)
	if n != nil {
		r.checkCut(n, p)
	}
	return n
}

// tooMany reports a map or a list beyond the limits, at the first entry that is
// beyond them; of a file that holds too much all the rest is left unread.
func (r *reader) tooMany(y *yaml.Node, off int) bool {
	before, per := r.nodes, 1
	r.nodes += len(y.Content)
	if y.Kind == yaml.MappingNode {
		per = 2
	}
	switch {
	case before > MaxNodes:
	case len(y.Content) > MaxEntries*per:
		at := r.offset(y.Content[MaxEntries*per])
		r.errorf("E0331", r.span(at, at), "%d entries stand here side by side; at most %d may", len(y.Content)/per, MaxEntries)
	case r.nodes > MaxNodes:
		r.errorf("E0331", r.span(off, off), "the file has more than %d keys and values", MaxNodes).
			WithHelp("split it: put house rules into files of their own")
	default:
		return false
	}
	return true
}

// refused reports anchors, aliases and tags.
func (r *reader) refused(y *yaml.Node, off int) bool {
	start := r.f.Text[min(off, len(r.f.Text)):]
	tagged := y.Style&yaml.TaggedStyle != 0 || strings.HasPrefix(start, "!")
	if y.Kind == yaml.MappingNode && y.Style&yaml.FlowStyle == 0 && len(y.Content) > 0 {
		// The place of such a map is that of its first key, which may well
		// have the tag, and will be looked at next.
		tagged = y.Style&yaml.TaggedStyle != 0 || tagged && r.offset(y.Content[0]) != off
	}
	switch {
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		r.startError(off, r.wordEnd(off))
	case y.Tag == "!!merge":
		r.errorf("E0105", r.span(off, r.wordEnd(off)), "merge keys are not allowed").
			WithHelp("write the keys out; house rules are merged by variants")
	case tagged:
		r.startError(off, r.wordEnd(off))
	default:
		return false
	}
	return true
}

// startError reports an anchor, alias or tag.
func (r *reader) startError(from, to int) {
	if len(r.ds) < maxErrors {
		reportStart(&r.ds, r.span(from, to))
	}
}

func (r *reader) wordEnd(off int) int { return (&scanner{text: r.f.Text}).wordEnd(off) }

func (r *reader) mapping(y *yaml.Node, off int, p place) *Node {
	n := &Node{Kind: Map, Span: r.span(off, off)}
	inner := place{depth: p.depth + 1, indent: y.Column - 1, flow: p.flow || y.Style&yaml.FlowStyle != 0}
	if inner.flow {
		inner.indent = p.indent
	}
	seen := map[string]*Node{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := r.key(y.Content[i], inner)
		if key != nil {
			inner.missing = key.Span
			if first := seen[key.Text]; first != nil {
				r.errorf("E0104", key.Span, "the key `%s` is here twice", key.Text).
					WithLabel("second").WithRelated(first.Span, "`%s` stands here first", key.Text)
			} else {
				seen[key.Text] = key
			}
		}
		value := r.node(y.Content[i+1], inner)
		if key == nil || value == nil {
			continue
		}
		if value.Span == key.Span && inner.flow && strings.Contains(key.Text, ":") && key.Style == Plain {
			r.errorf("E0102", key.Span, "not valid YAML here: no blank after the `:` in `%s`", key.Text).
				WithHelp("put a blank after the `:`").
				WithEdit(key.Span, strings.Replace(key.Text, ":", ": ", 1))
		}
		n.Pairs = append(n.Pairs, &Pair{Key: key, Value: value})
		n.Span.End = max(n.Span.End, key.Span.End, value.Span.End)
	}
	if y.Style&yaml.FlowStyle != 0 {
		n.Span.End = r.closing(max(n.Span.End, off+1), '}')
	}
	return n
}

func (r *reader) list(y *yaml.Node, off int, p place) *Node {
	n := &Node{Kind: List, Span: r.span(off, off)}
	inner := place{depth: p.depth + 1, indent: y.Column - 1, flow: p.flow || y.Style&yaml.FlowStyle != 0}
	if inner.flow {
		inner.indent = p.indent
	}
	for _, item := range y.Content {
		inner.missing = r.dash(item)
		value := r.node(item, inner)
		if value == nil {
			continue
		}
		n.Items = append(n.Items, value)
		n.Span.End = max(n.Span.End, value.Span.End)
	}
	if y.Style&yaml.FlowStyle != 0 {
		n.Span.End = r.closing(max(n.Span.End, off+1), ']')
	}
	return n
}

// dash returns the place of an item without a value: the dash before it.
func (r *reader) dash(y *yaml.Node) source.Span {
	off := r.offset(y)
	if off > 0 && off <= len(r.f.Text) && r.f.Text[off-1] == '-' {
		return r.span(off-1, off)
	}
	return r.span(off, min(off+1, len(r.f.Text)))
}

// closing returns the offset behind the bracket that closes a map or list whose
// last part ends at p.
func (r *reader) closing(p int, bracket byte) int {
	text := r.f.Text
	for q := p; q < len(text); q++ {
		switch c := text[q]; {
		case c == bracket:
			return q + 1
		case c == '#':
			i := strings.IndexByte(text[q:], '\n')
			if i < 0 {
				return p
			}
			q += i
		case strings.IndexByte(" \t\r\n,:?", c) < 0:
			return p
		}
	}
	return p
}

// key reads the key of a map.
func (r *reader) key(y *yaml.Node, p place) *Node {
	off := r.offset(y)
	if r.refused(y, off) {
		return nil
	}
	if y.Kind != yaml.ScalarNode || y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		r.errorf("E0115", r.span(off, min(off+1, len(r.f.Text))), "a key must be a single name or value").
			WithHelp("put the whole key in single quotes if it is one")
		return nil
	}
	if before := strings.TrimRight(r.f.Text[:off], " \t"); strings.HasSuffix(before, "?") && y.Value != "" {
		r.errorf("E0102", r.span(len(before)-1, len(before)), "keys are written without `?` here").
			WithHelp("write `key: value` on one line")
		return nil
	}
	p.missing = r.span(off, min(off+1, len(r.f.Text)))
	n := r.scalar(y, off, p)
	if n != nil && (n.Empty || n.Text == "") {
		if n.Text != "" {
			r.errorf("E0119", n.Span, "`%s` is no name: to YAML it means nothing", n.Text).
				WithHelp("choose another name")
			return nil
		}
		r.errorf("E0119", n.Span, "a key must not be empty").WithHelp("write a name before the `:`")
		return nil
	}
	return n
}

// scalar reads a scalar and finds where its text stands.
func (r *reader) scalar(y *yaml.Node, off int, p place) *Node {
	n := &Node{Kind: Scalar, Text: y.Value}
	var o *origin
	switch {
	case y.Style&yaml.FoldedStyle != 0:
		r.errorf("E0117", r.span(off, off+1), "folded text (`>`) is not allowed").
			WithLabel("use `|`").WithHelp("use `|`, which keeps the lines as they are").
			WithEdit(r.span(off, off+1), "|")
		return nil
	case y.Style&yaml.LiteralStyle != 0:
		n.Style, o = Block, blockOrigin(r.f.Text, off, p.indent)
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Style, o = Double, doubleOrigin(r.f.Text, off)
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Style, o = Single, singleOrigin(r.f.Text, off)
	case y.Value == "":
		n.Empty, n.Span = true, p.missing
		return n
	default:
		n.Empty = y.Tag == "!!null"
		o = plainOrigin(r.f.Text, off, y.Value)
	}
	if o == nil || o.value.String() != y.Value {
		r.unplaced(n.Style, off)
		return nil
	}
	n.Span, n.runs = r.span(off, o.end), o.runs
	return n
}

// unplaced reports a scalar whose text cannot be found again in the file. For
// all styles but blocks that means that it runs over several lines.
func (r *reader) unplaced(style Style, off int) {
	end := (&scanner{text: r.f.Text}).trimEnd(off)
	if style == Block {
		r.errorf("E0102", r.span(off, end), "the indentation of this block of text is unclear").
			WithHelp("start the block with `|` alone, and indent all of its lines alike")
		return
	}
	r.errorf("E0117", r.span(off, end), "this text runs over more than one line").
		WithHelp("write it on one line, or put `|` behind the key and the text below it")
}

// load runs the library over a text that holds one document. It returns nil
// for an empty one, and the library's message if it fails.
func load(text string) (root *yaml.Node, message string) {
	defer func() {
		if recover() != nil {
			root, message = nil, "the library broke"
		}
	}()
	dec := yaml.NewDecoder(strings.NewReader(text))
	var doc, rest yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if err.Error() == "EOF" {
			return nil, ""
		}
		return nil, err.Error()
	}
	switch err := dec.Decode(&rest); {
	case err == nil:
		return nil, "a second document"
	case err.Error() != "EOF":
		return nil, err.Error()
	}
	if len(doc.Content) == 0 {
		return nil, ""
	}
	return doc.Content[0], ""
}
