package interpreter_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/syntax"
	"github.com/houserules/houserules/interpreter"
)

// The tests of this file hold dsl/LANGUAGE.md to what is built. A comment
// before a sample says what it is:
//
//	<!-- in: game -->     sections that take their place in the game `base`
//	<!-- in: variant -->  the body of a house rule for it
//	<!-- fails: E0222 --> the codes that loading it must report
//	<!-- world: NAME -->  a table of formulas in the world of an example of it
//
// Samples without `in` are whole files. They may build on each other.

// base is the game that fragments belong to.
const base = "keepers"

// A sample is a block or a table of the document.
type sample struct {
	line  int
	marks map[string]string
	lang  string // of a block; "" for a table
	text  string
}

var markPattern = regexp.MustCompile(`^<!-- (.*) -->$`)

// samples reads the document.
func samples(t *testing.T) []sample {
	t.Helper()
	text, err := os.ReadFile("../dsl/LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	marks := map[string]string{}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch m := markPattern.FindStringSubmatch(l); {
		case m != nil:
			for _, part := range strings.Split(m[1], ";") {
				key, value, _ := strings.Cut(part, ":")
				marks[strings.TrimSpace(key)] = strings.TrimSpace(value)
			}
			continue
		case strings.HasPrefix(l, "```"):
			s := sample{line: i + 2, marks: marks, lang: strings.TrimPrefix(l, "```")}
			for i++; i < len(lines) && lines[i] != "```"; i++ {
				s.text += lines[i] + "\n"
			}
			out = append(out, s)
		case strings.HasPrefix(l, "|"):
			s := sample{line: i + 1, marks: marks}
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				s.text += lines[i] + "\n"
			}
			out = append(out, s)
		case strings.TrimSpace(l) == "":
			continue
		}
		marks = map[string]string{}
	}
	return out
}

// whole reports whether a sample is a file of its own that must be right.
func (s sample) whole() bool {
	return s.lang == "yaml" && s.marks["in"] == "" && s.marks["fails"] == ""
}

// document returns a library of the whole files, and of the small games that
// the document does not write out itself.
func document(t *testing.T, list []sample) *dsl.Library {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for _, s := range list {
		if s.whole() {
			lib.Add(source.NewFile(fmt.Sprintf("LANGUAGE.md:%d", s.line), s.text), &ds)
		}
	}
	report(t, ds)
	names, err := filepath.Glob("../testdata/family/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var found source.List
		lib.Add(source.NewFile(name, string(text)), &found) // an id of the document goes first
	}
	return lib
}

func TestLanguageFiles(t *testing.T) {
	list := samples(t)
	lib := document(t, list)
	for _, f := range lib.Files() {
		if !strings.HasPrefix(f.Src.Name, "LANGUAGE") {
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			if f.Kind == "game" {
				playSample(t, lib, f.ID, "")
			} else {
				playSample(t, lib, f.For, f.ID)
			}
		})
	}
}

// playSample loads a file, wants no finding, and plays its examples.
func playSample(t *testing.T, lib *dsl.Library, game, variant string) {
	t.Helper()
	opt := dsl.Options{}
	if variant != "" {
		opt.With = []string{variant}
	}
	p, ds := dsl.Load(lib, game, opt)
	if p == nil || slices.ContainsFunc(ds, func(d *source.Diagnostic) bool { return d.Severity != source.Note }) {
		t.Fatal(pretty(ds))
	}
	results, _ := interpreter.NewExampleRunner(lib).Run(game, variant, nil)
	for _, r := range results {
		for _, f := range r.Failures {
			t.Errorf("%s: %s: %s\n%s", r.Example.Name, f.Span, f.Message, pretty(f.List))
		}
	}
	if _, err := interpreter.New(p, max(2, p.MinPlayers)); err != nil {
		t.Error(err)
	}
}

func pretty(ds source.List) string {
	var b bytes.Buffer
	source.RenderPretty(&b, ds, source.Style{Width: 120})
	return b.String()
}

