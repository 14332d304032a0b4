package dsl

import (
	"maps"
	"slices"
	"sort"

	"github.com/houserules/houserules/dsl/merge"
	"github.com/houserules/houserules/dsl/source"
)

// A Library holds rule files by what they say they are. It is filled once and
// then only read; reading is safe from any goroutine.
type Library struct {
	games    map[string]*merge.File
	variants map[string]map[string]*merge.File // by game, then id
	order    []*merge.File
}

// NewLibrary returns an empty library.
func NewLibrary() *Library {
	return &Library{games: map[string]*merge.File{}, variants: map[string]map[string]*merge.File{}}
}

// Add reads the head of a file and files it as a game or a variant. It returns
// what the file is, or nil if its head does not say.
func (l *Library) Add(f *source.File, ds *source.List) *merge.File {
	head := merge.ReadHead(f, ds)
	if head == nil {
		return nil
	}
	l.file(head, ds)
	return head
}

// AddLater is Add for a file that is known to be sound: it is read when it is
// first asked for.
func (l *Library) AddLater(f *source.File, ds *source.List) *merge.File {
	head := merge.ReadTop(f)
	if head == nil {
		return l.Add(f, ds)
	}
	l.file(head, ds)
	return head
}

// file puts a file on its shelf, unless another has its id.
func (l *Library) file(head *merge.File, ds *source.List) {
	shelf := l.games
	if head.Kind != merge.KindGame {
		if shelf = l.variants[head.For]; shelf == nil {
			shelf = map[string]*merge.File{}
			l.variants[head.For] = shelf
		}
	}
	if old := shelf[head.ID]; old != nil {
		ds.Errorf("E0223", head.IDSpan, "the id `%s` is taken", head.ID).
			WithRelated(old.IDSpan, "%s has it", old.Src.Name)
		return
	}
	shelf[head.ID] = head
	l.order = append(l.order, head)
}

// With returns a library with another text of one of the files of this one,
// which has the id of that one and stands in its place. It returns nil if there is
// no such file, or its text cannot be read. The library itself stays as it is.
func (l *Library) With(src *source.File) *Library {
	var ds source.List
	head := merge.ReadHead(src, &ds)
	if head == nil || ds.HasErrors() {
		return nil
	}
	out := &Library{games: maps.Clone(l.games), variants: maps.Clone(l.variants), order: slices.Clone(l.order)}
	old := l.games[head.ID]
	if head.Kind == merge.KindGame {
		out.games[head.ID] = head
	} else {
		old = l.variants[head.For][head.ID]
		out.variants[head.For] = maps.Clone(l.variants[head.For])
		if old != nil {
			out.variants[head.For][head.ID] = head
		}
	}
	i := slices.Index(out.order, old)
	if old == nil || i < 0 {
		return nil
	}
	out.order[i] = head
	return out
}

// Files returns what was added, in that order.
func (l *Library) Files() []*merge.File {
	for _, f := range l.order {
		f.Whole()
	}
	return l.order
}

// Game returns the file of a game, or nil.
func (l *Library) Game(id string) *merge.File { return l.games[id].Whole() }

// Variant returns the file of a variant for a game or for one that the game
// extends; failing that, a variant of that id for any game, so that merging
// can say whose it is. It returns nil if there is none.
func (l *Library) Variant(game, id string) *merge.File {
	for _, g := range l.chain(game) {
		if f := l.variants[g][id]; f != nil {
			return f.Whole()
		}
	}
	for _, g := range sortedKeys(l.variants) {
		if f := l.variants[g][id]; f != nil {
			return f.Whole()
		}
	}
	return nil
}

// chain lists a game and what it extends.
func (l *Library) chain(game string) []string {
	out := []string{game}
	for f := l.games[game]; f != nil && f.Extends != "" && len(out) < 16; f = l.games[f.Extends] {
		out = append(out, f.Extends)
	}
	return out
}

// Sources returns the texts of a game, of what it extends, and of all variants
// for them, whether or not they are in force.
func (l *Library) Sources(game string) []*source.File {
	var out []*source.File
	for _, g := range l.chain(game) {
		if f := l.games[g]; f != nil {
			out = append(out, f.Src)
		}
		for _, id := range sortedKeys(l.variants[g]) {
			out = append(out, l.variants[g][id].Src)
		}
	}
	return out
}

// Games returns the games, by id. Of those that were added to be read later
// there is no more than the top.
func (l *Library) Games() []*merge.File {
	var out []*merge.File
	for _, id := range sortedKeys(l.games) {
		out = append(out, l.games[id])
	}
	return out
}

// VariantIDs returns the ids of the variants for a game, parts included.
func (l *Library) VariantIDs(game string) []string {
	var out []string
	seen := map[string]bool{}
	for _, g := range l.chain(game) {
		for id := range l.variants[g] {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	sort.Strings(out)
	return out
}

// VariantsOf returns the variants for a game that people can choose, by id. Of
// those that were added to be read later there is no more than the top.
func (l *Library) VariantsOf(game string) []*merge.File {
	var out []*merge.File
	chain := l.chain(game)
	for _, id := range l.VariantIDs(game) {
		for _, g := range chain {
			if f := l.variants[g][id]; f != nil {
				if f.Kind == merge.KindVariant {
					out = append(out, f)
				}
				break
			}
		}
	}
	return out
}

// Usual returns the variants that a game puts in force by itself.
func (l *Library) Usual(game string) []string {
	f := l.games[game]
	if f == nil {
		return nil
	}
	n := f.Root.Get("usual")
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range n.Items {
		out = append(out, item.Text)
	}
	if len(n.Items) == 0 && n.Text != "" {
		out = append(out, n.Text)
	}
	return out
}
