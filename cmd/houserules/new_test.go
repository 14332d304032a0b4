package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/rulesets"
)

// written runs `new` and then `check` and `test` of what it has written.
func written(t *testing.T, path string, beside []string, args ...string) {
	t.Helper()
	code, out, errs := command(append([]string{"new"}, args...)...)
	if code != 0 || errs != "" || !strings.HasPrefix(out, path+"\n\n  houserules ") || strings.Count(out, "\n  houserules ") != 2 {
		t.Fatalf("new %q: exit code %d\n%s%s", args, code, out, errs)
	}
	files := append(beside, path)
	if filepath.Ext(path) != ".txt" {
		if code, out, errs := command(append([]string{"check", "--fail-on", "note"}, files...)...); code != 0 {
			t.Errorf("%q: check exits with %d\n%s%s", args, code, out, errs)
		}
	} else {
		files = []string{path}
	}
	if code, out, errs := command(append([]string{"test"}, files...)...); code != 0 || !strings.HasSuffix(out, " passed, 0 failed\n") {
		text, _ := os.ReadFile(path)
		t.Errorf("%q: test exits with %d\n%s%s%s", args, code, out, errs, text)
	}
}

func TestNewForEveryGame(t *testing.T) {
	lib := dsl.NewLibrary()
	var ds source.List
	for _, f := range rulesets.Files() {
		lib.Add(f, &ds)
	}
	if len(lib.Games()) < 10 {
		t.Fatalf("only %d games", len(lib.Games()))
	}
	t.Chdir(t.TempDir())
	for i, g := range lib.Games() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		id := g.ID
		t.Run(id, func(t *testing.T) {
			written(t, "rule-"+id+".yaml", nil, "variant", "rule-"+id, "--for", id)
			written(t, "game-"+id+".yaml", nil, "game", "game-"+id, "--from", id)
			written(t, "turn-"+id+".txt", nil, "test", "turn-"+id, "--for", id)
			text, err := os.ReadFile("turn-" + id + ".txt")
			if n := strings.Count(string(text), "\n"); err != nil || n < 13 || n > 200 {
				t.Errorf("a transcript of %d lines\n%s", n, text)
			}
		})
	}
}

func TestNewGame(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("a folder", 0o755); err != nil {
		t.Fatal(err)
	}
	written(t, "pirates.yaml", nil, "game", "pirates")
	text, err := os.ReadFile("pirates.yaml")
	if err != nil || !strings.Contains(string(text), "\ngame: pirates\ntitle: Pirates\n") {
		t.Errorf("%v: %s", err, text)
	}
	own := filepath.Join("a folder", "x-2.yaml")
	written(t, own, nil, "game", "x-2", "--dir", "a folder")
	// files for a game in a file, beside it and elsewhere
	written(t, "loud.yaml", []string{own}, "variant", "loud", "--for", own)
	written(t, "x-3.yaml", []string{own}, "game", "x-3", "--from", own)
	written(t, "turn.txt", nil, "test", "turn", "--for", own)
	written(t, filepath.Join("a folder", "turn.txt"), nil, "test", "turn", "--for", own, "--dir", "a folder")
	written(t, filepath.Join("a folder", "up.txt"), nil, "test", "up", "--for", "./pirates.yaml", "--dir", "a folder")
	if code, out, errs := command("play", own, "--with", "loud.yaml", "--players", "bot:random,bot:random", "--seed", "1", "-q"); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Words of YAML and of the language are good names of files, and so are those of
// things in the game.
func TestNewOddNames(t *testing.T) {
	names := []string{"null", "goal", "true", "me", "game", "roll", strings.Repeat("a", 40)}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		t.Chdir(t.TempDir())
		written(t, name+".yaml", nil, "variant", name, "--for", "pig")
		written(t, name+".yaml", nil, "game", name, "--force")
		written(t, name+".yaml", nil, "game", name, "--from", "zonk", "--force")
	}
}

func TestNewWritesOverNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	written(t, "mine.yaml", nil, "game", "mine")
	if err := os.WriteFile("mine.yaml", []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command("new", "variant", "mine", "--for", "pig")
	if want := "houserules: `mine.yaml` is there already: choose another name, or write over it with --force\n"; code != exitCannot || out != "" || errs != want {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if text, _ := os.ReadFile("mine.yaml"); string(text) != "mine" {
		t.Errorf("the file was written over: %s", text)
	}
	written(t, "mine.yaml", nil, "variant", "mine", "--for", "pig", "--force")
	if err := os.Mkdir("folder.yaml", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, force := range []string{"--force=false", "--force"} {
		if code, out, errs := command("new", "game", "folder", force); code != exitCannot || out != "" || !strings.HasPrefix(errs, "houserules: `folder.yaml` ") {
			t.Errorf("%s: exit code %d\n%s%s", force, code, out, errs)
		}
	}
	if code, _, errs := command("new", "game", "other", "--dir", "nowhere"); code != exitCannot || !strings.Contains(errs, "there is no folder for `"+filepath.Join("nowhere", "other.yaml")+"`") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

func TestNewRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	const noName = "is no name for a file of rules: a name is small letters, digits and single hyphens, such as "
	for _, x := range []struct {
		code int
		want string
		args []string
	}{
		{2, "`Pirates` " + noName + "`pirates`", []string{"game", "Pirates"}},
		{2, noName + "`a-b`", []string{"game", "a--b"}},
		{2, noName + "`a-b`", []string{"game", "a_b"}},
		{2, noName + "`etc-passwd`", []string{"game", "../../etc/passwd"}},
		{2, noName + "`x`", []string{"game", "/x"}},
		{2, noName + "`rd-game`", []string{"game", "3rd-game"}},
		{2, noName + "`my-own`", []string{"game", ""}},
		{2, noName + "`my-own`", []string{"game", "."}},
		{2, noName + "`my-own`", []string{"game", "дом"}},
		{2, noName + "`a-b`", []string{"variant", "a\nb", "--for", "pig"}},
		{2, noName + "`x-game-y`", []string{"game", "x: {game: y}"}},
		{2, "too long for a name: at most 40 characters", []string{"game", strings.Repeat("a", 41)}},
		{2, "`pig` is a game already: choose another name, such as `my-pig`", []string{"game", "pig"}},
		{2, "`pig` is a game already", []string{"variant", "pig", "--for", "zonk"}},
		{2, "`second-chance` is a house rule for zonk already", []string{"variant", "second-chance", "--for", "pig"}},
		{2, "`rule` cannot be written; there are: game, variant, test", []string{"rule", "x"}},
		{2, "did you mean `variant`?", []string{"varaint", "x"}},
		{2, "say which game it is for, as in `houserules new variant x --for GAME`", []string{"variant", "x"}},
		{2, "say which game it is for, as in `houserules new test x --for GAME`", []string{"test", "x"}},
		{2, "is written with --from pig", []string{"game", "x", "--for", "pig"}},
		{2, "write --for pig", []string{"test", "x", "--from", "pig"}},
		{3, "there is no game `pgi`; did you mean `pig`?", []string{"test", "x", "--for", "pgi"}},
		{3, "there is no file `./none.yaml`", []string{"variant", "x", "--for", "./none.yaml"}},
		{2, "is missing", []string{"game"}},
		{2, "is missing", nil},
	} {
		code, out, errs := command(append([]string{"new"}, x.args...)...)
		if code != x.code || out != "" || !strings.Contains(errs, x.want) {
			t.Errorf("%q: exit code %d\n%s%s", x.args, code, out, errs)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("files were written: %v %v", left, err)
	}
}
