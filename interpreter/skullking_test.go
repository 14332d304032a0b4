package interpreter_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
)

// This file holds a second Skull King, written by hand from the printed rules
// and the answers to what they leave open, and compares it with the rule file:
// who takes a trick, who leads the next one, what it adds, and what a round is
// worth.

// skullCard is a card as it is read off its short form.
type skullCard struct {
	suit   byte // G, P, Y, B, or 0 for special cards
	number int
	what   string // "" for numbers
	power  string // of a Pirate with a name
}

var skullSpecials = map[string]string{"ES": "escape", "PI": "pirate", "TI": "tigress", "SM": "tigress", "SK": "king",
	"ME": "mermaid", "LO": "loot", "KR": "kraken", "WW": "whale"}

func readSkullCard(word string) (c skullCard) {
	short, power, _ := strings.Cut(word, ":")
	c.power = power
	if c.what = skullSpecials[short]; c.what != "" {
		return c
	}
	c.suit = word[0]
	n, err := strconv.Atoi(word[1:])
	if err != nil || !strings.ContainsRune("GPYB", rune(c.suit)) {
		panic("no card: " + word)
	}
	c.number = n
	return c
}

// skullPlay is a card in a trick: who played it, and as what.
type skullPlay struct {
	skullCard
	by int
	as string // what it counts as: "number", "escape", "pirate", "king", "mermaid", "kraken", "whale"
}

// skullRoles are what a card may be played as.
func skullRoles(c skullCard) []string {
	switch c.what {
	case "":
		return []string{"number"}
	case "tigress":
		return []string{"pirate", "escape"}
	case "loot":
		return []string{"escape"}
	}
	return []string{c.what}
}

// skullHouse is how a table plays.
type skullHouse struct {
	with         []string
	set          map[string]string
	noSuit       bool // a character in the lead leaves the trick without a suit
	first        bool // first edition
	leftOfKraken bool
	rascal       bool // Rascal scoring
	zeroEarns    bool // a bid of nothing earns bonuses too
	bets, powers bool // Rascal's bet, and the powers of the Pirates
}

func (h skullHouse) String() string {
	s := selection{with: h.with}.String()
	for name, value := range h.set {
		s += " " + name + "=" + value
	}
	return s
}

func (h skullHouse) selection(t testing.TB) selection {
	t.Helper()
	p, ds := dsl.Load(shipped(), "skull-king", dsl.Options{With: h.with, Set: h.set})
	report(t, ds)
	return selection{h.with, p, ds}
}

// led is the suit that is to be followed, or 0.
func (h skullHouse) led(trick []skullPlay) byte {
	for i, c := range trick {
		switch {
		case i == 0 && (c.as == "kraken" || c.as == "whale"):
			return 0
		case c.as == "number":
			return c.suit
		case h.noSuit && c.as != "escape":
			return 0
		}
	}
	return 0
}

// beast is the beast that acts: the one played last.
func beast(trick []skullPlay) (which string) {
	for _, c := range trick {
		if c.as == "kraken" || c.as == "whale" {
			which = c.as
		}
	}
	return which
}

// takes returns the place of the card that takes a trick, or -1.
func (h skullHouse) takes(trick []skullPlay) int {
	switch beast(trick) {
	case "kraken":
		return -1
	case "whale":
		best := -1
		for i, c := range trick {
			if c.as == "number" && (best < 0 || c.number > trick[best].number) {
				best = i
			}
		}
		return best
	}
	return h.strongest(trick)
}

// strongest is takes where no beast is; -1 only if no card is there at all.
func (h skullHouse) strongest(trick []skullPlay) int {
	firstAs := func(what string) int {
		for i, c := range trick {
			if c.as == what {
				return i
			}
		}
		return -1
	}
	king, mermaid, pirate := firstAs("king"), firstAs("mermaid"), firstAs("pirate")
	switch {
	case king >= 0 && mermaid >= 0:
		return mermaid
	case king >= 0:
		return king
	case pirate >= 0:
		return pirate
	case mermaid >= 0:
		return mermaid
	}
	best := -1
	for _, suit := range []byte{'B', h.led(trick)} {
		for i, c := range trick {
			if c.as == "number" && c.suit == suit && (best < 0 || c.number > trick[best].number) {
				best = i
			}
		}
		if best >= 0 {
			return best
		}
	}
	if len(trick) == 0 {
		return -1
	}
	return 0 // Escapes alone
}

