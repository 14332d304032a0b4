package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// mib is the largest rule file that is read at all.
const mib = 1 << 20

// filled writes a text as often as it takes to make a file as large as may be.
func filled(head, text, tail string) string {
	n := (mib - len(head) - len(tail)) / len(text)
	return head + strings.Repeat(text, n) + tail
}

// numbered is the same with the number of each in place of #, and no more than so
// many.
func numbered(limit int, head, text, tail string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; i < limit && b.Len()+len(text)+len(tail)+12 < mib; i++ {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String() + tail
}

const hostileHead = "houserules: 1\ngame: hostile\nplayers: 2..4\n"

const hostileTail = "phases:\n  take:\n    actions:\n      one: finish\n"

// hostileFiles are as large as a file may be, and meant to be slow.
func hostileFiles(limit int) map[string]string {
	numbered := func(head, text, tail string) string { return numbered(limit, head, text, tail) }
	game := hostileHead
	variant := "houserules: 1\nvariant: hostile\nfor: pig\n"
	dice := game + "pieces: {dice: {count: 6, faces: 1..6}}\nzones: {tray: {of: dice, starts: all}}\nstate: {player: {score: 0}}\n"
	nested := func(open, close string) string {
		return strings.Repeat(open, mib/2/len(open)) + strings.Repeat(close, mib/2/len(close))
	}
	deep := ""
	for i := 0; len(deep) < mib-3000; i++ {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	script := func(line string) string {
		return filled(dice+"phases:\n  take:\n    actions:\n      one: |\n", "        "+line+"\n", "        finish\n")
	}
	return map[string]string{
		"brackets":            nested("[", "]"),
		"braces":              nested("{a: ", "}"),
		"open-brackets":       strings.Repeat("[", mib),
		"open-braces":         strings.Repeat("{", mib),
		"dashes":              strings.Repeat("- ", mib/2),
		"question-marks":      strings.Repeat("? ", mib/2),
		"deep-maps":           deep,
		"quotes":              strings.Repeat("'", mib),
		"double-quotes":       strings.Repeat("\"", mib-1),
		"colons":              strings.Repeat("a: ", mib/3),
		"bangs":               strings.Repeat("! ", mib/2),
		"one-long-line":       game + "about: " + strings.Repeat("x", mib-200) + "\n" + hostileTail,
		"long-key":            game + strings.Repeat("k", 1000) + ": 1\n" + "? " + strings.Repeat("k", mib-2000) + "\n: 1\n",
		"blank-lines":         strings.Repeat("\n", mib),
		"spaces":              strings.Repeat(" ", mib),
		"comments":            filled(game, "# x\n", hostileTail),
		"allow-comments":      filled(game, "# houserules:allow W0501 — x\n", hostileTail),
		"nul":                 strings.Repeat("\x00", mib),
		"not-utf8":            strings.Repeat("\xff\xfe", mib/2),
		"tabs":                strings.Repeat("\t", mib),
		"returns":             strings.Repeat("\r", mib),
		"marks":               strings.Repeat("\uFEFF", mib/3),
		"wide":                game + "about: " + strings.Repeat("😀", (mib-300)/4) + "\n" + hostileTail,
		"anchors":             numbered(game+"about: x\n", "k#: &a# 1\n", ""),
		"aliases":             filled(game+"a: &a 1\nb: [", "*a, ", "*a]\n"),
		"merge-keys":          filled(game, "<<: {a: 1}\n", ""),
		"tags":                filled(game+"a: [", "!!str x, ", "x]\n"),
		"documents":           filled(game, "---\n", ""),
		"keys":                numbered(game, "k#: 1\n", hostileTail),
		"same-keys":           filled(game, "about: x\n", hostileTail),
		"flow-keys":           numbered(game+"params: {", "k#: {default: 1}, ", "z: {default: 1}}\n"+hostileTail),
		"params":              numbered(game+"params:\n", "  p#: {default: 1, min: 0, max: 9}\n", hostileTail),
		"params-read":         numbered(game+"params:\n  p0: {default: 1}\ndefine:\n", "  d#: p0 + #\n", hostileTail),
		"params-unknown":      numbered(game+"define:\n", "  d#: unknown_# + 1\n", hostileTail),
		"same-params":         filled(game+"params:\n", "  p: {default: 1}\n", hostileTail),
		"options":             numbered(game+"params: {p: {default: a0, options: [", "a#, ", "z]}}\n"+hostileTail),
		"chained-defines":     numbered(game+"define:\n  d: 1\n", "  e#: d + d\n", hostileTail),
		"doubling-defines":    doublingDefines(limit, game),
		"ring-of-defines":     numbered(game+"define:\n", "  d#: e# + 1\n  e#: d# + 1\n", hostileTail),
		"state":               numbered(game+"state:\n  player:\n", "    s#: 0\n", hostileTail),
		"types":               numbered(game+"state:\n  player:\n", "    s#: wrong_#\n", hostileTail),
		"examples":            numbered(game+hostileTail+"examples:\n", "  e#: {play: one, then: [over]}\n", ""),
		"wrong-examples":      numbered(game+hostileTail+"examples:\n", "  e#: {play: two, then: [ovr]}\n", ""),
		"phases":              numbered(game+"phases:\n", "  p#: {actions: {a: finish}}\n", ""),
		"phases-chained":      chainedPhases(limit, game),
		"phases-ring":         numbered(game+"phases:\n", "  p#: {enter: goto p0}\n", ""),
		"actions":             numbered(game+"phases:\n  take:\n    actions:\n", "      a#: finish\n", ""),
		"guards":              numbered(game+"phases:\n  take:\n    actions:\n      one:\n        require:\n", "          g#: {that: over, else: no}\n", "        do: finish\n"),
		"events":              numbered(game+"events:\n  e0: {say: x}\n", "  f#: {do: emit e0}\n", hostileTail),
		"events-chained":      chainedEvents(limit, game),
		"rows":                numbered(game+"tables:\n  t:\n    given: {n: int}\n    rows:\n", "      r#: {when: n > #, gives: #}\n", "      z: {gives: 0}\n"+hostileTail),
		"combos":              numbered(dice+"scorers:\n  s:\n    of: dice\n    combos:\n", "      c#: {match: 1, points: #}\n", hostileTail),
		"zones":               numbered(game+"pieces: {cards: {kinds: {k: {count: 2}}}}\nzones:\n", "  z#: {of: cards}\n", hostileTail),
		"families":            numbered(game+"pieces:\n", "  f#: {count: 6, faces: 1..6}\n", hostileTail),
		"kinds":               numbered(game+"pieces:\n  cards:\n    kinds:\n", "      k#: {count: 2}\n", hostileTail),
		"attributes":          numbered(game+"pieces:\n  dice: {count: 6, faces: 1..6,\n", "    a#: [1, 2, 3, 4, 5, 6],\n", "    z: [1, 2, 3, 4, 5, 6]}\n"+hostileTail),
		"faces":               filled(game+"pieces: {dice: {count: 6, faces: [", "1, ", "1]}}\n"+hostileTail),
		"book":                numbered(game+"book:\n", "  R#: A rule.\n", hostileTail),
		"citations":           numbered(game+"book: {R: A rule.}\nshow:\n", "  s#: {text: x, from: Q#}\n", hostileTail),
		"show":                numbered(game+"show:\n", "  s#: {text: '{over} {wrong}'}\n", hostileTail),
		"holes":               filled(game+"show: {a: {text: \"", "{over}", "\"}}\n"+hostileTail),
		"open-holes":          filled(game+"show: {a: {text: \"", "{", "\"}}\n"+hostileTail),
		"long-formula":        filled(game+"define: {d: '", "1 + ", "1'}\n"+hostileTail),
		"ands":                filled(game+"define: {d: '", "over and ", "over'}\n"+hostileTail),
		"nots":                filled(game+"define: {d: '", "not ", "over'}\n"+hostileTail),
		"formula-brackets":    filled(game+"define: {d: '", "(", "'}\n"+hostileTail),
		"formula-calls":       filled(game+"define: {d: '", "max(", "'}\n"+hostileTail),
		"questions":           filled(game+"define: {d: '", "over ? ", "'}\n"+hostileTail),
		"many-formulas":       numbered(game+"define:\n", "  d#: ((((((((1 + 2) * 3) - 4) + 5) * 6) - 7) + 8) * 9)\n", hostileTail),
		"script-ifs":          script("if over { me.score += 1 }"),
		"script-open-ifs":     script("if over {"),
		"script-mixed":        script("me.scre += 1"),
		"script-lets":         script("let x = 1"),
		"script-brackets":     script("}}}}}}}}}}}}}}}}}}}}}}}}}}"),
		"script-comments":     script("// nothing"),
		"script-one-line":     filled(dice+"phases: {take: {actions: {one: '", "me.score += 1; ", "finish'}}}\n"),
		"huge-numbers":        game + "pieces: {dice: {count: " + strings.Repeat("9", 1000) + ", faces: 1..6}}\n" + hostileTail,
		"huge-dice":           game + "pieces: {dice: {count: 999999999999, faces: 1..999999999999}}\n" + hostileTail,
		"huge-deck":           game + "pieces: {cards: {kinds: {k: {count: 9223372036854775807}}}}\n" + hostileTail,
		"huge-each":           game + "pieces: {cards: {kinds: {k: {count: 1, each: {a: 1..9000000000000, b: 1..9000000000000}}}}}\n" + hostileTail,
		"huge-places":         game + "pieces: {cards: {kinds: {k: {count: 1}}}}\nzones: {z: {of: cards, places: 9223372036854775807}}\n" + hostileTail,
		"huge-room":           game + "state: {game: {l: {list: int, room: 9223372036854775807}}}\n" + hostileTail,
		"huge-map":            game + "state: {game: {m: {type: int for each 0..9223372036854775806, start: 0}}}\n" + hostileTail,
		"huge-players":        strings.Replace(game, "2..4", "1..999999999999", 1) + hostileTail,
		"huge-pattern":        dice + "scorers: {s: {of: dice, combos: {c: {match: x*9223372036854775807, points: 1}}}}\n" + hostileTail,
		"letters":             dice + "scorers: {s: {of: dice, combos: {c: {match: a b c d e f g h i j k l m n o p q r s t u v w x y z, points: 1}}}}\n" + hostileTail,
		"huge-range":          game + "define: {d: sum(0..9223372036854775806)}\n" + hostileTail,
		"variant-patches":     numbered(variant+"change:\n", "  hold.when#: over\n", ""),
		"variant-same-patch":  filled(variant+"change:\n", "  hold: finish\n", ""),
		"variant-sets":        numbered(variant+"set:\n", "  p#: 1\n", ""),
		"variant-forbids":     numbered(variant+"forbid:\n", "  hold#: {when: over, because: no}\n", ""),
		"variant-needs":       numbered(variant+"needs: [", "v#, ", "z]\n"),
		"variant-deep-path":   variant + "change:\n  ? " + strings.Repeat("a.", mib/2-200) + "a\n  : 1\n",
		"variant-hooks":       numbered(variant+"before:\n", "  hold#: {do: me.score += 1}\n", ""),
		"variant-add-phases":  numbered(variant+"add:\n  phases:\n", "    p#: {at: before choose, enter: goto choose}\n", ""),
		"variant-adjustments": numbered(variant+"adjust:\n", "  goal#: it + 1\n", ""),
	}
}

// doublingDefines is a chain in which each define needs the one before twice:
// to write it out in full would never end.
func doublingDefines(limit int, head string) string {
	var b strings.Builder
	b.WriteString(head + "params: {a: {default: 1, min: 0, max: 9}}\ndefine:\n  d0: a\n")
	for i := 1; i < limit && b.Len() < mib-300; i++ {
		fmt.Fprintf(&b, "  d%d: 'd%d + d%d > 0 ? 1 : 0'\n", i, i-1, i-1)
	}
	return b.String() + hostileTail
}

func chainedPhases(limit int, head string) string {
	var b strings.Builder
	b.WriteString(head + "phases:\n")
	for i := 0; i < limit && b.Len() < mib-200; i++ {
		fmt.Fprintf(&b, "  p%d: {actions: {a: goto p%d}}\n", i, i+1)
	}
	return b.String() + "  last: {actions: {a: finish}}\n"
}

func chainedEvents(limit int, head string) string {
	var b strings.Builder
	b.WriteString(head + "events:\n")
	n := 0
	for ; n < limit && b.Len() < mib-300; n++ {
		fmt.Fprintf(&b, "  e%d: {do: emit e%d}\n", n, n+1)
	}
	fmt.Fprintf(&b, "  e%d: {say: x}\n", n)
	return b.String() + hostileTail
}

// enoughTime is how long one command may take. All are done well within a second
// by themselves; what goes over a file again and again takes minutes.
const enoughTime = 10 * time.Second

// hurried runs a command and insists that it ends in time, with one of the exit
// codes, and says little.
func hurried(t *testing.T, what string, codes []int, args ...string) {
	t.Helper()
	start := time.Now()
	code, out, errs := call(t, "", args...)
	if took := time.Since(start); took > enoughTime {
		t.Errorf("%s: %v takes %s", what, args, took)
	}
	if !slices.Contains(codes, code) {
		t.Errorf("%s: %v exits with %d\n%.500s%.500s", what, args, code, out, errs)
	}
	if len(out)+len(errs) > 10*mib {
		t.Errorf("%s: %v prints %d bytes", what, args, len(out)+len(errs))
	}
	for _, bad := range []string{"goroutine", "panic", "*dsl.", "yaml: "} {
		if strings.Contains(out+errs, bad) {
			t.Errorf("%s: %q is in what %v prints", what, bad, args)
		}
	}
}

// TestHostileRules hands rule files of a mebibyte to check, and the same with as
// many entries as there may be. It reads a hundred megabytes, so that in short
// only some files are tried.
func TestHostileRules(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, n := range []int{mib, 1990} {
		files := hostileFiles(n)
		for i, name := range slices.Sorted(maps.Keys(files)) {
			if testing.Short() && i%45 != 0 || n != mib && i%2 != 0 { // of the smaller ones every other
				continue
			}
			if err := os.WriteFile("hostile.yaml", []byte(files[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s (%d)", name, n)
			hurried(t, what, []int{exitOK, exitNo}, "check", "hostile.yaml", "--out", "compact")
			if i%10 == 0 {
				hurried(t, what, []int{exitOK, exitNo}, "check", "hostile.yaml", "--out", "json:found.json")
				hurried(t, what, []int{exitOK, exitCannot, exitUsage}, "show", "./hostile.yaml")
				hurried(t, what, []int{exitOK, exitCannot, exitUsage}, "play", "pig", "--with", "./hostile.yaml", "--seed", "1")
			}
		}
	}
}

// TestHostileRecordings hands files that are no recordings of games to all that
// reads them.
func TestHostileRecordings(t *testing.T) {
	head := "# x\ngame: pig\nplayers: [Ann, Bob]\n"
	files := map[string]string{
		"nul": strings.Repeat("\x00", mib), "brackets": strings.Repeat("[", mib), "objects": strings.Repeat(`{"a":`, mib/5),
		"long-line": strings.Repeat("x", mib), "lines": strings.Repeat("x\n", mib/2), "json-lines": strings.Repeat("{\"a\":1}\n", mib/8),
		"moves":   filled(head+"seed: 1\n---\n", "Ann> roll\n", ""),
		"output":  filled(head+"seed: 1\n---\nAnn> roll\n", "  rolled 1 1 1\n", ""),
		"dots":    filled(head+"seed: 1\n---\nAnn> roll\n", "  ...\n", ""),
		"holes":   filled(head+"seed: 1\n---\nAnn> roll\n  ", "[..]a", "\n"),
		"asserts": filled(head+"seed: 1\n---\n", "? over\n", ""),
		"dice":    filled(head+"dice: [", "1, ", "1]\n---\nAnn> roll\n"),
		"head":    filled("# x\n", "game: pig\n", "---\n"),
		"players": filled("# x\ngame: pig\nplayers: [", "Ann, ", "Bob]\n---\n"),
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOUSERULES_DATA", dir)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if testing.Short() && i%5 != 2 {
			continue // all of them take some seconds
		}
		for _, file := range []string{"game.txt", "game.jsonl", "records.jsonl"} {
			if err := os.WriteFile(file, []byte(files[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		hurried(t, name, []int{exitNo, exitCannot}, "test", "game.txt")
		hurried(t, name, []int{exitCannot}, "replay", "game.jsonl")
		hurried(t, name, []int{exitCannot}, "play", "--resume", "game.jsonl")
		hurried(t, name, []int{exitOK, exitCannot}, "records")
	}
}

// TestHostileFolder puts many broken files into the folder whose rules are
// always there.
func TestHostileFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOUSERULES_RULES", dir)
	for i := range 30 {
		for name, text := range map[string]string{"a": strings.Repeat("[", mib/16), "b": strings.Repeat("x: 1\n", mib/80), "c": hostileHead + hostileTail} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s%d.yaml", name, i)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	hurried(t, "folder", []int{exitOK}, "check", "pig")
	hurried(t, "folder", []int{exitOK, exitCannot}, "games")
}
