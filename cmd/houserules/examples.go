package main

import (
	"regexp"

	"github.com/houserules/houserules/dsl/merge"
)

func examplesOf(lib *shelf, files []*merge.File, re *regexp.Regexp, t *tally, std streams) error {
	return nil
}
