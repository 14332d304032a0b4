package repl

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file plays short random games of cards at one keyboard and reads every
// byte that is printed, as whoever looks at that moment does: no piece may be
// named that this seat has never seen, and no answer that is still hidden.

// A watcher is the screen. What stands there is looked through after each line
// that is typed: moves are told before their pieces have moved.
type watcher struct {
	s      *Session
	screen map[int]*bytes.Buffer // what each looker has read since then
	now    bytes.Buffer          // what stands on a terminal that can be cleared
}

func (w *watcher) Write(b []byte) (int, error) {
	text := string(b)
	if i := strings.LastIndex(text, clearScreen); i >= 0 {
		w.now.Reset()
		text = text[i+len(clearScreen):]
	}
	w.now.WriteString(text)
	looker := w.s.looker
	if w.screen[looker] == nil {
		w.screen[looker] = &bytes.Buffer{}
	}
	w.screen[looker].WriteString(text)
	return len(b), nil
}

// secretGame is one of the games.
type secretGame struct {
	t       *testing.T
	s       *Session
	w       *watcher
	seats   int
	known   []map[string]bool // by seat, the codes of pieces that it has seen; last, those that all have
	typed   []string
	pending map[int]bool // seats whose answers are hidden
	back    map[int]bool // seats that have taken something back
	codes   []string
	rand    interpreter.Rand
}

func TestNothingHiddenIsPrinted(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 200
	}
	modes := [][]string{nil, {"pirate-powers"}, {"loot", "kraken"}, {"rascals-bet"}, {"rascal-scoring", "white-whale"}, {"pirate-powers", "rascals-bet", "rascal-scoring"}}
	type table struct {
		mode, seats, cards int
	}
	made, programs := map[table]*interpreter.Game{}, map[[2]int]*dsl.Program{}
	pass := load(t, "../testdata/cards/pass.yaml", dsl.Options{})
	for i := range n {
		r := interpreter.NewRand(uint64(i), 0, 77)
		k := table{int(r.Below(uint64(len(modes)))), 2 + int(r.Below(7)), 1 + int(r.Below(3))}
		if made[k] == nil {
			of := [2]int{k.mode, k.cards}
			if programs[of] == nil {
				programs[of] = load(t, "skull-king", dsl.Options{Usual: true, With: modes[k.mode], Set: map[string]string{"hand_sizes": fmt.Sprintf("[%d]", k.cards), "tiebreak": "shared"}})
			}
			g, err := interpreter.New(programs[of], k.seats)
			if err != nil {
				t.Fatal(err)
			}
			made[k] = g
		}
		playSecretly(t, made[k], k.seats, uint64(i), r)
		if i%10 == 0 {
			g, err := interpreter.New(pass, 2+i/10%3)
			if err != nil {
				t.Fatal(err)
			}
			playSecretly(t, g, g.Seats(), uint64(i), r)
		}
		if t.Failed() {
			return
		}
	}
}

func playSecretly(t *testing.T, g *interpreter.Game, seats int, seed uint64, r interpreter.Rand) {
	var players []Player
	for i := range seats {
		p := Player{Name: []string{"Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"}[i]}
		if i > 1 && r.Below(4) == 0 {
			p.Bot = "random"
		}
		players = append(players, p)
	}
	w := &watcher{screen: map[int]*bytes.Buffer{}}
	cfg := Config{Game: g, Players: players, Worlds: 1, Header: interpreter.Header{Seed: seed}, Clear: r.Below(2) == 0, Echo: r.Below(2) == 0, Brief: r.Below(4) == 0, Plain: r.Below(4) == 0}
	s := NewSession(cfg, w)
	w.s = s
	x := &secretGame{t: t, s: s, w: w, seats: seats, pending: map[int]bool{}, back: map[int]bool{}, rand: r}
	for range seats + 1 {
		x.known = append(x.known, map[string]bool{})
	}
	x.name()
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	x.look()
	for n := 0; !s.Over() && n < 400 && !t.Failed(); n++ {
		x.line(x.choose())
	}
	if !s.Over() && !t.Failed() {
		t.Errorf("seed %d: the game does not end: %q", seed, x.typed)
	}
}

func (x *secretGame) family() *dsl.Family {
	for _, z := range x.s.match.Game().Program().Zones {
		return z.Family
	}
	return nil
}

// name notes what the pieces are called.
func (x *secretGame) name() {
	n := 0
	for _, z := range x.s.match.View(bystanders).Zones {
		n += z.Count
	}
	for p := range n {
		x.codes = append(x.codes, x.s.match.CardWords(x.family(), []int{p}))
	}
}

// choose thinks of a line: mostly a move, sometimes a question.
func (x *secretGame) choose() string {
	if x.s.covered {
		return []string{"", "", "", "log", "undo", "hand", "1", "zz"}[x.rand.Below(8)]
	}
	asks := []string{"hand", "log 200", "actions --all", "why", "why score", "score", "?", "undo", "undo 2", "redo", "why play", "zz", "play zz", "house", "seed", "hint", "fix 1 bid 0", "bid", "play"}
	if len(x.s.options) == 0 || x.rand.Below(4) == 0 {
		return asks[x.rand.Below(uint64(len(asks)))]
	}
	k := x.rand.Below(uint64(len(x.s.options)))
	if x.rand.Below(2) == 0 {
		return x.s.options[k].text
	}
	return fmt.Sprint(k + 1)
}

