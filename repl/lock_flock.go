//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package repl

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lock waits until nobody else has a lock, and takes it. It ends with the
// process at the latest.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(lockTime); ; time.Sleep(10 * time.Millisecond) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil //nolint:errcheck // that gives the lock back
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(end) {
			return nil, errors.Join(err, f.Close())
		}
	}
}

// lockTime is how long others are waited for.
const lockTime = 5 * time.Second
