// Command houserules plays, checks and tests tabletop games whose rules are
// YAML files.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
