package interpreter_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file tests what seats know of hidden cards, what may be imagined of
// them, and that nothing that is told or shown gives them away.

// theCards is the family of the cards of a game.
func theCards(m *interpreter.Machine) *dsl.Family {
	return zoneOf(m.Game().Program(), "hand").Family
}

// sure checks that what every seat knows is true, and that each knows the cards
// that it sees. It returns how many cards lie where a seat does not see them,
// and for how many of these the seat knows where.
func sure(m *interpreter.Machine) (hidden, known int, err error) {
	g, f := m.Game(), theCards(m)
	for seat := range g.Seats() {
		seen := uint64(0)
		for _, z := range g.Program().Zones {
			if z.Family != f {
				continue
			}
			n := 1
			if z.Each {
				n = g.SeatsAndGhosts()
			}
			for of := range n {
				if seats, _ := viewers(m, z, of); seats>>uint(seat)&1 != 0 {
					seen |= 1 << uint(g.NumberOfZone(z, of))
				}
			}
		}
		for c := range g.CountOf(f) {
			_, at := m.ZoneNumbers(f, c)
			here, may := uint64(1)<<uint(at), m.May(seat, f, c)
			switch {
			case may&here == 0:
				return hidden, known, fmt.Errorf("%s lies in zone %d, but seat %d thinks of %b", g.CardWord(f, c), at, seat, may)
			case seen&here != 0 && may != here:
				return hidden, known, fmt.Errorf("seat %d sees %s, but thinks of %b", seat, g.CardWord(f, c), may)
			case seen&here == 0:
				hidden++
				if may == here {
					known++
				}
			}
		}
	}
	return hidden, known, nil
}

// imagined imagines the game as a seat may, and checks that it is one that the
// seat may be in. It reports whether some card lies elsewhere than in truth.
func imagined(m, c *interpreter.Machine, seat int, own bool, r *interpreter.Rand) (_ *interpreter.Machine, moved bool, err error) {
	c = m.CloneInto(c)
	c.Imagine(m, seat, r)
	f := theCards(m)
	if err := whole(c); err != nil {
		return c, false, err
	}
	zones, _ := m.ZoneNumbers(f, 0)
	for z := range zones {
		a, _ := m.ZoneCount(f, z)
		if b, _ := c.ZoneCount(f, z); a != b {
			return c, false, fmt.Errorf("zone %d holds %d cards, imagined %d", z, a, b)
		}
	}
	for p := range m.Game().CountOf(f) {
		_, a := m.ZoneNumbers(f, p)
		_, b := c.ZoneNumbers(f, p)
		moved = moved || a != b
		if m.May(seat, f, p)>>uint(b)&1 == 0 {
			return c, false, fmt.Errorf("%s is imagined in zone %d, but may lie in %b", m.Game().CardWord(f, p), b, m.May(seat, f, p))
		}
	}
	if a, b := m.View(seat), c.View(seat); !reflect.DeepEqual(a, b) {
		return c, false, fmt.Errorf("seat %d sees\n%v\nimagined\n%v", seat, a, b)
	}
	if own {
		if a, b := optionTexts(m), optionTexts(c); !slices.Equal(a, b) {
			return c, false, fmt.Errorf("seat %d may\n%v\nimagined\n%v", seat, a, b)
		}
	}
	return c, moved, nil
}

func optionTexts(m *interpreter.Machine) (out []string) {
	if _, err := m.Advance(); err != nil {
		return []string{err.Error()}
	}
	for _, o := range m.Options(0) {
		out = append(out, o.Text)
	}
	return out
}

// A void is a suit that somebody has shown not to hold, by hand.
type void struct {
	seat int
	suit byte
}

