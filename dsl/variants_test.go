package dsl

import (
	"strings"
	"sync"
	"testing"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
)

// variant returns a file with a head for pig and the given rest.
func variant(id, rest string) string {
	return "houserules: 1\nvariant: " + id + "\nfor: pig\n" + rest
}

func TestGuardsOfVariants(t *testing.T) {
	p := mustLoad(t, pig, variant("careful", `
params: {least: {default: 5, min: 0, max: 50}}
forbid: {hold: {when: turn.points < least, because: "{turn.points} is short of {least}"}}
require: {hold: {even: {that: turn.points % 2 == 0, else: "odd"}}}
`), variant("bold", `
waive: {hold: {when: me.score == 0}}
`))
	hold := p.Phases[0].Actions[1]
	var got []string
	for _, g := range hold.Require {
		got = append(got, g.Name+"/"+g.Variant)
	}
	if s := strings.Join(got, " "); s != "rolled/ careful/careful even/careful" {
		t.Errorf("guards %s", s)
	}
	if g := hold.Require[1]; g.That.Op != OpNot || g.Else == nil {
		t.Errorf("forbid %+v", g)
	}
	if len(hold.Waive) != 1 || hold.Waive[0].Variant != "bold" {
		t.Errorf("waivers %v", hold.Waive)
	}
}

func TestHookOrder(t *testing.T) {
	hooks := func(side string) (a, b, c string) {
		quiet := side + ": {look: {do: turn.points += 1}}\n"
		leaves := side + ": {look: {when: over, do: next turn}}\n"
		return variant("aa", quiet), variant("bb", leaves), variant("cc", quiet)
	}
	a, b, c := hooks("before")
	p := mustLoad(t, pig, c, b, a)
	if got := order(p.Phases[1].Before); got != "bb aa cc" {
		t.Errorf("before: %s", got)
	}
	a, b, c = hooks("after")
	p = mustLoad(t, pig, b, c, a)
	if got := order(p.Phases[1].After); got != "aa cc bb" {
		t.Errorf("after: %s", got)
	}
}

func order(hooks []*Hook) string {
	var out []string
	for _, h := range hooks {
		out = append(out, h.Variant)
	}
	return strings.Join(out, " ")
}

func TestPrivateNames(t *testing.T) {
	p := mustLoad(t, pig, chance, variant("other", `
needs: [second-chance]
define:
  doubled: second_chance.chances * 2
  left: me.second_chance.chances_left
  bare: chances
forbid: {hold: {when: doubled + left + bare > 100, because: "no"}}
`))
	if len(p.Params) != 3 || p.Params[2].Owner != "second-chance" {
		t.Errorf("params %v", p.Params)
	}
	_, ds := loadTexts(t, Options{}, pig, chance, variant("other", "forbid: {hold: {when: chances > 1, because: no}}\n"))
	if got := findings(ds, source.Error); len(got) != 1 || got[0] != "E0213 chances" {
		t.Errorf("bare: %v", got)
	} else if h := ds[0].Help; len(h) != 1 || !strings.Contains(h[0], "`second_chance.chances`") {
		t.Errorf("help %v", h)
	}
	_, ds = loadTexts(t, Options{}, pig, variant("clash", "define: {thrown: 1}\n"))
	if got := findings(ds, source.Error); len(got) != 1 || got[0] != "E0223 thrown" {
		t.Errorf("clash: %v", got)
	}
}

func TestAdjust(t *testing.T) {
	p := mustLoad(t, pig, variant("more", `
params: {extra: {default: 3}}
adjust: {thrown: it + extra}
`))
	body := p.Defines[0].Body
	if body.Op != OpAdd || body.Args[0].Op != OpSum || body.Args[1].Op != OpParam {
		t.Errorf("body %v of %v", body.Op, body.Args)
	}
	_, ds := loadTexts(t, Options{}, pig, variant("wrong", "adjust: {thrown: it > 1}\n"))
	if got := findings(ds, source.Error); len(got) == 0 || got[0] != "E0221 it > 1" {
		t.Errorf("wrong type: %v", got)
	}
}

