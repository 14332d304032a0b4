//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestMain lets the test binary be the command, so that it can run at a
// terminal of its own.
func TestMain(m *testing.M) {
	if os.Getenv("HOUSERULES_TEST_MAIN") != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	dir, err := os.MkdirTemp("", "houserules")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOUSERULES_DATA", dir) // the records of whoever runs the tests are theirs
	os.Setenv("HOUSERULES_STATE", filepath.Join(dir, "state"))
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// screen is a command at a terminal.
type screen struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	text strings.Builder
	seen int
}

func terminal(t *testing.T, env []string, args ...string) *screen {
	t.Helper()
	s := &screen{t: t, cmd: exec.Command(os.Args[0], args...)}
	s.cmd.Env = append(os.Environ(), "HOUSERULES_TEST_MAIN=1", "TERM=xterm", "NO_COLOR=")
	s.cmd.Env = append(s.cmd.Env, env...)
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 50, Cols: 100})
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	s.tty = tty
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			s.mu.Lock()
			s.text.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = tty.Close()
	})
	return s
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// wait waits until a text appears after what was waited for before.
func (s *screen) wait(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		all := s.all()
		if i := strings.Index(all[s.seen:], text); i >= 0 {
			s.seen += i + len(text)
			return
		}
	}
	s.t.Fatalf("no %q in %q", text, s.all()[s.seen:])
}

func (s *screen) types(keys string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) exit() int {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		_ = s.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		s.t.Fatal("the command does not end")
	}
	return s.cmd.ProcessState.ExitCode()
}

// ends waits for the end of the command, with an exit code.
func (s *screen) ends(code int) {
	s.t.Helper()
	if got := s.exit(); got != code {
		s.t.Errorf("code %d", got)
	}
}

func TestTerminal(t *testing.T) {
	s := terminal(t, nil, "play", pig, "--players", "Ann,Bob", "--seed", "4")
	s.wait("1 roll   2 hold")
	s.wait("Ann> ")
	s.types("ho\t\r")
	s.wait("sheet: Ann total 2")
	s.wait("Bob> ")
	s.types("\x1b[200~sc\tore\x1b[201~") // pasted: a tab completes nothing
	s.wait("sc ore")
	s.types("\x03")
	s.wait("Bob> ")
	s.types("\x04")
	s.wait("left before the end")
	s.ends(0)
}

func TestTerminalInterrupt(t *testing.T) {
	s := terminal(t, nil, "play", pig, "--players", "Ann,Bob", "--seed", "4")
	s.wait("Ann> ")
	s.types("\x03")
	s.wait("Ctrl-C once more")
	s.wait("Ann> ")
	s.types("\x03")
	s.wait("left before the end")
	s.ends(130)
}

// TestTerminalWithoutEscapes is B-118: a dumb terminal and plain mode get no
// escape bytes, and NO_COLOR no colours.
func TestTerminalWithoutEscapes(t *testing.T) {
	for _, tt := range []struct{ env, flag string }{{"TERM=dumb", "--seed=4"}, {"HOUSERULES_PLAIN=1", "--seed=4"}, {"LANG=C", "--plain"}} {
		s := terminal(t, []string{tt.env}, "play", pig, "--players", "Ann,Bob", "--seed", "4", tt.flag)
		s.wait("Ann> ")
		s.types("quit\n")
		s.wait("left before the end")
		if code := s.exit(); code != 0 || strings.Contains(s.all(), "\x1b") {
			t.Errorf("%v: code %d, %q", tt, code, s.all())
		}
	}
	s := terminal(t, []string{"NO_COLOR=yes"}, "play", pig, "--players", "bot:random,bot:random", "--seed", "4")
	s.wait(" wins")
	if code := s.exit(); code != 0 || strings.Contains(s.all(), "\x1b") {
		t.Errorf("code %d, %q", code, s.all())
	}
}

func TestTerminalMenu(t *testing.T) {
	s := terminal(t, []string{"HOUSERULES_DATA=" + t.TempDir()}, "play", dare, "--rules", dareHome, "--players", "Ann,Bob", "--seed", "4")
	s.wait("1 double  Double [2x] (fast): Each die counts double.")
	s.wait("goal = 10 (1 to 100)")
	s.wait("Ann> ")
	s.types("dou\t\r")
	s.wait("chosen: Double; goal 10")
	s.types("2\r")
	s.wait("exclude each other: points are doubled or halved, not both")
	s.types("goal 1\r")
	s.wait("chosen: Double; goal 1")
	s.types("\r")
	s.wait("Ann begins")
	s.types("roll\r")
	s.wait("Ann wins")
	s.wait("another game? [y/N]")
	s.types("y\r")
	s.wait("game 2")
	s.wait("`same` those of the last game")
	s.types("same\r")
	s.wait(" begins")
	s.types("roll\r")
	s.wait("after 2 games, games won: ")
	s.wait("another game? [y/N]")
	s.types("\r")
	s.ends(0)
}

