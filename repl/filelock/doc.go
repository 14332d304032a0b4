// Package filelock keeps several processes from writing one file at once: Lock
// waits for the others, Hold keeps a file as long as a game is played.
package filelock

import "errors"

// ErrHeld says that another process has a file.
var ErrHeld = errors.New("another program has this file")
