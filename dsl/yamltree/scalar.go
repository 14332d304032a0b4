package yamltree

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
)

var (
	intText   = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)$`)
	floatText = regexp.MustCompile(`^[-+]?(?:[0-9][0-9_]*\.[0-9]*|\.[0-9]+|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+)$`)
	oddText   = regexp.MustCompile(`^[-+]?[0-9][0-9_,]*$`)
	baseText  = regexp.MustCompile(`^[-+]?0[xXoObB][0-9A-Fa-f_]+$`)
)

// ReadInt reads a whole number. If the node is none it reports why and returns
// false.
func ReadInt(n *Node, ds *source.List) (int64, bool) {
	if !readable(n, ds, "a whole number") {
		return 0, false
	}
	text := strings.TrimSpace(n.Text)
	if intText.MatchString(text) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			ds.Errorf("E0112", n.Span, "the number `%s` is too large", text)
		}
		return v, err == nil
	}
	switch {
	case floatText.MatchString(text):
		ds.Errorf("E0113", n.Span, "`%s` is not a whole number", text).
			WithHelp("all numbers are whole; count in smaller units")
	case oddText.MatchString(text) || baseText.MatchString(text):
		d := ds.Errorf("E0112", n.Span, "odd spelling of a number: `%s`", text)
		if plain := plainNumber(text); plain != "" {
			d.WithHelp("write `%s`", plain).WithEdit(n.Span, plain)
		}
	default:
		ds.Errorf("E0221", n.Span, "`%s` is not a whole number", shorten(text))
	}
	return 0, false
}

// plainNumber returns the number that an odd spelling can only mean, or "".
func plainNumber(text string) string {
	if baseText.MatchString(text) {
		if v, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 0, 64); err == nil {
			return strconv.FormatInt(v, 10)
		}
		return ""
	}
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign = "-"
	}
	digits := strings.TrimLeft(strings.NewReplacer("_", "", ",", "").Replace(text), "+-0")
	if digits == "" {
		return "0"
	}
	return sign + digits
}

var truths = map[string]string{
	"yes": "true", "on": "true", "y": "true", "true": "true",
	"no": "false", "off": "false", "n": "false", "false": "false",
}

// ReadBool reads true or false. If the node is neither it reports why and
// returns false as its second result.
func ReadBool(n *Node, ds *source.List) (value, ok bool) {
	if !readable(n, ds, "`true` or `false`") {
		return false, false
	}
	text := strings.TrimSpace(n.Text)
	if text == "true" || text == "false" {
		return text == "true", true
	}
	if meant := truths[strings.ToLower(text)]; meant != "" {
		ds.Errorf("E0111", n.Span, "`%s` is not a truth value here", text).
			WithHelp("write `%s`", meant).WithEdit(n.Span, meant)
		return false, false
	}
	ds.Errorf("E0221", n.Span, "want `true` or `false`, got `%s`", shorten(text))
	return false, false
}

// readable reports whether a node is a value of any kind but a text in double
// quotes, and says so if not.
func readable(n *Node, ds *source.List, want string) bool {
	switch {
	case n.Kind != Scalar:
		ds.Errorf("E0115", n.Span, "want %s, got %s", want, n.Kind)
	case n.Empty:
		ds.Errorf("E0114", n.Span, "no value here, want %s", want)
	case n.Style == Double:
		ds.Errorf("E0221", n.Span, "want %s, got a text in double quotes", want).
			WithHelp("leave out the quotes").WithEdit(n.Span, n.Text)
	default:
		return true
	}
	return false
}

// shorten keeps a value that is quoted in a message on one short line.
func shorten(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}