// TestTerminalCover plays a game of cards of two people at one terminal: the
// screen is cleared between them, with what was scrolled away, and the line
// editor forgets what was typed.
func TestTerminalCover(t *testing.T) {
	const wiped = "\x1b[H\x1b[2J\x1b[3J"
	s := terminal(t, nil, cardTable()...)
	s.wait("Ann, it is your turn: press Enter when nobody else looks.")
	s.types("hand\r")
	s.wait("press Enter first")
	if strings.Contains(s.all(), "G6") {
		t.Error("the hand is shown before Enter")
	}
	s.types("\r")
	s.wait("hand: \x1b[92mG6\x1b[0m \x1b[93mY10\x1b[0m")
	s.wait("Ann> ")
	s.types("bid 1\r")
	s.wait(wiped)
	s.wait("Bob, it is your turn: press Enter when nobody else looks.")
	covered := s.all()[strings.LastIndex(s.all(), wiped):]
	for _, text := range []string{"G6", "Y10", "bid 1"} {
		if strings.Contains(covered, text) {
			t.Errorf("%q is left on the screen: %q", text, covered)
		}
	}
	s.types("\r")
	s.wait(wiped)
	s.wait("hand: \x1b[92mG9\x1b[0m PI")
	s.wait("Bob> ")
	mark := len(s.all())
	s.types("\x1b[A\x1b[A") // what was typed before
	s.types("\x15log\r")
	s.wait("Ann has answered")
	if text := s.all()[mark:]; strings.Contains(text, "bid 1") {
		t.Errorf("the line editor tells what Ann typed: %q", text)
	}
	s.types("quit\r")
	s.wait(wiped)
	s.wait("left before the end")
	s.ends(0)
}

// One person against bots is never covered.
func TestTerminalAlone(t *testing.T) {
	s := terminal(t, nil, "play", "skull-king", "--players", "Ann,bot:random", "--seed", "3")
	s.wait("Ann> ")
	s.types("bid 0\r")
	s.wait("Ann bids 0.")
	s.wait("Ann> ")
	s.types("\x04")
	s.wait("left before the end")
	s.ends(0)
	if strings.Contains(s.all(), "\x1b[3J") || strings.Contains(s.all(), "press Enter") {
		t.Errorf("%q", s.all())
	}
}

// TestTerminalTabs presses Tab until the editor lets one choose from its list, and
// types on: a list that is closed is not drawn.
func TestTerminalTabs(t *testing.T) {
	s := terminal(t, nil, "play", "pig", "--players", "Ann,Bob", "--seed", "4")
	s.wait("Ann> ")
	s.types("\t")
	s.wait("odds")
	s.types("\t")
	s.types("1\r")
	s.wait("Ann: roll\r\n")
	s.wait("Ann> ")
	s.types("quit\r")
	s.wait("left before the end")
	s.ends(0)
	if strings.Contains(s.all(), "nothing fits") {
		t.Errorf("%q", s.all())
	}
}

// TestTerminalConsole types at a console: completion, a formula over two lines,
// several pasted lines, Ctrl-C, and a history that the next one finds.
func TestTerminalConsole(t *testing.T) {
	state := "HOUSERULES_STATE=" + t.TempDir()
	s := terminal(t, []string{state}, "repl", "pig", "--seed", "5")
	s.wait("Ann> ")
	s.types("turn.po\t + 1\r") // one match is put in
	s.wait("7  (int)")
	s.wait("Ann> ")
	s.types("zzz\t")
	s.wait("nothing fits here")
	s.types("\x03")
	s.wait("Ann> ")
	s.types("max(1,\r")
	s.wait("...> ")
	s.types("40)\r")
	s.wait("40  (int)")
	s.wait("Ann> ")
	s.types("sum(\r")
	s.wait("...> ")
	s.types("\x03")
	s.wait("Ann> ")
	s.types("\x1b[200~1 + 1\nit + 1\nnope\nit + 2\x1b[201~")
	s.wait("run 4 pasted lines? [y/N]")
	s.types("y\r")
	s.wait("2  (int)")
	s.wait("3  (int)")
	s.wait("unknown name `nope`")
	s.wait("the other 1 pasted lines are left out")
	s.wait("Ann> ")
	s.types("\x1b[200~5 + 5\nit + 1\x1b[201~")
	s.wait("run 2 pasted lines?")
	s.types("n\r")
	s.wait("Ann> ")
	s.types("\x04")
	s.wait("left before the end")
	s.ends(0)
	if strings.Contains(s.all(), "10  (int)") {
		t.Error("what was not wanted is run")
	}
	s = terminal(t, []string{state}, "repl", "pig", "--seed", "5")
	s.wait("Ann> ")
	s.types("\x12max\r\r") // looked for
	s.wait("40  (int)")
	s.types("quit\r")
	s.ends(0)
}

// What is typed while something hidden is on the screen is kept nowhere.
func TestTerminalKeepsNoSecrets(t *testing.T) {
	dir := t.TempDir()
	s := terminal(t, []string{"HOUSERULES_STATE=" + dir}, "play", "skull-king", "--players", "Ann,bot:random", "--seed", "3")
	s.wait("Ann> ")
	s.types("bid 0\r")
	s.wait("Ann bids 0.")
	s.wait("Ann> ")
	s.types("quit\r")
	s.ends(0)
	if text, err := os.ReadFile(filepath.Join(dir, "history")); err == nil {
		t.Errorf("kept: %q", text)
	}
}
