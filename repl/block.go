package repl

import "strings"

// This file reads formulas that run over several lines.

// morePrompt stands before the further lines of a formula.
const morePrompt = "...> "

// gather adds a line to those before it that are not whole yet. It reports
// whether more lines are wanted; an empty one ends them.
func (s *Session) gather(before, line string) (text string, more bool) {
	if before != "" {
		text = before + " " + strings.TrimSpace(line)
	} else {
		text = line
	}
	if s.cfg.Console == nil || s.pending || strings.TrimSpace(line) == "" {
		return strings.TrimSpace(text), false
	}
	if words := strings.Fields(text); words[0] == "?" || strings.HasPrefix(words[0], "#") {
		return text, false
	}
	if c, _ := s.command(text); c != nil && !strings.HasSuffix(c.args, "FORMULA") && !strings.HasSuffix(c.args, "FORMULA]") && c.name != "set" {
		return text, false
	}
	return text, unfinished(text)
}

// unfinished reports whether a formula has open brackets, or ends with an
// operator.
func unfinished(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	text = strings.TrimSpace(text)
	if depth != 0 || text == "" {
		return depth > 0
	}
	words := strings.Fields(text)
	switch last := words[len(words)-1]; last {
	case "and", "or", "not":
		return len(words) > 1
	}
	return len(text) > 1 && strings.ContainsRune("+-*/%<>=,", rune(text[len(text)-1]))
}