// leads is the seat that leads behind a trick; order is in which the seats
// played, leader who led.
func (h skullHouse) leads(trick []skullPlay, order []int, leader int) int {
	if i := h.takes(trick); i >= 0 {
		return trick[i].by
	}
	if beast(trick) == "whale" {
		for _, c := range trick {
			if c.as == "whale" {
				return c.by
			}
		}
	}
	var rest []skullPlay
	for i, c := range trick {
		if c.as == "kraken" && h.leftOfKraken {
			return order[(i+1)%len(order)]
		}
		if c.as != "kraken" && c.as != "whale" {
			rest = append(rest, c)
		}
	}
	if i := h.strongest(rest); i >= 0 {
		return rest[i].by
	}
	return leader
}

// bonus is what a trick adds for whoever takes it.
func (h skullHouse) bonus(trick []skullPlay) (sum int) {
	best := trick[h.takes(trick)].as
	for _, c := range trick {
		switch {
		case c.number == 14 && c.suit == 'B':
			sum += 20
		case c.number == 14:
			sum += 10
		case best == "pirate" && c.as == "mermaid" && !h.first:
			sum += 20
		case best == "king" && (c.as == "pirate" || h.first && c.what == "tigress"):
			sum += 30
		case best == "mermaid" && c.as == "king" && h.first:
			sum += 50
		case best == "mermaid" && c.as == "king":
			sum += 40
		}
	}
	return sum
}

// skullOrder is in which order seats play: seat people is the ghost, if two
// play; second is who is second when the ghost leads.
func skullOrder(people, leader, second int) (order []int) {
	if people == 2 {
		switch leader {
		case 0, 1:
			return []int{leader, 2, 1 - leader}
		}
		return []int{2, second, 1 - second}
	}
	for k := range people {
		order = append(order, (leader+k)%people)
	}
	return order
}

// skullTricks lays tricks and asks the rule file about them.
type skullTricks struct {
	h             skullHouse
	m             *interpreter.Machine
	people        int
	deck          []skullCard
	trick, aside  *dsl.Zone
	by, as        *dsl.Mark
	leader, first *dsl.Var
	roles         map[string]int64 // options of the mark
	taker, next   func() (int64, error)
	bonus, led    func() (int64, error)
	suits         map[byte]int64
	laid          []int
	plays         []skullPlay
}

// formulaOf types a formula as examples do.
func formulaOf(t testing.TB, p *dsl.Program, text string) *dsl.Expr {
	t.Helper()
	file := source.NewFile("formula", text)
	var ds source.List
	e := p.Formula(syntax.Text{Value: text, Span: func(a, b int) source.Span { return source.Span{File: file, Start: a, End: b} }}, dsl.Env{Lenient: true}, &ds)
	report(t, ds)
	return e
}

// markOf finds a mark of a family.
func markOf(f *dsl.Family, name string) *dsl.Mark {
	return named(f.Marks, name, func(k *dsl.Mark) string { return k.Name })
}

func newSkullTricks(t testing.TB, h skullHouse, people int) *skullTricks {
	t.Helper()
	s := h.selection(t)
	g := s.game(t, people)
	p := s.prog
	k := &skullTricks{h: h, people: people, trick: zoneOf(p, "trick"), aside: zoneOf(p, "aside"), leader: varOf(p, "leader"), first: varOf(p, "first")}
	f := k.trick.Family
	k.by, k.as = markOf(f, "by"), markOf(f, "as")
	k.roles = map[string]int64{}
	for ours, theirs := range map[string]string{"number": "numbered", "escape": "escape", "pirate": "pirate", "king": "skull_king",
		"mermaid": "mermaid", "kraken": "kraken", "whale": "white_whale"} {
		k.roles[ours] = int64(k.as.Type.Enum.Index(theirs))
	}
	suit := named(f.Attrs, "suit", func(a *dsl.Attr) string { return a.Name })
	k.suits = map[byte]int64{0: dsl.None}
	for short, name := range map[byte]string{'G': "green", 'P': "purple", 'Y': "yellow", 'B': "black"} {
		k.suits[short] = int64(suit.Type.Enum.Index(name))
	}
	m, compute, err := g.Start(interpreter.Setup{}).Ready(formulaOf(t, p, "taker(trick)"), formulaOf(t, p, "next_leader(trick, taker(trick))"),
		formulaOf(t, p, "bonus(trick, taker(trick))"), formulaOf(t, p, "led(trick)"))
	if err != nil {
		t.Fatal(err)
	}
	k.m, k.taker, k.next, k.bonus, k.led = m, compute[0], compute[1], compute[2], compute[3]
	for i := range g.CountOf(f) {
		k.deck = append(k.deck, readSkullCard(g.CardWord(f, i)))
	}
	return k
}

