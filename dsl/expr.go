package dsl

import "github.com/houserules/houserules/dsl/source"

// An Expr is a typed formula. Names are resolved: Ref points at what is meant.
type Expr struct {
	Op   Op
	Type Type
	Args []*Expr
	Int  int64 // of OpConst: the value; of OpScorerIs: the combo's index
	Ref  any
	Span source.Span // the formula's own text
	// OpSpan is the operator or function name: where a fault of this very
	// operation points.
	OpSpan source.Span
}

// Op says what an Expr does.
type Op uint8

// The operations. "it" marks those whose Ref is the *Local of the element and
// whose Args[1] is evaluated once per element of Args[0].
const (
	OpConst    Op = iota
	OpParam       // Ref *Param
	OpState       // Ref *Var; Args[0] the seat, for vars with Each
	OpNumber      // Ref *Scope: how often it has started in the one around it
	OpLocal       // Ref *Local
	OpAttr        // Ref *Attr; Args[0] the piece
	OpZone        // Ref *Zone; Args[0] the seat, for zones with Each; a set of pieces
	OpFamily      // Ref *Family; the set of all its pieces
	OpMe          // seat
	OpActive      // seat
	OpEveryone    // set of seats
	OpPlayers     // set of seats not out
	OpSeats       // set of seats and ghosts
	OpOthers      // list of seats: players but me, from my left
	OpWinners     // set of seats
	OpOver        // bool
	OpNot         // bool
	OpNeg         // int
	OpAdd
	OpSub
	OpMul
	OpDiv // whole, rounds down; faults on 0
	OpMod // remainder of OpDiv; faults on 0
	OpAnd
	OpOr
	OpEq // of ints, bools, options, seats, pieces (either may be none), sets, lists
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpIn       // Args[0] an element, Args[1] a set, list or OpRange
	OpRange    // list of int Args[0] .. Args[1], empty if descending
	OpList     // list of Args
	OpCond     // Args: condition, then, else
	OpCoalesce // Args[0] unless none, else Args[1]
	OpLookup   // Args: subject, key, value, key, value, .., else; keys are constants
	OpCall     // Ref *Define, Args

	OpLen      // of a collection
	OpEmpty    // of a collection
	OpSum      // it, or of a collection of ints with Args[1] nil
	OpCount    // it, or of a collection of bools
	OpAny      // it
	OpAll      // it
	OpNone     // it
	OpOne      // it
	OpFilter   // it; keeps set or list
	OpMap      // it; a list
	OpFind     // it; T or none
	OpFindLast // it; T or none
	OpHighest  // it; all elements with the highest key, same shape as Args[0]
	OpLowest   // it
	OpFirst    // faults if empty
	OpLast     // faults if empty
	OpNth      // Args: collection, int from 1; faults outside
	OpTake     // Args: collection, int: the first so many, fewer if there are not
	OpConcat   // lists
	OpMin      // of a list of ints (one arg; faults if empty), or of two or more ints
	OpMax
	OpAbs
	OpNumberOf // Args: face, set of pieces: how many show it
	OpAfter    // Args: collection of seats, seat: the next one round
	OpAround   // Args: collection of seats, seat: rotated to begin with the seat, or with the next one there

	OpPoints   // Ref *Scorer; Args[0] a set of pieces: worth of the best split, 0 if none
	OpAllScore // bool: not empty and a split exists
	OpAnyScore // bool: some part that is not empty has a split
	OpMost     // int: size of the largest part that has a split
	OpIs       // bool: the pieces are exactly the combo Int

	OpTable // Ref *Table, Args: a call
	OpMark  // Ref *Mark; Args[0] the piece; faults where it was never written
	OpGhost // Ref *Ghost: a seat or none
	OpKey   // Args: a map, a key: the value at the key
	OpSpot  // Ref *Zone with places; Args: the seat, for zones with Each, and a number: the piece at this place, or none
	OpPlace // int; Args[0] a piece: the number of its place, 0 where it has none
)

// A Place is a piece of state that a script can write.
type Place struct {
	Var  *Var
	Seat *Expr // for vars with Each
	Key  *Expr // of a map: the key whose value is written
	Span source.Span
}

// StmtOp says what a statement does.
type StmtOp uint8

// The statements. Fields of Stmt not named are unused.
const (
	StmtLet       StmtOp = iota // Local = X
	StmtAssign                  // Place = X
	StmtAdd                     // Place += X
	StmtSub                     // Place -= X
	StmtRandomLet               // Local = random of X (a collection); none if empty and the type says so
	StmtRandom                  // Place = random of X
	StmtThrow                   // throw Zone (X is OpZone); Seat is who throws or nil
	StmtRoll                    // roll Place in X (OpRange)
	StmtMove                    // move X (a set or a list of pieces, or one piece) to Y (OpZone)
	StmtSetFaces                // set X to face Y
	StmtScore                   // score X by Scorer
	StmtStart                   // start Scope
	StmtEmit                    // emit Event(Args)
	StmtSay                     // Text for Seat (nil: all)
	StmtWrite                   // Text for Seat (nil: me)
	StmtMark                    // Text for Seat (nil: me)
	StmtGoto                    // exit to Phase
	StmtAgain                   // exit
	StmtNextTurn                // exit
	StmtTurnOf                  // exit; Seat
	StmtFinish                  // exit; X a seat or seats that come first, or nil
	StmtIf                      // X; Then; Else or nil
	StmtFor                     // Local over X; Then
	StmtSetEach                 // set the pieces X to the faces of the list Y, in order
	StmtStartGame               // exit of an opening; Seat begins; X a set of variants or nil; Sets
	StmtDeal                    // deal X, a number from the zone Y (OpZone) or pieces (Y nil), to Zone of Seat, one seat or seats; Random, Marks, It
	StmtAppend                  // append X to Place, a list
	StmtShow                    // show X, pieces or one piece, to Seat, one seat or seats
)

// A Stmt is one checked statement.
type Stmt struct {
	Op     StmtOp
	Span   source.Span
	Place  *Place
	Local  *Local
	X, Y   *Expr
	Seat   *Expr
	Args   []*Expr
	Event  *Event
	Phase  *Phase
	Scope  *Scope
	Scorer *Scorer
	Text   *Template
	Then   *Script
	Else   *Script
	Sets   []ParamSet
	Zone   *Zone     // of StmtDeal: of each seat
	Random bool      // of StmtMove: the zone is shuffled afterwards; of StmtDeal: which pieces is drawn
	OnTop  bool      // of StmtMove: the pieces go before those that lie there
	At     *Expr     // of StmtMove to a zone with places: the place of the one piece X; nil: the first free ones
	SoThat *Expr     // of StmtMove with Random: it is shuffled again until this holds; nil means always
	Marks  []MarkSet // of StmtMove and StmtDeal: what is written on each piece, over It
	It     *Local    // the piece that goes, inside Marks
}

// A MarkSet writes a mark on a piece that goes to a zone.
type MarkSet struct {
	Mark  *Mark
	Value *Expr
}

// A ParamSet gives a param a value for the game that starts.
type ParamSet struct {
	Param *Param
	Value *Expr
}
