package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/houserules/houserules/interpreter/sim"
)

// plotNames reports files of --plot that cannot be drawn to.
func plotNames(paths []string) error {
	for _, p := range paths {
		if ext := filepath.Ext(p); ext != ".svg" && ext != ".png" {
			return failf(exitUsage, "--plot draws FILE.svg or FILE.png, not `%s`", p)
		}
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return failf(exitCannot, "`%s` is a folder, where a file is wanted", p)
		}
	}
	return nil
}

const (
	plotWidth  = 16 * vg.Centimeter
	plotHeight = 9 * vg.Centimeter
	mostPlots  = 6
)

// plotResult draws a histogram of every measure that has one, above each other.
func plotResult(path string, r *sim.Result) error {
	var plots []*plot.Plot
	for _, m := range r.Measures(0) {
		if m.Spread == nil || len(m.Spread.Bins) < 2 || len(plots) == mostPlots {
			continue
		}
		p := plot.New()
		p.Title.Text, p.X.Label.Text, p.Y.Label.Text = simTitle(r), simName(r, &m.Column), "games"
		var bars plotter.XYs
		for _, b := range binned(m.Spread, 60) {
			bars = append(bars, plotter.XY{X: float64(b.low), Y: float64(b.count)})
		}
		h, err := plotter.NewHistogram(bars, len(bars))
		if err != nil {
			return failf(exitCannot, "`%s` cannot be drawn", path)
		}
		p.Add(h)
		plots = append(plots, p)
	}
	return drawn(path, plots)
}

// plotSweep draws the measures that a reader asks for first against the values of
// an option.
func plotSweep(path, name string, all []swept) error {
	var plots []*plot.Plot
	for i, m := range all[0].result.Measures(0) {
		if m.ID == "wins.first" || m.ID == "turns" || m.ID == "score.winner" || m.ID == "leads" {
			p := plot.New()
			p.Title.Text, p.X.Label.Text, p.Y.Label.Text = simTitle(all[0].result), name, simName(all[0].result, &m.Column)
			line, bars, err := sweepLine(i, all)
			if err != nil {
				return failf(exitCannot, "`%s` cannot be drawn", path)
			}
			p.Add(line, bars)
			plots = append(plots, p)
		}
	}
	return drawn(path, plots)
}

// intervals are points with the interval of each.
type intervals struct {
	plotter.XYs
	plotter.YErrors
}

func sweepLine(measure int, all []swept) (*plotter.Line, *plotter.YErrorBars, error) {
	var at intervals
	for k, s := range all {
		m := s.result.Measures(0)[measure]
		x, err := strconv.ParseFloat(s.value, 64)
		if err != nil { // a word: the values in their order
			x = float64(k + 1)
		}
		if math.IsNaN(m.Value) || math.IsNaN(m.Low) {
			continue
		}
		at.XYs = append(at.XYs, plotter.XY{X: x, Y: m.Value})
		at.YErrors = append(at.YErrors, struct{ Low, High float64 }{m.Value - m.Low, m.High - m.Value})
	}
	line, err := plotter.NewLine(at.XYs)
	if err != nil {
		return nil, nil, err
	}
	bars, err := plotter.NewYErrorBars(at)
	return line, bars, err
}

// drawn draws plots above each other into a file.
func drawn(path string, plots []*plot.Plot) error {
	if len(plots) == 0 {
		return failf(exitCannot, "there is nothing to draw: all games are alike")
	}
	height := plotHeight * vg.Length(len(plots))
	var canvas vg.CanvasSizer
	var write func(*os.File) error
	if filepath.Ext(path) == ".svg" {
		c := vgsvg.New(plotWidth, height)
		canvas, write = c, func(f *os.File) error { _, err := c.WriteTo(f); return err }
	} else {
		c := vgimg.New(plotWidth, height)
		canvas, write = c, func(f *os.File) error { _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(f); return err }
	}
	whole := draw.New(canvas)
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadY: vg.Millimeter * 3}
	for i, p := range plots {
		p.Draw(tiles.At(whole, 0, i))
	}
	f, err := os.Create(path)
	if err != nil {
		return failf(exitCannot, "%s", createTrouble(path, err))
	}
	if err = write(f); err == nil {
		err = f.Close()
	}
	if err != nil {
		return failf(exitCannot, "`%s` cannot be written: %v", path, cause(err))
	}
	return nil
}
