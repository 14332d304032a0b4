package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/chzyer/readline"
	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

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
		text, _ := s.coverPrompt(name)
		return text
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

// coverPrompt asks whoever is called name to uncover the own hand, and reports
// whether it says all. It is short where a line has no room for more: the line
// editor cannot draw a prompt of two lines anew.
func (s *Session) coverPrompt(name string) (text string, whole bool) {
	text = name + ", it is your turn: press Enter when nobody else looks. "
	if s.cfg.Width == 0 || displaywidth.String(text)+typedBehind < s.cfg.Width {
		return text, true
	}
	return name + ": press Enter. ", false
}

// typedBehind is how many cells a short word takes behind a prompt.
const typedBehind = 5

// atSeat is the name of a seat for a prompt, or its number if the line editor
// would take the name for wider or narrower than it is.
func (s *Session) atSeat(seat int) string {
	name := s.match.Name(seat)
	if (readline.Runes{}).WidthAll([]rune(name)) == displaywidth.String(name) {
		return name
	}
	return fmt.Sprintf("player %d", seat+1)
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

// shell prints a command of the shell, in one line however long it is: one that
// is broken cannot be copied.
func (s *Session) shell(what, text string) {
	fmt.Fprintf(s.out, "%s: %s\n", what, text)
}

// fail prints why a line was not carried out.
func (s *Session) fail(format string, args ...any) error {
	e := &LineError{Message: fmt.Sprintf(format, args...)}
	s.printf("%s", e.Message)
	return e
}
