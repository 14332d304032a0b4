package syntax

import (
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

func TestScriptTrees(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{" \n ; \n// only a comment\n", ""},
		{"me.score += turn.points", "+= (.score me) value (.points turn)"},
		{"a.b -= 1; a.b = random of filter(x, .y) // why", "-= (.b a) value 1\n= (.b a) random of (call filter x (.y it))"},
		{"m[k].x[1] = 4", "= (at (.x (at m k)) 1) value 4"},
		{"let x = random of 1..6\nlet y = x > 1 ? 2 : 3", "let x random of (.. 1 6)\nlet y value (? (> x 1) 2 3)"},
		{"let random = 3", "let random value 3"},
		{"append turn.points to me.list", "append (.points turn) (.list me)"},
		{"throw tray\nthrow trays[2] by p.left", "throw tray nil\nthrow (at trays 2) (.left p)"},
		{"roll me.x in 1..6\nroll n in 1..max(2, 3) if a in b", "roll (.x me) (.. 1 6)\npostfix-if (in a b)\n  roll n (.. 1 (call max 2 3))"},
		{"move kept to aside", "move kept aside at nil top=false random=false nil {}"},
		{"move kept to aside[1] at 3", "move kept (at aside 1) at 3 top=false random=false nil {}"},
		{"move a to b on top if c", "postfix-if c\n  move a b at nil top=true random=false nil {}"},
		{"move a to b at random so that x == y with who = me, as = .k if z", "postfix-if z\n  move a b at nil top=false random=true (== x y) {who=me as=(.k it)}"},
		{"deal 5 from deck to hand of players", "deal 5 deck hand players random=false nil {}"},
		{"deal x to gifts of others at random so that a with b = c", "deal x nil gifts others random=true a {b=c}"},
		{"move a to b with by = .by, of = c if d", "postfix-if d\n  move a b at nil top=false random=false nil {by=(.by it) of=c}"},
		{"show hand to me\nset tray to [1, 2]\nscore kept by roll", "show hand me\nset tray (list 1 2)\nscore kept roll"},
		{"score [1, 2] by roll", "score (list 1 2) roll"},
		{"start round\nstart game\nstart game from p", "start round\nstart game\nexit start game  p nil {}"},
		{"start game from p with [a] set x = 1, y = 2", "exit start game  p (list a) {x=1 y=2}"},
		{"emit e\nemit e()\nemit e(1, f(2,\n  3)) if f(x.of, to)", "emit (e)\nemit (e)\npostfix-if (call f (.of x) to)\n  emit (e 1 (call f 2 3))"},
		{`say "hi {me}; {{x}}" for others`, `say "hi "{me}"; {x}" others`},
		{`write "a \"b\""` + "\n" + `mark "{x.is('c', y)}" if z`, "write \"a \\\"b\\\"\" nil\npostfix-if z\n  mark {(call .is x \"c\" y)} nil"},
		{"goto throw\nagain if a\nnext turn\nturn of p.left", "exit goto throw nil nil {}\npostfix-if a\n  exit again  nil nil {}\nexit next turn  nil nil {}\nexit turn of  (.left p) nil {}"},
		{"goto set\nemit to\nstart from", "exit goto set nil nil {}\nemit (to)\nstart from"},
		{"finish\nfinish with [me] if me.score >= goal", "exit finish  nil nil {}\npostfix-if (>= (.score me) goal)\n  exit finish  nil (list me) {}"},
		{"if a { again } else if b { goto c } else { next turn }", "if a\n  exit again  nil nil {}\nelse\n  if b\n    exit goto c nil nil {}\n  else\n    exit next turn  nil nil {}"},
		{"if a {\n  again }\n// so\n\nelse {\n\n}\nagain", "if a\n  exit again  nil nil {}\nelse\nexit again  nil nil {}"},
		{"for p in filter(players, not .out) { p.x = 1; start round; }", "for p (call filter players (not (.out it)))\n  = (.x p) value 1\n  start round"},
		{"if a { for b in c { if d { again } } }", "if a\n  for b c\n    if d\n      exit again  nil nil {}"},
		// Verbs are ordinary names where a statement assigns.
		{"throw = 1\nmove.x = 2\nscore[1] += 3\nturn.points = 4\nnext.x = 5", "= throw value 1\n= (.x move) value 2\n+= (at score 1) value 3\n= (.points turn) value 4\n= (.x next) value 5"},
		// Parting words are names after a dot and in brackets.
		{"move x.to to y.from\nshow f(a.of, set) to me.by", "move (.to x) (.from y) at nil top=false random=false nil {}\nshow (call f (.of a) set) (.by me)"},
		{"x.y = (a\n  and b)\r\nagain\r\n", "= (.y x) value (and a b)\nexit again  nil nil {}"},
		{`x.y = r.is("a; {b}", c)`, `= (.y x) value (call .is r "a; {b}" c)`},
	} {
		var ds source.List
		got := strings.TrimSuffix(DumpScript(ParseScript(text(c.src), &ds)), "\n")
		if got != c.want || len(ds) > 0 {
			t.Errorf("%s\n got %s %v\nwant %s", c.src, got, ds, c.want)
		}
	}
}

