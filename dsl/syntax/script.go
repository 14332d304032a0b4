package syntax

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/houserules/houserules/dsl/source"
)

// ParseScript reads a script. It never returns nil: statements that do not
// parse are reported, each once, and left out.
func ParseScript(t Text, ds *source.List) *Script {
	empty := &Script{Place: t.Whole()}
	if len(t.Value) > MaxTextBytes {
		ds.Errorf("E0202", t.Span(MaxTextBytes, len(t.Value)), "this script is too long").WithHelp("at most %d bytes; move parts of it into events", MaxTextBytes)
		return empty
	}
	s := &sorter{toks: baseTokens(t.Value), text: t, ds: ds}
	if !s.checkNesting() {
		return empty
	}
	s.balanceBraces()
	s.sort(true)
	lex, err := lexer.Upgrade(&tokenList{toks: s.toks}, typeSpace, typeComment)
	if err != nil {
		return empty
	}
	var list gStmts
	if err := list.Parse(lex); err != nil {
		return empty
	}
	low := lowerer{text: t, ds: ds}
	for _, b := range list.allBroken() {
		s.report(b)
	}
	return &Script{low.stmts(list.list), t.Whole()}
}

// allBroken gathers the broken statements of the list and of all blocks in it.
func (g *gStmts) allBroken() []brokenStmt {
	out := g.broken
	for _, s := range g.list {
		for _, b := range s.blocks() {
			out = append(out, b.Body.allBroken()...)
		}
	}
	return out
}

func (s *gStmt) blocks() []*gBlock {
	var out []*gBlock
	if s.If != nil {
		out = append(out, &s.If.Then)
		for _, e := range s.If.Elif {
			out = append(out, &e.Then)
		}
		if s.If.Else != nil {
			out = append(out, s.If.Else)
		}
	}
	if s.For != nil {
		out = append(out, &s.For.Body)
	}
	return out
}

func (s *sorter) span(t lexer.Token) source.Span {
	return s.text.Span(t.Pos.Offset, t.Pos.Offset+len(t.Value))
}

// checkNesting reports brackets and blocks that are nested too deep, before
// anything recursive sees them.
func (s *sorter) checkNesting() bool {
	depth := 0
	for _, t := range s.toks {
		switch t.Type {
		case typeOpen, typeLBrace:
			if depth++; depth > MaxNesting {
				s.ds.Errorf("E0202", s.span(t), "blocks and brackets are nested too deep").WithHelp("at most %d deep; move parts of the script into events", MaxNesting)
				return false
			}
		case typeClose, typeRBrace:
			depth = max(0, depth-1)
		}
	}
	return true
}

// balanceBraces reports every `{` without `}` and the reverse, and mends the
// tokens, so that the statements between can still be read.
func (s *sorter) balanceBraces() {
	var open []int
	for i, t := range s.toks {
		switch t.Type {
		case typeLBrace:
			open = append(open, i)
		case typeRBrace:
			if len(open) == 0 {
				s.ds.Errorf("E0202", s.span(t), "`}` without a `{` that it closes")
				s.toks[i].Type = typeSemi
				continue
			}
			open = open[:len(open)-1]
		}
	}
	eof := s.toks[len(s.toks)-1]
	s.toks = s.toks[:len(s.toks)-1]
	for _, i := range open {
		s.ds.Errorf("E0202", s.span(s.toks[i]), "this block is not closed").WithHelp("a `}` is missing")
	}
	for range open {
		s.toks = append(s.toks, lexer.Token{Type: typeRBrace, Value: "}", Pos: eof.Pos})
	}
	s.toks = append(s.toks, eof)
}
