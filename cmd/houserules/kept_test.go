//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/creack/pty"

	"github.com/houserules/houserules/interpreter"
	"github.com/houserules/houserules/repl"
)

// stateIn keeps the saved games of a test to itself.
func stateIn(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	t.Setenv("HOUSERULES_STATE", dir)
	return dir
}

// keptGame is a game as it is played without being interrupted.
type keptGame struct {
	args  []string // behind `play`
	lines []string // what people type
	text  string   // of its journal
}

// keptGames are some of those that come with houserules, with and without bots,
// and one that begins with an opening and is played twice.
func keptGames() [][]string {
	return [][]string{
		{"pig", "--players", "Ann,Bob", "--set", "goal=40"},
		{"zonk", "--players", "Ann,bot:greedy", "--set", "target=1000"},
		{"farkle", "--players", "Ann,bot:random"},
		{"oh-hell", "--players", "Ann,Bob,bot:random"},
		{"liars-dice", "--players", "Ann,bot:greedy"},
		{dare, "--players", "Ann,Bob", "--rules", dareHome, "--games", "2"},
	}
}

// longest is how many lines of a game are played before it is left.
const longest = 60

// uninterrupted plays a game at random in this process.
func uninterrupted(t *testing.T, args []string, seed uint64) *keptGame {
	t.Helper()
	file := filepath.Join(t.TempDir(), "whole.jsonl")
	g := &keptGame{args: append(append([]string{}, args...), "--seed", fmt.Sprint(seed))}
	var cli commandLine
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"play"}, g.args...)); err != nil {
		t.Fatal(err)
	}
	c := cli.Play
	cfg, _, err := c.config(streams{nil, io.Discard, io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	f, err := create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cfg.Journal, cfg.Games = repl.NewJournalFile(f), c.Games
	s := repl.NewSession(cfg, io.Discard)
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	luck := rand.New(rand.NewPCG(seed, 1))
	for !s.Done() && len(g.lines) < longest {
		req, err := s.Match().Advance()
		if err != nil || req.Kind != interpreter.Decision {
			t.Fatal(req, err)
		}
		text := s.Match().OptionText(luck.IntN(req.N))
		var refused *repl.LineError // house rules that do not go together
		if err := s.OneShot(context.Background(), text); errors.As(err, &refused) {
			continue
		} else if err != nil {
			t.Fatal(text, err)
		}
		g.lines = append(g.lines, text)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g.text = string(b)
	return g
}

// child is the command in a process of its own, at a pipe.
type child struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

func spawn(t *testing.T, state string, args ...string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0], args...), done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), "HOUSERULES_TEST_MAIN=1", "HOUSERULES_STATE="+state)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.cmd.Stdout, c.cmd.Stderr = in, c, c
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = c.cmd.Wait()
		close(c.done)
	}()
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	return c
}

// Write takes what the command prints.
func (c *child) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(b)
}

func (c *child) printed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// types writes lines; a process that is gone does not read them.
func (c *child) types(lines ...string) { _, _ = io.WriteString(c.in, strings.Join(lines, "\n")+"\n") }

var aPrompt = regexp.MustCompile(`(Ann|Bob)> `)

// prompts counts how often somebody was asked.
func (c *child) prompts() int { return len(aPrompt.FindAllString(c.printed(), -1)) }

// asks waits until somebody has been asked so often, or the command ends.
func (c *child) asks(n int) {
	c.t.Helper()
	for end := time.Now().Add(30 * time.Second); c.prompts() < n; time.Sleep(time.Millisecond) {
		select {
		case <-c.done:
			return
		default:
		}
		if time.Now().After(end) {
			c.t.Fatalf("nobody is asked:\n%s", c.printed())
		}
	}
}

// ends waits for the end and returns the exit code, -1 after a signal.
func (c *child) ends() int {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(30 * time.Second):
		c.t.Fatalf("the command does not end:\n%s", c.printed())
	}
	return c.cmd.ProcessState.ExitCode()
}

// kill ends the command as nothing can be done against.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	c.ends()
}

// journalIn reads the one journal of a folder for state in which something stands,
// without a last line that is cut off.
func journalIn(t *testing.T, state string) (text string) {
	t.Helper()
	for _, path := range filesIn(filepath.Join(state, "games"), true, journalExt) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if whole := string(b[:bytes.LastIndexByte(b, '\n')+1]); whole != "" && text != "" {
			t.Fatalf("there are two games:\n%s---\n%s", text, whole)
		} else if whole != "" {
			text = whole
		}
	}
	return text
}

