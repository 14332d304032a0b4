package interpreter_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file plays whole games of Skull King beside the rule file, by the same
// hand-written rules: who is asked what, what may be answered, and all that is
// counted.

// skullGame is a game of Skull King by hand. Hands are read off the other side:
// what is dealt, only chance knows.
type skullGame struct {
	h             skullHouse
	people, seats int
	deck          int // cards in all
	dealer, dealt int
	cards         int // in each hand of the round
	first, leader int
	pile          []skullCard // the ghost's, the top one first
	trick         []skullPlay
	last          []skullPlay     // the trick before, which lies there while a power is used
	tricks        int             // of the round that are over
	questions     []skullQuestion // to be asked before the next card is played
	rounds        []skullRound    // the ghost's is behind the others
	scores        []int
	isOver        bool
}

// A skullQuestion is put to a seat.
type skullQuestion struct {
	moment string
	seat   int
}

func newSkullGame(h skullHouse, m *interpreter.Machine, cards int) *skullGame {
	g := m.Game()
	w := &skullGame{h: h, people: g.Seats(), seats: g.SeatsAndGhosts(), deck: cards, scores: make([]int, g.Seats())}
	w.deal()
	return w
}

// deal begins a round.
func (w *skullGame) deal() {
	if w.dealt > 0 {
		w.dealer = (w.dealer + 1) % w.people
	}
	w.dealt++
	w.cards = min(w.dealt, 10, w.deck/w.seats)
	if w.people == 8 {
		w.cards = min(w.cards, 8)
	}
	w.first = (w.dealer + 1) % w.people
	w.leader = w.first
	w.trick, w.tricks, w.pile = nil, 0, nil
	w.rounds = make([]skullRound, w.seats)
	stages := []string{"bidding"}
	if w.h.rascal {
		stages = append(stages, "loading")
	}
	if w.h.bets {
		stages = append(stages, "betting")
	}
	for _, stage := range stages {
		for s := range w.people {
			w.questions = append(w.questions, skullQuestion{stage, s})
		}
	}
}

func (w *skullGame) order() []int { return skullOrder(w.people, w.leader, w.first) }

// question is what is asked now; the ghost has played what is his to play.
func (w *skullGame) question() skullQuestion {
	if len(w.questions) > 0 {
		return w.questions[0]
	}
	w.flip()
	return skullQuestion{"trick", w.order()[len(w.trick)]}
}

// flip turns the ghost's top card up if it is his turn.
func (w *skullGame) flip() {
	if at := len(w.trick); w.order()[at] == w.people {
		role := skullRoles(w.pile[0])[0]
		if w.pile[0].what == "tigress" {
			role = "escape"
		}
		w.trick = append(w.trick, skullPlay{w.pile[0], w.people, role})
		w.pile = w.pile[1:]
	}
}

