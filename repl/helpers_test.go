package repl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

// load makes a program of a built-in game, or of a file. More texts of house
// rules may be named in the options.
func load(t *testing.T, game string, opt dsl.Options, more ...string) *dsl.Program {
	t.Helper()
	lib := dsl.NewLibrary()
	var ds source.List
	for _, text := range more {
		if lib.Add(source.NewFile("more.yaml", text), &ds) == nil {
			t.Fatal(ds.Err())
		}
	}
	if filepath.Ext(game) == ".yaml" {
		text, err := os.ReadFile(game)
		if err != nil {
			t.Fatal(err)
		}
		f := lib.Add(source.NewFile(filepath.ToSlash(game), string(text)), &ds)
		if f == nil {
			t.Fatal(ds.Err())
		}
		game = f.ID
	}
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		lib.Add(f, &ds)
	}
	p, found := dsl.Load(lib, game, opt)
	if p == nil {
		t.Fatal(found.Err())
	}
	return p
}

const pig = "../testdata/family/pig.yaml"

// desk is a session with what it prints.
type desk struct {
	t *testing.T
	*Session
	out bytes.Buffer
}

func newDesk(t *testing.T, p *dsl.Program, players string, change func(*Config)) *desk {
	t.Helper()
	who, err := ParsePlayers(players)
	if err != nil {
		t.Fatal(err)
	}
	g, err := interpreter.New(p, len(who))
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Game: g, Players: who, Header: interpreter.Header{Seed: 3}}
	if change != nil {
		change(&cfg)
	}
	d := &desk{t: t}
	d.Session = NewSession(cfg, &d.out)
	return d
}

// start begins the game and returns what is printed.
func (d *desk) start() string {
	d.t.Helper()
	if err := d.Start(context.Background()); err != nil {
		d.t.Fatal(err)
	}
	return d.printed()
}

// types carries out a line and returns what is printed.
func (d *desk) types(line string) string {
	d.t.Helper()
	_ = d.OneShot(context.Background(), line) // what went wrong is printed
	return d.printed()
}

func (d *desk) printed() string {
	text := d.out.String()
	d.out.Reset()
	return text
}

// dice returns a supply of throws.
func dice(throws ...string) func() (string, error) {
	return func() (string, error) {
		if len(throws) == 0 {
			return "", errDice
		}
		t := throws[0]
		throws = throws[1:]
		return t, nil
	}
}

// real makes a session take its throws from a supply.
func real(throws ...string) func(*Config) {
	return func(c *Config) {
		c.Luck, c.Header.RealDice = dice(throws...), true
	}
}

// contains reports every text that something printed should hold and does not.
func contains(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}
