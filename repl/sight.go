package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/houserules/houserules/dsl"
	"github.com/houserules/houserules/interpreter"
)

// This file shows the pieces that somebody may see: shortly before each
// question, and all of it for the command `hand`.

// sight prints what matters to a seat: open zones in which something lies, and
// what it holds.
func (s *Session) sight(seat int) {
	if !s.match.Game().Hides() {
		return
	}
	var own, counts []string
	for _, z := range s.match.View(seat).Zones {
		if s.tracked(z.Zone) {
			continue
		}
		if z.Places != nil && z.Count > 0 {
			s.places(z)
			continue
		}
		switch mine := z.Of == seat && z.Zone.Seen != dsl.SeenAll; {
		case !z.Seen && z.Of >= 0 && z.Of != seat && z.Count > 0 && z.Zone.Seen == dsl.SeenOwner:
			counts = append(counts, fmt.Sprintf("%s %d", s.match.Name(z.Of), z.Count))
		case !z.Seen:
		case mine:
			own = append(own, s.zoneLine(z, true))
		case z.Count > 0:
			s.printf("%s", s.zoneLine(z, false))
		}
	}
	text := strings.Join(own, "; ")
	if len(counts) > 0 && len(own) > 0 {
		text += fmt.Sprintf("  (%s)", strings.Join(counts, ", "))
	}
	if text != "" {
		s.wrapped("", text)
	}
}

// zoneLine writes what lies in a zone, for a seat that sees it.
func (s *Session) zoneLine(z interpreter.ZoneView, mine bool) string {
	name := z.Zone.Label()
	if !mine {
		name = zoneName(s.match.Machine, z.Zone, z.Of)
	}
	text := z.Pieces
	switch {
	case z.Cards == nil:
	case z.Zone.Seen != dsl.SeenAll: // what is held has no order
		text = sorted(s.match.Machine, z.Zone.Family, z.Cards)
	case len(z.Zone.Marks) > 0:
		text = s.marked(z)
	}
	if z.Count == 0 {
		text = "none"
	}
	return name + ": " + text
}

// tracked reports whether the rules show a zone as a track.
func (s *Session) tracked(z *dsl.Zone) bool {
	for _, l := range s.match.Game().Program().Show {
		if l.Track != nil && l.Track.Ref == z {
			return true
		}
	}
	return false
}

// How a place looks at which something lies that is not seen, and a free one.
const (
	faceDown  = "##"
	freePlace = ".."
	maxAcross = 10 // places in a line
)

// places prints a zone with its places: in rows with their numbers or, in plain
// mode, place by place where something is seen.
func (s *Session) places(z interpreter.ZoneView) {
	name := zoneName(s.match.Machine, z.Zone, z.Of)
	if s.cfg.Plain {
		s.wrapped("", name+": "+placesInWords(z.Places))
		return
	}
	var cells []string
	wide, down, free := 0, false, false
	for _, p := range z.Places {
		text := p.Piece
		switch {
		case p.Free:
			text, free = freePlace, true
		case text == "":
			text, down = faceDown, true
		}
		cells = append(cells, fmt.Sprintf("%3d %s", p.Number, text))
		wide = max(wide, displaywidth.String(cells[len(cells)-1]))
	}
	var key []string
	if down {
		key = append(key, faceDown+" face down")
	}
	if free {
		key = append(key, freePlace+" free")
	}
	s.printf("%s", strings.TrimSuffix(name+": "+strings.Join(key, ", "), ": "))
	across := min(max(s.width()/(wide+1), 1), maxAcross)
	for row := range slices.Chunk(cells, across) {
		var b strings.Builder
		for _, c := range row {
			b.WriteString(pad(c, wide) + " ")
		}
		s.printf("%s", strings.TrimRight(b.String(), " "))
	}
}

// placesInWords says what is at places: what is seen, and where something lies
// face down or nothing at all.
func placesInWords(places []interpreter.PlaceView) string {
	var down, free []int
	var out []string
	for _, p := range places {
		switch {
		case p.Free:
			free = append(free, p.Number)
		case p.Piece == "":
			down = append(down, p.Number)
		default:
			out = append(out, fmt.Sprintf("%s at %d", p.Piece, p.Number))
		}
	}
	if len(down) > 0 {
		out = append(out, "face down at "+ranges(down))
	}
	if len(free) > 0 {
		out = append(out, "free at "+ranges(free))
	}
	return strings.Join(out, "; ")
}

// ranges writes numbers that go up, neighbours as in 4-7.
func ranges(numbers []int) string {
	var out []string
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		switch {
		case k == i:
			out = append(out, fmt.Sprint(numbers[i]))
		default:
			out = append(out, fmt.Sprintf("%d-%d", numbers[i], numbers[k]))
		}
		i = k + 1
	}
	return strings.Join(out, ", ")
}

// marked writes pieces with what is written on them.
func (s *Session) marked(z interpreter.ZoneView) string {
	var out []string
	for _, p := range z.Cards {
		text := s.match.CardWords(z.Zone.Family, []int{p})
		for i, mark := range s.match.Written(z.Zone, p) {
			if mark != "" {
				text += " " + words(z.Zone.Marks[i].Name) + " " + mark
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// sorted writes pieces in the order of their family.
func sorted(m *interpreter.Machine, f *dsl.Family, pieces []int) string {
	pieces = slices.Clone(pieces)
	slices.Sort(pieces)
	return m.CardWords(f, pieces)
}

// cmdHand prints everything that whoever looks may see of the pieces.
func (s *Session) cmdHand(_ context.Context, args []string) error {
	if len(args) > 0 {
		return s.fail("`hand` takes nothing")
	}
	v := s.match.View(max(s.looker, bystanders))
	if s.looker == everything && people(s.cfg.Players) > 0 {
		if seat, ok := s.Asked(); ok {
			v = s.match.View(seat)
		}
	}
	if len(v.Zones) == 0 {
		return s.fail("there are no pieces in this game")
	}
	for _, z := range v.Zones {
		switch {
		case z.Places != nil && z.Count > 0:
			s.places(z)
		case z.Seen:
			s.wrapped("", s.zoneLine(z, z.Of == v.Seat && z.Of >= 0))
		default:
			s.printf("%s: %d, unseen", zoneName(s.match.Machine, z.Zone, z.Of), z.Count)
		}
	}
	return nil
}
