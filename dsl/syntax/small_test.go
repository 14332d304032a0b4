package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// A parseFunc reads a text and shows the result.
type parseFunc func(Text, *source.List) string

func checkTrees(t *testing.T, parse parseFunc, table map[string]string) {
	t.Helper()
	for src, want := range table {
		var ds source.List
		if got := parse(text(src), &ds); got != want || len(ds) > 0 {
			t.Errorf("%q\n got %s %v\nwant %s", src, got, ds, want)
		}
	}
}

type errorCase struct{ src, code, message string }

func checkErrors(t *testing.T, parse parseFunc, table []errorCase) {
	t.Helper()
	for _, c := range table {
		src, from, want := marked(c.src)
		t.Run(src, func(t *testing.T) {
			var ds source.List
			parse(text(src), &ds)
			one(t, ds, c.code, from, want, c.message, "")
		})
	}
}

func template(t Text, ds *source.List) string { return DumpTemplate(ParseTemplate(t, ds)) }

func TestTemplate(t *testing.T) {
	checkTrees(t, template, map[string]string{
		"":                             "",
		"plain (text), it's":           `"plain (text), it's"`,
		"{me} loses {turn.points}.":    `{me}" loses "{(.points turn)}"."`,
		"{{x}} {a}{b} }}":              `"{x} "{a}{b}" }"`,
		"{x.is('}', \"{\")}":           `{(call .is x "}" "{")}`,
		"größe {a ? 'b' : 'c'} … é{d}": `"größe "{(? a "b" "c")}" … é"{d}`,
		"{{{a}}}":                      `"{"{a}"}"`,
		"two\nlines {a\n  and b}":      `"two\nlines "{(and a b)}`,
		"{{":                           `"{"`,
	})
	checkErrors(t, template, []errorCase{
		{"größe «{»a", "E0201", "`{` is not closed"},
		{"a «{» b {c}", "E0201", "`{` is not closed"},
		{"a «}» b", "E0201", "`}` without a `{` that it closes"},
		{"a {«»} b", "E0201", "a formula is missing"},
		{"é {a «&&» b} c", "E0216", "`&&` is not a part of formulas"},
		{"{«'»a} c", "E0201", "this text is not closed"},
	})
	var ds source.List
	if got := template(text("a {+} b {c} {*}"), &ds); got != `"a "" b "{c}" "` || len(ds) != 2 {
		t.Errorf("got %s %v", got, ds)
	}
}

func pick(t Text, ds *source.List) string {
	p := ParsePick(t, ds)
	if p == nil {
		return "nil"
	}
	s := p.Form
	add := func(name string, e Expr) {
		if e != nil {
			s += " " + name + "=" + Dump(e)
		}
	}
	add("n", p.N)
	add("list", p.List)
	if p.Param != "" {
		s += " param=" + p.Param
	}
	add("default", p.Default)
	add("where", p.Where)
	add("each", p.ForEach)
	if p.IfAny {
		s += " if any"
	}
	add("if", p.If)
	return s
}

func TestPick(t *testing.T) {
	checkTrees(t, pick, map[string]string{
		"one of tray":     "one list=tray",
		"any of aside[1]": "any list=(at aside 1)",
		"some of tray where roll.all_score(it) if any": "some list=tray where=(call .all_score roll it) if any",
		"2 of [1, 2]":          "n n=2 list=(list 1 2)",
		"n + 1 of tray":        "n n=(+ n 1) list=tray",
		"order of f(x.of, to)": "order list=(call f (.of x) to)",
		"any of variants":      "variants",
		"any of variants if a": "variants if=a",
		"value of goal":        "value param=goal",
		"0..10":                "range list=(.. 0 10)",
		"0..n = 3":             "range list=(.. 0 n) default=3",
		"a == b ? c : d":       "range list=(? (== a b) c d)",
		"1..6 = 1 where it > 2 for each players if x > 1": "range list=(.. 1 6) default=1 where=(> it 2) each=players if=(> x 1)",
		"one of hand if any(hand, .x)":                    "one list=hand if=(call any hand (.x it))",
		"one of a\n  where b\n":                           "one list=a where=b",
	})
	checkErrors(t, pick, []errorCase{
		{"«»", "E0203", "a pick is missing"},
		{"«one»", "E0203", "`one` needs an `of` after it"},
		{"«one of»", "E0203", "this pick is not complete"},
		{"one of a «with» b", "E0203", "unexpected `with` in a pick"},
		{"one of a if b «where» c", "E0203", "unexpected `where` in a pick"},
		{"one of a for «b»", "E0203", "unexpected `b` in a pick"},
		{"value of «a + b»", "E0203", "`value of` needs the name of a param"},
		{"one of a where b «&&» c", "E0216", "`&&` is not a part of formulas"},
		{"«one tray»", "E0203", "`one` needs an `of` after it"},
		{"one of a«;» b", "E0203", "unexpected `;` in a pick"},
	})
}

func who(t Text, ds *source.List) string {
	w := ParseWho(t, ds)
	if w == nil {
		return "nil"
	}
	return w.Mode + ": " + Dump(w.List)
}

func TestWho(t *testing.T) {
	checkTrees(t, who, map[string]string{
		"me":                         ": me",
		"others in turn":             "in turn: others",
		"after(players, me) at once": "at once: (call after players me)",
		" table ":                    "table: nil",
		"a in b":                     ": (in a b)",
	})
	checkErrors(t, who, []errorCase{
		{"«»", "E0201", "a formula is missing"},
		{"others «at» onec", "E0201", "unexpected `at`"},
	})
	var ds source.List
	if w := ParseWho(text("begin turn"), &ds); w != nil || len(ds) != 1 {
		t.Errorf("`begin turn`: %v", ds)
	}
}