// typedIn counts the answers of people in a journal.
func typedIn(text string) int {
	return strings.Count(text, `"seat":"Ann"`) + strings.Count(text, `"seat":"Bob"`)
}

// TestKilled ends games with kill -9 at random moments and goes on with them: what
// was answered is there, once, and at its end each game is the one that was never
// interrupted.
func TestKilled(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 24
	}
	games := keptGames()
	for i, args := range games {
		t.Run(filepath.Base(args[0]), func(t *testing.T) {
			t.Parallel()
			luck := rand.New(rand.NewPCG(7, uint64(i)))
			mine := (kills + len(games) - 1) / len(games)
			for seed := uint64(1); mine > 0; seed++ {
				mine -= killed(t, uninterrupted(t, args, seed), luck, mine)
			}
		})
	}
}

// killed plays one game, is killed at most so often, and says how often it was.
func killed(t *testing.T, g *keptGame, luck *rand.Rand, most int) (kills int) {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state")
	args := append([]string{"play", "--plain"}, g.args...)
	for {
		was := journalIn(t, state)
		if was != "" {
			args = []string{"resume", "--plain"}
		}
		if len(filesIn(filepath.Join(state, "games", "finished"), false, journalExt)) > 0 {
			if was != g.text {
				t.Fatalf("%v: the journal became\n%s---\nnot\n%s", g.args, was, g.text)
			}
			return kills // it was over before it was killed
		}
		at := typedIn(was)
		c := spawn(t, state, args...)
		if kills == most || at == len(g.lines) {
			c.types(append(append([]string{}, g.lines[at:]...), "quit")...)
			if code := c.ends(); code != exitOK {
				t.Fatalf("code %d:\n%s", code, c.printed())
			}
			if text := journalIn(t, state); text != g.text {
				t.Fatalf("%v: the journal became\n%s---\nnot\n%s", g.args, text, g.text)
			}
			return max(kills, 1)
		}
		sent := 0
		if luck.IntN(6) == 0 { // while it begins
			time.Sleep(time.Duration(luck.IntN(60)) * time.Millisecond)
		} else {
			c.asks(1)
			sent = min(1+luck.IntN(8), len(g.lines)-at)
			c.types(g.lines[at : at+sent]...)
			time.Sleep(time.Duration(luck.IntN(1+2000*sent)) * time.Microsecond)
		}
		c.kill()
		kills++
		now := journalIn(t, state)
		if !strings.HasPrefix(g.text, now) {
			t.Fatalf("%v: what was written\n%s---\nis not how the game begins:\n%s", g.args, now, g.text)
		}
		answered := max(c.prompts()-1, 0)
		if n := typedIn(now) - at; n < answered || n > sent {
			t.Fatalf("%v: of %d lines %d were answered and %d are in the journal\n%s", g.args, sent, answered, n, c.printed())
		}
	}
}

// The same lines make the same journal from a pipe, in plain mode and at
// a terminal.
func TestJournalOfEveryInput(t *testing.T) {
	g := uninterrupted(t, []string{"pig", "--players", "Ann,Bob", "--set", "goal=20"}, 5)
	lines := append([]string{}, g.lines...)
	lines = append(lines[:3:3], append([]string{"score", "nonsense"}, lines[3:]...)...)
	for _, how := range []string{"--keep-going", "--plain", "terminal"} {
		state := filepath.Join(t.TempDir(), "state")
		if how == "terminal" {
			s := terminal(t, []string{"HOUSERULES_STATE=" + state}, append([]string{"play"}, g.args...)...)
			for _, l := range lines {
				s.wait("> ")
				s.types(l + "\r")
				s.wait("\n")
			}
			s.wait("another game?")
			s.types("n\r")
			s.ends(exitOK)
		} else {
			c := spawn(t, state, append([]string{"play", "--keep-going", how}, g.args...)...)
			c.types(lines...)
			if code := c.ends(); code != exitOK {
				t.Fatalf("code %d:\n%s", code, c.printed())
			}
		}
		if text := journalIn(t, state); text != g.text {
			t.Errorf("%s:\n%s---\n%s", how, text, g.text)
		}
	}
}

