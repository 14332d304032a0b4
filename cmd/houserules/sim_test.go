package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/dsl/yamltree"
)

func TestSimExitCodes(t *testing.T) {
	dir := t.TempDir()
	endless := filepath.Join(dir, "endless.yaml")
	write(t, endless, "houserules: 1\ngame: endless\nplayers: 2\nphases:\n  ask: {actions: {on: {do: next turn}}}\n")
	broken := filepath.Join(dir, "broken.yaml")
	write(t, broken, "houserules: 1\nvariant: broken\nfor: pig\ntitle: Broken\nabout: It stops.\nbefore: {roll: {do: turn.points += 1 / (turn.number - turn.number)}}\n")
	text := filepath.Join(dir, "text.json")
	write(t, text, "hello")
	tests := []struct {
		args string
		code int
		text string
	}{
		{"sim pig --games 300", exitOK, "Pig, 2 x greedy, 300 games, seed 1"},
		{"sim pig --games 300 --players bot:greedy,bot:random,bot:random", exitOK, "player 1 (greedy) wins"},
		{"sim pig --games 300 --expect turns>=1", exitUsage, "cannot be read"},
		{"sim pig --games 0", exitUsage, "--games takes 1 or more"},
		{"sim pig --games x", exitUsage, "--games cannot be `x`"},
		{"sim pig --jobs -1", exitUsage, "--jobs"},
		{"sim pgi", exitCannot, "did you mean `pig`?"},
		{"sim", exitUsage, "the game is missing"},
		{"sim pig --players Ann,bot:random", exitUsage, "Ann is no bot"},
		{"sim pig --players bot:random", exitUsage, "2 to 10 players"},
		{"sim skull-king-score --games 5", exitUsage, "asks people at a table"},
		{"sim pig --vs gaol=50", exitUsage, "did you mean `goal`?"},
		{"sim pig --vs printed", exitUsage, "changes nothing"},
		{"sim pig --metric me.score", exitUsage, "--metric `me.score` cannot be counted"},
		{"sim pig --metric max(map(everyone,.score)", exitUsage, "cannot be counted"},
		{"sim pig --games 50 --metric best=max(map(everyone,.score))", exitOK, "best"},
		{"sim pig --precision no", exitUsage, "--precision takes a share"},
		{"sim pig --precision trns=1", exitUsage, "did you mean `turns`?"},
		{"sim pig --stuck-max 200%", exitUsage, "--stuck-max takes a share"},
		{"sim pig --plot x.gif", exitUsage, "--plot draws"},
		{"sim pig --raw x.txt", exitUsage, "--raw writes"},
		{"sim pig --shard 3/2 -o x", exitUsage, "parts are numbered from 1"},
		{"sim pig --shard 1/2", exitUsage, "name its file with -o"},
		{"sim pig --shard auto -o x", exitUsage, "the environment names no part"},
		{"sim pig --resume", exitUsage, "which is missing"},
		{"sim pig --sweep goal", exitUsage, "NAME=10,20,30"},
		{"sim pig --sweep goal=5,50 --games 10", exitUsage, "is at least 6"},
		{"sim pig --sweep goal=50,60 --vs goal=9", exitUsage, "goes together neither"},
		{"sim " + endless + " --games 3 --limit 50", exitNo, "3 games of 3 did not end"},
		{"sim " + endless + " --games 3 --limit 50 --stuck-max 100%", exitOK, "no game came to its end"},
		{"sim pig --games 5 --metric 1/(turn.number-turn.number)", exitNo, "5 games of 5 did not end, or were stopped by a mistake\n"},
		{"sim merge " + text, exitCannot, "it is no JSON"},
		{"sim merge " + filepath.Join(dir, "none.json"), exitCannot, "there is no file"},
		{"sim merge", exitUsage, "the file is missing\n"},
		{"sim play --help", exitOK, "houserules sim GAME --vs goal=50"},
		{"sim pig --games 20 --set goal=50 --vs printed", exitOK, "compared with printed: 20 pairs"},
		{"sim pig --vs goal=x", exitUsage, "houserules: --vs goal=x: `x` is not"},
		{"sim pig --sweep goal=50,x --games 10", exitUsage, "houserules: --sweep goal=x: `x` is not"},
		{"sim pig --set goal=x --vs goal=50", exitUsage, "houserules: --set goal=x: `x` is not"},
		{"sim pig --sweep goal=50,60,50", exitUsage, "`50` stands there twice"},
		{"sim pig --games 1000 --precision 0.01%", exitOK, "not as precise as asked for"},
		{"sim pig --games 20 --vs " + broken, exitNo, "no game came to its end by both"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, out, errs := call(t, "", strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(out+errs, tt.text) {
				t.Errorf("code %d, not %d; wanted %q in\n%s%s", code, tt.code, tt.text, out, errs)
			}
		})
	}
}

