package merge

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

// The kinds of files.
const (
	KindGame    = "game"
	KindVariant = "variant"
	KindPart    = "part" // a variant that is only brought in by others
)

// A File is a rule file whose head has been read.
type File struct {
	Kind    string // KindGame, KindVariant or KindPart
	ID      string
	For     string // of variants: the game
	Extends string // of games: the game it is made from, or ""
	Title   string
	About   string
	Icon    string   // of variants: a short sign
	Tags    []string // of variants: words to sort them by
	Src     *source.File
	Root    *yamltree.Node // the whole file, a map; of a file read by ReadTop the top of it, until Whole

	IDSpan      source.Span // of the id in the head
	ForSpan     source.Span // of the id after `for`
	ExtendsSpan source.Span // of the id after `extends`

	later *later      // of a file that ReadTop has read; nil for one that is read whole
	found source.List // what reading the rest of it has found
}

var (
	idPattern   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// The top-level keys of files, each with what it is.
var (
	topOfFile = []lexicon.Key{
		{Name: "houserules", Value: "`1`", Default: lexicon.Must, About: "the version of the language that the file is written in"},
		{Name: "title", Value: "words", Default: "the id", About: "what people call it"},
		{Name: "about", Value: "words", About: "what it is, in a sentence"},
		{Name: "players", Value: "number, or `2..6`", About: "how many can play; a game must say it, a house rule may narrow it"},
		{Name: "book", Value: "map by id", About: "the sentences of the printed rules"},
		{Name: "answers", Value: "map by id", About: "what we say to questions that the print leaves open"},
		{Name: "examples", Value: "map by name", About: "worked cases that are tested"},
	}
	topOfGame = []lexicon.Key{
		{Name: "game", Value: "id", Default: lexicon.Must, About: "the id of the game"},
		{Name: "extends", Value: "id", About: "the game that this one is made from; it then has the verbs of house rules too"},
		{Name: "usual", Value: "list of ids", About: "house rules that are in force unless somebody switches them off"},
	}
	topOfVariant = []lexicon.Key{
		{Name: "variant", Value: "id", Default: lexicon.Must, About: "the id of the house rule"},
		{Name: "part", Value: "id", About: "in place of `variant`: a house rule that is only brought in by others"},
		{Name: "for", Value: "id", Default: lexicon.Must, About: "the game that it is for"},
		{Name: "icon", Value: "at most 12 characters", About: "a short sign for it, for sheets and lists"},
		{Name: "tags", Value: "list of words", About: "words to sort house rules by"},
	}
	sectionKeys = []lexicon.Key{
		{Name: "params", Value: "map by name", About: "what a table may choose before the game"},
		{Name: "require", Value: "map by name", About: "conditions on params and the number of people, tested before a game starts"},
		{Name: "pieces", Value: "map by name", About: "families of pieces: dice, cards, coins"},
		{Name: "zones", Value: "map by name", About: "places where pieces lie"},
		{Name: "scopes", Value: "map by name", About: "stretches of play, such as a round, that start afresh by `start`"},
		{Name: "state", Value: "map of blocks", About: "what a game remembers, by the stretch of play that it belongs to"},
		{Name: "seats", Value: "map by name", About: "ghosts: seats at which nobody sits"},
		{Name: "turns", Value: "map", About: "where turns begin, and which way round they go"},
		{Name: "define", Value: "map by name", About: "names for formulas"},
		{Name: "tables", Value: "map by name", About: "decision tables: a value, or a piece, found row by row"},
		{Name: "scorers", Value: "map by name", About: "what pieces are worth together"},
		{Name: "opening", Value: "map", About: "a small program before the game: who begins, and by which house rules"},
		{Name: "events", Value: "map by name", About: "named things that happen, and what people are told"},
		{Name: "phases", Value: "map by name", Default: "a game must have some", About: "what happens, one after the other, and what is asked"},
		{Name: "incidents", Value: "map by name", About: "what may happen to a throw in place of faces"},
		{Name: "ending", Value: "script", About: "runs once when the game is over"},
		{Name: "rank", Value: "map by name", About: "who wins: keys, the most important one first"},
		{Name: "records", Value: "map by name", About: "what of a finished game is worth keeping"},
		{Name: "sheet", Value: "map", About: "the score sheet"},
		{Name: "show", Value: "map by name", About: "lines above the prompt"},
		{Name: "invariants", Value: "map by name", About: "conditions that must hold whenever somebody decides"},
		{Name: "bots", Value: "map", About: "what players that are programs can do"},
		{Name: "advice", Value: "map by action", About: "how good moves are, for players that are programs"},
		{Name: "metrics", Value: "map by name", About: "what simulations count"},
	}
	verbKeys = []lexicon.Key{
		{Name: "add", Value: "map by path", About: "adds a new name to the game, or words to a list"},
		{Name: "change", Value: "map by path", About: "another value for what is there"},
		{Name: "adjust", Value: "map by path", About: "a formula over `it`, the value as it was"},
		{Name: "remove", Value: "list of paths", About: "takes things out"},
		{Name: "forbid", Value: "map by action", About: "conditions under which an action is refused"},
		{Name: "require", Value: "map by action", About: "named guards on an action"},
		{Name: "waive", Value: "map by action", About: "lifts the guards that house rules put on an action"},
		{Name: "before", Value: "map by moment", About: "what happens, or is asked, before a phase, an action, an event or a combination"},
		{Name: "after", Value: "map by moment", About: "what happens, or is asked, after a phase, an action, an event or a combination"},
		{Name: "set", Value: "map by param", About: "values of params"},
		{Name: "with", Value: "list of ids", About: "brings other house rules in"},
		{Name: "without", Value: "list of ids", About: "keeps other house rules out"},
		{Name: "needs", Value: "list of ids", About: "brings other house rules in, and sees their names bare"},
		{Name: "excludes", Value: "map by id", About: "house rules that this one cannot be played with, and why"},
		{Name: "in", Value: "map by game", About: "patches for exactly this one of the games that extend each other"},
	}
)

// Things are the tops of files.
var Things = []*lexicon.Thing{
	{Name: "a game", Keys: lexicon.With(topOfFile[:1], topOfGame, topOfFile, sectionKeys)},
	{Name: "a house rule", Keys: lexicon.With(topOfFile[:1], topOfVariant, topOfFile, verbKeys, among(sectionKeys, ownSections))},
}

// The names of these keys. sections hold what a game is made of and can be
// patched; ownSections are those that a variant may have for itself.
var (
	headKeys    = lexicon.Names(topOfFile)
	verbs       = lexicon.Names(verbKeys)
	sections    = union(lexicon.Names(sectionKeys), words("book answers"))
	ownSections = words("params pieces zones scopes state seats define tables scorers events phases incidents show invariants advice metrics")
	gameKeys    = union(headKeys, sections, lexicon.Names(topOfGame))
	variantKeys = union(headKeys, ownSections, verbs, lexicon.Names(topOfVariant))
)

// among keeps the keys with these names.
func among(keys []lexicon.Key, names []string) []lexicon.Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k lexicon.Key) bool { return !has(names, k.Name) })
}

