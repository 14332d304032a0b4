package syntax

import (
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/houserules/houserules/dsl/source"
)

// The grammar of picks. What stands before `of` is a word or a formula.
type gPick struct {
	First   gExpr     `parser:"@@"`
	Of      *gExpr    `parser:"( 'of' @@"`
	Default *gExpr    `parser:"| '=' @@ )?"`
	Where   *gExpr    `parser:"( 'where' @@ )?"`
	ForEach *gForEach `parser:"( 'for' @@ )?"`
	If      *gExpr    `parser:"( 'if' @@ )?"`
}

type gForEach struct {
	List gExpr `parser:"'each' @@"`
}

var pickParser = participle.MustBuild[gPick](participle.Lexer(grammars), participle.Elide("Space", "Comment"))

const helpPick = "a pick is written `one of LIST`, `some of LIST`, `any of LIST`, `N of LIST`, `order of LIST`, `1..6`, `value of PARAM` or `any of variants`, and may go on with `where`, `for each` and `if`"

// ParsePick reads a pick of an action. After an error it returns nil.
func ParsePick(t Text, ds *source.List) *Pick {
	if len(t.Value) > MaxFormula {
		ds.Errorf("E0203", t.Span(MaxFormula, len(t.Value)), "this pick is too long").WithHelp("at most %d bytes", MaxFormula)
		return nil
	}
	g, err := pickParser.ParseString("", t.Value)
	if err != nil {
		reportToken(t, err, ds, "pick", helpPick)
		return nil
	}
	low := lowerer{text: t, ds: ds}
	p := low.pick(g)
	if low.bad {
		return nil
	}
	return p
}

// reportToken reports an error of participle in a short text.
func reportToken(t Text, err error, ds *source.List, what, help string) {
	at := lexer.EOFToken(lexer.Position{Offset: len(t.Value)})
	if pe, ok := err.(*participle.UnexpectedTokenError); ok {
		at = pe.Unexpected
	} else if pe, ok := err.(participle.Error); ok {
		at.Pos = pe.Position()
	}
	switch {
	case strings.TrimSpace(t.Value) == "":
		ds.Errorf("E0203", t.Whole(), "a %s is missing", what).WithHelp("%s", help)
	case at.Value == "":
		ds.Errorf("E0203", t.trimmed().Whole(), "this %s is not complete", what).WithHelp("%s", help)
	default:
		ds.Errorf("E0203", t.Span(at.Pos.Offset, at.Pos.Offset+len(at.Value)), "unexpected `%s` in a %s", at.Value, what).WithHelp("%s", help)
	}
}

// forgotOf matches a pick such as `some tray`.
var forgotOf = regexp.MustCompile(`^(?:one|some|any|order|value|[0-9]+) +[a-z(\[]`)

func (l *lowerer) raw(g *gExpr) string { return l.text.Value[g.from:g.to] }

func (l *lowerer) pick(g *gPick) *Pick {
	p := &Pick{Place: l.text.trimmed().Whole()}
	first := l.raw(&g.First)
	switch {
	case g.Of == nil && (first == "one" || first == "some" || first == "any" || first == "order" || first == "value"):
		l.bad = true
		l.ds.Errorf("E0203", l.text.Span(g.First.from, g.First.to), "`%s` needs an `of` after it", first).WithHelp("%s", helpPick)
	case g.Of == nil && forgotOf.MatchString(first):
		l.bad = true
		verb, rest, _ := strings.Cut(first, " ")
		l.ds.Errorf("E0203", l.text.Span(g.First.from, g.First.to), "`%s` needs an `of` after it", verb).
			WithHelp("write `%s of %s`", verb, strings.TrimSpace(rest)).
			WithEdit(l.text.Span(g.First.from, g.First.from+len(verb)), verb+" of")
	case g.Of == nil:
		p.Form, p.List, p.Default = "range", l.expr(&g.First), l.expr(g.Default)
	case first == "any" && l.raw(g.Of) == "variants":
		p.Form = "variants"
	case first == "value":
		l.pickValue(p, g.Of)
	case first == "one" || first == "some" || first == "any" || first == "order":
		p.Form, p.List = first, l.expr(g.Of)
	default:
		p.Form, p.N, p.List = "n", l.expr(&g.First), l.expr(g.Of)
	}
	p.Where = l.expr(g.Where)
	if g.ForEach != nil {
		p.ForEach = l.expr(&g.ForEach.List)
	}
	if g.If != nil && l.raw(g.If) == "any" {
		p.IfAny = true
	} else {
		p.If = l.expr(g.If)
	}
	return p
}

func (l *lowerer) pickValue(p *Pick, g *gExpr) {
	p.Form, p.Param = "value", l.raw(g)
	if !isName(p.Param) {
		l.bad = true
		l.ds.Errorf("E0203", l.text.Span(g.from, g.to), "`value of` needs the name of a param")
	}
}

// ParseWho reads the `who` of a phase. After an error it returns nil.
func ParseWho(t Text, ds *source.List) *Who {
	t = t.trimmed()
	who := &Who{Place: t.Whole()}
	if t.Value == "table" {
		who.Mode = "table"
		return who
	}
	for _, mode := range [][2]string{{"in", "turn"}, {"at", "once"}} {
		if end, ok := cutWords(t.Value, mode[0], mode[1]); ok {
			who.Mode = mode[0] + " " + mode[1]
			t = t.Slice(0, end)
			break
		}
	}
	if who.List = ParseExpr(t, ds); who.List == nil {
		return nil
	}
	return who
}

// cutWords returns where s ends without the two words at its end.
func cutWords(s, first, second string) (end int, ok bool) {
	rest, ok := strings.CutSuffix(s, second)
	if !ok || rest == "" || !isSpace(rest[len(rest)-1]) {
		return 0, false
	}
	rest = strings.TrimRight(rest, " \t\r\n")
	if rest, ok = strings.CutSuffix(rest, first); !ok || rest != "" && !isSpace(rest[len(rest)-1]) {
		return 0, false
	}
	return len(strings.TrimRight(rest, " \t\r\n")), true
}
