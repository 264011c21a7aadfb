package pushpit

import (
	"fmt"
	"strings"
	"time"
)

// Message is a push that was sent to the gateway. docs/api.md explains its members.
type Message struct {
	ID           string    `json:"id"`
	Seq          int64     `json:"seq"`
	Time         time.Time `json:"time"`
	Provider     string    `json:"provider"`
	APNsID       string    `json:"apnsId"`
	APNsUniqueID string    `json:"apnsUniqueId"`
	Name         string    `json:"name"`
	App          string    `json:"app"`
	Project      string    `json:"project"`
	Environment  string    `json:"environment"`
	Target       Target    `json:"target"`
	// Devices are the ids of the devices that it was for.
	Devices    []string `json:"devices"`
	PushType   string   `json:"pushType"`
	Priority   string   `json:"priority"`
	Expiration string   `json:"expiration"`
	CollapseID string   `json:"collapseId"`
	// Outcome is "accepted" or "refused".
	Outcome string `json:"outcome"`
	// Status is 0 if the sender got no answer.
	Status   int       `json:"status"`
	Reason   string    `json:"reason"`
	Why      string    `json:"why"`
	Findings []Finding `json:"findings"`
	Request  Request   `json:"request"`
}

// Target is what a push was sent to: one of the members is set.
type Target struct {
	Token     string `json:"token"`
	FID       string `json:"fid"`
	Topic     string `json:"topic"`
	Condition string `json:"condition"`
	Channel   string `json:"channel"`
}

// Finding is what is wrong with a push, or could be better.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Message  string `json:"message"`
}

// Request is a push as it was sent.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Headers are pairs of a name and a value.
	Headers [][2]string `json:"headers"`
	// Body is the JSON value, or a string if the body is not JSON.
	Body any `json:"body"`
}

// Notification is an entry of a shade: what a person sees on the phone.
type Notification struct {
	Key      string `json:"key"`
	Push     string `json:"push"`
	Title    string `json:"title"`
	Subtitle string `json:"subtitle"`
	Body     string `json:"body"`
	// Image is the URL of the picture that is shown.
	Image    string   `json:"image"`
	Group    string   `json:"group"`
	Category string   `json:"category"`
	Actions  []Action `json:"actions"`
}

// Action is a button of a notification.
type Action struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Event is something that happened. docs/api.md lists the kinds.
type Event struct {
	Seq    int64     `json:"seq"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	App    string    `json:"app"`
	Device string    `json:"device"`
	Push   string    `json:"push"`
	// Why is the id of a rule in docs/rules.md.
	Why  string `json:"why"`
	Data JSON   `json:"data"`
}

// mostOfATitle is how many characters of a title are in the line of a push.
const mostOfATitle = 40

// Title returns the title of the push's notification, or an iPhone's alert that is one text.
func (m Message) Title() string {
	for _, path := range [][]string{{"aps", "alert", "title"}, {"message", "notification", "title"}, {"aps", "alert"}} {
		value := m.Request.Body
		for _, name := range path {
			object, _ := value.(JSON)
			value = object[name]
		}
		if text, isText := value.(string); isText {
			return text
		}
	}
	return ""
}

// String is the push in one line.
func (m Message) String() string {
	service := map[string]string{"apns": "APNs", "fcm": "FCM", "webpush": "web"}[m.Provider]
	devices := ""
	if len(m.Devices) > 0 {
		devices = fmt.Sprintf(" (%s)", strings.Join(m.Devices[:len(m.Devices)-max(0, len(m.Devices)-3)], ", "))
	}
	title := ""
	if text := m.Title(); text != "" {
		title = fmt.Sprintf(" %q", shortened(text, mostOfATitle))
	}
	return fmt.Sprintf("%s: %s push%s of %s to %s%s, %s: %s",
		m.ID, service, title, m.App, m.Target, devices, m.Outcome, strings.TrimSpace(fmt.Sprint(m.Status, " ", m.Reason)))
}

// String names the target, such as "token a1b2c3d4a1b2c3d4…".
func (t Target) String() string {
	for _, row := range [][2]string{
		{"token", t.Token}, {"fid", t.FID}, {"topic", t.Topic}, {"condition", t.Condition}, {"channel", t.Channel}} {
		if name, value := row[0], row[1]; len(value) > 16 {
			return name + " " + value[:16] + "…"
		} else if value != "" {
			return name + " " + value
		}
	}
	return "no target"
}

// Frame is a message of the gateway to a device's socket. docs/devices.md has the types and their members.
type Frame struct {
	Type string `json:"type"`
	Seq  int64  `json:"seq"`
	// ID is that of a push; Push is the push that an event belongs to.
	ID   string `json:"id"`
	Push string `json:"push"`
	Kind string `json:"kind"`
	Why  string `json:"why"`
	// Payload is what the app's handler gets of a push.
	Payload any  `json:"payload"`
	Data    JSON `json:"data"`
	// All has every member.
	All JSON `json:"-"`
}

// String is the frame in a few words.
func (f Frame) String() string {
	words := []string{f.Type}
	for _, word := range []string{f.Kind, f.ID, f.Push, f.Why} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