// lay draws a trick and lays it.
func (k *skullTricks) lay(r *interpreter.Rand) (order []int, leader int) {
	for _, p := range k.laid {
		k.m.PutCard(k.aside, 0, p)
	}
	k.laid, k.plays = k.laid[:0], k.plays[:0]
	leader = int(r.Below(uint64(k.m.Game().SeatsAndGhosts())))
	second := int(r.Below(uint64(k.people)))
	order = skullOrder(k.people, leader, second)
	k.m.Put(k.leader, 0, int64(leader))
	k.m.Put(k.first, 0, int64(second))
	var used [128]bool
	for _, seat := range order {
		i := int(r.Below(uint64(len(k.deck))))
		for used[i] {
			i = int(r.Below(uint64(len(k.deck))))
		}
		used[i] = true
		roles := skullRoles(k.deck[i])
		role := roles[int(r.Below(uint64(len(roles))))]
		if seat >= k.people && k.deck[i].what == "tigress" {
			role = "escape"
		}
		k.laid = append(k.laid, i)
		k.plays = append(k.plays, skullPlay{k.deck[i], seat, role})
		k.m.PutCard(k.trick, 0, i)
		k.m.WriteMark(k.by, i, int64(seat))
		k.m.WriteMark(k.as, i, k.roles[role])
	}
	return order, leader
}

// compare compares one trick; it says of what sort it is.
func (k *skullTricks) compare(order []int, leader int) (sort string, err error) {
	taker, err := k.taker()
	if err != nil {
		return "", err
	}
	want := k.h.takes(k.plays)
	if want < 0 && taker != dsl.None || want >= 0 && taker != int64(k.laid[want]) {
		return "", fmt.Errorf("%v is taken by %d, by hand by %d of %v", k.plays, taker, want, k.laid)
	}
	next, err := k.next()
	if err != nil || int(next) != k.h.leads(k.plays, order, leader) {
		return "", fmt.Errorf("%v: seat %d leads next, by hand %d (%v)", k.plays, next, k.h.leads(k.plays, order, leader), err)
	}
	led, err := k.led()
	if err != nil || led != k.suits[k.h.led(k.plays)] {
		return "", fmt.Errorf("%v: the suit is %d, by hand %c (%v)", k.plays, led, k.h.led(k.plays), err)
	}
	if want < 0 {
		return "lost by " + beast(k.plays), nil
	}
	bonus, err := k.bonus()
	if err != nil || int(bonus) != k.h.bonus(k.plays) {
		return "", fmt.Errorf("%v: a bonus of %d, by hand %d (%v)", k.plays, bonus, k.h.bonus(k.plays), err)
	}
	sort = k.plays[want].as
	if sort == "number" && k.plays[want].suit == 'B' {
		sort = "trump"
	}
	if beast(k.plays) != "" {
		sort += " by " + beast(k.plays)
	}
	return sort, nil
}

var allBeasts = []string{"loot", "kraken", "white-whale"}

