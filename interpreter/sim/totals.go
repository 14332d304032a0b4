package sim

// Sums are the numbers of many games added up: those of one side, by column.
type Sums struct {
	Sum      []wide       `json:"sum"`
	Square   []wide       `json:"square"`
	WithPer  []wide       `json:"with_per"` // products with the column that it is divided by
	Whole    []int64      `json:"whole"`    // games in which a share was all or nothing
	Spread   []*Histogram `json:"spread"`   // nil where none is kept
	Finished int64        `json:"finished"`
}

// A Result is what a run, or a part of one, has come to.
type Result struct {
	Plan   Header   `json:"plan"`
	Done   []Span   `json:"done"` // the games that were played, ascending, not touching each other
	Sides  []*Sums  `json:"sides"`
	Pairs  *Pairs   `json:"pairs,omitempty"`
	Stuck  []Strand `json:"stuck"`  // games that did not end, the first of each side
	Missed []int64  `json:"missed"` // how many did not, by side
}

// A Span is a stretch of games, by number from 0, End excluded.
type Span struct {
	Begin int64 `json:"begin"`
	End   int64 `json:"end"`
}

// A Strand is a game that did not end.
type Strand struct {
	Side int    `json:"side"` // 0, or 1 for the rival's
	Game int64  `json:"game"`
	Why  string `json:"why"` // a mistake of the rules, or "" for too many decisions
}

// Pairs are the sums of products across both sides, and of differences: the
// rival's number less the other's.
type Pairs struct {
	Diff       []wide    `json:"diff"`
	DiffSquare []wide    `json:"diff_square"`
	Cross      [4][]wide `json:"cross"` // of columns that are divided: x0 x1, x0 y1, y0 x1, y0 y1
	Both       int64     `json:"both"`  // games that ended on both sides
	Alone      []*Sums   `json:"alone"` // games that ended on this side only, by side; without histograms
}

func newSums(columns []Column) *Sums {
	s := bareSums(len(columns))
	for i, c := range columns {
		if c.Spread {
			s.Spread[i] = newHistogram()
		}
	}
	return s
}

// bareSums are sums of n columns without histograms.
func bareSums(n int) *Sums {
	return &Sums{Sum: make([]wide, n), Square: make([]wide, n), WithPer: make([]wide, n), Whole: make([]int64, n), Spread: make([]*Histogram, n)}
}

// less returns the sums without those of some of the games, and without
// histograms.
func (s *Sums) less(o *Sums) *Sums {
	out := bareSums(len(s.Sum))
	out.Finished = s.Finished - o.Finished
	for i := range s.Sum {
		out.Sum[i] = s.Sum[i].less(o.Sum[i])
		out.Square[i] = s.Square[i].less(o.Square[i])
		out.WithPer[i] = s.WithPer[i].less(o.WithPer[i])
		out.Whole[i] = s.Whole[i] - o.Whole[i]
	}
	return out
}

// add adds the numbers of one game.
func (s *Sums) add(columns []Column, row []int64) {
	s.Finished++
	for i, x := range row {
		s.Sum[i].add(x)
		s.Square[i].addProduct(x, x)
		c := &columns[i]
		if c.Per >= 0 {
			s.WithPer[i].addProduct(x, row[c.Per])
		}
		if c.Unit > 0 && (x == 0 || x == c.Unit) {
			s.Whole[i]++
		}
		if h := s.Spread[i]; h != nil {
			h.add(x, 1)
		}
	}
}

func (s *Sums) join(o *Sums) {
	s.Finished += o.Finished
	for i := range s.Sum {
		s.Sum[i].join(o.Sum[i])
		s.Square[i].join(o.Square[i])
		s.WithPer[i].join(o.WithPer[i])
		s.Whole[i] += o.Whole[i]
		if s.Spread[i] != nil {
			s.Spread[i].join(o.Spread[i])
		}
	}
}

func newPairs(n int) *Pairs {
	p := &Pairs{Diff: make([]wide, n), DiffSquare: make([]wide, n), Alone: []*Sums{bareSums(n), bareSums(n)}}
	for i := range p.Cross {
		p.Cross[i] = make([]wide, n)
	}
	return p
}

func (p *Pairs) add(columns []Column, a, b []int64) {
	p.Both++
	for i := range columns {
		d := b[i] - a[i]
		p.Diff[i].add(d)
		p.DiffSquare[i].addProduct(d, d)
		if per := columns[i].Per; per >= 0 {
			p.Cross[0][i].addProduct(a[i], b[i])
			p.Cross[1][i].addProduct(a[i], b[per])
			p.Cross[2][i].addProduct(a[per], b[i])
			p.Cross[3][i].addProduct(a[per], b[per])
		}
	}
}

func (p *Pairs) join(o *Pairs) {
	p.Both += o.Both
	for side, s := range p.Alone {
		s.join(o.Alone[side])
	}
	for i := range p.Diff {
		p.Diff[i].join(o.Diff[i])
		p.DiffSquare[i].join(o.DiffSquare[i])
		for k := range p.Cross {
			p.Cross[k][i].join(o.Cross[k][i])
		}
	}
}

func (s *Sums) clear() {
	s.Finished = 0
	clear(s.Sum)
	clear(s.Square)
	clear(s.WithPer)
	clear(s.Whole)
	for _, h := range s.Spread {
		if h != nil {
			h.Width = 1
			clear(h.Bins)
		}
	}
}

func (p *Pairs) clear() {
	p.Both = 0
	for _, s := range p.Alone {
		s.clear()
	}
	clear(p.Diff)
	clear(p.DiffSquare)
	for _, c := range p.Cross {
		clear(c)
	}
}

// mostStrands is how many games that did not end a result names.
const mostStrands = 10

// Games returns how many games were played, those that did not end included; of
// a comparison how many pairs.
func (r *Result) Games() (n int64) {
	for _, s := range r.Done {
		n += s.End - s.Begin
	}
	return n
}

// join adds another part of the same run.
func (r *Result) join(o *Result) {
	for i := range r.Sides {
		r.Sides[i].join(o.Sides[i])
		r.Missed[i] += o.Missed[i]
	}
	if r.Pairs != nil {
		r.Pairs.join(o.Pairs)
	}
	r.Stuck = joinStrands(r.Stuck, o.Stuck)
	r.Done = joinSpans(r.Done, o.Done)
}