func TestScriptErrors(t *testing.T) {
	for _, c := range []struct{ src, code, message, help string }{
		{"«mvoe» a to b", "E0202", "`mvoe` is not a statement", "did you mean `move`, as in `move PIECES to ZONE`?"},
		{"«foo» bar", "E0202", "`foo` is not a statement", ""},
		{"«while» x { again }", "E0202", "`while` is not a statement", "did you mean `for`"},
		{"«lost»(3)", "E0202", "`lost` is not a statement", "emit lost(..)"},
		{"«me».score == 3", "E0202", "a formula is not a statement", "a place is given a value with `=`"},
		{"«count»(a, .b) == 3", "E0202", "a formula is not a statement", ""},
		{"«turn».points *= 2", "E0202", "a formula is not a statement", "PLACE += VALUE"},
		{"«turn».points == 2", "E0202", "a formula is not a statement", "a place is given a value with `=`"},
		{"«me».score + 3", "E0202", "a formula is not a statement", "PLACE += VALUE"},
		{"«throw»", "E0202", "`throw` is not complete", "`throw ZONE`"},
		{"again\nmove «a»\nagain", "E0202", "`move` is not complete", "`move PIECES to ZONE`"},
		{"throw tray «tray»", "E0202", "unexpected `tray` in `throw`", "`throw ZONE`"},
		{"throw tray «to» x", "E0202", "unexpected `to` in `throw`", "`throw ZONE`"},
		{"if «x»\nagain", "E0202", "`if` is not complete", "if TEST { .. }"},
		{"if x «=» 1 { again }", "E0202", "unexpected `=` in `if`", ""},
		{"if «{» again }", "E0202", "unexpected `{` in `if`", ""},
		{"for x «of» y { again }", "E0202", "unexpected `of` in `for`", "for NAME in LIST"},
		{"say «hello»", "E0202", "`say` needs a text in double quotes", `say "TEXT"`},
		{"say «'hello'»", "E0202", "`say` needs a text in double quotes", `say "TEXT"`},
		{"say «\"»hello\nagain", "E0201", "this text is not closed", "same line"},
		{"x.y «=»", "E0202", "an assignment is not complete", "PLACE = VALUE"},
		{"let y «3»", "E0202", "unexpected `3` in `let`", "let NAME = VALUE"},
		{"let y = 3 «if» x", "E0202", "unexpected `if` in `let`", ""},
		{"«next»", "E0202", "`next` is not complete", "next turn"},
		{"next «round»", "E0202", "unexpected `round` in `next`", "next turn"},
		{"«else» { again }", "E0202", "`else` without an `if`", ""},
		{"«{» again }", "E0202", "a block needs an `if` or `for` before it", ""},
		{"«[»1] = 3", "E0202", "a statement cannot begin with `[`", ""},
		{"again\n«}»\nagain", "E0202", "`}` without a `{` that it closes", ""},
		{"if a «{»\n  again", "E0202", "this block is not closed", "a `}` is missing"},
		{"x.y = «(»a + b\nagain", "E0201", "`(` is not closed", ""},
		{"emit f«(»a, b\nagain", "E0201", "`(` is not closed", ""},
		{"me.x«[» = 4", "E0201", "`[` is not closed", ""},
		{"x.y = a«)»", "E0202", "`)` without a bracket that it closes", ""},
		{"x.y = a «&&» b", "E0216", "`&&` is not a part of formulas", "write `and`"},
		{"«x.y += random of a»", "E0202", "`random of` stands only after `=`", ""},
		{"if a {\r\n  x.y = 1 «then» 2\r\n}\r\n", "E0201", "unexpected `then`", ""},
		{"say \"é {a «+» } b\" for x", "E0201", "`+` needs a value after it", ""},
		{"say \"\\\"é\\\" {a «&&» b}\"", "E0216", "`&&` is not a part of formulas", ""},
		{"say \"a «{»b\"", "E0201", "`{` is not closed", "`{{`"},
	} {
		src, from, want := marked(c.src)
		t.Run(src, func(t *testing.T) {
			var ds source.List
			ParseScript(text(src), &ds)
			one(t, ds, c.code, from, want, c.message, c.help)
		})
	}
}

