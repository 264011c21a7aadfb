// Package pushpit is a test kit for Pushpit, a push service that answers like Apple's APNs and Google's FCM.
//
// NewApp gives a test its own app and Firebase project, on a gateway that all tests of the process share. The
// gateway in the environment variable PUSHPIT_URL is used if there is one, for example under "pushpit exec". Otherwise
// the program pushpit is started, from the path in PUSHPIT_BINARY or from the PATH, and ends with the process.
//
//	func TestWelcome(t *testing.T) {
//		app := pushpit.NewApp(t)
//		phone := app.Device(pushpit.Android)
//		welcome(app.Gateway.URL(), app.Project, phone.Token()) // your backend sends a push
//		app.Expect(pushpit.Match{Device: phone.ID, Body: pushpit.JSON{"/message/notification/title": "Welcome"}}, pushpit.Count(1))
//		if shown := phone.Notification(); shown.Title != "Welcome" {
//			t.Errorf("the phone shows %q", shown.Title)
//		}
//	}
//
// What goes wrong ends the test, so the calls return no errors. Like t.Fatal, they belong in the test's goroutine.
package pushpit

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// JSON is an object as the gateway's documents describe it, with members in camelCase.
type JSON = map[string]any

// Prefix, as a value in a Match, matches texts that begin with it.
type Prefix string

// MarshalJSON writes the condition as the gateway reads it.
func (p Prefix) MarshalJSON() ([]byte, error) { return json.Marshal(JSON{"prefix": string(p)}) }

// Regex, as a value in a Match, is a regular expression for the text.
type Regex string

// MarshalJSON writes the condition as the gateway reads it.
func (r Regex) MarshalJSON() ([]byte, error) { return json.Marshal(JSON{"regex": string(r)}) }

func durationText(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }

func timeText(moment time.Time) string { return moment.UTC().Format("2006-01-02T15:04:05.000Z") }

// randomName returns a name that no other test has, such as "com.example.test-5ad1407fa1c1".
func randomName(prefix string) string { return prefix + hex.EncodeToString(randomBytes(6)) }

func randomBytes(count int) []byte {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		panic(err) // The system has no random numbers.
	}
	return bytes
}

// merged returns an object with the members of all objects; later ones replace earlier ones.
func merged(objects ...JSON) JSON {
	all := JSON{}
	for _, object := range objects {
		for name, value := range object {
			all[name] = value
		}
	}
	return all
}

// objectOf returns a value as a JSON object, without the members that are not set.
func objectOf(value any) JSON {
	text, _ := json.Marshal(value)
	object := JSON{}
	json.Unmarshal(text, &object)
	return object
}
