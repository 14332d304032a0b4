package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// maxBins is how many different values a histogram tells apart. When there are
// more, values are taken together two by two, as often as need be.
const maxBins = 4096

// A Histogram counts how often which value came. What it holds does not depend
// on the order in which values were added or histograms joined.
type Histogram struct {
	// Width is how many values a bin takes together, a power of two: the bin of
	// value v begins at the greatest multiple of Width that is not above v.
	Width int64
	// Bins are the counts by the first value of the bin.
	Bins map[int64]int64
}

func newHistogram() *Histogram { return &Histogram{Width: 1, Bins: map[int64]int64{}} }

// begin is the first value of the bin of a value.
func (h *Histogram) begin(v int64) int64 { return v &^ (h.Width - 1) }

func (h *Histogram) add(v, n int64) {
	h.Bins[h.begin(v)] += n
	for len(h.Bins) > maxBins {
		h.coarsen()
	}
}

func (h *Histogram) coarsen() {
	h.Width *= 2
	old := h.Bins
	h.Bins = make(map[int64]int64, len(old))
	for v, n := range old {
		h.Bins[h.begin(v)] += n
	}
}

func (h *Histogram) join(o *Histogram) {
	for h.Width < o.Width {
		h.coarsen()
	}
	for v, n := range o.Bins {
		h.add(v, n)
	}
}

// Count returns how many values were added.
func (h *Histogram) Count() (n int64) {
	for _, c := range h.Bins {
		n += c
	}
	return n
}

// Values returns the first values of the bins in ascending order.
func (h *Histogram) Values() []int64 { return slices.Sorted(maps.Keys(h.Bins)) }

// at returns the value of the k-th least, from 0.
func (h *Histogram) at(k int64) int64 {
	values := h.Values()
	for _, v := range values {
		if k -= h.Bins[v]; k < 0 {
			return v
		}
	}
	return values[len(values)-1]
}

// A histogram in a file has its bins as pairs in ascending order.
type histogramFile struct {
	Width int64      `json:"width"`
	Bins  [][2]int64 `json:"bins"`
}

// MarshalJSON writes the bins in ascending order.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	f := histogramFile{Width: h.Width, Bins: [][2]int64{}}
	for _, v := range h.Values() {
		f.Bins = append(f.Bins, [2]int64{v, h.Bins[v]})
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var f histogramFile
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	if f.Width < 1 || f.Width&(f.Width-1) != 0 || len(f.Bins) > maxBins {
		return fmt.Errorf("a histogram with bins of %s", strconv.FormatInt(f.Width, 10))
	}
	*h = Histogram{Width: f.Width, Bins: map[int64]int64{}}
	for _, b := range f.Bins {
		if b[1] < 0 || h.begin(b[0]) != b[0] {
			return fmt.Errorf("a histogram with a bin of %d", b[1])
		}
		h.Bins[b[0]] += b[1]
	}
	return nil
}