// simResult is what the report for programs has, as far as tests look.
type simResult struct {
	Games    int64 `json:"games"`
	Measures []struct {
		ID               string
		Value, Low, High *float64
	}
	Differences []struct {
		ID     string
		Value  *float64
		Likely bool
	}
}

func simJSONOf(t *testing.T, args ...string) simResult {
	t.Helper()
	code, out, errs := call(t, "", append(args, "--out", "json")...)
	var r simResult
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK {
		t.Fatalf("code %d, %v: %s%s", code, err, out, errs)
	}
	return r
}

func (r *simResult) value(t *testing.T, id string) float64 {
	t.Helper()
	for _, m := range r.Measures {
		if m.ID == id && m.Value != nil {
			return *m.Value
		}
	}
	t.Fatalf("no measure %s in %v", id, r)
	return 0
}

// Every game in the file of --raw is one of the report.
func TestSimRawFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"games.csv", "games.jsonl"} {
		path := filepath.Join(dir, name)
		r := simJSONOf(t, "sim", "pig", "--games", "500", "--seed", "4", "--vs", "goal=50", "--raw", path)
		var turns, wins float64
		lines := 0
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add := func(rules string, n, w float64) {
			if lines++; rules == "these" {
				turns, wins = turns+n, wins+w
			}
		}
		if strings.HasSuffix(name, "csv") {
			rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
			if err != nil || rows[0][0] != "game" || rows[0][3] != "turns" || rows[0][6] != "wins.first" {
				t.Fatalf("%v: %v", err, rows[0])
			}
			for _, row := range rows[1:] {
				n, _ := strconv.ParseFloat(row[3], 64)
				w, _ := strconv.ParseFloat(row[6], 64)
				add(row[1], n, w)
			}
		} else {
			dec := json.NewDecoder(bytes.NewReader(data))
			for dec.More() {
				var row map[string]any
				if err := dec.Decode(&row); err != nil {
					t.Fatal(err)
				}
				add(row["rules"].(string), row["turns"].(float64), row["wins.first"].(float64))
			}
		}
		if lines != 1000 || turns/500 != r.value(t, "turns") || wins/500 != r.value(t, "wins.first") {
			t.Errorf("%s has %d games, %v turns and %v wins; the report %v and %v", name, lines, turns/500, wins/500, r.value(t, "turns"), r.value(t, "wins.first"))
		}
	}
	if code, _, errs := call(t, "", "sim", "pig", "--games", "5", "--raw", filepath.Join(dir, "games.csv")); code != exitCannot || !strings.Contains(errs, "is there already") {
		t.Errorf("an old file: %d %s", code, errs)
	}
}

// A shorter race takes fewer turns, which a comparison finds.
func TestSimCompares(t *testing.T) {
	r := simJSONOf(t, "sim", "pig", "--games", "300", "--vs", "goal=50")
	for _, d := range r.Differences {
		if d.ID == "turns" && (!d.Likely || *d.Value > -5) {
			t.Errorf("half the way takes %v turns more, likely: %v", *d.Value, d.Likely)
		}
	}
	code, out, _ := call(t, "", "sim", "zonk", "--games", "100", "--vs", "three-pairs")
	for _, want := range []string{"compared with three-pairs: 100 pairs of games on the same luck", "Three pairs in a turn", "Turns: the same in every pair of games."} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("code %d, wanted %q in\n%s", code, want, out)
		}
	}
}

// --expect answers yes only if the whole interval lies inside.
func TestSimExpects(t *testing.T) {
	for _, c := range []struct {
		expect string
		code   int
		text   string
	}{
		{"turns within 10..40", exitOK, "yes"},
		{"turns <= 10", exitNo, "no, it is"},
		{"wins.first within 53.4%..53.6%", exitNo, "undecided"},
		{"wins.first >= 40%", exitOK, "yes"},
	} {
		code, _, errs := call(t, "", "sim", "pig", "--games", "400", "--expect", c.expect)
		if code != c.code || !strings.Contains(errs, "expected "+c.expect+": "+c.text) {
			t.Errorf("%s: code %d, %s", c.expect, code, errs)
		}
	}
	if code, _, errs := call(t, "", "sim", "pig", "--games", "400", "--vs", "goal=50", "--expect", "diff.turns <= -5"); code != exitOK {
		t.Errorf("the difference: %d %s", code, errs)
	}
}

