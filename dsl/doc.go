// Package dsl turns rule files into checked programs.
//
// Files go into a [Library]. [Load] takes a game and house rules from it,
// merges them and checks the whole; it returns a [Program] in which every name
// is bound and every formula typed, or diagnostics. Package interpreter plays
// programs; tools read them for rulebooks and listings. [Program.Formula] types
// what people write later: lines of examples, questions at the prompt.
//
// How a file becomes a program:
//
//	yamltree   text of a file      -> tree of nodes with exact places
//	merge      trees of all files  -> one tree, and lists of guards and hooks
//	syntax     texts in the tree   -> formulas, scripts, patterns, sentences
//	dsl        all of these        -> Program
//
// The checker (check.go) declares all names first (names.go, and a file for
// each section: params.go, pieces.go, zones.go, state.go, defines.go,
// scorers.go, events.go, phases.go), then types what stands under them
// (formula.go, operators.go, members.go, calls.go, functions.go; script.go and
// statements.go), adds what variants put on moments (moments.go), checks the
// opening as a program of its own (opening.go), and last asks what only the
// whole game can answer (flow.go, unused.go, meetings.go,
// book.go).
//
// What every key, function and statement is stands beside the code that reads it;
// [Lexicon] gathers that. Every code of a diagnostic has a page in explain, with a sample. Package
// rulebook makes a text for people of a program.
package dsl