func TestMistakesOfVariants(t *testing.T) {
	for _, m := range []struct{ name, rest, want string }{
		{"unknown moment", "before: {bist: {do: turn.points = 0}}", "E0303 bist"},
		{"exit in a hook on an event", "after: {lost: {do: next turn}}", "E0307 next turn"},
		{"offer at an event", "after: {lost: {offer: {yes: {do: turn.points = 0}, no: {rule: No.}}}}", "E0307 offer"},
		{"hook without anything", "after: {look: {when: over}}", "E0114 look"},
		{"forbid without when", "forbid: {hold: {because: no}}", "E0114 hold"},
		{"ring", "before: {look: {do: goto bust}}\nchange: {bust.enter: goto look}", "E0305 goto look"},
		{"unknown family in own zones", "zones: {mine: {of: cards}}", "E0213 cards"},
		{"incident goes nowhere", "incidents: {floor: {spoils: look, do: turn.points = 0}}", "E0306 do"},
		{"incident spoils what", "incidents: {floor: {spoils: lock, do: again}}", "E0303 lock"},
		{"guard reads a hidden zone", "zones: {bag: {of: dice, seen: nobody}}\nrequire: {hold: {none_red: {that: 'empty(filter(bag, .colour == red))', else: no}}}", "E0225 bag"},
	} {
		t.Run(m.name, func(t *testing.T) {
			_, ds := loadTexts(t, Options{}, pig, variant("wrong", m.rest+"\n"))
			got := findings(ds, source.Error)
			if len(got) != 1 || got[0] != m.want {
				t.Errorf("got %q, want %q", got, m.want)
			}
			for _, d := range ds {
				if d.Severity == source.Error && d.Path == "" && !strings.HasPrefix(d.Code, "E0303") {
					t.Errorf("no path in %v", d)
				}
			}
		})
	}
}

func TestSets(t *testing.T) {
	for _, m := range []struct{ name, value, want string }{
		{"goal", "2000", "E0310 2000"}, {"goal", "55", "E0310 55"}, {"goal", "true", "E0221 true"},
		{"mood", "loud", "E0226 loud"}, {"goal", "", "E0115 goal"},
	} {
		_, ds := loadTexts(t, Options{Set: map[string]string{m.name: m.value}}, pig)
		got := findings(ds, source.Error)
		if m.value == "" {
			if len(got) == 0 {
				t.Error("an empty value was taken")
			}
			continue
		}
		if len(got) != 1 || got[0] != m.want {
			t.Errorf("%s=%s: got %q, want %q", m.name, m.value, got, m.want)
		}
	}
	_, ds := loadTexts(t, Options{Set: map[string]string{"mood": "wild"}}, pig, variant("deaf", "remove: [combos.knows.calm_now]\nchange: {combos.combos.pair.points: 3}\n"))
	if got := findings(ds, source.Error); len(got) != 1 || got[0] != "E0313 mood" {
		t.Errorf("nothing reads it: %q", got)
	}
	_, ds = loadTexts(t, Options{}, pig, variant("deaf", "set: {mood: wild}\nremove: [combos.knows.calm_now]\nchange: {combos.combos.pair.points: 3}\n"))
	if got := findings(ds, source.Warning); len(got) != 1 || got[0] != "W0513 mood" {
		t.Errorf("nothing reads it: %q", got)
	}
}

func TestLints(t *testing.T) {
	for _, m := range []struct{ old, new, want string }{
		{"if thrown > 2", "if thrown > 2 and over or me.out", "W0510 and"},
		{"if thrown > 2", "if not over == me.out", "W0511 not over"},
		{"  thrown: sum", "  idle: 3\n  thrown: sum", "W0501 idle"},
		{"  mood: {", "  idle: {default: 3}\n  mood: {", "W0501 idle"},
		{"rolls: 0}", "rolls: 0, idle: 0}", "W0501 idle"},
		{"  mood: {", "  idle: {default: 3, rule: \"It is {idle}.\"}\n  mood: {", "W0501 idle"},
	} {
		_, ds := loadTexts(t, Options{}, replaced(t, pig, m.old, m.new))
		found := false
		for _, f := range findings(ds, source.Warning) {
			found = found || f == m.want
		}
		if !found || ds.HasErrors() {
			t.Errorf("%s: got %q", m.want, findings(ds, source.Warning))
		}
	}
}

func TestUncovered(t *testing.T) {
	text := replaced(t, pig, `  P2: {people: "Be kind."}`, "  P2: {people: \"Be kind.\"}\n  P3: \"Nobody throws twice.\"")
	gaps := mustLoad(t, text).Uncovered()
	if len(gaps) != 1 || gaps[0].ID != "P3" || gaps[0].Implemented || gaps[0].Covered {
		t.Errorf("gaps %+v", gaps)
	}
}

