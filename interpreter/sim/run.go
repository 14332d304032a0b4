package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// A Plan says which games are played, and how.
type Plan struct {
	Header Header // for results that are kept; Games, Seed, Bots and Seats are filled in
	Game   *interpreter.Game
	Rival  *interpreter.Game // rules to compare with, of as many seats; or nil
	Bots   []interpreter.Bot // one for each seat; from game to game they move on by one seat
	Seed   uint64
	Games  int64
	// Limit is how many decisions a game may have; one that has more did not end. 0
	// means DefaultLimit.
	Limit int
	// Metrics are taken beside those of the rules, of the game and of the rival, in
	// whose terms they are typed.
	Metrics, RivalMetrics []Metric

	layout *layout
}

// DefaultLimit is how many decisions a game may have if nothing is said.
const DefaultLimit = 100_000

// chunk is how many games are played in one go.
const chunk = 200

// A Header names what a result is a result of. Two results can be joined if
// their headers are equal.
type Header struct {
	Format      int               `json:"houserules_sim"`
	Game        string            `json:"game"`
	Title       string            `json:"title"`
	With        []string          `json:"with"`
	Without     []string          `json:"without"`
	Set         map[string]string `json:"set"`
	Versus      []string          `json:"versus,omitempty"` // what the rival rules have beyond these
	Bots        []string          `json:"bots"`
	Seed        uint64            `json:"seed"`
	Games       int64             `json:"games"`
	Limit       int               `json:"limit"`
	Fingerprint string            `json:"fingerprint"`
	Rival       string            `json:"rival_fingerprint,omitempty"`
	Columns     []Column          `json:"columns"`
}

// Format is the number of the present format of results.
const Format = 2

// A Progress is told how far a run is. It is called from one goroutine at a time.
type Progress func(r *Result)

// ErrStopped says that a run was stopped before its end; its result holds what
// had been played.
var ErrStopped = errors.New("the run was stopped")

// Prepare checks a plan, and lays out what is kept of each game. It must be
// called before Run. The error is for people.
func (p *Plan) Prepare() error {
	if p.Games < 1 {
		return fmt.Errorf("at least one game must be played")
	}
	if p.Limit <= 0 {
		p.Limit = DefaultLimit
	}
	games := []*interpreter.Game{p.Game}
	metrics := [][]Metric{append(ruleMetrics(p.Game), p.Metrics...)}
	if p.Rival != nil {
		games = append(games, p.Rival)
		metrics = append(metrics, append(ruleMetrics(p.Rival), p.RivalMetrics...))
	}
	p.layout = columnsOf(games, p.Bots, metrics)
	h := &p.Header
	h.Format, h.Seed, h.Games, h.Limit, h.Columns = Format, p.Seed, p.Games, p.Limit, p.layout.columns
	rules := p.Game.Program()
	h.Game, h.Title, h.Fingerprint = rules.Game, rules.Title, rules.Fingerprint
	h.Bots = nil
	for _, b := range p.Bots {
		h.Bots = append(h.Bots, b.String())
	}
	if p.Rival != nil {
		h.Rival = p.Rival.Program().Fingerprint
		if err := meterable(p.Rival, p.RivalMetrics); err != nil {
			return err
		}
	}
	return meterable(p.Game, p.Metrics)
}

// meterable reports a metric that cannot be taken.
func meterable(g *interpreter.Game, extra []Metric) error {
	formulas, _ := formulasOf(g, extra)
	_, err := g.Start(interpreter.Setup{}).Meter(formulas...)
	return err
}

// formulasOf lists what is taken of each game that is over, with the metric that
// each is of.
func formulasOf(g *interpreter.Game, extra []Metric) (formulas []*dsl.Expr, of []formulaOf) {
	for _, m := range append(ruleMetrics(g), extra...) {
		formulas, of = append(formulas, m.Of), append(of, formulaOf{m.Name, false})
		if m.Per != nil {
			formulas, of = append(formulas, m.Per), append(of, formulaOf{m.Name, true})
		}
	}
	return formulas, of
}

type formulaOf struct {
	metric string
	per    bool
}

// ruleMetrics are the metrics that the rules declare.
func ruleMetrics(g *interpreter.Game) (out []Metric) {
	for _, m := range g.Program().Metrics {
		name := m.Name
		if m.Owner != "" {
			name = eventID(&m.Info)
		}
		out = append(out, Metric{Name: name, Of: m.Of, Per: m.Per})
	}
	return out
}

