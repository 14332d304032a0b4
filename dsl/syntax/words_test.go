package syntax

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/lexicon"
	"github.com/houserules/houserules/dsl/source"
)

// sampleOf writes something in place of the capitals of a form.
func sampleOf(form string) string {
	form = strings.ReplaceAll(form, "{ .. }", "{ again }")
	return regexp.MustCompile(`[A-Z]{2,}`).ReplaceAllStringFunc(form, func(w string) string {
		switch w {
		case "PLACE":
			return "me.score"
		case "NUMBER":
			return "3"
		}
		return strings.ToLower(w)
	})
}

// Every form of a statement, pick, type and operator is one.
func TestFormsOfWords(t *testing.T) {
	for what, group := range map[string]struct {
		entries []lexicon.Entry
		reads   func(Text, *source.List) bool
	}{
		"statement": {Statements, func(x Text, ds *source.List) bool { s := ParseScript(x, ds); return s != nil && len(s.Stmts) == 1 }},
		"pick":      {Picks, func(x Text, ds *source.List) bool { return ParsePick(x, ds) != nil }},
		"type":      {Types, func(x Text, ds *source.List) bool { _, ok := ParseType(x, ds); return ok }},
		"operator":  {Operators, func(x Text, ds *source.List) bool { return ParseExpr(x, ds) != nil }},
	} {
		for _, e := range group.entries {
			for _, form := range e.Forms {
				var ds source.List
				if !group.reads(text(sampleOf(form)), &ds) || len(ds) > 0 {
					t.Errorf("%s %s: %q cannot be read: %v", what, e.Name, sampleOf(form), ds.Err())
				}
			}
		}
	}
}

// Every first word of a statement, and every operator, is described.
func TestNoWordIsMissing(t *testing.T) {
	firsts := map[string]bool{}
	for _, e := range Statements {
		firsts[strings.Fields(e.Name)[0]] = true
	}
	for _, v := range verbs {
		if !firsts[v] {
			t.Errorf("the statement `%s` is not described", v)
		}
	}
	signs := ""
	for _, e := range Operators {
		signs += " " + strings.Join(e.Forms, " ")
	}
	for _, op := range operators {
		if op != "," && !strings.Contains(signs, op) {
			t.Errorf("the operator `%s` is not described", op)
		}
	}
}

// Of two operators the one that is described first binds tighter, or they bind
// alike: `x OP y OP2 z` groups to the left then.
func TestOperatorsStandInTheirOrder(t *testing.T) {
	binary := regexp.MustCompile(`^[A-Z]+ (\S+|not in) [A-Z]+$`)
	var ops []string
	for _, e := range Operators {
		for _, f := range e.Forms {
			if m := binary.FindStringSubmatch(f); m != nil && m[1] != "-" {
				ops = append(ops, m[1])
			}
		}
	}
	if len(ops) < 15 {
		t.Fatal(ops)
	}
	for i, tight := range ops {
		for _, loose := range ops[i+1:] {
			both := "x " + tight + " y " + loose + " z"
			var ds source.List
			e := ParseExpr(text(both), &ds)
			if e == nil {
				continue // comparisons are not chained
			}
			grouped := ParseExpr(text("(x "+tight+" y) "+loose+" z"), &ds)
			if Dump(e) != Dump(grouped) {
				t.Errorf("%s is %s, not %s", both, Dump(e), Dump(grouped))
			}
		}
	}
}

// A grammar in EBNF, from which texts can be made.
type grammar map[string][]string // tokens by rule

var grammarToken = regexp.MustCompile(`"[^"]+"|[A-Za-z]+|[][{}()|]`)

func readGrammar(t *testing.T) grammar {
	t.Helper()
	g := grammar{}
	for _, rule := range regexp.MustCompile(`(?m) \.$`).Split(strings.TrimSpace(Grammar), -1) {
		name, body, ok := strings.Cut(rule, "=")
		if strings.TrimSpace(rule) == "" {
			continue
		}
		if !ok {
			t.Fatalf("no rule: %q", rule)
		}
		g[strings.TrimSpace(name)] = grammarToken.FindAllString(body, -1)
	}
	return g
}

