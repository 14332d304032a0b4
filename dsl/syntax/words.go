package syntax

import (
	_ "embed"

	"github.com/houserules/houserules/dsl/lexicon"
)

// This file says what the words of scripts, picks, types and formulas are. The
// capitals in forms stand for: ZONE a zone, PLACE state that is written, TEST a
// formula that is true or false, NAME a name.

// Grammar is the grammar of scripts, picks and formulas, in the notation of EBNF.
//
//go:embed grammar.txt
var Grammar string

// Statements has an entry for every statement. Those that are exits say so.
var Statements = []lexicon.Entry{
	{Name: "=", Forms: []string{"PLACE = VALUE", "PLACE = random of LIST"}, About: "gives state a value, or a random element of a list"},
	{Name: "+=", Forms: []string{"PLACE += NUMBER"}, About: "adds to a number in state"},
	{Name: "-=", Forms: []string{"PLACE -= NUMBER"}, About: "takes from a number in state"},
	{Name: "let", Forms: []string{"let NAME = VALUE", "let NAME = random of LIST"}, About: "gives a value a name, to the end of the block"},
	{Name: "throw", Forms: []string{"throw ZONE", "throw ZONE by SEAT"}, About: "throws the dice in a zone"},
	{Name: "roll", Forms: []string{"roll PLACE in 1..6"}, About: "puts a random number of a range into state"},
	{Name: "move", Forms: []string{"move PIECES to ZONE", "move PIECES to ZONE on top", "move PIECES to ZONE at random", "move PIECES to ZONE at random so that TEST",
		"move PIECES to ZONE at NUMBER", "move PIECES to ZONE with NAME = VALUE, NAME = VALUE"}, About: "puts pieces, or one piece, into a zone, wherever they were; `with` writes marks on them"},
	{Name: "deal", Forms: []string{"deal NUMBER from ZONE to NAME of SEATS", "deal PIECES to NAME of SEATS", "deal NUMBER from ZONE to NAME of SEATS at random"},
		About: "gives pieces into a zone that every seat has: so many each from the top, or all in turn"},
	{Name: "append", Forms: []string{"append VALUE to PLACE"}, About: "puts a value behind the others of a list that is state"},
	{Name: "show", Forms: []string{"show PIECES to SEATS"}, About: "lets seats look at pieces, wherever they lie"},
	{Name: "set", Forms: []string{"set PIECES to FACE", "set PIECES to LIST"}, About: "turns dice to a face, or to the faces of a list, without luck"},
	{Name: "score", Forms: []string{"score PIECES by SCORER"}, About: "pays for pieces what a scorer finds them worth"},
	{Name: "start", Forms: []string{"start SCOPE"}, About: "starts a scope: its state, and that of all scopes inside it, begins afresh"},
	{Name: "emit", Forms: []string{"emit EVENT", "emit EVENT(VALUE, VALUE)"}, About: "lets an event happen"},
	{Name: "say", Forms: []string{`say "TEXT"`, `say "TEXT" for SEAT`}, About: "tells everybody, or one seat"},
	{Name: "write", Forms: []string{`write "TEXT"`, `write "TEXT" for SEAT`}, About: "sets the entry of a line on the sheet"},
	{Name: "mark", Forms: []string{`mark "TEXT"`, `mark "TEXT" for SEAT`}, About: "adds a mark beside the entry of a line on the sheet"},
	{Name: "if", Forms: []string{"if TEST { .. } else { .. }", "if TEST { .. }", "if TEST { .. } else if TEST { .. }", "finish if TEST"},
		About: "does something only where a test holds; behind a statement, only that one"},
	{Name: "for", Forms: []string{"for NAME in LIST { .. }"}, About: "does something once for each element of a list, which is taken before the first"},
	{Name: "goto", Forms: []string{"goto PHASE"}, About: "an exit: the game goes on with this phase"},
	{Name: "again", Forms: []string{"again"}, About: "an exit: the same seat is asked again; of an incident, the throw is repeated"},
	{Name: "next turn", Forms: []string{"next turn"}, About: "an exit: the next seat that is not out and not skipped has a turn"},
	{Name: "turn of", Forms: []string{"turn of SEAT"}, About: "an exit: this seat has a turn, whoever it is"},
	{Name: "finish", Forms: []string{"finish", "finish with SEATS"}, About: "an exit: the game is over; with `with`, these come first whatever `rank` says"},
	{Name: "start game", Forms: []string{"start game from SEAT", "start game from SEAT with HOUSERULES", "start game from SEAT with HOUSERULES set PARAM = VALUE, PARAM = VALUE"},
		About: "an exit of openings: the game begins, with these house rules and values"},
}