// One run shows every broken statement, and the others are still there.
func TestScriptRecovers(t *testing.T) {
	src := "mvoe a\nthrow tray\nif x {\n  say hello\n  again\n  goto\n} else if y = 1 {\n  let = 3\n  nxet turn; next turn\n}\nx.y = (1\nfinish wiht me\nagain"
	var ds source.List
	s := ParseScript(text(src), &ds)
	ds.Sort()
	var lines []int
	for _, d := range ds {
		line, _ := d.Span.File.LineCol(d.Span.Start)
		lines = append(lines, line)
	}
	want := []int{1, 4, 6, 7, 8, 9, 11, 12}
	if len(lines) != len(want) {
		t.Fatalf("errors on lines %v, want %v: %v", lines, want, ds)
	}
	for i := range want {
		if lines[i] != want[i] {
			t.Fatalf("errors on lines %v, want %v", lines, want)
		}
	}
	if got := DumpScript(s); !strings.HasPrefix(got, "throw tray nil\n") || !strings.HasSuffix(got, "exit again  nil nil {}\n") {
		t.Errorf("what is right is lost:\n%s", got)
	}
}

func TestScriptSpans(t *testing.T) {
	src := "  throw tray if a // so\r\n if b { again ; } else if c {\r\n goto d } // end\r\n"
	var ds source.List
	s := ParseScript(text(src), &ds)
	if len(ds) > 0 || len(s.Stmts) != 2 {
		t.Fatal(ds, DumpScript(s))
	}
	post, block := s.Stmts[0].(*IfStmt), s.Stmts[1].(*IfStmt)
	elif := block.Else.Stmts[0].(*IfStmt)
	for _, c := range []struct {
		span source.Span
		want string
	}{
		{post.Span(), "throw tray if a"},
		{post.Then.Stmts[0].Span(), "throw tray"},
		{block.Span(), "if b { again ; } else if c {\r\n goto d }"},
		{block.Then.Place, "{ again ; }"},
		{elif.Span(), "c {\r\n goto d }"},
		{elif.Then.Stmts[0].Span(), "goto d"},
		{elif.Then.Stmts[0].(*ExitStmt).TargetSpan, "d"},
	} {
		if c.span.Text() != c.want {
			t.Errorf("got %q, want %q", c.span.Text(), c.want)
		}
	}
}

func TestScriptLimits(t *testing.T) {
	for name, c := range map[string]struct{ src, message string }{
		"blocks":   {strings.Repeat("if a {", 10_000), "blocks and brackets are nested too deep"},
		"brackets": {"x.y = " + strings.Repeat("(", 60_000), "blocks and brackets are nested too deep"},
		"long":     {strings.Repeat("if a {", 100_000), "this script is too long"},
	} {
		var ds source.List
		ParseScript(text(c.src), &ds)
		if len(ds) != 1 || ds[0].Message != c.message {
			t.Errorf("%s: %v", name, ds)
		}
	}
	for _, src := range []string{
		"if a { again }" + strings.Repeat(" else if a { again }", 3000), strings.Repeat("again\n", 10_000), strings.Repeat("\n", MaxTextBytes),
		strings.Repeat("if a { again }\n\n\n\n", 3000),
	} {
		var ds source.List
		ParseScript(text(src), &ds)
		if len(ds) > 0 {
			t.Errorf("%.30q: %v", src, ds[0])
		}
	}
	for _, bad := range []string{strings.Repeat(")\n", 30_000), strings.Repeat("x\n", 30_000), strings.Repeat("a=(;", 16_000), strings.Repeat("else\n", 13_000), strings.Repeat("}", 60_000), strings.Repeat("\"\n", 30_000)} {
		var ds source.List
		ParseScript(text(bad), &ds)
		if len(ds) == 0 {
			t.Errorf("%.30q: no error", bad)
		}
	}
}

// No word of a library may reach people.
func TestNoLibraryWords(t *testing.T) {
	for _, src := range []string{"move", "emit f(", "let x", "x.y = ", "deal 1 to a", "roll x", "start game from", "show a", "move a to b with", "move a to b at", "for x", "finish with"} {
		var ds source.List
		ParseScript(text(src), &ds)
		for _, d := range ds {
			all := d.Error() + strings.Join(d.Help, " ")
			for _, word := range []string{"token", "<EOF>", "expected <", "Verb", "Part", "Sep", "unknown lexing"} {
				if strings.Contains(all, word) {
					t.Errorf("%s: %s", src, all)
				}
			}
		}
		if len(ds) != 1 {
			t.Errorf("%s: %d errors", src, len(ds))
		}
	}
}