// shownVoid finds out whether a card, as played, shows that its player holds
// none of the suit led.
func shownVoid(h skullHouse, k *skullPeek, seat int, move string) (v void, ok bool) {
	var trick []skullPlay
	for _, p := range k.m.CardsIn(k.trick, 0) {
		c := readSkullCard(k.m.Game().CardWord(k.trick.Family, p))
		as := map[string]string{"numbered": "number", "skull_king": "king", "white_whale": "whale"}[k.as.Type.Enum.Values[k.m.MarkOn(k.as, p)]]
		if as == "" {
			as = k.as.Type.Enum.Values[k.m.MarkOn(k.as, p)]
		}
		trick = append(trick, skullPlay{c, int(k.m.MarkOn(k.by, p)), as})
	}
	led := h.led(trick)
	c := readSkullCard(strings.Fields(move)[1])
	return void{seat, led}, led != 0 && c.suit != 0 && c.suit != led
}

func TestKnowledge(t *testing.T) {
	for _, h := range []skullHouse{{}, {with: []string{"pirate-powers"}}, {with: allModes, noSuit: true}} {
		for people := 2; people <= 8; people++ {
			t.Run(fmt.Sprintf("%s/%d", h, people), func(t *testing.T) {
				t.Parallel()
				m := h.selection(t).game(t, people).Start(interpreter.Setup{})
				games, decisions, hidden, known, voids, images, moved := sometimes(400/(people*people)+12, 2), 0, 0, 0, 0, 0, 0
				var c *interpreter.Machine
				m.Know()
				for i := range games {
					m.Restart(interpreter.Setup{Seed: 90, Index: uint64(i)})
					r := interpreter.NewRand(90, uint64(i), interpreter.StreamPolicy)
					k := newSkullPeek(m, nil)
					shown := map[void]bool{}
					see := func(req interpreter.Request) error {
						n, sured, err := sure(m)
						if err != nil {
							return err
						}
						decisions, hidden, known = decisions+1, hidden+n, known+sured
						moment := m.Phase().Name
						for v := range shown {
							if moment == "bidding" || moment == "bendt" && req.Seat == v.seat {
								delete(shown, v) // other cards have come to hand
								continue
							}
							voids++
							if err := excludes(m, k, v); err != nil {
								return err
							}
						}
						// For whom it is to decide, and for somebody else.
						for j, seat := range []int{req.Seat, int(r.Below(uint64(people)))} {
							if decisions%8 != 0 {
								continue
							}
							images++
							var other bool
							if c, other, err = imagined(m, c, seat, j == 0, &r); err != nil {
								return err
							}
							if other {
								moved++
							}
							if images%40 == 0 { // it can be played on
								c.Rekey(r.Uint64())
								if _, err := c.Playout(&r, 200); err != nil {
									return err
								}
							}
						}
						return nil
					}
					last := ""
					n, err := steps(m, &r, see, func(seat int, move string) {
						if last = move; strings.HasPrefix(move, "play ") {
							if v, ok := shownVoid(h, k, seat, move); ok {
								shown[v] = true
							}
						}
					})
					if err != nil {
						t.Fatalf("game %d, decision %d, after %q: %v", i, n, last, err)
					}
				}
				t.Logf("%d games, %d decisions; of %d cards that a seat does not see it knows %d; %d voids; %d games imagined, %d unlike the true one", games, decisions, hidden, known, voids, images, moved)
				if voids == 0 || moved*4 < images*3 || known == 0 {
					t.Error("too little was known, or imagined")
				}
			})
		}
	}
}

// excludes checks that everybody but its owner knows that a hand holds nothing
// of a suit.
func excludes(m *interpreter.Machine, k *skullPeek, v void) error {
	f := theCards(m)
	hand := uint64(1) << uint(m.Game().NumberOfZone(k.hand, v.seat))
	for c := range m.Game().CountOf(f) {
		word := m.Game().CardWord(f, c)
		if readSkullCard(word).suit != v.suit {
			continue
		}
		for seat := range m.Game().Seats() {
			if m.May(seat, f, c)&hand != 0 {
				return fmt.Errorf("seat %d thinks that %s may be with seat %d, who could not follow", seat, word, v.seat)
			}
		}
	}
	return nil
}

