package sim

import "math"

// A Measure is what a column of a result comes to.
type Measure struct {
	Column
	Estimate
	// Quantiles are those of the values below which 5, 25, 50, 75 and 95 of 100
	// games lie; nil where no histogram is kept.
	Quantiles []Estimate
	Spread    *Histogram // nil where none is kept
}

// QuantileShares are the shares of Measure.Quantiles.
var QuantileShares = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// Share reports whether the measure is a share of games, between 0 and 1.
func (c *Column) Share() bool { return c.Unit > 0 }

// Measures works out what a side of a result comes to, by column; hidden columns
// are left out.
func (r *Result) Measures(side int) []Measure {
	var out []Measure
	s := r.Sides[side]
	for i, c := range r.Plan.Columns {
		if c.Hidden {
			continue
		}
		m := Measure{Column: c, Estimate: s.estimate(r.Plan.Columns, i), Spread: s.Spread[i]}
		if m.Spread != nil {
			for _, q := range QuantileShares {
				m.Quantiles = append(m.Quantiles, quantile(m.Spread, q))
			}
		}
		out = append(out, m)
	}
	return out
}

// OneTurn reports whether all games had one turn only: the rules know no turns.
func (r *Result) OneTurn() bool {
	s := r.Sides[0]
	return s.Sum[colTurns] == wide{lo: uint64(s.Finished)}
}

// estimate is what a column comes to: a share, a ratio, or a mean.
func (s *Sums) estimate(columns []Column, i int) Estimate {
	c, n := &columns[i], s.Finished
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	mean := s.Sum[i].float() / float64(n)
	switch {
	case c.Per >= 0:
		ratio, stderr := s.ratio(columns, i)
		return within(ratio, stderr, n)
	case c.Share() && s.Whole[i] == n:
		return wilson(mean/float64(c.Unit), n)
	}
	unit := float64(max(c.Unit, 1))
	return within(mean/unit, math.Sqrt(variance(s.Sum[i], s.Square[i], n)/float64(n))/unit, n)
}

// ratio is a sum by another, with its standard error (the delta method; Cochran,
// "Sampling Techniques", section 2.11).
func (s *Sums) ratio(columns []Column, i int) (ratio, stderr float64) {
	per, n := columns[i].Per, s.Finished
	y := s.Sum[per].float()
	if y == 0 {
		return math.NaN(), 0
	}
	ratio = s.Sum[i].float() / y
	v := variance(s.Sum[i], s.Square[i], n) - 2*ratio*covariance(s.Sum[i], s.Sum[per], s.WithPer[i], n) +
		ratio*ratio*variance(s.Sum[per], s.Square[per], n)
	return ratio, math.Sqrt(max(v, 0)/float64(n)) / math.Abs(y/float64(n))
}

// A Difference is how much more a column comes to by the rival rules.
type Difference struct {
	Column
	Estimate
	Here, There float64 // what it comes to by the rules, and by the rival's
}

// Likely reports whether the interval leaves out 0: there is a difference, as far
// as such a run can tell.
func (d *Difference) Likely() bool { return d.Low > 0 || d.High < 0 }

// Differences works out what a comparison has found, by column, of the pairs of
// games that both ended.
func (r *Result) Differences() []Difference {
	var out []Difference
	sides := [2]*Sums{r.Sides[0].less(r.Pairs.Alone[0]), r.Sides[1].less(r.Pairs.Alone[1])}
	for i, c := range r.Plan.Columns {
		if c.Hidden {
			continue
		}
		d := Difference{Column: c, Here: sides[0].estimate(r.Plan.Columns, i).Value, There: sides[1].estimate(r.Plan.Columns, i).Value}
		d.Estimate = r.difference(sides, i)
		out = append(out, d)
	}
	return out
}

// difference is that of a column, of sides that hold the pairs only.
func (r *Result) difference(sides [2]*Sums, i int) Estimate {
	c, p := &r.Plan.Columns[i], r.Pairs
	n := p.Both
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	if c.Per >= 0 {
		return r.ratioDifference(sides, i)
	}
	unit := float64(max(c.Unit, 1))
	mean := p.Diff[i].float() / float64(n) / unit
	return within(mean, math.Sqrt(variance(p.Diff[i], p.DiffSquare[i], n)/float64(n))/unit, n)
}

// ratioDifference is the difference of two ratios of games that are played in
// pairs: the variance of the sum of the influences of both.
func (r *Result) ratioDifference(sides [2]*Sums, i int) Estimate {
	columns, n := r.Plan.Columns, r.Pairs.Both
	per := columns[i].Per
	var sums, squares [2][2]wide // by side: of the column, and of what it is divided by
	for side, s := range sides {
		sums[side] = [2]wide{s.Sum[i], s.Sum[per]}
		squares[side] = [2]wide{s.Square[i], s.Square[per]}
	}
	a, ea := sides[0].ratio(columns, i)
	b, eb := sides[1].ratio(columns, i)
	ya, yb := sums[0][1].float()/float64(n), sums[1][1].float()/float64(n)
	if ya == 0 || yb == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	cov := func(k, of0, of1 int) float64 { return covariance(sums[0][of0], sums[1][of1], r.Pairs.Cross[k][i], n) }
	joint := (cov(0, 0, 0) - b*cov(1, 0, 1) - a*cov(2, 1, 0) + a*b*cov(3, 1, 1)) / (ya * yb) / float64(n)
	return within(b-a, math.Sqrt(max(ea*ea+eb*eb-2*joint, 0)), n)
}