func TestLateFormulas(t *testing.T) {
	p := mustLoad(t, pig, chance)
	env := Env{Seats: []string{"Ann", "Bob"}}
	var ds source.List
	text := func(s string) syntax.Text { return syntax.FileText(source.NewFile("line", s)) }
	e := p.Formula(text("Ann.score == 7 and active == Bob and any(players, .second_chance.chances_left > 0)"), env, &ds)
	if e == nil || len(ds) > 0 || e.Type.Kind != KBool {
		t.Fatal(ds)
	}
	if seat := e.Args[0].Args[1].Args[1]; seat.Op != OpConst || seat.Int != 1 || seat.Type.Kind != KSeat {
		t.Errorf("Bob is %+v", seat)
	}
	if p.Formula(text("Anne.score"), env, &ds) != nil || len(ds) != 1 || ds[0].Code != "E0213" {
		t.Errorf("unknown seat: %v", ds)
	}
	ds = nil
	if g := p.PlaceOf(text("Ann.score"), env, &ds); g == nil || g.Place == nil || g.Place.Seat.Int != 0 {
		t.Errorf("place %+v %v", g, ds)
	}
	if g := p.PlaceOf(text("tray"), env, &ds); g == nil || g.Zone == nil {
		t.Errorf("zone %+v %v", g, ds)
	}
	if g := p.PlaceOf(text("active"), env, &ds); g == nil || !g.Active {
		t.Errorf("active %+v %v", g, ds)
	}
	if g := p.PlaceOf(text("thrown"), env, &ds); g != nil || len(ds) != 1 {
		t.Errorf("a define is given: %v", ds)
	}
	ds = nil
	env.Owner = "second-chance"
	if p.Formula(text("me.chances_left + chances"), env, &ds) == nil {
		t.Errorf("private names: %v", ds)
	}
	ws := p.Pieces(text("white 1 odd 2"), p.Families[0], &ds)
	if len(ws) != 2 || len(ws[0].Attrs) != 1 || len(ws[1].Attrs) != 2 || len(ds) > 0 {
		t.Errorf("pieces %v %v", ws, ds)
	}
}

func TestLateFormulasAtOnce(t *testing.T) {
	p := mustLoad(t, harbour)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var ds source.List
			text := syntax.FileText(source.NewFile("line", "count(players, .rich) + len(filter(sea, .ships)) > most"))
			if e := p.Formula(text, Env{Seats: []string{"Ann", "Bob"}}, &ds); e == nil {
				t.Error(ds)
			}
		}()
	}
	wg.Wait()
}

func TestNoteOnHooksThatMeet(t *testing.T) {
	_, ds := loadTexts(t, Options{}, pig,
		variant("aa", "before: {look: {do: turn.points += 1}}\n"), variant("bb", "before: {look: {do: turn.points += 2}}\n"))
	if got := findings(ds, source.Note); len(got) > 0 {
		t.Errorf("additions commute: %q", got)
	}
	_, ds = loadTexts(t, Options{}, pig,
		variant("aa", "before: {look: {do: turn.points += 1}}\n"), variant("bb", "before: {look: {when: turn.points > 3, do: me.rolls = 0}}\n"))
	if got := findings(ds, source.Note); len(got) != 1 || got[0] != "W0512 look" {
		t.Errorf("one reads what the other writes: %q", got)
	}
	_, ds = loadTexts(t, Options{}, pig,
		variant("aa", "before: {look: {do: 'set tray to [1, 2]'}}\n"), variant("bb", "before: {look: {when: 'sum(tray, .face) > 3', do: me.rolls = 0}}\n"))
	if got := findings(ds, source.Note); len(got) != 1 || got[0] != "W0512 look" {
		t.Errorf("one reads the faces that the other lays: %q", got)
	}
}

func TestGameThatExtends(t *testing.T) {
	lib := NewLibrary()
	var ds source.List
	lib.Add(source.NewFile("pig.yaml", pig), &ds)
	lib.Add(source.NewFile("chance.yaml", chance), &ds)
	lib.Add(source.NewFile("hog.yaml", "houserules: 1\ngame: hog\nextends: pig\ntitle: Hog\nplayers: 2..4\nset: {goal: 200}\n"), &ds)
	p, found := Load(lib, "hog", Options{With: []string{"second-chance"}})
	if p == nil {
		t.Fatal(ds, found)
	}
	if p.Game != "hog" || p.MaxPlayers != 4 || p.Params[0].Value().Int != 200 || len(p.Phases[2].Before) != 1 {
		t.Errorf("hog %+v", p)
	}
	if ids := lib.VariantIDs("hog"); len(ids) != 1 || len(lib.VariantsOf("hog")) != 1 || len(lib.Games()) != 2 {
		t.Errorf("variants %v", ids)
	}
	if len(p.ParamsOf("second-chance")) != 1 {
		t.Error("params of the variant")
	}
}

func TestHelpOfAnUnknownName(t *testing.T) {
	_, ds := loadTexts(t, Options{}, replaced(t, pig, "finish if me.score >= goal", "finish if me.score >= gaol"))
	if len(ds) != 1 {
		t.Fatal(ds)
	}
	d := ds[0]
	if d.Message != "unknown name `gaol`" || len(d.Help) != 1 || d.Help[0] != "did you mean the param `goal`?" ||
		len(d.Edits) != 1 || d.Edits[0].Text != "goal" || len(d.Related) != 1 || d.Related[0].Span.Text() != "goal" ||
		d.Path != "phases.choose.actions.hold.do" {
		t.Errorf("%+v", d)
	}
}