// Who thinks about a decision that is answered in secret does not know what
// others have answered.
func TestSecretAnswersAreImagined(t *testing.T) {
	s := chooseOf(cardGame)
	m := s.game(t, 4).Start(interpreter.Setup{Seed: 3})
	m.Know()
	bid := varOf(s.prog, "bid")
	m.Enter(phaseOf(s.prog, "deal"))
	m.Put(varOf(s.prog, "dealt"), 0, 7) // eight cards each
	for seat := range 3 {
		if req := advance(t, m); req.Seat != seat || !req.Sealed || req.N != 9 {
			t.Fatalf("the request is %+v", req)
		}
		if err := m.Apply(7); err != nil {
			t.Fatal(err)
		}
	}
	advance(t, m)
	r := interpreter.NewRand(3, 0, 0)
	counts := map[int64]int{}
	const images = 900
	for range images {
		c := m.Clone()
		c.Imagine(m, 3, &r)
		if err := c.Apply(5); err != nil {
			t.Fatal(err)
		}
		advance(t, c)
		for seat := range 3 {
			counts[c.Value(bid, seat)]++
		}
		if got := c.Value(bid, 3); got != 5 {
			t.Fatalf("the own bid is %d", got)
		}
		c = m.Clone()
		c.Imagine(m, 1, &r)
		if err := c.Apply(5); err != nil {
			t.Fatal(err)
		}
		if advance(t, c); c.Value(bid, 1) != 7 {
			t.Fatal("a seat forgets its own answer")
		}
	}
	for b := range int64(9) {
		if n := counts[b]; n < 3*images/9-90 || n > 3*images/9+90 {
			t.Errorf("%d of %d answers are imagined as %d", n, 3*images, b)
		}
	}
	if err := m.Apply(0); err != nil {
		t.Fatal(err)
	}
	if advance(t, m); m.Value(bid, 0) != 7 || m.Value(bid, 3) != 0 {
		t.Error("what was imagined has changed the true answers")
	}
}

// A listener checks, record by record, that nobody is told what is hidden from
// him.
type listener struct {
	f      *dsl.Family
	err    error
	kinds  map[interpreter.RecordKind]int
	sealed map[int]string // by seat: what was answered in secret
	unseen int            // moves told without the names of the cards
}

func (l *listener) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
}

// viewers are the seats that see a zone, as a set, and whether bystanders do.
func viewers(m *interpreter.Machine, z *dsl.Zone, of int) (seats int64, open bool) {
	people := m.Game().Seats()
	for s := range people {
		if z.Seen == dsl.SeenAll || z.Seen == dsl.SeenOwner && s == of || z.Seen == dsl.SeenOthers && s != of {
			seats |= 1 << uint(s)
		}
	}
	return seats, z.Seen == dsl.SeenAll
}

func (l *listener) Record(m *interpreter.Machine, r *interpreter.Record) {
	l.kinds[r.Kind]++
	switch r.Kind {
	case interpreter.RecMove:
		if err := moveIsSeen(m, r); err != nil {
			l.fail("%w", err)
		}
	case interpreter.RecShow:
		if r.Text+r.Public != "" || r.SeenBy&(r.SeenBy-1) != 0 {
			l.fail("the deck is shown to %b, and %q is said", r.SeenBy, r.Text+r.Public)
		}
	case interpreter.RecSealed:
		if r.Public != "" || l.sealed[r.Seat] != "" {
			l.fail("a secret answer of seat %d says %q", r.Seat, r.Public)
		}
		l.sealed[r.Seat] = r.Text
	case interpreter.RecAction:
		switch {
		case len(l.sealed) > 0:
			if l.sealed[r.Seat] != r.Text {
				l.fail("seat %d answered %q, and %q comes out", r.Seat, l.sealed[r.Seat], r.Text)
			}
			delete(l.sealed, r.Seat)
		case strings.HasPrefix(r.Text, "throw_away"):
			l.unseen++
			if w := l.words(r.Public); len(w) > 0 || !strings.Contains(r.Public, "unseen") {
				l.fail("all are told %q", r.Public)
			}
		case r.Public != r.Text:
			l.fail("%q is told as %q", r.Text, r.Public)
		}
	case interpreter.RecSay, interpreter.RecMark, interpreter.RecWrite, interpreter.RecShout:
		for _, w := range l.words(r.Text) {
			if !l.lies(m, w, func(c int) bool { z, _ := l.zoneOf(m, c); return z.Seen == dsl.SeenAll }) {
				l.fail("%q names %s, which does not lie open", r.Text, w)
			}
		}
	}
}

