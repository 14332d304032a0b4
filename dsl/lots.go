package dsl

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/syntax"
)

// This file reads pieces with kinds as people write them: short forms with
// blanks or commas between, each maybe with a number before it (`4xAB`) and
// marks behind it (`AB by Ann`).

// A lotReader goes along the words of a text.
type lotReader struct {
	c    *checker
	fam  *Family
	text syntax.Text
	at   [][]int // where the words stand
}

var (
	pieceWord = regexp.MustCompile(`[^\s,]+`)
	soMany    = regexp.MustCompile(`^([0-9]{1,3})x(.+)$`)
)

func (c *checker) lotWords(t syntax.Text, fam *Family) []PieceWord {
	r := &lotReader{c, fam, t, pieceWord.FindAllStringIndex(t.Value, -1)}
	var out []PieceWord
	for i := 0; i < len(r.at); {
		words, next, ok := r.piece(i)
		if !ok {
			return nil
		}
		out, i = append(out, words...), next
	}
	return out
}

func (r *lotReader) word(i int) string { return r.text.Value[r.at[i][0]:r.at[i][1]] }

// piece reads one short form with what belongs to it, and returns the next word.
func (r *lotReader) piece(i int) (out []PieceWord, next int, ok bool) {
	span := r.text.Span(r.at[i][0], r.at[i][1])
	n, lot := r.lot(r.word(i))
	if lot == nil {
		r.unknown(i)
		return nil, 0, false
	}
	w := PieceWord{Lot: lot, Span: span}
	for i++; i < len(r.at); i += 2 {
		m := r.mark(r.word(i))
		if m == nil {
			break
		}
		if i+1 == len(r.at) {
			at := r.text.Span(r.at[i][0], r.at[i][1])
			r.c.errorf("E0203", at, "`%s` needs a value behind it", m.Name).WithHelp("write `%s %s VALUE`", lot.Short, m.Name)
			return nil, 0, false
		}
		value := r.text.Slice(r.at[i+1][0], r.at[i+1][1])
		w.Marks = append(w.Marks, MarkWord{Mark: m, Text: value, Span: value.Whole()})
	}
	for ; n > 0; n-- {
		out = append(out, w)
	}
	return out, i, true
}

// lot finds the lot of a short form, and how many of it are meant.
func (r *lotReader) lot(word string) (int, *Lot) {
	if l := r.fam.lot(word); l != nil {
		return 1, l
	}
	if m := soMany.FindStringSubmatch(word); m != nil {
		n, _ := strconv.Atoi(m[1])
		return min(n, maxKindPieces), r.fam.lot(m[2])
	}
	return 0, nil
}

// lot finds the lot of a family with this short form, in any case.
func (f *Family) lot(short string) *Lot {
	for _, k := range f.Kinds {
		for _, l := range k.Lots {
			if strings.EqualFold(l.Short, short) {
				return l
			}
		}
	}
	return nil
}

func (r *lotReader) mark(word string) *Mark {
	for _, m := range r.fam.Marks {
		if m.Name == word {
			return m
		}
	}
	return nil
}

func (r *lotReader) unknown(i int) {
	word := r.word(i)
	span := r.text.Span(r.at[i][0], r.at[i][1])
	d := r.c.errorf("E0226", span, "`%s` have no piece `%s`", r.fam.Name, word)
	var among []string
	for _, k := range r.fam.Kinds {
		for _, l := range k.Lots {
			among = append(among, l.Short)
		}
	}
	r.c.didYouMean(d, word, among, nil)
}