// Parts that the environment names are joined to what one run writes, whatever
// scheduler it is.
func TestSimShardsOfSchedulers(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.json")
	args := []string{"sim", "zonk", "--games", "700", "--seed", "5", "-q"}
	code, report, errs := call(t, "", append(args, "-o", whole)...)
	if code != exitOK {
		t.Fatal(errs)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string]func(i int) map[string]string{
		"slurm": func(i int) map[string]string {
			return map[string]string{"SLURM_ARRAY_TASK_ID": strconv.Itoa(10 + i), "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "3"}
		},
		"kubernetes": func(i int) map[string]string {
			return map[string]string{"JOB_COMPLETION_INDEX": strconv.Itoa(i), "HOUSERULES_SHARDS": "3"}
		},
		"parallel": func(i int) map[string]string {
			return map[string]string{"PARALLEL_SEQ": strconv.Itoa(i + 1), "HOUSERULES_SHARDS": "3"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			merge := []string{"sim", "merge", "-o", filepath.Join(dir, name+".json")}
			for i := range 3 {
				for k, v := range env(i) {
					t.Setenv(k, v)
				}
				part := filepath.Join(dir, name+strconv.Itoa(i)+".json")
				if code, out, errs := call(t, "", append(args, "--shard", "auto", "-o", part)...); code != exitOK || !strings.Contains(out, "part "+strconv.Itoa(i+1)+" of 3") {
					t.Fatalf("%d %s%s", code, out, errs)
				}
				merge = append(merge, part)
			}
			code, out, errs := call(t, "", merge...)
			got, err := os.ReadFile(filepath.Join(dir, name+".json"))
			if code != exitOK || err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d %v: the parts give other bytes %s", code, err, errs)
			}
			if first, _, _ := strings.Cut(report, "\nrepeat:"); strings.TrimSpace(first) != strings.TrimSpace(out) {
				t.Errorf("the report of the parts is\n%s\nnot\n%s", out, first)
			}
			if code, _, errs := call(t, "", "sim", "merge", merge[4]); code != exitNo || !strings.Contains(errs, "games 234 to 699 of 700 are missing") {
				t.Errorf("one part alone: %d %s", code, errs)
			}
		})
	}
}

// The manifest and the scripts on the page name options that there are.
func TestSimRecipes(t *testing.T) {
	page, err := os.ReadFile("../../interpreter/sim/SIMULATION.md")
	if err != nil {
		t.Fatal(err)
	}
	job, ds := yamltree.Parse(source.NewFile("job.yaml", block(string(page), "yaml")))
	if job == nil || ds.HasErrors() {
		t.Fatal(ds.Err())
	}
	at := func(n *yamltree.Node, keys ...string) *yamltree.Node {
		for _, k := range keys {
			if n = n.Get(k); n == nil {
				t.Fatalf("the manifest has no %s", k)
			}
		}
		return n
	}
	pod := at(job, "spec", "template", "spec", "containers").Items[0]
	if at(job, "kind").Text != "Job" || at(job, "spec", "completionMode").Text != "Indexed" || at(job, "spec", "completions").Text != at(at(pod, "env").Items[0], "value").Text {
		t.Error("the manifest is no indexed Job of as many parts as it says")
	}
	commands := []string{at(pod, "args").Items[0].Text}
	for _, part := range strings.Split(string(page), "```sh\n")[1:] {
		body, _, _ := strings.Cut(part, "```")
		for _, line := range strings.Split(body, "\n") {
			if _, cmd, ok := strings.Cut(line, "houserules sim zonk"); ok {
				commands = append(commands, "houserules sim zonk"+cmd)
			}
		}
	}
	if len(commands) != 3 {
		t.Fatalf("there are %d commands", len(commands))
	}
	t.Setenv("JOB_COMPLETION_INDEX", "2")
	t.Setenv("HOUSERULES_SHARDS", "16")
	for i, c := range commands {
		out := filepath.Join(t.TempDir(), strconv.Itoa(i))
		args := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(c))[1:]
		for k, a := range args {
			switch {
			case args[max(k-1, 0)] == "--games":
				args[k] = "160"
			case args[max(k-1, 0)] == "-o":
				args[k] = out
			case a == "zonk":
				args[k] = "pig"
			}
		}
		if code, got, errs := call(t, "", args...); code != exitOK || !strings.Contains(got, "part 3 of 16: 10 games") {
			t.Errorf("%v: %d %s%s", args, code, got, errs)
		}
	}
}

