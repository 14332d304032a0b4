package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

type newCommand struct {
	Kind  string `arg:"" help:"What is written: game, variant (a house rule) or test (a transcript)."`
	Name  string `arg:"" help:"Its name: small letters, digits and single hyphens."`
	For   string `help:"The game that a house rule or a test is for: an id or a file." placeholder:"GAME"`
	From  string `help:"A game that the new one is made from: an id or a file." placeholder:"GAME"`
	Dir   string `help:"The folder to write into." default:"." placeholder:"DIR"`
	Force bool   `help:"Write over a file that is there."`
}

// newKinds are the files that can be written.
var newKinds = []string{"game", "variant", "test"}

//go:embed starters/game.yaml
var starterGame string

// Run writes a file to begin with.
func (c *newCommand) Run(ctx context.Context, std streams) error {
	if err := c.valid(); err != nil {
		return err
	}
	n := &starter{lib: newShelf(), id: c.Name, path: filepath.Join(c.Dir, c.Name+".yaml")}
	if c.Kind == "test" {
		n.path = filepath.Join(c.Dir, c.Name+".txt")
	}
	if _, err := os.Lstat(n.path); err == nil && !c.Force {
		return taken(n.path)
	}
	if err := n.base(c.For+c.From, std); err != nil {
		return err
	}
	if c.Kind != "test" {
		if err := n.free(); err != nil {
			return err
		}
	}
	text, err := n.write(ctx, c.Kind)
	if err != nil {
		return err
	}
	if c.Kind != "test" {
		text = schemaLines(c.Dir) + text
	}
	if err := save(n.path, text, c.Force); err != nil {
		return err
	}
	std.printf("%s", n.path)
	std.printf("")
	for _, command := range n.next(c.Kind) {
		std.printf("  houserules %s", command)
	}
	return nil
}

var newName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// longestName is how many characters the name of a new file may have.
const longestName = 40

// valid tests what can be tested without files.
func (c *newCommand) valid() error {
	if !slices.Contains(newKinds, c.Kind) {
		msg := fmt.Sprintf("`%s` cannot be written; there are: %s", c.Kind, strings.Join(newKinds, ", "))
		if near := source.Nearest(c.Kind, newKinds); len(near) > 0 {
			msg = fmt.Sprintf("`%s` cannot be written; did you mean `%s`?", c.Kind, near[0])
		}
		return failf(exitUsage, "%s", msg)
	}
	if !newName.MatchString(c.Name) {
		return failf(exitUsage, "`%s` is no name for a file of rules: a name is small letters, digits and single hyphens, such as `%s`", c.Name, nameLike(c.Name))
	}
	if len(c.Name) > longestName {
		return failf(exitUsage, "`%s` is too long for a name: at most %d characters", c.Name, longestName)
	}
	switch {
	case c.Kind == "game" && c.For != "":
		return failf(exitUsage, "a game is not for another one; a game that is made from another is written with --from %s", quote(c.For))
	case c.Kind != "game" && c.From != "":
		return failf(exitUsage, "only a game is made from another one: write --for %s", quote(c.From))
	case c.Kind != "game" && c.For == "":
		return failf(exitUsage, "say which game it is for, as in `houserules new %s %s --for GAME`; `houserules games` lists them", c.Kind, c.Name)
	}
	return nil
}

// nameLike makes a name of what is none.
func nameLike(text string) string {
	words := regexp.MustCompile(`[a-z0-9]+`).FindAllString(strings.ToLower(text), -1)
	name := strings.TrimLeft(strings.Join(words, "-"), "-0123456789")
	if len(name) > longestName {
		name = name[:longestName]
	}
	if name = strings.Trim(name, "-"); name == "" {
		return "my-own"
	}
	return name
}

func taken(path string) error {
	return failf(exitCannot, "`%s` is there already: choose another name, or write over it with --force", path)
}

// save writes a file that was not there, or writes over one.
func save(path, text string, over bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if over {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return failf(exitCannot, "%s", createTrouble(path, err))
	}
	return nil
}

// starter is a file to begin with.
type starter struct {
	lib  *shelf
	id   string
	path string
	prog *dsl.Program // the game that it belongs to, nil for a game of its own
	file string       // the file of that game, "" if it comes with the program
}

// base loads the game that the file belongs to, if there is one.
func (n *starter) base(game string, std streams) error {
	if game == "" {
		n.lib.builtIn()
		return nil
	}
	id, err := n.lib.game(game, std)
	if err != nil {
		return err
	}
	if n.lib.diags.HasErrors() {
		return n.lib.broken(std)
	}
	if isPath(game) {
		n.file = game
	}
	n.prog, err = n.lib.load(id, dsl.Options{}, std)
	return err
}

