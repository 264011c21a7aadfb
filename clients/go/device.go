package pushpit

import (
	"net/url"
	"strings"
)

// Platform is what a device runs.
type Platform string

// The platforms.
const (
	IOS     Platform = "ios"
	Android Platform = "android"
	Web     Platform = "web"
)

// Device is a simulated phone or browser. It receives pushes without any socket; Connect also watches it.
type Device struct {
	ID       string
	Platform Platform
	App      string
	// Tokens are its tokens by kind, such as "apns" and "fcm", when it was made.
	Tokens map[string]Token

	gateway *Gateway
	owner   *App
}

// Token is what a sender needs to reach a device. Topic is for APNs, Project for FCM.
type Token struct {
	Token   string `json:"token"`
	Topic   string `json:"topic"`
	Project string `json:"project"`
}

// deviceRow is a device as the gateway describes it.
type deviceRow struct {
	ID       string
	Platform Platform
	App      string
	Tokens   map[string]Token
	State    JSON
	Badge    int
}

// Device makes a device. The spec is what docs/devices.md lists; its app is com.example.app unless it says otherwise.
func (g *Gateway) Device(platform Platform, spec JSON) *Device {
	g.t.Helper()
	var made struct{ Devices []deviceRow }
	g.Call("POST", "/devices", merged(JSON{"platform": platform, "app": "com.example.app"}, spec), &made)
	row := made.Devices[0]
	return &Device{ID: row.ID, Platform: row.Platform, App: row.App, Tokens: row.Tokens, gateway: g}
}

// Token is what an app gives to its backend: for an iPhone the APNs token, otherwise the FCM token.
func (d *Device) Token() string {
	d.gateway.t.Helper()
	return d.TokenFor(d.provider())
}

// TokenFor is its token of a kind, such as "fcm" or "voip".
func (d *Device) TokenFor(kind string) string {
	d.gateway.t.Helper()
	token, exists := d.Tokens[kind]
	if !exists {
		d.gateway.t.Fatalf("the device %s has no token of the kind '%s'", d.ID, kind)
	}
	return token.Token
}

func (d *Device) provider() string {
	if d.Platform == IOS {
		return "apns"
	}
	return "fcm"
}

func (d *Device) path() string { return "/devices/" + url.PathEscape(d.ID) }

func (d *Device) row() deviceRow {
	d.gateway.t.Helper()
	var row deviceRow
	d.gateway.Call("GET", d.path(), nil, &row)
	return row
}

// Shade is what it shows, newest first.
func (d *Device) Shade() []Notification {
	d.gateway.t.Helper()
	rows, err := pages[Notification](d.gateway.api, d.path()+"/shade", "shade", nil)
	d.gateway.check(err)
	return rows
}

// Badge is the number on the icon of the app.
func (d *Device) Badge() int {
	d.gateway.t.Helper()
	return d.row().Badge
}

// State is the state that docs/devices.md describes.
func (d *Device) State() JSON {
	d.gateway.t.Helper()
	return d.row().State
}

// SetState changes parts of the state: JSON{"online": false}. Pushes that waited may arrive.
func (d *Device) SetState(state JSON) {
	d.gateway.t.Helper()
	d.gateway.Call("PATCH", d.path(), JSON{"state": state}, nil)
}

// Pending are the ids of the pushes that wait for it.
func (d *Device) Pending() []string {
	d.gateway.t.Helper()
	rows, err := pages[struct{ ID string }](d.gateway.api, d.path()+"/pending", "pending", nil)
	d.gateway.check(err)
	ids := []string{}
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// Events are what has happened to it so far, oldest first: events of these kinds, or all.
func (d *Device) Events(kinds ...string) []Event {
	d.gateway.t.Helper()
	query := url.Values{"device": {d.ID}}
	if len(kinds) > 0 {
		query.Set("kind", strings.Join(kinds, ","))
	}
	return d.gateway.Events(query)
}

// RotateToken gives it a new token for its provider, and returns it. The old one is dead.
func (d *Device) RotateToken() string {
	d.gateway.t.Helper()
	d.gateway.Call("POST", d.path()+"/tokens", JSON{"op": "rotate", "provider": d.provider()}, nil)
	d.Tokens = d.row().Tokens
	return d.Token()
}

// Subscribe subscribes it to a topic of FCM.
func (d *Device) Subscribe(topic string) {
	d.gateway.t.Helper()
	d.gateway.Call("PUT", "/topics/"+url.PathEscape(topic)+d.path(), nil, nil)
}

// Unsubscribe ends that.
func (d *Device) Unsubscribe(topic string) {
	d.gateway.t.Helper()
	d.gateway.Call("DELETE", "/topics/"+url.PathEscape(topic)+d.path(), nil, nil)
}

// Delete removes it from the gateway.
func (d *Device) Delete() {
	d.gateway.t.Helper()
	d.gateway.Call("DELETE", d.path(), nil, nil)
}