// Games that do not end are kept, and can be shown.
func TestSimKeepsStuckGames(t *testing.T) {
	dir := t.TempDir()
	rules := filepath.Join(dir, "endless.yaml")
	write(t, rules, `houserules: 1
game: endless
players: 2
state: {player: {score: 0}}
phases:
  ask:
    actions:
      on: {do: me.score += 1}
      stop: {when: me.score < 3, do: finish}
  over: {enter: next turn}
rank: {score: {by: me.score, first: highest}}
`)
	kept := filepath.Join(dir, "kept")
	code, _, errs := call(t, "", "sim", rules, "--games", "200", "--players", "bot:random,bot:random", "--limit", "30", "--stuck-dir", kept)
	names, _ := filepath.Glob(filepath.Join(kept, "*.jsonl"))
	if code != exitNo || len(names) == 0 || len(names) > 10 || !strings.Contains(errs, "houserules replay ") {
		t.Fatalf("%d, %d files: %s", code, len(names), errs)
	}
	code, out, errs := call(t, "", "replay", names[0], "--rules", rules)
	if code != exitCannot || !strings.Contains(out, "nobody has had a choice") || !strings.Contains(out, "endless.yaml:6:3") {
		t.Errorf("replay: %d %.300s%s", code, out, errs)
	}
	data, err := os.ReadFile(names[0])
	if n := bytes.Count(data, []byte("\n")); err != nil || n < 4 { // a head, and three moves at the least
		t.Errorf("the journal has %d lines", n)
	}
}

// A precision ends the run by itself, at the same game however many jobs there are.
func TestSimPrecision(t *testing.T) {
	a := simJSONOf(t, "sim", "pig", "--games", "100000", "--precision", "2%", "--jobs", "1")
	b := simJSONOf(t, "sim", "pig", "--games", "100000", "--precision", "2%", "--jobs", "7")
	if a.Games != b.Games || a.Games < 2000 || a.Games > 4000 { // 1.96 * sqrt(1/4/n) = 0.02 at n = 2401
		t.Errorf("%d and %d games", a.Games, b.Games)
	}
}

// Ctrl-C prints what there is, and --resume goes on to the same result.
func TestSimInterrupted(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "houserules")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	part, whole := filepath.Join(dir, "part.json"), filepath.Join(dir, "whole.json")
	args := []string{"sim", "pig", "--games", "60000", "--jobs", "1", "-q"}
	cmd := exec.Command(bin, append(args, "-o", part)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 130 {
		if !strings.Contains(out.String(), "stopped before the end") || !strings.Contains(errs.String(), "--resume") {
			t.Errorf("%s%s", out.String(), errs.String())
		}
	} else if code != 0 { // the machine was so quick that all was done
		t.Fatalf("code %d: %s", code, errs.String())
	}
	for _, run := range [][]string{append(args, "-o", part, "--resume"), append(args, "-o", whole)} {
		if out, err := exec.Command(bin, run...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	a, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(whole); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%v: going on gives other bytes", err)
	}
}

// Pictures are drawn, and are the same each time.
func TestSimPlots(t *testing.T) {
	dir := t.TempDir()
	read := func(name string, args ...string) []byte {
		path := filepath.Join(dir, name)
		if code, _, errs := call(t, "", append(args, "--plot", path)...); code != exitOK {
			t.Fatal(errs)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, args := range [][]string{{"sim", "pig", "--games", "300"}, {"sim", "pig", "--games", "100", "--sweep", "goal=20,50"}} {
		for ext, head := range map[string]string{".svg": "<?xml", ".png": "\x89PNG"} {
			a, b := read("a"+ext, args...), read("b"+ext, args...)
			if !bytes.HasPrefix(a, []byte(head)) || !bytes.Equal(a, b) {
				t.Errorf("%v: %q differs, or is no picture", args, ext)
			}
		}
	}
}