// Where a file may not grow the game says so, tells nothing of the move that could
// not be saved, and goes on later.
func TestFileMayNotGrow(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	args := []string{"play", pig, "--players", "Ann,Bob", "--seed", "4"}
	in := strings.Repeat("hold\n", 20)
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 1 && exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Env = append(os.Environ(), "HOUSERULES_TEST_MAIN=1", "HOUSERULES_STATE="+state)
	cmd.Stdin = strings.NewReader(strings.Repeat(in, 3))
	b, _ := cmd.CombinedOutput()
	out := string(b)
	told := strings.Count(out, "\nsheet: ")
	text := journalIn(t, state)
	if code := cmd.ProcessState.ExitCode(); code != exitCannot || !strings.Contains(out, "this could not be saved: file too large") || !strings.Contains(out, "go on: houserules resume pig-1") {
		t.Fatalf("code %d:\n%s", code, out)
	}
	if typedIn(text) != told || told == 0 {
		t.Errorf("%d moves were told, and there are\n%s", told, text)
	}
	c := spawn(t, state, "resume")
	c.types("hold", "quit")
	if code := c.ends(); code != exitOK || strings.Contains(c.printed(), "cut off") || typedIn(journalIn(t, state)) != told+1 {
		t.Errorf("code %d:\n%s\n%s", code, c.printed(), journalIn(t, state))
	}
}

// Without a place to write to the game is played all the same.
func TestNowhereToSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	t.Setenv("HOUSERULES_STATE", file)
	code, out, errs := call(t, "hold\n", "play", pig, "--players", "Ann,Bob", "--seed", "4")
	if code != exitOK || !strings.Contains(errs, "this game is not saved as it is played") || !strings.Contains(out, "sheet: Ann") || strings.Contains(out, "go on:") {
		t.Error(code, out, errs)
	}
}

// Two processes do not write one game.
func TestHeldGame(t *testing.T) {
	state := stateIn(t)
	c := spawn(t, state, "play", "--plain", "pig", "--players", "Ann,Bob", "--seed", "4")
	c.asks(1)
	for _, args := range [][]string{{"resume"}, {"resume", "pig-1"}, {"resume", filepath.Join(state, "games", "pig-1.jsonl")}, {"play", "--resume", filepath.Join(state, "games", "pig-1.jsonl")}} {
		if code, out, errs := call(t, "hold\n", args...); code != exitCannot || !strings.Contains(errs, "is being played at this moment by another houserules") || !strings.Contains(errs, "pig-1") {
			t.Error(args, code, out, errs)
		}
	}
	if _, out, _ := call(t, "", "resume", "--list"); !strings.Contains(out, "0 moves, being played") {
		t.Error(out)
	}
	if _, out, _ := call(t, "load pig-1\n", "play", "pig", "--players", "Ann,Bob", "--keep-going"); !strings.Contains(out, "game pig-1 is being played") {
		t.Error(out)
	}
	c.types("hold")
	c.asks(2)
	c.kill()
	if code, out, errs := call(t, "hold\n", "resume", "pig-1"); code != exitOK || !strings.Contains(out, "Bob: hold") {
		t.Error(code, out, errs)
	}
}

// A game whose file was cut off at any byte of its last two entries goes on, and
// what is not whole is dropped with a word.
func TestCutOff(t *testing.T) {
	stateIn(t)
	g := uninterrupted(t, []string{"pig", "--players", "Ann,bot:greedy", "--set", "goal=20"}, 5)
	whole := strings.SplitAfter(g.text, "\n")
	const played = 9 // lines of the file
	head := strings.Join(whole[:played-2], "")
	text := strings.Join(whole[:played], "")
	for n := len(head); n <= len(text); n++ {
		path := filepath.Join(t.TempDir(), "game.jsonl")
		write(t, path, text[:n])
		at := strings.Count(text[:n], `"seat":"Ann"`)
		torn := text[n-1] != '\n'
		if torn && text[:n]+"\n" != text && text[n] != '\n' { // else the entry is whole
			at = strings.Count(text[:strings.LastIndexByte(text[:n], '\n')+1], `"seat":"Ann"`)
		}
		code, out, errs := call(t, strings.Join(g.lines[at:], "\n"), "resume", path)
		b, err := os.ReadFile(path)
		if code != exitOK || err != nil || string(b) != g.text {
			t.Fatalf("cut at %d: code %d: %s%s\n%s", n, code, out, errs, b)
		}
		if said := strings.Contains(out, "is cut off and left out"); said != (torn && text[n] != '\n') {
			t.Errorf("cut at %d of %q: said: %v", n, text, said)
		}
	}
}

