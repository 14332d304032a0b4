package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/source"
)

// A scan reads the small texts: signatures, types and paths.
type scan struct {
	text Text
	pos  int
}

func (s *scan) skipSpace() {
	for s.pos < len(s.text.Value) && isSpace(s.text.Value[s.pos]) {
		s.pos++
	}
}

// word reads a name after white space; it is "" if there is none.
func (s *scan) word() (name string, from int) {
	s.skipSpace()
	from = s.pos
	if s.pos < len(s.text.Value) && isLetter(s.text.Value[s.pos]) {
		s.pos = wordEnd(s.text.Value, s.pos)
	}
	return s.text.Value[from:s.pos], from
}

// sign reads the sign c after white space, if it stands there.
func (s *scan) sign(c byte) bool {
	s.skipSpace()
	if s.pos < len(s.text.Value) && s.text.Value[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scan) done() bool {
	s.skipSpace()
	return s.pos == len(s.text.Value)
}

// keyRange reads a..b, the numbers that are the keys of a map; nil if something
// else stands here.
func (s *scan) keyRange() *TypeExpr {
	s.skipSpace()
	from := s.pos
	lo, ok := s.number()
	if !ok || !s.sign('.') || !s.sign('.') {
		s.pos = from
		return nil
	}
	hi, ok := s.number()
	if !ok {
		s.pos = from
		return nil
	}
	return &TypeExpr{Name: "range", Range: true, Lo: lo, Hi: hi, Place: s.text.Span(from, s.pos)}
}

// number reads a whole number of at most nine digits, maybe negative.
func (s *scan) number() (n int64, ok bool) {
	s.skipSpace()
	from, end := s.pos, s.pos
	if end < len(s.text.Value) && s.text.Value[end] == '-' {
		end++
	}
	for end < len(s.text.Value) && s.text.Value[end] >= '0' && s.text.Value[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(s.text.Value[from:end], 10, 32)
	if err != nil {
		return 0, false
	}
	s.pos = end
	return n, true
}

// fail reports what stands at the current place.
func (s *scan) fail(ds *source.List, what, help string) {
	if s.done() {
		t := s.text.trimmed()
		ds.Errorf("E0203", t.Whole(), "this %s is not complete", what).WithHelp("%s", help)
		return
	}
	v := s.text.Value
	from, end := s.pos, s.pos+1
	if wordish(v[from]) { // show the whole word, also one with foreign letters
		for from > 0 && wordish(v[from]) && wordish(v[from-1]) && v[s.pos] >= utf8.RuneSelf {
			from--
		}
		for end < len(v) && wordish(v[end]) {
			end++
		}
	}
	ds.Errorf("E0203", s.text.Span(from, end), "unexpected `%s` in a %s", v[from:end], what).WithHelp("%s", help)
}

// wordish reports whether c belongs to a word in any alphabet.
func wordish(c byte) bool { return isWordByte(c) || c >= utf8.RuneSelf }

const helpSignature = "a key is `name`, `name(x)`, `name(who seat, n)` or, for a field of all seats or pieces, `seat.name`"

// ParseSignature reads the key of a define, event or lookup. After an error it
// returns nil.
func ParseSignature(t Text, ds *source.List) *Signature {
	s := &scan{text: t}
	sig := &Signature{}
	name, from := s.word()
	if name == "" {
		s.fail(ds, "name", helpSignature)
		return nil
	}
	if s.sign('.') {
		sig.Owner = name
		if name, from = s.word(); name == "" {
			s.fail(ds, "name", helpSignature)
			return nil
		}
	}
	sig.Name, sig.NameSpan = name, t.Span(from, from+len(name))
	if s.sign('(') {
		sig.HasArgs = true
		if !s.params(sig, ds) {
			return nil
		}
	}
	if !s.done() {
		s.fail(ds, "name", helpSignature)
		return nil
	}
	return sig
}

// params reads `a, b type)`.
func (s *scan) params(sig *Signature, ds *source.List) bool {
	if s.sign(')') {
		return true
	}
	for {
		name, from := s.word()
		if name == "" {
			s.fail(ds, "name", helpSignature)
			return false
		}
		p := Param{Name: name, Span: s.text.Span(from, s.pos)}
		s.skipSpace()
		end := s.pos
		for end < len(s.text.Value) && s.text.Value[end] != ',' && s.text.Value[end] != ')' {
			end++
		}
		if end > s.pos {
			typ, ok := ParseType(s.text.Slice(s.pos, end), ds)
			if !ok {
				s.fail(ds, "name", helpSignature)
				return false
			}
			p.Type = typ
			s.pos = end
		}
		sig.Params = append(sig.Params, p)
		if s.sign(')') {
			return true
		}
		if !s.sign(',') {
			s.fail(ds, "name", helpSignature)
			return false
		}
	}
}

// ParseType reads a type. If the text does not look like one, it returns
// false and reports nothing: the text may be a formula. A lone name looks like
// a type; the caller must know whether it is one.
func ParseType(t Text, _ *source.List) (*TypeExpr, bool) {
	s := &scan{text: t}
	typ := s.typeExpr(0)
	if typ == nil || !s.done() {
		return nil, false
	}
	typ.Place = t.trimmed().Whole()
	return typ, true
}

// typeExpr reads NAME, NAME.NAME or `list of TYPE`, each with `or none`, which
// belongs to the whole: `list of int or none` may be no list at all. Behind it
// may stand `for each NAME`, which makes a map of it.
func (s *scan) typeExpr(depth int) *TypeExpr {
	name, from := s.word()
	switch name {
	case "", "true", "false", "none", "not", "it":
		return nil
	}
	typ := &TypeExpr{Name: name}
	if name == "list" && s.keyword("of") {
		if typ.Elem = s.typeExpr(depth + 1); typ.Elem == nil || depth >= MaxNesting {
			return nil
		}
	} else if s.pos < len(s.text.Value) && s.text.Value[s.pos] == '.' {
		s.pos++
		field, _ := s.word()
		if field == "" {
			return nil
		}
		typ.Name += "." + field
	}
	end := s.pos
	if depth == 0 && s.keyword("or") {
		if !s.keyword("none") {
			return nil
		}
		typ.OrNone = true
		end = s.pos
	}
	if depth == 0 && s.keyword("for") {
		if !s.keyword("each") {
			return nil
		}
		if typ.Each = s.keyRange(); typ.Each == nil {
			typ.Each = s.typeExpr(MaxNesting)
		}
		if typ.Each == nil {
			return nil
		}
		end = s.pos
	}
	typ.Place = s.text.Span(from, end)
	return typ
}

// keyword reads the word if it stands next.
func (s *scan) keyword(word string) bool {
	before := s.pos
	if w, _ := s.word(); w == word {
		return true
	}
	s.pos = before
	return false
}

// A PathPart is one key of a dotted path. Brackets behind it, as in
// `kind_value(x)`, are not part of the name.
type PathPart struct {
	Name string
	Span source.Span
}

const helpPath = "a path is the keys as they stand in the game with dots between, such as `bank.require.minimum.that`"

// ParsePath reads a dotted path. After an error it returns nil.
func ParsePath(t Text, ds *source.List) []PathPart {
	s := &scan{text: t.trimmed()}
	var out []PathPart
	for {
		from := s.pos
		for s.pos < len(s.text.Value) && (isWordByte(s.text.Value[s.pos]) || s.text.Value[s.pos] == '-') {
			s.pos++
		}
		if s.pos == from {
			s.fail(ds, "path", helpPath)
			return nil
		}
		out = append(out, PathPart{s.text.Value[from:s.pos], s.text.Span(from, s.pos)})
		if rest := s.text.Value[s.pos:]; strings.HasPrefix(rest, "(") {
			end := strings.IndexByte(rest, ')')
			if end < 0 {
				s.fail(ds, "path", helpPath)
				return nil
			}
			s.pos += end + 1
		}
		if s.pos == len(s.text.Value) {
			return out
		}
		if s.text.Value[s.pos] != '.' {
			s.fail(ds, "path", helpPath)
			return nil
		}
		s.pos++
	}
}
