package merge

import "github.com/houserules/houserules/dsl/source"

// deps tells which variants in force each one builds on.
type deps struct {
	direct map[string][]string        // with and needs
	needs  map[string][]string        // needs alone
	all    map[string]map[string]bool // with and needs, however far
}

func depsOf(files []*File) *deps {
	d := &deps{map[string][]string{}, map[string][]string{}, map[string]map[string]bool{}}
	in := map[string]bool{}
	for _, f := range files {
		in[f.ID] = true
	}
	for _, f := range files {
		for _, key := range []string{"with", "needs"} {
			for _, n := range scalars(f.Root.Get(key), key, &source.List{}) {
				if !in[n.Text] || n.Text == f.ID {
					continue
				}
				d.direct[f.ID] = append(d.direct[f.ID], n.Text)
				if key == "needs" && !has(d.needs[f.ID], n.Text) {
					d.needs[f.ID] = append(d.needs[f.ID], n.Text)
				}
			}
		}
	}
	for _, f := range files {
		seen := map[string]bool{}
		d.reach(f.ID, seen)
		delete(seen, f.ID)
		d.all[f.ID] = seen
	}
	return d
}

func (d *deps) reach(id string, seen map[string]bool) {
	for _, to := range d.direct[id] {
		if !seen[to] {
			seen[to] = true
			d.reach(to, seen)
		}
	}
}

// on reports whether one variant builds on another.
func (d *deps) on(id, other string) bool { return d.all[id][other] }

// layered sorts files so that each comes after those it builds on; otherwise
// the order is kept.
func (d *deps) layered(files []*File) []*File {
	byID := map[string]*File{}
	for _, f := range files {
		byID[f.ID] = f
	}
	var out []*File
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, to := range sorted(d.direct[id]) {
			visit(to)
		}
		out = append(out, byID[id])
	}
	for _, f := range files {
		visit(f.ID)
	}
	return out
}
