package syntax

import "strings"

// operators of formulas, longer ones first.
var operators = []string{"==", "!=", "<=", ">=", "..", "??", "?.", "<", ">", "+", "-", "*", "/", "%", "?", ":", ",", "."}

// refused are signs that formulas elsewhere have and ours do not, longer ones
// first, each with the help that says what to write instead.
var refused = []struct{ sign, help string }{
	{"===", "write `==`"},
	{"!==", "write `!=`"},
	{"&&", "write `and`"},
	{"||", "write `or`"},
	{"**", "write out the product, or use a lookup under `define`"},
	{"//", "`/` divides and rounds down; a comment cannot stand inside a formula"},
	{"/*", "a comment cannot stand inside a formula"},
	{"*/", "a comment cannot stand inside a formula"},
	{"->", "the element is called `it`, and `.name` means `it.name`"},
	{"=<", "write `<=`"},
	{"=>", "write `>=`"},
	{"<>", "write `!=`"},
	{"++", "write `+ 1`"},
	{"+=", "only a script can change a value"},
	{"-=", "only a script can change a value"},
	{"::", "write `.`"},
	{":=", "give the value a name under `define`"},
	{"=", "write `==` to compare"},
	{"#", "the element is called `it`, and `.name` means `it.name`"},
	{"&", "write `and`"},
	{"|", "write `or` between conditions, and calls such as `count(list, CONDITION)` instead of pipes"},
	{"!", "write `not`"},
	{"^", "write out the product, or use a lookup under `define`"},
	{";", "a formula is a single value; give parts of it a name under `define`"},
	{"{", "lists are written `[a, b]`, choices `CONDITION ? VALUE : OTHER_VALUE`"},
	{"}", "lists are written `[a, b]`, choices `CONDITION ? VALUE : OTHER_VALUE`"},
	{"$", "names are made of the letters a to z, digits and `_`"},
	{"`", "write texts in double or single quotes"},
	{"~", ""}, {"@", ""}, {"\\", ""},
}

// operator reads an operator or refuses what is none.
func (l *formulaLexer) operator() {
	s := l.rest()
	if len(s) > 1 && s[0] == '.' && isDigit(s[1]) {
		prev := len(l.out) - 1
		if prev < 0 || l.out[prev].to < l.pos || l.out[prev].kind == tokOp {
			end := wordEnd(s, 1)
			l.fail("E0216", end, "`%s` is not a whole number", s[:end]).WithHelp("numbers are whole; count in smaller units")
			return
		}
	}
	for _, r := range refused {
		if strings.HasPrefix(s, r.sign) && !(r.sign == "!" && strings.HasPrefix(s, "!=")) && !(r.sign == "=" && strings.HasPrefix(s, "==")) {
			l.refuse(r.sign, r.help)
			return
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			l.emit(tokOp, len(op))
			return
		}
	}
	l.fail("E0216", 1, "the character %q is not a part of formulas", s[0])
}

func (l *formulaLexer) refuse(sign, help string) {
	n := len(sign)
	shown := "`" + sign + "`"
	if sign == "$" {
		n = max(1, wordEnd(l.rest(), 1))
		shown = "`" + l.rest()[:n] + "`"
	}
	if sign == "`" {
		shown = "a backtick"
	}
	d := l.fail("E0216", n, "%s is not a part of formulas", shown)
	if help != "" {
		d.WithHelp("%s", help)
	}
}
