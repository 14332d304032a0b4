package rulebook

import (
	"github.com/houserules/houserules/dsl"
)

// pointTables works out what combinations with letters are worth, where that
// depends on the letters alone.
func (m *maker) pointTables(s *dsl.Scorer) {
	for _, c := range s.Combos {
		if isNever(c.Where) {
			continue
		}
		if _, ok := constantOf(c.Points); ok {
			continue
		}
		if t := pointTable(c); t != nil {
			m.para(join(words("Points of "), strong(capital(c.Label())), words(":")))
			m.add(t)
		}
	}
}

// pointTable has a row for each value of the first letter and a column for each
// of the second; nil if there are other letters, or if the points depend on more.
func pointTable(c *dsl.Combo) *Table {
	if len(c.Letters) < 1 || len(c.Letters) > 2 {
		return nil
	}
	first := c.Letters[0]
	t := &Table{Head: []string{first.Local.Name}}
	second := &dsl.Letter{Local: &dsl.Local{}, Domain: []int64{0}}
	if len(c.Letters) == 2 {
		second = c.Letters[1]
	}
	rows := make([][]Text, len(first.Domain))
	for i, x := range first.Domain {
		rows[i] = []Text{words(plainValue(first.Local.Type, x))}
	}
	for _, y := range second.Domain {
		column := make([]Text, len(first.Domain))
		some := false
		for i, x := range first.Domain {
			if len(c.Letters) == 2 && !first.Count && !second.Count && x == y {
				continue // different letters are different faces
			}
			f := frame{locals: map[*dsl.Local]constant{first.Local: {t: first.Local.Type, n: x}, second.Local: {t: second.Local.Type, n: y}}}
			if c.Where != nil {
				holds, ok := f.value(c.Where)
				if !ok {
					return nil
				}
				if holds.n == 0 {
					continue
				}
			}
			v, ok := f.value(c.Points)
			if !ok {
				return nil
			}
			column[i], some = words(v.String()), true
		}
		if !some {
			continue
		}
		head := "Points"
		if len(c.Letters) == 2 {
			head = second.Local.Name + " = " + plainValue(second.Local.Type, y)
		}
		t.Head = append(t.Head, head)
		for i := range rows {
			rows[i] = append(rows[i], column[i])
		}
	}
	for _, row := range rows {
		for _, cell := range row[1:] {
			if cell != nil {
				t.Rows = append(t.Rows, row)
				break
			}
		}
	}
	if len(t.Rows) == 0 || len(t.Head) > 9 || len(t.Rows) > 20 {
		return nil
	}
	return t
}
