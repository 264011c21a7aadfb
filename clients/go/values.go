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
