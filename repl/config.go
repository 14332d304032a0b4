package repl

import (
	"io"

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl/scores"
)

// A Config says what a session plays and how it talks.
type Config struct {
	Game    *interpreter.Game // may be nil if there is an opening
	Players []Player
	// Header is what the journal says of the game: seed, choices of the table,
	// real dice. Names and fingerprint are filled in.
	Header interpreter.Header
	// Replay is the command that plays the same game again, "" if there is none.
	Replay string
	// GoOn is the command that goes on with this game once it was left, "" if
	// there is none.
	GoOn string
	// Parts are the journals, of openings and games, that the session goes on
	// from. The header is that of the first.
	Parts []*interpreter.Journal
	// Opening is played before each game; nil if there is none.
	Opening *interpreter.Game
	// House are the house rules that can be chosen in the opening.
	House []HouseRule
	// Load makes the game of a header: what an opening came to. The error is
	// a *ChoiceError if there is no such game.
	Load func(interpreter.Header) (*Loaded, error)
	// Games is how many games are played in a row, with 0 for one. Another lets
	// people be asked after them whether they want one more.
	Games   int
	Another bool
	// Scores keeps games that are over, and the best results; nil for none.
	Scores *scores.Book
	// Rerun is the command that shows the whole game again, "" if there is none.
	Rerun string
	// Rules is what follows the name of a journal on the command line, for games
	// whose files do not come with the program.
	Rules string
	// Hint is a line below the names of the players, "" for none.
	Hint string
	// LeftOut are the house rules that the game usually has and that are not in
	// force, in words.
	LeftOut []string

	Width int  // cells of a line of the terminal, 0 for any
	Plain bool // no colour, one thing a line
	Color bool
	Quiet bool // only the result
	Brief bool // no opening lines and no lists of moves, as in transcripts
	Echo  bool // repeat what was typed, for input that nobody sees
	Watch bool // people only look on: nothing is asked
	Open  bool // who looks on sees what is hidden, too
	Clear bool // the screen can be cleared, and is between people who may not see the same

	// Luck gives the throws one by one instead of people; nil to ask for them
	// if the dice are real.
	Luck func() (string, error)
	// Worlds is in how many worlds a hint or a bot tries each move; 0 for as
	// many as fit into its time.
	Worlds int
	// Journal is kept up to date with the game; nil for none. Each answer is in
	// it before anything is told of what came of it.
	Journal *JournalFile
	// Console makes the session one for somebody who writes rules; nil for people
	// who play.
	Console *Console
	// Files has the paths of games and house rules that do not come with the
	// program, by id.
	Files map[string]string
	// History keeps what is typed at a terminal; nil for nothing.
	History *History
	// Unasked says that nobody asked for the journal: if it cannot be begun the
	// game goes on without it.
	Unasked bool
	// Begun says that the journal was made here and the game not played to its
	// end, so that its end is news.
	Begun bool
	// Create makes a file for `save`; nil if no files may be made.
	Create func(name string) (io.WriteCloser, error)
	// OpenJournal readies the game of another journal for `load`; nil if none may be
	// opened. Its error is a sentence for people.
	OpenJournal func(name string) (*Config, error)
	// Close is called once, when the game is left or another one is loaded. It may
	// be nil.
	Close func(over bool)
}

// A LineError says why a typed line was not carried out. The session has
// printed it already.
type LineError struct {
	Message string
	// Refused is the rule that spoke against a move, nil for a line that could
	// not be understood.
	Refused *interpreter.Refusal
	// By is the command that refused, "" if it was no command.
	By string
}

// Error returns the message.
func (e *LineError) Error() string { return e.Message }
