// Package lexicon has the types that describe the language of rule files: the
// keys of its maps, and entries for statements, functions and the like. What
// they hold stands where it is declared: a key beside the code that reads it.
// [dsl.Lexicon] puts all of it together.
package lexicon

import (
	"slices"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

// Must stands for the default of a key that must be there.
const Must = "must be there"

// A Key is one key that a map may have.
type Key struct {
	Name    string
	Value   string // what stands behind it: "formula", "sentence", "map by name"
	Default string // Must, what holds if nothing is said, or ""
	About   string // what it is, in one sentence without a full stop
}

// A Thing is a kind of map in rule files.
type Thing struct {
	Name  string // as messages call it: "a param"
	Path  string // where it stands: "params.NAME"
	Short string // the key that a bare value stands for, or ""
	Keys  []Key
	// Open says what else may stand there, whose names nobody knows beforehand.
	Open string
}

// Known lists the keys of a thing.
func (t *Thing) Known() []string { return Names(t.Keys) }

// Names lists the names of keys.
func Names(keys []Key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.Name
	}
	return out
}

// With puts lists of keys behind each other; of keys with the same name the
// first stands.
func With(lists ...[]Key) []Key {
	var out []Key
	for _, l := range lists {
		for _, k := range l {
			if !slices.ContainsFunc(out, func(o Key) bool { return o.Name == k.Name }) {
				out = append(out, k)
			}
		}
	}
	return out
}

// The keys that nearly every named thing has.
var (
	Title = Key{"title", "words", "its name, with blanks for underscores", "what people call it"}
	Rule  = Key{"rule", "sentence", "", "explains it to people"}
	From  = Key{"from", "id, or a list", "", "the printed rules that it carries out, by their ids in `book` and `answers`"}
	Named = []Key{Title, Rule, From}
)

// An Entry is a statement, a function, an operator or another word.
type Entry struct {
	Name  string   // `forbid`, `count`
	Forms []string // how it is written, with placeholders in capitals
	About string   // in one sentence without a full stop
}

// A Group is the entries of one kind.
type Group struct {
	Name    string // of one of them: "statement"
	Title   string // of all of them: "Statements"
	About   string // a paragraph
	Entries []Entry
}

// A Book is the whole language.
type Book struct {
	Things  []*Thing
	Groups  []Group
	Grammar string // of scripts and formulas
}

// A Found is what a word means in one place: an entry of a group, a thing, or a
// key of things.
type Found struct {
	Group *Group // with Entry
	Entry *Entry
	Thing *Thing
	Key   *Key
	Of    []*Thing // of Key: the things that have this very key
}

// Find looks up everything that a word means. A section means what stands in it
// too: `params` is a key of games, and its entries are things. A word with a dot
// is a key of some things: `params.default`.
func (b *Book) Find(word string) (out []Found) {
	for i := range b.Groups {
		g := &b.Groups[i]
		for k := range g.Entries {
			if e := &g.Entries[k]; e.Name == word || strings.HasPrefix(e.Name, word+" ") {
				out = append(out, Found{Group: g, Entry: e})
			}
		}
	}
	out = append(out, b.keys(word)...)
	for _, t := range b.Things {
		if t.bare() == word || t.Path != "" && (t.Path == word || t.Path == word+".NAME") {
			out = append(out, Found{Thing: t})
		}
	}
	return out
}

// keys finds the keys that a word means; those that are alike are one.
func (b *Book) keys(word string) (out []Found) {
	of, name, dotted := cutLast(word)
	for _, t := range b.Things {
		if dotted && !t.within(of) {
			continue
		}
		i := slices.IndexFunc(t.Keys, func(k Key) bool { return k.Name == name })
		if i < 0 {
			continue
		}
		n := slices.IndexFunc(out, func(f Found) bool { return *f.Key == t.Keys[i] })
		if n < 0 {
			out, n = append(out, Found{Key: &t.Keys[i]}), len(out)
		}
		out[n].Of = append(out[n].Of, t)
	}
	return out
}

// Near lists words that are like one that means nothing, at most four.
func (b *Book) Near(word string) []string {
	near := source.Nearest(word, b.All())
	return near[:min(len(near), 4)]
}

// All lists every word that has a meaning, sorted.
func (b *Book) All() []string {
	var out []string
	for _, g := range b.Groups {
		for _, e := range g.Entries {
			out = append(out, e.Name)
		}
	}
	for _, t := range b.Things {
		out = append(append(out, t.bare()), t.Known()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bare is the name of a thing as one looks it up.
func (t *Thing) bare() string {
	name := strings.TrimPrefix(strings.TrimPrefix(t.Name, "a "), "an ")
	return strings.Trim(name, "`")
}

// within reports whether the last names of a path are these, with or without
// placeholders.
func (t *Thing) within(of string) bool {
	plain := slices.DeleteFunc(strings.Split(t.Path, "."), func(s string) bool { return s == strings.ToUpper(s) })
	path := "." + strings.Join(plain, ".")
	return t.bare() == of || t.Path == of || of != "" && strings.HasSuffix(path, "."+of)
}

func cutLast(word string) (of, name string, dotted bool) {
	i := strings.LastIndexByte(word, '.')
	if i <= 0 || i == len(word)-1 {
		return "", word, false
	}
	return word[:i], word[i+1:], true
}