// free tests that no game and no house rule has the id.
func (n *starter) free() error {
	for _, f := range n.lib.Files() {
		if f.ID != n.id {
			continue
		}
		what := "a game"
		if f.Kind != merge.KindGame {
			what = "a house rule for " + f.For
		}
		return failf(exitUsage, "`%s` is %s already: choose another name, such as `my-%s`", n.id, what, n.id)
	}
	return nil
}

// next are the commands to type next.
func (n *starter) next(kind string) []string {
	path := quote(n.path)
	both := path
	if n.file != "" {
		both = quote(n.file) + " " + path
	}
	game := n.file
	if n.prog != nil && game == "" {
		game = n.prog.Game
	}
	switch {
	case kind == "test":
		return []string{"test " + path, fmt.Sprintf("play %s --players %s --seed 1", quote(game), strings.Join(n.people(), ","))}
	case kind == "variant":
		return []string{"test " + both, fmt.Sprintf("play %s --with %s", quote(game), path)}
	case n.file != "":
		return []string{"check " + both, "test " + both}
	}
	return []string{"test " + both, "play " + path}
}

// write makes the text of the file.
func (n *starter) write(ctx context.Context, kind string) (string, error) {
	switch {
	case kind == "test":
		return n.transcript(ctx)
	case n.prog == nil:
		text := strings.Replace(starterGame, "game: NAME", "game: "+n.id, 1)
		text = strings.Replace(text, "title: TITLE", "title: "+n.title(), 1)
		return text, n.sound(text)
	}
	return n.patch(kind)
}

// game is what people call the game that the file belongs to.
func (n *starter) game() string {
	if n.prog.Title == "" {
		return n.prog.Game
	}
	return oneLine(n.prog.Title)
}

// title makes a title of the id.
func (n *starter) title() string {
	text := strings.ReplaceAll(n.id, "-", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// sound says why a text would not pass `check` and `test`; nil if it does.
func (n *starter) sound(text string) error {
	lib := newShelf()
	if n.file != "" {
		if _, err := lib.file(n.file, streams{}); err != nil {
			return err
		}
	}
	f := lib.Add(source.NewFile(filepath.ToSlash(n.path), text), &lib.diags)
	lib.builtIn()
	lib.neighbours()
	ds := slices.Clone(lib.diags)
	if f != nil {
		ds = append(ds, checkFile(lib, f, nil, nil)...)
	}
	if len(ds) > 0 {
		return failf(exitUsage, "`%s` cannot be the name here: %s; choose another name, such as `my-%s`", n.id, ds[0].Message, n.id)
	}
	game, variant := f.ID, ""
	if f.Kind != merge.KindGame {
		game, variant = f.For, f.ID
	}
	results, ds := interpreter.NewExampleRunner(lib.Library).Run(game, variant, nil)
	ok := len(ds) == 0 && len(results) > 0
	for _, r := range results {
		ok = ok && len(r.Failures) == 0
	}
	if !ok {
		return failf(exitCannot, "nothing was found that `%s` could change; begin with the chapter House rules of the reference", n.id)
	}
	return nil
}

// people are those who play in a transcript.
func (n *starter) people() []string { return interpreter.ExamplePlayers(n.prog) }

// transcript writes the first turn of the game.
func (n *starter) transcript(ctx context.Context) (string, error) {
	game := n.prog.Game
	if n.file != "" {
		from, err := filepath.Abs(filepath.Dir(n.path))
		if err != nil {
			return "", err
		}
		if game, err = filepath.Rel(from, place(n.file)); err != nil {
			game = place(n.file)
		}
		game = filepath.ToSlash(game)
		if !strings.Contains(game, "/") {
			game = "./" + game
		}
	}
	if most := len(n.people()); n.prog.MinPlayers > most {
		return "", failf(exitCannot, "a test is written for at most %d people, and %s needs %d", most, n.game(), n.prog.MinPlayers)
	}
	p, ds := dsl.Load(n.lib.Library, n.prog.Game, dsl.Options{Usual: true})
	if p == nil {
		return "", ds.Err()
	}
	head := fmt.Sprintf(`# The first turn of %s. Below the line --- stands what is printed, two blanks in,
# and who types what: NAME> MOVE. More lines that may stand here:
#   ! NAME> MOVE       a move that is refused; below it, two blanks in, refused by RULE
#   ? FORMULA          holds now
#   ...                any output, two blanks in
# With dice: [..] in place of seed, or -> below a move, what chance gives is written down.
# houserules test FILE --update writes the output anew.
game: %s
players: [%s]
seed: 1
---
`, n.game(), game, strings.Join(n.people(), ", "))
	text, err := repl.WriteFirstTurn(ctx, head, p)
	if err != nil {
		return "", failf(exitCannot, "the first turn cannot be written: %v", err)
	}
	return text, nil
}
