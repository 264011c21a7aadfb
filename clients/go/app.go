package pushpit

import (
	"sort"
	"strings"
	"testing"
)

// App is an app and a Firebase project that one test has to itself. Everything here is about this app alone: its
// devices, pushes, faults and media, which end with the test.
type App struct {
	Gateway *Gateway
	// ID is the bundle id and the package name.
	ID string
	// Project is the Firebase project. It has the same name as ID, unless WithProject chooses another one.
	Project string

	// start is the newest event when the app was made: earlier pushes do not count.
	start    string
	identity *identity
	sockets  []*Socket
	devices  []*Device
	media    []string
}

// An AppOption chooses a name of an App.
type AppOption func(*App)

// WithID chooses the bundle id and package name. Without WithProject, it is the project too.
func WithID(id string) AppOption { return func(a *App) { a.ID = id } }

// WithProject chooses the Firebase project.
func WithProject(project string) AppOption { return func(a *App) { a.Project = project } }

// NewApp makes an app for this test, on the gateway that all tests of the process share.
func NewApp(t testing.TB, options ...AppOption) *App {
	t.Helper()
	return Shared(t).NewApp(options...)
}

// NewApp makes an app for the test of this gateway. It waits while another test uses the gateway's clock with App.Clock.
func (g *Gateway) NewApp(options ...AppOption) *App {
	app := &App{Gateway: g, ID: randomName("com.example.test-")}
	for _, option := range options {
		option(app)
	}
	if app.Project == "" {
		app.Project = app.ID
	}
	app.open()
	g.t.Cleanup(app.close)
	app.begin()
	return app
}

// Device makes a phone or browser with the app. The spec is what docs/devices.md lists, such as
// JSON{"state": JSON{"online": false}}.
func (a *App) Device(platform Platform, spec ...JSON) *Device {
	a.t().Helper()
	name := a.ID
	if platform == Web {
		name = "https://" + a.ID
	}
	device := a.Gateway.Device(platform, merged(append([]JSON{{"app": name, "project": a.Project}}, spec...)...))
	device.owner = a
	a.devices = append(a.devices, device)
	return device
}

// Expect waits for pushes of this app, and returns them, oldest first. Without an amount, it expects one or more.
func (a *App) Expect(match Match, amounts ...Amount) []Message {
	a.t().Helper()
	messages, err := a.TryExpect(match, amounts...)
	a.Gateway.check(err)
	return messages
}

// TryExpect is like Expect, but returns an error of the type *ExpectationFailed instead of ending the test.
func (a *App) TryExpect(match Match, amounts ...Amount) ([]Message, error) {
	return a.Gateway.api.expect(requestOf(a.scoped(match), amounts))
}

// ExpectSequence waits for pushes of this app that come one after the other, and returns them. Other pushes may come
// between them. Within is the only amount that it takes.
func (a *App) ExpectSequence(matches []Match, amounts ...Amount) []Message {
	a.t().Helper()
	scoped := make([]Match, len(matches))
	for index, match := range matches {
		scoped[index] = a.scoped(match)
	}
	messages, err := a.Gateway.api.expect(sequenceOf(scoped, amounts))
	a.Gateway.check(err)
	return messages
}

// Messages returns the pushes of this app that match, newest first.
func (a *App) Messages(match Match) []Message {
	a.t().Helper()
	if match.Since == nil {
		match.Since = a.start
	}
	all := []Message{}
	for _, name := range a.names() {
		match.App = name
		all = append(all, a.Gateway.Messages(match)...)
	}
	return newestFirst(all)
}

// newestFirst leaves out repetitions.
func newestFirst(all []Message) []Message {
	byID := map[string]Message{}
	for _, message := range all {
		byID[message.ID] = message
	}
	messages := make([]Message, 0, len(byID))
	for _, message := range byID {
		messages = append(messages, message)
	}
	sort.Slice(messages, func(one, other int) bool { return messages[one].Seq > messages[other].Seq })
	return messages
}

// Fault makes requests about this app go wrong, until it is removed or the test ends. The effect is the name of a fault
// such as "503Shutdown", a result of Answer, or an effect of docs/faults.md. If the project has a different name than the
// app, the counts in When apply to requests to Apple, requests to Google and web pushes separately.
func (a *App) Fault(effect any, when ...When) *Fault {
	a.t().Helper()
	var wanted When
	if len(when) > 0 {
		wanted = when[0]
	}
	scopes := []Match{{App: a.ID}}
	if a.ID != a.Project {
		scopes = []Match{{Provider: "apns", App: a.ID}, {Provider: "fcm", App: a.Project}, {Provider: "webpush", App: a.ID}}
	}
	fault := &Fault{gateway: a.Gateway}
	provider := wanted.Match.Provider
	for _, scope := range scopes {
		if provider != "" && scope.Provider != "" && scope.Provider != provider {
			continue
		}
		if wanted.Match.App = scope.App; provider == "" {
			wanted.Match.Provider = scope.Provider
		}
		fault.ids = append(fault.ids, a.Gateway.Fault(effect, wanted).ids...)
	}
	// Before the cleanups that remove it.
	a.t().Cleanup(fault.logIfIdle)
	return fault
}

// Scenario sets a failure that users of the real services have reported, for this app: docs/faults.md.
func (a *App) Scenario(name string) *Fault {
	a.t().Helper()
	if strings.HasPrefix(name, "fcm-") {
		return a.Gateway.Scenario(name, a.Project)
	}
	return a.Gateway.Scenario(name, a.ID)
}

// Media defines a file that phones can fetch until the test ends, and returns its URL. If the name is not a URL, such as
// "bread.png", a host is added.
func (a *App) Media(name string, media Media) string {
	a.t().Helper()
	location := name
	if !strings.Contains(name, "://") {
		location = "https://" + a.ID + ".example/" + name
	}
	a.media = append(a.media, location)
	a.Gateway.Media(location, media)
	return location
}

func (a *App) t() testing.TB { return a.Gateway.t }
