.PHONY: build test race lint fuzz bench update ci

build:
	go build -o houserules ./cmd/houserules

test:
	go test ./...

race:
	go test -race -short ./...

lint:
	gofmt -l .
	go vet ./...
	command -v golangci-lint >/dev/null && golangci-lint run || true

fuzz:
	FUZZTIME=60s .ci/run

# Games a second, decisions, allocations, load times and memory of every shipped
# game. Two such outputs are compared by benchstat.
bench:
	go test ./interpreter ./interpreter/sim -run '^$$' -bench . -count 6

# Rewrites the expected output of the transcripts in testdata; read the diff.
update:
	go test ./repl -run Transcripts -update

ci:
	.ci/run
