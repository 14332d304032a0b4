// Package scores keeps finished games, and the best results of them, in one
// database of the user.
//
// Nothing in it is needed to play: whoever cannot open it, or write to it, says so
// once and goes on. A file that is damaged is put aside under another name and
// never deleted. It is opened only for as long as something is read or written, so
// several programs may use it at once; one waits for another.
//
// The journal of the database is SQLite's rollback journal rather than its
// write-ahead log: a game ends every few minutes, a single file can be copied,
// and it works in folders of other machines and where nothing may be written.
package scores
