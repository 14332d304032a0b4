package main

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// stateFolder is where it is kept what the user did last. The environment
// variable HOUSERULES_STATE names another one.
func stateFolder() string {
	if dir := os.Getenv("HOUSERULES_STATE"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.StateHome, "houserules")
}
