//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/houserules/houserules/repl"
)

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
	// Where the tests themselves are kept from hanging up (nohup) the program would
	// inherit that; what is caught here it does not.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
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
	if text := read(t, filepath.Join(state, "games", "pig-2.jsonl")); typedIn(text) != 3 { // one of them taken back
		t.Error(text)
	}
}
