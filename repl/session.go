package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
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

// A Session is one game at one keyboard.
type Session struct {
	cfg   Config
	out   *holdBack
	match *interpreter.Match
	tale  *narrator
	bots  []interpreter.Rand

	stages     []stage
	options    []option           // of the decision that stands, as they are numbered
	menu       *menu              // of a decision about house rules
	last       interpreter.Header // of the game before
	refusal    *interpreter.Refusal
	happened   happened
	points     []point // where people decided, for undo
	undone     []undone
	asking     *asking // others are asked whether something may be taken back
	unkept     bool    // the journal lacks what was done last, of which nothing is told
	past       bool    // something was taken back past a throw
	mended     bool    // a move was put in the place of another
	evening    string  // what the games of the session share where they are kept
	kept       int64   // number of the game that is over where it is kept, or 0
	warned     string  // what was said last of games that cannot be kept
	left       bool
	pending    bool   // whether there is another game is asked
	live       bool   // something was done that no journal had
	unanswered bool   // what was chosen before does not answer the opening
	entered    bool   // a record was entered, so the end stands
	typed      string // the line being carried out

	refusals int       // lines that were not carried out
	edits    []edit    // what a console has changed by hand
	applied  int       // how many of these stand
	queue    []string  // words of what falls next
	it       *dsl.Expr // the last value at a console, nil for none
	asof     int       // the entries that the last example told of

	secret  bool // the game hides something from somebody
	looker  int  // who looks at the screen: a seat, everything or bystanders
	covered bool // the screen is covered: Enter shows it
	// typedLuck is set while it may stand on the screen what was typed for
	// others.
	typedLuck bool
	fresh     bool  // it was uncovered just now, and nothing was typed since
	read      []int // how many lines of the log each seat has read
}

// NewSession sits people down at a game. Start begins it.
func NewSession(cfg Config, out io.Writer) *Session {
	s := &Session{}
	s.sit(cfg, &holdBack{to: out, screen: out})
	return s
}

// sit sits people down, in the place of those who sat there.
func (s *Session) sit(cfg Config, out *holdBack) {
	cfg.Header.Players, cfg.Header.Bots = Names(cfg.Players), bots(cfg.Players)
	cfg.Header = base(cfg.Header)
	*s = Session{cfg: cfg, out: out, looker: bystanders, read: make([]int, len(cfg.Players))}
	s.stages = []stage{s.first()}
	s.begin()
}

// begin puts the stage that is played at its very beginning.
func (s *Session) begin() {
	st := s.now()
	h := st.header
	s.match = interpreter.NewMatch(st.Game, h)
	if s.cfg.Color {
		s.out.to = painting(s.out.screen, st.Game)
	}
	st.header, st.journal, st.ended, st.winners = s.match.Journal.Header, s.match.Journal, false, nil
	s.bots = newBots(len(s.cfg.Players), h.Seed, h.Index)
	s.settleEyes()
	if s.secret {
		s.match.Know()
	}
	s.tale = newNarrator(s)
	s.match.Listen(s.tale)
	s.options, s.refusal, s.menu, s.pending, s.covered = nil, nil, nil, false, false
	s.applied, s.asof = 0, 0
	for s.applied < len(s.edits) && s.edits[s.applied].stage < len(s.stages)-1 {
		s.applied++
	}
}

// Start prints what is played and goes to the first question.
func (s *Session) Start(ctx context.Context) error {
	if !s.cfg.Quiet && !s.cfg.Brief {
		s.opening()
	}
	if len(s.cfg.Parts) > 1 || len(s.cfg.Parts) == 1 && len(s.cfg.Parts[0].Entries) > 0 {
		if err := s.goOn(ctx); err != nil {
			return err
		}
	}
	if err := s.beginJournal(); err != nil {
		return err
	}
	s.live = s.cfg.Begun
	return s.run(ctx)
}

// inTurn reports whether what the game wants belongs to a turn, which draws
// before the first one do not.
func (s *Session) inTurn(req interpreter.Request) bool {
	_, _, throw := s.match.ThrowWanted()
	return throw || req.Kind == interpreter.Decision
}

// Over reports whether the game has ended.
func (s *Session) Over() bool { return s.now().ended }

// Done reports whether no more lines are wanted.
func (s *Session) Done() bool { return s.Over() && !s.pending && !s.unkept || s.left }

// Match returns the game that is played, for questions about it.
func (s *Session) Match() *interpreter.Match { return s.match }

// Asked returns the seat that has to decide, or throws, and whether there is
// one.
func (s *Session) Asked() (seat int, ok bool) {
	req, err := s.match.Advance()
	if err != nil || req.Kind == interpreter.Over {
		return 0, false
	}
	return req.Seat, true
}

