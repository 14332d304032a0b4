package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/houserules/houserules/dsl/source"
	"github.com/houserules/houserules/repl"
)

// Exit codes of all commands.
const (
	exitOK     = repl.ExitOK
	exitNo     = repl.ExitNo // ran properly, and the answer is no
	exitUsage  = 2
	exitCannot = repl.ExitCannot // a file is missing, or rules do not compile where they must
	exitBug    = 4
)

// Version is set when a release is built.
var Version = "0.1.0-dev"

// streams is where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// printf writes a line of the result.
func (s streams) printf(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// output is where results go. It remembers that they could not be written.
// The line editor writes from a goroutine of its own.
type output struct {
	mu  sync.Mutex
	to  io.Writer
	err error
}

// Write writes on, until something goes wrong.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(b)
	o.err = err
	return n, err
}

// trouble returns why something could not be written, nil if all was.
func (o *output) trouble() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// File returns the file behind the output, nil if there is none.
func (o *output) File() *os.File {
	f, _ := o.to.(*os.File)
	return f
}

// A failure ends a command with an exit code and a message.
type failure struct {
	code    int
	message string // "" if everything is said already
}

func (f *failure) Error() string { return f.message }

func failf(code int, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// exited is what help and the like throw to end parsing.
type exited int

// run is the command: arguments and streams in, exit code out.
func run(args []string, in io.Reader, out, errw io.Writer) (code int) {
	dest := &output{to: out}
	std := streams{in, dest, errw}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			code = int(r)
		default:
			code = bug(errw, args, r, debug.Stack())
		}
		if err := dest.trouble(); err != nil && code != exitBug {
			fmt.Fprintf(errw, "houserules: the output cannot be written: %s\n", cause(err))
			code = exitCannot
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	var cli commandLine
	parser, err := kong.New(&cli,
		kong.Name("houserules"),
		kong.Description("Play tabletop games, with house rules, from rule files."),
		kong.Writers(dest, errw),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Help(help),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
	)
	if err != nil {
		panic(err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	for args[0] == "help" { // as many programs have it
		args = append(slices.Clone(args[1:]), "--help")
	}
	k, err := parser.Parse(args)
	if dest.trouble() != nil {
		return exitCannot
	}
	if err != nil {
		fmt.Fprintf(errw, "houserules: %s\n", usageMessage(err, args))
		return exitUsage
	}
	return report(errw, k.Run())
}

// wantsValue is how the parser says that an option has no value, or a bad one.
var wantsValue = regexp.MustCompile(`^(--\S+): expected .*? but got "(.*?)"`)

// oneOf is how the parser says that an option has none of its values.
var oneOf = regexp.MustCompile(`^(--\S+) must be one of (.*) but got "(.*)"$`)

// usageMessage makes a sentence of what is wrong with the arguments.
func usageMessage(err error, args []string) string {
	msg := err.Error()
	if word, ok := strings.CutPrefix(msg, "unexpected argument "); ok && len(args) > 0 {
		word, rest, _ := strings.Cut(word, ",")
		if word == args[0] {
			msg = fmt.Sprintf("there is no command `%s`", word)
			if near := source.Nearest(word, commandNames); len(near) > 0 {
				rest = fmt.Sprintf(" did you mean `%s`?", near[0])
			}
			if rest == "" {
				rest = " there are: " + strings.Join(commandNames, ", ")
			}
			msg += ";" + rest
		}
	}
	if what, ok := strings.CutPrefix(msg, "expected \"<"); ok {
		what, _, _ = strings.Cut(what, ">")
		msg = "the " + what + " is missing"
	}
	if m := oneOf.FindStringSubmatch(msg); m != nil {
		msg = fmt.Sprintf("%s cannot be `%s`; there are: %s", m[1], m[3], strings.ReplaceAll(strings.ReplaceAll(m[2], "\"", ""), ",", ", "))
	}
	if m := wantsValue.FindStringSubmatch(msg); m != nil {
		msg = fmt.Sprintf("%s needs a value", m[1])
		if m[2] != "EOL" {
			msg = fmt.Sprintf("%s cannot be `%s`", m[1], m[2])
		}
		if m[1] == "--set" {
			msg = fmt.Sprintf("`--set %s` does not say what the option is set to: write --set NAME=VALUE", m[2])
		}
	}
	if word, ok := strings.CutPrefix(msg, "unexpected argument "); ok {
		msg = fmt.Sprintf("`%s` is one argument too many", word)
	}
	if strings.HasPrefix(msg, "unknown flag") {
		msg = strings.ReplaceAll(msg, "flag", "option")
	}
	help := "houserules --help"
	if len(args) > 0 && slices.Contains(commandNames, args[0]) {
		help = "houserules " + args[0] + " --help"
	}
	return fmt.Sprintf("%s\n`%s` shows what there is", msg, help)
}

// report prints the message of a failure and gives its exit code.
func report(errw io.Writer, err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		if f.message != "" {
			fmt.Fprintf(errw, "houserules: %s\n", f.message)
		}
		return f.code
	case errors.Is(err, context.Canceled):
		return repl.ExitInterrupted
	}
	fmt.Fprintf(errw, "houserules: %v\n", err)
	return exitCannot
}

// bug reports a mistake of the program itself.
func bug(errw io.Writer, args []string, what any, stack []byte) int {
	fmt.Fprintln(errw, "houserules: this is a mistake in houserules itself, not in your files; please report it")
	name := ""
	if f, err := os.CreateTemp("", "houserules-report-*.txt"); err == nil {
		fmt.Fprintf(f, "houserules %s\narguments: %q\n%v\n\n%s", Version, args, what, stack)
		if f.Close() == nil {
			name = f.Name()
		}
	}
	if name != "" {
		fmt.Fprintf(errw, "a report is in %s\n", name)
	}
	return exitBug
}
