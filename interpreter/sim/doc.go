// Package sim plays a game many times by bots and tells what it is like: who
// wins, how long it takes, how often what happens, and what a house rule
// changes of that.
//
// A Plan says what is played; Plan.Run plays it and returns a Result. What a
// Result holds are whole numbers only, and adding them up in any order gives the
// same, so a run has the same result with one job and with eight, and parts of a
// run that were played elsewhere can be joined by Merge to the very bytes that
// one run writes. Game i of a plan is played with the luck of the stream (seed,
// i): it is the same game wherever it is played.
//
// Report works out means, shares and quantiles from a Result, each with an
// interval in which the truth lies in 95 of 100 such runs.
//
// # Comparisons
//
// A Plan with a Rival plays every game twice on the same luck, by the rules and by
// the rival rules, with the bots in the same seats (which they change from game
// to game), and keeps the differences. That takes most of the luck out of the
// comparison (common random numbers; Law, "Simulation Modeling and Analysis",
// chapter 11).
package sim