// Prompt is what stands before the line to be typed.
func (s *Session) Prompt() string {
	if s.unkept {
		return "not saved> "
	}
	if s.asking != nil {
		return s.asking.prompt(s)
	}
	req, err := s.match.Advance()
	switch {
	case s.pending:
		return "another game? [y/N] "
	case err != nil || req.Kind == interpreter.Over:
		return "> "
	case req.Kind == interpreter.Chance:
		if s.match.Game().Hides() {
			return "luck> "
		}
		return "dice> "
	}
	name := s.atSeat(req.Seat)
	if req.Table {
		name = "table"
	}
	if s.covered {
		return name + ", it is your turn: press Enter when nobody else looks. "
	}
	return name + "> "
}

// prompt is Prompt, or what stands before a further line of a formula.
func (s *Session) prompt(more bool) string {
	if more {
		return morePrompt
	}
	return s.Prompt()
}

// atSeat is the name of a seat for a prompt: the line editor counts every
// character as one cell.
func (s *Session) atSeat(seat int) string {
	if name := s.match.Name(seat); ascii(name) {
		return name
	}
	return fmt.Sprintf("P%d", seat+1)
}

// maxTyped is how many bytes a line may have that is looked at.
const maxTyped = 1000

// OneShot carries out one typed line. A *LineError says that it was not
// carried out and the game stands as before; a *interpreter.Fault that the
// rules have a mistake and the game cannot go on.
func (s *Session) OneShot(ctx context.Context, line string) error {
	line = strings.TrimSpace(clean(line))
	if s.unkept {
		return s.keepAgain(ctx, line)
	}
	if s.asking != nil {
		return s.agree(ctx, line)
	}
	if s.pending {
		if play, answered := s.another(line); play {
			s.nextGame()
			return s.run(ctx)
		} else if answered {
			return nil
		}
	}
	if s.covered {
		if done, err := s.behindCover(line); done {
			return err
		}
	}
	if line == "" && s.menu == nil || strings.HasPrefix(line, "#") {
		return nil
	}
	if len(line) > maxTyped {
		return s.fail("a line of %d bytes is too long to be a move", len(line))
	}
	s.typed = line
	defer func() { s.typed = "" }()
	if s.menu != nil && (line == "" || s.menu.isStep(line)) {
		return s.step(ctx, line)
	}
	if c, args := s.command(line); c != nil {
		if c.name != "undo" {
			s.fresh = false
		}
		err := c.run(s, ctx, args)
		var bad *LineError
		if errors.As(err, &bad) {
			bad.By = c.name
		}
		return err
	}
	s.fresh = false
	req, err := s.match.Advance()
	switch {
	case err != nil:
		return err
	case s.pending:
		return s.fail("another game? `y` or `n`")
	case req.Kind == interpreter.Over:
		if s.cfg.Console != nil {
			return s.evaluate(line, 0)
		}
		return s.fail("the game is over; `score` shows the sheet, `quit` leaves")
	case req.Kind == interpreter.Chance && s.cfg.Console != nil && s.isFormula(line):
		return s.evaluate(line, 0)
	case req.Kind == interpreter.Chance:
		return s.throw(ctx, line)
	case s.menu != nil:
		return s.step(ctx, line)
	case s.cfg.Console != nil && s.isFormula(line):
		return s.evaluate(line, 0)
	}
	return s.move(ctx, line)
}

// move makes a typed move: by its number, or as it is written.
func (s *Session) move(ctx context.Context, line string) error {
	if o := s.formOf(line); o != nil {
		s.printf("type it: %s", o.text)
		return nil
	}
	i, err := s.find(line)
	if err != nil {
		return s.refused(line, err)
	}
	if req, err := s.match.Advance(); err == nil && req.Open && s.inOpening() {
		if err := s.goesTogether(i); err != nil {
			return err
		}
	}
	s.refusal = nil
	s.forgetEdits()
	s.remember()
	req, err := s.match.Advance()
	if err != nil {
		return s.fault(err)
	}
	s.read[req.Seat] = len(s.tale.lines)
	typed := !s.cfg.Echo && fold(strings.Join(strings.Fields(s.typed), " ")) == fold(s.moveText(i))
	if err := s.choose(i, moving{typed: typed, table: req.Table}); err != nil {
		return s.fault(err)
	}
	return s.run(ctx)
}

// formOf returns the form that a line names by its number, if it does.
func (s *Session) formOf(line string) *option {
	if n, err := strconv.Atoi(line); err == nil {
		if o := s.numbered(n); o != nil && o.form {
			return o
		}
	}
	return nil
}

// numbered returns the move that is listed under a number, or nil.
func (s *Session) numbered(n int) *option {
	for i := range s.options {
		if s.options[i].number == n {
			return &s.options[i]
		}
	}
	return nil
}

func (s *Session) find(line string) (int, error) {
	if n, err := strconv.Atoi(line); err == nil {
		o := s.numbered(n)
		if o == nil {
			return 0, &interpreter.MoveError{Message: fmt.Sprintf("there is no move %d: the moves are numbered %s", n, s.numbers())}
		}
		return o.index, nil
	}
	return s.match.ParseMove(line)
}

