package dsl

import (
	"slices"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/syntax"
)

// Lexicon returns what the language is made of. What a word means is said where
// it is declared: beside the code that reads a key, in the tables of functions
// and words, in package syntax for scripts.
func Lexicon() *lexicon.Book {
	things := append(slices.Clone(merge.Things),
		&paramThing, &familyThing, &kindFamilyThing, &kindThing, &attributeThing, &zoneThing, &markThing,
		&scopeThing, &blockThing, &stateThing, &ghostThing, &turnsThing, &defineThing, &tableThing, &rowThing,
		&scorerThing, &factThing, &comboThing, &openingThing, &eventThing, &phaseThing, &actionThing, &guardThing,
		&scriptThing, &incidentThing, &endingThing, &rankThing, &recordThing, &sheetThing, &showThing, &conditionThing,
		&botsThing, &adviceThing, &metricThing, &printedThing, &answerThing, &forbidThing, &waiveThing, &hookThing, &exampleThing)
	return &lexicon.Book{Things: things, Grammar: syntax.Grammar, Groups: []lexicon.Group{
		{Name: "statement", Title: "Statements", About: "Of scripts. An exit ends its script and says where the game goes.", Entries: syntax.Statements},
		{Name: "pick", Title: "Picks", About: "What an action asks for.", Entries: syntax.Picks},
		{Name: "function", Title: "Functions", About: "Of formulas. TEST, NUMBER and VALUE are worked out for each element, which is `it`.", Entries: functionEntries()},
		{Name: "question to a scorer", Title: "Questions to scorers", Entries: questionEntries()},
		{Name: "word of formulas", Title: "Words of formulas", Entries: wordEntries()},
		{Name: "operator", Title: "Operators", About: "The tightest first; the grammar says which bind equally tight.", Entries: syntax.Operators},
		{Name: "type", Title: "Types", Entries: syntax.Types},
	}}
}

func functionEntries() (out []lexicon.Entry) {
	for _, name := range sortedKeys(functions) {
		out = append(out, lexicon.Entry{Name: name, Forms: functions[name].forms, About: functions[name].about})
	}
	return out
}

func questionEntries() (out []lexicon.Entry) {
	for _, name := range sortedKeys(scorerOps) {
		out = append(out, lexicon.Entry{Name: name, Forms: []string{scorerOps[name].form}, About: scorerOps[name].about})
	}
	return out
}

// wordEntries are the words of the language, and the fields that things have by
// themselves.
func wordEntries() (out []lexicon.Entry) {
	for _, name := range sortedKeys(builtins) {
		out = append(out, lexicon.Entry{Name: name, Forms: []string{name}, About: builtins[name].about})
	}
	return append(out,
		lexicon.Entry{Name: "number", Forms: []string{"SCOPE.number"}, About: "how often a scope has started within the one it lies in; of `turn`, which turn this is"},
		lexicon.Entry{Name: "out", Forms: []string{"SEAT.out"}, About: "whether a seat is out: it gets no turn and is not asked"},
		lexicon.Entry{Name: "face", Forms: []string{"PIECE.face"}, About: "what a piece with faces shows"},
		lexicon.Entry{Name: "kind", Forms: []string{"PIECE.kind"}, About: "the kind of a piece of a family with kinds"},
		lexicon.Entry{Name: "place", Forms: []string{"PIECE.place"}, About: "the number of its place in a zone with places; 0 elsewhere"},
		lexicon.Entry{Name: "kept", Forms: []string{"kept"}, About: "in a scorer: all pieces that are being looked at"})
}
