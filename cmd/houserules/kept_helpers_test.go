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
	"testing"
	"time"

	"github.com/alecthomas/kong"

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
