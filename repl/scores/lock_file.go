//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package scores

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// lock waits until nobody else has a lock, and takes it. The lock is that
// a file is there; one that was left behind is taken away.
func lock(path string) (unlock func(), err error) {
	for end := time.Now().Add(lockTime); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { os.Remove(path) }, f.Close() //nolint:errcheck // it goes stale
		}
		if info, serr := os.Stat(path); serr == nil && time.Since(info.ModTime()) > 2*lockTime {
			_ = os.Remove(path) // if it cannot be, the wait ends in an error
		}
		if !errors.Is(err, fs.ErrExist) || time.Now().After(end) {
			return nil, err
		}
	}
}

// lockTime is how long others are waited for.
const lockTime = 5 * time.Second