// answers are the legal answers to a question, the words of each sorted.
func (w *skullGame) answers(q skullQuestion, hand []string, names []string) (out []string) {
	switch q.moment {
	case "bidding":
		for n := range w.cards + 1 {
			out = append(out, fmt.Sprint("bid ", n))
		}
	case "betting":
		out = []string{"bet 0", "bet 10", "bet 20"}
	case "loading":
		out = []string{"cannonball", "grapeshot"}
	case "rascal":
		out = []string{"wager 0", "wager 10", "wager 20"}
	case "rosie":
		for _, name := range names {
			out = append(out, "give_lead "+name)
		}
	case "harry":
		for change := -1; change <= 1; change++ {
			if b := w.rounds[q.seat].bid + change; b >= 0 && b <= w.cards {
				out = append(out, fmt.Sprint("change_bid ", change))
			}
		}
	case "bendt":
		for i, a := range hand {
			if w.drawn() == 1 {
				out = append(out, "throw_away "+a)
				continue
			}
			for _, b := range hand[:i] {
				out = append(out, sortedWords("throw_away "+a+" "+b))
			}
		}
	case "trick":
		out = w.legal(hand)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// drawn is how many cards Bendt draws.
func (w *skullGame) drawn() int { return min(2, w.deck-w.cards*w.seats) }

func sortedWords(move string) string {
	words := strings.Fields(move)
	slices.Sort(words[1:])
	return strings.Join(words, " ")
}

// legal are the cards of a hand that may be played, each with what it may count
// as.
func (w *skullGame) legal(hand []string) (moves []string) {
	led := w.h.led(w.trick)
	holds := false
	for _, word := range hand {
		holds = holds || led != 0 && readSkullCard(word).suit == led
	}
	for _, word := range hand {
		c := readSkullCard(word)
		if c.suit != 0 && c.suit != led && holds {
			continue
		}
		roles := skullRoles(c)
		if len(roles) == 1 {
			moves = append(moves, "play "+word)
			continue
		}
		for _, role := range roles {
			moves = append(moves, sortedWords("play "+word+" "+role))
		}
	}
	return moves
}

// answer carries an answer out.
func (w *skullGame) answer(q skullQuestion, move string, names []string) {
	words := strings.Fields(move)
	number, _ := strconv.Atoi(words[len(words)-1])
	own := &w.rounds[q.seat]
	switch q.moment {
	case "bidding":
		own.bid = number
	case "betting", "rascal":
		own.stake += number
	case "loading":
		own.cannonball = move == "cannonball"
	case "rosie":
		w.leader = slices.Index(names, words[1])
	case "harry":
		own.bid += number
	case "trick":
		c := readSkullCard(words[1])
		role := skullRoles(c)[0]
		if len(words) > 2 {
			role = words[2]
		}
		w.trick = append(w.trick, skullPlay{c, q.seat, role})
		if len(w.trick) < w.seats {
			w.flip()
		}
		if len(w.trick) == w.seats {
			w.settle()
		}
	}
	if q.moment != "trick" {
		w.questions = w.questions[1:]
	}
	if w.tricks == w.cards && len(w.questions) == 0 {
		w.score()
	}
}

// settle counts a trick.
func (w *skullGame) settle() {
	trick, taker := w.trick, w.h.takes(w.trick)
	w.leader = w.h.leads(trick, w.order(), w.leader)
	w.trick, w.last = nil, trick
	w.tricks++
	if taker < 0 {
		return
	}
	who := trick[taker].by
	w.rounds[who].won++
	w.rounds[who].bonus += w.h.bonus(trick)
	for _, c := range trick {
		if c.what == "loot" && beast(trick) != "whale" && c.by != who && c.by < w.people && who < w.people {
			w.rounds[c.by].allied[who]++
		}
	}
	power := trick[taker].power
	switch {
	case who >= w.people || power == "" || power == "juanita":
	case w.tricks == w.cards && power != "harry":
	case power == "bendt" && w.drawn() == 0:
	default:
		w.questions = []skullQuestion{{power, who}}
	}
}

// score ends a round, and the game if there is no other.
func (w *skullGame) score() {
	for s, points := range w.h.scored(w.cards, w.rounds)[:w.people] {
		w.scores[s] += points
	}
	top := 0
	for _, s := range w.scores {
		if s == slices.Max(w.scores) {
			top++
		}
	}
	if w.isOver = w.dealt >= 10 && top == 1; !w.isOver {
		w.deal()
	}
}

// skullPeek reads the game of the rule file.
type skullPeek struct {
	m                 *interpreter.Machine
	names             []string
	hand, trick       *dsl.Zone
	by, as            *dsl.Mark
	cards, leader     *dsl.Var
	won, bonus, total *dsl.Var
}

func newSkullPeek(m *interpreter.Machine, names []string) *skullPeek {
	p := m.Game().Program()
	k := &skullPeek{m: m, names: names, hand: zoneOf(p, "hand"), trick: zoneOf(p, "trick"),
		cards: varOf(p, "cards"), leader: varOf(p, "leader"), won: varOf(p, "won"), bonus: varOf(p, "bonus"), total: varOf(p, "score")}
	k.by, k.as = markOf(k.trick.Family, "by"), markOf(k.trick.Family, "as")
	return k
}

func (k *skullPeek) handOf(seat int) (out []string) {
	for _, p := range k.m.CardsIn(k.hand, seat) {
		out = append(out, k.m.Game().CardWord(k.hand.Family, p))
	}
	return out
}

// begun compares a round that has just been dealt; the ghost's pile is read.
func (k *skullPeek) begun(w *skullGame) error {
	for s := range w.seats {
		hand := k.handOf(s)
		if len(hand) != w.cards {
			return fmt.Errorf("seat %d has %d cards, by hand %d", s, len(hand), w.cards)
		}
		if s == w.people {
			for _, word := range hand {
				w.pile = append(w.pile, readSkullCard(word))
			}
		}
	}
	return nil
}

// compare compares all that is counted, and the trick.
func (k *skullPeek) compare(w *skullGame) error {
	for s := range w.people {
		got := [3]int{int(k.m.Value(k.won, s)), int(k.m.Value(k.bonus, s)), int(k.m.Value(k.total, s))}
		want := [3]int{w.rounds[s].won, w.rounds[s].bonus, w.scores[s]}
		if w.isOver {
			got, want = [3]int{got[2]}, [3]int{want[2]}
		}
		if got != want {
			return fmt.Errorf("seat %d has tricks, bonus and score %v, by hand %v", s, got, want)
		}
	}
	if w.isOver {
		return nil
	}
	if leader, cards := int(k.m.Value(k.leader, 0)), int(k.m.Value(k.cards, 0)); leader != w.leader || cards != w.cards {
		return fmt.Errorf("seat %d leads a round of %d cards, by hand seat %d of %d", leader, cards, w.leader, w.cards)
	}
	var got, want []string
	for _, p := range k.m.CardsIn(k.trick, 0) {
		word, as := k.m.Game().CardWord(k.trick.Family, p), k.as.Type.Enum.Values[k.m.MarkOn(k.as, p)]
		got = append(got, fmt.Sprint(readSkullCard(word), k.m.MarkOn(k.by, p), as))
	}
	trick := w.trick
	if w.tricks > 0 && len(w.questions) > 0 {
		trick = w.last
	}
	for _, c := range trick {
		as := map[string]string{"number": "numbered", "king": "skull_king", "whale": "white_whale"}[c.as]
		if as == "" {
			as = c.as
		}
		want = append(want, fmt.Sprint(c.skullCard, c.by, as))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the trick is %v, by hand %v", got, want)
	}
	return nil
}

// texts lists what may be answered, the words of each sorted.
func (k *skullPeek) texts() (out []string) {
	for _, o := range k.m.Options(0) {
		out = append(out, sortedWords(o.Text))
	}
	slices.Sort(out)
	return out
}

// followSkull plays one game on both sides.
func followSkull(m *interpreter.Machine, h skullHouse, r *interpreter.Rand, names []string, asked map[string]int) error {
	k := newSkullPeek(m, names)
	w := newSkullGame(h, m, m.Game().CountOf(k.trick.Family))
	for round := 0; ; {
		req, err := m.Advance()
		if err != nil {
			return err
		}
		if over := req.Kind == interpreter.Over; over != w.isOver {
			return fmt.Errorf("round %d: over is %v, by hand %v", w.dealt, over, w.isOver)
		}
		if w.isOver {
			if best := m.Winners(); len(best) != 1 || w.scores[best[0]] != slices.Max(w.scores) {
				return fmt.Errorf("seats %v win with scores %v", best, w.scores)
			}
			return k.compare(w)
		}
		if round != w.dealt {
			round = w.dealt
			if err := k.begun(w); err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
		}
		q := w.question()
		fail := func(err error) error { return fmt.Errorf("round %d, trick %d, %v: %w", round, w.tricks+1, q, err) }
		if moment, _ := m.Asking(); moment.Name != q.moment || req.Seat != q.seat {
			return fail(fmt.Errorf("seat %d is asked at %s", req.Seat, moment.Name))
		}
		if err := k.compare(w); err != nil {
			return fail(err)
		}
		got, want := k.texts(), w.answers(q, k.handOf(q.seat), names)
		if !slices.Equal(got, want) || req.N != len(want) {
			return fail(fmt.Errorf("one may\n%v, by hand\n%v", got, want))
		}
		asked[q.moment]++
		i := taken(r, req.N)
		move := m.OptionText(i)
		if err := m.Apply(i); err != nil {
			return fail(err)
		}
		w.answer(q, move, names)
	}
}

var seatNames = []string{"Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"}

// Every decision of whole games, those with a suit to follow above all: the
// options are those that the rules by hand allow, no more and no fewer.
func TestSkullKingAgainstHandWrittenGame(t *testing.T) {
	left := map[string]string{"kraken.kraken_leader": "left_of_kraken"}
	for _, h := range []skullHouse{
		{zeroEarns: true},
		{with: []string{"suit-2021"}, noSuit: true, zeroEarns: true},
		{with: allBeasts, zeroEarns: true},
		{with: append([]string{"suit-2021"}, allBeasts...), set: left, leftOfKraken: true, noSuit: true, zeroEarns: true},
		{with: []string{"edition-2014"}, first: true},
		{with: []string{"pirate-powers"}, powers: true, zeroEarns: true},
		{with: []string{"rascal-scoring", "rascals-bet", "loot"}, rascal: true, bets: true},
		{with: append([]string{"pirate-powers", "rascal-scoring", "rascals-bet"}, allBeasts...), rascal: true, bets: true, powers: true},
	} {
		t.Run(h.String(), func(t *testing.T) {
			t.Parallel()
			asked := map[string]int{}
			games := 0
			for people := 2; people <= 8 && (people <= 6 || !h.first); people++ {
				m := h.selection(t).game(t, people).Start(interpreter.Setup{})
				names := seatNames[:people]
				for i := range sometimes(60, 2) {
					m.Restart(interpreter.Setup{Names: names, Seed: 27, Index: uint64(i)})
					r := interpreter.NewRand(27, uint64(i), interpreter.StreamPolicy)
					if err := followSkull(m, h, &r, names, asked); err != nil {
						t.Fatalf("%d players, game %d: %v", people, i, err)
					}
					games++
				}
			}
			t.Logf("%d games; questions: %v", games, asked)
			if asked["trick"] < 200*games || h.powers && games > 100 && (asked["rosie"]*asked["bendt"]*asked["rascal"]*asked["harry"] == 0) {
				t.Error("too little was asked")
			}
		})
	}
}
