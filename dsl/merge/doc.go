// Package merge puts house rules into a game. It works on YAML trees, before
// any name or type is resolved: a patch is a path of keys and a verb, and what
// comes out is one tree of sections with the place of every byte kept.
//
// The work goes in steps, each in a file of its own. [ReadHead] looks at the
// top of a file. choose.go finds out which variants are in force and who
// brought them. names.go and path.go resolve paths, always against the game as
// its file has it plus what the variants add that a file builds on, never
// against what others change: so a path means the same whatever else is in
// force. collect.go turns verbs into claims, conflict.go compares them,
// apply.go makes the new tree, order.go places what was added. Guards, hooks
// and settings never touch the tree; they are handed to the checker as lists.
//
// Decisions that the language leaves to this package:
//
//   - A file may patch what another adds, and hook or guard what another has
//     for itself, only if it builds on that one by `with` or `needs`. Against
//     what another changes or removes it has no such right: a set that wants
//     another value than its member conflicts with it, as anybody would. Values
//     of params are different: a set's `set` goes before that of its members.
//   - An adjustment of what another file changes applies to the new value.
//   - In a game that `extends` another, sections add names to those of the
//     base, `require` is the section of that name, and guards are added as
//     `add: ACTION.require.NAME`.
//   - `in: GAME` counts for exactly that game, not for those that extend it.
//   - Two files that exclude each other get no other conflict reported.
//
// Everything is sorted by variant id, so the order in which variants were
// asked for cannot matter.
package merge