// moveIsSeen checks who sees which cards move, by hand: those who see where
// they lay, or where they go.
func moveIsSeen(m *interpreter.Machine, r *interpreter.Record) error {
	seats, open := viewers(m, r.Zone, r.Of)
	if r.From != nil {
		a, b := viewers(m, r.From, r.FromOf)
		seats, open = seats|a, open || b
	}
	if r.SeenBy != seats || r.Open != open {
		return fmt.Errorf("a move to %s of %d is seen by %b (%v), by hand %b (%v)", r.Zone.Name, r.Of, r.SeenBy, r.Open, seats, open)
	}
	if r.Text+r.Public != "" || len(r.Cards) == 0 {
		return fmt.Errorf("a move says %q", r.Text+r.Public)
	}
	return nil
}

// words are the words of a text that mean cards.
func (l *listener) words(text string) (out []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;.()[]", r) }) {
		if short, _, _ := strings.Cut(w, ":"); skullSpecials[short] != "" || len(w) > 1 && strings.ContainsRune("GPYB", rune(w[0])) && strings.Trim(w[1:], "0123456789") == "" {
			out = append(out, w)
		}
	}
	return out
}

func (l *listener) zoneOf(m *interpreter.Machine, card int) (*dsl.Zone, int) {
	_, at := m.ZoneNumbers(l.f, card)
	for _, z := range m.Game().Program().Zones {
		if first := m.Game().NumberOfZone(z, 0); z.Family == l.f && at >= first && (at == first || z.Each && at < first+m.Game().SeatsAndGhosts()) {
			return z, at - first
		}
	}
	return nil, -1
}

// lies reports whether a condition holds for one of the cards of a word.
func (l *listener) lies(m *interpreter.Machine, word string, where func(card int) bool) bool {
	for c := range m.Game().CountOf(l.f) {
		if m.Game().CardWord(l.f, c) == word && where(c) {
			return true
		}
	}
	return false
}

// looks checks what each seat sees, bystanders too: no card is named that the
// seat does not know.
func (l *listener) looks(m *interpreter.Machine) error {
	for seat := -1; seat < m.Game().Seats(); seat++ {
		v := m.View(seat)
		var text []string
		for _, z := range v.Zones {
			seats, open := viewers(m, z.Zone, z.Of)
			if sees := open || seat >= 0 && seats>>uint(seat)&1 != 0; z.Seen != sees || !sees && z.Pieces != "" {
				return fmt.Errorf("seat %d sees %s of %d: %v, %q", seat, z.Zone.Name, z.Of, z.Seen, z.Pieces)
			}
			text = append(text, z.Pieces)
		}
		for _, x := range v.Vars {
			text = append(text, x.Text)
		}
		for _, w := range l.words(strings.Join(append(text, v.Show...), " ")) {
			ok := l.lies(m, w, func(c int) bool {
				z, of := l.zoneOf(m, c)
				seats, open := viewers(m, z, of)
				if seat < 0 { // who only looks on remembers what all have seen
					return open || z.Name == "aside"
				}
				may := m.May(seat, l.f, c)
				return open || seats>>uint(seat)&1 != 0 || may&(may-1) == 0
			})
			if !ok {
				return fmt.Errorf("seat %d reads %s: %q", seat, w, text)
			}
		}
	}
	return nil
}

