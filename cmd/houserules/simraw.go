package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"

	"github.com/houserules/houserules/interpreter/sim"
)

// A rawFile is where every game is written: a nil one takes nothing.
type rawFile struct {
	path  string
	f     *os.File
	buf   *bufio.Writer
	write func(*sim.Row) error
}

// openRaw makes the file of --raw, nil if there is none.
func (c *simPlayCommand) openRaw(p *sim.Plan) (*rawFile, error) {
	if c.Raw == "" {
		return nil, nil
	}
	ext := filepath.Ext(c.Raw)
	if ext != ".csv" && ext != ".jsonl" {
		return nil, failf(exitUsage, "--raw writes FILE.csv or FILE.jsonl, not `%s`", c.Raw)
	}
	f, err := create(c.Raw)
	if err != nil {
		return nil, err
	}
	w := &rawFile{path: c.Raw, f: f, buf: bufio.NewWriter(f)}
	columns := p.Header.Columns
	if ext == ".jsonl" {
		w.write = w.jsonl(columns)
		return w, nil
	}
	w.write, err = w.csv(columns)
	return w, err
}

// writer is what a run hands its games to.
func (w *rawFile) writer() func(*sim.Row) error {
	if w == nil {
		return nil
	}
	return func(r *sim.Row) error {
		if err := w.write(r); err != nil {
			return failf(exitCannot, "`%s` cannot be written: %v", w.path, cause(err))
		}
		return nil
	}
}

func (w *rawFile) close() error {
	if w == nil {
		return nil
	}
	err := w.buf.Flush()
	if e := w.f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return failf(exitCannot, "`%s` cannot be written: %v", w.path, cause(err))
	}
	return nil
}

// rulesOf says by which rules a game was played.
func rulesOf(side int) string { return []string{"these", "compared"}[side] }

// csv writes a head and a line a game. Shares of a win are written as such.
func (w *rawFile) csv(columns []sim.Column) (func(*sim.Row) error, error) {
	out := csv.NewWriter(w.buf)
	head := []string{"game", "rules", "ended"}
	for _, c := range columns {
		head = append(head, c.ID)
	}
	if err := out.Write(head); err != nil {
		return nil, err
	}
	return func(r *sim.Row) error {
		line := []string{strconv.FormatInt(r.Game, 10), rulesOf(r.Side), strconv.FormatBool(r.Ended)}
		for i := range columns {
			line = append(line, strconv.FormatFloat(plainValue(&columns[i], r.Numbers[i]), 'f', -1, 64))
		}
		if err := out.Write(line); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	}, nil
}

// plainValue is a number of a game with shares as parts of 1.
func plainValue(c *sim.Column, v int64) float64 { return float64(v) / float64(max(c.Unit, 1)) }

// jsonl writes an object a game.
func (w *rawFile) jsonl(columns []sim.Column) func(*sim.Row) error {
	enc := json.NewEncoder(w.buf)
	return func(r *sim.Row) error {
		o := map[string]any{"game": r.Game, "rules": rulesOf(r.Side), "ended": r.Ended}
		if r.Why != "" {
			o["why"] = r.Why
		}
		for i := range columns {
			o[columns[i].ID] = plainValue(&columns[i], r.Numbers[i])
		}
		return enc.Encode(o)
	}
}
