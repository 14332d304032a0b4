package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
	"github.com/houserules/houserules/rulesets"
	"github.com/houserules/houserules/variants"
)

func ruleSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	code, out, errs := call(t, "", "schema")
	var doc any
	if err := json.Unmarshal([]byte(out), &doc); code != exitOK || err != nil {
		t.Fatalf("%d %v %s", code, err, errs)
	}
	if strings.Contains(out, `"oneOf"`) || strings.Contains(out, `"anyOf"`) {
		t.Error("a choice is not made by one word: one mistake would be many messages")
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainData is a tree as an editor sees it.
func plainData(n *yamltree.Node) any {
	switch {
	case n == nil || n.Kind == yamltree.Scalar && n.Empty:
		return nil
	case n.Kind == yamltree.Map:
		out := map[string]any{}
		for _, p := range n.Pairs {
			out[p.Key.Text] = plainData(p.Value)
		}
		return out
	case n.Kind == yamltree.List:
		out := []any{}
		for _, i := range n.Items {
			out = append(out, plainData(i))
		}
		return out
	case n.Style == yamltree.Plain:
		if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			return json.Number(strconv.FormatInt(v, 10))
		}
		if n.Text == "true" || n.Text == "false" {
			return n.Text == "true"
		}
	}
	return n.Text
}

func validated(t *testing.T, s *jsonschema.Schema, f *source.File) error {
	t.Helper()
	root, ds := yamltree.Parse(f)
	if root == nil || ds.HasErrors() {
		t.Fatal(ds.Err())
	}
	return s.Validate(plainData(root))
}

// Every rule file that comes with houserules is one by the schema.
func TestShippedFilesFitTheSchema(t *testing.T) {
	s := ruleSchema(t)
	for _, f := range append(rulesets.Files(), variants.Files()...) {
		if err := validated(t, s, f); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A key that there is not is one message, at its place.
func TestSchemaFindsOneMistake(t *testing.T) {
	s := ruleSchema(t)
	for _, c := range []struct{ text, at string }{
		{"houserules: 1\ngame: x\nplayers: 2\nphasse: {}\n", ""},
		{"houserules: 1\ngame: x\nplayers: 2\nphases: {ask: {actions: {go: {require: {a: {that: true, esle: \"x\"}}}}}}\n", "/phases/ask/actions/go/require/a"},
		{"houserules: 1\nvariant: x\nfor: y\nbefore: {bust: {offr: {}}}\n", "/before/bust"},
		{"houserules: 1\ngame: x\nplayers: 2\nzones: {tray: {of: dice, seen: everybody}}\n", "/zones/tray/seen"},
		{"houserules: 1\nvariant: x\nfor: y\nturns: {}\n", ""},
	} {
		err := validated(t, s, source.NewFile("x.yaml", c.text))
		bad, ok := err.(*jsonschema.ValidationError)
		if !ok {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var leaves []string
		var walk func(e *jsonschema.ValidationError)
		walk = func(e *jsonschema.ValidationError) {
			if len(e.Causes) == 0 {
				leaves = append(leaves, "/"+strings.Join(e.InstanceLocation, "/"))
			}
			for _, k := range e.Causes {
				walk(k)
			}
		}
		walk(bad)
		if len(leaves) != 1 || strings.TrimSuffix(leaves[0], "/") != c.at {
			t.Errorf("%q: messages at %v, wanted one at %s", c.text, leaves, c.at)
		}
	}
}

func TestSchemaIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "schema.json")
	if code, out, errs := call(t, "", "schema", "-o", path); code != exitOK || !strings.Contains(out, "yaml-language-server: $schema="+path) {
		t.Errorf("%d %s%s", code, out, errs)
	}
	dir := t.TempDir()
	call(t, "", "schema", "-o", filepath.Join(dir, schemaFile))
	for _, args := range [][]string{{"new", "game", "mine"}, {"new", "variant", "my-rule", "--for", "pig"}} {
		if code, _, errs := call(t, "", append(args, "--dir", dir)...); code != exitOK {
			t.Fatal(errs)
		}
		text, err := os.ReadFile(filepath.Join(dir, args[2]+".yaml"))
		if err != nil || !strings.HasPrefix(string(text), "# yaml-language-server: $schema="+schemaFile+"\n# $schema: "+schemaFile+"\n") {
			t.Errorf("%v %.100s", err, text)
		}
		if code, out, errs := call(t, "", "check", filepath.Join(dir, args[2]+".yaml")); code != exitOK {
			t.Errorf("%s%s", out, errs)
		}
	}
	if code, _, errs := call(t, "", "schema", "-o", filepath.Join(path, "x")); code != exitCannot || errs == "" {
		t.Errorf("%d %s", code, errs)
	}
}