// Picks has an entry for every kind of pick, and for what may stand behind one.
var Picks = []lexicon.Entry{
	{Name: "one of", Forms: []string{"one of LIST"}, About: "one element"},
	{Name: "some of", Forms: []string{"some of LIST"}, About: "a set of one or more pieces or seats"},
	{Name: "any of", Forms: []string{"any of LIST", "any of variants"}, About: "a set of none or more pieces or seats; in an opening, house rules"},
	{Name: "N of", Forms: []string{"NUMBER of LIST"}, About: "a set of exactly so many, or a list of so many numbers or faces"},
	{Name: "..", Forms: []string{"NUMBER .. NUMBER", "NUMBER .. NUMBER = NUMBER"}, About: "a number; who types nothing takes the one behind `=`"},
	{Name: "value of", Forms: []string{"value of PARAM"}, About: "a value that the param may have"},
	{Name: "where", Forms: []string{"one of LIST where TEST"}, About: "only elements that pass"},
	{Name: "for each", Forms: []string{"NUMBER .. NUMBER for each SEATS", "one of LIST for each SEATS"}, About: "a map: one answer for each of the seats"},
	{Name: "if any", Forms: []string{"one of LIST if any"}, About: "none if there is nothing to pick"},
	{Name: "if", Forms: []string{"one of LIST if TEST"}, About: "none unless the test holds"},
}

// Types has an entry for every form of a type.
var Types = []lexicon.Entry{
	{Name: "int", Forms: []string{"int"}, About: "a whole number of 64 bits"},
	{Name: "bool", Forms: []string{"bool"}, About: "true or false"},
	{Name: "seat", Forms: []string{"seat"}, About: "a place at the table"},
	{Name: "seats", Forms: []string{"seats"}, About: "a set of seats, in the order of the table"},
	{Name: "PARAM", Forms: []string{"pace"}, About: "one of the options of a param, or of a define with options"},
	{Name: "FAMILY", Forms: []string{"dice"}, About: "one piece of a family"},
	{Name: "FAMILY.ATTRIBUTE", Forms: []string{"cards.kind", "dice.face"}, About: "an option of an attribute, a kind, or the number of a face"},
	{Name: "list of", Forms: []string{"list of int", "list of dice"}, About: "a list; of pieces, a set"},
	{Name: "or none", Forms: []string{"seat or none"}, About: "one more value: none"},
	{Name: "for each", Forms: []string{"int for each seat", "bool for each pace", "int for each 2..12"}, About: "a map: a value for each seat, each option or each number of a range"},
}

// Operators has an entry for every operator of formulas, the tightest first.
// The grammar says which bind equally tight.
var Operators = []lexicon.Entry{
	{Name: ".", Forms: []string{"SEAT.NAME", ".NAME"}, About: "state or field of something; without anything before it, of `it`"},
	{Name: "?.", Forms: []string{"SEAT?.NAME"}, About: "the same, but none where the left side is none"},
	{Name: "[ ]", Forms: []string{"LIST[NUMBER]", "[VALUE, VALUE]"}, About: "the element at a place, from 1; with nothing before it, a list written out"},
	{Name: "??", Forms: []string{"(VALUE ?? VALUE)"}, About: "the left side, or the right one where that is none"},
	{Name: "-", Forms: []string{"-NUMBER", "NUMBER - NUMBER"}, About: "the number below zero; the difference"},
	{Name: "*", Forms: []string{"NUMBER * NUMBER"}, About: "times"},
	{Name: "/", Forms: []string{"NUMBER / NUMBER"}, About: "divided, rounded down"},
	{Name: "%", Forms: []string{"NUMBER % NUMBER"}, About: "the remainder, never less than 0 for a positive divisor"},
	{Name: "not", Forms: []string{"not TEST"}, About: "the other truth value; it binds tighter than a comparison"},
	{Name: "+", Forms: []string{"NUMBER + NUMBER"}, About: "plus"},
	{Name: "..", Forms: []string{"NUMBER .. NUMBER"}, About: "the list from one number to the other; empty if it would go down"},
	{Name: "==", Forms: []string{"VALUE == VALUE"}, About: "whether both are the same"},
	{Name: "!=", Forms: []string{"VALUE != VALUE"}, About: "whether they are different"},
	{Name: "<", Forms: []string{"NUMBER < NUMBER"}, About: "less"},
	{Name: "<=", Forms: []string{"NUMBER <= NUMBER"}, About: "less or equal"},
	{Name: ">", Forms: []string{"NUMBER > NUMBER"}, About: "greater"},
	{Name: ">=", Forms: []string{"NUMBER >= NUMBER"}, About: "greater or equal"},
	{Name: "in", Forms: []string{"VALUE in LIST"}, About: "whether it is in the list"},
	{Name: "not in", Forms: []string{"VALUE not in LIST"}, About: "whether it is not in the list"},
	{Name: "and", Forms: []string{"TEST and TEST"}, About: "whether both hold; the right side is looked at only if the left holds"},
	{Name: "or", Forms: []string{"TEST or TEST"}, About: "whether one holds; the right side is looked at only if the left does not"},
	{Name: "? :", Forms: []string{"TEST ? VALUE : VALUE"}, About: "one value where the test holds, the other where not"},
}