func words(s string) []string { return strings.Fields(s) }

func union(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		for _, w := range l {
			if !has(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func has(list []string, w string) bool {
	for _, x := range list {
		if x == w {
			return true
		}
	}
	return false
}

// ReadHead parses a file and reads its head. It returns nil if the head does
// not even say what the file is; every other finding leaves a usable File.
func ReadHead(src *source.File, ds *source.List) *File {
	root, found := yamltree.Parse(src)
	*ds = append(*ds, found...)
	if root == nil {
		return nil
	}
	if root.Kind != yamltree.Map || len(root.Pairs) == 0 {
		ds.Errorf("E0301", root.Span, "a rule file is a map that begins with `houserules: 1`").
			WithHelp("begin with the lines `houserules: 1` and `game: my-dice`")
		return nil
	}
	f := &File{Src: src, Root: root}
	checkVersion(root, ds)
	if !f.readKind(ds) {
		return nil
	}
	f.Title, f.About = text(root, "title", ds), text(root, "about", ds)
	f.readOrigin(ds)
	f.readSigns(ds)
	f.checkKeys(ds)
	return f
}

func checkVersion(root *yamltree.Node, ds *source.List) {
	switch p := root.Pair("houserules"); {
	case p == nil:
		ds.Errorf("E0301", root.Pairs[0].Key.Span, "the file does not begin with `houserules: 1`").
			WithHelp("put the line `houserules: 1` first")
	case p.Value.Kind != yamltree.Scalar || p.Value.Text != "1":
		ds.Errorf("E0301", p.Value.Span, "this version of houserules reads files that say `houserules: 1`").
			WithHelp("write `houserules: 1`; a higher number needs a newer program")
	}
}

// readKind finds the one of `game`, `variant` and `part` that the file has.
func (f *File) readKind(ds *source.List) bool {
	for _, kind := range []string{KindGame, KindVariant, KindPart} {
		p := f.Root.Pair(kind)
		if p == nil {
			continue
		}
		if f.Kind != "" {
			ds.Errorf("E0301", p.Key.Span, "a file is either a `%s` or a `%s`", f.Kind, kind).
				WithHelp("keep one of the two lines")
			continue
		}
		f.Kind = kind
		f.ID, f.IDSpan = readID(p, kind, ds)
	}
	if f.Kind == "" {
		ds.Errorf("E0301", f.Root.Pairs[0].Key.Span, "the file does not say what it is").
			WithHelp("write `game: ID`, or `variant: ID` and `for: GAME`")
	}
	return f.ID != ""
}

// readID returns the id that a head key holds, "" if there is none.
func readID(p *yamltree.Pair, what string, ds *source.List) (string, source.Span) {
	v := p.Value
	if v.Kind != yamltree.Scalar || v.Text == "" {
		ds.Errorf("E0114", p.Key.Span, "`%s` needs an id", what).
			WithHelp("ids are small letters, digits and single hyphens: `%s: my-dice`", what)
		return "", p.Key.Span
	}
	if !idPattern.MatchString(v.Text) {
		d := ds.Errorf("E0119", v.Span, "`%s` is not an id", v.Text).
			WithHelp("ids are small letters, digits and single hyphens, such as `extra-turn`")
		if fixed := strings.ReplaceAll(strings.ToLower(v.Text), "_", "-"); idPattern.MatchString(fixed) {
			d.Help[0] = "write `" + fixed + "`: ids have hyphens, names inside a file have underscores"
			d.WithEdit(v.Span, fixed)
		}
	}
	return v.Text, v.Span
}

func (f *File) readOrigin(ds *source.List) {
	if f.Kind == KindGame {
		if p := f.Root.Pair("extends"); p != nil {
			f.Extends, f.ExtendsSpan = readID(p, "extends", ds)
		}
		return
	}
	p := f.Root.Pair("for")
	if p == nil {
		ds.Errorf("E0301", f.IDSpan, "%s `%s` does not say which game it is for", f.Kind, f.ID).
			WithHelp("add the line `for: GAME`")
		return
	}
	f.For, f.ForSpan = readID(p, "for", ds)
}

// maxIcon is the most characters that an icon has.
const maxIcon = 12

// readSigns reads the icon and the tags of a variant.
func (f *File) readSigns(ds *source.List) {
	if f.Kind == KindGame {
		return
	}
	if f.Icon = text(f.Root, "icon", ds); utf8.RuneCountInString(f.Icon) > maxIcon {
		ds.Errorf("E0331", f.Root.Get("icon").Span, "an icon has at most %d characters", maxIcon)
	}
	for _, n := range scalars(f.Root.Get("tags"), "tags", ds) {
		f.Tags = append(f.Tags, n.Text)
	}
}

// text returns a text of the head, "" if it is not there.
func text(root *yamltree.Node, key string, ds *source.List) string {
	v := root.Get(key)
	if v == nil {
		return ""
	}
	if v.Kind != yamltree.Scalar {
		ds.Errorf("E0115", v.Span, "`%s` must be a text, not %s", key, v.Kind)
		return ""
	}
	return v.Text
}

// known returns the top-level keys that a file of this kind may have.
func (f *File) known() []string {
	switch {
	case f.Kind != KindGame:
		return variantKeys
	case f.Extends != "":
		return union(gameKeys, verbs)
	default:
		return gameKeys
	}
}

func (f *File) checkKeys(ds *source.List) {
	known := f.known()
	for _, p := range f.Root.Pairs {
		key := p.Key.Text
		if has(known, key) || key == KindGame || key == KindVariant || key == KindPart {
			continue
		}
		d := ds.Errorf("E0103", p.Key.Span, "unknown key `%s` at the top of a %s", key, f.Kind)
		switch {
		case f.Kind == KindGame && has(verbs, key):
			d.WithHelp("only a variant, or a game that `extends` another, patches with `%s`", key)
		case f.Kind != KindGame && has(gameKeys, key):
			d.WithHelp("only a game has `%s`; a variant reaches it with `change: {%s: ..}` or `add`", key, key)
		default:
			if suggest(d, p.Key.Span, key, known); len(d.Help) == 0 && f.Kind == KindGame {
				d.WithHelp("the parts of a game are %s", strings.Join(sections, ", "))
			}
		}
	}
}

// suggest adds a did-you-mean to a diagnostic if something is close.
func suggest(d *source.Diagnostic, span source.Span, word string, among []string) *source.Diagnostic {
	near := source.Nearest(word, among)
	if len(near) == 0 {
		return d
	}
	for i, w := range near {
		near[i] = "`" + w + "`"
	}
	d.WithHelp("did you mean %s?", strings.Join(near, " or "))
	if len(near) == 1 {
		d.WithEdit(span, strings.Trim(near[0], "`"))
	}
	return d
}

// Changes reports whether a variant says anything but what it is, and what
// belongs to it in print.
func (f *File) Changes() bool {
	for _, p := range f.Root.Pairs {
		if name := p.Key.Text; name == "players" || !has(headKeys, name) && !has(words("variant part for icon tags"), name) {
			return true
		}
	}
	return false
}
