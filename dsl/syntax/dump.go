package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Dump writes a formula as an S-expression, for tests and for looking at trees.
func Dump(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "nil"
	case *NameExpr:
		return e.Name
	case *IntExpr:
		return strconv.FormatInt(e.Value, 10)
	case *BoolExpr:
		return strconv.FormatBool(e.Value)
	case *TextExpr:
		return strconv.Quote(e.Value)
	case *UnaryExpr:
		return dumpList(e.Op, e.X)
	case *BinaryExpr:
		return dumpList(e.Op, e.X, e.Y)
	case *CondExpr:
		return dumpList("?", e.If, e.Then, e.Else)
	case *MemberExpr:
		if e.Optional {
			return dumpList("?."+e.Name, e.X)
		}
		return dumpList("."+e.Name, e.X)
	case *IndexExpr:
		return dumpList("at", e.X, e.Index)
	case *CallExpr:
		if e.Recv != nil {
			return dumpList("call ."+e.Fn, append([]Expr{e.Recv}, e.Args...)...)
		}
		return dumpList("call "+e.Fn, e.Args...)
	case *ListExpr:
		return dumpList("list", e.Items...)
	}
	return fmt.Sprintf("%T", e)
}

func dumpList(head string, parts ...Expr) string {
	var b strings.Builder
	b.WriteString("(" + head)
	for _, p := range parts {
		b.WriteString(" " + Dump(p))
	}
	b.WriteString(")")
	return b.String()
}

// DumpScript writes a script as S-expressions, one statement a line, blocks
// indented, for tests and for looking at trees.
func DumpScript(s *Script) string {
	var b strings.Builder
	dumpStmts(&b, s, "")
	return b.String()
}

func dumpStmts(b *strings.Builder, s *Script, indent string) {
	if s == nil {
		return
	}
	for _, stmt := range s.Stmts {
		switch x := stmt.(type) {
		case *IfStmt:
			word := "if"
			if x.Postfix {
				word = "postfix-if"
			}
			fmt.Fprintf(b, "%s%s %s\n", indent, word, Dump(x.Cond))
			dumpStmts(b, x.Then, indent+"  ")
			if x.Else != nil {
				fmt.Fprintf(b, "%selse\n", indent)
				dumpStmts(b, x.Else, indent+"  ")
			}
		case *ForStmt:
			fmt.Fprintf(b, "%sfor %s %s\n", indent, x.Name, Dump(x.List))
			dumpStmts(b, x.Body, indent+"  ")
		default:
			b.WriteString(indent + strings.Join(dumpFlat(stmt), " ") + "\n")
		}
	}
}

// dumpFlat returns the words of a statement without blocks.
func dumpFlat(stmt Stmt) []string {
	switch x := stmt.(type) {
	case *LetStmt:
		return []string{"let", x.Name, dumpRandom(x.Random), Dump(x.Value)}
	case *AssignStmt:
		return []string{x.Op, Dump(x.Place), dumpRandom(x.Random), Dump(x.Value)}
	case *AppendStmt:
		return []string{"append", Dump(x.Value), Dump(x.Place)}
	case *ThrowStmt:
		return []string{"throw", Dump(x.Zone), Dump(x.By)}
	case *RollStmt:
		return []string{"roll", Dump(x.Place), Dump(x.Range)}
	case *MoveStmt:
		return []string{"move", Dump(x.What), Dump(x.Zone), "at", Dump(x.At), fmt.Sprintf("top=%t random=%t", x.OnTop, x.Random), Dump(x.SoThat), dumpMarks(x.Marks)}
	case *DealStmt:
		return []string{"deal", Dump(x.What), Dump(x.From), x.Name, Dump(x.Seats), fmt.Sprintf("random=%t", x.Random), Dump(x.SoThat), dumpMarks(x.Marks)}
	case *ShowStmt:
		return []string{"show", Dump(x.What), Dump(x.Seats)}
	case *SetStmt:
		return []string{"set", Dump(x.What), Dump(x.Faces)}
	case *ScoreStmt:
		return []string{"score", Dump(x.What), x.Scorer}
	case *StartStmt:
		return []string{"start", x.Scope}
	case *EmitStmt:
		return []string{"emit", dumpList(x.Event, x.Args...)}
	case *SayStmt:
		return []string{x.Verb, DumpTemplate(x.Text), Dump(x.For)}
	case *ExitStmt:
		return []string{"exit", x.Verb, x.Target, Dump(x.Seat), Dump(x.With), dumpMarks(x.Sets)}
	}
	return []string{fmt.Sprintf("%T", stmt)}
}

func dumpRandom(random bool) string {
	if random {
		return "random of"
	}
	return "value"
}

func dumpMarks(marks []MarkValue) string {
	var parts []string
	for _, m := range marks {
		parts = append(parts, m.Name+"="+Dump(m.Value))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// DumpTemplate writes a sentence with its formulas as S-expressions in braces.
func DumpTemplate(t *Template) string {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Expr != nil {
			b.WriteString("{" + Dump(p.Expr) + "}")
		} else {
			b.WriteString(strconv.Quote(p.Text))
		}
	}
	return b.String()
}
