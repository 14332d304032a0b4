package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl/source"
)

// hostile are seeds that break parsers without limits.
var hostile = []string{
	"", " ", "\x00", "\xff\xfe", "é", "«", "\r", "a\r\nb", strings.Repeat("(", 100_000), strings.Repeat("[", 100_000), strings.Repeat("{", 100_000),
	strings.Repeat("-", 100_000), strings.Repeat("not ", 50_000), strings.Repeat("(", 64) + "1" + strings.Repeat(")", 64),
	strings.Repeat("1+", 2000) + "1", strings.Repeat("a?b:", 1000) + "c", "a" + strings.Repeat(".a", 2000), "a" + strings.Repeat("?.a", 1300),
	strings.Repeat("1<(", 60) + "2" + strings.Repeat(")<3", 60), strings.Repeat("a<", 2000) + "a",
}

// checkPlaces fails if a diagnostic points outside of the text.
func checkPlaces(t *testing.T, ds source.List, src string) {
	for _, d := range ds {
		if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(src) {
			t.Fatalf("%v has the span %d..%d of %d bytes", d, d.Span.Start, d.Span.End, len(src))
		}
		if d.Message == "" || strings.Contains(d.Message, "token") {
			t.Fatalf("bad message: %v", d)
		}
	}
}

func FuzzExpr(f *testing.F) {
	for _, s := range append(hostile, "1 + 2 * x", "count(tray, .face == 2) > 1 ? .x : it.y", "a not in [1, 2]", "a?.b ?? c", "x.is('a', b)[2]", "1 < x < 9", "a ?? b + c") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var ds source.List
		e := ParseExpr(text(src), &ds)
		checkPlaces(t, ds, src)
		if (e == nil) != ds.HasErrors() || len(ds) > 1 {
			t.Fatalf("%q: tree %v, diagnostics %v", src, e, ds)
		}
		if e != nil && len(src) < 200 {
			checkSpans(t, src, e)
		}
	})
}

func FuzzScript(f *testing.F) {
	for _, s := range append(hostile,
		"me.score += turn.points\nfinish if me.score >= goal\nnext turn", "if a { again } else if b { goto c } else { throw d by e }",
		"for p in q { move a to b at random so that x with y = z }", `say "a {b} \" c" for d`, "deal 1 from a to b of c", "emit e(1,\n2)\n} { (", "mvoe a\nlet = \"") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var ds source.List
		s := ParseScript(text(src), &ds)
		checkPlaces(t, ds, src)
		if s == nil {
			t.Fatal("no script")
		}
		dump := DumpScript(s)
		if !ds.HasErrors() && dump == "" && strings.ContainsAny(src, "=") && !strings.Contains(src, "//") {
			t.Fatalf("%q vanished", src)
		}
		if p := ParsePick(text(src), new(source.List)); p != nil {
			pick(text(src), &ds)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, s := range append(hostile, "{me} loses {turn.points}.", "{{x}} {a}{b} }}", "{x.is('}', \"{\")}", "a {", "}", "{'", strings.Repeat("{a}", 1000), strings.Repeat("{'}", 1000)) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var ds source.List
		ParseTemplate(text(src), &ds)
		ParseWho(text(src), &ds)
		ParsePattern(text(src), &ds)
		ParsePieces(text(src), &ds)
		ParseSignature(text(src), &ds)
		ParsePath(text(src), &ds)
		checkPlaces(t, ds, src)
		before := len(ds)
		if ParseType(text(src), &ds); len(ds) > before {
			t.Fatal("a type was reported")
		}
	})
}

// soup are words and signs that matter to the parsers; random rows of them go
// deeper than random bytes.
var soup = strings.Split("a|b.c|it|.x|1|23|'t'|\"u {a}\"|\"|'|(|)|[|]|{|}|,|;|\n|\r\n|//|=|==|+=|-=|+|-|*|/|%|..|??|?|?.|:|.|<|<=|and|or|not|in|not in|"+
	"true|none|if|else|for|let|random|of|to|from|at|on|top|with|by|so|that|set|where|throw|roll|move|deal|show|score|start|game|emit|say|write|mark|goto|again|next|turn|finish|append|each|any|one|value|variants|f(|é|#|!|&&|\\|$", "|")

func TestTokenSoup(t *testing.T) {
	for seed := range uint64(5000) {
		g := generator{rand.New(rand.NewPCG(seed, 11))}
		var b strings.Builder
		for range 1 + g.IntN(14) {
			b.WriteString(g.pick(soup...) + g.pick(" ", " ", " ", ""))
		}
		src := b.String()
		var ds source.List
		if e := ParseExpr(text(src), &ds); (e == nil) != ds.HasErrors() || len(ds) > 1 {
			t.Fatalf("%q: tree %v, diagnostics %v", src, e, ds)
		} else if e != nil {
			checkSpans(t, src, e)
		}
		if len(ds) > 0 && strings.Contains(ds[0].Message, "cannot be read") {
			t.Fatalf("%q: the shape check let through what expr refuses", src)
		}
		s := ParseScript(text(src), &ds)
		for _, stmt := range s.Stmts {
			checkStmtSpan(t, src, stmt)
		}
		ParseTemplate(text(src), &ds)
		ParseWho(text(src), &ds)
		ParsePick(text(src), &ds)
		ParsePattern(text(src), &ds)
		ParseSignature(text(src), &ds)
		ParsePath(text(src), &ds)
		checkPlaces(t, ds, src)
	}
}

// checkStmtSpan reads the text of a statement again: it must give the statement.
func checkStmtSpan(t *testing.T, src string, stmt Stmt) {
	t.Helper()
	want := DumpScript(&Script{Stmts: []Stmt{stmt}})
	var ds source.List
	got := DumpScript(ParseScript(text(stmt.Span().Text()), &ds))
	if got != want {
		t.Fatalf("%q: the statement\n%s has the text %q, which reads\n%s%v", src, want, stmt.Span().Text(), got, ds)
	}
}
