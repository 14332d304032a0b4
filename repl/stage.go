package repl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// A session goes through stages: an opening, if the game has one, the game that
// comes of it, and so on for every further game. Each stage is a program of its
// own with a journal of its own; the file of a journal has them in a row.

// stage is one program that is played.
type stage struct {
	Loaded
	header  interpreter.Header
	journal *interpreter.Journal
	luck    int       // how often the machine had thrown before it
	number  int       // of the game, from 1; an opening counts with its game
	ended   bool      // a game that is over
	winners []int     // of it, nobody after a tie of all
	totals  []int64   // of it by seat, nil if the rules keep none
	when    time.Time // it has ended
}

// A Loaded is a game made ready for the table, under some house rules.
type Loaded struct {
	Game *interpreter.Game
	// LeftOut are the house rules that the game usually has and that are not in
	// force, in words.
	LeftOut []string
	// Replay is the command that plays the same game again, "" if there is none.
	Replay string
}

// A HouseRule is one that people can choose for a game.
type HouseRule struct {
	ID, Title, About, Icon string
	Tags                   []string
	Usual                  bool // in force without being chosen
}

// openingIndex parts the luck of openings from that of games: under one seed
// each has a number of its own.
const openingIndex = 1 << 32

// first makes the stage that a session begins with.
func (s *Session) first() stage {
	st := stage{Loaded: Loaded{Game: s.cfg.Game, LeftOut: s.cfg.LeftOut, Replay: s.cfg.Replay}, header: s.cfg.Header, number: 1}
	if s.cfg.Opening != nil {
		st.open(s.cfg.Opening)
	}
	return st
}

// open makes a stage of a game that of its opening.
func (st *stage) open(g *interpreter.Game) {
	st.Game = g
	st.header.Opening, st.header.First = true, 0
	st.header.Index += openingIndex
}

// base is the header that a session was begun with, as it would be without
// an opening.
func base(h interpreter.Header) interpreter.Header {
	if h.Opening {
		h.Opening, h.Index = false, h.Index-openingIndex
	}
	return h
}

// now returns the stage that is played.
func (s *Session) now() *stage { return &s.stages[len(s.stages)-1] }

// inOpening reports whether the game has not begun yet.
func (s *Session) inOpening() bool { return s.now().header.Opening }

// A ChoiceError says that the house rules and options that were chosen do not
// make a game.
type ChoiceError struct{ Message string }

// Error returns the sentence for people.
func (e *ChoiceError) Error() string { return e.Message }

// after makes the stage of the game that an opening came to. The error is
// a *ChoiceError if what was chosen does not go together.
func (s *Session) after(g *interpreter.StartGame) (stage, error) {
	was := s.now()
	h := base(was.header)
	h.With = union(h.With, g.With)
	h.Set = maps.Clone(h.Set)
	for name, value := range g.Set {
		if _, mine := h.Set[name]; !mine && s.inForce(name) == value {
			continue // nothing is changed by it
		}
		if h.Set == nil {
			h.Set = map[string]string{}
		}
		h.Set[name] = value
	}
	h.First, h.Session = g.Seat, nil
	if s.cfg.Load == nil {
		return stage{}, errors.New("the game that the opening leads to cannot be loaded")
	}
	l, err := s.cfg.Load(h)
	if err != nil {
		return stage{}, err
	}
	return stage{Loaded: *l, header: h, number: was.number}, nil
}

// inForce writes the value that a param has now, "" if there is none of that
// name.
func (s *Session) inForce(name string) string {
	for _, p := range s.match.Game().Program().Params {
		if p.Name == name {
			text, _ := s.match.EvalText(p.Value()) // what faults is nobody's value
			return text
		}
	}
	return ""
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// enterGame goes from an opening that is over into its game. It prints a
// sentence if there is no such game: then people decide again.
func (s *Session) enterGame() error {
	st, err := s.after(s.match.Started())
	if err != nil {
		return s.chooseAgain(err)
	}
	st.header.Session = s.match.Session()
	s.enter(st)
	s.tale.note("%s begins", s.match.Name(st.header.First))
	if s.tale.mute || s.cfg.Quiet {
		return nil
	}
	if !s.cfg.Brief {
		s.printf("")
	}
	s.printf("%s", s.bold(s.match.Name(st.header.First)+" begins"))
	s.houseBrief()
	return nil
}

// chooseAgain takes back the last decision of people in an opening that came to
// no game.
func (s *Session) chooseAgain(err error) error {
	var bad *ChoiceError
	if !errors.As(err, &bad) || len(s.points) == 0 || s.tale.mute || s.cfg.Watch {
		return err
	}
	s.printf("that cannot be played: %s", bad.Message)
	p := s.points[len(s.points)-1]
	s.happened.follow(s.stands())
	gone := len(s.since(p))
	if err := s.goTo(s.stages[:p.stage+1], s.stages[p.stage].journal.Entries[:p.entries], s.points[:len(s.points)-1], p.bots); err != nil {
		return err
	}
	s.happened.tell(interpreter.Entry{Undo: gone}, s.stands())
	return s.keep()
}

// enter begins a further stage.
func (s *Session) enter(st stage) {
	lines := s.tale.lines
	st.luck = s.tale.luck
	mute := s.tale.mute
	s.stages = append(s.stages, st)
	s.begin()
	s.tale.lines, s.tale.mute = lines, mute
}

// nextStage makes the stage that a further game begins with.
func (s *Session) nextStage() stage {
	was := *s.now()
	st := stage{Loaded: was.Loaded, number: was.number + 1}
	st.header = base(s.cfg.Header)
	if s.cfg.Opening == nil {
		st.header = was.header
		st.header.First = 0
		st.header.Index = base(s.cfg.Header).Index
	}
	st.header.Index += uint64(st.number - 1)
	st.header.Session = s.match.Session()
	if s.cfg.Opening != nil {
		st.open(s.cfg.Opening)
	}
	return st
}

// nextGame begins a further game of the session.
func (s *Session) nextGame() {
	st := s.nextStage()
	s.last = s.now().header
	s.points, s.undone, s.past, s.mended, s.entered = nil, nil, false, false, false
	s.enter(st)
	s.tale.note("game %d", st.number)
	if s.tale.mute || s.cfg.Quiet {
		return
	}
	if !s.cfg.Brief {
		s.printf("")
	}
	s.printf("%s", s.bold(fmt.Sprintf("game %d", st.number)))
}

// goesOn reports whether a further game follows by itself.
func (s *Session) goesOn() bool { return !s.cfg.Watch && s.games() < s.cfg.Games }

// another carries out a line typed where a further game was offered. It reports
// whether the line was an answer.
func (s *Session) another(line string) (play, answered bool) {
	switch strings.ToLower(line) {
	case "y", "yes":
		return true, true
	case "", "n", "no":
		s.pending = false
		return false, true
	}
	return false, false
}

// settled are the params that a table has changed, by name; house rules' own
// settings are not among them.
func settled(p *dsl.Program, text func(*dsl.Expr) (string, error)) map[string]string {
	out := map[string]string{}
	for _, x := range p.Params {
		if x.Set == nil || x.SetBy != "" {
			continue
		}
		is, err := text(x.Set)
		was, err2 := text(x.Default)
		if err == nil && (err2 != nil || is != was) {
			name := x.Name
			if x.Owner != "" {
				name = x.Owner + "." + name
			}
			out[name] = is
		}
	}
	return out
}