func TestNobodyIsToldWhatIsHidden(t *testing.T) {
	for _, with := range [][]string{nil, {"pirate-powers"}, allModes} {
		s := chooseOf(cardGame, with...)
		for people := 2; people <= 8; people++ {
			t.Run(fmt.Sprintf("%s/%d", s, people), func(t *testing.T) {
				t.Parallel()
				m := s.game(t, people).Start(interpreter.Setup{})
				m.Know()
				l := &listener{f: theCards(m), kinds: map[interpreter.RecordKind]int{}, sealed: map[int]string{}}
				m.Listen(l)
				games := sometimes(400/people, 2)
				for i := range games {
					m.Restart(interpreter.Setup{Names: seatNames[:people], Seed: 80, Index: uint64(i)})
					r := interpreter.NewRand(80, uint64(i), interpreter.StreamPolicy)
					var before []interpreter.View // of a decision in secret
					looked := 0
					hand := zoneOf(s.prog, "hand")
					n, err := steps(m, &r, func(req interpreter.Request) error {
						if l.err != nil {
							return l.err
						}
						moment := m.Phase().Name
						if held := len(m.CardsIn(hand, req.Seat)); moment == "trick" && req.Forced != (held == 1 && req.N == 1) {
							return fmt.Errorf("seat %d with %d cards and %d options: forced is %v", req.Seat, held, req.N, req.Forced)
						}
						if req.Sealed != (moment == "bidding" || moment == "betting" || moment == "loading") {
							return fmt.Errorf("%s is secret: %v", moment, req.Sealed)
						}
						if req.Sealed && i%4 == 0 || len(before) > 0 {
							var now []interpreter.View
							for seat := -1; seat < people; seat++ {
								now = append(now, m.View(seat))
							}
							if req.Seat > 0 && len(before) > 0 && !reflect.DeepEqual(before, now) {
								return fmt.Errorf("a secret answer has changed what is seen from\n%v\nto\n%v", before, now)
							}
							if before = now; !req.Sealed || req.Seat == people-1 {
								before = nil
							}
						}
						if looked++; i%8 == 0 && looked%3 == 0 {
							return l.looks(m)
						}
						return nil
					}, nil)
					if err == nil {
						err = l.err
					}
					if err != nil {
						t.Fatalf("game %d, decision %d: %v", i, n, err)
					}
				}
				t.Logf("%d games; records by kind: %v; %d moves told without the cards", games, l.kinds, l.unseen)
				if l.kinds[interpreter.RecSealed] == 0 || len(with) > 0 && (l.unseen == 0 || l.kinds[interpreter.RecShow] == 0) {
					t.Error("too little was told")
				}
			})
		}
	}
}

// A game in which cards go every way: given away, hidden, shown, turned over,
// mixed, seen by all but their owner, and passed on in secret.
const everyWay = `houserules: 1
game: ways
title: Ways
players: 2..6
` + chips + `
zones:
  pile: {of: chips, starts: all, seen: nobody}
  hand: {of: chips, each: seat, seen: owner}
  back: {of: chips, each: seat, seen: others}
  row: {of: chips}
  heap: {of: chips, seen: nobody}
seats: {wisp: {title: Wisp, when: len(everyone) < 4}}
state: {game: {turns: 0}}
phases:
  begin:
    when: game.turns == 0
    enter: 'move chips to pile at random; deal 2 from pile to hand of seats'
  act:
    actions:
      give: {pick: {c: one of me.hand, to_whom: one of others}, do: 'move c to to_whom.hand'}
      hide: {pick: {cs: some of me.hand}, do: 'move cs to heap'}
      draw: {when: not empty(pile), do: 'deal 1 from pile to hand of me'}
      turn: {when: not empty(pile), do: 'deal 1 from pile to back of me'}
      take_back: {when: not empty(me.back), do: 'move me.back to me.hand'}
      follow:
        pick: {c: one of me.hand}
        require: {blue: {either: [c.colour == blue, 'none(me.hand, .colour == blue)'], else: "play blue"}}
        do: 'move c to row'
      low: {pick: {c: one of me.hand}, require: {all_low: {either: [c.n > 2, 'all(me.hand, .n < 3)'], else: "play high"}}, do: 'move c to row'}
      hide_low: {pick: {c: one of me.hand}, require: {all_low: {either: [c.n > 2, 'all(me.hand, .n < 3)'], else: "hide high"}}, do: 'move c to heap'}
      peek: {do: 'show heap to me'}
      tell: {pick: {c: one of me.hand}, do: 'show c to others'}
      mix: {do: 'move heap to pile at random; move row to pile'}
      top: {do: 'move filter(row, .n > 2) to heap on top'}
      haunt: {when: 'wisp != none', do: 'move me.hand to heap; for w in seats { deal 1 from pile to hand of w at random if w not in everyone }'}
  pass:
    when: game.turns % 3 == 0 and all(everyone, not empty(.hand))
    who: everyone at once
    actions:
      pass_on:
        pick: {c: one of me.hand}
        do: 'let next = after(everyone, me); move c to next.hand'
      keep: {}
  end:
    enter: |
      game.turns += 1
      finish if game.turns > 40
      next turn
`

