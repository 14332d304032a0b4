package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/houserules/houserules/interpreter/sim"
)

// shardOf reads the value of --shard: the games to be played, and how the part is
// called, "" for all games.
func shardOf(text string, games int64) (sim.Span, string, error) {
	if text == "" {
		return sim.Span{End: games}, "", nil
	}
	i, n, err := readShard(text)
	switch {
	case err != nil:
		return sim.Span{}, "", err
	case n < 1 || i < 1 || i > n:
		return sim.Span{}, "", failf(exitUsage, "--shard %d/%d: parts are numbered from 1 to how many there are", i, n)
	case int64(n) > games:
		return sim.Span{}, "", failf(exitUsage, "%d games cannot be parted into %d", games, n)
	}
	return sim.Part(games, i, n), fmt.Sprintf("part %d of %d", i, n), nil
}

func readShard(text string) (i, n int, err error) {
	if text == "auto" {
		return shardFromEnvironment()
	}
	a, b, ok := strings.Cut(text, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if !ok || errI != nil || errN != nil {
		return 0, 0, failf(exitUsage, "--shard takes I/N, as in 2/8, or auto, not `%s`", text)
	}
	return i, n, nil
}

// shardFromEnvironment finds out which part of how many this is: HOUSERULES_SHARDS
// says how many there are where the scheduler does not.
func shardFromEnvironment() (i, n int, err error) {
	number := func(name string) (int, bool) {
		v, err := strconv.Atoi(os.Getenv(name))
		return v, err == nil
	}
	shards, told := number("HOUSERULES_SHARDS")
	if id, ok := number("SLURM_ARRAY_TASK_ID"); ok { // an array of Slurm, from any number on
		first, _ := number("SLURM_ARRAY_TASK_MIN")
		if count, ok := number("SLURM_ARRAY_TASK_COUNT"); ok && !told {
			shards, told = count, true
		}
		i = id - first + 1
	} else if id, ok := number("JOB_COMPLETION_INDEX"); ok { // an indexed Job of Kubernetes, from 0 on
		i = id + 1
	} else if id, ok := number("PARALLEL_SEQ"); ok { // GNU parallel, from 1 on
		i = id
	} else {
		return 0, 0, failf(exitUsage, "--shard auto: the environment names no part; there is neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX nor PARALLEL_SEQ")
	}
	if !told {
		return 0, 0, failf(exitUsage, "--shard auto: HOUSERULES_SHARDS must say how many parts there are")
	}
	return i, shards, nil
}
