// Package repl lets people play a game line by line.
//
// Three layers, outermost last:
//
//   - A [Session] is one game at one keyboard. [Session.OneShot] takes one line
//     that somebody typed and writes what comes of it to an io.Writer. It knows
//     no terminal, so tests and transcripts drive it as people do.
//   - [Run] reads lines for a session: with line editing where both ends are a
//     terminal, plainly everywhere else.
//   - The command wires files, flags and the two together.
//
// In a game that hides something a session knows who looks at the screen, and
// prints what that seat may see and nothing else; between people who share
// a keyboard the screen is covered (eyes.go).
//
// What is done is carried out in silence, written into the journal and only then
// told (keep.go), so that nothing that was told is lost. A journal only grows:
// what was taken back stands in it, too.
//
// A transcript is a game written down as lines typed and lines printed;
// [RunTranscript] plays it and compares.
//
// Nothing here is safe for concurrent use.
package repl
