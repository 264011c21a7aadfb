package pushpit

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"
)

func TestAnExpectationIsWrittenAsTheControlAPITakesIt(t *testing.T) {
	rows := []struct {
		request JSON
		wanted  string
	}{
		{requestOf(Match{}, nil), `{"match":{}}`},
		{requestOf(Match{Device: "d1"}, []Amount{Count(0), Within(1500 * time.Millisecond)}), `{"count":0,"match":{"device":"d1"},"within":"1500ms"}`},
		{requestOf(Match{Since: 3, Until: "7"}, nil), `{"match":{"since":3,"until":"7"}}`},
		{requestOf(Match{Reason: Prefix("Bad"), Text: Regex("^a")}, []Amount{AtLeast(2)}), `{"atLeast":2,"match":{"reason":{"prefix":"Bad"},"text":{"regex":"^a"}}}`},
		{requestOf(Match{Event: &EventMatch{Kind: "presented", Data: JSON{"/title": "Tea"}}}, []Amount{Never()}),
			`{"match":{"event":{"kind":"presented","data":{"/title":"Tea"}}},"never":true}`},
		{sequenceOf([]Match{{Topic: "news"}, {Status: 404}}, []Amount{AtMost(1)}), `{"atMost":1,"sequence":[{"topic":"news"},{"status":404}]}`},
	}
	for _, row := range rows {
		if text, _ := json.Marshal(row.request); string(text) != row.wanted {
			t.Errorf("got %s, wanted %s", text, row.wanted)
		}
	}
}

func TestFiltersOfAListAreAQueryWithJSONForPointers(t *testing.T) {
	query := queryOf(Match{Device: "d1", Status: 200, Topic: "news", Body: JSON{"/aps/badge": 3, "/aps/alert": "Hi"}})
	wanted := url.Values{"device": {"d1"}, "status": {"200"}, "topic": {"news"}, "/aps/badge": {"3"}, "/aps/alert": {`"Hi"`}}
	if query.Encode() != wanted.Encode() {
		t.Errorf("got %v", query)
	}
}

func TestAPushIsOneLine(t *testing.T) {
	push := Message{ID: "p1", Provider: "fcm", App: "a", Outcome: "refused", Status: 404, Reason: "UNREGISTERED"}
	if text := push.String(); text != "p1: FCM push of a to no target, refused: 404 UNREGISTERED" {
		t.Error(text)
	}
	push.Provider, push.Target.Token, push.Devices, push.Reason = "apns", "a1b2c3d4a1b2c3d4a1b2", []string{"d1", "d2", "d3", "d4"}, ""
	if text := push.String(); text != "p1: APNs push of a to token a1b2c3d4a1b2c3d4… (d1, d2, d3), refused: 404" {
		t.Error(text)
	}
}

func TestAListHasTheRowsOfAllPages(t *testing.T) {
	gateway := Shared(t)
	app := "com.example.go-pages"
	gateway.Call("POST", "/devices", JSON{"platform": "android", "app": app, "count": 1001}, nil)
	rows, err := pages[deviceRow](gateway.api, "/devices", "devices", url.Values{"app": {app}})
	if err != nil || len(rows) != 1001 {
		t.Errorf("got %d rows, %v", len(rows), err)
	}
	gateway.Reset(app)
}

// ShownForTests is a value as JSON.
var ShownForTests = shown

// ProcessForTests is the process id of the gateway and its directory; 0 and "" if it was not started here.
func (g *Gateway) ProcessForTests() (int, string) {
	if g.program == nil {
		return 0, ""
	}
	return g.program.ready.PID, g.program.directory
}

// For returns the same device for another test, which its failures end.
func (d *Device) For(t testing.TB) *Device {
	same := *d
	same.gateway = d.gateway.For(t)
	return &same
}