// TestLanguageFragments puts fragments into the base game and loads what comes
// out; what the document calls a mistake must be reported with its codes.
func TestLanguageFragments(t *testing.T) {
	list := samples(t)
	baseText := ""
	for _, s := range list {
		if s.whole() && strings.Contains(s.text, "\ngame: "+base+"\n") {
			baseText = s.text
		}
	}
	for _, s := range list {
		if s.lang != "yaml" || s.whole() {
			continue
		}
		t.Run(fmt.Sprint("line ", s.line), func(t *testing.T) {
			lib := dsl.NewLibrary()
			var ds source.List
			game, variant := base, ""
			for _, other := range list {
				if other.whole() && !(strings.Contains(other.text, "\ngame: "+base+"\n") && s.marks["in"] == "game") {
					lib.Add(source.NewFile("LANGUAGE.md", other.text), &ds)
				}
			}
			text := s.text
			switch s.marks["in"] {
			case "game":
				text = mixed(baseText, s.text)
			case "variant":
				text = "houserules: 1\nvariant: sample\nfor: " + base + "\ntitle: A sample\n" + s.text
				variant = "sample"
			}
			f := lib.Add(source.NewFile("sample.yaml", text), &ds)
			if f != nil && s.marks["in"] == "" {
				if game = f.ID; f.Kind != "game" {
					game, variant = f.For, f.ID
				}
			}
			if want := s.marks["fails"]; want != "" {
				opt := dsl.Options{}
				if variant != "" {
					opt.With = []string{variant}
				}
				if f != nil && !ds.HasErrors() {
					_, found := dsl.Load(lib, game, opt)
					ds = append(ds, found...)
				}
				if got := strings.Join(codes(ds), " "); got != want {
					t.Errorf("reported is %q, the document says %q\n%s", got, want, pretty(ds))
				}
				return
			}
			if ds.HasErrors() {
				t.Fatal(pretty(ds))
			}
			playSample(t, lib, game, variant)
		})
	}
}

// codes lists the codes of errors and warnings, each once.
func codes(ds source.List) (out []string) {
	for _, d := range ds {
		if d.Severity != source.Note && !slices.Contains(out, d.Code) {
			out = append(out, d.Code)
		}
	}
	slices.Sort(out)
	return out
}

// A part is a key of a map with all that stands under it.
type part struct{ name, text string }

// parts cuts a block map at the keys of one indentation.
func parts(text, indent string) (out []part) {
	for _, l := range strings.SplitAfter(text, "\n") {
		key, _, colon := strings.Cut(strings.TrimPrefix(l, indent), ":")
		if colon && strings.HasPrefix(l, indent) && key != "" && key[0] != ' ' && key[0] != '#' {
			name, _, _ := strings.Cut(key, "(")
			out = append(out, part{name, ""})
		}
		if len(out) > 0 {
			out[len(out)-1].text += l
		}
	}
	return out
}

// mixed puts the sections of a fragment into a game: its entries take the
// place of those of the same name; new ones stand before all others.
func mixed(game, fragment string) string {
	old, changed := parts(game, ""), parts(fragment, "")
	for _, c := range changed {
		i := slices.IndexFunc(old, func(p part) bool { return p.name == c.name })
		_, body, _ := strings.Cut(c.text, "\n")
		if i < 0 || strings.TrimSpace(body) == "" || c.name == "examples" {
			if i >= 0 {
				old[i].text = c.text
			} else {
				old = append(old, c)
			}
			continue
		}
		fresh := parts(body, "  ")
		_, rest, _ := strings.Cut(old[i].text, "\n")
		var kept []part
		for _, p := range parts(rest, "  ") {
			at := slices.IndexFunc(fresh, func(f part) bool { return f.name == p.name })
			if at < 0 {
				kept = append(kept, p)
				continue
			}
			if c.name == "state" { // by scope: one level more
				_, under, _ := strings.Cut(p.text, "\n")
				for _, v := range parts(under, "    ") {
					if !strings.Contains(fresh[at].text, "    "+v.name+":") {
						fresh[at].text += v.text
					}
				}
			}
			kept = append(kept, fresh[at])
			fresh = slices.Delete(fresh, at, at+1)
		}
		fresh = append(fresh, kept...)
		old[i].text = c.name + ":\n"
		for _, p := range fresh {
			old[i].text += p.text
		}
	}
	out := ""
	for _, p := range old {
		out += p.text
	}
	return out
}

