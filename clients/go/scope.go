package pushpit

import (
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// begin makes only pushes count that come later.
func (a *App) begin() {
	a.t().Helper()
	var stats struct{ Events int64 }
	a.Gateway.Call("GET", "/stats", nil, &stats)
	a.start = strconv.FormatInt(stats.Events, 10)
}

// Reset deletes the pushes, faults and devices of the app. Under "pushpit exec", the pushes stay for the report, but no
// longer count.
func (a *App) Reset() {
	a.t().Helper()
	for _, socket := range a.sockets {
		socket.Close()
	}
	a.sockets = nil
	keepMessages := os.Getenv("PUSHPIT_KEEP_MESSAGES") != ""
	for _, name := range a.names() {
		a.Gateway.Call("POST", "/reset", JSON{"app": name, "keepMessages": keepMessages}, nil)
	}
	a.begin()
}

// close removes everything that the app has in the gateway.
func (a *App) close() {
	defer a.end()
	if a.t().Failed() {
		a.t().Logf("Pushes of %s:\n  %s", a.ID, a.reportText())
	}
	a.Reset()
	for _, location := range a.media {
		a.Gateway.Call("DELETE", "/media?url="+url.QueryEscape(location), nil, nil)
	}
	a.Gateway.mutex.Lock()
	usesClock := a.Gateway.appWithClock == a
	a.Gateway.mutex.Unlock()
	a.removeIdentity()
	if usesClock {
		a.Gateway.Clock().Reset()
	}
}

func (a *App) names() []string {
	if a.ID == a.Project {
		return []string{a.ID}
	}
	return []string{a.ID, a.Project}
}

// scoped adds the app and its start, unless the match names an app. Messages to a topic, or to a token that no device has, have the project as their app.
func (a *App) scoped(match Match) Match {
	if match.App == nil && match.Since == nil {
		match.Since, match.ofApp = a.start, true
	}
	if match.App == nil && a.ID == a.Project {
		match.App = a.ID
	} else if match.App == nil {
		escaped := regexp.MustCompile(`[^\w/:-]`).ReplaceAllString(a.ID+" "+a.Project, `\$0`)
		match.App = Regex("^(" + strings.Replace(escaped, `\ `, "|", 1) + ")$")
	}
	return match
}
