package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter/sim"
)

// An expectation says where a measure is to lie.
type expectation struct {
	text      string
	id        string
	diff      bool // of the difference that the rules compared with make
	low, high float64
}

var expectForm = regexp.MustCompile(`^\s*(\S+)\s+(?:within\s+(\S+?(?: %)?)\s*\.\.\s*(\S+(?: %)?)|(<=|>=)\s*(\S+(?: %)?))\s*$`)

// readExpectations reads the values of --expect.
func readExpectations(list []string, columns []sim.Column, pairs bool) ([]expectation, error) {
	var out []expectation
	for _, text := range list {
		m := expectForm.FindStringSubmatch(text)
		if m == nil {
			return nil, failf(exitUsage, "--expect `%s` cannot be read: write 'MEASURE within LOW..HIGH', 'MEASURE <= NUMBER' or 'MEASURE >= NUMBER'", text)
		}
		e := expectation{text: text, low: math.Inf(-1), high: math.Inf(1)}
		e.id, e.diff = strings.CutPrefix(m[1], "diff.")
		if e.diff && !pairs {
			return nil, failf(exitUsage, "--expect `%s` is about a difference, and nothing is compared: add --vs", text)
		}
		if err := knownMeasure(e.id, columns); err != nil {
			return nil, err
		}
		var err error
		switch {
		case m[4] == "<=":
			e.high, err = readNumber(m[5])
		case m[4] == ">=":
			e.low, err = readNumber(m[5])
		default:
			if e.low, err = readNumber(m[2]); err == nil {
				e.high, err = readNumber(m[3])
			}
		}
		if err != nil {
			return nil, failf(exitUsage, "--expect `%s`: %v", text, err)
		}
		if err := e.sensible(columns); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// sensible reports bounds between which nothing lies, and those that no share can
// reach: 55 where 55% is meant.
func (e *expectation) sensible(columns []sim.Column) error {
	if e.low > e.high {
		return failf(exitUsage, "--expect `%s`: the lower bound comes first, and it is above the other", e.text)
	}
	i := slices.IndexFunc(columns, func(c sim.Column) bool { return c.ID == e.id })
	for _, bound := range []float64{e.low, e.high} {
		if columns[i].Share() && !math.IsInf(bound, 0) && math.Abs(bound) > 1 {
			return failf(exitUsage, "--expect `%s`: `%s` is a share of games, at most 100%%: write %s%%", e.text, e.id, strconv.FormatFloat(bound, 'f', -1, 64))
		}
	}
	return nil
}

// knownMeasure reports a measure that there is not.
func knownMeasure(id string, columns []sim.Column) error {
	var ids []string
	for _, c := range columns {
		if c.ID == id {
			return nil
		}
		if !c.Hidden {
			ids = append(ids, c.ID)
		}
	}
	if near := source.Nearest(id, ids); len(near) > 0 {
		return failf(exitUsage, "there is no measure `%s`; did you mean `%s`?", id, near[0])
	}
	return failf(exitUsage, "there is no measure `%s`; there are: %s", id, strings.Join(ids, ", "))
}

// readNumber reads a number, or a share in percent.
func readNumber(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("`%s` is no number", text)
	}
	if percent {
		v /= 100
	}
	return v, nil
}

// readShare reads a share of games.
func readShare(flag, text string) (float64, error) {
	v, err := readNumber(text)
	if err != nil || v < 0 || v > 1 {
		return 0, failf(exitUsage, "%s takes a share such as 1%%, not `%s`", flag, text)
	}
	return v, nil
}

// judge says whether the whole interval lies where it is to lie.
func (e *expectation) judge(r *sim.Result) (ok bool, text string) {
	var c sim.Column
	var is sim.Estimate
	if e.diff {
		for _, d := range r.Differences() {
			if d.ID == e.id {
				c, is = d.Column, d.Estimate
			}
		}
	} else {
		for _, m := range r.Measures(0) {
			if m.ID == e.id {
				c, is = m.Column, m.Estimate
			}
		}
	}
	found := fmt.Sprintf("it is %s (%s)", number(&c, is.Value), interval(&c, is))
	switch {
	case is.Low >= e.low && is.High <= e.high:
		return true, fmt.Sprintf("%s: yes, %s", e.text, found)
	case is.High < e.low || is.Low > e.high:
		return false, fmt.Sprintf("%s: no, %s", e.text, found)
	}
	return false, fmt.Sprintf("%s: undecided, %s; more games may tell", e.text, found)
}

// A precision is how well a measure is to be known.
type precision struct {
	id   string
	half float64
}

// readPrecision reads the value of --precision; nil if there is none.
func readPrecision(text string, p *sim.Plan) (*precision, error) {
	if text == "" {
		return nil, nil
	}
	id, value, named := strings.Cut(text, "=")
	if !named {
		id, value = "wins.first", text
	}
	if err := knownMeasure(id, p.Header.Columns); err != nil {
		return nil, err
	}
	v, err := readNumber(value)
	if err != nil || v <= 0 {
		return nil, failf(exitUsage, "--precision takes a share such as 0.5%%, or MEASURE=NUMBER, not `%s`", text)
	}
	return &precision{id, v}, nil
}

// leastGames is how many games are played before a precision counts.
const leastGames = 1000

// met reports whether the measure is known well enough. Nothing is, if nothing is
// asked for.
func (p *precision) met(r *sim.Result) bool {
	if p == nil || r.Games() < leastGames || r.Games()%leastGames != 0 {
		return false
	}
	for _, m := range r.Measures(0) {
		if m.ID == p.id {
			return (m.High-m.Low)/2 <= p.half
		}
	}
	return false
}
