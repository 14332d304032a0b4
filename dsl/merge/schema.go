package merge

import "github.com/houserules/houserules/dsl/yamltree"

// A Kind says what a path leads to, as far as merging cares.
type Kind uint8

// The kinds of things that paths lead to.
const (
	Other Kind = iota // a leaf or a filler key
	Section
	Param
	Family
	Attr
	Zone
	Scope
	StateScope
	StateVar
	Define
	Scorer
	Know
	Combo
	Event
	Phase
	Action
	GuardThing
	Incident
	RankKey
	ShowLine
	RecordThing
	PieceKind
	PieceAttr // of pieces with kinds
	Mark
	Table
	Row
	Ghost
	AdviceThing
	MetricThing
)

// byName names the sections that are maps of named things, with what they hold.
var byName = map[string]Kind{
	"params": Param, "pieces": Family, "zones": Zone, "scopes": Scope, "state": StateScope,
	"define": Define, "scorers": Scorer, "events": Event, "phases": Phase, "incidents": Incident,
	"tables": Table, "seats": Ghost,
	"rank": RankKey, "records": RecordThing, "show": ShowLine, "invariants": GuardThing, "require": GuardThing,
	"advice": AdviceThing, "metrics": MetricThing,
}

// inside names the maps of named things that stand inside a thing.
var inside = map[Kind]map[string]Kind{
	Scorer: {"combos": Combo, "knows": Know},
	Phase:  {"actions": Action},
	Action: {"require": GuardThing},
	Family: {"kinds": PieceKind, "attributes": PieceAttr},
	Zone:   {"marks": Mark},
	Table:  {"rows": Row},
}

// shorthand is the key that a bare value stands for.
var shorthand = map[Kind]string{
	Phase: "enter", Action: "do", Event: "do", Define: "is", GuardThing: "that", Know: "value", ShowLine: "text",
	PieceAttr: "default", Mark: "type", Row: "gives", Ghost: "when",
	AdviceThing: "value", MetricThing: "of",
}

// notAttr are the keys of a family that are no attributes.
var notAttr = map[string]bool{"count": true, "faces": true, "kinds": true, "attributes": true, "rule": true, "title": true, "from": true}

// ordered are the maps whose order matters; what is added to them may say `at`.
var ordered = map[string]bool{
	"rank": true, "rows": true, "combos": true, "phases": true, "actions": true,
	"require": true, "show": true, "knows": true, "incidents": true, "params": true,
}

// listable are the keys whose value may be one word or a list of them.
var listable = map[string]bool{"from": true, "spoils": true, "tell_apart": true, "match": true}

// kindOf says what the keys of a path from the top lead to.
func kindOf(keys []string) Kind {
	switch len(keys) {
	case 0:
		return Other
	case 1:
		return Section
	case 2:
		return byName[keys[0]]
	}
	switch top := byName[keys[0]]; {
	case top == StateScope && len(keys) == 3:
		return StateVar
	case top == Family && len(keys) == 3 && !notAttr[keys[2]]:
		return Attr
	case len(keys) == 4:
		return inside[top][keys[2]]
	case len(keys) == 6 && top == Phase && keys[2] == "actions" && keys[4] == "require":
		return GuardThing
	}
	return Other
}

// creatable reports whether a filler map that is not there yet may be made so
// that something can be added to it: `actions` of a phase that asks nothing.
func creatable(keys []string) bool {
	switch n := len(keys); n {
	case 0:
		return false
	case 1:
		return byName[keys[0]] != Other || has(creatableToo, keys[0])
	case 2:
		return keys[0] == "state"
	default:
		last, parent := keys[n-1], kindOf(keys[:n-1])
		return inside[parent][last] != Other || parent == Action && last == "pick" ||
			parent == Combo && (last == "like" || last == "letters")
	}
}

// opened returns a thing as a map: a bare value becomes the key it stands for.
// Values that stand for nothing come back as they are.
func opened(n *yamltree.Node, kind Kind) *yamltree.Node {
	if n == nil || n.Kind == yamltree.Map {
		return n
	}
	if key := shorthand[kind]; key != "" {
		if n.Empty {
			return &yamltree.Node{Kind: yamltree.Map, Span: n.Span}
		}
		return mapOf(key, n)
	}
	if n.Empty {
		return &yamltree.Node{Kind: yamltree.Map, Span: n.Span}
	}
	return n
}

// eachName calls f for every named thing under the sections of a root, with
// the keys that lead to it.
func eachName(root *yamltree.Node, f func(keys []string, node *yamltree.Node)) {
	if root == nil || root.Kind != yamltree.Map {
		return
	}
	for _, p := range root.Pairs {
		if byName[keyName(p.Key.Text)] != Other {
			eachNameIn([]string{keyName(p.Key.Text)}, p.Value, f)
		}
	}
}

// eachNameIn calls f for the named things in a container or thing at keys.
func eachNameIn(keys []string, n *yamltree.Node, f func(keys []string, node *yamltree.Node)) {
	n = opened(n, kindOf(keys))
	if n == nil || n.Kind != yamltree.Map || len(keys) > 6 {
		return
	}
	kind := kindOf(keys)
	for _, p := range n.Pairs {
		sub := append(keys[:len(keys):len(keys)], keyName(p.Key.Text))
		switch k := kindOf(sub); {
		case k != Other:
			f(sub, p.Value)
			eachNameIn(sub, p.Value, f)
		case inside[kind][p.Key.Text] != Other:
			eachNameIn(sub, p.Value, f)
		}
	}
}

// creatableToo are the sections that are maps, but not of named things.
var creatableToo = []string{"book", "answers", "turns", "bots"}