func TestKnowledgeOfCardsThatGoEveryWay(t *testing.T) {
	for seats := 2; seats <= 5; seats++ {
		t.Run(fmt.Sprint(seats), func(t *testing.T) {
			t.Parallel()
			g := inlineGame(t, seats, everyWay)
			m := g.Start(interpreter.Setup{})
			m.Know()
			var c *interpreter.Machine
			games, hidden, known, images, moved := sometimes(300, 20), 0, 0, 0, 0
			said := map[string]int{}
			var heard error
			m.Listen(recorderFunc(func(m *interpreter.Machine, r *interpreter.Record) {
				switch {
				case heard != nil:
				case r.Kind == interpreter.RecMove:
					heard = moveIsSeen(m, r)
				case r.Kind == interpreter.RecAction && r.Rule.Name != "follow" && r.Rule.Name != "low" && r.Public != r.Text:
					for c := range g.CountOf(theCards(m)) {
						if slices.Contains(strings.Fields(strings.ReplaceAll(r.Public, ",", "")), g.CardWord(theCards(m), c)) {
							heard = fmt.Errorf("%q is told as %q", r.Text, r.Public)
						}
					}
				case r.Kind == interpreter.RecAction && len(strings.Fields(r.Text)) > 1 && (r.Public != r.Text) == (r.Rule.Name == "follow" || r.Rule.Name == "low"):
					heard = fmt.Errorf("%q is told as %q", r.Text, r.Public)
				}
			}))
			for i := range games {
				m.Restart(interpreter.Setup{Seed: 12, Index: uint64(i)})
				m.AskChance = i%3 == 1
				r := interpreter.NewRand(12, uint64(i), interpreter.StreamPolicy)
				last := ""
				n, err := steps(m, &r, func(req interpreter.Request) error {
					if err := errors.Join(whole(m), heard); err != nil {
						return err
					}
					h, k, err := sure(m)
					if err != nil || req.Kind != interpreter.Decision {
						return err
					}
					hidden, known = hidden+h, known+k
					for _, seat := range []int{req.Seat, int(r.Below(uint64(seats)))} {
						images++
						var other bool
						if c, other, err = imagined(m, c, seat, seat == req.Seat, &r); err != nil {
							return err
						}
						if other {
							moved++
						}
					}
					return nil
				}, func(_ int, move string) {
					last = move
					said[strings.Fields(move)[0]]++
				})
				if err != nil {
					t.Fatalf("game %d, step %d, after %q: %v", i, n, last, err)
				}
			}
			t.Logf("%d games; of %d cards that a seat does not see it knows %d; %d games imagined, %d unlike the true one; moves %v", games, hidden, known, images, moved, said)
			if len(said) < 13 || moved*4 < images {
				t.Error("too little was done")
			}
			if err := loudAndQuick(g, 12, 0, 20); err != nil {
				t.Error(err)
			}
		})
	}
}
