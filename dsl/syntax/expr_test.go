package syntax

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func text(s string) Text { return FileText(source.NewFile("rules.yaml", s)) }

// one fails the test unless ds is a single diagnostic with the code, whose
// caret covers want, which is marked in the source as «want».
func one(t *testing.T, ds source.List, code string, from int, want, message, help string) {
	t.Helper()
	if len(ds) != 1 {
		t.Fatalf("got %d diagnostics, want one: %v", len(ds), ds)
	}
	d := ds[0]
	if d.Code != code || d.Span.Start != from || d.Span.Text() != want {
		t.Errorf("got %s at %d %q, want %s at %d %q\n%v", d.Code, d.Span.Start, d.Span.Text(), code, from, want, d)
	}
	if d.Message != message {
		t.Errorf("message %q, want %q", d.Message, message)
	}
	if help != "" && (len(d.Help) == 0 || !strings.Contains(d.Help[0], help)) {
		t.Errorf("help %q, want %q", d.Help, help)
	}
}

// marked takes the marks « » out of a source and returns what they enclose.
func marked(s string) (src string, from int, want string) {
	from = strings.Index(s, "«")
	to := strings.Index(s, "»")
	want = s[from+len("«") : to]
	return s[:from] + want + s[to+len("»"):], from, want
}

func TestExprTrees(t *testing.T) {
	for src, want := range map[string]string{
		"1 + 2 * x":                    "(+ 1 (* 2 x))",
		"(1 + 2) * x":                  "(* (+ 1 2) x)",
		"a - b - c":                    "(- (- a b) c)",
		"-1":                           "(- 1)",
		"-x ?? y":                      "(- (?? x y))",
		"not a == b":                   "(== (not a) b)",
		"not (a == b)":                 "(not (== a b))",
		"a not in b":                   "(not (in a b))",
		"a + b not in c":               "(not (in (+ a b) c))",
		"a and not b or c":             "(or (and a (not b)) c)",
		"1..6":                         "(.. 1 6)",
		"a..b + 1":                     "(.. a (+ b 1))",
		"a ? b : c ? d : e":            "(? a b (? c d e))",
		"a ? .x : .y":                  "(? a (.x it) (.y it))",
		"a?.b.c ?? 3":                  "(?? (.c (?.b a)) 3)",
		"x[1][2].y":                    "(.y (at (at x 1) 2))",
		"f()":                          "(call f)",
		"f(1, g(2))":                   "(call f 1 (call g 2))",
		"x.is('mega', y)":              `(call .is x "mega" y)`,
		`x.is("it's \"so\"")`:          `(call .is x "it's \"so\"")`,
		"[]":                           "(list)",
		"[1, .x]":                      "(list 1 (.x it))",
		".face == 5":                   "(== (.face it) 5)",
		".face in [.a,.b]":             "(in (.face it) (list (.a it) (.b it)))",
		".f(1).g":                      "(.g (call .f it 1))",
		"it.face":                      "(.face it)",
		"a % .b":                       "(% a (.b it))",
		"1...x":                        "(.. 1 (.x it))",
		"true and x.not":               "(and true (.not x))",
		"a.true":                       "(.true a)",
		"count(tray, .face == 2) > 1":  "(> (call count tray (== (.face it) 2)) 1)",
		"count(x)":                     "(call count x)",
		"all(a, .b)":                   "(call all a (.b it))",
		"none(a, b)":                   "(call none a b)",
		"any(a, b, c)":                 "(call any a b c)",
		"one(a)":                       "(call one a)",
		"filter(a, not .b)":            "(call filter a (not (.b it)))",
		"map(a, it * 2)":               "(call map a (* it 2))",
		"sum(tray, .face)":             "(call sum tray (.face it))",
		"find(a, .b)":                  "(call find a (.b it))",
		"find_last(a, .b)":             "(call find_last a (.b it))",
		"findLast(a)":                  "(call findLast a)",
		"reduce()":                     "(call reduce)",
		"len(x) + max(1, 2)":           "(+ (call len x) (call max 1 2))",
		"highest(players, .score)":     "(call highest players (.score it))",
		"x.count(1)":                   "(call .count x 1)",
		"count":                        "count",
		"contains + matches":           "(+ contains matches)",
		"a\n  and\r\n\tb":              "(and a b)",
		"9223372036854775807":          "9223372036854775807",
		"a == b == c":                  "(== (== a b) c)",
		"(((x)))":                      "x",
		"(x).y[(1)]":                   "(at (.y x) 1)",
		"none ?? (a ?? b)":             "(?? none (?? a b))",
		"a ?? b ?? c":                  "(?? (?? a b) c)",
		"(1 < x) == (x < 9)":           "(== (< 1 x) (< x 9))",
		"number_of(5, kept) >= 3 or x": "(or (>= (call number_of 5 kept) 3) x)",
	} {
		var ds source.List
		if got := Dump(ParseExpr(text(src), &ds)); got != want || len(ds) > 0 {
			t.Errorf("%s\n got %s %v\nwant %s", src, got, ds, want)
		}
	}
}

