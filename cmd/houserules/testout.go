package main

import (
	"bufio"
	"io"
	"os"
	"strings"
)

// testOutputs is where the results of tests go.
type testOutputs struct {
	text  io.Writer
	junit []io.Writer
	files []*outFile
}

// An outFile is a file that is written.
type outFile struct {
	*bufio.Writer
	path string
	file *os.File
}

// outputs reads what is asked for. People read the text in any case: where
// something else stands on the output, it goes where messages go.
func (c *testCommand) outputs(std streams) (*testOutputs, error) {
	o := &testOutputs{text: std.out}
	taken := ""
	if c.Cover.alone() {
		taken = "--cover=" + string(c.Cover)
	}
	for _, arg := range c.Out {
		format, path, _ := strings.Cut(arg, ":")
		if format != "text" && format != "junit" || strings.HasSuffix(arg, ":") {
			o.drop()
			return nil, failf(exitUsage, "--out cannot be `%s`; there are: text, junit, text:FILE, junit:FILE", arg)
		}
		w, err := o.open(path, std)
		if err != nil {
			o.drop()
			return nil, err
		}
		switch {
		case path != "" && format == "text":
			o.text = w
		case path != "":
			o.junit = append(o.junit, w)
		case format == "junit" && taken != "":
			o.drop()
			return nil, failf(exitUsage, "--out junit and %s cannot both stand on the output: write --out junit:FILE", taken)
		case format == "junit":
			o.junit, taken = append(o.junit, w), "--out junit"
		}
	}
	if taken != "" && o.text == std.out {
		o.text = std.err
	}
	return o, nil
}

// open makes a file, or returns the output for no path.
func (o *testOutputs) open(path string, std streams) (io.Writer, error) {
	if path == "" {
		return std.out, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, failf(exitCannot, "`%s` is a folder, where a file is wanted", path)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, failf(exitCannot, "%s", createTrouble(path, err))
	}
	out := &outFile{bufio.NewWriter(f), path, f}
	o.files = append(o.files, out)
	return out, nil
}

// drop closes the files of a command that does not begin.
func (o *testOutputs) drop() {
	for _, f := range o.files {
		_ = f.file.Close()
	}
}

// close writes the reports and ends the files. It returns what went wrong before,
// or else with these.
func (o *testOutputs) close(t *tally, before error) error {
	for _, w := range o.junit {
		t.junit(w)
	}
	for _, f := range o.files {
		err := f.Flush()
		if e := f.file.Close(); err == nil {
			err = e
		}
		if err != nil && before == nil {
			before = failf(exitCannot, "%s", fileTrouble(f.path, err))
		}
	}
	return before
}