func pattern(t Text, ds *source.List) string {
	p := ParsePattern(t, ds)
	if p == nil {
		return "nil"
	}
	var out []string
	for _, i := range p.Items {
		face := i.Name
		if face == "" {
			face = fmt.Sprint(i.Number)
		}
		out = append(out, fmt.Sprintf("%s*%d%s", face, i.Count, i.CountVar))
	}
	return strings.Join(out, " ")
}

func TestPattern(t *testing.T) {
	checkTrees(t, pattern, map[string]string{
		"x*n":               "x*0n",
		"x*3":               "x*3",
		"1 2 3":             "1*1 2*1 3*1",
		"white x*2 red y*2": "white*1 x*2 red*1 y*2",
		"x x y y":           "x*1 x*1 y*1 y*1",
		" x * 3\n5 ":        "x*3 5*1",
	})
	checkErrors(t, pattern, []errorCase{
		{"«»", "E0203", "a pattern is missing"},
		{"x«,» y", "E0203", "unexpected `,` in a pattern"},
		{"«x *»", "E0203", "this pattern is not complete"},
		{"«*» x", "E0203", "unexpected `*` in a pattern"},
		{"x*«0»", "E0203", "a count of 0 matches nothing"},
		{"x*«02»", "E0203", "a number does not begin with 0"},
		{"«99999999999» x", "E0203", "this number is too large"},
	})
	var ds source.List
	p := ParsePattern(text("red x * 2"), &ds)
	if got := p.Items[1].Place.Text(); got != "x * 2" {
		t.Errorf("place %q", got)
	}
}

func pieces(t Text, ds *source.List) string {
	p := ParsePieces(t, ds)
	for i, w := range p.Words {
		if p.Places[i].Text() != w {
			return "wrong place of " + w
		}
	}
	return strings.Join(p.Words, "|")
}

func TestPieces(t *testing.T) {
	checkTrees(t, pieces, map[string]string{"": "", "1 1 5": "1|1|5", " white 2 2\tred 3 ": "white|2|2|red|3"})
	checkErrors(t, pieces, []errorCase{
		{"1 «2,» 3", "E0203", "`2,` is not a piece"},
		{"1 «größe»", "E0203", "`größe` is not a piece"},
	})
}

func typeString(typ *TypeExpr) string {
	if typ == nil {
		return "int"
	}
	s := typ.Name
	if typ.Elem != nil {
		s += " of " + typeString(typ.Elem)
	}
	if typ.OrNone {
		s += "?"
	}
	return s
}

func signature(t Text, ds *source.List) string {
	sig := ParseSignature(t, ds)
	if sig == nil {
		return "nil"
	}
	s := sig.Name
	if sig.Owner != "" {
		s = sig.Owner + "." + s
	}
	if sig.HasArgs {
		var params []string
		for _, p := range sig.Params {
			params = append(params, p.Name+":"+typeString(p.Type))
		}
		s += "(" + strings.Join(params, " ") + ")"
	}
	return s
}

func TestSignature(t *testing.T) {
	checkTrees(t, signature, map[string]string{
		"name":              "name",
		"name()":            "name()",
		"name(x)":           "name(x:int)",
		"name(who seat, n)": "name(who:seat n:int)",
		" f ( a list of int , b dice.face or none ) ": "f(a:list of int b:dice.face?)",
		"seat.exact":   "seat.exact",
		"dice.special": "dice.special",
	})
	checkErrors(t, signature, []errorCase{
		{"«»", "E0203", "this name is not complete"},
		{"«5»", "E0203", "unexpected `5` in a name"},
		{"«name(»", "E0203", "this name is not complete"},
		{"name(a«-» b)", "E0203", "unexpected `-` in a name"},
		{"name «other»", "E0203", "unexpected `other` in a name"},
		{"f(a, «)»", "E0203", "unexpected `)` in a name"},
		{"«größe»", "E0203", "unexpected `größe` in a name"},
	})
}

func TestType(t *testing.T) {
	for src, want := range map[string]string{
		"int": "int", "bool": "bool", "seat or none": "seat?", "seats": "seats", "list of int": "list of int", " dice.face  or none ": "dice.face?",
		"goal": "goal", "list": "list", "list of dice or none": "list of dice?",
		"5": "", "a + b": "", "true": "", "none": "", "": "", "a or b": "", "a or none or b": "", "f(x)": "", "a.b.c": "", "list of": "", "not x": "", "[]": "", "-1": "",
		strings.Repeat("list of ", 1000) + "int": "",
	} {
		var ds source.List
		typ, ok := ParseType(text(src), &ds)
		got := ""
		if ok {
			got = typeString(typ)
		}
		if got != want || len(ds) > 0 {
			t.Errorf("%.40q: got %q %v, want %q", src, got, ds, want)
		}
	}
}

func path(t Text, ds *source.List) string {
	var out []string
	for _, p := range ParsePath(t, ds) {
		out = append(out, p.Name+"@"+p.Span.Text())
	}
	return strings.Join(out, " ")
}

func TestPath(t *testing.T) {
	checkTrees(t, path, map[string]string{
		"bank":                   "bank@bank",
		" bank.require.minimum ": "bank@bank require@require minimum@minimum",
		"define.value(x, y).1":   "define@define value@value 1@1",
		"second-chance.chances":  "second-chance@second-chance chances@chances",
		"f(x)":                   "f@f",
	})
	checkErrors(t, path, []errorCase{
		{"«»", "E0203", "this path is not complete"},
		{"«a.»", "E0203", "this path is not complete"},
		{"a«/»b", "E0203", "unexpected `/` in a path"},
		{"a«(»b", "E0203", "unexpected `(` in a path"},
		{"a «b»", "E0203", "unexpected `b` in a path"},
	})
}