func TestExprErrors(t *testing.T) {
	for _, c := range []struct{ src, code, message, help string }{
		{"any(d, «#» > 1)", "E0216", "`#` is not a part of formulas", "called `it`"},
		{"a «&&» b", "E0216", "`&&` is not a part of formulas", "write `and`"},
		{"a «||» b", "E0216", "`||` is not a part of formulas", "write `or`"},
		{"«!»a", "E0216", "`!` is not a part of formulas", "write `not`"},
		{"a «^» b", "E0216", "`^` is not a part of formulas", ""},
		{"a «**» b", "E0216", "`**` is not a part of formulas", ""},
		{"a «|» count()", "E0216", "`|` is not a part of formulas", "pipes"},
		{"«let» x = 1; x", "E0216", "`let` is not a part of formulas", "`define`"},
		{"«if» a { b } else { c }", "E0216", "`if` is not a part of formulas", "CONDITION ? VALUE : OTHER_VALUE"},
		{"a«;» b", "E0216", "`;` is not a part of formulas", "single value"},
		{"x > «1.5»", "E0216", "`1.5` is not a whole number", "whole"},
		{"x > «.5»", "E0216", "`.5` is not a whole number", "whole"},
		{"«1_000» + x", "E0216", "a number is written without `_`", "write `1000`"},
		{"«0x1F»", "E0216", "`0x1F` is not a decimal number", "write `31`"},
		{"«007»", "E0216", "a number does not begin with 0", "write `7`"},
		{"«5points»", "E0201", "`5points` is neither a number nor a name", ""},
		{"«99999999999999999999»", "E0201", "this number is too large", ""},
		{"«{»a: 1}", "E0216", "`{` is not a part of formulas", ""},
		{"x[1«:»2]", "E0216", "a part of a list written with `:` is not a part of formulas", "take(list, n)"},
		{"x[«:»2]", "E0216", "a part of a list written with `:` is not a part of formulas", "take(list, n)"},
		{"x[«-»1]", "E0216", "a place counted from the end is not a part of formulas", "last(list)"},
		{"«$env».x", "E0216", "`$env` is not a part of formulas", ""},
		{"x «=» 1", "E0216", "`=` is not a part of formulas", "write `==`"},
		{"x «=<» 1", "E0216", "`=<` is not a part of formulas", "write `<=`"},
		{"x «//» y", "E0216", "`//` is not a part of formulas", "comment"},
		{"x «/*» y */", "E0216", "`/*` is not a part of formulas", "comment"},
		{"«`»x`", "E0216", "a backtick is not a part of formulas", "quotes"},
		{"x.is(«“»mega”)", "E0216", "`“` is not a part of formulas", "write `\"`"},
		{"x «≤» 3", "E0216", "`≤` is not a part of formulas", "write `<=`"},
		{"1 + «größe»", "E0216", "`größe` is not a name", "letters a to z"},
		{"x«\u00a0»+ 1", "E0216", "a no-break space is not a part of formulas", "plain space"},
		{"«nil»", "E0216", "`nil` is not a part of formulas", "write `none`"},
		{"1 < x «<» 9", "E0216", "comparisons cannot be chained", "write `1 < x and x < 9`"},
		{"(a + 1) <= x.y[1] «<» f(9) and z", "E0216", "comparisons cannot be chained", "write `(a + 1) <= x.y[1] and x.y[1] < f(9)`"},
		{"a «?»: b", "E0216", "`?:` is not a part of formulas", "`a ?? b`"},
		{"a«?.»f(1)", "E0216", "a call cannot follow `?.`", ""},
		{"a«?.»[1]", "E0216", "`?.[` is not a part of formulas", ""},
		{"«+»1", "E0216", "`+` needs a value before it", ""},
		{"a ?? b «+» c", "E0201", "`??` and `+` need brackets", "write `(a ?? b) + c`"},
		{"«»", "E0201", "a formula is missing", ""},
		{"f«(»a", "E0201", "`(` is not closed", "a `)` is missing"},
		{"f(x«[»a", "E0201", "`[` is not closed", "a `]` is missing"},
		{"f(a«]»", "E0201", "`]` where `)` is expected", ""},
		{"a«)»", "E0201", "`)` without a bracket that it closes", ""},
		{"(«)»", "E0201", "nothing stands between the brackets", ""},
		{"x «+»", "E0201", "`+` needs a value after it", ""},
		{"x + «*» y", "E0201", "expected a value after `+`, found `*`", ""},
		{"«*» y", "E0201", "a formula cannot begin with `*`", ""},
		{"f(a«,»", "E0201", "`,` needs a value after it", ""},
		{"f(a,«)»", "E0201", "expected a value after `,`, found `)`", ""},
		{"a «then» b", "E0201", "unexpected `then`", "CONDITION ? VALUE : OTHER_VALUE"},
		{"a «is» b", "E0201", "unexpected `is`", "write `==`"},
		{"a «AND» b", "E0201", "unexpected `AND`", "write `and`"},
		{"points «5»", "E0201", "unexpected `5`", "between `points` and `5`"},
		{"a «not» b", "E0201", "unexpected `not`", "`a and not b`"},
		{"a «?» b", "E0201", "`?` without its `:`", ""},
		{"f(a «?» b)", "E0201", "`?` without its `:`", ""},
		{"a «:» b", "E0201", "unexpected `:`", ""},
		{"a«,» b", "E0201", "unexpected `,`", ""},
		{"x«.»", "E0201", "`.` needs a name after it", ""},
		{"x«.»5", "E0201", "`.` needs a name after it", ""},
		{"5«.»x", "E0201", "`5` has nothing named `x`", ""},
		{"«\"»abc", "E0201", "this text is not closed", ""},
		{"(a)«(»b)", "E0201", "unexpected `(`", "only a name can be called"},
		{"a +\r\n  «==» b", "E0201", "expected a value after `+`, found `==`", ""},
	} {
		src, from, want := marked(c.src)
		var ds source.List
		if e := ParseExpr(text(src), &ds); e != nil {
			t.Errorf("%s: got a tree %s", src, Dump(e))
		}
		t.Run(src, func(t *testing.T) { one(t, ds, c.code, from, want, c.message, c.help) })
	}
}