func TestSkullKingTricksAgainstHandWrittenResolver(t *testing.T) {
	for _, c := range []struct {
		h            skullHouse
		games, short int
		sorts        int // so many sorts of tricks at least
	}{
		{skullHouse{with: allBeasts}, 1_000_000, 20_000, 8},
		{skullHouse{with: allBeasts, set: map[string]string{"kraken.kraken_leader": "left_of_kraken"}, leftOfKraken: true}, 300_000, 10_000, 8},
		{skullHouse{with: append([]string{"suit-2021"}, allBeasts...), noSuit: true}, 300_000, 10_000, 8},
		{skullHouse{}, 300_000, 10_000, 5},
		{skullHouse{with: []string{"suit-2021"}, noSuit: true}, 300_000, 10_000, 5},
		{skullHouse{with: []string{"edition-2014"}, first: true}, 300_000, 10_000, 5},
		{skullHouse{with: append([]string{"pirate-powers"}, allBeasts...)}, 100_000, 5_000, 8},
	} {
		t.Run(c.h.String(), func(t *testing.T) {
			t.Parallel()
			sorts := map[string]int{}
			most := 8
			if c.h.first {
				most = 6
			}
			tricks := sometimes(c.games, c.short)
			for people := 2; people <= most; people++ {
				k := newSkullTricks(t, c.h, people)
				r := interpreter.NewRand(74, uint64(people), 0)
				for i := range (tricks + most - 2) / (most - 1) {
					order, leader := k.lay(&r)
					sort, err := k.compare(order, leader)
					if err != nil {
						t.Fatalf("%d players, trick %d: %v", people, i, err)
					}
					sorts[sort]++
				}
			}
			t.Logf("%d tricks: %v", tricks, sorts)
			if len(sorts) < c.sorts {
				t.Errorf("only %d sorts of tricks came up", len(sorts))
			}
		})
	}
}

// skullRound is what a seat has done in a round.
type skullRound struct {
	bid, won, bonus int
	cannonball      bool
	stake           int    // bet, by whatever means
	allied          [9]int // how often with each seat
}

func (r skullRound) exact() bool { return r.bid == r.won }

// points is what a round of some cards is worth for a seat.
func (h skullHouse) points(cards int, r skullRound) int {
	off := max(r.bid-r.won, r.won-r.bid)
	sum := 0
	switch {
	case h.rascal && r.cannonball && off == 0:
		sum = 15*cards + r.bonus
	case h.rascal && r.cannonball:
	case h.rascal && off == 0:
		sum = 10*cards + r.bonus
	case h.rascal && off == 1:
		sum = (10*cards + r.bonus) / 2
	case h.rascal:
	case r.bid == 0 && off == 0:
		sum = 10 * cards
	case r.bid == 0:
		sum = -10 * cards
	case off == 0:
		sum = 20 * r.bid
	default:
		sum = -10 * off
	}
	if !h.rascal && off == 0 && (r.bid > 0 || h.zeroEarns) {
		sum += r.bonus
	}
	if off == 0 {
		return sum + r.stake
	}
	return sum - r.stake
}

// scored is what a round is worth for each seat, with what allies get.
func (h skullHouse) scored(cards int, rounds []skullRound) []int {
	points := make([]int, len(rounds))
	for s, r := range rounds {
		points[s] += h.points(cards, r)
		for q, n := range r.allied {
			if n > 0 && r.exact() && rounds[q].exact() {
				points[s] += 20 * n
				points[q] += 20 * n
			}
		}
	}
	return points
}

// skullScores lays rounds and lets the rule file score them.
type skullScores struct {
	h                      skullHouse
	m                      *interpreter.Machine
	score                  *dsl.Phase
	cards, dealt           *dsl.Var
	bid, won, bonus, total *dsl.Var
	load, bet, wager       *dsl.Var // nil where there is none
	allied                 *dsl.Var
}

func newSkullScores(t testing.TB, h skullHouse) *skullScores {
	t.Helper()
	set := map[string]string{"tiebreak": "shared", "hand_sizes": "[1]"}
	for name, value := range h.set {
		set[name] = value
	}
	h.set = set
	s := h.selection(t)
	p := s.prog
	return &skullScores{h: h, m: s.game(t, 3).Start(interpreter.Setup{}), score: phaseOf(p, "score"),
		cards: varOf(p, "cards"), dealt: varOf(p, "dealt"), bid: varOf(p, "bid"), won: varOf(p, "won"), bonus: varOf(p, "bonus"), total: varOf(p, "score"),
		load: varOf(p, "load"), bet: varOf(p, "bet"), wager: varOf(p, "wager"), allied: varOf(p, "allied")}
}

// some is a round of some cards that comes about by chance.
func (k *skullScores) some(cards int, r *interpreter.Rand) (out skullRound) {
	below := func(n int) int { return int(r.Below(uint64(n))) }
	out.bid, out.won, out.bonus = below(cards+1), below(cards+1), 10*below(16)
	if below(2) == 0 {
		out.won = out.bid
	}
	return out
}

