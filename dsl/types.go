package dsl

import (
	"fmt"
	"math"
	"strings"
)

// None is the value that stands for the absence of one.
const None = math.MinInt64

// Kind is the base of a type.
type Kind uint8

// The kinds of values. Every value but a list is one int64 while a game runs:
// a bool is 0 or 1, an option its index, a seat its index from 0, a piece its
// number in the family from 0. Sets of seats and pieces are bit masks.
const (
	KInt Kind = iota
	KBool
	KOption
	KSeat
	KPiece
	KSet  // of seats or of one family's pieces, in their natural order
	KList // in an order of its own
	KMap  // a value for each seat, for each option of an enum, or for each number of a range
	KNone // the type of a bare `none`
	KAny  // after an error, to keep quiet about what follows
)

// A Type is what the checker knows of a value.
type Type struct {
	Kind   Kind
	Enum   *Enum   // of KOption
	Family *Family // of KPiece; of KInt where the number is a face of that family
	Elem   *Type   // of KSet, KList and KMap
	Key    *Type   // of KMap: a seat, an option, or a number from Lo through Hi
	Lo, Hi int64   // of the key of a map that is a number
	Maybe  bool    // may be none
}

// An Enum is a closed set of names.
type Enum struct {
	Name   string // for messages: the param or attribute it belongs to
	Values []string
	// Labels are how sentences write the values, where that is not the name; nil
	// if no value has a label.
	Labels []string
}

// Label returns how sentences write a value.
func (e *Enum) Label(i int) string {
	if i < len(e.Labels) && e.Labels[i] != "" {
		return e.Labels[i]
	}
	return strings.ReplaceAll(e.Values[i], "_", " ")
}

// Index returns the position of a name, or -1.
func (e *Enum) Index(name string) int {
	for i, v := range e.Values {
		if v == name {
			return i
		}
	}
	return -1
}

// The simple types.
var (
	Int  = Type{Kind: KInt}
	Bool = Type{Kind: KBool}
	Seat = Type{Kind: KSeat}
	Any  = Type{Kind: KAny}
)

// SetOf returns the type of sets of t.
func SetOf(t Type) Type { return Type{Kind: KSet, Elem: &t} }

// ListOf returns the type of lists of t.
func ListOf(t Type) Type { return Type{Kind: KList, Elem: &t} }

// MapOf returns the type of maps from seats or options to t.
func MapOf(key, t Type) Type { return Type{Kind: KMap, Key: &key, Elem: &t} }

// IsCollection reports whether the type is a set, a list, or a map, whose
// elements are its values in the order of the keys.
func (t Type) IsCollection() bool { return t.Kind == KSet || t.Kind == KList || t.Kind == KMap }

// String names the type for people.
func (t Type) String() string {
	s := ""
	switch t.Kind {
	case KInt:
		s = "int"
		if t.Family != nil {
			s = "face"
		}
	case KBool:
		s = "bool"
	case KOption:
		s = "option of " + t.Enum.Name
	case KSeat:
		s = "seat"
	case KPiece:
		s = "piece of " + t.Family.Name
	case KSet, KList:
		s = "list of " + t.Elem.String()
	case KMap:
		s = t.Elem.String() + " for each " + t.Key.String()
		if t.Key.Kind == KInt {
			s = fmt.Sprintf("%s for each %d..%d", t.Elem, t.Key.Lo, t.Key.Hi)
		}
	case KNone:
		return "none"
	case KAny:
		return "unknown"
	}
	if t.Maybe {
		s += " or none"
	}
	return s
}
