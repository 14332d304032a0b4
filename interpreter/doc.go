// Package interpreter plays programs that package dsl has checked.
//
// [New] makes a program ready for a number of people: a [Game]. It lowers every
// formula to a closure and all scripts to one list of instructions, fills the
// tables that it can, and reports what only the number of people can show.
// [Game.Start] begins a game on a [Machine].
//
// A Machine stands still between two calls and is driven by four verbs:
//
//	Advance                    runs on, and says what is wanted: a decision of a
//	                           seat, luck, or nothing any more
//	Options, Choices, Falls    tell what could be answered, and why not
//	Apply, ApplyLuck,          answer; ParseMove finds the number of a typed move
//	ApplyFall
//	View                       tells what a seat may see
//
// The same four serve a person at a prompt, a bot, a simulation, a test, and
// exact odds, which walk over the falls of clones (Clone, CloneInto). Play and
// Playout are Advance and Apply in a loop, for many games in a row.
//
// Bots play by the rules alone: [Machine.BotMove] chooses for one,
// [Machine.PlayBots] plays a whole game by them. A [Tally] counts what happens
// meanwhile, a [Meter] takes numbers of games again and again, and package sim
// makes statistics of both. [Game.Plan] tells what of the rules is worked out
// before a game, and what each time.
//
// A [Match] is a machine for people. It keeps a [Log] of what happened, with
// the score sheet, and a [Journal] of what was answered; [Replay] plays a
// journal again. Other questions are asked of a machine where it stands: Eval
// and Explain compute a formula and what it is made of, Ranking tells who comes
// first, Show gives the lines that the rules want shown. An [ExampleRunner]
// plays the examples of rule files.
//
// # Before and after a game
//
// The opening of a game ([dsl.Program].Opening) is a program like any other: New
// and NewMatch play it. It ends at [Over] with [Machine.Started], which names the
// seat that begins, the house rules and the values of params; the game is then
// loaded with these and begun with Setup.First and Setup.Session. A decision of
// an opening is usually open ([Request].Open): not all of its answers are
// listed. ParseMove returns for an answer that is not listed the number behind
// the last, which Apply, Choose, OptionText, Picked and Preview take as long as
// the decision stands and nothing else is typed. Preview tells, before anything
// is applied, what the game would start with: house rules that do not go
// together are for the front end to refuse.
//
// When a game is over, [Machine.Session] is what the next one begins with, and
// [Machine.Records] what may be kept of it.
//
// # Errors
//
// A mistake in the rules that shows while playing is a [*Fault] with its place;
// the game in which it happened cannot go on, the machine can be restarted. A
// move that the rules forbid is a [*Refusal], one that cannot be read a
// [*MoveError]. Play meets no other error. Arguments out of range are mistakes
// of the caller and panic.
//
// # Luck and determinism
//
// All luck comes from streams of random numbers ([Rand]), each named by a seed,
// the number of the game under it, and the number of the stream. A machine
// draws dice from one stream and incidents from another; players draw from
// streams of their own, so that thinking never moves the dice. The same rules,
// seed and answers give the same game on any machine and with any number of
// goroutines. With AskChance set, luck comes from outside instead: every throw
// and draw is a request.
//
// # Concurrency
//
// A Game is immutable and can be shared. A Machine cannot, nor can its clones be
// taken to another goroutine, since they share tables that fill while they
// play: start a machine for each.
//
// # How it works
//
// The state of a game is one slice of integers (layout.go), which also holds
// where the program stands, so that a clone is a copy. Formulas are lowered in
// lower.go and lower_lists.go, scripts in code.go and phases.go; machine.go runs
// the instructions and quick.go does the same for games that nobody listens to.
// Decisions are listed in options.go and read from text in typed.go. Scoring
// combinations is the work of scorer.go; classes.go and dense.go number sets of
// pieces that no rule can tell apart, so that what is asked of them is looked
// up in tables.
package interpreter
