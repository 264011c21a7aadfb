package pushpit

import (
	"net/url"
	"strings"
	"time"
)

const (
	// patience is how long the shade waits for extensions and images.
	patience = 5 * time.Second
	// interval is the time between two questions to the gateway.
	interval = 10 * time.Millisecond
	// newestPushes is how many of the newest pushes are looked at.
	newestPushes = 20
	// listedPushes is how many pushes the text about an empty shade has.
	listedPushes = "5"
)

// deviceReport is what became of a push on a device.
type deviceReport struct {
	Device, Did, Remedy string
	IsWorking           bool
}

// Shade returns the notifications that the device shows, newest first. While its extension works or it loads an image, this
// waits for that, for up to 5 seconds.
func (d *Device) Shade() []Notification {
	d.gateway.t.Helper()
	return d.shade(patience)
}

func (d *Device) shade(limit time.Duration) []Notification {
	d.gateway.t.Helper()
	d.settle(limit)
	rows, err := pages[Notification](d.gateway.api, d.path()+"/shade", "shade", nil)
	d.gateway.check(err)
	return rows
}

// Notification waits until the device shows a notification, and returns the newest one. It waits 5 seconds, or as long as
// within says. If there is none, the test fails with a text that says why.
func (d *Device) Notification(within ...time.Duration) Notification {
	d.gateway.t.Helper()
	limit := patience
	if len(within) > 0 {
		limit = within[0]
	}
	deadline := time.Now().Add(limit)
	for {
		if shade := d.shade(time.Until(deadline)); len(shade) > 0 {
			return shade[0]
		}
		if !time.Now().Before(deadline) {
			d.gateway.t.Fatalf("the device %s shows no notification. %s", d.ID, d.emptyText())
		}
		time.Sleep(interval)
	}
}

// settle waits until the device no longer works on a push, or until the limit.
func (d *Device) settle(limit time.Duration) {
	d.gateway.t.Helper()
	deadline := time.Now().Add(limit)
	for _, push := range d.unfinished() {
		for d.report(push).IsWorking && time.Now().Before(deadline) {
			time.Sleep(interval)
		}
	}
}

// unfinished returns the newest pushes that have reached the device, and that it neither shows nor suppresses.
func (d *Device) unfinished() []string {
	d.gateway.t.Helper()
	events := d.Events("delivered", "presented", "suppressed")
	isDone := map[string]bool{}
	left := []string{}
	for index := len(events) - 1; index >= 0 && len(left) < newestPushes; index-- {
		push := events[index].Push
		if events[index].Kind == "delivered" && !isDone[push] {
			left = append(left, push)
		}
		isDone[push] = true
	}
	return left
}

// report returns what became of the push on the device. It is empty for a push that was deleted.
func (d *Device) report(push string) deviceReport {
	d.gateway.t.Helper()
	var answer struct{ Devices []deviceReport }
	err := d.gateway.api.call("GET", "/messages/"+url.PathEscape(push)+"/events?limit=1000", nil, &answer, 404)
	d.gateway.check(err)
	for _, report := range answer.Devices {
		if report.Device == d.ID {
			return report
		}
	}
	return deviceReport{}
}

// emptyText says what became of the newest pushes to the device.
func (d *Device) emptyText() string {
	d.gateway.t.Helper()
	queries := []url.Values{{"device": {d.ID}}}
	for _, kind := range []string{"apns", "fcm"} {
		if token, exists := d.row().Tokens[kind]; exists {
			queries = append(queries, url.Values{"token": {token.Token}, "outcome": {"refused"}})
		}
	}
	lines := []string{}
	for _, query := range queries {
		query.Set("limit", listedPushes)
		var page struct{ Messages []Message }
		d.gateway.Call("GET", "/messages?"+query.Encode(), nil, &page)
		for _, message := range page.Messages {
			lines = append(lines, d.pushText(message))
		}
	}
	if len(lines) == 0 {
		return "No push has been sent to its tokens."
	}
	return "Pushes to it, newest first:\n  " + strings.Join(lines, "\n  ")
}

// pushText is the push in one line, and below it what became of it on the device.
func (d *Device) pushText(message Message) string {
	d.gateway.t.Helper()
	lines := []string{message.String()}
	report := d.report(message.ID)
	if report.Did == "" {
		report.Did = message.Why
	}
	for _, text := range []string{report.Did, report.Remedy} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n    ")
}
