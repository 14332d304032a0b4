package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// WriteTo writes a result as one JSON value. Equal results have equal bytes.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(data, '\n'))
	return int64(n), err
}

// maxResult is the most bytes that the file of a result may have.
const maxResult = 64 << 20

// Read reads what WriteTo wrote. The error is for people.
func Read(from io.Reader) (*Result, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxResult+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxResult {
		return nil, fmt.Errorf("it is larger than any result")
	}
	var r Result
	var syntax *json.SyntaxError
	switch err := json.NewDecoder(bytes.NewReader(data)).Decode(&r); {
	case errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return nil, fmt.Errorf("it is no JSON, or it was cut off")
	case err != nil:
		return nil, fmt.Errorf("it is not the result of a simulation")
	case r.Plan.Format == 0:
		return nil, fmt.Errorf("it is not the result of a simulation")
	case r.Plan.Format != Format:
		return nil, fmt.Errorf("it was written by another version of houserules")
	}
	return &r, r.sound()
}

// sound reports what a result of honest hands cannot be.
func (r *Result) sound() error {
	bad := fmt.Errorf("its numbers do not fit together")
	n := len(r.Plan.Columns)
	if n < firstOther || len(r.Sides) < 1 || len(r.Sides) > 2 || len(r.Missed) != len(r.Sides) || (len(r.Sides) == 2) != (r.Pairs != nil) || r.Plan.Games < 1 {
		return bad
	}
	for _, c := range r.Plan.Columns {
		if c.Per >= n || c.Unit < 0 {
			return bad
		}
	}
	for i, s := range r.Sides {
		if !s.fit(n) {
			return bad
		}
		for k, c := range r.Plan.Columns {
			if (s.Spread[k] != nil) != c.Spread {
				return bad
			}
		}
		if s.Finished < 0 || r.Missed[i] < 0 || s.Finished+r.Missed[i] != r.Games() {
			return bad
		}
	}
	end := int64(0)
	for _, s := range r.Done {
		if s.Begin < end || s.End <= s.Begin || s.End > r.Plan.Games {
			return bad
		}
		end = s.End
	}
	if p := r.Pairs; p != nil {
		if len(p.Diff) != n || len(p.DiffSquare) != n || p.Both < 0 || p.Both > r.Games() {
			return bad
		}
		for _, c := range p.Cross {
			if len(c) != n {
				return bad
			}
		}
		if len(p.Alone) != len(r.Sides) {
			return bad
		}
		for i, s := range p.Alone {
			if !s.fit(n) || s.Finished < 0 || s.Finished+p.Both != r.Sides[i].Finished || slices.ContainsFunc(s.Spread, func(h *Histogram) bool { return h != nil }) {
				return bad
			}
		}
	}
	return nil
}

// fit reports whether these are sums of so many columns.
func (s *Sums) fit(n int) bool {
	return s != nil && len(s.Sum) == n && len(s.Square) == n && len(s.WithPer) == n && len(s.Whole) == n && len(s.Spread) == n
}

// SamePlan reports whether two results are parts of the same run, and if not,
// how they differ, for people.
func (r *Result) SamePlan(o *Result) (why string, ok bool) {
	a, b := r.Plan, o.Plan
	switch {
	case a.Game != b.Game:
		return fmt.Sprintf("one is of %s, the other of %s", a.Game, b.Game), false
	case a.Fingerprint != b.Fingerprint || a.Rival != b.Rival:
		return "they were played by different rules", false
	case a.Seed != b.Seed:
		return fmt.Sprintf("one has the seed %d, the other %d", a.Seed, b.Seed), false
	case a.Games != b.Games:
		return fmt.Sprintf("one is a part of %d games, the other of %d", a.Games, b.Games), false
	case !reflect.DeepEqual(a.Bots, b.Bots):
		return "they were played by different bots", false
	case !reflect.DeepEqual(a, b):
		return "they were asked for in different ways", false
	}
	return "", true
}

// Merge joins parts of the same run into one. The error is for people, and names
// parts by their number from 1.
func Merge(parts []*Result) (*Result, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("there are no results to merge")
	}
	out := parts[0]
	for i, p := range parts[1:] {
		if why, ok := out.SamePlan(p); !ok {
			return nil, fmt.Errorf("parts 1 and %d do not belong together: %s", i+2, why)
		}
		if g := overlap(out.Done, p.Done); g >= 0 {
			return nil, fmt.Errorf("game %d is in part %d and in one before it", g, i+2)
		}
		out.join(p)
	}
	return out, nil
}

// Missing returns the games of the plan that are not in the result.
func (r *Result) Missing() []Span {
	out, at := []Span{}, int64(0)
	for _, s := range r.Done {
		if s.Begin > at {
			out = append(out, Span{at, s.Begin})
		}
		at = s.End
	}
	if at < r.Plan.Games {
		out = append(out, Span{at, r.Plan.Games})
	}
	return out
}