// A formula inside a larger file, with CRLF ends of lines: every place must be
// counted in the file.
func TestExprPlacesInFile(t *testing.T) {
	f := source.NewFile("r.yaml", "game: x\r\nwhen: |\r\n  größe\r\n  a and\r\n  b == +1\r\n")
	from := strings.Index(f.Text, "a and")
	var ds source.List
	ParseExpr(FileText(f).Slice(from, len(f.Text)), &ds)
	one(t, ds, "E0216", strings.Index(f.Text, "+1"), "+", "`+` needs a value before it", "")
	if line, col := f.LineCol(ds[0].Span.Start); line != 5 || col != 8 {
		t.Errorf("at %d:%d, want 5:8", line, col)
	}
}

func TestExprSpans(t *testing.T) {
	src := "(a + b) * count(tray, .face not in [1, 2]) ?? x"
	var ds source.List
	e := ParseExpr(text(src), &ds)
	var got []string
	walk(e, func(e Expr) { got = append(got, e.Span().Text()) })
	want := []string{
		src, "a + b", "a", "b", "count(tray, .face not in [1, 2]) ?? x", "count(tray, .face not in [1, 2])", "tray",
		".face not in [1, 2]", ".face not in [1, 2]", ".face", ".", "[1, 2]", "1", "2", "x",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	mul := e.(*BinaryExpr)
	sum := mul.X.(*BinaryExpr)
	if mul.Parens || !sum.Parens || mul.OpSpan.Text() != "*" || sum.OpSpan.Text() != "+" {
		t.Errorf("brackets or operators are wrong: %+v %+v", mul, sum)
	}
	in := mul.Y.(*BinaryExpr).X.(*CallExpr).Args[1].(*UnaryExpr).X.(*BinaryExpr)
	if in.OpSpan.Text() != "not in" {
		t.Errorf("operator %q", in.OpSpan.Text())
	}
}

func TestExprParens(t *testing.T) {
	for src, want := range map[string]bool{
		"a or b": false, "(a or b)": true, "((a or b))": true, "f(a or b)": false, "f((a or b))": true, "[a or b]": false, "x[(a or b)]": true,
	} {
		var ds source.List
		found := false
		walk(ParseExpr(text(src), &ds), func(e Expr) {
			if b, ok := e.(*BinaryExpr); ok {
				found = b.Parens
			}
		})
		if found != want {
			t.Errorf("%s: Parens %t", src, found)
		}
	}
}

func TestExprLimits(t *testing.T) {
	for name, c := range map[string]struct{ src, message string }{
		"round":   {strings.Repeat("(", 3000), "brackets are nested too deep"},
		"square":  {strings.Repeat("[", 3000), "brackets are nested too deep"},
		"calls":   {strings.Repeat("f(", 2000), "brackets are nested too deep"},
		"index":   {strings.Repeat("a[", 2000), "brackets are nested too deep"},
		"choices": {strings.Repeat("a?", 2000), "brackets are nested too deep"},
		"minus":   {strings.Repeat("-", 3000) + "1", "too many `not` and `-` in a row"},
		"not":     {strings.Repeat("not ", 1000) + "a", "too many `not` and `-` in a row"},
		"long":    {strings.Repeat("(", 100_000), "this formula is too long"},
	} {
		var ds source.List
		if e := ParseExpr(text(c.src), &ds); e != nil || len(ds) != 1 || ds[0].Message != c.message {
			t.Errorf("%s: %v", name, ds)
		}
	}
	for _, ok := range []string{
		strings.Repeat("(", MaxNesting) + "1" + strings.Repeat(")", MaxNesting), strings.Repeat("-", MaxUnaryInARow) + "1",
		strings.Repeat("1+", 2000) + "1", "a" + strings.Repeat(".a", 2000), strings.Repeat("a?b:", 1000) + "c", strings.Repeat(".a+", 1300) + "1",
		strings.Repeat("a??", 1300) + "b", "[" + strings.Repeat("1,", 2000) + "1]", strings.Repeat("f()+", 1000) + "1",
	} {
		var ds source.List
		if e := ParseExpr(text(ok), &ds); e == nil {
			t.Errorf("%.20s..: %v", ok, ds)
		}
	}
	// expr shares the middle of a chain of comparisons; nested ones must not
	// take exponential time.
	var ds source.List
	ParseExpr(text(strings.Repeat("1<(", 60)+"2"+strings.Repeat(")<3", 60)), &ds)
	if len(ds) != 1 || ds[0].Code != "E0216" {
		t.Errorf("nested chains: %v", ds)
	}
}

// walk calls f for e and everything below it.
func walk(e Expr, f func(Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, c := range children(e) {
		walk(c, f)
	}
}

func children(e Expr) []Expr {
	switch e := e.(type) {
	case *UnaryExpr:
		return []Expr{e.X}
	case *BinaryExpr:
		return []Expr{e.X, e.Y}
	case *CondExpr:
		return []Expr{e.If, e.Then, e.Else}
	case *MemberExpr:
		return []Expr{e.X}
	case *IndexExpr:
		return []Expr{e.X, e.Index}
	case *CallExpr:
		if e.Recv != nil {
			return append([]Expr{e.Recv}, e.Args...)
		}
		return e.Args
	case *ListExpr:
		return e.Items
	}
	return nil
}
