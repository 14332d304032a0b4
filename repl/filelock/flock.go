//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Lock waits until nobody else has a lock, and takes it. It ends with the
// process at the latest.
func Lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- flock(f) }()
	select {
	case err := <-done:
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return func() { f.Close() }, nil //nolint:errcheck // that gives the lock back
	case <-time.After(lockTime):
		go func() {
			<-done
			f.Close() //nolint:errcheck // that gives the lock back
		}()
		return nil, errLocked
	}
}

// errLocked says that others keep a lock.
var errLocked = errors.New("another program does not give the file free")

func flock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Hold keeps an open file for this process until it is closed. It returns ErrHeld
// if another one has it. Where files cannot be locked nobody is kept out.
func Hold(f *os.File) (release func(), err error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, ErrHeld
		}
		return func() {}, nil
	}
}

// lockTime is how long others are waited for.
const lockTime = 5 * time.Second