// numbers writes the numbers of the moves.
func (s *Session) numbers() string {
	var out []int
	for _, o := range s.options {
		out = append(out, o.number)
	}
	slices.Sort(out)
	return ranges(out)
}

// throw takes a typed throw, or typed pieces that are dealt.
func (s *Session) throw(ctx context.Context, line string) error {
	given := []string{line}
	if _, dealt := s.match.DealWanted(); dealt {
		given = strings.Fields(strings.ReplaceAll(line, ",", " "))
	}
	for i, text := range given {
		if !s.thrower() {
			return s.fail("nothing more is wanted than what stands before `%s`", clean(text))
		}
		p := s.here()
		var bad *interpreter.MoveError
		if err := s.act(func() error { return s.giveLuck(text) }); err != nil {
			if !errors.As(err, &bad) {
				return s.fault(err)
			}
			return s.fail("%s; %s", bad.Message, s.wanted())
		}
		p.luck, s.typedLuck = true, true
		s.points, s.undone, s.live = append(s.points, p), nil, true
		if i < len(given)-1 && s.thrower() {
			if _, more := s.match.DealWanted(); more {
				continue // without asking in between
			}
		}
		if err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// thrower reports whether a throw or another draw is to be typed.
func (s *Session) thrower() bool {
	req, err := s.match.Advance()
	return err == nil && req.Kind == interpreter.Chance
}

// choose takes an option of the decision that stands.
func (s *Session) choose(i int, how moving) error {
	s.options, s.menu, s.live = nil, nil, true
	return s.act(func() error { return s.take(i, how) })
}

// moveText writes a legal move as people say it.
func (s *Session) moveText(i int) string { return spoken(s.match.OptionText(i)) }

// spoken writes a move with blanks in the name of its action.
func spoken(text string) string {
	name, picks, _ := strings.Cut(text, " ")
	return strings.TrimSpace(words(name) + " " + picks)
}

// run plays on until a person must do something, or the game ends.
func (s *Session) run(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		req, err := s.match.Advance()
		if err != nil {
			return s.fault(err)
		}
		switch {
		case req.Kind == interpreter.Over && s.match.Started() != nil:
			if err = s.enterGame(); err == nil {
				err = s.keep()
			}
		case req.Kind == interpreter.Over:
			s.finish()
			if !s.goesOn() {
				s.pending = s.cfg.Another && !s.cfg.Watch && people(s.cfg.Players) > 0
				return nil
			}
			s.nextGame()
			err = s.keep()
		case req.Open && s.answered(req):
			err = s.answer(req)
		case req.Kind == interpreter.Chance && len(s.queue) > 0:
			if done, err := s.supplyQueued(req); done {
				return err
			}
		case req.Kind == interpreter.Chance:
			if s.cfg.Luck != nil {
				err = s.supply()
				break
			}
			var thrown bool
			if thrown, err = s.throwBeside(req); err == nil && !thrown {
				s.ask(req)
				return nil
			}
		case req.Forced:
			err = s.choose(0, s.forcedMove(req))
		case s.cfg.Players[req.Seat].Bot != "" && !s.cfg.Watch:
			var i int
			if i, err = s.botMove(req); err == nil {
				s.tale.turn()
				err = s.choose(i, moving{bot: true})
			}
		default:
			s.ask(req)
			return nil
		}
		if err != nil {
			return s.fault(err)
		}
	}
}

// supply takes the next throw from whoever gives them.
func (s *Session) supply() error {
	text, err := s.cfg.Luck()
	if err != nil {
		return err
	}
	s.live = true
	var unkept *LineError
	err = s.act(func() error { return s.giveLuck(text) })
	if err != nil && !errors.As(err, &unkept) {
		return fmt.Errorf("the throw `%s` does not fit: %w", text, err)
	}
	return err
}

// forcedMove begins to tell a move that is the only one.
func (s *Session) forcedMove(req interpreter.Request) moving {
	s.tale.turn()
	if s.cfg.Players[req.Seat].Bot != "" || s.cfg.Watch {
		return moving{forced: true, bot: true}
	}
	why := "the only thing to do"
	for _, c := range s.match.Choices(false) {
		if c.Why != nil && c.Why.Guard != nil {
			why += fmt.Sprintf("; no %s: %s", words(c.Action.Name), c.Why.Reason)
		}
	}
	return moving{forced: true, why: " (" + why + ")"}
}

// printf prints a line that is no part of the log.
func (s *Session) printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s.cfg.Width > 0 && displaywidth.String(text) > s.cfg.Width {
		text = strings.Join(wrap(text, s.cfg.Width), "\n")
	}
	fmt.Fprintln(s.out, text)
}

// fail prints why a line was not carried out.
func (s *Session) fail(format string, args ...any) error {
	e := &LineError{Message: fmt.Sprintf(format, args...)}
	s.printf("%s", e.Message)
	return e
}
