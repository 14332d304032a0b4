//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// Lock waits until nobody else has a lock, and takes it. The lock is that
// a file is there; one that was left behind is taken away.
func Lock(path string) (unlock func(), err error) {
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

// Hold keeps an open file for this process until it is released. It returns ErrHeld
// if another one has it. The sign for that is a file beside it, which is
// touched as long as it is held.
func Hold(f *os.File) (release func(), err error) {
	path := f.Name() + ".lock"
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 2*lockTime {
		_ = os.Remove(path) // one that was left behind
	}
	sign, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, ErrHeld
	case err != nil:
		return func() {}, nil
	}
	_ = sign.Close()
	done := make(chan struct{})
	go func() {
		for tick := time.NewTicker(lockTime / 2); ; {
			select {
			case now := <-tick.C:
				_ = os.Chtimes(path, now, now)
			case <-done:
				tick.Stop()
				return
			}
		}
	}()
	return func() {
		close(done)
		_ = os.Remove(path)
	}, nil
}

// lockTime is how long others are waited for.
const lockTime = 5 * time.Second
