//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endings are the signals that end a game as Ctrl-C does: also those of a terminal
// that is closed and of a machine that is shut down. A program that was started so
// that it lives on without its terminal does.
func endings() []os.Signal {
	signal.Ignore(syscall.SIGXFSZ) // a file that may not grow is an error like another
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}
