package pushpit

import (
	"net/url"
	"strings"
	"time"
)

// Fault stands for the faults that one call has set. Remove ends them, and so does the end of the test.
type Fault struct {
	gateway *Gateway
	ids     []string
}

// When says which requests a fault hits, and for how long: docs/faults.md.
type When struct {
	// Match takes the filters that docs/faults.md lists: provider, app, token, topic, push type, reason, headers and body.
	Match Match
	// Path is the path of the request, such as "/token".
	Path                     string
	Times, Nth, Every, After int
	// Per is "gateway", "connection" or "token".
	Per         string
	Probability float64
	Seed        uint32
	// For is how long the fault lasts, by the gateway's clock.
	For time.Duration
}

// Answer returns an effect: the gateway gives this answer. More can have the members headers, body and contentType.
func Answer(status int, reason string, more ...JSON) JSON {
	answer := merged(append([]JSON{{"status": status}}, more...)...)
	if reason != "" {
		answer["reason"] = reason
	}
	return JSON{"answer": answer}
}

// Fault makes requests go wrong from now on. Without a test's app in the match, it hits the pushes of all tests.
func (g *Gateway) Fault(effect any, when When) *Fault {
	g.t.Helper()
	if name, isName := effect.(string); isName {
		effect = JSON{"wire": name}
	}
	match := objectOf(when.Match)
	if when.Path != "" {
		match["path"] = when.Path
	}
	spec := JSON{"effect": effect, "match": match}
	for name, number := range map[string]int{"times": when.Times, "nth": when.Nth, "every": when.Every, "after": when.After, "seed": int(when.Seed)} {
		if number != 0 {
			spec[name] = number
		}
	}
	if when.Per != "" {
		spec["per"] = when.Per
	}
	if when.Probability != 0 {
		spec["probability"] = when.Probability
	}
	if when.For != 0 {
		spec["for"] = durationText(when.For)
	}
	var made struct{ ID string }
	g.Call("POST", "/faults", spec, &made)
	fault := &Fault{g, []string{made.ID}}
	g.t.Cleanup(fault.Remove)
	return fault
}

// Scenario sets a failure that users of the real services have reported, for one app or project, or with "" for all.
func (g *Gateway) Scenario(name, app string) *Fault {
	g.t.Helper()
	before := map[string]bool{}
	for _, row := range g.faults() {
		before[row.ID] = true
	}
	var body any
	if app != "" {
		body = JSON{"app": app}
	}
	var made struct{ Set []string }
	g.Call("POST", "/scenarios/"+url.PathEscape(name), body, &made)
	fault := &Fault{gateway: g}
	for _, id := range made.Set {
		// Other tests may have set the same scenario.
		if !before[id] {
			fault.ids = append(fault.ids, id)
		}
	}
	g.t.Cleanup(fault.Remove)
	return fault
}

type faultRow struct {
	ID          string
	Fired, Seen int
}

func (g *Gateway) faults() []faultRow {
	g.t.Helper()
	rows, err := pages[faultRow](g.api, "/faults", "faults", nil)
	g.check(err)
	return rows
}

// Fired returns how many requests the fault has hit.
func (f *Fault) Fired() int {
	f.gateway.t.Helper()
	fired := 0
	for _, row := range f.rows() {
		fired += row.Fired
	}
	return fired
}

// rows is what the gateway says about it. It has none for a fault that is gone.
func (f *Fault) rows() []faultRow {
	f.gateway.t.Helper()
	rows := []faultRow{}
	for _, row := range f.gateway.faults() {
		for _, id := range f.ids {
			if row.ID == id {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// logIfIdle logs a line if no request has hit the fault, and it is still there.
func (f *Fault) logIfIdle() {
	f.gateway.t.Helper()
	if len(f.rows()) > 0 && f.Fired() == 0 {
		f.gateway.t.Logf("No request has hit the fault %s.", strings.Join(f.ids, ", "))
	}
}

// Remove ends the fault. It ignores faults that are already gone.
func (f *Fault) Remove() {
	f.gateway.t.Helper()
	for _, id := range f.ids {
		f.gateway.check(f.gateway.api.call("DELETE", "/faults/"+url.PathEscape(id), nil, nil, 404))
	}
}