// play scores a round, and returns what each seat has got.
func (k *skullScores) play(cards int, rounds []skullRound) (points []int, err error) {
	m := k.m
	m.Put(k.cards, 0, int64(cards))
	m.Put(k.dealt, 0, 1)
	for s, r := range rounds {
		m.Put(k.total, s, 0)
		m.Put(k.bid, s, int64(r.bid))
		m.Put(k.won, s, int64(r.won))
		m.Put(k.bonus, s, int64(r.bonus))
		if k.load != nil {
			load := int64(k.load.Type.Enum.Index("grapeshot"))
			if r.cannonball {
				load = int64(k.load.Type.Enum.Index("cannonball"))
			}
			m.Put(k.load, s, load)
		}
		switch {
		case k.bet != nil && k.wager != nil: // some of the one, the rest of the other
			m.Put(k.bet, s, int64(min(r.stake, 20)))
			m.Put(k.wager, s, int64(r.stake-min(r.stake, 20)))
		case k.bet != nil:
			m.Put(k.bet, s, int64(r.stake))
		case k.wager != nil:
			m.Put(k.wager, s, int64(r.stake))
		}
		for q, n := range r.allied {
			if k.allied != nil && q < len(rounds) {
				m.PutKey(k.allied, s, q, int64(n))
			}
		}
	}
	m.Enter(k.score)
	if req, err := m.Advance(); err != nil || req.Kind != interpreter.Over {
		return points, fmt.Errorf("the game goes on with %+v; %v", req, err)
	}
	for s := range rounds {
		points = append(points, int(m.Value(k.total, s)))
	}
	return points, nil
}

// Every round of up to ten cards: every bid, every number of tricks taken and
// every bonus up to 150, with each load and each stake.
func TestSkullKingRoundsAgainstHandWrittenScorer(t *testing.T) {
	for _, h := range []skullHouse{
		{zeroEarns: true},
		{set: map[string]string{"zero_bid_bonus": "false"}},
		{with: []string{"loot"}, zeroEarns: true},
		{with: []string{"rascals-bet"}, zeroEarns: true},
		{with: []string{"pirate-powers"}, zeroEarns: true},
		{with: []string{"rascal-scoring"}, rascal: true},
		{with: []string{"rascal-scoring", "loot", "rascals-bet", "pirate-powers"}, rascal: true},
		{with: []string{"rascals-bet", "loot", "pirate-powers"}, zeroEarns: true},
		{with: []string{"edition-2014"}, first: true},
	} {
		if raceEnabled && len(h.with)%2 > 0 {
			continue
		}
		t.Run(h.String(), func(t *testing.T) {
			t.Parallel()
			k := newSkullScores(t, h)
			r := interpreter.NewRand(33, 0, 0)
			stakes := []int{0}
			if k.bet != nil || k.wager != nil {
				stakes = []int{0, 10, 20}
			}
			if k.bet != nil && k.wager != nil {
				stakes = append(stakes, 30, 40)
			}
			n := 0
			for cards := 1; cards <= 10; cards++ {
				for combo := range (cards + 1) * (cards + 1) * 16 * 2 * len(stakes) {
					rounds := make([]skullRound, 3)
					for s := range rounds {
						rounds[s] = k.some(cards, &r)
					}
					c := combo
					digit := func(n int) int { d := c % n; c /= n; return d }
					own := &rounds[0]
					own.bid, own.won, own.bonus = digit(cards+1), digit(cards+1), 10*digit(16)
					own.cannonball, own.stake = digit(2) == 1, stakes[digit(len(stakes))]
					if own.cannonball && !h.rascal {
						continue
					}
					if k.allied != nil {
						a, b := int(r.Below(3)), int(r.Below(3))
						rounds[a].allied[(a+1)%3]++
						rounds[b].allied[(b+2)%3]++
					}
					got, err := k.play(cards, rounds)
					if want := h.scored(cards, rounds); err != nil || !slices.Equal(got, want) {
						t.Fatalf("%d cards, %+v: %v points, by hand %v; %v", cards, rounds, got, want, err)
					}
					n++
				}
			}
			t.Logf("%d rounds", n)
			if n < 505*16 {
				t.Error("that is not every round")
			}
		})
	}
}
