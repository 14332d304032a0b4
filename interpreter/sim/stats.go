package sim

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is how often the intervals of a report hold the truth.
const confidence = 0.95

// An Estimate is a number with the interval in which the truth lies in 95 of 100
// such runs. Low and High are NaN where nothing can be said, as of one game.
type Estimate struct {
	Value, Low, High float64
}

// within makes an estimate of a value and its standard error, which n games have
// given (Student, "The probable error of a mean", 1908).
func within(value, stderr float64, n int64) Estimate {
	if n < 2 || math.IsNaN(value) {
		return Estimate{value, math.NaN(), math.NaN()}
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.5 + confidence/2)
	return Estimate{value, value - t*stderr, value + t*stderr}
}

// wilson is the interval of a share of n games (Wilson, "Probable inference, the
// law of succession, and statistical inference", 1927).
func wilson(share float64, n int64) Estimate {
	if n < 1 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	z, m := distuv.UnitNormal.Quantile(0.5+confidence/2), float64(n)
	middle := (share + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	return Estimate{share, max(middle-half, 0), min(middle+half, 1)}
}

// variance of n numbers by their sum and the sum of their squares.
func variance(sum, square wide, n int64) float64 {
	if n < 2 {
		return 0
	}
	return max(covariance(sum, sum, square, n), 0)
}

// covariance of n pairs by their sums and the sum of their products. The
// difference is taken of whole numbers, so that nothing is lost.
func covariance(a, b, product wide, n int64) float64 {
	if n < 2 {
		return 0
	}
	left := product.big()
	left.Mul(left, bigInt(n))
	right := a.big()
	right.Mul(right, b.big())
	left.Sub(left, right)
	return bigFloat(left) / float64(n) / float64(n-1)
}

// quantile returns the value below which a share q of a histogram's values lie,
// and the values between which the true one lies (order statistics with a normal
// approximation to the binomial; David and Nagaraja, "Order Statistics", section
// 7.1).
func quantile(h *Histogram, q float64) Estimate {
	n := h.Count()
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	at := func(x float64) float64 { return float64(h.at(min(max(int64(x), 0), n-1))) }
	m, z := float64(n), distuv.UnitNormal.Quantile(0.5+confidence/2)
	half := z * math.Sqrt(m*q*(1-q))
	return Estimate{at(math.Ceil(q*m) - 1), at(math.Floor(q*m-half) - 1), at(math.Ceil(q*m + half))}
}
