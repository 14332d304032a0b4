package syntax

import (
	"strconv"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/houserules/houserules/dsl/source"
)

// The grammar of patterns.
type (
	gPattern struct {
		Items []*gItem `parser:"@@+"`
	}
	gItem struct {
		Face  gWord  `parser:"@@"`
		Count *gWord `parser:"( '*' @@ )?"`
	}
	gWord struct {
		Pos    lexer.Position
		Name   string `parser:"( @Word"`
		Number string `parser:"| @Int )"`
	}
)

var patternParser = participle.MustBuild[gPattern](participle.Lexer(grammars), participle.Elide("Space", "Comment"))

const helpPattern = "a pattern is faces and letters with spaces between, each times a count if need be: `1 2 3`, `x x y y`, `x*3`, `x*n`"

// ParsePattern reads the `match` of a combination. After an error it returns nil.
func ParsePattern(t Text, ds *source.List) *Pattern {
	if len(t.Value) > MaxFormula {
		ds.Errorf("E0203", t.Span(MaxFormula, len(t.Value)), "this pattern is too long").WithHelp("at most %d bytes", MaxFormula)
		return nil
	}
	g, err := patternParser.ParseString("", t.Value)
	if err != nil {
		reportToken(t, err, ds, "pattern", helpPattern)
		return nil
	}
	p := &Pattern{Place: t.trimmed().Whole()}
	ok := true
	for _, item := range g.Items {
		it := PatternItem{Name: item.Face.Name, Count: 1}
		if item.Face.Number != "" {
			it.Number, ok = smallNumber(t, item.Face, ds, ok)
		}
		last := item.Face
		if c := item.Count; c != nil {
			last = *c
			if it.CountVar = c.Name; c.Name != "" {
				it.Count = 0
			} else if it.Count, ok = smallNumber(t, *c, ds, ok); ok && it.Count == 0 {
				ok = false
				ds.Errorf("E0203", t.Span(c.Pos.Offset, c.end()), "a count of 0 matches nothing").WithHelp("leave the face out")
			}
		}
		it.Place = t.Span(item.Face.Pos.Offset, last.end())
		p.Items = append(p.Items, it)
	}
	if !ok {
		return nil
	}
	return p
}

func (w gWord) end() int { return w.Pos.Offset + len(w.Name) + len(w.Number) }

// smallNumber returns a number of a pattern; ok is false after an error, now or before.
func smallNumber(t Text, w gWord, ds *source.List, before bool) (n int64, ok bool) {
	span := t.Span(w.Pos.Offset, w.end())
	n, err := strconv.ParseInt(w.Number, 10, 32)
	switch {
	case err != nil:
		ds.Errorf("E0203", span, "this number is too large")
		return 0, false
	case len(w.Number) > 1 && w.Number[0] == '0':
		ds.Errorf("E0203", span, "a number does not begin with 0").WithHelp("write `%d`", n)
		return 0, false
	}
	return n, before
}

// ParsePieces reads what people write for pieces, such as `white 2 2 red 3`.
// After an error, what could be read is returned.
func ParsePieces(t Text, ds *source.List) Pieces {
	var out Pieces
	s := t.Value
	for i := 0; i < len(s); {
		if isSpace(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && !isSpace(s[end]) {
			end++
		}
		if word := s[i:end]; wordEnd(word, 0) == len(word) {
			out.Words = append(out.Words, word)
			out.Places = append(out.Places, t.Span(i, end))
		} else {
			ds.Errorf("E0203", t.Span(i, end), "`%s` is not a piece", word).WithHelp("pieces are faces with spaces between, with words such as a colour before them: `1 1 5`, `white 2 2 red 3`")
		}
		i = end
	}
	return out
}
