package repl

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
)

// A Player is who sits on a seat.
type Player struct {
	Name string
	Bot  string // kind of bot, "" for a person
}

// botKinds are the players that the program can be.
var botKinds = interpreter.BotNames

// DefaultPlayers is who plays if nobody is named, as ParsePlayers reads it: a
// person, and as many bots as the game needs, one at least if it is for several.
func DefaultPlayers(p *dsl.Program) string {
	n := max(p.MinPlayers, min(2, p.MaxPlayers))
	return "Player" + strings.Repeat(",bot:"+interpreter.BotGreedy.String(), n-1)
}

// DefaultHint tells who plays since nobody was named, and how to name somebody.
func DefaultHint(players int) string {
	switch players {
	case 1:
		return "you play alone; --players Ann gives you a name"
	case 2:
		return "you play against a bot; --players Ann,Bob seats people"
	}
	return fmt.Sprintf("you play against %d bots; --players Ann,Bob,bot:greedy seats people and bots", players-1)
}

// ParsePlayers reads a list such as "Ann,Bob,bot:random,Rob=bot:random". The
// error says what to write instead.
func ParsePlayers(text string) ([]Player, error) {
	var out []Player
	for _, item := range strings.Split(text, ",") {
		p, err := parsePlayer(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		if p.Name != "" && called(out, p.Name) {
			return nil, fmt.Errorf("two players are called %s: give each a name of their own", p.Name)
		}
		out = append(out, p)
	}
	for i := range out {
		if out[i].Name == "" {
			out[i].Name = botName(out, out[i].Bot)
		}
	}
	return out, nil
}

func called(players []Player, name string) bool {
	for _, p := range players {
		if strings.EqualFold(p.Name, name) {
			return true
		}
	}
	return false
}

// botName makes a name of one word for a bot that was given none.
func botName(players []Player, kind string) string {
	name := capital(kind)
	for n := 2; called(players, name); n++ {
		name = fmt.Sprintf("%s%d", capital(kind), n)
	}
	return name
}

func parsePlayer(item string) (Player, error) {
	name, kind, named := strings.Cut(item, "=")
	name = strings.TrimSpace(name)
	if !named {
		name, kind = "", item
		if !strings.HasPrefix(item, "bot:") {
			name, kind = item, ""
		}
	}
	if named || kind == "" {
		if err := checkName(name); err != nil {
			return Player{}, err
		}
	}
	if kind == "" && !named {
		return Player{Name: name}, nil
	}
	bot, isBot := strings.CutPrefix(strings.TrimSpace(kind), "bot:")
	if isBot && slices.Contains(botKinds, bot) {
		return Player{Name: name, Bot: bot}, nil
	}
	msg := fmt.Sprintf("there is no player of the kind `%s`; there are: bot:%s", clean(strings.TrimSpace(kind)), strings.Join(botKinds, ", bot:"))
	if near := source.Nearest(bot, botKinds); len(near) > 0 {
		msg += fmt.Sprintf(" (did you mean `bot:%s`?)", near[0])
	}
	return Player{}, fmt.Errorf("%s", msg)
}

// maxName is how many characters a name may have.
const maxName = 32

func checkName(name string) error {
	if name == "" {
		return fmt.Errorf("a player has no name: write the names with commas between them, as in Ann,Bob")
	}
	for _, r := range name {
		if r == '>' {
			return fmt.Errorf("the name `%s` has a `>`, which stands behind names: leave it out", clean(name))
		}
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the name `%s` has a character that cannot be shown", clean(name))
		}
	}
	if n := len([]rune(name)); n > maxName {
		return fmt.Errorf("the name `%s` is too long: at most %d characters", name, maxName)
	}
	return nil
}

// Names returns the names of players.
func Names(players []Player) []string {
	var out []string
	for _, p := range players {
		out = append(out, p.Name)
	}
	return out
}

// bots returns the kind of each player, nil if all are people.
func bots(players []Player) []string {
	out, any := make([]string, len(players)), false
	for i, p := range players {
		out[i] = p.Bot
		any = any || p.Bot != ""
	}
	if !any {
		return nil
	}
	return out
}

// Seated returns the players of a journal.
func Seated(h interpreter.Header) []Player {
	var out []Player
	for i, name := range h.Players {
		p := Player{Name: name}
		if i < len(h.Bots) && slices.Contains(botKinds, h.Bots[i]) {
			p.Bot = h.Bots[i]
		}
		out = append(out, p)
	}
	return out
}

// people counts the players who are no bots.
func people(players []Player) int {
	n := 0
	for _, p := range players {
		if p.Bot == "" {
			n++
		}
	}
	return n
}

// Seatable says why these players cannot play a game, "" if they can: a bot
// cannot tell what happens at a table of people.
func Seatable(g *interpreter.Game, players []Player) string {
	if AsksTable(g.Program()) && people(players) < len(players) {
		return fmt.Sprintf("%s asks people at a table what has happened there, which no bot can tell: name people only", g.Program().Title)
	}
	return ""
}

// newBots gives each seat the stream that its bot draws from, of which it has
// one whether or not a bot sits there.
func newBots(seats int, seed, index uint64) []interpreter.Rand {
	out := make([]interpreter.Rand, seats)
	for i := range out {
		out[i] = interpreter.NewRand(seed, index, interpreter.StreamPolicy+uint64(i))
	}
	return out
}
