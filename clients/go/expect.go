package pushpit

import (
	"errors"
	"net/url"
	"time"
)

// Match selects pushes. All members that are set have to match; docs/api.md explains them. Where the type is any, the
// value is a string, a Prefix or a Regex.
type Match struct {
	Provider     string `json:"provider,omitempty"`
	App          any    `json:"app,omitempty"`
	PushType     any    `json:"pushType,omitempty"`
	Outcome      string `json:"outcome,omitempty"`
	Status       int    `json:"status,omitempty"`
	Reason       any    `json:"reason,omitempty"`
	APNsID       any    `json:"apnsId,omitempty"`
	APNsUniqueID any    `json:"apnsUniqueId,omitempty"`
	Name         any    `json:"name,omitempty"`
	Token        any    `json:"token,omitempty"`
	Topic        any    `json:"topic,omitempty"`
	// Device is the id of a device.
	Device any `json:"device,omitempty"`
	Rule   any `json:"rule,omitempty"`
	Text   any `json:"text,omitempty"`
	// Since and Until are the number of an event, or a time.
	Since any `json:"since,omitempty"`
	Until any `json:"until,omitempty"`
	// Headers are fields of the request with their values.
	Headers JSON `json:"headers,omitempty"`
	// Body has JSON pointers into the body as it was sent, with their values: JSON{"/aps/badge": 3}.
	Body JSON `json:"body,omitempty"`
	// BodyText is like Body, but "7" also matches the number 7.
	BodyText JSON `json:"bodyText,omitempty"`
	// Event counts what devices did, instead of pushes. The other members apply to the push behind the event.
	Event *EventMatch `json:"event,omitempty"`
	// Since is that of the app, which no text shows.
	ofApp bool
}

// EventMatch says which events of devices. The kind is needed: docs/api.md lists them.
type EventMatch struct {
	Kind   any `json:"kind"`
	Device any `json:"device,omitempty"`
	Why    any `json:"why,omitempty"`
	// Data has JSON pointers into the data of the event, with their values.
	Data JSON `json:"data,omitempty"`
	// DataText is like Data, but "7" also matches the number 7.
	DataText JSON `json:"dataText,omitempty"`
}

// An Amount says how many pushes are expected, or how long to wait for them.
type Amount func(request JSON)

// Count expects exactly this many pushes. It is met when the last of them arrives, and does not wait for more.
func Count(number int) Amount { return func(request JSON) { request["count"] = number } }

// AtLeast expects this many pushes or more. Without any amount, at least 1 is expected.
func AtLeast(number int) Amount { return func(request JSON) { request["atLeast"] = number } }

// AtMost expects no more than this many pushes. It always waits until the time of Within is over.
func AtMost(number int) Amount { return func(request JSON) { request["atMost"] = number } }

// Never expects that no push matches. It always waits until the time of Within is over.
func Never() Amount { return func(request JSON) { request["never"] = true } }

// Within is how long to wait. The default is 5 seconds; 0 asks for what is there now.
func Within(duration time.Duration) Amount {
	return func(request JSON) { request["within"] = durationText(duration) }
}

// ExpectationFailed is an expectation that is not met. Its text shows how the nearest pushes differ.
type ExpectationFailed struct {
	// Why says what was expected, and how many matched.
	Why string
	// Nearest are the pushes or events with the fewest differences.
	Nearest []Miss
	text    string
}

// Miss is a push or an event that almost matched.
type Miss struct {
	// Message is the id of the push.
	Message string
	// Kind and Device are those of an event.
	Kind, Device string
	Differs      []Difference
}

// Difference is a member of a push that is not as expected.
type Difference struct {
	At            string
	Expected, Got any
	// Note says how to find the push instead; "" for most differences.
	Note string
}

func (e *ExpectationFailed) Error() string { return e.text }

type verdict struct {
	Met      bool
	Why      string
	Messages []string
	Nearest  []Miss
}

// mistake says why no push can ever match; nil if one can.
func (m Match) mistake() error {
	if m.Device != nil && m.Outcome == "refused" && m.Event == nil {
		return errors.New(`a refused push reaches no device, so Device and Outcome "refused" never match together: ` +
			"use Token: phone.Token() instead of Device")
	}
	return nil
}

// expect waits until the expectation is met or not, and returns the pushes that match, oldest first.
func (a *api) expect(request JSON) ([]Message, error) {
	matches, _ := request["sequence"].([]Match)
	if match, isOne := request["match"].(Match); isOne {
		matches = []Match{match}
	}
	for _, match := range matches {
		if err := match.mistake(); err != nil {
			return nil, err
		}
	}
	var answer verdict
	if err := a.call("POST", "/expect", request, &answer, 417); err != nil {
		return nil, err
	}
	if !answer.Met {
		return nil, &ExpectationFailed{answer.Why, answer.Nearest, a.failureText(request, answer)}
	}
	messages := make([]Message, len(answer.Messages))
	for index, id := range answer.Messages {
		if err := a.call("GET", "/messages/"+url.PathEscape(id), nil, &messages[index]); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

// requestOf is the body of POST /expect.
func requestOf(match Match, amounts []Amount) JSON {
	return withAmounts(JSON{"match": match}, amounts)
}

func sequenceOf(matches []Match, amounts []Amount) JSON {
	return withAmounts(JSON{"sequence": matches}, amounts)
}

func withAmounts(request JSON, amounts []Amount) JSON {
	for _, amount := range amounts {
		amount(request)
	}
	return request
}

// queryOf is the query of GET /messages. JSON pointers are parameters there, with JSON values.
func queryOf(match Match) url.Values {
	query := url.Values{}
	for name, value := range objectOf(match) {
		pointers, isObject := value.(JSON)
		if !isObject {
			query.Set(name, plainText(value))
			continue
		}
		for pointer, wanted := range pointers {
			query.Set(pointer, jsonText(wanted))
		}
	}
	return query
}

func plainText(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	return jsonText(value)
}
