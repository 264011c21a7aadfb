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
	// Tokens are the device's tokens by kind, such as "apns" and "fcm". RotateToken and Install update them.
	Tokens map[string]Token

	gateway *Gateway
	owner   *App
}

// Token is what a sender needs to reach a device. Topic is for APNs, Project and FID for FCM.
type Token struct {
	Token   string `json:"token"`
	Topic   string `json:"topic"`
	Project string `json:"project"`
	// FID is the Firebase installation id of an FCM token.
	FID string `json:"fid"`
}

// deviceRow is a device as the gateway describes it.
type deviceRow struct {
	ID       string
	Platform Platform
	App      string
	Tokens   map[string]Token
	State    JSON
	Badge    int

	Subscription *PushSubscription
}

// PushSubscription is what a browser gives to a page, and what a library for web push needs to send.
type PushSubscription struct {
	Endpoint string
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	}
}

// Device makes a device. The spec is what docs/devices.md lists; the app is com.example.app unless the spec names another.
func (g *Gateway) Device(platform Platform, spec JSON) *Device {
	g.t.Helper()
	var made struct{ Devices []deviceRow }
	g.Call("POST", "/devices", merged(JSON{"platform": platform, "app": "com.example.app"}, spec), &made)
	row := made.Devices[0]
	return &Device{ID: row.ID, Platform: row.Platform, App: row.App, Tokens: row.Tokens, gateway: g}
}

// Token returns the token that an app gives to its backend: the APNs token of an iPhone, or the FCM token of others.
func (d *Device) Token() string {
	d.gateway.t.Helper()
	return d.TokenFor(d.provider())
}

// FID returns the device's Firebase installation id, which FCM takes instead of the FCM token.
func (d *Device) FID() string {
	d.gateway.t.Helper()
	return d.token("fcm").FID
}

// TokenFor returns the device's token of a kind, such as "fcm" or "voip".
func (d *Device) TokenFor(kind string) string {
	d.gateway.t.Helper()
	return d.token(kind).Token
}

func (d *Device) token(kind string) Token {
	d.gateway.t.Helper()
	token, exists := d.Tokens[kind]
	if !exists {
		d.gateway.t.Fatalf("the device %s has no token of the kind '%s'", d.ID, kind)
	}
	return token
}

// Subscription returns the push subscription of a browser: a device of the platform Web.
func (d *Device) Subscription() PushSubscription {
	d.gateway.t.Helper()
	found := d.row().Subscription
	if found == nil {
		d.gateway.t.Fatalf("the device %s has no push subscription: only devices of the platform 'web' have one", d.ID)
		return PushSubscription{}
	}
	return *found
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

// Badge returns the number on the app's icon.
func (d *Device) Badge() int {
	d.gateway.t.Helper()
	return d.row().Badge
}

// State returns the device's state, as docs/devices.md describes it.
func (d *Device) State() JSON {
	d.gateway.t.Helper()
	return d.row().State
}

// SetState changes parts of the device's state: JSON{"online": false}. Pushes that waited may arrive.
func (d *Device) SetState(state JSON) {
	d.gateway.t.Helper()
	d.gateway.Call("PATCH", d.path(), JSON{"state": state}, nil)
}

// Pending returns the ids of the pushes that wait for the device.
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

// Events returns the device's events so far, oldest first: those of these kinds, or all.
func (d *Device) Events(kinds ...string) []Event {
	d.gateway.t.Helper()
	query := url.Values{"device": {d.ID}}
	if len(kinds) > 0 {
		query.Set("kind", strings.Join(kinds, ","))
	}
	return d.gateway.Events(query)
}

// RotateToken gives the device a new token of APNs or FCM, and returns it. The old token is no longer valid.
func (d *Device) RotateToken() string {
	d.gateway.t.Helper()
	d.gateway.Call("POST", d.path()+"/tokens", JSON{"op": "rotate", "provider": d.provider()}, nil)
	d.Tokens = d.row().Tokens
	return d.Token()
}

// Subscribe subscribes the device to a topic of FCM.
func (d *Device) Subscribe(topic string) {
	d.gateway.t.Helper()
	d.gateway.Call("PUT", "/topics/"+url.PathEscape(topic)+d.path(), nil, nil)
}

// Unsubscribe unsubscribes the device from a topic of FCM.
func (d *Device) Unsubscribe(topic string) {
	d.gateway.t.Helper()
	d.gateway.Call("DELETE", "/topics/"+url.PathEscape(topic)+d.path(), nil, nil)
}

// Delete removes the device from the gateway.
func (d *Device) Delete() {
	d.gateway.t.Helper()
	d.gateway.Call("DELETE", d.path(), nil, nil)
}
