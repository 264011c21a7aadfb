package pushpit

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Gateway is a gateway as one test uses it: a call that fails ends that test.
type Gateway struct {
	t testing.TB
	*server
}

// Start starts a gateway for this test alone, with options of "pushpit serve". It ends with the test.
func Start(t testing.TB, options ...string) *Gateway {
	t.Helper()
	s, err := startServer(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return &Gateway{t, s}
}

// Connect returns a gateway that is already running at the URL.
func Connect(t testing.TB, url string) *Gateway {
	t.Helper()
	s, err := connect(url)
	if err != nil {
		t.Fatal(err)
	}
	return &Gateway{t, s}
}

// Shared returns the gateway that all tests of this process use: the one in PUSHPIT_URL, or one that is started and ends
// with the process.
func Shared(t testing.TB) *Gateway {
	t.Helper()
	sharedOnce.Do(func() {
		if url := os.Getenv("PUSHPIT_URL"); url != "" {
			shared, errOfShared = connect(url)
		} else {
			shared, errOfShared = startServer(nil)
		}
	})
	if errOfShared != nil {
		t.Fatal(errOfShared)
	}
	return &Gateway{t, shared}
}

// For returns this gateway for another test, such as a subtest.
func (g *Gateway) For(t testing.TB) *Gateway { return &Gateway{t, g.server} }

// Credentials are what a sender needs: the paths and ids in pushpit.json.
type Credentials struct {
	CA   string `json:"ca"`
	APNs struct {
		// Key is the path of the .p8 file.
		Key    string `json:"key"`
		KeyID  string `json:"keyId"`
		TeamID string `json:"teamId"`
		Topic  string `json:"topic"`
		// ClientCertificate is only valid for the topic com.example.app.
		ClientCertificate string `json:"clientCertificate"`
	} `json:"apns"`
	FCM struct {
		Project string `json:"project"`
		// ServiceAccount is the path of the JSON file.
		ServiceAccount string `json:"serviceAccount"`
	} `json:"fcm"`
}

// Credentials reads what a sender needs. For a gateway that was not started here, PUSHPIT_CREDENTIALS, PUSHPIT_CERTS, or
// else the gateway itself says where it is.
func (g *Gateway) Credentials() Credentials {
	g.t.Helper()
	path := os.Getenv("PUSHPIT_CREDENTIALS")
	if g.program != nil {
		path = g.program.ready.Credentials
	} else if path == "" {
		path = filepath.Join(g.directoryOfCredentials(), "pushpit.json")
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		g.t.Fatalf("there are no credentials in %s: set PUSHPIT_CREDENTIALS to the path of the pushpit.json of the gateway at %s", path, g.URL())
	}
	g.check(err)
	var credentials Credentials
	g.check(json.Unmarshal(text, &credentials))
	return credentials
}

func (g *Gateway) directoryOfCredentials() string {
	g.t.Helper()
	if certs := os.Getenv("PUSHPIT_CERTS"); certs != "" {
		return certs
	}
	var known struct{ Directory string }
	g.Call("GET", "/credentials?limit=1", nil, &known)
	return known.Directory
}

// Call makes any call of the control API, and reads the JSON of the answer into result, which can be nil.
func (g *Gateway) Call(method, path string, body, result any) {
	g.t.Helper()
	g.check(g.api.call(method, path, body, result))
}

// Expect waits for pushes, and returns those that match, oldest first.
func (g *Gateway) Expect(match Match, amounts ...Amount) []Message {
	g.t.Helper()
	messages, err := g.api.expect(requestOf(match, amounts))
	g.check(err)
	return messages
}

// Messages returns the pushes that match, newest first.
func (g *Gateway) Messages(match Match) []Message {
	g.t.Helper()
	g.check(match.mistake())
	rows, err := pages[Message](g.api, "/messages", "messages", queryOf(match))
	g.check(err)
	return rows
}

// Events returns what has happened so far, oldest first. The query is that of GET /events in docs/api.md.
func (g *Gateway) Events(query url.Values) []Event {
	g.t.Helper()
	events, err := g.api.events(query)
	g.check(err)
	return events
}

// Media is the answer that a phone gets when it fetches a URL.
type Media struct {
	ContentType string
	// Status is 200 if it is not set.
	Status int
	// Size makes a file of this size, if Content is not set.
	Size    int
	Content []byte
	Delay   time.Duration
}

// Media sets what phones get when they fetch the URL.
func (g *Gateway) Media(url string, media Media) {
	g.t.Helper()
	body := JSON{"url": url}
	if media.ContentType != "" {
		body["contentType"] = media.ContentType
	}
	if media.Status != 0 {
		body["status"] = media.Status
	}
	if media.Content != nil {
		body["base64"] = base64.StdEncoding.EncodeToString(media.Content)
	} else if media.Size != 0 {
		body["size"] = media.Size
	}
	if media.Delay != 0 {
		body["delay"] = durationText(media.Delay)
	}
	g.Call("PUT", "/media", body, nil)
}

// Reset deletes the pushes, faults and devices of an app. With "", it deletes those of all apps, and the media too.
func (g *Gateway) Reset(app string) {
	g.t.Helper()
	if app == "" {
		g.Call("POST", "/reset", nil, nil)
	} else {
		g.Call("POST", "/reset", JSON{"app": app}, nil)
	}
}

// Topics returns FCM's topics.
func (g *Gateway) Topics() []Topic {
	g.t.Helper()
	rows, err := pages[Topic](g.api, "/topics", "topics", nil)
	g.check(err)
	return rows
}

// Topic is a topic of FCM, with the number of its devices.
type Topic struct {
	Name    string `json:"name"`
	Project string `json:"project"`
	Devices int    `json:"devices"`
}

func (g *Gateway) check(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}
