package lexicon

import (
	"encoding/json"
	"slices"
	"strings"
)

// This file writes the keys of the language as a JSON Schema, which editors
// read: they complete keys, show what each is, and underline those that there are
// not. What stands in formulas and scripts only the checker knows.
//
// Wherever there is a choice, one word decides it (a file has `game` or
// `variant`), so that one typing mistake is one message; oneOf is not used.

// A node of a schema.
type node map[string]any

// Schema returns the JSON Schema (draft 2020-12) of rule files, indented.
func (b *Book) Schema(id string) []byte {
	w := &schemaWriter{book: b, defs: node{}}
	for _, t := range b.Things {
		if t.Path != "" {
			w.define(t)
		}
	}
	game, variant := w.top("a game"), w.top("a house rule")
	out := node{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         id,
		"title":       "A rule file of houserules",
		"description": "A game, or a house rule for one.",
		"type":        "object",
		"required":    []string{"houserules"},
		"if":          node{"required": []string{"game"}},
		"then":        game,
		"else":        variant,
		"$defs":       w.defs,
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		panic("lexicon: " + err.Error()) // nothing in it can fail
	}
	return append(data, '\n')
}

type schemaWriter struct {
	book *Book
	defs node
}

// plain is a path without what stands for names: "phases.actions".
func plain(path string) string {
	var out []string
	for _, s := range strings.Split(path, ".") {
		if s != strings.ToUpper(s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, ".")
}

// named reports whether a path ends in what stands for a name.
func named(path string) bool {
	last := path[strings.LastIndexByte(path, '.')+1:]
	return last == strings.ToUpper(last)
}

// ordered are the things whose order matters: a house rule says where its own go.
var ordered = map[string]bool{"params": true, "phases": true, "phases.actions": true, "phases.actions.require": true, "tables.rows": true,
	"scorers.combos": true, "scorers.knows": true, "incidents": true, "rank": true, "show": true}

// define makes the definition of a thing. Two things at one path are one: the
// keys of both may stand there.
func (w *schemaWriter) define(t *Thing) {
	name := plain(t.Path)
	if t.Path == "state.SCOPE.NAME" {
		name = "state.var"
	}
	def, _ := w.defs[name].(node)
	if def == nil {
		def = node{"description": capital(t.Name), "properties": node{}}
		w.defs[name] = def
	}
	keys := def["properties"].(node)
	for _, k := range t.Keys {
		keys[k.Name] = w.key(t, k)
	}
	if ordered[name] {
		keys["at"] = node{"type": "string", "description": "Where a house rule puts it: top, before NAME, after NAME."}
	}
	switch {
	case name == "state":
		def["type"] = []string{"object", "null"}
		def["additionalProperties"] = node{"type": []string{"object", "null"}, "additionalProperties": ref("state.var")}
		for k := range keys {
			keys[k] = def["additionalProperties"]
		}
	case t.Open != "" || def["additionalProperties"] == true || t.Path == "define.NAME": // which may be a lookup
		def["additionalProperties"] = true
	default:
		def["additionalProperties"] = false
	}
	if name != "state" {
		def["type"] = []string{"object", "null"}
		switch {
		case t.Name == "a script":
			def["type"] = []string{"object", "string", "null"}
		case t.Short != "" || named(t.Path):
			def["type"] = []string{"object", "string", "integer", "boolean", "array", "null"}
		}
	}
}

// key is the schema of what stands behind a key of a thing.
func (w *schemaWriter) key(t *Thing, k Key) node {
	out := node{}
	path := plain(t.Path + "." + k.Name)
	switch {
	case k.Value == "script":
		out = ref("phases.enter")
	case w.holds(path + ".NAME"):
		out = node{"type": []string{"object", "null"}, "additionalProperties": ref(path)}
	case k.Name == "offer":
		out = node{"type": []string{"object", "null"}, "additionalProperties": ref("phases.actions")}
	case t.Path == "opening" && w.holds(k.Name+".NAME"):
		out = node{"type": []string{"object", "null"}, "additionalProperties": ref(k.Name)}
	default:
		for name, v := range valueTypes(k.Value) {
			out[name] = v
		}
	}
	out["description"] = about(k)
	return out
}

// holds reports whether things stand at a path, names left out.
func (w *schemaWriter) holds(path string) bool {
	return slices.ContainsFunc(w.book.Things, func(t *Thing) bool { return named(t.Path) && plain(t.Path)+".NAME" == path })
}

// top is the top of a file: each section has its things.
func (w *schemaWriter) top(name string) node {
	keys := node{}
	for _, t := range w.book.Things {
		if t.Name != "a game" && t.Name != "a house rule" {
			continue
		}
		for _, k := range t.Keys {
			_, there := keys[k.Name]
			if t.Name == name || !there && name == "a game" && verb(k) { // of a game that extends another
				keys[k.Name] = w.section(t, k)
			}
		}
	}
	return node{"properties": keys, "additionalProperties": false}
}

// verb reports whether a key of house rules patches a game.
func verb(k Key) bool {
	return slices.Contains([]string{"add", "change", "adjust", "remove", "forbid", "waive", "before", "after", "set"}, k.Name)
}

func (w *schemaWriter) section(t *Thing, k Key) node {
	things := node{"type": []string{"object", "null"}, "description": about(k)}
	switch {
	case k.Name == "state", k.Name == "turns", k.Name == "opening", k.Name == "sheet", k.Name == "bots":
		return node{"$ref": "#/$defs/" + k.Name, "description": about(k)}
	case k.Name == "after":
		things["additionalProperties"] = ref("before")
	case k.Name == "require" && strings.Contains(t.Name, "house"):
		things["additionalProperties"] = node{"type": []string{"object", "null"}, "additionalProperties": ref("phases.actions.require")}
	case k.Name == "require":
		things["additionalProperties"] = ref("invariants")
	case k.Name == "ending":
		return ref("phases.enter")
	case k.Name == "players":
		return node{"type": []string{"integer", "string"}, "description": about(k)}
	case w.holds(k.Name + ".NAME"):
		things["additionalProperties"] = ref(k.Name)
	default:
		things = node{"description": about(k)}
		for name, v := range valueTypes(k.Value) {
			things[name] = v
		}
	}
	return things
}

func ref(name string) node { return node{"$ref": "#/$defs/" + name} }

func about(k Key) string {
	text := capital(k.About) + "."
	if k.Default != "" {
		text += " If nothing is said: " + k.Default + "."
	}
	return text
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// valueTypes are the types that a value may have, by how the lexicon describes
// it.
func valueTypes(value string) node {
	if words, ok := onlyWords(value); ok {
		return node{"enum": words}
	}
	var types []string
	add := func(list ...string) {
		for _, t := range list {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	for word, list := range map[string][]string{
		"map": {"object"}, "list": {"array"}, "lines": {"string", "array"}, "number": {"integer", "string"}, "sentence": {"string"},
		"words": {"string", "integer"}, "word": {"string"}, "id": {"string"},
	} {
		if strings.HasPrefix(value, word) || strings.Contains(value, "or a "+word) || strings.Contains(value, "or "+word) {
			add(list...)
		}
	}
	if len(types) == 0 || strings.Contains(value, ", or a list") || strings.Contains(value, "list of ids") {
		add("string", "integer", "boolean", "array", "object")
	}
	add("null")
	slices.Sort(types)
	return node{"type": types}
}

// onlyWords returns the words of a value that is one of a few.
func onlyWords(value string) (words []any, ok bool) {
	text := strings.NewReplacer(", or ", ", ", " or ", ", ").Replace(value)
	for _, w := range strings.Split(text, ", ") {
		if len(w) < 3 || w[0] != '`' || w[len(w)-1] != '`' || strings.ContainsAny(w, "{.") || w != strings.ToLower(w) {
			return nil, false
		}
		switch w = strings.Trim(w, "`"); w {
		case "1":
			words = append(words, 1)
		case "true":
			words = append(words, true, false)
		default:
			words = append(words, w)
		}
	}
	return words, true
}
