package dsl

import (
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// A Program is a game with the house rules in force, checked: every name is
// bound, every formula typed, every jump leads somewhere. It is immutable once
// made and safe to share between goroutines. Package interpreter plays it.
type Program struct {
	Game       string // id, such as "my-game"
	Title      string
	About      string
	MinPlayers int
	MaxPlayers int

	Variants []*VariantInfo // in force, by id
	Params   []*Param       // of the game, then of its variants by id
	Require  []*Guard       // conditions on params and the number of players

	Families  []*Family
	Zones     []*Zone
	Ghosts    []*Ghost
	Scopes    []*Scope // built-in ones first
	Vars      []*Var   // built-in ones (out) first
	Defines   []*Define
	Scorers   []*Scorer
	Tables    []*Table
	Events    []*Event
	Phases    []*Phase // in the order they run
	Incidents []*Incident
	Turns     Turns
	Ending    *Script // nil if absent
	Remember  *Expr   // how many pieces that they do not see bots remember; nil means all
	Rank      []*RankKey
	Records   []*RecordRule
	Sheet     *Sheet // nil if absent
	Show      []*ShowLine
	Invariant []*Guard
	Metrics   []*Metric // what simulations count, of the game, then of its variants by id

	Book     []*BookEntry
	Answers  []*BookEntry
	Examples []*Example // of every file in the program; each knows its file
	Files    []*source.File

	// Opening is the small program that is played before the game, without
	// variants, on its own pieces and params; nil if there is none. It ends in
	// StmtStartGame. Its Opening is nil.
	Opening *Program
	// Choices are the ids of the variants that people can choose for the game,
	// sorted: what a pick of PickVariants offers, by their bits.
	Choices []string

	// Locals is how many locals there are: their IDs are below it. Formulas
	// typed later count on from here.
	Locals int

	// Fingerprint is a hash of the texts and choices that the program was made
	// of; two programs with one fingerprint play alike.
	Fingerprint string

	check *checker // for formulas that are typed later; see Formula
}

// Info is what every named thing carries for people.
type Info struct {
	Name  string
	Owner string // variant that declares it, "" for the game
	Title string // "" if not given; see Label
	Rule  *Template
	From  []string    // ids of printed rules
	Span  source.Span // of the name
	Path  string      // keys joined by dots, as in "phases.choose.actions.keep"
}

// Label returns the title, or else the name with spaces for underscores.
func (i *Info) Label() string {
	if i.Title != "" {
		return i.Title
	}
	b := []byte(i.Name)
	for k, c := range b {
		if c == '_' {
			b[k] = ' '
		}
	}
	return string(b)
}

// VariantInfo names a variant in force.
type VariantInfo struct {
	ID, Title, About string
	Icon             string   // a short sign for it, "" if it has none
	Tags             []string // words to sort house rules by
	File             *source.File
	Asked            bool // named by the user rather than brought in by another
}

// A Param is an option of the table.
type Param struct {
	Info
	Type     Type
	Default  *Expr // may read the number of players; else constant
	Set      *Expr // chosen value, or nil
	SetBy    string
	Min, Max int64 // of int params; equal to MinInt64 and MaxInt64 where open
	Step     int64 // 1 if not given
	Options  []ParamOption
}

// A ParamOption is one value of an options param, with its sentence.
type ParamOption struct{ Name, Rule string }

// Value returns the formula in force: Set, or else Default.
func (p *Param) Value() *Expr {
	if p.Set != nil {
		return p.Set
	}
	return p.Default
}

// A Family is a kind of pieces, such as the dice of a game, or its cards. Its
// pieces are numbered from 0 inside the family: Count of them, or those of
// Kinds, lot by lot in the order of the file. Kinds and faces do not go
// together.
type Family struct {
	Info
	Count *Expr        // constant once params and the number of players are known; nil if there are kinds
	Faces []Face       // its sides, each as likely as another; a face may be on several
	Kinds []*PieceKind // nil if the pieces are counted
	// Attrs are the attributes; Attrs[0] is the face if there are faces, and
	// the kind if there are kinds.
	Attrs []*Attr
	Marks []*Mark // what zones write on the pieces
}

// A PieceKind is a sort of pieces of a family, such as the numbered cards.
type PieceKind struct {
	Info
	Lots []*Lot
}

// A Lot is so many pieces of a kind that are alike.
type Lot struct {
	Kind  *PieceKind
	Count *Expr // constant once params and the number of players are known
	// Values are the attributes that the kind sets. Others have their Formula.
	Values map[*Attr]*Expr
	Short  string // what people type for one of them; unique in the family
}

// A Face is one side of a die: its number and, maybe, its name.
type Face struct {
	Number int64
	Name   string
}

// An Attr is a property of each piece of a family.
type Attr struct {
	Info
	Family *Family
	Type   Type // a list, of numbers or options, only in a family with kinds
	IsFace bool
	IsKind bool    // which kind a piece is of
	Values []int64 // stored: one a piece; nil for faces, formulas and families with kinds
	// Formula computes the attribute from Number; nil for stored ones. It may
	// read attributes before it, never state. In a family with kinds it is
	// what an attribute is where the kind says nothing, and may read the kind
	// and attributes before it; nil if every kind says something.
	Formula *Expr
	Number  *Local // the piece's number from 1, inside Formula
	It      *Local // the piece, inside Formula
	// Shorts are what people type for the options of an attribute with options
	// of its own, by index; "" where that is the option's name.
	Shorts []string
	// Colours are words of the variable Colours, by option, in which pieces with
	// the option are shown; nil if the rules say nothing, "" where they do not.
	Colours []string
}

// A Mark is something that is written on a piece as it goes to a zone: who
// played it, and as what. It stays there until it is written anew; a piece on
// which it was never written has none, and reading it is a fault.
type Mark struct {
	Info
	Family  *Family
	Type    Type
	Default *Expr  // what a move that says nothing writes, over It; nil if each move must say it
	It      *Local // the piece, inside Default
}

// A Ghost is a seat that is nobody: it has zones and state, plays by rule, sees
// nothing and has no rank. Ghosts sit behind all people, in the order of
// Program.Ghosts.
type Ghost struct {
	Info
	Index int
	When  *Expr // whether there is one: params and the number of players; nil means always
}

// Seen says who may see the pieces of a zone.
type Seen uint8

// The visibilities of zones.
const (
	SeenAll Seen = iota
	SeenOwner
	SeenOthers
	SeenNobody
)

// A Zone is a place where pieces lie.
type Zone struct {
	Info
	Family *Family
	Each   bool // one for each seat
	Seen   Seen
	Starts *Expr // pieces that begin here; nil for none
	// Places is how many fixed places the zone has, for one piece each; nil if
	// pieces lie one behind the other.
	Places *Expr
	Remind bool    // screens show which piece lies at a place if the seat has seen it
	Marks  []*Mark // what a move to the zone writes on the pieces
}

// A Scope is a stretch of play whose state is reset together.
type Scope struct {
	Info
	In     *Scope // nil for session
	Player bool   // `player in X`: one block a seat; Name is then "player in X"
	Number *Var   // counts the starts; read as scope.number
}

// A Var is one piece of state.
type Var struct {
	Info
	Scope *Scope
	Each  bool // one for each seat
	Type  Type
	Start *Expr // value at each start of the scope; params, players and scorers only
	// Out marks the built-in per-seat `out`.
	Out bool
	// Room is the most values a list may hold.
	Room int
}

// A Local is a name inside one formula or script: a parameter, a pick, a let,
// a loop variable, `it`, a pattern letter. The interpreter gives it a slot.
type Local struct {
	Name string
	Type Type
	Span source.Span
	ID   int // unique within the Program, from 0
}

// A Define is a pure named formula, a function if it has Params. A derived
// field (`seat.exact`) is a Define with one parameter, its owner.
type Define struct {
	Info
	Params []*Local
	Type   Type
	Body   *Expr
	// Options are the values of a define that has options of its own.
	Options []ParamOption
}

// A Guard is a named condition. A move is refused by the first guard whose
// That is false.
type Guard struct {
	Info
	That *Expr // an `either` list arrives as one OpOr
	Else *Template
	// Variant is the id of the variant that put the guard on, also where the
	// guard stands under a name of its own; "" for the game's own guards.
	Variant    string
	ReadsPicks bool
}

// A Hook is what a variant does before or after a moment.
type Hook struct {
	Variant string
	From    []string
	When    *Expr // nil means always
	Do      *Script
	Offer   []*Action // choices; nil unless the hook asks
	Who     *Expr     // seat that chooses; nil means me
	CanExit bool
	Span    source.Span
}

// A Script is checked statements. One that is written as a map may carry a
// sentence and the ids of printed rules.
type Script struct {
	Stmts []*Stmt
	Span  source.Span
	Rule  *Template
	From  []string
}

// An Event is a named procedure with what people are told about it.
type Event struct {
	Info
	Params                  []*Local
	When                    *Expr
	Do                      *Script
	Say, Mark, Write, Shout *Template
	Covers                  *Event
	Before, After           []*Hook
}

// A Phase is a named stretch of a turn.
type Phase struct {
	Info
	Index         int
	When          *Expr
	Enter         *Script
	Who           *Who // nil means me
	Actions       []*Action
	Nobody        *Script // what a ghost does that is asked; nil: it is passed over
	Otherwise     *Script // for a seat without a legal answer
	Then          *Script
	Before, After []*Hook
}

// WhoMode says how the seats of a phase are asked.
type WhoMode uint8

// The ways to ask.
const (
	WhoSeat  WhoMode = iota // one seat
	WhoTurn                 // a list, one after the other
	WhoOnce                 // a list, all at once
	WhoTable                // anybody at the table; List is nil
)

// Who says who decides in a phase.
type Who struct {
	Mode WhoMode
	List *Expr // a seat for WhoSeat, a list for WhoTurn and WhoOnce
}

// An Action is something a seat can do.
type Action struct {
	Info
	When          *Expr
	Picks         []*Pick
	TellApart     []*Attr // nil: all attributes of the picked family
	Require       []*Guard
	Waive         []*Waiver
	Do            *Script
	Before, After []*Hook
	// Variant is set for actions that a variant adds or offers.
	Variant string
	// Advice values a move for players that are programs, the more the better:
	// a number over what the seat that is asked may see, and over the picks. Nil
	// if the rules say nothing.
	Advice *Expr
}

// A Waiver lifts the guards that variants put on an action.
type Waiver struct {
	Variant string
	When    *Expr
	Span    source.Span
}

// PickForm says what a pick takes.
type PickForm uint8

// The forms of picks.
const (
	PickOne      PickForm = iota // one element of List
	PickSome                     // one or more
	PickAny                      // none or more
	PickN                        // exactly N
	PickRange                    // a number of the range List
	PickValue                    // a legal value of Param: open
	PickRepeat                   // a list of N elements of List, which may repeat
	PickVariants                 // a set of the variants in Program.Choices: open
)

// Open reports whether what can be picked is not listed: people type it, and
// bots take what is in force.
func (p *Pick) Open() bool {
	return p.Form == PickValue || p.Form == PickVariants || p.Each != nil
}

// A Pick is one thing that an action asks for.
type Pick struct {
	Local *Local
	Form  PickForm
	N     *Expr
	List  *Expr
	Param *Param
	It    *Local
	Where *Expr
	IfAny bool
	If    *Expr
	// Each are the seats for each of which one is picked, of PickRange and
	// PickOne; Local is then a map of the seats. Nil otherwise.
	Each *Expr
	// Default is what is picked where nothing is typed, of PickRange; nil if
	// something must be.
	Default *Expr
	Span    source.Span
}

// A Table is a decision table: a function whose value is found row by row.
type Table struct {
	Info
	Params []*Local // the pieces looked at first, if it is of pieces
	// Pieces reports whether Params[0] is the pieces in which rows look.
	Pieces bool
	Sum    bool // every row that applies counts, and they are added up; else the first one decides
	Type   Type
	Rows   []*Row
}

// FindMode says what a row of a table looks for.
type FindMode uint8

// The ways to look for a piece among those that the table is of.
const (
	FindNothing FindMode = iota
	FindFirst            // the first one for which Where holds
	FindLast
	FindHighest // the first of those with the highest Key among those for which Where holds
	FindLowest
)

// A Row is one line of a table. It applies if When holds and what it looks for
// is found.
type Row struct {
	Info
	When  *Expr // nil means always
	Find  FindMode
	It    *Local // the piece looked at or found, inside Where, Key and Gives
	Where *Expr  // nil means any
	Key   *Expr  // of FindHighest and FindLowest
	Gives *Expr  // nil means the piece that was found
}

// A Scorer finds the best way to split dice into combinations.
type Scorer struct {
	Info
	Family *Family
	Pays   *Place // nil if `score` is never used
	Knows  []*Know
	Kept   *Local // the pieces looked at, inside combos
	It     *Local // the piece, inside Wild
	Wild   *Expr  // nil if no piece is wild
	Combos []*Combo
	// Reads lists the attributes that patterns, wild and combos read, the face
	// included: what tells two pieces apart for this scorer.
	Reads []*Attr
	// ReadsKept reports whether some combo looks at all kept pieces.
	ReadsKept bool
}

// A Know is a fact of the moment that combos may read, with its bounds.
type Know struct {
	Info
	Local  *Local
	Value  *Expr
	Lo, Hi int64 // inclusive; None is one more value if Type.Maybe
}

// A Combo is one combination.
type Combo struct {
	Info
	Index         int
	Match         []*Pattern
	Letters       []*Letter
	Where         *Expr // nil means always
	Points        *Expr
	Mark, Shout   *Template
	Then          *Script
	Before, After []*Hook
	Like          []*Like
}

// A Letter is a pattern variable: a face (x) or a count (n).
type Letter struct {
	Local  *Local
	Count  bool
	Domain []int64 // the values it may take, ascending
}

// A Pattern is one way to match a combination.
type Pattern struct {
	Items []PatternItem
	Span  source.Span
}

// A PatternItem wants a number of pieces of one face.
type PatternItem struct {
	Attrs       []AttrValue // required attribute values
	Face        int64       // used if Letter is nil
	Letter      *Letter
	Count       int64 // used if CountLetter is nil
	CountLetter *Letter
}

// An AttrValue is one required value of an attribute.
type AttrValue struct {
	Attr  *Attr
	Value int64
}

// A Like is an example beside a combination: these pieces are worth Points by
// themselves, or cannot be scored if Points is 0 and Illegal is set.
type Like struct {
	Pieces  []PieceWord
	Points  int64
	Illegal bool
	Span    source.Span
}

// A PieceWord is one piece as people write it: a face, with attribute values,
// or one of a lot, with marks.
type PieceWord struct {
	Face  int64
	Attrs []AttrValue
	Lot   *Lot // nil in families without kinds
	Marks []MarkWord
	Span  source.Span
}

// A MarkWord is a mark as people write it behind a piece: its name and what it
// says, a formula of the type of the mark.
type MarkWord struct {
	Mark *Mark
	Text syntax.Text
	Span source.Span
}

// An Incident is an outcome of a throw other than faces.
type Incident struct {
	Info
	Spoils  []*Phase
	When    *Expr
	Rate    *Expr // per 1000 in simulation; nil means never
	Do      *Script
	Variant string
}

// A Metric is a number or a truth that is taken of every game that a simulation
// plays, when it is over. Nobody is me in it.
type Metric struct {
	Info
	Of  *Expr
	Per *Expr // an int; the metric is then the sum of Of by the sum of Per; nil for a value of each game
}

// Turns says how turns follow each other.
type Turns struct {
	Begin *Phase
	Right *Expr // bool: play passes to the right; nil means left
	Skip  *Expr // bool of me; nil means nobody is skipped
}

// A RankKey is one criterion of the result, most important first.
type RankKey struct {
	Info
	By      *Expr // of me: an int or bool
	Highest bool  // the highest value, or true, comes first
	When    *Expr // nil means always
}

// A RecordRule says what of a finished game may be kept on a shelf: for each
// seat for which When holds, Value is compared with what lies on the Shelf.
type RecordRule struct {
	Info
	Shelf   *Expr // of me: an int, a bool or an option; nil if there is one shelf
	Value   *Expr // of me
	Highest bool  // more is better
	When    *Expr // of me; nil means always
}

// Sheet is the score sheet.
type Sheet struct {
	Total *Expr  // of me
	Line  *Scope // each start of it begins a new line of the column; nil: one line
	Span  source.Span
}

// A ShowLine is a line above the prompt: a sentence, or a track, the pieces of a
// zone in their order with where on it each player stands.
type ShowLine struct {
	Info
	Text  *Template
	When  *Expr
	Track *Expr // OpZone; nil for a sentence
	At    *Expr // of me: the number of a piece of Track, from 1; 0 and others stand outside
}

// A BookEntry is a printed rule, or our answer to an open question.
type BookEntry struct {
	ID     string
	Owner  string
	Text   string
	People bool   // only people can keep it
	Param  string // the param that lets a table choose, for answers
	Span   source.Span
}

// A Template is a sentence with typed formulas.
type Template struct {
	Parts []TemplatePart
	Span  source.Span
}

// A TemplatePart is literal text or, if Expr is not nil, a value.
type TemplatePart struct {
	Text string
	Expr *Expr
}

// An Example is a worked case of one file, kept as written: it is played in a
// world of its own, with the game, the file and what With names.
type Example struct {
	Name    string
	Owner   string // variant whose file it stands in, "" for the game
	About   string
	From    []string
	Players []string // names; nil for the default two
	With    []string
	Set     map[string]string
	SetText map[string]syntax.Text
	At      *syntax.Text
	Given   []GivenLine
	Play    *syntax.Text
	Opening *syntax.Text // lines, played in the opening; then Play is nil
	Records []RecordLine
	Then    []syntax.Text // formulas that must be true
	Can     []syntax.Text // moves that must be offered
	Refused []RefusedLine
	Sees    []SeesLine   // what seats see at the end
	Throw   *syntax.Text // exact odds: how many pieces, maybe "of ZONE"
	Chance  *syntax.Text
	Is      *syntax.Text // "a of b"
	Span    source.Span
}

// A GivenLine sets up a place or a zone before an example.
type GivenLine struct{ Place, Value syntax.Text }

// A RecordLine is a record that stands before an example: the name of the
// rule, its shelf ("" for the only one), and the value that lies there.
type RecordLine struct {
	Name, Shelf string
	Value       int64
	Span        source.Span
}

// A SeesLine is what a seat sees at a place: pieces, or how many there are.
type SeesLine struct {
	Seat         string
	Place, Value syntax.Text
	Quoted       bool        // the value stands in quotes: pieces, also where it is a number
	Span         source.Span // of the name of the seat
}

// A RefusedLine is a move and the guard or variant that must refuse it.
type RefusedLine struct{ Move, By syntax.Text }