// A terminal that is closed, and a request to end, end a game in good order.
func TestHangup(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, os.Interrupt} {
		state := filepath.Join(t.TempDir(), "state")
		c := spawn(t, state, "play", "--plain", "pig", "--players", "Ann,Bob", "--seed", "4")
		c.asks(1)
		c.types("hold")
		c.asks(2)
		_ = c.cmd.Process.Signal(sig)
		if code := c.ends(); code != repl.ExitInterrupted || !strings.Contains(c.printed(), "go on: houserules resume pig-1") || typedIn(journalIn(t, state)) != 1 {
			t.Errorf("%v: code %d:\n%s", sig, code, c.printed())
		}
	}
	state := filepath.Join(t.TempDir(), "state")
	s := terminal(t, []string{"HOUSERULES_STATE=" + state}, "play", "pig", "--players", "Ann,Bob", "--seed", "4")
	s.wait("Ann> ")
	s.types("hold\r")
	s.wait("Bob> ")
	_ = s.cmd.Process.Signal(syscall.SIGHUP)
	s.wait("go on: houserules resume pig-1")
	s.ends(repl.ExitInterrupted)
	// Nobody reads from this one any more when it is closed.
	cmd := exec.Command(os.Args[0], "resume")
	cmd.Env = append(os.Environ(), "HOUSERULES_TEST_MAIN=1", "TERM=xterm", "HOUSERULES_STATE="+state)
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	seen := ""
	for _, want := range []string{"Bob> ", "Ann> "} {
		for buf := make([]byte, 4096); !strings.Contains(seen, want); {
			n, err := tty.Read(buf)
			if err != nil {
				t.Fatal(err, seen)
			}
			seen += string(buf[:n])
		}
		seen = ""
		if want == "Bob> " {
			_, _ = tty.WriteString("hold\r")
		}
	}
	_ = tty.Close()
	timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	if err := cmd.Wait(); !timer.Stop() {
		t.Error("the command goes on without its terminal", err)
	}
	if text := journalIn(t, state); typedIn(text) != 2 {
		t.Error(text)
	}
}

// At a terminal it is asked whether a game goes on under other rules, and others
// are asked whether something may be taken back.
func TestTerminalAsks(t *testing.T) {
	state := stateIn(t)
	rules := filepath.Join(t.TempDir(), "pig.yaml")
	text := read(t, pig)
	write(t, rules, text)
	s := terminal(t, nil, "play", rules, "--players", "Ann,Bob", "--seed", "4", "--undo", "table")
	s.wait("Ann> ")
	s.types("hold\r")
	s.wait("Bob> ")
	s.types("undo\r")
	s.wait("Bob: may it be taken back? hold")
	s.wait("Bob? [y/N] ")
	s.types("\r")
	s.wait("Bob does not agree")
	s.wait("Bob> ")
	s.types("undo\r")
	s.wait("Bob? [y/N] ")
	s.types("y\r")
	s.wait("taken back: hold")
	s.wait("Ann> ")
	s.types("hold\r")
	s.wait("Bob> ")
	s.types("quit\r")
	s.wait("go on: houserules resume pig-1")
	s.ends(exitOK)
	write(t, rules, strings.ReplaceAll(text, "default: 100", "default: 90"))
	s = terminal(t, nil, "resume")
	s.wait("+ params.goal.default: 90")
	s.wait("go on from there, as a new game? [y/N] ")
	s.types("\r")
	s.wait("nothing was changed")
	s.ends(exitCannot)
	s = terminal(t, nil, "resume")
	s.wait("as a new game? [y/N] ")
	s.types("y\r")
	s.wait("it goes on as pig-2")
	s.wait("Bob> ")
	s.types("hold\r")
	s.wait("Ann> ")
	s.types("\x04")
	s.wait("go on: houserules resume pig-2")
	s.ends(exitOK)
	if text := read(t, filepath.Join(state, "games", "pig-2.jsonl")); typedIn(text) != 2 {
		t.Error(text)
	}
}