// TestLanguageTables works out the formulas of the tables.
func TestLanguageTables(t *testing.T) {
	list := samples(t)
	lib := document(t, list)
	n := 0
	for _, s := range list {
		if s.marks["world"] == "" || s.lang != "" {
			continue
		}
		w := newWorld(t, lib, s.marks["world"])
		for i, row := range strings.Split(strings.TrimSpace(s.text), "\n") {
			cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
			if i < 2 || len(cells) < 2 {
				continue
			}
			n++
			formula, want := unquoted(cells[0]), unquoted(cells[1])
			if got := w.value(formula); got != want {
				t.Errorf("LANGUAGE.md:%d: %s is %s, not %s", s.line+i, formula, got, want)
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d formulas were found", n)
	}
}

func unquoted(cell string) string { return strings.Trim(strings.TrimSpace(cell), "`") }

// A sampleWorld is the place in a game at which formulas are worked out.
type sampleWorld struct {
	prog *dsl.Program
	m    *interpreter.Machine
	env  dsl.Env
}

// newWorld goes where an example of the base game begins.
func newWorld(t *testing.T, lib *dsl.Library, name string) *sampleWorld {
	t.Helper()
	p := mustLoad(t, lib, base, dsl.Options{})
	i := slices.IndexFunc(p.Examples, func(e *dsl.Example) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("there is no example %s", name)
	}
	ex := p.Examples[i]
	g, err := interpreter.New(p, len(ex.Players))
	if err != nil {
		t.Fatal(err)
	}
	w := &sampleWorld{p, g.Start(interpreter.Setup{Names: ex.Players}), dsl.Env{Seats: ex.Players}}
	at := slices.IndexFunc(p.Phases, func(ph *dsl.Phase) bool { return ph.Name == ex.At.Value })
	w.m.Enter(p.Phases[at])
	used := uint64(0)
	for _, gv := range ex.Given {
		var ds source.List
		what := p.PlaceOf(gv.Place, w.env, &ds)
		report(t, ds)
		if what.Zone != nil {
			z := what.Zone.Ref.(*dsl.Zone)
			if _, ok := w.m.Lay(z, 0, p.Pieces(gv.Value, z.Family, &ds), &used); !ok {
				t.Fatalf("%s cannot be laid", gv.Value.Value)
			}
			continue
		}
		env := w.env
		env.Want = &what.Place.Var.Type
		e := p.Formula(gv.Value, env, &ds)
		report(t, ds)
		v, err := w.m.Eval(e)
		if err != nil {
			t.Fatal(err)
		}
		seat := int64(0)
		if what.Place.Seat != nil {
			seat, _ = w.m.Eval(what.Place.Seat)
		}
		w.m.Put(what.Place.Var, int(seat), v)
	}
	return w
}

// value works a formula out: its value, the code of its mistake, or `a fault`.
func (w *sampleWorld) value(formula string) string {
	var ds source.List
	e := w.prog.Formula(syntax.FileText(source.NewFile("table", formula)), w.env, &ds)
	if e == nil {
		return strings.Join(codes(ds), " ")
	}
	text, err := w.m.EvalText(e)
	switch {
	case err != nil:
		return "a fault"
	case e.Type.Kind == dsl.KBool:
		return map[string]string{"yes": "true", "no": "false"}[text]
	}
	return text
}