// A maker makes a text by a grammar.
type maker struct {
	grammar
	r    *rand.Rand
	fuel int
	out  []string
}

// alternatives parts tokens at every | outside brackets.
func alternatives(toks []string) (out [][]string) {
	depth, from := 0, 0
	for i, tok := range toks {
		switch tok {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "|":
			if depth == 0 {
				out, from = append(out, toks[from:i]), i+1
			}
		}
	}
	return append(out, toks[from:])
}

func (m *maker) seq(toks []string) {
	for i := 0; i < len(toks); i++ {
		tok := toks[i]
		if closes := map[string]string{"(": ")", "[": "]", "{": "}"}[tok]; closes != "" {
			end := slices.Index(toks[i:], closes)
			depth := 0
			for end = i; ; end++ {
				if toks[end] == tok {
					depth++
				} else if toks[end] == closes {
					if depth--; depth == 0 {
						break
					}
				}
			}
			times := 1
			switch {
			case tok != "(" && m.fuel <= 0:
				times = 0
			case tok == "[":
				times = m.r.Intn(2)
			case tok == "{":
				times = m.r.Intn(3)
			}
			for range times {
				m.any(toks[i+1 : end])
			}
			i = end
			continue
		}
		m.one(tok)
	}
}

func (m *maker) any(toks []string) {
	m.fuel--
	alts := alternatives(toks)
	pick := m.r.Intn(len(alts))
	if m.fuel <= 0 {
		pick = 0 // the first ones end soonest
	}
	m.seq(alts[pick])
}

func (m *maker) one(tok string) {
	switch rule, ok := m.grammar[tok]; {
	case tok[0] == '"':
		m.out = append(m.out, strings.Trim(tok, `"`))
	case ok:
		m.any(rule)
	case tok == "NAME":
		m.out = append(m.out, []string{"here", "kept", "nobody"}[m.r.Intn(3)])
	case tok == "INT":
		m.out = append(m.out, fmt.Sprint(m.r.Intn(9)))
	case tok == "TEXT":
		m.out = append(m.out, `"words"`)
	case tok == "NEWLINE":
		m.out = append(m.out, "\n")
	case tok == "E":
		m.any(m.grammar["formula"])
	default:
		panic("no rule " + tok)
	}
}

// What the grammar makes can be read.
func TestGrammarIsRead(t *testing.T) {
	g := readGrammar(t)
	for start, reads := range map[string]func(Text, *source.List) bool{
		"formula": func(x Text, ds *source.List) bool { return ParseExpr(x, ds) != nil },
		"script":  func(x Text, ds *source.List) bool { return ParseScript(x, ds) != nil },
		"pick":    func(x Text, ds *source.List) bool { return ParsePick(x, ds) != nil },
		"who":     func(x Text, ds *source.List) bool { return ParseWho(x, ds) != nil },
		"type":    func(x Text, ds *source.List) bool { _, ok := ParseType(x, ds); return ok },
	} {
		failed := 0
		for seed := range 1500 {
			m := &maker{grammar: g, r: rand.New(rand.NewSource(int64(seed))), fuel: 60}
			m.any(g[start])
			made := strings.Join(m.out, " ")
			if start == "type" { // which has no blanks there
				made = strings.ReplaceAll(made, " . ", ".")
			}
			var ds source.List
			if len(made) > 3000 || reads(text(made), &ds) && !ds.HasErrors() {
				continue
			}
			if failed++; failed < 4 {
				t.Errorf("%s cannot be read: %q: %v", start, made, ds.Err())
			}
		}
		if failed > 0 {
			t.Errorf("%s: %d of 1500 cannot be read", start, failed)
		}
	}
}