func (x *secretGame) line(line string) {
	req, _ := x.s.match.Advance()
	phase, entries, covered := x.s.match.Phase(), len(x.s.match.Journal.Entries), x.s.covered
	x.typed = append(x.typed, line)
	for _, b := range x.w.screen {
		b.Reset()
	}
	_ = x.s.OneShot(context.Background(), line) // what is refused is printed
	next, _ := x.s.match.Advance()
	switch {
	case !next.Sealed || x.s.match.Phase() != phase:
		x.pending = map[int]bool{}
	case len(x.s.match.Journal.Entries) > entries && req.Sealed && !covered && line != "redo":
		x.pending[req.Seat] = true
	case len(x.s.match.Journal.Entries) < entries:
		x.back[next.Seat] = true
		delete(x.pending, next.Seat)
	case line == "redo":
		x.pending = map[int]bool{}
	}
	x.look()
}

// icon is the sign of a house rule above the sheet, which may be a piece's too.
var icon = regexp.MustCompile(`\[[A-Z]+\]`)

var word = regexp.MustCompile(`[A-Za-z0-9:]+`)

// look reads what has been printed.
func (x *secretGame) look() {
	x.learn()
	for looker, b := range x.w.screen {
		x.read(looker, b.String())
	}
	if x.s.cfg.Clear {
		x.read(x.s.looker, x.w.now.String())
	}
	if x.s.covered || x.s.Over() {
		return
	}
	x.read(x.s.looker, strings.Join(x.s.Completions("play "), "\n"))
	x.read(x.s.looker, strings.Join(append(x.s.Completions("throw away "), x.s.Completions("pass ")...), "\n"))
}

func (x *secretGame) read(looker int, text string) {
	known := x.known[x.seats]
	if looker >= 0 {
		known = x.known[looker]
	}
	for _, w := range word.FindAllString(icon.ReplaceAllString(text, ""), -1) {
		for _, code := range x.codes {
			if w == code && !known[code] {
				x.t.Errorf("seed %d: seat %d reads %s, which it has never seen, after %q:\n%s", x.s.cfg.Header.Seed, looker, code, x.typed, text)
				return
			}
		}
	}
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimPrefix(line, "~ ")
		if name, private := strings.CutPrefix(line, "for "); private && (looker < 0 || !strings.HasPrefix(name, x.s.match.Name(looker)+":")) && strings.Contains(line, "highest card") {
			x.t.Errorf("seed %d: seat %d reads %q, after %q", x.s.cfg.Header.Seed, looker, line, x.typed)
		}
		for seat := range x.pending {
			if seat != looker && x.answers(line, x.s.match.Name(seat), looker) {
				x.t.Errorf("seed %d: seat %d reads %q while the answer is hidden, after %q", x.s.cfg.Header.Seed, looker, line, x.typed)
			}
		}
	}
}

// answers reports whether a line tells what somebody answers to the question
// that stands.
func (x *secretGame) answers(line, name string, looker int) bool {
	_, rest, found := strings.Cut(line, name+": ")
	if back, taken := strings.CutPrefix(line, "taken back: "); taken && !x.back[looker] {
		rest, found = back, true
	}
	for _, a := range x.s.match.Phase().Actions {
		if found && strings.HasPrefix(rest, words(a.Name)) {
			return true
		}
	}
	return false
}

// learn works out from all moves, by the zones alone, what each seat has seen.
func (x *secretGame) learn() {
	for _, r := range x.s.match.Log.Records {
		if r.Kind != interpreter.RecMove && r.Kind != interpreter.RecShow || r.Family == nil {
			continue
		}
		all := true
		for seat := range x.seats {
			sees := r.Kind == interpreter.RecShow && r.SeenBy>>uint(seat)&1 != 0
			for _, z := range []struct {
				zone *dsl.Zone
				of   int
			}{{r.Zone, r.Of}, {r.From, r.FromOf}} {
				sees = sees || z.zone != nil && (z.zone.Seen == dsl.SeenAll || z.zone.Seen == dsl.SeenOwner && z.of == seat)
			}
			if all = all && sees; sees {
				x.note(seat, r.Cards)
			}
		}
		if all {
			x.note(x.seats, r.Cards)
		}
	}
}

func (x *secretGame) note(seat int, pieces []int) {
	for _, p := range pieces {
		x.known[seat][x.s.match.CardWords(x.family(), []int{p})] = true
	}
}

// A test of the test: a screen that names what lies in another hand is found.
func TestSecretsAreFound(t *testing.T) {
	p := load(t, "skull-king", dsl.Options{Usual: true, Set: map[string]string{"hand_sizes": "[2]"}})
	g, err := interpreter.New(p, 3)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{screen: map[int]*bytes.Buffer{}}
	s := NewSession(Config{Game: g, Players: []Player{{Name: "Ann"}, {Name: "Bob"}, {Name: "Cat"}}}, w)
	w.s = s
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	inner := &testing.T{}
	x := &secretGame{t: inner, s: s, w: w, seats: 3}
	for range 4 {
		x.known = append(x.known, map[string]bool{})
	}
	x.name()
	x.look()
	if inner.Failed() {
		t.Error("the beginning is taken for a leak")
	}
	for _, z := range s.match.View(1).Zones {
		if z.Of == 1 && z.Seen && len(z.Cards) > 0 {
			x.read(0, "Bob holds "+z.Pieces)
		}
	}
	if !inner.Failed() {
		t.Error("the hand of Bob is not found on the screen of Ann")
	}
}