// Empty returns the result of no games of the plan.
func (p *Plan) Empty() *Result {
	r := &Result{Plan: p.Header, Stuck: []Strand{}, Done: []Span{}}
	for range p.sides() {
		r.Sides = append(r.Sides, newSums(p.layout.columns))
		r.Missed = append(r.Missed, 0)
	}
	if p.Rival != nil {
		r.Pairs = newPairs(len(p.layout.columns))
	}
	return r
}

// player is who sits on a seat in a game: everybody moves on by one seat from game
// to game.
func (p *Plan) player(seat int, game int64) int {
	return int((int64(seat) + game) % int64(len(p.Bots)))
}

func (p *Plan) sides() int {
	if p.Rival != nil {
		return 2
	}
	return 1
}

// Run plays the games of a span with so many jobs, and adds them to a result.
// After each stretch of games, in their order, told is called, if it is not nil,
// with the result so far; it returns false to have no more. rows, if it is not nil,
// gets the numbers of every game of every side, in their order. The error is
// ErrStopped if the context was cancelled, or that of rows.
func (p *Plan) Run(ctx context.Context, span Span, jobs int, into *Result, told func(*Result) bool, rows func(*Row) error) error {
	w := &work{plan: p, span: span, rows: rows != nil, ready: map[int64]*part{}}
	w.more = sync.NewCond(&w.mu)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		<-ctx.Done()
		w.halt()
	}()
	var all sync.WaitGroup
	for range max(jobs, 1) {
		all.Go(w.worker)
	}
	err := w.gather(into, told, rows)
	w.halt()
	all.Wait()
	return err
}

// work is a run under way: workers take chunks in order and lay them down; the
// run gathers them in order.
type work struct {
	plan *Plan
	span Span
	rows bool

	mu       sync.Mutex
	more     *sync.Cond
	next     int64 // chunk to be taken
	gathered int64 // chunks that were gathered
	ready    map[int64]*part
	spare    []*part // gathered, to be filled again
	halted   bool
}

// A part is what one chunk has come to.
type part struct {
	*Result
	rows []Row
}

// clear makes a part one of no games.
func (p *part) clear() {
	p.Done, p.Stuck, p.rows = p.Done[:0], p.Stuck[:0], p.rows[:0]
	clear(p.Missed)
	for _, s := range p.Sides {
		s.clear()
	}
	if p.Pairs != nil {
		p.Pairs.clear()
	}
}

// ahead is how many chunks may lie ready at once.
const ahead = 64

func (w *work) chunks() int64 { return (w.span.End - w.span.Begin + chunk - 1) / chunk }

func (w *work) halt() {
	w.mu.Lock()
	w.halted = true
	w.more.Broadcast()
	w.mu.Unlock()
}

// take hands out the next chunk.
func (w *work) take() (i int64, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.halted && w.next < w.chunks() && w.next-w.gathered >= ahead {
		w.more.Wait()
	}
	if w.halted || w.next >= w.chunks() {
		return 0, false
	}
	w.next++
	return w.next - 1, true
}

func (w *work) lay(i int64, p *part) {
	w.mu.Lock()
	w.ready[i] = p
	w.more.Broadcast()
	w.mu.Unlock()
}

func (w *work) stopping() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.halted
}

// gather adds the chunks up in their order.
func (w *work) gather(into *Result, told func(*Result) bool, rows func(*Row) error) error {
	for i := range w.chunks() {
		w.mu.Lock()
		for w.ready[i] == nil && !w.halted {
			w.more.Wait()
		}
		p := w.ready[i]
		delete(w.ready, i)
		w.gathered = i + 1
		w.more.Broadcast()
		w.mu.Unlock()
		if p == nil {
			return ErrStopped
		}
		for k := range p.rows {
			if err := rows(&p.rows[k]); err != nil {
				return err
			}
		}
		into.join(p.Result)
		w.mu.Lock()
		w.spare = append(w.spare, p)
		w.mu.Unlock()
		if told != nil && !told(into) {
			return nil
		}
	}
	return nil
}

// blank returns a part of no games.
func (w *work) blank() *part {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.spare)
	if n == 0 {
		return &part{Result: w.plan.Empty()}
	}
	p := w.spare[n-1]
	w.spare = w.spare[:n-1]
	p.clear()
	return p
}

// worker plays chunks until there are none.
func (w *work) worker() {
	t := newTables(w.plan)
	for {
		i, ok := w.take()
		if !ok {
			return
		}
		begin := w.span.Begin + i*chunk
		p := w.blank()
		end := min(begin+chunk, w.span.End)
		for game := begin; game < end; game++ {
			if w.stopping() {
				return
			}
			t.play(game, p.Result)
			if w.rows {
				p.rows = append(p.rows, t.rows(game)...)
			}
		}
		p.Done = append(p.Done, Span{begin, end})
		w.lay(i, p)
	}
}
