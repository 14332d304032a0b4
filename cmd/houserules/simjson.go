package main

import (
	"encoding/json"
	"math"

	"github.com/houserules/houserules/interpreter/sim"
)

// The report for programs.
type (
	simJSON struct {
		Format      string      `json:"format_version"`
		Plan        sim.Header  `json:"plan"`
		Games       int64       `json:"games"`
		Stopped     bool        `json:"stopped"`
		NotEnded    []int64     `json:"not_ended"`
		Measures    []simNumber `json:"measures"`
		Rival       []simNumber `json:"rival_measures,omitempty"`
		Differences []simNumber `json:"differences,omitempty"`
	}
	simNumber struct {
		ID        string         `json:"id"`
		Title     string         `json:"title"`
		Value     *float64       `json:"value"`
		Low       *float64       `json:"low"`
		High      *float64       `json:"high"`
		Likely    *bool          `json:"likely,omitempty"`
		Quantiles *simQuantiles  `json:"quantiles,omitempty"`
		Histogram *sim.Histogram `json:"histogram,omitempty"`
	}
	simQuantiles struct {
		P5  float64 `json:"p5"`
		P25 float64 `json:"p25"`
		P50 float64 `json:"p50"`
		P75 float64 `json:"p75"`
		P95 float64 `json:"p95"`
	}
)

func numberJSON(r *sim.Result, c *sim.Column, e sim.Estimate) simNumber {
	known := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return simNumber{ID: c.ID, Title: simName(r, c), Value: known(e.Value), Low: known(e.Low), High: known(e.High)}
}

func measuresJSON(r *sim.Result, side int) []simNumber {
	out := []simNumber{}
	for _, m := range r.Measures(side) {
		n := numberJSON(r, &m.Column, m.Estimate)
		if q := m.Quantiles; len(q) > 0 && !math.IsNaN(q[0].Value) {
			n.Quantiles = &simQuantiles{q[0].Value, q[1].Value, q[2].Value, q[3].Value, q[4].Value}
			n.Histogram = m.Spread
		}
		out = append(out, n)
	}
	return out
}

func writeSimJSON(r *sim.Result, note simNote, std streams) error {
	out := simJSON{Format: "1.0", Plan: r.Plan, Games: r.Games(), Stopped: note.stopped, NotEnded: r.Missed, Measures: measuresJSON(r, 0)}
	if r.Pairs != nil {
		out.Rival = measuresJSON(r, 1)
		for _, d := range r.Differences() {
			n, likely := numberJSON(r, &d.Column, d.Estimate), d.Likely()
			n.Likely = &likely
			out.Differences = append(out.Differences, n)
		}
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	std.printf("%s", data)
	return nil
}
